import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, describe, it } from 'node:test'
import { OPERATOR_SCOPES, SCOPES } from '../../src/http/access.ts'
import { type Agent, overHttp, overStdio } from '../agents.ts'
import { makeProvider, makeReadyCampaign, STEPS } from '../factories.ts'
import { CACHE, ROOT } from '../faults/processes.ts'
import { full } from '../full.ts'
import { startOverture } from '../harness.ts'
import { addPeople, staffOf } from '../people.ts'
import { signIn } from '../sessions.ts'

const TOOLS = [
  'apply_plan',
  'plan_change',
  'check_campaign',
  'draft_campaign',
  'explain_campaign',
  'explain_lead',
  'find_leads',
  'list_campaigns',
  'preview_leads',
  'read_replies',
  'read_thread',
  'results',
  'simulate_campaign',
  'write_sequence',
]

/** The words between backticks in a cell of a table. */
const wordsIn = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word!)

const overture = await startOverture()
const { client, home } = overture

describe('the MCP endpoint', () => {
  const RPC = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const post = (headers: Record<string, string>, token: string | null = client.token) =>
    client.post('/mcp', RPC, { token, headers: { accept: 'application/json, text/event-stream', ...headers } })

  it('returns 401 without a token, to an unknown token, and to a session cookie', async () => {
    assert.deepEqual([(await post({}, null)).status, (await post({}, `ovr_pat_${'x'.repeat(42)}`)).status], [401, 401])
    const { cookie, key } = await signIn(client)
    const withCookie = await post({ cookie, origin: overture.baseUrl, 'x-overture-console': key }, null)
    assert.deepEqual([withCookie.status, withCookie.body.error.code], [401, 'unauthenticated'])
  })

  it('refuses other origins, and every method except POST', async () => {
    assert.equal((await post({ origin: 'https://evil.example' })).status, 403)
    for (const method of ['GET', 'DELETE']) assert.equal((await client.send(method, '/mcp', undefined, { token: null })).status, 405)
  })

  for (const mode of ['auto', 'legacy'] as const) {
    it(`lists its tools to a client of ${mode === 'auto' ? 'the present' : 'the former'} protocol, and marks the read-only ones`, async () => {
      const agent = await overHttp(overture.baseUrl, client.token, mode)
      const { tools } = await agent.client.listTools()
      for (const name of TOOLS)
        assert.ok(
          tools.some(tool => tool.name === name),
          name,
        )
      assert.ok(tools.length >= 12 && tools.length <= 15, `${tools.length} tools`)
      const reading = tools.find(({ name }) => name === 'read_replies')
      assert.equal(reading?.annotations?.readOnlyHint, true)
      assert.match(agent.client.getInstructions() ?? '', /plan_change/)
    })
  }

  const transports: Record<string, () => Promise<Agent>> = {
    'over HTTP': () => overHttp(overture.baseUrl, client.token),
    'over standard input and output': () => overStdio({ OVERTURE_URL: overture.baseUrl, OVERTURE_TOKEN: client.token }),
  }
  // Every run does it over HTTP, and asks one thing over standard input.
  for (const [name, connect] of Object.entries(transports)) {
    it(`goes from a brief to a checked draft, ${name}`, name === 'over HTTP' ? {} : full, async () => {
      const agent = await connect()
      await addPeople(overture, staffOf(`Acme ${name}`, 3))
      const mailbox = await makeProvider(overture, { name: `Box ${name}` })
      const found = await agent.call('find_leads', { brief: 'CTOs of software companies in Germany' })
      assert.ok(Object.keys(found.data.filters).length > 0, found.text)

      const drafted = await agent.call('draft_campaign', { name: `Draft ${name}`, mailbox: mailbox.id })
      assert.equal(drafted.isError, false, drafted.text)
      const { id: campaignId, status } = drafted.data.campaign
      assert.equal(status, 'draft')
      const preview = await agent.call('preview_leads', { campaignId, filters: found.data.filters })
      assert.ok(preview.data.matchCount >= 3, preview.text)
      const written = await agent.call('write_sequence', { campaignId, steps: STEPS.steps })
      assert.equal(written.data.written, 2, written.text)
      const checked = await agent.call('check_campaign', { campaignId })
      assert.deepEqual([checked.data.ready, typeof checked.data.failures[0].message], [false, 'string'], checked.text)
      const listed = await agent.call('list_campaigns', { q: `Draft ${name}` })
      assert.deepEqual(
        listed.data.campaigns.map((campaign: { id: string }) => campaign.id),
        [campaignId],
      )
      assert.deepEqual(JSON.parse(listed.text), listed.data)
    })
  }

  it('explains a waiting campaign and lead, and simulates the campaign', async () => {
    const agent = await overHttp(overture.baseUrl, client.token)
    const startDate = new Date(Date.now() + 30 * 86_400_000).toISOString()
    const { id: campaignId } = await makeReadyCampaign(overture, 'Waiting', { startDate })
    assert.equal((await client.operate('POST', `${home}/campaigns/${campaignId}/activate`)).status, 'succeeded')
    const campaign = await agent.call('explain_campaign', { campaignId })
    assert.equal(typeof campaign.data.summary, 'string', campaign.text)
    const lead = await agent.call('explain_lead', { campaignId, email: 'ann@waiting.example' })
    assert.deepEqual([lead.data.waits.reason, typeof lead.data.waits.text], ['campaign_not_started', 'string'], lead.text)
    assert.ok('ifLifted' in lead.data.waits && 'fix' in lead.data.waits)
    assert.ok((await agent.call('simulate_campaign', { campaignId, horizonDays: 60 })).data.sends > 0)
    assert.equal((await agent.call('results', { campaignId })).data.series[0].totals.sent, 0)
    assert.deepEqual((await agent.call('read_replies')).data.replies, [])
  })

  it('limits every tool to the scopes of the token, and returns the refusal of the API', async () => {
    const limited = await overture.withScopes(['campaigns:read'])
    const agent = await overHttp(overture.baseUrl, limited.token)
    assert.equal((await agent.call('list_campaigns')).isError, false)
    const refused = await agent.call('read_replies')
    assert.deepEqual([refused.isError, refused.data.error.code], [true, 'insufficient_scope'])
  })

  it('needs the scopes that docs/guides/agents.md lists for each tool, and no others', async () => {
    const { id: campaignId } = await makeReadyCampaign(overture, 'Scoped')
    const leadId = (await client.get(`${home}/campaigns/${campaignId}/leads`)).body.data[0].id
    const page = await readFile('docs/guides/agents.md', 'utf8')
    const rows = [...page.matchAll(/^\| ((?:`[a-z_]+`(?:, )?)+) \| ((?:`[a-z]+:[a-z]+`(?:, )?)+) \|$/gm)]
    const listed = new Map(rows.flatMap(([, names, scopes]) => wordsIn(names!).map(name => [name, wordsIn(scopes!)] as const)))
    const input: Record<string, object> = {
      find_leads: { brief: 'CTOs in Berlin' },
      preview_leads: { campaignId, filters: { jobTitles: ['CTO'] } },
      list_campaigns: {},
      check_campaign: { campaignId },
      simulate_campaign: { campaignId },
      explain_campaign: { campaignId },
      results: {},
      explain_lead: { campaignId, leadId },
      read_replies: {},
      read_thread: { campaignId, leadId },
      draft_campaign: { name: 'Drafted' },
      write_sequence: { campaignId, steps: STEPS.steps },
      plan_change: { change: 'pause_campaign', campaignId },
    }
    // The page describes these two in words.
    listed.set('plan_change', ['operations:read', 'campaigns:write'])
    assert.deepEqual([...listed.keys()].sort(), Object.keys(input).sort())
    const codeWith = async (name: string, scopes: string[]) => {
      const key = (await client.post(`${home}/api-keys`, { name, scopes })).body.data
      const agent = await overHttp(overture.baseUrl, key.token)
      const { isError, data } = await agent.call(name, { ...input[name], workspaceId: overture.workspaceId })
      return isError ? data.error.code : null
    }
    for (const [name, scopes] of listed) {
      const others = SCOPES.filter(scope => !scopes.includes(scope) && !OPERATOR_SCOPES.includes(scope))
      assert.notEqual(await codeWith(name, scopes), 'insufficient_scope', name)
      for (const scope of scopes) {
        const without = [...others, ...scopes.filter(each => each !== scope)]
        assert.equal(await codeWith(name, without), 'insufficient_scope', `${name} without ${scope}`)
      }
    }
  })

  it('reaches no other workspace, and asks for one when there are several', async () => {
    const stranger = await overture.stranger()
    const agent = await overHttp(overture.baseUrl, client.token)
    const foreign = await agent.call('list_campaigns', { workspaceId: stranger.workspaceId })
    assert.deepEqual([foreign.isError, foreign.data.error.code], [true, 'not_found'])
    const { token } = stranger.client
    assert.equal((await stranger.client.post('/v1/workspaces', { name: 'Second' })).status, 201)
    const unsure = await (await overHttp(overture.baseUrl, token)).call('list_campaigns')
    assert.equal(unsure.data.error.code, 'workspace_needed')
  })

  it('refuses invalid input', async () => {
    const agent = await overHttp(overture.baseUrl, client.token)
    const answer = await agent.client.callTool({ name: 'check_campaign', arguments: { campaignId: 'x/../../', nonsense: 1 } }).then(
      result => result.isError,
      () => true,
    )
    assert.equal(answer, true)
  })

  it('refuses a revoked token at the next call', async () => {
    const made = await client.post('/v1/tokens', { name: 'agent' })
    const agent = await overHttp(overture.baseUrl, made.body.data.token)
    assert.equal((await agent.call('list_campaigns')).isError, false)
    assert.equal((await client.delete(`/v1/tokens/${made.body.data.id}`)).status, 204)
    await assert.rejects(agent.call('list_campaigns'))
  })

  it('is described in /llms.txt with working links, and in a skill that names only what exists', async () => {
    const at = (url: string) => client.get(url, { token: null })
    const index = await at('/llms.txt')
    assert.deepEqual([index.status, String(index.headers['content-type'])], [200, 'text/plain; charset=utf-8'])
    const linksIn = (text: string, from: string) =>
      [...text.matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g)]
        .map(([, target]) => new URL(target!, from))
        .filter(url => url.origin === overture.baseUrl)
    const listed = linksIn(index.body, `${overture.baseUrl}/llms.txt`)
    assert.ok(listed.length > 15 && listed.some(({ pathname }) => pathname === '/openapi.json'), index.body)
    const pages = await Promise.all(listed.map(async url => ({ url, reply: await at(url.href) })))
    for (const { url, reply } of pages) assert.equal(reply.status, 200, url.href)
    const guides = pages.filter(({ url }) => /agents\.md$|cli\.md$|SKILL\.md$/.test(url.pathname))
    assert.equal(guides.length, 3)
    for (const { url, reply } of guides)
      for (const target of linksIn(reply.body, url.href))
        assert.equal((await at(target.href)).status, 200, `${url.pathname} leads to ${target.pathname}`)
    const { tools } = await (await overHttp(overture.baseUrl, client.token)).client.listTools()
    const changes = tools.find(({ name }) => name === 'plan_change')!.inputSchema.properties!.change as {
      enum?: string[]
      anyOf?: { const: string }[]
    }
    const known = new Set([
      ...tools.map(({ name }) => name),
      ...(changes.enum ?? changes.anyOf!.map(each => each.const)),
      'token_budget_exceeded',
      'insufficient_scope',
      'invalid_state',
      'operations_open',
    ])
    for (const { url, reply } of guides.filter(guide => !guide.url.pathname.endsWith('cli.md')))
      for (const [, word] of (reply.body as string).matchAll(/`([a-z]+(?:_[a-z]+)+)`/g))
        assert.ok(known.has(word!), `${url.pathname} names ${word}`)
    for (const path of ['/docs/../package.json', '/docs/%2e%2e/package.json', '/docs/nothing.md', '/skills/overture/../../package.json'])
      assert.equal((await at(`${overture.baseUrl}${path}`)).status, 404, path)
  })

  it('answers all requests before the end of standard input', async () => {
    const child = spawn(process.execPath, ['src/main.ts', 'mcp'], {
      cwd: ROOT,
      env: { PATH: process.env.PATH!, ...CACHE, OVERTURE_URL: overture.baseUrl, OVERTURE_TOKEN: client.token },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const info = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'piped', version: '1' } }
    const asked = [
      { id: 1, method: 'initialize', params: info },
      { method: 'notifications/initialized' },
      ...[2, 3, 4].map(id => ({ id, method: 'tools/call', params: { name: 'list_campaigns', arguments: {} } })),
    ]
    child.stdin.end(asked.map(each => `${JSON.stringify({ jsonrpc: '2.0', ...each })}\n`).join(''))
    const ended = new Promise(resolve => child.on('close', resolve))
    const answers = (await text(child.stdout)).trim().split('\n')
    assert.deepEqual(answers.map(line => JSON.parse(line).id).sort(), [1, 2, 3, 4])
    assert.ok(answers.every(line => 'result' in JSON.parse(line)))
    assert.equal(await ended, 0)
  })

  it('finds a local installation by its local.json, and says when a proxy responds in its place', async () => {
    let isDown = false
    const proxy = createServer(async ({ url, headers: { authorization } }, response) => {
      if (isDown) return response.writeHead(502).end('<h1>Bad gateway</h1>')
      const reply = await fetch(overture.baseUrl + url, { headers: { authorization: authorization! } })
      response.writeHead(reply.status).end(await reply.text())
    }).listen(0, '127.0.0.1')
    after(() => proxy.close())
    await once(proxy, 'listening')
    const dir = await mkdtemp(join(tmpdir(), 'overture-mcp-'))
    const baseUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
    const local = { baseUrl, workspaceId: overture.workspaceId, token: client.token, orgKey: '', consoleUrl: '' }
    await writeFile(join(dir, 'local.json'), JSON.stringify(local))
    const agent = await overStdio({ OVERTURE_DIR: dir })
    assert.equal((await agent.call('list_campaigns')).isError, false)
    isDown = true
    assert.equal((await agent.call('list_campaigns')).data.error.code, 'unreadable_answer')
  })
})
