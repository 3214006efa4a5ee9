import type { Provider, ProviderPatch } from '@overture/sdk'
import { type ReactNode, useState } from 'react'
import { issueFor } from '@/api/errors.ts'
import { useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { Button } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { Combobox } from '@/ui/combobox.tsx'
import { Field, Input, Textarea } from '@/ui/field.tsx'
import { ErrorNote } from '@/ui/states.tsx'
import { LimitsForm, NumberField } from './limits-form.tsx'
import { NO_SERVERS, type Servers, ServersForm } from './servers-form.tsx'
import { useEdits } from './use-edits.ts'

const ZONES = Intl.supportedValuesOf('timeZone').map(value => ({ value, label: value.replaceAll('_', ' ') }))

interface FormProps {
  mailbox: Provider
  isReadOnly: boolean
}

function useChange(mailbox: Provider, done: string) {
  const { api } = useWorkspace()
  return useOperation({
    send: (patch: ProviderPatch, { idempotencyKey }) => api.providers.update(mailbox.id, patch, { idempotencyKey }),
    touches: [['providers'], ['campaign']],
    done,
  })
}

interface FormCardProps {
  title: string
  description?: string
  change: ReturnType<typeof useChange>
  isChanged: boolean
  isReadOnly: boolean
  onSave: () => void
  children: ReactNode
}

function FormCard({ title, description, change, isChanged, isReadOnly, onSave, children }: FormCardProps) {
  return (
    <Card title={title} {...(description ? { description } : {})}>
      <form
        onSubmit={event => {
          event.preventDefault()
          onSave()
        }}
      >
        <fieldset disabled={isReadOnly} className="flex flex-col gap-4">
          <legend className="sr-only">{title}</legend>
          <ErrorNote error={change.error} />
          {children}
          {isReadOnly ? null : (
            <div>
              <Button type="submit" phase={change.phase} disabled={!isChanged}>
                Save
              </Button>
            </div>
          )}
        </fieldset>
      </form>
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

export function MailboxLimits({ mailbox, isReadOnly, today }: FormProps & { today: number | null }) {
  const { value, changed, set, isDirty, settle } = useEdits(limitsOf(mailbox))
  const { timezone, maxPerDomainPerHour, ...limits } = value
  const change = useChange(mailbox, 'The limits are saved')
  const save = async () => {
    const answer = await change.run(changed)
    if (answer) settle(changed, limitsOf(answer))
  }
  return (
    <FormCard
      title="Limits"
      description="They hold for all campaigns that send from it."
      change={change}
      isChanged={isDirty}
      isReadOnly={isReadOnly}
      onSave={() => void save()}
    >
      <LimitsForm limits={limits} onChange={set} today={today} />
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="Its time zone" help="The day of the cap begins at midnight here.">
          <Combobox
            label="Its time zone"
            options={ZONES.some(zone => zone.value === timezone) ? ZONES : [{ value: timezone, label: timezone }, ...ZONES]}
            value={timezone}
            onChange={zone => zone && set({ timezone: zone })}
          />
        </Field>
        <NumberField
          label="To one domain in an hour"
          help="Empty: no limit."
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

export function MailboxSender({ mailbox, isReadOnly }: FormProps) {
  const { value: sender, changed, set, isDirty, settle } = useEdits(senderOf(mailbox))
  const change = useChange(mailbox, 'The sender is saved')
  const fieldOf = (name: keyof typeof sender) => ({
    value: sender[name],
    onChange: (event: { target: { value: string } }) => set({ [name]: event.target.value }),
  })
  const save = async () => {
    const { name, signature, ...others } = changed
    const answer = await change.run({
      ...(name === undefined ? {} : { name }),
      ...Object.fromEntries(Object.entries(others).map(([field, typed]) => [field, typed || null])),
      ...(signature === undefined
        ? {}
        : { signature: signature || mailbox.signature?.html ? { ...mailbox.signature, text: signature || null } : null }),
    })
    if (answer) settle(changed, senderOf(answer))
  }
  return (
    <FormCard title="Sender" change={change} isChanged={isDirty} isReadOnly={isReadOnly} onSave={() => void save()}>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Name of the mailbox" help="Only you see it." error={issueFor(change.error, 'name')}>
          <Input {...fieldOf('name')} />
        </Field>
        <Field label="Sender name" help="What recipients see." error={issueFor(change.error, 'fromName')}>
          <Input {...fieldOf('fromName')} />
        </Field>
      </div>
      <Field
        label="Answers go to"
        help={`Only what arrives at ${mailbox.fromEmail} stops a sequence.`}
        error={issueFor(change.error, 'replyTo')}
        optional
      >
        <Input {...fieldOf('replyTo')} type="email" placeholder={mailbox.fromEmail} />
      </Field>
      <Field label="Postal address" help="The law wants it in the footer." error={issueFor(change.error, 'postalAddress')}>
        <Input {...fieldOf('postalAddress')} />
      </Field>
      <Field
        label="Signature"
        help={mailbox.signature?.html ? 'As text. There is one in HTML, too, which stays.' : 'Stands below every message.'}
        optional
      >
        <Textarea {...fieldOf('signature')} rows={4} />
      </Field>
    </FormCard>
  )
}

const serversOf = ({ settings: { smtp, imap } }: Provider): Servers => ({ smtp: smtp ?? NO_SERVERS.smtp, imap: imap ?? null })

export function MailboxServers({ mailbox, isReadOnly }: FormProps) {
  const { value: servers, changed, set, isDirty, settle } = useEdits(serversOf(mailbox))
  const [account, setAccount] = useState({ username: mailbox.fromEmail, password: '' })
  const change = useChange(mailbox, 'Saved. Verify it now')
  const save = async () => {
    const answer = await change.run({
      ...(isDirty ? { settings: servers } : {}),
      ...(account.password ? { credentials: account } : {}),
    })
    if (!answer) return
    settle(changed, serversOf(answer))
    setAccount(({ username, password }) => ({ username, password: password === account.password ? '' : password }))
  }
  return (
    <FormCard
      title="Servers and password"
      description="New ones have to be verified before anything is sent."
      change={change}
      isChanged={isDirty || account.password !== ''}
      isReadOnly={isReadOnly}
      onSave={() => void save()}
    >
      <ServersForm servers={servers} onChange={set} />
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="User name">
          <Input
            value={account.username}
            onChange={event => setAccount({ ...account, username: event.target.value })}
            autoComplete="username"
          />
        </Field>
        <Field label="New password" help={mailbox.hasCredentials ? 'One is kept. Empty: it stays.' : 'None is kept.'}>
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
