import type { Sentence } from './clauses.ts'
import { readPhraseSets } from './phrases.ts'

/** Whether a sentence is an opt-out: what must stop, who does it, and to whom. */

export const optOuts = readPhraseSets('opt-outs.txt')
const classes = readPhraseSets('classes.txt')

const MEANT = { isMeant: true, isMentioned: true, isOutright: false, rest: '' }

/** `isMentioned` if it only uses the words of an opt-out. */
export function readOptOut(
  { text: asWritten, isQuestion }: Sentence,
  isAlone = false,
): { isMeant: boolean; isMentioned: boolean; isOutright: boolean; rest: string } {
  const text = optOuts('never comes').replace(optOuts('one of you').replace(asWritten, 'can you '), 'ever ')
  if (isAlone && optOuts('alone').test(withoutGoodbye(text))) return MEANT
  const asked = isAskedAllTheSame(text) ? text : optOuts('not asked for').replace(text, ', ')
  const plain = optOuts('spared').replace(optOuts('no opt-out').replace(asked, ', '), ', ')
  // "Remove the attachment, and my address too": another object does not cancel the opt-out.
  if (!isQuestion && (optOuts('with it').test(text) || (plain !== text && isAskedBesides(text)))) return MEANT
  // "Write in May or, better yet, not at all".
  if (optOuts('or never').test(text)) return { ...MEANT, isOutright: true }
  // "Do not write before May, or better: never".
  if (optOuts('better never').test(text) && optOuts('spared for now').test(text)) return MEANT
  const isForGood = optOuts('for good').test(optOuts('till then').replace(text, ', ')) && !optOuts('rather').test(text)
  const isPutOff = ['for a while', 'at odd hours', 'i will come'].some(idea => optOuts(idea).test(text))
  // "Do not call or email my assistant, contact me directly".
  const withoutWayLeft = optOuts('one way left').replace(text, ', ')
  if (optOuts('both ways').test(withoutWayLeft) && (isForGood || !isPutOff)) return MEANT
  const rest = isForGood ? plain : optOuts('spared for now').replace(plain, ', ')
  // "Get us out of that contract and we sign" is a condition of a deal, not an opt-out.
  if (optOuts('bargain').test(text) && !optOuts('sent by you').test(rest))
    return { isMeant: false, isMentioned: true, isOutright: false, rest: '' }
  const isMentioned = rest !== text || speaksOfIt(text)
  if (!isMentioned) return { isMeant: false, isMentioned, isOutright: false, rest }
  const isOutright = optOuts('outright').test(rest)
  const isOurs =
    isOutright ||
    !(
      optOuts('about the thing').test(optOuts('breach').replace(text, ', ')) ||
      isOfThing(text, isQuestion) ||
      (isQuestion && (asksHow(text) || optOuts('no for ever').test(text) || optOuts('elsewhere').test(text)))
    )
  return { isMeant: isOurs && (isOutright ? speaksOfIt(rest) : asksToBeLeft(rest)), isMentioned, isOutright, rest }
}

const withoutGoodbye = (text: string): string =>
  text
    .split(', ')
    .filter(part => !optOuts('goodbye').test(part))
    .join(', ')

/** "I'm not asking to be taken off, I demand it", "if you don't want to remove me, my lawyer will write". */
const isAskedAllTheSame = (text: string): boolean =>
  optOuts('asked all the same').test(text) || (optOuts('consequence').test(text) && !optOuts('audience').test(text))

const isAskedBesides = (text: string): boolean =>
  optOuts('all the same').test(optOuts('only polite').replace(text, '')) &&
  !optOuts('audience').test(text) &&
  !optOuts('deal').test(optOuts('third party').replace(text, ''))

const speaksOfIt = (text: string): boolean => optOuts('opt-out').test(text) || optOuts('unclear').test(text)

/** The maximum distance between ambiguous words and their object. */
const MAX_OBJECT_CHARS = 60

/** "Take 10 percent off your price" has the words of an opt-out, but its object is the price. "Stop emailing me your prices" is clear. */
function asksToBeLeft(text: string): boolean {
  if (optOuts('opt-out').test(text)) return true
  const unclear = optOuts('unclear')
  for (let found = unclear.find(text, 0); found !== null; found = unclear.find(text, text.indexOf(' ', found.index) + 1)) {
    const end = found.index + found.text.length
    const before = clauseParts(text.slice(Math.max(0, found.index - MAX_OBJECT_CHARS), found.index)).at(-1) as string
    const behind = clauseParts(text.slice(end, end + MAX_OBJECT_CHARS))[0] as string
    if (!optOuts('deal').test(`${before}${found.text}${behind}`)) return true
  }
  return false
}

const clauseParts = (text: string): string[] => text.split(CLAUSE_END)
const CLAUSE_END = /(?<=^| )(?:, |(?:and|but|so|because|und|aber|weil|also|denn|et|mais|car|donc|y|pero|porque) )/

/**
 * "Your software removes us from lists" describes it, and "…, so I want your software" asks for it. In "stop emailing us about
 * your software", it is only named, as in a question about the writer's own opt-out.
 */
function isOfThing(text: string, isQuestion: boolean): boolean {
  const thing = optOuts('thing sold')
  if (!thing.test(text)) return false
  const isOfWriter = isQuestion && optOuts('for me').test(text) && !optOuts('asks of it').test(text)
  const found = optOuts('opt-out').find(text, 0) ?? (isOfWriter ? optOuts('unclear').find(text, 0) : null)
  if (found === null || isQuestion !== isOfWriter) return true
  const [, ...later] = clauseParts(text.slice(found.index + found.text.length))
  const before = clauseParts(text.slice(0, found.index)).at(-1) as string
  return thing.test(before) || (!isOfWriter && later.some(part => thing.test(part) && !classes('not').test(part)))
}

/** "What happens when a customer unsubscribes?": a person who opts out says "me" or "us". */
const asksHow = (text: string): boolean =>
  optOuts('asks how').test(text) && optOuts('their matter').test(text) && !optOuts('for me').test(text)

/** A complaint about an ignored opt-out or missing consent, with a threat, in one or two sentences. */
export function isBreach(sentences: Sentence[], i: number): boolean {
  const isBeside = (idea: string) => sentences.slice(Math.max(0, i - 1), i + 2).some(({ text }) => optOuts(idea).test(text))
  const { text } = sentences[i] as Sentence
  return (
    optOuts('not done').test(text) ||
    (optOuts('heard again').test(text) && isBeside('left before')) ||
    (optOuts('no consent').test(text) && !optOuts('terms').test(text) && isBeside('threat'))
  )
}

/** "Do not write before May. Better still, never." */
export const isTimeTakenBack = (before: Sentence | undefined, { text }: Sentence): boolean =>
  before !== undefined && optOuts('never instead').startsWith(text) && optOuts('spared for now').test(before.text)

/** "You can leave me on": another person must be removed. */
export const saysToStay = (sentences: Sentence[]): boolean =>
  sentences.some(({ clauses }) =>
    clauses.some(({ text, isQuestion }) => !isQuestion && optOuts('i stay').test(text) && !classes('not').test(text)),
  )

/** Whether a sentence removes another person, not the writer. */
export const isOfOthers = ({ text }: Sentence): boolean =>
  !optOuts('for me').test(optOuts('beside me').replace(optOuts('i stay').replace(text, ', '), 'them '))
