import type { EventData, EventType } from './data-schema.ts'

/** When an event of this type happens, and what one can look like: shown by the API reference and the guide, sent by `overture trigger`. */
type About = { [T in EventType]: { when: string; example: EventData<T> } }

const id = (count: number): string => `0197b1c2-4f6a-7000-8000-${String(count).padStart(12, '0')}`
const CAMPAIGN = id(2)
const LEAD = { leadId: id(3), campaignId: CAMPAIGN, email: 'ann@acme.example' }
const SEND = { sendId: id(4), step: 0 }
const MAILBOX = { providerId: id(6), name: 'Ada', fromEmail: 'ada@northwind.example' }
const SAID = { ...SEND, replyId: id(7), confidence: 0.97, subject: 'Re: A question', text: 'Sounds good. Could we talk next week?' }
const VISIT = { ...LEAD, ...SEND, variantId: id(5), machine: false, judgedBy: 'nothing_suspicious', first: true }
const OPERATION = id(8)
const PLAN = {
  planId: id(9),
  operation: 'campaigns.activate',
  leadCount: 120,
  mailCount: 360,
  creditCost: 0,
  expiresAt: '2026-03-09T08:00:00.000Z',
}
const moved = (from: string, to: string, reason?: string) => ({ campaignId: CAMPAIGN, name: 'Spring', from, to, ...(reason && { reason }) })

export const ABOUT: About = {
  'lead_search.completed': {
    when: 'An export of leads has succeeded and is charged.',
    example: {
      operationId: OPERATION,
      exportId: id(10),
      requestedCount: 100,
      exportedCount: 98,
      creditsCharged: 98,
      downloadUrl: 'https://outreach.example/v1/exports/download?token=0197b1c2',
      expiresAt: '2026-03-09T08:00:00.000Z',
    },
  },
  'lead_search.failed': {
    when: 'An export of leads failed. Nothing is charged.',
    example: {
      operationId: OPERATION,
      requestedCount: 100,
      error: { code: 'internal_error', message: 'Something went wrong on our side.', retryable: true },
    },
  },
  'ai_sdr.positive_reply': {
    when: 'A reply shows interest. `email.replied` is recorded as well.',
    example: { ...LEAD, ...SAID, fullName: 'Ann Archer', company: 'Acme', jobTitle: 'Head of Sales' },
  },
  'campaign.updated': {
    when: 'Settings, schedule, mailboxes or sequence of a campaign have changed.',
    example: { campaignId: CAMPAIGN, name: 'Spring', changed: ['schedule'] },
  },
  'campaign.activated': { when: 'A campaign was activated.', example: moved('draft', 'active') },
  'campaign.paused': { when: 'A campaign was paused. It sends no message.', example: moved('active', 'paused') },
  'campaign.resumed': { when: 'A paused campaign was resumed.', example: moved('paused', 'active') },
  'campaign.completed': {
    when: 'A campaign has completed: its end date has passed, or every lead is final. After its last message, a lead is final when the time to reply has passed. This is as long as the delay of the last step, but at least one business day.',
    example: moved('active', 'completed'),
  },
  'campaign.archived': { when: 'A campaign was archived.', example: moved('paused', 'archived') },
  'campaign.unarchived': { when: 'A campaign was unarchived.', example: moved('archived', 'paused') },
  'campaign.attention_needed': {
    when: 'A campaign has stopped and needs your attention. `reason` explains why.',
    example: moved('active', 'attention_needed', 'No mailbox of the campaign can send.'),
  },
  'email.sent': {
    when: 'A message of a sequence was sent.',
    example: {
      ...LEAD,
      ...SEND,
      variantId: id(5),
      providerId: MAILBOX.providerId,
      messageId: '<0197b1c2@northwind.example>',
      subject: 'A question',
      first: true,
    },
  },
  'email.opened': { when: 'A message was opened. Only in campaigns that track opens.', example: VISIT },
  'email.clicked': {
    when: 'A link was clicked. Only in campaigns that track clicks.',
    example: { ...VISIT, url: 'https://northwind.example/tour', link: 0 },
  },
  'email.bounced': {
    when: 'A message bounced, or the mail server refused it permanently.',
    example: { ...LEAD, ...SEND, kind: 'hard', status: '5.1.1', diagnostic: '550 5.1.1 no such user', first: true },
  },
  'email.replied': {
    when: 'A person has replied. `kind` is the classification of the reply.',
    example: { ...LEAD, ...SAID, messageId: '<5f2c@acme.example>', kind: 'positive', needsLook: false, first: true },
  },
  'email.auto_replied': {
    when: 'An automatic reply arrived, such as an out-of-office notice. Later steps may be postponed.',
    example: {
      ...LEAD,
      ...SEND,
      subject: 'Out of office',
      confidence: 0.98,
      returnDate: '2026-03-16',
      postponedTo: '2026-03-16T08:00:00.000Z',
    },
  },
  'email.answered': {
    when: 'Your answer to a reply was sent.',
    example: {
      ...LEAD,
      sendId: id(11),
      replyId: SAID.replyId,
      providerId: MAILBOX.providerId,
      messageId: '<0197b1d4@northwind.example>',
      subject: 'Re: A question',
    },
  },
  'reply.updated': {
    when: 'The kind of a reply was corrected, or the reply was marked as handled.',
    example: {
      ...LEAD,
      replyId: SAID.replyId,
      ...SEND,
      kind: 'positive',
      previousKind: 'neutral',
      judgedKind: 'neutral',
      handled: true,
      repliedAt: '2026-03-02T09:41:00.000Z',
      by: 'api',
    },
  },
  'lead.status_changed': {
    when: 'The status of a lead has changed.',
    example: { ...LEAD, from: 'contacted', to: 'interested', first: true, firstProspect: true, by: 'reply' },
  },
  'lead.updated': { when: 'Fields of a lead have changed.', example: { ...LEAD, changed: ['company'], by: 'api' } },
  'lead.unsubscribed': {
    when: 'A person has unsubscribed, by the link or by a reply.',
    example: { ...LEAD, first: true, by: 'reply' },
  },
  'provider.disconnected': {
    when: 'A mailbox can no longer send.',
    example: { ...MAILBOX, reason: 'The server refuses the password.' },
  },
  'provider.inbox_unreadable': {
    when: 'The inbox of a mailbox cannot be read, so new replies are not found.',
    example: { ...MAILBOX, reason: 'The server refuses the password.' },
  },
  'provider.inbox_readable': { when: 'The inbox of a mailbox can be read again.', example: { ...MAILBOX, reason: null } },
  'provider.copies_failing': {
    when: 'The server of a mailbox refuses to store copies of sent messages, most often because the mailbox is full.',
    example: { ...MAILBOX, reason: 'Quota exceeded (mailbox for user is full)' },
  },
  'provider.copies_stored': {
    when: 'The server of a mailbox stores copies of sent messages again.',
    example: { ...MAILBOX, reason: null },
  },
  'tracking_host.verified': {
    when: 'The tracking host was verified: it points to this installation.',
    example: { host: 'go.northwind.example', reason: null },
  },
  'tracking_host.failing': {
    when: 'The tracking host no longer points to this installation.',
    example: { host: 'go.northwind.example', reason: 'The name does not resolve.' },
  },
  'provider.health_changed': {
    when: 'The domain of a mailbox started to fail its checks, or passes them again.',
    example: { ...MAILBOX, from: 'pass', to: 'fail', failing: ['dmarc'] },
  },
  'operation.succeeded': {
    when: 'An operation has succeeded. `GET /v1/operations/{operationId}` returns its result.',
    example: { operationId: OPERATION, action: 'campaign.import_leads', campaignId: CAMPAIGN },
  },
  'operation.failed': {
    when: 'An operation has failed. `error` contains the reason.',
    example: {
      operationId: OPERATION,
      action: 'campaign.activate',
      campaignId: CAMPAIGN,
      error: { code: 'campaign_not_ready', message: 'The campaign is not ready: it has no leads.', retryable: false },
    },
  },
  'plan.proposed': { when: 'An agent has proposed a plan, and a person must approve it.', example: PLAN },
  'plan.approved': { when: 'A person has approved a plan.', example: PLAN },
  'plan.rejected': { when: 'A person has rejected a plan.', example: PLAN },
  'plan.applied': { when: 'A plan was carried out.', example: PLAN },
  'plan.failed': { when: 'An approved plan could not be carried out.', example: PLAN },
  'webhook.test': {
    when: 'A test event for a webhook endpoint. Only that endpoint gets it.',
    example: { endpointId: id(12) },
  },
}
