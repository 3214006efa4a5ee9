import type { Currency } from '../../../lead-terms/src/index.ts'
import type { Item, Quantity, Token } from '../model.ts'
import { Phrases, wordMap, wordSet } from '../vocabulary/word-files.ts'
import { isLoose, isNumberedName, pointsBack, readLoose, readSpelled, SCALES, SPELLED, skipArticle } from './spelled-numbers.ts'

/** Tokens to items: a number becomes one item with its scale, its currency and what it is compared with. */

export type Comparison = 'over' | 'atLeast' | 'under' | 'atMost' | 'about' | 'since' | 'after' | 'before'

const CURRENCY_WORDS = wordMap('numbers.txt', 'currencies', value => value as Currency)
const CURRENCY_OF = wordMap('numbers.txt', 'currencies of', value => value as Currency)
export const BEFORE = wordMap('numbers.txt', 'comparisons', value => value as Comparison)
export const BEHIND = wordMap('numbers.txt', 'comparisons behind', value => value as Comparison)
const COMPARISONS = new Phrases(BEFORE)
const COMPARISONS_BEHIND = new Phrases(BEHIND)
/** After the unit ("50 employees or more") a single word would say too little, but for these. */
const COMPARISONS_LATE = new Phrases(
  new Map([
    ...[...BEHIND].filter(([phrase]) => phrase.includes(' ')),
    ...wordMap('numbers.txt', 'comparisons behind the unit', value => value as Comparison),
  ]),
)
const COUNTS = ['people units', 'time', 'kilometres', 'miles', 'revenue', 'funding', 'to'].map(name => wordSet('numbers.txt', name))
const BETWEEN = wordSet('numbers.txt', 'between')
const TO = wordSet('numbers.txt', 'to')
/** Between two bare numbers these make a list, not a range. */
const JOINS = new Set(['and', 'und', 'et', 'y', 'e', 'en', '/'])
const THOUSAND = wordSet('numbers.txt', 'mil is a thousand')
const ARTICLES = new Set(
  'the a de year als von d un una los le les den dem der i des l like say maybe about roughly ano jahr annee'.split(' '),
)
/** Currencies that are everyday words, after a number. */
const NOT_BEHIND = new Set(['real', 'try', 'won', 'nis'])

export function readItems(tokens: readonly Token[]): Item[] {
  // "20 mil a year": where none of these words is said, the text is English, and its mil is a million.
  if (!tokens.some(({ word }) => THOUSAND.has(word)))
    for (const [at, token] of tokens.entries()) if (token.word === 'mil' && tokens[at - 1]?.kind === 'number') token.word = 'million'
  const words = tokens.map(token => token.word)
  const items: Item[] = []
  let at = 0
  while (at < tokens.length) {
    // "0 agencies" refuses them; "0 employees" counts.
    const isBare = tokens[at]!.value === 0 && tokens[at]!.glue === '' && words[at - 1] !== '-'
    const refuses = isBare && tokens[at + 1]?.kind === 'word' && !COUNTS.some(units => units.has(words[at + 1]!))
    const spoken = refuses ? 'zero' : pointsBack(tokens, words, at) ? words[at]! : undefined
    const quantity = spoken ? ({ kind: 'word', word: spoken, first: at, last: at } as const) : readQuantity(tokens, words, at)
    if (quantity) {
      items.push(quantity)
      at = quantity.last + 1
      continue
    }
    const token = tokens[at]!
    if (isNumberedName(tokens, at)) items.push({ kind: 'word', word: `${token.word} ${tokens[at + 1]!.text}`, first: at, last: at + 1 })
    else if (token.kind === 'number') items.push(quantityItem(at, at, { min: token.value!, max: token.value!, plain: true }))
    else items.push({ kind: token.kind, word: token.word, first: at, last: at })
    at = items.at(-1)!.last + 1
  }
  return joinBounds(items)
}

const quantityItem = (first: number, last: number, quantity: Quantity): Item => ({ kind: 'quantity', word: '#', first, last, quantity })

function comparisonAt(
  tokens: readonly Token[],
  words: readonly string[],
  at: number,
  table: Phrases<Comparison>,
): { value: Comparison; length: number } | undefined {
  const token = tokens[at]
  // "CA 10-100" speaks of Canada or California; "ca. 100" is about a hundred.
  if (!token || token.kind === 'number' || (token.word === 'ca' && token.allCaps)) return undefined
  return table.longest(words, at, Math.min(tokens.length, at + 6))
}

/** Most tokens begin no quantity, and one look-up in this set shows it. */
const OPENERS = new Set([...[...BEFORE.keys()].map(phrase => phrase.split(' ')[0]!), ...BETWEEN, ...CURRENCY_WORDS.keys(), ...SPELLED])

function readQuantity(tokens: readonly Token[], words: readonly string[], at: number): Item | undefined {
  // "+250 salariés": the sign before the number.
  const isSigned = words[at] === '+' && tokens[at]!.end === tokens[at + 1]?.start && tokens[at - 1]?.kind !== 'number'
  const least = isSigned ? readAmount(tokens, at + 1) : undefined
  if (least) return comparedItem(at, least, 'atLeast')
  if (tokens[at]!.kind !== 'number' && !OPENERS.has(words[at]!) && words[at + 1] !== '$') return undefined
  const compared = comparisonAt(tokens, words, at, COMPARISONS)
  if (BETWEEN.has(words[at]!)) {
    const low = readAmount(tokens, at + 1)
    const high = low && TO.has(words[low.last + 1] ?? '') ? readAmount(tokens, afterTo(words, low.last + 1)) : undefined
    if (low && high) return spanItem(at, low, high)
  }
  if (compared) return readCompared(tokens, words, at, compared)
  const amount = readAmount(tokens, at)
  if (!amount) return undefined
  const to = words[amount.last + 1]
  if (to !== undefined && TO.has(to) && !JOINS.has(to)) {
    const high = readAmount(tokens, afterTo(words, amount.last + 1))
    if (high && high.value * (high.scale ?? 1) >= amount.value) return spanItem(at, amount, high)
  }
  if (amount.plus) return comparedItem(at, amount, 'atLeast')
  const behind = comparisonAt(tokens, words, amount.last + 1, COMPARISONS_BEHIND)
  if (behind) return { ...comparedItem(at, amount, behind.value), last: amount.last + behind.length }
  const unitEnds = words[amount.last + 1] === 'pers' && words[amount.last + 2] === '.' ? 3 : 2
  const late = tokens[amount.last + 1]?.kind === 'word' ? comparisonBehindUnit(tokens, words, amount.last + unitEnds) : undefined
  if (late) return comparedItem(at, amount, late.value)
  if (amount.loose) return comparedItem(at, amount, 'about')
  const value = amount.value * (amount.scale ?? 1)
  return quantityItem(at, amount.last, { min: value, max: value, plain: true, ...signs(amount) })
}

/** "50 employees or more", "ten million in revenue and up": after the words that say what is counted. */
function comparisonBehindUnit(tokens: readonly Token[], words: readonly string[], from: number): { value: Comparison } | undefined {
  for (let at = from; at < from + 3; at++) {
    const found = comparisonAt(tokens, words, at, COMPARISONS_LATE)
    if (found) return found
    if (tokens[at]?.kind !== 'word') return undefined
  }
  return undefined
}

function readCompared(
  tokens: readonly Token[],
  words: readonly string[],
  at: number,
  { value, length }: { value: Comparison; length: number },
): Item | undefined {
  let next = at + length
  // "approx. 100", "ca. 50": the full stop belongs to the abbreviation.
  if (words[next] === '.' && tokens[next + 1]?.kind === 'number') next++
  while (ARTICLES.has(words[next] ?? '') && next < at + length + 2 && !readAmount(tokens, next)) next++
  const amount = readAmount(tokens, next)
  if (!amount) return undefined
  const to = words[amount.last + 1]
  if (to !== undefined && TO.has(to) && value !== 'before' && value !== 'after' && to !== 'and' && to !== '/') {
    const high = readAmount(tokens, afterTo(words, amount.last + 1))
    if (high && high.value * (high.scale ?? 1) > amount.value) return spanItem(at, amount, high)
  }
  return comparedItem(at, amount, value)
}

const afterTo = (words: readonly string[], to: number): number =>
  to + (/^(?:jusqu a|up to|bis zu)$/.test(`${words[to]} ${words[to + 1]}`) ? 2 : 1)

interface Amount {
  value: number
  currency?: Currency
  scale?: number
  plus?: boolean
  /** "a couple hundred" */
  loose?: boolean
  last: number
}

const signs = (amount: Amount): Quantity => ({
  ...(amount.currency === undefined ? {} : { currency: amount.currency }),
  ...(amount.scale === undefined ? {} : { scaled: true }),
})

/** A number with what belongs to it: "€ 5 million", "EUR 5M", "5k", "200+", "two hundred and fifty". */
function readAmount(tokens: readonly Token[], at: number): Amount | undefined {
  let position = skipArticle(tokens, at)
  let currency: Currency | undefined
  const before = tokens[position]
  if (before && before.kind !== 'number') {
    const found = CURRENCY_WORDS.get(before.word)
    if (found && tokens[position + 1]?.kind === 'number') {
      currency = found
      position++
      // "US$5m", "C$2m": the letters come before the sign.
    } else if (isSignOf(before, tokens[position + 1]) && tokens[position + 2]?.kind === 'number') {
      currency = CURRENCY_WORDS.get(`${before.word}$`) ?? 'USD'
      position += 2
    }
  }
  const token = tokens[position]
  const spelled = token?.kind === 'word' ? (readSpelled(tokens, position) ?? readLoose(tokens, at)) : undefined
  if (!token || (token.kind !== 'number' && !spelled)) return undefined
  const amount: Amount = { value: spelled ? spelled.value : token.value!, last: position }
  if (spelled) amount.loose = isLoose(tokens, at)
  if (token.plus) amount.plus = true
  if (spelled) position = spelled.last
  let next = tokens[position + 1]
  const scale = next?.kind === 'word' ? SCALES.get(next.word) : undefined
  if (scale !== undefined && isScale(tokens, position + 1)) {
    amount.scale = scale
    position++
    if (next!.word === 'mil' && tokens[position + 1]?.word === 'millones') {
      amount.scale = 1e9
      position++
    }
    // "Mio." and "de" / "d'" between the scale and the currency.
    if (tokens[position + 1]?.word === '.' && ['mio', 'mrd', 'tsd', 'mn'].includes(next!.word)) position++
    if (['de', 'd', 'di'].includes(tokens[position + 1]?.word ?? '') && CURRENCY_WORDS.has(tokens[position + 2]?.word ?? '')) position++
    next = tokens[position + 1]
  }
  // "25 MEUR", "500 kCHF"
  const sum = next?.kind === 'word' ? /^([mk])([a-z]{3})$/.exec(next.word) : null
  if (sum && CURRENCY_WORDS.has(sum[2]!) && amount.scale === undefined) {
    amount.scale = sum[1] === 'm' ? 1e6 : 1e3
    currency ??= CURRENCY_WORDS.get(sum[2]!)!
    position++
    next = tokens[position + 1]
  }
  // "5m+ usd", "5m usd+"
  const readPlus = () => {
    if (next?.word !== '+' || next.glue !== '' || tokens[position]!.end !== next.start) return
    amount.plus = true
    next = tokens[++position + 1]
  }
  readPlus()
  // "New Zealand dollars", "Swiss francs"
  const owner = position + (/^(?:new|hong)$/.test(next?.word ?? '') ? 2 : 1)
  if (CURRENCY_OF.has(tokens[owner]?.word ?? '') && CURRENCY_WORDS.has(tokens[owner + 1]?.word ?? '')) {
    currency = CURRENCY_OF.get(tokens[owner]!.word)!
    position = owner
    next = tokens[position + 1]
  }
  if (next && CURRENCY_WORDS.has(next.word) && !NOT_BEHIND.has(next.word)) {
    currency ??= CURRENCY_WORDS.get(next.word)!
    position++
    const sign = next.word
    next = tokens[position + 1]
    if (next && CURRENCY_OF.has(next.word)) {
      currency = CURRENCY_OF.get(next.word)!
      position++
      next = tokens[position + 1]
    }
    // "5 M$ CA", "10 $ US": French writes the country after the sign.
    if (sign === '$' && next?.allCaps && ['ca', 'can', 'us', 'au'].includes(next.word)) {
      currency = CURRENCY_WORDS.get(`${next.word}$`) ?? currency
      position++
      next = tokens[position + 1]
    }
  }
  readPlus()
  if (currency) amount.currency = currency
  amount.last = position
  return amount
}

/** "US$", but "raised $": the letters touch the sign. */
const isSignOf = (letters: Token, sign: Token | undefined): boolean =>
  letters.kind === 'word' && sign?.word === '$' && sign.start === letters.end

/** "m" and "k" scale a number they touch; words do so from a distance too. */
function isScale(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at]!
  const isLetter = /^(?:[mk]|mds?)$/.test(token.word) && tokens[at - 1]!.end !== token.start
  return !isLetter || ['d', 'de', ...CURRENCY_WORDS.keys()].includes(tokens[at + 1]?.word ?? '')
}

function spanItem(first: number, low: Amount, high: Amount): Item {
  const highValue = high.value * (high.scale ?? 1)
  // "5-50M": the scale is said once and means both.
  const shared = high.scale !== undefined && low.value < high.value * (high.scale > 1e3 ? 1e3 : 1)
  const lowValue = low.value * (low.scale ?? (shared ? high.scale! : 1))
  const [min, max] = lowValue > highValue ? [highValue, lowValue] : [lowValue, highValue]
  return quantityItem(first, high.last, { min, max, span: true, ...signs(low), ...signs(high) })
}

function comparedItem(first: number, amount: Amount, comparison: Comparison): Item {
  const quantity = compare(amount.value * (amount.scale ?? 1), comparison)
  return quantityItem(first, amount.last, { ...quantity, ...signs(amount), ...(amount.loose ? { plain: true } : {}) })
}

export function compare(value: number, comparison: Comparison): Quantity {
  const quantity: Quantity = {}
  if (comparison === 'over' || comparison === 'after') Object.assign(quantity, { min: value, minOpen: true })
  else if (comparison === 'atLeast' || comparison === 'since') quantity.min = value
  else if (comparison === 'under' || comparison === 'before') Object.assign(quantity, { max: value, maxOpen: true })
  else if (comparison === 'atMost') quantity.max = value
  else Object.assign(quantity, { min: Math.round(value * 0.8), max: Math.round(value * 1.2), approximate: true })
  if (comparison === 'since' || comparison === 'after' || comparison === 'before') quantity.temporal = true
  return quantity
}

/** "more than 1000 but fewer than 5000": two half-open quantities that follow each other are one range. */
function joinBounds(items: Item[]): Item[] {
  const joined: Item[] = []
  for (const item of items) {
    // "moins de 50 ou de plus de 500", "under 30 people or over 300"
    const or = joined.at(-1)?.word === 'de' ? -2 : -1
    const back = PEOPLE_UNITS.has(joined.at(or - 1)?.word ?? '') ? or - 2 : or - 1
    const before = joined.at(back)
    const both = item.quantity && before?.quantity && joinedBy(joined.at(or)!.word, before.quantity, item.quantity)
    if (both && (back === -2 || both.min! > both.max!)) joined.splice(back, -back, { ...before, last: item.last, quantity: both })
    else joined.push(item)
  }
  return joined
}

/** Two bounds are what lies between them, or, where they exclude each other, what lies outside: then the least is above the most. */
function joinedBy(joiner: string, a: Quantity, b: Quantity): Quantity | undefined {
  const isOr = OR.has(joiner)
  // "not under 30 or over 300": the negation of the first bound is said of the second as well.
  if (isOr && b.minOpen && a.min! < b.min! && !a.minOpen && a.max === undefined) return { ...a, max: b.min! }
  if (isOr && b.maxOpen && a.max! > b.max! && !a.maxOpen && a.min === undefined) return { ...a, min: b.max! }
  const both = isOr || BOUND_JOINERS.has(joiner) || joiner === ',' ? intersect(a, b) : undefined
  if (!both || both.min! < both.max!) return isOr ? undefined : both
  const isAlike = (a.currency === undefined) === (b.currency === undefined) && both.min! < both.max! * MOST_APART
  return isAlike && joiner !== ',' ? both : undefined
}
/** "under 30 people or over 5M" speaks of two things. */
const MOST_APART = 1000
const OR = wordSet('numbers.txt', 'or')
const BOUND_JOINERS = wordSet('numbers.txt', 'bound joiners')
const PEOPLE_UNITS = wordSet('numbers.txt', 'people units')

function intersect(a: Quantity, b: Quantity): Quantity | undefined {
  if (a.plain || b.plain || a.span || b.span || a.approximate || b.approximate) return undefined
  // "founded before 2000, more than 60 employees" are two bounds of two things.
  if (Boolean(a.temporal) !== Boolean(b.temporal)) return undefined
  const [low, high] = a.min !== undefined ? [a, b] : [b, a]
  if (low.min === undefined || high.max === undefined || low.max !== undefined || high.min !== undefined) return undefined
  return low.min === high.max ? undefined : { ...high, ...low }
}
