import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { SecretBox } from '../lib/secret-box.ts'
import type { OperationRow } from './queries.ts'
import { checkSameRequest, fingerprintOf } from './writes.ts'

const secrets = new SecretBox(randomBytes(32))
const request = { method: 'POST', path: '/v1/workspaces/w/campaigns', body: { name: 'Spring', tags: ['a', 'b'] } }
const print = (change: object): string => fingerprintOf(secrets, { ...request, ...change } as Parameters<typeof fingerprintOf>[1])

describe('two requests', () => {
  it('are equal if only the order of their keys differs', () => {
    assert.equal(print({}), print({ body: { tags: ['a', 'b'], name: 'Spring' } }))
  })

  it('differ if method, path, a value or the order of a list differs', () => {
    const others = [
      { method: 'PUT' },
      { path: '/v1/workspaces/x/campaigns' },
      { body: { name: 'Summer', tags: ['a', 'b'] } },
      { body: { name: 'Spring', tags: ['b', 'a'] } },
      { body: { name: 'Spring', tags: ['a', 'b'], more: null } },
      { body: null },
    ]
    assert.equal(new Set([print({}), ...others.map(print)]).size, others.length + 1)
  })

  it('cannot be compared without the key of the installation', () => {
    assert.notEqual(fingerprintOf(new SecretBox(randomBytes(32)), request as Parameters<typeof fingerprintOf>[1]), print({}))
  })

  it('with one key are one operation if they are equal, and a conflict that names the operation if not', () => {
    const prior = { id: 'operation', fingerprint: print({}) } as OperationRow
    checkSameRequest(prior, print({}))
    assert.throws(() => checkSameRequest(prior, print({ method: 'PUT' })), { code: 'idempotency_key_reused' })
  })
})
