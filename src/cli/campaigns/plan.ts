import { createHash } from 'node:crypto'
import type { Overture } from '../../../packages/sdk/src/client.ts'
import type { Campaign } from '../../../packages/sdk/src/types.gen.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { many } from '../../lib/many.ts'
import type { Call } from '../command.ts'
import { codeBlock, codeSpan } from '../markdown.ts'
import { harmless, printJson } from '../output.ts'
import { openService } from '../service.ts'
import type { Shell } from '../shell.ts'
import { type Change, compare, diffLines, type Section } from './diff.ts'
import { type CampaignFile, readCampaignFile } from './file.ts'
import { differenceOf, forecastOf, forecastOfChange } from './forecast.ts'
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
   * The newest campaign before this one was looked for. Two people who apply the same new file at the same time
   * see the same one; a later person finds the new campaign.
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
  const changes = compare(wanted, running)
  return {
    id: digest([campaign?.id ?? null, campaign?.updatedAt ?? null, changes]).slice(0, 12),
    file: wanted,
    campaign,
    changes,
    mailboxes,
    newestBefore,
  }
}

/** The sections that affect the forecast. */
const FORECAST: readonly Section[] = ['schedule', 'mailboxes', 'contactRules', 'sequence']

/** `overture plan campaign.yaml` */
export async function plan(call: Call): Promise<void> {
  const { shell, flags } = call
  const file = await readCampaignFile(call, 'plan')
  const service = await openService(shell, flags)
  const made = await makePlan(service, file)
  const { id, campaign, changes, mailboxes } = made
  const forecast = campaign && (await forecastOf(service, campaign.id, mailboxes))
  const changed = new Set(changes.map(({ section }) => section))
  const isForecast = campaign && FORECAST.some(section => changed.has(section))
  const planned = isForecast ? await forecastOfChange(service, campaign.id, made.file, changed, mailboxes) : null
  const difference = forecast && planned ? differenceOf(forecast, planned) : []
  if (flags.isOn('json')) {
    return printJson(shell, {
      plan: id,
      campaignId: campaign?.id ?? null,
      isNew: campaign === null,
      changes,
      forecast,
      planned,
      difference,
    })
  }
  const asMarkdown = flags.isOn('markdown')
  printPlan(shell, made, asMarkdown)
  // The simulation names mailboxes and variables, which others have named.
  const say = (what: string, text: string): void =>
    shell.print(asMarkdown ? `\n${what}:\n\n${codeBlock([harmless(text)])}` : `\n${what}: ${harmless(text)}`)
  if (forecast) say('Simulation of the campaign as it is', forecast.text)
  if (planned) {
    say('Simulation with these changes', planned.text)
    say('The difference', `${difference.join('; ') || 'none in the simulation'}.`)
  }
  if (!campaign) {
    say(
      'It has no leads yet, so there is nothing to forecast. To simulate it with invented leads',
      `overture rehearse ${call.positionals[0]}`,
    )
  }
  if (changes.length > 0 && !asMarkdown) shell.print(`\nTo apply exactly this plan: overture apply ${call.positionals[0]} --plan ${id}`)
}

export function printPlan(shell: Shell, { id, file, campaign, changes }: Plan, asMarkdown = false): void {
  const plain = harmless(file.campaign.name)
  const name = asMarkdown ? codeSpan(plain) : `"${plain}"`
  const title = campaign ? `Campaign ${name} (${campaign.id}, ${campaign.status})` : `Campaign ${name} is new`
  const lines = diffLines(changes).map(harmless)
  if (changes.length === 0) {
    shell.print(`${title}: nothing to change.`)
    return
  }
  const count = `${many(changes.length, 'change')}, plan ${id}`
  shell.print(
    asMarkdown ? [`### ${title}`, '', count, '', codeBlock(lines, 'diff')].join('\n') : [`${title}: ${count}`, '', ...lines].join('\n'),
  )
}
