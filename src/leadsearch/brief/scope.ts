import type { Cell } from './cell.ts'
import type { Entity, EntityKind } from './entities.ts'
import { STRONG_NEGATORS, TRAILING_NEGATORS } from './lexicon/words.ts'

/** Which things a "not" reaches, and which were taken back. Marks the entities in place. */
export function applyScope(cells: readonly Cell[], entities: readonly Entity[]): void {
  const byStart = new Map<number, Entity[]>()
  for (const entity of entities) byStart.set(entity.first, [...(byStart.get(entity.first) ?? []), entity])
  applyNegation(cells, byStart)
  applyCorrections(cells, entities)
}

const family = (kind: EntityKind): string =>
  kind === 'level' || kind === 'department'
    ? 'title'
    : kind === 'keyword' || kind === 'company'
      ? 'industry'
      : kind === 'hq'
        ? 'place'
        : kind
const BUT = new Set(
  'but aber sondern mais pero sino maar ma instead only just nur solo find need want looking please focus rather'.split(' '),
)

function applyNegation(cells: readonly Cell[], byStart: ReadonlyMap<number, Entity[]>): void {
  let active: { strong: boolean; instead: boolean; family?: string; since: number; joined?: boolean } | undefined
  let lastEntities: Entity[] = []
  for (let at = 0; at < cells.length; at++) {
    const cell = cells[at]!
    if (cell.label === 'exclude' && !active) active = { strong: true, instead: false, since: at }
    if (cell.kind === 'negator') {
      if (TRAILING_NEGATORS.has(cell.word) && lastEntities.length > 0 && closesHere(cells, at)) {
        for (const entity of lastEntities) entity.negated = true
        active = undefined
        continue
      }
      active = { strong: STRONG_NEGATORS.has(cell.word), instead: false, since: at }
      continue
    }
    if (cell.kind === 'instead') {
      active = { strong: true, instead: true, since: at }
      continue
    }
    const found = byStart.get(at)
    if (found) {
      if (active) {
        if (
          active.family === undefined ||
          active.joined ||
          found.some(entity => family(entity.kind) === active!.family) ||
          cells[at]!.label === 'exclude'
        ) {
          for (const entity of found) {
            if (active.instead) entity.dropped = true
            else entity.negated = true
          }
          active.family = family(found[0]!.kind)
          active.joined = false
          active.since = at
        } else active = undefined
      }
      const separated = at > 0 && !['comma', 'conjunction', 'list'].includes(cells[at - 1]!.kind)
      lastEntities =
        separated && lastEntities.length > 0 && !adjacent(cells, lastEntities.at(-1)!, at)
          ? [...found]
          : [...lastEntities.slice(-20).filter(entity => family(entity.kind) === family(found[0]!.kind)), ...found]
      at = Math.max(at, ...found.map(entity => entity.last))
      continue
    }
    if (!active) {
      if (cell.kind === 'break' || cell.kind === 'comma') lastEntities = cell.kind === 'comma' ? lastEntities : []
      continue
    }
    if (cell.label === 'exclude') continue
    if (cell.kind === 'break' && !(cell.word === ':' && active.family === undefined && active.strong)) active = undefined
    else if (cell.kind === 'correction') active = undefined
    else if (cell.kind === 'word' && BUT.has(cell.word) && active.family !== undefined) active = undefined
    else if (cell.kind === 'comma' && active.family !== undefined && !listGoesOn(cells, byStart, at, active)) active = undefined
    // "exclude agencies and recruiters": what a strong negation joins need not be of one kind.
    else if (cell.kind === 'conjunction' && active.family !== undefined && active.strong && byStart.has(at + 1)) active.joined = true
    else if (cell.kind === 'conjunction' && active.family !== undefined && !nextOfFamily(cells, byStart, at, active.family))
      active = undefined
    else if (cell.kind === 'comma' && active.family === undefined && !active.strong) active = undefined
    // A negation that finds nothing in its neighbourhood was about something else.
    else if (at - active.since > 8) active = undefined
  }
}

const closesHere = (cells: readonly Cell[], at: number): boolean => {
  const next = cells[at + 1]
  return next === undefined || next.kind === 'break' || next.kind === 'comma' || next.kind === 'conjunction'
}

function adjacent(cells: readonly Cell[], entity: Entity, at: number): boolean {
  for (let position = entity.last + 1; position < at; position++)
    if (!['comma', 'conjunction', 'list'].includes(cells[position]!.kind)) return false
  return true
}

function nextEntity(
  cells: readonly Cell[],
  byStart: ReadonlyMap<number, Entity[]>,
  at: number,
): { position: number; found: Entity[] } | undefined {
  for (let position = at + 1; position < cells.length && position <= at + 4; position++) {
    const found = byStart.get(position)
    if (found) return { position, found }
    const cell = cells[position]!
    if (cell.kind === 'break' || cell.kind === 'negator') return undefined
    // "no agencies, in Germany": a preposition of place opens something new, unless places are being listed.
    if (cell.kind === 'gap') return undefined
  }
  return undefined
}

function nextOfFamily(cells: readonly Cell[], byStart: ReadonlyMap<number, Entity[]>, at: number, name: string): boolean {
  const next = nextEntity(cells, byStart, at)
  return next?.found.some(entity => family(entity.kind) === name) ?? false
}

/** After a comma a negation goes on over things of the same kind: always for "exclude", for "no" if the list ends in "or". */
function listGoesOn(
  cells: readonly Cell[],
  byStart: ReadonlyMap<number, Entity[]>,
  at: number,
  active: { strong: boolean; family?: string },
): boolean {
  const next = nextEntity(cells, byStart, at)
  if (!next?.found.some(entity => family(entity.kind) === active.family)) return false
  const words = cells.slice(at + 1, next.position)
  if (words.some(cell => cell.kind === 'word' && cell.small && active.family !== 'place')) return false
  if (active.strong && active.family !== 'title') return true
  let position = next.position
  for (let hops = 0; hops < 12 && position < cells.length; hops++, position++) {
    const cell = cells[position]!
    if (cell.kind === 'break' || cell.kind === 'negator') return false
    if (cell.kind === 'conjunction') return nextOfFamily(cells, byStart, position, active.family!)
  }
  return false
}

const REPLACED_TOGETHER = new Set<EntityKind>(['title', 'level', 'department'])

/** After "no wait" or "make that", what follows replaces what was said of the same kind. */
function applyCorrections(cells: readonly Cell[], entities: readonly Entity[]): void {
  let corrections = 0
  for (let at = 0; at < cells.length; at++) {
    if (cells[at]!.kind !== 'correction') continue
    // Nobody changes their mind more often than this in one brief.
    if (++corrections > 20) return
    const sentence = cells[at]!.sentence
    const after = entities.filter(
      entity => entity.first > at && cells[entity.first]!.sentence === sentence && !entity.negated && !entity.dropped,
    )
    // "France instead." at the end of the sentence: the correction came after what it brings.
    const trailing = after.length === 0 && cells[at]!.word === 'instead'
    const fresh = trailing
      ? entities.filter(entity => entity.first < at && cells[entity.first]!.sentence === sentence && !entity.negated)
      : after
    if (fresh.length === 0) continue
    const kinds = new Set(fresh.map(entity => entity.kind))
    if ([...kinds].some(kind => REPLACED_TOGETHER.has(kind))) for (const kind of REPLACED_TOGETHER) kinds.add(kind)
    for (const entity of entities) {
      const earlier = trailing ? cells[entity.first]!.sentence < sentence : entity.first < at
      if (earlier && !entity.negated && kinds.has(entity.kind) && !fresh.includes(entity)) entity.dropped = true
    }
  }
}
