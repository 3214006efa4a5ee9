import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { runRepliesCommand } from '../../src/modules/replies/corrections.ts'
import { replyInSandbox } from '../sandbox-reply.ts'
import { makeCampaign, startLiving } from '../sending.ts'

const TEXTS = {
  ann: "I'm not the right person for this. Please contact Zoe Quill, zoe.quill@people.example.",
  bob: 'Not a priority right now, reach out again in three months.',
  cid: 'Sounds great, could we set up a call next week?',
}
type Name = keyof typeof TEXTS
const NAMES = Object.keys(TEXTS) as Name[]
const addressOf = (name: string): string => `silent+${name}@people.example`

// Not in a hook, because a hook's cleanups run when the hook ends.
const overture = await startLiving()

describe('the pointers of replies', () => {
  const replyOf = async (name: Name) => {
    const { body } = await overture.client.get(`${overture.home}/replies?limit=100`)
    return body.data.find((reply: { text: string | null }) => reply.text === TEXTS[name])
  }
  const exported = async (): Promise<Record<string, unknown>[]> => {
    const lines: string[] = []
    await runRepliesCommand(overture.ctx, ['export-corrections'], { workspace: overture.workspaceId }, line => lines.push(line))
    return lines.map(line => JSON.parse(line))
  }

  before(async () => {
    await makeCampaign(overture, { leads: NAMES.map(name => ({ email: addressOf(name), firstName: name })) })
    await overture.work.tick()
    for (const name of NAMES) await replyInSandbox(overture, addressOf(name), TEXTS[name]!)
  })

  it('a referral is neutral and names the other person, on the reply and in the event', async () => {
    const reply = await replyOf('ann')
    const referral = { email: 'zoe.quill@people.example', name: 'Zoe Quill' }
    assert.deepEqual([reply.kind, reply.referral, reply.deferredUntil], ['neutral', referral, null])
    const { body } = await overture.client.get(`${overture.home}/events?type=email.replied&limit=100`)
    const event = body.data.find((each: { data: { replyId: string } }) => each.data.replyId === reply.id)
    assert.deepEqual([event.data.referral, event.data.deferredUntil], [referral, null])
  })

  it('a deferral is neutral and names the day, counted from when the reply was written', async () => {
    const reply = await replyOf('bob')
    const received = new Date(reply.receivedAt)
    const due = new Date(Date.UTC(received.getUTCFullYear(), received.getUTCMonth() + 3, received.getUTCDate()))
    assert.deepEqual([reply.kind, reply.deferredUntil, reply.referral], ['neutral', due.toISOString().slice(0, 10), null])
    assert.deepEqual((({ kind, referral, deferredUntil }) => [kind, referral, deferredUntil])(await replyOf('cid')), [
      'positive',
      null,
      null,
    ])
  })

  it('corrections and confirmations are exported as labeled replies without their authors', async () => {
    assert.deepEqual(await exported(), [])
    const reply = await replyOf('bob')
    await overture.client.patch(reply.links.self, { kind: 'negative' })
    const [line, ...more] = await exported()
    assert.deepEqual(more, [])
    const { id, text, subject, receivedAt: writtenAt, confidence } = reply
    assert.deepEqual(line, { id, kind: 'negative', judgedKind: 'neutral', confidence, subject, text, writtenAt })
  })

  it('a person named in a referral can be erased, and the reply stays', async () => {
    const reply = await replyOf('ann')
    const done = await overture.client.operate('POST', `${overture.home}/erasures`, { email: 'zoe.quill@people.example' })
    assert.equal(done.status, 'succeeded')
    const left = (await overture.client.get(reply.links.self)).body.data
    assert.deepEqual([left.from, left.referral], [addressOf('ann'), null])
    assert.ok(!JSON.stringify(left).includes('zoe.quill'))
  })
})
