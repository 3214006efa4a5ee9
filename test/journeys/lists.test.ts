import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { VirtualClock } from '../../src/lib/clock.ts'
import { makeCampaign, makeProvider } from '../factories.ts'
import { type Client, type Overture, type Reply, startOverture } from '../harness.ts'

interface Listed {
  id: string
  name: string
  status: string
  displayStatus: string
  createdAt: string
  updatedAt: string
}

const START = new Date('2026-05-04T08:00:00.000Z')

describe('the list of campaigns', () => {
  let overture: Overture
  let client: Client
  let home: string
  const clock = new VirtualClock(START)

  before(async () => {
    overture = await startOverture({ clock })
    ;({ client, home } = overture)
  })

  const list = (query = '', from: Client = client, at = home) => from.get(`${at}/campaigns${query}`)
  const namesOf = (reply: Reply): string[] => reply.body.data.map((campaign: Listed) => campaign.name)
  const refused = async (query: string, code = 'invalid_request') => {
    const reply = await list(query)
    assert.deepEqual([reply.status, reply.body.error?.code], [400, code], query)
  }
  const encoded = (cursor: string) => encodeURIComponent(cursor)

  /** A workspace of its own with that many campaigns, three to each millisecond. */
  async function fill(count: number) {
    const reply = await client.post('/v1/workspaces', { name: randomUUID() })
    const at = `/v1/workspaces/${reply.body.data.id}`
    for (let n = 0; n < count; n++) {
      if (n % 3 === 0) clock.advance(1)
      assert.equal((await client.post(`${at}/campaigns`, { name: `#${n}` })).status, 201)
    }
    return at
  }

  /** Follows nextCursor to the end. */
  async function walk(
    at: string,
    limitOf: (page: number) => number,
    between: () => Promise<unknown> = async () => {},
  ): Promise<Listed[][]> {
    const pages: Listed[][] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const limit = limitOf(pages.length)
      const reply: Reply = await list(`?limit=${limit}${cursor ? `&cursor=${encoded(cursor)}` : ''}`, client, at)
      assert.equal(reply.status, 200, JSON.stringify(reply.body))
      const { nextCursor, hasMore } = reply.body.meta.pagination
      assert.equal(hasMore, nextCursor !== null)
      assert.equal(reply.body.meta.pagination.limit, limit)
      if (hasMore) assert.equal(reply.body.data.length, limit)
      pages.push(reply.body.data)
      cursor = nextCursor
      await between()
    }
    return pages
  }

  it('returns data, links and meta.pagination, and an empty list is a last page', async () => {
    const at = await fill(0)
    const { body } = await list('', client, at)
    assert.deepEqual(body, {
      data: [],
      links: { self: `${overture.baseUrl}${at}/campaigns`, next: null },
      meta: { pagination: { nextCursor: null, hasMore: false, limit: 50 } },
    })
  })

  it('shows the same resource as a read of the campaign', async () => {
    const at = await fill(1)
    const [listed] = (await list('', client, at)).body.data
    const read = (await client.get(`${at}/campaigns/${listed.id}`)).body.data
    assert.deepEqual(listed, read)
  })

  it('returns 50 per page by default, from 1 to 100 on request', async () => {
    const at = await fill(102)
    assert.equal((await list('', client, at)).body.data.length, 50)
    assert.equal((await list('?limit=1', client, at)).body.data.length, 1)
    assert.equal((await list('?limit=100', client, at)).body.data.length, 100)
  })

  it('refuses an invalid limit, and unknown or repeated parameters', async () => {
    for (const limit of ['0', '101', '-1', '1.5', '1e1', 'ten', '', '%2050', '99999999999999999999']) await refused(`?limit=${limit}`)
    await refused('?nonsense=1')
    await refused('?Limit=5')
    await refused('?limit=5&limit=5')
    await refused('?status=draft&status=draft')
    await refused('?limit[]=5')
    await refused('?status=drafts')
    await refused('?displayStatus=draft')
    await refused('?providerId=1')
    await refused('?createdFrom=yesterday')
    await refused('?createdFrom=2026-05-04')
    await refused('?updatedTo=2026-02-30T00:00:00Z')
  })

  it('is ordered by createdAt descending and within one millisecond by id descending', async () => {
    const at = await fill(20)
    const { data } = (await list('?limit=100', client, at)).body as { data: Listed[] }
    const sorted = data.toSorted((a, b) => (a.createdAt === b.createdAt ? (a.id < b.id ? 1 : -1) : a.createdAt < b.createdAt ? 1 : -1))
    assert.deepEqual(
      data.map(campaign => campaign.id),
      sorted.map(campaign => campaign.id),
    )
    assert.ok(new Set(data.map(campaign => campaign.createdAt)).size < data.length)
  })

  it('pages give every campaign exactly once, whatever the limit of each page', async () => {
    const at = await fill(31)
    const all = (await list('?limit=100', client, at)).body.data.map((campaign: Listed) => campaign.id)
    for (const limitOf of [() => 1, () => 7, () => 31, () => 30, (page: number) => 1 + ((page * 3) % 11)]) {
      assert.deepEqual(
        (await walk(at, limitOf)).flat().map(campaign => campaign.id),
        all,
      )
    }
  })

  it('paging has no gaps or duplicates while campaigns are added, changed and archived', async () => {
    const at = await fill(30)
    const before = (await list('?limit=100', client, at)).body.data as Listed[]
    let n = 0
    const seen = (
      await walk(
        at,
        () => 4,
        async () => {
          clock.advance(1)
          await client.post(`${at}/campaigns`, { name: `new ${n}` })
          const changed = before[n]!
          await client.operate('PATCH', `${at}/campaigns/${changed.id}`, { niche: 'changed' }, { 'if-match': changed.updatedAt })
          n++
        },
      )
    ).flat()
    assert.deepEqual(
      seen.map(campaign => campaign.id),
      before.map(campaign => campaign.id),
    )
  })

  it('links.next is the next page with the same filters and limit', async () => {
    const at = await fill(5)
    const first = await list('?limit=2&status=draft&createdFrom=2020-01-01T00:00:00%2B02:00', client, at)
    assert.equal(first.body.links.self, `${overture.baseUrl}${at}/campaigns?limit=2&status=draft&createdFrom=2020-01-01T00:00:00%2B02:00`)
    const second = await client.get(first.body.links.next)
    const third = await client.get(second.body.links.next)
    assert.deepEqual([first, second, third].flatMap(namesOf).sort(), ['#0', '#1', '#2', '#3', '#4'])
    assert.deepEqual([third.body.links.next, third.body.meta.pagination], [null, { nextCursor: null, hasMore: false, limit: 2 }])
  })

  it('a full page is the last one when nothing follows', async () => {
    const at = await fill(4)
    const last = (await walk(at, () => 2)).at(-1)!
    assert.equal(last.length, 2)
  })

  describe('a cursor', () => {
    let at: string
    let cursor: string

    before(async () => {
      at = await fill(6)
      cursor = (await list('?limit=2', client, at)).body.meta.pagination.nextCursor
    })

    const using = (text: string, query = '', path = `${at}/campaigns`) => client.get(`${path}?cursor=${encoded(text)}${query}`)
    const isInvalid = (reply: Reply, what: string) =>
      assert.deepEqual([reply.status, reply.body.error?.code], [400, 'invalid_cursor'], what)

    it('that was invented or altered anywhere returns 400 invalid_cursor', async () => {
      const [payload, signature] = cursor.split('.') as [string, string]
      const other = Buffer.from(JSON.stringify([START.getTime(), randomUUID()])).toString('base64url')
      for (const forged of [
        'x',
        '.',
        'null',
        payload,
        `${payload}.`,
        `.${signature}`,
        `${other}.${signature}`,
        `${payload}.${signature}x`,
        `${cursor}.${signature}`,
        'x'.repeat(8192),
      ]) {
        isInvalid(await using(forged), forged.slice(0, 80))
      }
      for (let place = 0; place < cursor.length; place += 5) {
        const altered = cursor.slice(0, place) + (cursor[place] === 'A' ? 'B' : 'A') + cursor.slice(place + 1)
        isInvalid(await using(altered), altered)
      }
    })

    it('of another workspace, list or filter returns 400 invalid_cursor', async () => {
      const elsewhere = await fill(6)
      isInvalid(await using(cursor, '', `${elsewhere}/campaigns`), 'another workspace')
      isInvalid(await using(cursor, '', `${at}/operations`), 'another list')
      isInvalid(await using(cursor, '&status=draft'), 'another filter')
      isInvalid(await using(cursor, '&createdFrom=2020-01-01T00:00:00Z'), 'another time')
      const filtered = (await list('?limit=2&status=draft', client, at)).body.meta.pagination.nextCursor
      isInvalid(await using(filtered), 'the filter was dropped')
      assert.equal((await using(filtered, '&status=draft')).status, 200)
    })

    it('has 1 to 8192 characters', async () => {
      for (const text of ['', 'x'.repeat(8193)]) assert.equal((await using(text)).body.error.code, 'invalid_request')
    })

    it('never expires and continues, even after its own campaign left the list', async () => {
      const [first, second] = (await list('?limit=2', client, at)).body.data as Listed[]
      const rest = namesOf(await using(cursor))
      clock.advance(400 * 24 * 3600_000)
      assert.ok(first)
      await client.operate('POST', `${at}/campaigns/${second!.id}/archive`)
      assert.deepEqual(namesOf(await using(cursor)), rest)
    })
  })

  describe('filters', () => {
    let at: string
    const made: Record<string, Listed> = {}
    let providerId: string

    before(async () => {
      at = await fill(0)
      const here = { ...overture, home: at } as Overture
      providerId = (await makeProvider(here)).id
      for (const name of ['draft', 'withProvider', 'archived']) {
        clock.advance(1000)
        made[name] = (await makeCampaign(here, { name, ...(name === 'withProvider' ? { providerId } : {}) })) as unknown as Listed
      }
      clock.advance(1000)
      await client.operate('POST', `${at}/campaigns/${made.archived!.id}/archive`)
      made.archived = (await client.get(`${at}/campaigns/${made.archived!.id}`)).body.data
    })

    const found = async (query: string) => namesOf(await list(query, client, at)).sort()

    it('archived campaigns are hidden by default', async () => {
      assert.deepEqual(await found(''), ['draft', 'withProvider'])
      assert.deepEqual(await found('?displayStatus=active'), ['draft', 'withProvider'])
      assert.deepEqual(await found('?displayStatus=archived'), ['archived'])
      assert.deepEqual(await found('?status=archived'), ['archived'])
      assert.deepEqual(await found('?status=archived&displayStatus=active'), [])
      assert.deepEqual(await found('?status=draft&displayStatus=archived'), [])
    })

    it('by status', async () => {
      assert.deepEqual(await found('?status=draft'), ['draft', 'withProvider'])
      for (const status of ['active', 'paused', 'completed', 'attention_needed']) assert.deepEqual(await found(`?status=${status}`), [])
    })

    it('by provider connection', async () => {
      assert.deepEqual(await found(`?providerId=${providerId}`), ['withProvider'])
      assert.deepEqual(await found(`?providerId=${providerId.toUpperCase()}`), ['withProvider'])
      assert.deepEqual(await found(`?providerId=${randomUUID()}`), [])
    })

    it('by time of creation and change, both ends included, in any offset', async () => {
      const { draft, withProvider, archived } = made as { draft: Listed; withProvider: Listed; archived: Listed }
      const later = (text: string, ms: number) => new Date(new Date(text).getTime() + ms).toISOString()
      assert.deepEqual(await found(`?createdFrom=${withProvider.createdAt}`), ['withProvider'])
      assert.deepEqual(await found(`?createdFrom=${later(withProvider.createdAt, 1)}`), [])
      const justAfter = (text: string) => text.replace('Z', '001Z')
      assert.deepEqual(await found(`?createdFrom=${justAfter(withProvider.createdAt)}`), [])
      assert.deepEqual(await found(`?createdTo=${justAfter(draft.createdAt)}`), ['draft'])
      assert.deepEqual(await found(`?createdTo=${draft.createdAt}`), ['draft'])
      assert.deepEqual(await found(`?createdTo=${later(draft.createdAt, -1)}`), [])
      assert.deepEqual(await found(`?createdFrom=${draft.createdAt}&createdTo=${draft.createdAt}`), ['draft'])
      const shifted = later(draft.createdAt, 2 * 3600_000).replace('Z', '%2B02:00')
      assert.deepEqual(await found(`?createdFrom=${shifted}&createdTo=${shifted}`), ['draft'])
      assert.ok(archived.updatedAt > archived.createdAt)
      assert.deepEqual(await found(`?displayStatus=archived&updatedFrom=${archived.updatedAt}&updatedTo=${archived.updatedAt}`), [
        'archived',
      ])
      assert.deepEqual(await found(`?displayStatus=archived&updatedTo=${archived.createdAt}`), [])
    })

    it('From after To returns 400', async () => {
      await refused('?createdFrom=2026-05-04T00:00:00.001Z&createdTo=2026-05-04T00:00:00Z')
      await refused('?updatedFrom=2026-05-04T02:00:00Z&updatedTo=2026-05-04T03:30:00%2B02:00')
    })
  })
})

describe('every other list', () => {
  it('has the same shape and limits, and its own cursors', async () => {
    const overture = await startOverture()
    after(() => overture.end())
    const { client, home } = overture
    const campaign = await makeCampaign(overture, { name: 'Parent' })
    for (let n = 0; n < 3; n++) {
      await makeProvider(overture)
      await client.post(`${home}/suppressions`, { kind: 'email', value: `p${n}@example.com` })
      await client.post(`${home}/api-keys`, { name: `${n}`, scopes: ['campaigns:read'] })
      await client.post(`${home}/webhooks`, { url: 'http://127.0.0.1:9/', events: ['*'] })
      await client.post('/v1/tokens', { name: `${n}` })
      await client.post('/v1/workspaces', { name: `${n}` })
      await client.operate('POST', `${home}/campaigns/${campaign.id}/duplicate`, { name: `${n}` })
      await client.operate('POST', `${home}/campaigns/${campaign.id}/leads/import`, { leads: [{ email: `l${n}@example.com` }] })
    }
    const lists = ['providers', 'suppressions', 'api-keys', 'webhooks', 'operations', 'events', `campaigns/${campaign.id}/leads`].map(
      name => `${home}/${name}`,
    )
    for (const path of [...lists, '/v1/tokens', '/v1/workspaces']) {
      const whole = await client.get(`${path}?limit=100`)
      const ids = whole.body.data.map((item: { id: string }) => item.id)
      assert.ok(ids.length >= 3, path)
      assert.deepEqual([whole.body.links.next, whole.body.meta.pagination.hasMore], [null, false], path)
      const walked: string[] = []
      for (let next: string | null = `${path}?limit=2`; next; ) {
        const reply: Reply = await client.get(next)
        walked.push(...reply.body.data.map((item: { id: string }) => item.id))
        next = reply.body.links.next
      }
      assert.deepEqual(walked, ids, path)
      for (const query of ['limit=0', 'limit=101', 'limit=2&limit=2', 'cursor='])
        assert.equal((await client.get(`${path}?${query}`)).status, 400, `${path} ${query}`)
      const { nextCursor } = (await client.get(`${home}/campaigns?limit=1`)).body.meta.pagination
      assert.equal((await client.get(`${path}?cursor=${encodeURIComponent(nextCursor)}`)).body.error.code, 'invalid_cursor', path)
    }
    // Two rows exceed the size of a page, so it ends with the second.
    const variables = `jsonb_build_object('a', repeat('x', 2500000))`
    const shape = `lead_shape(first_name, last_name, full_name, company, job_title, ${variables})`
    await overture.ctx.db.write(sql.atomic(`update leads set variables = ${variables}, shape = ${shape} where campaign_id = $1`), [
      campaign.id,
    ])
    const sizes: number[] = []
    for (let next: string | null = `${home}/campaigns/${campaign.id}/leads`; next; ) {
      const reply: Reply = await client.get(next)
      sizes.push(reply.body.data.length)
      next = reply.body.links.next
    }
    assert.deepEqual(sizes, [2, 1])
  })
})
