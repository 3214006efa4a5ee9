import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { after, describe, it } from 'node:test'
import { ROLE_SCOPES } from '../../src/http/access.ts'
import { ROLES } from '../../src/lib/roles.ts'
import { issueToken } from '../../src/modules/tokens/tokens.ts'
import { lockWorkspace, updateRole } from '../../src/modules/workspaces/queries.ts'
import { makeCampaign } from '../factories.ts'
import { eventually } from '../faults/eventually.ts'
import { overture as run } from '../faults/processes.ts'
import { Client, type Reply, startOverture, TEST_SECRET } from '../harness.ts'
import { Browser, signIn } from '../sessions.ts'

const overture = await startOverture({ worker: false })
const owner = overture.client
const home = overture.home
const team = `${home}/members`

describe('the people of a team', () => {
  const as = (token: string) => new Client(overture.baseUrl, token)
  const newEmail = () => `${randomUUID()}@team.example`
  const invite = (role: string, by = owner, email = newEmail()) => by.post(team, { email, role })
  const accept = (code: unknown, name = 'Ann', headers: Record<string, string> = {}) =>
    owner.post('/v1/invitations/accept', { code, name }, { token: null, headers })
  /** A new user who has accepted an invitation. */
  async function newMember(role: string): Promise<{ id: string; email: string; client: Client; accepted: Reply }> {
    const { code, email } = (await invite(role)).body.data
    const accepted = await accept(code)
    assert.equal(accepted.status, 201, JSON.stringify(accepted.body))
    return { id: accepted.body.data.member.id, email, client: as(accepted.body.data.token), accepted }
  }
  /** A token of the person with every scope, as the operator may issue it. */
  const issueAll = async (userId: string): Promise<Client> => {
    const token = { kind: 'personal', userId, workspaceId: null, name: 'all', scopes: ['*'], expiresAt: null } as const
    return as((await overture.ctx.db.inTransaction(tx => issueToken(tx, { ...token, scopes: ['*'] }, new Date()))).token)
  }
  const bearer = ({ token }: Client) => ({ headers: { authorization: `Bearer ${token}` } })
  const statusAndCode = (reply: Reply) => [reply.status, reply.body.error?.code]

  describe('an invitation', () => {
    it('returns a link once, and stores only the hash of its code', async () => {
      const headers = { 'idempotency-key': randomUUID() }
      const body = { email: 'New.Person@Team.example', role: 'member' }
      const first = await owner.post(team, body, { headers })
      assert.equal(first.status, 201)
      const { code, url, ...rest } = first.body.data
      assert.equal(url, `${overture.baseUrl}/join?code=${code}`)
      assert.deepEqual([rest.email, rest.role], ['new.person@team.example', 'member'])
      assert.equal(Math.round((Date.parse(rest.expiresAt) - Date.parse(rest.createdAt)) / 86_400_000), 7)
      const again = await owner.post(team, body, { headers })
      assert.deepEqual([again.status, again.body.data], [200, { ...rest, code: null, url: null }])
      assert.deepEqual((await owner.get(rest.links.self)).body.data, rest)
      const { rows } = await overture.ctx.db.pool.query('select hash from invitations where id = $1', [rest.id])
      assert.deepEqual(rows[0].hash, createHash('sha256').update(code).digest())
      for (const table of ['invitations', 'operations', 'events']) {
        const { rows } = await overture.ctx.db.pool.query(`select row_to_json(t)::text as row from ${table} t`)
        assert.ok(!JSON.stringify(rows).includes(code), table)
      }
    })

    it('creates a user with a role, a token and a session', async () => {
      const { id, email, client, accepted } = await newMember('member')
      assert.match(accepted.body.data.token, /^ovr_pat_/)
      assert.equal(accepted.body.data.workspaceId, overture.workspaceId)
      const shown = (await client.get(`${team}/${id}`)).body.data
      assert.deepEqual([shown.user, shown.role], [{ id, name: 'Ann', email, isProved: false }, 'member'])
      assert.ok((await owner.get(team)).body.data.some((member: { id: string }) => member.id === id))
      const me = (await client.get('/v1/session')).body.data
      assert.deepEqual(me.workspaces, [
        { id: overture.workspaceId, name: 'me@overture.example', role: 'member', scopes: [...ROLE_SCOPES.member], lastEventSeq: 0 },
      ])
      const cookie = String(accepted.headers['set-cookie']).split(';')[0]!
      const page = { cookie, origin: overture.baseUrl, 'x-overture-console': accepted.body.data.sessionKey }
      assert.equal((await owner.get(`${home}/campaigns`, { token: null, headers: page })).status, 200)
    })

    it('works once, even for twenty concurrent requests', async () => {
      const { code, email } = (await invite('member')).body.data
      const replies = await Promise.all(Array.from({ length: 20 }, (_, n) => accept(code, `Racer ${n}`)))
      assert.deepEqual(replies.map(reply => reply.status).toSorted(), [201, ...Array(19).fill(401)])
      assert.deepEqual(statusAndCode(await accept(code)), [401, 'invalid_token'])
      const { rows } = await overture.ctx.db.pool.query(
        'select count(*)::int as people from users u join memberships m on m.user_id = u.id where u.email = $1',
        [email],
      )
      assert.equal(rows[0].people, 1)
    })

    it('is refused if it is guessed, expired, withdrawn or replaced, or from a page of another origin', async () => {
      for (const code of ['guessed', 'x'.repeat(43), '../../..']) assert.equal((await accept(code)).status, 401)
      const expired = (await invite('viewer')).body.data
      await overture.ctx.db.pool.query('update invitations set expires_at = now() where id = $1', [expired.id])
      assert.equal((await accept(expired.code)).status, 401)
      const withdrawn = (await invite('viewer')).body.data
      assert.equal((await owner.delete(withdrawn.links.self)).status, 204)
      assert.equal((await owner.delete(withdrawn.links.self)).status, 404)
      assert.equal((await accept(withdrawn.code)).status, 401)
      const email = newEmail()
      const [first, second] = [(await invite('admin', owner, email)).body.data, (await invite('viewer', owner, email)).body.data]
      assert.equal((await accept(first.code)).status, 401)
      assert.equal((await accept(second.code, 'Ann', { origin: 'https://evil.example' })).status, 403)
      assert.equal((await accept(second.code)).body.data.member.role, 'viewer')
      for (const body of [{ email, role: 'god' }, { email: 'nobody', role: 'viewer' }, { role: 'viewer' }, { email }]) {
        assert.equal((await owner.post(team, body)).status, 422)
      }
      assert.equal((await owner.post('/v1/invitations/accept', { code: 'x', name: ' ' }, { token: null })).status, 422)
    })

    it('does not let the inviter take over the account of that person', async () => {
      const victim = await overture.stranger()
      const { email, id: victimId } = (await victim.client.get('/v1/session')).body.data.user
      const { code } = (await invite('member', owner, email)).body.data
      assert.deepEqual(statusAndCode(await accept(code, 'Mallory')), [403, 'forbidden'])
      const join = (client: Client) => client.post('/v1/invitations/join', { code })
      assert.deepEqual(statusAndCode(await join(owner)), [403, 'forbidden'])
      assert.deepEqual(statusAndCode(await join(await overture.withScopes(['*']))), [403, 'forbidden'])
      assert.equal((await victim.client.get(home)).status, 404)
      const browser = await signIn(victim.client)
      const joined = await browser.send('POST', '/v1/invitations/join', { code })
      assert.deepEqual([joined.status, joined.body.data.member.id, joined.body.data.workspaceId], [200, victimId, overture.workspaceId])
      assert.equal((await victim.client.get(home)).status, 200)
      assert.equal((await join(victim.client)).status, 404, 'once')
      assert.deepEqual(statusAndCode(await invite('member', owner, email)), [409, 'invalid_state'])
    })

    it('of an owner is withdrawn and replaced by owners only', async () => {
      const admin = await newMember('admin')
      const invitation = (await invite('owner')).body.data
      for (const refused of [await admin.client.delete(invitation.links.self), await invite('viewer', admin.client, invitation.email)])
        assert.deepEqual(statusAndCode(refused), [403, 'forbidden'])
      assert.equal((await owner.get(invitation.links.self)).status, 200)
      const member = (await invite('member')).body.data
      assert.equal((await invite('viewer', admin.client, member.email)).status, 201)
      assert.equal((await invite('admin', owner, invitation.email)).status, 201)
    })

    it('ends with the token that created it, and with the role of its creator', async () => {
      const key = (await owner.post(`${home}/api-keys`, { name: 'inviter', scopes: ['*'] })).body.data
      const byKey = (await invite('admin', as(key.token))).body.data
      await owner.delete(`${home}/api-keys/${key.id}`)
      assert.equal((await accept(byKey.code)).status, 401)
      for (const end of ['demote', 'remove']) {
        const admin = await newMember('admin')
        const { code } = (await invite('admin', admin.client)).body.data
        if (end === 'demote') assert.equal((await owner.patch(`${team}/${admin.id}`, { role: 'viewer' })).status, 200)
        else assert.equal((await owner.delete(`${team}/${admin.id}`)).status, 204)
        assert.equal((await accept(code)).status, 401, end)
      }
    })
  })

  describe('a role', () => {
    it('is a set of scopes that includes those of lower roles', () => {
      const setOf = (role: (typeof ROLES)[number]) => new Set<string>(ROLE_SCOPES[role])
      const sets = ROLES.map(setOf)
      for (let n = 1; n < sets.length; n++) {
        assert.ok(
          [...sets[n]!].every(scope => sets[n - 1]!.has(scope)),
          ROLES[n],
        )
        if (ROLES[n] !== 'admin') assert.ok(sets[n]!.size < sets[n - 1]!.size, ROLES[n])
      }
      assert.ok([...setOf('viewer')].every(scope => scope.endsWith(':read')))
    })

    it('limits a token, and a token limits its user', async () => {
      const viewer = await newMember('viewer')
      const campaign = await makeCampaign(overture, { name: 'Looked at' })
      assert.equal((await viewer.client.get(`${home}/campaigns/${campaign.id}`)).status, 200)
      const browser = await signIn(viewer.client)
      for (const [method, path, body] of [
        ['POST', `${home}/campaigns`, { name: 'x' }],
        ['PATCH', home, { name: 'x' }],
        ['POST', `${home}/webhooks`, { url: 'https://x.example', events: ['*'] }],
        ['POST', `${home}/api-keys`, { name: 'x', scopes: ['campaigns:read'] }],
        ['POST', team, { email: newEmail(), role: 'viewer' }],
        ['PATCH', `${team}/${viewer.id}`, { role: 'owner' }],
        ['DELETE', `${team}/${overture.userId}`, undefined],
        ['POST', `${home}/credits/grants`, { amount: 5 }],
      ] as const) {
        for (const reply of [await viewer.client.send(method, path, body), await browser.send(method, path, body)]) {
          assert.deepEqual(statusAndCode(reply), [403, 'insufficient_scope'], `${method} ${path}`)
        }
      }
      assert.deepEqual(statusAndCode(await viewer.client.post('/v1/tokens', { name: 'wide', scopes: ['*'] })), [403, 'forbidden'])
      const member = await newMember('member')
      const narrow = (await member.client.post('/v1/tokens', { name: 'narrow', scopes: ['campaigns:read', 'tokens:write'] })).body.data
      assert.equal((await as(narrow.token).get(`${home}/campaigns`)).status, 200)
      assert.equal((await as(narrow.token).post(`${home}/campaigns`, { name: 'x' })).status, 403)
      assert.equal((await as(narrow.token).post(`${home}/api-keys`, { name: 'x', scopes: ['campaigns:read'] })).status, 403)
    })

    it('applies to paths without a workspace: an operation is read with the scopes of the role', async () => {
      const made = await owner.post(`${home}/api-keys`, { name: 'x', scopes: ['campaigns:read'] })
      assert.equal(made.status, 201)
      const { rows } = await overture.ctx.db.pool.query(
        "select id from operations where action = 'api_key.create' and workspace_id = $1 limit 1",
        [overture.workspaceId],
      )
      const member = await newMember('member')
      const narrow = (await member.client.post('/v1/tokens', { name: 'narrow', scopes: ['tokens:write'] })).body.data
      assert.equal((await member.client.get(`/v1/operations/${rows[0].id}`)).status, 200)
      assert.deepEqual(statusAndCode(await as(narrow.token).get(`/v1/operations/${rows[0].id}`)), [403, 'insufficient_scope'])
    })

    it('gives the token of an invitation exactly its scopes, and changes with it', async () => {
      const { id, client } = await newMember('viewer')
      const scopes = async () => new Set<string>((await client.get('/v1/tokens/current')).body.data.scopes)
      const scopesOf = (role: (typeof ROLES)[number]) => new Set<string>([...ROLE_SCOPES[role], 'tokens:read', 'tokens:write'])
      assert.deepEqual(await scopes(), scopesOf('viewer'))
      assert.equal((await owner.patch(`${team}/${id}`, { role: 'member' })).status, 200)
      assert.deepEqual(await scopes(), scopesOf('member'))
      assert.equal((await client.post(`${home}/campaigns`, { name: 'Mine' })).status, 201)
      assert.equal((await owner.patch(`${team}/${id}`, { role: 'viewer' })).status, 200)
      assert.deepEqual(await scopes(), scopesOf('viewer'))
    })

    it('of an invited person grants no credits and creates no workspace', async () => {
      for (const role of ROLES) {
        const { client } = await newMember(role)
        const created = await client.post('/v1/workspaces', { name: 'Mine' })
        assert.ok(['forbidden', 'insufficient_scope'].includes(created.body.error?.code), `${role}: ${created.status}`)
        assert.deepEqual(statusAndCode(await client.post(`${home}/credits/grants`, { amount: 5 })), [403, 'insufficient_scope'], role)
      }
      const wide = (await owner.post(`${home}/api-keys`, { name: 'all', scopes: ['*'] })).body.data
      assert.deepEqual(statusAndCode(await as(wide.token).post(`${home}/credits/grants`, { amount: 5 })), [403, 'insufficient_scope'])
      assert.deepEqual(statusAndCode(await owner.post(`${home}/api-keys`, { name: 'mint', scopes: ['credits:write'] })), [403, 'forbidden'])
    })

    it('applies in the first workspace for the test clock, which has no workspace in its path', async () => {
      const viewer = await newMember('viewer')
      const wide = await issueAll(viewer.id)
      for (const client of [viewer.client, wide])
        assert.deepEqual(statusAndCode(await client.post('/v1/sandbox/clock', { advance: { days: 1 } })), [403, 'insufficient_scope'])
    })

    it('cannot be changed by a person with a lower role', async () => {
      const [admin, other, member] = [await newMember('admin'), await newMember('admin'), await newMember('member')]
      assert.deepEqual(statusAndCode(await invite('owner', admin.client)), [403, 'forbidden'])
      assert.equal((await invite('admin', admin.client)).status, 201)
      assert.deepEqual(statusAndCode(await admin.client.patch(`${team}/${admin.id}`, { role: 'owner' })), [403, 'forbidden'])
      assert.deepEqual(statusAndCode(await admin.client.patch(`${team}/${overture.userId}`, { role: 'viewer' })), [403, 'forbidden'])
      assert.deepEqual(statusAndCode(await admin.client.delete(`${team}/${overture.userId}`)), [403, 'forbidden'])
      assert.equal((await admin.client.patch(`${team}/${member.id}`, { role: 'viewer' })).body.data.role, 'viewer')
      assert.equal((await admin.client.patch(`${team}/${other.id}`, { role: 'member' })).status, 200)
      const narrow = (await owner.post('/v1/tokens', { name: 'team only', scopes: ['team:read', 'team:write'] })).body.data
      for (const role of ROLES) assert.deepEqual(statusAndCode(await invite(role, as(narrow.token))), [403, 'forbidden'], role)
      assert.deepEqual(statusAndCode(await as(narrow.token).delete(`${team}/${member.id}`)), [403, 'forbidden'])
    })

    it('ends the event streams of its person when it changes, and new ones are open to the new role', async () => {
      const { id, client } = await newMember('member')
      const follow = () => fetch(`${overture.baseUrl}${home}/events/stream`, { headers: { authorization: `Bearer ${client.token}` } })
      const [changed, other] = [await follow(), await fetch(`${overture.baseUrl}${home}/events/stream`, bearer(owner))]
      const [over, stays] = [changed.text(), other.body!.getReader()]
      assert.equal((await owner.patch(`${team}/${id}`, { role: 'viewer' })).status, 200)
      assert.match(await over, /: following/)
      const again = await follow()
      assert.equal(again.status, 200)
      await again.body!.cancel()
      assert.equal((await stays.read()).done, false)
      await stays.cancel()
    })

    it('that was removed is gone with the next request, in existing sessions and tokens too', async () => {
      const second = await newMember('owner')
      const browser = await signIn(second.client)
      assert.equal((await browser.send('PATCH', home, { name: 'Ours' })).status, 200)
      assert.equal((await owner.patch(`${team}/${second.id}`, { role: 'viewer' })).status, 200)
      for (const reply of [
        await browser.send('PATCH', home, { name: 'Mine' }),
        await second.client.patch(home, { name: 'Mine' }),
        await browser.send('PATCH', `${team}/${second.id}`, { role: 'owner' }),
        await browser.send('DELETE', `${team}/${overture.userId}`),
      ]) {
        assert.deepEqual(statusAndCode(reply), [403, 'insufficient_scope'])
      }
      assert.equal((await browser.get(home)).body.data.name, 'Ours')
    })
  })

  describe('a request that began before its person lost the role', () => {
    const lessThan = (body: unknown) => {
      const text = JSON.stringify(body)
      return [text.slice(0, -1), text.slice(-1)] as const
    }
    /** Sends all but the last character of the body; the returned function sends the rest and returns the response. */
    async function begin(token: string, method: string, path: string, type: string, [most, rest]: readonly [string, string]) {
      const headers = { authorization: `Bearer ${token}`, 'content-type': type, 'content-length': most.length + rest.length }
      const asked = request(new URL(path, overture.baseUrl), { method, headers })
      const answered = once(asked, 'response') as Promise<[IncomingMessage]>
      const admitted = once(overture.app.server, 'request')
      asked.write(most)
      await admitted
      return async () => {
        asked.end(rest)
        const [answer] = await answered
        return { status: answer.statusCode, body: await json(answer) } as Reply
      }
    }

    it('is refused when its body arrives afterwards', async () => {
      const { id, client } = await newMember('admin')
      const campaign = await makeCampaign(overture, { name: 'Late' })
      const csv = ['email\nlate@team.example', '\n'] as const
      const begun = []
      for (const [method, path, type, body] of [
        ['PATCH', `${team}/${id}`, 'application/json', lessThan({ role: 'admin' })],
        ['POST', team, 'application/json', lessThan({ email: newEmail(), role: 'admin' })],
        ['POST', `${home}/api-keys`, 'application/json', lessThan({ name: 'late', scopes: ['leads:read'] })],
        ['POST', `${home}/campaigns/${campaign.id}/leads/import/csv`, 'text/csv', csv],
        ['POST', `${home}/suppressions/import/csv`, 'text/csv', csv],
      ] as const) {
        const finish = await begin(client.token, method, path, type, body)
        // The answer to a later request says that the earlier ones of the same person were admitted.
        assert.equal((await client.get(home)).status, 200)
        begun.push(finish)
      }
      assert.equal((await owner.patch(`${team}/${id}`, { role: 'viewer' })).status, 200)
      for (const finish of begun) assert.deepEqual(statusAndCode(await finish()), [403, 'insufficient_scope'])
      assert.equal((await owner.get(`${team}/${id}`)).body.data.role, 'viewer')
    })

    it('is refused when it waited for another change of the team', async () => {
      const { id, client } = await newMember('admin')
      const { db } = overture.ctx
      const key = (await client.post(`${home}/api-keys`, { name: 'early', scopes: ['leads:read'] })).body.data
      const late = await db.inTransaction(async tx => {
        await lockWorkspace(tx, overture.workspaceId)
        const asked = [
          client.patch(`${team}/${id}`, { role: 'admin' }),
          invite('admin', client),
          client.delete(`${team}/${overture.userId}`),
          client.post(`${home}/api-keys`, { name: 'late', scopes: ['leads:read'] }),
          client.post(`${home}/api-keys/${key.id}/rotate`, {}),
        ]
        await eventually('they wait for the team', async () => {
          const { rows } = await db.pool.query(
            `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          )
          return rows.length === asked.length
        })
        await updateRole(tx, overture.workspaceId, id, 'viewer')
        return { asked }
      })
      const codes = ['insufficient_scope', 'forbidden']
      for (const asked of late.asked) assert.ok(codes.includes((await asked).body.error?.code), JSON.stringify((await asked).body))
      assert.equal((await owner.get(`${team}/${id}`)).body.data.role, 'viewer')
    })
  })

  describe('a workspace key', () => {
    it('decides nothing about owners, whoever created it and whatever its scopes are', async () => {
      const admin = await newMember('admin')
      const made = await (await issueAll(admin.id)).post(`${home}/api-keys`, { name: 'all', scopes: ['*'] })
      assert.equal(made.status, 201, JSON.stringify(made.body))
      const second = (await newMember('owner')).id
      for (const key of [as(made.body.data.token), await overture.withScopes(['*'])]) {
        const replies = [
          await key.patch(`${team}/${admin.id}`, { role: 'owner' }),
          await key.patch(`${team}/${second}`, { role: 'member' }),
          await key.delete(`${team}/${second}`),
          await key.post(team, { email: newEmail(), role: 'owner' }),
        ]
        assert.deepEqual(replies.map(statusAndCode), Array(4).fill([403, 'forbidden']))
        assert.equal((await key.post(team, { email: newEmail(), role: 'admin' })).status, 201)
      }
    })
  })

  describe('the last owner', () => {
    it('cannot be removed or demoted, and of two concurrent removals one fails', async () => {
      const lonely = await startOverture({ worker: false })
      after(() => lonely.end())
      const place = `${lonely.home}/members`
      const key = await lonely.withScopes(['*'])
      assert.deepEqual(statusAndCode(await lonely.client.delete(`${place}/${lonely.userId}`)), [409, 'invalid_state'])
      assert.deepEqual(statusAndCode(await lonely.client.patch(`${place}/${lonely.userId}`, { role: 'admin' })), [409, 'invalid_state'])
      let first = { id: lonely.userId, client: lonely.client }
      for (let round = 0; round < 5; round++) {
        const { code } = (await first.client.post(place, { email: newEmail(), role: 'owner' })).body.data
        const accepted = await lonely.client.post('/v1/invitations/accept', { code, name: 'Second' }, { token: null })
        const second = { id: accepted.body.data.member.id, client: new Client(lonely.baseUrl, accepted.body.data.token) }
        const replies = await Promise.all([
          first.client.patch(`${place}/${second.id}`, { role: 'viewer' }),
          round % 2 ? second.client.patch(`${place}/${first.id}`, { role: 'viewer' }) : second.client.delete(`${place}/${first.id}`),
        ])
        assert.equal(replies.filter(reply => reply.status < 300).length, 1, JSON.stringify(replies.map(reply => reply.status)))
        const people: { id: string; role: string }[] = (await key.get(place)).body.data
        const [left, ...others] = people.filter(({ role }) => role === 'owner')
        assert.deepEqual(others, [])
        if (left!.id === second.id) first = second
      }
    })
  })

  describe('a removed member', () => {
    it('has no access from the next request on: no token, no session, no stream', async () => {
      const { id, client } = await newMember('admin')
      const browser = await signIn(client)
      const stream = await fetch(`${overture.baseUrl}${home}/events/stream`, { headers: { authorization: `Bearer ${client.token}` } })
      assert.equal(stream.status, 200)
      const over = stream.text()
      assert.equal((await owner.delete(`${team}/${id}`)).status, 204)
      for (const reply of [
        await client.get(home),
        await browser.get(home),
        await client.get('/v1/session'),
        await browser.get('/v1/session'),
      ]) {
        assert.equal(reply.status, 401)
      }
      await eventually('the stream ends', async () => (await Promise.race([over, null])) !== null)
      assert.equal((await owner.delete(`${team}/${id}`)).status, 404)
      assert.equal((await owner.get(`${team}/${id}`)).status, 404)
    })

    it('keeps access to other workspaces, and can be invited again', async () => {
      const stranger = await overture.stranger()
      const { email, id } = (await stranger.client.get('/v1/session')).body.data.user
      const join = async () => stranger.client.post('/v1/invitations/join', { code: (await invite('member', owner, email)).body.data.code })
      assert.equal((await join()).status, 200)
      const browser = await signIn(stranger.client)
      assert.equal((await browser.get(home)).status, 200)
      assert.equal((await owner.delete(`${team}/${id}`)).status, 204)
      assert.deepEqual([(await browser.get(home)).status, (await browser.get(stranger.home)).status], [404, 200])
      assert.equal((await join()).status, 200)
      assert.equal((await browser.get(home)).status, 200)
    })

    it('a token that can do less than its person cannot leave for the person', async () => {
      const { id, client } = await newMember('member')
      const narrow = await client.post('/v1/tokens', { name: 'reader', scopes: ['campaigns:read'] })
      assert.equal(narrow.status, 201, JSON.stringify(narrow.body))
      // A body of an unknown type changes nothing: the scope is judged before it is read.
      for (const headers of [{}, { 'content-type': 'text/plain' }]) {
        const left = await as(narrow.body.data.token).send('DELETE', `${team}/${id}`, 'content-type' in headers ? 'x' : undefined, {
          headers,
        })
        assert.deepEqual(statusAndCode(left), [403, 'insufficient_scope'])
      }
      assert.equal((await client.get(home)).status, 200)
    })

    it('every member can leave, whatever their role', async () => {
      const { id, client } = await newMember('viewer')
      assert.equal((await client.delete(`${team}/${id}`)).status, 204)
      assert.equal((await client.get(home)).status, 401)
    })
  })

  it('people and invitations of another workspace cannot be seen or changed', async () => {
    const stranger = await overture.stranger()
    const { id } = await newMember('member')
    const { id: invitationId } = (await invite('member')).body.data
    for (const path of [`${team}/${id}`, `${stranger.home}/members/${id}`]) {
      assert.equal((await stranger.client.get(path)).status, 404)
      assert.equal((await stranger.client.patch(path, { role: 'viewer' })).status, 404)
      assert.equal((await stranger.client.delete(path)).status, 404)
    }
    for (const path of [`${team}/invitations/${invitationId}`, `${stranger.home}/members/invitations/${invitationId}`]) {
      assert.equal((await stranger.client.get(path)).status, 404)
      assert.equal((await stranger.client.delete(path)).status, 404)
    }
    assert.deepEqual((await stranger.client.get(`${stranger.home}/members/invitations`)).body.data, [])
    assert.equal((await owner.get(`${team}/${id}`)).status, 200)
  })

  describe('on the command line', () => {
    const command = async (...args: string[]) => {
      const program = run(args, { DATABASE_URL: overture.databaseUrl, OVERTURE_SECRET_KEY: TEST_SECRET.toString('base64') })
      return { code: await program.exited, output: program.output }
    }

    it('user add adds a person to an existing workspace with a role, and changes it the next time', async () => {
      const made = (await owner.post('/v1/workspaces', { name: 'Acme' })).body.data
      const email = newEmail()
      const added = await command('user', 'add', email, '--workspace', 'acme', '--role', 'viewer')
      assert.equal(added.code, 0, added.output)
      const { userId, ...rest } = JSON.parse(added.output)
      assert.deepEqual(rest, { workspaceId: made.id, email, role: 'viewer' })
      const token = await command('token', 'create', '--email', email)
      assert.equal(token.code, 0, token.output)
      const unsure = await command('user', 'add', email, '--workspace', made.id)
      assert.deepEqual([unsure.code, unsure.output.includes(JSON.parse(token.output).token.slice(-4))], [2, true], unsure.output)
      const wider = await command('user', 'add', email, '--workspace', made.id, '--role', 'viewer', '--create-workspaces')
      assert.deepEqual([wider.code, wider.output.includes(JSON.parse(token.output).token.slice(-4))], [2, true], wider.output)
      assert.equal((await command('user', 'add', email, '--workspace', made.id, '--existing')).code, 0)
      assert.equal((await owner.get(`/v1/workspaces/${made.id}/members/${userId}`)).body.data.role, 'member')
      for (const [args, exitCode, says] of [
        [['user', 'add', email, '--workspace', 'Nowhere'], 4, /no workspace "Nowhere"/],
        [['user', 'add', email, '--workspace', 'Acme', '--role', 'god'], 2, /no role "god"/],
        [['user', 'add', 'nobody', '--workspace', 'Acme'], 2, /Specify a person/],
        [['user', 'add', email, '--workspace', 'Acme', '--rolle', 'owner'], 2, /Unknown option '--rolle'/],
        [['token', 'create'], 2, /email address of the token owner/],
        [['token', 'create', '--email', 'nobody'], 2, /email address of the token owner/],
        [['console-link', '--email', 'nobody'], 2, /"nobody" is not an email address/],
        [['credits', 'grant', '5'], 2, /no command "credits grant 5"/],
        [['credits', 'grant', '--workspace', randomUUID(), '--amount', '5'], 4, /no workspace/],
      ] as const) {
        const refused = await command(...args)
        assert.equal(refused.code, exitCode, refused.output)
        assert.match(refused.output, says)
        assert.match(refused.output, /^Error: .*\nNext: \S/m)
      }
    })

    it('user add gives nothing to a person whose address an invitation named', async () => {
      const squatter = await newMember('viewer')
      const made = (await owner.post('/v1/workspaces', { name: 'Initech' })).body.data
      const added = await command('user', 'add', squatter.email, '--workspace', made.id, '--role', 'owner')
      assert.equal(added.code, 0, added.output)
      assert.notEqual(JSON.parse(added.output).userId, squatter.id)
      assert.equal((await squatter.client.get(`/v1/workspaces/${made.id}`)).status, 404)
      assert.equal((await squatter.client.get(home)).status, 200, 'and they keep what they were invited to')
    })

    it('an address that was taken with an invitation gives nothing of the person who gets an account with it later', async () => {
      const email = newEmail()
      // The inviter of an own workspace accepts as a new person.
      const squatter = (await accept((await invite('member', owner, email)).body.data.code, 'Not the director')).body.data
      const squatted = as(squatter.token)
      const other = await overture.stranger()
      const add = await command('user', 'add', email, '--workspace', other.workspaceId, '--role', 'owner', '--name', 'Director')
      assert.equal(add.code, 0, add.output)
      const director = as(JSON.parse((await command('token', 'create', '--email', email)).output).token)
      const identityOf = async (client: Client) => (await client.get('/v1/session')).body.data.user.id
      assert.equal(await identityOf(director), JSON.parse(add.output).userId)
      assert.notEqual(await identityOf(squatted), await identityOf(director))
      assert.deepEqual([(await director.get(other.home)).status, (await squatted.get(other.home)).status], [200, 404])
      // A code for the address in their hands makes them no member under it, in whichever way they accept.
      const third = await overture.stranger()
      const codeOf = async () => (await third.client.post(`${third.home}/members`, { email, role: 'member' })).body.data.code
      const code = await codeOf()
      assert.deepEqual(statusAndCode(await squatted.post('/v1/invitations/join', { code })), [403, 'forbidden'])
      assert.deepEqual(statusAndCode(await accept(code, 'Not the director')), [403, 'forbidden'])
      assert.equal((await squatted.get(third.home)).status, 404)
      assert.equal((await director.post('/v1/invitations/join', { code })).status, 200)
      assert.equal((await director.get(third.home)).status, 200)
    })

    it('user add lets a person create workspaces, and token create --operator creates a token that grants credits', async () => {
      const email = newEmail()
      assert.equal((await command('user', 'add', email, '--workspace', home.slice(-36), '--create-workspaces')).code, 0)
      for (const [args, status] of [
        [[], 403],
        [['--operator'], 201],
      ] as const) {
        const { token } = JSON.parse((await command('token', 'create', '--email', email, ...args)).output)
        const made = await as(token).post('/v1/workspaces', { name: 'Mine' })
        assert.equal(made.status, 201)
        assert.equal((await as(token).post(`${made.body.data.links.self}/credits/grants`, { amount: 5 })).status, status)
      }
    })

    it('user add asks for the id if two workspaces have the same name', async () => {
      const [one, two] = [
        (await owner.post('/v1/workspaces', { name: 'Umbrella' })).body.data,
        (await owner.post('/v1/workspaces', { name: 'Umbrella' })).body.data,
      ]
      const refused = await command('user', 'add', newEmail(), '--workspace', 'umbrella')
      assert.equal(refused.code, 2)
      assert.match(refused.output, new RegExp(`several.*${one.id}, ${two.id}`))
    })
  })

  it('a session that was created by accepting is listed and ends like any other', async () => {
    const { client, accepted } = await newMember('member')
    const [session] = (await client.get('/v1/sessions')).body.data
    const { sessionKey } = accepted.body.data
    const page = new Browser(client, { ...accepted, body: { data: { session, sessionKey } } })
    assert.equal((await page.get(home)).status, 200)
    assert.equal((await client.delete(`/v1/sessions/${session.id}`)).status, 204, 'a session is theirs, whatever the role')
    assert.equal((await page.get(home)).status, 401)
  })
})
