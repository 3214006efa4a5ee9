import {
  cityOf,
  expandArea,
  LEAST,
  type NamedPlace,
  type Place,
  type PlaceReading,
  type Point,
  regionWithin,
} from '../../../lead-terms/src/index.ts'
import type { Chunk } from '../model.ts'
import { wordMap } from '../vocabulary/word-files.ts'
import { isSeparator } from './titles.ts'

/**
 * Which of the places of its name each one is. All places of a text vote: a country, a state or an area for what lies in it, a town for
 * what lies near it, and the smaller the town, the more it says about the rest of its list ("Perth, Dundee and Stirling"). Votes and
 * fame are measured in powers of ten of inhabitants. Who is in doubt votes for each of his readings as far unchanged believed.
 */

export interface PlaceChunk {
  at: number
  readings: readonly PlaceReading[]
  demonym: boolean
  place: Place | undefined
  /** Only says where the place before it lies. */
  qualifies: boolean
  /** Said what kind of place it is. */
  noun?: Chunk | undefined
  /** Said only which one is not meant. */
  dropped?: boolean
}

/** How many voters there are on each side of a place, and how many countries and regions of the whole brief. */
const NEIGHBOURS = 5
const MOST_READINGS = 16
const MOST_VOTES = 6
/** The weight of a region. */
export const REGION = 4e6
/** By so much another place must be likelier than the best known one. */
const MARGIN = 0.1
/** Lists are of one kind: "New York, Ohio and Pennsylvania". */
const ALIKE = 0.5
/** The weight of a country in its own sentence, and in another. */
const SENTENCE = 2
const BRIEF = 1.5

type Kind = 'area' | 'country' | 'region' | 'city'
export const kindOf = (place: Place): Kind => ('area' in place ? 'area' : place.city ? 'city' : place.region ? 'region' : 'country')

interface Candidate {
  place: Place
  /** The places it is made of. */
  parts: readonly NamedPlace[]
  kind: Kind
  /** How much it says about its neighbors. */
  pull: number
  region: string | undefined
  point: Point | undefined
  /** How much less known it is than the best known of its name. */
  fame: number
  /** Fame and votes, and how believable that makes it. */
  score: number
  belief: number
}

interface Voter extends PlaceChunk {
  candidates: Candidate[]
  /** The words between it and the place before it. */
  joint: number
}
const APART = 1
const PEERS = 2
const REFUSES = 4
const OPENS = 8

interface Relation {
  voter: Voter
  linked: boolean
  /** For each candidate of the one who is asked, what each of the first candidates of the voter says for it. */
  votes: Float64Array
}
type Asked = [voter: Voter, relations: readonly Relation[]]

/** Decides every place that is open. */
export function disambiguatePlaces(chunks: readonly Chunk[], found: readonly PlaceChunk[]): void {
  const voters = found.map((each, index): Voter => {
    const joint = jointOf(chunks, found[index - 1]?.at ?? each.at, each.at)
    return { ...each, candidates: candidatesOf(each, chunks[each.at]!), joint }
  })
  const wholes = voters.filter(({ candidates }) => candidates[0]!.kind !== 'city').slice(0, NEIGHBOURS)
  const reportUnreadClauses = ({ candidates }: Voter) => Math.max(...candidates.slice(1).map(({ fame }) => fame))
  const open = [...voters.entries()]
    .filter(([, { candidates }]) => candidates.length > 1)
    .sort(([, a], [, b]) => reportUnreadClauses(b) - reportUnreadClauses(a))
  const asked = open.map(([index, voter]): Asked => [voter, relationsOf(chunks, voters, index, wholes)])
  // The place that is decided first may influence the others: the better of two orders counts.
  const forth = settle(asked, wholes)
  const back = settle(asked.toReversed(), wholes)
  const better = back.agreement > forth.agreement + MARGIN ? back : forth
  for (const [index, each] of found.entries()) each.place ??= (better.chosen.get(voters[index]!) ?? voters[index]!.candidates[0]!).place
}

/** First the countries and regions say what they know, then all vote twice. The agreement is what the choices then say of each other. */
function settle(asked: readonly Asked[], wholes: readonly Voter[]): { chosen: Map<Voter, Candidate>; agreement: number } {
  for (const [voter] of asked) ask(voter, [])
  for (const [voter, all] of asked)
    ask(
      voter,
      all.filter(relation => wholes.includes(relation.voter)),
    )
  for (let round = 0; round < 2; round++) for (const [voter, all] of asked) ask(voter, all)
  const likelier = (a: Candidate, b: Candidate) => (b.score > a.score + MARGIN ? b : a)
  const chosen = new Map(asked.map(([voter]) => [voter, voter.candidates.reduce(likelier)]))
  for (const [voter, choice] of chosen) for (const candidate of voter.candidates) candidate.belief = candidate === choice ? 1 : 0
  const agrees = ([{ candidates }, all]: Asked, choice: Candidate) => 2 * choice.fame + support(candidates, candidates.indexOf(choice), all)
  return { chosen, agreement: asked.reduce((sum, each) => sum + agrees(each, chosen.get(each[0])!), 0) }
}

function ask({ candidates }: Voter, relations: readonly Relation[]): void {
  let best = Number.NEGATIVE_INFINITY
  for (const [index, candidate] of candidates.entries()) {
    candidate.score = candidate.fame + support(candidates, index, relations)
    best = Math.max(best, candidate.score)
  }
  for (const candidate of candidates) candidate.belief = 10 ** (candidate.score - best)
}

function support(candidates: readonly Candidate[], index: number, relations: readonly Relation[]): number {
  let sum = 0
  for (const { voter, linked, votes } of relations) {
    let vote = 0
    let alike = 0
    for (let other = Math.min(voter.candidates.length, MOST_VOTES) - 1; other >= 0; other--) {
      const said = voter.candidates[other]!
      vote = Math.max(vote, said.belief * votes[index * MOST_VOTES + other]!)
      if (linked && said.kind === candidates[index]!.kind) alike = Math.max(alike, said.belief)
    }
    sum += vote + alike * ALIKE
  }
  return sum
}

function candidatesOf({ readings, place }: PlaceChunk, { group, word }: Chunk): Candidate[] {
  const first = readings[0]!
  const open = place ? [readings.find(reading => reading.place === place) ?? { place, weight: REGION }] : readings.slice(0, MOST_READINGS)
  // The best known one may be smaller than others, and of two regions neither is.
  const isRegion = ({ place, weight }: PlaceReading) => weight > LEAST && kindOf(place) === 'region'
  const sizeOf = (reading: PlaceReading) => (isRegion(reading) && isRegion(first) ? 0.8 * (first.size ?? REGION) : (reading.size ?? REGION))
  const most = Math.max(...open.map(sizeOf))
  return open.map((reading, index): Candidate => {
    const parts = (group ?? [reading.place]).flatMap(part => ('area' in part ? expandArea(part.area) : [part]))
    const city = reading.city ?? cityOf(parts[0]!)
    const lesser = index === 0 ? 0 : Math.log10(sizeOf(reading) / most) - (FAMOUS.get(word) ?? 0)
    return {
      place: reading.place,
      parts,
      kind: kindOf(parts[0]!),
      pull: pull((first.city ?? city)?.population ?? first.size ?? REGION),
      region: city?.region ?? parts[0]!.region,
      point: city,
      fame: isHidden(reading, first) ? -9 : reading.weight <= LEAST ? CAPITALS : lesser,
      score: 0,
      belief: 1,
    }
  })
}
const FAMOUS = wordMap('things-grammar.txt', 'famous cities', Number)

/** A small town says most about what is meant next to it; the largest cities are listed with others all over the world. */
const pull = (size: number): number => Math.min(2.4, Math.max(0.4, 2.4 - 2 * Math.log10(size / 1e5)))

/** The province of a town is meant among other provinces only: "Nuevo León, Coahuila y Guanajuato". */
const CAPITALS = -1.4
/** Of a city of this size, not even there: "Berlin, Brandenburg und Sachsen". */
const BIG = 4e5

/** A town in a country or region that has its name too ("Singapore") is meant only where it is said. */
function isHidden({ place, weight, city }: PlaceReading, { place: first, city: best }: PlaceReading): boolean {
  if (weight <= LEAST) return best === undefined || best.population > BIG
  if (place === first || 'area' in first || first.city !== undefined || 'area' in place || place.country !== first.country) return false
  return first.region === undefined || (city !== undefined && weight < city.population && regionWithin(city.region, first.region))
}

function jointOf(chunks: readonly Chunk[], before: number, at: number): number {
  let joint = at - before <= 5 ? 0 : APART
  for (const chunk of chunks.slice(before + 1, Math.min(at, before + 20))) {
    if (!isSeparator(chunk) && chunk.kind !== 'negator' && !(chunk.kind === 'word' && chunk.small)) joint |= APART
    if (chunk.kind === 'negator') joint |= REFUSES
    if (OPENERS.has(chunk.word)) joint |= OPENS
    else if (chunk.kind === 'conjunction' || chunk.kind === 'list') joint |= PEERS
  }
  return joint
}
const OPENERS = new Set([':', '(', '—', '–', '-'])

/** The places around one, and how each of them is related to it. */
function relationsOf(chunks: readonly Chunk[], voters: readonly Voter[], index: number, wholes: readonly Voter[]): Relation[] {
  const relations: Relation[] = []
  const { at, candidates } = voters[index]!
  const isNear = (voter: Voter) => chunks[voter.at]!.sentence === chunks[at]!.sentence
  const relate = (voter: Voter, path: number, contained: number, near: number) => {
    const votes = new Float64Array(candidates.length * MOST_VOTES)
    for (let each = 0; each < votes.length; each++) {
      const said = voter.candidates[each % MOST_VOTES]
      if (said) votes[each] = voteOf(candidates[Math.floor(each / MOST_VOTES)]!, said, contained, near, path)
    }
    relations.push({ voter, linked: !(path & APART), votes })
  }
  for (const step of [-1, 1]) {
    let path = 0
    for (let other = index + step; voters[other] && Math.abs(other - index) <= NEIGHBOURS; other += step) {
      const voter = voters[other]!
      path |= voters[Math.max(other, other - step)]!.joint
      // "Córdoba and Rosario, Argentina" are both there; "Cambridge (Massachusetts), Oxford and London" are not.
      const contained = voter.qualifies ? (step > 0 ? 2.5 : 0) : isNear(voter) ? containedBy(path, step) : BRIEF
      const near = (path & APART ? (isNear(voter) ? 0.5 : 0.25) : 1) * (step < 0 && voters[other + 1]!.qualifies ? 0.25 : 1)
      relate(voter, path, contained, near)
    }
  }
  for (const voter of wholes)
    if (!relations.some(relation => relation.voter === voter) && voter !== voters[index])
      relate(voter, APART, isNear(voter) ? SENTENCE : BRIEF, 0)
  return relations
}

/** "Texas except Paris", "Ontario: London", "London (Ontario)" against "Michigan and Ontario", where neither lies in the other. */
function containedBy(path: number, step: number): number {
  if (path & REFUSES && (!(path & APART) || path & OPENS)) return step < 0 ? 4.5 : 0
  if (path & OPENS) return step < 0 ? 4 : 3
  if (path & APART) return path & PEERS ? 1 : SENTENCE
  return path & PEERS ? 0 : 3
}

/** `contained`: how much a country, a region or an area says of what lies in it; `near`: how much a town says. */
function voteOf(one: Candidate, said: Candidate, contained: number, near: number, path: number): number {
  const isAlike = said.kind === one.kind
  const inCountry = one.parts[0]!.country === said.parts[0]!.country
  if (said.kind === 'city') return near * said.pull * closeness(one, said, inCountry) * (isAlike ? 1 : 0.5)
  // "Belgium, Luxembourg": only a town lies in what it is listed with.
  if (said.parts.some(whole => lies(one, whole))) return path & (APART | REFUSES) || one.kind === 'city' ? contained : 0
  return inCountry ? near * (isAlike ? 0.6 : 0.3) : 0
}

const lies = ({ parts, region }: Candidate, whole: NamedPlace): boolean =>
  whole.country === parts[0]!.country && !whole.city && (!whole.region || regionWithin(region, whole.region))

function closeness({ point, region }: Candidate, other: Candidate, inCountry: boolean): number {
  // On a flat map: exact enough to tell a neighbor.
  const [lat, lon] = point && other.point ? [point.lat - other.point.lat, point.lon - other.point.lon] : [90, 0]
  const km = 111 * Math.hypot(lat, lon * Math.cos(((point?.lat ?? 0) * Math.PI) / 180))
  if (!inCountry) return km < 100 ? 0.4 : 0
  return km < 100 ? 1.8 : km < 200 || (region !== undefined && region === other.region) ? 1 : 0.6
}
