import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FastifyBaseLogger } from 'fastify'
import { LeasedQueue, type LeasedQueueOptions } from './leased-queue.ts'
import { WakeBus } from './wake-bus.ts'

interface Row {
  id: string
}

const log = { warn() {}, error() {}, info() {} } as unknown as FastifyBaseLogger
const identity = { id: async () => 7 }

/** A queue over a list in memory: what is in `waiting` can be claimed, what is in `taken` carries the worker's number. */
function makeQueue(ids: string[], options: Partial<LeasedQueueOptions<Row>> = {}) {
  const waiting = [...ids]
  const taken = new Set<string>()
  const wake = new WakeBus()
  const table = {
    waiting,
    taken,
    claim: async (_worker: number, limit: number): Promise<Row[]> => {
      const rows = waiting.splice(0, limit)
      for (const id of rows) taken.add(id)
      return rows.map(id => ({ id }))
    },
    giveBackExcept: async (_worker: number, kept: string[]): Promise<void> => {
      for (const id of taken) {
        if (kept.includes(id)) continue
        taken.delete(id)
        waiting.push(id)
      }
    },
  }
  const queue = new LeasedQueue<Row>({ wake, log }, identity, {
    name: 'test',
    topics: ['work'],
    pollMs: 5,
    room: inHand => 10 - inHand,
    begin: rows => rows.map(row => ({ rows: [row], done: Promise.resolve().then(() => void taken.delete(row.id)) })),
    claim: table.claim,
    giveBackExcept: table.giveBackExcept,
    ...options,
  })
  return { queue, wake, ...table }
}

describe('a leased queue', () => {
  it('processes due work on request, and returns its amount', async () => {
    const { queue, taken } = makeQueue(['a', 'b', 'c'])
    assert.equal(await queue.workAll(), 3)
    assert.deepEqual([queue.inHand, taken.size], [0, 0])
  })

  it('does nothing before it is started, however often it is woken', async () => {
    const { queue, wake, waiting } = makeQueue(['a'])
    wake.wake(['work'])
    await new Promise(resolve => setImmediate(resolve))
    assert.deepEqual(waiting, ['a'])
    await queue.stop()
  })

  it('returns rows of a claim whose response was lost, and nothing that is in progress', async () => {
    const held = Promise.withResolvers<void>()
    const done: string[] = []
    const finished = Promise.withResolvers<void>()
    let claims = 0
    const made = makeQueue(['held', 'lost'], {
      room: inHand => (inHand < 2 ? 1 : 0),
      claim: async (worker, limit) => {
        const rows = await made.claim(worker, limit)
        if (++claims === 2) throw new Error('Connection terminated unexpectedly')
        return rows
      },
      begin: rows =>
        rows.map(row => ({
          rows: [row],
          done: (row.id === 'held' ? held.promise : Promise.resolve()).then(() => {
            made.taken.delete(row.id)
            done.push(row.id)
            if (row.id === 'lost') finished.resolve()
          }),
        })),
    })
    made.queue.start()
    await finished.promise
    assert.deepEqual(done, ['lost'])
    held.resolve()
    await made.queue.stop()
    assert.deepEqual(done, ['lost', 'held'])
  })

  it('returns work whose result could not be stored, and claims it again', async () => {
    let attempts = 0
    const again = Promise.withResolvers<void>()
    const made = makeQueue(['a'], {
      begin: rows =>
        rows.map(row => ({
          rows: [row],
          done: (async () => {
            if (++attempts === 1) throw new Error('not stored')
            made.taken.delete(row.id)
            again.resolve()
          })(),
        })),
    })
    made.queue.start()
    await again.promise
    await made.queue.stop()
    assert.deepEqual([attempts, made.waiting, made.taken.size], [2, [], 0])
  })

  it('records until it is stored', async () => {
    const { queue } = makeQueue([])
    let attempts = 0
    await queue.record(async () => {
      if (++attempts < 3) throw new Error('the database is away')
    })
    assert.equal(attempts, 3)
  })

  it('aborts work in progress at the time limit of a stop, and returns it', async () => {
    const made = makeQueue(['slow'], {
      graceMs: 10,
      begin: rows =>
        rows.map(row => ({
          rows: [row],
          done: new Promise<void>((_, reject) => made.queue.signal.addEventListener('abort', () => reject(new Error('cut short')))),
        })),
    })
    made.queue.start()
    await new Promise(resolve => setImmediate(resolve))
    await made.queue.stop()
    assert.deepEqual([made.waiting, made.taken.size, made.queue.inHand], [['slow'], 0, 0])
  })

  it('can be stopped twice, cannot be started twice, and cannot be drained manually while it runs', async () => {
    const { queue } = makeQueue([])
    queue.start()
    assert.throws(() => queue.start(), /cannot become running/)
    await assert.rejects(queue.workAll(), /not worked off by hand/)
    await Promise.all([queue.stop(), queue.stop()])
    assert.throws(() => queue.start(), /cannot become running/)
  })
})
