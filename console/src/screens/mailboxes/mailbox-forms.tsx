import { OvertureError, type Provider, type ProviderPatch } from '@overture/sdk'
import { type ReactNode, useState } from 'react'
import { issueFor } from '@/api/errors.ts'
import { useWorkspace } from '@/data/session.ts'
import { type OperationPhase, useOperation } from '@/data/use-operation.ts'
import { Button } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { Combobox } from '@/ui/combobox.tsx'
import { type Edits, FieldConflicts, useEdits } from '@/ui/edits.tsx'
import { Field, Form, Input, Textarea } from '@/ui/field.tsx'
import { LeaveGuard } from '@/ui/leave-guard.tsx'
import { ErrorNote } from '@/ui/states.tsx'
import { useLatestMailbox } from './data.ts'
import { LimitsForm, NumberField } from './limits-form.tsx'
import { NO_SERVERS, type Servers, ServersForm } from './servers-form.tsx'

const ZONES = Intl.supportedValuesOf('timeZone').map(value => ({ value, label: value.replaceAll('_', ' ') }))

interface FormProps {
  mailbox: Provider
  isReadOnly: boolean
}

/** Builds the request from the currently saved mailbox, so that it does not revert changes of another person. */
type PatchOf = (now: Provider) => ProviderPatch

/** Saves, unless another person has saved the same field. Then the form asks which value to keep. */
function useChange<T extends object>(mailbox: Provider, fieldsOf: (mailbox: Provider) => T, done: string) {
  const { api } = useWorkspace()
  const edits = useEdits(fieldsOf(mailbox))
  const latest = useLatestMailbox(mailbox.id)
  const { run, phase, error, isBusy } = useOperation({
    send: async (patchOf: PatchOf, { idempotencyKey }) => {
      const now = await latest()
      if (edits.isOutdated(fieldsOf(now))) throw new OvertureError('Changed meanwhile.', { code: 'precondition_failed' })
      return api.providers.update(mailbox.id, patchOf(now), { idempotencyKey })
    },
    touches: [['providers'], ['campaign']],
    done,
    repeats: true,
  })
  const save = async (patchOf: PatchOf): Promise<Provider | undefined> => {
    const answer = await run(patchOf)
    if (answer) edits.settle(edits.changed, fieldsOf(answer))
    return answer
  }
  const isOutdated = error instanceof OvertureError && error.code === 'precondition_failed'
  return { edits, save, phase, isBusy, error: isOutdated ? null : error }
}

interface FormCardProps<T> {
  title: string
  description?: string
  change: { edits: Edits<T>; phase: OperationPhase; isBusy: boolean; error: Error | null }
  labels: Record<keyof T, string>
  isChanged: boolean
  isReadOnly: boolean
  onSave: () => void
  children: ReactNode
}

function FormCard<T>({ title, description, change, labels, isChanged, isReadOnly, onSave, children }: FormCardProps<T>) {
  return (
    <Card title={title} {...(description ? { description } : {})}>
      <Form onSubmit={onSave}>
        <fieldset disabled={isReadOnly} className="flex flex-col gap-4">
          <legend className="sr-only">{title}</legend>
          <LeaveGuard loses={isChanged && !change.isBusy} />
          <ErrorNote error={change.error} />
          <FieldConflicts edits={change.edits} labels={labels} />
          {children}
          {isReadOnly ? null : (
            <div>
              <Button type="submit" phase={change.phase} disabled={!isChanged || change.edits.conflicts.length > 0}>
                {`Save ${title.toLowerCase()}`}
              </Button>
            </div>
          )}
        </fieldset>
      </Form>
    </Card>
  )
}

const limitsOf = ({ dailyCap, minGapSeconds, ramp, timezone, maxPerDomainPerHour }: Provider) => ({
  dailyCap,
  minGapSeconds,
  ramp,
  timezone,
  maxPerDomainPerHour,
})

const LIMIT_LABELS: Record<keyof ReturnType<typeof limitsOf>, string> = {
  dailyCap: 'Daily limit',
  minGapSeconds: 'Delay between emails',
  ramp: 'Ramp up',
  timezone: 'Time zone',
  maxPerDomainPerHour: 'Emails per domain and hour',
}

export function MailboxLimits({ mailbox, isReadOnly, today }: FormProps & { today: number | null }) {
  const change = useChange(mailbox, limitsOf, 'Limits saved')
  const { value, changed, set, isDirty } = change.edits
  const { timezone, maxPerDomainPerHour, ...limits } = value
  return (
    <FormCard
      title="Limits"
      description="These limits apply across all campaigns."
      change={change}
      labels={LIMIT_LABELS}
      isChanged={isDirty}
      isReadOnly={isReadOnly}
      onSave={() => void change.save(() => changed)}
    >
      <LimitsForm limits={limits} onChange={set} today={today} />
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="Time zone" help="The daily limit resets at midnight in this time zone.">
          <Combobox
            label="Time zone"
            options={ZONES.some(zone => zone.value === timezone) ? ZONES : [{ value: timezone, label: timezone }, ...ZONES]}
            value={timezone}
            onChange={zone => zone && set({ timezone: zone })}
          />
        </Field>
        <NumberField
          label="Emails per domain and hour"
          help="Leave empty for no limit."
          value={maxPerDomainPerHour}
          onChange={count => set({ maxPerDomainPerHour: count === 0 ? null : count })}
        />
      </div>
    </FormCard>
  )
}

const senderOf = ({ name, fromName, replyTo, postalAddress, signature }: Provider) => ({
  name,
  fromName: fromName ?? '',
  replyTo: replyTo ?? '',
  postalAddress: postalAddress ?? '',
  signature: signature?.text ?? '',
})

const SENDER_LABELS: Record<keyof ReturnType<typeof senderOf>, string> = {
  name: 'Mailbox name',
  fromName: 'Sender name',
  replyTo: 'Reply-to address',
  postalAddress: 'Postal address',
  signature: 'Signature',
}

export function MailboxSender({ mailbox, isReadOnly }: FormProps) {
  const change = useChange(mailbox, senderOf, 'Sender saved')
  const { value: sender, changed, set, isDirty } = change.edits
  const fieldOf = (name: keyof typeof sender) => ({
    value: sender[name],
    onChange: (event: { target: { value: string } }) => set({ [name]: event.target.value }),
  })
  const save = () => {
    const { name, signature, ...others } = changed
    void change.save(now => ({
      ...(name === undefined ? {} : { name }),
      ...Object.fromEntries(Object.entries(others).map(([field, typed]) => [field, typed || null])),
      ...(signature === undefined
        ? {}
        : { signature: signature || now.signature?.html ? { ...now.signature, text: signature || null } : null }),
    }))
  }
  return (
    <FormCard title="Sender" change={change} labels={SENDER_LABELS} isChanged={isDirty} isReadOnly={isReadOnly} onSave={save}>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Mailbox name" help="Only your team sees this name." error={issueFor(change.error, 'name')}>
          <Input {...fieldOf('name')} />
        </Field>
        <Field label="Sender name" help="Recipients see this name." error={issueFor(change.error, 'fromName')}>
          <Input {...fieldOf('fromName')} />
        </Field>
      </div>
      <Field
        label="Reply-to address"
        help={`Only replies to ${mailbox.fromEmail} stop a sequence.`}
        error={issueFor(change.error, 'replyTo')}
        optional
      >
        <Input {...fieldOf('replyTo')} type="email" placeholder={mailbox.fromEmail} />
      </Field>
      <Field
        label="Postal address"
        help="Many countries require a postal address in commercial email."
        error={issueFor(change.error, 'postalAddress')}
      >
        <Input {...fieldOf('postalAddress')} />
      </Field>
      <Field
        label="Signature"
        help={mailbox.signature?.html ? 'Plain text version. The HTML signature does not change.' : 'Added below every email.'}
        optional
      >
        <Textarea {...fieldOf('signature')} rows={4} />
      </Field>
    </FormCard>
  )
}

const serversOf = ({ settings: { smtp, imap } }: Provider): Servers => ({ smtp: smtp ?? NO_SERVERS.smtp, imap: imap ?? null })

const SERVER_LABELS: Record<keyof Servers, string> = { smtp: 'SMTP server', imap: 'IMAP server' }

export function MailboxServers({ mailbox, isReadOnly }: FormProps) {
  const change = useChange(mailbox, serversOf, 'Servers saved. Verify the mailbox now.')
  const { value: servers, changed, set, isDirty } = change.edits
  const [account, setAccount] = useState({ username: mailbox.fromEmail, password: '' })
  const save = async () => {
    const answer = await change.save(() => ({
      ...(isDirty ? { settings: changed } : {}),
      ...(account.password ? { credentials: account } : {}),
    }))
    if (!answer) return
    setAccount(({ username, password }) => ({ username, password: password === account.password ? '' : password }))
  }
  return (
    <FormCard
      title="Servers and password"
      description="Verify the mailbox after a change. Overture sends nothing before that."
      change={change}
      labels={SERVER_LABELS}
      isChanged={isDirty || account.password !== ''}
      isReadOnly={isReadOnly}
      onSave={() => void save()}
    >
      <ServersForm servers={servers} onChange={set} />
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="Username">
          <Input
            value={account.username}
            onChange={event => setAccount({ ...account, username: event.target.value })}
            autoComplete="username"
          />
        </Field>
        <Field label="New password" help={mailbox.hasCredentials ? 'Leave blank to keep the current password.' : 'No password stored yet.'}>
          <Input
            type="password"
            value={account.password}
            onChange={event => setAccount({ ...account, password: event.target.value })}
            autoComplete="new-password"
          />
        </Field>
      </div>
    </FormCard>
  )
}
