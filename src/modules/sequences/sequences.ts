import type { Context } from '../../context/context.ts'
import type { Db, Tx } from '../../db/sql.ts'
import { AppError, invalid, invalidReference, invalidState } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { isBlank, visibleText } from '../../lib/storable-text.ts'
import { makeRenderDesk } from '../../mail/compose/render-desk.ts'
import { checkIfMatch, getCampaign, getLockedCampaign } from '../campaigns/campaigns.ts'
import { type CampaignRow, updateSequenceVersion } from '../campaigns/queries.ts'
import { findSequence, insertSequence, type SequenceRow, supersedeSequences } from './queries.ts'
import type { NewSequence, SequenceStep } from './schema.ts'

export const EDITABLE = ['draft', 'paused'] as const

/** Checks beyond the schema: the first step starts the thread and has no delay, and templates must parse. */
export async function checkSequence(ctx: Pick<Context, 'part'>, owner: string, sequence: NewSequence): Promise<void> {
  const templates: { path: string; subject: string | null; body: string }[] = []
  sequence.steps.forEach((step, index) => {
    const at = `/steps/${index}`
    if (index === 0 && step.delayDays !== 0) throw invalid('body', `${at}/delayDays`, 'first_step', 'must be 0 for the first step')
    step.variants.forEach((variant, number) => {
      const path = `${at}/variants/${number}`
      if (index === 0 && isBlank(variant.subject ?? ''))
        throw invalid('body', `${path}/subject`, 'required', 'is required on the first step')
      if (isBlank(variant.body)) throw invalid('body', `${path}/body`, 'blank', 'must not be blank')
      templates.push({ path, subject: variant.subject ?? null, body: variant.body })
    })
  })
  const problems = await ctx.part(makeRenderDesk).check(owner, templates)
  problems.forEach((problem, index) => {
    if (problem) throw invalid('body', `${templates[index]!.path}/${problem.part}`, 'template', problem.message)
  })
}

export const toSteps = (sequence: NewSequence): SequenceStep[] =>
  sequence.steps.map(step => ({
    id: newId(),
    delayDays: step.delayDays,
    variants: step.variants.map(variant => ({
      id: newId(),
      subject: visibleText(variant.subject),
      body: variant.body,
      weight: variant.weight ?? 1,
    })),
  }))

/** Version numbers only grow, and the versions of leads that have begun do not change. The campaign must be locked. */
async function saveSequence(tx: Tx, campaign: CampaignRow, steps: SequenceStep[], now: Date): Promise<CampaignRow> {
  const version = campaign.sequenceVersion + 1
  await insertSequence(tx, { campaignId: campaign.id, version, steps, createdAt: now })
  await supersedeSequences(tx, { campaignId: campaign.id, version, createdAt: now })
  return updateSequenceVersion(tx, campaign.id, version, now)
}

function checkEditable({ status }: CampaignRow): void {
  if (!(EDITABLE as readonly string[]).includes(status)) throw invalidState(status, EDITABLE)
}

export async function replaceSequence(
  tx: Tx,
  workspaceId: string,
  campaignId: string,
  sequence: NewSequence,
  ifMatch: Date | null,
  now: Date,
) {
  const campaign = await getLockedCampaign(tx, workspaceId, campaignId)
  checkIfMatch(campaign, ifMatch)
  checkEditable(campaign)
  const steps = toSteps(sequence)
  return { campaign: await saveSequence(tx, campaign, steps, now), stepCount: steps.length }
}

/** The source of a copy, or 422: it must be another campaign of the workspace, with at least one step. */
export async function checkSource(db: Db, workspaceId: string, targetId: string, sourceId: string): Promise<CampaignRow> {
  const refuse = (message: string): AppError => invalidReference('sourceCampaignId', message)
  if (sourceId === targetId) throw refuse('must be another campaign')
  const source = await getCampaign(db, workspaceId, sourceId).catch(error => {
    throw error instanceof AppError ? refuse('is not a campaign of this workspace') : error
  })
  if (source.sequenceVersion === 0) throw refuse('is a campaign without a sequence')
  return source
}

export async function copySequenceInto(tx: Tx, workspaceId: string, targetId: string, sourceId: string, now: Date) {
  const target = await getLockedCampaign(tx, workspaceId, targetId)
  checkEditable(target)
  return copySequence(tx, await checkSource(tx, workspaceId, targetId, sourceId), target, now)
}

/** The copy gets ids of its own: variants are compared per campaign. */
export async function copySequence(tx: Tx, source: CampaignRow, target: CampaignRow, now: Date) {
  const { steps } = (await findSequence(tx, source.id, source.sequenceVersion))!
  const copied = steps.map(step => ({ ...step, id: newId(), variants: step.variants.map(variant => ({ ...variant, id: newId() })) }))
  return { campaign: await saveSequence(tx, target, copied, now), stepCount: copied.length }
}

export const readSequence = async (db: Db, { id, sequenceVersion }: CampaignRow): Promise<SequenceRow | undefined> =>
  sequenceVersion === 0 ? undefined : findSequence(db, id, sequenceVersion)

/** The problems that sending the sequence would have, in words. */
export async function findStepProblems(ctx: Pick<Context, 'part'>, db: Db, campaign: CampaignRow): Promise<string[]> {
  const steps = (await readSequence(db, campaign))?.steps ?? []
  const templates = steps.flatMap((step, index) => step.variants.map(variant => ({ step: index + 1, ...variant })))
  const problems = await ctx.part(makeRenderDesk).check(`trial ${campaign.workspaceId}`, templates)
  return problems.flatMap((problem, index) => (problem ? [`Step ${templates[index]!.step}: ${problem.message}`] : []))
}

/** The steps of one version. A version never changes, so it can be cached. */
export const readSteps = async (db: Db, campaignId: string, version: number): Promise<SequenceStep[]> =>
  (await findSequence(db, campaignId, version))?.steps ?? []
