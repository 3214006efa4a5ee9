import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import pg from 'pg'
import { createTestDatabase } from '../../test/harness.ts'
import { ask } from './questions.ts'

const ROWS = `select n, repeat('x', 900) || n as text from generate_series(1, 100) as n`
const ANSWERS = 100
const ROUNDS = 5
const BYTES_OF_ALL = ANSWERS * 100 * 900

describe('a query', () => {
  let url: string
  let client: pg.Client

  before(async () => {
    url = await createTestDatabase()
    client = new pg.Client({ connectionString: url })
    await client.connect()
  })
  after(() => client.end())

  it('leaves no unreferenced rows in the old heap', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as NodeJS.GCFunction
    const oldBytes = (): number => getHeapSpaceStatistics().find(space => space.space_name === 'old_space')!.space_used_size
    await ask(client, ROWS)
    // A collection that comes at a bad moment makes rows old, and what is old keeps the next ones. A query that leaves rows does so each time.
    let becameOld = Number.POSITIVE_INFINITY
    for (let round = 0; round < ROUNDS && becameOld > BYTES_OF_ALL / 4; round++) {
      collect()
      const before = oldBytes()
      for (let n = 0; n < ANSWERS; n++) {
        assert.equal((await ask(client, ROWS)).rowCount, 100)
        // The stack that brought the response is gone in the next turn. What survives two collections counts as old.
        await nextTurn()
        collect({ type: 'minor' })
        collect({ type: 'minor' })
      }
      becameOld = oldBytes() - before
    }
    assert.ok(becameOld < BYTES_OF_ALL / 4, `${becameOld} bytes of ${BYTES_OF_ALL} became old`)
  })

  it('that fails names its caller', async () => {
    const askWrongly = async (): Promise<unknown> => await ask(client, 'select 1 / 0')
    await assert.rejects(askWrongly(), (error: Error & { code: string }) => error.code === '22012' && /askWrongly/.test(error.stack!))
  })

  it('without a response in time fails, and ends its connection', async t => {
    const silent = new pg.Client({ connectionString: url })
    await silent.connect()
    silent.on('error', () => {})
    const ended = new Promise<void>(resolve => silent.once('end', () => resolve()))
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const answer = ask(silent, 'select pg_sleep(60)')
    t.mock.timers.tick(20_000)
    await assert.rejects(answer, /Query read timeout/)
    await ended
  })
})
