import type { LeadFilters } from '@overture/sdk'
import { isRecord } from '@/ui/is-record.ts'

/** A filter document, canonical or in shorthand. Only the service knows all of its rules; here it is taken apart into chips. */
export type Filters = Record<string, unknown>
export type FilterField = LeadFilters['fields'][number]
export type Side = 'include' | 'exclude'

/** One value of a filter document: what can be changed or taken away by itself. */
export interface Chip {
  field: string
  side: Side | null
  /** Its place in the list; null where a field holds a single value. */
  index: number | null
  value: unknown
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : value === undefined ? [] : [value])

export function chipsOf(filters: Filters, fields: readonly FilterField[]): Chip[] {
  return fields.flatMap(({ name, form }): Chip[] => {
    const held = filters[name]
    if (held === undefined) return []
    if (form === 'includeExclude') {
      const sides = isRecord(held) && !('area' in held) && !('country' in held) ? held : { include: held }
      return (['include', 'exclude'] as const).flatMap(side =>
        listOf(sides[side]).map((value, index): Chip => ({ field: name, side, index, value })),
      )
    }
    if (form === 'ranges' || form === 'values') return listOf(held).map((value, index): Chip => ({ field: name, side: null, index, value }))
    return [{ field: name, side: null, index: null, value: held }]
  })
}

const fromChips = (chips: readonly Chip[]): Filters => {
  const filters: Filters = {}
  for (const { field, side, index, value } of chips) {
    if (index === null) filters[field] = value
    else if (side === null) filters[field] = [...listOf(filters[field]), value]
    else {
      const held = (filters[field] ?? {}) as Record<string, unknown[]>
      filters[field] = { ...held, [side]: [...(held[side] ?? []), value] }
    }
  }
  return filters
}

const isSame = (a: Chip, b: Chip): boolean => a.field === b.field && a.side === b.side && a.index === b.index

export const withoutChip = (filters: Filters, fields: readonly FilterField[], chip: Chip): Filters =>
  fromChips(chipsOf(filters, fields).filter(other => !isSame(other, chip)))

export const withChanged = (filters: Filters, fields: readonly FilterField[], chip: Chip, changed: Pick<Chip, 'side' | 'value'>): Filters =>
  fromChips(chipsOf(filters, fields).map(other => (isSame(other, chip) ? { ...chip, ...changed } : other)))

export function withAdded(
  filters: Filters,
  fields: readonly FilterField[],
  { name, form }: FilterField,
  side: Side,
  value: unknown,
): Filters {
  const isSingle = form === 'value' || form === 'number'
  const others = chipsOf(filters, fields).filter(chip => !(isSingle && chip.field === name))
  const text = JSON.stringify(value)
  const isThere = others.some(chip => chip.field === name && JSON.stringify(chip.value) === text)
  if (isThere) return filters
  return fromChips([...others, { field: name, side: form === 'includeExclude' ? side : null, index: isSingle ? null : 0, value }])
}

/** Replaces what a field includes: how a click on a facet narrows a search. */
export const withOnly = (filters: Filters, fields: readonly FilterField[], field: FilterField, value: unknown): Filters =>
  withAdded(
    fromChips(chipsOf(filters, fields).filter(chip => chip.field !== field.name || chip.side === 'exclude')),
    fields,
    field,
    'include',
    value,
  )

export const chipKey = ({ field, side, value }: Chip): string => `${field} ${side} ${JSON.stringify(value)}`
