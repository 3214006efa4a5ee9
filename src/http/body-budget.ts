import { AppError } from '../lib/errors.ts'

/** Smaller bodies are not counted: while others hold the whole budget, everyday requests still get through. */
export const COUNTED_FROM_BYTES = 64 * 1024

/**
 * The memory that bodies in flight may take. Beyond it a request gets 503 with Retry-After: ten large imports at once would
 * otherwise take ten times the memory of one. One caller gets half of it at most, so that there is something left for
 * the others.
 */
export class BodyBudget {
  readonly #totalBytes: number
  readonly #held = new Map<string, number>()
  #heldBytes = 0

  constructor(totalBytes: number) {
    this.#totalBytes = totalBytes
  }

  /** Returns the function that gives the bytes back; it may be called more than once. */
  take(owner: string, bytes: number): () => void {
    const held = this.#held.get(owner) ?? 0
    // A single body is let in by its owner's share however large it is: the limit of its endpoint has judged that.
    const overShare = held > 0 && held + bytes > this.#totalBytes / 2
    const overAll = this.#heldBytes > 0 && this.#heldBytes + bytes > this.#totalBytes
    if (overShare || overAll) {
      throw new AppError('service_unavailable', 'Too many large bodies are being read. Nothing was changed; try again.', null, {
        'retry-after': '1',
      })
    }
    this.#set(owner, held + bytes)
    this.#heldBytes += bytes
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      this.#heldBytes -= bytes
      this.#set(owner, this.#held.get(owner)! - bytes)
    }
  }

  #set(owner: string, bytes: number): void {
    if (bytes === 0) this.#held.delete(owner)
    else this.#held.set(owner, bytes)
  }
}
