import type { Scope } from './access.ts'

/**
 * The effect that a request of an action can have. `free`: it neither sends, spends nor adds leads. `never`: a token with limits cannot
 * request it, because it would get around the limits.
 */
export type Kind = 'free' | 'never' | 'starts' | 'continues' | 'brings' | 'buys' | 'queues' | 'sends' | 'answers' | 'mailboxes' | 'mailbox'

/** Every action, with the scope that its operation is read with (its route says which one requests it), and with what it means for a token with limits. */
const DECLARED = {
  'campaign.create': { scope: 'campaigns:write', kind: 'free' },
  'campaign.update': { scope: 'campaigns:write', kind: 'free' },
  'campaign.update_schedule': { scope: 'campaigns:write', kind: 'continues' },
  'campaign.update_mailboxes': { scope: 'campaigns:write', kind: 'mailboxes' },
  'campaign.update_settings': { scope: 'campaigns:write', kind: 'free' },
  'campaign.activate': { scope: 'campaigns:write', kind: 'starts' },
  'campaign.pause': { scope: 'campaigns:write', kind: 'free' },
  'campaign.resume': { scope: 'campaigns:write', kind: 'starts' },
  'campaign.archive': { scope: 'campaigns:write', kind: 'free' },
  'campaign.unarchive': { scope: 'campaigns:write', kind: 'free' },
  'campaign.duplicate': { scope: 'campaigns:write', kind: 'free' },
  'campaign.copy_sequence': { scope: 'campaigns:write', kind: 'free' },
  'campaign.update_sequence': { scope: 'campaigns:write', kind: 'free' },
  'campaign.import_leads': { scope: 'leads:write', kind: 'brings' },
  'campaign.import_csv': { scope: 'leads:write', kind: 'brings' },
  'lead.update': { scope: 'leads:write', kind: 'queues' },
  'lead.requeue': { scope: 'leads:write', kind: 'queues' },
  'lead.bulk': { scope: 'leads:write', kind: 'queues' },
  'reply.update': { scope: 'leads:write', kind: 'free' },
  'reply.answer': { scope: 'leads:write', kind: 'answers' },
  'lead.delete': { scope: 'leads:write', kind: 'free' },
  'lead_search.preview': { scope: 'leads:read', kind: 'free' },
  'lead_search.generate_filters': { scope: 'leads:read', kind: 'free' },
  'lead_search.export': { scope: 'leads:export', kind: 'buys' },
  'lead_search.attach': { scope: 'leads:export', kind: 'buys' },
  'directory.import': { scope: 'people:write', kind: 'free' },
  'person.erase': { scope: 'people:write', kind: 'free' },
  'webhook.create': { scope: 'webhooks:write', kind: 'free' },
  'webhook.update': { scope: 'webhooks:write', kind: 'free' },
  'webhook.delete': { scope: 'webhooks:write', kind: 'free' },
  'webhook.rotate_secret': { scope: 'webhooks:write', kind: 'free' },
  'webhook.test': { scope: 'webhooks:write', kind: 'free' },
  'webhook.replay': { scope: 'webhooks:write', kind: 'free' },
  'webhook.retry_delivery': { scope: 'webhooks:write', kind: 'free' },
  'provider.create': { scope: 'providers:write', kind: 'mailbox' },
  'provider.update': { scope: 'providers:write', kind: 'mailbox' },
  'provider.delete': { scope: 'providers:write', kind: 'mailbox' },
  'provider.verify': { scope: 'providers:write', kind: 'mailbox' },
  'provider.check_health': { scope: 'providers:write', kind: 'mailbox' },
  // A person has to consent in a browser.
  'provider.begin_consent': { scope: 'providers:write', kind: 'free' },
  'provider.consent': { scope: 'providers:write', kind: 'free' },
  'campaign.send_test': { scope: 'campaigns:write', kind: 'sends' },
  'sandbox.advance_clock': { scope: 'campaigns:write', kind: 'free' },
  'suppression.create': { scope: 'suppressions:write', kind: 'free' },
  'suppression.create_many': { scope: 'suppressions:write', kind: 'free' },
  'suppression.import_csv': { scope: 'suppressions:write', kind: 'free' },
  'suppression.delete': { scope: 'suppressions:write', kind: 'free' },
  'credits.grant': { scope: 'credits:write', kind: 'never' },
  'api_key.create': { scope: 'tokens:write', kind: 'free' },
  'api_key.revoke': { scope: 'tokens:write', kind: 'free' },
  'api_key.rotate': { scope: 'tokens:write', kind: 'free' },
  'workspace.create': { scope: 'workspaces:write', kind: 'free' },
  'workspace.update': { scope: 'workspaces:write', kind: 'free' },
  'workspace.update_settings': { scope: 'workspaces:write', kind: 'free' },
  'tracking_host.set': { scope: 'workspaces:write', kind: 'free' },
  'tracking_host.delete': { scope: 'workspaces:write', kind: 'free' },
  'token.create': { scope: 'tokens:write', kind: 'free' },
  'token.revoke': { scope: 'tokens:write', kind: 'free' },
  'session.create': { scope: 'tokens:write', kind: 'free' },
  'session.revoke': { scope: 'tokens:write', kind: 'free' },
  'plan.create': { scope: 'operations:read', kind: 'free' },
  'plan.approve': { scope: 'operations:read', kind: 'never' },
  'plan.reject': { scope: 'operations:read', kind: 'free' },
  'team.invite': { scope: 'team:write', kind: 'never' },
  'team.withdraw_invitation': { scope: 'team:write', kind: 'free' },
  'team.join': { scope: 'team:write', kind: 'free' },
  'team.update': { scope: 'team:write', kind: 'never' },
  'team.remove': { scope: 'team:write', kind: 'free' },
} as const satisfies Record<string, { scope: Scope; kind: Kind }>

export type Action = keyof typeof DECLARED
export const ACTIONS: Readonly<Record<Action, { scope: Scope; kind: Kind }>> = DECLARED
export const ACTION_NAMES = Object.keys(ACTIONS) as Action[]

/** An operation of a version that had other actions is read with the scope of operations. */
export const scopeOfAction = (action: string): Scope =>
  Object.hasOwn(ACTIONS, action) ? ACTIONS[action as Action].scope : 'operations:read'
