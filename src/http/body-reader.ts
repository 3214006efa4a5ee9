import { Worker } from 'node:worker_threads'
import type { TSchema } from 'typebox'
import { AppError } from '../lib/errors.ts'
import type { JsonBounds } from '../lib/json-bounds.ts'
import { BulkBody, RefusedBody } from './body.ts'
import type { BodyAnswer, BodyOrder } from './body-thread.ts'

/** From here on a body is worth a trip to the other thread. */
export const BULK_FROM_BYTES = 64 * 1024

const THREAD_MEMORY_MB = 512

export interface BulkSpec {
  name: string
  schema: TSchema
  bounds: JsonBounds
  bulk: string | null
}

interface Waiting {
  resolve: (body: BulkBody | RefusedBody) => void
  reject: (error: Error) => void
}

/**
 * Has large bodies parsed, validated and cut into chunks by one thread, one body after the other: the memory is that of
 * one, and the thread that answers requests goes on answering them.
 */
export class BodyReader {
  readonly #waiting = new Map<number, Waiting>()
  readonly #known = new Set<string>()
  #thread: Worker | undefined
  #lastId = 0

  /** The bytes are handed over: they are empty here afterwards. */
  read(bytes: Buffer<ArrayBuffer>, { name, schema, bounds, bulk }: BulkSpec): Promise<BulkBody | RefusedBody> {
    const thread = this.#running()
    const id = ++this.#lastId
    const order: BodyOrder = { id, name, bounds, bytes, bulk }
    // As plain JSON: what TypeBox keeps besides cannot be sent to a thread.
    if (!this.#known.has(name)) order.schema = JSON.parse(JSON.stringify(schema)) as TSchema
    this.#known.add(name)
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      const owned = bytes.byteLength === bytes.buffer.byteLength
      thread.postMessage(order, owned ? [bytes.buffer] : [])
    })
  }

  #running(): Worker {
    if (this.#thread) return this.#thread
    const thread = new Worker(new URL('./body-thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: THREAD_MEMORY_MB },
    })
    thread.unref()
    thread.on('message', (answer: BodyAnswer) => this.#settle(answer))
    thread.on('error', () => this.#abandon())
    thread.on('exit', () => this.#abandon())
    this.#known.clear()
    this.#thread = thread
    return thread
  }

  #settle(answer: BodyAnswer): void {
    const waiting = this.#waiting.get(answer.id)!
    this.#waiting.delete(answer.id)
    if ('failed' in answer) waiting.reject(new Error(`a body could not be read: ${answer.failed}`))
    else if ('refused' in answer) {
      const { code, message, details } = answer.refused
      const error = new AppError(code, message, details)
      if (code === 'invalid_json') waiting.reject(error)
      else waiting.resolve(new RefusedBody(error))
    } else waiting.resolve(new BulkBody(answer.head, answer.chunks, answer.digest))
  }

  /** The thread is gone, and all it had been given with it. The next body starts another. */
  #abandon(): void {
    this.#thread = undefined
    const lost = new AppError('service_unavailable', 'The body could not be read. Nothing was changed; try again.', null, {
      'retry-after': '1',
    })
    for (const { reject } of this.#waiting.values()) reject(lost)
    this.#waiting.clear()
  }

  async close(): Promise<void> {
    await this.#thread?.terminate()
  }
}
