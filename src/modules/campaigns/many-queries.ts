import { sql, type Tx } from '../../db/client.ts'
import { listLength } from '../../db/fragments.ts'
import { type CampaignRow, COLUMNS, CONFIGURATION, type Configuration, TOUCH } from './queries.ts'

// Changes of many campaigns at a time.

const LOCK_MANY = sql(`
  select found.*
  from (
    select *
    from jsonb_to_recordset($1::jsonb) as r("workspaceId" uuid, id uuid)
    order by r.id
  ) as asked
  cross join lateral (
    select ${COLUMNS}
    from campaigns
    where workspace_id = asked."workspaceId" and id = asked.id
    limit 1
    for no key update
  ) as found`)

/** Locks in a fixed order, so that two transactions cannot wait for each other. Campaigns that do not exist are left out. */
export async function lockCampaigns(tx: Tx, asked: Pick<CampaignRow, 'workspaceId' | 'id'>[]): Promise<Map<string, CampaignRow>> {
  const keys = asked.map(({ workspaceId, id }) => ({ workspaceId, id }))
  const rows = await tx.many<CampaignRow>(LOCK_MANY, [JSON.stringify(keys)])
  return new Map(rows.map(row => [row.id, row]))
}

const SETTINGS = Object.values(CONFIGURATION)
  .map(column => `${column} = (placed.next).${column}`)
  .join(', ')

// Looks up each row by its key: with a join, PostgreSQL would read the whole table. Fields that are not given stay as they are.
const UPDATE_MANY = sql(`
  with placed as materialized (
    select found.place, jsonb_populate_record(found.campaign, given.value) as next
    from jsonb_array_elements($1::jsonb) as given
    cross join lateral (
      select c.ctid as place, c as campaign
      from campaigns c
      where c.id = (given.value->>'id')::uuid
      limit 1
    ) as found
    limit ${listLength('$1')}
  )
  update campaigns
  set ${TOUCH('$2')}, updating_operation_id = null, ${SETTINGS}
  from placed
  where campaigns.ctid = placed.place
  returning id, updated_at as "updatedAt"`)

/** The campaigns must be locked. Returns when each was changed, as it is stored. */
export async function updateConfigurations(
  tx: Tx,
  changes: { id: string; fields: Partial<Configuration> }[],
  now: Date,
): Promise<Map<string, Date>> {
  if (changes.length === 0) return new Map()
  const given = changes.map(({ id, fields }) => ({
    id,
    ...Object.fromEntries(Object.entries(fields).map(([field, value]) => [CONFIGURATION[field as keyof Configuration], value])),
  }))
  const rows = await tx.many<Pick<CampaignRow, 'id' | 'updatedAt'>>(UPDATE_MANY, [JSON.stringify(given), now])
  return new Map(rows.map(row => [row.id, row.updatedAt]))
}
