import { IS, RELATIVES, USERS } from '../lists.ts'
import type { Chunk, Mention } from '../model.ts'
import { isListed } from '../stages.ts'
import { wordSet } from '../words.ts'
import { amongRivals, namesEmployer } from './employers.ts'
import { SAYS_USING } from './name-openers.ts'
import { compoundIndustry } from './other-roles.ts'
import { isSeparator } from './titles.ts'
import { isHead, isPaidFor } from './topics.ts'

/** Industries, technologies, companies, sizes, stages and keywords. */

const USING = wordSet('things-grammar.txt', 'using')
const TECH_AFTER = wordSet('things-grammar.txt', 'tech after')
const SIZES_BESIDE = wordSet('things-grammar.txt', 'sizes beside nouns')
const LACKING = wordSet('things-grammar.txt', 'lacking')
const EMPLOYING = wordSet('things-grammar.txt', 'employing makers')

export function readThings(chunks: readonly Chunk[], people: readonly Mention[], sliceOf: (chunk: Chunk) => string): Mention[] {
  const mentions: Mention[] = []
  const push = (kind: Mention['kind'], value: string, at: number, more: Partial<Mention> = {}) => {
    mentions.push({ kind, value, ...more, first: at, last: at })
    chunks[at]!.used = true
    return true
  }
  const pushTechnology = (value: string, at: number, bare = false) => {
    push('technology', value, at, bare ? { bare } : {})
    const users = chunks[at + 1]
    if (users?.kind === 'word' && USERS.has(users.word) && !users.entry) users.used = true
  }
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
    else if (entry?.stage && stageFits(chunks, at)) push('stage', entry.stage, at)
    else if (entry?.keyword) {
      push('keyword', entry.keyword, at)
      if (entry.narrower && entry.industry) push('industry', entry.industry, at, { wider: true })
    } else if (entry?.size && sizeFits(chunks, at)) push('size', entry.size, at)
    // "fábricas de calzado": makers of something are of the industry of what they make.
    else if (entry?.industry === 'manufacturing' && (makesOthers(chunks, at) || isMade(chunks, at, mentions))) chunk.used = true
    // "logistics tech startups", "executive search boutiques" are of that industry.
    else if (entry?.industry && /^(?:tech|boutiques?|contractors?)$/.test(chunk.word) && isMade(chunks, at, mentions)) chunk.used = true
    else if (entry?.industry && isPaidFor(chunks, at)) chunk.used = true
    // "vertical SaaS for restaurants": whom a product is for is not who is asked.
    else if (entry?.industry && servesOthers(chunks, at, mentions)) chunk.used = true
    else if (entry?.industry && (industryFits(chunks, at) || listsIndustries(chunks, at, mentions))) {
      if (!chunk.refused && isMade(chunks, at, mentions) && isHead(chunks.slice(at - 1, at + 2))) chunks[mentions.pop()!.last]!.used = false
      push('industry', entry.industry, at)
      // Those who make food and those who make drinks are two industries.
      if (/^food (?:\S+ )?beverages?\b/.test(chunk.word)) push('industry', 'beverages', at)
    } else if (chunk.unknown && readCompoundIndustry(chunks, at, mentions)) continue
    // "Tools: Gainsight, Intercom": under its label a name that nobody has listed yet is a technology as well.
    else if (chunk.unknown && chunk.label === 'technology' && chunk.capital && /^[a-z0-9]{2,40}$/.test(chunk.word))
      push('technology', chunk.word, at)
    // "They must use Yardi or AppFolio": what is used is a product, listed or not.
    else if (
      chunk.unknown &&
      /^[a-z0-9]{3,40}$/.test(chunk.word) &&
      (chunk.capital ? isUsed(chunks, at, mentions) : isBesideProduct(chunks, at))
    )
      pushTechnology(chunk.word, at)
  }
  keepMakers(chunks, mentions)
  return mentions
}

/**
 * "leave out GitHub and GitLab" may be employers; "Mailchimp", and what is listed with it, are what companies use, and so is what they
 * are said to lack ("no SAP, no Oracle") or what a noun follows ("SAP experience").
 */
function keepMakers(chunks: readonly Chunk[], mentions: readonly Mention[]): void {
  let list: Mention[] = []
  const bare = mentions.filter(mention => mention.bare)
  for (const [index, mention] of bare.entries()) {
    list.push(mention)
    const next = bare[index + 1]
    if (next && chunks.slice(mention.last + 1, next.first).every(chunk => isSeparator(chunk) || chunk.kind === 'negator')) continue
    const { kind, small, peopleNoun, companyNoun } = chunks[mention.last + 1] ?? {}
    const isLacked = LACKING.has(chunks[list[0]!.first - 1]?.word ?? '') || (kind === 'word' && !(small || peopleNoun || companyNoun))
    if (isLacked || !list.every(({ value }) => EMPLOYING.has(value))) for (const each of list) each.bare = false
    list = []
  }
}

/** "L'Oréal's local entity" is L'Oréal; Lloyd's is Lloyd's. */
const ownerOf = (name: string, next: Chunk | undefined): string =>
  next?.kind === 'word' && !next.small ? name.replace(/['’]s$/, '') : name

const USE = wordSet('things-grammar.txt', 'use')

function isUsed(chunks: readonly Chunk[], at: number, mentions: readonly Mention[]): boolean {
  const before = chunks[at - 1]
  if (before?.kind === 'word' && USE.has(before.word)) return true
  // "and run ConnectWise", but "who run TikTok campaigns"
  if (/^(?:run|runs|running)$/.test(before?.word ?? '') && (chunks[at + 1]?.kind !== 'word' || chunks[at + 1]!.small)) return true
  if (before?.kind === 'negator' && SAYS_USING.test(before.word) && chunks[at + 1]?.kind !== 'word') return true
  // "VTEX users"
  if (['users', 'user', 'shops'].includes(chunks[at + 1]?.word ?? '')) return true
  const last = mentions.at(-1)
  return (before?.kind === 'conjunction' || before?.kind === 'list') && last?.kind === 'technology' && last.last === at - 2
}

/** "saas, gainsight or zendesk": what stands for itself and is joined to a product is one. */
function isBesideProduct(chunks: readonly Chunk[], at: number): boolean {
  const isEdge = (chunk: Chunk | undefined) => chunk === undefined || chunk.kind === 'comma' || chunk.kind === 'break'
  return [-1, 1].some(step => {
    const other = chunks[at + 2 * step]
    const joins = chunks[at + step]?.kind === 'conjunction' || chunks[at + step]?.word === '/'
    const known = other?.kind === 'word' && other.entry?.technology && !other.entry.weakTechnology && !other.entry.industry
    return joins && known && isEdge(chunks[at - step]) && isEdge(chunks[at + 3 * step])
  })
}

/** Whether a word of the vocabulary is a product here, and whether the text says that somebody uses it. */
function technologyFits(
  chunks: readonly Chunk[],
  at: number,
  people: readonly Mention[],
  mentions: readonly Mention[],
): 'used' | 'bare' | undefined {
  const { entry, label } = chunks[at]!
  const employer = namesEmployer(chunks, at)
  const using = !employer && saysUsing(chunks, at, mentions)
  const users = chunks[at + 1]?.kind === 'word' && USERS.has(chunks[at + 1]!.word)
  if (users || label === 'technology') return 'used'
  const before = chunks[at - 1]
  if (!using && before?.kind === 'word' && TECH_AFTER.has(before.word) && people.some(mention => mention.last < at)) return undefined
  if (!using && (employer || inCompanyList(chunks, at) || amongRivals(chunks, at))) return undefined
  // "Workday or SAP": beside another one an everyday word is a product.
  const beside = chunks[at]!.capital && [-1, 1].some(step => isSeparator(chunks[at + step]) && chunks[at + 2 * step]?.entry?.technology)
  if (entry!.weakTechnology && !beside && !(using && !isVague(chunks, at))) return undefined
  // "companies that haven't adopted Salesforce": what is said of companies is what they do with it.
  const told = chunks.slice(Math.max(0, at - 4), at).some(chunk => chunk.kind === 'word' && RELATIVES.has(chunk.word))
  if (!using) return entry!.industry ? undefined : told ? 'used' : 'bare'
  const last = mentions.at(-1)
  return last?.bare && at - last.last <= 3 ? 'bare' : 'used'
}

/** "on Monday", "with slack": too little to make an everyday word a product. */
function isVague(chunks: readonly Chunk[], at: number): boolean {
  const before = chunks[at - 1]
  if (before?.kind !== 'word') return false
  const loose = ['with', 'mit', 'con'].includes(before.word) || (before.word === 'on' && chunks[at]!.word === 'monday')
  return loose && !(chunks[at]!.capital && before.word !== 'on')
}

function saysUsing(chunks: readonly Chunk[], at: number, mentions: readonly Mention[]): boolean {
  // "users of Notion", "Kunden von Shopify".
  if (['of', 'von', 'de'].includes(chunks[at - 1]?.word ?? '') && USERS.has(chunks[at - 2]?.word ?? '')) return true
  for (let position = at - 1, hops = 0; position >= 0 && hops < 4; hops++, position--) {
    const chunk = chunks[position]!
    if (isSeparator(chunk)) {
      // A list of technologies goes on.
      if (mentions.at(-1)?.kind === 'technology' && mentions.at(-1)!.last === position - 1) return true
      continue
    }
    if (chunk.kind === 'negator' && /(?:use|using|on|usan|usen|don t|doesn t)$/.test(chunk.word)) return true
    if (chunk.kind === 'negator') {
      // "SAP but not Salesforce"
      if (mentions.at(-1)?.kind === 'technology' && position - mentions.at(-1)!.last <= 2) return true
      continue
    }
    if (chunk.kind !== 'word') return false
    if (USING.has(chunk.word)) return true
    if (!chunk.small && !chunk.idle && !chunk.entry?.technology) return false
  }
  return false
}

/** "at Snowflake, Databricks or MongoDB": later members of a list of employers. */
function inCompanyList(chunks: readonly Chunk[], at: number): boolean {
  let separators = 0
  for (let position = at - 1; position >= 0 && at - position < 16; position--) {
    const chunk = chunks[position]!
    if (isSeparator(chunk)) separators++
    else if (chunk.kind === 'name') continue
    else if ((chunk.kind === 'word' && TECH_AFTER.has(chunk.word)) || (chunk.kind === 'negator' && namesEmployer(chunks, position + 1)))
      return separators > 0
    else if (chunk.kind !== 'word' || chunk.small || (chunk.entry && !chunk.entry.technology)) return false
  }
  return false
}

function stageFits(chunks: readonly Chunk[], at: number): boolean {
  const { entry, word } = chunks[at]!
  const before = chunks[at - 1]
  // "that are public", "not public": alone the word says little.
  if (entry!.weakStage)
    return (
      before?.kind === 'negator' ||
      isListed(chunks, at) ||
      // "angel or pre-seed funded": beside another stage it is one.
      [-1, 1].some(step => isSeparator(chunks[at + step]) && chunks[at + 2 * step]?.entry?.stage) ||
      (before?.kind === 'word' && (IS.has(before.word) || ['went', 'gone', 'be', 'been'].includes(before.word)))
    )
  return !(word === 'listed' && before?.kind === 'word' && ['as', 'below', 'above'].includes(before.word))
}

const NEEDS_COMPANY = new Set(['small', 'large', 'micro', 'corporate', 'corporates', 'medium size', 'large enterprise', 'mid tier'])

/** Adjectives of size need a company behind them: "small teams" yes, "small talk" no. */
function sizeFits(chunks: readonly Chunk[], at: number): boolean {
  const { word, label } = chunks[at]!
  const namesCompanies = (other: Chunk | undefined) =>
    other?.kind === 'word' && (other.companyNoun || (other.entry?.industry !== undefined && !other.entry.weakIndustry))
  // "constructoras grandes", "grandes constructoras": Spanish and French have it on either side of the noun.
  if (SIZES_BESIDE.has(word)) return namesCompanies(chunks[at - 1]) || namesCompanies(chunks[at + 1])
  if (word === 'enterprise') {
    const next = chunks[at + 1]
    if (next?.kind === 'word' && (next.role || next.entry?.title || next.entry?.industry === 'software')) return false
    return chunks[at - 1]?.kind !== 'word' || !chunks[at - 1]!.entry?.function
  }
  if (!NEEDS_COMPANY.has(word) || label === 'employees') return true
  let position = at + 1
  while (
    position < at + 3 &&
    chunks[position]?.kind === 'word' &&
    (chunks[position]!.small || chunks[position]!.idle || chunks[position]!.unknown) &&
    !USING.has(chunks[position]!.word)
  )
    position++
  const noun = chunks[position]
  return noun?.kind === 'word' && (noun.companyNoun || noun.entry?.industry !== undefined || noun.entry?.keyword !== undefined)
}

/** Words that name a department unless a company is spoken of: "design" alone is no industry, "design firms" are. */
const DEPARTMENT_WORDS = new Set('it data legal events design payroll'.split(' '))
const MAKERS = new Set('manufacturer manufacturers hersteller fabricants fabricantes producers makers'.split(' '))
const INDUSTRY_WORDS = new Set('industry industries industrie industria branche'.split(' '))
const SECTOR_OPENERS = new Set('at in for of bei chez secteur sector del de branche'.split(' '))

function industryFits(chunks: readonly Chunk[], at: number): boolean {
  const { entry, word, label, companyNoun } = chunks[at]!
  const next = chunks[at + 1]
  const before = chunks[at - 1]
  if (label === 'industry') return true
  if (label === 'title' || label === 'technology') return false
  // "the industry", "their business": nouns for companies in general are no industry.
  if (companyNoun && entry!.weakIndustry) return false
  if (INDUSTRY_WORDS.has(word))
    return word === 'industrie' && before?.kind === 'word' && before.small && ['in', 'der', 'l', 'la', 'the'].includes(before.word)
  if (MAKERS.has(word) && before?.kind === 'word' && (before.unknown || (before.entry?.industry && before.used))) return false
  if (!entry!.weakIndustry) return !(entry!.function && DEPARTMENT_WORDS.has(word) && !next?.companyNoun)
  const isEdge = (chunk: Chunk | undefined) => chunk === undefined || chunk.kind === 'break' || chunk.kind === 'gap' || isSeparator(chunk)
  if (next?.kind === 'word' && next.companyNoun) return true
  if ((isEdge(before) || before?.kind === 'negator') && isEdge(next)) return true
  return before?.kind === 'word' && SECTOR_OPENERS.has(before.word) && (isEdge(next) || next?.kind === 'place' || next?.small === true)
}

function makesOthers(chunks: readonly Chunk[], at: number): boolean {
  const [of, made] = chunks.slice(at + 1, at + 3)
  return (
    of?.kind === 'word' &&
    MADE_OF.has(of.word) &&
    made?.kind === 'word' &&
    made.entry?.industry !== undefined &&
    made.entry.industry !== 'manufacturing'
  )
}
/** "medical device manufacturing": what is made stands right before. */
function isMade(chunks: readonly Chunk[], at: number, mentions: readonly Mention[]): boolean {
  const made = mentions.at(-1)
  return made?.kind === 'industry' && made.last === at - 1 && chunks[at]!.word !== made.value
}
const MADE_OF = new Set('of de d di von da do para pour for'.split(' '))

const servesOthers = (chunks: readonly Chunk[], at: number, mentions: readonly Mention[]): boolean => {
  const last = mentions.at(-1)
  return chunks[at - 1]?.word === 'for' && last?.kind === 'industry' && last.last === at - 2 && ['saas', 'software'].includes(last.value)
}

/** "la plomberie et l'électricité": what is joined to an industry is one. */
function listsIndustries(chunks: readonly Chunk[], at: number, mentions: readonly Mention[]): boolean {
  let back = at - 1
  while (back >= 0 && at - back < 3 && chunks[back]!.kind === 'word' && chunks[back]!.small) back--
  const last = mentions.at(-1)
  return (
    chunks[at]!.entry!.weakIndustry === true && chunks[back]?.kind === 'conjunction' && last?.kind === 'industry' && last.last === back - 1
  )
}

/** "Verpackungsunternehmen", "Biotechfirmen", "Agenturinhaber": the first part names the industry. */
function readCompoundIndustry(chunks: readonly Chunk[], at: number, mentions: Mention[]): boolean {
  const found = compoundIndustry(chunks[at]!.word)
  if (!found) return false
  const { industry, ending } = found
  mentions.push({ kind: 'industry', value: industry, first: at, last: at })
  if (/^(?:inhaber|besitzer)/.test(ending)) mentions.push({ kind: 'level', value: 'owner', levelTitle: 'owner', first: at, last: at })
  if (ending.startsWith('grunder')) mentions.push({ kind: 'level', value: 'founder', levelTitle: 'founder', first: at, last: at })
  if (ending.startsWith('startup')) mentions.push({ kind: 'size', value: 'small', first: at, last: at })
  chunks[at]!.used = true
  return true
}
