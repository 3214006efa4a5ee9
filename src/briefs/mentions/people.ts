import type { Chunk, Mention } from '../model.ts'
import { readEntries, wordSet } from '../words.ts'
import { readDepartmentPeople, readLevel } from './departments.ts'
import { entryOf, entryOfWord } from './lexicon.ts'
import {
  afterSeparators,
  englishWords,
  fill,
  functionName,
  isFunction,
  isSeparator,
  LEVEL_FORMS,
  LONGEST_LIST,
  markUsed,
  modifiersBefore,
  producesGoods,
  pushTitle,
  RANKS,
  ranksBefore,
  sharedBefore,
} from './titles.ts'

/** Titles, levels and departments: who is asked for. Chunks that were read are marked used. */
export function readPeople(chunks: readonly Chunk[]): Mention[] {
  const mentions: Mention[] = []
  let at = 0
  while (at < chunks.length) {
    const next =
      readWordsInTitle(chunks, at, mentions) ??
      readOpeningTitle(chunks, at, mentions) ??
      readRoleTitle(chunks, at, mentions) ??
      readDepartmentPeople(chunks, at, mentions) ??
      readCompound(chunks, at, mentions)
    at = next ?? at + 1
  }
  if (mentions.length === 0) readUnknownRole(chunks, mentions)
  return mentions.filter(mention => !isExplained(chunks, mentions, mention))
}

/** "CIO (chief investment officer)", "growth people (head of growth, growth lead)": the bracket says what was meant. */
function isExplained(chunks: readonly Chunk[], mentions: readonly Mention[], mention: Mention): boolean {
  if (mention.kind === 'level') return false
  let open = mention.last + 1
  if (chunks[open]?.peopleNoun) open++
  if (chunks[open]?.word !== '(') return false
  const titles = mentions.filter(other => other.kind === 'title' && other.first > open)
  const first = titles[0]
  if (first?.first !== open + 1) return false
  const close = chunks.findIndex((chunk, at) => at > open && chunk.word === ')')
  return close < 0 || chunks.slice(open + 1, close).every(chunk => chunk.used || isSeparator(chunk) || chunk.small)
}

/** "anyone with RevOps or GTM ops in their title": the words themselves are the titles. */
function readWordsInTitle(chunks: readonly Chunk[], at: number, mentions: Mention[]): number | undefined {
  if (!['with', 'having', 'containing', 'mit'].includes(chunks[at]!.word)) return undefined
  let end = at + 1
  while (end < chunks.length && end < at + 10 && !(chunks[end]!.word === 'in' || chunks[end]!.word === 'im')) end++
  const noun = chunks.findIndex(
    (chunk, position) => position > end && position <= end + 3 && /^(?:job )?tit(?:le|les|el)$/.test(chunk.word),
  )
  if (noun < 0 || end === at + 1) return undefined
  let words: string[] = []
  let first = at + 1
  for (let position = at + 1; position <= end; position++) {
    const chunk = chunks[position]!
    if (position < end && !isSeparator(chunk)) {
      if (chunk.kind === 'word' && !chunk.small) words.push(englishWords(chunk.word))
      continue
    }
    pushTitle(mentions, words.join(' '), first, position - 1)
    words = []
    first = position + 1
  }
  markUsed(chunks, at, noun)
  return noun + 1
}

const OF_WORDS = wordSet('titles-grammar.txt', 'of')
const ENGLISH_OPENINGS = wordSet('titles-grammar.txt', 'english openings')
const isEnglishOpening = (word: string): boolean => ENGLISH_OPENINGS.has(word.replace(/(?: of| for| the)+$/, ''))

interface FunctionList {
  names: string[]
  /** The first chunk after the list. */
  next: number
}

const skipOf = (chunks: readonly Chunk[], from: number, most: number): number => {
  let at = from
  while (at < from + most && chunks[at]?.kind === 'word' && OF_WORDS.has(chunks[at]!.word) && !isFunction(chunks[at])) at++
  return at
}

/** After "head of" or "directeur": one or more functions. */
function readFunctions(chunks: readonly Chunk[], from: number, english: boolean, open: boolean): FunctionList | undefined {
  const first = readOneFunction(chunks, skipOf(chunks, from, 3), english, open)
  if (!first) return undefined
  const names = [first.name]
  let at = first.next
  while (names.length < LONGEST_LIST && isSeparator(chunks[at])) {
    const isComma = chunks[at]!.kind === 'comma'
    const step = skipOf(chunks, chunks[at + 1]?.kind === 'conjunction' ? at + 2 : at + 1, 3)
    const another = readOneFunction(chunks, step, english, false)
    const after = another && chunks[another.next]
    // "head of sales, marketing managers": the second function belongs to the next title.
    if (!another || after?.role || after?.companyNoun || after?.peopleNoun) break
    const entry = chunks[step]!.entry
    const closes = after?.kind === 'conjunction' || (after?.kind === 'comma' && chunks[another.next + 1]?.kind === 'conjunction')
    if (isComma && (entry?.industry || entry?.technology) && !closes) break
    names.push(another.name)
    at = another.next
  }
  return { names, next: at }
}

/** "hospitals", "care homes": a plural whose singular is as common. "logistics", "textiles" and their like are trades. */
function namesCompanies({ word, entry }: Chunk): boolean {
  if (!word.endsWith('s') || word.length < 5 || TRADES.test(word)) return false
  return entryOf(word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.slice(0, -1))?.industry === entry!.industry
}
const TRADES =
  /(?:ics|sports|textiles|metals|chemicals|games|services|utilities|goods|foods|media|beverages|sales|events|payments|products)$/

function readOneFunction(
  chunks: readonly Chunk[],
  at: number,
  english: boolean,
  open: boolean,
): { name: string; next: number } | undefined {
  const parts: string[] = []
  let next = at
  while (next < chunks.length && parts.length < 4) {
    const chunk = chunks[next]!
    if (chunk.kind !== 'word' || chunk.used || chunk.small) break
    const part = functionPart(chunks, next, english, open, parts.length)
    if (part === undefined) break
    parts.push(part)
    next++
    // A second function right behind the first is one name ("product marketing") in English only.
    if (!english) break
  }
  return parts.length === 0 ? undefined : { name: parts.join(' '), next }
}

/** "head of brand", "heads of platform": after an English opening the noun is what is headed, whatever else it means. */
function functionPart(chunks: readonly Chunk[], at: number, english: boolean, open: boolean, position: number): string | undefined {
  const chunk = chunks[at]!
  const after = chunks[at + 1]
  if (chunk.companyNoun || (chunk.peopleNoun && !isFunction(chunk))) {
    const headed = open && english && position === 0 && !chunk.word.endsWith('s') && !after?.companyNoun
    return headed && (isFunction(chunk) || isFunction(after) || endsPhrase(after)) ? englishWords(chunk.word) : undefined
  }
  if (isFunction(chunk)) return functionName(chunk, english)
  if (open && chunk.entry?.industry && position === 0) {
    // "directors of care homes": companies have directors; a line of business ("director of retail") is a title.
    const speaksOfCompanies = after?.kind === 'word' && !after.used && (after.companyNoun || (after.unknown && after.word.endsWith('s')))
    return speaksOfCompanies || namesCompanies(chunk) ? undefined : chunk.word
  }
  if ((open || position > 0) && chunk.unknown && english) return englishWords(chunk.word)
  return open && english && RANKS.has(chunk.word) ? chunk.word : undefined
}

const endsPhrase = (chunk: Chunk | undefined): boolean => chunk === undefined || chunk.kind !== 'word' || chunk.small

/** "VP, Director, Head or Lead of Sales": more ranks than this for one function nobody lists. */
const MOST_OPENINGS = 6

function opensTitle(chunk: Chunk | undefined): boolean {
  if (chunk?.kind !== 'word' || chunk.used || !chunk.entry) return false
  return chunk.entry.opening !== undefined || LEVEL_FORMS[chunk.entry.level ?? ''] !== undefined
}

/** "Head of X", "VP X", "Directeur X", and lists of such openings: "VP or Head of Engineering". */
function readOpeningTitle(chunks: readonly Chunk[], at: number, mentions: Mention[]): number | undefined {
  if (!opensTitle(chunks[at])) return undefined
  const openings = [at]
  for (;;) {
    const last = openings.at(-1)!
    const step = afterSeparators(chunks, last + 1)
    if (step === last + 1 || openings.length === MOST_OPENINGS || !opensTitle(chunks[step])) break
    openings.push(step)
  }
  const last = openings.at(-1)!
  const { word, entry } = chunks[last]!
  const english = isEnglishOpening(word)
  const open = / (?:of|for|de|del|du|des)$/.test(word)
  // "marketing managers for pet brands": the title is complete before the preposition.
  if (/ for$/.test(word) && isFunction(chunks[at - 1])) return undefined
  const list = readFunctions(chunks, last + 1, english, open && english) ?? lineOfBusiness(chunks, last)
  if (!list) return undefined
  const following = chunks[list.next]
  // "directors marketing" is not English; but "VP marketing" is, and so are "directeur marketing" and "Leiter Einkauf".
  const twoNouns = following?.role && following.kind === 'word' && !following.used && entry!.level && !open && !/^v|^s?e?vp/.test(word)
  if (!entry!.opening || twoNouns) return undefined
  if (entry!.opening === 'chief % officer') {
    if (following?.role !== 'officer') return undefined
    for (const name of list.names) pushTitle(mentions, `chief ${name} officer`, at, list.next)
    markUsed(chunks, at, list.next)
    return list.next + 1
  }
  if (english && !open && /^(?:directors?|managers?|heads?)$/.test(word)) return undefined
  for (const opening of openings) {
    const form = chunks[opening]!.entry!.opening ?? LEVEL_FORMS[chunks[opening]!.entry!.level ?? '']
    if (form) for (const name of list.names) pushTitle(mentions, fill(form, name), at, list.next - 1)
  }
  markUsed(chunks, at, list.next - 1)
  return list.next
}

/** "VP Retail": a line of business right behind the rank, with nothing after it. */
function lineOfBusiness(chunks: readonly Chunk[], at: number): FunctionList | undefined {
  const chunk = chunks[at + 1]
  if (!/^(?:s|e|a)?vp$/.test(chunks[at]!.word) || chunk?.kind !== 'word' || chunk.used || !chunk.entry?.industry || !chunk.capital)
    return undefined
  const after = chunks[at + 2]
  return after === undefined || ['comma', 'break', 'conjunction'].includes(after.kind) ? { names: [chunk.word], next: at + 2 } : undefined
}

/** Levels that keep their meaning with a word in front: "marketing leaders", "tech founders". */
const GROUP_LEVELS = new Set(['leaders', 'executives', 'deciders', 'c_suite', 'senior', 'entry', 'intern', 'founder', 'owner'])

/** A noun of role with what stands in front of it: "warehouse managers", "React developers", "founders". */
function readRoleTitle(chunks: readonly Chunk[], at: number, mentions: Mention[]): number | undefined {
  const chunk = chunks[at]!
  if (chunk.kind !== 'word' || chunk.used) return undefined
  const { entry } = chunk
  const opened = readBehindFunction(chunks, at, mentions)
  if (opened !== undefined) return opened
  const named = entry?.title !== undefined && !entry.weakTitle
  if (!(named || entry?.level || chunk.role) || describesThings(chunks, at)) return undefined
  // "ab Abteilungsleiter", "department heads and above": a rank from which the ranks count, not a title.
  if (entry?.level && reachesUp(chunks, at))
    return readLevel(chunks, at, { words: [], from: at, functional: false, departments: [] }, mentions)
  if (chunk.word === 'lead' && chunks[at + 1]?.role) return undefined
  if (producesGoods(chunks, at)) return undefined
  // "50+ developers" measures a company; "50 developers" may be what is wanted.
  if (chunks[at - 1]?.bound) return undefined
  // A modifier of a longer title that follows ("executive chef", "partner manager") is not a role of its own.
  if (modifiesNext(chunks, at)) return undefined
  if (named && !chunk.role) {
    const ranks = ranksBefore(chunks, at)
    pushTitle(mentions, [...ranks.words, entry.title].join(' '), ranks.from, at)
    markUsed(chunks, ranks.from, at)
    return at + 1
  }
  const before = modifiersBefore(chunks, at)
  if (entry?.level && (before.words.length === 0 || GROUP_LEVELS.has(entry.level))) return readLevel(chunks, at, before, mentions)
  if (before.words.length === 0 && !named) {
    if (isBareRole(chunks, at)) {
      pushTitle(mentions, chunk.role!, at, at)
      chunk.used = true
      return at + 1
    }
    if (chunk.role !== 'marketer') return undefined
    mentions.push({ kind: 'department', value: 'marketing', department: 'marketing', first: at, last: at })
    chunk.used = true
    return at + 1
  }
  const noun = named ? entry.title! : (chunk.role ?? '')
  // "leads" without a function are the people wanted, not a role.
  if ((noun === 'lead' && !before.functional) || noun === 'operator' || noun === 'worker') return undefined
  const tool = chunks[before.from]
  const sharesTool = before.from < at && tool?.entry?.technology !== undefined && !tool.entry.function
  const shared = sharedBefore(chunks, before.from, sharesTool ? before.words.slice(1).join(' ') : undefined)
  // "HR, finance and legal directors": only the last word is shared, also where "legal director" is a title of its own.
  const several = entry?.title !== undefined && chunk.word.includes(' ')
  const sharedNoun = several && !sharesTool ? (chunk.role ?? noun) : noun
  for (const other of shared.names) pushTitle(mentions, `${other} ${sharedNoun}`, shared.from, at)
  pushTitle(mentions, `${before.words.join(' ')} ${noun}`, before.from, at)
  markUsed(chunks, shared.from, at)
  const qualifier = several ? chunk.word.slice(0, chunk.word.lastIndexOf(' ')) : before.words.join(' ')
  return shareQualifier(chunks, at, qualifier, before.functional || several, mentions)
}

/** "superintendents & principals": a plural role noun with nothing said of it, where a list or the wish begins. */
function isBareRole(chunks: readonly Chunk[], at: number): boolean {
  const { word, role, companyNoun, peopleNoun, label, entry } = chunks[at]!
  if (!role || entry?.industry || companyNoun || peopleNoun || VAGUE_ROLES.has(role) || (!word.endsWith('s') && label !== 'title'))
    return false
  const next = chunks[at + 1]
  const before = chunks[at - 1]
  const opens = before === undefined || before.kind !== 'word' || before.small
  return opens && (next === undefined || next.kind !== 'word' || next.small)
}
const VAGUE_ROLES = new Set(
  'lead officer associate expert master operator worker leader marketer agent member user partner player producer maker chief buyer rep representative dev executive'.split(
    ' ',
  ),
)

/** Openings that stand behind their function, or that no function follows: "IT-Leiter", "marketing managers for", "directores de empresas". */
function readBehindFunction(chunks: readonly Chunk[], at: number, mentions: Mention[]): number | undefined {
  const chunk = chunks[at]!
  const { entry } = chunk
  if (!entry?.opening) return undefined
  if (!entry.level && / for$/.test(chunk.word) && isFunction(chunks[at - 1])) {
    const before = modifiersBefore(chunks, at)
    const noun = chunk.word.split(' ')[0]!.replace(/s$/, '')
    const shared = sharedBefore(chunks, before.from)
    for (const other of shared.names) pushTitle(mentions, `${other} ${noun}`, shared.from, at)
    pushTitle(mentions, `${before.words.join(' ')} ${noun}`, before.from, at)
    markUsed(chunks, shared.from, at)
    return at + 1
  }
  if (!entry.level && chunk.word.includes(' ')) {
    const bare = entryOfWord(chunk.word.split(' ')[0]!)
    if (bare?.level && LEVEL_FORMS[bare.level]) {
      mentions.push({ kind: 'level', value: bare.level, ...(bare.levelTitle ? { levelTitle: bare.levelTitle } : {}), first: at, last: at })
      chunk.used = true
      return at + 1
    }
  }
  if (chunk.role) return undefined
  const before = modifiersBefore(chunks, at)
  const name = before.departments[0]?.entry?.function?.title
  if (name === undefined || before.departments.length !== 1 || before.from !== at - 1) return undefined
  pushTitle(mentions, fill(entry.opening, name), before.from, at)
  markUsed(chunks, before.from, at)
  return at + 1
}

const LEVEL_ADJECTIVES = new Set('senior junior seniors juniors executive'.split(' '))

/**
 * "senior citizens", "junior football clubs", "executive education": in front of a noun that is nobody's role the word
 * is an adjective of that noun; "agences indépendantes": behind a noun for companies it is one of theirs.
 */
function describesThings(chunks: readonly Chunk[], at: number): boolean {
  const chunk = chunks[at]!
  const before = chunks[at - 1]
  const named = before?.kind === 'word' && (before.companyNoun || before.entry?.industry !== undefined || before.entry?.title !== undefined)
  if (chunk.idle && named) return true
  if (!LEVEL_ADJECTIVES.has(chunk.word) || chunk.label === 'seniority') return false
  const next = chunks[at + 1]
  if (next?.kind !== 'word' || next.used || next.small || next.peopleNoun || next.role) return false
  const { entry } = next
  return !(entry?.title || entry?.level || entry?.opening || (entry?.function && !entry.industry))
}

function reachesUp(chunks: readonly Chunk[], at: number): boolean {
  const after = chunks[at + 1]
  if (chunks[at - 1]?.kind === 'word' && chunks[at - 1]!.word === 'ab') return true
  return after?.kind === 'word' && ['aufwarts', 'upwards', 'upward'].includes(after.word)
}

/** "sales directors and VPs", "marketing managers or directors": the second noun has the first one's function. */
function shareQualifier(chunks: readonly Chunk[], at: number, qualifier: string, functional: boolean, mentions: Mention[]): number {
  const next = chunks[at + 2]
  if (!functional || chunks[at + 1]?.kind !== 'conjunction' || next?.kind !== 'word' || next.used) return at + 1
  const form = LEVEL_FORMS[next.entry?.level ?? '']
  if (!form || next.word.includes(' ') || !next.role || !LEVEL_FORMS[chunks[at]!.role ?? '']) return at + 1
  const after = chunks[at + 3]
  if (after?.kind === 'word' && (after.word === 'in' || after.word === 'of') && isFunction(chunks[at + 4])) return at + 1
  pushTitle(mentions, fill(form, qualifier), at + 2, at + 2)
  next.used = true
  return at + 3
}

function modifiesNext(chunks: readonly Chunk[], at: number): boolean {
  const next = chunks[at + 1]
  if (next?.kind !== 'word' || next.used || !next.role) return false
  const { entry, word, role } = chunks[at]!
  if (['founder', 'owner', 'c_suite', 'entry'].includes(entry?.level ?? '')) return false
  // A plural ends its own noun phrase: "directors managers" are two.
  if (word.endsWith('s') && role && !/(?:ss|sales|operations|news)$/.test(word) && role !== word) return false
  return next.entry?.level !== 'leaders' || entry?.function !== undefined
}

const COMPOUND_ENDINGS = readEntries('compound-endings.txt').flatMap(([form, endings]) => endings.map(ending => [ending, form] as const))

/** "Vertriebsleiter", "Nachhaltigkeitsmanager": German nouns that carry their function. */
function readCompound(chunks: readonly Chunk[], at: number, mentions: Mention[]): number | undefined {
  const chunk = chunks[at]!
  if (chunk.kind !== 'word' || chunk.used || !chunk.unknown || chunk.word.length < 8 || chunk.word.includes(' ')) return undefined
  const found = COMPOUND_ENDINGS.find(([ending]) => chunk.word.endsWith(ending))
  if (!found) return undefined
  const [ending, form] = found
  for (const stem of compoundStems(chunk.word.slice(0, -ending.length))) {
    const entry = entryOfWord(stem)
    const name = entry?.function?.title ?? (ESTABLISHMENT_STEMS.has(stem) ? stem : undefined)
    if (!name) continue
    pushTitle(mentions, fill(form, name), at, at)
    chunk.used = true
    return at + 1
  }
  return undefined
}
const ESTABLISHMENT_STEMS = new Set(['hotel'])

/** The first part of a German compound, with and without the letters that join it to the second. */
export const compoundStems = (stem: string): string[] =>
  [stem, stem.replace(/s$/, ''), stem.replace(/en$/, ''), stem.replace(/n$/, ''), `${stem}e`, `${stem}en`, stem.replace(/es$/, '')].filter(
    each => each.length > 1,
  )

const BEFORE_WHERE = new Set('in at from near across within around en a au aux dans chez bei aus im nel nella em te bij'.split(' '))
const DOERS =
  /(?:[^aeiou]ers|[aeiou]rs|ors|ists|ians|men|smiths|wrights|eurs|euses|istes|iens|iennes|istas|eros|eras|adores|arios|isten|inhaber|macher|bauer|pfleger|lehrer)$/

/** "falconers in Qatar": a plural that nothing explains, where the wish begins and a place or an industry follows, is a role. */
function readUnknownRole(chunks: readonly Chunk[], mentions: Mention[]): void {
  let first = 0
  let passed = 0
  while (first < chunks.length && passed < 8 && chunks[first]!.kind !== 'place') {
    const chunk = chunks[first]!
    if (chunk.kind === 'negator') return
    if (chunk.kind === 'word' && !chunk.small && !chunk.idle) break
    // What the sender said of himself does not count.
    if (chunk.kind !== 'gap') passed++
    first++
  }
  const fits = (chunk: Chunk | undefined) => chunk?.kind === 'word' && !chunk.used && chunk.unknown
  if (!fits(chunks[first])) return
  let last = first
  while (last - first < 2 && fits(chunks[last + 1])) last++
  const role = chunks[last]!
  const doer = DOERS.test(role.word)
  if (role.word.length < 5 || !(doer || (/[^su]s$/.test(role.word) && !role.capital && chunks.length <= 12))) return
  const where = chunks[last + 1]
  const target = chunks[last + 2]
  const follows = where?.kind === 'word' && BEFORE_WHERE.has(where.word) && (target?.kind === 'place' || target?.kind === 'word')
  const listed = doer && where?.kind === 'comma' && target?.kind === 'place'
  const joined = doer && where?.kind === 'conjunction'
  if (!follows && !listed && !joined) return
  const words = chunks.slice(first, last + 1).map(chunk => chunk.word)
  words[words.length - 1] = /men$/.test(role.word) ? role.word.replace(/men$/, 'man') : role.word.replace(/ies$/, 'y').replace(/s$/, '')
  pushTitle(mentions, words.join(' '), first, last)
  markUsed(chunks, first, last)
}
