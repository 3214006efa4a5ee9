import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Child, freePort, generateLoad, type Line, ms, proportionalMemoryMb, type Stage } from '../lib.ts'

const SETTLE_MS = 3000

/** `npm start` as people have it: one folder, one command, everything in it. */
export async function measureWhole(stage: Stage): Promise<Line[]> {
  const dir = join(await stage.newFolder(), 'overture')
  const first = await boot(stage, dir)
  await first.child.stop()
  const laterMs: number[] = []
  let running = await boot(stage, dir)
  laterMs.push(running.elapsedMs)
  await running.child.stop()
  running = await boot(stage, dir)
  laterMs.push(running.elapsedMs)

  await sleep(SETTLE_MS)
  const atRest = await proportionalMemoryMb([running.child.pid])
  await exercise(dir)
  await sleep(SETTLE_MS)
  const afterLoad = await proportionalMemoryMb([running.child.pid])
  await running.child.stop()

  const megabytes = (value: number | null): string => (value === null ? 'not measured here' : `${Math.round(value)} MB`)
  return [
    { what: 'start with nothing but the dependencies: database made, demo in place', figure: ms(first.elapsedMs), goal: '< 6 s' },
    { what: 'later starts', figure: ms(Math.max(...laterMs)), goal: '< 1.5 s' },
    { what: 'memory of all processes, PostgreSQL included, at rest (PSS)', figure: megabytes(atRest), goal: '300 MB' },
    { what: 'the same after 6 s of load', figure: megabytes(afterLoad), goal: '300 MB' },
  ]
}

async function boot(stage: Stage, dir: string): Promise<{ child: Child; elapsedMs: number }> {
  const port = await freePort()
  const startedAt = performance.now()
  const child = stage.startNode(['scripts/run.mjs', 'start'], {
    OVERTURE_DIR: dir,
    PORT: String(port),
    OVERTURE_RATE_LIMIT: '1000000000',
    OVERTURE_MAX_OPEN_OPERATIONS: '1000000000',
    OVERTURE_LOG_LEVEL: 'warn',
  })
  await child.untilSays('is running at')
  return { child, elapsedMs: performance.now() - startedAt }
}

async function exercise(dir: string): Promise<void> {
  const local = JSON.parse(await readFile(join(dir, 'local.json'), 'utf8')) as { baseUrl: string; workspaceId: string; token: string }
  const headers = { authorization: `Bearer ${local.token}`, 'content-type': 'application/json' }
  const campaigns = `/v1/workspaces/${local.workspaceId}/campaigns`
  const listed = (await (await fetch(local.baseUrl + campaigns, { headers })).json()) as { data: { id: string }[] }
  const paths = listed.data.map(campaign => `${campaigns}/${campaign.id}`)
  const load = { origin: local.baseUrl, connections: 32, headers, durationMs: 3000 }
  await generateLoad({ ...load, method: 'GET', paths })
  await generateLoad({
    ...load,
    method: 'POST',
    paths: paths.map(path => `${path}/duplicate`),
    body: JSON.stringify({ name: 'A copy' }),
    withKeys: true,
  })
}
