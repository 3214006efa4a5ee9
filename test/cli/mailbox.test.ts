import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { startOverture } from '../harness.ts'
import { CLIENT, Person, startIssuer } from '../issuer.ts'
import { TestImapServer } from '../mail/imap-server.ts'
import { ScriptedSmtp } from '../mail/smtp-script.ts'
import { startNameServer } from '../name-server.ts'
import { InProcess } from './in-process.ts'

// Not in a hook, because a hook's cleanups run when the hook ends.
const smtp = await ScriptedSmtp.start()
const imap = await TestImapServer.start({ user: 'ada@own.example', password: 'secret' })
const names = await startNameServer({
  'own.example': { mx: [[10, 'mail.own.example']] },
  '_submission._tcp.own.example': { srv: [{ target: 'mail.own.example', port: smtp.port }] },
  '_imap._tcp.own.example': { srv: [{ target: 'mail.own.example', port: imap.port }] },
})
after(async () => {
  await smtp.close()
  await imap.close()
  await names.stop()
})
const resolve = async (name: string) => {
  if (name === 'mail.own.example') return ['127.0.0.1']
  throw Object.assign(new Error('not there'), { code: 'ENOTFOUND' })
}
const overture = await startOverture({ config: { dnsServers: names.address }, resolve })
const issuer = await startIssuer(`${overture.baseUrl}/oauth/callback`)
Object.assign(overture.ctx.config, { microsoftClientId: CLIENT.id, microsoftClientSecret: CLIENT.secret, microsoftIssuerUrl: issuer.url })

describe('a mailbox that is added from the command line', () => {
  const line = new InProcess(overture)

  it('is found by its address, and verified with a piped password', async () => {
    const { code, out, err } = await line.run(
      ['mailbox', 'add', 'ada@own.example', '--from-name', 'Ada', '--postal-address', '1 Example Street'],
      { input: 'secret\n' },
    )
    assert.equal(code, 0, err)
    assert.match(err, new RegExp(`SMTP mail\\.own\\.example:${smtp.port}, IMAP mail\\.own\\.example:${imap.port}`))
    for (const stage of ['dns', 'tcp', 'auth', 'imap']) assert.match(out, new RegExp(`^ok {4}${stage} `, 'm'))
    const [made] = (await overture.client.get(`${overture.home}/providers`)).body.data
    assert.deepEqual(
      [made.status, made.fromName, made.postalAddress, made.name],
      ['connected', 'Ada', '1 Example Street', 'ada@own.example'],
    )
    assert.ok(!(out + err).includes('secret'))
  })

  it('reports each stage as it ends, with a solution for a failed one', async () => {
    smtp.script = point => (point === 'AUTH' ? 'hold' : undefined)
    const adding = line.start(['mailbox', 'add', 'ada@own.example'], { input: 'secret' })
    const soFar = await adding.until('folders')
    assert.match(soFar, /^ok {4}tls /m)
    assert.doesNotMatch(soFar, /auth/)
    smtp.script = () => undefined
    smtp.release('535 5.7.8 no')
    const { code, out } = await adding.ended
    assert.equal(code, 1)
    assert.match(out, /^fail {2}auth .*535 5\.7\.8 no.*\n +Check the password/m)
    assert.equal(out.match(/^ok {4}dns /gm)?.length, 1)
  })

  it('is stored with the reason when the server refuses it', async () => {
    const { code, out, err } = await line.run(['mailbox', 'add', 'ada@own.example'], { input: 'wrong' })
    assert.equal(code, 1)
    assert.match(out, /^fail {2}(auth|imap)/m)
    assert.match(err, /Next: overture api providers\.verify --providerId/)
    const nowhere = await line.run(['mailbox', 'add', 'ada@own.example', '--smtp', 'mail.own.example'], { input: 'x' })
    assert.equal(nowhere.code, 2)
    assert.equal((await line.run(['mailbox', 'add'], {})).code, 2)
    assert.equal((await line.run(['mailbox', 'add', 'ada'], {})).code, 2)
    assert.equal((await line.run(['mailbox', 'add', 'ada@own.example'], { input: '' })).code, 2)
  })

  it('signs in by consent with a code on another device', async () => {
    const adding = line.start(['mailbox', 'add', 'eve@own.example', '--consent', 'microsoft', '--from-name', 'Eve', '--json'])
    const told = await adding.until('Waiting for consent')
    const [, url, code] = /Open (\S+) and enter the code (\S+)/.exec(told)!
    await new Person('eve@own.example').consent(url!, 'nowhere', { user_code: code! })
    const ended = await adding.ended
    // A test must not connect to the servers of Microsoft, so their names do not resolve.
    assert.equal(ended.code, 1)
    const { provider, stages } = JSON.parse(ended.out)
    assert.deepEqual(provider.consent, { issuer: 'microsoft', account: 'eve@own.example' })
    assert.deepEqual([provider.fromName, provider.settings.smtp.host, stages[0].ok], ['Eve', 'smtp.office365.com', false])
    assert.equal((await line.run(['mailbox', 'add', 'a@b.example', '--consent', 'apple'])).code, 2)
    assert.equal((await line.run(['mailbox', 'add', 'a@b.example', '--consent', 'google', '--smtp', 'x:1'])).code, 2)
  })
})
