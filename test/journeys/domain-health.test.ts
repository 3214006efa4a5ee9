import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { eventually } from '../faults/eventually.ts'
import { type Overture, startOverture } from '../harness.ts'
import { TestImapServer } from '../mail/imap-server.ts'
import { ScriptedSmtp } from '../mail/smtp-script.ts'
import { startNameServer } from '../name-server.ts'
import { makeCampaign } from '../sending.ts'

interface Check {
  check: string
  status: string
  found: string
  why: string
  advice: string | null
  record: { type: string; name: string; value: string } | null
}

describe('the health of a domain', () => {
  let overture: Overture
  let smtp: ScriptedSmtp
  let imap: TestImapServer
  let names: Awaited<ReturnType<typeof startNameServer>>
  /** The header that the receiving server adds on top. */
  let receipt = 'Authentication-Results: mx.elsewhere.example; dkim=pass header.d=acme.example; spf=pass; dmarc=pass\r\n'
  const zones: Parameters<typeof startNameServer>[0] = {
    'acme.example': { mx: [[10, 'mail.acme.example']], txt: ['v=spf1 ip4:127.0.0.1 -all'] },
    '_dmarc.acme.example': { txt: ['v=DMARC1; p=quarantine; rua=mailto:d@acme.example'] },
    'mail.acme.example': { a: ['127.0.0.1'] },
    '1.0.0.127.in-addr.arpa': { ptr: ['mail.acme.example'] },
    'broken.example': { fails: true },
    '_dmarc.broken.example': { fails: true },
  }

  before(async () => {
    names = await startNameServer(zones)
    imap = await TestImapServer.start({ user: 'bob', password: 'secret' })
    smtp = await ScriptedSmtp.start(point => {
      // The mail server hands the message on, once its last line has come.
      if (point === 'DOT') setImmediate(() => imap.append('INBOX', `${receipt}${smtp.received.at(-1)!}`, new Date()))
      return undefined
    })
    overture = await startOverture({ config: { dnsServers: names.address } })
  })

  after(() => Promise.all([names.stop(), imap.close(), smtp.close()]))

  const connect = async (fromEmail: string, more: { imap?: boolean; status?: string } = {}): Promise<string> => {
    const server = (port: number) => ({ host: '127.0.0.1', port, secure: false })
    const { body } = await overture.client.post(`${overture.home}/providers`, {
      kind: 'smtp',
      name: fromEmail,
      fromName: 'Ada',
      fromEmail,
      postalAddress: 'Road 1',
      minGapSeconds: 0,
      settings: { smtp: server(smtp.port), ...(more.imap ? { imap: server(imap.port) } : {}) },
      credentials: { username: 'bob', password: 'secret' },
    })
    await overture.ctx.db.pool.query(`update providers set status = 'connected', connected_at = now() where id = $1`, [body.data.id])
    return body.data.id
  }
  const check = async (providerId: string) => {
    const operation = await overture.client.operate('POST', `${overture.home}/providers/${providerId}/health/check`)
    assert.equal(operation.status, 'succeeded', JSON.stringify(operation.error))
    const { body } = await overture.client.get(`${overture.home}/providers/${providerId}/health`)
    assert.deepEqual(body.data, operation.result.health)
    return body.data as { status: string; checkedAt: string; domain: string; checks: Check[] }
  }
  const waitUntilRead = (providerId: string) =>
    eventually('the inbox has been read', async () => {
      const { inbox } = (await overture.client.get(`${overture.home}/providers/${providerId}`)).body.data
      return inbox?.status === 'readable'
    })
  const statuses = (checks: Check[]) => Object.fromEntries(checks.map(each => [each.check, each.status]))

  it('is checked over DNS; without another mailbox, DKIM is unknown, with advice', async () => {
    const { client, home } = overture
    const ada = await connect('ada@acme.example')
    const none = (await client.get(`${home}/providers/${ada}/health`)).body.data
    assert.deepEqual([none.status, none.checkedAt, none.checks], ['unknown', null, []])
    const sentBefore = smtp.received.length
    const { checks, domain, checkedAt } = await check(ada)
    assert.deepEqual(statuses(checks), {
      spf: 'pass',
      dkim: 'unknown',
      dmarc: 'pass',
      mx: 'pass',
      reverse_name: 'pass',
      tracking_host: 'unknown',
    })
    assert.equal(domain, 'acme.example')
    assert.ok(Date.parse(checkedAt) > 0 && checks.every(({ why, found }) => why.length > 20 && found.length > 0))
    assert.match(checks.find(each => each.check === 'dkim')!.advice!, /Connect another mailbox/)
    assert.equal(smtp.received.length, sentBefore, 'nothing was sent')
  })

  it('is checked with one message to another mailbox, which is not a reply, and only the topmost header counts', async () => {
    const { client, home, ctx } = overture
    const ada = await connect('dkim@acme.example')
    const bob = await connect('bob@elsewhere.example', { imap: true })
    await waitUntilRead(bob)
    const before = smtp.received.length
    const good = await check(ada)
    assert.equal(statuses(good.checks).dkim, 'pass', JSON.stringify(good.checks))
    assert.match(good.checks.find(each => each.check === 'dkim')!.found, /mx\.elsewhere\.example says: dkim=pass, spf=pass, dmarc=pass/)
    assert.equal(smtp.received.length, before + 1)
    assert.match(smtp.received.at(-1)!, /^X-Overture-Health: [\w-]{32}\r?$/m)

    const forged = 'Authentication-Results: mx.elsewhere.example; dkim=pass header.d=acme.example\r\n'
    receipt = `Authentication-Results: mx.elsewhere.example; dkim=none; dmarc=fail\r\n${forged}`
    const bad = await check(ada)
    assert.deepEqual([statuses(bad.checks).dkim, bad.status], ['fail', 'fail'])
    // The same message once more, or with a header that was made up, changes nothing.
    receipt = forged
    imap.append(
      'INBOX',
      `${forged}${smtp.received.at(-1)!.replace(/^X-Overture-Health: .*$/m, 'X-Overture-Health: made-up-by-somebody')}`,
      new Date(),
    )
    await client.operate('POST', `${home}/providers/${ada}/health/check`)
    const rows = await ctx.db.many<{ count: number }>(sql('select count(*)::int as count from inbound_messages'))
    assert.equal(rows[0]!.count, 0)
    const events = (await client.get(`${home}/events?type=provider.health_changed`)).body.data
    assert.deepEqual(
      events
        .filter((event: { data: { providerId: string } }) => event.data.providerId === ada)
        .map((event: { data: { to: string; failing: string[] } }) => [event.data.to, event.data.failing]),
      [
        ['fail', ['dkim']],
        ['unknown', []],
      ],
    )
    await client.delete(`${home}/providers/${bob}`)
  })

  it('is unknown if name servers fail, and a sandbox has none', async () => {
    const { client, home } = overture
    const { checks } = await check(await connect('eve@broken.example'))
    assert.deepEqual([statuses(checks).spf, statuses(checks).dmarc, statuses(checks).mx], ['unknown', 'unknown', 'unknown'])
    const sandbox = (await client.post(`${home}/providers`, { kind: 'sandbox', name: 'S', fromEmail: 's@acme.example' })).body.data.id
    const refused = await client.post(`${home}/providers/${sandbox}/health/check`, {})
    assert.deepEqual([refused.status, refused.body.error.code], [409, 'invalid_state'])
  })

  it('is a warning in readiness if it fails, and prevents starts if the workspace requires it', async () => {
    const { client, home } = overture
    const provider = await connect('fay@nothing.example')
    const { base } = await makeCampaign(overture, {
      leads: [{ email: 'x@y.example', firstName: 'X' }],
      activate: false,
      campaign: { providerId: provider },
    })
    const rules = async (kind: 'warnings' | 'failures') => {
      const { body } = await client.get(`${base}/validate`)
      return (body.data[kind] as { rule: string; message: string }[]).filter(({ rule }) => rule === 'domain_health')
    }
    const setGate = async (domainHealth: string) => {
      const { updatedAt } = (await client.get(`${home}/settings`)).body.data
      const done = await client.operate('PUT', `${home}/settings`, { domainHealth }, { 'if-match': updatedAt })
      assert.equal(done.result.settings.domainHealth, domainHealth)
    }
    assert.deepEqual([await rules('warnings'), await rules('failures')], [[], []])
    await setGate('require')
    assert.match((await rules('failures'))[0]!.message, /has not been checked/)
    await check(provider)
    assert.match((await rules('failures'))[0]!.message, /nothing\.example has no SPF record/)
    await setGate('warn')
    assert.equal((await rules('failures')).length, 0)
    assert.match((await rules('warnings'))[0]!.message, /SPF:.*DMARC:.*MX:/)
  })
})
