import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { makeCampaign, makeReadyCampaign, STEPS } from '../factories.ts'
import { type Client, type Overture, startOverture } from '../harness.ts'

const variant = { subject: 'Hello {{ firstName }}', body: 'Hi {{ firstName }}' }
const first = { delayDays: 0, variants: [variant] }

describe('sequences', () => {
  let overture: Overture
  let client: Client
  let home: string

  before(async () => {
    overture = await startOverture()
    ;({ client, home } = overture)
  })

  const read = async (id: string) => (await client.get(`${home}/campaigns/${id}/sequence`)).body.data
  const campaignOf = async (id: string) => (await client.get(`${home}/campaigns/${id}`)).body.data
  const put = async (id: string, body: unknown, ifMatch?: string) =>
    client.operate('PUT', `${home}/campaigns/${id}/sequence`, body, { 'if-match': ifMatch ?? (await campaignOf(id)).updatedAt })
  const copy = (id: string, sourceCampaignId: string) =>
    client.operate('POST', `${home}/campaigns/${id}/sequence/copy`, { sourceCampaignId })
  const idsOf = (sequence: { steps: { id: string; variants: { id: string }[] }[] }) =>
    sequence.steps.flatMap(step => [step.id, ...step.variants.map(each => each.id)])

  describe('get and replace', () => {
    it('a campaign without a sequence has version 0 and no steps', async () => {
      const { id } = await makeCampaign(overture, { name: 'None' })
      assert.deepEqual(await read(id), {
        campaignId: id,
        version: 0,
        steps: [],
        updatedAt: null,
        links: { self: `${overture.baseUrl}${home}/campaigns/${id}/sequence` },
      })
    })

    it('what is saved is what is read: ids are added, an empty subject is null, weights are equal by default', async () => {
      const { id } = await makeCampaign(overture, { name: 'Whole' })
      const sent = {
        steps: [
          {
            delayDays: 0,
            variants: [
              { subject: 'A', body: 'a' },
              { subject: 'B', body: 'b' },
            ],
          },
          {
            delayDays: 90,
            variants: [
              { subject: '', body: 'c', weight: 100 },
              { body: 'd', weight: 1 },
              { subject: null, body: 'e', weight: 7 },
            ],
          },
        ],
      }
      const operation = await put(id, sent)
      const sequence = await read(id)
      assert.equal(operation.action, 'campaign.update_sequence')
      assert.deepEqual(operation.result, { campaignId: id, stepCount: 2, updatedAt: (await campaignOf(id)).updatedAt })
      assert.equal(sequence.version, 1)
      assert.deepEqual(
        sequence.steps.map((step: { delayDays: number; variants: { subject: string | null; body: string; weight: number }[] }) => [
          step.delayDays,
          step.variants.map(each => [each.subject, each.body, each.weight]),
        ]),
        [
          [
            0,
            [
              ['A', 'a', 1],
              ['B', 'b', 1],
            ],
          ],
          [
            90,
            [
              [null, 'c', 100],
              [null, 'd', 1],
              [null, 'e', 7],
            ],
          ],
        ],
      )
      assert.equal(new Set(idsOf(sequence)).size, 7)
    })

    it('every replacement is a new version and changes updatedAt of the campaign', async () => {
      const { id } = await makeCampaign(overture, { name: 'Versions' })
      let updatedAt = (await campaignOf(id)).updatedAt
      for (const version of [1, 2, 3]) {
        await put(id, STEPS)
        assert.equal((await read(id)).version, version)
        const now = (await campaignOf(id)).updatedAt
        assert.ok(now > updatedAt)
        updatedAt = now
      }
    })

    it('if-match is required, must be a date-time, and a stale one saves nothing', async () => {
      const campaign = await makeCampaign(overture, { name: 'Match' })
      const path = `${home}/campaigns/${campaign.id}/sequence`
      assert.deepEqual((await client.put(path, STEPS)).body.error.code, 'precondition_required')
      assert.deepEqual((await client.put(path, STEPS, { headers: { 'if-match': '*' } })).body.error.code, 'invalid_if_match')
      await put(campaign.id, STEPS)
      const late = await put(campaign.id, { steps: [first] }, campaign.updatedAt)
      assert.deepEqual([late.status, late.error.code], ['failed', 'precondition_failed'])
      assert.equal((await read(campaign.id)).version, 1)
    })

    it('an invalid sequence returns 422 with the place', async () => {
      const { id, updatedAt } = await makeCampaign(overture, { name: 'Wrong' })
      const twice = (count: number, item: unknown) => Array.from({ length: count }, () => item)
      const wrong: [body: unknown, path: string][] = [
        [{}, '/steps'],
        [{ steps: [] }, '/steps'],
        [{ steps: twice(21, first) }, '/steps'],
        [{ steps: [{ ...first, delayDays: 1 }] }, '/steps/0/delayDays'],
        [{ steps: [first, { ...first, delayDays: 91 }] }, '/steps/1/delayDays'],
        [{ steps: [first, { ...first, delayDays: -1 }] }, '/steps/1/delayDays'],
        [{ steps: [first, { ...first, delayDays: 1.5 }] }, '/steps/1/delayDays'],
        [{ steps: [first, { ...first, delayDays: '1' }] }, '/steps/1/delayDays'],
        [{ steps: [{ delayDays: 0, variants: [] }] }, '/steps/0/variants'],
        [{ steps: [{ delayDays: 0, variants: twice(6, variant) }] }, '/steps/0/variants'],
        [{ steps: [{ delayDays: 0, variants: [{ ...variant, subject: 'x'.repeat(256) }] }] }, '/steps/0/variants/0/subject'],
        [{ steps: [{ delayDays: 0, variants: [{ ...variant, subject: '  ' }] }] }, '/steps/0/variants/0/subject'],
        [{ steps: [{ delayDays: 0, variants: [{ body: 'no subject' }] }] }, '/steps/0/variants/0/subject'],
        [{ steps: [{ delayDays: 0, variants: [{ ...variant, body: '' }] }] }, '/steps/0/variants/0/body'],
        [{ steps: [{ delayDays: 0, variants: [{ ...variant, body: ' \n' }] }] }, '/steps/0/variants/0/body'],
        [{ steps: [{ delayDays: 0, variants: [{ ...variant, body: 'x'.repeat(50_001) }] }] }, '/steps/0/variants/0/body'],
        [{ steps: [{ delayDays: 0, variants: [{ ...variant, weight: 0 }] }] }, '/steps/0/variants/0/weight'],
        [{ steps: [{ delayDays: 0, variants: [{ ...variant, weight: 101 }] }] }, '/steps/0/variants/0/weight'],
        [{ steps: [{ delayDays: 0, variants: [{ ...variant, id: randomUUID() }] }] }, '/steps/0/variants/0/id'],
        [{ steps: [{ ...first, id: randomUUID() }] }, '/steps/0/id'],
        [{ steps: [first], version: 3 }, '/version'],
      ]
      for (const [body, path] of wrong) {
        const reply = await client.put(`${home}/campaigns/${id}/sequence`, body, { headers: { 'if-match': updatedAt } })
        assert.deepEqual([reply.status, reply.body.error?.code], [422, 'validation_failed'], path)
        assert.ok(
          reply.body.error.details.issues.some((issue: { path: string }) => issue.path === path),
          `${path}: ${JSON.stringify(reply.body.error.details)}`,
        )
      }
      assert.equal((await read(id)).version, 0)
    })

    it('a template that does not parse returns 422 with the place and the reason', async () => {
      const { id, updatedAt } = await makeCampaign(overture, { name: 'Template' })
      for (const [broken, path] of [
        [{ ...variant, body: 'Hi {{ firstName' }, '/steps/0/variants/0/body'],
        [{ ...variant, body: '{% if x %}no end' }, '/steps/0/variants/0/body'],
        [{ ...variant, body: '{{ firstName | nosuchfilter }}' }, '/steps/0/variants/0/body'],
        [{ ...variant, body: "{% include '/etc/passwd' %}" }, '/steps/0/variants/0/body'],
        [{ ...variant, subject: '{{ }' }, '/steps/0/variants/0/subject'],
      ] as const) {
        const reply = await client.put(
          `${home}/campaigns/${id}/sequence`,
          { steps: [{ delayDays: 0, variants: [broken] }] },
          { headers: { 'if-match': updatedAt } },
        )
        assert.deepEqual(
          [reply.status, reply.body.error?.details?.issues?.[0]?.path, reply.body.error?.details?.issues?.[0]?.rule],
          [422, path, 'template'],
          JSON.stringify(broken),
        )
      }
    })

    it('a draft and a paused campaign can be edited, others return 409', async () => {
      const { id } = await makeReadyCampaign(overture, 'States')
      const attempt = async () =>
        client.whenDone(
          client.put(`${home}/campaigns/${id}/sequence`, STEPS, {
            headers: { 'if-match': (await campaignOf(id)).updatedAt, prefer: 'wait=20' },
          }),
        )
      for (const [move, status] of [
        ['activate', 409],
        ['pause', 200],
        ['archive', 409],
      ] as const) {
        await client.operate('POST', `${home}/campaigns/${id}/${move}`)
        const reply = await attempt()
        assert.equal(reply.status, status, move)
        if (status === 409) assert.deepEqual(reply.body.error.details.allowedStatuses, ['draft', 'paused'])
      }
    })
  })

  describe('copy', () => {
    it('copies the steps of the source with new ids and leaves the source unchanged', async () => {
      const [source, target] = [await makeReadyCampaign(overture, 'Source'), await makeCampaign(overture, { name: 'Target' })]
      const before = await read(source.id)
      const operation = await copy(target.id, source.id)
      const copied = await read(target.id)
      assert.equal(operation.action, 'campaign.copy_sequence')
      assert.deepEqual(operation.result, {
        campaignId: target.id,
        sourceCampaignId: source.id,
        stepCount: 2,
        updatedAt: (await campaignOf(target.id)).updatedAt,
      })
      const plain = (sequence: { steps: { id: string; variants: { id: string }[] }[] }) =>
        sequence.steps.map(({ id: _id, ...step }) => ({ ...step, variants: step.variants.map(({ id: _variant, ...rest }) => rest) }))
      assert.deepEqual(plain(copied), plain(before))
      assert.equal(new Set([...idsOf(copied), ...idsOf(before)]).size, idsOf(before).length * 2)
      assert.deepEqual(await read(source.id), before)
    })

    it('replaces what was there, as the next version', async () => {
      const [source, target] = [await makeReadyCampaign(overture, 'Source again'), await makeReadyCampaign(overture, 'Target again')]
      await put(source.id, { steps: [first] })
      await copy(target.id, source.id)
      const sequence = await read(target.id)
      assert.deepEqual([sequence.version, sequence.steps.length], [2, 1])
    })

    it('accepts any campaign of the workspace as its source, even an archived one', async () => {
      const [source, target] = [await makeReadyCampaign(overture, 'Old source'), await makeCampaign(overture, { name: 'New target' })]
      await client.operate('POST', `${home}/campaigns/${source.id}/archive`)
      assert.equal((await copy(target.id, source.id.toUpperCase())).status, 'succeeded')
    })

    it('from itself, from a campaign without steps, from another workspace or from a missing campaign returns 422', async () => {
      const target = await makeReadyCampaign(overture, 'Picky')
      const empty = await makeCampaign(overture, { name: 'Empty' })
      const stranger = await overture.stranger()
      const foreign = (await stranger.client.post(`${stranger.home}/campaigns`, { name: 'Foreign' })).body.data
      for (const sourceCampaignId of [target.id, empty.id, foreign.id, randomUUID()]) {
        const reply = await client.post(`${home}/campaigns/${target.id}/sequence/copy`, { sourceCampaignId })
        assert.deepEqual([reply.status, reply.body.error.code], [422, 'invalid_reference'])
      }
      for (const body of [{}, { sourceCampaignId: 'x' }, { sourceCampaignId: null }]) {
        const reply = await client.post(`${home}/campaigns/${target.id}/sequence/copy`, body)
        assert.deepEqual([reply.status, reply.body.error.code], [422, 'validation_failed'])
      }
      assert.equal((await client.post(`${home}/campaigns/${randomUUID()}/sequence/copy`, { sourceCampaignId: target.id })).status, 404)
    })

    it('into a campaign that is neither draft nor paused returns 409', async () => {
      const [source, target] = [await makeReadyCampaign(overture, 'Giver'), await makeReadyCampaign(overture, 'Taker')]
      await client.operate('POST', `${home}/campaigns/${target.id}/activate`)
      const reply = await client.post(`${home}/campaigns/${target.id}/sequence/copy`, { sourceCampaignId: source.id })
      assert.deepEqual([reply.status, reply.body.error.details], [409, { currentStatus: 'active', allowedStatuses: ['draft', 'paused'] }])
    })
  })
})

describe('the preview of a follow-up', () => {
  it('shows the thread of the last step before it with a subject, in the variant of the lead', async () => {
    const overture = await startOverture()
    after(() => overture.end())
    const campaign = await makeReadyCampaign(overture, 'Threads')
    const path = `${overture.home}/campaigns/${campaign.id}`
    const steps = [
      { delayDays: 0, variants: ['A', 'B', 'C', 'D'].map(name => ({ subject: `Opening ${name} for {{ firstName }}`, body: 'Hi' })) },
      { delayDays: 2, variants: [{ subject: null, body: 'Again' }] },
      { delayDays: 2, variants: [{ subject: 'Something else, {{ firstName }}', body: 'New' }] },
      { delayDays: 2, variants: [{ subject: null, body: 'Last' }] },
    ]
    const { updatedAt } = (await overture.client.get(path)).body.data
    await overture.client.operate('PUT', `${path}/sequence`, { steps }, { 'if-match': updatedAt })
    for (const lead of (await overture.client.get(`${path}/leads`)).body.data) {
      const subjectOf = async (step: number) => (await overture.client.post(`${path}/preview`, { step, leadId: lead.id })).body.data.subject
      const [first, second, third, fourth] = [await subjectOf(0), await subjectOf(1), await subjectOf(2), await subjectOf(3)]
      assert.match(first, /^Opening [A-D] for \w+$/)
      assert.equal(second, `Re: ${first}`)
      assert.equal(third, `Something else, ${lead.firstName}`)
      assert.equal(fourth, `Re: ${third}`)
    }
  })
})

describe('the preview of unsaved steps', () => {
  it('shows them as they would arrive, saves nothing, and reports template errors', async () => {
    const overture = await startOverture()
    after(() => overture.end())
    const { id } = await makeReadyCampaign(overture, 'Tried out')
    const path = `${overture.home}/campaigns/${id}`
    const before = (await overture.client.get(`${path}/sequence`)).body.data
    const steps = [
      { delayDays: 0, variants: [{ subject: 'Tried with {{ firstName }}', body: 'One' }] },
      { delayDays: 2, variants: [{ body: 'Two for {{ firstName | default: "you" }}' }] },
    ]
    const { data } = (await overture.client.post(`${path}/preview`, { step: 1, steps })).body
    assert.match(data.subject, /^Re: Tried with \w+$/)
    assert.match(data.text, /^Two for \w+/)
    assert.equal((await overture.client.get(new URL(data.links.self).pathname + new URL(data.links.self).search)).status, 200)
    const broken = await overture.client.post(`${path}/preview`, {
      step: 0,
      steps: [{ delayDays: 0, variants: [{ subject: 'A', body: '{{ b' }] }],
    })
    assert.deepEqual([broken.status, broken.body.error.code], [422, 'validation_failed'])
    assert.equal((await overture.client.post(`${path}/preview`, { step: 2, steps })).status, 422)
    assert.deepEqual((await overture.client.get(`${path}/sequence`)).body.data, before)
  })
})
