import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertShapedRightly } from '../contract/stored-check.ts'
import { makeCampaign, startLiving } from '../sending.ts'

const people = (count: number) => Array.from({ length: count }, (_, n) => ({ email: `silent+${n}@people.example`, firstName: `P${n}` }))
const nameless = (count: number) => Array.from({ length: count }, (_, n) => ({ email: `nameless+${n}@people.example` }))

interface Warning {
  rule: string
  message: string
  count: number
  examples: { leadId: string; email: string }[]
}

describe('the warnings of a campaign', () => {
  it('count the leads that cannot be emailed, with a few examples, and do not stop it', async () => {
    const overture = await startLiving()
    const { client, home } = overture
    const { base } = await makeCampaign(overture, { leads: [...nameless(8), ...people(2)], activate: false })
    await client.post(`${home}/suppressions`, { kind: 'email', value: 'silent+1@people.example' })
    const readiness = (await client.get(`${base}/validate`)).body.data
    assert.deepEqual([readiness.ready, readiness.failures], [true, []])
    const warnings: Warning[] = readiness.warnings
    assert.deepEqual(
      warnings.map(({ rule, count, examples }) => [rule, count, examples.length]),
      [
        ['missing_variable', 8, 5],
        ['missing_variable', 8, 5],
        ['suppressed', 1, 1],
      ],
    )
    assert.match(warnings[0]!.message, /^Step 1: 8 of 9 leads have no firstName/)
    assert.match(warnings[0]!.examples[0]!.email, /^nameless/)
    assert.equal(warnings[2]!.examples[0]!.email, 'silent+1@people.example')
    // A token without the scope for leads sees no addresses.
    const anonymous: Warning[] = (await (await overture.withScopes(['campaigns:read'])).get(`${base}/validate`)).body.data.warnings
    assert.deepEqual(
      anonymous,
      warnings.map(warning => ({ ...warning, examples: [] })),
    )
    assert.equal((await client.operate('POST', `${base}/activate`)).status, 'succeeded')
  })

  it('are failures when no lead is left: a complete but suppressed lead does not make it ready', async () => {
    const overture = await startLiving()
    const { client, home } = overture
    const { base } = await makeCampaign(overture, { leads: [...nameless(2), ...people(1)], activate: false })
    await client.post(`${home}/suppressions`, { kind: 'email', value: 'silent+0@people.example' })
    const { ready, failures, warnings } = (await client.get(`${base}/validate`)).body.data
    assert.equal(ready, false)
    assert.deepEqual(
      failures.map((failure: { rule: string }) => failure.rule),
      ['sequence_step_invalid', 'sequence_step_invalid'],
    )
    assert.match(failures[0].message, /^Step 1: 2 of 2 leads have no firstName/)
    assert.equal(warnings.length, 3)
  })

  it('mention a follow-up without a delay', async () => {
    const overture = await startLiving()
    const steps = [0, 0, 2].map(delayDays => ({ delayDays, variants: [{ subject: 'Hello', body: 'Hello.' }] }))
    const { base } = await makeCampaign(overture, { leads: people(1), steps, activate: false })
    const { ready, warnings } = (await overture.client.get(`${base}/validate`)).body.data
    assert.equal(ready, true)
    assert.deepEqual(
      warnings.map(({ rule, message }: Warning) => [rule, message]),
      [['follow_up_without_delay', 'Step 2 is sent right after the previous step, because its delay is 0 days.']],
    )
  })

  it('judge a lead by its current values, however they were written', async () => {
    const overture = await startLiving()
    const { client, home } = overture
    const email = 'silent+way@people.example'
    const steps = [{ delayDays: 0, variants: [{ subject: 'In {{ city }}', body: 'At {{ company }}' }] }]
    const [made, target] = [
      await makeCampaign(overture, { leads: [{ email }], steps, activate: false }),
      await makeCampaign(overture, { leads: [], steps, activate: false, provider: { fromEmail: 'eve@sender.example' } }),
    ]
    const lacks = async ({ base }: { base: string }) => {
      await assertShapedRightly(overture.ctx.db.pool)
      const { failures, warnings } = (await client.get(`${base}/validate`)).body.data
      const messages: string[] = [...failures, ...warnings].map(({ message }) => message)
      return ['city', 'company'].filter(name => messages.some(message => message.includes(name)))
    }
    assert.deepEqual(await lacks(made), ['city', 'company'], 'imported')
    const [lead] = (await client.get(`${made.base}/leads`)).body.data
    await client.patch(`${made.base}/leads/${lead.id}`, { variables: { city: 'Rome' } })
    assert.deepEqual(await lacks(made), ['company'], 'changed')
    await client.operate('POST', `${made.base}/leads/import`, { leads: [{ email, company: 'Ltd' }], onDuplicate: 'update' })
    assert.deepEqual(await lacks(made), [], 'imported again')
    await client.patch(`${made.base}/leads/${lead.id}`, { variables: { city: 'zoe@people.example' } })
    await client.operate('POST', `${made.base}/leads/bulk`, { action: 'move', filter: {}, targetCampaignId: target.campaignId })
    assert.deepEqual(await lacks(target), [], 'moved')
    await client.operate('POST', `${home}/erasures`, { email: 'zoe@people.example' })
    assert.deepEqual(await lacks(target), ['city'], 'the variable named a person who was erased')
  })
})
