import { Readable, type Writable } from 'node:stream'

const CHUNK_BYTES = 16 * 1024

/**
 * The body as a stream that remembers whether its end was read. The final dot is written only after that, so before it
 * no server can have accepted the message. Nothing is read of it when it may not begin.
 */
export function trackedBody(raw: Buffer, mayBegin: () => boolean): { source: Readable; handedOver: () => boolean } {
  let at = 0
  let ended = false
  // What fits in one piece goes out in one, and all that the library asks of its source is `pipe`.
  if (raw.length <= CHUNK_BYTES) {
    const pipe = (to: Writable): Writable => {
      if (!mayBegin()) return to
      ended = true
      return to.end(raw)
    }
    return { source: { pipe } as unknown as Readable, handedOver: () => ended }
  }
  const source = new Readable({
    highWaterMark: CHUNK_BYTES,
    read() {
      if (at === 0 && !mayBegin()) return
      if (at < raw.length) {
        this.push(raw.subarray(at, at + CHUNK_BYTES))
        at += CHUNK_BYTES
      } else {
        ended = true
        this.push(null)
      }
    },
  })
  return { source, handedOver: () => ended }
}
