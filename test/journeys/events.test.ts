import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { Database } from '../../src/db/client.ts'
import { recordEvent } from '../../src/modules/events/events.ts'
import { makeCampaign, makeReadyCampaign } from '../factories.ts'
import { type Overture, startOverture } from '../harness.ts'
import { madeUpData } from '../made-up-events.ts'

interface Event {
  id: string
  seq: number
  type: string
  timestamp: string
  workspaceId: string
  data: Record<string, unknown>
}

const overture = await startOverture()
const { client, home } = overture

describe('the event log', () => {
  const newWorkspace = async () => `/v1/workspaces/${(await client.post('/v1/workspaces', { name: randomUUID() })).body.data.id}`

  /** Follows the log the way a consumer does: by the last seq seen. */
  async function follow(at: string, from = 0, limit = 100): Promise<Event[]> {
    const events: Event[] = []
    for (;;) {
      const { data } = (await client.get(`${at}/events?after=${events.at(-1)?.seq ?? from}&limit=${limit}`)).body as { data: Event[] }
      if (data.length === 0) return events
      events.push(...data)
    }
  }

  it('an event has id, seq, type, timestamp, workspaceId, data and links, and describes what happened', async () => {
    const at = await newWorkspace()
    const campaign = (await client.post(`${at}/campaigns`, { name: 'Told' })).body.data
    const operation = await client.operate('POST', `${at}/campaigns/${campaign.id}/archive`)
    const events = await follow(at)
    assert.deepEqual(
      events.map(event => [event.seq, event.type]),
      [
        [1, 'campaign.archived'],
        [2, 'operation.succeeded'],
      ],
    )
    assert.deepEqual(Object.keys(events[0]!).sort(), ['data', 'id', 'links', 'seq', 'timestamp', 'type', 'workspaceId'])
    assert.equal(events[0]!.data.campaignId, campaign.id)
    assert.deepEqual(events[1]!.data, { operationId: operation.id, action: 'campaign.archive', campaignId: campaign.id })
  })

  it('the whole life of a campaign is recorded in order', async () => {
    const at = await newWorkspace()
    const here = { ...overture, home: at } as Overture
    const { id } = await makeReadyCampaign(here, 'Told whole')
    const since = (await follow(at)).length
    for (const move of ['activate', 'pause', 'resume', 'pause', 'archive', 'unarchive'])
      await client.operate('POST', `${at}/campaigns/${id}/${move}`)
    const told = (await follow(at, since)).map(event => event.type).filter(type => type.startsWith('campaign.'))
    assert.deepEqual(told, [
      'campaign.activated',
      'campaign.paused',
      'campaign.resumed',
      'campaign.paused',
      'campaign.archived',
      'campaign.unarchived',
    ])
  })

  it('a failed operation records one event with its error, and no other', async () => {
    const at = await newWorkspace()
    const campaign = (await client.post(`${at}/campaigns`, { name: 'Stale' })).body.data
    const operation = await client.operate(
      'PATCH',
      `${at}/campaigns/${campaign.id}`,
      { niche: 'x' },
      { 'if-match': '2020-01-01T00:00:00Z' },
    )
    const [event, ...others] = await follow(at)
    assert.deepEqual([event!.type, event!.data.error], ['operation.failed', operation.error])
    assert.deepEqual(others, [])
  })

  it('has no gaps and follows the commit order under twenty concurrent writers, and a reader misses nothing', async () => {
    const at = await newWorkspace()
    const workspaceId = at.split('/').at(-1)!
    const database = new Database({ url: overture.databaseUrl, poolSize: 20, onWake: () => {} })
    const WRITERS = 20
    const EACH = 25
    let writing = true
    const seenWhileWriting: number[] = []
    const reader = (async () => {
      while (writing) {
        const { data } = (await client.get(`${at}/events?after=${seenWhileWriting.at(-1) ?? 0}&limit=100`)).body as { data: Event[] }
        seenWhileWriting.push(...data.map(event => event.seq))
      }
    })()
    let committed = 0
    await Promise.all(
      Array.from({ length: WRITERS }, async (_, writer) => {
        for (let n = 0; n < EACH; n++) {
          const failed = n % 5 === 4
          await database
            .inTransaction(async tx => {
              const several = 1 + (n % 3)
              for (let part = 0; part < several; part++) {
                recordEvent(tx, {
                  workspaceId,
                  type: 'email.opened',
                  timestamp: new Date(),
                  data: madeUpData('email.opened', { judgedBy: String(writer), step: n * 10 + part }),
                })
              }
              if (failed) throw new Error('changed its mind')
              committed += several
            })
            .catch(error => assert.ok(failed, error))
        }
      }),
    )
    writing = false
    await reader
    await database.close()
    const events = await follow(at)
    assert.equal(events.length, committed)
    assert.deepEqual(
      events.map(event => event.seq),
      Array.from({ length: committed }, (_, n) => n + 1),
    )
    assert.equal(new Set(events.map(event => event.id)).size, committed)
    for (let writer = 0; writer < WRITERS; writer++) {
      const own = events.filter(event => event.data.judgedBy === String(writer)).map(event => Number(event.data.step))
      assert.deepEqual(
        own,
        own.toSorted((a, b) => a - b),
      )
    }
    assert.deepEqual(
      seenWhileWriting,
      Array.from({ length: seenWhileWriting.length }, (_, n) => n + 1),
    )
  })

  it('the same events come by after, by cursor and by links.next, whatever the page size', async () => {
    const at = await newWorkspace()
    for (let n = 0; n < 7; n++) {
      const { id } = (await client.post(`${at}/campaigns`, { name: `${n}` })).body.data
      await client.operate('POST', `${at}/campaigns/${id}/archive`)
    }
    const whole = (await client.get(`${at}/events?limit=100`)).body.data as Event[]
    assert.equal(whole.length, 14)
    for (const limit of [1, 3, 14, 100]) assert.deepEqual(await follow(at, 0, limit), whole)
    const linked: Event[] = []
    for (let next: string | null = `${at}/events?limit=4`; next; ) {
      const { body } = await client.get(next)
      linked.push(...body.data)
      next = body.links.next
    }
    assert.deepEqual(linked, whole)
    assert.deepEqual(await follow(at, 10), whole.slice(10))
    assert.deepEqual((await client.get(`${at}/events?after=14`)).body.data, [])
    assert.deepEqual(
      ((await client.get(`${at}/events?type=campaign.archived&after=5`)).body.data as Event[]).map(event => event.seq),
      [7, 9, 11, 13],
    )
    const paged: Event[] = []
    for (let next: string | null = `${at}/events?after=3&type=campaign.archived&limit=2`; next; ) {
      const { body } = await client.get(next)
      paged.push(...body.data)
      next = body.links.next
    }
    assert.deepEqual(
      paged.map(event => event.seq),
      [5, 7, 9, 11, 13],
    )
  })

  it('refuses invalid parameters', async () => {
    for (const query of ['after=-1', 'after=x', 'type=nonsense', 'after=1&after=2', 'after=1.5'])
      assert.equal((await client.get(`${home}/events?${query}`)).status, 400, query)
  })

  it('is per workspace, with its own numbers', async () => {
    const stranger = await overture.stranger()
    await makeCampaign(overture, { name: 'Mine' })
    assert.equal((await stranger.client.get(`${home}/events`)).status, 404)
    assert.deepEqual((await stranger.client.get(`${stranger.home}/events`)).body.data, [])
  })
})
