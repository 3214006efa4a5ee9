import { isRecord } from '../lib/canonical-json.ts'
import type { Shell } from './shell.ts'

type Row = Record<string, unknown>

/** Characters that a terminal does not display but obeys: control characters, and marks that change the direction of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const OBEYED = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g

/** Strangers write names and subjects, so control characters are shown as escapes. */
export const harmless = (text: string): string =>
  text.replace(OBEYED, character => (character === '\n' || character === '\t' ? ' ' : '\ufffd'))

/** The same for a text of several lines, which stay lines. */
export const harmlessLines = (text: string): string[] => text.split(/\r\n|\r|\n/).map(harmless)

/** The last step of everything that is printed, so that nothing from a service or a file reaches the terminal unseen. */
export const printable = (text: string): string =>
  text.replaceAll('\r\n', '\n').replace(OBEYED, character => (character === '\n' ? character : harmless(character)))

/** JSON does not escape all of these characters; as escapes, they mean the same to a program and are harmless in a terminal. */
export const jsonText = (value: unknown, indent = 0): string => escaped(JSON.stringify(value, null, indent))

/** For texts in which these characters are only between double quotes. */
export const escaped = (text: string): string =>
  text.replace(OBEYED, character => (character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`))

export const isObeyed = (text: string): boolean => harmless(text) !== text.replaceAll('\n', ' ')

export const printJson = (shell: Shell, value: unknown): void => shell.print(jsonText(value, 2))

function shown(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (typeof value === 'object') return harmless(JSON.stringify(value))
  return harmless(String(value))
}

const LONGEST_CELL = 48
export const clip = (text: string, width: number): string => (text.length > width ? `${text.slice(0, width - 1)}…` : text)

export function printTable(shell: Shell, rows: readonly Row[], columns: readonly string[]): void {
  if (rows.length === 0) {
    shell.print('(none)')
    return
  }
  const cells = rows.map(row => columns.map(column => clip(shown(row[column]), column === 'id' ? 64 : LONGEST_CELL)))
  const widths = columns.map((column, at) => Math.max(column.length, ...cells.map(row => row[at]!.length)))
  const line = (row: readonly string[]): string =>
    row
      .map((cell, at) => cell.padEnd(widths[at]!))
      .join('  ')
      .trimEnd()
  shell.print([line(columns), ...cells.map(line)].join('\n'))
}

/** One line a field. Fields within fields are named as the flags name them (`schedule.timezone`), and lists of objects follow as tables. */
export function printRecord(shell: Shell, record: Row): void {
  const { lines, tables } = partsOf(record)
  const width = Math.max(0, ...lines.map(([name]) => name.length))
  shell.print(lines.map(([name, text]) => `${name.padEnd(width)}  ${text}`).join('\n'))
  for (const [name, rows] of tables) {
    shell.print(`\n${name}`)
    printTable(shell, rows, columnsOf(rows))
  }
}

function partsOf(record: Row, prefix = ''): { lines: [string, string][]; tables: [string, Row[]][] } {
  const lines: [string, string][] = []
  const tables: [string, Row[]][] = []
  for (const [key, value] of Object.entries(record).filter(([key]) => key !== 'links')) {
    // Strangers choose the names of variables, too.
    const name = harmless(`${prefix}${key}`)
    if (Array.isArray(value) && value.some(isRecord)) tables.push([name, value.filter(isRecord)])
    else if (Array.isArray(value)) lines.push([name, value.length === 0 ? '-' : value.map(shown).join(', ')])
    else if (!isRecord(value)) lines.push([name, shown(value)])
    else if (Object.keys(value).length === 0) lines.push([name, '-'])
    else {
      const inner = partsOf(value, `${name}.`)
      lines.push(...inner.lines)
      tables.push(...inner.tables)
    }
  }
  return { lines, tables }
}

const FIRST = ['id', 'seq', 'name', 'email', 'address', 'status', 'type', 'kind', 'action', 'subject', 'fromAddress', 'value', 'createdAt']
const MOST_COLUMNS = 6

/** The columns that distinguish the rows: known ones first, then all that are not objects. */
export function columnsOf(rows: readonly Row[]): string[] {
  const names = [...new Set(rows.flatMap(row => Object.keys(row)))].filter(name =>
    rows.some(row => row[name] !== null && typeof row[name] !== 'object'),
  )
  const known = FIRST.filter(name => names.includes(name))
  const others = names.filter(name => !FIRST.includes(name) && name !== 'workspaceId')
  return [...known, ...others].slice(0, MOST_COLUMNS)
}

const WIDTH = 24

/** A line on stderr that is overwritten again and again. Without a terminal, nothing is shown. */
export class Progress {
  readonly #shell: Shell
  readonly #what: string
  readonly #unit: string
  #isShown = false

  constructor(shell: Shell, what: string, unit: string) {
    this.#shell = shell
    this.#what = what
    this.#unit = unit
  }

  /** Without a total there is no bar, only the amount. */
  show(done: number, whole: number | null): void {
    if (!this.#shell.status) return
    const count = (number: number): string => number.toLocaleString('en')
    this.#isShown = true
    if (whole === null) {
      this.#shell.status(`${this.#what}: ${count(done)} ${this.#unit}`)
      return
    }
    const share = whole === 0 ? 1 : Math.min(1, done / whole)
    const filled = Math.round(share * WIDTH)
    const bar = '#'.repeat(filled) + '-'.repeat(WIDTH - filled)
    this.#shell.status(`${this.#what} [${bar}] ${count(Math.min(done, whole))} of ${count(whole)} ${this.#unit}`)
  }

  /** Prints an empty line before the next output. */
  end(): void {
    if (this.#isShown) this.#shell.status?.('')
    this.#isShown = false
  }
}

const EVERY_MS = 1500

/** Hears how far something has come, like `40 %`. */
type Note = (text: string) => void

/**
 * Prints the current step, and repeats it while it takes long, so that the start does not seem to hang. It prints whole lines,
 * because several things may be under way at once.
 */
export async function showProgress<T>(what: string, work: (note: Note) => Promise<T>): Promise<T> {
  const startedMs = performance.now()
  let note = ''
  console.log(`${what} ...`)
  const timer = setInterval(() => {
    console.log(`  ${what}: ${note}${note && ', '}${Math.round((performance.now() - startedMs) / 1000)} s`)
  }, EVERY_MS)
  try {
    return await work(text => {
      note = text
    })
  } finally {
    clearInterval(timer)
  }
}
