import type { Context } from '../../context/context.ts'
import type { Db } from '../../db/sql.ts'
import { digits } from '../../lib/many.ts'
import { type Failure, makeRenderDesk } from '../../mail/compose/render-desk.ts'
import { withFallback } from '../../mail/compose/template.ts'
import type { SimulationLead } from '../../scheduling/simulate.ts'
import type { CampaignRow } from '../campaigns/queries.ts'
import { type Sender, templateVariablesOf } from '../sending/render.ts'
import type { SequenceStep } from '../sequences/schema.ts'
import { readSteps } from '../sequences/sequences.ts'
import { countMailableLeads, countShapes, type LeadShape, listLeadShapes, listRecipients, type RecipientRow } from './queries.ts'

/** No more different shapes of leads than these are checked. */
const MOST_SHAPES = 2000
export const EXAMPLES = 5
export const NO_SENDER = { fromName: 'Nobody', fromEmail: 'nobody@example.com', postalAddress: null }
/** Leads are counted up to this number; beyond it the text says "at least". */
export const MOST_COUNTED = 10_000

interface Example {
  leadId: string
  email: string
}

/** Leads that lack the same variables for the same step. */
interface Lack {
  step: number
  variable: string | null
  what: string
  count: number
  examples: Example[]
}

interface DryRun {
  /** Whether at least one lead could get every step. */
  isSomebodyComplete: boolean
  lacks: Lack[]
  /** The number of leads to contact; read only when some of them lack a value. */
  total: number
  /** The leads that cannot get one of their remaining steps, by the first such step. */
  stops: Stop[]
  /** The message for a template that exceeds its budget. Then nothing else is checked. */
  heavy: string | null
}

/** A dry run renders no more messages than this, because its request holds a connection. */
const MOST_MESSAGES = 10_000

type Rendering = Pick<Context, 'clock' | 'part'>
/** A campaign whose saved steps are rendered, or steps to try out. */
type Rendered = Pick<CampaignRow, 'id' | 'workspaceId' | 'sequenceVersion'>

/**
 * Renders every step for every lead, sends nothing, and returns which variables are missing for how many leads. One lead stands for all
 * leads with the same fields filled, and only leads that lack something are counted. A template that exceeds its budget ends the dry run.
 */
export async function dryRun(
  ctx: Rendering,
  db: Db,
  campaign: Rendered,
  sender: Sender,
  /** Steps to try out instead of the saved ones, with the leads that have not started. */
  tried: SequenceStep[] | null = null,
  mostCounted = MOST_COUNTED,
): Promise<DryRun> {
  const { lacking, ...found } = await tryShapes(ctx, db, campaign, sender, tried)
  const run: DryRun = { ...found, total: 0, lacks: [], stops: [] }
  if (run.heavy !== null || lacking.length === 0) return run
  const incomplete = lacking.map(({ shape }) => shape)
  const counts = await countShapes(db, campaign.id, incomplete, mostCounted)
  run.stops = lacking.flatMap(({ shape, shares }, index) => stopsOf(shape.step, shares, counts[index]!)).filter(({ count }) => count > 0)
  run.total = await countMailableLeads(db, campaign.id, MOST_COUNTED)
  run.lacks = sumLacks(lacking, counts)
  return run
}

/** Leads of one shape that lack something. */
interface LackingShape extends Tried {
  shape: LeadShape
  examples: Example[]
}

/** Renders the steps for one lead of every shape, up to the first template that exceeds its budget. */
async function tryShapes(ctx: Rendering, db: Db, campaign: Rendered, sender: Sender, tried: SequenceStep[] | null) {
  const shapes = (await listLeadShapes(db, campaign.id, MOST_SHAPES, EXAMPLES)).filter(shape => shape.ids.length > 0)
  const ids = shapes.flatMap(shape => shape.ids)
  const rows = await listRecipients(db, ids)
  const recipients = new Map(rows.map(row => [row.id, row]))
  const versions = new Map<number, SequenceStep[]>()
  const lacking: LackingShape[] = []
  let isSomebodyComplete = false
  let messages = 0
  for (const { ids, ...shape } of shapes) {
    const lead = recipients.get(ids[0]!)
    if (!lead) continue
    const version = lead.sequenceVersion ?? campaign.sequenceVersion
    const known = lead.sequenceVersion === null && tried !== null ? tried : versions.get(version)
    const steps = known ?? (await readSteps(db, campaign.id, version))
    if (!known) versions.set(version, steps)
    const { failures, shares } = await tryAll(ctx, campaign.workspaceId, steps, lead, sender)
    const heavy = failures.find(({ failure }) => failure.kind === 'heavy')
    if (heavy) return { isSomebodyComplete, lacking, heavy: `Step ${heavy.step + 1}: ${heavy.failure.message}.` }
    if (failures.length === 0) isSomebodyComplete = true
    else {
      const examples = ids.flatMap(id => (recipients.has(id) ? [{ leadId: id, email: recipients.get(id)!.email }] : []))
      lacking.push({ shape, examples, failures, shares })
    }
    messages += steps.reduce((sum, step) => sum + step.variants.length, 0)
    if (messages >= MOST_MESSAGES) break
  }
  return { isSomebodyComplete, lacking, heavy: null }
}

/** The same missing value in several shapes is one lack. */
function sumLacks(lacking: readonly LackingShape[], counts: readonly number[]): Lack[] {
  const lacks = new Map<string, Lack>()
  for (const [index, { examples, failures }] of lacking.entries()) {
    const found = new Map(failures.map(({ step, failure }) => [`${step}:${wanting(failure)}`, { step, failure }]))
    for (const [key, { step, failure }] of found) {
      const variable = failure.kind === 'lead' ? failure.variables[0]! : null
      const lack = lacks.get(key) ?? { step, variable, what: wanting(failure), count: 0, examples: [] }
      lacks.set(key, {
        ...lack,
        count: Math.min(lack.count + counts[index]!, MOST_COUNTED),
        examples: [...lack.examples, ...examples].slice(0, EXAMPLES),
      })
    }
  }
  return [...lacks.values()].sort((a, b) => a.step - b.step || b.count - a.count)
}

export function wordLack({ step, what, count }: Lack, total: number): string {
  const leads = count >= MOST_COUNTED ? 'leads' : `of ${atLeast(total)} ${total === 1 ? 'lead' : 'leads'}`
  return `Step ${step + 1}: ${atLeast(count)} ${leads} ${count === 1 ? 'has' : 'have'} no ${what}.`
}

export const atLeast = (count: number, isAtLeast = count >= MOST_COUNTED): string =>
  isAtLeast ? `at least ${digits(count)}` : digits(count)

interface Tried {
  failures: { step: number; failure: Failure }[]
  /** For each step, the share of its variants that could not be rendered. */
  shares: number[]
}

/** Renders every variant of every remaining step of the lead. */
async function tryAll(ctx: Rendering, workspaceId: string, steps: SequenceStep[], lead: RecipientRow, sender: Sender): Promise<Tried> {
  const ahead = steps.flatMap((each, step) => (step < lead.step ? [] : each.variants.map(template => ({ step, template }))))
  const variables = templateVariablesOf(lead, sender)
  const now = ctx.clock.now()
  const answers = await ctx.part(makeRenderDesk).tryOut(
    `trial ${workspaceId}`,
    ahead.map(({ template }) => ({ kind: 'try', template, variables, spintaxSeed: lead.id, now })),
  )
  const shares = steps.map(() => 0)
  for (const [index, { step, template }] of ahead.entries())
    if (answers[index]!.length > 0) shares[step]! += template.weight / steps[step]!.variants.reduce((sum, { weight }) => sum + weight, 0)
  return { failures: answers.flatMap((failures, index) => failures.map(failure => ({ step: ahead[index]!.step, failure }))), shares }
}

/** Leads get variants by weight, so the leads that stop at a step are the share of its variants that fail. */
function stopsOf(step: number, shares: number[], count: number): Stop[] {
  let left = count
  return shares.map((share, stopsAt) => {
    const stopped = Math.min(left, Math.round(left * share))
    left -= stopped
    return { step, stopsAt, count: stopped }
  })
}

function wanting({ kind, variables, message }: Failure): string {
  if (kind !== 'lead') return `value that the template expects: ${message}`
  const [name] = variables
  return `${name}. Add a fallback such as ${withFallback(name!)}, or remove the leads`
}

/** Leads at one step that cannot get a certain step: this one or a later one. */
export interface Stop {
  step: number
  stopsAt: number
  count: number
}

/**
 * Marks as many of the leads as the dry run found. Leads that are equal for the planner can lack different variables, and only the number
 * of stops is known, so the stops are taken from all entries in proportion. The dry run also counts leads with a hold (but not suppressed
 * ones): they get their share, and keep their hold as the reason.
 */
export function withStops(leads: readonly SimulationLead[], stops: readonly Stop[]): SimulationLead[] {
  const isCounted = (lead: SimulationLead): boolean => lead.hold?.reason !== 'suppressed'
  const left = new Map<number, number>()
  for (const lead of leads.filter(isCounted)) left.set(lead.step, (left.get(lead.step) ?? 0) + countOf(lead))
  const open = stops.map(stop => ({ ...stop }))
  return leads.flatMap(lead => {
    if (!isCounted(lead)) return [lead]
    const parts = takeStops(lead, open, left)
    return lead.hold ? [lead] : parts
  })
}

/** Takes the share of one entry from every stop. The shares are rounded one after the other, so that they add up. */
function takeStops(lead: SimulationLead, open: Stop[], left: Map<number, number>): SimulationLead[] {
  const total = left.get(lead.step)!
  const count = countOf(lead)
  left.set(lead.step, total - count)
  const here = open.filter(({ step }) => step === lead.step)
  let stopping = here.reduce((sum, stop) => sum + stop.count, 0)
  // Leads and stops are read one after the other, so there can be more stops than leads.
  let taking = Math.min(count, Math.round((stopping * count) / total))
  const staying = count - taking
  const parts: SimulationLead[] = staying === 0 ? [] : [staying === count ? lead : { ...lead, count: staying }]
  for (const stop of here) {
    const share = stopping === 0 ? 0 : Math.round((taking * stop.count) / stopping)
    stopping -= stop.count
    taking -= share
    stop.count -= share
    if (share > 0) parts.push({ ...lead, id: `${lead.id}:${stop.stopsAt}`, count: share, stopsAt: stop.stopsAt })
  }
  return parts
}

const countOf = ({ count = 1 }: SimulationLead): number => count
