import type { Provider, ProviderPatch } from '@overture/sdk'
import { issueFor } from '@/api/errors.ts'
import { useWorkspace } from '@/data/session.ts'
import { type ConflictField, changedMeanwhile, DraftCard, fieldsOf, useDraft, useDraftSave } from '@/ui/draft.tsx'
import { Field, Input, Textarea } from '@/ui/field.tsx'
import { ZonePicker } from '@/ui/zone-picker.tsx'
import { useLatestMailbox } from './data.ts'
import { LimitsForm, NumberField } from './limits-form.tsx'
import { NO_SERVERS, type Servers, ServersForm, serverWords } from './servers-form.tsx'

interface FormProps {
  mailbox: Provider
  isReadOnly: boolean
}

/**
 * Edits some fields of a mailbox, and sends no others. `bodyOf` builds the request from the mailbox as it is saved now, so that
 * it does not revert changes of another person.
 */
function useChange<T extends object>(
  mailbox: Provider,
  partOf: (mailbox: Provider) => T,
  done: string,
  bodyOf: (changed: Partial<T>, now: Provider, value: T) => ProviderPatch,
) {
  const { api } = useWorkspace()
  const draft = useDraft(partOf(mailbox), mailbox.updatedAt, { merges: true })
  const latest = useLatestMailbox(mailbox.id)
  const save = useDraftSave(draft, {
    reads: ['providers'],
    send: async (value, { idempotencyKey }) => {
      const now = await latest()
      if (draft.isAgainst(partOf(now))) throw changedMeanwhile()
      return api.providers.update(mailbox.id, bodyOf(draft.changed, now, value), { idempotencyKey })
    },
    touches: [['providers'], ['campaign']],
    done,
    repeats: true,
  })
  return { draft, save }
}

const limitsOf = ({ dailyCap, minGapSeconds, ramp, timezone, maxPerDomainPerHour }: Provider) => ({
  dailyCap,
  minGapSeconds,
  ramp,
  timezone,
  maxPerDomainPerHour,
})

const LIMITS: ConflictField<ReturnType<typeof limitsOf>>[] = [
  ...fieldsOf({ dailyCap: 'Daily limit', minGapSeconds: 'Delay between emails' }),
  {
    key: 'ramp',
    label: 'Ramp up',
    format: ({ ramp }) => (ramp ? `${ramp.startPerDay} on the first day, ${ramp.increasePerDay} more each day` : 'off'),
  },
  ...fieldsOf({ timezone: 'Time zone', maxPerDomainPerHour: 'Emails per domain per hour' }),
]

export function MailboxLimits({ mailbox, isReadOnly, today }: FormProps & { today: number | null }) {
  const { draft, save } = useChange(mailbox, limitsOf, 'Limits saved', changed => changed)
  const { timezone, maxPerDomainPerHour, ...limits } = draft.value
  return (
    <DraftCard
      title="Limits"
      description="These limits apply across all campaigns."
      draft={draft}
      fields={LIMITS}
      save={save}
      mayWrite={!isReadOnly}
      verb="Save limits"
      className="flex flex-col gap-4 p-4"
    >
      <LimitsForm limits={limits} onChange={draft.set} today={today} />
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="Time zone" help="The daily limit resets at midnight in this time zone.">
          <ZonePicker value={timezone} onChange={zone => draft.set({ timezone: zone })} />
        </Field>
        <NumberField
          label="Emails per domain per hour"
          help="Leave empty for no limit."
          value={maxPerDomainPerHour}
          onChange={count => draft.set({ maxPerDomainPerHour: count === 0 ? null : count })}
        />
      </div>
    </DraftCard>
  )
}

const senderOf = ({ name, fromName, replyTo, postalAddress, signature }: Provider) => ({
  name,
  fromName: fromName ?? '',
  replyTo: replyTo ?? '',
  postalAddress: postalAddress ?? '',
  signature: signature?.text ?? '',
})

const SENDER = fieldsOf({
  ...{ name: 'Mailbox name', fromName: 'Sender name', replyTo: 'Reply-to address', postalAddress: 'Postal address' },
  signature: 'Signature',
})

/** An empty field is sent as null. The HTML of a signature stays as it is. */
function senderPatch({ name, signature, ...others }: Partial<ReturnType<typeof senderOf>>, now: Provider): ProviderPatch {
  const text = signature || null
  return {
    ...(name === undefined ? {} : { name }),
    ...Object.fromEntries(Object.entries(others).map(([field, typed]) => [field, typed || null])),
    ...(signature === undefined ? {} : { signature: text || now.signature?.html ? { ...now.signature, text } : null }),
  }
}

export function MailboxSender({ mailbox, isReadOnly }: FormProps) {
  const { draft, save } = useChange(mailbox, senderOf, 'Sender saved', senderPatch)
  const inputOf = (name: keyof typeof draft.value) => ({
    value: draft.value[name],
    onChange: (event: { target: { value: string } }) => draft.set({ [name]: event.target.value }),
  })
  const issueOf = (name: string) => issueFor(save.error, name)
  return (
    <DraftCard
      title="Sender"
      draft={draft}
      fields={SENDER}
      save={save}
      mayWrite={!isReadOnly}
      verb="Save sender"
      className="flex flex-col gap-4 p-4"
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Mailbox name" help="Only your team sees this name." error={issueOf('name')}>
          <Input {...inputOf('name')} />
        </Field>
        <Field label="Sender name" help="Recipients see this name." error={issueOf('fromName')}>
          <Input {...inputOf('fromName')} />
        </Field>
      </div>
      <Field label="Reply-to address" help={`Only replies to ${mailbox.fromEmail} stop a sequence.`} error={issueOf('replyTo')} optional>
        <Input {...inputOf('replyTo')} type="email" placeholder={mailbox.fromEmail} />
      </Field>
      <Field label="Postal address" help="Many countries require a postal address in commercial email." error={issueOf('postalAddress')}>
        <Input {...inputOf('postalAddress')} />
      </Field>
      <Field
        label="Signature"
        help={mailbox.signature?.html ? 'Plain text version. The HTML signature does not change.' : 'Added below every email.'}
        optional
      >
        <Textarea {...inputOf('signature')} rows={4} />
      </Field>
    </DraftCard>
  )
}

type Account = Servers & { username: string; password: string }

/** The password is never read back, so it is empty at first and after each save. */
const accountOf = ({ settings: { smtp, imap }, fromEmail }: Provider): Account => ({
  ...{ smtp: smtp ?? NO_SERVERS.smtp, imap: imap ?? null },
  ...{ username: fromEmail, password: '' },
})

/** The username is only sent with its password. */
function accountPatch({ username: _, password, ...settings }: Partial<Account>, _now: Provider, { username }: Account): ProviderPatch {
  return { ...(Object.keys(settings).length > 0 ? { settings } : {}), ...(password ? { credentials: { username, password } } : {}) }
}

const SERVERS: ConflictField<Servers>[] = [
  { key: 'smtp', label: 'SMTP server', format: ({ smtp }) => serverWords(smtp) },
  { key: 'imap', label: 'IMAP server', format: ({ imap }) => (imap ? serverWords(imap) : 'none') },
]

export function MailboxServers({ mailbox, isReadOnly }: FormProps) {
  const { draft, save } = useChange(mailbox, accountOf, 'Servers saved. Verify the mailbox now.', accountPatch)
  const { username, password, ...servers } = draft.value
  const lacksPassword = draft.changed.username !== undefined && password === ''
  return (
    <DraftCard
      title="Servers and password"
      description="Verify the mailbox after a change. Overture sends nothing before that."
      draft={draft}
      fields={SERVERS}
      save={save}
      mayWrite={!isReadOnly}
      isWrong={lacksPassword}
      verb="Save servers and password"
      className="flex flex-col gap-4 p-4"
    >
      <ServersForm servers={servers} onChange={draft.set} />
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="Username">
          <Input value={username} onValueChange={typed => draft.set({ username: typed })} autoComplete="username" />
        </Field>
        <Field
          label="New password"
          error={lacksPassword ? 'Enter the password of this username.' : null}
          help={mailbox.hasCredentials ? 'Leave blank to keep the current password.' : 'No password stored yet.'}
        >
          <Input type="password" value={password} onValueChange={typed => draft.set({ password: typed })} autoComplete="new-password" />
        </Field>
      </div>
    </DraftCard>
  )
}
