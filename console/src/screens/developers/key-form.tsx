import type { IssuedToken, NewApiKey, Token, TokenLimits } from '@overture/sdk'
import { useState } from 'react'
import { issueFor } from '@/api/errors.ts'
import { useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { optionsOf } from '@/ui/button.tsx'
import { cx } from '@/ui/cx.ts'
import { FormDialog } from '@/ui/dialog.tsx'
import { Checkbox, Field, Input, OptionalNumber, Switch } from '@/ui/field.tsx'
import { formatCount } from '@/ui/format.ts'
import { NumberLink } from '@/ui/quick-link.tsx'
import { Select } from '@/ui/select.tsx'

export type KeyKind = 'key' | 'token'
type Scope = NewApiKey['scopes'][number]

/** Every scope and what it allows, checked against the SDK. */
const SCOPES: Record<Exclude<Scope, '*'>, string> = {
  'campaigns:read': 'View campaigns and results',
  'campaigns:write': 'Edit, start and stop campaigns',
  'leads:read': 'View leads, replies and searches',
  'leads:write': 'Import and edit leads, answer replies',
  'leads:export': 'Buy leads with credits',
  'people:write': 'Edit people and delete their data',
  'deals:write': 'Report deals',
  'providers:read': 'View mailboxes',
  'providers:write': 'Connect and edit mailboxes',
  'suppressions:read': 'View suppressions',
  'suppressions:write': 'Edit suppressions',
  'events:read': 'Read the event log',
  'operations:read': 'Follow operations',
  'webhooks:read': 'View webhooks',
  'webhooks:write': 'Edit webhooks',
  'credits:read': 'View the credit balance',
  'credits:write': 'Add credits',
  'tokens:read': 'View tokens, keys and sessions',
  'tokens:write': 'Create and revoke tokens and keys',
  'workspaces:read': 'View the workspace and its rules',
  'workspaces:write': 'Edit the workspace and its rules',
  'team:read': 'View the team',
  'team:write': 'Invite and remove members, change roles',
  'audit:read': 'Read the audit log',
}
const SCOPE_NAMES = Object.keys(SCOPES) as (keyof typeof SCOPES)[]

const DAY_MS = 86_400_000
const LIFETIMES = { 30: '30 days', 90: '90 days', 365: '1 year' }
/** If `days` is empty, the key does not expire. */
type Asked = Pick<NewApiKey, 'name' | 'scopes' | 'limits'> & { days: string }

const bodyOf = ({ days, ...asked }: Asked, from: number): NewApiKey => ({
  ...asked,
  expiresAt: days === '' ? null : new Date(from + Number(days) * DAY_MS).toISOString(),
})

type KeyFormProps = { kind: KeyKind; onClose: () => void; onIssued: (made: IssuedToken) => void }

export function KeyForm({ kind, onClose, onIssued }: KeyFormProps) {
  const { api, ...access } = useWorkspace()
  const isKey = kind === 'key'
  const may = isKey ? access.may : access.mayOwn
  const [name, setName] = useState('')
  const [days, setDays] = useState('90')
  const [openedAt] = useState(() => Date.now())
  const [isAll, setAll] = useState(false)
  const [chosen, setChosen] = useState<ReadonlySet<Scope>>(new Set())
  const [limits, setLimits] = useState<TokenLimits>({})
  const make = useOperation({
    // After a lost response, the same expiry is sent again. With another one, it would be a second key.
    send: (asked: Asked, { idempotencyKey, firstAt }) =>
      (isKey ? api.apiKeys : api.tokens).create(bodyOf(asked, firstAt), { idempotencyKey }),
    once: `new ${kind}`,
    touches: [['api-keys'], ['tokens']],
    onDone: onIssued,
  })
  const asked: Asked = {
    name: name.trim(),
    scopes: isAll ? ['*'] : SCOPE_NAMES.filter(scope => chosen.has(scope)),
    ...(Object.keys(limits).length > 0 ? { limits } : {}),
    days,
  }
  const toggle = (scope: Scope) => (isOn: boolean) =>
    setChosen(before => new Set(isOn ? [...before, scope] : [...before].filter(other => other !== scope)))
  const nameIssue = issueFor(make.error, 'name')
  const shown = { ...bodyOf(asked, openedAt), name: name.trim() || 'My program' }
  return (
    <FormDialog
      onClose={onClose}
      title={isKey ? 'New workspace key' : 'New personal token'}
      description={`The ${isKey ? 'key' : 'token'} cannot do more than you can.`}
      verb={isKey ? 'Create key' : 'Create token'}
      operation={make}
      isComplete={name.trim() !== '' && (isAll || chosen.size > 0)}
      onSubmit={() => void make.run(asked)}
      issue={nameIssue}
      call={overture => (isKey ? overture.apiKeys : overture.tokens).create(shown)}
      className="flex flex-col gap-5"
    >
      <Field label="Name" error={nameIssue} help="Reminds you of its purpose.">
        <Input value={name} onChange={event => setName(event.target.value)} placeholder="Nightly import" autoFocus />
      </Field>
      <div className="flex flex-col gap-1.5">
        <span className="font-medium text-sm">Expires after</span>
        <Select
          label="Expires after"
          options={optionsOf(isKey ? { ...LIFETIMES, '': 'Never' } : LIFETIMES)}
          value={days}
          onChange={setDays}
        />
      </div>
      {may('*') ? <Switch label="Full access" help="Includes scopes added later." checked={isAll} onChange={setAll} /> : null}
      {isAll ? null : (
        <fieldset>
          <legend className="mb-2 font-medium text-sm">Scopes</legend>
          <div className="grid gap-2 sm:grid-cols-2">
            {SCOPE_NAMES.filter(may).map(scope => (
              <Checkbox
                key={scope}
                label={SCOPES[scope]}
                help={<code className="font-mono">{scope}</code>}
                checked={chosen.has(scope)}
                onChange={toggle(scope)}
              />
            ))}
          </div>
        </fieldset>
      )}
      <LimitFields limits={limits} onChange={setLimits} />
    </FormDialog>
  )
}

/** The daily budgets of a key, each with its first value. */
const BUDGETS = [
  { limit: 'leadsPerDay', spent: 'leads', start: 200, label: 'Limit leads', help: 'Imported into campaigns or bought.' },
  { limit: 'creditsPerDay', spent: 'credits', start: 50, label: 'Limit credits', help: 'Spent on leads.' },
  { limit: 'mailsPerDay', spent: 'mails', start: 100, label: 'Limit emails', help: 'Sent as a result of its requests.' },
] as const

function LimitFields({ limits, onChange }: { limits: TokenLimits; onChange: (limits: TokenLimits) => void }) {
  const set = (name: keyof TokenLimits, value: number | true | null) => {
    const { [name]: _, ...rest } = limits
    onChange(value === null ? rest : { ...rest, [name]: value })
  }
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-2 font-medium text-sm">Budget</legend>
      {BUDGETS.map(({ limit, spent: _, ...shown }) => (
        <OptionalNumber
          {...shown}
          key={limit}
          unit="per day"
          least={0}
          most={1_000_000_000}
          value={limits[limit] ?? null}
          onChange={value => set(limit, value)}
        />
      ))}
      <Switch
        label="Sandbox only"
        help="Never sends from a real mailbox."
        checked={limits.sandboxOnly === true}
        onChange={isOn => set('sandboxOnly', isOn ? true : null)}
      />
      <p className="text-faint text-xs">You cannot change the budget later. Requests beyond it are refused or wait for approval.</p>
    </fieldset>
  )
}

/** How much of its budget a key has used today. */
export function Budget({ token: { id, limits, spentToday } }: { token: Token }) {
  if (limits === null) return <span className="text-faint">no limit</span>
  return (
    <ul className="flex flex-col text-xs" title="Today in UTC">
      {BUDGETS.map(({ limit, spent }) => {
        const most = limits[limit]
        if (most === undefined) return null
        const used = spentToday?.[spent] ?? 0
        return (
          <li key={limit} className={cx('whitespace-nowrap tabular-nums', used >= most ? 'text-warn' : 'text-soft')}>
            <NumberLink link={{ to: '/developers/audit', search: { actorId: id } as never }} title="View actions by this key">
              {formatCount(used)} of {formatCount(most)} {spent === 'mails' ? 'emails' : spent}
            </NumberLink>
          </li>
        )
      })}
      {limits.sandboxOnly ? <li className="text-soft">sandbox only</li> : null}
    </ul>
  )
}
