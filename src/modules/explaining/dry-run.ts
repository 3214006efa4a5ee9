import type { Context } from '../../context/context.ts'
import type { Db } from '../../db/client.ts'
import { makeRenderDesk } from '../../mail/compose/render-desk.ts'
import type { Failure } from '../../mail/compose/render-job.ts'
import { type Sender, templateVariablesOf } from '../sending/render.ts'
import type { SequenceStep } from '../sequences/schema.ts'
import { readSteps } from '../sequences/sequences.ts'
import { listLeadShapes, listRecipients, type RecipientRow } from './queries.ts'

/** More different kinds of leads than this are not looked at: the commonest come first. */
const MOST_SHAPES = 500

/** The whole dry run writes no more messages than this: whoever waits for it holds a connection. */
const MOST_MESSAGES = 10_000

/**
 * Writes every step to every lead, without sending any of it, and says what is missing for how many, when that leaves
 * nobody to write to. A few leads that lack something are no reason to stop: they are skipped, and say why. Leads with
 * the same fields filled stand for one another. A template that takes more than its budget is named at once.
 */
export async function findRenderProblems(
  ctx: Pick<Context, 'clock' | 'part'>,
  db: Db,
  campaign: { id: string; workspaceId: string; sequenceVersion: number },
  sender: Sender,
): Promise<string[]> {
  const shapes = await listLeadShapes(db, campaign.id, MOST_SHAPES)
  const ids = shapes.map(shape => shape.id)
  const recipients = new Map((await listRecipients(db, ids)).map(row => [row.id, row]))
  const total = shapes.reduce((sum, shape) => sum + shape.count, 0)
  const versions = new Map<number, SequenceStep[]>()
  const lacking = new Map<string, { step: number; what: string; count: number }>()
  let messages = 0
  for (const { id, count } of shapes) {
    const lead = recipients.get(id)
    if (!lead) continue
    const version = lead.sequenceVersion ?? campaign.sequenceVersion
    const steps = versions.get(version) ?? (await readSteps(db, campaign.id, version))
    versions.set(version, steps)
    const failures = await tryAll(ctx, campaign.workspaceId, steps, lead, sender)
    const heavy = failures.find(({ failure }) => failure.kind === 'heavy')
    if (heavy) return [`Step ${heavy.step + 1}: ${heavy.failure.message}.`]
    if (failures.length === 0) return []
    const found = new Map(failures.map(({ step, failure }) => [`${step}:${wanting(failure)}`, { step, what: wanting(failure) }]))
    for (const [key, { step, what }] of found) {
      lacking.set(key, { step, what, count: (lacking.get(key)?.count ?? 0) + count })
    }
    messages += steps.reduce((sum, step) => sum + step.variants.length, 0)
    if (messages >= MOST_MESSAGES) break
  }
  return [...lacking.values()]
    .sort((a, b) => a.step - b.step || b.count - a.count)
    .map(({ step, what, count }) => `Step ${step + 1}: ${count} of ${total} leads ${count === 1 ? 'lacks' : 'lack'} ${what}.`)
}

/** Every variant of every step that the lead has before it. */
async function tryAll(
  ctx: Pick<Context, 'clock' | 'part'>,
  workspaceId: string,
  steps: SequenceStep[],
  lead: RecipientRow,
  sender: Sender,
): Promise<{ step: number; failure: Failure }[]> {
  const ahead = steps.flatMap((each, step) => (step < lead.step ? [] : each.variants.map(template => ({ step, template }))))
  const variables = templateVariablesOf(lead, sender)
  const now = ctx.clock.now()
  const answers = await ctx.part(makeRenderDesk).tryOut(
    workspaceId,
    ahead.map(({ template }) => ({ kind: 'try', template, variables, spintaxSeed: lead.id, now })),
  )
  return answers.flatMap((failures, index) => failures.map(failure => ({ step: ahead[index]!.step, failure })))
}

function wanting({ kind, variables, message }: Failure): string {
  if (kind !== 'lead') return `what the template expects: ${message}`
  const [name] = variables
  return `${name}, which the template needs (give it a fallback, {{ ${name} | default: "there" }}, or remove them)`
}
