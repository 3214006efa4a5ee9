import { placeKey, placeWithin, rankReadings, type NamedPlace, type Place, type PlaceReading } from '../places.ts'
import { INDUSTRIES } from '../vocabulary.ts'
import type { Cell } from './cells.ts'
import type { Entity } from './entities.ts'
import { longestEntry } from './lexicon.ts'
import type { Item } from './numbers.ts'
import type { Token } from './tokens.ts'

const LIST_KINDS = new Set(['comma', 'conjunction', 'list'])

const USING = new Set('using use uses used on running runs run via with powered built stack adopted adopting leveraging nutzen nutzt nutzend verwenden verwendet einsetzen einsatz setzen auf mit utilisant utilisent utilise utilisateurs equipees equipes sous usan usa utilizan utiliza usando utilizando usuarias con usen gebruiken gebruikt utilizzano usano implemented deployed migrated hosted based utilizing utilising work works'.split(' '))
const USERS = new Set('customers customer users user shops shop stores store clients client stack sites site merchants sellers websites website kunden nutzer anwender utilisateurs clients usuarios clientes shopbetreiber partners instances'.split(' '))
const AT_WORDS = new Set(['at', 'from', 'bei', 'chez', 'for', 'by', 'like', 'von', 'ex', 'current', 'former', 'within', 'inside', 'beim', 'presso', 'bij', 'como', 'wie', 'comme', 'as'])

export interface Context {
  cells: readonly Cell[]
  items: readonly Item[]
  tokens: readonly Token[]
  text: string
  people: readonly Entity[]
}

/** Industries, technologies, companies, sizes, stages and keywords. */
export function readThings(context: Context): Entity[] {
  const { cells } = context
  const entities: Entity[] = []
  for (let at = 0; at < cells.length; at++) {
    const cell = cells[at]!
    if (cell.used) continue
    if (cell.kind === 'domain') {
      entities.push({ kind: 'company', value: cell.word, first: at, last: at })
      continue
    }
    if (cell.kind !== 'word') continue
    const { entry } = cell
    if (entry?.technology && readTechnology(context, at, entities)) continue
    if (readStage(cells, at, entities)) continue
    if (entry?.keyword) {
      entities.push({ kind: 'keyword', value: entry.keyword, first: at, last: at })
      continue
    }
    if (entry?.size && sizeFits(cells, at)) {
      entities.push({ kind: 'size', value: entry.size, first: at, last: at })
      cell.used = true
      // "AI startups" keeps its industry; "startups" itself names none.
      continue
    }
    if (entry?.industry && industryFits(cells, at)) {
      entities.push({ kind: 'industry', value: entry.industry, first: at, last: at })
      cell.used = true
      continue
    }
    if (cell.unknown && readCompoundIndustry(cells, at, entities)) continue
  }
  readCompanies(context, entities)
  readTopics(context, entities)
  return entities
}

function neighbour(cells: readonly Cell[], at: number, step: -1 | 1): Cell | undefined {
  let position = at + step
  while (cells[position]?.kind === 'word' && (cells[position]!.small || cells[position]!.idle) && !USING.has(cells[position]!.word) && Math.abs(position - at) < 3) position += step
  return cells[position]
}

function readTechnology({ cells, people }: Context, at: number, entities: Entity[]): boolean {
  const cell = cells[at]!
  const entry = cell.entry!
  const using = saysUsing(cells, at, entities)
  const users = cells[at + 1]?.kind === 'word' && USERS.has(cells[at + 1]!.word)
  const labelled = cell.label === 'technology'
  const before = cells[at - 1]
  if (!using && !users && !labelled && before?.kind === 'word' && AT_WORDS.has(before.word) && people.some(entity => entity.last < at)) return false
  if (!using && !users && !labelled && inCompanyList(cells, at)) return false
  if (entry.weakTechnology && !using && !users && !labelled) return false
  if (entry.industry && !using && !users && !labelled) return false
  entities.push({ kind: 'technology', value: entry.technology!, first: at, last: at })
  cell.used = true
  if (users && !cells[at + 1]!.entry) cells[at + 1]!.used = true
  return true
}

function saysUsing(cells: readonly Cell[], at: number, entities: readonly Entity[]): boolean {
  let position = at - 1
  for (let hops = 0; position >= 0 && hops < 4; hops++, position--) {
    const cell = cells[position]!
    if (LIST_KINDS.has(cell.kind)) {
      // A list of technologies goes on.
      const previous = entities.find(entity => entity.kind === 'technology' && entity.last === position - 1)
      if (previous) return true
      continue
    }
    if (cell.kind === 'negator' && /(?:use|using|on)$/.test(cell.word)) return true
    if (cell.kind !== 'word') return false
    if (USING.has(cell.word)) return true
    if (!cell.small && !cell.idle && !cell.entry?.technology) return false
  }
  return false
}

/** "at Snowflake, Databricks or MongoDB": later members of a list of employers. */
function inCompanyList(cells: readonly Cell[], at: number): boolean {
  let position = at - 1
  let separators = 0
  while (position >= 0 && at - position < 16) {
    const cell = cells[position]!
    if (LIST_KINDS.has(cell.kind)) separators++
    else if (cell.kind === 'word' && AT_WORDS.has(cell.word)) return separators > 0
    else if (cell.kind !== 'word' || cell.small || (cell.entry && !cell.entry.technology)) return false
    position--
  }
  return false
}

function readStage(cells: readonly Cell[], at: number, entities: Entity[]): boolean {
  const cell = cells[at]!
  if (!cell.entry?.stage) return false
  const stage = cell.entry.stage
  const previous = cells[at - 1]
  if (stage === 'seed' && cell.word === 'seed' && cells[at + 1]?.kind === 'word' && ['companies', 'producers', 'breeders', 'growers', 'oil'].includes(cells[at + 1]!.word) && !previous?.entry?.stage) return false
  if (stage === 'public' && cell.word === 'listed' && previous?.kind === 'word' && ['as', 'below', 'above'].includes(previous.word)) return false
  entities.push({ kind: 'stage', value: stage, first: at, last: at })
  cell.used = true
  return true
}

/** Adjectives of size need a company behind them: "small teams" yes, "small talk" no. */
function sizeFits(cells: readonly Cell[], at: number): boolean {
  const cell = cells[at]!
  const { word } = cell
  if (!['small', 'large', 'micro', 'enterprise', 'corporates', 'medium size', 'large enterprise', 'mid tier'].includes(word)) return true
  const next = neighbour(cells, at, 1)
  if (word === 'enterprise') {
    const direct = cells[at + 1]
    if (direct?.kind === 'word' && (direct.head || direct.entry?.title || direct.entry?.industry === 'software')) return direct.entry?.industry === 'software' ? false : false
    return cells[at - 1]?.kind !== 'word' || !cells[at - 1]!.entry?.function
  }
  if (cell.label === 'employees') return true
  return next !== undefined && next.kind === 'word' && (next.companyNoun || next.entry?.industry !== undefined || next.entry?.keyword !== undefined)
}

function industryFits(cells: readonly Cell[], at: number): boolean {
  const cell = cells[at]!
  const entry = cell.entry!
  const next = cells[at + 1]
  const previous = cells[at - 1]
  if (cell.label === 'industry') return true
  if (cell.label === 'title' || cell.label === 'technology') return false
  // "the industry", "their business": nouns for companies in general are no industry.
  if (cell.companyNoun && entry.weakIndustry) return false
  if (['industry', 'industries', 'industrie', 'industria', 'branche'].includes(cell.word)) return previous?.kind === 'word' && previous.small && ['in', 'der', 'l', 'la', 'the'].includes(previous.word) && cell.word === 'industrie'
  if (['manufacturer', 'manufacturers', 'hersteller', 'fabricants', 'fabricantes', 'producers', 'makers'].includes(cell.word) && previous?.kind === 'word' && (previous.unknown || (previous.entry?.industry && previous.used))) return !previous.unknown && !previous.used
  if (!entry.weakIndustry) {
    if (entry.function && functionOnly(cells, at)) return false
    return !(entry.title && !entry.weakTitle && !next?.companyNoun && isPersonReading(cells, at))
  }
  const edge = (other: Cell | undefined) => other === undefined || other.kind === 'break' || other.kind === 'comma' || other.kind === 'gap' || LIST_KINDS.has(other.kind)
  if (next?.kind === 'word' && next.companyNoun) return true
  if (edge(previous) && edge(next)) return true
  return previous?.kind === 'word' && ['at', 'in', 'for', 'of', 'bei', 'chez', 'secteur', 'sector', 'del', 'de', 'branche'].includes(previous.word) && (edge(next) || next?.kind === 'place' || next?.small === true)
}

/** A word that is function and industry both, standing after "in" behind a bare level was read with the people. */
function functionOnly(cells: readonly Cell[], at: number): boolean {
  const word = cells[at]!.word
  return ['it', 'data', 'legal', 'research', 'training', 'analytics', 'events', 'event', 'ai', 'design'].includes(word) && word !== 'ai' && !(cells[at + 1]?.companyNoun ?? false) && word !== 'analytics' && word !== 'research' && word !== 'training' && word !== 'event'
}

const isPersonReading = (_cells: readonly Cell[], _at: number): boolean => false

const COMPANY_SUFFIXES = ['unternehmen', 'firmen', 'firma', 'betrieben', 'betriebe', 'betrieb', 'branche', 'industrie', 'herstellern', 'hersteller', 'anbietern', 'anbieter', 'konzernen', 'konzerne', 'konzern', 'sektor', 'handlern', 'handler', 'dienstleistern', 'dienstleister', 'startups', 'startup', 'agenturen', 'agentur', 'praxen', 'praxis', 'kanzleien', 'kanzlei', 'produzenten', 'bereich', 'wirtschaft', 'gesellschaften', 'gesellschaft', 'ketten', 'kette', 'bedrijven', 'bedrijf', 'sector', 'marken', 'shops', 'verbande', 'studios', 'hauser', 'zulieferer', 'zulieferern', 'lieferanten', 'inhabern', 'inhaber', 'besitzer', 'besitzern', 'grundern', 'grunder', 'betreibern', 'betreiber']

/** "Verpackungsunternehmen", "Biotechfirmen", "Agenturinhaber": the first part names the industry. */
function readCompoundIndustry(cells: readonly Cell[], at: number, entities: Entity[]): boolean {
  const { word } = cells[at]!
  if (word.length < 8 || word.includes(' ')) return false
  for (const suffix of COMPANY_SUFFIXES) {
    if (!word.endsWith(suffix) || word.length === suffix.length) continue
    const stem = word.slice(0, -suffix.length)
    for (const variant of [stem, stem.replace(/s$/, ''), stem.replace(/en$/, ''), stem.replace(/n$/, ''), `${stem}e`, `${stem}en`, stem.replace(/es$/, '')]) {
      const found = variant.length < 2 ? undefined : longestEntry([variant], 0, 1)
      if (!found?.entry.industry) continue
      entities.push({ kind: 'industry', value: found.entry.industry, first: at, last: at })
      if (suffix.startsWith('inhaber') || suffix.startsWith('besitzer')) entities.push({ kind: 'level', value: 'owner', levelTitle: 'owner', first: at, last: at })
      if (suffix.startsWith('grunder')) entities.push({ kind: 'level', value: 'founder', levelTitle: 'founder', first: at, last: at })
      if (suffix.startsWith('startup')) entities.push({ kind: 'size', value: 'small', first: at, last: at })
      cells[at]!.used = true
      return true
    }
    return false
  }
  return false
}

// ---- companies ----

const COMPANY_OPENERS = new Set(['at', 'bei', 'chez', 'presso', 'bij', 'beim', 'from', 'for', 'like', 'as', 'wie', 'comme', 'como', 'by', 'ex'])
const LIKE_PHRASES = new Set(['companies like', 'firms like', 'brands like', 'such as', 'similar to', 'competitors like', 'work at', 'works at', 'working at', 'work for', 'works for', 'working for', 'employed at', 'employed by', 'unternehmen wie', 'firmen wie', 'wie z b', 'entreprises comme', 'tels que', 'telles que', 'empresas como', 'tales como', 'trabajan en', 'arbeiten bei', 'travaillent chez', 'people at', 'people from', 'team at', 'employees of', 'employees at', 'staff at', 'everyone at', 'anyone at', 'anyone from'])

function readCompanies(context: Context, entities: Entity[]): void {
  const { cells, people } = context
  for (let at = 0; at < cells.length; at++) {
    const cell = cells[at]!
    const labelled = cell.label === 'company' && cell.kind === 'word' && !cell.used
    if (labelled) {
      at = Math.max(at, readNames(context, at, true, entities) - 1)
      continue
    }
    if (cell.label === 'exclude' && !cell.used && (cell.kind === 'word' || cell.kind === 'place') && cells[at - 1]?.kind !== 'word') {
      at = Math.max(at, readNames(context, at, false, entities) - 1)
      continue
    }
    if (cell.kind === 'negator' || cell.kind === 'instead') {
      // "leave out DHL": names that nothing else explains, after a negation.
      const start = skipSmall(cells, at + 1)
      readNames(context, start, false, entities)
      continue
    }
    if (cell.kind !== 'word' || !COMPANY_OPENERS.has(cell.word)) continue
    const pair = `${cells[at - 1]?.word ?? ''} ${cell.word}`
    const strict = LIKE_PHRASES.has(pair)
    if (!strict && !['at', 'bei', 'chez', 'presso', 'bij', 'beim', 'from', 'ex'].includes(cell.word)) continue
    if (!strict && !people.some(entity => entity.last < at)) continue
    readNames(context, skipSmall(cells, at + 1, 1), strict, entities)
  }
}

function skipSmall(cells: readonly Cell[], at: number, most = 3): number {
  let position = at
  while (position < at + most && cells[position]?.kind === 'word' && cells[position]!.small && !cells[position]!.capital) position++
  return position
}

/** A list of names: capitalised words that are nothing else, joined by "&" or "+" where they touch. */
function readNames({ cells, items, tokens, text }: Context, from: number, loose: boolean, entities: Entity[]): number {
  let at = from
  for (;;) {
    const start = at
    // "Palo Alto Networks": a name may begin with a place if a capitalised noun follows.
    const noun = cells[at + 1]
    if (cells[at]?.kind === 'place' && !cells[at]!.used && noun?.kind === 'word' && noun.capital && (noun.companyNoun || noun.unknown)) at++
    while (at < cells.length && at - start < 5 && isNameCell(cells[at]!, tokens, items, loose && at === start, at > start)) at++
    if (at === start || cells[at]?.companyNoun === true && !cells[at]!.capital && !tokens[items[cells[start]!.first]!.first]!.capital) break
    const first = tokens[items[cells[start]!.first]!.first]!
    const last = tokens[items[cells[at - 1]!.last]!.last]!
    const name = text.slice(first.start, last.end).replace(/\s+/g, ' ').trim()
    if (name.length >= 2) {
      entities.push({ kind: 'company', value: name, first: start, last: at - 1 })
      for (let position = start; position < at; position++) cells[position]!.used = true
    }
    let step = at
    while (LIST_KINDS.has(cells[step]?.kind ?? '') && step < at + 2) step++
    if (step === at) break
    const next = skipSmall(cells, step, 1)
    if (!cells[next] || !isNameCell(cells[next]!, tokens, items, false, false)) break
    at = next
  }
  return at
}

function isNameCell(cell: Cell, tokens: readonly Token[], items: readonly Item[], loose: boolean, continues: boolean): boolean {
  if (cell.used) return false
  if (cell.kind !== 'word') return false
  const token = tokens[items[cell.first]!.first]!
  if (continues && cell.word === 'and' && token.text === '&') return true
  const { entry } = cell
  const nothingElse = !entry || (entry.technology !== undefined && !entry.industry && !entry.title && !entry.function)
  if (cell.companyNoun || cell.peopleNoun || cell.head) return continues && token.capital && cell.companyNoun
  if (cell.small || cell.idle) return continues && token.capital
  if (!nothingElse) return continues && token.capital && entry?.industry !== undefined
  return token.capital || (loose && cell.unknown) || (continues && token.glue !== '')
}

// ---- topics without an industry ----

const TOPIC_OPENERS = new Set(['making', 'make', 'makes', 'selling', 'sell', 'sells', 'producing', 'produce', 'building', 'manufacturing', 'specialising', 'specializing', 'focused', 'focusing', 'keyword', 'keywords', 'mentioning', 'tagged'])

function readTopics({ cells, items, tokens }: Context, entities: Entity[]): void {
  for (let at = 0; at < cells.length; at++) {
    const cell = cells[at]!
    if (cell.kind !== 'word' || cell.used || !cell.unknown) continue
    const next = cells[at + 1]
    const labelled = cell.label === 'keyword'
    let position = at
    while (cells[position + 1]?.kind === 'word' && cells[position + 1]!.unknown && !cells[position + 1]!.used && position - at < 2) position++
    const noun = cells[position + 1]
    const namesCompanies = noun?.kind === 'word' && noun.companyNoun && !noun.used
    const previous = cells[at - 1]
    const afterSector = previous?.kind === 'word' && ['sector', 'secteur', 'branche', 'industry', 'rubro', 'settore', 'setor', 'topic', 'keyword'].includes(previous.word)
    const made = previous?.kind === 'word' && TOPIC_OPENERS.has(previous.word) && !next?.companyNoun
    if (!namesCompanies && !labelled && !afterSector && !made) continue
    // A proper name in front of "group" or "companies" is not a topic.
    if (tokens[items[cell.first]!.first]!.capital && at > 0 && !labelled && previous?.kind !== 'break' && tokens.some(token => token.kind === 'word' && !token.capital) && !/[a-z]$/.test(tokens[items[cell.first]!.first]!.text.slice(0, 0)) && isEnglishProse(tokens)) continue
    const words = cells.slice(at, position + 1).map(each => each.word)
    const topic = words.join(' ')
    if (topic.length < 3 || topic.length > 60 || /^\d/.test(topic)) continue
    entities.push({ kind: 'keyword', value: singularPhrase(topic), first: at, last: position })
    for (let index = at; index <= position; index++) cells[index]!.used = true
    at = position
  }
}

function isEnglishProse(tokens: readonly Token[]): boolean {
  return tokens.some(token => token.word === 'the' || token.word === 'in' || token.word === 'of') && !tokens.some(token => token.word === 'und' || token.word === 'der')
}

function singularPhrase(phrase: string): string {
  const words = phrase.split(' ')
  const last = words.at(-1)!
  words[words.length - 1] = last.length > 3 && /[^su]s$/.test(last) ? (last.endsWith('ies') ? `${last.slice(0, -3)}y` : last.slice(0, -1)) : last
  return words.join(' ')
}

// ---- places ----

/** As many as a document may hold, twice. */
const MOST_PLACES = 200
/** How many neighbours on each side say which of several places is meant. */
const NEIGHBOURS = 8

interface Mention {
  at: number
  readings: PlaceReading[]
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
    if (between.length > 2 || between.some(cell => cell.kind !== 'comma' && !(cell.kind === 'break' && (cell.word === '(' || cell.word === ')')) && !(cell.kind === 'word' && ['in', 'the'].includes(cell.word)))) continue
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
    for (let other = index - 1; other >= 0 && index - other <= NEIGHBOURS && linked(mentions[other]!, mentions[other + 1]!); other--) addNear(near, chosen[other] ?? certain(other))
    for (let other = index + 1; other < mentions.length && other - index <= NEIGHBOURS && linked(mentions[other - 1]!, mentions[other]!); other++) addNear(near, chosen[other] ?? certain(other))
    if (near.length === 0) for (let other = 0; other < mentions.length; other++) if (other !== index && cells[mentions[other]!.at]!.sentence === cells[mentions[index]!.at]!.sentence && isCountry(chosen[other])) addNear(near, chosen[other])
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

const isCountry = (place: Place | undefined): boolean => place !== undefined && ('area' in place || (place.region === undefined && place.city === undefined))

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

export function dropParents(slugs: readonly string[]): string[] {
  return slugs.filter(slug => !slugs.some(other => other !== slug && INDUSTRIES.get(other)?.parent === slug))
}
