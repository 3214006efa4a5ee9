/**
 * The parser keeps every line of a text as a piece of its own, which takes 12 µs and 2 KB: a megabyte of empty lines would cost more than
 * the whole budget of a message. Encoded attachments have many lines, too, but long ones, and those are decoded as they come.
 */
const MAX_SHORT_LINES = 100_000
const SHORT_BYTES = 60
const NEW_LINE = 10

/** The message, or its beginning where it has more short lines than any person writes. */
export function upToMostLines(raw: Uint8Array): Uint8Array {
  let short = 0
  let start = 0
  for (let end = raw.indexOf(NEW_LINE); end >= 0; end = raw.indexOf(NEW_LINE, start)) {
    if (end - start < SHORT_BYTES && ++short > MAX_SHORT_LINES) return raw.subarray(0, start)
    start = end + 1
  }
  return raw
}
