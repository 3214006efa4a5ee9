/**
 * Finds the tags of a piece of HTML, one after the other. Strangers write the HTML, so this reads every character a fixed
 * number of times: a search that found nothing is not repeated at a later position.
 */

export interface Tag {
  /** Where its "<" stands, and the place behind its ">". */
  start: number
  end: number
  /** In lower case; `!` for a comment, a doctype or a processing instruction. */
  name: string
  isClosing: boolean
}

export class TagScanner {
  readonly #html: string
  /** Of the same length as the HTML, which `toLowerCase` does not promise. */
  readonly #lower: string
  readonly #next = new Map<string, number>()
  #readsQuotes = true
  #at = 0

  constructor(html: string) {
    this.#html = html
    this.#lower = html.replace(/[A-Z]+/g, letters => letters.toLowerCase())
  }

  next(): Tag | null {
    for (;;) {
      const start = this.#html.indexOf('<', this.#at)
      if (start < 0) return null
      const tag = this.#tagAt(start)
      if (tag) {
        this.#at = tag.end
        return tag
      }
      this.#at = start + 1
    }
  }

  /** Moves behind the closing tag of this element, and returns where that begins; -1 when there is none. */
  skipElement(name: string): number {
    const close = this.#find(`</${name}`, this.#at)
    if (close < 0) return -1
    this.#at = close
    return close
  }

  #tagAt(start: number): Tag | null {
    const html = this.#html
    const first = html.charCodeAt(start + 1)
    if (first === BANG || first === QUESTION) {
      const isComment = html.startsWith('<!--', start)
      const close = isComment ? this.#find('-->', start + 4) : this.#find('>', start)
      if (close >= 0) return { start, end: close + (isComment ? 3 : 1), name: '!', isClosing: false }
      // A comment without an end hides the rest, as in every browser.
      return isComment ? { start, end: html.length, name: '!', isClosing: false } : null
    }
    const isClosing = first === SLASH
    const from = start + (isClosing ? 2 : 1)
    let at = from
    while (isNameCode(this.#lower.charCodeAt(at))) at += 1
    if (at === from || isDigitCode(html.charCodeAt(from))) return null
    const end = this.#endOf(at)
    return end < 0 ? null : { start, end, name: this.#lower.slice(from, at), isClosing }
  }

  /** Behind the ">" that ends the tag; one within a quoted value does not. */
  #endOf(from: number): number {
    if (this.#readsQuotes) {
      let value = false
      for (let at = from; at < this.#html.length; at++) {
        const code = this.#html.charCodeAt(at)
        if (code === GREATER) return at + 1
        if (value && (code === DOUBLE || code === SINGLE)) {
          at = this.#html.indexOf(code === DOUBLE ? '"' : "'", at + 1)
          if (at < 0) break
        }
        value = code === EQUALS || (value && code <= SPACE)
      }
      // Without this, unpaired quotes would make every later tag repeat the same long search.
      this.#readsQuotes = false
    }
    const close = this.#find('>', from)
    return close < 0 ? -1 : close + 1
  }

  /** The next occurrence of a text at or behind a position. Positions only grow, so results can be cached. */
  #find(text: string, from: number): number {
    const known = this.#next.get(text)
    if (known !== undefined && (known < 0 || known >= from)) return known
    const found = this.#lower.indexOf(text, from)
    this.#next.set(text, found)
    return found
  }
}

const [BANG, QUESTION, SLASH, GREATER, EQUALS, DOUBLE, SINGLE, SPACE] = [33, 63, 47, 62, 61, 34, 39, 32]
const isDigitCode = (code: number): boolean => code >= 48 && code <= 57
const isNameCode = (code: number): boolean => (code >= 97 && code <= 122) || isDigitCode(code)
