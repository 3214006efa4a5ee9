import { type Db, sql, type Tx } from '../../db/client.ts'
import { BEHIND, behind, filtered } from '../../db/filtered.ts'
import { among, columnsOf, isNotSuppressedEach } from '../../db/fragments.ts'
import type { Page } from '../../lib/page.ts'
import { type LeadSource, type LeadStatus, OPEN_STATUSES, type Recipient } from './schema.ts'
import { findWithWords, hasWords } from './word-queries.ts'

export interface LeadRow extends Recipient {
  id: string
  workspaceId: string
  campaignId: string
  timezone: string | null
  leadListName: string | null
  status: LeadStatus
  reached: LeadStatus[]
  source: LeadSource
  emailOpenCount: number
  emailBounceCount: number
  emailSent: boolean
  opportunityValue: number | null
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
export const leadColumns = (table?: string): string =>
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
export function setContents(values: Partial<Record<(typeof SHAPED_COLUMNS)[number], string>>): string {
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

const FIND = sql(`
  select ${COLUMNS}
  from leads
  where workspace_id = $1 and campaign_id = $2 and id = $3`)

export const findLead = (db: Db, workspaceId: string, campaignId: string, id: string): Promise<LeadRow | undefined> =>
  db.first<LeadRow>(FIND, [workspaceId, campaignId, id])

const LOCK = sql(`
  select ${COLUMNS}
  from leads
  where workspace_id = $1 and campaign_id = $2 and id = $3
  for update`)

export const lockLead = (tx: Tx, workspaceId: string, campaignId: string, id: string): Promise<LeadRow | undefined> =>
  tx.first<LeadRow>(LOCK, [workspaceId, campaignId, id])

const FIND_BY_ADDRESS = sql(`
  select id
  from leads
  where workspace_id = $1 and campaign_id = $2 and lower(email) = $3`)

/** The lead with this address, which is in lower case. */
export const findLeadByAddress = async (db: Db, workspaceId: string, campaignId: string, address: string): Promise<string | undefined> =>
  (await db.first<{ id: string }>(FIND_BY_ADDRESS, [workspaceId, campaignId, address]))?.id

const CONDITIONS = {
  status: 'status = ?',
  email: 'lower(email) = lower(?)',
  timezone: 'timezone = ?',
  behind: BEHIND,
}

const OF_CAMPAIGN = (conditions: string): string => `
  from leads
  where workspace_id = $1
    and campaign_id = $2
    ${conditions}
  order by created_at desc, id desc`

const LIST = filtered(
  3,
  CONDITIONS,
  conditions => `
  select ${COLUMNS}${OF_CAMPAIGN(conditions)}
  limit $3`,
)

/** How many of the newest leads are read one by one, and how many more when the matches so far promise a full page. */
const FIRST_WALK = 300
const SECOND_WALK = 20_000
/** Above this number, lookups by key are slower than reading all leads in order. */
const MOST_LOOKED_UP = 10_000

// The leads with the word, and the last lead that was read, from which the search may continue.
const WALK = filtered(
  5,
  CONDITIONS,
  conditions => `
  select ${COLUMNS}, is_found as "isFound", is_last as "isLast"
  from (
    select *, ${hasWords('walked', '$4')} as is_found,
      row_number() over (order by created_at desc, id desc) is not distinct from $5 as is_last
    from (
      select *${OF_CAMPAIGN(conditions)}
      limit $5::bigint
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
  return db.many<LeadRow>(...LIST([workspaceId, campaignId, page.limit + 1], { ...others, behind: behind(page) }))
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
  const found: LeadRow[] = []
  let given = { ...others, behind: behind(page) }

  /** Whether that is all. */
  const walk = async (most: number | null): Promise<boolean> => {
    const missing = limit - found.length
    const rows = await db.many<LeadRow & { isFound: boolean; isLast: boolean }>(...WALK([workspaceId, campaignId, missing, q, most], given))
    for (const { isFound, isLast, ...lead } of rows) {
      if (isFound) found.push(lead)
      if (isLast) given = { ...others, behind: [lead.createdAt, lead.id] }
    }
    return found.length === limit || !rows.at(-1)?.isLast
  }

  if (await walk(FIRST_WALK)) return found
  if (found.length * (SECOND_WALK / FIRST_WALK) >= limit && (await walk(SECOND_WALK))) return found
  const ids = await findWithWords(db, campaignId, q, MOST_LOOKED_UP + 1)
  if (ids.length > MOST_LOOKED_UP) await walk(null)
  else found.push(...(await db.many<LeadRow>(...LIST_THESE([workspaceId, campaignId, limit - found.length, ids], given))))
  return found
}

// The same statement takes a closed lead out of the queue.
const UPDATE_OUTCOME = sql(`
  update leads
  set status = $2, reached = $3, opportunity_value = $4, meeting_at = $5, updated_at = $6,
    due_at = case when $2 ${among(OPEN_STATUSES)} then due_at end,
    completes_at = case when $2 ${among(OPEN_STATUSES)} then completes_at end
  where id = $1
  returning ${COLUMNS}`)

export async function updateOutcome(
  tx: Tx,
  id: string,
  outcome: Pick<LeadRow, 'status' | 'reached' | 'opportunityValue' | 'meetingAt'>,
  now: Date,
): Promise<LeadRow> {
  return (await tx.first<LeadRow>(UPDATE_OUTCOME, [id, outcome.status, outcome.reached, outcome.opportunityValue, outcome.meetingAt, now]))!
}

const DELETE = sql(`
  delete from leads
  where workspace_id = $1 and campaign_id = $2 and id = $3`)

export const deleteLead = (tx: Tx, workspaceId: string, campaignId: string, id: string): Promise<number> =>
  tx.run(DELETE, [workspaceId, campaignId, id])

const HAS_MAILABLE = sql(`
  select exists (
    select from leads l
    where l.campaign_id = $1 and l.status ${among(OPEN_STATUSES)} and ${isNotSuppressedEach('l')}) as mailable`)

export const hasMailable = async (db: Db, campaignId: string): Promise<boolean> =>
  (await db.first<{ mailable: boolean }>(HAS_MAILABLE, [campaignId]))!.mailable

const LIST_OPEN = sql(`
  select id, campaign_id as "campaignId"
  from leads
  where workspace_id = $1 and lower(email) = lower($2) and status ${among(OPEN_STATUSES)}
  order by id`)

/** The leads of a workspace with this address that are still written to. */
export const listOpenLeads = (db: Db, workspaceId: string, email: string): Promise<Pick<LeadRow, 'id' | 'campaignId'>[]> =>
  db.many(LIST_OPEN, [workspaceId, email])
