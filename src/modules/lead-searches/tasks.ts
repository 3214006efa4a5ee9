import { type FilterDocument, saysWhom } from '#lead-terms'
import { languageModelOf } from '../../context/config.ts'
import type { Context } from '../../context/context.ts'
import { strict } from '../../http/schema.ts'
import { AppError } from '../../lib/errors.ts'
import { Turns } from '../../lib/turns.ts'
import { Type } from '../../lib/type.ts'
import { Again, type OperationTasks, outsideTask } from '../../operations/tasks.ts'
import { makeBriefReaders } from './briefs.ts'
import { abandonPurchase, buyExport, buyIntoCampaign, prepareExport } from './buying.ts'
import { type Proposal, proposalOf } from './proposal.ts'
import {
  ExportProgress,
  LeadSearchAttachment,
  LeadSearchDelivery,
  LeadSearchPreviewResult,
  Order,
  PreviewInput,
  ProposedFilters,
} from './schema.ts'
import { type Audience, choosePeople, findAudience, showSample } from './selection.ts'

/** Purchases that a process runs at the same time: each holds a connection while it runs. Workspaces take turns. */
const PURCHASES_AT_ONCE = 3
const purchaseTurns = (): Turns => new Turns(PURCHASES_AT_ONCE)

/**
 * Null when enough searches are running. A waiting search goes back into the queue: there it does not block quick work,
 * another worker can take it, and a worker that dies has not used up an attempt of a search that it never started.
 */
const inTurn = <T>(ctx: Context, workspaceId: string, work: () => Promise<T>): Promise<T | null> =>
  ctx.part(purchaseTurns).tryRun(workspaceId, work)

/** A search index that is not ready counts as an external service that is not available. */
async function searching<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError && error.code === 'service_unavailable') throw new AppError('upstream_unavailable', error.message)
    throw error
  }
}

const later = async (): Promise<Again> => new Again(150 + Math.floor(Math.random() * 150))

export const leadSearchTasks: OperationTasks = {
  'lead_search.preview': outsideTask(PreviewInput, LeadSearchPreviewResult, {
    async run(ctx, { workspaceId, campaignId, input }) {
      const { filters, warnings } = input
      const audience = await findAudience(ctx, workspaceId, filters)
      const found = await searching(async () => {
        await ctx.leadEngine.caughtUp()
        const [seen, sample] = await Promise.all([
          ctx.leadEngine.preview(filters, audience),
          showSample(ctx, workspaceId, filters, audience),
        ])
        const { matchCount, verifiedCount, facets, version: directoryVersion } = seen
        const attachableCount = await countAttachable(ctx, filters, audience, verifiedCount)
        return { matchCount, verifiedCount, deliverableCount: verifiedCount, attachableCount, facets, sample, directoryVersion }
      })
      return async () => ({ campaignId: campaignId!, filters, ...found, warnings })
    },
  }),

  'lead_search.generate_filters': outsideTask(strict({ brief: Type.String() }), ProposedFilters, {
    async run(ctx, { workspaceId, input: { brief } }, signal) {
      const proposal = await propose(ctx, workspaceId, brief, signal)
      // An empty document would match everyone, so at least one criterion is required.
      if (!saysWhom(proposal.filters)) throw new AppError('filters_not_derivable', NOT_DERIVABLE)
      return async () => proposal
    },
  }),

  'lead_search.export': outsideTask(Order, LeadSearchDelivery, {
    progress: ExportProgress,
    async run(ctx, operation, signal, report) {
      const order = operation.input
      const exported = await inTurn(ctx, operation.workspaceId, () => searching(() => prepareExport(ctx, operation, signal, report)))
      if (!exported) return later
      return async tx => (await buyExport(tx, ctx, operation, exported, order)) ?? new Again(0)
    },
    abandon: abandonPurchase,
  }),

  'lead_search.attach': outsideTask(Order, LeadSearchAttachment, {
    async run(ctx, operation) {
      const order = operation.input
      const { workspaceId, campaignId } = operation
      const chosen = await inTurn(ctx, workspaceId, () =>
        searching(() => choosePeople(ctx, workspaceId, order.filters, order.leadCount, campaignId)),
      )
      if (!chosen) return later
      return tx => buyIntoCampaign(tx, ctx, operation, chosen.people, order)
    },
    abandon: abandonPurchase,
  }),
}

/** How many an order could put into a campaign. Without imported people these are all people with a verified address. */
async function countAttachable(ctx: Context, filters: FilterDocument, audience: Audience, verifiedCount: number): Promise<number> {
  if (audience.owner === 0) return verifiedCount
  return (await ctx.leadEngine.count(filters, { ...audience, addresses: 'usable' })).matchCount
}

/** Without the words of the brief: they may name people, and errors are kept and shown in more places than briefs. */
const NOT_DERIVABLE =
  'The brief does not describe the people you are looking for. Name their job titles, industries, locations or companies.'

/** The built-in rules read the brief first; a language model, if configured, can improve the result and is never required. */
async function propose(ctx: Context, workspaceId: string, brief: string, signal: AbortSignal): Promise<Proposal> {
  const offline = proposalOf(await ctx.part(makeBriefReaders).read(workspaceId, brief, ctx.clock.now().getUTCFullYear()))
  const llm = languageModelOf(ctx.config)
  if (!llm) return offline
  const { refineWithLlm } = await import('./llm.ts')
  const refined = await refineWithLlm(brief, offline, llm, signal)
  // A model whose response was not awaited has not failed: the brief is read again after the restart.
  signal.throwIfAborted()
  return refined
}
