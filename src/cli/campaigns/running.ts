import type { Overture } from '../../../packages/sdk/src/client.ts'
import type { Campaign } from '../../../packages/sdk/src/types.gen.ts'
import { CommandFailed, EXIT, notThere } from '../../lib/command-failure.ts'
import { isUuid } from '../../lib/ids.ts'
import { type CampaignFile, settingNames } from './file.ts'

export interface Mailbox {
  id: string
  fromEmail: string
}

export async function listMailboxes(service: Overture): Promise<Mailbox[]> {
  const found: Mailbox[] = []
  for await (const { id, fromEmail } of service.providers.list({ limit: 100 })) found.push({ id, fromEmail })
  return found
}

/** A mailbox is named by its address, which people can read and which works in other workspaces; by its id when several share the address. */
export function mailboxName(id: string, mailboxes: readonly Mailbox[]): string {
  const known = mailboxes.find(mailbox => mailbox.id === id)
  const isAlone = known && mailboxes.filter(({ fromEmail }) => fromEmail === known.fromEmail).length === 1
  return isAlone ? known.fromEmail : id
}

export function findMailbox(name: string, mailboxes: readonly Mailbox[]): Mailbox {
  const fitting = mailboxes.filter(({ id, fromEmail }) => id === name || fromEmail.toLowerCase() === name.toLowerCase())
  if (fitting.length === 1) return fitting[0]!
  const next =
    fitting.length === 0 ? 'overture api providers.create --help   # connect it first' : 'overture api providers.list   # use its id'
  throw notThere(`${fitting.length === 0 ? 'No mailbox is' : 'Several mailboxes are'} called ${name}.`, next)
}

/** The mailboxes of the file as a campaign names them; nothing when the file names none. */
export function mailboxesOf({ mailboxes: names = [] }: CampaignFile, mailboxes: readonly Mailbox[]) {
  const [providerId, ...rotationProviderIds] = names.map(name => findMailbox(name, mailboxes).id)
  return providerId === undefined ? {} : { providerId, rotationProviderIds }
}

/** By its id, or by its name when that is unique; null when there is no campaign of this name. */
export async function findCampaign(
  service: Overture,
  wanted: { id?: string; name: string },
  nextOfSeveral = 'set campaign.id in the file',
): Promise<Campaign | null> {
  if (wanted.id !== undefined) return service.campaigns.get(wanted.id)
  const name = wanted.name.trim()
  const found: Campaign[] = []
  for await (const campaign of service.campaigns.list({ q: name, limit: 100 })) if (campaign.name === name) found.push(campaign)
  if (found.length <= 1) return found[0] ?? null
  const ids = found.map(({ id }) => id).join(', ')
  throw new CommandFailed(EXIT.conflict, 'ambiguous', `${found.length} campaigns are called "${name}": ${ids}.`, nextOfSeveral)
}

/** The campaign as the service has it, in the shape of a file. */
export async function readRunning(service: Overture, campaign: Campaign, mailboxes: readonly Mailbox[]): Promise<CampaignFile> {
  const [schedule, sequence] = await Promise.all([service.campaigns.getSchedule(campaign.id), service.sequences.get(campaign.id)])
  const settings = settingNames().map(name => [name, campaign[name as keyof Campaign]] as const)
  const { daysOfWeek, timeWindow, timezone, useLeadTimezone, startDate, endDate } = schedule
  const ids = [campaign.providerId, ...campaign.rotationProviderIds].filter(id => id !== null)
  return {
    campaign: { id: campaign.id, ...Object.fromEntries(settings) } as CampaignFile['campaign'],
    schedule: { daysOfWeek, timeWindow, timezone, useLeadTimezone, startDate, endDate },
    mailboxes: ids.map(id => mailboxName(id, mailboxes)),
    contactRules: campaign.contactRules as Record<string, unknown>,
    sequence: sequence.steps.map(({ delayDays, variants }) => ({
      delayDays,
      variants: variants.map(({ subject, body, weight }) => ({ subject, body, weight })),
    })),
  }
}

/** The campaign that a person means: by its id or its name. */
export async function namedCampaign(service: Overture, named: string): Promise<Campaign> {
  const campaign = await findCampaign(
    service,
    isUuid(named) ? { id: named, name: '' } : { name: named },
    'overture api campaigns.list   # use its id',
  )
  if (!campaign) throw notThere(`There is no campaign "${named}".`, 'overture api campaigns.list')
  return campaign
}
