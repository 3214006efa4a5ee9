import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { testCertificate } from '../../../test/mail/certificate.ts'
import { checkMailboxAccess } from '../../../test/mail/check-access.ts'
import { fetchSince } from '../../../test/mail/fetch-since.ts'
import { type ImapServerOptions, TestImapServer } from '../../../test/mail/imap-server.ts'
import { imapSuite, sampleMessage, watchForTest } from '../../../test/mail/imap-suite.ts'
import { appendToSent, findInSent, type ImapCursor, type ImapSettings, ImapSignInRefused } from './imap.ts'
import { watchMailbox } from './imap-watch.ts'

const timeouts = { connectMs: 20_000, silenceMs: 20_000, idleMs: 60_000, pollMs: 60_000, folderPollMs: 60_000, retryMs: 5 }

function settingsOf(server: TestImapServer, more: Partial<ImapSettings> = {}): ImapSettings {
  return {
    host: '127.0.0.1',
    port: server.port,
    security: 'none',
    auth: { user: 'lena', password: 'secret' },
    timeouts,
    ...more,
  }
}

async function underTest(options: ImapServerOptions = {}) {
  const server = await TestImapServer.start(options)
  return {
    settings: settingsOf(server),
    deliver: async (folder: 'INBOX' | 'Sent', raw: string) => void server.append(folder, raw),
    unreadCount: async () => server.folders.get('INBOX')?.messages.filter(m => !m.flags.has('\\Seen')).length ?? 0,
    renumber: async () => server.renumber('INBOX'),
    stop: () => server.close(),
  }
}

imapSuite('scripted server', underTest)

test('a server without IDLE, or without announcements, is polled', async t => {
  for (const withoutIdle of [true, false]) {
    const server = await TestImapServer.start({ withoutIdle })
    t.after(() => server.close())
    server.mute = true
    const watched = watchForTest(settingsOf(server, { timeouts: { ...timeouts, pollMs: 20 } }))
    await watched.ready
    server.append('INBOX', sampleMessage(1))
    await watched.received('m1')
    await watched.stop()
  }
})

test('a server that sends only keep-alives delays neither the Sent folder, nor copies, nor the watching of new mail', async t => {
  for (const endless of ['LIST', 'EXAMINE', 'SEARCH', 'APPEND']) {
    const server = await TestImapServer.start()
    t.after(() => server.close())
    server.endless = endless
    const settings = settingsOf(server, { timeouts: { ...timeouts, connectMs: 300, silenceMs: 150 } })
    if (endless !== 'APPEND') assert.equal(await findInSent(settings, ['<m1@brightco.example>']), 'unavailable')
    const copy = { messageId: '<m1@brightco.example>', raw: Buffer.from(sampleMessage(1)) }
    await assert.rejects(appendToSent(settings, [copy]), /stopped responding|not respond/)
    const ended = new AbortController()
    const problem = await new Promise<Error | null>(resolve => {
      const options = { onProblem: resolve, onReady: () => resolve(null) }
      void watchMailbox(settings, { uidValidity: '1', lastUid: 0, folders: {} }, async () => {}, ended.signal, options)
    })
    ended.abort()
    if (endless !== 'APPEND') assert.match(problem?.message ?? '', /stopped responding|not respond/)
  }
})

test('a server that never stops responding is disconnected, and other work continues meanwhile', async t => {
  const server = await TestImapServer.start()
  t.after(() => server.close())
  server.flood = { of: 'LIST', with: `* LIST () "/" {1000000}\r\n${'f'.repeat(1_000_000)}\r\n` }
  const copy = { messageId: '<m1@brightco.example>', raw: Buffer.from(sampleMessage(1)) }
  await assert.rejects(appendToSent(settingsOf(server), [copy]), /sends more than Overture reads at once/)
  // Thousands of short responses arrive at once. Each turn of the thread reads a few of them.
  server.flood = null
  for (let n = 0; n < 2000; n++) server.addFolder(`f${n}`)
  let turns = 0
  const count = (): void => {
    turns++
    counting = setImmediate(count)
  }
  let counting = setImmediate(count)
  assert.deepEqual(await findInSent(settingsOf(server), ['<m1@brightco.example>']), new Set())
  clearImmediate(counting)
  assert.ok(turns > 60, `${turns} turns`)
})

test('a sign-in without a response in time, as after wrong passwords, is reported as such', async t => {
  const server = await TestImapServer.start()
  t.after(() => server.close())
  server.endless = 'AUTHENTICATE'
  const slow = settingsOf(server, { timeouts: { ...timeouts, connectMs: 700, silenceMs: 700 } })
  await assert.rejects(checkMailboxAccess(slow), /sends a greeting but does not respond to the sign-in in time/)
})

test('a message that arrives while the connection is down is fetched after it, once', async t => {
  const server = await TestImapServer.start()
  t.after(() => server.close())
  const watched = watchForTest(settingsOf(server))
  await watched.ready
  server.append('INBOX', sampleMessage(1))
  await watched.received('m1')
  server.mute = true
  server.drop()
  server.append('INBOX', sampleMessage(2))
  server.mute = false
  await watched.received('m2')
  server.append('INBOX', sampleMessage(3))
  await watched.received('m3')
  assert.deepEqual(watched.ids, ['m1', 'm2', 'm3'])
  assert.ok(watched.problems.length >= 1)
  await watched.stop()
})

test('messages that could not be stored are read again', async t => {
  const server = await TestImapServer.start()
  t.after(() => server.close())
  const { cursor } = await fetchSince(settingsOf(server), null, 1)
  server.append('INBOX', sampleMessage(1))
  const abort = new AbortController()
  const seen: number[] = []
  await watchMailbox(
    settingsOf(server),
    cursor,
    async batch => {
      seen.push(batch.messages.length)
      if (seen.length === 1) throw new Error('the database is away')
      abort.abort()
    },
    abort.signal,
  )
  assert.deepEqual(seen, [1, 1])
})

test('a server that falls silent is disconnected and retried', async t => {
  const server = await TestImapServer.start()
  t.after(() => server.close())
  const watched = watchForTest(settingsOf(server, { timeouts: { ...timeouts, silenceMs: 200, pollMs: 20 } }))
  await watched.ready
  server.silent = true
  while (watched.problems.length === 0) await once(watched.events, 'problem')
  server.silent = false
  server.append('INBOX', sampleMessage(1))
  await watched.received('m1')
  await watched.stop()
})

test('a refused sign-in ends the watch, a connection cut during the sign-in does not', async t => {
  const server = await TestImapServer.start()
  t.after(() => server.close())
  const wrong = watchForTest(settingsOf(server, { auth: { user: 'lena', password: 'nope' } }))
  await assert.rejects(wrong.done, ImapSignInRefused)
  server.dropAtSignIn = true
  const cut = watchForTest(settingsOf(server))
  await once(cut.events, 'problem')
  server.dropAtSignIn = false
  await cut.ready
  await cut.stop()
})

test('a second refused access token ends the watch, even when others keep requesting new ones', async t => {
  const server = await TestImapServer.start({ accessToken: 'good' })
  t.after(() => server.close())
  let asked = 0
  const auth = () => ({ user: 'lena', accessToken: `another ${++asked}`, renew: () => true })
  await assert.rejects(watchForTest(async () => settingsOf(server, { auth: auth() })).done, ImapSignInRefused)
  assert.equal(asked, 2)
})

test('every connection loads current settings, so that a renewed token is used', async t => {
  const server = await TestImapServer.start({ accessToken: 'token-2' })
  t.after(() => server.close())
  const tokens = ['token-2', 'token-2']
  let asked = 0
  const watched = watchForTest(async () => {
    asked += 1
    return settingsOf(server, { auth: { user: 'lena', accessToken: tokens.shift() ?? 'stale' } })
  })
  await watched.ready
  server.drop()
  server.append('INBOX', sampleMessage(1))
  await watched.received('m1')
  assert.equal(asked, 2)
  await watched.stop()
})

test('without a Sent folder or a connection, it is unknown whether a message was sent', async t => {
  const server = await TestImapServer.start({ withoutSent: true })
  t.after(() => server.close())
  assert.equal(await findInSent(settingsOf(server), ['<x@y.example>']), 'unavailable')
  assert.equal(await findInSent(settingsOf(server, { port: 1 }), ['<x@y.example>']), 'unavailable')
})

test('TLS is required when configured', async t => {
  const server = await TestImapServer.start({ tls: testCertificate })
  t.after(() => server.close())
  const settings = settingsOf(server, { host: 'localhost', security: 'tls' })
  assert.deepEqual((await fetchSince({ ...settings, ca: testCertificate.cert }, null, 1)).messages, [])
  await assert.rejects(fetchSince(settings, null, 1))
  const plain = await TestImapServer.start()
  t.after(() => plain.close())
  await assert.rejects(fetchSince(settingsOf(plain, { security: 'starttls' }), null, 1))
  assert.ok(!plain.commands.some(line => /LOGIN|AUTHENTICATE/.test(line)))
})

test('a huge message is cut to a bounded size', async t => {
  const server = await TestImapServer.start()
  t.after(() => server.close())
  const { cursor } = await fetchSince(settingsOf(server), null, 1)
  server.append('INBOX', sampleMessage(1) + 'x'.repeat(5_000_000))
  const batch = await fetchSince(settingsOf(server), cursor, 1)
  assert.equal(batch.messages[0]?.raw.length, 2 * 1024 * 1024)
})

test('a message with a date that cannot be read has none', async t => {
  const server = await TestImapServer.start()
  t.after(() => server.close())
  const { cursor } = await fetchSince(settingsOf(server), null, 10)
  server.append('INBOX', 'Subject: now\r\n\r\nhi\r\n', new Date(Number.NaN))
  const { messages } = await fetchSince(settingsOf(server), cursor, 10)
  assert.deepEqual(
    messages.map(({ receivedAt }) => receivedAt),
    [null],
  )
})

test('a batch respects its byte limit, and the rest comes with the next', async t => {
  const server = await TestImapServer.start()
  t.after(() => server.close())
  const { cursor } = await fetchSince(settingsOf(server), null, 1)
  for (const n of [1, 2, 3]) server.append('INBOX', sampleMessage(n) + 'x'.repeat(100_000))
  server.append('INBOX', sampleMessage(4) + 'x'.repeat(5_000_000))
  const sizes: number[] = []
  for (let from = cursor, more = true; more; ) {
    const batch = await fetchSince(settingsOf(server), from, 50, { maxBytes: 250_000 })
    sizes.push(batch.messages.length)
    from = batch.cursor
    more = batch.more
  }
  assert.deepEqual(sizes, [2, 1, 1])
})

test('a folder that a rule moves mail to is watched; sent, draft and deleted messages are not', async t => {
  const server = await TestImapServer.start()
  t.after(() => server.close())
  for (const [name, use] of [
    ['Sorted', null],
    ['Spam', '\\Junk'],
    ['Drafts', '\\Drafts'],
    ['Trash', '\\Trash'],
  ] as const) {
    server.addFolder(name, use)
    server.append(name, sampleMessage(`old-${name}`))
  }
  const watched = watchForTest(settingsOf(server, { timeouts: { ...timeouts, folderPollMs: 20 } }))
  t.after(() => watched.stop())
  await watched.ready
  for (const name of ['Drafts', 'Trash', 'Sent']) server.append(name, sampleMessage(name))
  server.append('Sorted', sampleMessage(1))
  await watched.received('m1')
  server.append('Spam', sampleMessage(2))
  await watched.received('m2')
  // Messages may be moved to a new folder before we see the folder.
  server.addFolder('Later')
  server.append('Later', sampleMessage(3))
  await watched.received('m3')
  server.append('INBOX', sampleMessage(4))
  await watched.received('m4')
  assert.deepEqual(watched.ids, ['m1', 'm2', 'm3', 'm4'])
  await watched.stop()
})

test('a server with a single folder is read there, and configured folders are the only ones', async t => {
  const server = await TestImapServer.start()
  t.after(() => server.close())
  for (const name of ['Label', 'Other']) server.addFolder(name)
  const fast = { ...timeouts, folderPollMs: 20 }
  const chosen = watchForTest(settingsOf(server, { folders: ['Other'], timeouts: fast }))
  t.after(() => chosen.stop())
  await chosen.ready
  server.append('Label', sampleMessage(1))
  server.append('Other', sampleMessage(2))
  await chosen.received('m2')
  await chosen.stop()
  assert.deepEqual(chosen.ids, ['m2'])
  assert.match(await checkMailboxAccess(settingsOf(server, { folders: ['Other'] })), /Signed in/)
  await assert.rejects(checkMailboxAccess(settingsOf(server, { folders: ['Other', 'Gone'] })), /no folder Gone/)
  server.addFolder('All Mail', '\\All')
  const everything = watchForTest(settingsOf(server, { timeouts: fast }))
  t.after(() => everything.stop())
  await everything.ready
  server.append('Label', sampleMessage(3))
  server.append('All Mail', sampleMessage(3))
  await everything.received('m3')
  await everything.stop()
  assert.deepEqual(everything.ids, ['m3'])
})

test('a message that the server does not return is reported, and hides no others', async t => {
  const server = await TestImapServer.start()
  t.after(() => server.close())
  for (const name of [1, 2, 3]) server.append('INBOX', sampleMessage(name))
  server.withheld.add(2)
  const batch = await fetchSince(settingsOf(server), { uidValidity: '1', lastUid: 0 }, 50)
  assert.deepEqual(
    batch.messages.map(({ uid, refusal }) => [uid, refusal !== null]),
    [
      [1, false],
      [2, true],
      [3, false],
    ],
  )
  assert.match(batch.messages[1]!.refusal!, /could not be converted/)
  assert.equal(batch.cursor.lastUid, 3)
  const alone = await fetchSince(settingsOf(server), { uidValidity: '1', lastUid: 1 }, 1)
  assert.deepEqual([alone.messages[0]!.uid, alone.messages[0]!.raw.toString()], [2, 'INBOX 1 2'])
})

test('a temporary refusal marks no message as unreadable, and a refused search is not an empty one', async t => {
  const server = await TestImapServer.start()
  t.after(() => server.close())
  for (const name of [1, 2]) server.append('INBOX', sampleMessage(name))
  const ask = (lastUid: number) => fetchSince(settingsOf(server), { uidValidity: '1', lastUid }, 50)
  server.withheld.add(2)
  for (const said of [
    'NO [UNAVAILABLE] Later',
    'NO [LIMIT] Enough',
    'NO System Error (Failure)',
    'NO Account exceeded command or bandwidth limits',
  ]) {
    server.withholding = said
    await assert.rejects(ask(0), said)
    await assert.rejects(ask(1), said)
  }
  // The server returns no message at all: then the server has a problem, whatever it responds.
  server.withholding = 'NO FETCH failed'
  server.withheld.add(1)
  await assert.rejects(ask(0))
  server.withheld.clear()
  server.searchRefusal = 'NO [SERVERBUG] Internal error'
  await assert.rejects(ask(0), /refuses to search/)
  server.searchRefusal = null
  assert.equal((await ask(0)).messages.length, 2)
})

test('a temporarily refused sign-in is not treated as a wrong password', async t => {
  const server = await TestImapServer.start()
  t.after(() => server.close())
  for (const [refusal, isFinal] of [
    ['NO [UNAVAILABLE] Temporary authentication failure.', false],
    ['NO Temporary authentication failure. [mx1]', false],
    ['NO [ALERT] Account exceeded command or bandwidth limits. (Failure)', false],
    ['NO System Error (Failure)', false],
    ['NO Server Unavailable. 15', false],
    ['NO Too many login failures, try later', false],
    ['BAD Command received in invalid state', false],
    ['NO [AUTHENTICATIONFAILED] Authentication failed, try again', true],
    ['NO LOGIN failed.', true],
    ['NO AUTHENTICATE failed.', true],
    ['NO [ALERT] Invalid credentials (Failure)', true],
    ['NO [ALERT] Application-specific password required (Failure)', true],
  ] as const) {
    server.refusal = refusal
    await assert.rejects(checkMailboxAccess(settingsOf(server)), error => error instanceof ImapSignInRefused === isFinal, refusal)
  }
})

test('a server that offers encryption and then refuses it gets no password, even if plain text is allowed', async t => {
  const server = await TestImapServer.start({ offersStartTls: true })
  t.after(() => server.close())
  await assert.rejects(checkMailboxAccess(settingsOf(server, { security: 'opportunistic' })), /offers encryption but refuses to start it/)
  assert.ok(!server.commands.some(line => /LOGIN|AUTHENTICATE/i.test(line)))
})

test('a server without UIDNEXT is read like any other', async t => {
  const server = await TestImapServer.start()
  t.after(() => server.close())
  const settings = settingsOf(server)
  server.withoutUidNext = true
  assert.equal((await fetchSince(settings, null, 10)).cursor.lastUid, 0)
  server.append('INBOX', 'Subject: old\r\n\r\nold\r\n')
  const { cursor, messages } = await fetchSince(settings, null, 10)
  assert.deepEqual([cursor.lastUid, messages.length], [1, 0])
  server.append('INBOX', 'Subject: new\r\n\r\nnew\r\n')
  const next = await fetchSince(settings, cursor, 10)
  assert.deepEqual([next.cursor.lastUid, next.messages.map(({ uid }) => uid)], [2, [2]])
})

test('a message that arrives during the search of a renumbered folder is read next, with and without UIDNEXT', async t => {
  const server = await TestImapServer.start()
  t.after(() => server.close())
  const settings = settingsOf(server)
  for (const withoutUidNext of [false, true]) {
    server.withoutUidNext = withoutUidNext
    const { cursor } = await fetchSince(settings, null, 10)
    server.renumber('INBOX')
    const known = server.folders.get('INBOX')!.messages.length
    let searches = 0
    // The last search is for messages; before it, a server that states no UIDNEXT is asked for its last message, if there is one.
    const last = withoutUidNext && known > 0 ? 2 : 1
    server.afterSearch = () => {
      if (++searches === last) server.append('INBOX', 'Subject: late\r\n\r\nlate\r\n')
    }
    const again = await fetchSince(settings, cursor, 10)
    server.afterSearch = () => {}
    assert.deepEqual([again.renumbered, again.cursor.lastUid], [true, known])
    const next = await fetchSince(settings, again.cursor, 10)
    assert.deepEqual([next.messages.map(({ uid }) => uid), searches], [[known + 1], last])
  }
})

test('a new folder is read from the requested day on, or else from its end', async t => {
  const server = await TestImapServer.start()
  t.after(() => server.close())
  const settings = settingsOf(server)
  const since = async () => new Date('2026-02-10T12:00:00Z')
  for (const hour of ['10', '13', '14']) server.append('INBOX', `Subject: ${hour}\r\n\r\nhi\r\n`, new Date(`2026-02-10T${hour}:00:00Z`))
  const uidsOf = ({ messages }: { messages: { uid: number }[] }) => messages.map(({ uid }) => uid)
  const first = await fetchSince(settings, null, 2, { since })
  assert.deepEqual([uidsOf(first), first.cursor.lastUid, first.more], [[2], 2, true])
  assert.deepEqual(uidsOf(await fetchSince(settings, first.cursor, 2, { since })), [3])
  const end = await fetchSince(settings, null, 2)
  assert.deepEqual([uidsOf(end), end.cursor.lastUid], [[], 3])
})

test('older messages are skipped in every batch of the first read, and in folders left for later by a lost connection', async t => {
  const server = await TestImapServer.start()
  t.after(() => server.close())
  const at = (date: string) => new Date(`2026-${date}T10:00:00Z`)
  for (const folder of ['Sorted', 'Other']) server.addFolder(folder)
  for (const folder of ['INBOX', 'Sorted', 'Other'])
    for (const day of ['01-20', '02-01', '02-02', '02-03', '02-11', '02-04'])
      server.append(folder, `Subject: ${day}\r\n\r\nhi\r\n`, at(day))
  const stop = new AbortController()
  const received: string[] = []
  let stored: ImapCursor | null = null
  let losses = 0
  await watchMailbox(
    settingsOf(server),
    null,
    async batch => {
      for (const { receivedAt } of batch.messages) received.push(`${batch.folder} ${receivedAt!.toISOString().slice(5, 10)}`)
      stored = batch.cursor
      if (batch.cursor.folders && losses++ === 0) server.drop()
    },
    stop.signal,
    { limit: 2, since: async () => at('02-10'), rescanSince: at('01-12'), onReady: () => stop.abort() },
  )
  assert.deepEqual(received, ['INBOX 02-11', 'Other 02-11', 'Sorted 02-11'])
  const read = { uidValidity: '1', lastUid: 6 }
  assert.deepEqual(stored, { ...read, folders: { Other: read, Sorted: read } })
})

test('the reason of a server that closes the connection is reported', async t => {
  const server = await TestImapServer.start()
  t.after(() => server.close())
  for (const at of ['greeting', 'sign-in'] as const) {
    server.farewell = { at, words: 'IMAP access is disabled for this account' }
    await assert.rejects(
      checkMailboxAccess(settingsOf(server)),
      /^Error: The server closed the connection: IMAP access is disabled for this account$/,
    )
  }
})
