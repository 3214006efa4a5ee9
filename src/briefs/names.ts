import type { Cell } from './cell.ts'
import type { Context, Entity } from './entities.ts'
import { TRAILING_NEGATORS } from './lexicon/words.ts'
import type { Item } from './numbers.ts'
import type { Token } from './tokens.ts'

/** Names of companies, and topics that no industry covers: words that nothing else explains, where the text wants one. */

const LIST_KINDS = new Set(['comma', 'conjunction', 'list'])

const COMPANY_OPENERS = new Set(
  'de at bei chez presso bij beim from for like as wie comme como by ex joined joining rejoint to zu a en'.split(' '),
)
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
  'started at',
  'starting at',
  'now at',
  'currently at',
  'personnes chez',
  'salaries de',
  'personas en',
  'gente de',
  'leute bei',
  'mitarbeiter von',
  'mitarbeiter bei',
])
/** Whoever joined a company, or moved to it, works there now; a company that did so has become its customer. */
const BEGAN = new Set(
  'joined joining rejoint rejoignent rejoindre entraron entro entrado incorporaron incorporado unieron unido gewechselt wechselten hired moved switched'.split(
    ' ',
  ),
)

/** Whether the words before say that somebody works at what is named here: "people at", "who joined", "que entraron a". */
export function namesEmployer(cells: readonly Cell[], at: number): boolean {
  const before = cells[at - 1]
  if (before?.kind !== 'word') return false
  if (LIKE_PHRASES.has(`${cells[at - 2]?.word ?? ''} ${before.word}`)) return true
  if (before.word === 'zu') return cells.slice(at + 1, at + 3).some(cell => BEGAN.has(cell.word)) && personBefore(cells, at - 1)
  for (let verb = at - 1; verb >= 0 && at - verb < 5; verb--) {
    const cell = cells[verb]!
    if (cell.kind !== 'word') return false
    if (BEGAN.has(cell.word)) return (verb === at - 1 || ['a', 'en', 'to', 'by'].includes(before.word)) && personBefore(cells, verb)
  }
  return false
}

function personBefore(cells: readonly Cell[], verb: number): boolean {
  for (let at = verb - 1; at >= 0 && verb - at < 8; at--) {
    const cell = cells[at]!
    if (cell.kind === 'break') return false
    if (cell.companyNoun) return false
    if (cell.peopleNoun || cell.head || cell.word === 'who' || (cell.used && (cell.entry?.title || cell.entry?.level))) return true
  }
  return false
}

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
    if (cell.kind === 'negator' && TRAILING_NEGATORS.has(cell.word)) readNamesBefore(context, at, entities)
    if (cell.kind === 'negator' || cell.kind === 'instead') {
      // "keine" stands before nouns, never before names.
      if (NO_NOUNS.test(cell.word)) continue
      // "leave out DHL": names that nothing else explains, after a negation.
      let start = skipSmall(cells, at + 1)
      // "exclude our competitors Acme and Globex".
      if (cells[start]?.kind === 'word' && (RIVALS.has(cells[start]!.word) || ACQUAINTED.has(cells[start]!.word))) start++
      readNames(context, start, false, entities)
      continue
    }
    if (cell.kind === 'word' && IS.has(cell.word)) {
      readStatement(context, at, entities)
      continue
    }
    // "competitors (Alstom, Bombardier) excluded".
    if (cell.kind === 'word' && RIVALS.has(cell.word) && cells[at + 1]?.word === '(') {
      const from = entities.length
      readNames(context, at + 2, false, entities)
      if (refuses(cells, at)) for (const entity of entities.slice(from)) entity.negated = true
      continue
    }
    if (cell.kind !== 'word' || !COMPANY_OPENERS.has(cell.word)) continue
    const pair = `${cells[at - 1]?.word ?? ''} ${cell.word}`
    const strict = LIKE_PHRASES.has(pair) || namesEmployer(cells, at + 1)
    // "directores de marketing de Mercadona": after a person, "de" may name the employer.
    const owner =
      cell.word === 'de' &&
      cells[at - 1]?.used === true &&
      cells[at + 1]?.kind === 'word' &&
      cells[at + 1]!.unknown &&
      cells[at + 1]!.capital
    if (!strict && !owner && !['at', 'bei', 'chez', 'presso', 'bij', 'beim', 'from', 'ex'].includes(cell.word)) continue
    if (!strict && !people.some(entity => entity.last < at)) continue
    readNames(context, skipSmall(cells, at + 1, 1), strict && LIKE_PHRASES.has(pair), entities)
  }
}

/** "VW bitte raus": the names fill the clause that the verb of refusal closes. */
function readNamesBefore(context: Context, negator: number, entities: Entity[]): void {
  const { cells } = context
  const after = cells[negator + 1]
  if (after !== undefined && after.kind !== 'break' && after.kind !== 'comma') return
  let start = negator
  while (start > 0 && negator - start < 12 && cells[start - 1]!.kind !== 'break') start--
  // "Competitors such as Gong should be excluded" is read from its own words.
  if (cells.slice(start, negator).some(cell => RIVALS.has(cell.word) || ACQUAINTED.has(cell.word))) return
  const from = entities.length
  readNames(context, skipSmall(cells, start), false, entities)
  for (const entity of entities.slice(from)) entity.negated = true
}

const IS = new Set('are is sind ist sont est son es sono zijn sao'.split(' '))
const RIVALS = new Set(
  'competitor competitors rival rivals competition wettbewerber wettbewerbern konkurrent konkurrenten konkurrenz mitbewerber concurrent concurrents competidor competidores competencia concorrente concorrenti concorrentes concurrenten'.split(
    ' ',
  ),
)
const ACQUAINTED = new Set(
  'customer customers client clients partner partners supplier suppliers kunde kunden partnern bestandskunden partenaire partenaires cliente clientes socios clienti klanten'.split(
    ' ',
  ),
)

/** "Siemens Mobility and Alstom are competitors, please exclude them": the names stand before the verb. */
function readStatement(context: Context, verb: number, entities: Entity[]): void {
  const { cells } = context
  const after = cells.slice(verb + 1, verb + 6)
  const rivals = after.some(cell => RIVALS.has(cell.word))
  if (!rivals && !(after.some(cell => ACQUAINTED.has(cell.word)) && refuses(cells, verb))) return
  let start = verb
  while (start > 0 && cells[start - 1]!.kind !== 'break' && verb - start < 12) start--
  const from = entities.length
  readNames(context, skipSmall(cells, start), false, entities)
  for (const entity of entities.slice(from)) entity.negated = true
}

function refuses(cells: readonly Cell[], at: number): boolean {
  const { sentence } = cells[at]!
  for (let position = Math.max(0, at - 8); position < cells.length && position < at + 14; position++) {
    const cell = cells[position]!
    if (cell.kind === 'negator' && (cell.sentence === sentence || cell.sentence === sentence + 1)) return true
  }
  return false
}

/** "competitors (Zendesk, Freshworks)", "competitors such as Zendesk": companies, whatever they make. */
export function amongRivals(cells: readonly Cell[], at: number): boolean {
  for (let position = at - 1; position >= 0 && at - position < 12; position--) {
    const cell = cells[position]!
    if (cell.kind === 'word' && RIVALS.has(cell.word)) return true
    if (LIST_KINDS.has(cell.kind) || (cell.kind === 'break' && cell.word === '(')) continue
    if (cell.kind !== 'word' || !(cell.capital || cell.small)) return false
  }
  return false
}

/** "Siemens Mobility": a capitalised word of an industry behind a name that nothing else explains, where a name is due. */
export function partOfName(cells: readonly Cell[], at: number): boolean {
  const cell = cells[at]!
  const name = cells[at - 1]
  if (!cell.capital || cell.word.includes(' ') || name?.kind !== 'word' || !name.unknown || !name.capital || name.used) return false
  const opener = cells[at - 2]
  if (opener?.kind === 'negator') return true
  // "skip Alstom and Siemens Mobility": a list of refused names goes on.
  for (let position = at - 2; position >= 0 && at - position < 9; position--) {
    const each = cells[position]!
    if (each.kind === 'negator') return true
    const owned = each.kind === 'word' && (each.small || RIVALS.has(each.word) || ACQUAINTED.has(each.word))
    if (!owned && !LIST_KINDS.has(each.kind) && !(each.kind === 'word' && each.capital && each.unknown)) break
  }
  if (opener === undefined || opener.kind === 'break' || LIST_KINDS.has(opener.kind)) {
    for (let position = at + 1; position < cells.length && position < at + 8; position++)
      if (IS.has(cells[position]!.word))
        return cells.slice(position, position + 6).some(each => RIVALS.has(each.word) || ACQUAINTED.has(each.word))
    return false
  }
  return opener.kind === 'word' && (opener.word === 'at' || opener.word === 'like') && !cells[at + 1]?.companyNoun
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
    if (cells[at]?.kind === 'domain') {
      // A domain is read elsewhere; the list goes on behind it.
      let step = at + 1
      while (LIST_KINDS.has(cells[step]?.kind ?? '') && step < at + 3) step++
      if (step === at + 1) break
      at = skipSmall(cells, step, 1)
      continue
    }
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
    if (cells[next]?.kind === 'domain') {
      at = next
      continue
    }
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
    const refused = isRefused(cells, at) && (cells[position + 1]?.kind !== 'word' || cells[position + 1]!.small) && at === position
    if (!namesCompanies && !labelled && !afterSector && !made && !refused) continue
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

const NO_NOUNS = /^(?:bitte )?keine?[nrms]?$/

/** "no kiosks", "excepto cooperativas": a noun in the plural that nothing explains, right behind a negation. */
function isRefused(cells: readonly Cell[], at: number): boolean {
  const cell = cells[at]!
  if (RIVALS.has(cell.word) || ACQUAINTED.has(cell.word) || cell.word.length < 5 || !/(?:s|i|en|er)$/.test(cell.word)) return false
  let back = at - 1
  while (back >= 0 && at - back < 3 && cells[back]!.kind === 'word' && (cells[back]!.small || cells[back]!.idle)) back--
  const negator = cells[back]
  return negator?.kind === 'negator' && (!cell.capital || NO_NOUNS.test(negator.word))
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
