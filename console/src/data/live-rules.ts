import type { Event } from '@overture/sdk'
import type { QueryKey } from '@tanstack/react-query'

/**
 * What an event makes out of date: keys of queries, from the left. `['campaigns']` is every list and every campaign,
 * `['campaign', id]` all that is known of one. One list for all screens, so that none has to think of it.
 */
export function touchedBy({ type, data }: Pick<Event, 'type' | 'data'>): QueryKey[] {
  const { campaignId, action } = data as { campaignId?: string; action?: string }
  const campaign: QueryKey[] = campaignId ? [['campaigns'], ['campaign', campaignId], ['series']] : [['campaigns'], ['series']]
  const [family] = type.split('.')
  switch (family) {
    case 'campaign':
      return campaign
    case 'email':
      return /replied|answered/.test(type) ? [...campaign, ['replies'], ['providers']] : [...campaign, ['providers']]
    case 'ai_sdr':
    case 'reply':
      return [...campaign, ['replies']]
    case 'lead':
      return type === 'lead.unsubscribed' ? [...campaign, ['suppressions']] : campaign
    case 'lead_search':
      return [...campaign, ['exports'], ['credits']]
    case 'provider':
      // Whether a campaign sends depends on its mailboxes.
      return [['providers'], ['campaign']]
    case 'tracking_host':
      return [['tracking-host'], ['campaign']]
    case 'webhook':
      return [['webhooks']]
    case 'plan':
      return [['plans']]
    case 'operation':
      return [['operations'], ...touchedByAction(action ?? '', campaign)]
    default:
      return []
  }
}

/** Not every write has an event of its own; but the end of its operation has one. */
function touchedByAction(action: string, campaign: QueryKey[]): QueryKey[] {
  const [noun] = action.split('.')
  switch (noun) {
    case 'campaign':
    case 'sequence':
    case 'lead':
    case 'leads':
      return campaign
    case 'lead_search':
      return [...campaign, ['exports'], ['credits']]
    case 'provider':
      return [['providers']]
    case 'tracking_host':
      return [['tracking-host']]
    case 'webhook':
      return [['webhooks']]
    case 'workspace':
      return [['settings'], ['campaign']]
    case 'suppression':
      return [['suppressions']]
    case 'reply':
      return [...campaign, ['replies']]
    case 'sandbox':
      return [['clock'], ['series'], ['providers']]
    default:
      return []
  }
}

/** What changes without any event: who comes back to the page is shown how it is now. */
export const WITHOUT_EVENTS: readonly QueryKey[] = [
  ['api-keys'],
  ['campaigns'],
  ['invitations'],
  ['sessions'],
  ['settings'],
  ['suppressions'],
  ['team'],
  ['tokens'],
  ['webhooks'],
]
