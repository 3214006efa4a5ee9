import type { Accepted } from '../../../packages/sdk/src/calls.ts'
import type { Overture } from '../../../packages/sdk/src/client.ts'
import type { NewCampaign, ScheduleUpdate, SettingsUpdate } from '../../../packages/sdk/src/types.gen.ts'
import { CommandFailed, EXIT } from '../../lib/command-failure.ts'
import type { Call } from '../command.ts'
import { openService } from '../connection.ts'
import { failureOf } from '../failures.ts'
import { harmless, printJson } from '../output.ts'
import { type CampaignFile, readCampaignFile } from './file.ts'
import type { Section } from './plan.ts'
import { digest, forecastOf, makePlan, type Plan, printPlan } from './plan.ts'
import { mailboxesOf } from './running.ts'

/** `overture apply campaign.yaml`: makes the changes of the plan and no others. It can be repeated safely. */
export async function apply(call: Call): Promise<void> {
  const { shell, flags } = call
  const file = await readCampaignFile(call, 'apply')
  const service = await openService(shell, flags)
  const plan = await makePlan(service, file)
  const expected = flags.text('plan')
  if (expected !== undefined && expected !== plan.id) {
    throw new CommandFailed(
      EXIT.conflict,
      'plan_changed',
      `The plan has changed. Its id is now ${plan.id}, not ${expected}.`,
      `overture plan ${call.positionals[0]}`,
    )
  }
  const asJson = flags.isOn('json')
  if (!asJson) printPlan(shell, plan)
  const campaignId = await applyPlan(service, plan).catch(error => {
    const { code, exitCode, message } = failureOf(error)
    throw code === 'precondition_failed' ? new CommandFailed(exitCode, code, message, `overture plan ${call.positionals[0]}`) : error
  })
  const forecast = await forecastOf(service, campaignId, plan.mailboxes)
  if (asJson) return printJson(shell, { plan: plan.id, campaignId, isNew: plan.campaign === null, changes: plan.changes, forecast })
  if (plan.changes.length > 0) shell.print(`\nDone: ${harmless(campaignId)}`)
  shell.print(`Simulation: ${harmless(forecast.text)}`)
}

export async function applyPlan(service: Overture, plan: Plan): Promise<string> {
  const { campaign, changes } = plan
  if (!campaign) return create(service, plan)
  const changed = new Set(changes.map(({ section }) => section))
  await change(service, campaign.id, campaign.updatedAt, plan, changed)
  return campaign.id
}

const settingsOf = ({ campaign, contactRules }: CampaignFile): SettingsUpdate => {
  const { id: _, ...settings } = campaign
  return { ...settings, ...(contactRules ? { contactRules } : {}) } as SettingsUpdate
}

async function create(service: Overture, plan: Plan): Promise<string> {
  const { file, mailboxes } = plan
  const body = {
    ...settingsOf(file),
    ...mailboxesOf(file, mailboxes),
    ...(file.schedule ? { schedule: file.schedule } : {}),
  } as NewCampaign
  // Two people who apply the same file at the same time create one campaign. After it was renamed or archived, another may be created.
  const { id, updatedAt } = await service.campaigns.create(body, { idempotencyKey: `apply-${digest([body, plan.newestBefore])}` })
  await change(service, id, updatedAt, plan, new Set(file.sequence ? ['sequence'] : []))
  return id
}

/**
 * Makes the changes. Each requires the state after the previous one, so that a change by another person in between is not overwritten.
 * The key names the change and that state, so that a repetition after a lost response is the same request.
 */
async function change(service: Overture, id: string, updatedAt: string, plan: Plan, changed: ReadonlySet<Section>): Promise<void> {
  const { campaigns, sequences } = service
  const { file } = plan
  let seen = updatedAt
  async function make<Body, Result extends { updatedAt: string } | { campaign: { updatedAt: string } }>(
    what: string,
    body: Body,
    send: (id: string, body: Body, options: { ifMatch: string; idempotencyKey: string }) => Accepted<Result>,
  ): Promise<void> {
    const result = await send(id, body, { ifMatch: seen, idempotencyKey: `apply-${digest([id, seen, what, body])}` }).wait()
    seen = 'campaign' in result ? result.campaign.updatedAt : result.updatedAt
  }
  if (changed.has('campaign') || changed.has('contactRules')) await make('settings', settingsOf(file), campaigns.updateSettings)
  if (changed.has('schedule')) await make('schedule', file.schedule as ScheduleUpdate, campaigns.updateSchedule)
  if (changed.has('mailboxes')) await make('mailboxes', mailboxesOf(file, plan.mailboxes), campaigns.updateMailboxes)
  if (changed.has('sequence')) await make('sequence', { steps: file.sequence! }, sequences.replace)
}
