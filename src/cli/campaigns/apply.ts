import type { Overture } from '../../../packages/sdk/src/client.ts'
import type { NewCampaign, NewSequence, ScheduleUpdate, SettingsUpdate } from '../../../packages/sdk/src/types.gen.ts'
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
  if (plan.changes.length > 0) shell.print(`\nDone: ${campaignId}`)
  shell.print(`Simulation: ${harmless(forecast.text)}`)
}

export async function applyPlan(service: Overture, plan: Plan): Promise<string> {
  const { campaign, changes } = plan
  if (!campaign) return create(service, plan)
  const changed = new Set(changes.map(({ section }) => section))
  await new Changing(service, campaign.id, campaign.updatedAt).run(plan, changed)
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
  await new Changing(service, id, updatedAt).run(plan, new Set(file.sequence ? ['sequence'] : []))
  return id
}

/**
 * Each change requires the state after the previous one, so that a change by another person in between is not overwritten.
 * The key names the change and that state, so that a repetition after a lost response is the same request.
 */
class Changing {
  readonly #service: Overture
  readonly #id: string
  #updatedAt: string

  constructor(service: Overture, id: string, updatedAt: string) {
    this.#service = service
    this.#id = id
    this.#updatedAt = updatedAt
  }

  async run(plan: Plan, changed: ReadonlySet<Section>): Promise<void> {
    const { campaigns, sequences } = this.#service
    const { file } = plan
    if (changed.has('campaign') || changed.has('contactRules')) {
      const body = settingsOf(file)
      this.#updatedAt = (await campaigns.updateSettings(this.#id, body, this.#options('settings', body)).wait()).campaign.updatedAt
    }
    if (changed.has('schedule')) {
      const body = file.schedule as ScheduleUpdate
      this.#updatedAt = (await campaigns.updateSchedule(this.#id, body, this.#options('schedule', body)).wait()).campaign.updatedAt
    }
    if (changed.has('mailboxes')) {
      const body = mailboxesOf(file, plan.mailboxes)
      this.#updatedAt = (await campaigns.updateMailboxes(this.#id, body, this.#options('mailboxes', body)).wait()).campaign.updatedAt
    }
    if (changed.has('sequence')) {
      const body: NewSequence = { steps: file.sequence! }
      this.#updatedAt = (await sequences.replace(this.#id, body, this.#options('sequence', body)).wait()).updatedAt
    }
  }

  #options(what: string, body: unknown) {
    return { ifMatch: this.#updatedAt, idempotencyKey: `apply-${digest([this.#id, this.#updatedAt, what, body])}` }
  }
}
