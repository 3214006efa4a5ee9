import type { Place } from '../search/terms/places.ts'
import type { Department } from '../search/terms/vocabulary.ts'
import type { Cell } from './cell.ts'
import type { Item } from './numbers.ts'
import type { Token } from './tokens.ts'

export type EntityKind =
  | 'title'
  | 'level'
  | 'department'
  | 'industry'
  | 'technology'
  | 'place'
  | 'hq'
  | 'company'
  | 'keyword'
  | 'size'
  | 'stage'
  | 'employees'
  | 'revenue'
  | 'fundingTotal'
  | 'founded'

/** One thing the brief asks for, with the cells that said it. */
export interface Entity {
  kind: EntityKind
  /** The value as written into the document (levels and sizes are expanded later). */
  value: string
  place?: Place
  department?: Department
  /** For levels: "and above" was said. */
  above?: boolean
  /** For levels: the title it becomes beside other titles. */
  levelTitle?: string
  /** Cell positions, inclusive. */
  first: number
  last: number
  negated?: boolean
  /** Taken back by a correction, or named after "instead of". */
  dropped?: boolean
}

/** All that is known of the brief while its things are read. */
export interface Context {
  cells: readonly Cell[]
  items: readonly Item[]
  tokens: readonly Token[]
  text: string
  people: readonly Entity[]
}
