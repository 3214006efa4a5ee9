import type { BriefReading, Explanation as Quoted } from '#brief-reader'
import { type FilterDocument, foldText, parseFilters } from '#lead-terms'

type Engine = 'rules' | 'llm'

export interface Explanation extends Quoted {
  engine: Engine
}

export interface Proposal extends BriefReading {
  explanations: Explanation[]
  engine: Engine
  fallbackReason?: string
}

/** The reading of the rules, as it is returned without a language model. */
export const proposalOf = (reading: BriefReading): Proposal => ({
  ...reading,
  explanations: reading.explanations.map(each => ({ ...each, engine: 'rules' })),
  engine: 'rules',
})

/**
 * Two readings of one brief to one proposal.
 *   1. Every value of the model that quotes the brief is kept, because it was checked word by word.
 *   2. A value of the rules is kept too, unless the model read the same words differently, or the field has only one value.
 *   3. What either of them excludes is excluded: an exclusion is never turned into a wish, nor lost.
 *   4. The whole is validated as a filter document; if it is invalid, the reading of the rules is used.
 * Each explanation names the engine that gave its value.
 */
export function mergeReadings(rules: Proposal, model: { explanations: readonly Explanation[]; unmatched: readonly string[] }): Proposal {
  const kept = rules.explanations.filter(rule => isExclusion(rule) || !model.explanations.some(value => supersedes(value, rule)))
  const excluded = new Set([...kept, ...model.explanations].filter(isExclusion).map(each => keyOf(each, fieldOf(each))))
  const explanations = dedupe([...model.explanations, ...kept]).filter(
    each => isExclusion(each) || !each.field.endsWith('.include') || !excluded.has(keyOf(each, fieldOf(each))),
  )
  const parsed = parseFilters(documentOf(explanations))
  if (!parsed.ok) return { ...rules, engine: 'rules', fallbackReason: 'invalid' }
  const quoted = ` ${model.explanations.map(each => foldText(each.text)).join(' ')} `
  const unread = rules.unmatched.filter(words => !quoted.includes(` ${foldText(words)} `))
  return {
    filters: parsed.filters,
    explanations,
    unmatched: [...new Set([...unread, ...model.unmatched])],
    context: rules.context,
    engine: 'llm',
  }
}

const isExclusion = ({ field }: Explanation): boolean => field.endsWith('.exclude')
const fieldOf = ({ field }: Explanation): string => field.split('.')[0]!
const keyOf = ({ value }: Explanation, field: string): string =>
  `${field} ${typeof value === 'string' ? foldText(value) : JSON.stringify(value)}`

const SINGLE = new Set(['contactedWithinDays', 'maxPerCompany', 'fundedWithinMonths', 'employees', 'revenue', 'fundingTotal', 'founded'])

/** The model read the words of a rule's value, or gave the only value its field may have. */
function supersedes(value: Explanation, rule: Explanation): boolean {
  if (SINGLE.has(rule.field) && value.field === rule.field) return true
  const [said, read] = [` ${foldText(value.text)} `, ` ${foldText(rule.text)} `]
  return said.includes(read) || read.includes(said)
}

function dedupe(explanations: readonly Explanation[]): Explanation[] {
  const seen = new Set<string>()
  return explanations.filter(each => {
    const key = keyOf(each, each.field)
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

function documentOf(explanations: readonly Explanation[]): Partial<FilterDocument> {
  const document: Record<string, unknown> = {}
  for (const { field, value } of explanations) {
    const [name, side] = field.split('.') as [string, string?]
    if (side) {
      const sides = (document[name] ?? {}) as Record<string, unknown[]>
      sides[side] = [...(sides[side] ?? []), value]
      document[name] = sides
    } else if (['contactedWithinDays', 'maxPerCompany', 'fundedWithinMonths'].includes(name)) document[name] = value
    else document[name] = [...((document[name] as unknown[] | undefined) ?? []), value]
  }
  return document as Partial<FilterDocument>
}
