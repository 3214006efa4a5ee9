import { likePart } from '../../db/filtered.ts'
import { among, columnsOf } from '../../db/fragments.ts'
import { type Db, sql } from '../../db/sql.ts'
import type { Page } from '../../lib/page.ts'
import { valuesOf } from '../../lib/pick.ts'
import { ATTACHMENTS, type InboundRow, type ThreadRow } from './queries.ts'
import type { ListedKind } from './schema.ts'

export type ReplyIds = { workspaceId: string; replyId: string }

export interface ReplyRow
  extends Pick<InboundRow, 'id' | 'workspaceId' | 'providerId' | 'needsLook' | 'receivedAt' | 'referralEmail' | 'referralName'>,
    Pick<InboundRow, 'deferredUntil'>,
    Pick<ThreadRow, 'sendId' | 'step' | 'messageId' | 'fromAddress' | 'cc' | 'subject' | 'text' | 'isCut' | 'attachments'> {
  campaignId: string | null
  leadId: string | null
  kind: ListedKind
  judgedKind: ListedKind
  confidence: number | null
  replyTo: string | null
  correctedBy: string | null
  correctedAt: Date | null
  handledAt: Date | null
  /** Null when another person than the lead replied. */
  leadName: string | null
}

const STORED = `id, workspace_id, provider_id, campaign_id, lead_id, send_id, kind, confidence, needs_look, from_address, reply_to, cc, subject,
  text, received_at, corrected_by, corrected_at, handled_at, message_id, is_cut, referral_email, referral_name`

const COLUMNS = `${columnsOf(STORED, 'm')}, s.step, coalesce(m.judged_kind, m.kind) as "judgedKind", m.deferred_until::text as "deferredUntil",
    ${ATTACHMENTS} as attachments,
    (
      select coalesce(l.full_name, nullif(concat_ws(' ', l.first_name, l.last_name), ''))
      from leads l
      where l.id = m.lead_id
        and lower(l.email) = lower(m.from_address)
    ) as "leadName"`

const OF_WORKSPACE = `m.workspace_id = $1
    and m.kind <> 'bounce'`

const SELECT = `
  select ${COLUMNS}
  from inbound_messages m
  left join sends s on s.id = m.send_id
  where ${OF_WORKSPACE}`

interface ReplyFilter {
  campaignId?: string | undefined
  kind?: string | undefined
  q?: string | undefined
  handled?: boolean | undefined
  needsLook?: boolean | undefined
}

const NEWEST_FIRST = 'order by m.received_at desc, m.id desc'

/** The conditions come from the filters of the request, so that each set of filters is planned with the index that serves it. */
export async function listReplies(db: Db, workspaceId: string, filter: ReplyFilter, page: Page): Promise<ReplyRow[]> {
  const values: unknown[] = [workspaceId, page.limit + 1]
  const add = (value: unknown): string => `$${values.push(value)}`
  const conditions: string[] = []
  if (filter.campaignId !== undefined) conditions.push(`m.campaign_id = ${add(filter.campaignId)}`)
  // The kind is a literal in the statement: with a parameter, PostgreSQL would plan as if every kind were frequent.
  if (filter.kind !== undefined) conditions.push(`m.kind ${among([filter.kind])}`)
  if (filter.handled !== undefined) conditions.push(`m.handled_at is ${filter.handled ? 'not null' : 'null'}`)
  if (filter.needsLook !== undefined) conditions.push(filter.needsLook ? 'm.needs_look' : 'not m.needs_look')
  if (page.after) conditions.push(`(m.received_at, m.id) < (${add(page.after.at)}, ${add(page.after.id)}::uuid)`)
  const isLong = filter.q !== undefined && filter.q.length >= LEAST_LETTERS
  if (filter.q !== undefined && !isLong) conditions.push(`position(lower(${add(filter.q)}) in ${WORDS}) > 0`)
  const and = conditions.map(condition => `and ${condition}`).join('\n    ')
  if (isLong) return searchReplies(db, and, `like lower(${add(likePart(filter.q!))})`, values)
  const statement = sql(`${SELECT}
    ${and}
  ${NEWEST_FIRST}
  limit $2`)
  return db.many<ReplyRow>(statement, values)
}

const WORDS = 'reply_words(m.from_address, m.subject, m.text)'

/** The index knows groups of three letters. */
const LEAST_LETTERS = 3

/** For a frequent word, the newest replies fill a page. */
const MOST_WALKED = 300

/**
 * Replies with a part of their text. The newest are read one by one; only when they do not fill the page, all are looked up in the index of
 * groups of letters, which returns everything that fits: few, because a frequent word would have filled the page.
 */
async function searchReplies(db: Db, and: string, likePart: string, values: unknown[]): Promise<ReplyRow[]> {
  const walk = sql(`
  select ${COLUMNS}
  from (
    select *
    from inbound_messages m
    where ${OF_WORKSPACE}
    ${and}
    ${NEWEST_FIRST}
    limit ${MOST_WALKED}
  ) as m
  left join sends s on s.id = m.send_id
  where ${WORDS} ${likePart}
  ${NEWEST_FIRST}
  limit $2`)
  const newest = await db.many<ReplyRow>(walk, values)
  if (newest.length === values[1]) return newest
  // All matches are found before they are sorted: following the order until enough are found would read everything.
  const lookUp = sql(`
  select ${COLUMNS}
  from (
    select *
    from (
      select *
      from inbound_messages m
      where ${OF_WORKSPACE}
      and ${WORDS} ${likePart}
      ${and}
      offset 0
    ) as m
    ${NEWEST_FIRST}
    limit $2
  ) as m
  left join sends s on s.id = m.send_id
  ${NEWEST_FIRST}`)
  return db.many<ReplyRow>(lookUp, values)
}

export const findReply = sql(`${SELECT}
    and m.id = $2`).first<ReplyRow, [workspaceId: string, id: string]>()

export const lockReply = sql(`${SELECT}
    and m.id = $2
  for no key update of m`).first<ReplyRow, [workspaceId: string, id: string]>()

export const correctKind = sql(`
  update inbound_messages
  set judged_kind = coalesce(judged_kind, kind), kind = $2, corrected_by = $3, corrected_at = $4, needs_look = false
  where id = $1`).run<[id: string, kind: ListedKind, by: string, now: Date]>()

export const setHandled = sql(`
  update inbound_messages
  set handled_at = $2, needs_look = needs_look and $2::timestamptz is null
  where id = $1`).run<[id: string, at: Date | null]>()

/** When a reply to this lead was recorded; its event may have been deleted. */
export const findRepliedAt = sql(`
  select timestamp as at
  from events
  where workspace_id = $1 and lead_id = $2 and type = 'email.replied' and data->>'replyId' = $3::text
  limit 1`).first<{ at: Date }, [workspaceId: string, leadId: string, replyId: string]>()

// Old events may have been deleted. Then another positive reply, or this one before its correction, still shows it.
/** Whether an earlier reply already made this lead interested. */
export const wasAnnounced = sql(`
  select exists (
    select from events
    where workspace_id = $1 and lead_id = $2 and type = 'ai_sdr.positive_reply'
  ) or exists (
    select from inbound_messages
    where workspace_id = $1 and lead_id = $2
      and case
        when id = $3 then corrected_at is not null and judged_kind = 'positive'
        else 'positive' in (kind, judged_kind)
      end
  ) as "wasAnnounced"`).value<boolean, [reply: { workspaceId: string; leadId: string; replyId: string }]>(reply =>
  valuesOf(reply, 'workspaceId', 'leadId', 'replyId'),
)
