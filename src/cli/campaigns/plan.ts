import { createHash } from 'node:crypto'
import type { Overture } from '../../../packages/sdk/src/client.ts'
import { OvertureError } from '../../../packages/sdk/src/errors.ts'
import type { Campaign, Simulation, SimulationRequest } from '../../../packages/sdk/src/types.gen.ts'
import { canonicalJson, isRecord } from '../../lib/canonical-json.ts'
import { many } from '../../lib/many.ts'
import { DAY_MS } from '../../lib/time.ts'
import type { Call } from '../command.ts'
import { openService } from '../connection.ts'
import { harmless, printJson } from '../output.ts'
import type { Shell } from '../shell.ts'
import { type CampaignFile, readCampaignFile } from './file.ts'
import { findCampaign, findMailbox, listMailboxes, type Mailbox, mailboxesOf, mailboxName, readRunning } from './running.ts'

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
  if (forecast) say('Simulation of the current campaign', forecast.text)
  if (planned) {
    say('Simulation with these changes', planned.text)
    say('Difference', `${difference.join('; ') || 'none'}.`)
  }
  if (!campaign) {
    say(
      'The campaign has no leads yet, so there is nothing to forecast. To play it with invented leads',
      `overture rehearse ${call.positionals[0]}`,
    )
  }
  if (changes.length > 0 && !asMarkdown) shell.print(`\nTo apply exactly this plan: overture apply ${call.positionals[0]} --plan ${id}`)
}

export function printPlan(shell: Shell, { id, file, campaign, changes }: Plan, asMarkdown = false): void {
  const plain = harmless(file.campaign.name)
  const name = asMarkdown ? codeSpan(plain) : `"${plain}"`
  const title = campaign ? `Campaign ${name} (${harmless(`${campaign.id}, ${campaign.status}`)})` : `Campaign ${name} is new`
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

export type Section = 'campaign' | 'schedule' | 'mailboxes' | 'contactRules' | 'sequence'
const SECTIONS: readonly Section[] = ['campaign', 'schedule', 'mailboxes', 'contactRules', 'sequence']

interface Change {
  section: Section
  /** `sequence.1.variants.0.body`, counted from 1 where people count. */
  path: string
  from: unknown
  to: unknown
}

/** The file as the service would store it, so that equal meanings compare equal. */
function normalized(file: CampaignFile): CampaignFile {
  const { id: _, ...settings } = file.campaign
  const schedule = file.schedule && Object.fromEntries(Object.entries(file.schedule).map(([name, value]) => [name, asTime(name, value)]))
  return {
    ...file,
    campaign: { ...settings, name: settings.name.trim() },
    ...(schedule ? { schedule: sortDays(schedule) } : {}),
    ...(file.sequence
      ? {
          sequence: file.sequence.map(({ delayDays, variants }) => ({
            delayDays,
            variants: variants.map(({ subject, body, weight = 1 }) => ({ subject: subject?.trim() || null, body, weight })),
          })),
        }
      : {}),
  }
}

const asTime = (name: string, value: unknown): unknown =>
  (name === 'startDate' || name === 'endDate') && typeof value === 'string' && !Number.isNaN(Date.parse(value))
    ? new Date(value).toISOString()
    : value

const WEEK = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

/** Days are a set: their order has no meaning. */
function sortDays(schedule: Record<string, unknown>): Record<string, unknown> {
  const { daysOfWeek } = schedule
  return Array.isArray(daysOfWeek)
    ? { ...schedule, daysOfWeek: [...daysOfWeek].sort((left, right) => WEEK.indexOf(left) - WEEK.indexOf(right)) }
    : schedule
}

/** The differences. Sections and settings that the file leaves out are not compared. */
function compare(wanted: CampaignFile, running: CampaignFile | null): Change[] {
  const [to, from] = [normalized(wanted), running && normalized(running)]
  return SECTIONS.flatMap(section => {
    if (to[section] === undefined) return []
    // Rules and lists are replaced as a whole; of settings and the schedule, only the given values.
    const isPartial = section === 'campaign' || section === 'schedule'
    return differences(section, section, from?.[section], to[section], isPartial)
  })
}

function differences(section: Section, path: string, from: unknown, to: unknown, isPartial: boolean): Change[] {
  if (isRecord(to) && (isRecord(from) || from === undefined || from === null)) {
    const before = (from ?? {}) as Record<string, unknown>
    const names = isPartial ? Object.keys(to) : [...new Set([...Object.keys(before), ...Object.keys(to)])]
    return names.flatMap(name => differences(section, `${path}.${name}`, before[name], to[name], false))
  }
  if (section === 'sequence' && Array.isArray(to)) {
    const before = Array.isArray(from) ? from : []
    return Array.from({ length: Math.max(before.length, to.length) }).flatMap((_, at) =>
      at < to.length
        ? differences(section, `${path}.${at + 1}`, before[at], to[at], false)
        : [{ section, path: `${path}.${at + 1}`, from: before[at], to: undefined }],
    )
  }
  return JSON.stringify(from ?? null) === JSON.stringify(to ?? null) ? [] : [{ section, path, from, to }]
}

const shown = (value: unknown): string[] =>
  value === undefined || value === null ? [] : typeof value === 'string' ? value.split('\n') : [JSON.stringify(value)]

function diffLines(changes: readonly Change[]): string[] {
  return changes.flatMap(({ path, from, to }) => [
    `@@ ${path}`,
    ...shown(from).map(line => `- ${line}`),
    ...shown(to).map(line => `+ ${line}`),
  ])
}

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
async function forecastOfChange(
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

function differenceOf(before: Forecast, after: Forecast): string[] {
  const said: string[] = []
  if (before.endsAt && after.endsAt) {
    const days = Math.round((Date.parse(after.endsAt) - Date.parse(before.endsAt)) / DAY_MS)
    if (days !== 0) said.push(`ends ${many(Math.abs(days), 'day')} ${days > 0 ? 'later' : 'earlier'}`)
  } else if (after.endsAt) said.push(`ends on ${after.endsAt.slice(0, 10)}`)
  const more = after.sends - before.sends
  if (more !== 0) said.push(`${many(Math.abs(more), 'email')} ${more > 0 ? 'more' : 'fewer'}`)
  if (after.lastMailbox && after.lastMailbox !== before.lastMailbox) said.push(`limited by the mailbox ${after.lastMailbox}`)
  else if (after.bindingLimit && after.bindingLimit !== before.bindingLimit) said.push(after.bindingLimit.replace(/\.$/, ''))
  const lacking = after.lacks.filter(text => !before.lacks.includes(text))
  return [...said, ...lacking.map(text => text.replace(/\. Add a fallback.*$/, '').replace(/\.$/, ''))]
}

/** Longer than any run of the same mark in the text, so that the text cannot end it. */
const marksAround = (text: string, least: number): string =>
  '`'.repeat(Math.max(least, ...(text.match(/`+/g) ?? []).map(run => run.length + 1)))

/** A name from a stranger in a line of Markdown: as code, it cannot be a heading, link, picture or mention. */
function codeSpan(text: string): string {
  const marks = marksAround(text, 1)
  const room = /^`|`$|^ .* $/.test(text) ? ' ' : ''
  return `${marks}${room}${text}${room}${marks}`
}

/** The same for several lines, as a block. */
function codeBlock(lines: readonly string[], language = ''): string {
  const marks = marksAround(lines.join('\n'), 3)
  return [`${marks}${language}`, ...lines, marks].join('\n')
}
