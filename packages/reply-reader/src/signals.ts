import type { Clause, Sentence } from './clauses.ts'
import type { LearnedKind } from './model.ts'
import { isBreach, isOfOthers, isTimeTakenBack, optOuts, readOptOut, saysToStay } from './opt-outs.ts'
import { readPhraseSets } from './phrases.ts'

/** What the clauses of a reply say for each kind, in points. */

type Points = Record<LearnedKind, number>

const people = readPhraseSets('people.txt')
const classes = readPhraseSets('classes.txt')
const machine = readPhraseSets('machine.txt')

/** What a person says. `denied`: a "not" in the same clause turns it round, or takes it away. */
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
/** What a person wishes for, unless they had it already: "thank you for the presentation" asks for none. */
const WISHED = new Set(['meet', 'money', 'material', 'time'])
const ASKED_POINTS = 2.5
const FLAT_NO_POINTS = 6
const OPT_OUT_POINTS = 7
const BUYER_POINTS = 4
/** "Thanks", "Kind regards": a sentence of so few words adds nothing to another. */
const MOST_COURTEOUS_WORDS = 2

/** What a machine says; several of these make one. */
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
  /** True when it uses the words of an opt-out and means none. */
  isSpared: boolean
  /** True when an opt-out is asked for in words that mean nothing else. */
  isOutright: boolean
  /** True when somebody else is named instead. */
  isReferred: boolean
  /** True when a talk that was agreed on is called off. */
  isCalledOff: boolean
  /** What was said without the words that look like an opt-out and are none. */
  rest: string
}

/** `isDated`: the text names a day on which somebody is back. */
export function pointsOf(sentences: Sentence[], isDated = false): Points & OptOutSigns {
  const points = { opt_out: 0, positive: 0, negative: 0, neutral: 0, auto_reply: 0 }
  const best = new Map<string, number>()
  // Saying it three times is not three reasons.
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
    // "Interested? Not really." says what the answer says.
    const isDenied = sentence.isQuestion && next !== undefined && startsWithDenial(next)
    const read = readOptOut(sentence, told <= 1)
    // "Please remove Carla from cc. You can leave me on."
    const isForOthers = stays && (read.isMentioned || optOuts('take off').test(sentence.text)) && isOfOthers(sentence)
    const isPlain = isBreach(sentences, i) || isTimeTakenBack(sentences[i - 1], sentence)
    const isMeant = (read.isMeant && !isForOthers) || isPlain
    // "Stop sending me prices" names what was sold, and asks for none of it.
    const sayNoYes: typeof say = (idea, kind, value) => kind !== 'positive' && say(idea, kind, value)
    if (isDenied) say('denial', 'negative', 4)
    else for (const clause of sentence.clauses) readClause(clause, isMeant && optOuts('opt-out').test(clause.text) ? sayNoYes : say)
    // "The video was nice. No." is said with a full stop before and behind it.
    if (people('flat no').test(sentence.text)) say('denial', 'negative', FLAT_NO_POINTS)
    // Of a sentence that is meant nothing is left: should it be spared after all, it was said in fun.
    if (!isMeant && !isForOthers) rest += `${read.rest}. `
    // "How did you get my address? Delete it": what is to be deleted was named before.
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
  // "Stop it, that price can't be real. Send me the contract", "Stop, I love it": nobody who wants to be left alone speaks so.
  // Praise that comes first is a courtesy: "I read it with interest. Please take us off your list". A question is none.
  const isKeen =
    points.positive - praised >= BUYER_POINTS || sentences.some(({ text }, i) => i >= firstMeant && optOuts('delight').test(text))
  if (points.opt_out > 0 && !isOutright && isKeen && points.positive >= points.negative) {
    points.opt_out = 0
    isSpared = true
  }
  // "Sure, and I am the Pope": the yes is part of the joke.
  if (best.has('sarcasm negative')) points.positive *= BESIDE_SARCASM
  if (isDated) points.auto_reply += DATED_POINTS
  // No machine calls off a talk that was agreed on: "please cancel Friday, I am ill".
  if (best.has('spoken auto_reply') || best.has('calls off neutral')) points.auto_reply = Math.max(0, points.auto_reply - SPOKEN_POINTS)
  // A notice of absence names a later day and somebody else, too.
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
  // "Send it again on Monday" asks for a later time, not for papers.
  const isPast = people('past').test(text) || people('once more then').test(text)
  for (const { idea, kind, points, denied } of SAID) {
    if (!people(idea).test(text) || (isCalledOff && kind === 'positive') || (isPast && WISHED.has(idea))) continue
    isWish ||= kind === 'positive' && !isDenied
    if (denied === undefined || !isDenied) say(idea, kind, points * clause.weight)
    else if (denied > 0) say(idea, 'negative', denied * clause.weight)
  }
  // A question that asks neither for a talk nor for a price nor for papers is only a question.
  if (clause.isQuestion && !isWish) say('asks', 'neutral', ASKED_POINTS)
}

const startsWithDenial = ({ text }: Sentence): boolean => people('denial').startsWith(text)
