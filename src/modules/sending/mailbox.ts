import type { MailboxLoad } from '../../scheduling/capacity.ts'
import type { PlannedCampaign, PlannedMailbox } from '../../scheduling/planner.ts'
import type { Schedule } from '../../scheduling/window.ts'
import type { SendingMailbox } from '../mailboxes/providers.ts'
import type { DueCampaign } from './claim-queries.ts'

// From rows to what the scheduler reckons with.

export function toPlannedMailbox(mailbox: SendingMailbox): PlannedMailbox {
  return {
    id: mailbox.id,
    timezone: mailbox.timezone,
    dailyCap: mailbox.dailyCap,
    rampUp: mailbox.ramp,
    connectedAt: mailbox.connectedAt ?? mailbox.createdAt,
    minGapSeconds: mailbox.minGapSeconds,
    maxPerDomainPerHour: mailbox.maxPerDomainPerHour,
    connected: mailbox.status === 'connected',
    load: loadOf(mailbox),
  }
}

export const loadOf = (mailbox: SendingMailbox): MailboxLoad => ({
  day: mailbox.loadDay,
  reserved: mailbox.loadReserved,
  nextSlotAt: mailbox.nextSlotAt,
})

export const scheduleOf = (campaign: DueCampaign): Schedule => ({
  daysOfWeek: campaign.daysOfWeek,
  timeWindow: { start: campaign.windowStart, end: campaign.windowEnd },
  timezone: campaign.timezone,
  startDate: campaign.startDate,
  endDate: campaign.endDate,
})

/** A lead that is due has a step to go, whatever version it is on; so the planner need not know the steps of each. */
const ANY_STEPS: PlannedCampaign['steps'] = Array.from({ length: 100 }, () => ({ delayDays: 0 }))

export const toPlannedCampaign = (campaign: DueCampaign, status = 'active'): PlannedCampaign => ({
  id: campaign.id,
  status,
  schedule: scheduleOf(campaign),
  steps: ANY_STEPS,
  mailboxIds: campaign.mailboxIds,
})
