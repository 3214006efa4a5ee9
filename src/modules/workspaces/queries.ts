import { type Db, sql, type Tx } from '../../db/client.ts'
import type { Page } from '../../lib/page.ts'

export interface WorkspaceRow {
  id: string
  name: string
  createdAt: Date
  updatedAt: Date
}

const COLUMNS = 'w.id, w.name, w.created_at as "createdAt", w.updated_at as "updatedAt"'

const FIND = sql(`select ${COLUMNS} from workspaces w where id = $1`)

export const findWorkspace = (db: Db, id: string): Promise<WorkspaceRow | undefined> => db.first<WorkspaceRow>(FIND, [id])

const LIST = sql(`
  select ${COLUMNS} from workspaces w
  where (w.id = $1 or w.id in (select workspace_id from memberships where user_id = $2))
    and ($3::timestamptz is null or (w.created_at, w.id) < ($3, $4::uuid))
  order by w.created_at desc, w.id desc limit $5`)

export const listWorkspaces = (db: Db, reach: { workspaceId: string | null; userId: string | null }, page: Page): Promise<WorkspaceRow[]> =>
  db.many<WorkspaceRow>(LIST, [reach.workspaceId, reach.userId, page.after?.at, page.after?.id, page.limit + 1])

const INSERT = sql(`
  with w as (insert into workspaces (id, name, created_at, updated_at) values ($1, $2, $3, $3) returning *),
    stream as (insert into event_streams (workspace_id) select id from w)
  select ${COLUMNS} from w`)

export async function insertWorkspace(tx: Tx, id: string, name: string, now: Date): Promise<WorkspaceRow> {
  return (await tx.first<WorkspaceRow>(INSERT, [id, name, now]))!
}

const UPDATE = sql(
  `update workspaces w set name = $2, updated_at = greatest($3, w.updated_at + interval '1 millisecond') where id = $1 returning ${COLUMNS}`,
)

export const updateWorkspace = (tx: Tx, id: string, name: string, now: Date): Promise<WorkspaceRow | undefined> =>
  tx.first<WorkspaceRow>(UPDATE, [id, name, now])

// Whoever is second waits here until the first has committed, and then counts its workspace too.
const LOCK_USER = sql('select from users where id = $1 for no key update')
const COUNT = sql('select count(*)::int as count from memberships where user_id = $1')

export async function countWorkspacesLocked(tx: Tx, userId: string): Promise<number> {
  await tx.run(LOCK_USER, [userId])
  return (await tx.first<{ count: number }>(COUNT, [userId]))!.count
}

const JOIN = sql('insert into memberships (user_id, workspace_id) values ($1, $2) on conflict do nothing')

export async function insertMembership(tx: Tx, userId: string, workspaceId: string): Promise<void> {
  await tx.run(JOIN, [userId, workspaceId])
}

const UPSERT_USER = sql(`
  insert into users (id, name, email) values ($1, $2, $3)
  on conflict (email) do update set name = users.name returning id`)

export async function upsertUser(tx: Tx, user: { id: string; name: string; email: string }): Promise<string> {
  return (await tx.first<{ id: string }>(UPSERT_USER, [user.id, user.name, user.email]))!.id
}

const FIRST_OF_USER = sql(`
  select ${COLUMNS} from workspaces w join memberships m on m.workspace_id = w.id where m.user_id = $1 order by w.created_at limit 1`)

export const findFirstWorkspace = (db: Db, userId: string): Promise<WorkspaceRow | undefined> =>
  db.first<WorkspaceRow>(FIRST_OF_USER, [userId])
