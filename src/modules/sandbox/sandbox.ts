import type { Context } from '../../context/context.ts'
import type { Tx } from '../../db/sql.ts'
import { asciiAddress, isEmail, needsSmtpUtf8 } from '../../lib/email.ts'
import { invalid, wrongState } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { pick } from '../../lib/pick.ts'
import type { ComposedMessage } from '../../mail/compose/compose.ts'
import { getCampaign } from '../campaigns/campaigns.ts'
import type { CampaignRow } from '../campaigns/queries.ts'
import { writeTestMessage } from '../explaining/preview.ts'
import type { SendingMailbox } from '../mailboxes/queries.ts'
import type { SandboxDelivery, SandboxMail } from '../sending/deliver.ts'
import { whichAreSuppressed } from '../suppressions/queries.ts'
import { hashAddress } from '../suppressions/suppressions.ts'
import { countRecentRequests, tooOften } from '../workspaces/workspaces.ts'
import { reactTo } from './personas.ts'
import { insertReactions, insertSandboxMessages, type ReactionRow, type SandboxMessageRow } from './queries.ts'
import type { TestOrder } from './schema.ts'

/** Stores the messages of sandbox mailboxes, with the reactions of their simulated recipients. */
export const sandboxMail: SandboxMail = {
  react: reactTo,
  async store(tx, deliveries, now) {
    const messages = deliveries.map(({ send, composed }) => sentMessage({ ...send, providerId: send.mailbox.id }, composed, now))
    await insertSandboxMessages(tx, messages)
    const rows = deliveries.flatMap(toReactionRows)
    if (rows.length > 0) await insertReactions(tx, rows)
  },
}

/** The lead is null for a message that is for no lead. */
type MessageOrigin = Pick<SandboxMessageRow, 'id' | 'workspaceId' | 'providerId' | 'campaignId' | 'leadId'>

export const sentMessage = (origin: MessageOrigin, composed: ComposedMessage, now: Date): SandboxMessageRow => ({
  ...pick(origin, 'id', 'workspaceId', 'providerId', 'campaignId', 'leadId'),
  direction: 'out',
  fromAddress: composed.envelope.from,
  toAddress: composed.envelope.to,
  ...pick(composed, 'subject', 'text', 'html', 'raw'),
  createdAt: now,
})

const toReactionRows = ({ send, reactions }: SandboxDelivery): ReactionRow[] =>
  reactions.map(({ at, kind, raw, url, userAgent }) => ({
    id: newId(),
    workspaceId: send.workspaceId,
    providerId: send.mailbox.id,
    sendId: send.id,
    dueAt: at,
    action: { kind, ...(raw ? { raw: raw.toString('latin1') } : {}), ...(url ? { url } : {}), ...(userAgent ? { userAgent } : {}) },
  }))

/** Enough to try a sequence out, and too little for anything else. */
const MOST_PER_HOUR = 20
const MOST_PER_DAY = 60

/** Reasons not to send a step to this address, checked before anything is stored. */
export async function checkTestMessage({ db, secrets }: Context, workspaceId: string, order: TestOrder): Promise<CampaignRow> {
  const campaign = await getCampaign(db, workspaceId, order.campaignId)
  if (!isEmail(order.to) || needsSmtpUtf8(order.to)) throw invalid('body', '/to', 'format', 'must be an email address')
  const suppressed = await whichAreSuppressed(db, workspaceId, [hashAddress(secrets, asciiAddress(order.to))])
  if (suppressed.size > 0) throw invalid('body', '/to', 'suppressed', 'is suppressed: no message is sent to it, not even a test')
  return campaign
}

export async function requireRoomForTest(tx: Tx, workspaceId: string): Promise<void> {
  const { hour, day } = await countRecentRequests(tx, workspaceId, 'campaign.send_test')
  if (hour <= MOST_PER_HOUR && day <= MOST_PER_DAY) return
  const limit = hour > MOST_PER_HOUR ? `${MOST_PER_HOUR} test emails in an hour` : `${MOST_PER_DAY} test emails in a day`
  throw tooOften(`A workspace may send ${limit}. Use the preview instead.`)
}

export async function prepareTestMessage(ctx: Context, workspaceId: string, order: TestOrder) {
  const campaign = await checkTestMessage(ctx, workspaceId, order)
  const { mayReadLeads, ...asked } = order
  const written = await writeTestMessage(
    ctx,
    campaign,
    { ...asked, to: asciiAddress(order.to) },
    { where: 'body', mayReadLeads, owner: campaign.workspaceId },
  )
  return { ...written, mailbox: requireMailbox(written.mailbox) }
}

function requireMailbox(mailbox: SendingMailbox | undefined): SendingMailbox {
  if (mailbox?.status === 'connected') return mailbox
  const message = mailbox ? `The mailbox of the campaign is ${mailbox.status}. Verify it first.` : 'The campaign has no mailbox yet.'
  throw wrongState(message, mailbox?.status ?? 'no_mailbox', 'connected')
}
