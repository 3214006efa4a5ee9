import { newestFirst } from '../../db/filtered.ts'
import { columnsOf } from '../../db/fragments.ts'
import { sql, type Tx } from '../../db/sql.ts'
import type { Page } from '../../lib/page.ts'
import { valuesOf } from '../../lib/pick.ts'
import type { Role } from '../../lib/roles.ts'
import type { ContactOverrides, DomainHealthRule, OptOutLines } from './schema.ts'

export interface WorkspaceRow {
  id: string
  name: string
  contactRules: ContactOverrides
  domainHealth: DomainHealthRule
  optOutLines: OptOutLines
  createdAt: Date
  updatedAt: Date
}

const COLUMNS = columnsOf('id, name, contact_rules, domain_health, opt_out_lines, created_at, updated_at', 'w')

const FIND = `
  select ${COLUMNS}
  from workspaces w
  where w.id = $1`
export const findWorkspace = sql(FIND).first<WorkspaceRow, [id: string]>()
export const findWorkspaceLocked = sql(`${FIND} for no key update`).first<WorkspaceRow, [id: string]>()

/** Whether one of these mailboxes, or any when none are named, reaches real recipients. */
export const hasRealMailbox = sql(`
  select exists (
    select from providers
    where workspace_id = $1
      and ($2::uuid[] is null or id = any($2))
      and kind <> 'sandbox'
  ) as found`).value<boolean, [workspaceId: string, ids: string[] | null]>()

/** The workspace of an organization's key, or those of a user. */
export const listWorkspaces = newestFirst<WorkspaceRow, [workspaceId: string | null, userId: string | null]>(`
  select ${COLUMNS}
  from workspaces w
  where (w.id = $1 or w.id in (select workspace_id from memberships where user_id = $2))`)

export const insertWorkspace = sql(`
  insert into workspaces as w (id, name, created_at, updated_at)
  values ($1, $2, $3, $3)
  returning ${COLUMNS}`).one<WorkspaceRow, [id: string, name: string, now: Date]>()

export const listWorkspaceIds = sql(`
  select id
  from workspaces
  order by id`).column<string>()

export const updateWorkspace = sql(`
  update workspaces w
  set name = $2, updated_at = greatest($3, w.updated_at + interval '1 millisecond')
  where w.id = $1
  returning ${COLUMNS}`).first<WorkspaceRow, [id: string, name: string, now: Date]>()

type Settings = Pick<WorkspaceRow, 'contactRules' | 'domainHealth' | 'optOutLines'>

export const updateSettings = sql(`
  update workspaces w
  set contact_rules = $2, domain_health = $3, opt_out_lines = $4, updated_at = greatest($5, w.updated_at + interval '1 millisecond')
  where w.id = $1
  returning ${COLUMNS}`).one<WorkspaceRow, [id: string, settings: Settings, now: Date]>((id, row, now) => {
  const { contactRules, domainHealth, optOutLines } = row
  return [id, JSON.stringify(contactRules), domainHealth, JSON.stringify(optOutLines), now]
})

// The second transaction waits here until the first has committed, and then sees what it has stored. That makes a limit, or one of
// a kind, hold for requests that come at the same time. Rows that refer to the locked one can still be written.
export const lockWorkspace = sql(`
  select from workspaces
  where id = $1
  for no key update`).run<[workspaceId: string]>()

const lockUser = sql(`
  select from users
  where id = $1
  for no key update`).run<[userId: string]>()

/** Counts rows of an owner and leaves the owner locked, so that the count holds until the end of the transaction. */
export function countLocked(lock: typeof lockWorkspace, rows: string) {
  const count = sql(`select count(*)::int as count from ${rows} = $1`).value<number, [ownerId: string]>()
  return async (tx: Tx, ownerId: string): Promise<number> => {
    await lock(tx, ownerId)
    return count(tx, ownerId)
  }
}

export const countWorkspacesLocked = countLocked(lockUser, 'memberships where user_id')

/** The account of a person whom the operator names. */
export const upsertUser = sql(`
  insert into users (id, name, email, is_proved, creates_workspaces)
  values ($1, $2, $3, true, $4)
  on conflict (email) where is_proved do update
  set name = users.name
  returning id`).value<string, [user: Omit<UserRow, 'isProved'>]>(user => valuesOf(user, 'id', 'name', 'email', 'createsWorkspaces'))

export const findFirstWorkspace = sql(`
  select ${COLUMNS}
  from workspaces w
  join memberships m on m.workspace_id = w.id
  where m.user_id = $1
  order by w.created_at
  limit 1`).first<WorkspaceRow, [userId: string]>()

/** The user's oldest workspace with this name. */
export const findWorkspaceOfUser = sql(`
  select ${COLUMNS}
  from workspaces w
  join memberships m on m.workspace_id = w.id
  where m.user_id = $1 and lower(w.name) = lower($2)
  order by w.created_at, w.id
  limit 1`).first<WorkspaceRow, [userId: string, name: string]>()

export const listWorkspacesByName = sql(`
  select ${COLUMNS}
  from workspaces w
  where lower(w.name) = lower($1)
  order by w.created_at, w.id
  limit 10`).many<WorkspaceRow, [name: string]>()

/** The number of a workspace as an owner of people; 0 until it imports people. */
export const findOwner = sql(`
  select coalesce((select owner_number from workspaces where id = $1), 0) as owner`).value<number, [workspaceId: string]>()

const NUMBER_OWNER = sql(`
  update workspaces
  set owner_number = (select coalesce(max(owner_number), 0) + 1 from workspaces)
  where id = $1 and owner_number is null`)

/** The same, assigned at the first import. The directory must be locked. */
export async function ensureOwner(tx: Tx, workspaceId: string): Promise<number> {
  await tx.run(NUMBER_OWNER, [workspaceId])
  return findOwner(tx, workspaceId)
}

/** The workspace of a workspace key, or the first one of a user with their role: for requests that belong to no workspace. */
export const findHome = sql(`
  select w.id, m.role
  from workspaces w
  left join memberships m on m.workspace_id = w.id and m.user_id = $2
  where w.id = $1 or m.user_id is not null
  order by w.created_at, w.id
  limit 1`).first<{ id: string; role: Role | null }, [reach: { workspaceId: string | null; userId: string | null }]>(reach => [
  reach.workspaceId,
  reach.userId,
])

export interface MemberRow {
  userId: string
  name: string
  email: string
  /** Whether the address is known to be theirs. */
  isProved: boolean
  role: Role
  joinedAt: Date
}

const MEMBER_COLUMNS = 'u.id as "userId", u.name, u.email, u.is_proved as "isProved", m.role, m.joined_at as "joinedAt"'

export const findMember = sql(`
  select ${MEMBER_COLUMNS}
  from memberships m
  join users u on u.id = m.user_id
  where m.workspace_id = $1 and m.user_id = $2`).first<MemberRow, [workspaceId: string, userId: string]>()

export const listMembers = sql(`
  select ${MEMBER_COLUMNS}
  from memberships m
  join users u on u.id = m.user_id
  where m.workspace_id = $1
    and ($2::timestamptz is null or (m.joined_at, m.user_id) < ($2, $3::uuid))
  order by m.joined_at desc, m.user_id desc
  limit $4`).many<MemberRow, [workspaceId: string, page: Page]>((workspaceId, page) => [
  workspaceId,
  page.after?.at,
  page.after?.id,
  page.limit + 1,
])

export const hasMemberWithEmail = sql(`
  select exists (
    select from memberships m
    join users u on u.id = m.user_id
    where m.workspace_id = $1 and u.email = $2
  ) as found`).value<boolean, [workspaceId: string, email: string]>()

export interface UserRow {
  id: string
  name: string
  email: string
  isProved: boolean
  createsWorkspaces: boolean
}

const USER = 'id, name, email, is_proved as "isProved", creates_workspaces as "createsWorkspaces"'

/** The account with this address. People who only named the address, when they accepted an invitation, are not found. */
export const findUserByEmail = sql(`
  select ${USER}
  from users
  where email = $1 and is_proved`).first<UserRow, [email: string]>()

export const findUser = sql(`
  select ${USER}
  from users
  where id = $1`).first<UserRow, [id: string]>()

/** False: there is already an account with this address. */
export const insertUser = sql(`
  insert into users (id, name, email, is_proved, creates_workspaces)
  values ($1, $2, $3, $4, $5)
  on conflict do nothing`).any((user: UserRow) => valuesOf(user, 'id', 'name', 'email', 'isProved', 'createsWorkspaces'))

/** From now on the person may create workspaces. */
export const allowWorkspaces = sql(`
  update users
  set creates_workspaces = true
  where id = $1`).run<[userId: string]>()

/** False: the person is in the workspace already, and keeps the role. */
export const insertMembership = sql(`
  insert into memberships (user_id, workspace_id, role, joined_at)
  values ($1, $2, $3, $4)
  on conflict do nothing`).any<[userId: string, workspaceId: string, role: Role, now: Date]>()

export const updateRole = sql(`
  update memberships
  set role = $3
  where workspace_id = $1 and user_id = $2`).run<[workspaceId: string, userId: string, role: Role]>()

export const deleteMembership = sql(`
  delete from memberships
  where workspace_id = $1 and user_id = $2`).run<[workspaceId: string, userId: string]>()

export const countOwners = sql(`
  select count(*)::int as count
  from memberships
  where workspace_id = $1 and role = 'owner'`).value<number, [workspaceId: string]>()

export const isInAnyWorkspace = sql('select exists (select from memberships where user_id = $1) as found').value<
  boolean,
  [userId: string]
>()
