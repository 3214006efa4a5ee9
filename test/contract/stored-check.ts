import type pg from 'pg'
import { problemsWith } from './openapi-check.ts'

const ID = '0197b1c2-4f6a-7000-8000-000000000001'
const AT = '2026-03-02T08:00:00.000Z'
const ACTOR = { type: 'system', id: null, name: 'Overture' }
const LINKS = { self: 'https://overture.example/' }

// A few of each kind say as much as all of them.
const OPERATIONS = `
  select action, status, result, error
  from (
    select *, row_number() over (partition by action, status order by seq desc) as place
    from operations
  ) as numbered
  where place <= 100`
const EVENTS = `
  select type, data
  from (
    select *, row_number() over (partition by type order by seq desc) as place
    from events
  ) as numbered
  where place <= 100`

const MISSHAPEN = `
  select id, shape
  from leads
  where shape <> lead_shape(first_name, last_name, full_name, company, job_title, variables)
  limit 10`

/** The shape of a lead must match its contents, whichever statement wrote them, because readiness relies on it. */
export async function assertShapedRightly(client: pg.Client | pg.Pool): Promise<void> {
  const { rows } = await client.query({ name: 'misshapen', text: MISSHAPEN })
  if (rows.length > 0) throw new Error(`leads have wrong shapes: ${JSON.stringify(rows)}`)
}

/** Every result and event in the database of a test must match the OpenAPI document. */
export async function assertStoredAsDescribed(client: pg.Client): Promise<void> {
  for (const row of (await client.query({ name: 'operations', text: OPERATIONS })).rows) {
    const operation = { ...row, id: ID, actor: ACTOR, createdAt: AT, startedAt: null, completedAt: null, links: LINKS }
    const problems = problemsWith('Operation', operation)
    if (problems) throw new Error(`a stored operation is not as described: ${problems}\n${JSON.stringify(row, null, 2)}`)
  }
  for (const row of (await client.query({ name: 'events', text: EVENTS })).rows) {
    const problems = problemsWith('Event', { ...row, id: ID, seq: 1, timestamp: AT, workspaceId: ID, links: LINKS })
    if (problems) throw new Error(`a stored event is not as described: ${problems}\n${JSON.stringify(row, null, 2)}`)
  }
  await assertShapedRightly(client)
}
