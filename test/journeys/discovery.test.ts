import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { startOverture } from '../harness.ts'
import { TestImapServer } from '../mail/imap-server.ts'
import { ScriptedSmtp } from '../mail/smtp-script.ts'
import { startNameServer } from '../name-server.ts'

interface Found {
  source: string
  hoster: string | null
  settings: { smtp: { host: string; port: number; secure: boolean }; imap: { host: string } | null }
  works: boolean
  problem: string | null
}

describe('connecting a mailbox by its address', () => {
  it('finds the servers in the records of the domain, tries them, and lists working ones first', async () => {
    const smtp = await ScriptedSmtp.start()
    const imap = await TestImapServer.start({ user: 'ada', password: 'secret' })
    after(() => smtp.close())
    after(() => imap.close())
    const names = await startNameServer({
      'own.example': { mx: [[10, 'mail.own.example']] },
      '_submission._tcp.own.example': { srv: [{ target: 'mail.own.example', port: smtp.port }] },
      '_imap._tcp.own.example': { srv: [{ target: 'mail.own.example', port: imap.port }] },
    })
    after(() => names.stop())
    const resolve = async (name: string) => {
      if (name === 'mail.own.example') return ['127.0.0.1']
      throw Object.assign(new Error('not there'), { code: 'ENOTFOUND' })
    }
    const overture = await startOverture({ config: { dnsServers: names.address }, resolve, worker: false })
    after(() => overture.end())
    const { client, home } = overture
    const { status, body } = await client.get(`${home}/providers/discover?email=ada@own.example`)
    assert.equal(status, 200)
    const [first, ...others] = body.data.candidates as Found[]
    assert.deepEqual([first?.source, first?.works, first?.problem], ['srv', true, null])
    assert.deepEqual(first?.settings.smtp, { host: 'mail.own.example', port: smtp.port, secure: false })
    assert.ok(others.length > 0 && others.every(each => !each.works && each.problem !== null))
  })

  it('never connects to the private network, whatever the records of a stranger say', async () => {
    const smtp = await ScriptedSmtp.start()
    after(() => smtp.close())
    const names = await startNameServer({
      '_submission._tcp.evil.example': { srv: [{ target: 'inside.evil.example', port: smtp.port }] },
      '_imap._tcp.evil.example': { srv: [{ target: 'inside.evil.example', port: 22 }] },
    })
    after(() => names.stop())
    const resolve = async () => ['127.0.0.1']
    const { client, home } = await startOverture({
      config: { dnsServers: names.address, allowLocalTargets: false },
      resolve,
      worker: false,
    })
    const { status, body } = await client.get(`${home}/providers/discover?email=ada@evil.example`)
    assert.equal(status, 200, JSON.stringify(body))
    assert.ok((body.data.candidates as Found[]).every(each => !each.works && each.problem !== null))
    assert.equal(smtp.connectionCount, 0)
  })
})
