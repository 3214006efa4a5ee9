import type { Clause, Sentence } from './clauses.ts'
import type { LearnedKind } from './model.ts'
import { isBreach, isOfOthers, isTimeTakenBack, optOuts, readOptOut, saysToStay } from './opt-outs.ts'
import { readPhraseSets } from './phrases.ts'

/** The points of the clauses of a reply for each kind. */

type Points = Record<LearnedKind, number>

const people = readPhraseSets('people.txt')
const classes = readPhraseSets('classes.txt')
const machine = readPhraseSets('machine.txt')

/** The phrases of a person. `denied`: a "not" in the same clause reverses or cancels them. */
const SAID: { idea: string; kind: LearnedKind; points: number; denied?: number }[] = [
  { idea: 'decline', kind: 'negative', points: 4 },
  { idea: 'settled', kind: 'negative', points: 3.5 },
  { idea: 'sarcasm', kind: 'negative', points: 4 },
  { idea: 'later', kind: 'neutral', points: 5.5 },
  { idea: 'some time', kind: 'neutral', points: 1.5 },
  { idea: 'not now', kind: 'neutral', points: 2.5 },
  { idea: 'somebody else', kind: 'neutral', points: 4 },
  { idea: 'acknowledged', kind: 'neutral', points: 2.5 },
  { idea: 'asks who', kind: 'neutral', points: 3.5 },
  { idea: 'calls off', kind: 'neutral', points: 3.5, denied: 0 },
  { idea: 'keen', kind: 'positive', points: 3, denied: 2 },
  { idea: 'sponsor', kind: 'positive', points: 5, denied: 0 },
  { idea: 'meet', kind: 'positive', points: 2.5, denied: 0 },
  { idea: 'money', kind: 'positive', points: 2, denied: 0 },
  { idea: 'material', kind: 'positive', points: 2, denied: 0 },
  { idea: 'time', kind: 'positive', points: 1.5, denied: 0 },
  { idea: 'yes', kind: 'positive', points: 2, denied: 0 },
]
/** The things that a person may ask for, unless they already had them: "thank you for the presentation" asks for nothing. */
const WISHED = new Set(['meet', 'money', 'material', 'time'])
const ASKED_POINTS = 2.5
const FLAT_NO_POINTS = 6
const OPT_OUT_POINTS = 7
const BUYER_POINTS = 4
/** "Thanks", "Kind regards": a sentence with so few words adds nothing to another. */
const MOST_COURTEOUS_WORDS = 2

/** The phrases of automatic replies; several of them together make one. */
const PRINTED: { idea: string; points: number }[] = [
  { idea: 'automatic', points: 4 },
  { idea: 'mailbox', points: 4 },
  { idea: 'left', points: 6 },
  { idea: 'closed', points: 4 },
  { idea: 'absent', points: 3 },
  { idea: 'receipt', points: 2.5 },
  { idea: 'case number', points: 2 },
  { idea: 'answer promised', points: 2 },
  { idea: 'urgent', points: 2 },
  { idea: 'access', points: 2 },
  { idea: 'hours', points: 3 },
]
const DATED_POINTS = 1.5
const SPOKEN_POINTS = 4
const PRINTED_POINTS = 3
const BESIDE_PRINTED = 0.4
const BESIDE_SARCASM = 0.3

interface OptOutSigns {
  /** True if it uses the words of an opt-out without being one. */
  isSpared: boolean
  /** True if it contains an unambiguous opt-out. */
  isOutright: boolean
  /** True if it names another person. */
  isReferred: boolean
  /** True if it cancels an agreed call. */
  isCalledOff: boolean
  /** The text without the words that only look like an opt-out. */
  rest: string
}

/** `isDated`: the text names a day of return. */
export function pointsOf(sentences: Sentence[], isDated = false): Points & OptOutSigns {
  const points = { opt_out: 0, positive: 0, negative: 0, neutral: 0, auto_reply: 0 }
  const best = new Map<string, number>()
  // Repetition does not add evidence.
  const say = (idea: string, kind: LearnedKind, value: number) => {
    const before = best.get(`${idea} ${kind}`) ?? 0
    if (value <= before) return
    best.set(`${idea} ${kind}`, value)
    points[kind] += value - before
  }
  let isSpared = false
  let isOutright = false
  let rest = ''
  let firstMeant = -1
  const told = sentences.filter(({ text }) => text.trimEnd().split(' ').length > MOST_COURTEOUS_WORDS).length
  const stays = saysToStay(sentences)
  let praised = 0
  sentences.forEach((sentence, i) => {
    const next = sentences[i + 1]
    const positiveBefore = points.positive
    // In "Interested? Not really.", the second part decides.
    const isDenied = sentence.isQuestion && next !== undefined && startsWithDenial(next)
    const read = readOptOut(sentence, told <= 1)
    // "Please remove Carla from cc. You can leave me on."
    const isForOthers = stays && (read.isMentioned || optOuts('take off').test(sentence.text)) && isOfOthers(sentence)
    const isPlain = isBreach(sentences, i) || isTimeTakenBack(sentences[i - 1], sentence)
    const isMeant = (read.isMeant && !isForOthers) || isPlain
    // "Stop sending me prices" names prices without asking for them.
    const sayNoYes: typeof say = (idea, kind, value) => kind !== 'positive' && say(idea, kind, value)
    if (isDenied) say('denial', 'negative', 4)
    else for (const clause of sentence.clauses) readClause(clause, isMeant && optOuts('opt-out').test(clause.text) ? sayNoYes : say)
    // In "The video was nice. No.", the "no" is a sentence of its own.
    if (people('flat no').test(sentence.text)) say('denial', 'negative', FLAT_NO_POINTS)
    // An opt-out sentence is removed as a whole: if it turns out not to be one, it was a joke.
    if (!isMeant && !isForOthers) rest += `${read.rest}. `
    // "How did you get my address? Delete it": the object is in the previous sentence.
    const before = sentences[i - 1]
    const isOfRecord =
      before !== undefined && !sentence.isQuestion && optOuts('own record').test(before.text) && optOuts('remove it').test(sentence.text)
    const isAsked = isMeant || isOfRecord
    if (isAsked) say('opt-out', 'opt_out', OPT_OUT_POINTS)
    if (isAsked && firstMeant < 0) {
      firstMeant = i
      praised = before?.isQuestion ? 0 : positiveBefore
    }
    isSpared ||= (read.isMentioned || isForOthers) && !isMeant
    isOutright ||= isMeant && (read.isOutright || isPlain)
    for (const { idea, points: value } of PRINTED) if (machine(idea).test(sentence.text)) say(idea, 'auto_reply', value)
    if (machine('spoken to you').test(sentence.text)) say('spoken', 'auto_reply', 0.001)
  })
  // "Stop it, that price can't be real. Send me the contract", "Stop, I love it": these are not opt-outs.
  // Praise at the start is a courtesy: "I read it with interest. Please take us off your list". A question is not.
  const isKeen =
    points.positive - praised >= BUYER_POINTS || sentences.some(({ text }, i) => i >= firstMeant && optOuts('delight').test(text))
  if (points.opt_out > 0 && !isOutright && isKeen && points.positive >= points.negative) {
    points.opt_out = 0
    isSpared = true
  }
  // "Sure, and I am the Pope": the yes is part of the joke.
  if (best.has('sarcasm negative')) points.positive *= BESIDE_SARCASM
  if (isDated) points.auto_reply += DATED_POINTS
  // Automatic replies do not cancel agreed calls: "please cancel Friday, I am ill".
  if (best.has('spoken auto_reply') || best.has('calls off neutral')) points.auto_reply = Math.max(0, points.auto_reply - SPOKEN_POINTS)
  // An out-of-office notice also names a later day and another person.
  else if (points.auto_reply >= PRINTED_POINTS) points.neutral *= BESIDE_PRINTED
  return {
    ...points,
    isSpared: isSpared && points.opt_out === 0,
    isOutright,
    isReferred: best.has('somebody else neutral'),
    isCalledOff: best.has('calls off neutral'),
    rest,
  }
}

function readClause(clause: Clause, say: (idea: string, kind: LearnedKind, value: number) => void): void {
  const text = people('idle no').replace(people('yes in disguise').replace(clause.text, '@yes '), '')
  const isDenied = classes('not').test(text)
  const isCalledOff = people('calls off').test(text)
  let isWish = false
  // "Send it again on Monday" asks for a later time, not for documents.
  const isPast = people('past').test(text) || people('once more then').test(text)
  for (const { idea, kind, points, denied } of SAID) {
    if (!people(idea).test(text) || (isCalledOff && kind === 'positive') || (isPast && WISHED.has(idea))) continue
    isWish ||= kind === 'positive' && !isDenied
    if (denied === undefined || !isDenied) say(idea, kind, points * clause.weight)
    else if (denied > 0) say(idea, 'negative', denied * clause.weight)
  }
  // A question that does not ask for a call, a price or documents is only a question.
  if (clause.isQuestion && !isWish) say('asks', 'neutral', ASKED_POINTS)
}

const startsWithDenial = ({ text }: Sentence): boolean => people('denial').startsWith(text)
