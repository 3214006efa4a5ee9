import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isFull } from '../full.ts'
import { makeCampaign, startLiving } from '../sending.ts'

/** Quick while `n` is small, and minutes when it is not: the data of one lead decides. */
const BODY = '{% assign a = (1..n) %}{{ a | where_exp: "x", "a contains 0" | size }}'
const step = (body: string) => [{ delayDays: 0, variants: [{ subject: 'Hello', body }] }]

describe('a template that takes too much', () => {
  it('can be saved, but not activated or previewed, with a reason', async () => {
    const overture = await startLiving()
    const { client } = overture
    const heavy = BODY.replace('..n', '..9999')
    for (const body of isFull ? [heavy, `{{ "}}" | size }}${heavy}`] : [heavy]) {
      const { base } = await makeCampaign(overture, { leads: [{ email: 'silent@people.example' }], steps: step(body), activate: false })
      const { ready, failures } = (await client.get(`${base}/validate`)).body.data
      assert.equal(ready, false)
      assert.deepEqual(failures, [{ rule: 'sequence_step_invalid', message: 'Step 1: The template takes too long to render.' }])
      const refused = await client.post(`${base}/activate`, {})
      assert.equal(refused.status, 409)
      for (const shown of [await client.post(`${base}/preview`, { step: 0 }), await client.get(`${base}/preview?step=0`)]) {
        assert.equal(shown.status, 422)
        assert.match(shown.body.error.message, /takes too long/)
      }
    }
  })

  it('stops only its own campaign when it is sent', async () => {
    const overture = await startLiving()
    const { client, work, home } = overture
    const light = { email: 'silent.light@people.example', variables: { n: '3' } }
    const hostile = await makeCampaign(overture, { leads: [light], steps: step(BODY) })
    const honest = await makeCampaign(overture, { leads: [{ email: 'silent.honest@people.example' }], steps: step('Hi') })
    const heavy = { email: 'silent.heavy@people.example', variables: { n: '9999' } }
    await client.operate('POST', `${hostile.base}/leads/import`, { leads: [heavy] })
    await work.tick()
    const { status, attentionReason } = (await client.get(`${hostile.base}/sending`)).body.data
    assert.equal(status, 'attention_needed')
    assert.match(attentionReason, /^Step 1 has an error: The template takes too long to render/)
    assert.equal((await client.get(`${honest.base}/sending`)).body.data.status, 'active')
    const sent = (await client.get(`${home}/providers/${honest.providerId}/sandbox-messages`)).body.data
    assert.equal(sent.length, 1)
  })

  it('delays only the person who tries it out, and no message or colleague', async () => {
    const overture = await startLiving()
    const { client } = overture
    const { base } = await makeCampaign(overture, { leads: [{ email: 'silent@people.example' }], steps: step('Hi'), activate: false })
    const viewer = await overture.withScopes(['campaigns:read', 'leads:read'])
    const ended: string[] = []
    const preview = async (by: typeof client, body: object): Promise<void> => {
      await by.post(`${base}/preview`, { step: 0, ...body })
      ended.push(by === viewer ? 'viewer' : 'colleague')
    }
    const heavy = [1, 2].map(n => preview(viewer, { steps: step(`${BODY.replace('..n', '..9999')} ${n}`) }))
    // Answered after they were admitted.
    await viewer.get(base)
    await Promise.all([...heavy, preview(client, {})])
    assert.notEqual(ended.at(-1), 'colleague', ended.join())
  })
})
