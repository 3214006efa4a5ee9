import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { eventually } from '../../test/faults/eventually.ts'
import { createTestDatabase } from '../../test/harness.ts'
import { proxyPostgres } from '../../test/postgres-proxy.ts'
import { Pulse } from './pulse.ts'

// The limits themselves are tested here.
process.env.OVERTURE_TEST_PATIENCE = '1'

it('a server that is silent for six beats fails all waiting work, and recovers with its next response', async t => {
  const held: (() => void)[] = []
  let isSilent = true
  const pass = (write: () => void): void => (isSilent ? void held.push(write) : write())
  const proxy = await proxyPostgres(await createTestDatabase(), (client, backend) => {
    client.on('data', chunk => pass(() => backend.write(chunk)))
    backend.on('data', chunk => pass(() => client.write(chunk)))
  })
  t.after(() => proxy.stop())
  t.mock.timers.enable({ apis: ['setInterval'] })
  const pulse = new Pulse(proxy.url)
  t.after(() => pulse.stop())
  pulse.start()
  const beat = async (): Promise<void> => {
    t.mock.timers.tick(250)
    for (let turn = 0; turn < 4; turn++) await nextTurn()
  }

  let failure: unknown
  pulse
    .guard(() => new Promise(() => {}))
    .catch(error => {
      failure = error
    })
  // The first one asks.
  for (let beats = 0; beats < 6; beats++) await beat()
  assert.deepEqual([failure, pulse.trouble], [undefined, null])
  await beat()
  assert.match(String(failure), /the database does not respond/)
  assert.equal(pulse.trouble, 'silent')
  await assert.rejects(
    pulse.guard(() => new Promise(() => {})),
    /the database does not respond/,
  )

  isSilent = false
  for (const write of held.splice(0)) write()
  await eventually('the database has answered', () => pulse.trouble === null)
  assert.equal(await pulse.guard(async () => 'done'), 'done')
})
