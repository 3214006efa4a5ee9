import type { Db } from '../../db/client.ts'
import { MissingVariable, renderTemplate, TemplateError } from '../../mail/compose/template.ts'
import { looksLikeHtml } from '../../mail/inbound/html.ts'
import { type Sender, templateVariablesOf } from '../sending/render.ts'
import type { SequenceStep } from '../sequences/schema.ts'
import { readSteps } from '../sequences/sequences.ts'
import { listLeadShapes, listRecipients, type RecipientRow } from './queries.ts'

/** More different kinds of leads than this are not looked at: the commonest come first. */
const MOST_SHAPES = 2000
export const EXAMPLES = 5

interface Example {
  leadId: string
  email: string
}

/** Leads that lack the same for the same step. */
interface Lack {
  step: number
  variable: string | null
  what: string
  count: number
  examples: Example[]
}

interface DryRun {
  total: number
  /** How many could be sent every step. */
  completeCount: number
  lacks: Lack[]
}

/**
 * Writes every step to every lead, without sending any of it, and says what is missing for how many. Leads with the same
 * fields filled stand for one another.
 */
export async function dryRun(db: Db, campaign: { id: string; sequenceVersion: number }, sender: Sender): Promise<DryRun> {
  const shapes = await listLeadShapes(db, campaign.id, MOST_SHAPES, EXAMPLES)
  const rows = await listRecipients(
    db,
    shapes.flatMap(shape => shape.ids),
  )
  const recipients = new Map(rows.map(row => [row.id, row]))
  const versions = new Map<number, SequenceStep[]>()
  const lacks = new Map<string, Lack>()
  const run: DryRun = { total: 0, completeCount: 0, lacks: [] }
  for (const { ids, count } of shapes) {
    const lead = recipients.get(ids[0]!)
    if (!lead) continue
    run.total += count
    let isComplete = true
    const version = lead.sequenceVersion ?? campaign.sequenceVersion
    const steps = versions.get(version) ?? (await readSteps(db, campaign.id, version))
    versions.set(version, steps)
    for (let step = lead.step; step < steps.length; step++) {
      for (const [what, variable] of missingIn(steps[step]!, lead, sender)) {
        isComplete = false
        const key = `${step}:${what}`
        const lack = lacks.get(key) ?? { step, variable, what, count: 0, examples: [] }
        const examples = ids.flatMap(id => (recipients.has(id) ? [{ leadId: id, email: recipients.get(id)!.email }] : []))
        lacks.set(key, { ...lack, count: lack.count + count, examples: [...lack.examples, ...examples].slice(0, EXAMPLES) })
      }
    }
    if (isComplete) run.completeCount += count
  }
  run.lacks = [...lacks.values()].sort((a, b) => a.step - b.step || b.count - a.count)
  return run
}

export const wordLack = ({ step, what, count }: Lack, total: number): string =>
  `Step ${step + 1}: ${count} of ${total} leads ${count === 1 ? 'lacks' : 'lack'} ${what}.`

/** What the step lacks for the lead, in words, with the variable where it is one. */
function missingIn(step: SequenceStep, lead: RecipientRow, sender: Sender): Map<string, string | null> {
  const missing = new Map<string, string | null>()
  const variables = templateVariablesOf(lead, sender)
  for (const { subject, body } of step.variants) {
    for (const source of [subject ?? '', body]) {
      try {
        renderTemplate(source, variables, { spintaxSeed: lead.id, format: looksLikeHtml(body) ? 'html' : 'text' })
      } catch (error) {
        if (error instanceof MissingVariable)
          missing.set(`${error.variable}, which the template needs (give it a fallback, or remove them)`, error.variable)
        else if (error instanceof TemplateError) missing.set(`what the template expects: ${error.message}`, null)
        else throw error
      }
    }
  }
  return missing
}
