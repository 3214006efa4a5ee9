import { type Db, sql, type Tx } from '../../db/client.ts'
import type { Page } from '../../lib/page.ts'
import type { Role } from '../../lib/roles.ts'

export interface MemberRow {
  userId: string
  name: string
  email: string
  /** Whether the address is known to be theirs. */
  isProved: boolean
  role: Role
  joinedAt: Date
}

const COLUMNS = 'u.id as "userId", u.name, u.email, u.is_proved as "isProved", m.role, m.joined_at as "joinedAt"'

const FIND = sql(`
  select ${COLUMNS}
  from memberships m
  join users u on u.id = m.user_id
  where m.workspace_id = $1 and m.user_id = $2`)

export const findMember = (db: Db, workspaceId: string, userId: string): Promise<MemberRow | undefined> =>
  db.first<MemberRow>(FIND, [workspaceId, userId])

const LIST = sql(`
  select ${COLUMNS}
  from memberships m
  join users u on u.id = m.user_id
  where m.workspace_id = $1
    and ($2::timestamptz is null or (m.joined_at, m.user_id) < ($2, $3::uuid))
  order by m.joined_at desc, m.user_id desc
  limit $4`)

export const listMembers = (db: Db, workspaceId: string, page: Page): Promise<MemberRow[]> =>
  db.many<MemberRow>(LIST, [workspaceId, page.after?.at ?? null, page.after?.id ?? null, page.limit + 1])

const HAS_MEMBER_WITH_EMAIL = sql(`
  select exists (
    select from memberships m
    join users u on u.id = m.user_id
    where m.workspace_id = $1 and u.email = $2
  ) as found`)

export const hasMemberWithEmail = async (db: Db, workspaceId: string, email: string): Promise<boolean> =>
  (await db.first<{ found: boolean }>(HAS_MEMBER_WITH_EMAIL, [workspaceId, email]))!.found

export interface UserRow {
  id: string
  name: string
  email: string
  isProved: boolean
  createsWorkspaces: boolean
}

const USER = 'id, name, email, is_proved as "isProved", creates_workspaces as "createsWorkspaces"'

const FIND_BY_EMAIL = sql(`
  select ${USER}
  from users
  where email = $1 and is_proved`)

/** The account with this address. People who only named the address, when they accepted an invitation, are not found. */
export const findUserByEmail = (db: Db, email: string): Promise<UserRow | undefined> => db.first<UserRow>(FIND_BY_EMAIL, [email])

const FIND_USER = sql(`
  select ${USER}
  from users
  where id = $1`)

export const findUser = (db: Db, id: string): Promise<UserRow | undefined> => db.first<UserRow>(FIND_USER, [id])

const INSERT_USER = sql(`
  insert into users (id, name, email, is_proved, creates_workspaces)
  values ($1, $2, $3, $4, $5)
  on conflict do nothing`)

/** False: there is already an account with this address. */
export const insertUser = async (tx: Tx, user: UserRow): Promise<boolean> =>
  (await tx.run(INSERT_USER, [user.id, user.name, user.email, user.isProved, user.createsWorkspaces])) === 1

const ALLOW_WORKSPACES = sql(`
  update users
  set creates_workspaces = true
  where id = $1`)

/** From now on the person may create workspaces. */
export async function allowWorkspaces(tx: Tx, userId: string): Promise<void> {
  await tx.run(ALLOW_WORKSPACES, [userId])
}

const INSERT = sql(`
  insert into memberships (user_id, workspace_id, role, joined_at)
  values ($1, $2, $3, $4)
  on conflict do nothing`)

/** False: the person is in the workspace already, and keeps the role. */
export const insertMembership = async (tx: Tx, userId: string, workspaceId: string, role: Role, now: Date): Promise<boolean> =>
  (await tx.run(INSERT, [userId, workspaceId, role, now])) === 1

const SET_ROLE = sql(`
  update memberships
  set role = $3
  where workspace_id = $1 and user_id = $2`)

export async function updateRole(tx: Tx, workspaceId: string, userId: string, role: Role): Promise<void> {
  await tx.run(SET_ROLE, [workspaceId, userId, role])
}

const DELETE = sql(`
  delete from memberships
  where workspace_id = $1 and user_id = $2`)

export async function deleteMembership(tx: Tx, workspaceId: string, userId: string): Promise<void> {
  await tx.run(DELETE, [workspaceId, userId])
}

const COUNT_OWNERS = sql(`
  select count(*)::int as count
  from memberships
  where workspace_id = $1 and role = 'owner'`)

export const countOwners = async (db: Db, workspaceId: string): Promise<number> =>
  (await db.first<{ count: number }>(COUNT_OWNERS, [workspaceId]))!.count

const IN_ANY = sql('select exists (select from memberships where user_id = $1) as "isIn"')

export const isInAnyWorkspace = async (db: Db, userId: string): Promise<boolean> =>
  (await db.first<{ isIn: boolean }>(IN_ANY, [userId]))!.isIn
