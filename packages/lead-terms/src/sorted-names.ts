import fs from 'node:fs'

/**
 * A sorted list of names in a text file, one per line: the folded name, a tab, its value. Names are found by binary search in the text, so
 * nothing has to be split or indexed first.
 */
export class SortedNames {
  readonly #text: string
  readonly #values = new Map<string, string | undefined>()
  readonly #reaches = new Map<string, number>()

  constructor(file: URL) {
    // Read as Latin-1, one byte per letter: decoding UTF-8 would take longer than all lookups of a brief.
    this.#text = fs.readFileSync(file, 'latin1')
  }

  /** The value of a name. */
  get(name: string): string | undefined {
    const known = this.#values.get(name)
    if (known !== undefined || this.#values.has(name)) return known
    const value = this.#find(name)
    if (this.#values.size >= MOST_REMEMBERED) this.#values.clear()
    this.#values.set(name, value)
    return value
  }

  has(name: string): boolean {
    return this.get(name) !== undefined
  }

  /** All names, in the order of the list. */
  names(): Iterable<string> {
    return this.matching(/\n([^\t\n]+)/g)
  }

  #find(name: string): string | undefined {
    if (name === '') return undefined
    const key = asBytes(name)
    const line = this.#findLine(key)
    if (!this.#text.startsWith(`${key}\t`, line)) return undefined
    return this.#text.slice(line + key.length + 1, this.#text.indexOf('\n', line))
  }

  /** The number of words of the longest name with this first word; 0 when no name begins with it. */
  reach(firstWord: string): number {
    const known = this.#reaches.get(firstWord)
    if (known !== undefined) return known
    let most = this.get(firstWord) === undefined ? 0 : 1
    const prefix = `${asBytes(firstWord)} `
    const text = this.#text
    for (let line = this.#findLine(prefix); most < LONGEST_NAME && text.startsWith(prefix, line); line = text.indexOf('\n', line) + 1)
      most = Math.max(most, text.slice(line, text.indexOf('\t', line)).split(' ').length)
    if (this.#reaches.size >= MOST_REMEMBERED) this.#reaches.clear()
    this.#reaches.set(firstWord, most)
    return most
  }

  /** The first group of every match in the whole list. */
  *matching(pattern: RegExp): Generator<string> {
    for (const match of this.#text.matchAll(pattern)) yield match[1]!
  }

  /** The offset of the first line that is not less than `key`. */
  #findLine(key: string): number {
    const text = this.#text
    let low = 1
    let high = text.length
    while (low < high) {
      const start = text.lastIndexOf('\n', ((low + high) >> 1) - 1) + 1
      const end = text.indexOf('\t', start)
      if (end >= 0 && text.slice(start, end) < key) low = text.indexOf('\n', end) + 1
      else high = start
    }
    return low
  }
}

/** The name as Latin-1 shows its UTF-8 bytes; ASCII names stay unchanged. */
const asBytes = (name: string): string => (/^[ -~]*$/.test(name) ? name : Buffer.from(name).toString('latin1'))

/** The longest name that a reader looks for, in words. */
const LONGEST_NAME = 5
/** The number of names to remember; when there are more, all are forgotten together. */
const MOST_REMEMBERED = 5000
