import { readLines } from './phrase-files.ts'

/** 'Our customers write "stop emailing me", and the old system goes on': a quote of others is not the request of the writer. */

const MARK = '"„“”«»'
const QUOTED = `[${MARK}][^${MARK}]{1,150}[${MARK}]`
let spoken: RegExp | undefined

/** "Your customers" can include the writer, and so can "I"; a quote addressed to "you" is the writer's request. */
function readSpoken(): RegExp {
  const audience = readLines('opt-outs.txt', 'audience').flat().join('|')
  return new RegExp(
    `(?<=^|[^\\p{L}])(?<!(?:your|ihrer?|eurer?|vos|sus?|tus?) )((?:${audience})(?![\\p{L}])[^.!?${MARK}]{0,80})${QUOTED}(?:[^.!?${MARK}]{0,20}${QUOTED}){0,3}`,
    'gu',
  )
}
const TO_YOU = /\b(?:i|we|you|ich|wir|ihnen|euch|je|vous|yo|usted|ustedes)\b/

/** "I say to you what our customers say." */
const FOR_YOU = /\b(?:to you|tell you|ihnen|euch|vous dis|je vous|les digo|le digo)\b[^.!?]*$/
const MAX_BEFORE_CHARS = 80

export function withoutReportedSpeech(folded: string): string {
  spoken ??= readSpoken()
  return folded.replace(spoken, (whole, subject: string, at: number) =>
    TO_YOU.test(subject) || FOR_YOU.test(folded.slice(Math.max(0, at - MAX_BEFORE_CHARS), at)) ? whole : subject,
  )
}
