import type { Currency } from '../search/terms/vocabulary.ts'
import type { Token } from './tokens.ts'

/** One unit of the brief: a word, a punctuation mark, or a whole quantity ("between 50 and 200", "€5-10M"). */
export interface Item {
  kind: 'word' | 'quantity' | 'punct' | 'domain'
  word: string
  /** Token positions, both inclusive. */
  first: number
  last: number
  quantity?: Quantity
}

export interface Quantity {
  min?: number
  max?: number
  /** "more than" and "less than" leave the bound out; for money the bound is kept all the same. */
  minOpen?: boolean
  maxOpen?: boolean
  approximate?: boolean
  currency?: Currency
  /** Written with "million" or "k": a sum rather than a count. */
  scaled?: boolean
  /** A number alone: not a range, no comparison. */
  plain?: boolean
  /** Written as two numbers with a dash or "to". */
  span?: boolean
  /** Said with a word for time: since, before, after. */
  temporal?: boolean
}

const SCALES: Record<string, number> = {}
for (const [scale, words] of [
  [1e3, 'k thousand tsd tausend mille mil'],
  [1e6, 'm mn mm mio million millions millionen mln millon millones milioni milhoes mill miljoen'],
  [1e9, 'bn billion billions mrd milliarde milliarden milliard milliards'],
] as const) {
  for (const word of words.split(' ')) SCALES[word] = scale
}

const CURRENCY_WORDS: Record<string, Currency> = {}
for (const [currency, words] of [
  ['EUR', '€ eur euro euros'],
  ['USD', '$ usd dollar dollars dolares us$ bucks'],
  ['GBP', '£ gbp pound pounds quid pfund livres libras'],
  ['CHF', 'chf franken francs sfr francos'],
  ['CAD', 'cad c$'],
  ['AUD', 'aud a$'],
  ['NZD', 'nzd'],
  ['SEK', 'sek kronor'],
  ['NOK', 'nok'],
  ['DKK', 'dkk kroner'],
  ['PLN', 'pln zloty zlotys'],
  ['CZK', 'czk'],
  ['HUF', 'huf forint'],
  ['RON', 'ron lei'],
  ['TRY', 'try lira'],
  ['ILS', 'ils shekel shekels nis'],
  ['AED', 'aed dirham dirhams'],
  ['SAR', 'sar riyal'],
  ['INR', '₹ inr rupees rupee'],
  ['CNY', 'cny yuan rmb'],
  ['JPY', '¥ jpy yen'],
  ['KRW', 'krw won'],
  ['SGD', 'sgd s$'],
  ['HKD', 'hkd hk$'],
  ['BRL', 'brl reais real r$'],
  ['MXN', 'mxn pesos'],
  ['ZAR', 'zar rand'],
] as const) {
  for (const word of words.split(' ')) CURRENCY_WORDS[word] = currency
}

const NUMBER_WORDS: Record<string, number> = {}
for (const [value, words] of [
  [2, 'two zwei deux dos'],
  [3, 'three drei trois tres'],
  [4, 'four vier quatre cuatro'],
  [5, 'five funf cinq cinco'],
  [6, 'six sechs seis'],
  [7, 'seven sieben sept siete'],
  [8, 'eight acht huit ocho'],
  [9, 'nine neun neuf nueve'],
  [10, 'ten zehn dix diez'],
  [12, 'twelve zwolf douze doce dozen'],
  [15, 'fifteen funfzehn quinze quince'],
  [20, 'twenty zwanzig vingt veinte'],
  [25, 'twentyfive'],
  [30, 'thirty dreissig trente treinta'],
  [40, 'forty vierzig quarante cuarenta'],
  [50, 'fifty funfzig cinquante cincuenta'],
  [60, 'sixty sechzig soixante sesenta'],
  [80, 'eighty achtzig ochenta'],
  [100, 'hundred hundert cent cien'],
  [200, 'zweihundert doscientos'],
  [500, 'funfhundert quinientos'],
  [1000, 'tausend mille'],
] as const) {
  for (const word of words.split(' ')) NUMBER_WORDS[word] = value
}

type Comparison = 'over' | 'atLeast' | 'under' | 'atMost' | 'about' | 'since' | 'after' | 'before'
const COMPARISONS = new Map<string, Comparison>()
const COMPARISON_LINES: [Comparison, string][] = [
  [
    'over',
    '>, over, more than, above, greater than, exceeding, in excess of, north of, larger than, bigger than, mehr als, uber, ueber, grosser als, oberhalb von, plus de, plus que, au dessus de, superieur a, superieure a, superieurs a, depassant, mas de, + de, + d, + than, mas que, por encima de, superior a, superiores a, mayor a, mayor de, mayores de, que superen, piu di, oltre, superiore a, meer dan, boven, mais de, acima de',
  ],
  [
    'atLeast',
    '≥, >=, at least, minimum, min, minimum of, a minimum of, from, starting at, starting from, upwards of, no less than, no fewer than, not less than, not fewer than, ab, mindestens, minimal, wenigstens, von mindestens, nicht weniger als, a partir de, au moins, minimum de, au minimum, a minima, al menos, por lo menos, como minimo, minimo, minimo de, un minimo de, desde, no menos de, almeno, a partire da, minstens, vanaf, pelo menos, no minimo',
  ],
  [
    'under',
    '<, under, less than, fewer than, below, smaller than, lower than, unter, weniger als, unterhalb von, kleiner als, moins de, - de, moins que, en dessous de, inferieur a, inferieure a, inferieurs a, menos de, menos que, por debajo de, inferior a, inferiores a, menor a, menor de, meno di, sotto, sotto i, inferiore a, minder dan, onder, menos de, abaixo de',
  ],
  [
    'atMost',
    '≤, <=, up to, at most, max, maximum, maximum of, a maximum of, no more than, not more than, no larger than, not exceeding, not over, no bigger than, capped at, bis, bis zu, hochstens, maximal, nicht mehr als, nicht uber, jusqu a, au plus, au maximum, maximum de, pas plus de, hasta, como maximo, maximo, maximo de, un maximo de, no mas de, al massimo, fino a, hooguit, maximaal, tot, no maximo, ate',
  ],
  [
    'about',
    '~, ≈, around, about, approximately, approx, roughly, circa, ca, some, ungefahr, etwa, rund, zirka, um die, environ, autour de, a peu pres, aux alentours de, alrededor de, aproximadamente, cerca de, unos, unas, ongeveer, circa di',
  ],
  ['since', 'since, seit, depuis, sinds, dal, no earlier than'],
  ['after', 'after, later than, nach, apres, despues de, con posterioridad a, dopo, na nl, post'],
  ['before', 'before, prior to, earlier than, vor, avant, antes de, prima del, voor, pre'],
]
for (const [comparison, phrases] of COMPARISON_LINES) for (const phrase of phrases.split(', ')) COMPARISONS.set(phrase, comparison)

const SUFFIXES = new Map<string, Comparison>()
for (const [comparison, phrases] of [
  [
    'atLeast',
    'plus, or more, and more, and above, or above, and up, or up, and over, or over, or larger, or bigger, and larger, upwards, onwards, or later, and later, or newer, or greater, oder mehr, und mehr, und daruber, oder grosser, aufwarts, ou plus, et plus, et au dela, o mas, y mas, o superior, en adelante, o mayor, of meer, en hoger, o piu, ou mais, minimum, min, mindestens',
  ],
  [
    'atMost',
    'or fewer, or less, and below, or below, and under, or under, or smaller, or earlier, max, maximum, at most, tops, oder weniger, und darunter, oder kleiner, maximal, hochstens, ou moins, et moins, au maximum, maximum, o menos, como maximo, of minder, o meno, ou menos',
  ],
] as [Comparison, string][]) {
  for (const phrase of phrases.split(', ')) SUFFIXES.set(phrase, comparison)
}

const BETWEEN = new Set(['between', 'from', 'zwischen', 'von', 'entre', 'de', 'desde', 'tra', 'fra', 'tussen', 'da', 'van'])
const TO = new Set([
  '-',
  'to',
  'and',
  'bis',
  'und',
  'a',
  'et',
  'y',
  'e',
  'hasta',
  'tot',
  'en',
  'until',
  'through',
  'up to',
  '/',
  'al',
  'ate',
  'jusqu',
])
const JOINERS = new Set(['but', 'and', ',', 'und', 'aber', 'et', 'mais', 'y', 'pero', 'e', 'en', 'maar', 'yet', '&', 'ma'])

interface Atom {
  value: number
  currency?: Currency
  scale?: number
  plus?: boolean
  first: number
  last: number
}

/** Tokens to items: numbers, their scales, currencies and comparisons become one item each. */
export function readItems(tokens: readonly Token[]): Item[] {
  const items: Item[] = []
  let at = 0
  while (at < tokens.length) {
    const quantity = readQuantity(tokens, at)
    if (quantity) {
      items.push(quantity)
      at = quantity.last + 1
      continue
    }
    const token = tokens[at]!
    if (token.kind === 'number') {
      items.push({ kind: 'quantity', word: '#', first: at, last: at, quantity: { min: token.value!, max: token.value!, plain: true } })
    } else {
      const kind = token.kind === 'word' ? 'word' : token.kind === 'domain' ? 'domain' : 'punct'
      items.push({ kind, word: token.word, first: at, last: at })
    }
    at++
  }
  return combineBounds(items)
}

const FIRST_WORDS = new Set([...COMPARISONS.keys(), ...SUFFIXES.keys()].map(phrase => phrase.split(' ')[0]!))

function phraseAt(
  tokens: readonly Token[],
  at: number,
  table: ReadonlyMap<string, Comparison>,
): { comparison: Comparison; length: number } | undefined {
  if (!FIRST_WORDS.has(tokens[at]?.word ?? '')) return undefined
  // "CA 10-100" speaks of Canada or California; "ca. 100" is about a hundred.
  if (tokens[at]!.word === 'ca' && tokens[at]!.allCaps) return undefined
  let phrase = ''
  let found: { comparison: Comparison; length: number } | undefined
  for (let length = 1; length <= 3 && at + length <= tokens.length; length++) {
    const token = tokens[at + length - 1]!
    if (token.kind === 'number') break
    phrase = length === 1 ? token.word : `${phrase} ${token.word}`
    const comparison = table.get(phrase) ?? table.get(phrase.replace('> =', '>=').replace('< =', '<='))
    if (comparison) found = { comparison, length }
  }
  return found
}

function readQuantity(tokens: readonly Token[], at: number): Item | undefined {
  const start = tokens[at]!
  // Most tokens begin no quantity: two cheap looks decide.
  const compared = start.kind === 'number' ? undefined : phraseAt(tokens, at, COMPARISONS)
  if (BETWEEN.has(start.word)) {
    const low = readAtom(tokens, at + 1)
    if (low && TO.has(tokens[low.last + 1]?.word ?? '')) {
      const high = readAtom(tokens, afterTo(tokens, low.last + 1))
      if (high) return spanItem(at, low, high)
    }
  }
  if (compared) {
    let next = at + compared.length
    // "approx. 100", "ca. 50": the full stop belongs to the abbreviation.
    if (tokens[next]?.word === '.' && tokens[next]!.kind === 'punct' && tokens[next + 1]?.kind === 'number') next++
    while (
      ['the', 'a', 'de', 'a', 'year', 'als', 'von', 'd', 'un', 'una', 'los', 'le', 'les', 'den', 'dem', 'der', 'i', 'des', 'l'].includes(
        tokens[next]?.word ?? '',
      ) &&
      next < at + compared.length + 2
    )
      next++
    const atom = readAtom(tokens, next)
    if (atom) {
      if (TO.has(tokens[atom.last + 1]?.word ?? '') && compared.comparison !== 'before' && compared.comparison !== 'after') {
        const high =
          tokens[atom.last + 1]!.word === 'and' || tokens[atom.last + 1]!.word === '/'
            ? undefined
            : readAtom(tokens, afterTo(tokens, atom.last + 1))
        if (high && high.value * (high.scale ?? 1) > atom.value) return spanItem(at, atom, high)
      }
      return comparedItem(at, atom, compared.comparison)
    }
    return undefined
  }
  const atom = readAtom(tokens, at)
  if (!atom) return undefined
  const to = tokens[atom.last + 1]
  if (to && TO.has(to.word) && !['and', 'und', 'et', 'y', 'e', 'en', '/'].includes(to.word)) {
    const high = readAtom(tokens, afterTo(tokens, atom.last + 1))
    if (high && high.value * (high.scale ?? 1) >= atom.value) return spanItem(at, atom, high)
  }
  if (atom.plus) return comparedItem(at, atom, 'atLeast')
  const suffix = tokens[atom.last + 1]?.kind === 'number' ? undefined : phraseAt(tokens, atom.last + 1, SUFFIXES)
  if (suffix) return { ...comparedItem(at, atom, suffix.comparison), last: atom.last + suffix.length }
  // A suffix may follow the unit: "50 employees or more".
  const unitEnds = tokens[atom.last + 1]?.word === 'pers' && tokens[atom.last + 2]?.word === '.' ? 3 : 2
  const late = tokens[atom.last + 1]?.kind === 'word' ? phraseAt(tokens, atom.last + unitEnds, LATE_SUFFIXES) : undefined
  if (late) return comparedItem(at, atom, late.comparison)
  const value = atom.value * (atom.scale ?? 1)
  const quantity: Quantity = { min: value, max: value, plain: true }
  if (atom.currency) quantity.currency = atom.currency
  if (atom.scale !== undefined) quantity.scaled = true
  return { kind: 'quantity', word: '#', first: at, last: atom.last, quantity }
}

const LATE_SUFFIXES = new Map([...SUFFIXES].filter(([phrase]) => phrase.includes(' ')))
LATE_SUFFIXES.set('minimum', 'atLeast').set('maximum', 'atMost').set('max', 'atMost').set('min', 'atLeast')

const afterTo = (tokens: readonly Token[], to: number): number => {
  if (tokens[to]?.word === 'jusqu' && tokens[to + 1]?.word === 'a') return to + 2
  return tokens[to]?.word === 'up' ? to + 2 : to + 1
}

/** A number with what belongs to it: "€ 5 million", "EUR 5M", "5k", "200+". */
function readAtom(tokens: readonly Token[], at: number): Atom | undefined {
  let position = at
  let currency: Currency | undefined
  const before = tokens[position]
  if (before && before.kind !== 'number') {
    const found = CURRENCY_WORDS[before.word]
    if (found && tokens[position + 1]?.kind === 'number') {
      currency = found
      position++
      // "US$5m", "C$2m": the letters stand before the sign.
    } else if (before.kind === 'word' && tokens[position + 1]?.word === '$' && tokens[position + 2]?.kind === 'number') {
      currency = CURRENCY_WORDS[`${before.word}$`] ?? 'USD'
      position += 2
    }
  }
  const token = tokens[position]
  if (!token) return undefined
  let value: number
  if (token.kind === 'number') value = token.value!
  else if (token.kind === 'word' && NUMBER_WORDS[token.word] !== undefined && !token.allCaps) value = NUMBER_WORDS[token.word]!
  else return undefined
  const atom: Atom = { value, first: at, last: position }
  if (token.plus) atom.plus = true
  let next = tokens[position + 1]
  if (next?.kind === 'word' && SCALES[next.word] !== undefined && isScale(tokens, position + 1)) {
    atom.scale = SCALES[next.word]!
    position++
    if (next.word === 'mil' && tokens[position + 1]?.word === 'millones') {
      atom.scale = 1e9
      position++
    }
    // "Mio." and "de" / "d'" between the scale and the currency.
    if (tokens[position + 1]?.word === '.' && ['mio', 'mrd', 'tsd', 'mn'].includes(next.word)) position++
    if (['de', 'd', 'di'].includes(tokens[position + 1]?.word ?? '') && CURRENCY_WORDS[tokens[position + 2]?.word ?? '']) position++
    next = tokens[position + 1]
  } else if (token.kind === 'word' && next?.kind === 'word' && NUMBER_WORDS[next.word] === 100) {
    atom.value = value * 100
    position++
    next = tokens[position + 1]
  }
  if (next && CURRENCY_WORDS[next.word] && !(next.word === 'real' || next.word === 'try' || next.word === 'won' || next.word === 'nis')) {
    currency ??= CURRENCY_WORDS[next.word]!
    position++
    next = tokens[position + 1]
  }
  if (next?.word === '+' && next.glue === '' && tokens[position]!.end === next.start) {
    atom.plus = true
    position++
  }
  if (currency) atom.currency = currency
  atom.last = position
  return atom
}

/** "m" and "k" scale a number they touch; words do so from a distance too. */
function isScale(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at]!
  if (token.word.length > 2) return true
  return (
    tokens[at - 1]!.end === token.start ||
    token.word === 'mn' ||
    (token.word !== 'm' ? token.word !== 'k' : CURRENCY_WORDS[tokens[at + 1]?.word ?? ''] !== undefined)
  )
}

function spanItem(first: number, low: Atom, high: Atom): Item {
  const currency = high.currency ?? low.currency
  const highValue = high.value * (high.scale ?? 1)
  // "5-50M": the scale is said once and means both.
  const lowScale = low.scale ?? (high.scale !== undefined && low.value < high.value * (high.scale > 1e3 ? 1e3 : 1) ? high.scale : 1)
  const quantity: Quantity = { min: low.value * lowScale, max: highValue, span: true }
  if (currency) quantity.currency = currency
  if (high.scale !== undefined || low.scale !== undefined) quantity.scaled = true
  if (quantity.min! > quantity.max!) [quantity.min, quantity.max] = [quantity.max!, quantity.min!]
  return { kind: 'quantity', word: '#', first, last: high.last, quantity }
}

function comparedItem(first: number, atom: Atom, comparison: Comparison): Item {
  const value = atom.value * (atom.scale ?? 1)
  const quantity: Quantity = {}
  if (atom.currency) quantity.currency = atom.currency
  if (atom.scale !== undefined) quantity.scaled = true
  if (comparison === 'over' || comparison === 'after') Object.assign(quantity, { min: value, minOpen: true })
  else if (comparison === 'atLeast' || comparison === 'since') quantity.min = value
  else if (comparison === 'under' || comparison === 'before') Object.assign(quantity, { max: value, maxOpen: true })
  else if (comparison === 'atMost') quantity.max = value
  else Object.assign(quantity, { min: Math.round(value * 0.8), max: Math.round(value * 1.2), approximate: true })
  if (comparison === 'since' || comparison === 'after' || comparison === 'before') quantity.temporal = true
  return { kind: 'quantity', word: '#', first, last: atom.last, quantity }
}

/** "more than 1000 but fewer than 5000": two half-open quantities that follow each other are one range. */
function combineBounds(items: Item[]): Item[] {
  const combined: Item[] = []
  for (let at = 0; at < items.length; at++) {
    const item = items[at]!
    const last = combined.at(-1)
    const before = combined.at(-2)
    if (item.quantity && last && before?.quantity && JOINERS.has(last.word)) {
      const joined = intersect(before.quantity, item.quantity)
      if (joined) {
        combined.splice(-2, 2, { ...before, last: item.last, quantity: joined })
        continue
      }
    }
    combined.push(item)
  }
  return combined
}

function intersect(a: Quantity, b: Quantity): Quantity | undefined {
  if (a.plain || b.plain || a.span || b.span || a.approximate || b.approximate) return undefined
  const [low, high] = a.min !== undefined ? [a, b] : [b, a]
  if (low.min === undefined || high.max === undefined || low.max !== undefined || high.min !== undefined) return undefined
  if (low.min >= high.max) return undefined
  const joined: Quantity = { min: low.min, max: high.max }
  if (low.minOpen) joined.minOpen = true
  if (high.maxOpen) joined.maxOpen = true
  const currency = low.currency ?? high.currency
  if (currency) joined.currency = currency
  if (low.scaled || high.scaled) joined.scaled = true
  if (low.temporal || high.temporal) joined.temporal = true
  return joined
}
