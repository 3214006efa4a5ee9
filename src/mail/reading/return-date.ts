import { DAY_MS } from '../../lib/time.ts'

/** When somebody who is away says they will be back, in English, German, French and Spanish. */

const MONTHS = [
  'jan january januar janner janvier janv enero ene',
  'feb february februar fevrier fevr febrero',
  'mar march marz maerz mars marzo',
  'apr april avril avr abril abr',
  'may mai mayo',
  'jun june juni juin junio',
  'jul july juli juillet juil julio',
  'aug august aout agosto ago',
  'sep sept september septembre septiembre setiembre',
  'oct okt october oktober octobre octubre',
  'nov november novembre noviembre',
  'dec dez december dezember decembre diciembre dic',
].map(names => names.split(' '))
const WEEKDAYS = [
  'sunday sun sonntag dimanche domingo',
  'monday mon montag lundi lunes',
  'tuesday tue dienstag mardi martes',
  'wednesday wed mittwoch mercredi miercoles',
  'thursday thu donnerstag jeudi jueves',
  'friday fri freitag vendredi viernes',
  'saturday sat samstag samedi sabado',
].map(names => names.split(' '))

const month = `(${MONTHS.flat()
  .sort((a, b) => b.length - a.length)
  .join('|')})`
const weekday = `(${WEEKDAYS.flat()
  .sort((a, b) => b.length - a.length)
  .join('|')})`

/** The words that announce the date of return. A date without one of these may be anything. */
const CUE = new RegExp(
  `\\b(${[
    'until|till|til|through|thru|back(?: in(?: the)? office| at work| at my desk)?|return(?:ing|s)?|again|available',
    'bis(?: einschliesslich| inklusive)?(?: zum)?|ab(?: dem)?|wieder|zuruck|erst',
    "de retour|retour|jusqu'(?:au|a)|jusqu|reviens|reviendrai|reprends?|a partir du|des le",
    'hasta|vuelvo|vuelta|volvere|regreso|regresare|reincorporo|a partir del',
  ].join('|')})\\b`,
  'g',
)

const DATE_FORMS: { pattern: RegExp; read: (match: RegExpMatchArray) => PlainDay | null }[] = [
  { pattern: /\b(\d{4})-(\d{2})-(\d{2})\b/, read: m => ({ year: num(m[1]), month: num(m[2]), day: num(m[3]) }) },
  {
    pattern: new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th|er|\\.)?(?: of| de)? ${month}\\b\\.?(?:,? (?:de(?:l)? )?(\\d{4}))?`),
    read: m => ({ year: m[3] ? num(m[3]) : null, month: monthOf(m[2]), day: num(m[1]) }),
  },
  {
    pattern: new RegExp(`\\b${month}\\.? (\\d{1,2})(?:st|nd|rd|th)?\\b(?:,? (\\d{4}))?`),
    read: m => ({ year: m[3] ? num(m[3]) : null, month: monthOf(m[1]), day: num(m[2]) }),
  },
  {
    pattern: /\b(\d{1,2})\.\s?(\d{1,2})\.(?:\s?(\d{4}|\d{2})\b)?/,
    read: m => ({ year: yearOf(m[3]), month: num(m[2]), day: num(m[1]) }),
  },
  {
    pattern: /\b(\d{1,2})[/-](\d{1,2})(?:[/-](\d{4}|\d{2}))?\b/,
    read: m => ({
      year: yearOf(m[3]),
      month: num(m[2]),
      day: num(m[1]),
      ambiguous: num(m[1]) <= 12 && num(m[2]) <= 12,
    }),
  },
]

const NAMED_DAY = new RegExp(`^\\W*(?:(?:on|in|next|am|dem|den|le|el|proximo|kommenden|the office|office|at) )*${weekday}\\b`)

interface PlainDay {
  year: number | null
  month: number
  day: number
  /** Written with slashes and both numbers could be the month. */
  ambiguous?: boolean
}

const LONGEST_DAYS = 400

/**
 * The day that is named, as YYYY-MM-DD; the latest when there are several ("from 9 until 18 February"). Whether the
 * person is at their desk on that very day is left open by most ways of saying it, so wait for the day after.
 */
export function findReturnDate(text: string, writtenAt: Date): string | null {
  const plain = foldText(text)
  let latest: number | null = null
  for (const cue of plain.matchAll(CUE)) {
    const after = plain.slice(cue.index + cue[0].length, cue.index + cue[0].length + 50).split(/[!?\n]|(?<!\d)\. (?=[a-z])/)[0] ?? ''
    const day = readDay(after, writtenAt)
    if (day !== null) latest = Math.max(latest ?? day, day)
  }
  return latest === null ? null : new Date(latest).toISOString().slice(0, 10)
}

function readDay(text: string, writtenAt: Date): number | null {
  const today = Date.UTC(writtenAt.getUTCFullYear(), writtenAt.getUTCMonth(), writtenAt.getUTCDate())
  let best: { at: number; day: number } | null = null
  for (const form of DATE_FORMS) {
    const match = form.pattern.exec(text)
    if (!match || (best && match.index >= best.at)) continue
    const read = form.read(match)
    const day = read && resolve(read, today)
    if (day !== null) best = { at: match.index, day }
  }
  if (best) return best.day
  if (/^\W*(?:on |again )?(?:tomorrow|morgen|demain|manana)\b/.test(text)) return today + DAY_MS
  if (/^\W*(?:next week|nachste[rn]? woche|la semaine prochaine|la (?:proxima semana|semana que viene))/.test(text)) {
    return nextWeekday(today, 1)
  }
  const named = NAMED_DAY.exec(text)
  return named
    ? nextWeekday(
        today,
        WEEKDAYS.findIndex(names => names.includes(named[1] as string)),
      )
    : null
}

function resolve(read: PlainDay, today: number): number | null {
  const readings = read.ambiguous ? [read, { ...read, month: read.day, day: read.month }] : [read]
  const days = readings
    .map(reading => nearest(reading, today))
    .filter(day => day !== null && day >= today && day <= today + LONGEST_DAYS * DAY_MS)
  return days.length > 0 ? Math.min(...(days as number[])) : null
}

/** A day without a year is the next one there is. */
function nearest({ year, month: m, day }: PlainDay, today: number): number | null {
  const thisYear = new Date(today).getUTCFullYear()
  for (const candidate of year === null ? [thisYear, thisYear + 1] : [year]) {
    const time = Date.UTC(candidate, m - 1, day)
    const valid = m >= 1 && m <= 12 && new Date(time).getUTCDate() === day
    if (valid && (year !== null || time >= today)) return time
  }
  return null
}

function nextWeekday(today: number, index: number): number {
  const ahead = (index - new Date(today).getUTCDay() + 7) % 7
  return today + (ahead === 0 ? 7 : ahead) * DAY_MS
}

/** Lower case without accents, straight quotes, single spaces: what the rules of all four languages are written in. */
export function foldText(text: string): string {
  return (
    text
      .toLowerCase()
      .replaceAll('ß', 'ss')
      // Before as well as after: to bring a long run of them into order takes the square of its length.
      .replace(/\p{M}+/gu, '')
      .normalize('NFD')
      .replace(/\p{M}+/gu, '')
      .replace(/[\u2018\u2019\u00b4`]/g, "'")
      .replace(/[^\S\n]+/g, ' ')
  )
}

const num = (text: string | undefined) => Number(text)
const yearOf = (text: string | undefined) => (text ? (text.length === 2 ? 2000 + Number(text) : Number(text)) : null)
const monthOf = (name: string | undefined) => MONTHS.findIndex(names => names.includes(name ?? '')) + 1
