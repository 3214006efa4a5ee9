import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { test } from 'node:test'
import { type FetchedBatch, findInSent, type ImapSettings } from '../../src/mail/transport/imap.ts'
import { watchMailbox } from '../../src/mail/transport/imap-watch.ts'
import { fetchSince } from './fetch-since.ts'

/** The interface of a server, so that the same guarantees can be tested against it. */
export interface ImapUnderTest {
  settings: ImapSettings
  /** Puts a message into a folder by the server's own means, or over a second connection. */
  deliver(folder: 'INBOX' | 'Sent', raw: string): Promise<void>
  /** How many messages of the inbox are unread. */
  unreadCount(): Promise<number>
  /** Gives the inbox a new UIDVALIDITY and its messages new UIDs. */
  renumber(): Promise<void>
  stop(): Promise<void>
}

export const sampleMessage = (n: number | string) =>
  [
    'From: Mark <mark@brightco.example>',
    'To: lena@northwind.example',
    `Subject: Message ${n}`,
    `Message-ID: <m${n}@brightco.example>`,
    'Date: Tue, 10 Feb 2026 10:00:00 +0000',
    '',
    `Hello ${n}`,
    '',
  ].join('\r\n')

const idOf = (raw: Buffer) => /Message-ID: <(.*?)@/.exec(raw.toString())?.[1]
const idsOf = (batch: FetchedBatch) => batch.messages.map(message => idOf(message.raw))

export function imapSuite(name: string, start: () => Promise<ImapUnderTest>): void {
  test(`${name}: a new cursor starts at the end and later messages are fetched once, in order, in batches`, async () => {
    const server = await start()
    try {
      await server.deliver('INBOX', sampleMessage('old'))
      const first = await fetchSince(server.settings, null, 10)
      assert.deepEqual(first.messages, [])
      for (const n of [1, 2, 3]) await server.deliver('INBOX', sampleMessage(n))
      const second = await fetchSince(server.settings, first.cursor, 2)
      assert.deepEqual([idsOf(second), second.more], [['m1', 'm2'], true])
      assert.equal(second.messages[0]?.raw.toString(), sampleMessage(1))
      const third = await fetchSince(server.settings, second.cursor, 2)
      assert.deepEqual([idsOf(third), third.more], [['m3'], false])
      // The trap: asking for everything after the last message names the last message again.
      const fourth = await fetchSince(server.settings, third.cursor, 2)
      assert.deepEqual([idsOf(fourth), fourth.cursor], [[], third.cursor])
    } finally {
      await server.stop()
    }
  })

  test(`${name}: reading leaves the user's mail unread`, async () => {
    const server = await start()
    try {
      const { cursor } = await fetchSince(server.settings, null, 10)
      await server.deliver('INBOX', sampleMessage(1))
      assert.equal((await fetchSince(server.settings, cursor, 10)).messages.length, 1)
      assert.equal(await server.unreadCount(), 1)
    } finally {
      await server.stop()
    }
  })

  test(`${name}: a renumbered folder is read again and says so`, async () => {
    const server = await start()
    try {
      const { cursor } = await fetchSince(server.settings, null, 10)
      await server.deliver('INBOX', sampleMessage(1))
      await server.deliver('INBOX', sampleMessage(2))
      const before = await fetchSince(server.settings, cursor, 10)
      await server.renumber()
      const after = await fetchSince(server.settings, before.cursor, 10)
      assert.equal(after.renumbered, true)
      assert.notEqual(after.uidValidity, before.uidValidity)
      assert.deepEqual(idsOf(after).sort(), ['m1', 'm2'])
      const quiet = await fetchSince(server.settings, after.cursor, 10)
      assert.deepEqual([quiet.messages.length, quiet.renumbered], [0, false])
    } finally {
      await server.stop()
    }
  })

  test(`${name}: a message is found among the sent ones by its id`, async () => {
    const server = await start()
    try {
      await server.deliver('Sent', sampleMessage('sent'))
      const found = await findInSent(server.settings, ['<msent@brightco.example>', '<other@brightco.example>'])
      assert.deepEqual(found, new Set(['<msent@brightco.example>']))
    } finally {
      await server.stop()
    }
  })

  test(`${name}: a watched mailbox hands over messages as they arrive and stops when told`, async () => {
    const server = await start()
    const watched = watchForTest(server.settings)
    try {
      await watched.ready
      for (const n of [1, 2]) {
        await server.deliver('INBOX', sampleMessage(n))
        await watched.received(`m${n}`)
      }
      assert.deepEqual(watched.ids, ['m1', 'm2'])
    } finally {
      await watched.stop()
      await server.stop()
    }
  })
}

/** Watches and remembers, with waiting for a message by its id instead of for time to pass. */
export function watchForTest(settings: ImapSettings | (() => Promise<ImapSettings>)) {
  const abort = new AbortController()
  const events = new EventEmitter()
  const ids: string[] = []
  const problems: Error[] = []
  const ready = once(events, 'ready')
  const done = watchMailbox(
    settings,
    null,
    async batch => {
      for (const message of batch.messages) ids.push(idOf(message.raw) ?? '?')
      events.emit('batch')
    },
    abort.signal,
    {
      onReady: () => events.emit('ready'),
      onProblem: error => {
        problems.push(error)
        events.emit('problem')
      },
    },
  )
  return {
    ids,
    problems,
    ready,
    done,
    events,
    async received(id: string): Promise<void> {
      while (!ids.includes(id)) await once(events, 'batch')
    },
    async stop(): Promise<void> {
      abort.abort()
      await done
    },
  }
}
