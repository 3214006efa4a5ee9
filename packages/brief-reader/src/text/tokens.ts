import { getDomain } from 'tldts'
import { foldLetters, foldText, gazetteer } from '../../../lead-terms/src/index.ts'
import type { Token } from '../model.ts'
import { wordSet } from '../vocabulary/word-files.ts'
import { forLettersOf } from './letters.ts'

// One pass, sticky, no alternative can match the same start in two ways that both grow: linear in the text.
const PIECES = forLettersOf(
  /([\u{1F1E6}-\u{1F1FF}]{2})|([\w.%+\u00c0-\uffff-]{1,64}@[\w\u00c0-\uffff-]{1,63}(?:\.[\w\u00c0-\uffff-]{1,63}){1,4})|(https?:\/\/[^\s<>"')]{1,300})|((?:[\p{L}]\.){2,6})|((?!(?:[23][Dd]|[345]P[Ll]s?|[345]pls?)(?![\p{L}\d]))(?:\d{1,3}(?:[.,'’]\d{3})+(?!\d)(?:[.,]\d{1,2}(?!\d))?|\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d)|\d{1,15}(?:[.,]\d{1,3}(?!\d))?))|((?:[23][Dd]|[345]P[Ll]s?|[345]pls?)(?![\p{L}\d])|[\p{L}\p{M}]+\d*[\p{L}\p{M}\d]*)|(\n)|([^\S\n]+)|([\s\S])/uy,
)

const GLUE = new Set(['-', "'", '’', '.', '&', '+', '_', '‑'])

/** At most so many pieces are read; no one writes more into a brief. */
export function tokenize(text: string, most = Number.POSITIVE_INFINITY): Token[] {
  const tokens: Token[] = []
  const pieces = PIECES(text)
  pieces.lastIndex = 0
  let joined = ''
  let previousEnd = -1
  for (let match = pieces.exec(text); match && tokens.length < most; match = pieces.exec(text)) {
    const [piece, flag, email, url, dotted, number, word, newline, space] = match
    const start = match.index
    const end = start + piece.length
    if (space !== undefined) {
      joined = ''
      continue
    }
    const touching = previousEnd === start
    const base = { text: piece, start, end, glue: touching ? joined : '', capital: false, allCaps: false }
    if (flag !== undefined) {
      const country = countryOfFlag(flag)
      if (country) tokens.push({ ...base, kind: 'word', word: country, capital: true })
    } else if (email !== undefined) {
      // An address is never a filter; the break keeps words around it apart.
      tokens.push({ ...base, kind: 'mark', word: ';' })
    } else if (url !== undefined) {
      const domain = getDomain(url)
      // An address with a path points at a page, not at a company.
      if (domain && /^https?:\/\/[^/?#]+\/?$/.test(url)) tokens.push({ ...base, kind: 'domain', word: domain })
    } else if (number !== undefined) {
      const named = tokens.at(-1)?.kind === 'word' && NUMBERED_NAMES.has(tokens.at(-1)!.word) && number.length <= 3
      tokens.push(
        named
          ? { ...base, kind: 'word', word: number.replace(/[.,]/g, ' ') }
          : { ...base, kind: 'number', word: '#', value: parseNumber(number) },
      )
    } else if (word !== undefined || dotted !== undefined) {
      const plain = dotted === undefined ? piece : piece.replaceAll('.', '')
      // Without its accent, French "où" would be "or".
      const folded = plain.toLowerCase() === 'où' ? 'where' : foldLetters(plain)
      const upper = plain !== plain.toLowerCase()
      tokens.push({
        ...base,
        kind: 'word',
        word: folded,
        // "iZettle", "eBay": a capital after a small letter makes a name as well.
        capital: upper && (plain[0] !== plain[0]!.toLowerCase() || /^\p{Ll}\p{Lu}\p{Ll}/u.test(plain)),
        allCaps: upper && plain === plain.toUpperCase(),
      })
      if (dotted === undefined) mergeDomain(tokens, text)
    } else if (newline !== undefined) {
      if (tokens.at(-1)?.word !== '\n') tokens.push({ ...base, kind: 'mark', word: '\n' })
    } else {
      const next = text[end] ?? ' '
      // "N. Ireland", "W. Virginia"
      const compass = piece === '.' && touching ? COMPASS[tokens.at(-1)?.text ?? ''] : undefined
      if (compass && /^ ?\p{Lu}\p{Ll}/u.test(text.slice(end, end + 3))) {
        tokens.at(-1)!.word = compass
        previousEnd = end
        continue
      }
      const last = tokens.at(-1)
      const glued = touching && last !== undefined && last.kind !== 'mark' && isLetterOrDigit(next)
      if (piece === '+' && last?.kind === 'number' && touching && !/\d/.test(next)) {
        last.plus = true
        last.end = end
      } else if (piece === last?.text && (piece === '&' || piece === '@')) {
        // A row of the same sign says no more than one of them.
      } else if (piece === '.' && /^NET\b/.test(text.slice(end, end + 4))) {
        tokens.push({ ...base, kind: 'word', word: 'dot', glue: '' })
      } else if (piece === '&') {
        tokens.push({ ...base, kind: 'word', word: 'and', glue: '' })
      } else if (glued && GLUE.has(piece) && !endsHere(piece, tokens, text.slice(end, end + 2))) {
        joined = piece
        previousEnd = end
        continue
      } else if (
        piece === '-' &&
        !touching &&
        tokens.length > 0 &&
        last?.word !== '\n' &&
        /\p{L}/u.test(next) &&
        /\s/.test(text[start - 1] ?? '')
      ) {
        // "edtech -agency": the sign that searches know for "not".
        tokens.push({ ...base, kind: 'word', word: 'not', glue: '' })
      } else if (piece === '@') {
        tokens.push({ ...base, kind: 'word', word: 'at', glue: '' })
      } else if (piece !== '"' && piece !== '“' && piece !== '”' && piece !== '«' && piece !== '»' && piece !== '*') {
        const sums = tokens.at(-2)?.kind === 'number' && /^\s*[$€£]?\d/.test(text.slice(end, end + 4))
        const word = DASHES.has(piece) ? (sums ? '-' : dash(last, touching, next)) : piece
        // A row of the same sign says no more than one of them.
        if (last?.kind !== 'mark' || last.word !== word) tokens.push({ ...base, kind: 'mark', word })
      }
    }
    joined = ''
    previousEnd = end
  }
  return tokens
}

const isLetterOrDigit = (text: string): boolean => /[a-z0-9]/i.test(text) || (text > '~' && /[\p{L}\p{N}]/u.test(text))

/** "🇫🇷" is written as two letters of a code: the word is the country's name. */
function countryOfFlag(flag: string): string | undefined {
  const code = [...flag].map(letter => String.fromCharCode(letter.codePointAt(0)! - 0x1f1e6 + 65)).join('')
  const country = gazetteer().countries.get(code)
  return country && foldText(country.name)
}

const COMPASS: Record<string, string> = { N: 'north', S: 'south', E: 'east', W: 'west' }

/** Names that end in a number: "Microsoft 365", "Industry 4.0". The number belongs to the name, it counts nothing. */
const NUMBERED_NAMES = wordSet('things-grammar.txt', 'numbered names')

/** A dash before a number after a number ("5k-10k"), or a full stop before a capital ("Berlin.No agencies", not "E.ON"), joins nothing. */
function endsHere(piece: string, tokens: readonly Token[], following: string): boolean {
  const last = tokens.at(-1)!
  const next = following[0]!
  if (piece === '.') return next !== next.toLowerCase() && !(last.text.length === 1 && last.allCaps && /^\p{Lu}{2}/u.test(following))
  if (!/\d/.test(next)) return false
  return last.kind === 'number' || (last.word.length <= 3 && tokens.at(-2)?.kind === 'number')
}

const DASHES = new Set(['-', '–', '—', '−', '‐', '‑'])

/** Between numbers a range; with space around it, a break in the sentence. */
function dash(last: Token | undefined, touching: boolean, next: string): string {
  if (last?.kind === 'number' || /\d/.test(next)) return '-'
  return touching && next !== ' ' ? '-' : '—'
}

/** "acme.com" typed without a scheme: lower case and a public suffix, or it is just a full stop without a space. */
function mergeDomain(tokens: Token[], text: string): void {
  let first = tokens.length - 1
  while (first > 0 && (tokens[first]!.glue === '.' || tokens[first]!.glue === '-') && tokens.length - first < 5) first--
  if (first === tokens.length - 1 || tokens.at(-1)!.glue !== '.') return
  const raw = text.slice(tokens[first]!.start, tokens.at(-1)!.end)
  const named = /^\p{Lu}[\p{L}\p{N}-]+\.(?:com|io|net|org|ai|de|fr|eu|ch|nl|co)$/u.test(raw)
  if (
    (raw !== raw.toLowerCase() && !named) ||
    /^[\p{L}\p{N}]/u.test(text.slice(tokens.at(-1)!.end, tokens.at(-1)!.end + 2).replace(/^[^.].*/s, ''))
  )
    return
  const domain = getDomain(raw)
  if (!domain || raw.length < 5 || PRODUCT_HOSTS.has(raw.toLowerCase())) return
  const head = tokens[first]!
  tokens.splice(first, tokens.length - first, { ...head, kind: 'domain', text: raw, word: domain, end: tokens.at(-1)!.end })
}

/** Products that are named like hosts: these are technologies before they are companies. */
const PRODUCT_HOSTS = new Set(['customer.io', 'gong.io', 'outreach.io', 'apollo.io', 'greenhouse.io', 'monday.com', 'make.com', 'clay.com'])

function parseNumber(text: string): number {
  const compact = text.replace(/[\s'’\u00a0\u202f]/g, '')
  if (/^\d{1,3}(?:[.,]\d{3})+$/.test(compact)) return Number(compact.replace(/[.,]/g, ''))
  const decimal = compact.search(/[.,]\d{1,3}$/)
  if (decimal < 0) return Number(compact)
  return Number(`${compact.slice(0, decimal).replace(/[.,]/g, '')}.${compact.slice(decimal + 1)}`)
}
