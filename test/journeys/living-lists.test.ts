import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { rewriteWords } from '../../src/modules/leads/queries.ts'
import { importLeads, makeCampaign } from '../factories.ts'
import { type Client, type Overture, startOverture } from '../harness.ts'

describe('the search in a list', () => {
  let overture: Overture
  let client: Client
  let home: string

  before(async () => {
    overture = await startOverture()
    ;({ client, home } = overture)
  })

  const find = async (path: string, q: string) => (await client.get(`${path}?q=${encodeURIComponent(q)}`)).body.data

  it('finds campaigns by part of their name in any case, without wildcards', async () => {
    for (const name of ['Frühling 100%', 'frühstück', 'Autumn_1']) await makeCampaign(overture, { name })
    const names = async (q: string) => (await find(`${home}/campaigns`, q)).map((row: { name: string }) => row.name).sort()
    assert.deepEqual(await names('FRÜH'), ['Frühling 100%', 'frühstück'])
    assert.deepEqual(await names('%'), ['Frühling 100%'])
    assert.deepEqual(await names('_'), ['Autumn_1'])
    assert.deepEqual(await names('nothing'), [])
    assert.equal((await client.get(`${home}/campaigns?q=`)).status, 400)
  })

  it('finds leads by address, name and company, with paging', async () => {
    const campaign = await makeCampaign(overture, { name: 'Found' })
    await importLeads(overture, campaign.id, [
      { email: 'ann@acme.example', firstName: 'Ann', lastName: 'Archer' },
      { email: 'bob@other.example', firstName: 'Bob', company: 'ACME Ltd' },
      { email: 'cid@third.example', fullName: 'Cid Acmeson' },
      { email: 'dan@third.example' },
    ])
    const path = `${home}/campaigns/${campaign.id}/leads`
    const emails = async (q: string) => (await find(path, q)).map((row: { email: string }) => row.email).sort()
    assert.deepEqual(await emails('acme'), ['ann@acme.example', 'bob@other.example', 'cid@third.example'])
    assert.deepEqual(await emails('ann ARCH'), ['ann@acme.example'])
    const first = (await client.get(`${path}?q=acme&limit=2`)).body
    const cursor = encodeURIComponent(first.meta.pagination.nextCursor)
    assert.equal((await client.get(`${path}?q=acme&limit=2&cursor=${cursor}`)).body.data.length, 1)
    assert.equal((await client.get(`${path}?q=third&limit=2&cursor=${cursor}`)).body.error.code, 'invalid_cursor')
    assert.equal((await client.get(`${path}?limit=2&cursor=${cursor}`)).body.error.code, 'invalid_cursor')
  })

  it('follows added, changed, moved and removed leads, and keeps no words of removed ones', async () => {
    const campaign = await makeCampaign(overture, { name: 'Many' })
    const target = await makeCampaign(overture, { name: 'Elsewhere' })
    const path = `${home}/campaigns/${campaign.id}/leads`
    const emails = async (q: string, place = path) => (await find(place, q)).map((row: { email: string }) => row.email).sort()
    const words = async () =>
      (await overture.ctx.db.pool.query('select lead_ids, words, first_id, last_id from lead_words order by campaign_id, first_id')).rows
    const oldest = [1, 2, 3].map(n => ({ email: `oldest-${n}@many.example`, firstName: 'Eve\u0001\n' }))
    await importLeads(overture, campaign.id, [...oldest, ...Array.from({ length: 350 }, (_, n) => ({ email: `other-${n}@many.example` }))])
    for (let n = 0; n < 12; n++) await importLeads(overture, campaign.id, [{ email: `single-${n}@many.example`, company: `Number ${n}` }])
    const [one, two, three] = oldest.map(lead => lead.email)
    assert.deepEqual(await emails('oldest'), [one, two, three])
    assert.deepEqual(await emails('EVE'), [one, two, three])
    assert.equal((await emails('single-')).length, 12)
    assert.deepEqual(await emails('number 11'), ['single-11@many.example'])

    const idOf = async (email: string) => (await find(path, email))[0].id as string
    const [firstId, secondId, thirdId] = [await idOf(one!), await idOf(two!), await idOf(three!)]
    await client.patch(`${path}/${firstId}`, { firstName: 'Zoë', company: 'Quince' })
    await importLeads(overture, campaign.id, [{ email: 'single-3@many.example', company: 'Not taken' }])
    assert.deepEqual([await emails('zoë'), await emails('QUINCE'), await emails('eve')], [[one], [one], [two, three]])
    await client.operate('POST', `${path}/bulk`, { action: 'move', ids: [secondId], targetCampaignId: target.id })
    await client.operate('POST', `${path}/bulk`, { action: 'delete', ids: [thirdId, await idOf('single-4@many.example')] })
    await client.delete(`${path}/${firstId}`)
    assert.deepEqual([await emails('oldest'), await emails('eve', `${home}/campaigns/${target.id}/leads`)], [[], [two]])
    const kept = await words()
    const text = JSON.stringify(kept)
    for (const gone of [one, three, 'zoë', 'quince', 'single-4@', firstId, secondId, thirdId]) assert.ok(!text.includes(gone!), gone)
    const count = (await client.get(`${home}/campaigns/${campaign.id}`)).body.data.totalLeads
    const held = kept.flatMap(row => row.lead_ids)
    for (const row of kept) assert.deepEqual(row.lead_ids, row.lead_ids.toSorted())
    assert.deepEqual(held.slice(0, count), held.slice(0, count).toSorted(), 'rows do not overlap')
    assert.equal(new Set(held).size, held.length)
    assert.ok(held.length > count)
  })

  it('follows an import that changes leads, and writes nothing when nothing changes', async () => {
    const campaign = await makeCampaign(overture, { name: 'Known' })
    const path = `${home}/campaigns/${campaign.id}/leads`
    const lead = (n: number, more: object = {}) => ({ email: `known-${n}@known.example`, company: `Firm ${n}`, ...more })
    const update = (leads: object[]) => client.operate('POST', `${path}/import`, { leads, onDuplicate: 'update' })
    const versions = async () =>
      (await overture.ctx.db.pool.query('select xmin::text from lead_words where campaign_id = $1', [campaign.id])).rows
    const emails = async (q: string) => (await find(path, q)).map((row: { email: string }) => row.email)
    await importLeads(overture, campaign.id, [lead(1), lead(2), lead(3)])
    const before = await versions()
    await update([1, 2, 3].map(n => lead(n, { jobTitle: 'Buyer', variables: { city: 'Ulm' } })))
    assert.deepEqual(await versions(), before)
    await update([lead(1), lead(2, { company: 'Renamed' }), lead(3)])
    assert.notDeepEqual(await versions(), before)
    assert.deepEqual(
      [await emails('renamed'), await emails('firm 2'), await emails('firm 3')],
      [['known-2@known.example'], [], ['known-3@known.example']],
    )
  })

  it('finds the same leads in the same order for rare and frequent words, with other filters and page by page', async () => {
    const campaign = await makeCampaign(overture, { name: 'Large' })
    const path = `${home}/campaigns/${campaign.id}/leads`
    const { pool } = overture.ctx.db
    await pool.query(
      `insert into leads (id, workspace_id, campaign_id, email, email_hash, domain_hash, company, shape, source, created_at)
       select gen_random_uuid(), c.workspace_id, c.id,
         case when n = 9 then 'rare' when n % 7 = 0 then 'seventh' else 'p' end || '-' || n || '@large.example', '', '',
         case when n <= 1100 then 'Old' else 'New' end, lead_shape(null, null, null, 'New', null, '{}'), 'manual', '2026-01-01'::timestamptz + n / 3 * interval '1 ms'
       from campaigns c, generate_series(1, 1450) as n
       where c.id = $1`,
      [campaign.id],
    )
    const { rows } = await pool.query('select id from leads where campaign_id = $1', [campaign.id])
    const ids = rows.map(row => row.id)
    for (let at = 0; at < ids.length; at += 1000) {
      await overture.ctx.db.inTransaction(tx => rewriteWords(tx, campaign.id, ids.slice(at, at + 1000)))
    }
    await pool.query(`update leads set status = 'replied' where campaign_id = $1 and email ~ '-[0-9]?5@'`, [campaign.id])

    const inOrder = async (condition: string) =>
      (await pool.query(`select email from leads where campaign_id = $1 and ${condition} order by created_at desc, id desc`, [campaign.id]))
        .rows
    const pages = async (query: string): Promise<{ email: string }[]> => {
      const rows: { email: string }[] = []
      for (let cursor = ''; ; ) {
        const { data, meta } = (await client.get(`${path}?${query}${cursor}`)).body
        rows.push(...data.map(({ email }: { email: string }) => ({ email })))
        if (!meta.pagination.nextCursor || rows.length > 1450) return rows
        cursor = `&cursor=${encodeURIComponent(meta.pagination.nextCursor)}`
      }
    }
    const first = async (query: string) =>
      (await client.get(`${path}?${query}`)).body.data.map(({ email }: { email: string }) => ({ email }))

    assert.deepEqual(await pages('q=seventh&limit=100'), await inOrder(`email like 'seventh%'`))
    assert.deepEqual(await first('q=old&limit=20'), (await inOrder(`company = 'Old'`)).slice(0, 20))
    assert.deepEqual(await pages('q=large&status=replied&limit=4'), await inOrder(`status = 'replied'`))
    assert.deepEqual(await pages('q=rare&status=not_yet_contacted'), [{ email: 'rare-9@large.example' }])
    assert.deepEqual(await pages('q=rare&status=replied'), [])
    assert.deepEqual(await pages('q=old&email=rare-9@large.example'), [{ email: 'rare-9@large.example' }])
    assert.deepEqual(await pages('q=new&email=rare-9@large.example'), [])
  })
})
