import type { Lead, LeadImportResult, LeadPatch } from '@overture/sdk'
import { type ReactNode, useId, useState } from 'react'
import { issueFor } from '@/api/errors.ts'
import { useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { readableAddress } from '@/ui/address.ts'
import { Button } from '@/ui/button.tsx'
import { Sheet } from '@/ui/dialog.tsx'
import { Field, Form, Input } from '@/ui/field.tsx'
import { CloseIcon, PlusIcon } from '@/ui/icons.tsx'
import { Select } from '@/ui/select.tsx'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { ErrorNote, ErrorState } from '@/ui/states.tsx'
import { nameOf, useLead } from './data.ts'
import { followsFrom, OUTCOME_OPTIONS, type Outcome } from './set-status.tsx'

export interface LeadDrawerProps {
  campaignId: string
  /** Without one, a lead is added. */
  leadId?: string | undefined
  onClose: () => void
}

/** A lead in a drawer next to its list or page. */
export function LeadDrawer({ campaignId, leadId, onClose }: LeadDrawerProps) {
  const { data: lead, error, refetch } = useLead(campaignId, leadId)
  const form = { campaignId, onClose }
  if (leadId === undefined)
    return (
      <LeadForm lead={null} {...form}>
        {(fields, actions) => (
          <Sheet
            open
            isInAddress
            onClose={onClose}
            title="Add lead"
            description="Overture sends the first step when it is the lead's turn."
            actions={actions}
          >
            {fields}
          </Sheet>
        )}
      </LeadForm>
    )
  if (!lead)
    return (
      <Sheet open isInAddress onClose={onClose} title="Lead">
        {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <SkeletonLines count={8} />}
      </Sheet>
    )
  return (
    <LeadForm key={lead.id} lead={lead} {...form}>
      {(fields, actions) => (
        <Sheet open isInAddress onClose={onClose} title={nameOf(lead)} description={readableAddress(lead.email)} actions={actions}>
          {fields}
        </Sheet>
      )}
    </LeadForm>
  )
}

const LABELS: Record<LeadField, string> = {
  firstName: 'First name',
  lastName: 'Last name',
  fullName: 'Full name',
  company: 'Company',
  jobTitle: 'Job title',
  timezone: 'Time zone',
}
const HELP: Partial<Record<LeadField, string>> = {
  timezone: 'For example, Europe/Berlin. Leave empty to use the time zone of the campaign.',
}
const KEEP = 'keep'

interface LeadFormProps {
  lead: Lead | null
  campaignId: string
  onClose: () => void
  children: (fields: ReactNode, actions: ReactNode) => ReactNode
}

/** What is known of a lead. Only what was changed is sent. */
function LeadForm({ lead, campaignId, onClose, children }: LeadFormProps) {
  const { api } = useWorkspace()
  const form = useId()
  const [email, setEmail] = useState('')
  const [contents, setContents] = useState(() => startForm(lead))
  const [outcome, setOutcome] = useState<Outcome | typeof KEEP>(KEEP)
  const patch = { ...(lead ? patchOf(lead, contents) : {}), ...(outcome === KEEP ? {} : { status: outcome }) }
  const touches = [['campaign', campaignId]]
  const save = useOperation({
    send: (changed: LeadPatch, { idempotencyKey }) => api.leads.update(campaignId, lead!.id, changed, { idempotencyKey }),
    touches,
    done: 'Lead saved',
    onDone: onClose,
  })
  const add = useOperation({
    send: (address: string, options) => {
      const fields = Object.fromEntries(LEAD_FIELDS.map(name => [name, contents.fields[name].trim() || null]))
      return api.leads.import(campaignId, { leads: [{ email: address, ...fields, variables: variablesOf(contents) }] }, options)
    },
    touches,
    onDone: result => {
      const refusal = whyNotAdded(result)
      setRefusal(refusal)
      if (refusal === null) onClose()
    },
  })
  const [refusal, setRefusal] = useState<string | null>(null)
  const running = lead ? save : add
  const canSend = lead ? Object.keys(patch).length > 0 : email.includes('@')
  const fields = (
    <Form
      id={form}
      className="flex flex-col gap-4"
      onSubmit={() => {
        if (lead) void save.run(patch)
        else void add.run(email.trim())
      }}
    >
      <ErrorNote error={running.error} />
      {lead ? null : (
        <Field label="Email address" error={refusal}>
          <Input type="email" value={email} onChange={event => setEmail(event.target.value)} autoFocus placeholder="ann@example.com" />
        </Field>
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        {LEAD_FIELDS.map(name => (
          <Field key={name} label={LABELS[name]} error={issueFor(running.error, name)} {...(HELP[name] ? { help: HELP[name] } : {})}>
            <Input
              value={contents.fields[name]}
              onChange={event => setContents({ ...contents, fields: { ...contents.fields, [name]: event.target.value } })}
            />
          </Field>
        ))}
      </div>
      <VariableFields rows={contents.variables} onChange={variables => setContents({ ...contents, variables })} />
      {lead ? (
        <Field
          label="Status"
          help={outcome === KEEP ? 'Report an outcome that Overture cannot see, such as a phone call.' : followsFrom(outcome)}
        >
          <Select
            className="w-full"
            options={[{ value: KEEP, label: 'No change' }, ...OUTCOME_OPTIONS]}
            value={outcome}
            onChange={setOutcome}
          />
        </Field>
      ) : null}
    </Form>
  )
  const actions = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button variant="primary" type="submit" form={form} phase={running.phase} disabled={!canSend}>
        {lead ? 'Save lead' : 'Add lead'}
      </Button>
    </>
  )
  return children(fields, actions)
}

/** An import of one succeeds also when it imports none: then it is said why. */
function whyNotAdded({ importedCount, duplicateCount, suppressedCount, invalid }: LeadImportResult): string | null {
  if (importedCount > 0) return null
  if (duplicateCount > 0) return 'This address is already in the campaign.'
  if (suppressedCount > 0) return 'This address is suppressed. Remove the suppression first.'
  return invalid[0]?.reason ?? 'This is not a valid email address.'
}

/** Your own fields of a lead, for templates: names and values. */
function VariableFields({ rows, onChange }: { rows: readonly VariableRow[]; onChange: (rows: readonly VariableRow[]) => void }) {
  const set = (key: number, changed: Partial<VariableRow>) => onChange(rows.map(row => (row.key === key ? { ...row, ...changed } : row)))
  const add = () => onChange([...rows, { key: Math.max(0, ...rows.map(({ key }) => key)) + 1, name: '', value: '' }])
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1.5 font-medium text-sm">Variables</legend>
      {rows.map(({ key, name, value }) => (
        <div key={key} className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto] gap-1.5">
          <Input
            aria-label="Variable name"
            className="font-mono"
            value={name}
            placeholder="city"
            pattern="[A-Za-z][A-Za-z0-9_]{0,62}"
            title="Start with a letter. Use letters, digits and underscores."
            onChange={event => set(key, { name: event.target.value })}
          />
          <Input
            aria-label={name ? `Value of ${name}` : 'Value'}
            value={value}
            placeholder="Rome"
            onChange={event => set(key, { value: event.target.value })}
          />
          <Button
            variant="ghost"
            icon={CloseIcon}
            label={name ? `Remove ${name}` : 'Remove variable'}
            onClick={() => onChange(rows.filter(row => row.key !== key))}
          />
        </div>
      ))}
      <div>
        <Button size="sm" variant="ghost" icon={PlusIcon} onClick={add}>
          Add variable
        </Button>
      </div>
    </fieldset>
  )
}

const LEAD_FIELDS = ['firstName', 'lastName', 'fullName', 'company', 'jobTitle', 'timezone'] as const
type LeadField = (typeof LEAD_FIELDS)[number]

interface VariableRow {
  key: number
  name: string
  value: string
}

interface LeadContents {
  fields: Record<LeadField, string>
  variables: readonly VariableRow[]
}

/** What the form begins with. */
function startForm(lead: Lead | null): LeadContents {
  return {
    fields: Object.fromEntries(LEAD_FIELDS.map(name => [name, lead?.[name] ?? ''])) as Record<LeadField, string>,
    variables: Object.entries(lead?.variables ?? {}).map(([name, value], key) => ({ key, name, value })),
  }
}

const variablesOf = ({ variables }: LeadContents): Record<string, string> =>
  Object.fromEntries(variables.filter(({ name, value }) => name.trim() && value).map(({ name, value }) => [name.trim(), value]))

/** The difference between a lead and the form, as a patch. */
function patchOf(lead: Lead, contents: LeadContents): LeadPatch {
  const fields = LEAD_FIELDS.filter(name => (lead[name] ?? '') !== contents.fields[name].trim())
  const wanted = variablesOf(contents)
  const changed: Record<string, string | null> = {}
  for (const [name, value] of Object.entries(wanted)) if (lead.variables[name] !== value) changed[name] = value
  for (const name of Object.keys(lead.variables)) if (wanted[name] === undefined) changed[name] = null
  return {
    ...Object.fromEntries(fields.map(name => [name, contents.fields[name].trim() || null])),
    ...(Object.keys(changed).length > 0 ? { variables: changed } : {}),
  }
}
