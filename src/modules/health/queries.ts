import { columnsOf } from '../../db/fragments.ts'
import { sql, type Tx } from '../../db/sql.ts'
import { valuesOf } from '../../lib/pick.ts'
import type { Check, Status } from './schema.ts'

export interface HealthRow {
  providerId: string
  workspaceId: string
  operationId: string
  domain: string
  status: Status
  checks: Check[]
  /** The status in the latest event. */
  announced: Status | null
  checkedAt: Date
}

const COLUMNS = columnsOf(`provider_id, workspace_id, operation_id, domain, status, checks, announced, checked_at`)

const FIND = `
  select ${COLUMNS}
  from domain_health
  where workspace_id = $1 and provider_id = $2`
export const findHealth = sql(FIND).first<HealthRow, [workspaceId: string, providerId: string]>()
export const lockHealth = sql(`${FIND} for update`).first<HealthRow, [workspaceId: string, providerId: string]>()

export const saveHealth = sql(`
  insert into domain_health (provider_id, workspace_id, operation_id, domain, status, checks, checked_at, announced)
  values ($1, $2, $3, $4, $5, $6, $7, $8)
  on conflict (provider_id) do update
  set operation_id = excluded.operation_id, domain = excluded.domain, status = excluded.status, checks = excluded.checks,
    checked_at = excluded.checked_at, announced = excluded.announced`).run((row: HealthRow) => {
  const stored = { ...row, checks: JSON.stringify(row.checks) }
  return valuesOf(stored, 'providerId', 'workspaceId', 'operationId', 'domain', 'status', 'checks', 'checkedAt', 'announced')
})

interface MailboxHealth {
  id: string
  name: string
  kind: 'smtp' | 'sandbox'
  /** Null before the first check. */
  status: Status | null
  domain: string | null
  checks: Check[] | null
}

export const listHealthOfMailboxes = sql(`
  select p.id, p.name, p.kind, h.status, h.domain, h.checks
  from providers p
  left join domain_health h on h.provider_id = p.id
  where p.workspace_id = $1 and p.id = any($2::uuid[])
  order by p.id`).many<MailboxHealth, [workspaceId: string, ids: string[]]>()

export interface Receiver {
  id: string
  fromEmail: string
}

// Preferably at another hosting provider, because a server says little about its own mail. An inbox that was never read starts with
// messages after its first read, so the message could be missed there.
/** Another mailbox of the workspace whose inbox is read. */
export const findReceiver = sql(`
  select r.id, r.from_email as "fromEmail"
  from providers r
  join providers p on p.id = $2
  where r.workspace_id = $1 and r.id <> $2 and r.kind = 'smtp' and r.status = 'connected'
    and jsonb_typeof(r.settings->'imap') = 'object' and r.inbox_cursor is not null and r.inbox_state is distinct from 'unreadable'
    and lower(r.from_email) <> lower(p.from_email)
  order by r.settings->'smtp'->>'host' is distinct from p.settings->'smtp'->>'host' desc,
    split_part(lower(r.from_email), '@', 2) <> split_part(lower(p.from_email), '@', 2) desc,
    r.inbox_state = 'readable' desc, r.created_at, r.id
  limit 1`).first<Receiver, [workspaceId: string, providerId: string]>()

const FORGET_OLD = sql(`
  delete from health_messages
  where provider_id = $1 and created_at < now() - interval '7 days'`)

const INSERT_MESSAGE = sql(`
  insert into health_messages (operation_id, workspace_id, provider_id, receiver_id, token_hash)
  values ($1, $2, $3, $4, $5)
  on conflict (operation_id) do nothing`)

/** One check of one mailbox. */
export type OfCheck = Pick<HealthRow, 'operationId' | 'workspaceId' | 'providerId'>

interface NewMessage extends OfCheck {
  receiverId: string
  tokenHash: Buffer
}

/** False when this check has already declared its message, which may have been sent. */
export async function insertHealthMessage(tx: Tx, message: NewMessage): Promise<boolean> {
  await tx.run(FORGET_OLD, [message.providerId])
  const { operationId, workspaceId, providerId, receiverId, tokenHash } = message
  return (await tx.run(INSERT_MESSAGE, [operationId, workspaceId, providerId, receiverId, tokenHash])) === 1
}

interface HealthMessage {
  receiver: string
  hasArrived: boolean
  isOverdue: boolean
}

export const findHealthMessage = sql(`
  select r.from_email as receiver, m.arrived_at is not null as "hasArrived", m.created_at < now() - interval '1 minute' as "isOverdue"
  from health_messages m
  join providers r on r.id = m.receiver_id
  where m.operation_id = $1`).first<HealthMessage, [operationId: string]>()

interface ArrivedMessage extends OfCheck {
  receiver: string
}

/** The message that carries this token, when it was sent to this very mailbox. */
export const takeHealthMessage = sql(`
  update health_messages m
  set arrived_at = coalesce(m.arrived_at, now())
  from providers r
  where m.token_hash = $1 and m.receiver_id = $2 and r.id = m.receiver_id
  returning m.operation_id as "operationId", m.workspace_id as "workspaceId", m.provider_id as "providerId", r.from_email as receiver`).first<
  ArrivedMessage,
  [tokenHash: Buffer, receiverId: string]
>()

export interface HostInUse {
  host: string
  status: 'verified' | 'failing'
  reason: string | null
}

/** The tracking host of the workspace, working or not. Without one, links lead to the installation itself. */
export const findHostInUse = sql(`
  select host, status, reason
  from tracking_hosts
  where workspace_id = $1 and status <> 'pending'`).first<HostInUse, [workspaceId: string]>()
