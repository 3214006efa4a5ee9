import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SecretBox } from '../../lib/secret-box.ts'
import { OwnLinkRemover, openTrackingToken, trackingToken } from './link-tokens.ts'

const secrets = new SecretBox(Buffer.alloc(32, 7))
const sendId = '01a1de4a-3ece-742c-9fe8-720397ad58e5'

describe('the token of a link', () => {
  it('identifies the send and the link, and works for one purpose only', () => {
    const token = trackingToken(secrets, 'click', sendId, 300)
    assert.match(token, /^[\w-]{46}$/)
    assert.deepEqual(openTrackingToken(secrets, 'click', token), { sendId, index: 300 })
    assert.equal(openTrackingToken(secrets, 'unsubscribe', token), null)
    assert.equal(openTrackingToken(new SecretBox(Buffer.alloc(32, 8)), 'click', token), null)
  })

  it('is refused after a single changed bit', () => {
    const bytes = Buffer.from(trackingToken(secrets, 'open', sendId), 'base64url')
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes)
      changed[bit >> 3]! ^= 1 << (bit & 7)
      assert.equal(openTrackingToken(secrets, 'open', changed.toString('base64url')), null)
    }
  })

  it('has one spelling: other characters for the same bytes are refused', () => {
    const token = trackingToken(secrets, 'open', sendId)
    const bytes = Buffer.from(token, 'base64url')
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const same = [...alphabet].map(last => token.slice(0, -1) + last).filter(other => Buffer.from(other, 'base64url').equals(bytes))
    assert.ok(same.length > 1)
    for (const other of [...same, `${token}=`, `${token}==`, ` ${token}`, token.replaceAll('-', '+').replaceAll('_', '/')]) {
      assert.equal(openTrackingToken(secrets, 'open', other) === null, other !== token, other)
    }
  })
})

describe('removing our own links', () => {
  it('checks so many tokens of a page, and treats further ones as ours', () => {
    const remover = new OwnLinkRemover(secrets)
    const foreign = (n: number): string => Buffer.from(String(n).padStart(34)).toString('base64url')
    const first = `${foreign(1)} `.repeat(5000)
    assert.equal(remover.text(first), first)
    const many = remover.text(Array.from({ length: 5000 }, (_, n) => foreign(n)).join(' ')).split(' ')
    assert.deepEqual([many[1999], many[4999]], [foreign(1999), 'removed'])
    assert.equal(remover.html(`<a href="https://x.example/t/c/${trackingToken(secrets, 'click', sendId)}">`), '<a href="about:blank">')
    assert.equal(remover.text(first), first)
  })
})
