import { setTimeout as pause } from 'node:timers/promises'
import { getHeapStatistics } from 'node:v8'
import { threadId, workerData } from 'node:worker_threads'
import { answerTasks } from '../src/lib/budgeted-thread.ts'

/** A thread for tests that runs the given instruction, good or bad. */
export type EchoTask =
  | { do: 'echo'; value: unknown }
  | { do: 'spin' }
  | { do: 'match' }
  | { do: 'hang' }
  | { do: 'hoard' }
  | { do: 'buffers' }
  | { do: 'litter'; mb: number }
  | { do: 'heap' }
  | { do: 'throw'; message: string }
  | { do: 'exit' }
  | { do: 'wait'; ms: number }
  | { do: 'data' }
  | { do: 'name' }
  | { do: 'tell'; notice: unknown }
  | { do: 'meet' }

const heapMb = (): number => getHeapStatistics().used_heap_size / 1024 / 1024

let meeting: (() => void) | undefined

const tell = answerTasks(work, answer => (answer instanceof ArrayBuffer ? [answer] : []))

async function work(task: EchoTask): Promise<unknown> {
  switch (task.do) {
    case 'echo':
      return task.value
    case 'spin':
      for (;;);
    case 'match':
      return /^(a|a?)+$/.test(`${'a'.repeat(60)}!`)
    case 'hang':
      return new Promise(() => {})
    case 'hoard': {
      const kept: string[][] = []
      for (;;) kept.push(new Array(10_000).fill('').map(() => Math.random().toString(36)))
    }
    case 'buffers': {
      const kept: Uint8Array[] = []
      for (;;) kept.push(new Uint8Array(100_000))
    }
    case 'litter': {
      const litter = Array.from({ length: task.mb * 8 }, () => new Array(16_384).fill(Math.random()))
      return litter.length > 0 && heapMb()
    }
    case 'heap':
      return heapMb()
    case 'throw':
      throw new RangeError(task.message)
    case 'exit':
      return process.exit(3)
    case 'wait':
      return pause(task.ms)
    case 'data':
      return workerData
    case 'name':
      return threadId
    case 'tell':
      return tell(task.notice)
    case 'meet':
      // The first is only answered when the second has come.
      if (meeting) return meeting()
      return new Promise<void>(resolve => {
        meeting = resolve
      })
  }
}
