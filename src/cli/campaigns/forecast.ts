import type { Overture } from '../../../packages/sdk/src/client.ts'
import { OvertureError } from '../../../packages/sdk/src/errors.ts'
import type { Simulation, SimulationRequest } from '../../../packages/sdk/src/types.gen.ts'
import { many } from '../../lib/many.ts'
import { DAY_MS } from '../../lib/time.ts'
import type { Section } from './diff.ts'
import type { CampaignFile } from './file.ts'
import { type Mailbox, mailboxesOf } from './running.ts'

/** The simulator's forecast for a campaign. */
interface Forecast {
  sends: number
  startsAt: string | null
  endsAt: string | null
  text: string
  /** The address of the mailbox that finishes last, where the daily cap sets the pace. */
  lastMailbox: string | null
  bindingLimit: string | null
  /** The missing variables with their numbers of leads, in words. */
  lacks: string[]
}

/** The forecast of the campaign as it is, and what it still lacks. */
export async function forecastOf(service: Overture, campaignId: string, mailboxes: readonly Mailbox[]): Promise<Forecast> {
  const { ready, failures, warnings } = await service.campaigns.validate(campaignId)
  const missing = ready ? '' : ` Not ready: ${failures.map(({ message }) => message).join(' ')}`
  const lacks = warnings.filter(({ rule }) => rule === 'missing_variable' || rule === 'template').map(({ message }) => message)
  return simulate(service, campaignId, {}, mailboxes, { missing, lacks })
}

/** The forecast of the campaign after the changes. Nothing is changed for it. */
export async function forecastOfChange(
  service: Overture,
  campaignId: string,
  file: CampaignFile,
  changed: ReadonlySet<Section>,
  mailboxes: readonly Mailbox[],
): Promise<Forecast> {
  const trial = {
    ...(changed.has('schedule') ? { schedule: file.schedule } : {}),
    ...(changed.has('mailboxes') ? mailboxesOf(file, mailboxes) : {}),
    ...(changed.has('contactRules') ? { contactRules: file.contactRules } : {}),
    ...(changed.has('sequence') ? { steps: file.sequence } : {}),
  } as SimulationRequest
  return simulate(service, campaignId, trial, mailboxes)
}

async function simulate(
  service: Overture,
  campaignId: string,
  trial: SimulationRequest,
  mailboxes: readonly Mailbox[],
  known: { missing: string; lacks: string[] } = { missing: '', lacks: [] },
): Promise<Forecast> {
  try {
    const said = await service.campaigns.simulate(campaignId, trial)
    const { sends, startsAt, endsAt, bindingLimit, notSent } = said
    const lacks = said.lacks?.map(({ text }) => text) ?? known.lacks
    const held = notSent.map(({ text, count }) => ` ${count} not sent: ${text}.`).join('')
    const sum = sends === 0 ? 'nothing would be sent.' : `${sends} emails from ${startsAt} to ${endsAt}. ${bindingLimit.message}`
    const text = `${sum}${held}${lacks.map(each => ` ${each}`).join('')}${known.missing}`
    return { sends, startsAt, endsAt, text, lastMailbox: lastMailboxOf(said, mailboxes), bindingLimit: bindingLimit.message, lacks }
  } catch (error) {
    if (!(error instanceof OvertureError) || error.code !== 'campaign_not_ready') throw error
    return { sends: 0, startsAt: null, endsAt: null, text: error.message, lastMailbox: null, bindingLimit: null, lacks: known.lacks }
  }
}

/** The one that still sends when all others are done. */
function lastMailboxOf({ days, bindingLimit }: Simulation, mailboxes: readonly Mailbox[]): string | null {
  if (bindingLimit.code !== 'mailbox_cap') return null
  const lastDays = new Map<string, string>()
  for (const { date, byMailbox } of days) for (const id of Object.keys(byMailbox)) lastDays.set(id, date)
  const end = days.at(-1)?.date
  const last = [...lastDays].filter(([, date]) => date === end)
  return lastDays.size > 1 && last.length === 1 ? (mailboxes.find(({ id }) => id === last[0]![0])?.fromEmail ?? null) : null
}

/** The differences, in a few words each. */
export function differenceOf(before: Forecast, after: Forecast): string[] {
  const said: string[] = []
  if (before.endsAt && after.endsAt) {
    const days = Math.round((Date.parse(after.endsAt) - Date.parse(before.endsAt)) / DAY_MS)
    if (days !== 0) said.push(`ends ${many(Math.abs(days), 'day')} ${days > 0 ? 'later' : 'earlier'}`)
  } else if (after.endsAt) said.push(`ends on ${after.endsAt.slice(0, 10)}`)
  const more = after.sends - before.sends
  if (more !== 0) said.push(`${many(Math.abs(more), 'email')} ${more > 0 ? 'more' : 'fewer'}`)
  if (after.lastMailbox && after.lastMailbox !== before.lastMailbox) said.push(`mailbox ${after.lastMailbox} binds`)
  else if (after.bindingLimit && after.bindingLimit !== before.bindingLimit) said.push(after.bindingLimit.replace(/\.$/, ''))
  const lacking = after.lacks.filter(text => !before.lacks.includes(text))
  return [...said, ...lacking.map(text => text.replace(/\. Add a fallback.*$/, '').replace(/\.$/, ''))]
}
