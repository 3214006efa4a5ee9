import type pg from 'pg'

/** Of text, of varchar and of uuid: pg names no types of arrays. */
const ARRAY_TYPES = [1009, 1015, 2951]

type Types = Pick<typeof pg.types, 'getTypeParser' | 'setTypeParser'>

/**
 * pg reads an array letter by letter, with an object for each, to be ready for quotes and for arrays within arrays. Most of ours have neither:
 * weekdays, scopes, ids.
 */
export function readPlainArraysQuickly(types: Types): void {
  for (const type of ARRAY_TYPES) {
    const readAny = types.getTypeParser(type as never) as (text: string) => (string | null)[]
    types.setTypeParser(type as never, text => (isPlain(text) ? split(text) : readAny(text)))
  }
}

/** A quote stands where it matters whether a letter is meant. `NULL` without quotes is no text. */
const isPlain = (text: string): boolean => /^\{[^"\\{}]*\}$/.test(text) && !/\bNULL\b/i.test(text)

const split = (text: string): string[] => (text === '{}' ? [] : text.slice(1, -1).split(','))
