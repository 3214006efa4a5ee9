import {
  LEAST,
  type NamedPlace,
  type Place,
  type PlaceReading,
  placeKey,
  placeWithin,
  readPlaceName,
} from '../../search/terms/places.ts'
import type { Chunk, Mention } from '../model.ts'
import { wordSet } from '../words.ts'
import { type PlaceChunk, voteOnPlaces } from './place-votes.ts'
import { readGroup } from './place-words.ts'
import { isSeparator } from './titles.ts'

/** Places, each read in the light of its neighbours; a state or country after a city says which city. */

/** Twice as many as a document may contain. */
const MOST_PLACES = 200
export interface Radius {
  chunk: number
  km: number
  /** The items that said it. */
  said: { first: number; last: number }
}

export function readPlaces(chunks: readonly Chunk[], radii: readonly Radius[]): Mention[] {
  const found: PlaceChunk[] = []
  for (let at = 0; at < chunks.length && found.length < MOST_PLACES; at++) {
    const { kind, used, readings, demonym = false } = chunks[at]!
    if (kind !== 'place' || used || !readings?.length || namesFair(chunks, at + 1) || (demonym && namesKitchen(chunks, at))) continue
    const region = isCanton(chunks, at) ? cantonOf(chunks[at]!.word) : undefined
    const sure = region ?? cityInBracket(chunks, at) ?? (readings.length === 1 ? readings[0] : undefined)
    found.push({ at, readings, demonym, place: sure?.place, qualifies: false })
  }
  qualifyCities(chunks, found)
  voteOnPlaces(chunks, found)
  const mentions: Mention[] = []
  for (const [index, each] of found.entries()) {
    if (each.qualifies || !each.place) continue
    const radius = radii.find(({ chunk }) => nearestCity(found, chunk) === index)
    const place: Place =
      radius && 'country' in each.place && each.place.city !== undefined ? { ...each.place, radiusKm: radius.km } : each.place
    const next = found.findIndex(({ qualifies }, other) => other > index && !qualifies)
    const last = found.at(next < 0 ? -1 : next - 1)!.at
    const around = radius && place !== each.place ? { radius: radius.said } : {}
    const kind = isHeadquarters(chunks, each.at) ? 'headquarters' : 'place'
    for (const one of chunks[each.at]!.group ?? [place])
      mentions.push({ kind, value: placeKey(one), place: one, ...around, first: each.at, last })
  }
  return mentions
}

/** "les cantons de Genève et de Vaud": the noun before the list says that no city is meant. */
function isCanton(chunks: readonly Chunk[], at: number): boolean {
  for (let back = at - 1; back >= 0 && at - back < 8; back--) {
    const { kind, word, small } = chunks[back]!
    if (CANTONS.has(word)) return true
    if (kind !== 'place' && kind !== 'comma' && kind !== 'conjunction' && !small) return false
  }
  return false
}
const CANTONS = new Set('canton cantons kanton kantone kantonen'.split(' '))
function cantonOf(name: string): PlaceReading | undefined {
  const words = `kanton ${name}`.split(' ')
  const [canton] = readGroup(words, 0, words.length)?.readings ?? []
  return (
    canton ?? ['kanton', 'canton', 'canton de', 'canton of', 'canton du'].map(noun => readPlaceName(`${noun} ${name}`)[0]).find(Boolean)
  )
}

/** "the Milan trade fair": where a fair is held says nothing of the companies. */
export const namesFair = (chunks: readonly Chunk[], at: number): boolean =>
  chunks[at - 1]?.kind === 'place' && !chunks[at - 1]!.demonym && FAIRS.has(chunks[at]?.word ?? '')
const FAIRS = wordSet('things-grammar.txt', 'fairs')

/** "Lebanese restaurants in Berlin": the adjective says what they serve where a place says where they are. */
function namesKitchen(chunks: readonly Chunk[], at: number): boolean {
  if (!/^(?:restaurants|tobacco)$/.test(chunks[at + 1]?.entry?.industry ?? '')) return false
  const behind = at + (chunks[at + 2]?.companyNoun ? 3 : 2)
  const where = chunks[behind]?.small ? chunks[behind + 1] : undefined
  const country = (chunk: Chunk) => (chunk.readings ?? []).map(({ place }) => ('country' in place ? place.country : ''))
  return where?.kind === 'place' && !country(where).includes(country(chunks[at]!)[0]!)
}

/** "Québec (la ville)" */
function cityInBracket(chunks: readonly Chunk[], at: number): PlaceReading | undefined {
  const [open, ...said] = chunks.slice(at + 1, at + 4)
  const isCity = open?.word === '(' && said.some(({ word }) => /(?:^| )(?:city|ville|ciudad|stadt)$/.test(word))
  return isCity ? chunks[at]!.readings!.find(({ place }) => 'country' in place && place.city !== undefined) : undefined
}

/** "Dublin, Ohio", "Ashburn VA", "Cambridge (Massachusetts)": one place says where the other lies. */
function qualifyCities(chunks: readonly Chunk[], found: readonly PlaceChunk[]): void {
  for (let index = 0; index + 1 < found.length; index++) {
    const city = found[index]!
    const outer = found[index + 1]!
    if (city.demonym || outer.demonym) continue
    const between = chunks.slice(city.at + 1, outer.at)
    if (between.length > 2 || !between.every(isQualifying)) continue
    const place = qualify(city.readings, outer.readings)
    if (!place) continue
    // "Springfield, Illinois, US"
    if (!city.qualifies) city.place = place
    outer.qualifies = true
  }
}

const isQualifying = (chunk: Chunk): boolean =>
  chunk.kind === 'comma' ||
  (chunk.kind === 'break' && (chunk.word === '(' || chunk.word === ')')) ||
  (chunk.kind === 'word' && ['in', 'the'].includes(chunk.word))

function qualify(inner: readonly PlaceReading[], outer: readonly PlaceReading[]): NamedPlace | undefined {
  for (const { place: container, weight } of outer) {
    if ('area' in container || container.city !== undefined || weight <= LEAST) continue
    for (const { place } of inner) {
      if ('area' in place || (place.city === undefined && (place.region === undefined || container.region !== undefined))) continue
      if (placeWithin(place, container)) return place
    }
  }
  return undefined
}

function nearestCity(found: readonly PlaceChunk[], chunk: number): number {
  let best = -1
  let distance = 9
  for (const [index, { at, place }] of found.entries()) {
    if (!place || 'area' in place || place.city === undefined) continue
    // The city usually follows ("within 50 km of Munich"); one that came before is a little further away.
    const apart = at >= chunk ? at - chunk : chunk - at + 0.5
    if (apart >= distance) continue
    best = index
    distance = apart
  }
  return best
}

/** "headquartered in London", "HQ: Paris", "London HQ". */
function isHeadquarters(chunks: readonly Chunk[], at: number): boolean {
  if (chunks[at]!.label === 'hq') return true
  if (chunks[at + 1]?.kind === 'headquarters' && !['in', 'en', 'a'].includes(chunks[at + 2]?.word ?? '')) return true
  for (let position = at - 1; position >= 0 && at - position <= 12; position--) {
    const chunk = chunks[position]!
    if (chunk.kind === 'headquarters') return true
    // "HQ in Germany (Munich or Stuttgart)"
    if (/^[(:]$/.test(chunk.word) && chunks[position - 1]?.kind === 'place') continue
    // "headquartered in Spain but not Madrid"
    if (chunk.kind !== 'place' && chunk.kind !== 'negator' && !isSeparator(chunk) && !(chunk.kind === 'word' && chunk.small)) return false
  }
  return false
}
