import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mentions, personOf, scrubAnswer, scrubJson, scrubRemarks, scrubText } from './scrub.ts'

const ann = personOf(' Ann+x@Quince.example ')

test('an address is found in every spelling, and never within another address', () => {
  for (const text of ['ann+x@quince.example', '<ANN+X@quince.EXAMPLE>', 'write to ann+x@quince.example.', 'a:ann+x@quince.example,b'])
    assert.ok(mentions(text, ann), text)
  for (const text of [
    'jo-ann+x@quince.example',
    'ann+x@quince.example.org',
    'ann+x@quince.example-shop',
    'annx@quince.example',
    'jo+ann+x=40quince.example',
    'bounces+jo-ann+x=quince.example@b.example',
  ])
    assert.ok(!mentions(text, ann), text)
  assert.equal(scrubText('Ann+x@quince.example, jo.ann+x@quince.example', ann), '[erased], jo.ann+x@quince.example')
})

test('a record of the person keeps its place and ids, and other records stay whole', () => {
  const document = {
    leads: [
      { email: 'bob@quince.example', firstName: 'Bob', variables: { boss: 'ann+x@quince.example', team: 'A' } },
      { email: ' ANN+x@quince.example', firstName: 'Ann', variables: { nickname: 'Annie' } },
    ],
    lead: { id: '1', campaignId: '2', email: 'ann+x@quince.example', fullName: 'Ann Quince', status: 'replied', opportunityValue: 5 },
    note: 'about\nann+x@quince.example',
    count: 2,
    nothing: null,
  }
  assert.deepEqual(scrubJson(document, ann), {
    leads: [{ email: 'bob@quince.example', firstName: 'Bob', variables: { boss: '[erased]', team: 'A' } }, { email: '[erased]' }],
    lead: { id: '1', campaignId: '2', email: '[erased]', status: 'replied' },
    note: 'about\n[erased]',
    count: 2,
    nothing: null,
  })
})

test('scrubbed data keeps every key, and loses the data of the person', () => {
  const email = 'ann+x@quince.example'
  const lead = { id: '1', campaignId: '2', email, fullName: 'Ann Quince', variables: { nickname: 'Annie' }, status: 'replied' }
  const colleague = { id: '3', email: 'bob@quince.example', variables: { from: email } }
  const answer = {
    lead,
    colleague,
    referral: { email, name: 'Ann' },
    explanations: [{ field: 'keywords', value: email, text: `for ${email}` }],
  }
  assert.deepEqual(scrubAnswer(answer, ann), {
    lead: { id: '1', campaignId: '2', email: '[erased]', fullName: null, variables: null, status: 'replied' },
    colleague: { ...colleague, variables: { from: '[erased]' } },
    referral: { email: '[erased]', name: null },
    explanations: [{ field: 'keywords', value: '[erased]', text: 'for [erased]' }],
  })
  assert.deepEqual(scrubAnswer({ from: email, to: email }, ann), { from: email, to: '[erased]' })
})

test('of our own records, only text from others is scrubbed', () => {
  const email = 'ann+x@quince.example'
  const provider = { id: '1', fromEmail: email, statusReason: `550 <${email}> refused`, inbox: { reason: `no ${email}` } }
  assert.deepEqual(scrubRemarks({ provider, invitations: [{ email, role: 'member' }] }, ann), {
    provider: { id: '1', fromEmail: email, statusReason: '550 <[erased]> refused', inbox: { reason: 'no [erased]' } },
    invitations: [{ email, role: 'member' }],
  })
})

test('an address is found in every encoding, and the text around it stays', () => {
  const email = 'ann+x@quince.example'
  for (const spelling of [
    `'${email}'`,
    `_${email}_`,
    `-${email}-`,
    `to=${encodeURIComponent(email)}&x=1`,
    `?q=%20${encodeURIComponent(email)}%22`,
    `%253A${encodeURIComponent(encodeURIComponent(email))}`,
    String.raw`\u003cann\u002bx\u0040quince.example\u003e`,
    String.raw`line\nann+x@quince.example\nline`,
    'ann&#43;x&#x40;quince&period;example',
    'ann=2Bx=40quin=\r\nce.example',
    'ann+x@\n> quince.example',
    'ann+x@<wbr>quince.\u200bexample',
    `?to=3D${email}`,
    'bounces+ann+x=quince.example@sender.example',
    'bounces+ann+x=3Dquince.example@sender.example',
    'bounces%2Bann%2Bx%3Dquince.example%40sender.example',
    `%25252C${encodeURIComponent(encodeURIComponent(encodeURIComponent(email)))}`,
    'ann&amp;#43;x&amp;#x40;quince.example',
    Buffer.from(`To: ${email}, thanks`).toString('base64'),
    Buffer.from(`x${email}`).toString('base64'),
    Buffer.from(`x ANN+x@Quince.EXAMPLE`).toString('base64'),
    Buffer.from(`xx${email} and a longer text`).toString('base64'),
  ]) {
    assert.ok(mentions(spelling, ann), spelling)
    assert.match(scrubText(`before ${spelling} behind`, ann), /^before .*\[erased\].* behind$/s, spelling)
    assert.match(spelling, new RegExp(ann.exactPattern.replaceAll('[[:alnum:]]', '[\\p{L}\\p{N}]'), 'iu'), 'PostgreSQL reads the same')
  }
  for (const other of [`jo'${email}`, `jo_${email}`, `jo%2B${email}`, `${email}-shop`, `${email}--a.example`, `${email}.org`])
    assert.ok(!mentions(other, ann), other)
})

test('an internationalized domain is found in its Unicode form and in its ASCII form', () => {
  for (const named of ['ann@bücher.example', 'Ann@xn--bcher-kva.example']) {
    const person = personOf(named)
    assert.equal(person.address, 'ann@xn--bcher-kva.example')
    for (const text of [
      'ann@bücher.example',
      '<ANN@BÜCHER.example>',
      'ann@xn--bcher-kva.example',
      'ann%40b%C3%BCcher.example',
      'ann=40b=C3=BCcher.example',
      // Bytes, as PostgreSQL shows them.
      String.raw`ann@b\303\274cher.example`,
    ])
      assert.equal(scrubText(`to ${text}, thanks`, person).includes('[erased]'), true, text)
    assert.ok(!mentions('joann@bücher.example', person))
    assert.deepEqual(scrubJson({ email: 'ann@Bücher.example', firstName: 'Ann' }, person), { email: '[erased]' })
  }
})

test('an address with a domain that looks like a number removes nothing else', () => {
  const text = 'A quick request: fast question. Facts of 1.2.0.3, see ann@1.2.0.3 and info@b.example. Sequence HQ'
  for (const email of ['a@b.1', 'ann@1.2.3', 'al@x.09', 'a@b.c']) {
    const person = personOf(email)
    assert.equal(scrubText(text, person), text, email)
    assert.equal(scrubText(`${text} ${email}`, person), `${text} [erased]`, email)
    assert.deepEqual(scrubJson({ sequence: 'quick', image: Buffer.from(text).toString('base64') }, person), {
      sequence: 'quick',
      image: Buffer.from(text).toString('base64'),
    })
  }
})

test('an address is not found at the end of another one that is broken over a mark', () => {
  for (const text of ['jo<wbr>ann@quince.example', 'jo\u200bann@quince.example'])
    assert.ok(!mentions(text, personOf('ann@quince.example')), text)
})
