import assert from 'node:assert/strict'
import { test } from 'node:test'
import { companyMatcher, normalizeCompanyName, readCompanyValue, registrableDomain } from './companies.ts'

test('legal forms at the end of a name are cut, but never the whole name', () => {
  assert.equal(normalizeCompanyName('Müller Maschinenbau GmbH & Co. KG'), 'muller maschinenbau')
  assert.equal(normalizeCompanyName('Telefónica, S.A.'), 'telefonica')
  assert.equal(normalizeCompanyName('The Gap Inc.'), 'gap')
  assert.equal(normalizeCompanyName('AG'), 'ag')
})

test('an entry that is a host with a public suffix is a domain, anything else a name', () => {
  assert.deepEqual(readCompanyValue('https://www.acme.co.uk/about'), { kind: 'domain', host: 'www.acme.co.uk', domain: 'acme.co.uk' })
  assert.equal(readCompanyValue('Acme Inc.').kind, 'name')
  assert.equal(readCompanyValue('node.js').kind, 'name')
})

test('a domain matches website and e-mail, subdomains included; a name matches the name only', () => {
  const byDomain = companyMatcher('acme.com')
  assert.equal(byDomain({ website: 'https://shop.acme.com' }), true)
  assert.equal(byDomain({ email: 'jo@eu.acme.com' }), true)
  assert.equal(byDomain({ name: 'acme.com', website: 'https://notacme.com' }), false)
  const byName = companyMatcher('ACME')
  assert.equal(byName({ name: 'Acme GmbH' }), true)
  assert.equal(byName({ name: 'Acme Labs' }), false)
  assert.equal(registrableDomain('jo@mail.example.co.uk'), 'example.co.uk')
})
