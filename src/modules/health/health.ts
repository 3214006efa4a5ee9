import type { Context, HasLink } from '../../context/context.ts'
import type { Db, Tx } from '../../db/sql.ts'
import { domainOf } from '../../lib/email.ts'
import { wrongState } from '../../lib/errors.ts'
import { storableData } from '../../lib/storable-text.ts'
import { hashToken } from '../../lib/tokens.ts'
import { recordEvent } from '../events/events.ts'
import { getProvider } from '../mailboxes/mailboxes.ts'
import type { ProviderRow } from '../mailboxes/queries.ts'
import { findWorkspace } from '../workspaces/queries.ts'
import { countRecentRequests, tooOften } from '../workspaces/workspaces.ts'
import { type Arrival, judgeArrival } from './dkim.ts'
import { WHY, worstOf } from './findings.ts'
import { findHealth, type HealthRow, listHealthOfMailboxes, lockHealth, type OfCheck, saveHealth, takeHealthMessage } from './queries.ts'
import type { Check, Finding } from './schema.ts'

/** Each check may write a message to another mailbox of the workspace. */
const MOST_CHECKS_PER_HOUR = 60

export async function requireRoomForCheck(tx: Tx, workspaceId: string): Promise<void> {
  const { hour } = await countRecentRequests(tx, workspaceId, 'provider.check_health')
  if (hour > MOST_CHECKS_PER_HOUR) throw tooOften(`A workspace can check its domains ${MOST_CHECKS_PER_HOUR} times per hour.`)
}

/** The mailbox, when it has a domain that can be checked. */
export async function getCheckedMailbox(db: Db, workspaceId: string, providerId: string): Promise<ProviderRow> {
  const mailbox = await getProvider(db, workspaceId, providerId)
  if (mailbox.kind !== 'sandbox') return mailbox
  throw wrongState('A sandbox mailbox sends no real mail, so its domain does not matter.', 'sandbox', 'smtp')
}

type Found = Omit<HealthRow, 'status' | 'announced'>

/** Stores the result. An event is recorded when a domain begins to fail and when it stops failing, but not while a result is pending. */
export async function recordHealth(tx: Tx, mailbox: ProviderRow, found: Found, isWaiting: boolean): Promise<HealthRow> {
  const before = await lockHealth(tx, found.workspaceId, found.providerId)
  const known = before?.announced ?? null
  const status = worstOf(found.checks)
  const row: HealthRow = { ...found, checks: storableData(found.checks), status, announced: isWaiting ? known : status }
  await saveHealth(tx, row)
  if (!isWaiting && (known === 'fail') !== (status === 'fail')) {
    const { id: providerId, name, fromEmail } = mailbox
    const failing = row.checks.filter(check => check.status === 'fail').map(({ check }) => check)
    const data = { providerId, name, fromEmail, from: known, to: status, failing }
    recordEvent(tx, { workspaceId: row.workspaceId, type: 'provider.health_changed', timestamp: row.checkedAt, data })
  }
  return row
}

/** The result of the test message. It belongs to one check: the result of a later check stays. */
export async function recordSignature(tx: Tx, { workspaceId, providerId, operationId }: OfCheck, judge: (domain: string) => Finding) {
  const row = await lockHealth(tx, workspaceId, providerId)
  if (row?.operationId !== operationId) return null
  const finding = judge(row.domain)
  const checks = row.checks.map(each => (each.check === 'dkim' ? { check: each.check, ...finding } : each))
  return recordHealth(tx, await getProvider(tx, workspaceId, providerId), { ...row, checks }, false)
}

/** The name of the header that a test message is recognized by. */
export const HEALTH_HEADER = 'X-Overture-Health'
export const hashMessageToken = (token: string): Buffer => hashToken(`health:${token}`)

/**
 * Handles the test message of a check, if this is one: it contains a secret that only we and the two mailboxes know. It never counts as a
 * reply.
 */
export async function receiveHealthMessage(
  tx: Tx,
  { mailboxId, isJunk, headers }: { mailboxId: string; isJunk: boolean; headers: ReadonlyMap<string, string> },
): Promise<boolean> {
  const token = headers.get(HEALTH_HEADER.toLowerCase())?.trim()
  if (!token) return false
  const message = await takeHealthMessage(tx, hashMessageToken(token), mailboxId)
  if (!message) return false
  const arrival: Arrival = { authenticationResults: headers.get('authentication-results') ?? null, isJunk, receiver: message.receiver }
  await recordSignature(tx, message, domain => judgeArrival(domain, arrival))
  tx.wake('operations')
  return true
}

interface HealthProblem {
  message: string
  /** Whether the workspace lets no campaign start with it. */
  isGate: boolean
}

/** Reasons not to send from these mailboxes, one sentence each. Where health is required, one that was never checked does, too. */
export async function findHealthProblems(db: Db, workspaceId: string, mailboxIds: string[]): Promise<HealthProblem[]> {
  const isGate = (await findWorkspace(db, workspaceId))?.domainHealth === 'require'
  const problems: HealthProblem[] = []
  for (const { name, kind, status, domain, checks } of await listHealthOfMailboxes(db, workspaceId, mailboxIds)) {
    if (kind === 'sandbox') continue
    const failing = (checks ?? []).filter(check => check.status === 'fail')
    if (failing.length > 0) {
      const words = failing.map(({ check, found }) => `${LABELS[check]}: ${found}`).join(' ')
      problems.push({ message: `The domain ${domain} of the mailbox ${name} failed its check. ${words}`, isGate })
    } else if (status === null && isGate) {
      problems.push({ message: `The domain of the mailbox ${name} has not been checked. Check its health first.`, isGate })
    }
  }
  return problems
}

const LABELS: Readonly<Record<Check['check'], string>> = {
  spf: 'SPF',
  dkim: 'DKIM',
  dmarc: 'DMARC',
  mx: 'MX',
  reverse_name: 'Reverse name',
  tracking_host: 'Tracking domain',
}

export async function getHealth(ctx: Pick<Context, 'db' | 'link'>, workspaceId: string, providerId: string) {
  const mailbox = await getProvider(ctx.db, workspaceId, providerId)
  return presentHealth(mailbox, await findHealth(ctx.db, workspaceId, providerId), ctx)
}

export const presentHealth = (mailbox: ProviderRow, row: HealthRow | undefined, ctx: HasLink) => ({
  providerId: mailbox.id,
  workspaceId: mailbox.workspaceId,
  domain: row?.domain ?? domainOf(mailbox.fromEmail),
  status: row?.status ?? ('unknown' as const),
  checkedAt: row?.checkedAt.toISOString() ?? null,
  checks: (row?.checks ?? []).map(({ check, status, found, advice, record }) => ({
    check,
    why: WHY[check],
    status,
    found,
    advice,
    record: record && { type: record.type, name: record.name, value: record.value },
  })),
  links: { self: ctx.link(`/v1/workspaces/${mailbox.workspaceId}/providers/${mailbox.id}/health`) },
})
