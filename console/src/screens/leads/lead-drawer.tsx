import type { Lead, LeadImportResult, LeadPatch } from '@overture/sdk'
import { useId, useState } from 'react'
import { issueFor } from '@/api/errors.ts'
import { useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { readableAddress } from '@/ui/address.ts'
import { Button } from '@/ui/button.tsx'
import { Sheet } from '@/ui/dialog.tsx'
import { Field, Form, Input } from '@/ui/field.tsx'
import { CloseIcon, PlusIcon } from '@/ui/icons.tsx'
import { Loaded } from '@/ui/loaded.tsx'
import { Select } from '@/ui/select.tsx'
import { ErrorNote } from '@/ui/states.tsx'
import { followsFrom, LEAD_LABELS, nameOf, OUTCOME_OPTIONS, type Outcome, useLead } from './data.ts'

interface LeadDrawerProps {
  campaignId: string
  /** Undefined to add a lead. */
  leadId?: string | undefined
  onClose: () => void
}

/** A lead in a drawer next to its list or page. */
export function LeadDrawer({ campaignId, leadId, onClose }: LeadDrawerProps) {
  const query = useLead(campaignId, leadId)
  const lead = query.data
  if (leadId === undefined || lead) return <LeadForm key={leadId} lead={lead ?? null} campaignId={campaignId} onClose={onClose} />
  return (
    <Sheet open isInAddress onClose={onClose} title="Lead">
      <Loaded query={query} lines={8}>
        {() => null}
      </Loaded>
    </Sheet>
  )
}

const ZONE_HELP = 'For example, Europe/Berlin. Leave empty to use the time zone of the campaign.'
const KEEP = 'keep'

/** Only the changed fields are sent. */
function LeadForm({ lead, campaignId, onClose }: { lead: Lead | null; campaignId: string; onClose: () => void }) {
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
  const canSend = lead ? Object.keys(patch).length > 0 : email.trim() !== ''
  const about = lead
    ? { title: nameOf(lead), description: readableAddress(lead.email), verb: 'Save lead' }
    : { title: 'Add lead', description: "Overture sends the first step when it is the lead's turn.", verb: 'Add lead' }
  return (
    <Sheet
      open
      isInAddress
      onClose={onClose}
      title={about.title}
      description={about.description}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={form} phase={running.phase} disabled={!canSend}>
            {about.verb}
          </Button>
        </>
      }
    >
      <Form id={form} className="flex flex-col gap-4" onSubmit={() => (lead ? save.run(patch) : add.run(email.trim()))}>
        <ErrorNote error={running.error} />
        {lead ? null : (
          <Field label="Email address" error={refusal}>
            <Input type="email" value={email} onValueChange={setEmail} autoFocus placeholder="ann@example.com" />
          </Field>
        )}
        <div className="grid gap-4 sm:grid-cols-2">
          {LEAD_FIELDS.map(name => (
            <Field key={name} label={LEAD_LABELS[name]} error={issueFor(running.error, name)} help={name === 'timezone' ? ZONE_HELP : null}>
              <Input
                value={contents.fields[name]}
                onValueChange={typed => setContents({ ...contents, fields: { ...contents.fields, [name]: typed } })}
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
    </Sheet>
  )
}

/** An import succeeds even if it imports nothing, so its counts tell why. */
function whyNotAdded({ importedCount, duplicateCount, suppressedCount, invalid }: LeadImportResult): string | null {
  if (importedCount > 0) return null
  if (duplicateCount > 0) return 'This address is already in the campaign.'
  if (suppressedCount > 0) return 'This address is suppressed. Remove the suppression first.'
  return invalid[0]?.reason ?? 'This is not a valid email address.'
}

/** Custom fields of a lead, for use in templates. */
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
            onValueChange={typed => set(key, { name: typed })}
          />
          <Input
            aria-label={name ? `Value of ${name}` : 'Value'}
            value={value}
            placeholder="Rome"
            onValueChange={typed => set(key, { value: typed })}
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

type LeadField = keyof typeof LEAD_LABELS
const LEAD_FIELDS = Object.keys(LEAD_LABELS) as LeadField[]

interface VariableRow {
  key: number
  name: string
  value: string
}

interface LeadContents {
  fields: Record<LeadField, string>
  variables: readonly VariableRow[]
}

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
