import type { Currency } from './vocabulary.ts'

/**
 * Roughly what one US dollar buys, as of 2026-11-15. Rates are a part of the release, so that the same filter gives the same
 * leads on every machine until an upgrade. Set by hand and rounded, NOT taken from a published source of that day: good enough
 * to tell a company of 5 million from one of 50, and to be replaced by official reference rates before a release.
 */
export const UNITS_PER_USD: Readonly<Record<Currency, number>> = {
  USD: 1,
  EUR: 0.86,
  GBP: 0.75,
  CHF: 0.8,
  CAD: 1.38,
  AUD: 1.52,
  NZD: 1.7,
  SEK: 9.5,
  NOK: 10.1,
  DKK: 6.42,
  PLN: 3.65,
  CZK: 21,
  HUF: 340,
  RON: 4.35,
  TRY: 41.5,
  ILS: 3.35,
  AED: 3.6725,
  SAR: 3.75,
  INR: 87.5,
  CNY: 7.15,
  JPY: 148,
  KRW: 1390,
  SGD: 1.29,
  HKD: 7.8,
  BRL: 5.4,
  MXN: 18.6,
  ZAR: 17.6,
}

export function convertMoney(amount: number, from: Currency, to: Currency): number {
  if (from === to) return amount
  return (amount / UNITS_PER_USD[from]) * UNITS_PER_USD[to]
}

export interface MoneyRange {
  min?: number
  max?: number
  currency?: Currency
}

/** Whether an amount lies in one of the ranges (inclusive), each compared in the range's own currency. */
export function moneyInRange(amount: number, currency: Currency, ranges: readonly MoneyRange[]): boolean {
  return ranges.some(range => {
    const converted = convertMoney(amount, currency, range.currency ?? 'USD')
    return (range.min === undefined || converted >= range.min) && (range.max === undefined || converted <= range.max)
  })
}
