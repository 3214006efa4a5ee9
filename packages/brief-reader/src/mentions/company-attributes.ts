import type { Chunk, Mention } from '../model.ts'
import { compoundIndustry } from '../vocabulary/compounds.ts'
import { entryOf } from '../vocabulary/lexicon.ts'
import { wordMap, wordSet } from '../vocabulary/word-files.ts'
import { IS, ONLY } from '../vocabulary/word-lists.ts'
import { dropModifiers, isMadeFor, isMaking, isPaidFor } from './keywords.ts'
import { isConditional, isProduct, isUse, keepMakers, markUse, productAt, technologyFits } from './technologies.ts'
import { isSeparator } from './titles.ts'

/** Industries, technologies, companies, sizes, stages and keywords. */

/** Those who make food and those who make drinks are two industries. */
const SECOND = wordMap('things-grammar.txt', 'second industry', value => value)
const LEAGUES = wordSet('things-grammar.txt', 'leagues')
const SIZES_BESIDE = wordSet('things-grammar.txt', 'sizes beside nouns')

export function readCompanyAttributes(chunks: readonly Chunk[], people: readonly Mention[], sliceOf: (chunk: Chunk) => string): Mention[] {
  const mentions: Mention[] = []
  const push = (kind: Mention['kind'], value: string, at: number, more: Partial<Mention> = {}) => {
    mentions.push({ kind, value, ...more, first: at, last: at })
    chunks[at]!.used = true
    return true
  }
  const pushTechnology = (value: string, at: number, bare = false) => {
    if (isConditional(chunks, at)) chunks[at]!.uncertain = true
    push('technology', value, at, bare ? { bare } : {})
    markUse(chunks, at)
  }
  // "La Liga / Serie A type": in a brief about sport the letter names a league.
  const isSport = chunks.some(({ entry, word }) => entry?.industry === 'sports' || LEAGUES.has(word))
  // The place of a noun that adds little to the trade after it.
  let generic = Number.NEGATIVE_INFINITY
  for (let at = 0; at < chunks.length; at++) {
    const chunk = chunks[at]!
    if (chunk.used) continue
    if (chunk.kind === 'domain') push('company', chunk.word, at)
    else if (chunk.kind === 'name') push('company', ownerOf(sliceOf(chunk), chunks[at + 1]), at)
    if (chunk.kind !== 'word') continue
    const { entry } = chunk
    const fits = entry?.technology && technologyFits(chunks, at, people, mentions)
    if (fits) pushTechnology(entry!.technology!, at, fits === 'bare')
    else if (chunk.label === 'funding' && /^[a-d]$/.test(chunk.word)) push('stage', `series_${chunk.word}`, at)
    else if (chunk.label === 'funding' && entry?.industry === 'private-equity') push('stage', 'private_equity', at)
    else if (entry?.stage && stageFits(chunks, at) && !(isSport && /^serie [a-d]$/.test(chunk.word))) push('stage', entry.stage, at)
    else if (entry?.keyword) {
      push('keyword', entry.keyword, at)
      if (entry.narrower && entry.industry) push('industry', entry.industry, at, { wider: true })
    } else if (entry?.size && sizeFits(chunks, at)) push('size', entry.size, at)
    // "fábricas de calzado": makers of something are of the industry of what they make.
    else if (GENERIC.has(entry?.industry) && makesOthers(chunks, at)) generic = at
    // "toy retailers", "logistics tech startups", "executive search boutiques" are of that industry.
    else if ((GENERIC.has(entry?.industry) || (entry?.industry && SAME_TRADE.test(chunk.word))) && isMade(chunks, at, mentions))
      mentions.at(-1)!.last = at
    else if (entry?.industry && isPaidFor(chunks, at)) chunk.used = true
    // "vertical SaaS for restaurants": whom a product is for is not who is asked.
    else if (entry?.industry && servesOthers(chunks, at, mentions)) chunk.used = true
    else if (entry?.industry && industryFits(chunks, at)) {
      dropModifiers(chunks, at, mentions)
      push('industry', (isSold(chunks, at, generic) && SHOPS.get(entry.industry)) || entry.industry, at)
      if (at - generic < 4) mentions.at(-1)!.first = generic
      if (SECOND.has(chunk.word)) push('industry', SECOND.get(chunk.word)!, at)
    } else if (sharedTrade(chunks, at)) push('industry', sharedTrade(chunks, at)!, at)
    else if (chunk.unknown && readCompoundIndustry(chunks, at, mentions)) continue
    // "They must use Yardi or AppFolio": what is used is a product, listed or not.
    else if (chunk.unknown && isProduct(chunks, at, mentions.at(-1))) pushTechnology(productAt(chunks, at)!, at)
  }
  keepMakers(chunks, mentions)
  return mentions
}

const SAME_TRADE = /^(?:tech|boutiques?|contractors?|exporters?|exportador[ae]s|exportateurs|exportatrices)$/

/** "PR and branding agencies": the noun after a list belongs to what comes before it, too. */
function sharedTrade(chunks: readonly Chunk[], at: number): string | undefined {
  if (!isSeparator(chunks[at + 1])) return undefined
  const last = chunks[at + 2]
  const noun = last?.kind === 'word' && last.entry?.industry ? /(?<= )\S+s$/.exec(last.word)?.[0] : undefined
  return noun && entryOf(`${chunks[at]!.word} ${noun}`)?.industry
}

/** "L'Oréal's local entity" is L'Oréal; Lloyd's is Lloyd's. */
const ownerOf = (name: string, next: Chunk | undefined): string =>
  next?.kind === 'word' && !next.small ? name.replace(/['’]s$/, '') : name

function stageFits(chunks: readonly Chunk[], at: number): boolean {
  const { entry, word } = chunks[at]!
  const before = chunks[at - 1]
  // "that are public", "not public": alone the word says little.
  if (entry!.weakStage)
    return (
      before?.kind === 'negator' ||
      isListed(chunks, at) ||
      // "angel or pre-seed funded": next to another stage it is one.
      [-1, 1].some(step => isSeparator(chunks[at + step]) && chunks[at + 2 * step]?.entry?.stage) ||
      (before?.kind === 'word' && (IS.has(before.word) || ['went', 'gone', 'be', 'been'].includes(before.word)))
    )
  return !(word === 'listed' && before?.kind === 'word' && ['as', 'below', 'above'].includes(before.word))
}

const NEEDS_COMPANY = new Set(['small', 'large', 'micro', 'corporate', 'corporates', 'medium size', 'mid tier'])

/** Adjectives of size need a company after them: "small teams" yes, "small talk" no. */
function sizeFits(chunks: readonly Chunk[], at: number): boolean {
  const { word, label } = chunks[at]!
  const namesCompanies = (other: Chunk | undefined) =>
    other?.kind === 'word' && (other.companyNoun || (other.entry?.industry !== undefined && !other.entry.weakIndustry))
  // "constructoras grandes", "grandes constructoras": Spanish and French have it on either side of the noun.
  if (SIZES_BESIDE.has(word)) return namesCompanies(chunks[at - 1]) || namesCompanies(chunks[at + 1])
  if (word === 'enterprise' && chunks[at - 1]?.entry?.function) return false
  if (!NEEDS_COMPANY.has(word) || label === 'employees') return true
  let position = at + 1
  while (
    position < at + 3 &&
    chunks[position]?.kind === 'word' &&
    (chunks[position]!.small || chunks[position]!.idle || chunks[position]!.unknown) &&
    !isUse(chunks[position]!.word)
  )
    position++
  const noun = chunks[position]
  return noun?.kind === 'word' && (noun.companyNoun || noun.entry?.industry !== undefined || noun.entry?.keyword !== undefined)
}

/** Words that name a department unless a company is spoken of: "design" alone is no industry, "design firms" are. */
const DEPARTMENT_WORDS = new Set('it data legal events design payroll'.split(' '))
const MAKERS = new Set('manufacturer manufacturers hersteller fabricants fabricantes producers makers'.split(' '))
const INDUSTRY_WORDS = new Set('industry industries industrie industria branche'.split(' '))
const SECTOR_OPENERS = new Set('at in im for of bei chez dans secteur sector del de di van von do en branche is ist est'.split(' '))

function industryFits(chunks: readonly Chunk[], at: number): boolean {
  const { entry, word, label, companyNoun } = chunks[at]!
  const next = chunks[at + 1]
  const before = chunks[at - 1]
  if (label === 'industry') return true
  if (label === 'title' || label === 'technology' || isMadeFor(chunks, at)) return false
  // "the industry", "their business": nouns for companies in general are no industry.
  if (companyNoun && entry!.weakIndustry) return false
  if (INDUSTRY_WORDS.has(word))
    return word === 'industrie' && before?.kind === 'word' && before.small && ['in', 'der', 'l', 'la', 'the'].includes(before.word)
  if (MAKERS.has(word) && before?.kind === 'word' && (before.unknown || (before.entry?.industry && before.used))) return false
  if (!entry!.weakIndustry) return !(entry!.function && DEPARTMENT_WORDS.has(word) && !next?.companyNoun)
  const isEdge = (chunk: Chunk | undefined) => chunk === undefined || EDGES.has(chunk.kind) || isSeparator(chunk) || ONLY.has(chunk.word)
  const isRole = (chunk: Chunk | undefined) => chunk?.peopleNoun || chunk?.role || chunk?.entry?.title || chunk?.entry?.level
  // "energy companies", "wine CFOs", but "wine tasting", "they like sports".
  if (next?.companyNoun || (!word.includes(' ') && (isRole(next) || next?.entry?.industry || next?.entry?.size))) return true
  if ((isEdge(before) && isEdge(next)) || (isSeparator(next) && chunks[at + 2]?.entry?.industry && !before?.entry?.industry)) return true
  const back = before?.small && !SECTOR_OPENERS.has(before.word) && !isMaking(before) ? at - 2 : at - 1
  const opener = chunks[back]
  // "la plomberie et l'électricité": what is joined to an industry is one.
  if (opener?.kind === 'conjunction' && chunks[back - 1]?.used && chunks[back - 1]!.entry?.industry) return true
  const opens = SECTOR_OPENERS.has(opener?.word ?? '') || isMaking(opener) || (opener === before && (isRole(before) || before?.companyNoun))
  return Boolean(opens) && (isEdge(next) || next?.small === true)
}
const EDGES: ReadonlySet<string> = new Set(['break', 'gap', 'negator', 'place', 'excluded', 'refusal'])

/** Those who make or sell something: "fabricants de pompes", "tiendas de ropa". */
const GENERIC: ReadonlySet<string | undefined> = new Set(['manufacturing', 'retail'])

function makesOthers(chunks: readonly Chunk[], at: number): boolean {
  const [of, ...behind] = chunks.slice(at + 1, at + 4)
  const made = (behind[0]?.small ? behind[1] : behind[0])?.entry?.industry
  return of?.kind === 'word' && MADE_OF.has(of.word) && made !== undefined && made !== chunks[at]!.entry!.industry
}

/** "lingerie shops", "tiendas de zapatos": those who sell it. */
const isSold = (chunks: readonly Chunk[], at: number, generic: number): boolean =>
  SHOP_NOUNS.has(chunks[at + 1]?.word ?? '') || (at - generic < 4 && chunks[generic]!.entry!.industry === 'retail')
const SHOPS = wordMap('things-grammar.txt', 'sold in', value => value)
const SHOP_NOUNS = new Set('shop shops store stores'.split(' '))

/** "medical device manufacturing": what is made is right before. */
function isMade(chunks: readonly Chunk[], at: number, mentions: readonly Mention[]): boolean {
  const made = mentions.at(-1)
  return made?.kind === 'industry' && made.last === at - 1 && chunks[at]!.word !== made.value
}
const MADE_OF = new Set('of de d di von da do en para pour for'.split(' '))

const servesOthers = (chunks: readonly Chunk[], at: number, mentions: readonly Mention[]): boolean => {
  const last = mentions.at(-1)
  return chunks[at - 1]?.word === 'for' && last?.kind === 'industry' && last.last === at - 2 && ['saas', 'software'].includes(last.value)
}

/** "Verpackungsunternehmen", "Biotechfirmen", "Agenturinhaber": the first part names the industry. */
function readCompoundIndustry(chunks: readonly Chunk[], at: number, mentions: Mention[]): boolean {
  const found = compoundIndustry(chunks[at]!.word)
  if (!found) return false
  const { industry, ending } = found
  mentions.push({ kind: 'industry', value: industry, first: at, last: at })
  if (/^(?:inhaber|besitzer|eigenaa?r|agare|eje|eie|in[dn]ehaver)/.test(ending))
    mentions.push({ kind: 'level', value: 'owner', levelTitle: 'owner', first: at, last: at })
  if (/^(?:grund|oprichter|stifter)/.test(ending))
    mentions.push({ kind: 'level', value: 'founder', levelTitle: 'founder', first: at, last: at })
  if (ending.startsWith('startup')) mentions.push({ kind: 'size', value: 'small', first: at, last: at })
  chunks[at]!.used = true
  return true
}

/** "public semiconductor companies"; "public transport companies" serve the public. */
function isListed(chunks: readonly Chunk[], at: number): boolean {
  const [trade, noun] = chunks.slice(at + 1, at + 3)
  const namesTrade = trade?.kind === 'word' && trade.entry?.industry !== undefined && !FOR_EVERYBODY.has(trade.word.split(' ')[0]!)
  return chunks[at]!.word === 'public' && namesTrade && (LISTED_NOUNS.has(noun?.word ?? '') || / compan(?:y|ies)$/.test(trade.word))
}
const LISTED_NOUNS = new Set('company companies cos corporation corporations'.split(' '))
const FOR_EVERYBODY = wordSet('things-grammar.txt', 'for everybody')
