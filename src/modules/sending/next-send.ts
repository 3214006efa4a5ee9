import type { Db } from '../../db/client.ts'
import { MailboxMeter } from '../../scheduling/capacity.ts'
import { listMailboxes, type SendingMailbox } from '../mailboxes/mailboxes.ts'
import { listWaitingCampaigns, type WaitingCampaign } from './claim-queries.ts'
import { holdByTrackingHost, loadOf, openingsOf, toPlannedMailbox } from './planning.ts'

/** Opening times and capacity are asked in turn until both agree; each answer is later than the one before. */
const MAX_ROUNDS = 50

/**
 * The first moment at which a message of the installation may leave. Nothing leaves earlier; a message may leave later,
 * because a domain can be at its limit. Null when no message will leave.
 */
export async function nextSendAt(db: Db, now: Date): Promise<Date | null> {
  const campaigns = await listWaitingCampaigns(db)
  if (campaigns.length === 0) return null
  const ids = new Set(campaigns.flatMap(campaign => [...campaign.mailboxIds, ...campaign.keptMailboxIds]))
  const mailboxes = new Map((await listMailboxes(db, [...ids])).map(mailbox => [mailbox.id, mailbox]))
  const moments = campaigns.flatMap(campaign => momentsOf(campaign, mailboxes, now.getTime()))
  return moments.length === 0 ? null : new Date(Math.min(...moments))
}

function momentsOf(campaign: WaitingCampaign, mailboxes: ReadonlyMap<string, SendingMailbox>, nowMs: number): number[] {
  if (holdByTrackingHost(campaign)) return []
  const nextOpening = openingsOf(campaign)
  return campaign.lanes.flatMap(({ mailboxId, dueAt }) =>
    (mailboxId === null ? campaign.mailboxIds : [mailboxId]).flatMap(id => {
      const mailbox = mailboxes.get(id)
      const fromMs = Math.max(nowMs, new Date(dueAt).getTime(), mailbox?.restingUntil?.getTime() ?? 0)
      return (mailbox?.status === 'connected' ? firstFree(nextOpening, mailbox, fromMs) : null) ?? []
    }),
  )
}

function firstFree(nextOpening: (fromMs: number) => number | null, mailbox: SendingMailbox, fromMs: number): number | null {
  const meter = new MailboxMeter(toPlannedMailbox(mailbox), loadOf(mailbox))
  let atMs: number | null = fromMs
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const openMs: number | null = nextOpening(atMs)
    const freeMs: number | null = openMs === null ? null : meter.availableAt(openMs)
    if (freeMs === null || freeMs === openMs) return freeMs
    atMs = freeMs
  }
  return atMs
}
