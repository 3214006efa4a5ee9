import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { SMTPServer } from 'smtp-server'
import { actions } from '../../src/app/routes.ts'
import { listScrubbed } from '../../src/app/scrub-texts.ts'
import { judgeMessage, parseInbound } from '../../src/mail/inbound/inbound.ts'
import { grantCredits } from '../../src/modules/credits/credits.ts'
import type { EventData, EventType } from '../../src/modules/events/data-schema.ts'
import { recordEvent } from '../../src/modules/events/events.ts'
import { recomputeMetrics } from '../../src/modules/metrics/tasks.ts'
import { importFile } from '../../src/modules/people/csv-import-tasks.ts'
import { receiveMessage } from '../../src/modules/replies/replies.ts'
import { claimSends, releaseSendsOfDeadWorkers } from '../../src/modules/sending/claim.ts'
import { filled, namesOf, variantOf } from '../contract/filled.ts'
import { type Reply, TEST_SECRET } from '../harness.ts'
import { addPeople, staffOf } from '../people.ts'
import { S3_CREDENTIALS, S3Server } from '../s3-server.ts'
import { HOUR, type LivingOverture, MINUTE, makeCampaign, startLiving } from '../sending.ts'

const READER = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140 Safari/537.36'
const EMAIL = 'Silent+Zeldana@quince.example'
const COLLEAGUE = 'silent+colleague@quince.example'
/** Values that only this person has: wherever one of them is, the person is. */
const TRACES = [EMAIL, 'Zeldana', 'Quincewort', 'quokka-lover', 'plum giraffes']

const ZELDANA = {
  email: EMAIL,
  firstName: 'Zeldana',
  lastName: 'Quincewort',
  company: 'Fruit & Sons',
  jobTitle: 'Chief of Jam',
  variables: { hobby: 'quokka-lover' },
}
const TRACKED = { trackOpens: true, trackClicks: true }
const STEPS = [
  {
    delayDays: 0,
    variants: [
      {
        subject: 'For {{ firstName }}',
        body: 'Hi {{ fullName | default: "you" }},\n\nsee https://product.example/tour?who={{ email }} or ask {{ boss | default: "us" }}\n\nAda',
      },
    ],
  },
]

/** Tables without data about leads, or whose data this journey does not write. All others are written to, or searched for the address at the end. */
const NAMELESS = [
  // People only while a large import waits: test/journeys/imports.test.ts looks into it.
  'lead_import_chunks',
  // People only until a plan is over: test/journeys/plans.test.ts looks into it.
  'plans',
  // The same: test/journeys/csv-imports.test.ts looks into them.
  ...['csv_uploads', 'csv_upload_pieces', 'rejected_rows'],
  ...[
    'campaign_metrics',
    ...['campaign_rollups', 'workspace_rollups'],
    ...['event_horizons', 'settled_metrics'],
    'companies',
    'company_domains',
    'credit_accounts',
    'deliveries',
    'directory_imports',
    'directory_versions',
  ],
  ...[
    'erased_people',
    'installation_keys',
    'event_streams',
    'exports',
    'ledger_entries',
    'memberships',
    'migrations',
    'open_sends',
    'places',
    'sequence_versions',
    'test_clock',
    'titles',
    'token_spending',
  ],
  // A person who signs in is a member of the team, not a lead.
  ...['sessions', 'sign_in_codes', 'invitations', 'consents'],
  // About domains and mailboxes of our own; what is stored of a message is its token.
  ...['domain_health', 'health_messages', 'tracking_hosts'],
  ...['tokens', 'users', 'webhook_endpoints', 'workspace_people', 'workspaces'],
]
/** Tables to which the journey below writes data about leads. */
const WRITTEN = [
  ...['answers', 'campaigns', 'decisions', 'events', 'export_rows', 'inbound_attachments', 'inbound_messages', 'lead_words'],
  ...['leads', 'operations', 'people', 'providers', 'sandbox_messages', 'sandbox_reactions', 'sends', 'sent_bodies'],
  ...['suppressions', 'unread_messages'],
]
const DIRECTORY = ['people']

async function listTables({ ctx }: LivingOverture): Promise<string[]> {
  const { rows } = await ctx.db.pool.query(
    "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1",
  )
  return rows.map(row => row.name)
}

/** Every value of every row of every table, and where in it one of the traces is; bytes are looked at, too. */
async function findTraces(overture: LivingOverture, traces = TRACES): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  for (const table of await listTables(overture)) {
    const { rows } = await overture.ctx.db.pool.query(`select row_to_json(t)::text as row from ${table} t`)
    for (const { row } of rows) {
      const text = row.toLowerCase()
      const hits = traces.filter(
        trace => text.includes(trace.toLowerCase()) || text.includes(Buffer.from(trace.toLowerCase()).toString('hex')),
      )
      if (hits.length > 0) found.set(table, [...(found.get(table) ?? []), `${hits.join(', ')} in ${row.slice(0, 400)}`])
    }
  }
  return found
}

async function assertGone(overture: LivingOverture, except: string[] = [], traces = TRACES): Promise<void> {
  const left = [...(await findTraces(overture, traces))].filter(([table]) => !except.includes(table))
  assert.deepEqual(left, [])
}

const erase = ({ client, home }: Pick<LivingOverture, 'client' | 'home'>, email: string, headers: Record<string, string> = {}) =>
  client.operate('POST', `${home}/erasures`, { email }, headers)

const query = async (overture: LivingOverture, text: string, values: unknown[] = []) =>
  (await overture.ctx.db.pool.query(text, values)).rows

const messagesOf = async ({ client, home }: LivingOverture, providerId: string) =>
  (await client.get(`${home}/providers/${providerId}/sandbox-messages`)).body.data as { to: string; text: string; html: string }[]

/** With the same words attached, once more, as a file. */
const answerTo = (messageId: string, from: string, text: string): string =>
  [
    `From: ${from}`,
    'To: ada@sender.example',
    `Cc: Zeldana <${EMAIL}>, team@quince.example`,
    'Subject: Re: For you',
    `Message-ID: <${randomUUID()}@quince.example>`,
    `In-Reply-To: ${messageId}`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    ...['--b', 'Content-Type: text/plain; charset=utf-8', '', text, ''],
    ...['--b', `Content-Type: text/plain; name="${from}.txt"`, `Content-Disposition: attachment; filename="${from}.txt"`, '', text],
    ...['--b', 'Content-Type: text/html; charset=utf-8', '', `<p>${text}</p>`, '--b--'],
    '',
  ].join('\r\n')

/** A person replies in the sandbox with the given text. */
async function answer(overture: LivingOverture, sendId: string, from: string, text: string, dueInMs = 0): Promise<void> {
  const [send] = await query(overture, 'select * from sends where id = $1', [sendId])
  const raw = answerTo(send.message_id, from, text)
  const dueAt = new Date(overture.clock.now().getTime() + dueInMs)
  await query(
    overture,
    'insert into sandbox_reactions (id, workspace_id, provider_id, send_id, due_at, action) values ($1, $2, $3, $4, $5, $6)',
    [randomUUID(), send.workspace_id, send.provider_id, sendId, dueAt, { kind: 'reply', raw }],
  )
}

const sendTo = async (overture: LivingOverture, email: string): Promise<string> =>
  (await query(overture, 'select s.id from sends s join leads l on l.id = s.lead_id where lower(l.email) = lower($1)', [email]))[0].id

const visit = (overture: LivingOverture, method: string, url: string) =>
  overture.client.send(method, url, undefined, { token: null, headers: { 'user-agent': READER } })

const unsubscribeLink = (text: string): string => /(http\S+\/u\/[\w-]+)/.exec(text)![1]!

/** A person with data everywhere: bought, imported, emailed, tracked, replied, suppressed, removed from one campaign. */
async function liveThrough() {
  const overture = await startLiving()
  const { client, home, ctx } = overture
  await addPeople(overture, [
    ...staffOf('Fruit', 2),
    {
      ...staffOf('Fruit', 1)[0]!,
      ...{ email: EMAIL, firstName: 'Zeldana', lastName: 'Quincewort', fullName: 'Zeldana Quincewort' },
    },
  ])
  await ctx.db.inTransaction(tx => grantCredits(tx, overture.workspaceId, 100, ctx.clock.now()))
  const bought = await client.operate('POST', `${home}/leads/search`, { filters: { companies: ['Fruit'] }, leadCount: 3 })
  assert.equal(bought.result.exportedCount, 3)

  const colleague = { email: COLLEAGUE, firstName: 'Col', variables: { boss: EMAIL, team: 'Jam' } }
  const made = await makeCampaign(overture, { leads: [ZELDANA, colleague], steps: STEPS, campaign: TRACKED })
  const earlier = await makeCampaign(overture, { leads: [ZELDANA], steps: STEPS, campaign: { name: 'Earlier', ...TRACKED } })
  await overture.work.tick()
  overture.clock.advance(HOUR)

  const message = (await messagesOf(overture, made.providerId)).find(({ to }) => to === EMAIL)!
  await visit(overture, 'GET', /src="([^"]+\/t\/o\/[^"]+)"/.exec(message.html)![1]!)
  await visit(overture, 'GET', /href="([^"]+\/t\/c\/[^"]+)"/.exec(message.html)![1]!)
  const [lead] = (await client.get(`${made.base}/leads?email=${encodeURIComponent(EMAIL)}`)).body.data
  const sendId = await query(overture, 'select id from sends where lead_id = $1', [lead.id]).then(rows => rows[0].id)
  const colleagueSendId = await sendTo(overture, COLLEAGUE)
  await answer(overture, sendId, EMAIL, 'Yes please, I am interested. I also collect plum giraffes.')
  await answer(overture, colleagueSendId, COLLEAGUE, `Please ask ${EMAIL} instead, thank you.`)
  await answer(overture, colleagueSendId, EMAIL, 'We both like plum giraffes.')
  await overture.work.tick()
  // A user answers the person, in their own thread and in that of the colleague.
  const replies = (await client.get(`${home}/replies?q=${encodeURIComponent('plum giraffes')}`)).body.data as { links: { self: string } }[]
  assert.equal(replies.length, 2)
  for (const { links } of replies) {
    const accepted = await client.post(`${links.self}/answer`, { text: `Dear Zeldana (${EMAIL}), so do we.`, subject: 'For Zeldana' })
    assert.equal(accepted.status, 202)
  }
  await overture.work.tick()
  await answer(overture, sendId, EMAIL, 'One more thing about plum giraffes.', 7 * 24 * HOUR)

  const patched = { key: randomUUID(), body: { status: 'meeting_booked', opportunityValue: 1234.5 } }
  const patch = () => client.patch(`${made.base}/leads/${lead.id}`, patched.body, { headers: { 'idempotency-key': patched.key } })
  assert.equal((await patch()).status, 200)
  const [gone] = (await client.get(`${earlier.base}/leads`)).body.data
  assert.equal((await client.delete(`${earlier.base}/leads/${gone.id}`)).status, 204)
  const suppression = { kind: 'email', value: EMAIL, reason: 'asked by phone' }
  const headers = { 'idempotency-key': `suppress ${EMAIL}` }
  assert.equal((await client.post(`${home}/suppressions`, suppression, { headers })).status, 201)

  // The texts of mail servers about a recipient are also stored in other places.
  await query(overture, `update providers set status_reason = $1 where id = $2`, [`550 <${EMAIL}> refused`, made.providerId])
  await query(overture, `update campaigns set attention_reason = $1 where id = $2`, [`550 <${EMAIL}> refused`, made.campaignId])
  await query(
    overture,
    `insert into decisions (id, workspace_id, campaign_id, lead_id, step, reason, detail, created_at) values ($1, $2, $3, $4, 1, 'recipient_deferred', $5, now())`,
    [randomUUID(), overture.workspaceId, made.campaignId, lead.id, { response: `450 ${EMAIL} is busy` }],
  )
  await query(
    overture,
    `insert into unread_messages (id, workspace_id, provider_id, folder, uid_validity, uid, message_id, digest, reason, detail, received_at, created_at)
     values ($1, $2, $3, 'INBOX', '1', 1, $4, '', 'unreadable', 'The message cannot be read', now(), now())`,
    [randomUUID(), overture.workspaceId, made.providerId, `<1.${EMAIL}>`],
  )
  return { overture, made, earlier, lead, sendId, colleagueSendId, message, bought, patch }
}

/** Sends to the person over SMTP, and runs a callback when the server has received RCPT. */
async function sendWhile(
  happen: (overture: LivingOverture, made: { base: string }) => Promise<{ status: unknown }>,
  refusal: string | null,
) {
  const overture = await startLiving()
  const happened: { status: unknown }[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onAuth: (_auth, _session, done) => done(null, { user: 'ada' }),
    onRcptTo({ address }, _session, done) {
      if (address !== EMAIL) return done()
      const answer = refusal === null ? undefined : Object.assign(new Error(refusal), { responseCode: 550 })
      happen(overture, made).then(result => done(happened.push(result) > 0 ? answer : undefined), done)
    },
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close())
  const { port } = server.server.address() as { port: number }
  const settings = { smtp: { host: '127.0.0.1', port, secure: false } }
  const provider = { kind: 'smtp', settings, credentials: { username: 'ada', password: 'secret' } }
  const made = await makeCampaign(overture, { leads: [ZELDANA], steps: STEPS, campaign: TRACKED, provider, activate: false })
  assert.equal((await overture.client.post(`${overture.home}/providers/${made.providerId}/verify`, {})).body.data.ok, true)
  await overture.client.operate('POST', `${made.base}/activate`)
  await overture.work.tick()
  return { overture, made, happened }
}

const metricsOf = async ({ client }: LivingOverture, bases: string[]) =>
  Promise.all(bases.map(async base => (await client.get(`${base}/metrics`)).body.data.metrics))

const logOf = (overture: LivingOverture) =>
  query(overture, 'select seq, id, type, timestamp, campaign_id, lead_id from events order by seq')

describe('erasing a person', () => {
  it('leaves no trace of them in any table, and keeps every number', async () => {
    const { overture, made, earlier, lead, bought, patch } = await liveThrough()
    const { client, home } = overture
    const bases = [made.base, earlier.base]
    const [metrics, log] = [await metricsOf(overture, bases), await logOf(overture)]
    const variants = (await client.get(`${made.base}/variants`)).body.data
    const traced = [...(await findTraces(overture)).keys()]
    const searched = await listScrubbed(overture.ctx.db)
    const others = (await listTables(overture)).filter(table => !traced.includes(table) && !NAMELESS.includes(table))
    assert.deepEqual(traced.toSorted(), WRITTEN)
    const unsearched = others.filter(table => !searched.has(table))
    assert.deepEqual(unsearched, [])

    const { status, result } = await erase(overture, ` ${EMAIL.toUpperCase()} `.trim())
    assert.equal(status, 'succeeded')
    assert.deepEqual(
      { ...result, eventCount: result.eventCount > 8 },
      { leadCount: 1, messageCount: 3, replyCount: 2, eventCount: true, exportCount: 1, operationCount: 2 },
    )
    await assertGone(overture, DIRECTORY)

    await recomputeMetrics(overture.ctx.db, null)
    assert.deepEqual(await metricsOf(overture, bases), metrics)
    assert.deepEqual((await client.get(`${made.base}/variants`)).body.data, variants)
    const now = await logOf(overture)
    assert.deepEqual(now.slice(0, log.length), log)
    assert.deepEqual(
      now.map(event => Number(event.seq)),
      now.map((_, index) => index + 1),
    )

    assert.equal((await client.get(`${made.base}/leads/${lead.id}`)).status, 404)
    assert.equal((await client.get(made.base)).body.data.totalLeads, 1)
    const [left] = (await client.get(`${made.base}/leads`)).body.data
    assert.deepEqual([left.email, left.variables], [COLLEAGUE, { team: 'Jam' }])
    const kept = (await client.get(`${home}/replies`)).body.data as { from: string | null; cc: string[] }[]
    assert.deepEqual(kept.find(({ from }) => from === COLLEAGUE)?.cc, ['team@quince.example'])
    const csv: string = (await client.get(bought.result.downloadUrl, { token: null })).body
    assert.deepEqual(
      csv
        .trim()
        .split('\r\n')
        .map(line => line.split(',')[0]),
      ['email', 'p1@fruit.example', 'p2@fruit.example'],
    )
    assert.equal((await client.get(`${home}/exports/${bought.result.exportId}`)).body.data.leadCount, 2)
    // Its response is gone with the person, so a repeated request is judged as if it were new.
    assert.equal((await patch()).status, 404)
  })

  it('leaves a suppression with only the hash of the address, however it is added again', async () => {
    const { overture, made } = await liveThrough()
    const { client, home } = overture
    await erase(overture, EMAIL)
    const shown = async () =>
      (await client.get(`${home}/suppressions?value=${encodeURIComponent(EMAIL)}`)).body.data.map(
        ({ kind, value, reason }: { kind: string; value: string | null; reason: string }) => [kind, value, reason],
      )
    assert.deepEqual(await shown(), [['email', null, 'erased']])
    const again = await client.post(`${home}/suppressions`, { kind: 'email', value: EMAIL })
    assert.deepEqual([again.status, again.body.data.value, again.body.data.reason], [200, null, 'erased'])
    const { result } = await client.operate('POST', `${made.base}/leads/import`, { leads: [ZELDANA] })
    assert.deepEqual([result.importedCount, result.suppressedCount], [0, 1])
    assert.deepEqual(await shown(), [['email', null, 'erased']])
  })

  it('can be repeated, with and without the same key, and finds nothing more', async () => {
    const { overture } = await liveThrough()
    const { client, home } = overture
    const headers = { 'idempotency-key': 'erase-once' }
    const first = await erase(overture, EMAIL, headers)
    assert.equal((await erase(overture, EMAIL, headers)).id, first.id)
    assert.equal((await client.post(`${home}/erasures`, { email: 'somebody@else.example' }, { headers })).status, 409)
    const second = await erase(overture, EMAIL)
    assert.deepEqual(Object.values(second.result), [0, 0, 0, 0, 0, 0])
    await assertGone(overture, DIRECTORY)
    // The address of another person with the same ending stays.
    await erase(overture, 'am@quince.example')
    assert.deepEqual(await query(overture, `select distinct cc from inbound_messages where cc <> '{}'`), [{ cc: ['team@quince.example'] }])
  })

  it('of an unknown address suppresses it, and stores nothing of the request', async () => {
    const overture = await startLiving()
    const { client, home } = overture
    const { status, result } = await erase(overture, 'Nobody@nowhere.example', { 'idempotency-key': 'k' })
    assert.deepEqual([status, ...Object.values(result)], ['succeeded', 0, 0, 0, 0, 0, 0])
    await assertGone(overture, [], ['nobody@nowhere.example'])
    assert.equal((await client.get(`${home}/suppressions?value=nobody@nowhere.example`)).body.data.length, 1)
    const [operation] = await query(overture, "select input from operations where action = 'person.erase'")
    assert.deepEqual(operation.input, {})
    const refused = await client.post(`${home}/erasures`, { email: 'not an address' })
    assert.deepEqual([refused.status, refused.body.error.code], [422, 'validation_failed'])
  })

  it('rewrites the file of an export in the object store, and leaves no earlier one there', async () => {
    const store = new S3Server()
    after(() => store.stop())
    const { accessKey, secretKey, region } = S3_CREDENTIALS
    const s3 = { s3Bucket: 'exports', s3AccessKey: accessKey, s3SecretKey: secretKey, s3Region: region }
    const overture = await startLiving({ config: { s3Endpoint: await store.start(), ...s3 } })
    const { client, home, ctx } = overture
    await addPeople(overture, staffOf('Acme', 3))
    await ctx.db.inTransaction(tx => grantCredits(tx, overture.workspaceId, 10, ctx.clock.now()))
    const { result } = await client.operate('POST', `${home}/leads/search`, { filters: { companies: ['Acme'] }, leadCount: 3 })
    assert.equal((await erase(overture, 'p2@acme.example')).result.exportCount, 1)
    const csv: string = (await client.get(result.downloadUrl, { token: null })).body
    assert.deepEqual(csv.match(/p\d@acme/g), ['p1@acme', 'p3@acme'])
    assert.equal(store.objects.size, 1)
  })

  it('affects one workspace only', async () => {
    const overture = await startLiving()
    const stranger = await overture.stranger()
    const theirs = await makeCampaign({ ...overture, ...stranger }, { leads: [ZELDANA], steps: STEPS, campaign: TRACKED })
    await erase(overture, EMAIL)
    assert.equal((await stranger.client.get(`${theirs.base}/leads`)).body.data[0].email, EMAIL)
    assert.deepEqual((await stranger.client.get(`${stranger.home}/suppressions`)).body.data, [])
  })
})

describe('after a person was erased', () => {
  const MENTION = `450 <${EMAIL}> is busy, ask ${EMAIL.toLowerCase()}`
  const FILLINGS = [
    { text: EMAIL, email: EMAIL },
    { text: MENTION, email: EMAIL },
    { text: MENTION, email: COLLEAGUE },
  ]
  /** Operations and events about these name our own people and what we wrote ourselves. */
  const OURSELVES = ['team', 'provider', 'webhook', 'workspace', 'tracking_host', 'token', 'api_key', 'session', 'credits']
  const isOurs = (name: string): boolean => OURSELVES.includes(name.split('.')[0]!)
  /** Texts of others, such as a mail server, which are erased everywhere. */
  const REMARKS = ['reason', 'statusReason', 'detail', 'message']
  const withoutRemarks = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value), (key, inner) => (REMARKS.includes(key) ? undefined : inner))
  function remarksOf(value: unknown): unknown[] {
    if (typeof value !== 'object' || value === null) return []
    return Object.entries(value).flatMap(([key, inner]) => (REMARKS.includes(key) ? [inner] : remarksOf(inner)))
  }

  async function readPages({ client, home }: LivingOverture, list: string) {
    const all = []
    for (let next: string | null = `${home}/${list}?limit=100`; next; ) {
      const { body }: Reply = await client.get(next)
      all.push(...body.data)
      next = body.links.next
    }
    return all
  }

  it('operations of every action match their schema, and users and mailboxes keep their addresses', async () => {
    const overture = await startLiving()
    const error = { code: 'internal_error', message: MENTION, retryable: true }
    const stored = actions.names.flatMap(action =>
      FILLINGS.flatMap(filling => {
        const done = {
          id: randomUUID(),
          action,
          status: 'succeeded',
          result: filled(variantOf('Operation', action).properties!.result!, filling),
        }
        return [done, { id: randomUUID(), action, status: 'failed', error }]
      }),
    )
    await query(
      overture,
      `insert into operations (id, workspace_id, action, status, result, error, completed_at)
       select id, $1, action, status, result, error, now()
       from jsonb_to_recordset($2::jsonb) as r(id uuid, action text, status text, result jsonb, error jsonb)`,
      [overture.workspaceId, JSON.stringify(stored)],
    )
    // The client holds each response against the OpenAPI document: these are as described before, and must be so afterwards.
    const readAll = async () => new Map((await readPages(overture, 'operations')).map(operation => [operation.id, operation]))
    const before = await readAll()
    await erase(overture, EMAIL)
    const afterwards = await readAll()
    for (const { id, action } of stored) {
      const { result, error } = afterwards.get(id)
      if (isOurs(action)) assert.deepEqual(withoutRemarks(result), withoutRemarks(before.get(id).result), action)
      // Of a test message, this is the mailbox.
      else assert.doesNotMatch(JSON.stringify({ ...result, from: null }), /zeldana/i, action)
      assert.doesNotMatch(JSON.stringify([error, ...remarksOf(result)]), /zeldana/i, action)
    }
  })

  it('events of every type match their schema, and mailboxes keep their addresses', async () => {
    const overture = await startLiving()
    const { ctx, workspaceId } = overture
    const { campaignId } = await makeCampaign(overture, { leads: [], steps: STEPS, activate: false })
    const [mine, other] = [randomUUID(), randomUUID()]
    for (const type of namesOf('Event') as EventType[]) {
      for (const filling of FILLINGS) {
        const data = filled(variantOf('Event', type).properties!.data!, filling) as Record<string, unknown>
        const leadId = 'leadId' in data ? (filling.email === EMAIL ? mine : other) : null
        const about = { ...data, ...('leadId' in data ? { leadId } : {}), ...('campaignId' in data ? { campaignId } : {}) }
        const event = { workspaceId, type, timestamp: ctx.clock.now(), campaignId, leadId, data: about as EventData<EventType> }
        await ctx.db.inTransaction(async tx => void recordEvent(tx, event))
      }
    }
    const before = await readPages(overture, 'events')
    await erase(overture, EMAIL)
    const afterwards = (await readPages(overture, 'events')).slice(0, before.length)
    for (const [index, { type, data }] of afterwards.entries()) {
      if (isOurs(type)) assert.deepEqual(withoutRemarks(data), withoutRemarks(before[index]!.data), type)
      assert.doesNotMatch(JSON.stringify(remarksOf(data)), /zeldana/i, type)
    }
    assert.deepEqual(new Set(before.map(({ type }) => type)), new Set(namesOf('Event')))
  })

  it('an invitation and a mailbox with the same address stay, and so do their requests', async () => {
    const overture = await startLiving()
    const { client, home } = overture
    const headers = { 'idempotency-key': `for ${EMAIL}` }
    const invite = () => client.post(`${home}/members`, { email: EMAIL, role: 'member' }, { headers })
    const invited = await invite()
    assert.equal(invited.status, 201)
    const sandbox = { kind: 'sandbox', name: EMAIL, fromEmail: EMAIL }
    const connected = await client.post(`${home}/providers`, sandbox)
    assert.equal(connected.status, 201)
    assert.equal((await erase(overture, EMAIL)).result.operationCount, 0)
    const resultOf = async (action: string) => (await client.get(`${home}/operations?action=${action}`)).body.data[0].result
    assert.deepEqual((await resultOf('team.invite')).invitation, { ...invited.body.data, code: null, url: null })
    assert.deepEqual((await resultOf('provider.create')).provider, connected.body.data)
    assert.equal((await invite()).body.data.id, invited.body.data.id)
    assert.equal((await client.get(`${home}/members/invitations`)).body.data[0].email, invited.body.data.email)
  })
})

describe('what arrives after a person was erased', () => {
  it('a reply is not stored, whether to their own message or in the thread of a colleague', async () => {
    const { overture, sendId, colleagueSendId } = await liveThrough()
    await erase(overture, EMAIL)
    const count = async () => (await query(overture, 'select count(*)::int as count from inbound_messages'))[0].count
    const before = await count()
    await answer(overture, sendId, EMAIL, 'Did you get my note about plum giraffes?')
    await answer(overture, colleagueSendId, EMAIL, 'Plum giraffes, again.')
    await overture.work.tick()
    // The same as the reader of an inbox hands them over.
    for (const send of await query(overture, 'select * from sends where id = any($1)', [[sendId, colleagueSendId]])) {
      const raw = Buffer.from(answerTo(send.message_id, EMAIL, 'Plum giraffes for ever.'))
      const message = await parseInbound(raw)
      const receivedAt = overture.clock.now()
      const { workspace_id: workspaceId, provider_id: mailboxId } = send
      const located = { mailboxId, workspaceId, folder: 'INBOX', isJunk: false, uidValidity: '1', uid: 1, raw, receivedAt }
      const received = { ...located, message, judged: judgeMessage(message, receivedAt) }
      await overture.ctx.db.inTransaction(tx => receiveMessage(overture.ctx, tx, received, receivedAt))
    }
    assert.equal(await count(), before)
    await assertGone(overture, DIRECTORY)
  })

  it('their unsubscribe link still works, and there is nothing left to do', async () => {
    const { overture, message } = await liveThrough()
    await erase(overture, EMAIL)
    const link = unsubscribeLink(message.text)
    const page = await visit(overture, 'GET', link)
    assert.equal(page.status, 200)
    assert.match(page.body, /will stop emailing your address/)
    assert.equal((await visit(overture, 'POST', link)).status, 200)
    await assertGone(overture, DIRECTORY)
    assert.equal((await overture.client.get(`${overture.home}/suppressions`)).body.data.length, 1)
  })

  it('the record of a message that was being sent restores no data', async () => {
    for (const refusal of [null, `5.1.1 <${EMAIL}> Zeldana Quincewort does not work here`]) {
      const { overture, made, happened } = await sendWhile(overture => erase(overture, EMAIL), refusal)
      assert.equal(happened[0]?.status, 'succeeded')
      const [send] = await query(overture, 'select status, subject, response from sends')
      assert.deepEqual([send.status, send.subject, send.response], [refusal === null ? 'sent' : 'failed', null, null])
      await assertGone(overture)
      assert.equal((await metricsOf(overture, [made.base]))[0].emailsSentCount, refusal === null ? 1 : 0)
    }
  })

  it('a message whose lead was removed while it was being sent is found by the hash of the address', async () => {
    const { overture, happened } = await sendWhile(async (overture, { base }) => {
      const [lead] = (await overture.client.get(`${base}/leads`)).body.data
      return overture.client.delete(`${base}/leads/${lead.id}`)
    }, null)
    assert.equal(happened[0]?.status, 204)
    assert.ok((await findTraces(overture)).has('sends'))
    assert.equal((await erase(overture, EMAIL)).result.messageCount, 1)
    await assertGone(overture)
  })

  it('a claimed message that was not handed over is never sent', async () => {
    const overture = await startLiving()
    const { ctx } = overture
    const made = await makeCampaign(overture, { leads: [ZELDANA], steps: STEPS, campaign: TRACKED })
    const [worker] = await query(overture, "select nextval('worker_ids')::int as id")
    assert.equal((await claimSends(ctx, worker.id, 10)).length, 1)
    await erase(overture, EMAIL)
    // Its worker is gone, so the claim returns to the queue, and no worker takes it.
    await ctx.db.inTransaction(tx => releaseSendsOfDeadWorkers(tx, ctx.clock.now()))
    overture.clock.advance(10 * MINUTE)
    await overture.work.tick()
    assert.deepEqual(await query(overture, 'select status, worker_id from sends'), [{ status: 'queued', worker_id: null }])
    assert.deepEqual(await messagesOf(overture, made.providerId), [])
    await assertGone(overture)
  })
})

describe('an unsubscribe link', () => {
  it('works after its lead was removed: the address is suppressed, by its hash', async () => {
    const overture = await startLiving()
    const { client, home } = overture
    const made = await makeCampaign(overture, { leads: [ZELDANA], steps: STEPS, campaign: TRACKED })
    await overture.work.tick()
    const [message] = await messagesOf(overture, made.providerId)
    const [lead] = (await client.get(`${made.base}/leads`)).body.data
    await client.delete(`${made.base}/leads/${lead.id}`)
    const link = unsubscribeLink(message!.text)
    const unsubscribes = async () => {
      assert.equal((await visit(overture, 'GET', link)).status, 200)
      for (let times = 0; times < 2; times++) assert.equal((await visit(overture, 'POST', link)).status, 200)
      const [suppression, ...others] = (await client.get(`${home}/suppressions?value=${encodeURIComponent(EMAIL)}`)).body.data
      assert.deepEqual([suppression.value, suppression.reason, others], [null, 'unsubscribed', []])
      const { result } = await client.operate('POST', `${made.base}/leads/import`, { leads: [ZELDANA] })
      assert.equal(result.suppressedCount, 1)
      await client.delete(`${home}/suppressions/${suppression.id}`)
    }
    await unsubscribes()
    // A message from before messages kept the hash.
    await query(overture, 'update sends set email_hash = null')
    await unsubscribes()
  })
})

describe('overture people erase', () => {
  it('erases a person in every workspace and in the lead directory, and imports do not restore them', async () => {
    const { overture } = await liveThrough()
    const { ctx, client, home } = overture
    const stranger = await overture.stranger()
    await makeCampaign({ ...overture, ...stranger }, { leads: [ZELDANA], steps: STEPS, campaign: TRACKED })
    const env = { ...process.env, DATABASE_URL: overture.databaseUrl, OVERTURE_SECRET_KEY: TEST_SECRET.toString('base64') }
    const run = (...args: string[]) => promisify(execFile)(process.execPath, ['src/main.ts', 'people', ...args], { env })
    const { stdout } = await run('erase', EMAIL)
    assert.match(stdout, /record found\) and suppressed in 3 workspaces/)
    assert.match(stdout, /2 leads, 3 messages/)
    await assertGone(overture)
    await assert.rejects(run('erase', 'nonsense'), /not an email address/)

    const file = join(await mkdtemp(join(tmpdir(), 'overture-erase-')), 'people.csv')
    await writeFile(file, `email,name\nnew@quince.example,New One\nbroken,Broken\n${EMAIL},Zeldana Quincewort\n`)
    const imported = await importFile(ctx, { file })
    assert.deepEqual([imported.insertedCount, imported.rejectedCount], [1, 2])
    assert.match(await readFile(imported.rejectedFile, 'utf8'), /Zeldana Quincewort,3,erased\r\n$/)
    await assertGone(overture)
    const people = [{ email: 'no' }, { email: 'newer@quince.example' }, { email: EMAIL, fullName: 'Zeldana Quincewort' }]
    const { result } = await client.operate('POST', `${home}/directory/people`, { people })
    assert.deepEqual([result.insertedCount, result.rejectedCount, result.rejected[1]], [1, 2, { index: 2, reason: 'erased' }])
    assert.ok(!(await findTraces(overture)).has('people'))
  })
})
