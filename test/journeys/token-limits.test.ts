import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { after, describe, it } from 'node:test'
import { Worker } from '../../src/app/worker.ts'
import { overHttp } from '../agents.ts'
import { importLeads, makeCampaign, makeProvider, makeReadyCampaign, SCHEDULE, STEPS } from '../factories.ts'
import { eventually } from '../faults/eventually.ts'
import { Client, type Reply, startOverture } from '../harness.ts'
import { addPeople, staffOf } from '../people.ts'
import { signIn } from '../sessions.ts'

const SCOPES = [
  ...['campaigns:read', 'campaigns:write', 'leads:read', 'leads:write', 'leads:export', 'people:write'],
  ...['providers:read', 'providers:write', 'tokens:read', 'tokens:write', 'operations:read', 'team:write'],
  ...['workspaces:write', 'suppressions:write'],
]
const LATER = { startDate: new Date(Date.now() + 30 * 86_400_000).toISOString() }

const overture = await startOverture()
const { client, home } = overture

describe('a token with limits', () => {
  const make = async (limits: object | undefined, by: Client = client): Promise<{ reply: Reply; key: Client; id: string }> => {
    const reply = await by.post(`${home}/api-keys`, { name: 'agent', scopes: SCOPES, ...(limits ? { limits } : {}) })
    return { reply, key: new Client(overture.baseUrl, reply.body.data?.token), id: reply.body.data?.id }
  }
  const draft = async (name: string) => (await makeCampaign(overture, { name })).id
  let made = 0
  const people = (count: number) => Array.from({ length: count }, () => ({ email: `p${++made}@people.example`, firstName: 'Ann' }))
  const importInto = (by: Client, id: string, count: number, headers: Record<string, string> = {}) =>
    by.whenDone(by.post(`${home}/campaigns/${id}/leads/import`, { leads: people(count) }, { headers: { prefer: 'wait=20', ...headers } }))
  const refusal = ({ status, body }: Reply) => [status, body.error?.code, body.error?.details]
  const over = (limit: string, allowed: number, spentToday: number, asked: number) => [
    403,
    'token_budget_exceeded',
    { limit, allowed, spentToday, asked },
  ]

  it('shows them, and cannot create or rotate a key with wider ones', async () => {
    const limits = { leadsPerDay: 50, sandboxOnly: true }
    const { key, id, reply } = await make(limits)
    assert.deepEqual(reply.body.data.limits, limits)
    assert.deepEqual((await key.get('/v1/tokens/current')).body.data.limits, limits)
    assert.deepEqual((await make(undefined, key)).reply.body.data.limits, limits)
    assert.deepEqual((await make({ leadsPerDay: 5, mailsPerDay: 9 }, key)).reply.body.data.limits, {
      leadsPerDay: 5,
      mailsPerDay: 9,
      sandboxOnly: true,
    })
    for (const wider of [{ leadsPerDay: 51 }, { sandboxOnly: false }]) assert.equal((await make(wider, key)).reply.status, 403)
    const free = await make(undefined)
    assert.equal(free.reply.body.data.limits, null)
    assert.equal((await key.post(`${home}/api-keys/${free.id}/rotate`, {})).status, 403)
    const renewed = await key.post(`${home}/api-keys/${id}/rotate`, {})
    assert.deepEqual(renewed.body.data.limits, limits)
    // Requests that would bypass them, whatever the scopes.
    assert.equal((await key.post(`${home}/members`, { email: 'x@y.example', role: 'viewer' })).status, 403)
    assert.equal((await key.post(`${home}/credits/grants`, { amount: 5 })).status, 403)
  })

  it('revokes itself and what it created, and neither other tokens nor people', async () => {
    const { key, id } = await make({ mailsPerDay: 5 })
    const { id: other } = await make(undefined)
    const { id: own } = await make(undefined, key)
    assert.deepEqual((await key.delete(`${home}/api-keys/${other}`)).body.error.code, 'forbidden')
    assert.deepEqual((await key.delete(`${home}/members/${overture.userId}`)).body.error.code, 'forbidden')
    const sibling = await make({ mailsPerDay: 3 })
    assert.equal((await key.post(`${home}/api-keys/${sibling.id}/rotate`, { overlapSeconds: 0 })).body.error.code, 'forbidden')
    const invitation = (await client.post(`${home}/members`, { email: 'kept@people.example', role: 'viewer' })).body.data
    assert.equal((await key.delete(invitation.links.self)).body.error.code, 'forbidden')
    for (const mine of [own, id]) assert.equal((await key.delete(`${home}/api-keys/${mine}`)).status, 204)
    assert.equal((await client.get(`${home}/api-keys/${other}`)).status, 200)
  })

  it('lifts no suppression without a budget for emails, because the address may be added later', async () => {
    const lifter = await client.post(`${home}/api-keys`, { name: 'agent', scopes: ['suppressions:write'], limits: { mailsPerDay: 0 } })
    const { id } = (await client.post(`${home}/suppressions`, { kind: 'email', value: 'gone@lifted.example' })).body.data
    const refused = await new Client(overture.baseUrl, lifter.body.data.token).delete(`${home}/suppressions/${id}`)
    assert.equal(refused.body.error?.code, 'token_budget_exceeded', JSON.stringify(refused.body))
  })

  it('changes no mailbox of a running campaign without a budget, although all its leads are done', async () => {
    const { id, providerId } = await makeReadyCampaign(overture, 'Done already', LATER)
    await client.operate('POST', `${home}/campaigns/${id}/activate`)
    await overture.ctx.db.pool.query("update leads set status = 'replied' where campaign_id = $1", [id])
    const { key } = await make({ mailsPerDay: 0 })
    const refused = await key.patch(`${home}/providers/${providerId}`, { fromName: 'Somebody else' })
    assert.equal(refused.body.error?.code, 'token_budget_exceeded', JSON.stringify(refused.body))
  })

  it('is refused before a mail server is called', async () => {
    let calls = 0
    const server = createServer(socket => {
      calls++
      socket.destroy()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    after(() => server.close())
    const { port } = server.address() as AddressInfo
    const mailbox = await makeProvider(overture, {
      kind: 'smtp',
      settings: { smtp: { host: '127.0.0.1', port, secure: false } },
      credentials: { username: 'me', password: 'secret' },
    })
    const { key } = await make({ sandboxOnly: true })
    for (const path of ['verify', 'verifications']) {
      assert.deepEqual((await key.post(`${home}/providers/${mailbox.id}/${path}`, {})).body.error?.code, 'token_budget_exceeded')
    }
    assert.equal(calls, 0)

    // Each verification sends a message, and a repeated request sends none.
    const one = await make({ mailsPerDay: 1 })
    const headers = { 'idempotency-key': randomUUID() }
    const verify = (path: string, more: Record<string, string> = {}) =>
      one.key.post(`${home}/providers/${mailbox.id}/${path}`, {}, { headers: more })
    assert.deepEqual([(await verify('verify', headers)).status, calls > 0], [200, true])
    const before = calls
    const again = await verify('verify', headers)
    assert.deepEqual([again.status, again.headers['idempotent-replayed'], calls], [200, 'true', before])
    for (const path of ['verify', 'verifications', 'health/check'])
      assert.deepEqual(refusal(await verify(path)), over('mailsPerDay', 1, 1, 1))
    assert.equal(calls, before)
  })

  it('adds no more leads in a day on any route, and returns the numbers', async () => {
    const { key, id: keyId, reply } = await make({ leadsPerDay: 20 })
    const nothing = { leads: 0, credits: 0, mails: 0 }
    assert.deepEqual(reply.body.data.spentToday, nothing)
    const id = await draft('Leads')
    const retried = { 'idempotency-key': randomUUID() }
    const body = { leads: people(12) }
    for (const _ of [1, 2, 3]) assert.ok((await key.post(`${home}/campaigns/${id}/leads/import`, body, { headers: retried })).status < 300)
    assert.deepEqual(refusal(await importInto(key, id, 9)), over('leadsPerDay', 20, 12, 9))
    assert.deepEqual((await client.get(`${home}/api-keys/${keyId}`)).body.data.spentToday, { ...nothing, leads: 12 })
    assert.equal((await client.get('/v1/tokens/current')).body.data.spentToday, null)
    const csv = `email\n${people(9)
      .map(({ email }) => email)
      .join('\n')}`
    const file = (text: string | Buffer) =>
      key.whenDone(
        key.send('POST', `${home}/campaigns/${id}/leads/import/csv`, undefined, {
          raw: text,
          headers: { 'content-type': 'text/csv', prefer: 'wait=20' },
        }),
      )
    assert.deepEqual(refusal(await file(csv)), over('leadsPerDay', 20, 12, 9))
    // Whatever ends the lines, and in whatever encoding.
    for (const other of [csv.replaceAll('\n', '\r'), csv.replaceAll('\n', '\r\n'), Buffer.from(`\ufeff${csv}`, 'utf16le')])
      assert.deepEqual(refusal(await file(other)), over('leadsPerDay', 20, 12, 9))
    assert.equal((await file(csv.split('\n').slice(0, 9).join('\n'))).status, 200)
    assert.equal((await importInto(key, id, 1)).status, 403)
    assert.equal((await client.get(`${home}/campaigns/${id}`)).body.data.totalLeads, 20)
    assert.equal((await importInto(client, id, 30)).status, 200)
    const large = people(2000).map(lead => ({ ...lead, variables: { note: 'x'.repeat(500) } }))
    const bulk = await key.post(`${home}/campaigns/${id}/leads/import`, { leads: large })
    assert.deepEqual(refusal(bulk), over('leadsPerDay', 20, 20, 2000))
    await overture.ctx.db.pool.query('update token_spending set day = day - 1')
    assert.equal((await importInto(key, id, 20)).status, 200, 'the next day begins again')
  })

  it('stays within them with concurrent requests and keys that it created', async () => {
    const parent = await make({ leadsPerDay: 50 })
    const children = await Promise.all([1, 2, 3, 4].map(() => make(undefined, parent.key)))
    const ids = await Promise.all([1, 2, 3, 4, 5].map(n => draft(`Race ${n}`)))
    const keys = [parent.key, ...children.map(({ key }) => key)]
    const replies = await Promise.all(Array.from({ length: 15 }, (_, n) => importInto(keys[n % 5]!, ids[n % 5]!, 10)))
    assert.equal(replies.filter(({ status }) => status === 200).length, 5, replies.map(({ status }) => status).join())
    assert.ok(replies.every(({ status }) => status === 200 || status === 403))
    const renewed = await parent.key.post(`${home}/api-keys/${parent.id}/rotate`, {})
    const again = new Client(overture.baseUrl, renewed.body.data.token)
    assert.equal((await importInto(again, ids[0]!, 1)).status, 403, 'a renewed key goes on with what is left')
  })

  it('spends no more credits', async () => {
    await client.post(`${home}/credits/grants`, { amount: 1000 })
    const { key } = await make({ creditsPerDay: 30 })
    const order = (leadCount: number) => key.post(`${home}/leads/search`, { filters: { jobTitles: ['CTO'] }, leadCount })
    const first = await order(20)
    assert.equal(first.status, 202, JSON.stringify(first.body))
    assert.deepEqual(refusal(await order(11)), over('creditsPerDay', 30, 20, 11))
    assert.equal((await order(10)).status, 202)
  })

  it('causes no more emails: starts, leads for running campaigns, tests', async () => {
    const { key } = await make({ mailsPerDay: 10 })
    const { id } = await makeReadyCampaign(overture, 'Mails', LATER)
    await importInto(client, id, 4)
    assert.deepEqual(refusal(await key.post(`${home}/campaigns/${id}/activate`)), over('mailsPerDay', 10, 0, 12))
    const small = (await makeReadyCampaign(overture, 'Few', LATER)).id
    assert.equal((await key.operate('POST', `${home}/campaigns/${small}/activate`)).status, 'succeeded')
    assert.equal((await importInto(key, small, 2)).status, 200)
    const test = await key.post(`${home}/campaigns/${small}/sequence/test`, { to: 'me@overture.example' })
    assert.equal(test.status, 202, JSON.stringify(test.body))
    assert.deepEqual(refusal(await importInto(key, small, 1)), over('mailsPerDay', 10, 9, 2))
    // Its mailbox is unavailable: it continues automatically when the mailbox is back.
    await overture.ctx.db.pool.query(`update campaigns set status = 'attention_needed' where id = $1`, [small])
    assert.deepEqual(refusal(await importInto(key, small, 1)), over('mailsPerDay', 10, 9, 2))
  })

  it("cannot continue a completed campaign beyond them with a later end date, and counts the steps of each lead's version", async () => {
    const { key } = await make({ mailsPerDay: 3 })
    const { id } = await makeReadyCampaign(overture, 'Over', LATER)
    await importInto(client, id, 1)
    const { pool } = overture.ctx.db
    // As it is when the end date has passed before anything was sent.
    await pool.query(`update campaigns set status = 'completed' where id = $1`, [id])
    const base = `${home}/campaigns/${id}`
    const later = async (by: Client) => {
      const { updatedAt } = (await by.get(base)).body.data
      return by.send('PUT', `${base}/schedule`, { endDate: '2099-01-01T00:00:00Z' }, { headers: { 'if-match': updatedAt } })
    }
    assert.deepEqual(refusal(await later(key)), over('mailsPerDay', 3, 0, 6))
    await pool.query(`update campaigns set status = 'paused' where id = $1`, [id])
    // Its leads have begun with three steps; a shorter sequence is for those who come after.
    const begun = `insert into sequence_versions (campaign_id, version, steps, created_at) select campaign_id, 90, steps || steps, created_at from sequence_versions where campaign_id = $1`
    await pool.query(begun, [id])
    await pool.query('update leads set sequence_version = 90 where campaign_id = $1', [id])
    const resumed = await key.post(`${base}/resume`)
    assert.equal(resumed.body.error?.details?.asked, 12, JSON.stringify(resumed.body))
  })

  it('waits for open operations of the campaign that could increase the number', async () => {
    const quiet = await startOverture({ worker: false })
    after(() => quiet.end())
    const { pool } = quiet.ctx.db
    const reply = await quiet.client.post(`${quiet.home}/api-keys`, {
      name: 'agent',
      scopes: SCOPES,
      limits: { leadsPerDay: 100, mailsPerDay: 10 },
    })
    const key = new Client(quiet.baseUrl, reply.body.data.token)
    const { id } = await makeCampaign(quiet, { name: 'Slow', schedule: SCHEDULE })
    const base = `${quiet.home}/campaigns/${id}`
    const both = [key.post(`${base}/leads/import`, { leads: people(50) }), key.post(`${base}/activate`)]
    const statuses = (await Promise.all(both)).map(({ status }) => status).sort()
    assert.deepEqual(statuses, [202, 409])
    // The leads of another campaign are on their way into this one, or its draft is about to get another mailbox.
    const preparing = new Worker(quiet.ctx)
    await preparing.start()
    const target = await makeReadyCampaign(quiet, 'Target', LATER)
    await preparing.stop()
    const source = await makeCampaign(quiet, { name: 'Source' })
    const move = { action: 'move', filter: {}, targetCampaignId: target.id }
    assert.equal((await key.post(`${quiet.home}/campaigns/${source.id}/leads/bulk`, move)).status, 202)
    const started = await key.post(`${quiet.home}/campaigns/${target.id}/activate`)
    assert.equal(started.body.error?.details.currentStatus, 'operations_open', 'leads are being moved there')
    const draft = await makeCampaign(quiet, { name: 'Patched' })
    const { id: providerId } = await makeProvider(quiet)
    const patched = await key.patch(`${quiet.home}/campaigns/${draft.id}`, { providerId }, { headers: { 'if-match': draft.updatedAt } })
    assert.equal(patched.status, 202)
    const other = await key.post(`${quiet.home}/campaigns/${draft.id}/activate`)
    assert.equal(other.body.error?.details.currentStatus, 'operations_open', 'its mailbox is being changed')
    // A person has asked for the start, which is waiting.
    const free = await makeCampaign(quiet, { name: 'Starting', providerId })
    await pool.query(
      `insert into operations (id, workspace_id, action, status, campaign_id) values ($1, $2, 'campaign.activate', 'queued', $3)`,
      [...[randomUUID(), quiet.workspaceId, free.id]],
    )
    const spent = async () => (await quiet.client.get(`${quiet.home}/api-keys/${reply.body.data.id}`)).body.data.spentToday.mails
    const before = await spent()
    assert.equal((await key.patch(`${quiet.home}/providers/${providerId}`, { fromName: 'Mallory' })).status, 200)
    assert.equal(await spent(), before + 1, 'its mailbox counts like that of a started campaign')

    // The draft gets a real mailbox while the test message waits.
    const sandboxed = await quiet.client.post(`${quiet.home}/api-keys`, { name: 'agent', scopes: SCOPES, limits: { sandboxOnly: true } })
    const tester = new Client(quiet.baseUrl, sandboxed.body.data.token)
    const test = await tester.post(`${quiet.home}/campaigns/${target.id}/sequence/test`, { to: 'me@overture.example' })
    assert.equal(test.status, 202, JSON.stringify(test.body))
    const real = { kind: 'smtp', settings: { smtp: { host: '127.0.0.1', port: 9, secure: false } }, status: 'connected' }
    await pool.query(`update providers set kind = $2, settings = $3, status = $4 where id = $1`, [
      ...[target.providerId, real.kind, JSON.stringify(real.settings), real.status],
    ])
    const worker = new Worker(quiet.ctx)
    await worker.start()
    const ended = await eventually('the test message is refused', async () => {
      const { body } = await quiet.client.get(`/v1/operations/${test.body.id}`)
      return body.completedAt !== null && body
    })
    await worker.stop()
    assert.deepEqual([ended.error?.code, ended.error?.message.includes('real mailbox')], ['token_budget_exceeded', true])
  })

  it('sends no email by unarchiving, or by starting while leads are moved in', async () => {
    const quiet = await startOverture({ worker: false })
    after(() => quiet.end())
    const { pool } = quiet.ctx.db
    const work = async (...ids: string[]) => {
      const worker = new Worker(quiet.ctx)
      await worker.start()
      for (const id of ids)
        await eventually('it has ended', async () => (await quiet.client.get(`/v1/operations/${id}`)).body.completedAt !== null)
      await worker.stop()
    }
    const preparing = new Worker(quiet.ctx)
    await preparing.start()
    const over = await makeReadyCampaign(quiet, 'Over again', LATER)
    const source = await makeReadyCampaign(quiet, 'Many leads', LATER)
    const target = await makeReadyCampaign(quiet, 'One lead', LATER)
    await preparing.stop()
    const created = await quiet.client.post(`${quiet.home}/api-keys`, { name: 'agent', scopes: SCOPES, limits: { mailsPerDay: 0 } })
    const key = new Client(quiet.baseUrl, created.body.data.token)

    await pool.query(`update campaigns set status = 'archived', status_before_archive = 'completed' where id = $1`, [over.id])
    await pool.query(`update leads set status = 'skipped' where campaign_id = $1`, [over.id])
    const base = `${quiet.home}/campaigns/${over.id}`
    const unarchived = await key.post(`${base}/unarchive`)
    assert.equal(unarchived.status, 202, JSON.stringify(unarchived.body))
    const csv = { raw: 'email\na@csv.example', headers: { 'content-type': 'text/csv' } }
    for (const refused of [
      await key.post(`${base}/leads/import`, { leads: people(1) }),
      await key.send('POST', `${base}/leads/import/csv`, undefined, csv),
      await key.post(`${base}/leads/bulk`, { action: 'requeue', filter: {} }),
      await key.post(`${quiet.home}/campaigns/${source.id}/leads/bulk`, { action: 'move', filter: {}, targetCampaignId: over.id }),
    ])
      assert.equal(refused.status < 400, false, JSON.stringify(refused.body))
    const { updatedAt } = (await key.get(base)).body.data
    const later = { endDate: '2099-01-01T00:00:00Z' }
    await pool.query(`update leads set status = 'not_yet_contacted' where campaign_id = $1`, [over.id])
    const rescheduled = await key.put(`${base}/schedule`, later, { headers: { 'if-match': updatedAt } })
    assert.equal(rescheduled.body.error?.code, 'token_budget_exceeded', JSON.stringify(rescheduled.body))
    await work(unarchived.body.id)

    const move = { action: 'move', filter: {}, targetCampaignId: target.id.toUpperCase() }
    const sourceBase = `${quiet.home}/campaigns/${source.id}`
    const coming = await key.post(`${sourceBase}/leads/import`, { leads: people(3) })
    await pool.query(`update campaigns set status = 'active' where id = $1`, [target.id])
    const hidden = await key.post(`${sourceBase}/leads/bulk`, move)
    assert.equal(hidden.body.error?.details.currentStatus, 'operations_open', 'a filter finds leads that are still being imported')
    await pool.query(`update campaigns set status = 'draft' where id = $1`, [target.id])
    await work(coming.body.id)
    const moved = await key.post(`${sourceBase}/leads/bulk`, move)
    assert.equal(moved.status, 202, JSON.stringify(moved.body))
    // As if a person had started it before the move was carried out.
    await pool.query(`update campaigns set status = 'active' where id = $1`, [target.id])
    await work(moved.body.id)
    const { status, error } = (await quiet.client.get(`/v1/operations/${moved.body.id}`)).body
    assert.deepEqual([status, error?.code], ['failed', 'invalid_state'])
    assert.equal((await quiet.client.get(`${quiet.home}/campaigns/${target.id}`)).body.data.totalLeads, 2)
  })

  it('pays for each message of changes that wait behind others', async () => {
    const quiet = await startOverture({ worker: false })
    after(() => quiet.end())
    const preparing = new Worker(quiet.ctx)
    await preparing.start()
    const target = await makeReadyCampaign(quiet, 'Running', LATER)
    const replied = await makeReadyCampaign(quiet, 'Replied', LATER)
    const paused = await makeReadyCampaign(quiet, 'Paused', LATER)
    const empty = await makeCampaign(quiet, { name: 'Empty' })
    await preparing.stop()
    const { pool } = quiet.ctx.db
    await pool.query(`update campaigns set status = 'active' where id = any($1)`, [[target.id, replied.id]])
    await pool.query(`update leads set status = 'replied' where campaign_id = any($1)`, [[replied.id, paused.id]])
    await pool.query(`update campaigns set status = 'paused' where id = $1`, [paused.id])
    const created = await quiet.client.post(`${quiet.home}/api-keys`, {
      name: 'agent',
      scopes: SCOPES,
      limits: { mailsPerDay: 1 },
    })
    const key = new Client(quiet.baseUrl, created.body.data.token)
    const bulk = async (campaignId: string, body: object) => {
      const reply = await key.post(`${quiet.home}/campaigns/${campaignId}/leads/bulk`, body)
      assert.equal(reply.status, 202, JSON.stringify(reply.body))
      return reply.body.id as string
    }
    const ids = (await key.get(`${quiet.home}/campaigns/${replied.id}/leads`)).body.data.map((lead: { id: string }) => lead.id)
    const skipped = await bulk(replied.id, { action: 'set_status', status: 'skipped', ids })
    const requeued = await bulk(replied.id, { action: 'requeue', ids })
    const on = await bulk(empty.id, { action: 'move', filter: {}, targetCampaignId: target.id })
    // As if these leads had come by a move, which is free for a draft and waits in another campaign.
    const come = await quiet.client.post(`${quiet.home}/campaigns/${empty.id}/leads/import`, { leads: people(3) })
    await pool.query('update operations set seq = default where id = $1', [on])
    assert.equal(come.status, 202, JSON.stringify(come.body))

    const { updatedAt } = (await key.get(`${quiet.home}/campaigns/${paused.id}`)).body.data
    const { steps } = (await key.get(`${quiet.home}/campaigns/${paused.id}/sequence`)).body.data
    const one = [{ delayDays: 0, variants: steps[0].variants.map(({ subject, body }: Record<string, string>) => ({ subject, body })) }]
    const replaced = await key.put(`${quiet.home}/campaigns/${paused.id}/sequence`, { steps: one }, { headers: { 'if-match': updatedAt } })
    assert.equal(replaced.status, 202, JSON.stringify(replaced.body))
    const added = await key.post(`${quiet.home}/campaigns/${paused.id}/leads/import`, { leads: people(1) })
    assert.equal(added.body.error?.details.currentStatus, 'operations_open', 'it gets the steps that are coming')

    const worker = new Worker(quiet.ctx)
    await worker.start()
    const ended = async (id: string) =>
      await eventually('it has ended', async () => {
        const { body } = await quiet.client.get(`/v1/operations/${id}`)
        return body.completedAt !== null && body
      })
    assert.equal((await ended(skipped)).status, 'succeeded')
    for (const { status, error } of [await ended(requeued), await ended(on)])
      assert.deepEqual([status, error?.code], ['failed', 'invalid_state'], JSON.stringify(error))
    await worker.stop()
    assert.equal((await quiet.client.get(`${quiet.home}/campaigns/${target.id}`)).body.data.totalLeads, 2, 'nobody was moved in')
  })

  it('pays for the leads of its imports that come in after a person has asked for the start', async () => {
    const quiet = await startOverture({ worker: false })
    const preparing = new Worker(quiet.ctx)
    await preparing.start()
    const campaigns = [await makeReadyCampaign(quiet, 'Json', LATER), await makeReadyCampaign(quiet, 'Csv', LATER)]
    const again = await makeReadyCampaign(quiet, 'Again', LATER)
    const bought = await makeReadyCampaign(quiet, 'Bought', LATER)
    await importLeads(quiet, again.id, [{ email: 'skipped@people.example' }])
    await addPeople(quiet, staffOf('Acme', 1))
    await quiet.client.post(`${quiet.home}/credits/grants`, { amount: 5 })
    await preparing.stop()
    await quiet.ctx.db.pool.query(`update leads set status = 'skipped' where email = 'skipped@people.example'`)
    const base = (id: string) => `${quiet.home}/campaigns/${id}`
    const csv = () => ({ raw: `email\nc${++made}@csv.example`, headers: { 'content-type': 'text/csv' } })
    const requestsOf = async (limits: object, from: number, to: number) => {
      const created = await quiet.client.post(`${quiet.home}/api-keys`, { name: 'agent', scopes: SCOPES, limits })
      const key = new Client(quiet.baseUrl, created.body.data.token)
      const requests = [
        () => key.post(`${base(campaigns[0]!.id)}/leads/import`, { leads: people(1) }),
        () => key.send('POST', `${base(campaigns[1]!.id)}/leads/import/csv`, undefined, csv()),
        () => key.post(`${base(again.id)}/leads/bulk`, { action: 'requeue', filter: { status: 'skipped' } }),
        () => key.post(`${base(bought.id)}/leads/search`, { filters: { companies: ['Acme'] }, leadCount: 1 }),
      ]
      const ids: string[] = []
      for (const request of requests.slice(from, to)) {
        const { status, body } = await request()
        assert.equal(status, 202, JSON.stringify(body))
        ids.push(body.id)
      }
      return ids
    }
    const poor = await requestsOf({ mailsPerDay: 5 }, 0, 3)
    const rich = await requestsOf({ mailsPerDay: 4 }, 0, 2)
    const buyer = await requestsOf({ mailsPerDay: 0 }, 3, 4)
    const started = []
    for (const { id } of [...campaigns, again, bought]) started.push((await quiet.client.post(`${base(id)}/activate`)).body.id)
    const worker = new Worker(quiet.ctx)
    await worker.start()
    const outcomeOf = async (id: string) => {
      const read = async () => (await quiet.client.get(`/v1/operations/${id}`)).body
      await eventually('it has ended', async () => (await read()).completedAt !== null)
      return (await read()).error?.code ?? 'succeeded'
    }
    const outcomes = await Promise.all([...poor, ...rich, ...buyer, ...started].map(outcomeOf))
    await worker.stop()
    // Two steps for each lead: whichever request of the poor token is the last asks for one email too much.
    assert.deepEqual(outcomes.slice(0, 5).sort(), [...Array(4).fill('succeeded'), 'token_budget_exceeded'], JSON.stringify(outcomes))
    assert.deepEqual(outcomes.slice(5), ['token_budget_exceeded', ...Array(4).fill('succeeded')])
    assert.equal((await quiet.client.get(`${quiet.home}/credits`)).body.data.available, 5)
    const { rows } = await quiet.ctx.db.pool.query('select sum(mails)::int as mails from token_spending')
    assert.equal(rows[0].mails, 8)
  })

  it('sees that API keys were created, but not which without the scope', async () => {
    const name = 'Named secretly'
    const scoped = async (...scopes: string[]) => {
      const reply = await client.post(`${home}/api-keys`, { name, scopes })
      return new Client(overture.baseUrl, reply.body.data.token)
    }
    const [outsider, insider] = [await scoped('operations:read'), await scoped('operations:read', 'tokens:read')]
    const resultFor = async (key: Client) => (await key.get(`${home}/operations?action=api_key.create`)).body.data[0].result
    assert.equal(await resultFor(outsider), null)
    assert.notEqual(await resultFor(insider), null)
  })

  it('sees nobody in the results and plans of others without a scope to read them', async () => {
    const { key } = await make({ mailsPerDay: 0 })
    const { id } = await makeReadyCampaign(overture, 'Private', LATER)
    const [lead] = (await client.get(`${home}/campaigns/${id}/leads`)).body.data
    const path = `${home}/campaigns/${id}/leads/${lead.id}`
    assert.equal((await client.patch(path, { company: 'Acme' })).status, 200)
    assert.equal((await client.post(`${home}/suppressions`, { kind: 'email', value: 'nobody@private.example' })).status, 201)
    const planned = { operation: 'leads.delete', params: { campaignId: id, leadId: lead.id } }
    const { plan } = (await key.post(`${home}/plans`, planned)).body.data
    const seenWith = async (...scopes: string[]) => {
      const reader = await overture.withScopes(['operations:read', ...scopes])
      const replies = [await reader.get(`${home}/operations`), await reader.get(`${home}/plans`), await reader.get(plan.links.self)]
      assert.deepEqual(
        replies.map(({ status }) => status),
        [200, 200, 200],
      )
      return replies.map(
        ({ body }) =>
          JSON.stringify(body)
            .match(/[\w.]+@private\.example/g)
            ?.sort() ?? [],
      )
    }
    assert.deepEqual(await seenWith('campaigns:read'), [[], [], []])
    assert.deepEqual(await seenWith('suppressions:read'), [['nobody@private.example'], [], []])
    assert.deepEqual(await seenWith('leads:read'), [[lead.email], [lead.email], [lead.email]])
  })

  it('touches no real mailbox if it is sandbox-only', async () => {
    const { key } = await make({ sandboxOnly: true })
    const real = {
      kind: 'smtp',
      name: 'Real',
      fromEmail: 'me@real.example',
      settings: { smtp: { host: '127.0.0.1', port: 9, secure: false } },
    }
    const credentials = { username: 'me', password: 'secret' }
    assert.equal((await key.post(`${home}/providers`, { ...real, credentials })).body.error.code, 'token_budget_exceeded')
    const { id: mailbox } = (await client.post(`${home}/providers`, { ...real, fromName: 'Me', postalAddress: '1 Street', credentials }))
      .body.data
    for (const [method, path, body] of [
      ['PATCH', '', { fromName: 'Mallory' }],
      ['POST', '/verify', {}],
      ['POST', '/health/check', {}],
      ['DELETE', '', undefined],
    ] as const)
      assert.equal((await key.send(method, `${home}/providers/${mailbox}${path}`, body)).status, 403, method)
    const running = (await makeReadyCampaign(overture, 'Sandboxed', LATER)).id
    assert.equal((await key.operate('POST', `${home}/campaigns/${running}/activate`)).status, 'succeeded')
    const { updatedAt } = (await client.get(`${home}/campaigns/${running}`)).body.data
    const moved = await key.put(`${home}/campaigns/${running}/mailboxes`, { providerId: mailbox }, { headers: { 'if-match': updatedAt } })
    assert.deepEqual(refusal(moved).slice(0, 2), [403, 'token_budget_exceeded'])
    const other = await makeReadyCampaign(overture, 'Real one', { ...LATER, providerId: mailbox })
    await overture.ctx.db.pool.query("update providers set status = 'connected' where id = $1", [mailbox])
    await overture.ctx.db.pool.query('update campaigns set provider_id = $1 where id = $2', [mailbox, other.id])
    assert.equal((await key.post(`${home}/campaigns/${other.id}/activate`)).body.error.details.limit, 'sandboxOnly')
    assert.equal((await key.post(`${home}/campaigns/${other.id}/sequence/test`, { to: 'me@overture.example' })).status, 403)
  })

  it('needs approval for MCP requests beyond the limits: the approved plan is carried out, and nothing else', async () => {
    const limits = { mailsPerDay: 1, leadsPerDay: 1 }
    const { key } = await make(limits)
    const agent = await overHttp(overture.baseUrl, key.token)
    const { id: campaignId } = await makeReadyCampaign(overture, 'Beyond', LATER)
    const proposed = await agent.call('plan_change', { change: 'activate_campaign', campaignId })
    const { plan, planToken } = proposed.data
    assert.equal((await key.post(`${home}/campaigns/${campaignId}/activate`)).status, 403)
    const lifted = await key.post(`${home}/campaigns/${campaignId}/activate`, {}, { headers: { 'idempotency-key': `plan-${plan.id}` } })
    assert.equal(lifted.body.error.code, 'token_budget_exceeded', 'the key of a plan is no approval')
    assert.equal((await agent.call('apply_plan', { planToken })).isError, true)
    const mine = (await client.post('/v1/tokens', { name: 'agent', limits })).body.data.token as string
    for (const approve of [
      () => new Client(overture.baseUrl, mine).post(`${home}/plans/${plan.id}/approve`, {}),
      async () => (await signIn(new Client(overture.baseUrl, mine))).send('POST', `${home}/plans/${plan.id}/approve`, {}),
    ])
      assert.equal((await approve()).status, 403, 'a token with limits approves nothing')
    assert.equal((await client.post(`${home}/plans/${plan.id}/approve`, {})).status, 200)
    const applied = await agent.call('apply_plan', { planToken })
    assert.equal(applied.data.plan?.status, 'applied', applied.text)
    await eventually('it runs', async () => (await client.get(`${home}/campaigns/${campaignId}`)).body.data.status === 'active')
    assert.deepEqual(refusal(await importInto(key, campaignId, 1)), over('mailsPerDay', 1, 0, 2), 'what was approved opens nothing else')
  })

  it('can carry out an approved plan for more credits than its limit', async () => {
    await client.post(`${home}/credits/grants`, { amount: 100 })
    const { key } = await make({ creditsPerDay: 5 })
    const agent = await overHttp(overture.baseUrl, key.token)
    const campaignId = await draft('Bought')
    const body = { filters: { jobTitles: ['CTO'] }, leadCount: 11 }
    const { plan, planToken } = (await agent.call('plan_change', { change: 'buy_leads', campaignId, body })).data
    assert.equal(plan.summary.creditCost, 11)
    assert.equal((await agent.call('apply_plan', { planToken })).isError, true, 'nobody has approved it')
    assert.equal((await client.post(`${home}/plans/${plan.id}/approve`, {})).status, 200)
    const applied = await agent.call('apply_plan', { planToken })
    assert.equal(applied.data.plan?.status, 'applied', applied.text)
    const again = await key.post(`${home}/leads/search`, body)
    assert.equal(again.body.error?.details?.limit, 'creditsPerDay', 'what was approved opens nothing else')
  })

  it('changes nothing that a running campaign sends, or when, except as a person approved', async () => {
    const { id } = await makeReadyCampaign(overture, 'Running', LATER)
    const base = `${home}/campaigns/${id}`
    assert.equal((await client.operate('POST', `${base}/activate`)).status, 'succeeded')
    const leads = (await client.get(`${base}/leads`)).body.data as { id: string; email: string; firstName: string }[]
    const [ann, bob] = ['Ann', 'Bob'].map(name => leads.find(({ firstName }) => firstName === name))
    const { providerId } = (await client.get(base)).body.data
    const held = (await client.post(`${home}/suppressions`, { kind: 'email', value: bob!.email })).body.data.id
    const ifMatch = async () => ({ headers: { 'if-match': (await client.get(base)).body.data.updatedAt } })
    const settings = async (by: Client, body: object) => by.put(`${base}/settings`, body, await ifMatch())
    const rename = (by: Client, leadId: string) => by.patch(`${base}/leads/${leadId}`, { firstName: 'Not approved' })

    const { key } = await make({ mailsPerDay: 0 })
    assert.deepEqual(refusal(await rename(key, ann!.id)), over('mailsPerDay', 0, 0, 2), 'the two steps of the lead')
    for (const [what, refused] of Object.entries({
      settings: await settings(key, { trackClicks: true }),
      schedule: await key.put(`${base}/schedule`, { startDate: null }, await ifMatch()),
      mailboxes: await key.put(`${base}/mailboxes`, { providerId, moveThreads: true }, await ifMatch()),
      mailbox: await key.patch(`${home}/providers/${providerId}`, { fromName: 'Mallory' }),
    }))
      assert.deepEqual(refusal(refused), over('mailsPerDay', 0, 0, 4), what)
    assert.deepEqual(refusal(await key.delete(`${home}/suppressions/${held}`)), over('mailsPerDay', 0, 0, 2), 'the lead that it holds back')
    const { updatedAt } = (await client.get(`${home}/settings`)).body.data
    const lines = { optOutLines: { en: { link: 'Not approved' } } }
    const everywhere = await key.put(`${home}/settings`, lines, { headers: { 'if-match': updatedAt } })
    assert.deepEqual([everywhere.status, everywhere.body.error?.code], [403, 'forbidden'])
    for (const request of [() => key.put(`${home}/tracking-host`, { host: 't.evil.example' }), () => key.delete(`${home}/tracking-host`)])
      assert.equal((await request()).status, 403)
    assert.equal((await settings(key, { niche: 'Only a label' })).status, 202)
    assert.equal((await client.get(`${base}/leads/${ann!.id}`)).body.data.firstName, 'Ann')

    const rich = await make({ mailsPerDay: 5 })
    assert.equal((await rename(rich.key, ann!.id)).status, 200)
    assert.equal((await client.get(`${home}/api-keys/${rich.id}`)).body.data.spentToday.mails, 2)

    for (const [operation, params, body, more] of [
      ['leads.update', { campaignId: id, leadId: ann!.id }, { firstName: 'Approved' }, {}],
      ['campaigns.updateSettings', { campaignId: id }, { trackClicks: true }, { ifMatch: (await ifMatch()).headers['if-match'] }],
    ] as const) {
      const proposed = (await key.post(`${home}/plans`, { operation, params, body, ...more })).body.data
      assert.equal((await client.post(`${home}/plans/${proposed.plan.id}/approve`, {})).status, 200)
      const applied = await key.post(`${home}/plans/apply`, { planToken: proposed.planToken })
      assert.equal(applied.body.data?.status, 'applied', JSON.stringify(applied.body))
    }
    await eventually('the settings are stored', async () => (await client.get(base)).body.data.trackClicks === true)

    const sandboxed = (await make({ sandboxOnly: true })).key
    await overture.ctx.db.pool.query(`update providers set kind = 'smtp' where id = $1`, [providerId])
    for (const refused of [await rename(sandboxed, ann!.id), await settings(sandboxed, { trackOpens: true })])
      assert.equal(refused.body.error?.details?.limit, 'sandboxOnly')
    await overture.ctx.db.pool.query(`update providers set kind = 'sandbox' where id = $1`, [providerId])
  })

  it('pauses a campaign, but changes a paused one only like a running one, and repeats what it has for nothing', async () => {
    const { id, providerId } = await makeReadyCampaign(overture, 'Paused', LATER)
    const source = await makeReadyCampaign(overture, 'Rewritten', LATER)
    const base = `${home}/campaigns/${id}`
    assert.equal((await client.operate('POST', `${base}/activate`)).status, 'succeeded')
    const { key } = await make({ mailsPerDay: 0 })
    assert.equal((await key.operate('POST', `${base}/pause`)).status, 'succeeded')
    const [lead] = (await client.get(`${base}/leads`)).body.data
    const match = async () => ({ 'if-match': (await client.get(base)).body.data.updatedAt })
    const put = async (path: string, body: object) => key.put(`${base}/${path}`, body, { headers: await match() })
    const changed = [...STEPS.steps, { delayDays: 9, variants: [{ subject: null, body: 'Not approved' }] }]
    const mails = { sequence: 6, copied: 40, settings: 4, schedule: 4, mailboxes: 4, mailbox: 4, lead: 2, imported: 2, moved: 2 }
    const refused = {
      sequence: await put('sequence', { steps: changed }),
      copied: await key.post(`${base}/sequence/copy`, { sourceCampaignId: source.id }),
      settings: await put('settings', { trackClicks: true }),
      schedule: await put('schedule', { startDate: null }),
      mailboxes: await put('mailboxes', { providerId, moveThreads: true }),
      mailbox: await key.patch(`${home}/providers/${providerId}`, { fromName: 'Mallory' }),
      lead: await key.patch(`${base}/leads/${lead.id}`, { firstName: 'Mallory' }),
      imported: await importInto(key, id, 1),
      moved: await key.post(`${home}/campaigns/${source.id}/leads/bulk`, { action: 'move', ids: [lead.id], targetCampaignId: id }),
    }
    for (const [what, reply] of Object.entries(refused))
      assert.deepEqual(refusal(reply), over('mailsPerDay', 0, 0, mails[what as keyof typeof mails]), what)

    for (const [what, reply] of Object.entries({
      settings: await put('settings', { trackClicks: false, niche: 'Only a label' }),
      lead: await key.patch(`${base}/leads/${lead.id}`, { firstName: lead.firstName }),
      mailbox: await key.patch(`${home}/providers/${providerId}`, { fromName: 'Ada' }),
    }))
      assert.ok(reply.status < 300, `${what}: ${JSON.stringify(reply.body)}`)
    await eventually('the label is stored', async () => (await client.get(base)).body.data.niche !== null)
    for (const [path, body] of Object.entries({ schedule: { ...SCHEDULE, ...LATER }, mailboxes: { providerId } }))
      assert.equal((await key.operate('PUT', `${base}/${path}`, body, await match())).status, 'succeeded', path)
    const later = new Date(Date.parse((await match())['if-match']) + 1000).toISOString()
    const guessed = await key.put(`${base}/settings`, { trackOpens: false }, { headers: { 'if-match': later } })
    assert.equal(guessed.status, 403, 'it may be a change of what the campaign is by then')
  })

  it('ends its own session, and rejects the plans that it proposed, but no others', async () => {
    const limits = { mailsPerDay: 5 }
    const token = (await client.post('/v1/tokens', { name: 'agent', limits })).body.data.token as string
    const agent = new Client(overture.baseUrl, token)
    const [other, own] = [await signIn(client), await signIn(agent)]
    const refused = await own.send('DELETE', `/v1/sessions/${other.id}`)
    assert.deepEqual([refused.status, refused.body.error.message.startsWith('A token with limits can end')], [403, true])
    assert.equal((await own.send('DELETE', `/v1/sessions/${own.id}`)).status, 204)

    const propose = async (by: Client) => {
      const body = { kind: 'email', value: `p${++made}@rejected.example` }
      const reply = await by.post(`${home}/plans`, { operation: 'suppressions.create', body })
      return `${home}/plans/${reply.body.data.plan.id}/reject`
    }
    const ofOther = await propose(client)
    assert.equal((await agent.post(ofOther, {})).body.error?.code, 'forbidden')
    assert.equal((await agent.post(await propose(agent), {})).status, 200)
    assert.equal((await client.post(ofOther, {})).status, 200)
  })

  it('buys only people who could be bought when a person approved', async () => {
    const { key } = await make({ leadsPerDay: 0, creditsPerDay: 0, mailsPerDay: 0, sandboxOnly: true })
    await client.post(`${home}/credits/grants`, { amount: 10 })
    const { id: campaignId } = await makeReadyCampaign(overture, 'Wombats', LATER)
    assert.equal((await client.operate('POST', `${home}/campaigns/${campaignId}/activate`)).status, 'succeeded')
    const body = { filters: { jobTitles: { include: ['Chief Wombat Officer'] } }, leadCount: 5 }
    const proposed = (await key.post(`${home}/plans`, { operation: 'leadSearches.attach', params: { campaignId }, body })).body.data
    assert.match(proposed.plan.summary.text, /Some of them may already be in your workspace\./)
    assert.equal((await client.post(`${home}/plans/${proposed.plan.id}/approve`, {})).status, 200)
    const invented = { email: 'eve@wombats.example', firstName: 'Eve', jobTitle: 'Chief Wombat Officer', company: { name: 'Wombats' } }
    assert.equal((await key.operate('POST', `${home}/directory/people`, { people: [invented] })).status, 'succeeded')
    const applied = await key.post(`${home}/plans/apply`, { planToken: proposed.planToken })
    assert.deepEqual([applied.status, applied.body.error?.details?.currentStatus], [409, 'failed'], JSON.stringify(applied.body))
    assert.equal((await client.get(`${home}/campaigns/${campaignId}`)).body.data.totalLeads, 2)
  })

  it('can draft freely: requests that neither send nor spend cost nothing', async () => {
    const { key } = await make({ leadsPerDay: 0, creditsPerDay: 0, mailsPerDay: 0, sandboxOnly: true })
    const agent = await overHttp(overture.baseUrl, key.token)
    const mailbox = await makeProvider(overture, { name: 'For drafts' })
    const drafted = await agent.call('draft_campaign', { name: 'Free', mailbox: mailbox.id })
    assert.equal(drafted.isError, false, drafted.text)
    const written = await agent.call('write_sequence', { campaignId: drafted.data.campaign.id, steps: STEPS.steps })
    assert.equal(written.data.written, 2, written.text)
  })
})
