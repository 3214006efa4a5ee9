import type { Event } from '@overture/sdk'
import { readable } from '@/ui/format.ts'
import { sentence, spelledOut } from './field-words.ts'

// Codes of the API in the words of users. A code without an entry is newer than this console, and is shown without its underscores.

/** What the service says, as a sentence with the times of this browser. */
export const asSentence = (text: string): string => `${sentence(readable(text))}${/[.!?]$/.test(text) ? '' : '.'}`

/** Every event type. The type check fails if one is missing. */
const EVENTS: Record<Event['type'], string> = {
  'email.sent': 'Email sent',
  'email.opened': 'Email opened',
  'email.clicked': 'Link clicked',
  'email.bounced': 'Email bounced',
  'email.replied': 'Reply received',
  'email.auto_replied': 'Auto-reply received',
  'email.answered': 'Answer sent',
  'ai_sdr.positive_reply': 'Positive reply',
  'reply.updated': 'Reply updated',
  'lead.status_changed': 'Lead status changed',
  'lead.updated': 'Lead updated',
  'lead.unsubscribed': 'Lead unsubscribed',
  'campaign.updated': 'Campaign updated',
  'campaign.activated': 'Campaign activated',
  'campaign.paused': 'Campaign paused',
  'campaign.resumed': 'Campaign resumed',
  'campaign.completed': 'Campaign completed',
  'campaign.archived': 'Campaign archived',
  'campaign.unarchived': 'Campaign unarchived',
  'campaign.attention_needed': 'Campaign needs attention',
  'lead_search.completed': 'Export ready',
  'lead_search.failed': 'Export failed',
  'provider.disconnected': 'Mailbox disconnected',
  'provider.inbox_unreadable': 'Inbox cannot be read',
  'provider.inbox_readable': 'Inbox can be read again',
  'provider.copies_failing': 'Copies not saved to Sent folder',
  'provider.copies_stored': 'Copies saved to Sent folder again',
  'tracking_host.verified': 'Tracking domain verified',
  'tracking_host.failing': 'Tracking domain not working',
  'provider.health_changed': 'Domain health changed',
  'operation.succeeded': 'Operation succeeded',
  'operation.failed': 'Operation failed',
  'plan.proposed': 'Approval requested',
  'plan.approved': 'Request approved',
  'plan.rejected': 'Request rejected',
  'plan.applied': 'Approved request completed',
  'plan.failed': 'Approved request failed',
  'webhook.test': 'Webhook test',
}

export const EVENT_TYPES = Object.keys(EVENTS) as Event['type'][]
export const eventWords = (type: Event['type']): string => EVENTS[type] ?? sentence(spelledOut(type))

/** Why a lead waits, as a clause that can follow "because". The timeline of the lead has the full sentence. */
const HOLDS: Record<string, string> = {
  waiting_window: 'the sending window is closed',
  not_due: 'the step is not due yet',
  campaign_not_started: 'the campaign has not started',
  mailbox_cap: 'the mailbox has reached its daily limit',
  mailbox_gap: 'the mailbox pauses between emails',
  mailbox_resting: 'the mailbox is paused after an error',
  inbox_unread: 'the inbox has not been checked for replies yet',
  domain_throttle: 'the hourly limit for this domain is reached',
  earlier_step_open: 'the previous email is not confirmed yet',
  contacted_elsewhere: 'another campaign emailed the lead recently',
  in_other_campaign: 'another active campaign has priority',
  company_limit: 'the limit per company is reached',
  company_replied: 'someone else at the company replied',
  tracking_host_failing: 'the tracking domain is not working',
  campaign_not_active: 'the campaign is not active',
  no_mailbox: 'no mailbox is connected',
  mailbox_disconnected: 'the mailbox is disconnected',
  missing_variable: 'a value is missing',
  template: 'the template has an error',
  campaign_expired: 'the campaign has ended',
  due_after_end: 'the campaign ends before the step is due',
  suppressed: 'the address is suppressed',
  lead_final: 'the lead is finished',
  sequence_completed: 'all steps were sent',
  beyond_horizon: 'the step is due after the forecast period',
  recipient_deferred: "the recipient's server asked to try again later",
  connection_lost: 'the connection to the mail server was lost',
  mailbox_unreachable: 'the mail server is not responding',
  mailbox_refused: 'the mail server refused the mailbox',
  message_too_large: 'the email is too large for the mail server',
  content_refused: 'the mail server refused the content',
  recipient_away: 'the lead is out of office',
}

export const holdWords = (reason: string): string => HOLDS[reason] ?? spelledOut(reason)

/** What limits the speed of a campaign, by the code of the simulation. */
const LIMITS: Record<string, string> = {
  end_date: 'End date',
  mailbox_cap: 'Daily limit',
  gap_and_window: 'Sending window',
  domain_throttle: 'Domain limit',
  delays: 'Delays between steps',
  no_mailbox: 'No mailbox',
  nothing: 'No limit',
}

export const limitWords = (code: string): string => LIMITS[code] ?? sentence(spelledOut(code))

/** The cause of a change, to follow the change in a sentence. */
const CAUSES: Record<string, string> = {
  api: 'by your team',
  sender: 'by Overture',
  reply: 'because of a reply',
  reply_corrected: 'after a reply was reclassified',
  reply_in_other_thread: 'because of a reply in another thread',
  bounce: 'because the email bounced',
  requeue: 'after a retry',
  lead_changed: 'after a change to the lead',
  import: 'through an import',
  link: 'through the unsubscribe link',
  one_click: 'through the unsubscribe link',
  positive_reply_in_other_campaign: 'because of a positive reply in another campaign',
  opt_out_in_other_campaign: 'because of an opt-out in another campaign',
  bounce_in_other_campaign: 'because of a bounce in another campaign',
}

/** `actor` is the name of the person or the key, if it is known. */
export const causeWords = (by: string, actor?: string): string => (actor ? `by ${actor}` : (CAUSES[by] ?? `because ${holdWords(by)}`))

const BOTS: Record<string, string> = {
  not_a_page_view: 'opened by a bot',
  no_user_agent: 'opened by a bot',
  scanner: 'a security scanner checked the email',
  prefetch_proxy: 'a mail provider loaded the images',
  all_links_at_once: 'a bot opened all links at once',
  too_soon: 'too soon after sending to be a person',
}

/** Why an open or a click does not count. */
export const botWords = (judgedBy: string): string => `Not counted: ${BOTS[judgedBy] ?? spelledOut(judgedBy)}`

const BOUNCES: Record<string, string> = {
  hard: 'Hard bounce',
  soft: 'Soft bounce (temporary)',
  sender_fault: 'The server rejected the sending mailbox',
}

export const bounceWords = (kind: string): string => BOUNCES[kind] ?? sentence(spelledOut(kind))

const NOUNS: Record<string, string> = {
  api_key: 'workspace key',
  lead_search: 'leads',
  plan: 'request',
  provider: 'mailbox',
  sandbox: 'demo',
  tracking_host: 'tracking domain',
}

const ACTIONS: Record<string, string> = {
  'credits.grant': 'Add credits',
  'campaign.update_sequence': 'Edit sequence',
  'campaign.update_schedule': 'Edit schedule',
  'campaign.update_settings': 'Edit campaign settings',
  'campaign.update_mailboxes': 'Edit campaign mailboxes',
  'campaign.copy_sequence': 'Copy sequence',
  'campaign.import_leads': 'Import leads',
  'campaign.import_csv': 'Import leads from CSV',
  'campaign.send_test': 'Send test email',
  'lead.requeue': 'Retry lead',
  'lead.bulk': 'Edit multiple leads',
  'lead.delete': 'Remove lead',
  'lead_search.generate_filters': 'Create filters',
  'lead_search.preview': 'Preview leads',
  'lead_search.export': 'Export leads',
  'lead_search.attach': 'Add exported leads to campaign',
  'person.erase': "Delete a person's data",
  'plan.create': 'Request approval',
  'provider.create': 'Connect mailbox',
  'provider.delete': 'Remove mailbox',
  'provider.begin_consent': 'Start mailbox sign-in',
  'provider.consent': 'Sign in to mailbox',
  'provider.check_health': 'Check domain health',
  'reply.answer': 'Answer reply',
  'sandbox.advance_clock': 'Fast-forward the test clock',
  'sandbox.reset_clock': 'Reset the test clock',
  'session.create': 'Sign in',
  'session.revoke': 'End session',
  'suppression.create': 'Add suppression',
  'suppression.create_many': 'Add suppressions',
  'suppression.import_csv': 'Import suppressions from CSV',
  'suppression.delete': 'Remove suppression',
  'team.join': 'Join team',
  'team.invite': 'Invite teammate',
  'team.update': 'Change role',
  'team.remove': 'Remove teammate',
  'team.withdraw_invitation': 'Withdraw invitation',
  'tracking_host.delete': 'Remove tracking domain',
  'tracking_host.set': 'Set tracking domain',
  'webhook.rotate_secret': 'Rotate webhook secret',
  'webhook.retry_delivery': 'Resend webhook event',
  'webhook.replay': 'Replay webhook events',
  'workspace.update_settings': 'Edit workspace settings',
}

/** An action as a person would say it: `campaign.activate` is "Activate campaign". */
export function actionWords(action: string): string {
  const [noun = action, verb] = action.split('.')
  return (
    ACTIONS[action] ??
    sentence(verb ? `${spelledOut(verb).replace('update', 'edit')} ${NOUNS[noun] ?? spelledOut(noun)}` : spelledOut(noun))
  )
}
