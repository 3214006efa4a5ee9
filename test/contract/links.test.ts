import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { openApiDocument } from '../../scripts/openapi-document.ts'
import { exampleOf } from '../../scripts/openapi-texts.ts'
import { routes } from '../../src/app/routes.ts'
import type { Route } from '../../src/http/route.ts'
import { newId } from '../../src/lib/ids.ts'
import { grantCredits } from '../../src/modules/credits/credits.ts'
import { ensureExport } from '../../src/modules/exports/queries.ts'
import { setAside } from '../../src/modules/replies/matching.ts'
import { insertInbound } from '../../src/modules/replies/queries.ts'
import { insertSandboxMessages } from '../../src/modules/sandbox/queries.ts'
import { makeReadyCampaign } from '../factories.ts'
import { type Overture, startOverture } from '../harness.ts'

/** A shape with an id of its own, that is not handed in, is a resource. */
const schemas = (openApiDocument().components as { schemas: Record<string, { properties?: Record<string, unknown> }> }).schemas
const isList = (route: Route): boolean => 'meta' in ((route.replies[200]?.schema as { properties?: object })?.properties ?? {})
const lists = routes.filter(route => route.method === 'GET' && isList(route))

describe('the self link of a resource', () => {
  let overture: Overture
  let ids: Record<string, string>

  /** A workspace that has one of everything. */
  before(async () => {
    overture = await startOverture()
    const { client, home, workspaceId, ctx } = overture
    const campaign = await makeReadyCampaign(overture, 'Linked')
    await client.operate('POST', `${home}/campaigns/${campaign.id}/activate`)
    const lead = (await client.get(`${home}/campaigns/${campaign.id}/leads`)).body.data[0]
    const webhook = (await client.post(`${home}/webhooks`, { url: 'http://127.0.0.1:9/', events: ['*'] })).body.data
    await client.post(`${home}/webhooks/${webhook.id}/test`)
    await client.post(`${home}/suppressions`, { kind: 'domain', value: 'linked-away.example' })
    await client.post(`${home}/plans`, { operation: 'suppressions.create', body: { kind: 'domain', value: 'planned-away.example' } })
    await client.post(`${home}/api-keys`, { name: 'Linked', scopes: ['leads:read'] })
    await client.post('/v1/sessions', {})
    await client.post(`${home}/members`, { email: 'linked@overture.example', role: 'viewer' })
    await client.patch(`${home}/campaigns/${campaign.id}/leads/${lead.id}`, { status: 'interested' })
    const now = new Date()
    await ctx.db.inTransaction(async tx => {
      await grantCredits(tx, workspaceId, 5, now)
      await ensureExport(tx, { id: newId(), workspaceId, operationId: newId(), requestedCount: 1, now })
      const texts = { fromAddress: 'a@b.example', toAddress: 'c@d.example', subject: 's', text: 't', html: null, raw: 'r' }
      const about = { workspaceId, providerId: campaign.providerId!, campaignId: campaign.id, leadId: lead.id }
      await insertSandboxMessages(tx, [{ id: newId(), ...about, direction: 'out', ...texts, createdAt: now }])
      const reply = {
        kind: 'neutral',
        confidence: 1,
        needsLook: false,
        fromAddress: 'a@b.example',
        replyTo: null,
        cc: [],
        subject: 's',
        text: 't',
        receivedAt: now,
        ...{ messageId: null, referenceIds: [], fullText: 't', html: null, isCut: false },
        ...{ referralEmail: null, referralName: null, deferredUntil: null },
      }
      await insertInbound(tx, { id: newId(), ...about, dedupeKey: 'linked', sendId: newId(), ...reply })
      const located = { workspaceId, mailboxId: campaign.providerId!, folder: 'INBOX', isJunk: false, uidValidity: '1', uid: 1 }
      await setAside(tx, { ...located, raw: Buffer.from('x'), receivedAt: now }, 'unreadable', 'It is no message', now)
    })
    ids = { workspaceId, campaignId: campaign.id, leadId: lead.id, webhookId: webhook.id, providerId: campaign.providerId! }
  })

  /** The list. If it is empty, the example of the body of the POST beside it creates an item. */
  const oneOrMoreOf = async (list: Route) => {
    const { client } = overture
    const { body } = await client.get(pathOf(list))
    const create = routes.find(({ method, path }) => method === 'POST' && path === list.path)
    if (body.data.length > 0 || !create?.body) return body
    await client.post(pathOf(list), exampleOf(create.body, schemas))
    return (await client.get(pathOf(list))).body
  }

  const pathOf = (route: Route): string => route.path.replace(/:(\w+)/g, (_, name) => ids[name]!)

  it('is part of every resource', () => {
    const given = Object.entries(schemas).filter(
      ([name]) => !/^New|Patch$|Request$|Import$|^Directory|^IdResult$|^ErasedRecord$|^Actor$/.test(name),
    )
    const without = given.filter(([, { properties = {} }]) => 'id' in properties && !('links' in properties)).map(([name]) => name)
    assert.deepEqual(without, [])
    assert.ok(lists.length >= 13)
  })

  for (const list of lists) {
    it(`returns the same resource for every item of ${list.id}`, async () => {
      const body = await oneOrMoreOf(list)
      assert.ok(body.data.length > 0, `${list.id} is empty: create one in before() of test/contract/links.test.ts`)
      for (const resource of body.data) {
        const reply = await overture.client.get(resource.links.self)
        assert.equal(reply.status, 200, resource.links.self)
        const shown = reply.body.data ?? reply.body
        assert.deepEqual([shown.id, shown.links.self], [resource.id, resource.links.self])
        assert.match(resource.id, /^[0-9a-f-]{36}$/)
      }
      assert.equal((await overture.client.get(body.links.self)).status, 200)
    })
  }

  const singles = routes.filter(
    route =>
      route.method === 'GET' &&
      !isList(route) &&
      !route.replies[200]?.contentType &&
      !(route.query as { required?: string[] } | undefined)?.required?.length &&
      /^[^:]*(:(workspaceId|campaignId|leadId|webhookId|providerId)[^:]*)*$/.test(route.path),
  )
  for (const single of singles.filter(route => route.path.startsWith('/v1'))) {
    it(`returns the same resource as ${single.id}`, async () => {
      const { status, body } = await overture.client.get(pathOf(single))
      assert.equal(status, 200)
      assert.equal((await overture.client.get(body.data.links.self)).status, 200, body.data.links.self)
    })
  }

  it('works for resources that are shown but not stored', async () => {
    const { client, home } = overture
    for (const [path, asked] of [['preview', { step: 1 }] as const, ['simulate', { horizonDays: 30 }] as const]) {
      const { data } = (await client.post(`${home}/campaigns/${ids.campaignId}/${path}`, asked)).body
      const again = (await client.get(data.links.self)).body.data
      assert.equal(again.links.self, data.links.self)
      assert.equal(again.subject, data.subject)
    }
  })

  it('is hidden in another workspace, and for ids that do not exist', async () => {
    const { client, home } = overture
    const stranger = await overture.stranger()
    for (const path of ['events', 'replies', 'suppressions', 'api-keys', 'credits/ledger']) {
      const [resource] = (await client.get(`${home}/${path}`)).body.data
      assert.equal((await stranger.client.get(resource.links.self)).status, 404)
      assert.equal((await stranger.client.get(resource.links.self.replace(home, stranger.home))).status, 404)
      assert.equal((await client.get(`${home}/${path}/${newId()}`)).status, 404)
    }
  })
})
