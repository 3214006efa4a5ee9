import { placeWithin, samePlace } from '../../search/terms/places.ts'
import { CLOSINGS, RELATIVES, REPLACED_BY, REPLACING, TURNS_BACK } from '../lists.ts'
import type { Chunk, Mention, MentionKind, Source } from '../model.ts'
import { wordSet } from '../words.ts'
import { isPerson } from './trade.ts'
import { familyOf } from './walker.ts'

/** What was taken back or replaced: "forget Spain", "no wait, Portugal", "change A to B". Drops mentions in place. */

const OR = wordSet('polarity.txt', 'or')
const ADDS = wordSet('polarity.txt', 'adds')
const STORY_VERBS = wordSet('voices.txt', 'story verbs')
/** Nobody changes their mind more often than this in one brief. */
const MOST_CHANGES = 20
/** Nobody tells a story about these. */
const ASKED: ReadonlySet<MentionKind> = new Set(['technology', 'stage'])

export function applyCorrections(chunks: readonly Chunk[], mentions: readonly Mention[]): void {
  dropStories(chunks, mentions)
  dropDenied(chunks, mentions)
  replaceEarlier(chunks, mentions, applyRetractions(chunks, mentions))
}

/** "Jordan and Victoria joined the call": a sentence that tells something and names nobody's role asks for nothing. */
function dropStories(chunks: readonly Chunk[], mentions: readonly Mention[]): void {
  for (const [sentence, told] of Map.groupBy(chunks, chunk => chunk.sentence)) {
    if (!told.some(chunk => chunk.kind === 'word' && STORY_VERBS.has(chunk.word) && !chunk.used)) continue
    if (
      told.some(
        chunk =>
          RELATIVES.has(chunk.word) ||
          chunk.companyNoun ||
          chunk.label ||
          ['correction', 'negator', 'excluded', 'refusal'].includes(chunk.kind),
      )
    )
      continue
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
    const answer = chunks.slice(mark + 1, mark + 4).find(chunk => DENIALS.has(chunk.word) && !chunk.wish)
    if (answer?.kind === 'excluded') dropIdea(mentions, bySentence, mark, [chunks[mark]!.sentence, answer.sentence])
    if (!answer || answer.kind === 'negator' || (answer.word !== 'no' && answer.kind === 'excluded')) continue
    const said = (sentence: number) => (bySentence.get(sentence) ?? []).filter(mention => !mention.negated)
    const instead = said(answer.sentence)
    // "CFOs in Berlin - Acme? No", "CFOs in Berlin, agencies? No": the question is what stands behind the dash, or what is refused.
    const isRefused = bySentence.get(chunks[mark]!.sentence)?.some(({ last, negated }) => negated && last === mark - 1)
    const parts = ({ word, kind }: Chunk) => DASHES.has(word) || (kind === 'comma' && isRefused)
    let from = mark
    while (from > 0 && chunks[from - 1]!.sentence === chunks[mark]!.sentence && !parts(chunks[from - 1]!)) from--
    const asked = said(chunks[mark]!.sentence).filter(each => each.first >= from)
    // "freelance translators? no - translation agencies": an answer of another kind denies the question as well.
    const [family] = asked.map(familyOf)
    const isOther =
      asked.at(-1)?.last === mark - 1 && asked.every(each => familyOf(each) === family) && !instead.some(each => familyOf(each) === family)
    if (instead.length > 0 && answer.kind === 'correction' && !isOther) continue
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

/** What is named in the same clause behind something that is taken back, of its kind, up to the next refusal. */
function replacements(chunks: readonly Chunk[], mentions: readonly Mention[], taken: Mention): Mention[] {
  const leads = chunks[taken.last + 1]
  if (leads?.kind !== 'comma' && !TURNS_BACK.has(leads?.word ?? '')) return []
  let end = taken.last + 1
  while (end < chunks.length && !['negator', 'excluded', 'refusal', 'break'].includes(chunks[end]!.kind)) end++
  // "not banks, insurers or agencies" may refuse all three.
  if (chunks.slice(taken.last, end).some(chunk => OR.has(chunk.word))) return []
  return mentions.filter(mention => mention.first > taken.last && mention.last < end && mention.kind === taken.kind)
}

/** "Forget Spain", "no wait, not the hotels": what is named was wanted before, and is so no longer. Gives the sentences that said so. */
function applyRetractions(chunks: readonly Chunk[], mentions: readonly Mention[]): Set<number> {
  const edits = new Set<number>()
  let seen = 0
  for (let at = 0; at < chunks.length; at++) {
    const chunk = chunks[at]!
    const corrects = chunk.control?.not && chunks[chunks[at - 1]?.kind === 'comma' ? at - 2 : at - 1]?.kind === 'correction'
    if (chunk.kind !== 'instead' && !(chunk.kind === 'negator' && (chunk.control?.retraction || corrects))) continue
    if (++seen > MOST_CHANGES) return edits
    const { words, until } = retractedWords(chunks, at)
    if (words.length === 0) continue
    const taken = mentions.filter(mention => mention.first > at && mention.first < until)
    let cancelled = false
    for (const mention of mentions) {
      if (mention.first >= at || mention.negated) continue
      const same = taken.some(other => other.kind === mention.kind && other.value === mention.value)
      const said = chunks.slice(mention.first, mention.last + 1).flatMap(each => each.word.split(' '))
      if (!same && !words.every(word => said.includes(word))) continue
      mention.dropped = true
      cancelled = true
    }
    if (!cancelled) continue
    for (const mention of taken) mention.dropped = true
    const gone = chunk.kind === 'negator' ? taken.at(-1) : undefined
    // "scrap Belgium, Netherlands": behind its comma, what nobody asked for before takes the place, unless it is a part of what stays.
    for (const mention of gone ? replacements(chunks, mentions, gone) : []) {
      const stays = mentions.filter(other => other.first < at && other.kind === mention.kind && !other.negated && !other.dropped)
      const same = stays.filter(({ value }) => value === mention.value)
      const goesOn = same.length < stays.length && chunks[gone!.last + 1]!.kind === 'comma'
      if (same.length > 0) for (const other of goesOn ? [mention, ...same] : [mention]) other.dropped = true
      else if (!stays.some(other => liesIn(mention, other))) Object.assign(mention, { negated: false, unsayable: false })
    }
    if (!corrects) edits.add(chunk.sentence)
  }
  return edits
}

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

const INSTEAD = new Set(['instead', 'stattdessen', 'a la place', 'en su lugar'])
const PEOPLE: readonly MentionKind[] = ['title', 'level', 'department']

/** After "no wait" or "make that", what follows replaces what was said of the same kind. */
function replaceEarlier(chunks: readonly Chunk[], mentions: readonly Mention[], edits: ReadonlySet<number>): void {
  let seen = 0
  for (let at = 0; at < chunks.length; at++) {
    const { kind, sentence, word, control } = chunks[at]!
    // "CFOs in Spain. Forget it. Buyers in Rome": what points at nobody in its own sentence points at the whole wish.
    if (kind === 'refusal' && TAKES_ALL_BACK.has(word) && isAlone(chunks, at)) takeAllBack(chunks, mentions, at)
    if (kind !== 'correction') continue
    if (++seen > MOST_CHANGES) return
    // "drop Slovakia and add Hungary instead": the sentence itself says what goes and what stays.
    if (edits.has(sentence) || addsTo(chunks, at) || strikesOne(mentions, at)) continue
    // "(no, Medellín no; mejor Cali)": what follows is struck itself, and what replaces it is said later.
    const next = mentions.find(mention => mention.first > at)
    if (next?.negated && next.first - at <= 3) continue
    // "Scrap that. CMOs at hotels in Bari": all that was said before goes.
    const restarts = control?.restart && chunks[at + 1]?.kind === 'break'
    const inSentence = mentions.filter(
      ({ first, negated, dropped }) => (restarts ? first > at : chunks[first]!.sentence === sentence) && !negated && !dropped,
    )
    const after = inSentence.filter(mention => mention.first > at)
    // "France instead." at the end of the sentence: the correction came after what it brings.
    const trailing = after.length === 0 && INSTEAD.has(word)
    const isWhole = after.length === 0 && TAKES_ALL_BACK.has(word)
    if (isWhole) takeAllBack(chunks, mentions, at)
    const fresh = trailing ? inSentence.filter(mention => mention.first < at) : after
    const kinds = new Set(fresh.map(mention => mention.kind))
    if (PEOPLE.some(each => kinds.has(each))) for (const each of PEOPLE) kinds.add(each)
    for (const mention of mentions) {
      const earlier = trailing ? chunks[mention.first]!.sentence < sentence : mention.first < at
      const isReplaced = kinds.has(mention.kind) || (restarts && fresh.length > 0)
      if (earlier && isReplaced && (!mention.negated || isSaidAgain(mention, at, fresh)) && !fresh.includes(mention)) mention.dropped = true
    }
  }
}

const TAKES_ALL_BACK = wordSet('polarity.txt', 'takes all back')

/** "HR people at hotels. Scrap that. Office managers": all that was wished for last is dropped, where something is wished for later. */
function takeAllBack(chunks: readonly Chunk[], mentions: readonly Mention[], at: number): void {
  const last = mentions.findLast(({ first }) => first < at)
  const said = mentions.filter(({ first }) => first < at && chunks[first]!.sentence === chunks[last!.first]!.sentence)
  const isWish = (mention: Mention) => familyOf(mention) === 'person' && !mention.negated
  if (said.some(isWish) && mentions.some(mention => mention.first > at && isWish(mention)))
    for (const mention of said) mention.dropped = true
}
const isAlone = (chunks: readonly Chunk[], at: number): boolean =>
  (chunks[chunks[at - 1]?.small ? at - 2 : at - 1]?.kind ?? 'break') === 'break' && (chunks[at + 1]?.kind ?? 'break') === 'break'

/** "no dentists I mean dentists in Tucson" denies what stands before; "no banks, I mean banks of any kind" explains the denial. */
const isSaidAgain = ({ kind, value, last }: Mention, at: number, [again, ...rest]: readonly Mention[]): boolean =>
  at === last + 1 && again?.kind === kind && again.value === value && rest.length > 0 && rest.every(other => other.kind === 'place')

/** "Bonn (Bonn streichen, lieber Kiel)": what was struck right before goes, and nothing else. */
function strikesOne(mentions: readonly Mention[], at: number): boolean {
  const struck = mentions.filter(({ first, last, negated }) => negated && first < at && at - last <= 4)
  const taken = mentions.filter(each => each.first < at && struck.some(({ kind, value }) => kind === each.kind && value === each.value))
  if (taken.every(mention => mention.negated)) return false
  for (const mention of taken) mention.dropped = true
  return true
}

/** "Correction: also Series C" adds to what was said. */
function addsTo(chunks: readonly Chunk[], at: number): boolean {
  let next = at + 1
  while (next < at + 3 && (chunks[next]?.kind === 'break' || chunks[next]?.kind === 'comma')) next++
  return ADDS.has(chunks[next]?.word ?? '')
}

const LOOSE_CORRECTIONS = wordSet('polarity.txt', 'loose corrections')
/** Corrections that are complete sentences: they need a mark on either side. */
const TIGHT_CORRECTIONS = wordSet('polarity.txt', 'tight corrections')
const CONTRASTS = new Set('but aber mais pero'.split(' '))

/** Whether a phrase that may correct does so here. */
export function correctionFits({ items, words }: Source, phrase: string, at: number, end: number, chunks: readonly Chunk[]): boolean {
  // "…, please make it directors"
  const last = chunks.at(-1)
  const before = CLOSINGS.has(last?.word ?? '') ? chunks.at(-2) : last
  // "in Rome but actually Milan"
  const opens =
    CONTRASTS.has(last?.word ?? '') || before === undefined || ['break', 'comma', 'list', 'correction', 'gap'].includes(before.kind)
  const after = items[end]
  const closes = after === undefined || after.kind === 'mark'
  // "Laisse tomber : les banques" refuses them.
  if (TIGHT_CORRECTIONS.has(phrase)) return opens && closes && before !== undefined && !(TAKES_ALL_BACK.has(phrase) && words[end] === ':')
  if (phrase === 'instead') return words[end] !== 'of'
  if (phrase === 'should be') return opens && before !== undefined && at > 0
  return !LOOSE_CORRECTIONS.has(phrase) || opens || (closes && before !== undefined)
}

/** "CFOs in Leeds. Forget it, CMOs in York": between two wishes for somebody. "Recruiters? Forget it." refuses them. */
export function restarts({ words, items }: Source, end: number, chunks: readonly Chunk[]): boolean {
  const before = chunks.slice(-LONGEST_WISH)
  if (!before.some(({ role, entry }) => role || entry?.title || entry?.level) || !before.some(isWhere)) return false
  return items[end]?.kind === 'mark' && words.slice(end + 1, end + LONGEST_WISH).some(isPerson)
}
const isWhere = ({ kind, companyNoun, entry }: Chunk): boolean => kind === 'place' || companyNoun || entry?.industry !== undefined
const LONGEST_WISH = 30
