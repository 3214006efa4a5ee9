import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { makeCampaign } from '../factories.ts'
import { Client, type Reply, startOverture } from '../harness.ts'
import { signIn } from '../sessions.ts'

interface Entry {
  id: string
  action: string
  actor: { type: string; id: string | null; name: string }
  createdAt: string
}

const overture = await startOverture({ worker: false })
const owner = overture.client
const home = overture.home

describe('the audit trail', () => {
  const audit = async (query = ''): Promise<Entry[]> => (await owner.get(`${home}/audit${query}`)).body.data

  it('every operation names its actor: a person, a workspace key, or the service', async () => {
    const key = await overture.withScopes(['*'])
    const { id: campaignId } = await makeCampaign(overture, { name: 'Copied' })
    const copy = (client: Client) => client.post(`${home}/campaigns/${campaignId}/duplicate`, { name: 'Copy' })
    const [mine, theirs] = [await copy(owner), await copy(key)]
    const actorOf = async (reply: { body: { id: string } }) => (await owner.get(`/v1/operations/${reply.body.id}`)).body.actor
    assert.deepEqual(await actorOf(mine), { type: 'user', id: overture.userId, name: 'me@overture.example' })
    const { id } = (await key.get('/v1/tokens/current')).body.data
    assert.deepEqual(await actorOf(theirs), { type: 'token', id, name: 'scoped' })
    await overture.ctx.db.pool.query('update operations set token_id = null where id = $1', [theirs.body.id])
    assert.deepEqual(await actorOf(theirs), { type: 'system', id: null, name: 'Overture' })
    const listed = (await owner.get(`${home}/operations`)).body.data.find((row: Entry) => row.id === mine.body.id)
    assert.equal(listed.actor.id, overture.userId)
  })

  it('lists writes, sign-ins and changes of tokens and the team, newest first, page by page, by actor, action and time', async () => {
    const browser = await signIn(owner)
    await owner.post('/v1/tokens', { name: 'mine' })
    const { code } = (await browser.send('POST', `${home}/members`, { email: 'ann@team.example', role: 'admin' })).body.data
    const joined = (await owner.post('/v1/invitations/accept', { code, name: 'Ann' }, { token: null })).body.data
    const ann = new Client(overture.baseUrl, joined.token)
    await ann.post(`${home}/campaigns`, { name: 'By Ann' })
    await ann.delete(`/v1/sessions/${(await ann.get('/v1/sessions')).body.data[0].id}`)
    const all = await audit('?limit=100')
    for (const action of ['session.create', 'token.create', 'team.invite', 'team.join', 'campaign.create', 'session.revoke']) {
      assert.ok(
        all.some(entry => entry.action === action),
        action,
      )
    }
    assert.deepEqual(
      all.map(entry => entry.createdAt),
      all
        .map(entry => entry.createdAt)
        .toSorted()
        .reverse(),
    )
    const byAnn = await audit(`?actorId=${joined.member.id}`)
    assert.deepEqual(byAnn.map(entry => entry.action).toSorted(), ['campaign.create', 'session.revoke', 'team.join'])
    assert.ok(byAnn.every(entry => entry.actor.name === 'Ann'))
    assert.ok((await audit('?action=team.invite')).every(entry => entry.action === 'team.invite'))
    const { createdAt } = all.at(-2)!
    assert.ok((await audit(`?createdTo=${createdAt}`)).every(entry => entry.createdAt <= createdAt))
    assert.deepEqual(await audit('?createdFrom=2100-01-01T00:00:00Z'), [])
    const paged: Entry[] = []
    for (let path: string | null = `${home}/audit?limit=2`; path !== null; ) {
      const { data, links }: Reply['body'] = (await owner.get(path)).body
      paged.push(...data)
      path = links.next
    }
    assert.deepEqual(paged, all)
  })

  it('needs audit:read, and shows nothing of another workspace', async () => {
    const stranger = await overture.stranger()
    await signIn(stranger.client)
    await stranger.client.patch(stranger.home, { name: 'Elsewhere' })
    const [{ id }] = (await stranger.client.get(`${stranger.home}/audit`)).body.data
    assert.equal((await owner.get(`${stranger.home}/audit`)).status, 404)
    assert.equal((await owner.get(`${home}/audit/${id}`)).status, 404)
    assert.ok(!(await audit('?limit=100')).some(entry => entry.id === id))
    const { code } = (await owner.post(`${home}/members`, { email: 'bo@team.example', role: 'member' })).body.data
    const { token } = (await owner.post('/v1/invitations/accept', { code, name: 'Bo' }, { token: null })).body.data
    assert.equal((await new Client(overture.baseUrl, token).get(`${home}/audit`)).status, 403)
  })
})
