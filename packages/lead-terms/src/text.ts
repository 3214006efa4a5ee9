/**
 * The comparison of texts, the same everywhere in lead search: Unicode compatibility decomposition, marks removed, a few letters replaced
 * that Unicode does not decompose, lower case, punctuation replaced by spaces, split into words.
 */

const LETTERS: Record<string, string> = {
  ß: 'ss',
  ẞ: 'ss',
  ø: 'o',
  Ø: 'o',
  ł: 'l',
  Ł: 'l',
  æ: 'ae',
  Æ: 'ae',
  œ: 'oe',
  Œ: 'oe',
  đ: 'd',
  Đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ʻ: '',
  '’': ' ',
}

const PLAIN = /^[a-z0-9 ]*$/
const ASCII = /^[ -~]*$/
const SPECIAL = /[ßẞøØłŁæÆœŒđĐðþıʻ’]/g
const MARKS = /\p{M}+/gu
const LATIN_MARKS = /[\u0300-\u036f]+/g
/** Matches characters that may be marks of another script. */
const BEYOND_LATIN = /[^\0-\u02ff\u2000-\u206f\u20a0-\u20bf]/
/** Patterns with Unicode classes are slow to compile. Texts with only plain letters use these instead, with the same result. */
const NOT_PLAIN = /[^a-z0-9]+/g
const NOT_TEXT = /[^\p{L}\p{N}]+/gu
const INVISIBLE = /[\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]/g

/** Letters are compared without accents or case; punctuation is kept. */
export function foldLetters(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  // Marks are removed before and after the decomposition, because sorting a long run of them takes quadratic time. The text is decomposed
  // on both sides of lower-casing, and the special letters come last: a capital with a mark (Ǿ, İ) becomes its plain letter only on the
  // way, and folding twice must change nothing.
  const shown = text.replace(INVISIBLE, '').replace(LATIN_MARKS, '')
  const bare = BEYOND_LATIN.test(shown) ? shown.replace(MARKS, '') : shown
  const plain = bare.normalize('NFKD').toLowerCase().normalize('NFKD').replace(LATIN_MARKS, '')
  if (ASCII.test(plain)) return plain
  return plain.replace(MARKS, '').replace(SPECIAL, letter => LETTERS[letter] ?? letter)
}

/** The folded form: lower-case words separated by single spaces. */
export function foldText(text: string): string {
  if (PLAIN.test(text) && !text.includes('  ')) return text.trim()
  const folded = foldLetters(text)
  return folded.replace(ASCII.test(folded) ? NOT_PLAIN : NOT_TEXT, ' ').trim()
}

export function foldTokens(text: string): string[] {
  const folded = foldText(text)
  return folded === '' ? [] : folded.split(' ')
}

/** Removes a plural -s; short words and words with -ss, -us, -is keep it. */
export function singularToken(token: string): string {
  if (token.length < 4 || !token.endsWith('s')) return token
  const before = token[token.length - 2]
  if (before === 's' || before === 'u' || before === 'i') return token
  if (token.endsWith('ies') && token.length > 4) return `${token.slice(0, -3)}y`
  return token.slice(0, -1)
}

// Three rows of the distance table, reused because this runs thousands of times for one brief.
const LONGEST_COMPARED = 64
let rowBeforeLast = new Uint8Array(LONGEST_COMPARED + 1)
let lastRow = new Uint8Array(LONGEST_COMPARED + 1)
let currentRow = new Uint8Array(LONGEST_COMPARED + 1)

/**
 * Optimal string alignment distance (swapped neighbors count as one). Stops with limit + 1 as soon as the distance must exceed the limit.
 * Words of more than 64 letters never match.
 */
export function editDistance(left: string, right: string, limit: number): number {
  const width = right.length
  if (Math.abs(left.length - width) > limit || width > LONGEST_COMPARED || left.length > LONGEST_COMPARED) return limit + 1
  for (let column = 0; column <= width; column++) lastRow[column] = column
  for (let row = 1; row <= left.length; row++) {
    const letter = left.charCodeAt(row - 1)
    const letterBefore = row > 1 ? left.charCodeAt(row - 2) : -1
    currentRow[0] = row
    let best = row
    for (let column = 1; column <= width; column++) {
      const other = right.charCodeAt(column - 1)
      let value = Math.min(lastRow[column]! + 1, currentRow[column - 1]! + 1, lastRow[column - 1]! + (letter === other ? 0 : 1))
      if (column > 1 && letter === right.charCodeAt(column - 2) && letterBefore === other) {
        value = Math.min(value, rowBeforeLast[column - 2]! + 1)
      }
      currentRow[column] = value
      if (value < best) best = value
    }
    if (best > limit) return limit + 1
    const recycled = rowBeforeLast
    rowBeforeLast = lastRow
    lastRow = currentRow
    currentRow = recycled
  }
  return lastRow[width]!
}

/** The most similar known word, if it is similar enough to be a typing error. */
export function nearestWord(word: string, known: Iterable<string>): string | undefined {
  const folded = foldText(word).replaceAll(' ', '')
  const limit = Math.max(1, Math.floor(folded.length / 3))
  let best: string | undefined
  let bestDistance = limit + 1
  for (const candidate of known) {
    const target = foldText(candidate).replaceAll(' ', '')
    const distance = target.startsWith(folded) && folded.length >= 4 ? 1 : editDistance(folded, target, limit)
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}
