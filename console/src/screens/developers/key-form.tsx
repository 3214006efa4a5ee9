import type { IssuedToken, NewApiKey, TokenLimits } from '@overture/sdk'
import { useState } from 'react'
import { issueFor } from '@/api/errors.ts'
import { useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { Field, Input } from '@/ui/field.tsx'
import { FormDialog } from '@/ui/form-dialog.tsx'
import { Select } from '@/ui/select.tsx'
import { Checkbox, Switch } from '@/ui/toggles.tsx'
import { asLimits, LimitFields } from './key-limits.tsx'

export type KeyKind = 'key' | 'token'
type Scope = NewApiKey['scopes'][number]

/** Every scope and what it allows, checked against the SDK. */
const SCOPES: Record<Exclude<Scope, '*'>, string> = {
  'campaigns:read': 'See campaigns and results',
  'campaigns:write': 'Change, start and stop campaigns',
  'leads:read': 'See leads, replies and searches',
  'leads:write': 'Import and change leads, answer',
  'leads:export': 'Buy leads with credits',
  'people:write': 'Change and erase people',
  'deals:write': 'Report deals',
  'providers:read': 'See mailboxes',
  'providers:write': 'Connect and change mailboxes',
  'suppressions:read': 'See who is never written to',
  'suppressions:write': 'Change who is never written to',
  'events:read': 'Read the event log',
  'operations:read': 'Follow operations',
  'webhooks:read': 'See webhooks',
  'webhooks:write': 'Change webhooks',
  'credits:read': 'See the balance',
  'credits:write': 'Grant credits',
  'tokens:read': 'See tokens, keys and sessions',
  'tokens:write': 'Make and revoke them',
  'workspaces:read': 'See the workspace and its rules',
  'workspaces:write': 'Change them',
  'team:read': 'See the team',
  'team:write': 'Invite, change roles, remove',
  'audit:read': 'Read who did what',
}
const SCOPE_NAMES = Object.keys(SCOPES) as (keyof typeof SCOPES)[]

const DAY_MS = 86_400_000
const LIVES = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
]
interface Asked extends Pick<NewApiKey, 'name' | 'scopes' | 'limits'> {
  /** How long it lives; empty: for ever. */
  days: string
}

const bodyOf = ({ days, ...asked }: Asked, from: number): NewApiKey => ({
  ...asked,
  expiresAt: days === '' ? null : new Date(from + Number(days) * DAY_MS).toISOString(),
})

export interface KeyFormProps {
  kind: KeyKind
  onClose: () => void
  onIssued: (made: IssuedToken) => void
}

export function KeyForm({ kind, onClose, onIssued }: KeyFormProps) {
  const { api, ...access } = useWorkspace()
  const may = kind === 'key' ? access.may : access.mayOwn
  const [name, setName] = useState('')
  const [days, setDays] = useState('90')
  const [openedAt] = useState(() => Date.now())
  const [isAll, setAll] = useState(false)
  const [chosen, setChosen] = useState<ReadonlySet<Scope>>(new Set())
  const [limits, setLimits] = useState<TokenLimits>({})
  const make = useOperation({
    // What is sent again after a lost answer ends when the first would have ended, or it would be a second key.
    send: (asked: Asked, { idempotencyKey, firstAt }) =>
      kind === 'key'
        ? api.apiKeys.create(bodyOf(asked, firstAt), { idempotencyKey })
        : api.tokens.create(bodyOf(asked, firstAt), { idempotencyKey }),
    once: `new ${kind}`,
    touches: [['api-keys'], ['tokens']],
    onDone: onIssued,
  })
  const budget = asLimits(limits)
  const asked: Asked = {
    name: name.trim(),
    scopes: isAll ? ['*'] : SCOPE_NAMES.filter(scope => chosen.has(scope)),
    ...(budget ? { limits: budget } : {}),
    days,
  }
  const toggle = (scope: Scope) => (isOn: boolean) =>
    setChosen(before => new Set(isOn ? [...before, scope] : [...before].filter(other => other !== scope)))
  const nameIssue = issueFor(make.error, 'name')
  const isKey = kind === 'key'
  const shown = { ...bodyOf(asked, openedAt), name: name.trim() || 'My program' }
  return (
    <FormDialog
      onClose={onClose}
      title={isKey ? 'New key of the workspace' : 'New token of yours'}
      description="It can do no more than you can."
      verb="Make it"
      operation={make}
      isComplete={name.trim() !== '' && (isAll || chosen.size > 0)}
      onSubmit={() => void make.run(asked)}
      issue={nameIssue}
      call={overture => (isKey ? overture.apiKeys : overture.tokens).create(shown)}
      className="flex flex-col gap-5"
    >
      <Field label="Name" error={nameIssue} help="So that you know later what it is for.">
        <Input value={name} onChange={event => setName(event.target.value)} placeholder="Nightly import" autoFocus />
      </Field>
      <div className="flex flex-col gap-1.5">
        <span className="font-medium text-sm">Works for</span>
        <Select
          label="Works for"
          options={isKey ? [...LIVES, { value: '', label: 'Until it is revoked' }] : LIVES}
          value={days}
          onChange={setDays}
        />
      </div>
      {may('*') ? <Switch label="Everything" help="Also what is added later." checked={isAll} onChange={setAll} /> : null}
      {isAll ? null : (
        <fieldset>
          <legend className="mb-2 font-medium text-sm">Scopes</legend>
          <div className="grid gap-2 sm:grid-cols-2">
            {SCOPE_NAMES.filter(may).map(scope => (
              <Checkbox
                key={scope}
                label={<code className="font-mono text-xs">{scope}</code>}
                help={SCOPES[scope]}
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
