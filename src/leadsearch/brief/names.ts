import type { Cell } from './cell.ts'
import type { Context, Entity } from './entities.ts'
import type { Item } from './numbers.ts'
import type { Token } from './tokens.ts'

/** Names of companies, and topics that no industry covers: words that nothing else explains, where the text wants one. */

const LIST_KINDS = new Set(['comma', 'conjunction', 'list'])

const COMPANY_OPENERS = new Set('de at bei chez presso bij beim from for like as wie comme como by ex'.split(' '))
const LIKE_PHRASES = new Set([
  'companies like',
  'firms like',
  'brands like',
  'such as',
  'similar to',
  'competitors like',
  'work at',
  'works at',
  'working at',
  'work for',
  'works for',
  'working for',
  'employed at',
  'employed by',
  'unternehmen wie',
  'firmen wie',
  'wie z b',
  'entreprises comme',
  'tels que',
  'telles que',
  'empresas como',
  'tales como',
  'trabajan en',
  'arbeiten bei',
  'travaillent chez',
  'people at',
  'people from',
  'team at',
  'employees of',
  'employees at',
  'staff at',
  'everyone at',
  'anyone at',
  'anyone from',
])

export function readCompanies(context: Context, entities: Entity[]): void {
  const { cells, people } = context
  for (let at = 0; at < cells.length; at++) {
    const cell = cells[at]!
    const labelled = cell.label === 'company' && cell.kind === 'word' && !cell.used
    if (labelled) {
      at = Math.max(at, readNames(context, at, true, entities) - 1)
      continue
    }
    if (cell.label === 'exclude' && !cell.used && (cell.kind === 'word' || cell.kind === 'place') && cells[at - 1]?.kind !== 'word') {
      at = Math.max(at, readNames(context, at, false, entities) - 1)
      continue
    }
    if (cell.kind === 'negator' || cell.kind === 'instead') {
      // "leave out DHL": names that nothing else explains, after a negation.
      const start = skipSmall(cells, at + 1)
      readNames(context, start, false, entities)
      continue
    }
    if (cell.kind !== 'word' || !COMPANY_OPENERS.has(cell.word)) continue
    const pair = `${cells[at - 1]?.word ?? ''} ${cell.word}`
    const strict = LIKE_PHRASES.has(pair)
    // "directores de marketing de Mercadona": after a person, "de" may name the employer.
    const owner =
      cell.word === 'de' &&
      cells[at - 1]?.used === true &&
      cells[at + 1]?.kind === 'word' &&
      cells[at + 1]!.unknown &&
      cells[at + 1]!.capital
    if (!strict && !owner && !['at', 'bei', 'chez', 'presso', 'bij', 'beim', 'from', 'ex'].includes(cell.word)) continue
    if (!strict && !people.some(entity => entity.last < at)) continue
    readNames(context, skipSmall(cells, at + 1, 1), strict, entities)
  }
}

function skipSmall(cells: readonly Cell[], at: number, most = 3): number {
  let position = at
  while (position < at + most && cells[position]?.kind === 'word' && cells[position]!.small && !cells[position]!.capital) position++
  return position
}

/** A list of names: capitalised words that are nothing else, joined by "&" or "+" where they touch. */
function readNames({ cells, items, tokens, text }: Context, from: number, loose: boolean, entities: Entity[]): number {
  let at = from
  for (;;) {
    const start = at
    // "Palo Alto Networks": a name may begin with a place if a capitalised noun follows.
    const noun = cells[at + 1]
    if (cells[at]?.kind === 'place' && !cells[at]!.used && noun?.kind === 'word' && noun.capital && (noun.companyNoun || noun.unknown)) at++
    while (at < cells.length && at - start < 5 && isNameCell(cells[at]!, tokens, items, loose && at === start, at > start)) at++
    if (at === start || (cells[at]?.companyNoun === true && !cells[at]!.capital && !tokens[items[cells[start]!.first]!.first]!.capital))
      break
    const first = tokens[items[cells[start]!.first]!.first]!
    const last = tokens[items[cells[at - 1]!.last]!.last]!
    const name = text.slice(first.start, last.end).replace(/\s+/g, ' ').trim()
    if (name.length >= 2) {
      entities.push({ kind: 'company', value: name, first: start, last: at - 1 })
      for (let position = start; position < at; position++) cells[position]!.used = true
    }
    let step = at
    while (LIST_KINDS.has(cells[step]?.kind ?? '') && step < at + 2) step++
    if (step === at) break
    const next = skipSmall(cells, step, 1)
    if (!cells[next] || !isNameCell(cells[next]!, tokens, items, false, false)) break
    at = next
  }
  return at
}

function isNameCell(cell: Cell, tokens: readonly Token[], items: readonly Item[], loose: boolean, continues: boolean): boolean {
  if (cell.used) return false
  if (cell.kind !== 'word') return false
  const token = tokens[items[cell.first]!.first]!
  if (continues && cell.word === 'and' && token.text === '&') return true
  const { entry } = cell
  const nothingElse = !entry || (entry.technology !== undefined && !entry.industry && !entry.title && !entry.function)
  if (cell.companyNoun || cell.peopleNoun || cell.head) return continues && token.capital && cell.companyNoun
  // "L'Oréal", "D-Link": a letter with a capital opens the name it is tied to.
  const tied = token.capital && token.text.length === 1 && ["'", '’', '-', '&'].includes(tokens[items[cell.last]!.last + 1]?.glue ?? '')
  if (tied) return true
  if (cell.small || cell.idle) return continues && token.capital
  if (!nothingElse) return continues && token.capital && entry?.industry !== undefined
  return token.capital || (loose && cell.unknown) || (continues && token.glue !== '')
}

const TOPIC_OPENERS = new Set(
  'making make makes selling sell sells producing produce building manufacturing specialising specializing focused focusing keyword keywords mentioning tagged'.split(
    ' ',
  ),
)

export function readTopics({ cells, items, tokens }: Context, entities: Entity[]): void {
  for (let at = 0; at < cells.length; at++) {
    const cell = cells[at]!
    if (cell.kind !== 'word' || cell.used || !cell.unknown) continue
    const next = cells[at + 1]
    const labelled = cell.label === 'keyword'
    let position = at
    while (cells[position + 1]?.kind === 'word' && cells[position + 1]!.unknown && !cells[position + 1]!.used && position - at < 2)
      position++
    const noun = cells[position + 1]
    const namesCompanies = noun?.kind === 'word' && noun.companyNoun && !noun.used
    const previous = cells[at - 1]
    const afterSector =
      previous?.kind === 'word' &&
      ['sector', 'secteur', 'branche', 'industry', 'rubro', 'settore', 'setor', 'topic', 'keyword'].includes(previous.word)
    const made = previous?.kind === 'word' && TOPIC_OPENERS.has(previous.word) && !next?.companyNoun
    if (!namesCompanies && !labelled && !afterSector && !made) continue
    // A proper name in front of "group" or "companies" is not a topic; German nouns have capitals of their own.
    const proper = tokens[items[cell.first]!.first]!.capital && previous !== undefined && previous.kind !== 'break'
    if (proper && !labelled && isEnglishProse(tokens)) continue
    const words = cells.slice(at, position + 1).map(each => each.word)
    const topic = words.join(' ')
    if (topic.length < 3 || topic.length > 60 || /^\d/.test(topic)) continue
    entities.push({ kind: 'keyword', value: singularPhrase(topic), first: at, last: position })
    for (let index = at; index <= position; index++) cells[index]!.used = true
    at = position
  }
}

function isEnglishProse(tokens: readonly Token[]): boolean {
  return (
    tokens.some(token => token.word === 'the' || token.word === 'in' || token.word === 'of') &&
    !tokens.some(token => token.word === 'und' || token.word === 'der')
  )
}

function singularPhrase(phrase: string): string {
  const words = phrase.split(' ')
  const last = words.at(-1)!
  words[words.length - 1] =
    last.length > 3 && /[^su]s$/.test(last) ? (last.endsWith('ies') ? `${last.slice(0, -3)}y` : last.slice(0, -1)) : last
  return words.join(' ')
}
