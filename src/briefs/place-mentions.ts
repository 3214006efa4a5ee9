import { type NamedPlace, type Place, type PlaceReading, placeKey, placeWithin, rankReadings } from '../search/terms/places.ts'
import type { Cell } from './cell.ts'
import type { Context, Entity } from './entities.ts'

const LIST_KINDS = new Set(['comma', 'conjunction', 'list'])

/** As many as a document may hold, twice. */
const MOST_PLACES = 200
/** How many neighbours on each side say which of several places is meant. */
const NEIGHBOURS = 8

interface Mention {
  at: number
  readings: readonly PlaceReading[]
  demonym: boolean
  hq: boolean
}

/** Places, each read in the light of its neighbours; a state or country after a city says which city. */
export function readPlaces(context: Context, radii: readonly { cell: number; km: number }[]): Entity[] {
  const { cells } = context
  const mentions: Mention[] = []
  for (let at = 0; at < cells.length; at++) {
    const cell = cells[at]!
    if (cell.kind !== 'place' || cell.used || !cell.readings?.length) continue
    if (mentions.length >= MOST_PLACES) break
    mentions.push({ at, readings: cell.readings, demonym: cell.demonym ?? false, hq: isHeadquarters(cells, at) })
  }
  const entities: Entity[] = []
  const chosen: (Place | undefined)[] = mentions.map(mention => (mention.readings.length === 1 ? mention.readings[0]!.place : undefined))
  const linked = (left: Mention, right: Mention): boolean => {
    for (let at = left.at + 1; at < right.at; at++) {
      const cell = cells[at]!
      if (LIST_KINDS.has(cell.kind) || (cell.kind === 'word' && cell.small) || cell.kind === 'negator') continue
      return false
    }
    return right.at - left.at <= 5
  }
  const skip = new Set<number>()
  // First the qualified ones: "Dublin, Ohio", "Ashburn VA", "Paris, France".
  for (let index = 0; index + 1 < mentions.length; index++) {
    const city = mentions[index]!
    const outer = mentions[index + 1]!
    if (city.demonym || outer.demonym || skip.has(index)) continue
    const between = cells.slice(city.at + 1, outer.at)
    if (
      between.length > 2 ||
      between.some(
        cell =>
          cell.kind !== 'comma' &&
          !(cell.kind === 'break' && (cell.word === '(' || cell.word === ')')) &&
          !(cell.kind === 'word' && ['in', 'the'].includes(cell.word)),
      )
    )
      continue
    const found = qualify(city.readings, outer.readings)
    if (!found) continue
    chosen[index] = found
    skip.add(index + 1)
  }
  // Then the rest: certain ones first decide for the uncertain.
  const certain = (index: number): Place | undefined => {
    if (chosen[index]) return chosen[index]
    const [first, second] = mentions[index]!.readings
    return first && (!second || first.weight > second.weight * 30) && first.weight > 1e6 ? first.place : undefined
  }
  for (let index = 0; index < mentions.length; index++) {
    if (chosen[index] || skip.has(index)) continue
    const near: Place[] = []
    for (let other = index - 1; other >= 0 && index - other <= NEIGHBOURS && linked(mentions[other]!, mentions[other + 1]!); other--)
      addNear(near, chosen[other] ?? certain(other))
    for (
      let other = index + 1;
      other < mentions.length && other - index <= NEIGHBOURS && linked(mentions[other - 1]!, mentions[other]!);
      other++
    )
      addNear(near, chosen[other] ?? certain(other))
    if (near.length === 0)
      for (let other = 0; other < mentions.length; other++)
        if (other !== index && cells[mentions[other]!.at]!.sentence === cells[mentions[index]!.at]!.sentence && isCountry(chosen[other]))
          addNear(near, chosen[other])
    const best = strongest(mentions[index]!.readings, near)
    chosen[index] = best
  }
  for (let index = 0; index < mentions.length; index++) {
    if (skip.has(index)) continue
    const mention = mentions[index]!
    let place = chosen[index]
    if (!place) continue
    const radius = radii.find(each => nearestCity(mentions, chosen, each.cell) === index)
    if (radius && 'country' in place && place.city !== undefined) place = { ...place, radiusKm: radius.km }
    const last = skip.has(index + 1) ? mentions[index + 1]!.at : mention.at
    entities.push({ kind: mention.hq ? 'hq' : 'place', value: placeKey(place), place, first: mention.at, last })
  }
  return entities
}

const isCountry = (place: Place | undefined): boolean =>
  place !== undefined && ('area' in place || (place.region === undefined && place.city === undefined))

function addNear(near: Place[], place: Place | undefined): void {
  if (place && near.length < 8) near.push(place)
}

/** The best-known reading stands against its neighbours only when they say nothing about the others. */
function strongest(readings: readonly PlaceReading[], near: readonly Place[]): Place | undefined {
  if (near.length === 0) return readings[0]?.place
  const flat = readings.map(reading => ({ place: reading.place, weight: Math.min(reading.weight, 1e9) + Math.log10(reading.weight + 1) }))
  return rankReadings(flat, near)[0]?.place
}

function nearestCity(mentions: readonly Mention[], chosen: readonly (Place | undefined)[], cell: number): number {
  let best = -1
  let distance = 9
  mentions.forEach((mention, index) => {
    const place = chosen[index]
    if (!place || 'area' in place || place.city === undefined) return
    // The city usually follows ("within 50 km of Munich"); one that came before is a little further away.
    const apart = mention.at >= cell ? mention.at - cell : cell - mention.at + 0.5
    if (apart < distance) {
      best = index
      distance = apart
    }
  })
  return best
}

function qualify(inner: readonly PlaceReading[], outer: readonly PlaceReading[]): NamedPlace | undefined {
  for (const { place: container } of outer) {
    if ('area' in container || container.city !== undefined) continue
    for (const { place } of inner) {
      if ('area' in place || (place.city === undefined && place.region === undefined)) continue
      if (place.city === undefined && container.region !== undefined) continue
      if (placeWithin(place, container)) return place
    }
  }
  return undefined
}

/** "headquartered in London", "HQ: Paris", "London HQ". */
function isHeadquarters(cells: readonly Cell[], at: number): boolean {
  if (cells[at]!.label === 'hq') return true
  if (cells[at + 1]?.kind === 'hq' && !(cells[at + 2]?.kind === 'word' && ['in', 'en', 'a'].includes(cells[at + 2]!.word))) return true
  let position = at - 1
  for (let hops = 0; position >= 0 && hops < 12; hops++, position--) {
    const cell = cells[position]!
    if (cell.kind === 'hq') return true
    if (cell.kind === 'place' || LIST_KINDS.has(cell.kind)) continue
    if (cell.kind === 'word' && cell.small) continue
    return false
  }
  return false
}
