import { Database } from '../../src/db/client.ts'
import { sql } from '../../src/db/sql.ts'
import { issueToken } from '../../src/modules/tokens/tokens.ts'
import { ensureUser } from '../../src/modules/workspaces/workspaces.ts'

export const CAMPAIGNS = 2000
/** All seeded campaigns were last changed at this moment, so that every request can send the right `if-match`. */
export const SEEDED_AT = '2026-01-01T00:00:00.000Z'

/** Predictable, so that pgbench can make them up too. */
export const campaignId = (number: number): string => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`

export interface Seed {
  databaseUrl: string
  workspaceId: string
  token: string
  headers: Record<string, string>
}

const INSERT_CAMPAIGNS = sql(`
  insert into campaigns (id, workspace_id, name, niche, location, job_title, days_of_week, window_start, window_end, timezone, created_at, updated_at)
  select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $1, 'Campaign ' || n, 'Logistics software', 'Berlin', 'Head of Operations',
    array['monday', 'tuesday', 'wednesday', 'thursday', 'friday'], '09:00', '17:00', 'Europe/Berlin', $2, $2
  from generate_series(1, $3) as n`)

export async function seed(databaseUrl: string): Promise<Seed> {
  const db = new Database({ url: databaseUrl, poolSize: 1, onWake: () => {} })
  try {
    return await db.inTransaction(async tx => {
      const now = new Date()
      const { userId, workspace } = await ensureUser(tx, { name: 'Bench', email: 'bench@overture.example', workspaceName: 'Bench' }, now)
      const issued = await issueToken(
        tx,
        { kind: 'personal', userId, workspaceId: null, name: 'bench', scopes: ['*'], expiresAt: null },
        now,
      )
      await tx.run(INSERT_CAMPAIGNS, [workspace.id, SEEDED_AT, CAMPAIGNS])
      const headers = { authorization: `Bearer ${issued.token}`, 'content-type': 'application/json' }
      return { databaseUrl, workspaceId: workspace.id, token: issued.token, headers }
    })
  } finally {
    await db.close()
  }
}

export const campaignPaths = (workspaceId: string, suffix = ''): string[] =>
  Array.from({ length: CAMPAIGNS }, (_, index) => `/v1/workspaces/${workspaceId}/campaigns/${campaignId(index + 1)}${suffix}`)
