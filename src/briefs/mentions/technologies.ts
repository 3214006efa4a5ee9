import { RELATIVES, USERS } from '../lists.ts'
import type { Chunk, Mention } from '../model.ts'
import { wordSet } from '../words.ts'
import { amongRivals, namesEmployer } from './employers.ts'
import { SAYS_USING } from './name-openers.ts'
import { isSeparator } from './titles.ts'

/** Whether a name is a product that companies use, or an employer. */

const USING = wordSet('things-grammar.txt', 'using')
const TECH_AFTER = wordSet('things-grammar.txt', 'tech after')
const LACKING = wordSet('things-grammar.txt', 'lacking')
const EMPLOYING = wordSet('things-grammar.txt', 'employing makers')

/**
 * "leave out GitHub and GitLab" may be employers; "Mailchimp", and what is listed with it, are what companies use, and so is what they
 * are said to lack ("no SAP, no Oracle") or what a noun follows ("SAP experience").
 */
export function keepMakers(chunks: readonly Chunk[], mentions: readonly Mention[]): void {
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

const USE = wordSet('things-grammar.txt', 'use')

export function isUsed(chunks: readonly Chunk[], at: number, mentions: readonly Mention[]): boolean {
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
export function isBesideProduct(chunks: readonly Chunk[], at: number): boolean {
  const isEdge = (chunk: Chunk | undefined) => chunk === undefined || chunk.kind === 'comma' || chunk.kind === 'break'
  return [-1, 1].some(step => {
    const other = chunks[at + 2 * step]
    const joins = chunks[at + step]?.kind === 'conjunction' || chunks[at + step]?.word === '/'
    const known = other?.kind === 'word' && other.entry?.technology && !other.entry.weakTechnology && !other.entry.industry
    return joins && known && isEdge(chunks[at - step]) && isEdge(chunks[at + 3 * step])
  })
}

/** Whether a word of the vocabulary is a product here, and whether the text says that somebody uses it. */
export function technologyFits(
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

const USED_BEHIND = wordSet('things-grammar.txt', 'used behind')
export const isUse = (word: string): boolean => USING.has(word) || USED_BEHIND.has(word) || USERS.has(word)

/** With a negation nearby nobody knows what a verb of use refuses: "die SAP nicht nutzen", "keine Firmen, die SAP nutzen". */
function isDenied(chunks: readonly Chunk[], at: number): boolean {
  const before = chunks.slice(Math.max(0, at - 6), at)
  const behind = chunks.slice(at + 1, at + 5)
  const end = behind.findIndex(({ kind }) => kind === 'comma' || kind === 'break')
  const near = [...before.slice(before.findLastIndex(({ kind }) => kind === 'break') + 1), ...behind.slice(0, end < 0 ? 4 : end)]
  return near.some(({ kind }) => kind === 'negator')
}

/** The words that say that a product is used are read with it. */
export function markUse(chunks: readonly Chunk[], at: number): void {
  const users = chunks[at + 1]
  if (users?.kind === 'word' && USERS.has(users.word) && !users.entry) users.used = true
  if (isDenied(chunks, at)) return
  for (const chunk of [...chunks.slice(Math.max(0, at - 4), at), ...chunks.slice(at + 1, at + 4)])
    if (chunk.kind === 'word' && isUse(chunk.word) && !chunk.entry) chunk.used = true
}

/** "die SAP oder Oracle nutzen", "Personio im Einsatz" */
function isUsedBehind(chunks: readonly Chunk[], at: number): boolean {
  if (isDenied(chunks, at)) return false
  let behind = at + 1
  while (behind < at + 6 && (isSeparator(chunks[behind]) || chunks[behind]?.entry?.technology || chunks[behind]?.small)) behind++
  return USED_BEHIND.has(chunks[behind]?.word ?? '') && chunks.slice(at + 1, behind).every(({ kind }) => kind !== 'comma')
}

function saysUsing(chunks: readonly Chunk[], at: number, mentions: readonly Mention[]): boolean {
  if (isUsedBehind(chunks, at)) return true
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
