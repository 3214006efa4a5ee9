import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { full, seed } from '../full.ts'
import { Client } from '../harness.ts'
import { eventually } from './eventually.ts'
import { freePort, makeFolder, placesOf, postgresProcesses, overture as run, tryKill } from './processes.ts'
import { Random } from './random.ts'

const random = new Random(seed)

// test/journeys/start.test.ts is the short one: a first start that was killed once, and a second start that is refused.
describe('a first start that is killed with -9', () => {
  it('at any moment leaves nothing that prevents a later start', full, async () => {
    const folder = await makeFolder()
    const env = { OVERTURE_DIR: folder, PORT: '0', OVERTURE_DEMO_PEOPLE: '300' }
    // Later and later: while initdb runs, while the server comes up, while tables are made, while the demo is written.
    for (const signs of [/./, 'data.new', 'PG_VERSION', 'secret.key', 'local.json'] as const) {
      const program = run(['start'], env)
      const isThere = async () =>
        typeof signs === 'string'
          ? (await placesOf(folder)).some(place => existsSync(join(place, signs)) || existsSync(join(place, 'data', signs)))
          : true
      const ended = program.exited.then(() => assert.fail(`it ended by itself:\n${program.output}`))
      await Promise.race([eventually(`${signs} is there`, isThere), ended])
      await sleep(random.next() * 300)
      await program.end('SIGKILL')
      if (random.next() < 0.5) for (const pid of await postgresProcesses(folder)) tryKill(pid, 'SIGKILL')
    }
    const program = run(['start'], env)
    await program.says(/is running at/)
    const local = JSON.parse(await readFile(join(folder, 'local.json'), 'utf8'))
    const client = new Client(local.baseUrl, local.token)
    assert.deepEqual(
      (await client.get('/v1/workspaces')).body.data.map((workspace: { id: string }) => workspace.id),
      [local.workspaceId],
    )
    assert.ok((await client.get(`/v1/workspaces/${local.workspaceId}/campaigns`)).body.data.length >= 3)
    assert.equal((await client.get(`/v1/workspaces/${local.workspaceId}/credits`)).body.data.available, 10_000)
    await program.end('SIGINT')
    assert.deepEqual(await postgresProcesses(folder), [])
  })
})

describe('simultaneous starts in one folder', () => {
  it('leave one running, and the others name it and exit with 1', full, async () => {
    const folder = await makeFolder()
    for (let round = 0; round < 3; round++) {
      // A given port, because the others name the address of the first one, which may not be listening yet.
      const port = await freePort()
      const env = { OVERTURE_DIR: folder, PORT: `${port}`, OVERTURE_DEMO_PEOPLE: '300' }
      const more: Record<string, string> = round === 1 ? { OVERTURE_BASE_URL: 'https://outreach.example.com' } : {}
      const starts = Array.from({ length: 3 }, () => run(['start'], { ...env, ...more }))
      const ends = await Promise.all(
        starts.map(program =>
          Promise.race([
            program.exited,
            program.says(/is running at/).then(
              () => 'runs',
              () => program.exited,
            ),
          ]),
        ),
      )
      assert.deepEqual(ends.toSorted(), [1, 1, 'runs'], starts.map(program => program.output).join('\n---\n'))
      const winner = starts[ends.indexOf('runs')]!
      for (const loser of starts.filter(program => program !== winner)) {
        assert.match(loser.output, new RegExp(`already running on .*process ${winner.pid}, at http://127\\.0\\.0\\.1:${port}`))
      }
      const { token, workspaceId } = JSON.parse(await readFile(join(folder, 'local.json'), 'utf8'))
      assert.equal((await new Client(`http://127.0.0.1:${port}`, token).get(`/v1/workspaces/${workspaceId}`)).status, 200)
      // The kernel releases the lock, and running.json names a process that is gone.
      await winner.end(round === 0 ? 'SIGKILL' : 'SIGTERM')
    }
    assert.deepEqual(await postgresProcesses(folder), [])
  })
})
