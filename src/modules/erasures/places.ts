import type { Context } from '../../context/context.ts'
import type { Tx } from '../../db/client.ts'
import type { Page } from '../../lib/page.ts'
import {
  eraseDecisions,
  eraseEvents,
  eraseInbound,
  eraseReactions,
  eraseSandboxPage,
  eraseSends,
  findEventMentions,
  findImportChunks,
  findLastSeq,
  findReasons,
  findVariables,
  type LoggedData,
  listMailboxIds,
  lockOperation,
  readInboundPage,
  readOperationPage,
  type StoredOperation,
  updateEvents,
  updateImportChunk,
  updateInbound,
  updateOperation,
  updateReason,
  updateVariables,
} from './queries.ts'
import { isPerson, mentions, type Person, scrubJson, scrubText } from './scrub.ts'

/** Who is being erased, where, and the leads that they have been found to be, now or once. */
export interface Erasing {
  ctx: Context
  workspaceId: string
  person: Person
  emailHash: Buffer
  leadIds: Set<string>
  signal: AbortSignal
}

const EVENTS_AT_ONCE = 5000
const INBOUND_AT_ONCE = 500
const SANDBOX_AT_ONCE = 500
/** An import can be as large as 20 MB. */
const OPERATIONS_AT_ONCE = 25

/**
 * What an event about the person keeps: ids, kinds, and all that the metrics are made of, so that folding the log again
 * gives the same numbers. A field that is new to the log is forgotten until it is named here.
 */
const KEPT_EVENT_FIELDS = [
  ...['leadId', 'campaignId', 'sendId', 'step', 'variantId', 'providerId', 'messageId', 'replyId', 'link'],
  ...['from', 'to', 'by', 'kind', 'status', 'confidence', 'judgedBy', 'reconciled'],
  ...['first', 'firstProspect', 'machine', 'opportunityValueChange'],
]

/** The event log keeps every number and every event. Adds to the leads whatever it still knows of. */
export async function eraseFromLog({ ctx, workspaceId, person, leadIds, signal }: Erasing): Promise<number> {
  const last = await findLastSeq(ctx.db, workspaceId)
  let count = 0
  for (let after = 0; after < last; after += EVENTS_AT_ONCE) {
    signal.throwIfAborted()
    const found = await findEventMentions(ctx.db, workspaceId, after, after + EVENTS_AT_ONCE, person.address)
    const scrubbed: LoggedData[] = []
    for (const { seq, leadId, data } of found) {
      if (leadId !== null && isPerson(data.email, person)) leadIds.add(leadId)
      else scrubbed.push({ seq, data: scrubJson(data, person) })
    }
    if (scrubbed.length > 0) count += await ctx.db.inTransaction(tx => updateEvents(tx, workspaceId, scrubbed))
  }
  return count + (await ctx.db.inTransaction(tx => eraseEvents(tx, workspaceId, { leadIds: [...leadIds] }, KEPT_EVENT_FIELDS)))
}

/** Messages to and from the person. What stays of them is that there was one, when, and what kind. */
export async function eraseFromCommunication(erasing: Erasing): Promise<{ messageCount: number; replyCount: number }> {
  const { ctx, workspaceId, person, emailHash, signal } = erasing
  const leadIds = [...erasing.leadIds]
  const sends = await ctx.db.inTransaction(tx => eraseSends(tx, workspaceId, leadIds, emailHash))
  const sendIds = sends.map(send => send.id)
  await ctx.db.inTransaction(tx => eraseReactions(tx, sendIds))
  await ctx.db.inTransaction(tx => eraseDecisions(tx, workspaceId, leadIds))
  let replyCount = await ctx.db.inTransaction(tx => eraseInbound(tx, workspaceId, { leadIds, ids: [] }))
  replyCount += await eraseFromInbound(erasing)
  const messageIds = sends.map(send => send.messageId)
  for (const mailboxId of await listMailboxIds(ctx.db, workspaceId)) {
    for (let page: Page | undefined = { limit: SANDBOX_AT_ONCE, after: null }; page; ) {
      signal.throwIfAborted()
      const current: Page = page
      const after = await ctx.db.inTransaction(tx =>
        eraseSandboxPage(tx, mailboxId, current, { leadIds, messageIds, address: person.address }),
      )
      page = after && { ...page, after }
    }
  }
  return { messageCount: sends.filter(send => send.isChanged).length, replyCount }
}

/** What others have received from the person, or written about them, in threads of their own. */
async function eraseFromInbound({ ctx, workspaceId, person, signal }: Erasing): Promise<number> {
  let count = 0
  for (let after: string | null = null; ; ) {
    signal.throwIfAborted()
    const page = await readInboundPage(ctx.db, workspaceId, after, INBOUND_AT_ONCE, person.address)
    const last = page.at(-1)
    if (!last) return count
    after = last.id
    const found = page.filter(message => message.found)
    const theirs = found.filter(message => isPerson(message.fromAddress, person))
    await ctx.db.inTransaction(async tx => {
      count += await eraseInbound(tx, workspaceId, { leadIds: [], ids: theirs.map(message => message.id) })
      const sendIds = theirs.flatMap(message => message.sendId ?? [])
      const colleagueIds = theirs.flatMap(message => message.leadId ?? [])
      await eraseEvents(tx, workspaceId, { leadIds: colleagueIds, repliesTo: sendIds }, [...KEPT_EVENT_FIELDS, 'email'])
      for (const message of found) {
        if (theirs.includes(message)) continue
        const { id, subject, text } = message
        const texts = { subject: subject && scrubText(subject, person), text: text && scrubText(text, person) }
        await updateInbound(tx, id, texts, person.address)
      }
    })
  }
}

/** Operations stay as a record of what was asked when; what they said about the person goes. */
export async function eraseFromOperations({ ctx, workspaceId, person, signal }: Erasing): Promise<number> {
  for (const chunk of await findImportChunks(ctx.db, workspaceId, person.address))
    await ctx.db.inTransaction(tx => updateImportChunk(tx, { ...chunk, leads: scrubJson(chunk.leads, person) }))
  let count = 0
  for (let page: Page = { limit: OPERATIONS_AT_ONCE, after: null }; ; ) {
    signal.throwIfAborted()
    const rows = await readOperationPage(ctx.db, workspaceId, page, person.address)
    for (const { id, found } of rows) if (found) count += await ctx.db.inTransaction(tx => eraseFromOperation(tx, id, person))
    const last = rows.at(-1)
    if (!last) return count
    page = { ...page, after: { at: last.createdAt, id: last.id } }
  }
}

async function eraseFromOperation(tx: Tx, id: string, person: Person): Promise<number> {
  const operation = await lockOperation(tx, id)
  return operation ? updateOperation(tx, scrubOperation(operation, person)) : 0
}

/**
 * A repeated request is answered from the result. Where that was about the person it cannot be any more, so the key is
 * forgotten with it, and the request would be judged anew.
 */
function scrubOperation(row: StoredOperation, person: Person): StoredOperation {
  const result = scrubJson(row.result, person)
  const isAnswerable = JSON.stringify(result) === JSON.stringify(row.result)
  const key = row.key !== null && isAnswerable && !mentions(row.key, person) ? row.key : null
  return { ...row, input: scrubJson(row.input, person), result, error: scrubJson(row.error, person), key }
}

/** What was said about the person where it was about something else: why a mailbox stopped, a variable of a colleague. */
export async function eraseMentions({ ctx, workspaceId, person, signal }: Erasing, campaignIds: string[]): Promise<void> {
  for (const found of await findReasons(ctx.db, workspaceId, person.address))
    await ctx.db.inTransaction(tx => updateReason(tx, { ...found, reason: scrubText(found.reason, person) }))
  for (const campaignId of campaignIds) {
    signal.throwIfAborted()
    for (const { id, variables } of await findVariables(ctx.db, campaignId, person.address)) {
      // Left out and not replaced: a lead that lacks something is skipped and says so, while a replacement would be sent.
      const kept = Object.entries(variables).filter(([, value]) => !mentions(value, person))
      await ctx.db.inTransaction(tx => updateVariables(tx, id, Object.fromEntries(kept)))
    }
  }
}
