import { readLines } from './words.ts'

/** 'Our customers write "stop emailing me", and the old system goes on': what others say, in quotes, is not what the writer asks for. */

const AUDIENCE = readLines('opt-outs.txt', 'audience').flat().join('|')
const MARK = '"„“”«»'
const QUOTED = `[${MARK}][^${MARK}]{1,150}[${MARK}]`
/** "Your customers" may be the writer; so may be who says "I", and what is said to "you" is meant. */
const SPOKEN = new RegExp(
  `(?<=^|[^\\p{L}])(?<!(?:your|ihrer?|eurer?|vos|sus?|tus?) )((?:${AUDIENCE})(?![\\p{L}])[^.!?${MARK}]{0,80})${QUOTED}(?:[^.!?${MARK}]{0,20}${QUOTED}){0,3}`,
  'gu',
)
const TO_YOU = /\b(?:i|we|you|ich|wir|ihnen|euch|je|vous|yo|usted|ustedes)\b/

/** "I say to you what our customers say." */
const FOR_YOU = /\b(?:to you|tell you|ihnen|euch|vous dis|je vous|les digo|le digo)\b[^.!?]*$/
const MAX_BEFORE_CHARS = 80

export const withoutOthersWords = (folded: string): string =>
  folded.replace(SPOKEN, (whole, subject: string, at: number) =>
    TO_YOU.test(subject) || FOR_YOU.test(folded.slice(Math.max(0, at - MAX_BEFORE_CHARS), at)) ? whole : subject,
  )
