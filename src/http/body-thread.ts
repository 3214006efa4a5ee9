import { readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { answerTasks } from '../lib/budgeted-thread.ts'
import { AppError } from '../lib/errors.ts'
import { type BodyAnswer, type BodyTask, cutIntoChunks, digestOf, digestOfBulk, parseBody } from './body.ts'
import { type Check, compileCheck } from './validation.ts'

// The thread of `BodyReader`.

/** The compiled schemas by the names of their endpoints. */
const checks = new Map<string, Check>()

function read({ pieces, name, schema, bounds, bulk }: BodyTask): BodyAnswer {
  try {
    const body = parseBody(Buffer.concat(pieces), bounds)
    if (body instanceof AppError) throw body
    const check = checks.get(name) ?? compileCheck(schema, 'body')
    checks.set(name, check)
    check(body)
    const { [bulk ?? '']: items, ...head } = body as Record<string, unknown>
    if (bulk === null || !Array.isArray(items)) {
      return { head: body as Record<string, unknown>, chunks: null, count: 0, digest: digestOf(body) }
    }
    const chunks = cutIntoChunks(items)
    return { head, chunks, count: items.length, digest: digestOfBulk(head, bulk, chunks) }
  } catch (error) {
    if (error instanceof AppError) return { refused: { code: error.code, message: error.message, details: error.details } }
    throw error
  }
}

/** With fewer cores than work, the threads that serve requests have priority. Linux gives every thread an id. */
function giveWay(): void {
  try {
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // On other systems, the thread keeps its priority.
  }
}

giveWay()
answerTasks(read, answer => ('chunks' in answer ? (answer.chunks ?? []).map(chunk => chunk.buffer) : []))
