import type { Campaign, ContactOverrides, Fix, LeadPatch, Overture, Provider, ProviderPatch, Schedule, ScheduleUpdate } from '@overture/sdk'
import type { SendOptions } from '@/data/use-operation.ts'
import { formatCount } from '@/ui/format.ts'
import { wordDays, wordWindow } from '../schedule/schedule.ts'

/** What is known about the things that a fix would change. */
export interface FixContext {
  campaign: Campaign
  schedule: Schedule | undefined
  mailboxes: readonly Provider[]
}

export interface PlannedFix {
  /** What the button says. */
  label: string
  /** What it will do, in a sentence or two. */
  words: string
  scope: string
  /** Values that a person has to give: paths into the body, such as `firstName` or `variables.city`. */
  blanks: string[]
  send: (api: Overture, body: Record<string, unknown>, options: SendOptions) => PromiseLike<unknown>
}

const RULES: Record<keyof ContactOverrides, string> = {
  contactedElsewhereWithinDays: 'wait after a message from another campaign',
  inOtherActiveCampaign: 'one active campaign at a time for each person',
  companyReplied: 'hold colleagues back after an answer',
  maxPerCompanyAtOnce: 'a limit of people per company at a time',
}

/**
 * The service answers with the request that solves a problem. Here it becomes a button: which call of the SDK it is, and what it
 * does in words. Null: a request that this console does not know; it is shown to be copied, and never sent.
 */
export function planFix(fix: Fix, context: FixContext): PlannedFix | null {
  const path = fix.path.replace(/^\/v1\/workspaces\/[^/]+/, '')
  const { campaign } = context
  const [, kind, id, ...rest] = path.split('/')
  const request = `${fix.method} ${rest[0] ?? ''}`
  if (kind === 'providers' && id) return planMailbox(request, id, fix, context)
  if (kind !== 'campaigns' || id !== campaign.id) return null
  switch (request) {
    case 'PUT schedule':
      return planSchedule(fix.body as ScheduleUpdate, context)
    case 'PUT settings': {
      const wanted = (fix.body.contactRules ?? {}) as ContactOverrides
      const changed = (Object.keys(wanted) as (keyof ContactOverrides)[]).filter(name => wanted[name] !== campaign.contactRules[name])
      return {
        label: 'Switch the rule off here',
        words: `For this campaign, this contact rule no longer holds: ${changed.map(name => RULES[name]).join(', ')}. Other campaigns keep it.`,
        scope: 'campaigns:write',
        blanks: [],
        send: (api, body, options) => api.campaigns.updateSettings(id, body, { ...options, ifMatch: campaign.updatedAt }),
      }
    }
    case 'POST activate':
    case 'POST resume':
    case 'POST unarchive':
      return planTransition(rest[0] as 'activate' | 'resume' | 'unarchive', campaign)
    case 'PATCH leads':
      return rest[1] ? planLead(rest[1], fix, campaign) : null
    default:
      return null
  }
}

function planSchedule(body: ScheduleUpdate, { campaign, schedule }: FixContext): PlannedFix {
  const isWindow = body.timeWindow !== undefined
  const isStart = 'startDate' in body
  const words = isWindow
    ? `Messages may then leave ${wordDays(body.daysOfWeek ?? [])}, ${wordWindow(body.timeWindow!)} ${body.timezone}.${
        schedule?.daysOfWeek ? ` Now it is ${wordDays(schedule.daysOfWeek)}, ${wordWindow(schedule.timeWindow)}.` : ''
      } It stays so until you change it back.`
    : isStart
      ? 'The start date is removed, so that messages may leave as soon as the window is open.'
      : 'The end date is removed, so that the campaign goes on until everybody has had every step.'
  return {
    label: isWindow ? 'Open the window now' : isStart ? 'Start without a date' : 'Remove the end date',
    words,
    scope: 'campaigns:write',
    blanks: [],
    send: (api, changed, options) => api.campaigns.updateSchedule(campaign.id, changed, { ...options, ifMatch: campaign.updatedAt }),
  }
}

function planTransition(transition: 'activate' | 'resume' | 'unarchive', { id }: Campaign): PlannedFix {
  const [label, words] = {
    activate: ['Activate', 'The campaign begins to send, within its window and the limits of its mailboxes.'],
    resume: ['Resume', 'The campaign goes on where it stopped. Nobody gets a message twice.'],
    unarchive: ['Bring back', 'The campaign gets the status that it had before it was archived.'],
  }[transition]
  return {
    label: label!,
    words: words!,
    scope: 'campaigns:write',
    blanks: [],
    send: (api, _, options) => api.campaigns[transition](id, options),
  }
}

function planMailbox(request: string, id: string, { body }: Fix, { mailboxes }: FixContext): PlannedFix | null {
  const name = mailboxes.find(mailbox => mailbox.id === id)?.name ?? 'The mailbox'
  const base = { scope: 'providers:write', blanks: [] }
  if (request === 'POST verify') {
    return {
      ...base,
      label: 'Verify the mailbox',
      words: `Connects to the servers of ${name}, signs in, and sends it a test message. If all goes well, the campaigns that it had stopped go on.`,
      send: async (api, _, { idempotencyKey }) => {
        const { ok, stages } = await api.providers.verify(id, { idempotencyKey })
        const failed = stages.find(stage => !stage.ok)
        if (!ok) throw new Error(`It is not connected yet. ${failed ? `${failed.stage}: ${failed.detail}` : ''}`)
      },
    }
  }
  if (request !== 'PATCH ') return null
  const isRamp = 'ramp' in body
  return {
    ...base,
    label: isRamp ? 'End the ramp-up' : `Raise the daily cap to ${formatCount(Number(body.dailyCap))}`,
    words: isRamp
      ? `${name} may then send up to its daily cap from today on, in all campaigns that use it. Mail providers watch new mailboxes that suddenly send much.`
      : `${name} may then send ${formatCount(Number(body.dailyCap))} messages a day, in all campaigns that use it.`,
    send: (api, changed, { idempotencyKey }) => api.providers.update(id, changed as ProviderPatch, { idempotencyKey }),
  }
}

const isBlank = (value: unknown): boolean => typeof value === 'string' && /^<.*>$/.test(value)

function planLead(leadId: string, { body }: Fix, campaign: Campaign): PlannedFix {
  const fields = Object.keys(body).filter(name => isBlank(body[name]))
  const variables = Object.entries((body.variables ?? {}) as Record<string, unknown>).filter(([, value]) => isBlank(value))
  const blanks = [...fields, ...variables.map(([name]) => `variables.${name}`)]
  return {
    label: 'Fill in what is missing',
    words: 'The lead waits again as soon as it has these values.',
    scope: 'people:write',
    blanks,
    send: (api, changed, { idempotencyKey }) => api.leads.update(campaign.id, leadId, changed as LeadPatch, { idempotencyKey }),
  }
}

/** The body with the values that were given. */
export function fillBlanks(body: Record<string, unknown>, values: Readonly<Record<string, string>>): Record<string, unknown> {
  const filled = structuredClone(body)
  for (const [path, value] of Object.entries(values)) {
    const [first, second] = path.split('.') as [string, string?]
    if (second === undefined) filled[first] = value
    else (filled[first] as Record<string, unknown>)[second] = value
  }
  return filled
}
