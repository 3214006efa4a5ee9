import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import type { EchoTask } from '../../test/obedient-thread.ts'
import { BudgetExceeded, BudgetedThreads, TaskFailed } from './budgeted-thread.ts'

// The limits themselves are tested here.
process.env.OVERTURE_TEST_PATIENCE = '1'

const file = new URL('../../test/obedient-thread.ts', import.meta.url)
const made: BudgetedThreads<EchoTask, unknown>[] = []
after(() => Promise.all(made.map(threads => threads.stop())))

function startThreads(options: ConstructorParameters<typeof BudgetedThreads>[1] = {}): BudgetedThreads<EchoTask, unknown> {
  const threads = new BudgetedThreads<EchoTask, unknown>(file, { maxHeapMb: 64, ...options })
  made.push(threads)
  return threads
}
const soon = { timeoutMs: 100 }
const late = { timeoutMs: 60_000 }
const exceeded = (reason: string) => (error: unknown) => error instanceof BudgetExceeded && error.reason === reason

test('a task returns the result of the thread, whatever plain data it is', async () => {
  const value = { at: new Date(5), names: new Map([['a', 1]]), list: [1, null, 'x'] }
  assert.deepEqual(await startThreads().run({ do: 'echo', value }, late), value)
})

test('a task that computes too long is ended while the caller continues, and the next task works', async () => {
  const threads = startThreads()
  let turns = 0
  const counter = setInterval(() => turns++, 5)
  for (const task of ['spin', 'match'] as const) await assert.rejects(threads.run({ do: task }, soon), exceeded('time'))
  clearInterval(counter)
  assert.ok(turns > 5, `the calling thread took ${turns} turns`)
  assert.equal(await threads.run({ do: 'echo', value: 1 }, late), 1)
})

test('a task that neither responds nor computes is ended', async () => {
  await assert.rejects(startThreads().run({ do: 'hang' }, { timeoutMs: 30 }), exceeded('time'))
})

test('a task that uses too much memory is ended, and the next task works', async () => {
  const threads = startThreads()
  for (const task of ['hoard', 'buffers'] as const) await assert.rejects(threads.run({ do: task }, late), exceeded('memory'))
  assert.equal(await threads.run({ do: 'echo', value: 1 }, late), 1)
})

test('a thread that ends on its own gives another error than one that cannot start', async () => {
  const threads = startThreads()
  await assert.rejects(threads.run({ do: 'exit' }, late), exceeded('crash'))
  assert.equal(await threads.run({ do: 'echo', value: 1 }, late), 1)
  const missing = new BudgetedThreads<EchoTask, unknown>(new URL('./no-such-thread.ts', import.meta.url))
  made.push(missing)
  await assert.rejects(missing.run({ do: 'hang' }, late), exceeded('start'))
})

test('an error of the task keeps its name and message, and the thread continues', async () => {
  const threads = startThreads()
  await assert.rejects(
    threads.run({ do: 'throw', message: 'no such thing' }, late),
    (error: unknown) => error instanceof TaskFailed && error.thrown === 'RangeError' && error.message === 'no such thing',
  )
  await assert.rejects(threads.run({ do: 'echo', value: () => 1 }, late), TaskFailed)
  assert.equal(await threads.run({ do: 'echo', value: 1 }, late), 1)
})

test('transferred buffers move there and back without a copy', async () => {
  const bytes = new Uint8Array([1, 2, 3]).buffer
  const answer = (await startThreads().run({ do: 'echo', value: bytes }, { ...late, transfer: [bytes] })) as ArrayBuffer
  assert.equal(bytes.byteLength, 0)
  assert.deepEqual([...new Uint8Array(answer)], [1, 2, 3])
})

test('a thread gets its data, can send messages on its own, and reports its loss', async () => {
  const said: unknown[] = []
  const threads = startThreads({ data: { name: 'index' }, onNotice: notice => said.push(notice), onLost: why => said.push(why.reason) })
  assert.deepEqual(await threads.run({ do: 'data' }), { name: 'index' })
  await threads.run({ do: 'tell', notice: 'trouble' })
  await assert.rejects(threads.run({ do: 'exit' }), exceeded('crash'))
  assert.deepEqual(await threads.run({ do: 'data' }), { name: 'index' })
  assert.deepEqual(said, ['trouble', 'crash'])
})

test('tasks that share a thread do not wait for each other, and all are rejected when it dies', async () => {
  const threads = startThreads({ tasksPerThread: 10 })
  await Promise.all([threads.run({ do: 'meet' }), threads.run({ do: 'meet' })])
  const lost = [threads.run({ do: 'hang' }), threads.run({ do: 'hang' }), threads.run({ do: 'exit' })]
  for (const each of lost) await assert.rejects(each, exceeded('crash'))
  assert.throws(() => void threads.run({ do: 'hang' }, soon), /no time limit/)
})

test('tasks wait their turn, and an ended one affects no other', async () => {
  for (const count of [1, 2]) {
    const threads = startThreads({ threads: count })
    const values = [...Array(6).keys()]
    const spoilt = assert.rejects(threads.run({ do: 'spin' }, soon), exceeded('time'))
    assert.deepEqual(await Promise.all(values.map(value => threads.run({ do: 'echo', value }, late))), values)
    await spoilt
  }
})

test('stopping rejects unfinished and later tasks', async () => {
  const threads = startThreads()
  const running = assert.rejects(threads.run({ do: 'spin' }, late), exceeded('stopped'))
  const waiting = assert.rejects(threads.run({ do: 'echo', value: 1 }, late), exceeded('stopped'))
  await threads.stop()
  await Promise.all([running, waiting])
  await assert.rejects(threads.run({ do: 'echo', value: 1 }, late), exceeded('stopped'))
})

test('a process without open tasks ends despite idle threads', async () => {
  const code = `
    import { BudgetedThreads } from ${JSON.stringify(new URL('./budgeted-thread.ts', import.meta.url).href)}
    const file = new URL(${JSON.stringify(file.href)})
    new BudgetedThreads(file, { idleMs: null }).warmUp()
    const threads = new BudgetedThreads(file, { idleMs: null })
    console.log(await threads.run({ do: 'wait', ms: 20 }, { timeoutMs: 60_000 }), await threads.run({ do: 'echo', value: 'done' }, { timeoutMs: 60_000 }))`
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', code], { timeout: 60_000 })
  assert.match(stdout, /done/)
})

test('a thread that pauses collects its garbage', async () => {
  // As a service has it, see scripts/node-flags.json.
  setFlagsFromString('--expose-gc')
  const threads = startThreads({ maxHeapMb: 256 })
  const before = (await threads.run({ do: 'litter', mb: 32 })) as number
  while (((await threads.run({ do: 'heap' })) as number) > before - 20) await new Promise(resolve => setTimeout(resolve, 1500))
})

test('an idle thread ends after a while without reporting a loss, and the next task starts another', async () => {
  const lost: unknown[] = []
  const threads = startThreads({ idleMs: 1, onLost: why => lost.push(why) })
  const first = await threads.run({ do: 'name' })
  while ((await threads.run({ do: 'name' })) === first) await new Promise(resolve => setTimeout(resolve, 5))
  assert.deepEqual(lost, [])

  const staying = startThreads({ idleMs: null })
  assert.equal(await staying.run({ do: 'name' }), await staying.run({ do: 'name' }))
})
