import { readMeanings } from './phrase-files.ts'

/** The days in a normalized text in English, German, French or Spanish, relative to its date. */

const DAY_MS = 86_400_000

export interface NamedDay {
  at: number
  end: number
  /** Midnight, UTC. */
  day: number
  /** The last day of several: "9-20 February". */
  endsRange?: true
}

const MONTHS = readMeanings('months.txt')
const WEEKDAYS = readMeanings('weekdays.txt')
const COUNTS = readMeanings('counts.txt')
const TIMES = readMeanings('times.txt')

const oneOf = (words: ReadonlyMap<string, string>): string =>
  `(${[...words.keys()].sort((a, b) => b.length - a.length || (a < b ? -1 : 1)).join('|')})`
const month = oneOf(MONTHS)
const weekday = oneOf(WEEKDAYS)
const count = `(?:${oneOf(COUNTS).slice(1, -1)}|\\d{1,2})`
/** Only the full name of a month can be used without a day. */
const SHORT_NAMES = /^(?:janv?|fevr?|avr|juil|sept|ene|[a-z]{3})$/
const lone = `(${[...MONTHS.keys(), 'may', 'mai']
  .filter(name => !SHORT_NAMES.test(name) || name.startsWith('ma'))
  // Marco is also a name.
  .filter(name => name !== 'mar' && name !== 'marco')
  .join('|')})`

const LONGEST_DAYS = 400
const ORDINAL = '(?:st|nd|rd|th|er|\\.)?'
const UNIT =
  '(days?|tage?n?|jours?|dias?|weeks?|wochen?|semaines?|semanas?|months?|monat(?:e|en)?|mois|mes|meses|years?|jahren?|ans?|anos?)'
const YEAR = '(?:,? (?:de(?:l)? )?(\\d{4}))?'

/** The first forms, this many, name the last day of a range. */
const RANGE_FORMS = 4

type Reader = (match: RegExpMatchArray, from: Anchor) => number | null

/** If two forms match the same words, the earlier one wins. */
const FORMS: [source: string, read: Reader][] = [
  [
    `\\b(?:between|zwischen|entre) (?:the |dem |le |el )?\\d{1,2}${ORDINAL} (?:and|und|et|y) (?:the |dem |le |el )?(\\d{1,2})${ORDINAL}(?: of| de)? ?${month}\\b\\.?${YEAR}`,
    (m, from) => from.date(Number(m[1]), numberOf(MONTHS, m[2]), yearOf(m[3])),
  ],
  // Without a month. In English, hours are also written like this, without anything after the number.
  [
    `\\b(?:from (?:the )?\\d{1,2}(?:st|nd|rd|th) (?:to|until|till|through) (?:the )?(\\d{1,2})(?:st|nd|rd|th)|(?:vom \\d{1,2}\\. bis (?:zum )?|du \\d{1,2} au |del \\d{1,2} al )(\\d{1,2})\\b)(?![\\d:/]|\\.\\d| ?(?:h|uhr|of|de|${month})\\b|\\. ?${month}\\b)`,
    (m, from) => from.dayOfMonth(Number(m[1] ?? m[2])),
  ],
  [
    `\\b\\d{1,2}(?:st|nd|rd|th|er|\\.)? ?(?:-|–|to|al|au|bis|through|until) ?(?:the |le |el |zum )?(?:(?:${weekday.slice(1, -1)}),? (?:the |den |dem )?)?(\\d{1,2})(?:st|nd|rd|th|er|\\.)?(?: of| de)? ?${month}\\b\\.?${YEAR}`,
    (m, from) => from.date(Number(m[1]), numberOf(MONTHS, m[2]), yearOf(m[3])),
  ],
  [
    `\\b${month}\\.? (\\d{1,2})(?:st|nd|rd|th)? ?(?:-|–|to|through|until) ?(\\d{1,2})(?:st|nd|rd|th)?\\b(?! ?[a-z:]*m\\b)${YEAR}`,
    (m, from) => from.date(Number(m[3]), numberOf(MONTHS, m[1]), yearOf(m[4])),
  ],
  [
    `\\b\\d{1,2}${ORDINAL} (?:and|und|et|y) (?:the |dem |le |el )?(\\d{1,2})${ORDINAL}(?: of| de)? ?${month}\\b\\.?${YEAR}`,
    (m, from) => from.date(Number(m[1]), numberOf(MONTHS, m[2]), yearOf(m[3])),
  ],
  ['\\b(\\d{4})-(\\d{2})-(\\d{2})\\b', (m, from) => from.date(Number(m[3]), Number(m[2]), Number(m[1]))],
  [
    `\\b(\\d{1,2})(?:st|nd|rd|th|er|\\.)?(?: of| de)?[ -]?${month}\\b\\.?(?:-(\\d{4})\\b|${YEAR})`,
    (m, from) => from.date(Number(m[1]), numberOf(MONTHS, m[2]), yearOf(m[3] ?? m[4])),
  ],
  [
    `\\b${month}\\.? (?:the )?(\\d{1,2})(?:st|nd|rd|th)?\\b${YEAR}`,
    (m, from) => from.date(Number(m[2]), numberOf(MONTHS, m[1]), yearOf(m[3])),
  ],
  ['\\b(\\d{1,2})\\.\\s?(\\d{1,2})\\.(?:\\s?(\\d{4}|\\d{2})\\b)?', (m, from) => from.dotted(Number(m[1]), Number(m[2]), yearOf(m[3]))],
  ['\\b(\\d{1,2})\\.(0[1-9]|1[0-2])\\b(?![.:]\\d| ?(?:h|uhr|%|€|eur|am|pm)\\b)', (m, from) => from.date(Number(m[1]), Number(m[2]), null)],
  // In "16/2-20/2", the dash belongs to neither day. "9-17 Uhr" are hours.
  [
    '\\b(\\d{1,2})([/-])(\\d{1,2})(?:\\2(\\d{4}|\\d{2}))?\\b(?! ?(?:uhr|hrs?|hours|heures|horas|h|am|pm)\\b)',
    (m, from) => from.slashed(Number(m[1]), Number(m[3]), yearOf(m[4])),
  ],
  [
    `\\b(all of|rest of|throughout|den ganzen|todo|tout|early|mid|late|end of|middle of|beginning of|start of|the first of|(?:first|1st) week (?:of|in)|ersten? woche im|premiere semaine de|primera semana de|anfang|mitte|ende|debut|mi|fin|principios de|mediados de|finales de)[ -](?:of |el mes de |le mois de )?${lone}${YEAR}\\b`,
    (m, from) => from.partOf(m[1] as string, numberOf(MONTHS, m[2]), yearOf(m[3])),
  ],
  [
    '\\b(?:early|beginning of|start of|anfang|debut|principios de|in|en|bis|until|im jahr|jahr) (20\\d\\d)\\b',
    (m, from) => from.date(1, 1, Number(m[1])),
  ],
  [
    `\\b(?:in|for|until|till|til|by|from|before|after|through|next|im|ab|bis|nach|vor|seit|en|jusqu'en|d'ici|avant|apres|pour|a partir de|hasta|desde|antes de|para|despues de|este|proximo|kommenden|nachsten|erst|returning|back|during|around|every|each|jeden|chaque|cada|durante|voraussichtlich|retour|auf) (?:early |late |the |le (?:mois de )?|el (?:mes de )?|in |im |en )?${lone}\\b(?! \\d{1,2}\\b)${YEAR}`,
    (m, from) => from.date(1, numberOf(MONTHS, m[1]), yearOf(m[2])),
  ],
  [`\\b${lone} (?:is|would|works|ist|ware|passt|est|serait|es|seria)\\b`, (m, from) => from.date(1, numberOf(MONTHS, m[1]), null)],
  [`\\b${month}\\.? (?:de(?:l)? )?(20\\d\\d)\\b`, (m, from) => from.date(1, numberOf(MONTHS, m[1]), Number(m[2]))],
  ['\\b(?:kw|kalenderwoche) ?(\\d{1,2})\\b', (m, from) => from.week(Number(m[1]))],
  [`\\b${oneOf(TIMES)}\\b`, (m, from) => from.named(TIMES.get(m[1] as string) as string)],
  [
    `\\b(?:in|for|give (?:me|us)|geben sie (?:mir|uns)|gib mir|(?:laissez|donnez)[- ](?:moi|nous)|d[ae](?:me|nos)|dadme|dans|en|dentro de|d'ici|for the next|the next|nachsten|pendant|for another|fur|after|nach|durante|pour) (?:about |etwa |ca |the next |den nachsten |les |las proximas |los proximos )?(${count})(?: prochain[es]*| proxim[ao]s| next| nachsten| kommenden)? ${UNIT}\\b`,
    (m, from) => from.ahead(countOf(m[1] as string), m[2] as string),
  ],
  [
    `\\b(${count}) ${UNIT}(?:'s?)? (?:from (?:now|today)|time|out|off|away|(?:of )?leave|im urlaub|urlaub|abwesend|weg|nicht|frei|de vacances|de conges?|d'absence|de vacaciones|de permiso|fuera)\\b`,
    (m, from) => from.ahead(countOf(m[1] as string), m[2] as string),
  ],
  [
    `\\b${weekday},? (?:the |den |dem |le |el )?(\\d{1,2})(?:st|nd|rd|th|\\.)?(?![\\d:]| ?(?:h|uhr|am|pm|min|${month})\\b)`,
    (m, from) => from.dayOfMonth(Number(m[2])),
  ],
  [`\\b${weekday}\\b`, (m, from) => from.weekday(numberOf(WEEKDAYS, m[1]))],
  [
    `\\b(?:the|le|el|el dia|dia|am|den|dem|du|au|al|del|zum|(?:mon|tue|sat|sun),?(?= \\d{1,2}(?:st|nd|rd|th)\\b)) (\\d{1,2})(?:st|nd|rd|th|er|\\.)?(?![\\d:/]|\\.\\d| ?(?:h|uhr|am|pm|min|minut[a-z]*|%|-|${month}|jahre?|tage?|days?|jours?|dias?)\\b)`,
    (m, from) => from.dayOfMonth(Number(m[1])),
  ],
]
const PATTERNS = FORMS.map(([source, read], i) => ({ pattern: new RegExp(source, 'g'), read, endsRange: i < RANGE_FORMS }))

/** Every form contains one of these. Most texts name no day, which this single pattern detects. */
const ANY_DAY = new RegExp(`\\d|\\b(?:${[MONTHS, WEEKDAYS, TIMES].map(oneOf).join('|')}|${UNIT})\\b`)

const numberOf = (words: ReadonlyMap<string, string>, word: string | undefined): number => Number(words.get(word ?? ''))
const countOf = (word: string): number => Number(COUNTS.get(word) ?? word)
const yearOf = (text: string | undefined): number | null => (text ? Number(text) + (text.length === 2 ? 2000 : 0) : null)

/** All named days, in the order of the text; none is much more than a year away. */
export function findDays(folded: string, writtenAt: Date): NamedDay[] {
  if (!ANY_DAY.test(folded)) return []
  const from = new Anchor(writtenAt, slashOrderOf(folded))
  const taken = new Uint8Array(folded.length)
  const found: NamedDay[] = []
  for (const { pattern, read, endsRange } of PATTERNS) {
    for (const match of folded.matchAll(pattern)) {
      const end = match.index + match[0].length
      if (taken[match.index] || taken[end - 1]) continue
      taken.fill(1, match.index, end)
      const day = read(match, from)
      if (day !== null && Math.abs(day - from.today) <= LONGEST_DAYS * DAY_MS) {
        found.push({ at: match.index, end, day, ...(endsRange ? { endsRange } : {}) })
      }
    }
  }
  return withoutWeekdaysOfDates(
    found.sort((a, b) => a.at - b.at),
    folded,
  )
}

/** "Monday, 2 March" is one day. */
const withoutWeekdaysOfDates = (days: NamedDay[], folded: string): NamedDay[] =>
  days.filter(({ at, end }, i) => {
    const next = days[i + 1]
    if (!next || next.at - end > 8 || !WEEKDAYS.has(folded.slice(at, end))) return true
    return !/^[\s,(]*(?:(?:the|der|den|dem|le|el|on)\s)?$/.test(folded.slice(end, next.at))
  })

type SlashOrder = 'day first' | 'month first' | 'unknown'

/** The order of "03/04" according to other dates of the text, or else its language. */
function slashOrderOf(folded: string): SlashOrder {
  for (const [, first, second] of folded.matchAll(/\b(\d{1,2})\/(\d{1,2})\b/g)) {
    if (Number(first) > 12) return 'day first'
    if (Number(second) > 12) return 'month first'
  }
  if (/\b(?:ich|bis|und|wieder|je|jusqu|retour|du|au|el|hasta|vuelvo|regreso|del|annual leave|bank holiday|diary)\b/.test(folded))
    return 'day first'
  return /\b(?:pto|vacation|thanksgiving|labor day|memorial day|traveling)\b/.test(folded) ? 'month first' : 'unknown'
}

export const startOfDay = (time: Date): number => Date.UTC(time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate())

/** The date of the message, and the days relative to it. */
class Anchor {
  readonly today: number
  readonly #order: SlashOrder

  constructor(writtenAt: Date, order: SlashOrder) {
    this.today = startOfDay(writtenAt)
    this.#order = order
  }

  get #parts(): [year: number, month: number, day: number] {
    const today = new Date(this.today)
    return [today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate()]
  }

  /** A day without a year is the next such day. */
  date(day: number, monthNumber: number, year: number | null): number | null {
    const [thisYear] = this.#parts
    for (const candidate of year === null ? [thisYear, thisYear + 1] : [year]) {
      const time = Date.UTC(candidate, monthNumber - 1, day)
      const isReal = monthNumber >= 1 && monthNumber <= 12 && new Date(time).getUTCDate() === day
      if (isReal && (year !== null || time >= this.today)) return time
    }
    return null
  }

  slashed(first: number, second: number, year: number | null): number | null {
    const dayFirst = this.date(first, second, year)
    const monthFirst = this.date(second, first, year)
    // If there is no such month, the order is reversed.
    if (this.#order !== 'unknown') return this.#order === 'day first' ? (dayFirst ?? monthFirst) : (monthFirst ?? dayFirst)
    const ahead = [dayFirst, monthFirst].filter(day => day !== null && day >= this.today) as number[]
    return ahead.length > 0 ? Math.min(...ahead) : null
  }

  /** The day comes first, unless the month would be invalid. */
  dotted(first: number, second: number, year: number | null): number | null {
    return second > 12 ? this.date(second, first, year) : this.date(first, second, year)
  }

  partOf(part: string, monthNumber: number, year: number | null): number | null {
    if (/^(?:mid|mi|mitte|mediados|middle)/.test(part)) return this.date(15, monthNumber, year)
    if (/^(?:early|anfang|debut|beginning|start|principios|the first|first|1st|erste|premiere|primera)/.test(part))
      return this.date(1, monthNumber, year)
    const first = this.date(28, monthNumber, year)
    return first === null ? null : lastOfMonth(first)
  }

  dayOfMonth(day: number): number | null {
    const [year, monthIndex] = this.#parts
    for (const ahead of [0, 1, 2]) {
      const time = Date.UTC(year, monthIndex + ahead, day)
      if (day >= 1 && new Date(time).getUTCDate() === day && time >= this.today) return time
    }
    return null
  }

  weekday(index: number): number {
    const ahead = (index - new Date(this.today).getUTCDay() + 7) % 7
    return this.today + (ahead === 0 ? 7 : ahead) * DAY_MS
  }

  /** The Monday of a calendar week; the week of 4 January is the first. */
  week(number: number): number | null {
    if (number < 1 || number > 53) return null
    const [thisYear] = this.#parts
    const mondays = [thisYear, thisYear + 1].map(year => {
      const fourth = Date.UTC(year, 0, 4)
      return fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * DAY_MS + (number - 1) * 7 * DAY_MS
    })
    return mondays.find(monday => monday + 6 * DAY_MS >= this.today) ?? null
  }

  ahead(number: number, unit: string): number {
    const [year, monthIndex, day] = this.#parts
    if (/^(?:day|tag|jour|dia)/.test(unit)) return this.today + number * DAY_MS
    if (/^(?:week|woch|sem)/.test(unit)) return this.today + number * 7 * DAY_MS
    const months = /^m/.test(unit) ? number : number * 12
    return Math.min(Date.UTC(year, monthIndex + months, day), lastOfMonth(Date.UTC(year, monthIndex + months, 1)))
  }

  /** See `words/times.txt`. */
  named(meaning: string): number | null {
    const [year, monthIndex] = this.#parts
    const quarter = Math.floor(monthIndex / 3) * 3
    switch (meaning) {
      case 'day+1':
        return this.today + DAY_MS
      case 'day+2':
        return this.today + 2 * DAY_MS
      case 'day+14':
        return this.today + 14 * DAY_MS
      case 'week+1':
        return this.weekday(1)
      case 'week-end':
        return this.today + ((5 - new Date(this.today).getUTCDay() + 7) % 7) * DAY_MS
      case 'month+6':
        return this.ahead(6, 'months')
      case 'month+1':
        return Date.UTC(year, monthIndex + 1, 1)
      case 'quarter+1':
        return Date.UTC(year, quarter + 3, 1)
      case 'year+1':
        return Date.UTC(year + 1, 0, 1)
      case 'month-end':
        return lastOfMonth(this.today)
      case 'quarter-end':
        return lastOfMonth(Date.UTC(year, quarter + 2, 1))
      case 'year-end':
        return Date.UTC(year, 11, 31)
      case 'easter':
        return [year, year + 1].map(dayAfterEaster).find(day => day >= this.today) as number
      default:
        return this.date(Number(meaning.slice(3)), Number(meaning.slice(0, 2)), null)
    }
  }
}

const lastOfMonth = (day: number): number => Date.UTC(new Date(day).getUTCFullYear(), new Date(day).getUTCMonth() + 1, 0)

/** The Tuesday after Easter, when people are back, by the Meeus/Jones version of Gauss's algorithm. */
function dayAfterEaster(year: number): number {
  const a = year % 19
  const b = Math.floor(year / 100)
  const c = year % 100
  const d = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30
  const e = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - d - (c % 4)) % 7
  const f = d + e - 7 * Math.floor((a + 11 * d + 22 * e) / 451) + 114
  return Date.UTC(year, Math.floor(f / 31) - 1, (f % 31) + 1) + 2 * DAY_MS
}
