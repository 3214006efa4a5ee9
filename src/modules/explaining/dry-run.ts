import type { Db } from '../../db/client.ts'
import { MissingVariable, renderTemplate, TemplateError } from '../../mail/compose/template.ts'
import { looksLikeHtml } from '../../mail/inbound/html.ts'
import { type Sender, templateVariablesOf } from '../sending/render.ts'
import type { SequenceStep } from '../sequences/schema.ts'
import { readSteps } from '../sequences/sequences.ts'
import { listLeadShapes, listRecipients, type RecipientRow } from './queries.ts'

/** More different kinds of leads than this are not looked at: the commonest come first. */
const MOST_SHAPES = 500

/**
 * Writes every step to every lead, without sending any of it, and says what is missing for how many, when that leaves
 * nobody to write to. A few leads that lack something are no reason to stop: they are skipped, and say why. Leads with
 * the same fields filled stand for one another.
 */
export async function findRenderProblems(db: Db, campaign: { id: string; sequenceVersion: number }, sender: Sender): Promise<string[]> {
  const shapes = await listLeadShapes(db, campaign.id, MOST_SHAPES)
  const recipients = new Map(
    (
      await listRecipients(
        db,
        shapes.map(shape => shape.id),
      )
    ).map(row => [row.id, row]),
  )
  const total = shapes.reduce((sum, shape) => sum + shape.count, 0)
  const versions = new Map<number, SequenceStep[]>()
  const lacking = new Map<string, { step: number; what: string; count: number }>()
  for (const { id, count } of shapes) {
    const lead = recipients.get(id)
    if (!lead) continue
    let isComplete = true
    const version = lead.sequenceVersion ?? campaign.sequenceVersion
    const steps = versions.get(version) ?? (await readSteps(db, campaign.id, version))
    versions.set(version, steps)
    for (let step = lead.step; step < steps.length; step++) {
      for (const what of missingIn(steps[step]!, lead, sender)) {
        isComplete = false
        const key = `${step}:${what}`
        const known = lacking.get(key) ?? { step, what, count: 0 }
        lacking.set(key, { ...known, count: known.count + count })
      }
    }
    if (isComplete) return []
  }
  return [...lacking.values()]
    .sort((a, b) => a.step - b.step || b.count - a.count)
    .map(({ step, what, count }) => `Step ${step + 1}: ${count} of ${total} leads ${count === 1 ? 'lacks' : 'lack'} ${what}.`)
}

function missingIn(step: SequenceStep, lead: RecipientRow, sender: Sender): Set<string> {
  const missing = new Set<string>()
  const variables = templateVariablesOf(lead, sender)
  for (const { subject, body } of step.variants) {
    for (const source of [subject ?? '', body]) {
      try {
        renderTemplate(source, variables, { spintaxSeed: lead.id, format: looksLikeHtml(body) ? 'html' : 'text' })
      } catch (error) {
        if (error instanceof MissingVariable)
          missing.add(`${error.variable}, which the template needs (give it a fallback, or remove them)`)
        else if (error instanceof TemplateError) missing.add(`what the template expects: ${error.message}`)
        else throw error
      }
    }
  }
  return missing
}
