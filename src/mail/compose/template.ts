import { Context, Liquid, type Template } from 'liquidjs'
import { hash32 } from '../../lib/ids.ts'
import { isBlank } from '../../lib/storable-text.ts'

/**
 * The templates of steps: Liquid with spintax.
 *
 * A template is written by a user of the workspace and filled with data about strangers, so it is treated as hostile
 * twice over: it reads no files and reaches no prototypes. Liquid checks its limits only between two tags, so a single
 * slow filter would not be stopped: except in tests, templates are rendered in the thread of `RenderDesk`, which has a budget.
 */

/** A variable the template needs has no value, and there is no `default`: this lead cannot be written to. */
export class MissingVariable extends Error {
  override readonly name = 'MissingVariable'
  readonly variable: string
  constructor(variable: string) {
    super(`The variable "${variable}" has no value and no fallback. Give it one: ${withFallback(variable)}`)
    this.variable = variable
  }
}

const FALLBACKS: Readonly<Record<string, string>> = {
  firstName: 'there',
  fullName: 'there',
  company: 'your company',
  jobTitle: 'your role',
}

/** The variable with a fallback that reads well in most sentences. */
export const withFallback = (variable: string): string => `{{ ${variable} | default: "${FALLBACKS[variable] ?? 'something'}" }}`

/** The template itself is wrong or too expensive: no lead can be emailed until it is changed. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError'
  /** It exceeded its budget of time or memory. */
  readonly isHeavy: boolean
  constructor(message: string, isHeavy = false) {
    super(message)
    this.isHeavy = isHeavy
  }
}

export const TAKES_TOO_LONG = 'The template takes too long to render'
export const TAKES_TOO_MUCH = 'The template uses too much memory'

interface RenderOptions {
  /** The send's id: the same send always picks the same spintax options. */
  spintaxSeed: string
  /** `html` escapes every value that is put in. Default: `text`. */
  format?: 'text' | 'html'
  /** The value of `'now' | date`. Without it, the template uses the real time. */
  now?: Date
}

const PARSE_LIMIT_CHARS = 200_000
const MEMORY_LIMIT = 2_000_000
const OUTPUT_LIMIT_CHARS = 500_000
/** Texts, outputs and tags, each time that a loop comes to them. The largest body without a loop has less than half of this. */
const MOST_STEPS = 50_000
const MOST_CPU_MICROS = 250_000
/** Few templates have so many steps: the others never ask for the time. */
const STEPS_BETWEEN_LOOKS = 50
/** The limit for all parsed templates of a format that are kept, together. */
const CACHED_CHARS = 2_000_000

const engines = { text: makeEngine('text'), html: makeEngine('html') }
interface Parsed {
  template: Template[]
  groups: number[]
}

/** By the text itself: a longer key would have to be put together and hashed for every message. */
const caches = { text: { parsed: new Map<string, Parsed>(), chars: 0 }, html: { parsed: new Map<string, Parsed>(), chars: 0 } }

export function renderTemplate(source: string, variables: Record<string, unknown>, options: RenderOptions): string {
  const format = options.format ?? 'text'
  return inOurWords(() => {
    const { template, groups } = parse(source, format)
    const scope = {
      ...(withoutEmpty(variables, 3) as Record<string, unknown>),
      ...spintaxChoices(groups, options.spintaxSeed),
      _now: options.now?.getTime() ?? null,
    }
    const output = engines[format].renderSync(template, contextOf(scope, engines[format])) as string
    if (output.length > OUTPUT_LIMIT_CHARS) throw new TemplateError('The result is too long', true)
    return output
  })
}

/**
 * Liquid itself stops by the clock, so a busy machine would refuse a template that a quiet one sends. It checks the limit at every step, so
 * the steps are counted instead, and now and then the processor time of this thread, because a step may compare long texts.
 */
function contextOf(scope: object, engine: Liquid): Context {
  const context = new Context(scope, engine.options, { sync: true }, { liquid: engine })
  let steps = 0
  let begun = 0
  context.renderLimit.check = () => {
    steps++
    if (steps % STEPS_BETWEEN_LOOKS > 0) return
    const { user, system } = process.threadCpuUsage()
    if (steps === STEPS_BETWEEN_LOOKS) begun = user + system
    if (steps > MOST_STEPS || user + system - begun > MOST_CPU_MICROS) throw new TemplateError(TAKES_TOO_LONG, true)
  }
  return context
}

export function checkTemplate(source: string): string[] {
  try {
    inOurWords(() => parse(source, 'text'))
    return []
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}

function makeEngine(format: 'text' | 'html'): Liquid {
  const engine = new Liquid({
    strictVariables: true,
    strictFilters: true,
    lenientIf: true,
    ownPropertyOnly: true,
    // Without this, `render` and `include` would look for files on disk.
    templates: {},
    dynamicPartials: false,
    parseLimit: PARSE_LIMIT_CHARS,
    memoryLimit: MEMORY_LIMIT,
    timezoneOffset: 0,
    ...(format === 'html' ? { outputEscape: 'escape' as const } : {}),
  })
  // There is nothing to include, so a mistake is reported when the template is saved and not when it is sent.
  for (const tag of ['include', 'render', 'layout', 'block']) delete engine.tags[tag]
  // A send must come out the same when it is rendered again.
  delete engine.filters.sample
  const date = engine.filters.date as (this: unknown, value: unknown, ...rest: unknown[]) => unknown
  engine.registerFilter('date', function (value: unknown, ...rest: unknown[]) {
    const now = this.context.getSync(['_now']) as number | null
    return date.call(this, now !== null && (value === 'now' || value === 'today') ? new Date(now) : value, ...rest)
  })
  return engine
}

function parse(source: string, format: 'text' | 'html'): Parsed {
  const cache = caches[format]
  const known = cache.parsed.get(source)
  if (known) {
    // A Map keeps the order of insertion, so inserting it again makes it the most recently used.
    cache.parsed.delete(source)
    cache.parsed.set(source, known)
    return known
  }
  if (source.length > PARSE_LIMIT_CHARS) throw new TemplateError('The template is too long')
  const { source: rewritten, groups } = rewriteSpintax(source)
  const entry = { template: engines[format].parse(rewritten), groups }
  cache.parsed.set(source, entry)
  cache.chars += source.length
  for (const [oldest] of cache.parsed) {
    if (cache.chars <= CACHED_CHARS) break
    cache.parsed.delete(oldest)
    cache.chars -= oldest.length
  }
  return entry
}

/**
 * A lead without a first name often has an empty string there, and "Hi ," must never be sent: an empty
 * value counts as a missing one, so that `default` and `if` see it the same way.
 */
function withoutEmpty(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Date || depth === 0) {
    return value
  }
  const kept: Record<string, unknown> = {}
  for (const [key, entry] of Object.entries(value)) {
    if (entry === null || entry === undefined) continue
    if (typeof entry === 'string' && isBlank(entry)) continue
    kept[key] = withoutEmpty(entry, depth - 1)
  }
  return kept
}

function inOurWords<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw translate(error)
  }
}

function translate(error: unknown): Error {
  if (error instanceof TemplateError || error instanceof MissingVariable) return error
  const { name, message, originalError } = error as Error & { originalError?: Error }
  if (originalError instanceof TemplateError) return originalError
  if (/memory alloc limit|Invalid (string|array) length/.test(message)) return new TemplateError(TAKES_TOO_MUCH, true)
  if (/parse length limit/.test(message)) return new TemplateError('The template is too long')
  if (name === 'UndefinedVariableError') {
    return new MissingVariable((originalError as { variableName?: string })?.variableName ?? 'unknown')
  }
  const words = message
    .replace('undefined filter', 'unknown filter')
    .replace(/^(?:output|tag) (".*") not closed/s, '$1 is not closed')
    .replace(/, line:(\d+), col:\d+/, ' (line $1)')
  return new TemplateError(`${words}${hintFor(error as Error & { token?: { input?: string } })}`)
}

/** A variable with its first filter, or with the two bars that other languages have. */
const FIRST_FILTER = /{{-?\s{0,20}([A-Za-z_]\w{0,62})\s{0,20}\|(\|?)\s{0,20}(\w{0,62})/g

/** Other products have another syntax for fallbacks: an error about such a fallback shows ours. */
function hintFor({ message, token }: Error & { token?: { input?: string } }): string {
  const unknown = /undefined filter: (\w+)/.exec(message)?.[1]
  if (!unknown && !/expected filter name/.test(message)) return ''
  for (const [, variable, bar, filter] of (token?.input ?? '').matchAll(FIRST_FILTER)) {
    if (unknown ? filter === unknown : bar) return `. A fallback is written like this: ${withFallback(variable!)}`
  }
  return ''
}

/**
 * Spintax: `{Hi|Hello|Good morning}` picks one option per send.
 *
 * The groups are rewritten into Liquid `case` tags before the template is parsed, so that one parse serves every send,
 * every option is checked for mistakes (not only the one that happened to be picked), and a lead's own data can never
 * be read as spintax.
 */

interface SpintaxRewrite {
  /** The template with every group replaced by a Liquid `case` on `_spin<n>`. */
  source: string
  /** How many options each group has; the index is the group's number. */
  groups: number[]
}

const MAX_GROUPS = 200

/** Reads the text once, however its braces nest: the largest template is read in a few milliseconds. */
export function rewriteSpintax(source: string): SpintaxRewrite {
  const found = findGroups(source).slice(0, MAX_GROUPS)
  const marks = found.flatMap(({ start, bars, end }, group) => [
    { at: start, text: `{% case _spin${group} %}{% when 0 %}` },
    ...bars.map((at, bar) => ({ at, text: `{% when ${bar + 1} %}` })),
    { at: end, text: '{% endcase %}' },
  ])
  let rewritten = ''
  let from = 0
  for (const { at, text } of marks.sort((left, right) => left.at - right.at)) {
    rewritten += source.slice(from, at) + text
    from = at + 1
  }
  return { source: rewritten + source.slice(from), groups: found.map(({ bars }) => bars.length + 1) }
}

/** The variables that pick one option per group, the same ones for the same seed. */
function spintaxChoices(groups: number[], seed: string): Record<string, number> {
  const choices: Record<string, number> = {}
  groups.forEach((options, index) => {
    choices[`_spin${index}`] = hash32(`${seed}:${index}`) % options
  })
  return choices
}

/** The positions of its opening brace, its bars and its closing brace. */
interface Group {
  start: number
  bars: number[]
  end: number
}

/** In the order in which they begin. A group has a closing brace and at least one bar of its own; anything else (for example a CSS rule) stays unchanged. */
function findGroups(text: string): Group[] {
  const open: Group[] = []
  const found: Group[] = []
  for (let at = 0; at < text.length; ) {
    const liquidEnd = endOfLiquid(text, at)
    if (liquidEnd > at) {
      at = liquidEnd
      continue
    }
    const char = text[at]
    if (char === '{') open.push({ start: at, bars: [], end: -1 })
    else if (char === '|') open.at(-1)?.bars.push(at)
    else if (char === '}') {
      const group = open.pop()
      if (group && group.bars.length > 0) found.push({ ...group, end: at })
    }
    at += 1
  }
  return found.sort((left, right) => left.start - right.start)
}

/** The end of the Liquid output or tag that starts here; `at` itself when none starts here. A raw block is one piece. */
function endOfLiquid(text: string, at: number): number {
  if (text.startsWith('{{', at)) {
    const end = text.indexOf('}}', at + 2)
    return end < 0 ? text.length : end + 2
  }
  if (text.startsWith('{%', at)) {
    const end = text.indexOf('%}', at + 2)
    if (end < 0) return text.length
    if (/^\{%-?\s*raw\s*-?%\}$/.test(text.slice(at, end + 2))) {
      const close = /\{%-?\s*endraw\s*-?%\}/g
      close.lastIndex = end
      const match = close.exec(text)
      return match ? close.lastIndex : text.length
    }
    return end + 2
  }
  return at
}
