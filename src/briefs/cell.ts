import type { PlaceReading } from '../search/terms/places.ts'
import type { Entry } from './lexicon.ts'

/** A phrase of the brief with everything it may be. The grammar reads cells from left to right. */
export interface Cell {
  kind: 'word' | 'place' | 'break' | 'comma' | 'list' | 'conjunction' | 'negator' | 'correction' | 'instead' | 'hq' | 'domain' | 'gap'
  /** Item positions, inclusive. */
  first: number
  last: number
  /** Folded words, joined. */
  word: string
  entry?: Entry
  /** The singular of a title's last word, if this is one. */
  head?: string
  readings?: readonly PlaceReading[]
  /** An adjective of nationality: "German". */
  demonym?: boolean
  capital: boolean
  small: boolean
  idle: boolean
  companyNoun: boolean
  peopleNoun: boolean
  unknown: boolean
  label: string | undefined
  sentence: number
  used?: boolean
  /** A quantity with a bound ("50+"), as against a plain number. */
  bound?: boolean
}
