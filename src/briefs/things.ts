import { INDUSTRIES } from '../search/terms/vocabulary.ts'
import type { Cell } from './cell.ts'
import type { Context, Entity } from './entities.ts'
import { longestEntry } from './lexicon.ts'
import { amongRivals, namesEmployer, partOfName, readCompanies, readTopics } from './names.ts'

const LIST_KINDS = new Set(['comma', 'conjunction', 'list'])

const USING = new Set(
  'using use uses used on running runs run via with powered built stack adopted adopting leveraging nutzen nutzt nutzend verwenden verwendet einsetzen einsatz setzen auf mit utilisant utilisent utilise utilisateurs equipees equipes sous usan usa utilizan utiliza usando utilizando usuarias con usen gebruiken gebruikt utilizzano usano implemented deployed migrated switched moved hosted based utilizing utilising work works'.split(
    ' ',
  ),
)
const USERS = new Set(
  'customers customer users user shops shop stores store clients client stack sites site merchants sellers websites website kunden nutzer anwender utilisateurs clients usuarios clientes shopbetreiber partners instances'.split(
    ' ',
  ),
)
const OF_WORDS = new Set('of von de'.split(' '))
const AT_WORDS = new Set(
  'at from bei chez for by like von ex current former within inside beim presso bij como wie comme as joined joining rejoint'.split(' '),
)

/** Industries, technologies, companies, sizes, stages and keywords. */
export function readThings(context: Context): Entity[] {
  const { cells } = context
  const entities: Entity[] = []
  for (let at = 0; at < cells.length; at++) {
    const cell = cells[at]!
    if (cell.used) continue
    if (cell.kind === 'domain') {
      entities.push({ kind: 'company', value: cell.word, first: at, last: at })
      continue
    }
    if (cell.kind !== 'word') continue
    const { entry } = cell
    if (entry?.technology && readTechnology(context, at, entities)) continue
    if (readStage(cells, at, entities)) continue
    if (entry?.keyword) {
      entities.push({ kind: 'keyword', value: entry.keyword, first: at, last: at })
      continue
    }
    if (entry?.size && sizeFits(cells, at)) {
      entities.push({ kind: 'size', value: entry.size, first: at, last: at })
      cell.used = true
      // "AI startups" keeps its industry; "startups" itself names none.
      continue
    }
    if (entry?.industry && industryFits(cells, at) && !partOfName(cells, at)) {
      entities.push({ kind: 'industry', value: entry.industry, first: at, last: at })
      cell.used = true
      continue
    }
    if (cell.unknown && readCompoundIndustry(cells, at, entities)) continue
    // "Tools: Gainsight, Intercom": under its label a name that nobody has listed yet is a technology as well.
    if (cell.unknown && cell.label === 'technology' && cell.capital && /^[a-z0-9]{2,40}$/.test(cell.word)) {
      entities.push({ kind: 'technology', value: cell.word, first: at, last: at })
      cell.used = true
    }
  }
  readCompanies(context, entities)
  readTopics(context, entities)
  return entities
}

function neighbour(cells: readonly Cell[], at: number, step: -1 | 1): Cell | undefined {
  let position = at + step
  while (
    cells[position]?.kind === 'word' &&
    (cells[position]!.small || cells[position]!.idle) &&
    !USING.has(cells[position]!.word) &&
    Math.abs(position - at) < 3
  )
    position += step
  return cells[position]
}

function readTechnology({ cells, people }: Context, at: number, entities: Entity[]): boolean {
  const cell = cells[at]!
  const entry = cell.entry!
  const employer = namesEmployer(cells, at)
  const using = !employer && saysUsing(cells, at, entities)
  const users = cells[at + 1]?.kind === 'word' && USERS.has(cells[at + 1]!.word)
  const labelled = cell.label === 'technology'
  const before = cells[at - 1]
  if (!using && !users && !labelled && before?.kind === 'word' && AT_WORDS.has(before.word) && people.some(entity => entity.last < at))
    return false
  if (!using && !users && !labelled && (employer || inCompanyList(cells, at) || amongRivals(cells, at))) return false
  if (entry.weakTechnology && !users && !labelled && !(using && !vague(cells, at))) return false
  if (entry.industry && !using && !users && !labelled) return false
  entities.push({ kind: 'technology', value: entry.technology!, first: at, last: at })
  cell.used = true
  if (users && !cells[at + 1]!.entry) cells[at + 1]!.used = true
  return true
}

/** "on Monday", "with slack": too little to make an everyday word a product. */
function vague(cells: readonly Cell[], at: number): boolean {
  const before = cells[at - 1]
  return (
    before?.kind === 'word' &&
    (before.word === 'with' || before.word === 'mit' || before.word === 'con' || (before.word === 'on' && cells[at]!.word === 'monday')) &&
    !(cells[at]!.capital && before.word !== 'on')
  )
}

function saysUsing(cells: readonly Cell[], at: number, entities: readonly Entity[]): boolean {
  let position = at - 1
  // "users of Notion", "Kunden von Shopify".
  if (cells[at - 1]?.kind === 'word' && OF_WORDS.has(cells[at - 1]!.word) && USERS.has(cells[at - 2]?.word ?? '')) return true
  for (let hops = 0; position >= 0 && hops < 4; hops++, position--) {
    const cell = cells[position]!
    if (LIST_KINDS.has(cell.kind)) {
      // A list of technologies goes on.
      const previous = entities.at(-1)
      if (previous?.kind === 'technology' && previous.last === position - 1) return true
      continue
    }
    if (cell.kind === 'negator' && /(?:use|using|on)$/.test(cell.word)) return true
    if (cell.kind !== 'word') return false
    if (USING.has(cell.word)) return true
    if (!cell.small && !cell.idle && !cell.entry?.technology) return false
  }
  return false
}

/** "at Snowflake, Databricks or MongoDB": later members of a list of employers. */
function inCompanyList(cells: readonly Cell[], at: number): boolean {
  let position = at - 1
  let separators = 0
  while (position >= 0 && at - position < 16) {
    const cell = cells[position]!
    if (LIST_KINDS.has(cell.kind)) separators++
    else if (cell.kind === 'word' && AT_WORDS.has(cell.word)) return separators > 0
    else if (cell.kind !== 'word' || cell.small || (cell.entry && !cell.entry.technology)) return false
    position--
  }
  return false
}

function readStage(cells: readonly Cell[], at: number, entities: Entity[]): boolean {
  const cell = cells[at]!
  if (!cell.entry?.stage) return false
  const stage = cell.entry.stage
  const previous = cells[at - 1]
  if (
    stage === 'seed' &&
    cell.word === 'seed' &&
    cells[at + 1]?.kind === 'word' &&
    ['companies', 'producers', 'breeders', 'growers', 'oil'].includes(cells[at + 1]!.word) &&
    !previous?.entry?.stage
  )
    return false
  if (stage === 'public' && cell.word === 'listed' && previous?.kind === 'word' && ['as', 'below', 'above'].includes(previous.word))
    return false
  entities.push({ kind: 'stage', value: stage, first: at, last: at })
  cell.used = true
  return true
}

const AFTER_NOUNS = new Set(
  'grandes grands grande grand pequenas pequenos pequena pequeno petites petits petite petit grosse grossen grosser grossere grosseren kleine kleinen kleiner kleinere kleineren'.split(
    ' ',
  ),
)

/** Adjectives of size need a company behind them: "small teams" yes, "small talk" no. */
function sizeFits(cells: readonly Cell[], at: number): boolean {
  const cell = cells[at]!
  const { word } = cell
  if (AFTER_NOUNS.has(word)) {
    // "constructoras grandes", "grandes constructoras": Spanish and French have it on either side of the noun.
    const names = (other: Cell | undefined) =>
      other?.kind === 'word' && (other.companyNoun || (other.entry?.industry !== undefined && !other.entry.weakIndustry))
    return names(cells[at - 1]) || names(cells[at + 1])
  }
  if (!['small', 'large', 'micro', 'enterprise', 'corporates', 'medium size', 'large enterprise', 'mid tier'].includes(word)) return true
  const next = neighbour(cells, at, 1)
  if (word === 'enterprise') {
    const direct = cells[at + 1]
    if (direct?.kind === 'word' && (direct.head || direct.entry?.title || direct.entry?.industry === 'software')) return false
    return cells[at - 1]?.kind !== 'word' || !cells[at - 1]!.entry?.function
  }
  if (cell.label === 'employees') return true
  return (
    next !== undefined &&
    next.kind === 'word' &&
    (next.companyNoun || next.entry?.industry !== undefined || next.entry?.keyword !== undefined)
  )
}

function industryFits(cells: readonly Cell[], at: number): boolean {
  const cell = cells[at]!
  const entry = cell.entry!
  const next = cells[at + 1]
  const previous = cells[at - 1]
  if (cell.label === 'industry') return true
  if (cell.label === 'title' || cell.label === 'technology') return false
  // "the industry", "their business": nouns for companies in general are no industry.
  if (cell.companyNoun && entry.weakIndustry) return false
  if (['industry', 'industries', 'industrie', 'industria', 'branche'].includes(cell.word))
    return (
      previous?.kind === 'word' && previous.small && ['in', 'der', 'l', 'la', 'the'].includes(previous.word) && cell.word === 'industrie'
    )
  if (
    ['manufacturer', 'manufacturers', 'hersteller', 'fabricants', 'fabricantes', 'producers', 'makers'].includes(cell.word) &&
    previous?.kind === 'word' &&
    (previous.unknown || (previous.entry?.industry && previous.used))
  )
    return !previous.unknown && !previous.used
  if (!entry.weakIndustry) {
    return !(entry.function && DEPARTMENT_WORDS.has(cell.word) && !next?.companyNoun)
  }
  const edge = (other: Cell | undefined) =>
    other === undefined || other.kind === 'break' || other.kind === 'comma' || other.kind === 'gap' || LIST_KINDS.has(other.kind)
  if (next?.kind === 'word' && next.companyNoun) return true
  if (edge(previous) && edge(next)) return true
  return (
    previous?.kind === 'word' &&
    ['at', 'in', 'for', 'of', 'bei', 'chez', 'secteur', 'sector', 'del', 'de', 'branche'].includes(previous.word) &&
    (edge(next) || next?.kind === 'place' || next?.small === true)
  )
}

/** Words that name a department unless a company is spoken of: "design" alone is no industry, "design firms" are. */
const DEPARTMENT_WORDS = new Set('it data legal events design payroll'.split(' '))

const COMPANY_SUFFIXES =
  'unternehmen firmen firma betrieben betriebe betrieb branche industrie herstellern hersteller anbietern anbieter konzernen konzerne konzern sektor handlern handler dienstleistern dienstleister startups startup agenturen agentur praxen praxis kanzleien kanzlei produzenten bereich wirtschaft gesellschaften gesellschaft ketten kette bedrijven bedrijf sector marken shops verbande studios hauser zulieferer zulieferern lieferanten inhabern inhaber besitzer besitzern grundern grunder betreibern betreiber'.split(
    ' ',
  )

/** "Verpackungsunternehmen", "Biotechfirmen", "Agenturinhaber": the first part names the industry. */
function readCompoundIndustry(cells: readonly Cell[], at: number, entities: Entity[]): boolean {
  const { word } = cells[at]!
  if (word.length < 8 || word.includes(' ')) return false
  for (const suffix of COMPANY_SUFFIXES) {
    if (!word.endsWith(suffix) || word.length === suffix.length) continue
    const stem = word.slice(0, -suffix.length)
    for (const variant of [
      stem,
      stem.replace(/s$/, ''),
      stem.replace(/en$/, ''),
      stem.replace(/n$/, ''),
      `${stem}e`,
      `${stem}en`,
      stem.replace(/es$/, ''),
    ]) {
      const found = variant.length < 2 ? undefined : longestEntry([variant], 0, 1)
      if (!found?.entry.industry) continue
      entities.push({ kind: 'industry', value: found.entry.industry, first: at, last: at })
      if (suffix.startsWith('inhaber') || suffix.startsWith('besitzer'))
        entities.push({ kind: 'level', value: 'owner', levelTitle: 'owner', first: at, last: at })
      if (suffix.startsWith('grunder')) entities.push({ kind: 'level', value: 'founder', levelTitle: 'founder', first: at, last: at })
      if (suffix.startsWith('startup')) entities.push({ kind: 'size', value: 'small', first: at, last: at })
      cells[at]!.used = true
      return true
    }
    return false
  }
  return false
}

export function dropParents(slugs: readonly string[]): string[] {
  return slugs.filter(slug => !slugs.some(other => other !== slug && INDUSTRIES.get(other)?.parent === slug))
}
