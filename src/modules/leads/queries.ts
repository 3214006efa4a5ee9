import { BEHIND, behind, filtered, newestFirst } from '../../db/filtered.ts'
import { among, columnsOf, mentions } from '../../db/fragments.ts'
import { type Db, sql, type Tx } from '../../db/sql.ts'
import type { Page } from '../../lib/page.ts'
import { valuesOf } from '../../lib/pick.ts'
import type { Static } from '../../lib/type.ts'
import { isNotSuppressed, isNotSuppressedEach } from '../suppressions/queries.ts'
import { type Lead, type LeadSource, type LeadStatus, OPEN_STATUSES, type Recipient } from './schema.ts'

/** The separator between the words of two leads. No word contains it. */
const BETWEEN = "e'\\x01'"

/** The searchable words of a lead in `table`. */
export const wordsOf = (table: string): string =>
  `words_of_lead(${['email', 'full_name', 'first_name', 'last_name', 'company'].map(column => `${table}.${column}`).join(', ')})`

/** A part of a word as a parameter, normalized like the words of leads. */
const asWords = (part: string): string => `translate(lower(${part}), ${BETWEEN}, ' ')`

/** Whether the words of a lead contain it. */
const hasWords = (table: string, part: string): string => `position(${asWords(part)} in ${wordsOf(table)}) > 0`

export interface LeadRow
  extends Omit<Static<typeof Lead>, 'warnings' | 'isProspect' | 'meetingAt' | 'next' | 'hold' | 'createdAt' | 'updatedAt' | 'links'> {
  reached: LeadStatus[]
  meetingAt: Date | null
  /** The next step of the sequence, whether or not it is planned; it may be sent from `dueAt` on. */
  nextStep: number
  dueAt: Date | null
  holdReason: string | null
  holdUntil: Date | null
  createdAt: Date
  updatedAt: Date
}

/** The columns of a lead; `table` is its alias when the statement has other tables. */
const leadColumns = (table?: string): string =>
  columnsOf(
    `id, workspace_id, campaign_id, email, first_name, last_name, full_name, company, job_title, timezone, variables, lead_list_name,
    status, reached, source, email_open_count, email_bounce_count, email_sent, opportunity_value, meeting_at, next_step, due_at,
    hold_reason, hold_until, created_at, updated_at`,
    table,
  )

const COLUMNS = leadColumns()

/** A lead that is not in the campaign yet. */
export interface NewLeadRow extends Recipient, Pick<LeadRow, 'id' | 'timezone'> {
  emailHash: Buffer
  domainHash: Buffer
}

const SHAPED_COLUMNS = ['first_name', 'last_name', 'full_name', 'company', 'job_title', 'variables'] as const

/**
 * Sets contents of a lead, and the shape that follows from all of them. The shape is no generated column, because PostgreSQL would
 * read its expression again whenever a message is sent.
 */
function setContents(values: Partial<Record<(typeof SHAPED_COLUMNS)[number], string>>): string {
  const shape = `shape = lead_shape(${SHAPED_COLUMNS.map(column => values[column] ?? column).join(', ')})`
  return [...Object.entries(values).map(([column, value]) => `${column} = ${value}`), shape].join(',\n    ')
}

const INSERT = sql(`
  insert into leads (id, workspace_id, campaign_id, email, email_hash, domain_hash, first_name, last_name, full_name, company,
    job_title, timezone, variables, shape, lead_list_name, source, created_at, updated_at, due_at)
  select r.id, $1, $2, r.email, decode(r."emailHash", 'hex'), decode(r."domainHash", 'hex'), r."firstName", r."lastName",
    r."fullName", r.company, r."jobTitle", r.timezone, r.variables,
    lead_shape(r."firstName", r."lastName", r."fullName", r.company, r."jobTitle", r.variables), $4, $5, $6, $6, $6
  from jsonb_to_recordset($3::jsonb) as r(
    id uuid, email text, "emailHash" text, "domainHash" text, "firstName" text, "lastName" text, "fullName" text, company text,
    "jobTitle" text, timezone text, variables jsonb)
  on conflict (workspace_id, lower(email), campaign_id) do nothing`)

/** Returns how many were new. A lead whose address the campaign already has is not changed. */
export function insertLeads(
  tx: Tx,
  workspaceId: string,
  campaignId: string,
  rows: NewLeadRow[],
  batch: { leadListName: string | null; source: LeadSource; now: Date },
): Promise<number> {
  const json = JSON.stringify(
    rows.map(row => ({ ...row, emailHash: row.emailHash.toString('hex'), domainHash: row.domainHash.toString('hex') })),
  )
  return tx.run(INSERT, [workspaceId, campaignId, json, batch.leadListName, batch.source, batch.now])
}

export const findLead = sql(`
  select ${COLUMNS}
  from leads
  where workspace_id = $1 and campaign_id = $2 and id = $3`).first<LeadRow, [workspaceId: string, campaignId: string, id: string]>()

export const lockLead = sql(`
  select ${COLUMNS}
  from leads
  where workspace_id = $1 and campaign_id = $2 and id = $3
  for update`).first<LeadRow, [workspaceId: string, campaignId: string, id: string]>()

/** The lead with this address, which is in lower case. */
export const findLeadByAddress = sql(`
  select id
  from leads
  where workspace_id = $1 and campaign_id = $2 and lower(email) = $3`).value<
  string | undefined,
  [workspaceId: string, campaignId: string, address: string]
>()

const FILTERS = {
  status: 'status = ?',
  email: 'lower(email) = lower(?)',
  timezone: 'timezone = ?',
}
const CONDITIONS = { ...FILTERS, behind: BEHIND }

const listNewest = newestFirst<LeadRow, [workspaceId: string, campaignId: string], keyof typeof FILTERS>(
  `
  select ${COLUMNS}
  from leads
  where workspace_id = $1
    and campaign_id = $2`,
  FILTERS,
)

/** For a frequent word, the newest leads fill a page. */
const MOST_WALKED = 300

// The leads with the word, and the last lead that was read, if there may be others behind it.
const WALK = filtered(
  4,
  CONDITIONS,
  conditions => `
  select ${COLUMNS}, is_found as "isFound", is_last as "isLast"
  from (
    select *, ${hasWords('walked', '$4')} as is_found, row_number() over (order by created_at desc, id desc) = ${MOST_WALKED} as is_last
    from (
      select *
      from leads
      where workspace_id = $1
        and campaign_id = $2
        ${conditions}
      order by created_at desc, id desc
      limit ${MOST_WALKED}
    ) as walked
  ) as leads
  where is_found or is_last
  order by created_at desc, id desc
  limit $3`,
)

const LIST_THESE = filtered(
  4,
  CONDITIONS,
  conditions => `
  select ${COLUMNS}
  from unnest($4::uuid[]) as found(lead_id)
  cross join lateral (
    select *
    from leads
    where leads.id = found.lead_id
    limit 1
  ) as leads
  where workspace_id = $1
    and campaign_id = $2
    ${conditions}
  order by created_at desc, id desc
  limit $3`,
)

interface LeadFilter {
  status?: string | undefined
  email?: string | undefined
  timezone?: string | undefined
  q?: string | undefined
}

export function listLeads(db: Db, workspaceId: string, campaignId: string, filter: LeadFilter, page: Page): Promise<LeadRow[]> {
  const { q, ...others } = filter
  if (q !== undefined) return listWithWords(db, { workspaceId, campaignId, q, others }, page)
  return listNewest(db, workspaceId, campaignId, page, others)
}

interface Search {
  workspaceId: string
  campaignId: string
  q: string
  others: Omit<LeadFilter, 'q'>
}

/** A frequent word is found by reading the newest leads, a rare one in the words of all leads. */
async function listWithWords(db: Db, { workspaceId, campaignId, q, others }: Search, page: Page): Promise<LeadRow[]> {
  const limit = page.limit + 1
  const given = { ...others, behind: behind(page) }
  const walked = await db.many<LeadRow & { isFound: boolean; isLast: boolean }>(...WALK([workspaceId, campaignId, limit, q], given))
  const newest = walked.flatMap(({ isFound, isLast: _, ...lead }) => (isFound ? [lead] : []))
  if (newest.length === limit || !walked.at(-1)?.isLast) return newest
  const ids = await findWithWords(db, campaignId, q)
  return db.many<LeadRow>(...LIST_THESE([workspaceId, campaignId, limit, ids], given))
}

// The same statement takes a closed lead out of the queue.
export const updateOutcome = sql(`
  update leads
  set status = $2, reached = $3, opportunity_value = $4, meeting_at = $5, updated_at = $6,
    due_at = case when $2 ${among(OPEN_STATUSES)} then due_at end,
    completes_at = case when $2 ${among(OPEN_STATUSES)} then completes_at end
  where id = $1
  returning ${COLUMNS}`).one<
  LeadRow,
  [id: string, outcome: Pick<LeadRow, 'status' | 'reached' | 'opportunityValue' | 'meetingAt'>, now: Date]
>((id, outcome, now) => [id, outcome.status, outcome.reached, outcome.opportunityValue, outcome.meetingAt, now])

export const hasMailable = sql(`
  select exists (
    select from leads l
    where l.campaign_id = $1 and l.status ${among(OPEN_STATUSES)} and ${isNotSuppressedEach('l')}) as mailable`).value<
  boolean,
  [campaignId: string]
>()

/** The leads of a workspace with this address that are still written to. */
export const listOpenLeads = sql(`
  select id, campaign_id as "campaignId"
  from leads
  where workspace_id = $1 and lower(email) = lower($2) and status ${among(OPEN_STATUSES)}
  order by id`).many<Pick<LeadRow, 'id' | 'campaignId'>, [workspaceId: string, email: string]>()

// The data about the person, which users may change, and the effects of a change on the queue.

export type Contents = Pick<LeadRow, 'firstName' | 'lastName' | 'fullName' | 'company' | 'jobTitle' | 'timezone' | 'variables'>

/** When the time zone of a lead changes, it waits for another window: it is checked again at once. */
const dueInZone = (lead: string, timezone: string, now: string): string => `case
      when ${lead}.hold_reason = 'waiting_window' and ${lead}.timezone is distinct from ${timezone} then least(${lead}.due_at, ${now})
      else ${lead}.due_at
    end`

export const updateContents = sql(`
  update leads
  set ${setContents({
    first_name: '$2',
    last_name: '$3',
    full_name: '$4',
    company: '$5',
    job_title: '$6',
    variables: '$8',
  })},
    timezone = $7,
    due_at = ${dueInZone('leads', '$7', '$9')},
    updated_at = $9
  where id = $1
  returning ${leadColumns()}`).one<LeadRow, [id: string, contents: Contents, now: Date]>((id, row, now) => {
  const { firstName, lastName, fullName, company, jobTitle, timezone, variables } = row
  return [id, firstName, lastName, fullName, company, jobTitle, timezone, JSON.stringify(variables), now]
})

// A full name that was made of the other names of the row is made again. `returning` shows the new row, while `select` reads the
// old one.
const UPDATE_KNOWN = sql(`
  update leads l
  set ${setContents({
    first_name: 'coalesce(r."firstName", l.first_name)',
    last_name: 'coalesce(r."lastName", l.last_name)',
    full_name: `case
      when r."fullName" is null then l.full_name
      when r."fullName" = concat_ws(' ', r."firstName", r."lastName")
        then concat_ws(' ', coalesce(r."firstName", l.first_name), coalesce(r."lastName", l.last_name))
      else r."fullName"
    end`,
    company: 'coalesce(r.company, l.company)',
    job_title: 'coalesce(r."jobTitle", l.job_title)',
    variables: 'l.variables || r.variables',
  })},
    timezone = coalesce(r.timezone, l.timezone),
    due_at = ${dueInZone('l', 'coalesce(r.timezone, l.timezone)', '$4')},
    updated_at = $4
  from jsonb_to_recordset($3::jsonb) as r(
    id uuid, email text, "firstName" text, "lastName" text, "fullName" text, company text, "jobTitle" text, timezone text,
    variables jsonb)
  where l.workspace_id = $1
    and l.campaign_id = $2
    and lower(l.email) = lower(r.email)
    and l.id <> r.id
  returning ${leadColumns('l')},
    ${wordsOf('l')} <> (select ${wordsOf('former')} from leads former where former.id = l.id) as "hasOtherWords"`)

type UpdatedLead = LeadRow & { hasOtherWords: boolean }

/** Updates existing leads with the values of the rows; values that a row leaves out stay. */
export function updateKnown(tx: Tx, workspaceId: string, campaignId: string, rows: NewLeadRow[], now: Date): Promise<UpdatedLead[]> {
  const plain = rows.map(({ emailHash: _email, domainHash: _domain, ...row }) => row)
  return tx.many<UpdatedLead>(UPDATE_KNOWN, [workspaceId, campaignId, JSON.stringify(plain), now])
}

/** The names of the variables of leads, by their addresses in lower case. */
export const listVariableNames = sql(`
  select lower(email) as address, array(select jsonb_object_keys(variables)) as names
  from leads
  where workspace_id = $1
    and campaign_id = $2
    and lower(email) = any($3::text[])`).many<
  { address: string; names: string[] },
  [workspaceId: string, campaignId: string, addresses: string[]]
>()

const SAID_OF_LEAD = `concat_ws(' ', first_name, last_name, full_name, company, job_title, lead_list_name, variables::text,
    hold_detail::text, thread::text)`

/** Leads whose fields mention the person. */
export const findColleagues = sql(`
  select id, variables
  from leads
  where campaign_id = $1 and ${mentions(SAID_OF_LEAD, '$2')}`).many<
  { id: string; variables: Record<string, string> },
  [campaignId: string, pattern: string]
>()

const unlessMentioned = (column: string): string => `case when ${mentions(column, '$3')} then null else ${column} end`
const scrubbed = (column: string): string => `regexp_replace(${column}::text, $3, '[erased]', 'gi')::jsonb`

/** The campaign must be locked, and the words of the lead written again. */
export const updateColleague = sql(`
  update leads
  set ${setContents({
    first_name: unlessMentioned('first_name'),
    last_name: unlessMentioned('last_name'),
    full_name: unlessMentioned('full_name'),
    company: unlessMentioned('company'),
    job_title: unlessMentioned('job_title'),
    variables: '$2',
  })},
    lead_list_name = ${unlessMentioned('lead_list_name')},
    hold_detail = ${scrubbed('hold_detail')},
    thread = ${scrubbed('thread')}
  where id = $1`).run((id: string, variables: Record<string, string>, pattern: string) => [id, JSON.stringify(variables), pattern])

interface LeadProgress {
  nextStep: number
  sequenceVersion: number | null
  holdReason: string | null
  lastSentAt: Date | null
  /** A message of the next step is leaving, or may have left. */
  isUnderWay: boolean
}

export const findProgress = sql(`
  select l.next_step as "nextStep", l.sequence_version as "sequenceVersion", l.hold_reason as "holdReason",
    (select max(s.sent_at) from sends s where s.lead_id = l.id and s.status = 'sent') as "lastSentAt",
    exists (
      select from sends s
      where s.lead_id = l.id and s.step = l.next_step and s.status in ('claimed', 'sending', 'unknown')) as "isUnderWay"
  from leads l
  where l.id = $1`).first<LeadProgress, [id: string]>()

/** The delay of a step; undefined when the sequence has ended before it. */
export const findDelayDays = sql(`
  select (steps -> $3::int ->> 'delayDays')::int as days
  from sequence_versions
  where campaign_id = $1 and version = $2 and jsonb_array_length(steps) > $3::int`).value<
  number | undefined,
  [campaignId: string, version: number, step: number]
>()

// A lead without messages begins with the current sequence, because the version that it was skipped for may have been corrected.
/** Sets the due time of the lead and removes its hold. */
export const updateQueue = sql(`
  update leads
  set due_at = $2,
    completes_at = $3,
    sequence_version = case when next_step = 0 and not email_sent then null else sequence_version end,
    hold_reason = null,
    hold_until = null,
    hold_detail = null
  where id = $1`).run((id: string, queue: { dueAt: Date | null; completesAt: Date | null }) => [id, queue.dueAt, queue.completesAt])

// ---- many at a time ----

const LIST_IDS = filtered(
  3,
  { ids: 'id = any(?::uuid[])', status: 'status = ?', email: 'lower(email) = lower(?)', after: 'id > ?::uuid', until: 'updated_at <= ?' },
  conditions => `
  select id
  from leads
  where workspace_id = $1
    and campaign_id = $2
    ${conditions}
  order by id
  limit $3`,
)

/** The ids of matching leads after `after`, in order. */
export async function listLeadIds(
  db: Db,
  place: { workspaceId: string; campaignId: string },
  filter: { ids?: string[]; status?: string | undefined; email?: string | undefined; until?: string | undefined },
  after: string | null,
  limit: number,
): Promise<string[]> {
  const { ids, status, email, until } = filter
  const given = { ids: ids && [ids], status, email, after, until }
  const rows = await db.many<{ id: string }>(...LIST_IDS([place.workspaceId, place.campaignId, limit], given))
  return rows.map(row => row.id)
}

/** When a lead of the campaign was last added or changed; long ago when it has none. */
export const findLastChange = sql(`
  select coalesce(max(updated_at), to_timestamp(0)) as at
  from leads
  where workspace_id = $1 and campaign_id = $2`).value<Date, [workspaceId: string, campaignId: string]>()

export const deleteLeads = sql(`
  delete from leads
  where workspace_id = $1
    and campaign_id = $2
    and id = any($3::uuid[])`).run<[workspaceId: string, campaignId: string, ids: string[]]>()

interface LeadMove {
  workspaceId: string
  from: string
  to: string
  /** Old and new ids. */
  ids: [string, string][]
}

// A lead starts again in the other campaign, so it is a new row there; its messages stay with the old row.
/** How many leads were moved. Leads that have answered, are suppressed or are already there are not moved. */
export const moveLeads = sql(`
  with moved as (
    insert into leads (id, workspace_id, campaign_id, email, email_hash, domain_hash, first_name, last_name, full_name, company,
      job_title, timezone, variables, shape, lead_list_name, source, created_at, updated_at, due_at)
    select r.new_id, l.workspace_id, $3, l.email, l.email_hash, l.domain_hash, l.first_name, l.last_name, l.full_name, l.company,
      l.job_title, l.timezone, l.variables, l.shape, l.lead_list_name, l.source, $6, $6, $6
    from unnest($4::uuid[], $5::uuid[]) as r(id, new_id)
    join leads l on l.id = r.id
    where l.workspace_id = $1
      and l.campaign_id = $2
      and l.status in ('not_yet_contacted', 'contacted', 'sequence_completed', 'skipped')
      and ${isNotSuppressed('l')}
    on conflict (workspace_id, lower(email), campaign_id) do nothing
    returning lower(email) as address
  )
  delete from leads l
  using moved
  where l.workspace_id = $1
    and l.campaign_id = $2
    and lower(l.email) = moved.address`).run(({ workspaceId, from, to, ids }: LeadMove, now: Date) => [
  workspaceId,
  from,
  to,
  ids.map(([id]) => id),
  ids.map(([, newId]) => newId),
  now,
])

export interface CampaignLoad {
  status: string
  stepCount: number
  /** The emails that the given leads, or all leads, have before them, at most. */
  openMails: number
  leadCount: number
  /** The number of skipped leads among the given ones, or among all when none are given. */
  skippedCount: number
  /** Whether it sends from a mailbox that is not a sandbox. */
  isReal: boolean
  /** Whether an unfinished operation could change these numbers. */
  isMoving: boolean
}

interface LoadQuestion {
  workspaceId: string
  campaignId: string
  /** The operation of this request, which does not count as unfinished. */
  operationId: string | null
  leadIds: string[] | null
  /** The actions that could change the load. */
  changing: readonly string[]
  /** Counts as if its sequence had so many steps. */
  stepCount?: number | undefined
}

const IS_REAL = `exists (
      select from providers p
      where p.workspace_id = c.workspace_id
        and p.kind <> 'sandbox'
        and p.id = any(array_append(c.rotation_provider_ids || c.kept_provider_ids, c.provider_id))
    )`

// An archived campaign counts as what it becomes when it is unarchived, because that operation may still be open.
export const findCampaignLoad = sql(`
  select coalesce(c.status_before_archive, c.status) as status, s.count as "stepCount", l.mails as "openMails", l.count as "leadCount", l.skipped as "skippedCount",
    ${IS_REAL} as "isReal",
    exists (
      select from operations o
      where o.campaign_id = c.id
        and o.id <> $3
        and o.completed_at is null
        and o.action = any($5::text[])
    ) or exists (
      -- Leads of another campaign are being moved here.
      select from operations o
      where o.workspace_id = c.workspace_id
        and o.id <> $3
        and o.completed_at is null
        and o.action = 'lead.bulk'
        and o.action = any($5::text[])
        and (o.input ->> 'targetCampaignId')::uuid = c.id
    ) as "isMoving"
  from campaigns c
  left join sequence_versions v on v.campaign_id = c.id and v.version = c.sequence_version
  cross join lateral (select coalesce($6::integer, jsonb_array_length(v.steps), 0) as count) as s
  cross join lateral (
    select count(*)::int as count,
      coalesce(
        sum(greatest(coalesce(jsonb_array_length(b.steps), s.count) - l.next_step, 0))
          filter (where l.status in ('not_yet_contacted', 'contacted') and ($4::uuid[] is null or l.id = any($4))),
        0
      )::int as mails,
      count(*) filter (where l.status = 'skipped' and ($4::uuid[] is null or l.id = any($4)))::int as skipped
    from leads l
    -- A lead that has begun stays on the version that it began with.
    left join sequence_versions b on b.campaign_id = c.id and b.version = l.sequence_version
    where l.campaign_id = c.id
  ) as l
  where c.workspace_id = $1 and c.id = $2`).first<CampaignLoad, [question: LoadQuestion]>(question =>
  valuesOf(question, 'workspaceId', 'campaignId', 'operationId', 'leadIds', 'changing', 'stepCount'),
)

// Like `hasStarted`, or about to start by an action in `$3`; leads of a completed campaign that could still get messages make it continue. At least one email, because leads may be
// added later.
const STARTED_MAILS = (which: string): string => `
  select
    greatest(
      coalesce(sum(greatest(coalesce(jsonb_array_length(b.steps), jsonb_array_length(v.steps), 0) - l.next_step, 0)), 0),
      least(count(*), 1)
    )::int as mails
  from campaigns c
  left join leads l on l.campaign_id = c.id and l.status in ('not_yet_contacted', 'contacted')
  left join sequence_versions v on v.campaign_id = c.id and v.version = c.sequence_version
  left join sequence_versions b on b.campaign_id = c.id and b.version = l.sequence_version
  where c.workspace_id = $1
    and (
      coalesce(c.status_before_archive, c.status) <> 'draft'
      or exists (select from operations o where o.campaign_id = c.id and o.completed_at is null and o.action = any($3::text[]))
    )
    and ${which}`

/** The emails that started campaigns with this mailbox have before them. */
export const findMailsFromMailbox = sql(
  STARTED_MAILS('$2 = any(array_append(c.rotation_provider_ids || c.kept_provider_ids, c.provider_id))'),
).value<number, [workspaceId: string, providerId: string, starting: readonly string[]]>()

/** The emails of started campaigns that this suppression holds back. */
export const findMailsHeldBack = sql(
  STARTED_MAILS(`exists (
      select from suppressions s
      where s.workspace_id = $1
        and s.id = $2
        and s.hash = case s.kind when 'email' then l.email_hash else l.domain_hash end
    )`),
).value<number, [workspaceId: string, suppressionId: string, starting: readonly string[]]>()

const LAST = (condition: string): string => `(
    select concat(id, completed_at)
    from operations
    where workspace_id = $1 and ${condition}
    order by created_at desc, id desc
    limit 1
  )`

const IN_CAMPAIGN = '($2::uuid is null or campaign_id = $2)'

/**
 * Changes with each request by which a person can be added who could not be before: a lifted suppression, or a lead that was removed from the
 * campaign; null means any campaign. A change of many leads that failed may have removed some.
 */
export const readReleases = sql(`
  select concat_ws(' ', ${LAST("action = 'suppression.delete'")}, ${LAST(`action = 'lead.delete' and ${IN_CAMPAIGN}`)},
    ${LAST(`action = 'lead.bulk' and coalesce(result ->> 'action', input ->> 'action', 'delete') in ('delete', 'move') and ${IN_CAMPAIGN}`)}) as state`).value<
  string,
  [workspaceId: string, campaignId: string | null]
>()

/** Changes whenever a suppression is lifted, also one that was created after the campaign was looked at. */
export const readLastLift = sql(`select ${LAST("action = 'suppression.delete'")} as state`).value<string | null, [workspaceId: string]>()

/** The campaign of an operation that adds leads, if another open operation is about to start it, and the token that sent the request. */
export const findLateLoad = sql(`
  select o.token_id as "tokenId", c.status, coalesce(jsonb_array_length(v.steps), 0) as "stepCount",
    ${IS_REAL} as "isReal"
  from operations o
  join campaigns c on c.id = o.campaign_id
  left join sequence_versions v on v.campaign_id = c.id and v.version = c.sequence_version
  where o.id = $1
    and exists (
      select from operations starting
      where starting.campaign_id = o.campaign_id
        and starting.id <> o.id
        and starting.completed_at is null
        and starting.action = any($2::text[])
    )`).first<
  Pick<CampaignLoad, 'status' | 'stepCount' | 'isReal'> & { tokenId: string | null },
  [operationId: string, starting: readonly string[]]
>()

// The search index of leads: one row has the words of many leads, because a few large texts are searched much faster than
// every lead. It is written when a lead is added, changed or removed, but not when a message is sent to it.
const PER_ROW = 60

/** The ids of leads of a campaign that contain it, in no order. */
const findWithWords = sql(`
  select each.id
  from lead_words w
  cross join lateral unnest(w.lead_ids, string_to_array(w.words, ${BETWEEN})) as each(id, words)
  where w.campaign_id = $1
    and position(${asWords('$2')} in w.words) > 0
    and position(${asWords('$2')} in each.words) > 0`).column<string, [campaignId: string, part: string]>()

// The rows of a campaign never overlap: a lead belongs to the row that begins at it or before it, so one index lookup finds that
// row. The whole row is written again, so that no outdated words remain; the words of its other leads are
// copied from the row. A full row that ends before the lead stays as it is.
const REWRITE = sql(`
  with asked as materialized (
    select each.id, home.*
    from (select distinct unnest($2::uuid[])) as each(id)
    left join lateral (
      select first_id, last_id, size
      from lead_words
      where campaign_id = $1 and first_id <= each.id
      order by first_id desc
      limit 1
    ) as home on true
  ), stale as (
    delete from lead_words w
    using (
      select distinct first_id
      from asked
      where id <= last_id or size < ${PER_ROW}
    ) as home
    where w.campaign_id = $1 and w.first_id = home.first_id
    returning w.first_id as home, w.lead_ids, w.words
  ), held as materialized (
    select asked.id, asked.first_id as home, ${wordsOf('l')} as words
    from asked
    cross join lateral (
      select *
      from leads
      where leads.id = asked.id and leads.campaign_id = $1
      limit 1
    ) as l
    union all
    select each.id, home, each.words
    from stale
    cross join lateral unnest(lead_ids, string_to_array(words, ${BETWEEN})) as each(id, words)
    where not exists (select from asked where asked.id = each.id)
  )
  insert into lead_words (campaign_id, first_id, last_id, size, lead_ids, words)
  select $1, (array_agg(id order by id))[1], (array_agg(id order by id desc))[1], count(*), array_agg(id order by id),
    string_agg(words, ${BETWEEN} order by id)
  from (
    select id, home, words, (row_number() over (partition by home order by id) - 1) / ${PER_ROW} as part
    from held
  ) as l
  group by home, part`)

/** Updates the words after leads were added, changed or removed. The campaign must be locked. */
export async function rewriteWords(tx: Tx, campaignId: string, leadIds: string[]): Promise<void> {
  if (leadIds.length > 0) await tx.run(REWRITE, [campaignId, leadIds])
}
