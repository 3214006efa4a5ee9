import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashToken, isWellFormedToken, newToken } from './tokens.ts'

test('every generated token is well-formed, shows its kind, and has 36 random characters', () => {
  for (const [kind, prefix] of [
    ['personal', 'ovr_pat_'],
    ['organization', 'ovr_org_'],
  ] as const) {
    const tokens = Array.from({ length: 500 }, () => newToken(kind))
    for (const token of tokens) {
      assert.ok(token.startsWith(prefix))
      assert.match(token.slice(8), /^[0-9A-Za-z]{42}$/)
      assert.ok(isWellFormedToken(token))
    }
    assert.equal(new Set(tokens).size, tokens.length)
  }
})

test('one wrong, swapped, missing or extra character is noticed', () => {
  const token = newToken('personal')
  for (let place = 0; place < token.length; place++) {
    const other = token[place] === 'a' ? 'b' : 'a'
    assert.ok(!isWellFormedToken(token.slice(0, place) + other + token.slice(place + 1)), `changed at ${place}`)
    assert.ok(!isWellFormedToken(token.slice(0, place) + token.slice(place + 1)), `missing at ${place}`)
    assert.ok(!isWellFormedToken(`${token.slice(0, place)}x${token.slice(place)}`), `extra at ${place}`)
    const swapped =
      token.slice(0, place) +
      token
        .slice(place, place + 2)
        .split('')
        .reverse()
        .join('') +
      token.slice(place + 2)
    if (swapped !== token) assert.ok(!isWellFormedToken(swapped), `swapped at ${place}`)
  }
  for (const text of ['', 'ovr_pat_', `${token}\n`, ` ${token}`, token.toUpperCase(), token.replace('pat', 'org')])
    assert.ok(!isWellFormedToken(text), text)
})

test('the hash is SHA-256', () => {
  assert.equal(hashToken('abc').toString('hex'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})
