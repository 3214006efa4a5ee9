import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTestDatabase } from '../../test/harness.ts'
import { Database } from './client.ts'
import { Pulse } from './pulse.ts'
import { sql } from './sql.ts'

// The limits themselves are tested here.
process.env.OVERTURE_TEST_PATIENCE = '1'

/** Longer than a connection may take. */
const BUSY_MS = 2_000

/** Keeps this process from doing anything else, as loading much code on a full machine does. */
const beBusy = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_MS)

describe('a process that was busy while it connected', () => {
  let url: string

  before(async () => {
    url = await createTestDatabase()
  })

  it('does not consider the database dead: its requests succeed', async t => {
    const db = new Database({ url, poolSize: 2, onWake: () => {} })
    t.after(() => db.close())
    const answer = db.first<{ one: number }>(sql('select 1 as one'))
    // The connection has started, and its response arrives without a listener.
    await sleep(0)
    beBusy()
    assert.equal((await answer)?.one, 1)
  })

  it('has a pulse: no request fails', async t => {
    const pulse = new Pulse(url)
    t.after(() => pulse.stop())
    pulse.start()
    await sleep(260)
    beBusy()
    const work = pulse.guard(() => sleep(1_000, 'done'))
    assert.equal(await work, 'done')
    assert.equal(pulse.trouble, null)
  })
})
