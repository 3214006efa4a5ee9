import { Worker } from 'node:worker_threads'
import { AppError, unavailable } from '../lib/errors.ts'
import type { JsonBounds } from '../lib/json-bounds.ts'
import type { TSchema } from '../lib/type.ts'
import { BulkBody, RefusedBody } from './body.ts'
import type { BodyAnswer, BodyOrder } from './body-thread.ts'

/** Bodies of this size or more are passed to the other thread. */
export const BULK_FROM_BYTES = 64 * 1024

const THREAD_MEMORY_MB = 512

export interface BulkSpec {
  name: string
  schema: TSchema
  bounds: JsonBounds
  bulk: string | null
}

interface Waiting {
  resolve: (answer: BodyAnswer) => void
  reject: (error: Error) => void
}

/**
 * Lets one thread parse, validate and split large bodies, one after the other: the memory is that of one body, and the thread that answers
 * requests is not blocked.
 */
export class BodyReader {
  readonly #waiting = new Map<number, Waiting>()
  readonly #known = new Set<string>()
  #thread: Worker | undefined
  #lastId = 0

  /** Every piece is passed on as it arrives, so that this thread never holds the whole body. */
  async read(pieces: AsyncIterable<Buffer>, { name, schema, bounds, bulk }: BulkSpec): Promise<BulkBody | RefusedBody> {
    const thread = this.#running()
    const id = ++this.#lastId
    const tell = (order: BodyOrder, moved: ArrayBuffer[] = []): void => thread.postMessage(order, moved)
    try {
      for await (const bytes of pieces) tell({ id, kind: 'piece', bytes }, ownMemoryOf(bytes))
    } catch (error) {
      tell({ id, kind: 'forget' })
      throw error
    }
    // As plain JSON, because the other parts of a TypeBox schema cannot be sent to a thread.
    const known = this.#known.has(name) ? {} : { schema: JSON.parse(JSON.stringify(schema)) as TSchema }
    this.#known.add(name)
    const answer = await this.#ask(thread, { id, kind: 'read', name, bounds, bulk, ...known })
    if ('refused' in answer) {
      const { code, message, details } = answer.refused
      const error = new AppError(code, message, details)
      if (code === 'invalid_json') throw error
      return new RefusedBody(error)
    }
    if (!('head' in answer)) throw new Error(`a body could not be read: ${'failed' in answer ? answer.failed : 'no answer'}`)
    const { head, isCut, count, digest } = answer
    return new BulkBody(head, isCut ? this.#chunksOf(thread, id) : null, count, digest, () => tell({ id, kind: 'forget' }))
  }

  /**
   * A few at a time, and the next are on their way while these are stored. Their memory is given back at once: left to the garbage
   * collector, every import made it look through the whole heap.
   */
  async *#chunksOf(thread: Worker, id: number): AsyncGenerator<readonly Uint8Array[]> {
    for (let coming = this.#ask(thread, { id, kind: 'next' }); ; ) {
      const answer = await coming
      if (!('next' in answer) || answer.next === null) throw lost()
      if (answer.next.length === 0) return
      coming = this.#ask(thread, { id, kind: 'next' })
      // Nobody awaits it when these cannot be stored.
      coming.catch(() => {})
      yield answer.next
      for (const { buffer } of answer.next) (buffer as ArrayBuffer).transfer(0)
    }
  }

  #ask(thread: Worker, order: BodyOrder): Promise<BodyAnswer> {
    if (thread !== this.#thread) return Promise.reject(lost())
    return new Promise((resolve, reject) => {
      this.#waiting.set(order.id, { resolve, reject })
      thread.postMessage(order)
    })
  }

  #running(): Worker {
    if (this.#thread) return this.#thread
    const thread = new Worker(new URL('./body-thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: THREAD_MEMORY_MB },
    })
    thread.unref()
    thread.on('message', (answer: BodyAnswer) => this.#settle(answer))
    // A failed thread emits both events, and when the second one comes, the next thread may run already.
    for (const end of ['error', 'exit']) thread.once(end, () => this.#thread === thread && this.#abandon())
    this.#known.clear()
    this.#thread = thread
    return thread
  }

  #settle(answer: BodyAnswer): void {
    const waiting = this.#waiting.get(answer.id)!
    this.#waiting.delete(answer.id)
    waiting.resolve(answer)
  }

  /** The thread has died with everything that it was given. The next body starts a new one. */
  #abandon(): void {
    this.#thread = undefined
    for (const { reject } of this.#waiting.values()) reject(lost())
    this.#waiting.clear()
  }

  async close(): Promise<void> {
    await this.#thread?.terminate()
  }
}

/** Memory that is moved to the thread need not be copied, unless other pieces share it. */
const ownMemoryOf = (bytes: Buffer): ArrayBuffer[] =>
  bytes.buffer instanceof ArrayBuffer && bytes.buffer.byteLength === bytes.byteLength ? [bytes.buffer] : []

const lost = (): AppError => unavailable('The body could not be read. Nothing was changed; try again.')
