import { setTimeout as pause } from 'node:timers/promises'
import { answerTasks } from '../src/lib/budgeted-thread.ts'

/** A thread for tests that runs the given instruction, good or bad. */
export type EchoTask =
  | { do: 'echo'; value: unknown }
  | { do: 'spin' }
  | { do: 'match' }
  | { do: 'hang' }
  | { do: 'hoard' }
  | { do: 'buffers' }
  | { do: 'throw'; message: string }
  | { do: 'exit' }
  | { do: 'wait'; ms: number }

answerTasks(async (task: EchoTask): Promise<unknown> => {
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
    case 'throw':
      throw new RangeError(task.message)
    case 'exit':
      return process.exit(3)
    case 'wait':
      return pause(task.ms)
  }
})
