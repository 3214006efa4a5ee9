import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { verifyWebhook } from '../src/index.ts'

const secret = `whsec_${Buffer.from('a secret of thirty-two bytes ...').toString('base64')}`
const other = `whsec_${Buffer.from('another secret that is not ours!').toString('base64')}`
const payload = JSON.stringify({ id: 'e1', type: 'webhook.test', data: { endpointId: 'Grüße 🌍' } })
const now = new Date('2026-03-02T08:00:00Z')

const signed = (key = secret, at = now, body = payload) => ({
  'webhook-id': 'e1',
  'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
  'webhook-signature': new Webhook(key).sign('e1', at, body),
})
const refused = { code: 'invalid_signature' }

describe('verifyWebhook', () => {
  it('returns the event of a delivery that is signed as Standard Webhooks says, in any form of headers and body', async () => {
    const headers = signed()
    for (const given of [headers, new Headers(headers), { 'Webhook-Id': 'e1', ...headers }])
      assert.equal((await verifyWebhook(payload, given, secret, { now })).type, 'webhook.test')
    assert.equal((await verifyWebhook(new TextEncoder().encode(payload), headers, secret, { now })).id, 'e1')
    assert.equal((await verifyWebhook(payload, headers, secret.replace('whsec_', ''), { now })).id, 'e1')
  })

  it('takes any of several signatures, while a secret is being replaced', async () => {
    const headers = {
      ...signed(),
      'webhook-signature': `v1a,AAAA v1,no%base64 ${signed(other)['webhook-signature']} ${signed()['webhook-signature']}`,
    }
    assert.ok(await verifyWebhook(payload, headers, secret, { now }))
    assert.ok(await verifyWebhook(payload, headers, other, { now }))
  })

  it('refuses another body, id, time or secret, and what is not signed at all', async () => {
    const headers = signed()
    const cases: [string, Record<string, string>, string][] = [
      [payload.replace('e1', 'e2'), headers, secret],
      [payload, { ...headers, 'webhook-id': 'e2' }, secret],
      [payload, { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) }, secret],
      [payload, headers, other],
      [payload, { ...headers, 'webhook-signature': headers['webhook-signature'].replace('v1,', 'v2,') }, secret],
      [payload, { ...headers, 'webhook-signature': 'v1,' }, secret],
      [payload, { ...headers, 'webhook-timestamp': 'soon' }, secret],
      [payload, {}, secret],
    ]
    for (const [body, given, key] of cases) await assert.rejects(verifyWebhook(body, given, key, { now }), refused)
  })

  it('refuses what is older, or from later, than it tolerates', async () => {
    const at = (seconds: number) => ({ now: new Date(now.getTime() + seconds * 1000) })
    for (const seconds of [-301, 301]) await assert.rejects(verifyWebhook(payload, signed(), secret, at(seconds)), refused)
    for (const seconds of [-300, 300]) assert.ok(await verifyWebhook(payload, signed(), secret, at(seconds)))
    await assert.rejects(verifyWebhook(payload, signed(), secret, { ...at(11), toleranceSeconds: 10 }), refused)
  })
})
