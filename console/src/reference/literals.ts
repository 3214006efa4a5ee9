import { stringLiteral } from '../ui/call-text.ts'

/** Values as people write them in a program. */

const PLAIN_NAME = /^[A-Za-z_$][\w$]*$/
const MOST_INLINE = 60

export function typescriptLiteral(value: unknown, indent = ''): string {
  if (typeof value === 'string') return stringLiteral(value)
  if (typeof value !== 'object' || value === null) return String(value)
  const inner = `${indent}  `
  const items = Array.isArray(value)
    ? value.map(item => typescriptLiteral(item, inner))
    : Object.entries(value).map(
        ([name, item]) => `${PLAIN_NAME.test(name) ? name : typescriptLiteral(name)}: ${typescriptLiteral(item, inner)}`,
      )
  return Array.isArray(value) ? wrap('[', items, ']', indent, '') : wrap('{', items, '}', indent, ' ')
}

export function pythonLiteral(value: unknown, indent = ''): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  // A string of JSON is one of Python, too.
  if (typeof value !== 'object') return JSON.stringify(value)
  const inner = `${indent}    `
  const items = Array.isArray(value)
    ? value.map(item => pythonLiteral(item, inner))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${pythonLiteral(item, inner)}`)
  return Array.isArray(value) ? wrap('[', items, ']', indent, '', '    ') : wrap('{', items, '}', indent, '', '    ')
}

/** On one line when it is short, else one line for each. */
function wrap(open: string, items: string[], close: string, indent: string, gap: string, step = '  '): string {
  if (items.length === 0) return open + close
  const inline = `${open}${gap}${items.join(', ')}${gap}${close}`
  if (inline.length <= MOST_INLINE && !inline.includes('\n')) return inline
  return `${open}\n${items.map(item => `${indent}${step}${item},\n`).join('')}${indent}${close}`
}
