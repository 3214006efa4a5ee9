import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import { newWebhookSecret, signatureHeaders, signingKey } from './webhook-signature.ts'

const ID = '0198c0de-0000-7000-8000-000000000001'
const BODY = JSON.stringify({ text: 'Grüße, 世界 🌍' })

test('the public standardwebhooks library verifies our signature', () => {
  const secret = newWebhookSecret()
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.deepEqual(new Webhook(secret).verify(BODY, signatureHeaders([signingKey(secret)], ID, new Date(), BODY)), JSON.parse(BODY))
})

test('with two secrets, it verifies with either of them only', () => {
  const [current, previous] = [newWebhookSecret(), newWebhookSecret()]
  const headers = signatureHeaders([signingKey(current), signingKey(previous)], ID, new Date(), BODY)
  new Webhook(current).verify(BODY, headers)
  new Webhook(previous).verify(BODY, headers)
  assert.throws(() => new Webhook(newWebhookSecret()).verify(BODY, headers), WebhookVerificationError)
})

test('the signature covers id, time and body', () => {
  const secret = newWebhookSecret()
  const headers = signatureHeaders([signingKey(secret)], ID, new Date(), BODY)
  const receiver = new Webhook(secret)
  assert.throws(() => receiver.verify(`${BODY} `, headers), WebhookVerificationError)
  assert.throws(() => receiver.verify(BODY, { ...headers, 'webhook-id': 'another' }), WebhookVerificationError)
  const later = String(Number(headers['webhook-timestamp']) + 1)
  assert.throws(() => receiver.verify(BODY, { ...headers, 'webhook-timestamp': later }), WebhookVerificationError)
})
