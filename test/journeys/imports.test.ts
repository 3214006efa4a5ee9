import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { erasePerson } from '../../src/app/erase-person.ts'
import { deleteChunksOfFinishedImports } from '../../src/modules/leads/import-queries.ts'
import { makeCampaign } from '../factories.ts'
import { type Overture, startOverture } from '../harness.ts'

const MIB = 1024 * 1024
const IMPORT_LIMIT = 20 * MIB

interface NewLead {
  email: string
  [field: string]: unknown
}

/** Two kilobytes of lead, so that a few hundred make a body that is read by a thread and kept in chunks. */
const heavy = (email: string): NewLead => ({ email, variables: { note: 'ä'.repeat(1000) } })
const heavyLeads = (count: number, domain: string): NewLead[] => Array.from({ length: count }, (_, n) => heavy(`p${n}@${domain}`))

const countChunks = async ({ ctx }: Overture): Promise<number> =>
  Number((await ctx.db.pool.query('select count(*) from lead_import_chunks')).rows[0].count)

describe('a large import', () => {
  let overture: Overture
  const importPath = async (name: string) => `${overture.home}/campaigns/${(await makeCampaign(overture, { name })).id}/leads/import`

  before(async () => {
    overture = await startOverture()
  })

  it('of too many leads is refused by a count, before anything is parsed', async () => {
    const path = await importPath('Countless')
    const fill = (open: string, item: string, close: string) =>
      open + item.repeat(Math.floor((IMPORT_LIMIT - open.length - close.length) / item.length) - 1) + item.replace(',', '') + close
    const bodies: [raw: string, path: string, rule: string][] = [
      [fill('{"leads":[', '{},', ']}'), '/leads', 'maxItems'],
      [fill('{"leads":[', '[],', ']}'), '/leads', 'maxItems'],
      [fill('{"leads":[', '0,', ']}'), '/leads', 'maxItems'],
      [fill('{', '"a":1,', '}'), '', 'maxProperties'],
      [fill('{"leads":[{"email":"a","variables":{', '"a":"",', '}}]}'), '/leads/0/variables', 'maxProperties'],
      [`{"leads":${'['.repeat(IMPORT_LIMIT - 100)}`, '/leads', 'depth'],
    ]
    for (const [raw, at, rule] of bodies) {
      const reply = await overture.client.post(path, undefined, { raw })
      assert.equal(reply.status, 422, JSON.stringify(reply.body))
      const [issue] = reply.body.error.details.issues
      assert.deepEqual([issue.path.slice(0, at.length || undefined), issue.rule], [at, rule])
    }
  })

  it('is counted like a small one, across all pieces: duplicates, suppressed and invalid rows by their index', async () => {
    const { client, home } = overture
    await client.post(`${home}/suppressions`, { kind: 'email', value: 'p7@counted.example' })
    const leads = heavyLeads(600, 'counted.example')
    leads[450] = heavy('P3@Counted.example')
    leads[500] = heavy('nobody')
    leads[599] = { ...heavy('z@counted.example'), timezone: 'Nowhere/At-all' }
    const path = await importPath('Counted')
    const { status, result } = await client.operate('POST', path, { leads })
    assert.equal(status, 'succeeded')
    const { campaignId: _, ...counts } = result
    assert.deepEqual(counts, {
      importedCount: 597,
      duplicateCount: 1,
      suppressedCount: 1,
      updatedCount: 0,
      invalidCount: 1,
      invalid: [{ index: 500, reason: 'not a valid email address' }],
      warningCount: 1,
      warnings: [{ index: 599, reason: 'unknown time zone, so the time zone of the campaign is used' }],
    })
    const campaign = (await client.get(path.replace('/leads/import', ''))).body.data
    assert.equal(campaign.totalLeads, 597)
    assert.equal(await countChunks(overture), 0)
    const again = await client.operate('POST', path, { leads, leadListName: 'Again' })
    assert.deepEqual([again.result.importedCount, again.result.duplicateCount, again.result.suppressedCount], [0, 598, 1])
  })

  it('is validated like a small one: a bad field, bad text, bad JSON, and the headers before the body', async () => {
    const { client } = overture
    const path = await importPath('Judged')
    const leads = heavyLeads(100, 'judged.example')
    const wrong = await client.post(path, { leads: [...leads, { email: 'a@judged.example', nickname: 'A' }] })
    assert.deepEqual([wrong.status, wrong.body.error.details.issues[0].path], [422, '/leads/100/nickname'])
    const nul = await client.post(path, { leads: [...leads, { email: 'a@judged.example', firstName: 'A\u0000' }] })
    assert.deepEqual([nul.status, nul.body.error.details.issues[0].path], [422, '/leads/100/firstName'])
    const text = JSON.stringify({ leads })
    const broken = await client.post(path, undefined, { raw: text.slice(0, -1) })
    assert.deepEqual([broken.status, broken.body.error.code], [400, 'invalid_json'])
    const encoded = await client.post(path, undefined, { raw: Buffer.from(text, 'latin1') })
    assert.deepEqual([encoded.status, encoded.body.error.code], [400, 'invalid_json'])
    const twice = await client.post(path, undefined, { raw: text.replace('"email":', '"email":"b@judged.example","email":') })
    assert.deepEqual([twice.status, twice.body.error.details.issues[0].path], [400, '/leads/0/email'])
    const keyed = await client.post(path, { leads, nonsense: true }, { headers: { 'idempotency-key': '' } })
    assert.equal(keyed.status, 400)
    const both = await client.post(path, { leads, exportId: '00000000-0000-4000-8000-000000000000' })
    assert.deepEqual([both.status, both.body.error.details.issues[0].rule], [422, 'one_of'])
    assert.equal((await client.post(path, { leads, nonsense: true })).status, 422)
    assert.equal(await countChunks(overture), 0)
  })

  it('is the same request with different white space, for both ways of reading the body', async () => {
    const { client } = overture
    const path = await importPath('Repeated')
    const headers = { 'idempotency-key': 'large-once' }
    const leads = heavyLeads(20, 'repeated.example')
    const small = await client.post(path, { leads }, { headers })
    assert.equal(small.status, 202)
    const large = await client.post(path, undefined, { raw: `{"leads":${' '.repeat(MIB)}${JSON.stringify(leads)}}`, headers })
    assert.equal(large.body.id, small.body.id)
    assert.equal(large.headers['idempotent-replayed'], 'true')
    const other = await client.post(path, { leads: heavyLeads(100, 'repeated.example') }, { headers })
    assert.deepEqual([other.status, other.body.error.code], [409, 'idempotency_key_reused'])
  })

  it('that fails leaves nothing behind', async () => {
    const quiet = await startOverture({ worker: false })
    after(() => quiet.end())
    const campaign = await makeCampaign(quiet, { name: 'Failing' })
    const path = `${quiet.home}/campaigns/${campaign.id}/leads/import`
    const accepted = await quiet.client.post(path, { leads: heavyLeads(300, 'failing.example') })
    assert.equal(accepted.status, 202)
    assert.ok((await countChunks(quiet)) > 1)
    await quiet.ctx.db.inTransaction(deleteChunksOfFinishedImports)
    assert.ok((await countChunks(quiet)) > 1)
    await quiet.ctx.db.pool.query(
      `update operations set status = 'failed', error = '{"code":"invalid_state","message":"made up","retryable":false}', completed_at = now() where id = $1`,
      [accepted.body.id],
    )
    await quiet.ctx.db.inTransaction(deleteChunksOfFinishedImports)
    assert.equal(await countChunks(quiet), 0)
  })

  it('that is still waiting forgets an erased person', async () => {
    const quiet = await startOverture({ worker: false })
    after(() => quiet.end())
    const campaign = await makeCampaign(quiet, { name: 'Waiting' })
    const leads = [...heavyLeads(300, 'waiting.example'), { ...heavy('Zoe@waiting.example'), firstName: 'Zoe' }]
    assert.equal((await quiet.client.post(`${quiet.home}/campaigns/${campaign.id}/leads/import`, { leads })).status, 202)
    await erasePerson(quiet.ctx, quiet.workspaceId, 'zoe@waiting.example', AbortSignal.timeout(10_000))
    const { rows } = await quiet.ctx.db.pool.query('select leads::text as text from lead_import_chunks')
    const text = rows.map(row => row.text.toLowerCase()).join()
    assert.ok(!text.includes('zoe') && text.includes('p299@waiting.example'))
  })
})

describe('the memory of bodies in flight', () => {
  /** A body of which everything is sent but the last byte. */
  async function hold(overture: Overture, path: string, bytes: number): Promise<Socket> {
    const { hostname, port } = new URL(overture.baseUrl)
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    socket.write(
      `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${overture.client.token}\r\n` +
        `content-type: application/json\r\ncontent-length: ${bytes}\r\n\r\n`,
    )
    await new Promise(resolve => socket.write(' '.repeat(bytes - 1), resolve))
    // A request after this one finds it admitted.
    await overture.client.get(overture.home)
    return socket
  }

  it('is bounded: beyond the limit, large bodies return 503 with Retry-After, small ones still succeed, and memory is freed', async () => {
    const overture = await startOverture({ config: { bodyMemoryMb: 8 } })
    after(() => overture.end())
    const campaign = await makeCampaign(overture, { name: 'Full' })
    const path = `${overture.home}/campaigns/${campaign.id}/leads/import`
    const leads = heavyLeads(1000, 'full.example')
    const stranger = await overture.stranger()
    const theirs = (await stranger.client.post(`${stranger.home}/campaigns`, { name: 'Theirs' })).body.data
    const theirPath = `${stranger.home}/campaigns/${theirs.id}/leads/import`
    const send = async () => (await overture.client.post(path, { leads })).status
    let held = await hold(overture, path, 3.5 * MIB)
    // The other way round, when what comes second is looked at first.
    for (let status = await send(); status !== 503; status = await send()) {
      assert.equal(status, 202)
      held.destroy()
      held = await hold(overture, path, 3.5 * MIB)
    }
    const other = (await overture.client.post('/v1/tokens', { name: 'other' })).body.data.token
    const full = await overture.client.post(path, { leads }, { token: other })
    assert.deepEqual([full.status, full.body.error.code], [503, 'service_unavailable'])
    assert.ok(Number(full.headers['retry-after']) >= 1)
    const headers = { authorization: `Bearer ${overture.client.token}`, 'content-type': 'application/json' }
    const agent = await fetch(`${overture.baseUrl}/mcp`, { method: 'POST', headers, body: JSON.stringify('x'.repeat(900_000)) })
    assert.equal(agent.status, 503, 'agents share it')
    assert.equal((await overture.client.post(path, { leads: [{ email: 'small@full.example' }] })).status, 202)
    assert.equal((await stranger.client.post(theirPath, { leads })).status, 202, 'half is left for others')
    held.destroy()
    for (let status = 503; status !== 202; status = await send()) assert.equal(status, 503)
  })
})
