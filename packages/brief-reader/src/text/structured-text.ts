import { foldText } from '../../../lead-terms/src/index.ts'
import { labelOf } from '../vocabulary/form-labels.ts'

/**
 * Output of programs and agents (JSON, nested YAML, tags, calls) as lines of "label: values". If an outer part excludes, its
 * inner fields say so themselves, because the stages after this one know no nesting.
 */
export function readStructures(text: string): string {
  const read = text.includes('{') ? readObject(text) : text
  const tagged = read.includes('</') ? readTags(read) : read
  return tagged.includes('\n') ? readNested(tagged) : tagged
}

/**
 * The object of a text, where it can be parsed, also with names that are not quoted. What comes after a sentence in the same line
 * stays there: it may be part of an order to the machine.
 */
function readObject(text: string): string {
  const [first, last] = [text.indexOf('{'), text.lastIndexOf('}')]
  const called = CALL.exec(text.slice(Math.max(0, first - LONGEST_CALL), first))
  const before = text.slice(0, first - (called?.[0].length ?? 0)).trimEnd()
  const heading = before.slice(before.lastIndexOf('\n') + 1).trim()
  const isAlone = heading === '' || (!called && text.slice(before.length, first).includes('\n'))
  if (!isAlone && !(heading.endsWith(':') && labelOf(wordsOf(heading.slice(0, -1))))) return text
  const value = last < first ? undefined : parse(text.slice(first, last + 1))
  const lines = value && linesOf(value)
  if (!lines) return text
  const after = text.slice(last + 1).replace(called ? /^\s*\);?/ : '', '')
  return [before.trimStart(), ...lines, after.trim()].filter(each => each !== '').join('\n')
}
const LONGEST_CALL = 80
/** "leads.find({", "await client.search({": the name of the function asks for nothing. */
const CALL = /(?:\bawait )?\b[a-z_][\w.]{0,60}\(\s{0,9}$/i

function parse(text: string): object | undefined {
  for (const candidate of text.length > LONGEST_OBJECT ? [text] : [text, quoted(text)])
    try {
      return JSON.parse(candidate) as object
    } catch {
      // Not this way of writing: the text is read as it stands.
    }
  return undefined
}
const LONGEST_OBJECT = 5000
const quoted = (text: string): string =>
  (text.includes('"') ? text : text.replaceAll("'", '"'))
    .replace(/(?<=[{,]\s{0,20})([A-Za-z_]\w{0,40})(?=\s{0,5}:)/g, '"$1"')
    .replace(/,(?=\s{0,20}[}\]])/g, '')

/** None, if the object is larger or deeper than what people and agents write: then nothing of it may be left out. */
function linesOf(value: object): string[] | undefined {
  const lines: string[] = []
  const complete = addLines(lines, [], value)
  return complete && lines.length <= MOST_LINES ? lines : undefined
}

function addLines(lines: string[], path: readonly string[], value: unknown): boolean {
  if (lines.length > MOST_LINES || path.length > MOST_DEEP) return false
  if (value === null || value === undefined) return true
  if (Array.isArray(value)) {
    const plain = value.filter(item => typeof item !== 'object')
    const isRange = plain.length === 2 && plain.every(item => typeof item === 'number')
    if (plain.length > 0) lines.push(line(path, plain.join(isRange ? '-' : ', ')))
    return value.filter(item => typeof item === 'object').every(object => addLines(lines, path, object))
  }
  if (typeof value === 'object') return addFields(lines, path, Object.entries(value))
  lines.push(value === true ? path.join(' ') : line(path, String(value)))
  return true
}
const MOST_LINES = 200
const MOST_DEEP = 8

function addFields(lines: string[], path: readonly string[], entries: readonly [name: string, value: unknown][]): boolean {
  const fields = entries.map(([name, value]) => [plainName(name), value] as const)
  const flag = fields.findIndex(([name, value]) => value === true && NEGATED.has(name))
  // {"industry": "banking", "is_excluded": true}: of a whole brief no one can say what it refuses.
  if (flag >= 0) return path.length > 0 && addFields(lines, ['exclude', ...path], entries.toSpliced(flag, 1))
  const [field, operator, held] = CONDITION.map(names => fields.find(([name]) => names.has(name))?.[1])
  if (typeof field === 'string' && held !== undefined) {
    const sign = String(operator)
    if (sign in LEAST || sign in MOST) return addFields(lines, [...path, plainName(field)], [[sign, held]])
    return addLines(lines, [...path, ...(REFUSES.test(sign) ? ['exclude'] : []), plainName(field)], held)
  }
  const [least, most] = [LEAST, MOST].map(bounds => fields.find(([name, value]) => name in bounds && typeof value === 'number'))
  if (least && most) lines.push(line(path, `${least[1]}-${most[1]}`))
  else if (least) lines.push(line(path, `${LEAST[least[0]]} ${least[1]}`))
  else if (most) lines.push(line(path, `${MOST[most[0]]} ${most[1]}`))
  return fields.every(each => each === least || each === most || addLines(lines, [...path, each[0]], each[1]))
}
const NEGATED = new Set(['excluded', 'is excluded', 'exclude', 'negate', 'negated', 'is negated', 'not'])
/** {"field": "industry", "op": "not_in", "value": ["banking"]} */
const CONDITION = ['field attribute property key', 'op operator comparison', 'value values'].map(names => new Set(names.split(' ')))
const REFUSES = /not|exclud|without|^n(?:e|eq|in)$|!|<>/i
const LEAST: Record<string, string> = { gte: 'at least', min: 'at least', minimum: 'at least', from: 'at least', gt: 'over' }
const MOST: Record<string, string> = { lte: 'at most', max: 'at most', maximum: 'at most', to: 'at most', lt: 'under' }

const LONGEST_NAME = 40
const plainName = (name: string): string =>
  foldText(name.replace(/([a-z])([A-Z])/g, '$1 $2').replaceAll(/[_$-]/g, ' ')).slice(0, LONGEST_NAME)

/** "exclude.industries", "industries.exclude": the innermost name that is a field is the label. */
function line(path: readonly string[], value: string): string {
  const labels = path.map(name => labelOf(name.split(' ')))
  const field = path.findLast((_, at) => labels[at] !== undefined && labels[at] !== 'exclude' && labels[at] !== 'any')
  if (field === undefined || !labels.includes('exclude')) return `${field ?? path.at(-1) ?? ''}: ${value}`
  return `${field}: not (${value})`
}

/** "<exclude_industry>banking</exclude_industry>", "<exclude><industry>banking</industry></exclude>". Tags of pages are no labels. */
function readTags(text: string): string {
  if (/<(?:html|body|p|div|span|td|li)\b/i.test(text)) return text
  const inner = text.replace(EXCLUDING_TAG, (whole, _, within: string) =>
    within.includes('</') ? within.replace(TAG, (_, field: string, value: string) => tagLine(['exclude', field], value)) : whole,
  )
  return inner.replace(TAG, (whole, name: string, value: string) => (labelOf(wordsOf(name)) === undefined ? whole : tagLine([name], value)))
}
const EXCLUDING_TAG = /<(exclu[a-z]{0,6}|must_?not|not|without|none|avoid)>((?:[^<]|<(?!\/?\1>)){0,1000})<\/\1>/gi
const TAG = /<([a-z][\w-]{1,30})>([^<>]{1,300})<\/\1>/gi
const tagLine = (path: readonly string[], value: string): string => `\n${line(path.map(plainName), value.trim())}\n`
const wordsOf = (name: string): string[] => plainName(name).split(' ')
const isExclusion = (name: string): boolean => labelOf(wordsOf(name)) === 'exclude'

/** A line "exclude:" with its fields below, further to the right: each of them says "not" itself. */
function readNested(text: string): string {
  let indent = -1
  let field = ''
  // "employees:" with "min: 50" below it.
  let ranged = ''
  return text
    .split('\n')
    .map((each, at) => {
      if (at > MOST_NESTED) return each
      const [, spaces = '', name = '', value = ''] = NESTED.exec(each) ?? []
      const bound = LEAST[name] ?? MOST[name]
      if (bound && ranged !== '') return `${ranged}: ${bound} ${value}`
      ranged = value === '' ? name : ''
      if (each.trim() !== '' && each.search(/\S/) <= indent) indent = -1
      if (indent < 0) {
        if (name !== '' && value === '' && isExclusion(name)) [indent, field] = [spaces.length, '']
        return each
      }
      if (name !== '' && labelOf(wordsOf(name)) !== undefined) {
        field = isExclusion(name) ? '' : name
        if (field === '') return each
        return value === '' ? '' : tagLine(['exclude', name], value.replace(/^\[(.*)\]$/, '$1')).trim()
      }
      return field === '' ? each : tagLine(['exclude', field], each.replace(/^\s*-\s+/, '')).trim()
    })
    .join('\n')
}
const MOST_NESTED = 300
const NESTED = /^(\s{0,20})(?:- )?([a-z][\w -]{1,30}):(?:\s+(\S.*))?\s*$/i
