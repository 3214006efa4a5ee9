import { createHash } from 'node:crypto'
import type { Overture } from '../../../packages/sdk/src/client.ts'
import type { Campaign } from '../../../packages/sdk/src/types.gen.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import type { Call } from '../command.ts'
import { harmless, printJson } from '../output.ts'
import { openService } from '../service.ts'
import type { Shell } from '../shell.ts'
import { type Change, compare, diffLines } from './diff.ts'
import { type CampaignFile, readCampaignFile } from './file.ts'
import { findCampaign, findMailbox, listMailboxes, type Mailbox, mailboxName, readRunning } from './running.ts'

export interface Plan {
  /** The same for the same changes to the same state: `apply --plan` refuses any other. */
  id: string
  file: CampaignFile
  /** Null: it will be created. */
  campaign: Campaign | null
  changes: Change[]
  mailboxes: Mailbox[]
  /**
   * The newest campaign before this one was looked for. Two who apply the same new file at the same time saw the same one,
   * and whoever sees a later one finds the campaign itself.
   */
  newestBefore: string | null
}

export const digest = (value: unknown): string => createHash('sha256').update(canonicalJson(value)).digest('hex').slice(0, 32)

export async function makePlan(service: Overture, file: CampaignFile): Promise<Plan> {
  const newestBefore = (await service.campaigns.list({ limit: 1 })).data[0]?.id ?? null
  const mailboxes = await listMailboxes(service)
  const campaign = await findCampaign(service, file.campaign)
  const running = campaign && (await readRunning(service, campaign, mailboxes))
  const named = file.mailboxes?.map(name => mailboxName(findMailbox(name, mailboxes).id, mailboxes))
  const wanted = named ? { ...file, mailboxes: named } : file
  const changes = compare(wanted, running?.file ?? null)
  return {
    id: digest([campaign?.id ?? null, campaign?.updatedAt ?? null, changes]).slice(0, 12),
    file: wanted,
    campaign,
    changes,
    mailboxes,
    newestBefore,
  }
}

/** `overture plan campaign.yaml` */
export async function plan(call: Call): Promise<void> {
  const { shell, flags } = call
  const file = await readCampaignFile(call, 'plan')
  const service = await openService(shell, flags)
  const made = await makePlan(service, file)
  const forecast = made.campaign && (await forecastOf(service, made.campaign.id))
  const { id, campaign, changes } = made
  if (flags.isOn('json'))
    return printJson(shell, { plan: id, campaignId: campaign?.id ?? null, isNew: campaign === null, changes, forecast })
  const asMarkdown = flags.isOn('markdown')
  printPlan(shell, made, asMarkdown)
  if (forecast) shell.print(`\nAs it runs now, the simulator says: ${harmless(forecast.text)}`)
  if (changes.length > 0 && !asMarkdown) shell.print(`\nTo do just this: overture apply ${call.positionals[0]} --plan ${id}`)
}

export function printPlan(shell: Shell, { id, file, campaign, changes }: Plan, asMarkdown = false): void {
  const name = harmless(file.campaign.name)
  const title = campaign ? `Campaign "${name}" (${campaign.id}, ${campaign.status})` : `Campaign "${name}" is new`
  const lines = diffLines(changes).map(harmless)
  if (changes.length === 0) {
    shell.print(`${title}: nothing to change.`)
    return
  }
  const count = `${changes.length} change${changes.length === 1 ? '' : 's'}, plan ${id}`
  // A template may hold a fence itself: ours is longer.
  const fence = '`'.repeat(Math.max(3, ...lines.flatMap(line => line.match(/`+/g) ?? []).map(run => run.length + 1)))
  shell.print(
    asMarkdown
      ? [`### ${title}`, '', count, '', `${fence}diff`, ...lines, fence].join('\n')
      : [`${title}: ${count}`, '', ...lines].join('\n'),
  )
}

interface Forecast {
  sends: number
  startsAt: string | null
  endsAt: string | null
  text: string
}

/** What the simulator says of the campaign as it is, and what it still lacks. */
export async function forecastOf(service: Overture, campaignId: string): Promise<Forecast> {
  const { ready, failures } = await service.campaigns.validate(campaignId)
  const said = await service.campaigns.simulate(campaignId, {})
  const { sends, startsAt, endsAt, bindingLimit, notSent } = said
  const missing = ready ? '' : ` Not ready: ${failures.map(({ message }) => message).join(' ')}`
  const held = notSent.map(({ text }) => ` ${text}`).join('')
  const text =
    sends === 0
      ? `nothing would be sent.${held}${missing}`
      : `${sends} e-mails from ${startsAt} to ${endsAt}. ${bindingLimit.message}${held}${missing}`
  return { sends, startsAt, endsAt, text }
}
