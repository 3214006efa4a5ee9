import type { Context } from '../../context/context.ts'
import { Batcher } from '../../lib/batcher.ts'
import { newId } from '../../lib/ids.ts'
import type { ComposedMessage } from '../../mail/compose/compose.ts'
import { ClaimLoop } from '../../queue/claim-loop.ts'
import type { WorkerIdentity } from '../../queue/identity.ts'
import { mailboxDay } from '../../scheduling/capacity.ts'
import { OpenHours } from '../../scheduling/window.ts'
import { needsAttention } from '../campaigns/attention.ts'
import { skipLead } from '../leads/progress.ts'
import { noteMailboxFailure, noteMailboxWorks } from '../mailboxes/connection.ts'
import { smtpSettingsOf } from '../mailboxes/mail-access.ts'
import type { SendingMailbox } from '../mailboxes/mailboxes.ts'
import { reactTo, type SandboxReaction } from '../sandbox/personas.ts'
import { insertReactions, insertSandboxMessages, type ReactionRow, type SandboxMessageRow } from '../sandbox/queries.ts'
import { type ClaimedSend, claimSends, StepCache } from './claim.ts'
import { MailboxConnections } from './connections.ts'
import { MailboxLane } from './lane.ts'
import { judgeOutcome, type Verdict } from './outcomes.ts'
import { scheduleOf, toPlannedMailbox } from './planning.ts'
import { type Result, recordResults } from './record.ts'
import { isFailure, type RenderedSend, renderSend } from './render.ts'
import { findObstacles, holdActiveCampaigns, markSending } from './send-queries.ts'
import { releaseClaims } from './sending.ts'

type Claimed = ClaimedSend & { workerId: number }
type Prepared = Claimed & RenderedSend
interface Lane {
  updatedAt: number
  connections: MailboxConnections
  lane: MailboxLane<Claimed, Prepared>
  /** How many messages go out at one time. */
  width: number
  /** How long they take, smoothed. */
  sendMs: number
}

type Delivered = { send: Prepared; verdict: Verdict; reactions?: SandboxReaction[] }

const BATCH_SIZE = 200
const BATCHES_AT_ONCE = 4
const POLL_MS = 1000
/** A mailbox that keeps a gap has one message at a time anyway. */
const CONNECTIONS_PER_MAILBOX = 5
const MOST_PER_CONNECTION = 3
/** Messages are declared as leaving no further ahead than this. */
const BLINK_MS = 25
const RECORD_RETRY_MS = 500

/**
 * The sender: claim, intent, send, record. Each message is claimed in one transaction and declared as leaving in another
 * before its first byte goes out, so that whatever dies when, it is known which messages may have left.
 */
export class Sender {
  readonly #ctx: Context
  readonly #identity: Pick<WorkerIdentity, 'id'>
  readonly #cache = new StepCache()
  readonly #lanes = new Map<string, Lane>()
  readonly #intents: Batcher<Prepared[], Set<string>>
  readonly #records: Batcher<Delivered[], void>
  #loop: ClaimLoop<Claimed> | undefined
  #stopped = false

  constructor(ctx: Context, identity: Pick<WorkerIdentity, 'id'>) {
    this.#ctx = ctx
    this.#identity = identity
    // What several mailboxes ask for while one transaction is under way shares the next.
    this.#intents = new Batcher(chunks => this.#intend(chunks.flat()).then(allowed => chunks.map(() => allowed)), { maxSize: 50 })
    this.#records = new Batcher(chunks => this.#record(chunks.flat()).then(() => chunks.map(() => undefined)), { maxSize: 50 })
  }

  /** From here on it sends by itself: when woken, and by looking now and then. */
  start(): void {
    const { wake, log } = this.#ctx
    const claim = (limit: number) => this.#claim(limit)
    const handle = (batch: Claimed[]) => this.#handle(batch)
    const sizes = { pollMs: POLL_MS, batchSize: BATCH_SIZE, capacity: BATCH_SIZE * BATCHES_AT_ONCE }
    this.#loop = new ClaimLoop({ name: 'sends', topics: ['sends'], ...sizes, claim, handle }, wake, log)
    this.#loop.start()
  }

  /** Sends everything that may go at this instant, and says how much that was. */
  async tick(): Promise<number> {
    let sent = 0
    for (;;) {
      const batch = await this.#claim(BATCH_SIZE)
      if (batch.length === 0) return sent
      await this.#handle(batch)
      sent += batch.length
    }
  }

  async stop(): Promise<void> {
    await this.#loop?.stop()
    this.#stopped = true
    for (const { connections } of this.#lanes.values()) connections.close()
  }

  async #claim(limit: number): Promise<Claimed[]> {
    const workerId = await this.#identity.id()
    const claimed = await claimSends(this.#ctx, this.#cache, workerId, limit)
    return claimed.map(send => ({ ...send, workerId }))
  }

  async #handle(batch: Claimed[]): Promise<void> {
    const byMailbox = Map.groupBy(batch, send => send.mailbox.id)
    await Promise.all([...byMailbox.values()].map(sends => this.#laneOf(sends[0]!.mailbox).lane.add(sends)))
  }

  async #declare(chunk: Claimed[]): Promise<Prepared[]> {
    try {
      // Written only now: what lies ready in the hundreds would outlive its youth, and cost the collector dearly.
      const prepared = await this.#prepare(chunk)
      if (prepared.length === 0) return []
      const allowed = await this.#intents.submit(prepared)
      return prepared.filter(send => allowed.has(send.id))
    } catch (error) {
      // Nothing has left yet.
      this.#ctx.log.warn({ err: error }, 'messages could not be started')
      await this.#release(chunk)
      return []
    }
  }

  async #send(lane: Lane, chunk: Prepared[]): Promise<{ recorded: Promise<void> }> {
    if (chunk.length === 0) return { recorded: Promise.resolve() }
    const startedMs = performance.now()
    const delivered = await Promise.all(chunk.map(send => this.#deliver(lane, send).catch(error => this.#doubt(send, error))))
    const rounds = Math.ceil(chunk.length / lane.width)
    lane.sendMs += ((performance.now() - startedMs) / rounds - lane.sendMs) / 8
    return { recorded: this.#insist(() => this.#records.submit(delivered)) }
  }

  #release(sends: Claimed[]): Promise<void> {
    const ids = sends.map(send => send.id)
    return this.#insist(() => this.#ctx.db.inTransaction(async tx => void (await releaseClaims(tx, sends[0]!.workerId, ids))))
  }

  /** Renders everything. A lead that lacks something is skipped; a template that is broken stops its campaign. */
  async #prepare(batch: Claimed[]): Promise<Prepared[]> {
    const ctx = this.#ctx
    const { workerId } = batch[0]!
    const now = ctx.clock.now()
    const prepared: Prepared[] = []
    const failed: { send: ClaimedSend; variables: string[] }[] = []
    const broken: { send: ClaimedSend; message: string }[] = []
    const homeless = ctx.config.baseUrl === '' ? 'OVERTURE_BASE_URL is not set, so the links in e-mails would lead nowhere' : null
    for (const send of batch) {
      if (homeless !== null) {
        broken.push({ send, message: homeless })
        continue
      }
      const { id: sendId, messageId, step, steps, variantId, lead, mailbox: sender, campaign } = send
      const tracking = { opens: campaign.trackOpens, clicks: campaign.trackClicks }
      const result = renderSend(ctx, { sendId, messageId, step, steps, variantId, lead, sender, thread: lead.thread, tracking, now })
      if (!isFailure(result)) prepared.push({ ...send, ...result })
      else if (result.kind === 'lead') failed.push({ send, variables: result.variables })
      else broken.push({ send, message: `Step ${step + 1} cannot be written: ${result.message}` })
    }
    if (failed.length + broken.length > 0) {
      await ctx.db.inTransaction(async tx => {
        await releaseClaims(
          tx,
          workerId,
          [...failed, ...broken].map(({ send }) => send.id),
        )
        for (const { send, variables } of failed) {
          const { leadId, workspaceId, campaignId, step } = send
          await skipLead(
            tx,
            { leadId, workspaceId, campaignId, step, reason: 'missing_variable', nextAttemptAt: null, detail: { variables } },
            now,
          )
        }
      })
    }
    for (const { send, message } of broken) await needsAttention(ctx, send.workspaceId, send.campaignId, message)
    return prepared
  }

  /** The point of no return, once for the whole batch. Whatever has changed since the claim is looked at again here. */
  async #intend(prepared: Prepared[]): Promise<Set<string>> {
    const ctx = this.#ctx
    const { workerId } = prepared[0]!
    const now = ctx.clock.now()
    const timely = prepared.filter(send => isTimely(send, now))
    return ctx.db.inTransaction(async tx => {
      let allowed = new Set<string>()
      if (timely.length > 0) {
        const campaignIds = [...new Set(timely.map(send => send.campaignId))]
        const leadIds = timely.map(send => send.leadId)
        const active = new Set(await holdActiveCampaigns(tx, campaignIds, leadIds))
        const intentions = timely
          .filter(send => active.has(send.campaignId))
          .map(({ id, leadId, composed, links }) => ({ id, leadId, subject: composed.subject, links }))
        allowed = await markSending(tx, workerId, intentions)
      }
      const stopped = prepared.filter(send => !allowed.has(send.id))
      if (stopped.length > 0) {
        const ids = stopped.map(send => send.id)
        const obstacles = new Map((await findObstacles(tx, workerId, ids)).map(obstacle => [obstacle.id, obstacle]))
        await releaseClaims(tx, workerId, ids)
        for (const { id, leadId, workspaceId, campaignId, step } of stopped) {
          if (!obstacles.get(id)?.suppressed) continue
          await skipLead(tx, { leadId, workspaceId, campaignId, step, reason: 'suppressed', nextAttemptAt: null, detail: null }, now)
        }
      }
      return allowed
    })
  }

  async #deliver(lane: Lane, send: Prepared): Promise<Delivered> {
    const { composed, mailbox } = send
    if (mailbox.kind === 'sandbox') {
      const now = this.#ctx.clock.now()
      const reactions = await reactTo({ raw: composed.raw, envelope: composed.envelope, at: now }).catch(() => [])
      return { send, reactions, verdict: { fate: { kind: 'sent', response: 'sandbox' }, mailbox: null } }
    }
    const outcome = await lane.connections.send(composed.envelope, composed.raw)
    return { send, verdict: judgeOutcome(outcome, send.attempts, this.#ctx.clock.now()) }
  }

  /** Something went wrong that should not be able to: the message may have left. */
  #doubt(send: Prepared, error: unknown): Delivered {
    this.#ctx.log.error({ err: error, sendId: send.id }, 'a message failed in an unforeseen way')
    return { send, verdict: { fate: { kind: 'unknown', reason: String(error), reconcileAt: this.#ctx.clock.now() }, mailbox: null } }
  }

  #laneOf(mailbox: SendingMailbox): Lane {
    const updatedAt = mailbox.updatedAt.getTime()
    const known = this.#lanes.get(mailbox.id)
    if (known?.updatedAt === updatedAt) return known
    known?.connections.close()
    const width = mailbox.minGapSeconds > 0 ? 1 : CONNECTIONS_PER_MAILBOX
    const perConnection = (): number => Math.min(MOST_PER_CONNECTION, Math.max(1, Math.floor(BLINK_MS / lane.sendMs)))
    const lane: Lane = {
      updatedAt,
      connections: new MailboxConnections(() => smtpSettingsOf(this.#ctx, mailbox), width),
      lane: new MailboxLane({
        size: () => (mailbox.kind === 'sandbox' ? BATCH_SIZE : width * perConnection()),
        declare: chunk => this.#declare(chunk),
        send: chunk => this.#send(lane, chunk),
      }),
      width,
      sendMs: BLINK_MS,
    }
    this.#lanes.set(mailbox.id, lane)
    return lane
  }

  async #record(delivered: Delivered[]): Promise<void> {
    const ctx = this.#ctx
    const { workerId } = delivered[0]!.send
    const now = ctx.clock.now()
    const results: Result[] = delivered.map(({ send, verdict }) => ({ message: toMessage(send), fate: verdict.fate }))
    const mailboxes = new Map<string, { works: boolean; failure: { failed: string; permanent: boolean } | null }>()
    for (const { send, verdict } of delivered) {
      const seen = mailboxes.get(send.mailbox.id) ?? { works: false, failure: null }
      if (verdict.mailbox === 'works') seen.works = true
      else if (verdict.mailbox) seen.failure = verdict.mailbox
      mailboxes.set(send.mailbox.id, seen)
    }
    const working = [...mailboxes].filter(([, seen]) => seen.works).map(([id]) => id)
    await ctx.db.inTransaction(async tx => {
      const settled = await recordResults(ctx, tx, workerId, results, now)
      await storeInSandbox(
        tx,
        delivered.filter(({ send }) => settled.has(send.id)),
        now,
      )
      if (working.length > 0) await noteMailboxWorks(tx, working)
    })
    // In transactions of their own: a mailbox is locked before the campaigns that it stops.
    for (const [id, { works, failure }] of mailboxes) {
      if (failure && !works) await ctx.db.inTransaction(tx => noteMailboxFailure(tx, id, failure.failed, failure.permanent, now))
    }
  }

  /** What has happened must be written down, however long the database is away. */
  async #insist(work: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        return await work()
      } catch (error) {
        this.#ctx.log.warn({ err: error }, 'the fate of messages could not be recorded; will keep trying')
        if (this.#stopped) return
        await new Promise(resolve => setTimeout(resolve, RECORD_RETRY_MS))
      }
    }
  }
}

/** Still within the window, and on the day that the message was counted on. */
function isTimely(send: Prepared, now: Date): boolean {
  if (!new OpenHours(scheduleOf(send.campaign)).isOpen(now.getTime())) return false
  return send.countedOn === null || mailboxDay(toPlannedMailbox(send.mailbox), now) <= send.countedOn
}

function toMessage(send: Prepared): Result['message'] {
  const { id, workspaceId, campaignId, leadId, step, variantId, messageId, steps, composed } = send
  const { subject, threadSubject, startsThread } = composed
  const schedule = scheduleOf(send.campaign)
  return {
    id,
    workspaceId,
    campaignId,
    leadId,
    providerId: send.mailbox.id,
    step,
    variantId,
    messageId,
    steps,
    subject,
    threadSubject,
    startsThread,
    schedule,
  }
}

async function storeInSandbox(tx: Parameters<typeof insertReactions>[0], delivered: Delivered[], now: Date): Promise<void> {
  const sandboxed = delivered.filter(({ reactions }) => reactions !== undefined)
  if (sandboxed.length === 0) return
  await insertSandboxMessages(
    tx,
    sandboxed.map(({ send }) => sandboxMessage(send, send.composed, now)),
  )
  const rows: ReactionRow[] = sandboxed.flatMap(({ send, reactions }) =>
    reactions!.map(({ at, kind, raw, url, userAgent }) => ({
      id: newId(),
      workspaceId: send.workspaceId,
      providerId: send.mailbox.id,
      sendId: send.id,
      dueAt: at,
      action: { kind, ...(raw ? { raw: raw.toString('latin1') } : {}), ...(url ? { url } : {}), ...(userAgent ? { userAgent } : {}) },
    })),
  )
  if (rows.length > 0) await insertReactions(tx, rows)
}

function sandboxMessage(send: Prepared, composed: ComposedMessage, now: Date): SandboxMessageRow {
  return {
    id: send.id,
    workspaceId: send.workspaceId,
    providerId: send.mailbox.id,
    campaignId: send.campaignId,
    leadId: send.leadId,
    direction: 'out',
    fromAddress: composed.envelope.from,
    toAddress: composed.envelope.to,
    subject: composed.subject,
    text: composed.text,
    html: composed.html,
    raw: composed.raw.toString('latin1'),
    createdAt: now,
  }
}
