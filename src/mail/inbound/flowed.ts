/**
 * Flowed text (RFC 3676): a line that ends in a space goes on in the next one. The parser joins them without looking at
 * the quote marks, so that an answer below a quoted line becomes a part of it. So the parser must not see that the text is
 * flowed, and we join the lines here as the RFC says: only lines of the same depth.
 */

const FLOWED = /;(\s{0,10})format(\s?)=(\s?)("?)flowed/gi

/** Changes the word by which the parser recognizes flowed text. All positions in the message stay the same. */
export function withoutFlow(raw: Uint8Array): { bytes: Uint8Array; isFlowed: boolean } {
  const text = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString('latin1')
  const fixed = text.replace(FLOWED, ';$1format$2=$3$4asitis')
  return fixed === text ? { bytes: raw, isFlowed: false } : { bytes: Buffer.from(fixed, 'latin1'), isFlowed: true }
}

export function unflow(text: string): string {
  const joined: { depth: number; words: string[]; goesOn: boolean }[] = []
  for (const line of text.replace(/\r\n?/g, '\n').split('\n')) {
    const marks = /^>*/.exec(line)?.[0] ?? ''
    // A space was added before text that would otherwise look like a quote mark.
    const words = line.slice(marks.length).replace(/^ /, '')
    const goesOn = words.endsWith(' ') && words !== '-- ' && words.trim() !== ''
    const last = joined.at(-1)
    if (last?.goesOn && last.depth === marks.length && words !== '-- ') {
      last.words.push(words)
      last.goesOn = goesOn
    } else joined.push({ depth: marks.length, words: [words], goesOn })
  }
  return joined.map(({ depth, words }) => `${'>'.repeat(depth)}${depth > 0 ? ' ' : ''}${words.join('')}`).join('\n')
}
