import { sentencesOf } from './clauses.ts'
import { findDays, type NamedDay, startOfDay } from './days.ts'
import { firstIndex } from './first-index.ts'
import { normalizeText } from './normalize.ts'
import { readPhraseSets } from './phrases.ts'

/** The return day of an absent person, in English, German, French and Spanish. */

const machine = readPhraseSets('machine.txt')

/** Words before the last day of an absence. */
const UNTIL =
  /\b(?:until|till|til|through|thru|bis(?: einschliesslich| inklusive| einschl\.?| inkl\.?)?(?: zum)?|jusqu'?(?:au|a|en)?|hasta|tot(?: en met)?|fino a(?:l|ll')?|ate(?: ao?)?|unavailable for|for the next|am out for|last day (?:away|off|out|of (?:my |our )?(?:leave|absence|holidays?|vacation|closure))|letzter? (?:urlaubs|abwesenheits|ferien|schliess)tag|dernier jour (?:de (?:conges?|vacances|fermeture)|d'absence)|ultimo dia (?:de (?:vacaciones|permiso|cierre|ausencia)|fuera))\b/g
/** Words before or after the day of return. */
const BACK =
  /\b(?:back|rejoin(?:s|ing)?|(?:read|check)(?:ing)? (?:my |any |the |your |all )?(?:(?:e-?)?mails?|inbox|messages)|return(?:ing|s)?|reopen(?:s|ing)?|re-open(?:s|ing)?|resum(?:e|es|ing)|available again|again|opens|deal with|dealt with|normal service|wieder|zuruck|ruckkehr|erst ab|ab dem|ab|erst|retour|reviens|reviend(?:ra|rai|rons)|revenons|reprend[a-z]*|reprenons|reprise|redemarr(?:e|era|ons|erons|age)|reouv[a-z]+|rouvr[a-z]+|joignable|a partir du|des le|vuelvo|volve(?:mos|re|remos|ra)|vuelta|regres(?:o|a|are|ara|amos|aremos)|reincorpor[a-z]+|reabr[a-z]+|reapertura|reanud[a-z]+|a partir del|de nouveau|de nuevo|prendrai connaissance|lirai|os leo|leere|retom[a-z]+|replies from|consulterai|see you|next (?:in|at work|at my desk|working)|pick up|processed|onwards|be read|gelesen|lese|lesen|(?:sera|seront) (?:pas )?lus?|(?:re)?incorpor(?:o|are|amos)|leido|leidos|reply(?:ing)?|respond(?:ing)?|answer(?:ing)?|beantworte[nt]?|antworte[nt]?|repond[a-z]*|traiter(?:ons|ai)|contestar[a-z]*|responder[a-z]*|atender[a-z]*|contesto|terug|weer|rientro|rientrero|torno|tornero|regresso|regressarei|volto)\b/g
/** "First working day of the new year is January 4": the day follows, and the new year is not one. */
const FIRST_DAY =
  /\b(?:first (?:working|business|office|regular) day(?: back)?(?: (?:of|in) (?:the )?new year)?|erster? (?:arbeits|werk|offnungs|geschafts)tag(?: (?:im|des) neuen jahr(?:es)?)?|premier jour (?:ouvre|ouvrable|travaille|de travail)(?: de (?:l'|la nouvelle )annee)?|primer dia (?:laborable|habil|de trabajo)(?: del (?:nuevo )?ano(?: nuevo)?)?)\b/g
/**
 * A person who "has left for vacation" and writes one of these returns. They are weaker than `BACK`: "replies from 9 to 5" and "ab
 * Montag" can also be opening hours.
 */
const COMES_BACK =
  /(?<!\b(?:not|never|get|come|write|nicht|pas|no) )\b(?:back (?:on|in|at|by|from|\d+|[a-z]+ \d+)|return(?:ing|s)? (?:on|in|by|from|next|\d+|[a-z]+ \d+|to (?:the |my )?(?:office|work|desk))|zuruck|ruckkehr|wieder (?:da|hier|im|am|in|ab|erreichbar)|de retour|reviens|reviendrai|vuelvo|volvere|regreso|regresare|reincorporo)\b/
/** An office that reopens says so next to its hours, and then the date counts. */
const REOPENS =
  /\b(?:re-?open(?:s|ing)?|open again|rouvr(?:ons|irons|e|ira)|reabr(?:imos|iremos|e|ira)|volve(?:mos|remos) a abrir|offnen (?:wir )?wieder|wieder (?:geoffnet|offen))\b/
/** Words between the two days of a range. */
const RANGE =
  /^\s*,?\s*(?:-|–|to|bis|until|through|tot|t\/m|au|al|ao|a)\s*(?:zum |einschliesslich |including |and including |the |le |el |den )*$/
const MAX_DISTANCE_CHARS = 60

/**
 * The named day, as YYYY-MM-DD; the latest if there are several ("from 9 until 18 February"). Most wordings leave open whether the
 * person works on that day, so callers wait for the next one.
 */
export function findReturnDate(text: string, writtenAt: Date): string | null {
  const today = startOfDay(writtenAt)
  const sentences = [...datedSentences(text, writtenAt)].filter(({ sentence, days }) => !isAboutOtherDays(sentence, days))
  const latestOf = (daysOf: (sentence: string, days: NamedDay[]) => NamedDay[]): number =>
    sentences
      .flatMap(({ sentence, days }) => daysOf(sentence, days))
      .reduce((latest, { day }) => (day >= today ? Math.max(latest, day) : latest), 0)
  const latest = latestOf(daysOfReturn) || latestOf(daysOfAbsence)
  return latest === 0 ? null : isoDay(latest)
}

/** "We are open Monday to Friday" and "she retired in December" name days that are not returns. */
function isAboutOtherDays(folded: string, days: NamedDay[]): boolean {
  if (folded.search(UNTIL) >= 0 || COMES_BACK.test(folded)) return false
  if (REOPENS.test(folded) && days.some(({ at, end }) => /\d/.test(folded.slice(at, end)))) return false
  const sentences = sentencesOf(folded)
  const speaksOf = (...ideas: string[]) => sentences.some(({ text }) => ideas.some(idea => machine(idea).test(text)))
  return speaksOf('hours', 'left') && !speaksOf('absent', 'closed')
}

/** "Not in the office on Thursday and Friday" names the absence, not the return. */
function daysOfAbsence(sentence: string, days: NamedDay[]): NamedDay[] {
  const isAbsence = sentencesOf(sentence).some(({ text }) => machine('absent').test(text) || machine('closed').test(text))
  return isAbsence ? days.filter(({ at }) => !SINCE.test(sentence.slice(Math.max(0, at - MAX_SINCE_CHARS), at))) : []
}

/** A day on which something started is in the past. */
const SINCE = /\b(?:since|as of|seit|depuis|desde)(?: the| dem| le| el)? ?$/
const MAX_SINCE_CHARS = 20

export const isoDay = (day: number): string => new Date(day).toISOString().slice(0, 10)

/** A full stop after a number or an abbreviation in dates does not end a sentence. */
const SENTENCE_END =
  /[!?\n]|(?<!\d|\b(?:inkl|einschl|incl|inc|ca|approx|mon|tues?|wed|thurs?|fri|mo|di|mi|do|fr|jan|feb|apr|aug|sept?|oct|okt|nov|dec|dez))\. |(?<=\d{4})\. /g

/** The normalized sentences that name a day, with the positions of the days. */
export function* datedSentences(text: string, writtenAt: Date): Generator<{ sentence: string; days: NamedDay[] }> {
  const folded = normalizeText(text)
  const found = findDays(folded, writtenAt)
  let next = 0
  let start = 0
  for (const end of [...folded.matchAll(SENTENCE_END)].map(match => match.index).concat(folded.length)) {
    const days: NamedDay[] = []
    for (; next < found.length && (found[next] as NamedDay).at < end; next++) {
      const day = found[next] as NamedDay
      days.push({ ...day, at: day.at - start, end: day.end - start })
    }
    if (days.length > 0) yield { sentence: folded.slice(start, end), days }
    start = end + 1
  }
}

function daysOfReturn(sentence: string, days: NamedDay[]): NamedDay[] {
  if (days.length === 0) return []
  const chosen = days.filter((day, i) => {
    const before = days[i - 1]
    if (day.endsRange) return true
    return before !== undefined && day.at - before.end < MAX_DISTANCE_CHARS && RANGE.test(sentence.slice(before.end, day.at))
  })
  for (const cue of sentence.matchAll(FIRST_DAY)) {
    const end = cue.index + cue[0].length
    const next = days[indexAfter(days, end)]
    if (next && next.at - end <= MAX_DISTANCE_CHARS) chosen.push(next)
  }
  for (const cue of sentence.matchAll(UNTIL)) {
    const next = days[indexAfter(days, cue.index)]
    if (next && next.at - cue.index <= MAX_DISTANCE_CHARS) chosen.push(next)
  }
  for (const cue of sentence.matchAll(BACK)) {
    const index = indexAfter(days, cue.index)
    const [before, next] = [days[index - 1], days[index]]
    if (next && next.at - cue.index <= MAX_DISTANCE_CHARS) chosen.push(next)
    else if (before && cue.index - before.end <= MAX_DISTANCE_CHARS) chosen.push(before)
  }
  return chosen
}

/** The first day that ends after a position: "ab Mai" is both the cue and the day. */
const indexAfter = (days: NamedDay[], at: number): number => firstIndex(days.length, index => (days[index] as NamedDay).end > at)
