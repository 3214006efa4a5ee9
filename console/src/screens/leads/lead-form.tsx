import type { Lead, LeadImportResult, LeadPatch } from '@overture/sdk'
import { type ReactNode, useId, useState } from 'react'
import { issueFor } from '@/api/errors.ts'
import { useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { Button } from '@/ui/button.tsx'
import { Field, Input } from '@/ui/field.tsx'
import { Form } from '@/ui/form.tsx'
import { Select } from '@/ui/select.tsx'
import { ErrorNote } from '@/ui/states.tsx'
import { LEAD_FIELDS, type LeadField, patchOf, startForm, variablesOf } from './lead-contents.ts'
import { followsFrom, OUTCOME_OPTIONS, type Outcome } from './set-status.tsx'
import { VariableFields } from './variable-fields.tsx'

const LABELS: Record<LeadField, string> = {
  firstName: 'First name',
  lastName: 'Last name',
  fullName: 'Full name',
  company: 'Company',
  jobTitle: 'Job title',
  timezone: 'Time zone',
}
const HELP: Partial<Record<LeadField, string>> = { timezone: 'Like Europe/Berlin. Without one, that of the campaign holds.' }
const KEEP = 'keep'

export interface LeadFormProps {
  lead: Lead | null
  campaignId: string
  onClose: () => void
  children: (fields: ReactNode, actions: ReactNode) => ReactNode
}

/** What is known of a lead. Only what was changed is sent. */
export function LeadForm({ lead, campaignId, onClose, children }: LeadFormProps) {
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
    done: 'The lead is saved',
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
        <Field label="E-mail address" error={refusal}>
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
        <Field label="Status" help={outcome === KEEP ? 'Report an outcome that the service cannot see by itself.' : followsFrom(outcome)}>
          <Select
            className="w-full"
            options={[{ value: KEEP, label: 'As it is' }, ...OUTCOME_OPTIONS]}
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
        {lead ? 'Save' : 'Add lead'}
      </Button>
    </>
  )
  return children(fields, actions)
}

/** An import of one succeeds also when it imports none: then it is said why. */
function whyNotAdded({ importedCount, duplicateCount, suppressedCount, invalid }: LeadImportResult): string | null {
  if (importedCount > 0) return null
  if (duplicateCount > 0) return 'This address is in the campaign already.'
  if (suppressedCount > 0) return 'This address is suppressed: nobody may write to it.'
  return invalid[0]?.reason ?? 'This is not an address that mail can be sent to.'
}
