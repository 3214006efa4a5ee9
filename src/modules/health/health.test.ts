import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Dns } from '../../lib/dns.ts'
import { hosterOfSmtpServer } from '../../mail/transport/hosters.ts'
import { checkMx, checkReverseName } from './check.ts'
import { judgeArrival } from './dkim.ts'
import { checkDmarc } from './dmarc.ts'
import { isAligned, worstOf } from './findings.ts'
import { AnswerTooLarge, checkSpf } from './spf.ts'

interface Zone {
  txt?: string[]
  mx?: string[]
  a?: string[]
  ptr?: string[]
  nullMx?: boolean
}

/** A name system that knows just this. */
function dnsOf(zones: Record<string, Zone>): Dns & { asked: number } {
  const dns = {
    asked: 0,
    look: (name: string): Zone => {
      dns.asked++
      return zones[name] ?? {}
    },
    addresses: async (name: string) => dns.look(name).a ?? [],
    mailServers: async (name: string) => dns.look(name).mx ?? [],
    refusesMail: async (name: string) => dns.look(name).nullMx ?? false,
    services: async () => [],
    texts: async (name: string) => dns.look(name).txt ?? [],
    aliases: async () => [],
    names: async (address: string) => dns.look(address).ptr ?? [],
  }
  return dns
}

const google = { domain: 'acme.com', smtpHost: 'smtp.gmail.com', hoster: hosterOfSmtpServer('smtp.gmail.com'), isForeign: false }
const own = { domain: 'acme.com', smtpHost: 'mail.acme.com', hoster: undefined, isForeign: false }
const GOOGLE = { '_spf.google.com': { txt: ['v=spf1 ip4:192.0.2.0/24 ~all'] } }
const spf = (...txt: string[]) => ({ 'acme.com': { txt: ['some other text', ...txt] }, ...GOOGLE })

describe('SPF', () => {
  it('passes with one record that includes the hosting provider of the mailbox', async () => {
    const found = await checkSpf(dnsOf(spf('v=spf1 include:_spf.google.com ~all')), google)
    assert.deepEqual([found.status, found.record], ['pass', null])
  })

  it('names the record to publish if there is none, or if it includes another provider', async () => {
    const none = await checkSpf(dnsOf(GOOGLE), google)
    assert.deepEqual([none.status, none.record], ['fail', { type: 'TXT', name: 'acme.com', value: 'v=spf1 include:_spf.google.com ~all' }])
    const other = await checkSpf(dnsOf(spf('v=spf1 ip4:198.51.100.1 -all')), google)
    assert.deepEqual([other.status, other.record?.value], ['fail', 'v=spf1 ip4:198.51.100.1 include:_spf.google.com -all'])
    assert.match(other.found, /does not include (?:Gmail|Google)/)
  })

  it('does not fail a domain because the provider has newer names', async () => {
    const dns = dnsOf({
      'acme.com': { txt: ['v=spf1 include:new.hoster.example ~all'] },
      'new.hoster.example': { txt: ['v=spf1 ip4:192.0.2.0/24 ~all'] },
    })
    const found = await checkSpf(dns, google)
    assert.deepEqual([found.status, found.record], ['warn', null])
    assert.match(found.advice ?? '', /instructions of (?:Gmail|Google)/)
  })

  it('recommends no provider name without a record, even to a domain without a record', async () => {
    const found = await checkSpf(dnsOf({}), google)
    assert.deepEqual([found.status, found.record], ['fail', null])
    assert.match(found.advice ?? '', /instructions of (?:Gmail|Google)/)
  })

  it('fails with two records, and proposes one that replaces both', async () => {
    const found = await checkSpf(dnsOf(spf('v=spf1 include:_spf.google.com ~all', 'v=spf1 ip4:192.0.2.7 -all')), google)
    assert.deepEqual([found.status, found.record?.value], ['fail', 'v=spf1 include:_spf.google.com ip4:192.0.2.7 ~all'])
  })

  const broken: [what: string, record: string, zones: Record<string, Zone>, pattern: RegExp][] = [
    ['an unknown term', 'v=spf1 includes:_spf.google.com ~all', {}, /unknown term: includes:/],
    ['a term without its value', 'v=spf1 include: ~all', {}, /without a value/],
    [
      'an unknown term of a record that it includes',
      'v=spf1 include:odd.example ~all',
      { 'odd.example': { txt: ['v=spf1 ip:192.0.2.1 ~all'] } },
      /The record of odd\.example, which it includes, has an unknown term: ip:/,
    ],
    ['a name in the place of an address', 'v=spf1 ip4:mail.acme.com ~all', {}, /without an address: ip4:mail\.acme\.com/],
    ['an impossible block', 'v=spf1 ip4:192.0.2.0/33 ~all', {}, /without an address/],
    ['an include that has no record', 'v=spf1 include:gone.example ~all', {}, /gone\.example, which has no SPF/],
    [
      'an include that leads back',
      'v=spf1 include:loop.example ~all',
      { 'loop.example': { txt: ['v=spf1 include:acme.com ~all'] } },
      /endless loop/,
    ],
    ['a redirect that leads to itself', 'v=spf1 redirect=acme.com', {}, /endless loop/],
    [
      'more than ten lookups',
      `v=spf1 ${Array.from({ length: 11 }, (_, n) => `a:h${n}.acme.com`).join(' ')} ~all`,
      {},
      /more than 10 lookups/,
    ],
  ]
  for (const [what, record, zones, pattern] of broken) {
    it(`fails with ${what}`, async () => {
      const found = await checkSpf(dnsOf({ ...spf(record), ...zones }), google)
      assert.equal(found.status, 'fail')
      assert.match(found.found, pattern)
    })
  }

  it('sends a bounded number of queries, however the records branch', async () => {
    const zones: Record<string, Zone> = { 'acme.com': { txt: ['v=spf1 include:x0.example include:y0.example ~all'] } }
    for (let n = 0; n < 100; n++) {
      const txt = [`v=spf1 include:x${n + 1}.example include:y${n + 1}.example ~all`]
      Object.assign(zones, { [`x${n}.example`]: { txt }, [`y${n}.example`]: { txt } })
    }
    const dns = dnsOf(zones)
    assert.equal((await checkSpf(dns, google)).status, 'fail')
    assert.ok(dns.asked <= 12, `${dns.asked} questions`)
  })

  it('does not judge a response that is too large', async () => {
    await assert.rejects(checkSpf(dnsOf(spf(`v=spf1 ${'ip4:192.0.2.1 '.repeat(10_000)}~all`)), google), AnswerTooLarge)
    await assert.rejects(checkSpf(dnsOf(spf(...Array.from({ length: 1000 }, () => 'x'))), google), AnswerTooLarge)
  })

  it('fails if everyone may send, and warns if others are not mentioned', async () => {
    const open = await checkSpf(dnsOf(spf('v=spf1 include:_spf.google.com +all')), google)
    assert.deepEqual([open.status, open.record?.value], ['fail', 'v=spf1 include:_spf.google.com ~all'])
    const included = dnsOf({ ...spf('v=spf1 include:_spf.google.com include:open.example -all'), 'open.example': { txt: ['v=spf1 +all'] } })
    const { status, record, advice } = await checkSpf(included, google)
    assert.deepEqual([status, record], ['fail', null])
    assert.match(advice!, /^Remove include:open\.example from the record/)
    const elsewhere = dnsOf({
      ...spf('v=spf1 redirect=acme.example'),
      'acme.example': { txt: ['v=spf1 include:open.example -all'] },
      'open.example': { txt: ['v=spf1 +all'] },
    })
    assert.match((await checkSpf(elsewhere, google)).advice!, /^Remove redirect=acme\.example from the record/)
    for (const end of ['?all', '']) {
      const led = dnsOf({
        ...spf('v=spf1 redirect=acme.example'),
        'acme.example': { txt: [`v=spf1 include:_spf.google.com ${end}`] },
        ...GOOGLE,
      })
      // A redirect is ignored where the record ends in "all".
      assert.equal((await checkSpf(led, google)).record?.value, 'v=spf1 include:acme.example ~all')
    }
    assert.equal((await checkSpf(dnsOf(spf('v=spf1 include:_spf.google.com ?all')), google)).status, 'warn')
    assert.equal((await checkSpf(dnsOf(spf('v=spf1 include:_spf.google.com')), google)).status, 'warn')
  })

  it('reads a record as receivers do: up to "all", and without senders that are refused', async () => {
    const late = await checkSpf(dnsOf(spf('v=spf1 -all include:_spf.google.com')), google)
    assert.deepEqual([late.status, late.record?.value], ['fail', 'v=spf1 include:_spf.google.com -all'])
    const lookups = Array.from({ length: 11 }, (_, n) => `a:h${n}.acme.com`).join(' ')
    assert.equal((await checkSpf(dnsOf(spf(`v=spf1 include:_spf.google.com -all ${lookups}`)), google)).status, 'pass')
    const refused = dnsOf({ 'acme.com': { txt: ['v=spf1 -ip4:192.0.2.5 ~all'] }, 'mail.acme.com': { a: ['192.0.2.5'] } })
    assert.equal((await checkSpf(refused, own)).status, 'warn')
    assert.notEqual((await checkSpf(dnsOf(spf('v=spf1 -include:_spf.google.com ~all')), google)).status, 'pass')
    const explained = await checkSpf(dnsOf(spf('v=spf1 ip4:198.51.100.1 exp=why.%{d} -all')), google)
    assert.equal(explained.status, 'fail')
  })

  it('recognizes an own server by its address', async () => {
    const zones = { 'mail.acme.com': { a: ['192.0.2.5'] } }
    for (const record of ['v=spf1 ip4:192.0.2.0/28 -all', 'v=spf1 a:mail.acme.com -all', 'v=spf1 mx -all', 'v=spf1 ip4:192.0.2.5 -all']) {
      const found = await checkSpf(dnsOf({ 'acme.com': { txt: [record], mx: ['mail.acme.com'] }, ...zones }), own)
      assert.equal(found.status, 'pass', `${record}: ${found.found}`)
    }
    const other = await checkSpf(dnsOf({ 'acme.com': { txt: ['v=spf1 ip4:198.51.100.1 -all'] }, ...zones }), own)
    assert.deepEqual([other.status, other.record?.value], ['warn', 'v=spf1 ip4:198.51.100.1 a:mail.acme.com -all'])
  })
})

describe('DMARC', () => {
  const check = (domain: string, zones: Record<string, Zone>) => checkDmarc(dnsOf(zones), { domain, isForeign: false })
  const at = (name: string, ...txt: string[]) => ({ [`_dmarc.${name}`]: { txt } })

  it('passes with an enforcing policy and an address for reports', async () => {
    assert.equal((await check('acme.com', at('acme.com', 'v=DMARC1; p=reject; rua=mailto:d@acme.com'))).status, 'pass')
  })

  it('is found at a parent domain, with its subdomain policy', async () => {
    const above = at('acme.co.uk', 'v=DMARC1; p=reject; sp=none; rua=mailto:d@acme.co.uk')
    const found = await check('news.mail.acme.co.uk', above)
    assert.equal(found.status, 'warn')
    assert.match(found.found, /at acme\.co\.uk/)
    assert.equal(found.record?.value, 'v=DMARC1; p=reject; sp=quarantine; rua=mailto:d@acme.co.uk')
  })

  it('fails without a record, with two, and with an unknown policy', async () => {
    const none = await check('acme.com', {})
    assert.deepEqual(
      [none.status, none.record],
      ['fail', { type: 'TXT', name: '_dmarc.acme.com', value: 'v=DMARC1; p=none; rua=mailto:dmarc@acme.com' }],
    )
    assert.equal((await check('acme.com', at('acme.com', 'v=DMARC1; p=none', 'v=DMARC1; p=reject'))).status, 'fail')
    assert.equal((await check('acme.com', at('acme.com', 'v=DMARC1; p=perhaps'))).status, 'fail')
  })

  const rua = 'rua=mailto:d@acme.com'
  const statusOf = async (domain: string, zones: Record<string, Zone>) => (await check(domain, zones)).status

  it('warns about a record without p, or with an unknown sp or np', async () => {
    for (const record of [`v=DMARC1; ${rua}`, 'v=DMARC1', `v=DMARC1; p=reject; sp=maybe; ${rua}`, `v=DMARC1; p=reject; np=0; ${rua}`])
      assert.equal(await statusOf('acme.com', at('acme.com', record)), 'warn', record)
    const missing = await check('acme.com', at('acme.com', `v=DMARC1; ${rua}`))
    assert.equal(missing.record?.value, `v=DMARC1; ${rua}; p=quarantine`)
    const unknown = await check('acme.com', at('acme.com', `v=DMARC1; p=reject; sp=maybe; ${rua}`))
    assert.equal(unknown.record?.value, `v=DMARC1; p=reject; sp=quarantine; ${rua}`)
    const both = await check('acme.com', at('acme.com', `v=DMARC1; sp=maybe; ${rua}`))
    assert.equal(both.record?.value, `v=DMARC1; sp=quarantine; ${rua}; p=quarantine`)
  })

  it('fails with an unknown policy if no address gets the reports, and replaces only what is wrong', async () => {
    const reports = 'rua=mailto:dmarc@acme.com'
    for (const [record, better] of [
      ['v=DMARC1; p=reject; sp=maybe', `v=DMARC1; p=reject; sp=none; ${reports}`],
      ['v=DMARC1; p=perhaps; rua=mailto:', `v=DMARC1; p=none; ${reports}`],
      ['v=DMARC1; rua=acme; np=0', `v=DMARC1; np=none; ${reports}; p=none`],
    ] as const) {
      const found = await check('acme.com', at('acme.com', record))
      assert.deepEqual([found.status, found.record?.value], ['fail', better], record)
    }
    assert.equal(await statusOf('acme.com', at('acme.com', 'v=DMARC1; p=reject; rua=https://r.example/d, mailto:d@acme.com')), 'pass')
  })

  it('ignores unknown tags, and reads the version case-sensitively', async () => {
    assert.equal(await statusOf('acme.com', at('acme.com', `v = DMARC1; p=reject; x=1; ${rua}`)), 'pass')
    assert.equal(await statusOf('acme.com', at('acme.com', `v=dmarc1; p=reject; ${rua}`)), 'fail')
  })

  it('walks up to the top-level domain, and stops as psd says', async () => {
    assert.equal(await statusOf('acme.bank', at('bank', `v=DMARC1; p=reject; psd=y; ${rua}`)), 'pass')
    const organization = at('acme.co.uk', `v=DMARC1; p=reject; ${rua}`)
    // The organization is one label below the registry, whatever is said in between.
    const registry = { ...at('co.uk', `v=DMARC1; p=none; psd=y; ${rua}`), ...at('mail.acme.co.uk', `v=DMARC1; p=none; ${rua}`) }
    assert.equal(await statusOf('news.mail.acme.co.uk', { ...organization, ...registry }), 'pass')
    const ended = { ...at('mail.acme.co.uk', `v=DMARC1; p=reject; psd=n; ${rua}`), ...at('acme.co.uk', `v=DMARC1; p=none; ${rua}`) }
    assert.equal(await statusOf('news.mail.acme.co.uk', ended), 'pass')
    const deep = 'a.b.c.d.e.f.g.h.acme.com'
    const dns = dnsOf(at('acme.com', `v=DMARC1; p=reject; ${rua}`))
    assert.equal((await checkDmarc(dns, { domain: deep, isForeign: false })).status, 'pass')
    assert.equal(dns.asked, 8)
  })

  it('needs no name server of a parent domain if the domain has its own record', async () => {
    const dns = dnsOf(at('acme.com', `v=DMARC1; p=reject; ${rua}`))
    assert.equal((await checkDmarc(dns, { domain: 'acme.com', isForeign: false })).status, 'pass')
    assert.equal(dns.asked, 1)
  })

  it('ignores several records at a parent domain, and uses the next one', async () => {
    const zones = { ...at('mail.acme.com', 'v=DMARC1; p=none', 'v=DMARC1; p=none'), ...at('acme.com', `v=DMARC1; p=reject; ${rua}`) }
    assert.equal(await statusOf('news.mail.acme.com', zones), 'pass')
    assert.equal(await statusOf('mail.acme.com', zones), 'fail')
  })

  it('applies np to a domain that does not exist, and sp to one that does', async () => {
    const zones = at('acme.com', `v=DMARC1; p=reject; sp=none; np=reject; ${rua}`)
    assert.equal(await statusOf('gone.acme.com', zones), 'pass')
    assert.equal(await statusOf('news.acme.com', { ...zones, 'news.acme.com': { mx: ['mx.acme.com'] } }), 'warn')
  })

  it('warns of a policy in test mode', async () => {
    const found = await check('acme.com', at('acme.com', `v=DMARC1; p=reject; t=y; ${rua}`))
    assert.deepEqual([found.status, found.record?.value], ['warn', `v=DMARC1; p=reject; ${rua}`])
  })

  it('names what RFC 9989 made obsolete', async () => {
    const found = await check('acme.com', at('acme.com', 'v=DMARC1; p=reject; pct=50; ri=86400; rf=afrf; rua=mailto:d@acme.com!10m'))
    assert.match(found.found, /Obsolete since RFC 9989, and ignored: pct, rf, ri, the size limit of rua\./)
    assert.equal(found.status, 'pass')
  })

  it('warns without an address for reports', async () => {
    const found = await check('acme.com', at('acme.com', 'v=DMARC1; p=reject;'))
    assert.deepEqual([found.status, found.record?.value], ['warn', 'v=DMARC1; p=reject; rua=mailto:dmarc@acme.com'])
  })
})

describe('DKIM, from the headers of the receiving server', () => {
  const judge = (header: string | null, isJunk = false) =>
    judgeArrival('acme.com', { authenticationResults: header, isJunk, receiver: 'bob@elsewhere.example' })

  const verdicts: [what: string, header: string | null, status: string][] = [
    [
      'a signature of the domain',
      'mx.google.com; dkim=pass header.i=@acme.com header.s=k; spf=pass smtp.mailfrom=acme.com; dmarc=pass',
      'pass',
    ],
    ['one of a domain below it', 'mx.x; dkim=pass (1024-bit key) header.d=mail.acme.com', 'pass'],
    ['one of the hoster alone, where DMARC lets it pass by SPF', 'mx.x; dkim=pass header.d=acme.hoster.example; dmarc=pass', 'warn'],
    ['one of the hoster alone', 'mx.x; dkim=pass header.d=hoster.example; dmarc=fail', 'fail'],
    ['one that is not valid', 'mx.x; dkim=fail header.d=acme.com', 'fail'],
    ['none', 'mx.x; dkim=none; spf=pass', 'fail'],
    ['a domain that only ends like it', 'mx.x; dkim=pass header.d=evilacme.com', 'fail'],
    ['a verdict within a comment', 'mx.x; dkim=none (dkim=pass header.d=acme.com); spf=pass', 'fail'],
    ['a verdict within quotes', 'mx.x; spf=pass reason="; dkim=pass header.d=acme.com"', 'fail'],
    ['blanks around the equals sign, and several lines', 'mx.x 1;\r\n\tdkim = pass\r\n header.d = ACME.com', 'pass'],
    ['no header', null, 'unknown'],
    ['nothing that was checked', 'mx.x; none', 'unknown'],
    ['no server', 'dkim=pass header.d=acme.com', 'unknown'],
  ]
  for (const [what, header, status] of verdicts) {
    it(`is ${status} with ${what}`, () => assert.equal(judge(header).status, status, JSON.stringify(judge(header))))
  }

  it('names the reporting server, and says if the message was filed as spam', () => {
    const found = judge('mx.google.com; dkim=pass header.d=acme.com; spf=softfail; dmarc=pass', true)
    assert.equal(found.status, 'warn')
    assert.match(found.found, /mx\.google\.com says: dkim=pass, spf=softfail, dmarc=pass.*spam/)
  })
})

describe('the servers of a domain', () => {
  it('receive mail if their names have an address', async () => {
    const zones = {
      'acme.com': { mx: ['mx.acme.com'] },
      'mx.acme.com': { a: ['192.0.2.1'] },
      'web.example': { a: ['192.0.2.2'] },
      'null.example': { nullMx: true },
    }
    const check = async (...domains: string[]) => (await checkMx(dnsOf(zones), domains)).status
    assert.equal(await check('acme.com'), 'pass')
    assert.equal(await check('web.example'), 'warn')
    assert.equal(await check('null.example'), 'fail')
    assert.equal(await check('nothing.example'), 'fail')
    assert.equal(await check('acme.com', 'nothing.example'), 'fail', 'answers go elsewhere')
  })

  it('have a reverse name that resolves to their address, or a proposal for one', async () => {
    const zones = { 'mail.acme.com': { a: ['192.0.2.5'] } }
    const named = { ...zones, '192.0.2.5': { ptr: ['mail.acme.com'] } }
    assert.equal((await checkReverseName(dnsOf(named), own)).status, 'pass')
    const strange = { ...zones, '192.0.2.5': { ptr: ['elsewhere.example'] } }
    const found = await checkReverseName(dnsOf(strange), own)
    assert.deepEqual([found.status, found.record], ['fail', { type: 'PTR', name: '5.2.0.192.in-addr.arpa', value: 'mail.acme.com' }])
    assert.equal((await checkReverseName(dnsOf(zones), google)).status, 'pass', 'a hoster sees to that itself')
  })
})

describe('several findings', () => {
  it('have the status of the worst', () => {
    const worst = (...list: ('pass' | 'warn' | 'fail' | 'unknown')[]) => worstOf(list.map(status => ({ status })))
    assert.equal(worst('pass', 'unknown', 'warn', 'fail'), 'fail')
    assert.equal(worst('pass', 'unknown', 'warn'), 'warn')
    assert.equal(worst('pass', 'unknown'), 'unknown')
    assert.equal(worst('pass', 'pass'), 'pass')
    assert.equal(worst(), 'unknown')
  })

  it('recognize domains that belong together', () => {
    assert.ok(isAligned('go.acme.co.uk', 'mail.acme.co.uk'))
    assert.ok(!isAligned('acme.co.uk', 'other.co.uk'))
    assert.ok(isAligned('go.acme.com.uy', 'mail.acme.com.uy'))
    assert.ok(!isAligned('acme.com.uy', 'other.com.uy'), 'a suffix of a registry that few know')
    assert.ok(!isAligned('acme.github.io', 'other.github.io'), 'customers of one hoster')
  })
})
