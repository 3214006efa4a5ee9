import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Dns } from '../../lib/dns.ts'
import { proposeSettings, readAutoconfig } from './discover.ts'

const silent: Dns = {
  addresses: async () => [],
  mailServers: async () => [],
  refusesMail: async () => false,
  aliases: async () => [],
  services: async () => [],
  texts: async () => [],
  names: async () => [],
}
const nothing = { dns: silent, fetchText: async () => null }

const config = (socketType: string, host = 'smtp.own.example') => `<?xml version="1.0"?>
<clientConfig version="1.1"><emailProvider id="own.example">
  <incomingServer type="pop3"><hostname>pop.own.example</hostname><port>995</port><socketType>SSL</socketType></incomingServer>
  <incomingServer type="imap"><hostname>imap.own.example</hostname><port>993</port><socketType>SSL</socketType></incomingServer>
  <outgoingServer type="smtp"><hostname>${host}</hostname><port>587</port><socketType>${socketType}</socketType></outgoingServer>
</emailProvider></clientConfig>`

describe('the settings of an address', () => {
  it('are built in for large hosting providers, without any request', async () => {
    const asks = { dns: { ...silent, mailServers: async () => assert.fail('asked') }, fetchText: async () => assert.fail('fetched') }
    const [gmail] = await proposeSettings('Ada@GMAIL.com', asks)
    assert.deepEqual(gmail?.smtp, { host: 'smtp.gmail.com', port: 465, secure: true })
    assert.deepEqual([gmail?.source, gmail?.hoster, gmail?.signIn[0], gmail?.limits.hosterPerDay], ['preset', 'Gmail', 'oauth', 500])
  })

  it('follow the mail server of a custom domain to its hosting provider', async () => {
    const dns = { ...silent, mailServers: async () => ['acme-com.mail.protection.outlook.com'] }
    const [first] = await proposeSettings('ada@acme.com', { ...nothing, dns })
    assert.deepEqual([first?.source, first?.hoster, first?.smtp.host], ['mx', 'Microsoft 365', 'smtp.office365.com'])
  })

  it('match the country and the kind of account of the mail server', async () => {
    for (const [exchange, host] of [
      ['mx00.ionos.de', 'smtp.ionos.de'],
      ['mx01.ionos.co.uk', 'smtp.ionos.co.uk'],
      ['mx00.1and1.com', 'smtp.ionos.com'],
      ['mx.zoho.eu', 'smtppro.zoho.eu'],
      ['mx2.zoho.com', 'smtppro.zoho.com'],
    ] as const) {
      const [first] = await proposeSettings('ada@acme.com', { ...nothing, dns: { ...silent, mailServers: async () => [exchange] } })
      assert.equal(first?.smtp.host, host)
    }
    const [personal] = await proposeSettings('ada@zohomail.com', nothing)
    assert.equal(personal?.smtp.host, 'smtp.zoho.com')
  })

  it('are not taken from a mail server whose name only resembles a hosting provider', async () => {
    const dns = { ...silent, mailServers: async () => ['evilgoogle.com', 'google.com.evil.example'] }
    const proposals = await proposeSettings('ada@acme.com', { ...nothing, dns })
    assert.ok(proposals.every(({ source }) => source === 'guess'))
  })

  it('are read from the published file and records of a domain, and guessed last', async () => {
    const services = async (name: string) => (name.startsWith('_submissions') ? [{ name: 'out.own.example', port: 465 }] : [])
    const proposals = await proposeSettings('ada@own.example', { dns: { ...silent, services }, fetchText: async () => config('STARTTLS') })
    assert.deepEqual(
      proposals.slice(0, 3).map(({ source }) => source),
      ['autoconfig', 'srv', 'guess'],
    )
    assert.deepEqual(proposals[0]?.smtp, { host: 'smtp.own.example', port: 587, secure: false })
    assert.deepEqual(proposals[0]?.imap, { host: 'imap.own.example', port: 993, secure: true })
    assert.deepEqual([proposals[1]?.smtp.host, proposals[1]?.imap], ['out.own.example', null])
  })

  it('are still guessed when DNS fails', async () => {
    const broken = async () => Promise.reject(Object.assign(new Error('timeout'), { code: 'ETIMEOUT' }))
    const proposals = await proposeSettings('ada@own.example', {
      dns: { ...silent, mailServers: broken, services: broken },
      fetchText: async () => null,
    })
    assert.ok(proposals.length > 0)
  })

  it('never come from a file without encryption or with an invalid host', () => {
    assert.equal(readAutoconfig(config('plain')), null)
    for (const host of ['', 'a b', 'x/../y', '[::1]', 'evil\r\nhost', `${'a'.repeat(300)}.example`])
      assert.equal(readAutoconfig(config('SSL', host)), null)
  })

  it('are parsed from any text in linear time', () => {
    for (const part of ['<outgoingServer', '<outgoingServer type="smtp">', '</outgoingServer>', '<hostname>']) {
      assert.equal(readAutoconfig(part.repeat(20_000)), null)
      assert.equal(readAutoconfig(`${part.repeat(20_000)}</outgoingServer>`), null)
    }
  })
})
