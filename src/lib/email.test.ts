import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { asciiAddress, domainOf, isEmail, needsSmtpUtf8 } from './email.ts'

test('real addresses are accepted', () => {
  for (const text of [
    'a@b.co',
    'Ann.Archer@example.com',
    "o'brien+tag@sub.example.co.uk",
    'x_y-z@xn--bcher-kva.example',
    '1@1.example',
    `${'a'.repeat(64)}@example.com`,
  ]) {
    assert.ok(isEmail(text), text)
  }
  fc.assert(
    fc.property(fc.emailAddress(), address => {
      if (!address.startsWith('"')) assert.ok(isEmail(address), address)
    }),
  )
})

test('invalid addresses are refused', () => {
  for (const text of [
    '',
    '@',
    'a',
    'a@',
    '@b.co',
    'a@b',
    'a b@c.co',
    'a@b..co',
    'a@.co',
    'a@b.co.',
    '.a@b.co',
    'a.@b.co',
    'a..b@c.co',
    'a@-b.co',
    'a@b-.co',
    'a@b@c.co',
    'a@[127.0.0.1]',
    '"a"@b.co',
    'a@b.co\n',
    ' a@b.co',
    'a@b.co ',
    'a,b@c.co',
    'a@b_c.co',
    `${'a'.repeat(65)}@b.co`,
    `a@${'b'.repeat(64)}.co`,
    `a@${'b.'.repeat(130)}co`,
    'Ann <a@b.co>',
    'mailto:a@b.co,c@d.co',
    'a\u0000@b.co',
  ]) {
    assert.ok(!isEmail(text), JSON.stringify(text))
  }
})

test('the domain is the part after the last @, in lower case', () => {
  assert.equal(domainOf('Ann@Example.COM'), 'example.com')
})

test('a domain in any script is one domain, however it is written', () => {
  for (const text of ['info@bücher.example', 'info@BÜCHER.example', 'info@xn--bcher-kva.example', 'a@почта.рф', 'a@例え.テスト']) {
    assert.ok(isEmail(text), text)
  }
  assert.equal(domainOf('Info@Bücher.Example'), 'xn--bcher-kva.example')
  assert.equal(asciiAddress('Info@bücher.example'), 'Info@xn--bcher-kva.example')
  assert.equal(asciiAddress('bücher.example'), 'xn--bcher-kva.example')
  for (const text of ['a@bü cher.example', 'a@bücher', 'a@bücher.example/x', `a@${'ü'.repeat(70)}.example`]) assert.ok(!isEmail(text), text)
})

test('letters before the @ that are not ASCII give another error than an invalid address', () => {
  assert.deepEqual([needsSmtpUtf8('jürgen@bücher.example'), needsSmtpUtf8('info@bücher.example')], [true, false])
  assert.ok(!isEmail('jürgen@example.com'))
})
