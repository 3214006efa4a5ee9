import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../context/context.ts'
import { resetClock } from '../../context/test-clock.ts'
import type { Db, Tx } from '../../db/sql.ts'
import type { Cost, CostRequest } from '../../http/access.ts'
import { asciiAddress } from '../../lib/email.ts'
import { checkLimit, existing, invalid, notFound, wrongState } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { many } from '../../lib/many.ts'
import { pick } from '../../lib/pick.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import { CONSENT_WITHDRAWN, type Grant } from '../../mail/transport/oauth.ts'
import { type Mailbox, MailboxMeter } from '../../scheduling/capacity.ts'
import { checkTimezone, dateOfDay, zoneOf } from '../../scheduling/zone.ts'
import { removeFromRotation } from '../campaigns/queries.ts'
import { hasRealMailbox } from '../workspaces/queries.ts'
import type { ProviderRow } from './queries.ts'
import * as queries from './queries.ts'
import type {
  Issuer,
  MailServer,
  NewConsent,
  NewProvider,
  ProviderCredentials,
  ProviderPatch,
  ProviderSettings,
  ServerKind,
} from './schema.ts'

export const getProvider = async (db: Db, workspaceId: string, id: string): Promise<ProviderRow> =>
  existing(await queries.findProvider(db, workspaceId, id), 'provider')

const DEFAULT_DAILY_CAP = 50
const DEFAULT_GAP_SECONDS = 60

type WorkspaceParams = { workspaceId: string }

export const newMailboxCost = async (_: Tx, { body }: CostRequest<WorkspaceParams, NewProvider>): Promise<Partial<Cost>> => ({
  isReal: body.kind !== 'sandbox',
})

type MailboxParams = WorkspaceParams & { providerId: string }

/** The cost of a change of a mailbox: the emails that campaigns send from it. Passed in, because mailboxes do not know campaigns' leads. */
export type ChangeCost = (tx: Tx, request: Pick<CostRequest<MailboxParams, unknown>, 'ctx' | 'params'>) => Promise<Partial<Cost>>

const isRealOf = (tx: Tx, { workspaceId, providerId }: MailboxParams): Promise<boolean> => hasRealMailbox(tx, workspaceId, [providerId])

/** The cost of a message that a mailbox sends to try itself or its domain. */
export async function trialCost(tx: Tx, { params }: CostRequest<MailboxParams, unknown>): Promise<Partial<Cost>> {
  const isReal = await isRealOf(tx, params)
  return { mails: isReal ? 1 : 0, isReal }
}

export const removalCost =
  (mailsOf: ChangeCost) =>
  async (tx: Tx, { ctx, params }: CostRequest<MailboxParams, unknown>): Promise<Partial<Cost>> => ({
    ...(await mailsOf(tx, { ctx, params })),
    isReal: await isRealOf(tx, params),
  })

export const updateCost =
  (mailsOf: ChangeCost) =>
  async (tx: Tx, request: CostRequest<MailboxParams, ProviderPatch>): Promise<Partial<Cost>> => {
    const current = await queries.findProvider(tx, request.params.workspaceId, request.params.providerId)
    return current && changesMailbox(current, request.body) ? removalCost(mailsOf)(tx, request) : {}
  }

/** The cost of a consent. A mailbox that signs in by consent is real, whichever address consents, and a present one gets other credentials. */
export const consentCost =
  (mailsOf: ChangeCost) =>
  async (
    tx: Tx,
    { ctx, params: { workspaceId }, body: { providerId } }: CostRequest<WorkspaceParams, NewConsent>,
  ): Promise<Partial<Cost>> => ({
    ...(providerId === undefined ? {} : await mailsOf(tx, { ctx, params: { workspaceId, providerId } })),
    isReal: true,
  })

export function checkProvider(input: NewProvider): void {
  checkTimezone('/timezone', input.timezone)
  if (input.kind === 'sandbox') {
    if (input.settings || input.credentials)
      throw invalid('body', '/settings', 'sandbox', 'a sandbox mailbox takes no server and no credentials')
    return
  }
  if (!input.settings?.smtp) throw invalid('body', '/settings/smtp', 'required', 'is required: the server that sends the mail')
  checkCredentials(input.credentials)
}

function checkCredentials(credentials: ProviderCredentials | undefined): void {
  if (!credentials) throw invalid('body', '/credentials', 'required', 'is required')
  if ((credentials.password === undefined) === (credentials.oauth === undefined)) {
    throw invalid('body', '/credentials', 'one_of', 'must contain either a password or oauth')
  }
}

/** Counts with the workspace locked, so that the limit holds until the mailbox is stored. */
export async function checkMailboxLimit(tx: Tx, workspaceId: string, limit: number): Promise<void> {
  checkLimit('mailboxes in this workspace', limit, await queries.countProvidersLocked(tx, workspaceId))
}

/** The state of a mailbox with new servers or credentials: unverified. */
const UNTRIED = {
  credentialsWithheld: [],
  inboxState: null,
  inboxReason: null,
  inboxSince: null,
  restingUntil: null,
  restingReason: null,
  copiesReason: null,
  copiesSince: null,
  consent: null,
} satisfies Partial<ProviderRow>

/** An empty signature counts as no signature. */
function signatureOf(given: NewProvider['signature']): ProviderRow['signature'] {
  const [text, html] = [given?.text?.trim() || null, given?.html?.trim() || null]
  return text === null && html === null ? null : { text, html }
}

/** A sandbox mailbox works at once; a real one must be verified first. */
export async function createProvider(tx: Tx, secrets: SecretBox, workspaceId: string, input: NewProvider, now: Date): Promise<ProviderRow> {
  const isSandbox = input.kind === 'sandbox'
  // Real recipients need real time. No game with the clock of one workspace keeps a mailbox of another out.
  if (!isSandbox) await resetClock(tx)
  const id = newId()
  return queries.insertProvider(tx, {
    id,
    workspaceId,
    kind: input.kind,
    name: input.name,
    fromName: input.fromName ?? null,
    fromEmail: asciiAddress(input.fromEmail),
    postalAddress: input.postalAddress ?? null,
    status: isSandbox ? 'connected' : 'unverified',
    statusReason: null,
    dailyCap: input.dailyCap ?? DEFAULT_DAILY_CAP,
    minGapSeconds: input.minGapSeconds ?? (isSandbox ? 0 : DEFAULT_GAP_SECONDS),
    ramp: input.ramp ?? null,
    timezone: input.timezone ?? 'UTC',
    maxPerDomainPerHour: input.maxPerDomainPerHour ?? null,
    settings: input.settings ?? {},
    credentials: input.credentials ? sealCredentials(secrets, id, input.credentials) : null,
    ...UNTRIED,
    replyTo: input.replyTo ? asciiAddress(input.replyTo) : null,
    signature: signatureOf(input.signature),
    loadDay: null,
    loadReserved: 0,
    nextSlotAt: null,
    connectedAt: isSandbox ? now : null,
    createdAt: now,
    updatedAt: now,
  })
}

type Consented = Grant & { issuer: Issuer; clientId: string; tokenUrl: string }

/**
 * The mailbox signs in by this consent from now on. A mailbox at Microsoft is named when signing in, even if another
 * account consents that may use it (a shared mailbox); at Google it is the account that signs in.
 */
export function grantConsent(tx: Tx, secrets: SecretBox, mailbox: ProviderRow, consented: Consented, now: Date): Promise<ProviderRow> {
  const { account, ...oauth } = consented
  const username = consented.issuer === 'microsoft' ? mailbox.fromEmail : account
  const credentials = sealCredentials(secrets, mailbox.id, { username, oauth })
  const consent = { issuer: consented.issuer, account }
  return queries.updateProvider(tx, { ...mailbox, ...UNTRIED, credentials, consent, updatedAt: now })
}

/** The stored form: a token from a consent is renewed by the application of the installation, with its current secret. */
interface StoredCredentials extends Omit<ProviderCredentials, 'oauth'> {
  oauth?: NonNullable<ProviderCredentials['oauth']> & { issuer?: Issuer }
}

const placeOf = (providerId: string): string => `providers/${providerId}/credentials`

export const sealCredentials = (secrets: SecretBox, providerId: string, credentials: StoredCredentials): Buffer =>
  secrets.seal('provider', JSON.stringify(credentials), placeOf(providerId))

export function openCredentials(secrets: SecretBox, provider: Pick<ProviderRow, 'id' | 'credentials'>): StoredCredentials | null {
  if (!provider.credentials) return null
  return JSON.parse(secrets.open('provider', provider.credentials, placeOf(provider.id))) as StoredCredentials
}

function applyPatch(current: ProviderRow, { credentials: _, settings, signature, ...plain }: ProviderPatch): ProviderRow {
  const next = { ...current, ...plain, settings: { ...current.settings, ...settings } }
  next.fromEmail = asciiAddress(next.fromEmail)
  if (next.replyTo) next.replyTo = asciiAddress(next.replyTo)
  if (signature !== undefined) next.signature = signatureOf(signature)
  return next
}

/** Servers and credentials that were sent count as a change even if they are the same, because the mailbox must be verified again. */
const changesMailbox = (current: ProviderRow, patch: ProviderPatch): boolean =>
  patch.credentials !== undefined || patch.settings !== undefined || !isDeepStrictEqual(applyPatch(current, patch), current)

/** A mailbox with new servers or credentials must be verified again. */
export async function changeProvider(tx: Tx, secrets: SecretBox, workspaceId: string, id: string, patch: ProviderPatch, now: Date) {
  const current = existing(await queries.lockProvider(tx, workspaceId, id), 'provider')
  const { credentials, settings } = patch
  if (current.kind === 'sandbox' && (credentials || settings)) {
    throw invalid('body', '/settings', 'sandbox', 'a sandbox mailbox takes no server and no credentials')
  }
  checkTimezone('/timezone', patch.timezone)
  if (credentials) checkCredentials(credentials)
  const next = { ...applyPatch(current, patch), updatedAt: now }
  if (credentials || settings) Object.assign(next, { ...UNTRIED, status: 'unverified', statusReason: null })
  if (!credentials) next.consent = current.consent
  if (credentials) next.credentials = sealCredentials(secrets, id, credentials)
  else if (settings) withholdCredentials(next, current)
  return queries.updateProvider(tx, next)
}

/** A password is for the server that it was given for. When no server is left that may see it, it is not kept either. */
function withholdCredentials(next: ProviderRow, current: ProviderRow): void {
  next.credentialsWithheld = serversToWithhold(current, next.settings)
  const isAnyLeft = (['smtp', 'imap'] as const).some(kind => next.settings[kind] != null && !next.credentialsWithheld.includes(kind))
  if (!isAnyLeft) Object.assign(next, { credentials: null, credentialsWithheld: [], consent: null })
}

/** Handles the leads of a removed mailbox. Passed in, because mailboxes do not know leads. */
export type FreeLeads = (tx: Tx, workspaceId: string, mailboxId: string) => Promise<unknown>

export async function removeProvider(tx: Tx, workspaceId: string, id: string, freeLeads: FreeLeads, now: Date): Promise<void> {
  if (!(await queries.lockProvider(tx, workspaceId, id))) throw notFound('provider')
  const running = await queries.countRunningCampaigns(tx, id)
  if (running > 0)
    throw wrongState(
      `${many(running, 'running campaign')} ${running === 1 ? 'sends' : 'send'} from this mailbox. Pause ${running === 1 ? 'it' : 'them'} first.`,
      'in_use',
      'unused',
    )
  await freeLeads(tx, workspaceId, id)
  await removeFromRotation(tx, workspaceId, id, now)
  await queries.deleteProvider(tx, workspaceId, id)
}

/** The row as the planner uses it. */
export const toMailbox = (row: ProviderRow): Mailbox => ({
  ...pick(row, 'id', 'timezone', 'dailyCap', 'minGapSeconds', 'maxPerDomainPerHour'),
  rampUp: row.ramp,
  connectedAt: row.connectedAt ?? row.createdAt,
})

/** The messages sent today in its time zone, and the limit of the day. */
export function measureToday(row: ProviderRow, now: Date): { sentToday: number; limitToday: number } {
  const meter = new MailboxMeter(toMailbox(row), { day: row.loadDay, reserved: row.loadReserved, nextSlotAt: row.nextSlotAt })
  return { sentToday: meter.reservedAt(now.getTime()), limitToday: meter.limitAt(now.getTime()) }
}

/** The request that solves a withdrawn consent. For other problems there is none. */
function consentAgain({ id, workspaceId, status, statusReason, consent }: ProviderRow) {
  if (!consent || status === 'connected' || !statusReason?.includes(CONSENT_WITHDRAWN)) return null
  const path = `/v1/workspaces/${workspaceId}/oauth/authorizations`
  return { method: 'POST' as const, path, body: { issuer: consent.issuer, providerId: id } }
}

export function presentProvider(row: ProviderRow, ctx: Pick<Context, 'link' | 'clock'>) {
  const rest = row.restingUntil && row.restingUntil > ctx.clock.now() ? row.restingUntil : null
  return {
    ...pick(row, 'id', 'workspaceId', 'kind', 'name', 'fromName', 'fromEmail', 'postalAddress', 'replyTo', 'status', 'statusReason'),
    ...pick(row, 'dailyCap', 'minGapSeconds', 'ramp', 'timezone', 'maxPerDomainPerHour', 'settings'),
    signature: row.signature && { text: row.signature.text, html: row.signature.html },
    resting: rest && { until: rest.toISOString(), reason: row.restingReason },
    inbox: row.inboxState && { status: row.inboxState, reason: row.inboxReason, since: row.inboxSince?.toISOString() ?? null },
    copiesFailing: row.copiesReason === null ? null : { reason: row.copiesReason, since: row.copiesSince?.toISOString() ?? null },
    load: { ...measureToday(row, ctx.clock.now()), nextSlotAt: row.nextSlotAt?.toISOString() ?? null },
    consent: row.consent && { issuer: row.consent.issuer, account: row.consent.account },
    fix: consentAgain(row),
    hasCredentials: row.credentials !== null && row.credentialsWithheld.length === 0,
    connectedAt: row.connectedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    links: { self: ctx.link(`/v1/workspaces/${row.workspaceId}/providers/${row.id}`) },
  }
}

// The servers that must not get the stored credentials. A user who may change the servers of a mailbox could
// otherwise have its password sent to a machine of their own.

/** The target of a connection, and how well it is protected. */
const addressOf = ({ host, port, secure, allowPlaintext = false, tls = {} }: MailServer): string =>
  JSON.stringify([host.toLowerCase(), port, secure, allowPlaintext, tls.ca ?? null, tls.fingerprint256 ?? null])

export function serversToWithhold(current: Pick<ProviderRow, 'settings' | 'credentialsWithheld'>, next: ProviderSettings): ServerKind[] {
  const isKnown = (kind: ServerKind, after: MailServer): boolean => {
    const before = current.settings[kind]
    return before != null && addressOf(before) === addressOf(after) && !current.credentialsWithheld.includes(kind)
  }
  return (['smtp', 'imap'] as const).filter(kind => next[kind] != null && !isKnown(kind, next[kind]))
}

/**
 * Messages that were counted when they were claimed have not left: the day has room for others again. The count of another day is not
 * touched: what was claimed before midnight was counted on the day that is over.
 */
export async function giveBackLoads(tx: Tx, unused: { mailboxId: string; claimedAt: Date }[]): Promise<void> {
  if (unused.length === 0) return
  const claimed = Map.groupBy(unused, ({ mailboxId }) => mailboxId)
  const loads = await queries.lockLoads(tx, [...claimed.keys()])
  const reductions = loads.map(({ id, loadDay, timezone }) => {
    // Checked against our own zones: PostgreSQL may not know the name, and its error would stop all messages.
    const zone = zoneOf(timezone)
    const count = claimed.get(id)!.filter(({ claimedAt }) => dateOfDay(zone.dayAt(claimedAt.getTime())) === loadDay).length
    return { id, count }
  })
  await queries.reduceLoads(
    tx,
    reductions.filter(({ count }) => count > 0),
  )
}
