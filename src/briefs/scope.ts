import type { Cell } from './cell.ts'
import type { Entity, EntityKind } from './entities.ts'
import { REPLACED_BY, REPLACING, RETRACTIONS, STRONG_NEGATORS, TRAILING_NEGATORS } from './lexicon/words.ts'

/** Which things a "not" reaches, and which were taken back. Marks the entities in place. */
export function applyScope(cells: readonly Cell[], entities: readonly Entity[]): void {
  const byStart = new Map<number, Entity[]>()
  for (const entity of entities) byStart.set(entity.first, [...(byStart.get(entity.first) ?? []), entity])
  dropStories(cells, entities)
  applyNegation(cells, byStart)
  applyCorrections(cells, entities, applyRetractions(cells, entities))
}

const STORY_VERBS = new Set(
  'joined meets met went goes turn turned said says told spoke discussed moved arrived visited visits happened rains raining rained broke broken called rang asked emailed wrote attended presented celebrated scored won lost left announced opened closed died born married cooked ate slept walked drove flew booked ordered paid shipped delivered traf trafen sagte sagten ging gingen kam kamen war waren regnet dit disait etait etaient alle alles pleut dijo dijeron fue fueron llueve'.split(
    ' ',
  ),
)
const RELATIVES = new Set('who that which whose where companies firms businesses startups die der das qui que dont quienes'.split(' '))

/** "Jordan and Victoria joined the call": a sentence that tells something and names nobody's role asks for nothing. */
function dropStories(cells: readonly Cell[], entities: readonly Entity[]): void {
  let from = 0
  while (from < cells.length) {
    const { sentence } = cells[from]!
    let to = from
    while (to < cells.length && cells[to]!.sentence === sentence) to++
    const told = cells.slice(from, to)
    const tells = told.some(cell => cell.kind === 'word' && STORY_VERBS.has(cell.word) && !cell.used)
    if (
      tells &&
      !told.some(
        cell => RELATIVES.has(cell.word) || cell.companyNoun || cell.kind === 'correction' || cell.kind === 'negator' || cell.label,
      )
    ) {
      const named = entities.filter(entity => entity.first >= from && entity.first < to)
      if (!named.some(entity => ['title', 'level', 'department', 'employees', 'revenue', 'stage', 'technology'].includes(entity.kind)))
        for (const entity of named) entity.dropped = true
    }
    from = to
  }
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
  'but aber sondern mais pero sino maar ma instead only just nur solo find need want looking please focus rather add include take use put keep go nimm fuge ajoute ajoutez prends prenez anade agrega pon incluye aggiungi voeg adiciona dafur'.split(
    ' ',
  ),
)

function applyNegation(cells: readonly Cell[], byStart: ReadonlyMap<number, Entity[]>): void {
  let active: { strong: boolean; instead: boolean; replaces?: boolean; family?: string; since: number; joined?: boolean } | undefined
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
      active = { strong: STRONG_NEGATORS.has(cell.word) || RETRACTIONS.has(cell.word), instead: false, since: at }
      continue
    }
    if (cell.kind === 'instead') {
      active = { strong: true, instead: true, since: at, replaces: REPLACING.has(cell.word) }
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
    if (active.replaces && active.family !== undefined && REPLACED_BY.has(cell.word)) {
      active = undefined
      continue
    }
    if (cell.kind === 'break' && !(cell.word === ':' && active.family === undefined && active.strong)) active = undefined
    else if (cell.kind === 'correction') active = undefined
    else if (cell.kind === 'word' && BUT.has(cell.word) && active.family !== undefined) active = undefined
    else if (cell.kind === 'comma' && active.family !== undefined && !listGoesOn(cells, byStart, at, active)) active = undefined
    // "exclude agencies and recruiters": what a strong negation joins need not be of one kind.
    else if (cell.kind === 'conjunction' && active.family !== undefined && active.strong && byStart.has(at + 1)) active.joined = true
    else if (cell.kind === 'conjunction' && active.family !== undefined && !nextOfFamily(cells, byStart, at, active.family))
      active = undefined
    else if (cell.kind === 'comma' && active.family === undefined && (!active.strong || active.instead)) active = undefined
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

/** "Forget Spain", "drop HR": what is named was wanted before, and is so no longer. Gives the sentences that said so. */
function applyRetractions(cells: readonly Cell[], entities: readonly Entity[]): Set<number> {
  const edits = new Set<number>()
  let seen = 0
  for (let at = 0; at < cells.length; at++) {
    const cell = cells[at]!
    if (cell.kind !== 'instead' && !(cell.kind === 'negator' && RETRACTIONS.has(cell.word))) continue
    if (++seen > 20) return edits
    const said: string[] = []
    let until = at + 1
    for (; until < cells.length && until < at + 9; until++) {
      const next = cells[until]!
      if (next.kind === 'break' || next.kind === 'comma' || next.kind === 'correction' || next.kind === 'gap') break
      if (said.length > 0 && next.kind === 'word' && (BUT.has(next.word) || (REPLACING.has(cell.word) && REPLACED_BY.has(next.word)))) break
      if ((next.kind === 'word' && !next.small) || next.kind === 'place') said.push(...next.word.split(' '))
    }
    if (said.length === 0) continue
    const taken = entities.filter(entity => entity.first > at && entity.first < until)
    let cancelled = false
    for (const entity of entities) {
      if (entity.first >= at || entity.negated) continue
      const same = taken.some(other => other.kind === entity.kind && other.value === entity.value)
      const words = cells.slice(entity.first, entity.last + 1).flatMap(each => each.word.split(' '))
      if (!same && !said.every(word => words.includes(word))) continue
      entity.dropped = true
      cancelled = true
    }
    if (!cancelled) continue
    for (const entity of taken) entity.dropped = true
    edits.add(cell.sentence)
  }
  return edits
}

const ALSO = new Set('also auch aussi egalement tambien plus add zusatzlich'.split(' '))
function adds(cells: readonly Cell[], at: number): boolean {
  let next = at + 1
  while (next < at + 3 && (cells[next]?.kind === 'break' || cells[next]?.kind === 'comma')) next++
  return ALSO.has(cells[next]?.word ?? '')
}

const REPLACED_TOGETHER = new Set<EntityKind>(['title', 'level', 'department'])

/** After "no wait" or "make that", what follows replaces what was said of the same kind. */
function applyCorrections(cells: readonly Cell[], entities: readonly Entity[], edits: ReadonlySet<number>): void {
  let corrections = 0
  for (let at = 0; at < cells.length; at++) {
    if (cells[at]!.kind !== 'correction') continue
    // Nobody changes their mind more often than this in one brief.
    if (++corrections > 20) return
    const sentence = cells[at]!.sentence
    // "Correction: also Series C" adds to what was said.
    if (adds(cells, at)) continue
    // "drop Slovakia and add Hungary instead": the sentence itself says what goes and what stays.
    if (edits.has(sentence)) continue
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
