import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalizeCompanyName, readCompanyValue, registrableDomain } from './companies.ts'

test('legal forms at the end of a name are removed, but never the whole name', () => {
  assert.equal(normalizeCompanyName('Müller Maschinenbau GmbH & Co. KG'), 'muller maschinenbau')
  assert.equal(normalizeCompanyName('Telefónica, S.A.'), 'telefonica')
  assert.equal(normalizeCompanyName('The Gap Inc.'), 'gap')
  assert.equal(normalizeCompanyName('AG'), 'ag')
})

test('an entry with a public suffix is a domain, anything else a name', () => {
  assert.deepEqual(readCompanyValue('https://www.acme.co.uk/about'), { kind: 'domain', host: 'www.acme.co.uk', domain: 'acme.co.uk' })
  assert.equal(readCompanyValue('Acme Inc.').kind, 'name')
  assert.equal(readCompanyValue('node.js').kind, 'name')
})

test('websites and addresses of one company share its domain, subdomains included; legal forms do not tell names apart', () => {
  for (const source of ['https://shop.acme.com', 'jo@eu.acme.com', 'acme.com']) assert.equal(registrableDomain(source), 'acme.com')
  assert.equal(registrableDomain('https://notacme.com'), 'notacme.com')
  assert.equal(registrableDomain('jo@mail.example.co.uk'), 'example.co.uk')
  assert.deepEqual(readCompanyValue('ACME'), { kind: 'name', name: normalizeCompanyName('Acme GmbH') })
  assert.notEqual(normalizeCompanyName('Acme Labs'), normalizeCompanyName('ACME'))
})
