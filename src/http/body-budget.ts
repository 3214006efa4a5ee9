import { unavailable } from '../lib/errors.ts'

/** Smaller bodies are not counted, so that everyday requests work while large bodies use the whole budget. */
export const COUNTED_FROM_BYTES = 64 * 1024

/**
 * The memory for request bodies. When it is used up, a request gets 503 with Retry-After: ten large imports at once would otherwise need
 * ten times the memory of one. One caller gets at most half of it.
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
    // The first body of a caller is accepted at any size, because its endpoint limits the size.
    const overShare = held > 0 && held + bytes > this.#totalBytes / 2
    const overAll = this.#heldBytes > 0 && this.#heldBytes + bytes > this.#totalBytes
    if (overShare || overAll) throw unavailable('Too many large bodies are being read. Nothing was changed; try again.')
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
