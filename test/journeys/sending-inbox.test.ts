import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { letter, startMailServers, startOnServers } from '../correspondence.ts'
import { eventually } from '../faults/eventually.ts'
import { DAY, HOUR, startLiving } from '../sending.ts'

async function setUp(inbox: Record<string, unknown> = {}) {
  const servers = await startMailServers()
  const { imap } = servers
  const overture = await startLiving()
  const leads = ['ann', 'bob'].map(name => ({ email: `${name}@people.example`, firstName: name }))
  const made = await startOnServers(overture, servers, { leads }, inbox)
  const inboxStatus = async (): Promise<string | undefined> =>
    (await overture.client.get(`${overture.home}/providers/${made.providerId}`)).body.data.inbox?.status
  const sentSteps = async (): Promise<number[]> =>
    (await overture.ctx.db.many<{ step: number }>(sql(`select step from sends where status = 'sent' order by step`))).map(row => row.step)
  const eventCount = async (type: string): Promise<number> =>
    (await overture.client.get(`${overture.home}/events?type=${type}`)).body.data.length
  const goDown = async (): Promise<void> => {
    imap.dropAtSignIn = true
    imap.drop()
    await eventually('the inbox is reported as unreadable', async () => (await inboxStatus()) === 'unreadable')
  }
  return { imap, overture, ...made, inboxStatus, sentSteps, eventCount, goDown }
}

describe('an inbox that cannot be read', () => {
  it('is reported on the mailbox and by an event, and holds follow-ups until it was read', async () => {
    const { imap, overture, base, providerId, inboxStatus, sentSteps, eventCount, goDown } = await setUp()
    await overture.work.tick()
    await overture.work.inboxes.look()
    await eventually('the inbox is read', async () => (await inboxStatus()) === 'readable')
    assert.deepEqual([await eventCount('provider.inbox_unreadable'), await eventCount('provider.inbox_readable')], [0, 0])
    await goDown()
    const { inbox, status } = (await overture.client.get(`${overture.home}/providers/${providerId}`)).body.data
    assert.deepEqual([status, typeof inbox.reason, inbox.since], ['connected', 'string', '2026-03-02T08:00:00.000Z'])
    assert.equal(await eventCount('provider.inbox_unreadable'), 1)

    await overture.live(5 * DAY, 6 * HOUR)
    assert.deepEqual(await sentSteps(), [0, 0])
    const { reasons } = (await overture.client.get(`${base}/sending`)).body.data
    assert.deepEqual(
      reasons.map((reason: { reason: string; count: number }) => [reason.reason, reason.count]),
      [['inbox_unread', 2]],
    )
    assert.match(reasons[0].text, /until the inbox has been checked for replies/)

    imap.dropAtSignIn = false
    await eventually('the inbox is read again', async () => (await inboxStatus()) === 'readable')
    assert.equal(await eventCount('provider.inbox_readable'), 1)
    await overture.live(3 * DAY, 6 * HOUR)
    assert.deepEqual(await sentSteps(), [0, 0, 1, 1])
  })

  it('loses no reply to first messages that arrived before the first read, and counts no older message as one', async () => {
    const { imap, overture, inboxStatus, eventCount } = await setUp()
    imap.addFolder('Sorted')
    imap.dropAtSignIn = true
    imap.drop()
    await overture.work.tick()
    const now = overture.clock.now()
    imap.append('INBOX', letter({ from: 'ann@people.example', subject: 'hello', text: 'Not interested.' }), new Date(now.getTime() - HOUR))
    imap.append('Sorted', letter({ from: 'bob@people.example', subject: 'hello', text: 'Not interested.' }), now)
    await overture.work.inboxes.look()
    await eventually('the inbox is reported as unreadable', async () => (await inboxStatus()) === 'unreadable')
    imap.dropAtSignIn = false
    await eventually('the inbox is read', async () => (await inboxStatus()) === 'readable')
    assert.equal(await eventCount('email.replied'), 1)
  })

  it('loses no reply when the first messages were sent after the first attempt to read, or in folders of another worker', async () => {
    const { imap, overture, inboxStatus, eventCount, providerId } = await setUp()
    imap.addFolder('Sorted')
    imap.dropAtSignIn = true
    imap.drop()
    await overture.work.inboxes.look()
    await eventually('the inbox is reported as unreadable', async () => (await inboxStatus()) === 'unreadable')
    await overture.work.tick()
    const now = overture.clock.now()
    imap.append('INBOX', letter({ from: 'ann@people.example', subject: 'hello', text: 'Not interested.' }), now)
    imap.dropAtSignIn = false
    await eventually('the inbox is read', async () => (await inboxStatus()) === 'readable')
    assert.equal(await eventCount('email.replied'), 1)
    // As a worker leaves it that ends between the inbox and its folders.
    imap.append('Sorted', letter({ from: 'bob@people.example', subject: 'hello', text: 'Not interested.' }), now)
    await overture.ctx.db.write(sql.atomic(`update providers set inbox_cursor = inbox_cursor - 'folders' where id = $1`), [providerId])
    await overture.client.patch(`${overture.home}/providers/${providerId}`, { name: 'Sales' })
    await overture.work.inboxes.look()
    await eventually('the folders are read', async () => (await eventCount('email.replied')) === 2)
  })

  it('does not hold first messages, unless the mailbox is set to', async () => {
    for (const [setting, expected] of [
      [{}, [0, 0]],
      [{ firstStepsWithoutInbox: false }, []],
    ] as const) {
      const { overture, inboxStatus, sentSteps, goDown } = await setUp(setting)
      await overture.work.inboxes.look()
      await eventually('the inbox is read', async () => (await inboxStatus()) === 'readable')
      await goDown()
      await overture.work.tick()
      assert.deepEqual(await sentSteps(), expected)
    }
  })

  it('is reported only for current servers, not for those before a change', async () => {
    const { imap, overture, providerId, inboxStatus, eventCount } = await setUp()
    await overture.work.inboxes.look()
    await eventually('the inbox is read', async () => (await inboxStatus()) === 'readable')
    const other = await startMailServers()
    const server = (port: number) => ({ host: '127.0.0.1', port, secure: false })
    const settings = { smtp: server(other.smtp.port), imap: server(other.imap.port) }
    const credentials = { username: 'ada', password: 'secret' }
    await overture.client.patch(`${overture.home}/providers/${providerId}`, { settings, credentials })
    // The reader has not heard of the change yet when the old server goes away.
    const before = imap.commands.length
    imap.refusal = 'NO [UNAVAILABLE] Not now'
    imap.drop()
    await eventually('the old server is tried again', async () => imap.commands.slice(before).filter(isSignIn).length > 1)
    assert.equal(await inboxStatus(), undefined)
    assert.equal(await eventCount('provider.inbox_unreadable'), 0)
    await overture.client.post(`${overture.home}/providers/${providerId}/verify`, {})
    await overture.work.inboxes.look()
    await eventually('the new inbox is read', async () => (await inboxStatus()) === 'readable')
  })

  it('is cleared when a renamed mailbox is read again, without another connection', async () => {
    const { overture, providerId, inboxStatus } = await setUp()
    await overture.work.inboxes.look()
    await eventually('the inbox is read', async () => (await inboxStatus()) === 'readable')
    await overture.client.patch(`${overture.home}/providers/${providerId}`, { name: 'Sales' })
    await overture.work.inboxes.look()
    await eventually('the inbox is read again', async () => (await inboxStatus()) === 'readable')
  })
})

const isSignIn = (line: string): boolean => / (?:LOGIN|AUTHENTICATE) /.test(line)
