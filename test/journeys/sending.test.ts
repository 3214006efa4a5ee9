import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { DAY, HOUR, makeCampaign, startLiving } from '../sending.ts'

const person = (name: string) => ({ email: `${name}@people.example`, firstName: name.split(/[+-]/)[0] })

describe('a campaign in the sandbox', () => {
  it('plays fourteen days with every outcome, and the metrics match the events', async () => {
    const overture = await startLiving()
    const { client, home } = overture
    const names = [
      'interested',
      'not-interested',
      'later',
      'opt-out',
      'away-until-2026-03-09',
      'bounce',
      'unsubscribe',
      'opens',
      'clicks',
      'scanner',
      'silent',
    ]
    const { base, campaignId } = await makeCampaign(overture, {
      leads: names.map(person),
      campaign: { trackOpens: true, trackClicks: true },
    })
    await overture.live(14 * DAY, HOUR)

    const leads = (await client.get(`${base}/leads`)).body.data as { email: string; status: string; id: string }[]
    const statusOf = Object.fromEntries(leads.map(lead => [lead.email.split('@')[0], lead.status]))
    assert.deepEqual(statusOf, {
      interested: 'interested',
      'not-interested': 'not_interested',
      later: 'replied',
      'opt-out': 'unsubscribed',
      'away-until-2026-03-09': 'sequence_completed',
      bounce: 'bounced',
      unsubscribe: 'unsubscribed',
      opens: 'sequence_completed',
      clicks: 'sequence_completed',
      scanner: 'sequence_completed',
      silent: 'sequence_completed',
    })
    const campaign = (await client.get(base)).body.data
    assert.equal(campaign.status, 'completed')
    const { metrics } = campaign
    assert.equal(metrics.contactedLeadsCount, 11)
    assert.equal(metrics.emailsSentCount, 11 + 5)
    assert.equal(metrics.uniqueReplyCount, 4)
    assert.equal(metrics.bouncedCount, 1)
    assert.equal(metrics.unsubscribedCount, 2)
    assert.equal(metrics.totalInterested, 1)
    assert.equal(metrics.linkClickCount, 1)

    const events = await overture.ctx.db.many<{ type: string; data: Record<string, unknown> }>(
      sql('select type, data from events where campaign_id = $1 order by seq'),
      [campaignId],
    )
    assert.equal(events.filter(event => event.type === 'ai_sdr.positive_reply').length, 1)
    assert.ok(events.some(event => event.type === 'email.opened' && event.data.machine === true))
    assert.equal((await client.get(`${home}/suppressions`)).body.data.length, 3)

    // The person who was away until Monday the 9th got the next step on the day after, not three business days on.
    const away = leads.find(lead => lead.email.startsWith('away'))!
    const timeline = (await client.get(`${base}/leads/${away.id}/timeline`)).body.data as { type: string; timestamp: string }[]
    assert.deepEqual(
      timeline.filter(entry => entry.type === 'email.sent').map(entry => entry.timestamp.slice(0, 10)),
      ['2026-03-02', '2026-03-10'],
    )
  })
})
