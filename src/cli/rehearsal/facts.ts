import type { Overture } from '../../../packages/sdk/src/client.ts'
import type { Lead } from '../../../packages/sdk/src/types.gen.ts'

export interface PlayedLead {
  /** As in the list that was given. */
  email: string
  timezone: string | null
  status: Lead['status']
  /** Why it gets no more messages, if so. */
  holdReason: string | null
  nextAt: Date | null
}

export interface PlayedMail {
  lead: PlayedLead
  at: Date
  /** Counted from 1. */
  step: number
  mailbox: string
  /** Everything that the recipient sees. */
  content: string
}

type EndKind = 'replied' | 'unsubscribed' | 'bounced'

/** Something after which a lead must not be written to. */
export type LeadEnd = { lead: PlayedLead; at: Date; kind: EndKind }

/** The events of a rehearsal, against which expectations are checked. */
export interface Facts {
  startedAt: Date
  endedAt: Date
  status: string
  attentionReason: string | null
  /** How the schedule was kept: days, hours and time zone. */
  schedule: { daysOfWeek: string[]; timeWindow: { start: string; end: string }; timezone: string; useLeadTimezone: boolean }
  /** The time zones that the mailboxes count their days in. */
  mailboxZones: ReadonlyMap<string, string>
  leads: PlayedLead[]
  mails: PlayedMail[]
  ends: LeadEnd[]
  autoReplies: number
}

interface Asked {
  campaignId: string
  startedAt: Date
  endedAt: Date
  realAddresses: ReadonlyMap<string, string>
}

/** Reads the facts over the public API: from the leads, the event log and the mailboxes. */
export async function readFacts(service: Overture, { campaignId, startedAt, endedAt, realAddresses }: Asked): Promise<Facts> {
  const leads = new Map<string, PlayedLead>()
  for await (const lead of service.leads.list(campaignId, { limit: 100 })) leads.set(lead.id, played(lead, realAddresses))
  const addresses = new Map<string, string>()
  const mailboxZones = new Map<string, string>()
  const contents = new Map<string, string>()
  for await (const { id, fromEmail, timezone } of service.providers.list({ limit: 100 })) {
    addresses.set(id, fromEmail)
    mailboxZones.set(fromEmail, timezone)
    for await (const message of service.providers.listSandboxMessages(id, { limit: 100 }))
      contents.set(message.id, `${message.subject}\n${message.text}\n${message.html ?? ''}`)
  }
  const mails: PlayedMail[] = []
  const ends: LeadEnd[] = []
  let autoReplies = 0
  for await (const { type, timestamp, data } of service.events.list({ campaignId, limit: 100 })) {
    const at = new Date(timestamp)
    if (type === 'email.auto_replied') autoReplies++
    if (type === 'email.sent') {
      const { leadId, providerId, sendId } = data
      const step = data.step + 1
      const content = contents.get(sendId) ?? ''
      mails.push({ lead: leads.get(leadId)!, at, step, mailbox: addresses.get(providerId) ?? providerId, content })
    }
    if (type === 'email.replied') ends.push({ lead: leads.get(data.leadId)!, at, kind: 'replied' })
    if (type === 'lead.unsubscribed') ends.push({ lead: leads.get(data.leadId)!, at, kind: 'unsubscribed' })
    if (type === 'email.bounced' && data.kind === 'hard') ends.push({ lead: leads.get(data.leadId)!, at, kind: 'bounced' })
  }
  const [campaign, schedule] = await Promise.all([
    service.campaigns.getSendingStatus(campaignId),
    service.campaigns.getSchedule(campaignId),
  ])
  return {
    startedAt,
    endedAt,
    status: campaign.status,
    attentionReason: campaign.attentionReason,
    schedule: schedule as Facts['schedule'],
    mailboxZones,
    leads: [...leads.values()],
    mails: mails.sort((one, other) => one.at.getTime() - other.at.getTime()),
    ends,
    autoReplies,
  }
}

const played = ({ email, timezone, status, hold, next }: Lead, real: ReadonlyMap<string, string>): PlayedLead => ({
  email: real.get(email) ?? email,
  timezone,
  status,
  holdReason: hold?.reason ?? null,
  nextAt: next ? new Date(next.dueAt) : null,
})
