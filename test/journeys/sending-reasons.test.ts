import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { DAY, HOUR, MINUTE, makeCampaign, startLiving, TWO_STEPS } from '../sending.ts'

const people = (count: number, prefix = 'silent') =>
  Array.from({ length: count }, (_, n) => ({ email: `${prefix}+${n}@people.example`, firstName: `P${n}` }))

const SATURDAY = new Date('2026-03-07T12:00:00.000Z')

describe('why nothing was sent', () => {
  it('is explained in words for the leads of a campaign', async () => {
    const overture = await startLiving({ at: SATURDAY })
    const { client } = overture
    const { base } = await makeCampaign(overture, { leads: people(14), provider: { dailyCap: 10 } })
    await overture.work.tick()
    const closed = (await client.get(`${base}/sending`)).body.data
    assert.equal(closed.summary, '14 outside the sending window until Monday 2026-03-09 09:00 Europe/Berlin')
    assert.equal(closed.nextAttemptAt, '2026-03-09T08:00:00.000Z')

    await overture.live(2 * DAY, 4 * HOUR)
    const capped = (await client.get(`${base}/sending`)).body.data
    assert.deepEqual(
      capped.reasons.map((reason: { reason: string; count: number }) => [reason.reason, reason.count]),
      [
        ['not_due', 10],
        ['mailbox_cap', 4],
      ],
    )
    assert.match(capped.summary, /4 waiting: daily limit reached \(10\/10 today\), next email on Tuesday 2026-03-10 09:00 Europe\/Berlin/)
    assert.deepEqual([capped.mailboxes[0].sentToday, capped.mailboxes[0].limitToday], [10, 10])
  })

  it('is shown in the timeline of a lead, with the current hold', async () => {
    const overture = await startLiving()
    const { client } = overture
    const { base } = await makeCampaign(overture, { leads: people(3), provider: { minGapSeconds: 600 } })
    await overture.live(5 * MINUTE, MINUTE)
    const leads = (await client.get(`${base}/leads?status=not_yet_contacted`)).body.data
    assert.equal(leads.length, 2)
    const entries = (await client.get(`${base}/leads/${leads[0].id}/timeline`)).body.data
    assert.equal(entries[0].type, 'lead.added')
    assert.deepEqual(
      entries
        .slice(1)
        .map((entry: { type: string; data: { reason: string; current: boolean } }) => [entry.type, entry.data.reason, entry.data.current]),
      [
        ['decision.waiting', 'mailbox_gap', false],
        ['decision.waiting', 'mailbox_gap', true],
      ],
    )
    assert.match(entries.at(-1).data.text, /delay between emails, next email on \w+ [\d-]+ 09:/)
    const newestFirst: unknown[] = []
    for (let next: string | null = `${base}/leads/${leads[0].id}/timeline?order=desc&limit=1`; next; ) {
      const reply = await client.get(next)
      newestFirst.push(...reply.body.data)
      next = reply.body.links.next
    }
    assert.deepEqual(newestFirst, entries.toReversed())
  })

  it('skips a lead with a missing variable, names it, and emails the others', async () => {
    const overture = await startLiving()
    const { client } = overture
    const { base } = await makeCampaign(overture, { leads: people(3) })
    const lacking = [{ email: 'nameless@people.example' }, { email: 'unseen@people.example', firstName: '\u200b\u00ad' }]
    await client.operate('POST', `${base}/leads/import`, { leads: lacking })
    await overture.work.tick()
    for (const { email } of lacking) {
      assert.equal((await client.get(`${base}/leads?email=${email}`)).body.data[0].status, 'skipped', email)
    }
    assert.match((await client.get(`${base}/sending`)).body.data.summary, /2 without a value for firstName/)
    assert.equal((await client.get(`${base}/metrics`)).body.data.metrics.contactedLeadsCount, 3)
  })

  it('keeps a lead on the version of the sequence that it started with', async () => {
    const overture = await startLiving()
    const { client, home, clock } = overture
    const { base, providerId } = await makeCampaign(overture, { leads: [{ email: 'silent@people.example', firstName: 'Sil' }] })
    await overture.work.tick()
    await client.operate('POST', `${base}/pause`)
    const { updatedAt } = (await client.get(base)).body.data
    const steps = [0, 3].map(delayDays => ({ delayDays, variants: [{ subject: 'Rewritten', body: 'Rewritten for {{ firstName }}.' }] }))
    await client.operate('PUT', `${base}/sequence`, { steps }, { 'if-match': updatedAt })
    await client.operate('POST', `${base}/resume`)
    clock.advance(7 * 24 * 60 * 60 * 1000)
    await overture.work.tick()
    const messages = (await client.get(`${home}/providers/${providerId}/sandbox-messages`)).body.data
    const sent = messages.filter((message: { direction: string }) => message.direction === 'out')
    assert.equal(sent.length, 2)
    for (const { subject } of sent) assert.doesNotMatch(subject, /Rewritten/)
  })

  it('never emails a person who was suppressed after the campaign started', async () => {
    const overture = await startLiving()
    const { client, home } = overture
    const { base } = await makeCampaign(overture, { leads: people(4), provider: { dailyCap: 1 } })
    await overture.work.tick()
    await client.post(`${home}/suppressions`, { kind: 'domain', value: 'people.example' })
    await overture.live(3 * DAY, 4 * HOUR)
    assert.equal((await client.get(`${base}/metrics`)).body.data.metrics.emailsSentCount, 1)
    const statuses = (await client.get(`${base}/leads`)).body.data.map((lead: { status: string }) => lead.status)
    assert.equal(statuses.filter((status: string) => status === 'skipped').length, 3 + 1)
  })

  it('respects the limit for one recipient domain and continues with others', async () => {
    const overture = await startLiving()
    const { client } = overture
    const leads = [...people(20), { email: 'silent@other.example', firstName: 'O' }]
    const { base } = await makeCampaign(overture, { leads, provider: { maxPerDomainPerHour: 5 } })
    await overture.live(10 * MINUTE, MINUTE)
    const sent = await overture.ctx.db.many<{ domain: string; count: number }>(
      sql(`select domain, count(*)::int as count from sends where status = 'sent' group by 1 order by 1`),
    )
    assert.deepEqual(sent, [
      { domain: 'other.example', count: 1 },
      { domain: 'people.example', count: 5 },
    ])
    assert.match((await client.get(`${base}/sending`)).body.data.summary, /15 /)
  })
})

describe('content', () => {
  it('previews a step as a lead would receive it', async () => {
    const overture = await startLiving()
    const { client } = overture
    const { base } = await makeCampaign(overture, { leads: people(1), activate: false })
    const first = (await client.post(`${base}/preview`, { step: 0 })).body.data
    assert.equal(first.subject, 'A question for P0')
    assert.match(first.text, /1 Example Street, Berlin/)
    assert.ok(first.headers.some((header: { name: string; value: string }) => header.name === 'List-Unsubscribe'))
    const second = (await client.post(`${base}/preview`, { step: 1 })).body.data
    assert.equal(second.subject, 'Re: A question for P0')
    assert.equal((await client.post(`${base}/preview`, { step: 2 })).status, 422)
  })

  it('distributes variants by weight and names no winner without data', async () => {
    const overture = await startLiving()
    const { client } = overture
    const variants = [
      { subject: 'One', body: 'Hi {{ firstName }}', weight: 3 },
      { subject: 'Two', body: 'Hello {{ firstName }}', weight: 1 },
    ]
    const { base, providerId } = await makeCampaign(overture, { leads: people(200), steps: [{ delayDays: 0, variants }] })
    await overture.live(DAY, HOUR)
    const [step] = (await client.get(`${base}/variants`)).body.data.steps
    const [one, two] = step.variants
    assert.equal(one.sentCount + two.sentCount, 200)
    assert.ok(one.sentCount > 120 && one.sentCount < 180, `${one.sentCount}`)
    assert.equal(step.verdict, 'not_enough_data')

    // The events of the numbers: of a variant, of a mailbox, and of one that has sent nothing.
    const countOf = async (query: string) =>
      (await client.get(`${overture.home}/events?limit=100&type=email.sent&${query}`)).body.data.length as number
    assert.equal(await countOf(`variantId=${two.variantId}`), two.sentCount)
    assert.equal(await countOf(`providerId=${providerId}&variantId=${two.variantId}`), two.sentCount)
    assert.equal(await countOf(`providerId=${two.variantId}`), 0)
    const replies = (await client.get(`${overture.home}/events?limit=100&type=email.replied&providerId=${providerId}`)).body.data.length
    assert.equal(replies, (await client.get(`${overture.home}/events?limit=100&type=email.replied`)).body.data.length)
  })

  it('simulates the rest of a campaign with its real leads', async () => {
    const overture = await startLiving()
    const { client } = overture
    const { base, providerId } = await makeCampaign(overture, { leads: people(25), provider: { dailyCap: 10 }, activate: false })
    const simulation = (await client.post(`${base}/simulate`, {})).body.data
    assert.equal(simulation.sends, 50)
    assert.equal(simulation.days[0].byMailbox[providerId], 10)
    assert.equal(simulation.bindingLimit.code, 'mailbox_cap')
    assert.equal(simulation.truncated, false)
    await client.operate('POST', `${base}/activate`)
    await overture.live(new Date(simulation.endsAt).getTime() - overture.clock.now().getTime() + HOUR, HOUR)
    assert.equal((await client.get(`${base}/metrics`)).body.data.metrics.emailsSentCount, 50)
    const last = await overture.ctx.db.first<{ at: Date }>(sql('select max(sent_at) as at from sends'))
    assert.equal(last!.at.toISOString().slice(0, 10), simulation.endsAt.slice(0, 10))
  })

  it('simulates trial values, reports missing variables, and leaves the campaign unchanged', async () => {
    const overture = await startLiving()
    const { client } = overture
    const { base, providerId } = await makeCampaign(overture, { leads: people(25), provider: { dailyCap: 10 }, activate: false })
    const second = (
      await client.post(`${overture.home}/providers`, { kind: 'sandbox', name: 'Second', fromEmail: 'two@sender.example', dailyCap: 90 })
    ).body.data.id
    const [before, campaign] = [(await client.post(`${base}/simulate`, {})).body.data, (await client.get(base)).body.data]
    assert.equal(before.lacks, null)
    const sooner = (await client.post(`${base}/simulate`, { providerId: second, rotationProviderIds: [providerId] })).body.data
    assert.ok(sooner.endsAt < before.endsAt && sooner.days[0].byMailbox[second] > 10, JSON.stringify(sooner.days[0]))
    const step = { delayDays: 0, variants: [{ subject: 'For {{ company }}', body: 'Hi {{ firstName }}' }] }
    const tried = (await client.post(`${base}/simulate`, { steps: [step] })).body.data
    assert.equal(tried.sends, 0)
    assert.deepEqual(
      tried.notSent.map(({ reason, count, messages }: { reason: string; count: number; messages: number }) => [reason, count, messages]),
      [['missing_variable', 25, 25]],
    )
    assert.deepEqual([tried.lacks[0].variable, tried.lacks[0].count, tried.lacks[0].step], ['company', 25, 0])
    assert.match(tried.lacks[0].text, /25 of 25 leads have no company/)
    const window = { daysOfWeek: ['monday'], timeWindow: { start: '09:00', end: '10:00' }, timezone: 'Europe/Berlin' }
    const later = (await client.post(`${base}/simulate`, { schedule: window })).body.data
    assert.ok(later.endsAt > before.endsAt && later.days.every((day: { date: string }) => new Date(day.date).getUTCDay() === 1))
    assert.deepEqual(
      [(await client.get(base)).body.data, (await client.post(`${base}/simulate`, {})).body.data.sends],
      [campaign, before.sends],
    )
    for (const [body, status] of [
      [{ providerId: overture.workspaceId }, 422],
      [{ schedule: { daysOfWeek: ['monday'] } }, 422],
      [{ steps: [{ delayDays: 1, variants: [{ subject: 'x', body: 'y' }] }] }, 422],
      [{ steps: [{ delayDays: 0, variants: [{ subject: '{{ x', body: 'y' }] }] }, 422],
    ] as const)
      assert.equal((await client.post(`${base}/simulate`, body)).status, status, JSON.stringify(body))
    const empty = (await client.post(`${overture.home}/campaigns`, { name: 'Empty' })).body.data
    const trial = { steps: [step], schedule: window, providerId }
    assert.equal((await client.post(`${overture.home}/campaigns/${empty.id}/simulate`, trial)).body.data.sends, 0)
  })

  it('counts leads that cannot get a step in a simulation, and sends them the previous steps, like the sender', async () => {
    const overture = await startLiving()
    const { client } = overture
    const steps = [
      { delayDays: 0, variants: [{ subject: 'Hi {{ firstName }}', body: 'From {{ city | default: "afar" }}' }] },
      { delayDays: 1, variants: [{ subject: null, body: 'Still in {{ city }}?' }] },
    ]
    const leads = ['a', 'b', 'c', 'd', 'e', 'f'].map((name, n) => ({
      email: `silent.${name}@${name}.example`,
      ...(n < 4 ? { firstName: name } : {}),
      ...(n < 1 ? { variables: { city: 'Rome' } } : {}),
    }))
    const { base } = await makeCampaign(overture, { leads, steps, activate: false })
    const { sends, notSent } = (await client.post(`${base}/simulate`, {})).body.data
    assert.equal(sends, 5)
    assert.deepEqual(
      notSent.map(({ reason, count, messages }: { reason: string; count: number; messages: number }) => [reason, count, messages]),
      [['missing_variable', 5, 7]],
    )
    await client.operate('POST', `${base}/activate`)
    await overture.live(8 * DAY, 4 * HOUR)
    assert.equal((await client.get(`${base}/metrics`)).body.data.metrics.emailsSentCount, sends)
  })

  it('returns 409 for a simulation without sequence or window', async () => {
    const overture = await startLiving()
    const created = await overture.client.post(`${overture.home}/campaigns`, { name: 'Empty' })
    const reply = await overture.client.post(`${overture.home}/campaigns/${created.body.data.id}/simulate`, {})
    assert.equal(reply.status, 409)
    assert.equal(reply.body.error.details.failures.length, 2)
  })
})

describe('the life of a campaign', () => {
  it('stops when more than one message in twenty bounces, and counts again after a resume', async () => {
    const overture = await startLiving()
    const { client } = overture
    const leads = [...people(60), ...people(4, 'bounce')]
    const { base } = await makeCampaign(overture, { leads })
    await overture.live(2 * HOUR, HOUR)
    const campaign = (await client.get(base)).body.data
    assert.equal(campaign.status, 'attention_needed')
    assert.match((await client.get(`${base}/sending`)).body.data.attentionReason, /4 of 64 emails bounced/)
    await client.operate('POST', `${base}/resume`)
    await overture.live(HOUR, HOUR)
    assert.equal((await client.get(base)).body.data.status, 'active')
  })

  it('stays completed when leads are added after its end date, and explains why they wait', async () => {
    const overture = await startLiving()
    const { client, home } = overture
    const endDate = new Date(overture.clock.now().getTime() + DAY).toISOString()
    const ended = await makeCampaign(overture, { leads: people(1), campaign: { endDate } })
    await overture.live(2 * DAY)
    assert.equal((await client.get(ended.base)).body.data.status, 'completed')
    const eventsOf = async () =>
      (await client.get(`${home}/events?limit=100`)).body.data.filter((event: { type: string }) => event.type.startsWith('campaign.'))
    const before = await eventsOf()
    assert.equal(before.at(-1).data.reason, 'The end date has passed.')
    const { result } = await client.operate('POST', `${ended.base}/leads/import`, {
      leads: [{ email: 'late@ended.example', firstName: 'Late' }],
    })
    assert.equal(result.importedCount, 1)
    await overture.live(HOUR)
    assert.equal((await client.get(ended.base)).body.data.status, 'completed')
    assert.deepEqual(await eventsOf(), before)
    const { reasons } = (await client.get(`${ended.base}/sending`)).body.data
    assert.ok(
      reasons.some((each: { reason: string }) => each.reason === 'campaign_expired'),
      JSON.stringify(reasons),
    )
  })

  it('is completed at its end date, and reopened by new leads when it was completed before', async () => {
    const overture = await startLiving()
    const { client } = overture
    const ending = await makeCampaign(overture, { leads: people(2), campaign: { endDate: '2026-03-03T12:00:00Z' } })
    const short = await makeCampaign(overture, { leads: people(2), steps: [TWO_STEPS[0]!] })
    await overture.live(3 * DAY, 4 * HOUR)
    assert.equal((await client.get(ending.base)).body.data.status, 'completed')
    assert.equal((await client.get(short.base)).body.data.status, 'completed')
    await client.operate('POST', `${short.base}/leads/import`, { leads: [{ email: 'silent+new@people.example', firstName: 'New' }] })
    assert.equal((await client.get(short.base)).body.data.status, 'active')
    await overture.live(4 * DAY, 4 * HOUR)
    assert.equal((await client.get(short.base)).body.data.status, 'completed')
    assert.equal((await client.get(`${short.base}/metrics`)).body.data.metrics.contactedLeadsCount, 3)
  })
})
