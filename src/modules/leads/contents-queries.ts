import { type Db, sql, type Tx } from '../../db/client.ts'
import { filtered } from '../../db/filtered.ts'
import { isNotSuppressed, mentions } from '../../db/fragments.ts'
import { type LeadRow, leadColumns, type NewLeadRow, setContents } from './queries.ts'
import { wordsOf } from './word-queries.ts'

// The data about the person, which users may change, and the effects of a change on the queue.

export type Contents = Pick<LeadRow, 'firstName' | 'lastName' | 'fullName' | 'company' | 'jobTitle' | 'timezone' | 'variables'>

/** When the time zone of a lead changes, it waits for another window: it is checked again at once. */
const dueInZone = (lead: string, timezone: string, now: string): string => `case
      when ${lead}.hold_reason = 'waiting_window' and ${lead}.timezone is distinct from ${timezone} then least(${lead}.due_at, ${now})
      else ${lead}.due_at
    end`

const UPDATE = sql(`
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
  returning ${leadColumns()}`)

export async function updateContents(tx: Tx, id: string, contents: Contents, now: Date): Promise<LeadRow> {
  const { firstName, lastName, fullName, company, jobTitle, timezone, variables } = contents
  const values = [id, firstName, lastName, fullName, company, jobTitle, timezone, JSON.stringify(variables), now]
  return (await tx.first<LeadRow>(UPDATE, values))!
}

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

const LIST_NAMES = sql(`
  select lower(email) as address, array(select jsonb_object_keys(variables)) as names
  from leads
  where workspace_id = $1
    and campaign_id = $2
    and lower(email) = any($3::text[])`)

/** The names of the variables of leads, by their addresses in lower case. */
export const listVariableNames = (
  db: Db,
  workspaceId: string,
  campaignId: string,
  addresses: string[],
): Promise<{ address: string; names: string[] }[]> => db.many(LIST_NAMES, [workspaceId, campaignId, addresses])

const FIND_VARIABLES = sql(`
  select id, variables
  from leads
  where campaign_id = $1 and ${mentions('variables::text', '$2')}`)

export const findVariableMentions = (
  db: Db,
  campaignId: string,
  address: string,
): Promise<{ id: string; variables: Record<string, string> }[]> => db.many(FIND_VARIABLES, [campaignId, address])

const UPDATE_VARIABLES = sql(`
  update leads
  set ${setContents({ variables: '$2' })}
  where id = $1`)

export const updateVariables = (tx: Tx, id: string, variables: Record<string, string>): Promise<number> =>
  tx.run(UPDATE_VARIABLES, [id, JSON.stringify(variables)])

interface LeadProgress {
  nextStep: number
  sequenceVersion: number | null
  holdReason: string | null
  lastSentAt: Date | null
  /** A message of the next step is leaving, or may have left. */
  isUnderWay: boolean
}

const FIND_PROGRESS = sql(`
  select l.next_step as "nextStep", l.sequence_version as "sequenceVersion", l.hold_reason as "holdReason",
    (select max(s.sent_at) from sends s where s.lead_id = l.id and s.status = 'sent') as "lastSentAt",
    exists (
      select from sends s
      where s.lead_id = l.id and s.step = l.next_step and s.status in ('claimed', 'sending', 'unknown')) as "isUnderWay"
  from leads l
  where l.id = $1`)

export const findProgress = (db: Db, id: string): Promise<LeadProgress | undefined> => db.first<LeadProgress>(FIND_PROGRESS, [id])

// A lead without messages begins with the current sequence, because the version that it was skipped for may have been corrected.
const UPDATE_QUEUE = sql(`
  update leads
  set due_at = $2,
    completes_at = $3,
    sequence_version = case when next_step = 0 and not email_sent then null else sequence_version end,
    hold_reason = null,
    hold_until = null,
    hold_detail = null
  where id = $1`)

/** Sets the due time of the lead and removes its hold. */
export const updateQueue = (tx: Tx, id: string, queue: { dueAt: Date | null; completesAt: Date | null }): Promise<number> =>
  tx.run(UPDATE_QUEUE, [id, queue.dueAt, queue.completesAt])

// ---- many at a time ----

const LIST_IDS = filtered(
  3,
  { ids: 'id = any(?::uuid[])', status: 'status = ?', email: 'lower(email) = lower(?)', after: 'id > ?::uuid' },
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
  filter: { ids?: string[]; status?: string | undefined; email?: string | undefined },
  after: string | null,
  limit: number,
): Promise<string[]> {
  const { ids, status, email } = filter
  const given = { ids: ids && [ids], status, email, after }
  const rows = await db.many<{ id: string }>(...LIST_IDS([place.workspaceId, place.campaignId, limit], given))
  return rows.map(row => row.id)
}

const DELETE_MANY = sql(`
  delete from leads
  where workspace_id = $1
    and campaign_id = $2
    and id = any($3::uuid[])`)

export const deleteLeads = (tx: Tx, workspaceId: string, campaignId: string, ids: string[]): Promise<number> =>
  tx.run(DELETE_MANY, [workspaceId, campaignId, ids])

// A lead starts again in the other campaign, so it is a new row there; its messages stay with the old row.
const MOVE = sql(`
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
    and lower(l.email) = moved.address`)

interface LeadMove {
  workspaceId: string
  from: string
  to: string
  /** Old and new ids. */
  ids: [string, string][]
}

/** How many leads were moved. Leads that have answered, are suppressed or are already there are not moved. */
export const moveLeads = (tx: Tx, { workspaceId, from, to, ids }: LeadMove, now: Date): Promise<number> =>
  tx.run(MOVE, [workspaceId, from, to, ids.map(([id]) => id), ids.map(([, newId]) => newId), now])
