import type { Chunk, Mention } from '../model.ts'
import { entryOfWord } from '../vocabulary/lexicon.ts'
import { wordSet } from '../vocabulary/word-files.ts'
import { IS } from '../vocabulary/word-lists.ts'
import { readDepartmentPeople, readLevel } from './departments.ts'
import { asEmployer, HOUSE_RANKS } from './employers.ts'
import { readChief, readOpeningTitle, shareOpening } from './rank-first-titles.ts'
import { readRankRange, takeBelow } from './rank-ranges.ts'
import {
  afterSeparators,
  BEFORE_WHERE,
  ESTABLISHMENTS,
  englishWords,
  fill,
  isChief,
  isFunction,
  isSeparator,
  LEVEL_FORMS,
  markUsed,
  modifiersBefore,
  namedTitle,
  producesGoods,
  pushTitle,
  RANKS,
  RANKS_BEHIND,
  ranksBefore,
  sharedBefore,
  takeTitle,
} from './titles.ts'
import {
  readBracketedRanks,
  readCompound,
  readEmployment,
  readHouses,
  readLabelledWords,
  readUnknownRole,
  readWordsInTitle,
  shareEnding,
} from './unusual-roles.ts'

/** Titles, levels and departments: who is asked for. Chunks that were read are marked used. */
export function readRoles(chunks: readonly Chunk[]): Mention[] {
  const mentions: Mention[] = []
  let at = 0
  while (at < chunks.length) {
    const next =
      readWordsInTitle(chunks, at, mentions) ??
      readBracketedRanks(chunks, at, mentions) ??
      readRankRange(chunks, at, mentions) ??
      readOpeningTitle(chunks, at, mentions) ??
      readRoleTitle(chunks, at, mentions) ??
      readDepartmentPeople(chunks, at, mentions) ??
      readCompound(chunks, at, mentions)
    at = next ?? at + 1
  }
  readEmployment(chunks, mentions)
  readLabelledWords(chunks, mentions)
  if (mentions.length === 0) readUnknownRole(chunks, mentions)
  readHouses(chunks, mentions)
  for (const { kind, first } of mentions) if (kind === 'title') takeBelow(chunks, first)
  return mentions
    .map(mention => (isExplained(chunks, mentions, mention) ? { ...mention, dropped: true } : mention))
    .map((mention, index, all) => asEmployer(chunks, mention, all[index - 1], all[index + 1]))
}

/** "CIO (chief investment officer)", "growth people (head of growth, growth lead)": the bracket says what was meant. */
function isExplained(chunks: readonly Chunk[], mentions: readonly Mention[], mention: Mention): boolean {
  if (mention.kind === 'level' && !EXPLAINED_LEVELS.has(mention.value)) return false
  let open = mention.last + 1
  if (chunks[open]?.peopleNoun) open++
  if (chunks[open]?.word !== '(') return false
  if (mentions.find(other => other.kind === 'title' && other.first > open)?.first !== open + 1) return false
  const close = chunks.findIndex((chunk, at) => at > open && chunk.word === ')')
  return close < 0 || chunks.slice(open + 1, close).every(chunk => chunk.used || isSeparator(chunk) || chunk.small)
}

const EXPLAINED_LEVELS = new Set(['leaders', 'executives', 'deciders'])

const GROUP_LEVELS = new Set(['leaders', 'executives', 'deciders', 'c_suite', 'senior', 'entry', 'founder', 'owner'])

/** A noun of role with what is in front of it: "warehouse managers", "React developers", "founders". */
function readRoleTitle(chunks: readonly Chunk[], at: number, mentions: Mention[]): number | undefined {
  const chunk = chunks[at]!
  if (chunk.kind !== 'word' || chunk.used) return undefined
  const { entry } = chunk
  // "who heads procurement" is a verb.
  if (chunk.word === 'heads' && chunks[at - 1]?.word === 'who') return undefined
  if (isPaired(chunks, at)) {
    const known = mentions.length
    const next = readOpeningTitle(chunks, at + 2, mentions) ?? readRoleTitle(chunks, at + 2, mentions)
    for (const mention of mentions.slice(known)) mention.first = at
    return next
  }
  const ranked = readSharedRanks(chunks, at, mentions)
  if (ranked !== undefined) return ranked
  const opened = readBehindFunction(chunks, at, mentions)
  if (opened !== undefined) return opened
  const named = entry?.title !== undefined && !entry.weakTitle
  if (!(named || entry?.level || chunk.role) || describesThings(chunks, at)) return undefined
  if (chunk.word === 'lead' && chunks[at + 1]?.role) return undefined
  if (producesGoods(chunks, at)) return undefined
  // "50+ developers" measures a company; "50 developers" may be what is wanted.
  if (chunks[at - 1]?.bound) return undefined
  // A modifier of a longer title that follows ("executive chef", "partner manager") is not a role of its own.
  if (modifiesNext(chunks, at)) return undefined
  if (named && !chunk.role) {
    const chief = readChief(chunks, at)
    if (chief) return takeTitle(chunks, mentions, chief.title, at, chief.last)
    const ranks = ranksBefore(chunks, at)
    const behind = RANKS_BEHIND.get(chunks[at + 1]?.word ?? '')
    const last = behind ? at + 1 : at
    pushTitle(mentions, [...(behind ? [behind] : ranks.words), entry.title].join(' '), ranks.from, last)
    markUsed(chunks, ranks.from, last)
    shareEnding(chunks, at, mentions)
    return shareOpening(chunks, last, mentions)
  }
  const before = modifiersBefore(chunks, at)
  // "dental practice managers" manage the practice, and the industry is said.
  const house = before.words.length === 0 && HOUSE_RANKS.has(entry?.level ?? '') ? chunks[at - 1] : undefined
  const managed =
    house?.kind === 'word' && house.entry?.industry && house.word.includes(' ') ? house.word.slice(house.word.lastIndexOf(' ') + 1) : ''
  if (ESTABLISHMENTS.has(managed)) return takeTitle(chunks, mentions, `${managed} ${entry!.level}`, at, at)
  // "marketing interns" are a title, "quita becarios" refuses all of them.
  const isBare =
    before.words.length === 0 || (entry?.level === 'intern' && !(chunk.role && (before.functional || !chunks[before.from]!.refused)))
  if (entry?.level && (isBare || (GROUP_LEVELS.has(entry.level) && before.words[0] !== 'technical')))
    return readLevel(chunks, at, before, mentions)
  if (before.words.length === 0 && !named) {
    if (isBareRole(chunks, at)) return takeTitle(chunks, mentions, chunk.role!, at, at)
    if (chunk.role !== 'marketer') return undefined
    mentions.push({ kind: 'department', value: 'marketing', department: 'marketing', first: at, last: at })
    chunk.used = true
    return at + 1
  }
  const noun = named ? namedTitle(chunk, before.words.length > 0) : (chunk.role ?? '')
  // "leads" without a function are the people wanted, not a role; a "data platform lead" is one.
  const joined = mentions.at(-1)?.kind === 'title' && mentions.at(-1)!.last === before.from - 2 && isSeparator(chunks[before.from - 1])
  const endsHere = chunks[at + 1]?.kind !== 'word' || BEFORE_WHERE.has(chunks[at + 1]!.word)
  const isNamed = chunks[at - 1]?.entry !== undefined || (chunks[at - 1]?.unknown && endsHere)
  const isLead = before.functional || (before.words.length > 0 && (joined || (chunk.word === 'lead' && isNamed)))
  if ((noun === 'lead' && !isLead) || noun === 'operator' || noun === 'worker') return undefined
  const tool = chunks[before.from]
  const sharesTool = before.from < at && tool?.entry?.technology !== undefined && !tool.entry.function
  const shared = sharedBefore(chunks, before.from, at, before.words.slice(1), sharesTool)
  // "HR, finance and legal directors": only the last word is shared, also where "legal director" is a title of its own.
  const several = entry?.title !== undefined && chunk.word.includes(' ')
  const sharedNoun = several && !sharesTool ? (chunk.role ?? noun) : noun
  for (const other of shared.names) pushTitle(mentions, `${other} ${sharedNoun}`, shared.from, at)
  pushTitle(mentions, `${before.words.join(' ')} ${noun}`, before.from, at)
  markUsed(chunks, shared.from, at)
  const qualifier = several ? chunk.word.slice(0, chunk.word.lastIndexOf(' ')) : before.words.join(' ')
  const qualified = several || before.words.some(word => !RANKS.has(word))
  return shareQualifier(chunks, at, qualifier, qualified, mentions)
}

/** "senior or lead data scientists": both ranks are of the one title. */
function readSharedRanks(chunks: readonly Chunk[], at: number, mentions: Mention[]): number | undefined {
  const isRank = (chunk: Chunk | undefined) => chunk?.kind === 'word' && !chunk.used && RANKS.has(chunk.word)
  const ranks: Chunk[] = []
  let last = at
  for (let step = at; ranks.length < MOST_RANKS && isRank(chunks[step]); step = afterSeparators(chunks, last + 1)) {
    if (ranks.length > 0 && step === last + 1) break
    ranks.push(chunks[step]!)
    last = step
  }
  const second = ranks.length > 1 ? `${englishWords(ranks.pop()!.word)} ` : undefined
  if (second === undefined) return undefined
  const known = mentions.length
  for (let noun = last + 1; noun < last + 4 && chunks[noun]?.kind === 'word' && !chunks[noun]!.small; noun++) {
    // Another list of ranks begins; from every one of its words it would be read to its end.
    if (isRank(chunks[noun]) && isSeparator(chunks[noun + 1]) && isRank(chunks[afterSeparators(chunks, noun + 1)])) return undefined
    const next = readRoleTitle(chunks, noun, mentions)
    const title = mentions[known]
    const isShared = title?.kind === 'title' && title.first === last && title.value.startsWith(second)
    for (const rank of isShared ? ranks : []) {
      pushTitle(mentions, `${englishWords(rank.word)} ${title!.value.slice(second.length)}`, at, title!.last)
      rank.used = true
    }
    if (next !== undefined) return isShared ? next : undefined
  }
  return undefined
}
const MOST_RANKS = 4

/** "Leiterinnen und Leiter Einkauf", "directrices et directeurs marketing": one rank in both genders, said once with its function. */
function isPaired(chunks: readonly Chunk[], at: number): boolean {
  const [rank, joins, other] = chunks.slice(at, at + 3)
  const isJoined = joins?.kind === 'conjunction' || joins?.word === '/'
  if (!isJoined || other?.kind !== 'word' || !rank!.entry?.level) return false
  const stem = rank!.word.slice(0, Math.max(3, Math.min(6, rank!.word.length - 2)))
  // "practice owner or practice manager" are two.
  return (
    rank!.word.split(' ')[0] !== other.word.split(' ')[0] &&
    other.word.startsWith(stem) &&
    /(?:innen|rices?|oras?|jefas?|adas?|eurs?|ores|er)\b/.test(other.word)
  )
}

/** "superintendents & principals": a role noun with nothing said of it, where a list or the wish begins. */
function isBareRole(chunks: readonly Chunk[], at: number): boolean {
  const { word, role, companyNoun, peopleNoun, label, entry, refused } = chunks[at]!
  if (!role || entry?.industry || entry?.keyword || companyNoun || peopleNoun) return false
  // "NOT (coordinator OR agent)": what is refused needs no plural, and may be vague.
  if (!refused && (VAGUE_ROLES.has(role) || (label !== 'title' && NEEDS_PLURAL.has(word)))) return false
  const next = chunks[at + 1]
  const before = chunks[at - 1]
  const opens = before === undefined || before.kind !== 'word' || before.small
  return opens && (next === undefined || next.kind !== 'word' || next.small)
}
const VAGUE_ROLES = wordSet('titles-grammar.txt', 'vague roles')
const NEEDS_PLURAL = wordSet('titles-grammar.txt', 'roles in the plural')

/** Openings that come after their function, or that no function follows: "IT-Leiter", "marketing managers for", "directores de empresas". */
function readBehindFunction(chunks: readonly Chunk[], at: number, mentions: Mention[]): number | undefined {
  const chunk = chunks[at]!
  const { entry } = chunk
  if (!entry?.opening) return undefined
  if (!entry.level && / for$|^(?:directors|managers|heads) of$/.test(chunk.word) && isFunction(chunks[at - 1])) {
    const before = modifiersBefore(chunks, at)
    const noun = chunk.word.split(' ')[0]!.replace(/s$/, '')
    const shared = sharedBefore(chunks, before.from, at)
    for (const other of shared.names) pushTitle(mentions, `${other} ${noun}`, shared.from, at)
    pushTitle(mentions, `${before.words.join(' ')} ${noun}`, before.from, at)
    markUsed(chunks, shared.from, at)
    return at + 1
  }
  if (!entry.level && !entry.title && chunk.word.includes(' ')) {
    const bare = entryOfWord(chunk.word.split(' ')[0]!)
    if (bare?.level && LEVEL_FORMS[bare.level]) {
      mentions.push({ kind: 'level', value: bare.level, ...(bare.levelTitle ? { levelTitle: bare.levelTitle } : {}), first: at, last: at })
      chunk.used = true
      return at + 1
    }
    // "ingénieurs en Espagne"
    if (bare?.title && !bare.weakTitle) return takeTitle(chunks, mentions, bare.title, at, at)
  }
  if (chunk.role) return undefined
  const before = modifiersBefore(chunks, at)
  const name = before.departments[0]?.entry?.function?.title
  if (name === undefined) return undefined
  return takeTitle(chunks, mentions, fill(entry.opening, name), before.from, at)
}

const GLOSSES = new Set('as ie meaning ( = aka namely also'.split(' '))
const LEVEL_ADJECTIVES = new Set('senior junior seniors juniors executive'.split(' '))

/**
 * "senior citizens", "junior football clubs", "executive education": in front of a noun that is no one's role the word
 * is an adjective of that noun; "agences indépendantes": after a noun for companies it is one of theirs.
 */
function describesThings(chunks: readonly Chunk[], at: number): boolean {
  const chunk = chunks[at]!
  const before = chunks[at - 1]
  const named = before?.kind === 'word' && (before.companyNoun || before.entry?.industry !== undefined || before.entry?.title !== undefined)
  if (chunk.idle && named) return true
  // "CROs as in contract research"
  const gloss = GLOSSES.has(chunks[at + 1]?.word ?? '') ? chunks.slice(at + 2, at + 4).find(({ small }) => !small) : undefined
  if (chunk.entry?.title && chunk.entry.industry && gloss?.entry?.industry === chunk.entry.industry) return true
  // "Acme and Globex are partners"
  if (chunk.entry?.level === 'partner' && IS.has(before?.word ?? '') && chunks[at - 2]?.kind === 'name') return true
  if (!LEVEL_ADJECTIVES.has(chunk.word) || chunk.label === 'seniority') return false
  const next = chunks[at + 1]
  if (next?.kind !== 'word' || next.used || next.small || next.peopleNoun || next.role) return false
  const { entry } = next
  return !(entry?.title || entry?.level || entry?.opening || (entry?.function && !entry.industry))
}

/** "sales directors and VPs", "marketing managers or directors": the second noun has the first one's function. */
function shareQualifier(chunks: readonly Chunk[], at: number, qualifier: string, qualified: boolean, mentions: Mention[]): number {
  const next = chunks[at + 2]
  const joins = chunks[at + 1]?.kind === 'conjunction' || chunks[at + 1]?.word === '/'
  if (!qualified || !joins || next?.kind !== 'word' || next.used) return at + 1
  const form = LEVEL_FORMS[next.entry?.level ?? '']
  if (!form || next.word.includes(' ') || !next.role || !LEVEL_FORMS[chunks[at]!.role ?? '']) return at + 1
  // "plant manager or VP ops": the second has a function of its own.
  if (next.entry!.opening && isFunction(chunks[at + 3]) && !chunks[at + 3]!.entry!.industry) return at + 1
  return takeTitle(chunks, mentions, fill(form, qualifier), at + 2, at + 2)
}

function modifiesNext(chunks: readonly Chunk[], at: number): boolean {
  const next = chunks[at + 1]
  if (next?.kind !== 'word' || next.used) return false
  // "junior accountants", "freelance CFOs"
  if (/^(?:senior|junior|freelance)$/.test(chunks[at]!.word) && ((next.entry?.title && !next.entry.weakTitle) || next.entry?.opening))
    return true
  const { entry, word, role } = chunks[at]!
  if (!next.role || isChief(word)) return false
  if (['founder', 'owner', 'c_suite', 'entry'].includes(entry?.level ?? '')) return false
  // A plural ends its own noun phrase: "directors managers" are two.
  if (word.endsWith('s') && role && !/(?:ss|sales|operations|news)$/.test(word) && role !== word) return false
  return next.entry?.level !== 'leaders' || entry?.function !== undefined
}
