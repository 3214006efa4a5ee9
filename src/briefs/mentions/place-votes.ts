import { cityOf, expandArea, LEAST, type NamedPlace, type Place, type PlaceReading, regionWithin } from '../../search/terms/places.ts'
import type { Chunk } from '../model.ts'
import { wordMap } from '../words.ts'
import { isSeparator } from './titles.ts'

/**
 * Which of the places of its name each one is. All places of a text vote: a country, a state or an area for what lies in it, a town for
 * what lies near it, and the smaller the town, the more it says about the rest of its list ("Perth, Dundee and Stirling"). Votes and
 * fame are measured in powers of ten of how many people live there. Those who are doubted themselves vote for each of their readings as far
 * as it is believed, and are asked a second time.
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
}

/** How many voters there are on each side of a place, and how many countries and regions of the whole brief. */
const NEIGHBOURS = 5
const MOST_READINGS = 16
const MOST_VOTES = 6

type Kind = 'area' | 'country' | 'region' | 'city'
export const kindOf = (place: Place): Kind => ('area' in place ? 'area' : place.city ? 'city' : place.region ? 'region' : 'country')

interface Candidate {
  place: Place
  /** The places it is made of. */
  parts: readonly NamedPlace[]
  kind: Kind
  /** How much it says about its neighbours. */
  pull: number
  region: string | undefined
  point: { lat: number; lon: number } | undefined
  /** How much less known it is than the best known of its name, and how believable that makes it beside the votes. */
  fame: number
  score: number
  belief: number
}

interface Voter extends PlaceChunk {
  candidates: Candidate[]
  /** What stands between it and the place before it. */
  joint: Joint
}

interface Joint {
  /** Nothing but what joins a list. */
  linked: boolean
  peers: boolean
  refuses: boolean
  opens: boolean
}

/** Decides every place that is open. */
export function voteOnPlaces(chunks: readonly Chunk[], found: readonly PlaceChunk[]): void {
  const voters = found.map((each, index): Voter => {
    const candidates = candidatesOf(each, chunks[each.at]!)
    return { ...each, candidates, joint: jointOf(chunks, found[index - 1]?.at ?? each.at, each.at) }
  })
  const wholes = voters.filter(({ candidates }) => candidates[0]!.kind !== 'city').slice(0, NEIGHBOURS)
  const open = [...voters.entries()].filter(([, { candidates }]) => candidates.length > 1).sort(([, a], [, b]) => doubt(b) - doubt(a))
  const asked = open.map(([index, voter]): Asked => [voter, relationsOf(chunks, voters, index, wholes)])
  // Who is asked first may draw the others after him: the better of two orders counts.
  const forth = settle(asked, wholes)
  const back = settle(asked.toReversed(), wholes)
  const better = back.agreement > forth.agreement + MARGIN ? back : forth
  for (const [index, each] of found.entries()) each.place ??= (better.chosen.get(voters[index]!) ?? voters[index]!.candidates[0]!).place
}
type Asked = [voter: Voter, relations: readonly Relation[]]

/** First the countries and regions say what they know, then all vote twice. The agreement is what the choices then say of each other. */
function settle(asked: readonly Asked[], wholes: readonly Voter[]): { chosen: Map<Voter, Candidate>; agreement: number } {
  for (const [{ candidates }] of asked) for (const candidate of candidates) candidate.score = candidate.fame
  for (const [{ candidates }] of asked) believe(candidates)
  for (const [voter, all] of asked) ask(voter, all.filter(relation => wholes.includes(relation.voter)))
  for (let round = 0; round < 2; round++) for (const [voter, all] of asked) ask(voter, all)
  const chosen = new Map(asked.map(([voter]) => [voter, voter.candidates.reduce(likelier)]))
  for (const [voter, choice] of chosen) for (const candidate of voter.candidates) candidate.belief = candidate === choice ? 1 : 0
  const agrees = ([{ candidates }, all]: Asked, choice: Candidate) => 2 * choice.fame + support(candidates, candidates.indexOf(choice), all)
  return { chosen, agreement: asked.reduce((sum, each) => sum + agrees(each, chosen.get(each[0])!), 0) }
}
const likelier = (a: Candidate, b: Candidate): Candidate => (b.score > a.score + MARGIN ? b : a)
const MARGIN = 0.1
const doubt = ({ candidates }: Voter): number => Math.max(...candidates.slice(1).map(({ belief }) => belief))

function candidatesOf({ readings, place }: PlaceChunk, { group, word }: Chunk): Candidate[] {
  const [first] = readings
  const open = place ? readings.filter(reading => reading.place === place).slice(0, 1) : readings.slice(0, MOST_READINGS)
  // The best known one may be smaller than others, and of two regions neither is.
  const sizeOf = (reading: PlaceReading) => (isRegion(reading) && isRegion(first!) ? 0.8 * (first!.size ?? REGION) : (reading.size ?? REGION))
  const most = Math.max(...open.map(sizeOf), 1)
  const candidates = (place && open.length === 0 ? [{ place, weight: 1 }] : open).map((reading: PlaceReading, index): Candidate => {
    const parts = group ?? [reading.place]
    const named = parts.flatMap(part => ('area' in part ? expandArea(part.area) : [part]))
    const city = reading.city ?? cityOf(named[0]!)
    const fame = (index === 0 ? 0 : Math.log10(sizeOf(reading) / most)) - (index > 0 ? (FAMOUS.get(word) ?? 0) : 0) - (isHidden(reading, first!) ? 9 : 0)
    return {
      place: reading.place,
      parts: named,
      kind: kindOf(named[0]!),
      pull: pull((first!.city ?? city)?.population ?? first!.size ?? REGION),
      region: city?.region ?? named[0]!.region,
      point: city,
      fame,
      score: fame,
      belief: 1,
    }
  })
  believe(candidates)
  return candidates
}
/** The province of a town, and the town in a country or region that has its name too ("Singapore"), are meant only where it is said. */
function isHidden({ place, weight, city }: PlaceReading, { place: first }: PlaceReading): boolean {
  if (weight <= LEAST) return true
  if (place === first || 'area' in first || first.city !== undefined || 'area' in place || place.country !== first.country) return false
  return first.region === undefined || (city !== undefined && weight < city.population && regionWithin(city.region, first.region))
}
const isRegion = ({ place, weight }: PlaceReading): boolean => weight > LEAST && kindOf(place) === 'region'
/** What a region counts for. */
export const REGION = 4e6
const FAMOUS = wordMap('things-grammar.txt', 'famous cities', Number)

function believe(candidates: readonly Candidate[]): void {
  let best = Number.NEGATIVE_INFINITY
  for (const { score } of candidates) best = Math.max(best, score)
  for (const candidate of candidates) candidate.belief = 10 ** (candidate.score - best)
}

function jointOf(chunks: readonly Chunk[], before: number, at: number): Joint {
  const between = chunks.slice(before + 1, Math.min(at, before + 20))
  return {
    linked: at - before <= 5 && between.every(chunk => isSeparator(chunk) || chunk.kind === 'negator' || (chunk.kind === 'word' && chunk.small)),
    peers: between.some(({ kind, word }) => kind === 'conjunction' || (kind === 'list' && !OPENERS.has(word))),
    refuses: between.some(({ kind }) => kind === 'negator'),
    opens: between.some(({ word }) => OPENERS.has(word)),
  }
}
const OPENERS = new Set([':', '(', '—', '–', '-'])

interface Relation {
  voter: Voter
  linked: boolean
  /** For each candidate of the one who is asked, what each of the first candidates of the voter says for it. */
  votes: Float64Array
}

/** What a country says that is named in another sentence. */
const BRIEF = 1.5

/** The places around one, and how each of them is related to it. */
function relationsOf(chunks: readonly Chunk[], voters: readonly Voter[], index: number, wholes: readonly Voter[]): Relation[] {
  const relations: Relation[] = []
  const { at, candidates } = voters[index]!
  const { sentence } = chunks[at]!
  const relate = (voter: Voter, linked: boolean, contained: number, near: number, listed: boolean) => {
    const votes = new Float64Array(candidates.length * MOST_VOTES)
    for (let index = 0; index < votes.length; index++) {
      const said = voter.candidates[index % MOST_VOTES]
      if (said) votes[index] = voteOf(candidates[Math.floor(index / MOST_VOTES)]!, said, contained, near, listed)
    }
    relations.push({ voter, linked, votes })
  }
  for (const step of [-1, 1]) {
    const path: Joint = { linked: true, peers: false, refuses: false, opens: false }
    for (let other = index + step; voters[other] && Math.abs(other - index) <= NEIGHBOURS; other += step) {
      const voter = voters[other]!
      const { joint } = voters[Math.max(other, other - step)]!
      path.linked &&= joint.linked
      path.peers ||= joint.peers
      path.refuses ||= joint.refuses
      path.opens ||= joint.opens
      const isNear = chunks[voter.at]!.sentence === sentence
      // "Córdoba and Rosario, Argentina" are both there; "Cambridge (Massachusetts), Oxford and London" are not.
      const contained = voter.qualifies ? (step > 0 ? 2.5 : 0) : isNear ? containedBy(path, step) : BRIEF
      const near = (path.linked ? 1 : isNear ? 0.5 : 0.25) * (step < 0 && voters[other + 1]!.qualifies ? 0.25 : 1)
      relate(voter, path.linked, contained, near, path.linked && !path.refuses)
    }
  }
  for (const voter of wholes)
    if (!relations.some(relation => relation.voter === voter) && voter !== voters[index])
      relate(voter, false, chunks[voter.at]!.sentence === sentence ? 2 : BRIEF, 0, false)
  return relations
}

/** "Texas except Paris", "Ontario: London", "London (Ontario)" against "Michigan and Ontario", where neither lies in the other. */
function containedBy({ linked, peers, refuses, opens }: Joint, step: number): number {
  if (refuses && (linked || opens)) return step < 0 ? 4.5 : 0
  if (opens) return step < 0 ? 4 : 3
  if (linked) return peers ? 0 : 3
  return peers ? 1 : 2
}

function ask({ candidates }: Voter, relations: readonly Relation[]): void {
  for (let index = 0; index < candidates.length; index++)
    candidates[index]!.score = candidates[index]!.fame + support(candidates, index, relations)
  believe(candidates)
}

function support(candidates: readonly Candidate[], index: number, relations: readonly Relation[]): number {
  const { kind } = candidates[index]!
  let sum = 0
  for (const { voter, linked, votes } of relations) {
    let vote = 0
    let alike = 0
    for (let other = Math.min(voter.candidates.length, MOST_VOTES) - 1; other >= 0; other--) {
      const said = voter.candidates[other]!
      vote = Math.max(vote, said.belief * votes[index * MOST_VOTES + other]!)
      if (linked && said.kind === kind) alike = Math.max(alike, said.belief)
    }
    sum += vote + alike * ALIKE
  }
  return sum
}

/** `contained`: how much a country, a region or an area says of what lies in it; `near`: how much a town says. */
function voteOf(one: Candidate, said: Candidate, contained: number, near: number, listed: boolean): number {
  const isAlike = said.kind === one.kind
  if (said.kind === 'city') return near * said.pull * closeness(one, said) * (isAlike ? 1 : 0.5)
  // "Belgium, Luxembourg": only a town lies in what it is listed with.
  if (lies(one, said)) return listed && one.kind !== 'city' ? 0 : contained
  return sharesCountry(one, said) ? near * (isAlike ? 0.6 : 0.3) : 0
}
/** Lists are of one kind: "New York, Ohio and Pennsylvania". */
const ALIKE = 0.5

/** A small town says most about what is meant beside it; the largest cities are listed with others all over the world. */
const pull = (size: number): number => Math.min(2.4, Math.max(0.4, 2.4 - 2 * Math.log10(size / 1e5)))

const sharesCountry = (a: Candidate, b: Candidate): boolean => a.parts[0]!.country === b.parts[0]!.country

const lies = ({ parts, region }: Candidate, { parts: wholes }: Candidate): boolean =>
  wholes.some(
    whole => whole.country === parts[0]!.country && whole.city === undefined && (whole.region === undefined || regionWithin(region, whole.region)),
  )

function closeness(a: Candidate, b: Candidate): number {
  const country = sharesCountry(a, b) ? 0.6 : 0
  const km = a.point && b.point ? roughKm(a.point, b.point) : 1e4
  if (km < 100) return country + (country ? 1.2 : 0.4)
  return country + (country && ((a.region !== undefined && a.region === b.region) || km < 200) ? 0.4 : 0)
}

/** On a flat map: exact enough to tell a neighbour. */
const roughKm = (a: { lat: number; lon: number }, b: { lat: number; lon: number }): number =>
  111 * Math.hypot(a.lat - b.lat, (a.lon - b.lon) * Math.cos((a.lat * Math.PI) / 180))
