import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { importLeads, makeCampaign, makeProvider, makeReadyCampaign } from '../factories.ts'
import { eventually } from '../faults/eventually.ts'
import { serve } from '../faults/processes.ts'
import { Client, type Overture, type Reply, startOverture, TEST_SECRET } from '../harness.ts'

const SMTP = {
  kind: 'smtp',
  name: 'Mailbox',
  fromName: 'Ada',
  fromEmail: 'ada@mailbox.example',
  postalAddress: '1 Example Street, Berlin',
  settings: { smtp: { host: '127.0.0.1', port: 2525, secure: false }, imap: { host: '127.0.0.1', port: 1143, secure: false } },
  credentials: { username: 'ada@mailbox.example', password: 'plain' },
}

describe('providers', () => {
  let overture: Overture
  let client: Client
  let home: string

  before(async () => {
    overture = await startOverture()
    ;({ client, home } = overture)
  })

  const one = (id: string) => `${home}/providers/${id}`
  const create = async (body: object = {}) => (await client.post(`${home}/providers`, { ...SMTP, ...body })).body.data

  it('a sandbox mailbox is connected at once', async () => {
    const { id } = await makeProvider(overture)
    const { data } = (await client.get(one(id))).body
    assert.deepEqual(
      [data.kind, data.status, data.hasCredentials, data.dailyCap, data.minGapSeconds],
      ['sandbox', 'connected', false, 50, 0],
    )
    assert.equal(data.links.self, `${overture.baseUrl}${one(id)}`)
  })

  it('a real mailbox is unverified at first, and shows everything except its credentials', async () => {
    const created = await create({ dailyCap: 200, minGapSeconds: 30, ramp: { startPerDay: 5, increasePerDay: 5 } })
    assert.deepEqual(
      [created.status, created.hasCredentials, created.dailyCap, created.minGapSeconds, created.ramp],
      ['unverified', true, 200, 30, { startPerDay: 5, increasePerDay: 5 }],
    )
    assert.deepEqual(created.settings, SMTP.settings)
    assert.equal('credentials' in created, false)
    assert.deepEqual((await client.get(one(created.id))).body.data, created)
  })

  it('a mailbox shows what it sent today in its time zone, and what the ramp allows', async () => {
    const { id } = await makeProvider(overture, { dailyCap: 40, ramp: { startPerDay: 5, increasePerDay: 3 }, timezone: 'Pacific/Auckland' })
    const load = async () => (await client.get(one(id))).body.data.load
    assert.deepEqual(await load(), { sentToday: 0, limitToday: 5, nextSlotAt: null })
    const dayIn = (at: Date) => new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Auckland' }).format(at)
    const set = (day: string) =>
      overture.ctx.db.pool.query(`update providers set load_day = $2, load_reserved = 4 where id = $1`, [id, day])
    await set(dayIn(new Date()))
    assert.deepEqual(await load(), { sentToday: 4, limitToday: 5, nextSlotAt: null })
    await set(dayIn(new Date(Date.now() - 2 * 86_400_000)))
    assert.equal((await load()).sentToday, 0)
    await overture.ctx.db.pool.query(`update providers set connected_at = connected_at - interval '2 days' where id = $1`, [id])
    assert.equal((await load()).limitToday, 11)
    await overture.ctx.db.pool.query(`update providers set connected_at = connected_at - interval '90 days' where id = $1`, [id])
    assert.equal((await load()).limitToday, 40)
  })

  it('a change keeps omitted fields; new servers or credentials must be verified again', async () => {
    const { id } = await create()
    const renamed = (await client.patch(one(id), { name: 'Renamed', dailyCap: 7 })).body.data
    assert.deepEqual([renamed.name, renamed.dailyCap, renamed.fromEmail], ['Renamed', 7, SMTP.fromEmail])
    await overture.ctx.db.pool.query(`update providers set status = 'connected', connected_at = now() where id = $1`, [id])
    assert.equal((await client.patch(one(id), { minGapSeconds: 5 })).body.data.status, 'connected')
    assert.equal((await client.patch(one(id), { credentials: { username: 'ada', password: 'new' } })).body.data.status, 'unverified')
    const moved = (await client.patch(one(id), { settings: { imap: null } })).body.data
    assert.deepEqual(moved.settings, { smtp: SMTP.settings.smtp, imap: null })
  })

  it('invalid values return 422', async () => {
    const { kind: _kind, ...withoutKind } = SMTP
    const bodies: object[] = [
      withoutKind,
      { ...SMTP, kind: 'imap' },
      { ...SMTP, fromEmail: 'ada' },
      { ...SMTP, name: '' },
      { ...SMTP, name: ' ' },
      // The law requires both in the footer, and blanks would pass for them.
      { ...SMTP, fromName: ' ' },
      { ...SMTP, postalAddress: '\n' },
      { ...SMTP, dailyCap: 0 },
      { ...SMTP, dailyCap: 1.5 },
      { ...SMTP, minGapSeconds: -1 },
      { ...SMTP, settings: {} },
      { ...SMTP, settings: { smtp: { host: 'x', port: 70_000, secure: true } } },
      { ...SMTP, credentials: undefined },
      { ...SMTP, credentials: { username: 'x' } },
      {
        ...SMTP,
        credentials: { username: 'x', password: 'x', oauth: { tokenUrl: 'https://x.example', clientId: 'x', refreshToken: 'x' } },
      },
      { ...SMTP, status: 'connected' },
      { kind: 'sandbox', name: 'x', fromEmail: 'a@b.example', credentials: SMTP.credentials },
    ]
    for (const body of bodies) assert.equal((await client.post(`${home}/providers`, body)).status, 422, JSON.stringify(body))
    const { id } = await makeProvider(overture)
    for (const body of [{ kind: 'smtp' }, { status: 'connected' }, { credentials: SMTP.credentials }, { name: null }])
      assert.equal((await client.patch(one(id), body)).status, 422, JSON.stringify(body))
  })

  it('a missing mailbox, or one of another workspace, returns 404', async () => {
    const stranger = await overture.stranger()
    const theirs = (await stranger.client.post(`${stranger.home}/providers`, SMTP)).body.data
    for (const id of [theirs.id, randomUUID()]) {
      assert.equal((await client.get(one(id))).status, 404)
      assert.equal((await client.patch(one(id), { name: 'Mine' })).status, 404)
      assert.equal((await client.delete(one(id))).status, 404)
    }
    assert.equal((await stranger.client.get(`${stranger.home}/providers/${theirs.id}`)).body.data.name, SMTP.name)
  })

  it('an unconnected mailbox keeps a campaign from being ready, and so does the state of the campaign', async () => {
    const campaign = await makeReadyCampaign(overture, 'Unready')
    const rules = async () =>
      (await client.get(`${home}/campaigns/${campaign.id}/validate`)).body.data.failures.map((failure: { rule: string }) => failure.rule)
    const { id } = await create()
    const { updatedAt } = (await client.get(`${home}/campaigns/${campaign.id}`)).body.data
    await client.operate('PATCH', `${home}/campaigns/${campaign.id}`, { providerId: id }, { 'if-match': updatedAt })
    assert.deepEqual(await rules(), ['provider_disconnected'])
    const refused = await client.post(`${home}/campaigns/${campaign.id}/activate`, {})
    assert.deepEqual([refused.status, refused.body.error.details.failures[0].rule], [409, 'provider_disconnected'])
    await client.operate('POST', `${home}/campaigns/${campaign.id}/archive`)
    assert.deepEqual(await rules(), ['provider_disconnected', 'status_not_activatable'])
  })

  it('a mailbox of a running campaign cannot be removed; after a removal its campaigns have none', async () => {
    const campaign = await makeReadyCampaign(overture, 'Sending')
    await client.operate('POST', `${home}/campaigns/${campaign.id}/activate`)
    assert.deepEqual([(await client.delete(one(campaign.providerId!))).status], [409])
    await client.operate('POST', `${home}/campaigns/${campaign.id}/pause`)
    assert.equal((await client.delete(one(campaign.providerId!))).status, 204)
    assert.equal((await client.get(`${home}/campaigns/${campaign.id}`)).body.data.providerId, null)
    const rules = (await client.get(`${home}/campaigns/${campaign.id}/validate`)).body.data.failures.map(
      (failure: { rule: string }) => failure.rule,
    )
    assert.ok(rules.includes('provider_missing'))
  })

  it('many at once, which share campaigns and are changed meanwhile, are removed by eight writers without an error of the server', async () => {
    const ready = await Promise.all([1, 2, 3].map(n => makeReadyCampaign(overture, `Shared ${n}`)))
    const ids = await Promise.all(Array.from({ length: 8 }, async () => (await makeProvider(overture)).id))
    for (const { id, providerId } of ready) {
      const { updatedAt } = (await client.get(`${home}/campaigns/${id}`)).body.data
      const mailboxes = { providerId, rotationProviderIds: ids }
      const { status } = await client.operate('PUT', `${home}/campaigns/${id}/mailboxes`, mailboxes, { 'if-match': updatedAt })
      assert.equal(status, 'succeeded')
      await importLeads(overture, id, [{ email: `ann@shared${id}.example`, firstName: 'Ann' }])
    }
    const writers = ids.map(async (id, n) => {
      const renamed = client.patch(one(id), { name: `Mailbox ${n}` })
      const [own, neighbor] = [client.delete(one(id)), client.delete(one(ids[(n + 1) % ids.length]!))]
      const imported = client.post(`${home}/campaigns/${ready[n % 3]!.id}/leads/import`, { leads: [{ email: `bob${n}@shared.example` }] })
      return (await Promise.all([renamed, own, neighbor, imported])).map(({ status }) => status)
    })
    const statuses = (await Promise.all(writers)).flat()
    assert.deepEqual(
      statuses.filter(status => ![200, 202, 204, 404].includes(status)),
      [],
    )
    assert.equal(statuses.filter(status => status === 204).length, 8)
    for (const { id } of ready) {
      const data = await eventually('its imports have ended', async () => {
        const { body } = await client.get(`${home}/campaigns/${id}`)
        return body.data.totalLeads > 1 ? body.data : null
      })
      assert.deepEqual(data.rotationProviderIds, [])
    }
  })
})

describe('secrets', () => {
  it('never appear in a response, in an operation, in the log, or unencrypted in the database', async () => {
    const overture = await startOverture({ worker: false })
    after(() => overture.end())
    const { program: server, base } = await serve('start', {
      DATABASE_URL: overture.databaseUrl,
      OVERTURE_SECRET_KEY: TEST_SECRET.toString('base64'),
      OVERTURE_LOG_LEVEL: 'trace',
      OVERTURE_ALLOW_LOCAL_TARGETS: 'true',
    })
    const { home } = overture
    const client = new Client(base, overture.client.token)
    const here = { ...overture, client } as Overture

    const planted = {
      password: `PlAnTeD-${randomUUID()}`,
      clientSecret: `PlAnTeD-${randomUUID()}`,
      refreshToken: `PlAnTeD-${randomUUID()}`,
      changed: `PlAnTeD-${randomUUID()}`,
    }
    const answers: Reply[] = []
    const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
      const reply = await client.send(method, path, body, { headers })
      answers.push(reply)
      return reply
    }
    const oauth = {
      tokenUrl: 'https://login.example/token',
      clientId: 'client',
      clientSecret: planted.clientSecret,
      refreshToken: planted.refreshToken,
    }
    const key = { 'idempotency-key': randomUUID() }
    const withPassword = { ...SMTP, credentials: { username: 'ada', password: planted.password } }
    const { id } = (await send('POST', `${home}/providers`, withPassword, key)).body.data
    assert.equal((await send('POST', `${home}/providers`, withPassword, key)).headers['idempotent-replayed'], 'true')
    await send('POST', `${home}/providers`, { ...SMTP, credentials: { username: 'ada', oauth } })
    await send('PATCH', `${home}/providers/${id}`, { credentials: { username: 'ada', password: planted.changed } })
    for (const path of ['providers', `providers/${id}`, 'operations', 'events']) await send('GET', `${home}/${path}`)
    // Errors, too: the secret at the wrong place, of the wrong type, next to a mistake, in a body that is not JSON.
    await send('POST', `${home}/providers`, { ...SMTP, credentials: { username: 'ada', pasword: planted.password } })
    await send('POST', `${home}/providers`, { ...SMTP, credentials: planted.password })
    await send('POST', `${home}/providers`, { ...withPassword, dailyCap: 'many' })
    await send('POST', `${home}/providers`, { ...SMTP, kind: planted.password })
    await send('POST', `${home}/providers`, { ...withPassword, name: 'Another' }, key)
    await send('PATCH', `${home}/providers/${randomUUID()}`, { credentials: withPassword.credentials })
    answers.push(await client.post(`${home}/providers`, undefined, { raw: `{"password":"${planted.password}"` }))

    // Accidents in the database: what PostgreSQL says about a row must not reach the log.
    const person = `PlAnTeD-${randomUUID()}@people.example`
    const admin = new pg.Client({ connectionString: overture.databaseUrl })
    await admin.connect()
    await admin.query('alter table leads add constraint accident check (email not like $$PlAnTeD%$$)')
    await admin.query('alter table suppressions add constraint accident check (value not like $$planted%$$)')
    const campaign = await makeCampaign(here, { name: 'Accident' })
    const accident = await send('POST', `${home}/suppressions`, { kind: 'email', value: person })
    assert.deepEqual([accident.status, accident.body.error.code], [500, 'internal_error'])
    await send('POST', `${home}/campaigns/${campaign.id}/leads/import`, { leads: [{ email: person }] })
    await server.says(/an operation failed/)
    await server.says(/request failed/)

    const hook = (await send('POST', `${home}/webhooks`, { url: 'http://127.0.0.1:9/', events: ['*'] })).body.data
    const { token } = (await send('POST', `${home}/api-keys`, { name: 'key', scopes: ['*'] })).body.data
    await importLeads({ ...here, home } as Overture, (await makeCampaign(here, { name: 'Fine' })).id, [{ email: 'fine@people.example' }])

    const tables = (await admin.query(`select tablename from pg_tables where schemaname = 'public'`)).rows.map(
      row => row.tablename as string,
    )
    let dump = ''
    for (const table of tables)
      dump += JSON.stringify((await admin.query(`select t::text as row from ${pg.escapeIdentifier(table)} t`)).rows)
    await admin.end()
    await server.end()

    const hex = (text: string) => Buffer.from(text).toString('hex')
    const base64 = (text: string) => Buffer.from(text).toString('base64').slice(0, -4)
    const shown = JSON.stringify(answers.slice(0, -2))
    for (const [name, secret] of Object.entries(planted)) {
      assert.ok(!shown.includes(secret), `${name} is in an answer`)
      for (const form of [secret, hex(secret), base64(secret)]) assert.ok(!dump.includes(form), `${name} is in the database`)
      assert.ok(!server.output.includes(secret), `${name} is in the log`)
    }
    for (const [name, secret] of Object.entries({ hook: hook.secret, token, mine: client.token })) {
      const body = secret.slice(8, -4)
      for (const form of [body, hex(body)]) assert.ok(!dump.includes(form), `${name} is in the database`)
      assert.ok(!server.output.includes(body), `${name} is in the log`)
    }
    assert.doesNotMatch(server.output, /PlAnTeD|planted-|people\.example/i, 'the log names a person')
    assert.doesNotMatch(JSON.stringify(accident), /planted/i)
  })
})
