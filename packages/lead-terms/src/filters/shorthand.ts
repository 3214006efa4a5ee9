import { foldText } from '../text.ts'
import { CURRENCIES, type Currency, INDUSTRIES } from '../vocabulary.ts'
import { FILTER_LIMITS } from './filter-schema.ts'

/** The ranges that people type: "50-200", "1000+", "<= 49", "1M-10M EUR". */

const SCALES: Record<string, number> = { k: 1e3, m: 1e6, mn: 1e6, mio: 1e6, million: 1e6, b: 1e9, bn: 1e9, mrd: 1e9, billion: 1e9 }
const SIGNS: Record<string, Currency> = { '€': 'EUR', $: 'USD', '£': 'GBP', '¥': 'JPY', '₹': 'INR' }
const NUMBER = /^(\d{1,3}(?:[,. ]\d{3})+|\d{1,14}(?:[.,]\d{1,3})?) ?([a-z]{1,7})?$/

interface Half {
  value: number
  scale: number | undefined
}

function readHalf(text: string): Half | undefined {
  const match = NUMBER.exec(text.trim().toLowerCase())
  if (!match) return undefined
  const [, digits, unit] = match as unknown as [string, string, string | undefined]
  const scale = unit === undefined ? undefined : SCALES[unit]
  if (unit !== undefined && scale === undefined) return undefined
  const plain = /^\d{1,3}(?:[,. ]\d{3})+$/.test(digits) ? digits.replace(/[,. ]/g, '') : digits.replace(',', '.')
  return { value: Number(plain), scale }
}

interface ShortRange {
  min?: number
  max?: number
  currency?: Currency
}

/** Undefined when the text is not a range at all. */
export function readRangeText(input: string, money: boolean): ShortRange | undefined {
  let text = input.trim()
  if (text.length > 60) return undefined
  let currency: Currency | undefined
  for (const [sign, code] of Object.entries(SIGNS)) {
    if (text.includes(sign)) {
      currency = code
      text = text.replaceAll(sign, '')
    }
  }
  const code = CURRENCIES.find(each => new RegExp(`(?:^|[^a-z])${each}(?:[^a-z]|$)`, 'i').test(text))
  if (code) {
    currency = code
    text = text.replace(new RegExp(code, 'gi'), ' ')
  }
  if (currency && !money) return undefined
  text = text.replace(/\s+/g, ' ').trim()
  const range = readBounds(text, money)
  if (!range) return undefined
  return currency ? { ...range, currency } : range
}

function readBounds(text: string, money: boolean): { min?: number; max?: number } | undefined {
  const whole = (half: Half, scale = half.scale) => Math.round(half.value * (scale ?? 1))
  const plus = /^(.+?) ?\+$/.exec(text) ?? /^(?:>=|≥|from|at least|min) ?(.+)$/i.exec(text)
  if (plus) {
    const half = readHalf(plus[1]!)
    return half && { min: whole(half) }
  }
  const upTo = /^(?:<=|≤|up to|at most|max) ?(.+)$/i.exec(text)
  if (upTo) {
    const half = readHalf(upTo[1]!)
    return half && { max: whole(half) }
  }
  const over = /^(>|<) ?(.+)$/.exec(text)
  if (over) {
    const half = readHalf(over[2]!)
    // People and years are whole numbers, so the bound itself is excluded; money is continuous.
    const step = money ? 0 : 1
    return half && (over[1] === '>' ? { min: whole(half) + step } : { max: whole(half) - step })
  }
  const between = /^([^-–—]+?) ?(?:-|–|—|\.\.|to) ?([^-–—]+)$/.exec(text)
  if (between) {
    const low = readHalf(between[1]!)
    const high = readHalf(between[2]!)
    if (!low || !high) return undefined
    // "1-10M": a scale at the end applies to both numbers.
    return { min: whole(low, low.scale ?? (low.value < high.value ? high.scale : undefined)), max: whole(high) }
  }
  const single = readHalf(text)
  return single && { min: whole(single), max: whole(single) }
}

let labels: Map<string, string> | undefined

/** An industry by slug or label, any case: "E-Commerce", "oil & gas". */
export function industryByName(text: string): string | undefined {
  if (!labels) {
    labels = new Map()
    for (const { slug, label } of INDUSTRIES.values()) {
      labels.set(foldText(label), slug)
      labels.set(foldText(slug), slug)
    }
  }
  return labels.get(foldText(text))
}

export const documentBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '', 'utf8')
export const tooLarge = (value: unknown): boolean => documentBytes(value) > FILTER_LIMITS.bytes
