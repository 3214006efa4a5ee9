import { gazetteer } from '../search/terms/gazetteer.ts'
import { editDistance } from '../search/terms/text.ts'
import { COMMON_WORDS } from './lexicon/common.ts'
import { TITLE_HEADS } from './lexicon/levels.ts'
import { REAL_WORDS } from './lexicon/real-words.ts'
import * as grammarWords from './lexicon/words.ts'
import { lexicon, stemWord } from './lexicon.ts'

// Slips are repaired towards words we know: industries, titles, functions, countries and big cities.
interface RepairIndex {
  known: Set<string>
  /** First letter and length -> the words to compare with. */
  buckets: Map<string, Target[]>
}

interface Target {
  word: string
  /** One bit per letter that occurs: words that differ in many letters need no closer look. */
  letters: number
}

function letterSet(word: string): number {
  let letters = 0
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) - 97)
  return letters
}

function bitCount(bits: number): number {
  let rest = bits
  let count = 0
  while (rest !== 0) {
    rest &= rest - 1
    count++
  }
  return count
}

let index: RepairIndex | undefined

/** Cities of half a million and more, and well-known smaller ones, are worth a repair; villages are not. */
const TYPED_CITIES =
  'berlin hamburg munich munchen cologne koln frankfurt stuttgart dusseldorf leipzig dresden hannover bremen vienna zurich geneva basel paris lyon marseille toulouse bordeaux lille nantes strasbourg madrid barcelona valencia seville bilbao malaga zaragoza lisbon porto rome milan turin naples florence london manchester birmingham liverpool leeds glasgow edinburgh bristol dublin amsterdam rotterdam utrecht eindhoven brussels antwerp copenhagen stockholm gothenburg malmo oslo helsinki warsaw krakow wroclaw prague budapest bucharest sofia athens istanbul tallinn vilnius boston chicago houston dallas austin seattle denver atlanta miami phoenix philadelphia toronto montreal vancouver calgary sydney melbourne brisbane auckland singapore mumbai bangalore bengaluru delhi tokyo seoul dubai lagos nairobi johannesburg bogota medellin santiago guadalajara monterrey'.split(
    ' ',
  )

function repairIndex(): RepairIndex {
  if (index) return index
  const { vocabulary, words } = lexicon()
  const targets = new Set(vocabulary)
  for (const word of TITLE_HEADS.keys()) targets.add(word)
  const data = gazetteer()
  for (const names of [data.countryByName.keys(), data.countryByDemonym.keys()]) {
    for (const name of names) if (!name.includes(' ')) targets.add(name)
  }
  for (const [name, codes] of data.regionNames()) {
    if (!name.includes(' ') && codes.some(code => /^(?:US|CA|DE|AT|ES|FR|IT|AU)-/.test(code) && !data.regions.get(code)!.parent))
      targets.add(name)
  }
  for (const city of TYPED_CITIES) targets.add(city)
  const known = new Set<string>(COMMON_WORDS)
  for (const word of targets) known.add(word).add(stemWord(word))
  for (const [word, stem] of words) known.add(word).add(stem)
  for (const value of Object.values(grammarWords)) {
    if (typeof value === 'function') continue
    for (const phrase of value.keys()) for (const word of String(phrase).split(' ')) known.add(word)
  }
  for (const phrase of [...grammarWords.FALSE_NEGATIONS, ...grammarWords.CORRECTIONS]) for (const word of phrase.split(' ')) known.add(word)
  const buckets = new Map<string, Target[]>()
  for (const word of targets) {
    if (word.length < 5 || COMMON_WORDS.has(word) || !/^[a-z]+$/.test(word)) continue
    const key = `${word[0]}${word.length}`
    const list = buckets.get(key)
    const target = { word, letters: letterSet(word) }
    if (list) list.push(target)
    else buckets.set(key, [target])
  }
  index = { known, buckets }
  return index
}

export function isKnownWord(word: string): boolean {
  const { known } = repairIndex()
  return known.has(word) || known.has(stemWord(word)) || REAL_WORDS.has(word)
}

/** Two neighbouring letters changed places: the commonest slip of all, and one slip only. */
function swapped(word: string, target: string): boolean {
  if (word.length !== target.length) return false
  let at = 0
  while (at < word.length && word[at] === target[at]) at++
  return at + 1 < word.length && word[at] === target[at + 1] && word[at + 1] === target[at] && word.slice(at + 2) === target.slice(at + 2)
}

/** "joined" is not a slip for "joiner": words that part only at their end are forms of one stem. */
function inflects(word: string, target: string): boolean {
  const shorter = Math.min(word.length, target.length)
  let at = 0
  while (at < shorter && word[at] === target[at]) at++
  return at >= 4 && VERB_ENDS.has(word.slice(at)) && NOUN_ENDS.has(target.slice(at))
}
const VERB_ENDS = new Set('d ed s es n en ing ly ally t'.split(' '))
const NOUN_ENDS = new Set('r er ers rs or ors d ed s es ing ion ions ive al ale ales e y a o os as ate r n ry nt'.split(' '))

let countryNames: { first: Map<string, string[]>; second: Map<string, string[]> } | undefined

const near = (word: string, target: string): boolean =>
  word !== target && (swapped(word, target) || (word[0] === target[0] && editDistance(word, target, 1) <= 1))

/** "Untied Kingdom", "New Zaeland": one word of a country's name says what the other was meant to be. */
export function repairBeside(word: string, before: string | undefined, next: string | undefined): string | undefined {
  if (!countryNames) {
    countryNames = { first: new Map(), second: new Map() }
    for (const name of gazetteer().countryByName.keys()) {
      const [first, second, third] = name.split(' ') as [string, string | undefined, string | undefined]
      if (!second || second.length < 5 || third !== undefined) continue
      countryNames.second.set(first, [...(countryNames.second.get(first) ?? []), second])
      if (first.length > 4) countryNames.first.set(second, [...(countryNames.first.get(second) ?? []), first])
    }
  }
  if (word.length < 5) return undefined
  const ahead = next === undefined ? undefined : countryNames.first.get(next)?.find(first => near(word, first))
  if (ahead !== undefined || before === undefined) return ahead
  const names = countryNames.second.get(before)
  return names?.includes(word) ? undefined : names?.find(second => near(word, second))
}

/** Comparing costs; a text of gibberish is not worth more than this many words of it. */
const REPAIRS_PER_BRIEF = 60

export function wordRepairer(): (word: string) => string | undefined {
  const { buckets } = repairIndex()
  const seen = new Map<string, string | undefined>()
  let spent = 0
  return word => {
    if (word.length < 5 || word.length > 24 || !/^[a-z]+$/.test(word)) return undefined
    if (seen.has(word)) return seen.get(word)
    if (spent++ >= REPAIRS_PER_BRIEF) return undefined
    const limit = word.length >= 8 ? 2 : 1
    const letters = letterSet(word)
    let best: string | undefined
    let bestDistance = limit + 1
    for (let length = word.length - limit; length <= word.length + limit; length++) {
      for (const target of buckets.get(`${word[0]}${length}`) ?? []) {
        if (bitCount(letters ^ target.letters) > 2 * limit) continue
        const distance = swapped(word, target.word) ? 1 : editDistance(word, target.word, Math.min(limit, bestDistance - 1))
        if (distance < bestDistance && !inflects(word, target.word)) {
          best = target.word
          bestDistance = distance
        }
      }
    }
    // Two slips need a long word on both sides, or everything resembles something.
    if (best && bestDistance === 2 && (best.length < 9 || word.length < 9)) best = undefined
    seen.set(word, best)
    return best
  }
}
