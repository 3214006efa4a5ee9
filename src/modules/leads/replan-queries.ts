import { sql, type Tx } from '../../db/client.ts'
import { among } from '../../db/fragments.ts'
import { OPEN_STATUSES } from './schema.ts'

// What was held back by a plan, or by rules, that have changed since.

/** Holds that follow from what other campaigns do. */
const CONTACT_HOLDS = ['contacted_elsewhere', 'in_other_campaign', 'company_replied', 'company_limit'] as const

/** Holds that follow from the plan of the campaign and the limits of its mailboxes. */
const PLANNED_HOLDS = [
  'waiting_window',
  'not_due',
  'campaign_not_started',
  'campaign_not_active',
  'campaign_expired',
  'due_after_end',
  'mailbox_cap',
  'mailbox_gap',
  'mailbox_disconnected',
  'no_mailbox',
  'domain_throttle',
  ...CONTACT_HOLDS,
] as const

/** Holds for which a lead steps back in the queue, although it was due. */
const STEPPED_BACK = ['waiting_window', 'campaign_expired', 'domain_throttle', ...CONTACT_HOLDS] as const

const REPLAN = sql(`
  update leads
  set due_at = case when hold_reason ${among(STEPPED_BACK)} then least(due_at, $2) else due_at end,
    hold_reason = null,
    hold_until = null,
    hold_detail = null
  where campaign_id = $1
    and status ${among(OPEN_STATUSES)}
    and due_at is not null
    and hold_reason ${among(PLANNED_HOLDS)}`)

/** The plan of the campaign has changed: what the old one held back is judged again. What a mail server asked for still holds. */
export const replanLeads = (tx: Tx, campaignId: string, now: Date): Promise<number> => tx.run(REPLAN, [campaignId, now])

const RELEASE_CONTACTS = sql(`
  update leads
  set due_at = least(due_at, $2),
    hold_reason = null,
    hold_until = null,
    hold_detail = null
  where campaign_id in (select id from campaigns where workspace_id = $1)
    and status ${among(OPEN_STATUSES)}
    and due_at is not null
    and hold_reason ${among(CONTACT_HOLDS)}`)

/** The contact rules of a workspace have changed: whom the old ones held back is judged again. */
export const releaseContacts = (tx: Tx, workspaceId: string, now: Date): Promise<number> => tx.run(RELEASE_CONTACTS, [workspaceId, now])
