import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

// How SQL is laid out in the sources: one clause per line, so that a statement can be read from top to bottom. A subquery
// that is short enough stays on the line it is in.

const WIDEST_LINE = 140
const WIDEST_SUBQUERY = 100

/** A word, a literal, a placeholder or a sign. `at` is its place in the text, `gap` the white space before it. */
export interface Token {
  text: string
  at: number
  gap: string
}

const TOKEN = /--[^\n]*|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$\d+|[\w.]+|::|\|\||->>?|[<>=!@~&|?#-]+|\S/y

/** Cuts a statement into tokens. What is put in with `${...}` is one token, whatever is in it. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  for (let at = 0; ; ) {
    const gap = /\s*/y
    gap.lastIndex = at
    const space = gap.exec(text)![0]
    at += space.length
    if (at >= text.length) return tokens
    const end = text.startsWith('${', at) ? endOfInsert(text, at) : endOfToken(text, at)
    tokens.push({ text: text.slice(at, end), at, gap: space })
    at = end
  }
}

function endOfToken(text: string, at: number): number {
  TOKEN.lastIndex = at
  TOKEN.exec(text)
  return TOKEN.lastIndex
}

function endOfInsert(text: string, at: number): number {
  let depth = 0
  for (let i = at + 1; i < text.length; i++) {
    if (text[i] === '{') depth++
    else if (text[i] === '}' && --depth === 0) return i + 1
    else if (text[i] === '`') i = endOfTemplate(text, i) - 1
  }
  return text.length
}

/** The place behind the closing backtick of the template that begins at `at`. */
function endOfTemplate(source: string, at: number): number {
  for (let i = at + 1; i < source.length; i++) {
    if (source[i] === '\\') i++
    else if (source.startsWith('${', i)) i = endOfInsert(source, i) - 1
    else if (source[i] === '`') return i + 1
  }
  return source.length
}

export interface Literal {
  /** Where its text begins and ends in the source, without the quotes. */
  from: number
  to: number
  quote: string
}

/** The texts of a source that hold SQL: what is given to `sql`, and the pieces that are put into such texts. */
export function sqlLiteralsOf(source: string): Literal[] {
  const literals: Literal[] = []
  const skipped = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`/g
  for (let match = skipped.exec(source); match; match = skipped.exec(source)) {
    const [text] = match
    if (text.startsWith('/')) continue
    const end = text === '`' ? endOfTemplate(source, match.index) : match.index + text.length
    skipped.lastIndex = end
    const literal = { from: match.index + 1, to: end - 1, quote: text[0]! }
    const isGiven = /\bsql(?:\.(?:atomic|byIndex))?\(\s*$/.test(source.slice(0, match.index))
    const words = source.slice(literal.from, literal.to)
    if (
      isGiven ||
      /^\s*(?:\(?select|with|insert|update|delete|where|(?:left )?join)\b[\s\S]*\b(?:from|into|set|on|=|and)\b|\(select\b/.test(words)
    )
      literals.push(literal)
  }
  return literals
}

const STATEMENT = new Set(['select', 'with', 'insert', 'update', 'delete', 'values', 'merge'])
const JOIN_WORDS = new Set(['left', 'right', 'full', 'inner', 'cross', 'outer', 'natural'])
const CLAUSES = new Set([
  ...['with', 'select', 'from', 'join', 'where', 'having', 'limit', 'offset', 'union', 'except', 'intersect'],
  ...['insert', 'values', 'update', 'set', 'delete', 'returning', 'merge'],
])
const PAIRS: Record<string, string> = { group: 'by', order: 'by', on: 'conflict' }

/** Whether a clause begins with this token. Only asked of tokens that stand directly in a statement. */
export function beginsClause(tokens: readonly Token[], index: number): boolean {
  const word = (offset: number): string => tokens[index + offset]?.text ?? ''
  const [before, here, after] = [word(-1), word(0), word(1)]
  if (JOIN_WORDS.has(here)) return !JOIN_WORDS.has(before) && (after === 'join' || JOIN_WORDS.has(after))
  if (here in PAIRS) return after === PAIRS[here]
  if (here === 'for') return /^(?:update|share|no|key)$/.test(after)
  if (!CLAUSES.has(here)) return false
  if (here === 'join') return !JOIN_WORDS.has(before)
  if (here === 'from') return !['distinct', 'delete', 'select'].includes(before)
  if (here === 'with') return after !== 'ordinality'
  if (here === 'update') return !['for', 'do', 'key', 'then', 'of'].includes(before)
  if (here === 'where') return !isArbiter(tokens, index)
  if (here === 'set') return !(before === 'update' && word(-2) === 'do')
  return true
}

/** `on conflict (key) where ...` names an index: that is one clause. */
function isArbiter(tokens: readonly Token[], index: number): boolean {
  if (tokens[index - 1]?.text !== ')') return false
  let open = index - 1
  for (let depth = 0; open >= 0; open--) {
    if (tokens[open]!.text === ')') depth++
    else if (tokens[open]!.text === '(' && --depth === 0) break
  }
  return tokens[open - 1]?.text === 'conflict'
}

export function opensSubquery(tokens: readonly Token[], index: number): boolean {
  if (tokens[index]?.text !== '(') return false
  return STATEMENT.has(tokens[index + 1]?.text ?? '') || opensSubquery(tokens, index + 1)
}

export function endOfGroup(tokens: readonly Token[], open: number): number {
  let depth = 0
  for (let index = open; index < tokens.length; index++) {
    if (tokens[index]!.text === '(') depth++
    else if (tokens[index]!.text === ')' && --depth === 0) return index
  }
  return tokens.length - 1
}

/** What is wrong with the layout of a text, by line; nothing when it can be read clause by clause. */
export function judgeLayout(text: string): string[] {
  const tokens = tokensOf(text)
  const wrong = new Set<string>()
  const lineOf = (token: Token): number => text.slice(0, token.at).split('\n').length - 1
  const lines = text.split('\n')
  const complain = (token: Token, why: string): void => void wrong.add(`${why}: ${lines[lineOf(token)]!.trim()}`)
  // Only what stands directly in a statement is a clause: `order by` in an aggregate and `from` in `extract` are not.
  const walk = (from: number, to: number, isStatement: boolean): void => {
    let clauseLine = -1
    for (let index = from; index < to; index++) {
      const token = tokens[index]!
      if (isStatement && beginsClause(tokens, index)) {
        if (lineOf(token) === clauseLine) complain(token, 'several clauses in one line')
        clauseLine = lineOf(token)
      }
      if (token.text !== '(') continue
      const close = endOfGroup(tokens, index)
      const isSubquery = opensSubquery(tokens, index)
      const isInline = lineOf(token) === lineOf(tokens[close]!)
      if (!isSubquery || !isInline) walk(index + 1, close, isSubquery)
      else if (tokens[close]!.at - token.at >= WIDEST_SUBQUERY) complain(token, 'a long subquery in one line')
      index = close
    }
  }
  walk(0, tokens.length, true)
  for (const line of lines) if (line.length > WIDEST_LINE) wrong.add(`a line of ${line.length} characters: ${line.trim()}`)
  return [...wrong]
}

/** The files of the service that hold SQL, with their sources. */
export function sqlSources(root: string): Map<string, string> {
  const files = globSync('src/**/*.ts', { cwd: root }).filter(file => !file.endsWith('.test.ts'))
  const sources = files.sort().map((file): [string, string] => [file, readFileSync(join(root, file), 'utf8')])
  return new Map(sources.filter(([, source]) => /\bsql(?:\.(?:atomic|byIndex))?\(/.test(source) || /db\/fragments\.ts/.test(source)))
}
