import { sql, type Tx } from '../../db/client.ts'
import { among } from '../../db/fragments.ts'
import { OPEN_STATUSES } from './schema.ts'

// Checks leads again that a plan or rules held back, after these have changed.

/** Holds because of other campaigns. */
const CONTACT_HOLDS = ['contacted_elsewhere', 'in_other_campaign', 'company_replied', 'company_limit'] as const

/** Holds because of the plan of the campaign or the limits of its mailboxes. */
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

/** Holds that move a due lead back in the queue. */
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

/** After the plan of the campaign has changed: checks the leads that it held back again. A delay that a mail server requested stays. */
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

/** After the contact rules of a workspace have changed: checks the leads that they held back again. */
export const releaseContacts = (tx: Tx, workspaceId: string, now: Date): Promise<number> => tx.run(RELEASE_CONTACTS, [workspaceId, now])
