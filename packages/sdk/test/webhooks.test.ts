import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
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

/** As the service would sign these bytes. */
function signedBytes(body: Uint8Array): Record<string, string> {
  const { 'webhook-signature': _, ...headers } = signed()
  const mac = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
  mac.update(`e1.${headers['webhook-timestamp']}.`).update(body)
  return { ...headers, 'webhook-signature': `v1,${mac.digest('base64')}` }
}

describe('verifyWebhook', () => {
  it('returns the event of a delivery with a Standard Webhooks signature, in any form of headers and body', async () => {
    const headers = signed()
    for (const given of [headers, new Headers(headers), { 'Webhook-Id': 'e1', ...headers }])
      assert.equal((await verifyWebhook(payload, given, secret, { now })).type, 'webhook.test')
    assert.equal((await verifyWebhook(new TextEncoder().encode(payload), headers, secret, { now })).id, 'e1')
    assert.equal((await verifyWebhook(payload, headers, secret.replace('whsec_', ''), { now })).id, 'e1')
  })

  it('accepts any of several signatures during a rotation', async () => {
    const headers = {
      ...signed(),
      'webhook-signature': `v1a,AAAA v1,no%base64 ${signed(other)['webhook-signature']} ${signed()['webhook-signature']}`,
    }
    assert.ok(await verifyWebhook(payload, headers, secret, { now }))
    assert.ok(await verifyWebhook(payload, headers, other, { now }))
  })

  it('refuses another body, id, time or secret, and unsigned requests', async () => {
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

  it('refuses with invalid_signature and the reason, for any problem of the body or the headers', async () => {
    const check = (body: unknown, headers: unknown, message: RegExp) =>
      assert.rejects(verifyWebhook(body as string, headers as Headers, secret, { now }), { ...refused, message })
    for (const body of [null, undefined, JSON.parse(payload), 5]) await check(body, signed(), /the body is neither text nor bytes/)
    for (const body of ['', '{"id":', 'id=e1']) await check(body, signed(secret, now, body), /the body is not JSON/)
    for (const body of ['null', '5', '"e1"']) await check(body, signed(secret, now, body), /the body is not an event/)
    for (const headers of [null, undefined, {}, { ...signed(), 'webhook-id': ['e1', 'e2'] }])
      await check(payload, headers, /webhook-id is missing/)
    await check(payload, { ...signed(), 'webhook-signature': 'v1,Grüße' }, /no signature matches/)
  })

  it('verifies raw bytes before decoding them', async () => {
    const broken = Buffer.from([0x22, 0xff, 0x22])
    // Read as text, they look like these, which are signed.
    await assert.rejects(verifyWebhook(broken, signed(secret, now, '"\ufffd"'), secret, { now }), {
      ...refused,
      message: /no signature matches/,
    })
    await assert.rejects(verifyWebhook(broken, signedBytes(broken), secret, { now }), { ...refused, message: /the body is not JSON/ })
    const marked = Buffer.from(`\ufeff${payload}`)
    assert.equal((await verifyWebhook(marked, signedBytes(marked), secret, { now })).id, 'e1')
  })

  it('refuses an invalid secret, and says that the secret is the problem', async () => {
    for (const wrong of ['', 'whsec_', undefined, null, 5, 'whsec_not base64!', 'whsec_Grüße'])
      for (const headers of [signed(), {}])
        await assert.rejects(verifyWebhook(payload, headers, wrong as string, { now }), {
          name: 'OvertureError',
          code: 'invalid_argument',
          message: /^The secret of the webhook endpoint/,
        })
  })

  it('refuses a delivery outside of the time tolerance', async () => {
    const at = (seconds: number) => ({ now: new Date(now.getTime() + seconds * 1000) })
    for (const seconds of [-301, 301]) await assert.rejects(verifyWebhook(payload, signed(), secret, at(seconds)), refused)
    for (const seconds of [-300, 300]) assert.ok(await verifyWebhook(payload, signed(), secret, at(seconds)))
    await assert.rejects(verifyWebhook(payload, signed(), secret, { ...at(11), toleranceSeconds: 10 }), refused)
    await assert.rejects(verifyWebhook(payload, signed(), secret, { now: new Date('no time') }), refused)
    await assert.rejects(verifyWebhook(payload, signed(), secret, { now, toleranceSeconds: Number.NaN }), refused)
  })
})
