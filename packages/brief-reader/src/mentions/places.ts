import { LEAST, type NamedPlace, type Place, type PlaceReading, placeKey, placeWithin } from '../../../lead-terms/src/index.ts'
import type { Chunk, Mention } from '../model.ts'
import { wordMap, wordSet } from '../vocabulary/word-files.ts'
import { disambiguatePlaces, kindOf, type PlaceChunk, REGION } from './place-disambiguation.ts'
import { isSeparator } from './titles.ts'

/** Places, each read in the light of its neighbors; a state or country after a city says which city. */

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
    const { kind, used, demonym = false } = chunks[at]!
    const { readings, noun } = kind === 'place' ? ofSaidKind(chunks, at) : { readings: [] }
    if (used || readings.length === 0 || namesFair(chunks, at + 1) || (demonym && namesKitchen(chunks, at))) continue
    found.push({ at, readings, demonym, place: readings.length === 1 ? readings[0]!.place : undefined, qualifies: false, noun })
  }
  qualifyCities(chunks, found)
  disambiguatePlaces(chunks, found)
  const mentions: Mention[] = []
  for (const [index, each] of found.entries()) {
    if (each.qualifies || !each.place) continue
    const radius = radii.find(({ chunk }) => nearestCity(found, chunk) === index)
    const place: Place =
      radius && 'country' in each.place && each.place.city !== undefined ? { ...each.place, radiusKm: radius.km } : each.place
    const next = found.findIndex(({ qualifies }, other) => other > index && !qualifies)
    const last = found.at(next < 0 ? -1 : next - 1)!.at
    const said = radius && place !== each.place ? radius.said : each.noun
    const around = said ? { radius: { first: said.first, last: said.last } } : {}
    const kind = isHeadquarters(chunks, each.at) ? 'headquarters' : 'place'
    for (const one of chunks[each.at]!.group ?? [place])
      mentions.push({ kind, value: placeKey(one), place: one, ...around, first: each.at, last, ...(each.dropped ? { dropped: true } : {}) })
  }
  return mentions
}

/** "Georgia (the country)", "les cantons de Genève et de Vaud", "Luxembourg city": a noun next to the name or before its list says which. */
function ofSaidKind(chunks: readonly Chunk[], at: number): { readings: readonly PlaceReading[]; noun?: Chunk } {
  const { readings = [] } = chunks[at]!
  const noun = nounBefore(chunks, at) ?? nounBehind(chunks, at)
  if (!noun) return { readings }
  // An explicit word needs no other sign: the province of Toledo is not the less known one.
  const plain = readings.map(reading => (reading.weight > LEAST ? reading : { ...reading, weight: REGION, size: REGION }))
  const kinds = KINDS.get(noun.word)!.map(kind => plain.filter(({ place }) => kindOf(place) === kind).sort((a, b) => b.weight - a.weight))
  const said = kinds.find(({ length }) => length > 0)
  return said ? { readings: said, noun } : { readings }
}
const KINDS = wordMap('things-grammar.txt', 'kinds of places', value => value.split(' '))
const BEFORE_KINDS = wordSet('things-grammar.txt', 'around kinds of places')

function nounBefore(chunks: readonly Chunk[], at: number): Chunk | undefined {
  for (let back = at - 1; back >= 0 && at - back < 8; back--) {
    const chunk = chunks[back]!
    if (KINDS.has(chunk.word)) return chunk
    if (chunk.kind !== 'place' && !isSeparator(chunk) && chunk.word !== ':' && !BEFORE_KINDS.has(chunk.word)) return undefined
  }
  return undefined
}

function nounBehind(chunks: readonly Chunk[], at: number): Chunk | undefined {
  const mark = chunks[at + 1]?.word ?? ''
  const start = /^[(,—–-]$/.test(mark) ? at + 2 : at + 1
  const noun = BEFORE_KINDS.has(chunks[start]?.word ?? '') ? start + 1 : start
  const { kind, small } = chunks[noun + 1] ?? {}
  // "New York, state schools", "Georgia country managers"
  const ends = (kind !== 'word' && kind !== 'place') || small
  return KINDS.has(chunks[noun]?.word ?? '') && ends && (mark !== ',' || noun > start) ? chunks[noun] : undefined
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

/** "Dublin, Ohio", "Ashburn VA", "London (the one in Ontario)": one place says where the other lies. */
function qualifyCities(chunks: readonly Chunk[], found: readonly PlaceChunk[]): void {
  let named = found[0]
  for (let index = 0; index + 1 < found.length; index++) {
    const city = found[index]!
    const outer = found[index + 1]!
    if (!city.qualifies && city.readings.some(({ place }) => kindOf(place) === 'city')) named = city
    if (city.demonym || outer.demonym) continue
    const between = chunks.slice(city.at + 1, outer.at)
    // "Paris, Texas, kidding, the real one in France": it points back at what was named.
    const points =
      between.length < 9 &&
      POINTING.has(
        between
          .slice(-2)
          .map(({ word }) => word)
          .join(' '),
      )
    // "Birmingham, not the UK one", "no la de España"
    if (between.some(({ kind }) => kind === 'negator') && (points || /^(?:one|state|country)$/.test(chunks[outer.at + 1]?.word ?? ''))) {
      leaveOut(named!, outer)
      continue
    }
    if (!points && (between.length > 4 || !between.every(isQualifying))) continue
    const place = qualify((points ? named! : city).readings, outer.readings)
    if (!place) continue
    // "Springfield, Illinois, US"
    if (points) named!.place = place
    else if (!city.qualifies) city.place = place
    outer.qualifies = true
  }
}

function leaveOut(named: PlaceChunk, refused: PlaceChunk): void {
  const others = named.readings.filter(({ place }) => !refused.readings.some(({ place: whole }) => placeWithin(place, whole)))
  if (others.length === 0 || others.length === named.readings.length) return
  named.readings = others
  refused.dropped = true
  if (!others.some(({ place }) => place === named.place)) named.place = undefined
}

const isQualifying = ({ kind, word }: Chunk): boolean =>
  kind === 'comma' || (kind === 'break' && (word === '(' || word === ')')) || (kind === 'word' && QUALIFYING.has(word))
const POINTING = wordSet('things-grammar.txt', 'pointing back')
const QUALIFYING = wordSet('things-grammar.txt', 'before a qualifying place')

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
