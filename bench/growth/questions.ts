import { campaignId, type Seed } from '../foundation/seed.ts'
import { CAMPAIGN, ENDPOINT } from './fill.ts'

/** Every list with every filter, and every read that people wait for, as paths. */
export function questions({ workspaceId }: Seed, leadId: string): [what: string, path: string][] {
  const home = `/v1/workspaces/${workspaceId}`
  const campaign = `${home}/campaigns/${CAMPAIGN}`
  const list = (what: string, path: string, filters: Record<string, string> = {}): [string, string][] => [
    [what, `${path}?limit=50`],
    ...Object.entries(filters).map(([about, filter]): [string, string] => [`${what}: ${about}`, `${path}?limit=50&${filter}`]),
  ]
  return [
    ...list('campaigns', `${home}/campaigns`, { 'by name': 'q=Campaign%201999', 'by status': 'status=active' }),
    ...list('leads', `${campaign}/leads`, {
      'of a common status': 'status=not_yet_contacted',
      'of a rare status': 'status=replied',
      'by e-mail': 'email=nobody@bench.example',
      'of a rare time zone': 'timezone=Asia/Tokyo',
      'by words that nobody has': 'q=zzzzzz',
    }),
    ...list('operations', `${home}/operations`, {
      'that succeeded': 'status=succeeded',
      'that failed': 'status=failed',
      'of a common action': 'action=campaign.update',
      'of a rare action': 'action=campaign.pause',
      'of a campaign': `campaignId=${campaignId(2)}`,
    }),
    ...list('events', `${home}/events`, {
      'of a common type': 'type=email.sent',
      'of a rare type': 'type=email.replied',
      'of a campaign': `campaignId=${CAMPAIGN}`,
      'of a lead': `leadId=${leadId}`,
    }),
    ...list('replies', `${home}/replies`, {
      'of a campaign': `campaignId=${CAMPAIGN}`,
      'of a rare kind': 'kind=positive',
      'not handled': 'handled=false',
      'that need a look': 'needsLook=true',
      'by words that none has': 'q=zzzzzz',
    }),
    ...list('suppressions', `${home}/suppressions`, {
      'of a kind': 'kind=domain',
      'by value': 'value=s7@suppressed.example',
      'by words that none has': 'q=zzzzzz',
    }),
    ...list('deliveries', `${home}/webhooks/${ENDPOINT}/deliveries`, { 'that failed': 'status=failed' }),
    ...list('ledger', `${home}/credits/ledger`),
    ['campaign', campaign],
    ['lead', `${campaign}/leads/${leadId}`],
    ['timeline of a lead', `${campaign}/leads/${leadId}/timeline`],
    ['metrics', `${campaign}/metrics`],
    ['results over time of the workspace', `${home}/metrics/series`],
    ['results over time of the workspace, by mailbox', `${home}/metrics/series?groupBy=mailbox`],
    ['results over time of the workspace, by campaign', `${home}/metrics/series?groupBy=campaign`],
    ['results over time of a campaign', `${campaign}/metrics/series`],
    ['variants', `${campaign}/variants`],
    ['readiness (validate)', `${campaign}/validate`],
    ['why nothing is sent (sending)', `${campaign}/sending`],
    ['simulation', `${campaign}/simulate?horizonDays=30`],
  ]
}
