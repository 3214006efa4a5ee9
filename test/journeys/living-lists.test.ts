import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
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

  it('finds campaigns by part of their name, whatever its case, and takes no character for a wildcard', async () => {
    for (const name of ['Frühling 100%', 'frühstück', 'Autumn_1']) await makeCampaign(overture, { name })
    const names = async (q: string) => (await find(`${home}/campaigns`, q)).map((row: { name: string }) => row.name).sort()
    assert.deepEqual(await names('FRÜH'), ['Frühling 100%', 'frühstück'])
    assert.deepEqual(await names('%'), ['Frühling 100%'])
    assert.deepEqual(await names('_'), ['Autumn_1'])
    assert.deepEqual(await names('nothing'), [])
    assert.equal((await client.get(`${home}/campaigns?q=`)).status, 400)
  })

  it('finds leads by address, name and company, and goes with the cursor', async () => {
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
})
