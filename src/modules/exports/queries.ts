import { newestFirst } from '../../db/filtered.ts'
import { columnsOf, fieldOf, intArray } from '../../db/fragments.ts'
import { sql, type Tx } from '../../db/sql.ts'
import type { Static } from '../../lib/type.ts'
import type { Export } from './schema.ts'

export interface ExportRow extends Omit<Static<typeof Export>, 'downloadUrl' | 'expiresAt' | 'createdAt' | 'links'> {
  revision: number
  isFixed: boolean
  /** The revision that the file in the object store was made of. */
  fileRevision: number | null
  /** Null when the rows are the only copy, which is so without an object store. */
  objectKey: string | null
  directoryVersion: number | null
  createdAt: Date
  expiresAt: Date | null
}

const COLUMNS =
  columnsOf(`id, workspace_id, operation_id, status, requested_count, revision, is_fixed, file_revision, object_key, lead_count,
  credits_charged, directory_version, created_at, expires_at`)

/** The export of an operation, made when it is not there yet. */
export const ensureExport = sql(`
  with made as (
    insert into exports (id, workspace_id, operation_id, status, requested_count, created_at)
    values ($1, $2, $3, 'building', $4, $5)
    on conflict (operation_id) do nothing
    returning ${COLUMNS}
  )
  select ${COLUMNS}
  from exports
  where operation_id = $3
  union all
  select *
  from made`).one<ExportRow, [exported: { id: string; workspaceId: string; operationId: string; requestedCount: number; now: Date }]>(
  ({ id, workspaceId, operationId, requestedCount, now }) => [id, workspaceId, operationId, requestedCount, now],
)

export const findExport = sql(`
  select ${COLUMNS}
  from exports
  where workspace_id = $1 and id = $2`).first<ExportRow, [workspaceId: string, id: string]>()

export const findExportOfOperation = sql(`
  select ${COLUMNS}
  from exports
  where operation_id = $1`).first<ExportRow, [operationId: string]>()

export const listExports = newestFirst<ExportRow, [workspaceId: string]>(`
  select ${COLUMNS}
  from exports
  where workspace_id = $1`)

export const listUncleared = sql(`
  select id
  from exports
  where workspace_id = $1 and cleared_at is null`).column<string, [workspaceId: string]>()

export const setFile = sql(`
  update exports
  set file_revision = $2, object_key = $3
  where id = $1`).run<[id: string, revision: number, objectKey: string]>()

export const lockExport = sql(`
  select ${COLUMNS}
  from exports
  where id = $1
  for update`).first<ExportRow, [id: string]>()

/** Blocks every lock of the export except shared ones. */
export const shareExport = sql(`
  select from exports
  where id = $1
  for share`).run<[id: string]>()

export const setCompleted = sql(`
  update exports
  set status = 'completed', credits_charged = $2, completed_at = $3, expires_at = $4
  where id = $1
  returning ${COLUMNS}`).one<ExportRow, [id: string, creditsCharged: number, now: Date, expiresAt: Date]>()

export const setFailed = sql(`
  update exports
  set status = 'failed'
  where operation_id = $1 and status = 'building'`).run<[operationId: string]>()

/** Expired and failed exports that still have their rows. */
export const listClearable = sql(`
  select ${COLUMNS}
  from exports
  where cleared_at is null and status <> 'building' and (expires_at is null or expires_at <= $1)
  order by expires_at nulls first
  limit $2`).many<ExportRow, [now: Date, limit: number]>()

const CLEAR = sql(`
  update exports
  set cleared_at = $2, status = case when status = 'completed' then 'expired' else status end
  where id = $1 and cleared_at is null`)

export async function clearExport(tx: Tx, id: string, now: Date): Promise<void> {
  await deleteRows(tx, id)
  await tx.run(CLEAR, [id, now])
}

// ---- the people of an export ----

/** A person who may be in an export: the id and the hash of the address. */
interface ChosenPerson {
  id: number
  emailHash: Buffer
  domainHash: Buffer
}

// Deliverable: people of the operator and of the workspace with a verified address.
const DELIVERABLE = (owner: string): string => `email is not null and not deleted and email_status = 'verified' and owner in (0, ${owner})`
const OWNER_OF = (workspace: string): string => `(select coalesce(owner_number, 0) from workspaces where id = ${workspace})`

// One statement reads and writes the data, so that later changes of a person do not change the export.
// The limit makes PostgreSQL look each person up; its own estimate would make it read the whole directory.
// The hashes are passed as one concatenated value, because tens of thousands of array elements are slow to write and read.
const INSERT_ROWS = sql(`
  insert into export_rows (
    export_id, n, person_id, email_hash, domain_hash, email, first_name, last_name, full_name, job_title, seniority,
    department, company, company_domain, industry, employees, company_size, city, region, country, linkedin_url,
    phone, last_verified_at, is_own
  )
  select $1, chosen.n + $6, p.id, substr($3::bytea, (chosen.n::int - 1) * 32 + 1, 32),
    substr($4::bytea, (chosen.n::int - 1) * 32 + 1, 32), p.email, p.first_name, p.last_name, p.full_name, t.title,
    p.seniority, p.department, c.name, c.domain, c.industry, c.employees, c.size, place.city, place.region,
    place.country, p.linkedin_url, p.phone, p.last_verified_at, p.owner > 0
  from unnest($2::int[]) with ordinality as chosen(person_id, n)
  cross join lateral (
    select *
    from people
    where id = chosen.person_id and ${DELIVERABLE(OWNER_OF('$5'))}
    limit 1
  ) p
  left join titles t on t.id = p.title_id
  left join companies c on c.id = p.company_id
  left join places place on place.id = coalesce(nullif(p.place_id, 0), c.place_id)`)

// PostgreSQL would plan the same again for the first five parts of each connection, and remember companies that hardly any other person of the
// part works for.
const KEEP_PLANS = sql(`
  select set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_memoize', 'off', true)`)

/** Stores people of the export, in order and after row `after`. Returns how many could still be delivered. */
export async function insertRows(tx: Tx, exported: { id: string; workspaceId: string }, chosen: ChosenPerson[], after: number) {
  await tx.run(KEEP_PLANS)
  return tx.run(INSERT_ROWS, [
    exported.id,
    intArray(chosen.map(person => person.id)),
    Buffer.concat(chosen.map(person => person.emailHash)),
    Buffer.concat(chosen.map(person => person.domainHash)),
    exported.workspaceId,
    after,
  ])
}

/** From now on these are the people of the export. */
export const fixRows = sql(`
  update exports
  set is_fixed = true, lead_count = $2, directory_version = $3
  where id = $1`).run<[exportId: string, count: number, directoryVersion: number]>()

// The limit has the same purpose as above.
const FIND_LOST_PEOPLE = sql(`
  select r.n
  from export_rows r
  left join lateral (select id from people where id = r.person_id and ${DELIVERABLE(OWNER_OF('$2'))} limit 1) p on true
  where r.export_id = $1 and p.id is null
  union
  select r.n
  from export_rows r
  cross join lateral (
    select id
    from people
    where not r.is_own and match_key = lower(r.email) and owner = nullif(${OWNER_OF('$2')}, 0)
    limit 1
  ) own
  where r.export_id = $1`)

// The lists are joined, because they are short or have an index that fits.
const FIND_UNWANTED_ROWS = sql(`
  select r.n
  from export_rows r
  join suppressions s on s.workspace_id = $2 and s.kind = 'email' and s.hash = r.email_hash
  where r.export_id = $1
  union
  select r.n
  from export_rows r
  join suppressions s on s.workspace_id = $2 and s.kind = 'domain' and s.hash = r.domain_hash
  where r.export_id = $1
  union
  select r.n
  from export_rows r
  join leads l on l.workspace_id = $2 and lower(l.email) = lower(r.email) and l.status in ('bounced', 'unsubscribed')
  where r.export_id = $1
  union
  select r.n
  from export_rows r
  join workspace_people w on w.workspace_id = $2 and w.email_hash = r.email_hash
  where r.export_id = $1 and $3`)

/**
 * The rows that can no longer be delivered: the conditions of the choice are checked again. While the directory has not changed since
 * the choice, its people need no lookup.
 */
export async function findLostRows(
  tx: Tx,
  exported: { id: string; workspaceId: string },
  { withoutOwned, isSameDirectory }: { withoutOwned: boolean; isSameDirectory: boolean },
): Promise<number[]> {
  const { id, workspaceId } = exported
  const gone = isSameDirectory ? [] : await tx.many<{ n: number }>(FIND_LOST_PEOPLE, [id, workspaceId])
  const unwanted = await tx.many<{ n: number }>(FIND_UNWANTED_ROWS, [id, workspaceId, withoutOwned])
  return [...new Set([...gone, ...unwanted].map(row => row.n))]
}

/** The rows of an export that are about the person with this address. */
export const findRowsOf = sql(`
  select n
  from export_rows
  where export_id = $1 and email_hash = $2`).column<number, [exportId: string, emailHash: Buffer]>()

const DELETE_ROWS = sql(`
  delete from export_rows
  where export_id = $1 and ($2::int[] is null or n = any($2))`)
const REVISE = sql(`
  update exports
  set revision = revision + 1, is_fixed = is_fixed and $2, lead_count = case when is_fixed then lead_count - $3 else 0 end
  where id = $1`)

/** Removes rows. After `all`, and when they were not all chosen yet, the people are chosen again. */
export async function reviseRows(tx: Tx, exportId: string, lost: number[] | 'all'): Promise<void> {
  const count = await tx.run(DELETE_ROWS, [exportId, lost === 'all' ? null : lost])
  await tx.run(REVISE, [exportId, lost !== 'all', count])
}

export interface ExportedPerson {
  n: number
  email: string
  firstName: string | null
  lastName: string | null
  fullName: string | null
  jobTitle: string | null
  company: string | null
  industry: string | null
  city: string | null
  country: string | null
}

export const listPeople = sql(`
  select ${columnsOf('n, email, first_name, last_name, full_name, job_title, company, industry, city, country')}
  from export_rows
  where export_id = $1 and n > $2
  order by n
  limit $3`).many<ExportedPerson, [exportId: string, after: number, limit: number]>()

export async function deleteRows(tx: Tx, exportId: string): Promise<void> {
  await tx.run(DELETE_ROWS, [exportId, null])
}

const FILE_COLUMNS = `email, first_name, last_name, full_name, job_title, seniority, department, company, company_domain, industry, employees,
  company_size, city, region, country, linkedin_url, phone, last_verified_at`
export const FILE_FIELDS = FILE_COLUMNS.split(/,\s+/).map(fieldOf)

interface FileRow {
  n: number
  [field: string]: string | number | Date | null
}

export const listFileRows = sql(`
  select n, ${columnsOf(FILE_COLUMNS)}
  from export_rows
  where export_id = $1 and n > $2
  order by n
  limit $3`).many<FileRow, [exportId: string, after: number, limit: number]>()
