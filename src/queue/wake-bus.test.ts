import assert from 'node:assert/strict'
import { it } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from '../../test/harness.ts'
import { WakeBus } from './wake-bus.ts'

it('messages with topics reach the other processes, even when they are too many for one NOTIFY', async t => {
  const url = await createTestDatabase()
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  const [here, there] = [new WakeBus(), new WakeBus()]
  t.after(async () => {
    await Promise.all([here.close(), there.close()])
    await pool.end()
  })
  here.connect(pool)
  await there.listen(url)
  const expected = new Set(Array.from({ length: 200 }, (_, n) => `${n} ${'ä'.repeat(100)}`))
  const heard = new Set<string>()
  const all = new Promise<void>(resolve => {
    there.on('notes', message => {
      heard.add(message)
      if (heard.size === expected.size) resolve()
    })
  })
  let wokenHere = 0
  here.on('notes', () => wokenHere++)
  here.wake([...expected].map(message => `notes\n${message}`))
  await all
  assert.deepEqual(heard, expected)
  assert.equal(wokenHere, 200)
  const woken = new Promise<string>(resolve => there.on('plain words', resolve))
  here.wake(['plain words'])
  assert.equal(await woken, '')
})
