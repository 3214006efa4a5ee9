import { placeWithin, samePlace } from '../../../lead-terms/src/index.ts'
import type { Chunk, Mention, MentionKind } from '../model.ts'
import { phraseSet, wordSet } from '../vocabulary/word-files.ts'
import { RELATIVES, REPLACED_BY, REPLACING, RETRACTIONS, TURNS_BACK } from '../vocabulary/word-lists.ts'
import { CUES } from './asides.ts'
import { FAR, familyOf } from './mention-row.ts'

/** Wishes that are canceled or replaced: "forget Spain", "no wait, Portugal", "change A to B". Drops mentions in place. */

const OR = wordSet('negation.txt', 'or')
const ADDS = wordSet('negation.txt', 'adds')
const STORY_VERBS = wordSet('segments.txt', 'story verbs')
/** No one changes their mind more often than this in one brief. */
const MOST_CHANGES = 20
/** No one tells a story about these. */
const ASKED: ReadonlySet<MentionKind> = new Set(['technology', 'stage'])
const RANGES: ReadonlySet<MentionKind> = new Set(['employees', 'revenue', 'fundingTotal', 'founded'])

/** Gives the chunk after which the wish begins, where all that was said before was canceled. */
export function applyCorrections(chunks: readonly Chunk[], mentions: readonly Mention[]): number {
  dropStories(chunks, mentions)
  dropDenied(chunks, mentions)
  const edits: Edits = new Set()
  const parts = partsOf(chunks)
  applyRetractions(chunks, mentions, parts, edits)
  replaceNamed(chunks, mentions, parts, edits)
  return replaceEarlier(chunks, mentions, parts, edits)
}

/** By chunk, the sentence or the bracket that it is in. */
function partsOf(chunks: readonly Chunk[]): number[] {
  let part = 0
  const isParted = (at: number) => chunks[at - 1]?.word === ')' || chunks[at]!.sentence !== chunks[at - 1]?.sentence
  return chunks.map(({ word }, at) => (word === '(' || isParted(at) ? ++part : part))
}

/** "Jordan and Victoria joined the call": a sentence that tells something and names no one's role asks for nothing. */
function dropStories(chunks: readonly Chunk[], mentions: readonly Mention[]): void {
  for (const [sentence, told] of Map.groupBy(chunks, chunk => chunk.sentence)) {
    if (!told.some(chunk => chunk.kind === 'word' && STORY_VERBS.has(chunk.word) && !chunk.used)) continue
    if (told.some(({ kind, word, companyNoun, label }) => CUES.has(kind) || RELATIVES.has(word) || companyNoun || label)) continue
    const named = mentions.filter(mention => chunks[mention.first]!.sentence === sentence)
    const tellsNothing = (mention: Mention) => ['place', 'thing'].includes(familyOf(mention)) && !ASKED.has(mention.kind)
    if (named.every(tellsNothing)) for (const mention of named) mention.dropped = true
  }
}

/**
 * "CTOs? No, too technical.": a question that is denied asks for nothing. Where the denial says what else is wanted
 * ("Designers in Rome? No thanks, design leads"), it takes the place of what is of its kind.
 */
function dropDenied(chunks: readonly Chunk[], mentions: readonly Mention[]): void {
  if (!chunks.some(chunk => chunk.word === '?')) return
  const bySentence = Map.groupBy(mentions, mention => chunks[mention.first]!.sentence)
  for (let mark = 1; mark + 1 < chunks.length; mark++) {
    if (chunks[mark]!.word !== '?') continue
    const answer = chunks.slice(mark + 1, mark + 4).find(chunk => DENIALS.has(chunk.word) && !chunk.requirement)
    if (answer?.kind === 'excluded') dropIdea(mentions, bySentence, mark, [chunks[mark]!.sentence, answer.sentence])
    if (!answer || answer.kind === 'negator' || (answer.word !== 'no' && answer.kind === 'excluded')) continue
    const said = (sentence: number) => (bySentence.get(sentence) ?? []).filter(mention => !mention.negated)
    const instead = said(answer.sentence)
    // "CFOs in Berlin - Acme? No", "CFOs in Berlin, agencies? No": the question is what comes after the dash, or what is refused.
    const isRefused = bySentence.get(chunks[mark]!.sentence)?.some(({ last, negated }) => negated && last === mark - 1)
    const parts = ({ word, kind }: Chunk) => DASHES.has(word) || (kind === 'comma' && isRefused)
    let from = mark
    while (from > 0 && chunks[from - 1]!.sentence === chunks[mark]!.sentence && !parts(chunks[from - 1]!)) from--
    const asked = said(chunks[mark]!.sentence).filter(each => each.first >= from)
    // "freelance translators? no - translation agencies": an answer of another kind denies the question as well.
    const [family] = asked.map(familyOf)
    const isOther =
      asked.at(-1)?.last === mark - 1 && asked.every(each => familyOf(each) === family) && !instead.some(each => familyOf(each) === family)
    for (const mention of asked)
      if (isOther || instead.length === 0 || instead.some(other => familyOf(other) === familyOf(mention))) mention.dropped = true
  }
}

/** "Undertakers? No. Stonemasons!": an idea that the next sentence replaces is not refused, where nothing like it was asked for before. */
function dropIdea(
  mentions: readonly Mention[],
  bySentence: ReadonlyMap<number, Mention[]>,
  mark: number,
  [asked, denial]: readonly [number, number],
): void {
  const ideas = (bySentence.get(asked) ?? []).filter(({ first }) => first < mark)
  const next = bySentence.get(denial + 1)?.[0]
  const isAlike = (each: Mention) => familyOf(each) === familyOf(next!)
  if (!next || next.negated || !ideas.every(each => each.negated && isAlike(each))) return
  if (mentions.every(each => each.first > mark || each.negated || !isAlike(each))) for (const idea of ideas) idea.dropped = true
}
const DASHES = new Set(['-', '–', '—', ';', ':'])
const DENIALS = new Set('no nope nah nein nee non'.split(' '))

/** Mentions of the same kind after a canceled one in the same clause, up to the next refusal. */
function replacements(chunks: readonly Chunk[], mentions: readonly Mention[], taken: Mention): Mention[] {
  const leads = chunks[taken.last + 1]
  if (leads?.kind !== 'comma' && !TURNS_BACK.has(leads?.word ?? '')) return []
  let end = taken.last + 1
  while (end < chunks.length && !['negator', 'excluded', 'refusal', 'break'].includes(chunks[end]!.kind)) end++
  // "not banks, insurers or agencies" may refuse all three.
  if (chunks.slice(taken.last, end).some(chunk => OR.has(chunk.word))) return []
  return mentions.filter(mention => mention.first > taken.last && mention.last < end && mention.kind === taken.kind)
}

/** "Forget Spain", "no wait, not the hotels": what is named was wanted before, and is so no longer. */
function applyRetractions(chunks: readonly Chunk[], mentions: readonly Mention[], parts: readonly number[], edits: Edits): void {
  let seen = 0
  for (let at = 0; at < chunks.length; at++) {
    const chunk = chunks[at]!
    const corrects = chunk.cue?.not && chunks[chunks[at - 1]?.kind === 'comma' ? at - 2 : at - 1]?.kind === 'correction'
    if (chunk.kind !== 'instead' && !(chunk.kind === 'negator' && (chunk.cue?.retraction || chunk.cue?.indifferent || corrects))) continue
    if (++seen > MOST_CHANGES) return
    const { words, until } = retractedWords(chunks, at)
    // "forget 50-200 employees, 100+ please": a measure has no words of its own.
    const taken = mentions.filter(({ first, kind }) => first > at && (first < until || (first === at + 1 && RANGES.has(kind))))
    if (words.length === 0 && taken.length === 0) continue
    let cancelled = false
    for (const mention of mentions) {
      if (mention.first >= at || (mention.negated && !chunk.cue?.indifferent)) continue
      const same = taken.some(other => other.kind === mention.kind && other.value === mention.value)
      const said = chunks.slice(mention.first, mention.last + 1).flatMap(each => each.word.split(' '))
      if (!same && !(words.length > 0 && words.every(word => said.includes(word)))) continue
      mention.dropped = true
      cancelled = true
    }
    if (!cancelled) continue
    for (const mention of taken) mention.dropped = true
    const gone = chunk.kind === 'negator' ? taken.at(-1) : undefined
    // "scrap Belgium, Netherlands": after its comma, what no one asked for before takes the place, unless it is a part of what stays.
    for (const mention of gone ? replacements(chunks, mentions, gone) : []) {
      const stays = mentions.filter(other => other.first < at && other.kind === mention.kind && !other.negated && !other.dropped)
      if (!stays.some(other => other.value === mention.value || liesIn(mention, other)))
        Object.assign(mention, { negated: false, unsayable: false })
    }
    if (!corrects) for (const mention of taken) edits.add(`${parts[at]} ${groupOf(mention)}`)
  }
}

/**
 * "Spain is done, make it Portugal", "I said Spain but meant Portugal", "Portugal, not Spain": a sentence that changes something and names
 * what was asked for before puts what else it names of that kind in its place. "Actually Spain is fine" takes a refusal back.
 */
function replaceNamed(chunks: readonly Chunk[], mentions: readonly Mention[], parts: readonly number[], edits: Edits): void {
  const byPart = Map.groupBy(mentions, ({ first }) => parts[first]!)
  const byValue = Map.groupBy(mentions, ({ kind, value }) => `${kind} ${value}`)
  const words = chunks.map(({ word }) => word)
  const isRethinking = (at: number) =>
    chunks[at]!.kind === 'correction' ||
    chunks[at]!.cue?.retraction ||
    SECOND_THOUGHTS.longest(words, at) ||
    SECOND_THOUGHTS.isWithin(words[at]!.split(' '), 0, 9)
  const changes = Map.groupBy(
    [...chunks.keys()].filter(at => CUES.has(chunks[at]!.kind) || CHANGING.has(words[at]!) || isRethinking(at)),
    at => parts[at]!,
  )
  for (const [part, cues] of [...changes].slice(0, MOST_CHANGES)) {
    const isRethought = cues.some(isRethinking)
    for (const [group, said] of Map.groupBy(byPart.get(part) ?? [], groupOf)) {
      const alike = ({ kind, value }: Mention) => byValue.get(`${kind} ${value}`)!
      const before = (mention: Mention) => alike(mention).filter(other => parts[other.first]! < part)
      // The first of those that are alike tells, because a hostile text repeats itself.
      const isKnown = (mention: Mention) => parts[alike(mention)[0]!.first]! < part
      const [named, fresh] = [said.filter(isKnown), said.filter(each => !isKnown(each) && isWanted(each))]
      const [next] = byPart.get(part + 1) ?? []
      if (fresh.length === 0 && next && groupOf(next) === group && isWanted(next) && chunks[next.first - 1]?.kind === 'break')
        fresh.push(next)
      for (const each of named) {
        const wasWanted = before(each).some(other => !other.negated)
        // "Spain should be Portugal", but "make it Spain and Portugal"
        const isOld =
          !isWanted(each) || isTakenBack(chunks, each) || (fresh.length > 0 && cues.some(at => at > each.last && at < fresh[0]!.first))
        if (wasWanted ? !isOld || (fresh.length === 0 && !isRethought) : isOld || !isRethought) continue
        for (const other of [each, ...before(each)]) other.dropped = true
        for (const other of fresh) if (TURNS_BACK.has(chunks[other.first - 1]?.word ?? '')) other.unsayable = false
        edits.add(`${part} ${group}`)
      }
    }
  }
}
/** "Swap 50-200 employees for 200-500 employees" */
function isTakenBack(chunks: readonly Chunk[], { first }: Mention): boolean {
  const before = chunks[chunks[first - 1]?.small ? first - 2 : first - 1]?.word ?? ''
  return REPLACING.has(before) || RETRACTIONS.has(before)
}
const isWanted = ({ negated, dropped }: Mention): boolean => !negated && !dropped
const groupOf = (mention: Mention): string => (['person', 'place'].includes(familyOf(mention)) ? familyOf(mention) : mention.kind)
/** "I said Spain but meant Portugal", "50 to 100 was a typo": words of a sentence that changes something. */
const CHANGING = new Set([...REPLACING, ...wordSet('negation.txt', 'changing')])
const SECOND_THOUGHTS = phraseSet('negation.txt', 'second thoughts')

const liesIn = ({ place: inner }: Mention, { place: outer }: Mention): boolean =>
  inner !== undefined && outer !== undefined && !samePlace(inner, outer) && placeWithin(inner, outer)

function retractedWords(chunks: readonly Chunk[], at: number): { words: string[]; until: number } {
  const words: string[] = []
  const replaces = REPLACING.has(chunks[at]!.word)
  let until = at + 1
  for (; until < chunks.length && until < at + 9; until++) {
    const { kind, word, small } = chunks[until]!
    if (kind === 'break' || kind === 'comma' || kind === 'correction' || kind === 'gap') break
    if (words.length > 0 && kind === 'word' && (TURNS_BACK.has(word) || (replaces && REPLACED_BY.has(word)))) break
    if ((kind === 'word' && !small) || kind === 'place') words.push(...word.split(' '))
  }
  return { words, until }
}

const INSTEAD = wordSet('negation.txt', 'trailing corrections')
const PEOPLE: readonly MentionKind[] = ['title', 'level', 'department']

/** A part of the brief that says itself what goes and what stays, and of which kind: "3 place". */
type Edits = Set<string>

/** After "no wait" or "make that", what follows replaces what was said of the same kind. Gives the chunk where the last whole wish begins. */
function replaceEarlier(chunks: readonly Chunk[], mentions: readonly Mention[], parts: readonly number[], edits: Edits): number {
  let seen = 0
  let start = 0
  for (let at = 0; at < chunks.length; at++) {
    const { kind, sentence, word, cue } = chunks[at]!
    if (kind !== 'correction') continue
    if (++seen > MOST_CHANGES) return start
    // "(no, Medellín no; mejor Cali)": what follows is struck itself, and what replaces it is said later.
    const next = mentions.find(mention => mention.first > at)
    if (next?.negated && next.first - at <= 3) continue
    // "Scrap that. CMOs at hotels in Bari": all that was said before goes.
    const live = mentions.filter(({ negated, dropped }) => !negated && !dropped)
    const isWhole = cue?.restart && isWish(live.filter(({ first }) => first > at))
    if (isWhole) {
      for (const mention of mentions) if (mention.first < at) mention.dropped = true
      start = at
      continue
    }
    // "drop Slovakia and add Hungary instead": the sentence itself says what goes and what stays.
    const inSentence = live.filter(
      mention =>
        chunks[mention.first]!.sentence === sentence &&
        !edits.has(`${parts[mention.first]} ${groupOf(mention)}`) &&
        !addsTo(chunks, at, mention),
    )
    const after = inSentence.filter(mention => mention.first > at)
    // "France instead." at the end of the sentence: the correction came after what it brings.
    const trailing = after.length === 0 && INSTEAD.has(word)
    const fresh = trailing ? inSentence.filter(mention => mention.first < at) : after
    const kinds = new Set(fresh.map(mention => mention.kind))
    if (PEOPLE.some(each => kinds.has(each))) for (const each of PEOPLE) kinds.add(each)
    for (const mention of mentions) {
      const earlier = trailing ? chunks[mention.first]!.sentence < sentence : mention.first < at
      if (earlier && kinds.has(mention.kind) && (!mention.negated || isSaidAgain(mention, at, fresh)) && !fresh.includes(mention))
        mention.dropped = true
    }
  }
  return start
}
/** A person, with what tells who it is. */
const isWish = (wanted: readonly Mention[]): boolean => wanted.length > 1 && wanted.some(mention => familyOf(mention) === 'person')

/** "no dentists I mean dentists in Tucson" denies what comes before; "no banks, I mean banks of any kind" explains the denial. */
const isSaidAgain = ({ kind, value, last }: Mention, at: number, [again, ...rest]: readonly Mention[]): boolean =>
  at === last + 1 && again?.kind === kind && again.value === value && rest.length > 0 && rest.every(other => other.kind === 'place')

/** "Correction: also Series C", "make it Spain, and add Italy": what comes after a word that adds replaces nothing. */
function addsTo(chunks: readonly Chunk[], at: number, { first }: Mention): boolean {
  for (let before = first - 1; before > at && first - before < FAR; before--) if (ADDS.has(chunks[before]!.word)) return true
  return false
}
