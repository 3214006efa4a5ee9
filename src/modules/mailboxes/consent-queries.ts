import { columnsOf, oldest } from '../../db/fragments.ts'
import { sql, type Tx } from '../../db/sql.ts'
import { valuesOf } from '../../lib/pick.ts'
import type { Issuer } from './schema.ts'

export interface ConsentRow {
  id: string
  workspaceId: string
  providerId: string | null
  tokenId: string
  sessionId: string | null
  issuer: Issuer
  flow: 'browser' | 'device'
  browserHash: Buffer | null
  secret: Buffer
  status: 'open' | 'granted' | 'refused'
  reason: string | null
  account: string | null
  intervalSeconds: number
  createdAt: Date
  expiresAt: Date
}

const COLUMNS = columnsOf(
  `id, workspace_id, provider_id, token_id, session_id, issuer, flow, browser_hash, secret, status, reason, account, interval_seconds,
  created_at, expires_at`,
  'c',
)

/** By the clock of the database, as with sessions: a test clock must not end what a person is about to do. */
const IS_OPEN = `c.used_at is null and c.status = 'open' and c.expires_at > now()`
/** For callers that ask for the outcome. */
const KEPT = `interval '1 day'`

interface NewConsentRow extends Omit<ConsentRow, 'status' | 'reason' | 'account' | 'createdAt' | 'expiresAt'> {
  stateHash: Buffer | null
  lifetimeSeconds: number
}

const CLEAR = sql(`
  delete from consents
  where workspace_id = $1 and expires_at < now() - ${KEPT}`)
const INSERT = sql(`
  insert into consents as c (id, workspace_id, provider_id, token_id, session_id, issuer, flow, state_hash, browser_hash, secret,
    interval_seconds, next_poll_at, expires_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::integer,
    now() + $11::integer * interval '1 second', now() + $12::integer * interval '1 second')
  returning ${COLUMNS}`)

export async function insertConsent(tx: Tx, row: NewConsentRow): Promise<ConsentRow> {
  await tx.run(CLEAR, [row.workspaceId])
  const values = valuesOf(row, 'id', 'workspaceId', 'providerId', 'tokenId', 'sessionId', 'issuer', 'flow', 'stateHash', 'browserHash')
  return (await tx.first<ConsentRow>(INSERT, [...values, ...valuesOf(row, 'secret', 'intervalSeconds', 'lifetimeSeconds')]))!
}

export const findConsent = sql(`
  select ${COLUMNS}, c.expires_at <= now() as "isOver"
  from consents c
  where c.workspace_id = $1 and c.id = $2`).first<ConsentRow & { isOver: boolean }, [workspaceId: string, id: string]>()

interface AskedConsent extends ConsentRow {
  workspaceName: string
  /** The person of the token; null for a workspace key. */
  askedBy: string | null
}

// The workspace is not known when a browser comes back: the state stands for it.
export const findByState = sql(`
  select ${COLUMNS}, w.name as "workspaceName", u.email as "askedBy"
  from consents c
  join workspaces w on w.id = c.workspace_id
  join tokens t on t.id = c.token_id
  left join users u on u.id = t.user_id
  where c.state_hash = $1 and ${IS_OPEN}`).first<AskedConsent, [stateHash: Buffer]>()

/** Undefined: another request was faster, or the consent has expired. */
export const claimConsent = sql(`
  update consents c
  set used_at = now()
  where c.id = $1 and ${IS_OPEN}
  returning ${COLUMNS}`).first<ConsentRow, [id: string]>()

/** Whether the issuer may be polled now: an interval has passed, and no other request polls at the same time. */
export const takeTurn = sql(`
  update consents c
  set next_poll_at = now() + interval_seconds * interval '1 second'
  where c.id = $1 and c.next_poll_at <= now() and ${IS_OPEN}`).any<[id: string]>()

/** RFC 8628, 3.5. */
export const slowDown = sql(`
  update consents
  set interval_seconds = interval_seconds + 5, next_poll_at = now() + (interval_seconds + 5) * interval '1 second'
  where id = $1`).run<[id: string]>()

type Conclusion = Pick<ConsentRow, 'reason' | 'account' | 'providerId'> & { status: 'granted' | 'refused' }

/** False: it was concluded before. */
export const concludeConsent = sql(`
  update consents
  set status = $2, reason = $3, account = $4, provider_id = coalesce($5, provider_id), used_at = coalesce(used_at, now())
  where id = $1 and status = 'open'`).any((id: string, conclusion: Conclusion) => [
  id,
  ...valuesOf(conclusion, 'status', 'reason', 'account', 'providerId'),
])

export const forgetConsents = sql(`
  delete from consents
  where id in (${oldest('consents', 'expires_at')})`).run<[before: Date, limit: number]>()
