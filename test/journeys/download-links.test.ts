import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { grantCredits } from '../../src/modules/credits/credits.ts'
import { eventually } from '../faults/eventually.ts'
import { Receiver } from '../faults/receiver.ts'
import { type Client, type Overture, startOverture } from '../harness.ts'
import { addPeople, staffOf } from '../people.ts'

describe('the signed link to the file of an export', () => {
  let overture: Overture
  let client: Client
  let home: string
  let operation: { id: string; result: { downloadUrl: string; exportId: string } }

  before(async () => {
    overture = await startOverture()
    ;({ client, home } = overture)
    await addPeople(overture, staffOf('Acme', 3))
    await overture.ctx.db.inTransaction(tx => grantCredits(tx, overture.workspaceId, 100, new Date()))
    operation = await order()
  })

  const order = () => client.operate('POST', `${home}/leads/search`, { filters: { companies: ['Acme'] }, leadCount: 1 })
  const shown = async (reader: Client) => {
    const one = (await reader.get(`/v1/operations/${operation.id}`)).body
    const listed = (await reader.get(`${home}/operations?action=lead_search.export&limit=100`)).body.data
    const events = (await reader.get(`${home}/events?type=lead_search.completed&limit=100`)).body.data
    const theirs = (data: { operationId: string }) => data.operationId === operation.id
    return [
      one.result,
      listed.find((row: { id: string }) => row.id === operation.id).result,
      events.map((event: { data: { operationId: string } }) => event.data).find(theirs),
    ]
  }

  it('is not shown to a token without a scope for leads: not in the operation, the list of operations, nor the event log', async () => {
    const auditor = await overture.withScopes(['operations:read', 'events:read', 'campaigns:write'])
    const { downloadUrl } = operation.result
    const [result, listed, event] = await shown(auditor)
    assert.deepEqual([result, listed], [null, null])
    assert.deepEqual([event.downloadUrl, event.exportId], [null, operation.result.exportId])
    assert.ok(!JSON.stringify(event).includes('signature='))
    assert.equal((await auditor.get(`${home}/exports`)).status, 403)
    // It stays valid for clients that already have it.
    assert.equal((await client.get(downloadUrl, { token: null })).status, 200)
  })

  it('is shown to a token that may read or buy leads', async () => {
    for (const scope of ['leads:read', 'leads:export']) {
      const reader = await overture.withScopes(['operations:read', 'events:read', scope])
      for (const seen of await shown(reader)) assert.equal(seen.downloadUrl, operation.result.downloadUrl)
    }
  })

  describe('in a webhook', () => {
    const listen = async (by: Client): Promise<{ receiver: Receiver; path: string }> => {
      const receiver = await Receiver.start()
      after(() => receiver.close())
      const created = await by.post(`${home}/webhooks`, { url: receiver.url, events: ['lead_search.completed'] })
      assert.equal(created.status, 201, JSON.stringify(created.body))
      receiver.useSecret(created.body.data.secret)
      return { receiver, path: `${home}/webhooks/${created.body.data.id}` }
    }
    const linkIn = async (receiver: Receiver, operationId: string): Promise<string | null> => {
      const data = await eventually('the event has arrived', () =>
        [...receiver.bodies.values()].map(body => JSON.parse(body).data).find(data => data.operationId === operationId),
      )
      return data.downloadUrl
    }

    it('goes only to endpoints of tokens that may see it', async () => {
      const setter = await overture.withScopes(['webhooks:write'])
      const buyer = await overture.withScopes(['webhooks:write', 'leads:export'])
      const [blind, seeing] = [await listen(setter), await listen(buyer)]
      const { id, result } = await order()
      assert.equal(await linkIn(blind.receiver, id), null)
      assert.equal(await linkIn(seeing.receiver, id), result.downloadUrl)
    })

    it('is hidden after a token without the scope changes the URL of the endpoint', async () => {
      const { receiver: before, path } = await listen(client)
      const elsewhere = await Receiver.start()
      after(() => elsewhere.close())
      const setter = await overture.withScopes(['webhooks:write'])
      const { secret } = (await client.post(`${path}/rotate-secret`, { overlapSeconds: 0 })).body.data
      elsewhere.useSecret(secret)
      assert.equal((await setter.patch(path, { url: elsewhere.url })).status, 200)
      assert.equal(await linkIn(elsewhere, (await order()).id), null)
      // It returns when a token with the scope sets the URL.
      before.useSecret(secret)
      assert.equal((await client.patch(path, { url: before.url })).status, 200)
      const { id, result } = await order()
      assert.equal(await linkIn(before, id), result.downloadUrl)
    })
  })
})
