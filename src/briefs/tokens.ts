import { getDomain } from 'tldts'
import { foldLetters } from '../search/terms/text.ts'

export interface Token {
  kind: 'word' | 'number' | 'punct' | 'domain'
  /** As written. */
  text: string
  /** Folded word, or the punctuation character. */
  word: string
  start: number
  end: number
  /** The character that joins it to the token before without a space: "-" in "SaaS-Firma", "" when there is a space. */
  glue: string
  capital: boolean
  allCaps: boolean
  value?: number
  /** The number was written "200+". */
  plus?: boolean
}

const ENTITIES: Record<string, string> = { nbsp: ' ', amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", '#39': "'" }

/** Markup, comments, scripts, invisible characters out; what a reader would see stays. */
export function cleanBrief(brief: string): string {
  let text = brief.length > 20_000 ? brief.slice(0, 20_000) : brief
  if (text.includes('<')) {
    text = removeBetween(text, '<!--', '-->')
    text = removeBetween(text, '<script', '</script>')
    text = removeBetween(text, '<style', '</style>')
    text = text.replace(/<\/?(?:p|div|li|ul|ol|br|tr|td|h[1-6]|table)\b[^<>]{0,300}>/gi, '\n')
    text = text.replace(/<\/?[a-z][^<>]{0,300}>/gi, ' ')
  }
  if (text.includes('&')) text = text.replace(/&(#39|[a-z]{2,6});/g, (whole, name: string) => ENTITIES[name] ?? whole)
  return text
    .normalize('NFC')
    .replace(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g, '')
    .replace(/\bS\/4 ?HANA\b/gi, 'S4HANA')
    .replace(/\bw\/o\b/gi, 'without')
    .replace(/\bw\/ ?(?=\p{L})/giu, 'with ')
}

function removeBetween(text: string, open: string, close: string): string {
  const lower = text.toLowerCase()
  let from = lower.indexOf(open)
  if (from < 0) return text
  let kept = ''
  let position = 0
  while (from >= 0) {
    kept += `${text.slice(position, from)} `
    const end = lower.indexOf(close, from)
    if (end < 0) return kept
    position = end + close.length
    from = lower.indexOf(open, position)
  }
  return kept + text.slice(position)
}

// One pass, sticky, no alternative can match the same start in two ways that both grow: linear in the text.
const PIECE =
  /([\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,4})|(https?:\/\/[^\s<>"')]{1,300})|((?:\p{L}\.){2,6})|((?!(?:[23]D|[345]P[Ll]|[345]pl)(?![\p{L}\d]))(?:\d{1,3}(?:[.,'’]\d{3})+(?!\d)(?:[.,]\d{1,2}(?!\d))?|\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d)|\d{1,15}(?:[.,]\d{1,3}(?!\d))?))|((?:[23]D|[345]P[Ll]|[345]pl)(?![\p{L}\d])|[\p{L}\p{M}]+\d*[\p{L}\p{M}\d]*)|(\n)|([^\S\n]+)|([\s\S])/uy

const GLUE = new Set(['-', "'", '’', '.', '&', '+', '_', '‑'])

export function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  PIECE.lastIndex = 0
  let joined = ''
  let previousEnd = -1
  for (let match = PIECE.exec(text); match; match = PIECE.exec(text)) {
    const [piece, email, url, dotted, number, word, newline, space] = match
    const start = match.index
    const end = start + piece.length
    if (space !== undefined) {
      joined = ''
      continue
    }
    const touching = previousEnd === start
    const base = { text: piece, start, end, glue: touching ? joined : '', capital: false, allCaps: false }
    if (email !== undefined) {
      // An address is never a filter; the break keeps words around it apart.
      tokens.push({ ...base, kind: 'punct', word: ';' })
    } else if (url !== undefined) {
      const domain = getDomain(url)
      if (domain) tokens.push({ ...base, kind: 'domain', word: domain })
    } else if (number !== undefined) {
      const named = tokens.at(-1)?.kind === 'word' && NUMBERED_NAMES.has(tokens.at(-1)!.word) && number.length <= 3
      tokens.push(
        named
          ? { ...base, kind: 'word', word: number.replace(/[.,]/g, ' ') }
          : { ...base, kind: 'number', word: '#', value: parseNumber(number) },
      )
    } else if (word !== undefined || dotted !== undefined) {
      const plain = dotted === undefined ? piece : piece.replaceAll('.', '')
      const folded = foldLetters(plain)
      const upper = plain !== plain.toLowerCase()
      tokens.push({
        ...base,
        kind: 'word',
        word: folded,
        capital: upper && plain[0] !== plain[0]!.toLowerCase(),
        allCaps: upper && plain === plain.toUpperCase(),
      })
      if (dotted === undefined) mergeDomain(tokens, text)
    } else if (newline !== undefined) {
      if (tokens.at(-1)?.word !== '\n') tokens.push({ ...base, kind: 'punct', word: '\n' })
    } else {
      const next = text[end] ?? ' '
      const last = tokens.at(-1)
      const glued = touching && last !== undefined && last.kind !== 'punct' && /[\p{L}\p{N}]/u.test(next)
      if (piece === '+' && last?.kind === 'number' && touching && !/\d/.test(next)) {
        last.plus = true
        last.end = end
      } else if (piece === last?.text && (piece === '&' || piece === '@')) {
        // A row of the same sign says no more than one of them.
      } else if (piece === '&') {
        tokens.push({ ...base, kind: 'word', word: 'and', glue: '' })
      } else if (glued && GLUE.has(piece) && !endsHere(piece, tokens, next)) {
        joined = piece
        previousEnd = end
        continue
      } else if (piece === '@') {
        tokens.push({ ...base, kind: 'word', word: 'at', glue: '' })
      } else if (piece !== '"' && piece !== '“' && piece !== '”' && piece !== '«' && piece !== '»' && piece !== '*') {
        const word = DASHES.has(piece) ? dash(last, touching, next) : piece
        // A row of the same sign says no more than one of them.
        if (last?.kind !== 'punct' || last.word !== word) tokens.push({ ...base, kind: 'punct', word })
      }
    }
    joined = ''
    previousEnd = end
  }
  return tokens
}

/** Names that end in a number: "Microsoft 365", "Industry 4.0". The number belongs to the name, it counts nothing. */
const NUMBERED_NAMES = new Set(
  'microsoft office dynamics magento shopware sage typo k web tier analytics fortune m industry industrie'.split(' '),
)

/** A dash before a number after a number ("5k-10k"), or a full stop before a capital ("Berlin.No agencies"), joins nothing. */
function endsHere(piece: string, tokens: readonly Token[], next: string): boolean {
  const last = tokens.at(-1)!
  if (piece === '.') return next !== next.toLowerCase()
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
