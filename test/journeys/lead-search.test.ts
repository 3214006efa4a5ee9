import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { before, describe, it } from 'node:test'
import { parse } from 'csv-parse/sync'
import { grantCredits } from '../../src/modules/credits/credits.ts'
import { BRIEFS } from '../../src/modules/lead-searches/briefs.ts'
import { leadSearchTasks } from '../../src/modules/lead-searches/tasks.ts'
import { claimOperations } from '../../src/operations/claim-queries.ts'
import type { OutsideTask } from '../../src/operations/tasks.ts'
import { makeCampaign } from '../factories.ts'
import { Client, type Overture, type Reply, startOverture } from '../harness.ts'
import { madeUpData } from '../made-up-events.ts'
import { addPeople, staffOf } from '../people.ts'

export const giveCredits = (overture: Overture, amount: number, workspaceId = overture.workspaceId) =>
  overture.ctx.db.inTransaction(tx => grantCredits(tx, workspaceId, amount, new Date()))

describe('lead search', () => {
  let overture: Overture
  let client: Client
  let home: string

  before(async () => {
    overture = await startOverture()
    ;({ client, home } = overture)
    await addPeople(overture, [
      ...staffOf('Kranich', 20, { industry: 'logistics', jobTitle: 'Head of Operations' }),
      ...staffOf('Lumen', 12),
      ...staffOf('Lyon Labs', 8, { city: 'Lyon', country: 'France', employees: '40', jobTitle: 'Software Engineer' }),
      { ...staffOf('Doubtful', 1)[0], emailStatus: 'unverified' },
      { ...staffOf('Doubtful', 2)[1], emailStatus: 'accept_all' },
      ...staffOf('Danger', 3).map((row, index) => ({ ...row, firstName: ['=1+1', '+x', 'a "q", b'][index]! })),
    ])
    await giveCredits(overture, 10_000)
  })

  const credits = async () => (await client.get(`${home}/credits`)).body.data
  const search = (filters: object, leadCount: number, headers: Record<string, string> = {}) =>
    client.operate('POST', `${home}/leads/search`, { filters, leadCount }, headers)
  const download = async (url: string, token: string | null = null) => client.get(url, { token })
  const records = (csv: string): Record<string, string>[] => parse(csv, { columns: true })
  const emailsOf = async (operation: Reply['body']) => records((await download(operation.result.downloadUrl)).body).map(row => row.email)

  describe('preview', () => {
    let campaignId: string
    const preview = (filters: object) => client.operate('POST', `${home}/campaigns/${campaignId}/leads/search/preview`, { filters })

    before(async () => {
      campaignId = (await makeCampaign(overture, { name: 'Preview' })).id
    })

    it('counts exactly the matches and verified addresses, with facets and the directory version', async () => {
      const operation = await preview({ companies: { include: ['Lumen', 'Doubtful'] } })
      assert.equal(operation.status, 'succeeded')
      assert.equal(operation.action, 'lead_search.preview')
      const { result } = operation
      assert.equal(result.campaignId, campaignId)
      assert.deepEqual([result.matchCount, result.verifiedCount], [14, 12])
      assert.deepEqual(result.facets.country, [{ value: 'DE', count: 14 }])
      assert.deepEqual(result.facets.industry, [{ value: 'software', count: 14 }])
      assert.deepEqual(result.facets.size, [{ value: '51-200', count: 14 }])
      assert.deepEqual(result.facets.seniority, [{ value: 'c_suite', count: 14 }])
      assert.ok(result.directoryVersion >= 1)
    })

    it('shows a few of the people that an order would deliver, without identifying them', async () => {
      const { result } = await preview({
        companies: { exclude: ['Nobody is called that'] },
        industries: ['Software'],
        seniorities: ['c_suite'],
      })
      assert.equal(result.sample.length, 5)
      for (const person of result.sample) {
        assert.deepEqual(Object.keys(person).toSorted(), ['city', 'companySize', 'country', 'industry', 'jobTitle', 'seniority'])
        assert.deepEqual([person.seniority, person.industry, person.companySize, person.country], ['c_suite', 'software', '51-200', 'DE'])
      }
      const named = await preview({ companies: { include: ['Lumen', 'Doubtful'] } })
      assert.ok(named.result.deliverableCount > 0)
      assert.deepEqual(named.result.sample, [], 'who works at a company, and as what, is what is bought')
    })

    it('works without a campaign, with the same result', async () => {
      const filters = { companies: { include: ['Lumen', 'Doubtful'] } }
      const inCampaign = await preview(filters)
      const { status, result } = await client.operate('POST', `${home}/leads/search/preview`, { filters })
      assert.equal(status, 'succeeded')
      assert.deepEqual(result, { ...inCampaign.result, campaignId: null })
    })

    it('an empty document matches everyone', async () => {
      assert.deepEqual((await preview({})).result.filters, {})
      assert.equal((await preview({})).result.matchCount, 45)
    })

    it('an empty list restricts nothing, and the result says so', async () => {
      const { result } = await preview({ jobTitles: { include: [], exclude: ['intern'] }, industries: {}, employees: [] })
      assert.deepEqual(result.filters, { jobTitles: { exclude: ['intern'] } })
      assert.deepEqual(
        result.warnings,
        ['jobTitles.include', 'industries', 'employees'].map(field => `"${field}" is empty: it restricts nothing`),
      )
    })

    it('accepts shorthand, and returns the complete document', async () => {
      const { result } = await preview({ locations: ['Lyon'], employees: ['11-50'], industries: ['Software'] })
      assert.deepEqual(result.filters.employees, [{ min: 11, max: 50 }])
      assert.deepEqual(result.filters.industries, { include: ['software'] })
      assert.equal(result.filters.locations.include[0].city, 'Lyon')
      assert.equal(result.matchCount, 8)
    })

    it('invalid filters return 422 at once, with every problem', async () => {
      const ask = (filters: unknown) => client.post(`${home}/campaigns/${campaignId}/leads/search/preview`, { filters })
      const unknown = await ask({ jobTitle: ['cto'] })
      assert.deepEqual([unknown.status, unknown.body.error.code], [422, 'validation_failed'])
      const [issue] = unknown.body.error.details.issues
      assert.equal(issue.path, '/filters/jobTitle')
      assert.match(issue.message, /jobTitles/)
      const place = await ask({ locations: ['Qwertyville'] })
      assert.equal(place.status, 422)
      assert.match(place.body.error.details.issues[0].path, /^\/filters\/locations/)
      for (const filters of [{ employees: [{ min: 5, max: 1 }] }, { maxPerCompany: 0 }, { seniorities: ['king'] }, 'all', null, []]) {
        assert.equal((await ask(filters)).status, 422, JSON.stringify(filters))
      }
      assert.equal((await client.post(`${home}/campaigns/${campaignId}/leads/search/preview`, {})).status, 422)
    })

    it('is free and changes nothing', async () => {
      const before = await credits()
      await preview({})
      assert.deepEqual(await credits(), before)
      const campaign = (await client.get(`${home}/campaigns/${campaignId}`)).body.data
      assert.equal(campaign.totalLeads, 0)
    })

    it('for a missing campaign returns 404; for an archived one it works', async () => {
      assert.equal((await client.post(`${home}/campaigns/${randomUUID()}/leads/search/preview`, { filters: {} })).status, 404)
      const archived = await makeCampaign(overture, { name: 'Archived' })
      await client.operate('POST', `${home}/campaigns/${archived.id}/archive`)
      const operation = await client.operate('POST', `${home}/campaigns/${archived.id}/leads/search/preview`, { filters: {} })
      assert.equal(operation.status, 'succeeded')
    })

    it('leaves out people that the workspace must not email', async () => {
      const filters = { companies: ['Kranich'] }
      const other = await overture.stranger()
      await other.client.post(`${other.home}/suppressions`, { kind: 'email', value: 'P1@kranich.example' })
      assert.equal((await preview(filters)).result.matchCount, 20)
      const email = await client.post(`${home}/suppressions`, { kind: 'email', value: 'P1@kranich.example' })
      assert.equal((await preview(filters)).result.matchCount, 19)
      const domain = await client.post(`${home}/suppressions`, { kind: 'domain', value: 'kranich.example' })
      assert.equal((await preview(filters)).result.matchCount, 0)
      for (const { body } of [email, domain]) await client.delete(`${home}/suppressions/${body.data.id}`)
    })

    it('a read-only token can request it and read the result', async () => {
      const reader = await overture.withScopes(['leads:read'])
      const operation = await reader.operate('POST', `${home}/campaigns/${campaignId}/leads/search/preview`, { filters: {} })
      assert.equal(operation.status, 'succeeded')
    })
  })

  describe('a brief', () => {
    const generate = (brief: string) => client.operate('POST', `${home}/leads/search/ai`, { brief })

    it('becomes a filter document in which every value quotes its words, and nothing is applied', async () => {
      const before = await credits()
      const operation = await generate('CTOs at software companies in Germany with 50 to 200 employees')
      assert.deepEqual([operation.status, operation.action], ['succeeded', 'lead_search.generate_filters'])
      const { filters, explanations, unmatched, engine } = operation.result
      assert.deepEqual(filters.employees, [{ min: 50, max: 200 }])
      assert.deepEqual(filters.locations.include, [{ country: 'DE' }])
      assert.deepEqual(filters.industries.include, ['software'])
      assert.equal(engine, 'rules')
      assert.ok(Array.isArray(unmatched))
      for (const { field, text } of explanations)
        assert.ok(field && 'CTOs at software companies in Germany with 50 to 200 employees'.includes(text), text)
      assert.deepEqual(await credits(), before)
      assert.equal(
        (
          await client.operate('POST', `${home}/campaigns/${(await makeCampaign(overture, { name: 'Brief' })).id}/leads/search/preview`, {
            filters,
          })
        ).status,
        'succeeded',
      )
    })

    it('without any criterion fails with filters_not_derivable, and never becomes a document that matches everyone', async () => {
      for (const brief of [
        '   ',
        '?!',
        '\n\t ',
        'What a lovely morning it was, and the tea was warm.',
        'please send me the invoice',
        'one contact per company',
      ]) {
        const operation = await generate(brief)
        assert.deepEqual([operation.status, operation.error.code, operation.error.retryable], ['failed', 'filters_not_derivable', false])
        assert.doesNotMatch(operation.error.message, /morning|tea|invoice|contact/)
      }
    })

    it('has 1 to 8000 characters', async () => {
      for (const body of [{ brief: '' }, { brief: 'x'.repeat(8001) }, { brief: 5 }, {}])
        assert.equal((await client.post(`${home}/leads/search/ai`, body)).status, 422)
      assert.equal((await generate('engineers in Berlin '.repeat(400))).status, 'succeeded')
    })

    it('is read by the rules alone when the language model is unreachable, with the reason', async () => {
      const other = await startOverture({
        config: { llmKind: 'openai', llmUrl: 'http://127.0.0.1:9', llmModel: 'none', llmKey: 'none', llmTimeoutMs: 2000 },
      })
      const { status, result } = await other.client.operate('POST', `${other.home}/leads/search/ai`, { brief: 'CTOs in Germany' })
      assert.equal(status, 'succeeded')
      assert.equal(result.engine, 'rules')
      assert.ok(result.fallbackReason)
      assert.deepEqual(result.filters.locations.include, [{ country: 'DE' }])
    })

    it('is read again, not worse, after a worker stopped while it waited for the language model', async t => {
      const stop = new AbortController()
      const model = createServer(() => stop.abort())
      await new Promise<void>(resolve => model.listen(0, '127.0.0.1', resolve))
      t.after(() => model.close())
      const { port } = model.address() as AddressInfo
      const other = await startOverture({
        worker: false,
        config: { llmKind: 'openai', llmUrl: `http://127.0.0.1:${port}`, llmModel: 'none', llmKey: 'none', llmTimeoutMs: 20_000 },
      })
      await other.client.post(`${other.home}/leads/search/ai`, { brief: 'CTOs in Germany' })
      const [operation] = await claimOperations(other.ctx.db, 4711, 1)
      const task = leadSearchTasks['lead_search.generate_filters'] as OutsideTask
      await assert.rejects(
        task.run(other.ctx, operation!, stop.signal, () => {}),
        { name: 'AbortError' },
      )
    })

    it('is refused from a person who sends more than 20 a minute to a language model', async () => {
      const config = { llmKind: 'openai', llmUrl: 'http://127.0.0.1:9', llmModel: 'none' }
      const other = await startOverture({ worker: false, config })
      const send = (by: Client) => by.post(`${other.home}/leads/search/ai`, { brief: 'CTOs in Germany' })
      const { token } = (await other.client.post('/v1/tokens', { name: 'another', scopes: ['leads:read'] })).body.data
      const clients = [other.client, new Client(other.baseUrl, token)]
      const replies = await Promise.all(Array.from({ length: 21 }, (_, n) => send(clients[n % 2]!)))
      const refused = replies.filter(({ status }) => status !== 202)
      assert.deepEqual([refused.length, refused[0]!.status, refused[0]!.body.error.code], [1, 429, 'rate_limited'])
      assert.match(refused[0]!.body.error.message, /^More than 20 briefs in a minute\. Try again in \d+ s\.$/)
      assert.equal((await send(await other.withScopes(['leads:read']))).status, 202)
    })
  })

  describe('export', () => {
    it('delivers matching leads with verified addresses as CSV, in the operation and in the event', async () => {
      const operation = await search({ companies: ['Lumen', 'Doubtful'] }, 50)
      assert.deepEqual([operation.status, operation.action], ['succeeded', 'lead_search.export'])
      const { exportId, requestedCount, exportedCount, creditsCharged, downloadUrl, expiresAt } = operation.result
      assert.deepEqual([requestedCount, exportedCount, creditsCharged], [50, 12, 12])
      assert.equal(new Date(expiresAt).getTime() - new Date(operation.completedAt).getTime() > 29.9 * 86_400_000, true)

      const file = await download(downloadUrl)
      assert.equal(file.status, 200)
      assert.equal(file.headers['content-type'], 'text/csv; charset=utf-8')
      assert.match(String(file.headers['content-disposition']), /attachment; filename="leads-.+\.csv"/)
      assert.ok(file.body.startsWith('email,firstName,lastName,fullName,jobTitle,'))
      const rows = records(file.body)
      assert.deepEqual(
        rows.map(row => row.email),
        staffOf('Lumen', 12).map(row => row.email),
      )
      const { email, fullName, jobTitle, company, companyDomain, industry, city, country, employees } = rows[0]!
      assert.deepEqual(
        [email, fullName, jobTitle, company, companyDomain, industry, city, country, employees],
        ['p1@lumen.example', 'First1 Last1', 'Chief Technology Officer', 'Lumen', 'lumen.example', 'software', 'Berlin', 'DE', '120'],
      )

      const events = (await client.get(`${home}/events?type=lead_search.completed`)).body.data
      assert.deepEqual(events.at(-1).data, { operationId: operation.id, ...operation.result })
      const exported = (await client.get(`${home}/exports/${exportId}`)).body.data
      assert.deepEqual(
        [exported.operationId, exported.status, exported.leadCount, exported.creditsCharged, exported.downloadUrl],
        [operation.id, 'completed', 12, 12, downloadUrl],
      )
      assert.equal((await client.get(`${home}/exports`)).body.data[0].id, exportId)
    })

    it('holds leadCount credits at once, charges new people and returns the rest', async () => {
      const mine = await overture.stranger()
      await giveCredits(overture, 30, mine.workspaceId)
      const operation = await mine.client.operate('POST', `${mine.home}/leads/search`, {
        filters: { companies: ['Kranich'] },
        leadCount: 25,
      })
      assert.equal(operation.result.creditsCharged, 20)
      assert.deepEqual((await mine.client.get(`${mine.home}/credits`)).body.data.available, 10)
      const entries = (await mine.client.get(`${mine.home}/credits/ledger`)).body.data
      const mineOnly = entries.filter((entry: { operationId: string }) => entry.operationId === operation.id)
      assert.deepEqual(mineOnly.map((entry: { kind: string; amount: number }) => [entry.kind, entry.amount]).sort(), [
        ['capture', -20],
        ['hold', -25],
        ['release', 25],
      ])

      const again = await mine.client.operate('POST', `${mine.home}/leads/search`, { filters: { companies: ['Kranich'] }, leadCount: 10 })
      assert.deepEqual([again.result.exportedCount, again.result.creditsCharged], [10, 0])
      assert.deepEqual((await mine.client.get(`${mine.home}/credits`)).body.data, {
        ...(await mine.client.get(`${mine.home}/credits`)).body.data,
        available: 10,
        held: 0,
        balance: 10,
      })
    })

    it('returns 402 when credits are short, and uses up no key', async () => {
      const poor = await overture.stranger()
      await giveCredits(overture, 5, poor.workspaceId)
      const headers = { 'idempotency-key': randomUUID() }
      const body = { filters: { companies: ['Lumen'] }, leadCount: 6 }
      const refused = await poor.client.post(`${poor.home}/leads/search`, body, { headers })
      assert.deepEqual(
        [refused.status, refused.body.error.code, refused.body.error.details],
        [402, 'insufficient_credits', { required: 6, available: 5 }],
      )
      assert.equal((await poor.client.get(`${poor.home}/operations`)).body.data.length, 0)
      await giveCredits(overture, 1, poor.workspaceId)
      const accepted = await poor.client.operate('POST', `${poor.home}/leads/search`, body, headers)
      assert.equal(accepted.result.exportedCount, 6)
    })

    it('with an empty document, or outside 1 to 50,000 leads, returns 422', async () => {
      for (const body of [
        { filters: {}, leadCount: 5 },
        { filters: { jobTitles: [] }, leadCount: 5 },
        { filters: { jobTitleMatch: 'exact' }, leadCount: 5 },
        { filters: { maxPerCompany: 1, contactedWithinDays: 30 }, leadCount: 5 },
        { filters: { jobTitles: ['cto'] }, leadCount: 0 },
        { filters: { jobTitles: ['cto'] }, leadCount: 50_001 },
        { filters: { jobTitles: ['cto'] }, leadCount: 2.5 },
        { filters: { jobTitles: ['cto'] } },
        { leadCount: 5 },
      ]) {
        assert.equal((await client.post(`${home}/leads/search`, body)).status, 422, JSON.stringify(body))
      }
    })

    it('happens once per key: concurrent and later repeats replay it and pay nothing', async () => {
      const headers = { 'idempotency-key': randomUUID() }
      const body = { filters: { companies: ['Lyon Labs'] }, leadCount: 8 }
      const before = await credits()
      const replies = await Promise.all(Array.from({ length: 10 }, () => client.post(`${home}/leads/search`, body, { headers })))
      assert.equal(new Set(replies.map(reply => reply.body.id)).size, 1)
      const operation = await client.operate('POST', `${home}/leads/search`, body, headers)
      assert.equal(operation.id, replies[0]!.body.id)
      assert.equal((await credits()).available, before.available - 8)
      const replay = await client.post(`${home}/leads/search`, body, { headers })
      assert.deepEqual([replay.status, replay.body.status, replay.headers['idempotent-replayed']], [200, 'succeeded', 'true'])
      const other = await client.post(`${home}/leads/search`, { ...body, leadCount: 9 }, { headers })
      assert.deepEqual([other.status, other.body.error.code], [409, 'idempotency_key_reused'])
    })

    it('returns the same people in the same order for the same filters', async () => {
      const [one, two] = [await search({ companies: ['Kranich'] }, 7), await search({ companies: ['Kranich'] }, 7)]
      assert.deepEqual(await emailsOf(one), await emailsOf(two))
    })

    it('replaces suppressed, bounced and unsubscribed people by others', async () => {
      const mine = await overture.stranger()
      await giveCredits(overture, 100, mine.workspaceId)
      const campaign = (await mine.client.post(`${mine.home}/campaigns`, { name: 'Lost' })).body.data
      const leads = ['p3', 'p4'].map(name => ({ email: `${name}@kranich.example` }))
      await mine.client.operate('POST', `${mine.home}/campaigns/${campaign.id}/leads/import`, { leads })
      await overture.ctx.db.pool.query("update leads set status = 'bounced' where campaign_id = $1 and email like 'p3@%'", [campaign.id])
      const [gone] = (await mine.client.get(`${mine.home}/campaigns/${campaign.id}/leads?email=p4@kranich.example`)).body.data
      await mine.client.patch(`${mine.home}/campaigns/${campaign.id}/leads/${gone.id}`, { status: 'unsubscribed' })
      await mine.client.post(`${mine.home}/suppressions`, { kind: 'email', value: 'p1@kranich.example' })
      // Erased people are known only by their hash.
      await overture.ctx.db.pool.query('update suppressions set value = null where workspace_id = $1', [mine.workspaceId])
      const operation = await mine.client.operate('POST', `${mine.home}/leads/search`, {
        filters: { companies: ['Kranich'] },
        leadCount: 3,
      })
      assert.deepEqual(await emailsOf(operation), ['p2@kranich.example', 'p5@kranich.example', 'p6@kranich.example'])
      await mine.client.post(`${mine.home}/suppressions`, { kind: 'domain', value: 'kranich.example' })
      const none = await mine.client.operate('POST', `${mine.home}/leads/search`, { filters: { companies: ['Kranich'] }, leadCount: 3 })
      assert.deepEqual([none.result.exportedCount, none.result.creditsCharged], [0, 0])
    })

    it('honors suppress, contactedWithinDays and maxPerCompany', async () => {
      const mine = await overture.stranger()
      await giveCredits(overture, 100, mine.workspaceId)
      const buy = async (filters: object, leadCount: number) =>
        emailsOf(
          await mine.client.operate('POST', `${mine.home}/leads/search`, { filters: { companies: ['Kranich'], ...filters }, leadCount }),
        )
      const p = (...numbers: number[]) => numbers.map(n => `p${n}@kranich.example`)
      assert.deepEqual(await buy({}, 2), p(1, 2))
      assert.deepEqual(await buy({ suppress: ['owned'] }, 2), p(3, 4))

      const campaign = (await mine.client.post(`${mine.home}/campaigns`, { name: 'Touched' })).body.data
      await mine.client.operate('POST', `${mine.home}/campaigns/${campaign.id}/leads/import`, {
        leads: p(1, 2, 3, 4).map(email => ({ email })),
      })
      await overture.ctx.db.pool.query("update leads set email_sent = true where campaign_id = $1 and email like 'p1@%'", [campaign.id])
      await overture.ctx.db.pool.query(
        "update leads set reached = '{contacted,replied}', status = 'closed' where campaign_id = $1 and email like 'p2@%'",
        [campaign.id],
      )
      await overture.ctx.db.pool.query(
        `insert into events (workspace_id, seq, id, type, timestamp, campaign_id, lead_id, data)
         select workspace_id, 1000000 + n, gen_random_uuid(), 'email.sent', now() - n * interval '10 days', campaign_id, id, $2
         from (select *, row_number() over (order by email) as n from leads where campaign_id = $1) as l where email like 'p3@%' or email like 'p4@%'`,
        [campaign.id, madeUpData('email.sent')],
      )
      assert.deepEqual(await buy({ suppress: ['in_campaign'] }, 1), p(5))
      assert.deepEqual(await buy({ suppress: ['contacted'] }, 1), p(2))
      assert.deepEqual(await buy({ suppress: ['replied'] }, 2), p(1, 3))
      assert.deepEqual(await buy({ contactedWithinDays: 35 }, 4), p(1, 2, 4, 5))
      const perCompany = await mine.client.operate('POST', `${mine.home}/leads/search`, {
        filters: { maxPerCompany: 2, countries: undefined, locations: ['Berlin'] },
        leadCount: 50,
      })
      assert.equal(perCompany.result.exportedCount, 6)
    })

    it('escapes cells that a spreadsheet would run', async () => {
      const rows = records((await download((await search({ companies: ['Danger'] }, 3)).result.downloadUrl)).body)
      assert.deepEqual(
        rows.map(row => row.firstName),
        ["'=1+1", "'+x", 'a "q", b'],
      )
    })

    it('the file opens with its signed link, or for a token that may read or buy leads, and for no other', async () => {
      const { downloadUrl, exportId } = (await search({ companies: ['Lumen'] }, 1)).result
      const bare = `${home}/exports/${exportId}/download`
      assert.equal((await download(downloadUrl)).status, 200)
      for (const scope of ['leads:read', 'leads:export']) assert.equal((await (await overture.withScopes([scope])).get(bare)).status, 200)
      assert.equal((await (await overture.withScopes(['campaigns:read'])).get(bare)).status, 403)
      assert.equal((await download(bare)).status, 401)
      assert.equal(
        (await download(downloadUrl.replace(/.$/, (last: string) => (last === 'A' ? 'B' : 'A')).replace(/signature=./, 'signature=x')))
          .status,
        401,
      )
      const stranger = await overture.stranger()
      assert.equal((await stranger.client.get(bare)).status, 404)
      assert.equal((await stranger.client.get(`${stranger.home}/exports/${exportId}/download`)).status, 404)
      const foreign = downloadUrl.replace(exportId, randomUUID())
      assert.equal((await download(foreign)).status, 401)
      assert.equal((await client.get(`${home}/exports/${randomUUID()}/download`)).status, 404)
    })
  })

  describe('attach', () => {
    it('buys into the campaign and pays only for added people', async () => {
      const mine = await overture.stranger()
      await giveCredits(overture, 50, mine.workspaceId)
      const campaign = (await mine.client.post(`${mine.home}/campaigns`, { name: 'Attach', leadListName: 'Bought' })).body.data
      await mine.client.operate('POST', `${mine.home}/campaigns/${campaign.id}/leads/import`, { leads: [{ email: 'P2@kranich.example' }] })
      await mine.client.post(`${mine.home}/suppressions`, { kind: 'email', value: 'p1@kranich.example' })
      const attach = (leadCount: number) =>
        mine.client.operate('POST', `${mine.home}/campaigns/${campaign.id}/leads/search`, {
          filters: { companies: ['Kranich'] },
          leadCount,
        })
      const first = await attach(3)
      assert.deepEqual([first.status, first.action], ['succeeded', 'lead_search.attach'])
      assert.deepEqual(first.result, { campaignId: campaign.id, requestedCount: 3, attachedCount: 3, creditsCharged: 3 })
      const leads = (await mine.client.get(`${mine.home}/campaigns/${campaign.id}/leads`)).body.data
      assert.deepEqual(leads.map((lead: { email: string }) => lead.email).sort(), [
        'P2@kranich.example',
        'p3@kranich.example',
        'p4@kranich.example',
        'p5@kranich.example',
      ])
      const bought = leads.find((lead: { email: string }) => lead.email === 'p3@kranich.example')
      assert.deepEqual(
        [bought.source, bought.status, bought.leadListName, bought.fullName, bought.company],
        ['scraped_lead', 'not_yet_contacted', 'Bought', 'First3 Last3', 'Kranich'],
      )
      assert.equal((await mine.client.get(`${mine.home}/campaigns/${campaign.id}`)).body.data.totalLeads, 4)

      const rest = await attach(40)
      assert.deepEqual([rest.result.attachedCount, rest.result.creditsCharged], [15, 15])
      const { available, held } = (await mine.client.get(`${mine.home}/credits`)).body.data
      assert.deepEqual([available, held], [32, 0])
    })

    it('adds the same people as an export of the same filters, owned ones for free, and others only on request', async () => {
      const mine = await overture.stranger()
      await giveCredits(overture, 50, mine.workspaceId)
      const filters = { companies: ['Kranich'] }
      const newCampaign = async (): Promise<string> =>
        `${mine.home}/campaigns/${(await mine.client.post(`${mine.home}/campaigns`, { name: 'Same' })).body.data.id}`
      const attach = async (base: string, leadCount: number, more: object = {}) => {
        const { result } = await mine.client.operate('POST', `${base}/leads/search`, { filters: { ...filters, ...more }, leadCount })
        const leads = (await mine.client.get(`${base}/leads?limit=100`)).body.data as { email: string }[]
        return { charged: result.creditsCharged, emails: leads.map(lead => lead.email).sort() }
      }
      const exporting = async (leadCount: number, more: object = {}) => {
        const operation = await mine.client.operate('POST', `${mine.home}/leads/search`, { filters: { ...filters, ...more }, leadCount })
        return { charged: operation.result.creditsCharged, emails: (await emailsOf(operation)).sort() }
      }
      const p = (...numbers: number[]) => numbers.map(n => `p${n}@kranich.example`)
      assert.deepEqual(await exporting(3), { charged: 3, emails: p(1, 2, 3) })
      assert.deepEqual(await exporting(3), { charged: 0, emails: p(1, 2, 3) })
      const first = await newCampaign()
      assert.deepEqual(await attach(first, 3), { charged: 0, emails: p(1, 2, 3) })
      assert.deepEqual(await attach(await newCampaign(), 4), { charged: 1, emails: p(1, 2, 3, 4) })
      assert.deepEqual(await exporting(5), { charged: 1, emails: p(1, 2, 3, 4, 5) })
      // A campaign does not get a person twice: the next people take the places.
      assert.deepEqual(await attach(first, 2), { charged: 0, emails: p(1, 2, 3, 4, 5) })
      // On request.
      const others = { suppress: ['owned'] }
      assert.deepEqual(await exporting(1, others), { charged: 1, emails: p(6) })
      assert.deepEqual(await attach(await newCampaign(), 2, others), { charged: 2, emails: p(7, 8) })
    })

    it('needs credits, a filter, and a campaign that accepts leads', async () => {
      const campaign = await makeCampaign(overture, { name: 'Closed' })
      const path = `${home}/campaigns/${campaign.id}/leads/search`
      const poor = await overture.stranger()
      const theirs = (await poor.client.post(`${poor.home}/campaigns`, { name: 'Poor' })).body.data
      const body = { filters: { companies: ['Kranich'] }, leadCount: 1 }
      assert.equal((await poor.client.post(`${poor.home}/campaigns/${theirs.id}/leads/search`, body)).status, 402)
      assert.equal((await client.post(path, { filters: {}, leadCount: 1 })).status, 422)
      assert.equal((await client.post(`${home}/campaigns/${randomUUID()}/leads/search`, body)).status, 404)
      await client.operate('POST', `${home}/campaigns/${campaign.id}/archive`)
      const before = await credits()
      const refused = await client.post(path, body)
      assert.deepEqual([refused.status, refused.body.error.code], [409, 'invalid_state'])
      assert.deepEqual(await credits(), before)
    })

    it('the people of an export can be added to a campaign without paying again', async () => {
      const { exportId } = (await search({ companies: ['Lumen'] }, 12)).result
      const campaign = await makeCampaign(overture, { name: 'From export' })
      await client.operate('POST', `${home}/campaigns/${campaign.id}/leads/import`, { leads: [{ email: 'p1@lumen.example' }] })
      const before = await credits()
      const operation = await client.operate('POST', `${home}/campaigns/${campaign.id}/leads/import`, { exportId })
      const nothing = { suppressedCount: 0, updatedCount: 0, invalidCount: 0, invalid: [], warningCount: 0, warnings: [] }
      assert.deepEqual(operation.result, { campaignId: campaign.id, importedCount: 11, duplicateCount: 1, ...nothing })
      assert.deepEqual(await credits(), before)
      const [lead] = (await client.get(`${home}/campaigns/${campaign.id}/leads?email=p2@lumen.example`)).body.data
      assert.deepEqual([lead.source, lead.jobTitle, lead.variables.city], ['scraped_lead', 'Chief Technology Officer', 'Berlin'])
    })

    it('an export of another workspace, or a missing one, returns 422 invalid_reference', async () => {
      const campaign = await makeCampaign(overture, { name: 'No export' })
      const stranger = await overture.stranger()
      await giveCredits(overture, 1, stranger.workspaceId)
      const theirs = await stranger.client.operate('POST', `${stranger.home}/leads/search`, {
        filters: { companies: ['Lumen'] },
        leadCount: 1,
      })
      for (const exportId of [randomUUID(), theirs.result.exportId]) {
        const reply = await client.post(`${home}/campaigns/${campaign.id}/leads/import`, { exportId })
        assert.deepEqual([reply.status, reply.body.error.code], [422, 'invalid_reference'])
      }
      assert.equal((await client.post(`${home}/campaigns/${campaign.id}/leads/import`, {})).status, 422)
    })
  })

  it('whoever asks for the catalog finds the reader of briefs ready', async () => {
    const woken = new Promise(resolve => overture.ctx.wake.on(BRIEFS, resolve))
    assert.equal((await client.get(`${home}/lead-filters`)).status, 200)
    await woken
  })

  it('the catalog lists every field of the filter document with its bounds and values', async () => {
    const { data } = (await client.get(`${home}/lead-filters`)).body
    const byName = new Map(data.fields.map((field: { name: string }) => [field.name, field]))
    assert.equal(byName.size, 21)
    const seniorities = byName.get('seniorities') as { values: { value: string }[] }
    assert.ok(seniorities.values.some(({ value }) => value === 'c_suite'))
    assert.deepEqual((byName.get('employees') as { minimum: number; maximum: number }).maximum, 10_000_000)
  })
})
