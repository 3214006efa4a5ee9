import { sql, type Tx } from './client.ts'

// The second transaction waits here until the first has committed, and then sees what it has stored. That makes a limit, or one of
// a kind, hold for requests that come at the same time. Rows that refer to the locked one can still be written.

const WORKSPACE = sql(`
  select from workspaces
  where id = $1
  for no key update`)

export const lockWorkspace = (tx: Tx, workspaceId: string): Promise<number> => tx.run(WORKSPACE, [workspaceId])

const USER = sql(`
  select from users
  where id = $1
  for no key update`)

export const lockUser = (tx: Tx, userId: string): Promise<number> => tx.run(USER, [userId])
