import { type Db, sql } from '../../db/client.ts'

// Everybody whom this workspace must not write to, as far as the directory knows them. What only the keyed hash of a
// suppression recognises is left out later, when the address is at hand.
const LIST_BARRED = sql(`
  select p.id from suppressions s join people p on p.match_key = s.value where s.workspace_id = $1 and s.kind = 'email'
  union
  select p.id from suppressions s join people p on split_part(p.match_key, '@', 2) = s.value and p.email is not null
  where s.workspace_id = $1 and s.kind = 'domain'
  union
  select p.id from leads l join people p on p.match_key = lower(l.email) where l.workspace_id = $1 and l.status in ('bounced', 'unsubscribed')`)

const LIST_OWNED = sql('select person_id as id from workspace_people where workspace_id = $1')

const LIST_IN_CAMPAIGN = sql(`
  select p.id from leads l join people p on p.match_key = lower(l.email) where l.workspace_id = $1 and ($2::uuid is null or l.campaign_id = $2)`)

const LIST_CONTACTED = sql(
  'select p.id from leads l join people p on p.match_key = lower(l.email) where l.workspace_id = $1 and l.email_sent',
)

const LIST_REPLIED = sql(`
  select p.id from leads l join people p on p.match_key = lower(l.email)
  where l.workspace_id = $1 and array_append(l.reached, l.status)
    && array['replied', 'interested', 'not_interested', 'meeting_booked', 'meeting_completed', 'closed']`)

const LIST_CONTACTED_SINCE = sql(`
  select distinct p.id from events e left join leads l on l.id = e.lead_id
  join people p on p.match_key = lower(coalesce(l.email, e.data->>'email'))
  where e.workspace_id = $1 and e.type = 'email.sent' and e.timestamp >= $2`)

const ids = async (db: Db, statement: ReturnType<typeof sql>, values: unknown[]): Promise<number[]> =>
  (await db.many<{ id: number }>(statement, values)).map(row => row.id)

export const listBarred = (db: Db, workspaceId: string): Promise<number[]> => ids(db, LIST_BARRED, [workspaceId])
export const listOwned = (db: Db, workspaceId: string): Promise<number[]> => ids(db, LIST_OWNED, [workspaceId])
export const listContacted = (db: Db, workspaceId: string): Promise<number[]> => ids(db, LIST_CONTACTED, [workspaceId])
export const listReplied = (db: Db, workspaceId: string): Promise<number[]> => ids(db, LIST_REPLIED, [workspaceId])

/** In any campaign of the workspace, or in this one. */
export const listInCampaign = (db: Db, workspaceId: string, campaignId: string | null): Promise<number[]> =>
  ids(db, LIST_IN_CAMPAIGN, [workspaceId, campaignId])

export const listContactedSince = (db: Db, workspaceId: string, since: Date): Promise<number[]> =>
  ids(db, LIST_CONTACTED_SINCE, [workspaceId, since])

// The limit makes PostgreSQL look each one up: by its own count it would rather read the whole directory.
const FIND_ADDRESSES = sql(`
  select p.id, p.email from unnest($1::int[]) as asked(id)
  cross join lateral (select id, email from people where id = asked.id and email_status = 'verified' and not deleted limit 1) p`)

/** Of these people, those whose address is verified right now. */
export async function findAddresses(db: Db, personIds: number[]): Promise<Map<number, string>> {
  const rows = await db.many<{ id: number; email: string }>(FIND_ADDRESSES, [personIds])
  return new Map(rows.map(row => [row.id, row.email]))
}

const HAS_UNWANTED = sql(`
  select exists (select from suppressions where workspace_id = $1) as suppressed,
    exists (select from leads where workspace_id = $1 and status in ('bounced', 'unsubscribed')) as lost`)

/** Whether there is anybody at all whom the workspace must not write to. In most there is not, and nobody need be looked up. */
export async function hasUnwanted(db: Db, workspaceId: string): Promise<{ suppressed: boolean; lost: boolean }> {
  return (await db.first<{ suppressed: boolean; lost: boolean }>(HAS_UNWANTED, [workspaceId]))!
}

const FIND_UNWANTED = sql(`
  select lower(l.email) as email from leads l
  where l.workspace_id = $1 and lower(l.email) = any($2::text[])
    and (l.status in ('bounced', 'unsubscribed') or l.campaign_id = $3)`)

/** Of these addresses, in lower case, those that are lost to the workspace or in the campaign already. */
export async function findUnwanted(db: Db, workspaceId: string, emails: string[], campaignId: string | null): Promise<Set<string>> {
  const rows = await db.many<{ email: string }>(FIND_UNWANTED, [workspaceId, emails, campaignId])
  return new Set(rows.map(row => row.email))
}

const FIND_OWNED_HASHES = sql(`
  select asked.n::int - 1 as n from unnest($2::bytea[]) with ordinality as asked(hash, n)
  join workspace_people w on w.workspace_id = $1 and w.email_hash = asked.hash`)

/** The positions, in what was asked, of addresses that the workspace has bought before. */
export async function findOwnedHashes(db: Db, workspaceId: string, hashes: Buffer[]): Promise<Set<number>> {
  const rows = await db.many<{ n: number }>(FIND_OWNED_HASHES, [workspaceId, hashes])
  return new Set(rows.map(row => row.n))
}
