import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, it } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { changeStatus, getLockedCampaign } from '../../src/modules/campaigns/campaigns.ts'
import { recordEvent } from '../../src/modules/events/events.ts'
import { importLeads, makeCampaign, makeReadyCampaign } from '../factories.ts'
import { type Client, type Overture, startOverture } from '../harness.ts'
import { madeUpData } from '../made-up-events.ts'

const CONTENTS = ['firstName', 'lastName', 'fullName', 'company', 'jobTitle', 'timezone', 'variables']
const EDITABLE = ['status', 'opportunityValue', 'meetingAt', ...CONTENTS]

describe('leads', () => {
  let overture: Overture
  let client: Client
  let home: string

  before(async () => {
    overture = await startOverture()
    ;({ client, home } = overture)
  })

  const campaignOf = async (id: string) => (await client.get(`${home}/campaigns/${id}`)).body.data
  const leadsOf = async (id: string, query = '') => (await client.get(`${home}/campaigns/${id}/leads${query}`)).body.data
  const leadPath = (lead: { campaignId: string; id: string }) => `${home}/campaigns/${lead.campaignId}/leads/${lead.id}`

  /** A draft with one lead of this name. */
  async function makeLead(name: string, extra: object = {}) {
    const campaign = await makeCampaign(overture, { name })
    await importLeads(overture, campaign.id, [{ email: `${name.toLowerCase()}@leads.example`, firstName: name, ...extra }])
    return (await leadsOf(campaign.id))[0]
  }

  describe('get and list', () => {
    it('a lead has every documented field and its own link, and is the same in the list', async () => {
      const campaign = await makeCampaign(overture, { name: 'Fields' })
      await client.operate('POST', `${home}/campaigns/${campaign.id}/leads/import`, {
        leads: [
          {
            email: 'Ann@Fields.example',
            firstName: ' Ann ',
            lastName: 'Archer',
            company: 'Fields',
            jobTitle: 'CEO',
            timezone: 'Asia/Tokyo',
            variables: { hobby: 'chess' },
          },
        ],
        leadListName: 'From the fair',
      })
      const [listed] = await leadsOf(campaign.id)
      const { status, body } = await client.get(leadPath(listed))
      assert.equal(status, 200)
      const lead = body.data
      assert.deepEqual(lead, {
        id: listed.id,
        workspaceId: overture.workspaceId,
        campaignId: campaign.id,
        firstName: 'Ann',
        lastName: 'Archer',
        fullName: 'Ann Archer',
        email: 'Ann@Fields.example',
        company: 'Fields',
        jobTitle: 'CEO',
        timezone: 'Asia/Tokyo',
        variables: { hobby: 'chess' },
        warnings: [],
        leadListName: 'From the fair',
        status: 'not_yet_contacted',
        source: 'api_import',
        emailOpenCount: 0,
        emailBounceCount: 0,
        emailSent: false,
        isProspect: false,
        opportunityValue: null,
        meetingAt: null,
        next: { step: 0, dueAt: lead.createdAt },
        hold: null,
        createdAt: lead.createdAt,
        updatedAt: lead.createdAt,
        links: { self: `${overture.baseUrl}${leadPath(lead)}` },
      })
      assert.deepEqual(listed, lead)
    })

    it('a lead that does not exist, or is in another campaign or workspace, returns 404', async () => {
      const lead = await makeLead('Hidden')
      const other = await makeCampaign(overture, { name: 'Elsewhere' })
      const stranger = await overture.stranger()
      const theirs = (await stranger.client.post(`${stranger.home}/campaigns`, { name: 'Theirs' })).body.data
      assert.equal((await client.get(`${home}/campaigns/${lead.campaignId}/leads/${randomUUID()}`)).status, 404)
      assert.equal((await client.get(`${home}/campaigns/${other.id}/leads/${lead.id}`)).status, 404)
      assert.equal((await stranger.client.get(`${stranger.home}/campaigns/${lead.campaignId}/leads/${lead.id}`)).status, 404)
      assert.equal((await stranger.client.get(`${stranger.home}/campaigns/${theirs.id}/leads/${lead.id}`)).status, 404)
      assert.equal((await client.get(`${home}/campaigns/${randomUUID()}/leads`)).status, 404)
    })

    it('is filtered by time zone, by status, and by address, ignoring case', async () => {
      const campaign = await makeCampaign(overture, { name: 'Filtered' })
      await importLeads(overture, campaign.id, [{ email: 'a@filter.example', timezone: 'Europe/Berlin' }, { email: 'B@filter.example' }])
      const [b] = await leadsOf(campaign.id, '?email=b@FILTER.example')
      assert.equal(b.email, 'B@filter.example')
      assert.deepEqual(
        (await leadsOf(campaign.id, '?timezone=Europe/Berlin')).map((lead: { email: string }) => lead.email),
        ['a@filter.example'],
      )
      await client.patch(leadPath(b), { status: 'closed' })
      assert.deepEqual(
        (await leadsOf(campaign.id, '?status=closed')).map((lead: { id: string }) => lead.id),
        [b.id],
      )
      assert.equal((await leadsOf(campaign.id, '?status=not_yet_contacted')).length, 1)
      assert.equal((await client.get(`${home}/campaigns/${campaign.id}/leads?status=open`)).status, 400)
    })
  })

  describe('import', () => {
    it('accepts at most 5,000 leads', async () => {
      const campaign = await makeCampaign(overture, { name: 'Many' })
      const people = Array.from({ length: 5001 }, (_, n) => ({ email: `p${n}@many.example`, firstName: `P${n}` }))
      const operation = await importLeads(overture, campaign.id, people.slice(0, 5000))
      assert.deepEqual(operation.result, {
        campaignId: campaign.id,
        importedCount: 5000,
        duplicateCount: 0,
        suppressedCount: 0,
        updatedCount: 0,
        invalidCount: 0,
        invalid: [],
        warningCount: 0,
        warnings: [],
      })
      assert.equal((await campaignOf(campaign.id)).totalLeads, 5000)
      const reply = await client.post(`${home}/campaigns/${campaign.id}/leads/import`, { leads: people })
      assert.deepEqual([reply.status, reply.body.error.code], [422, 'validation_failed'])
    })

    it('skips duplicates in any case, in the request and in the campaign, and keeps existing leads', async () => {
      const campaign = await makeCampaign(overture, { name: 'Doubles' })
      await importLeads(overture, campaign.id, [{ email: 'Ann@Double.example', firstName: 'Ann' }])
      const { result } = await importLeads(overture, campaign.id, [
        { email: 'ann@double.EXAMPLE', firstName: 'Other' },
        { email: 'bob@double.example' },
        { email: ' BOB@double.example ' },
      ])
      assert.deepEqual([result.importedCount, result.duplicateCount], [1, 2])
      const leads = await leadsOf(campaign.id)
      assert.deepEqual(leads.map((lead: { email: string; firstName: string | null }) => [lead.email, lead.firstName]).sort(), [
        ['Ann@Double.example', 'Ann'],
        ['bob@double.example', null],
      ])
    })

    it('the same address can be in two campaigns', async () => {
      const [one, two] = [await makeLead('Both'), await makeCampaign(overture, { name: 'Second' })]
      const { result } = await importLeads(overture, two.id, [{ email: one.email }])
      assert.equal(result.importedCount, 1)
    })

    it('skips suppressed addresses and domains', async () => {
      const campaign = await makeCampaign(overture, { name: 'Suppressing' })
      await client.post(`${home}/suppressions`, { kind: 'email', value: 'No.More@people.example' })
      await client.post(`${home}/suppressions`, { kind: 'domain', value: 'Never.example' })
      const { result } = await importLeads(overture, campaign.id, [
        { email: 'no.more@PEOPLE.example' },
        { email: 'any@never.example' },
        { email: 'yes@people.example' },
      ])
      assert.deepEqual([result.importedCount, result.suppressedCount], [1, 2])
    })

    it('reports the first 100 invalid rows by index, and imports the others', async () => {
      const campaign = await makeCampaign(overture, { name: 'Bad rows' })
      const { result, status } = await importLeads(overture, campaign.id, [
        { email: 'ok@rows.example' },
        { email: 'not an address' },
        { email: 'zone@rows.example', timezone: 'Mars/Olympus' },
        { email: 'fine@rows.example' },
        { email: '' },
      ])
      assert.equal(status, 'succeeded')
      assert.deepEqual(
        result.invalid.map((row: { index: number }) => row.index),
        [1, 4],
      )
      assert.deepEqual([result.warningCount, result.warnings[0].index], [1, 2], 'a time zone that is not known costs no row')
      assert.ok(result.invalid.every((row: { reason: string }) => row.reason.length > 0))
      assert.equal(result.importedCount, 3)
      const many = await importLeads(
        overture,
        campaign.id,
        Array.from({ length: 150 }, () => ({ email: '@' })),
      )
      assert.equal(many.result.invalid.length, 100)
      assert.equal(many.result.invalidCount, 150)
      assert.equal(many.result.importedCount, 0)
    })

    it('changes updatedAt only if it adds a lead', async () => {
      const lead = await makeLead('Moved')
      const before = (await campaignOf(lead.campaignId)).updatedAt
      await importLeads(overture, lead.campaignId, [{ email: lead.email }])
      assert.equal((await campaignOf(lead.campaignId)).updatedAt, before)
      await importLeads(overture, lead.campaignId, [{ email: 'new@moved.example' }])
      assert.ok((await campaignOf(lead.campaignId)).updatedAt > before)
    })

    it('builds fullName from first and last name if it is missing', async () => {
      const campaign = await makeCampaign(overture, { name: 'Names' })
      await importLeads(overture, campaign.id, [
        { email: '1@names.example', firstName: 'Ann', lastName: 'Archer' },
        { email: '2@names.example', lastName: 'Archer' },
        { email: '3@names.example', firstName: 'Ann', fullName: 'Dr. Ann Archer' },
        { email: '4@names.example', firstName: '  ', fullName: null },
      ])
      const names = Object.fromEntries(
        (await leadsOf(campaign.id)).map((lead: { email: string; fullName: string }) => [lead.email[0], lead.fullName]),
      )
      assert.deepEqual(names, { 1: 'Ann Archer', 2: 'Archer', 3: 'Dr. Ann Archer', 4: null })
    })

    it('uses the list name of the campaign by default', async () => {
      const campaign = await makeCampaign(overture, { name: 'Lists', leadListName: 'Of the campaign' })
      await importLeads(overture, campaign.id, [{ email: '1@lists.example' }])
      await client.operate('POST', `${home}/campaigns/${campaign.id}/leads/import`, {
        leads: [{ email: '2@lists.example' }],
        leadListName: 'Of the import',
      })
      assert.deepEqual((await leadsOf(campaign.id)).map((lead: { leadListName: string }) => lead.leadListName).sort(), [
        'Of the campaign',
        'Of the import',
      ])
    })

    it('accepts up to 20 MiB, and returns 413 above', async () => {
      const campaign = await makeCampaign(overture, { name: 'Heavy' })
      const path = `${home}/campaigns/${campaign.id}/leads/import`
      const text = 'x'.repeat(4000)
      const leads = Array.from({ length: 450 }, (_, n) => ({ email: `h${n}@heavy.example`, variables: { text } }))
      const raw = JSON.stringify({ leads }).padEnd(20 * 1024 * 1024)
      const accepted = await client.whenDone(client.post(path, undefined, { raw, headers: { prefer: 'wait=30' } }))
      assert.deepEqual([accepted.status, accepted.body.status], [200, 'succeeded'])
      const refused = await client.post(path, undefined, { raw: `${raw} ` })
      assert.equal(refused.status, 413)
    })

    it('refuses invalid bodies with 422', async () => {
      const campaign = await makeCampaign(overture, { name: 'Strict' })
      for (const body of [
        {},
        { leads: [] },
        { leads: [{}] },
        { leads: [{ email: 5 }] },
        { leads: [{ email: 'a@strict.example', status: 'closed' }] },
        { leads: [{ email: 'a@strict.example', variables: { 'bad name': 'x' } }] },
        { leads: [{ email: 'a@strict.example', variables: { n: 5 } }] },
        { leads: [{ email: 'a@strict.example', firstName: 'x'.repeat(256) }] },
        { leads: [{ email: 'a@strict.example' }], exportId: randomUUID() },
        { leads: [{ email: 'a@strict.example' }], source: 'manual' },
      ]) {
        const reply = await client.post(`${home}/campaigns/${campaign.id}/leads/import`, body)
        assert.equal(reply.status, 422, JSON.stringify(body))
      }
      assert.equal((await campaignOf(campaign.id)).totalLeads, 0)
    })

    it('into an archived campaign returns 409, at the request and when it runs', async () => {
      const campaign = await makeCampaign(overture, { name: 'Closed' })
      await client.operate('POST', `${home}/campaigns/${campaign.id}/archive`)
      const reply = await client.post(`${home}/campaigns/${campaign.id}/leads/import`, { leads: [{ email: 'a@closed.example' }] })
      assert.deepEqual([reply.status, reply.body.error.code, reply.body.error.details.currentStatus], [409, 'invalid_state', 'archived'])
    })

    it('into a completed campaign activates it again', async () => {
      const campaign = await makeReadyCampaign(overture, 'Done')
      await client.operate('POST', `${home}/campaigns/${campaign.id}/activate`)
      await overture.ctx.db.inTransaction(async tx =>
        changeStatus(tx, await getLockedCampaign(tx, overture.workspaceId, campaign.id), 'completed', new Date()),
      )
      assert.equal((await importLeads(overture, campaign.id, [{ email: 'ann@done.example' }])).status, 'succeeded')
      assert.equal((await campaignOf(campaign.id)).status, 'completed')
      await importLeads(overture, campaign.id, [{ email: 'new@done.example' }])
      const after = await campaignOf(campaign.id)
      assert.deepEqual([after.status, after.totalLeads], ['active', 3])
    })
  })

  describe('outcomes', () => {
    it('stores a reported outcome, and isProspect is true from interested on', async () => {
      for (const [status, isProspect] of [
        ['replied', false],
        ['not_interested', false],
        ['skipped', false],
        ['interested', true],
        ['meeting_booked', true],
        ['meeting_completed', true],
        ['closed', true],
      ] as const) {
        const lead = await makeLead(`Is-${status.replace('_', '-')}`)
        const reply = await client.patch(leadPath(lead), { status })
        assert.equal(reply.status, 200)
        assert.deepEqual([reply.body.data.status, reply.body.data.isProspect], [status, isProspect])
        assert.ok(reply.body.data.updatedAt > lead.updatedAt)
        assert.deepEqual((await client.get(leadPath(lead))).body.data, reply.body.data)
      }
    })

    it('stores and clears the value and the meeting', async () => {
      const lead = await makeLead('Valued')
      const set = (await client.patch(leadPath(lead), { opportunityValue: 1234.56, meetingAt: '2030-01-01T10:00:00+02:00' })).body.data
      assert.deepEqual([set.opportunityValue, set.meetingAt, set.status], [1234.56, '2030-01-01T08:00:00.000Z', 'not_yet_contacted'])
      const cleared = (await client.patch(leadPath(lead), { opportunityValue: null, meetingAt: null })).body.data
      assert.deepEqual([cleared.opportunityValue, cleared.meetingAt], [null, null])
    })

    it('a change without effect modifies neither the lead nor the log', async () => {
      const lead = await makeLead('Still')
      const first = (await client.patch(leadPath(lead), { status: 'closed', opportunityValue: 5 })).body.data
      for (const body of [{}, { status: 'closed' }, { opportunityValue: 5 }])
        assert.deepEqual((await client.patch(leadPath(lead), body)).body.data, first)
      assert.equal((await client.get(`${leadPath(lead)}/timeline`)).body.data.length, 2)
    })

    it('needs people:write, and also deals:write for the value', async () => {
      const lead = await makeLead('Scoped')
      const people = await overture.withScopes(['people:write'])
      const both = await overture.withScopes(['people:write', 'deals:write'])
      const deals = await overture.withScopes(['deals:write', 'leads:write', 'leads:read'])
      assert.equal((await people.patch(leadPath(lead), { status: 'interested', meetingAt: null })).status, 200)
      for (const body of [{ opportunityValue: 5 }, { opportunityValue: null }]) {
        const refused = await people.patch(leadPath(lead), body)
        assert.deepEqual([refused.status, refused.body.error.details.requiredScope], [403, 'deals:write'])
      }
      assert.equal((await both.patch(leadPath(lead), { opportunityValue: 5 })).status, 200)
      assert.deepEqual((await deals.patch(leadPath(lead), { opportunityValue: 5 })).body.error.details.requiredScope, 'people:write')
    })

    it('refuses fields and statuses that only the service sets with 422', async () => {
      const lead = await makeLead('Kept')
      const bodies: object[] = [
        { status: 'nonsense' },
        { status: null },
        { opportunityValue: -1 },
        { opportunityValue: '5' },
        { opportunityValue: 1.005 },
        { opportunityValue: 1e13 },
        { meetingAt: 'soon' },
      ]
      for (const status of ['not_yet_contacted', 'contacted', 'sequence_completed', 'bounced']) bodies.push({ status })
      for (const field of Object.keys(lead)) if (!EDITABLE.includes(field)) bodies.push({ [field]: lead[field] })
      for (const body of bodies) assert.equal((await client.patch(leadPath(lead), body)).status, 422, JSON.stringify(body))
      assert.deepEqual((await client.get(leadPath(lead))).body.data, lead)
    })

    it('unsubscribed suppresses the address for every campaign of the workspace, once', async () => {
      const lead = await makeLead('Leaving')
      const other = await makeCampaign(overture, { name: 'Other campaign' })
      await client.patch(leadPath(lead), { status: 'unsubscribed' })
      await client.patch(leadPath(lead), { status: 'unsubscribed' })
      const { data } = (await client.get(`${home}/suppressions?value=LEAVING@leads.example`)).body
      assert.deepEqual(
        data.map((entry: { kind: string; value: string; reason: string }) => [entry.kind, entry.value, entry.reason]),
        [['email', 'leaving@leads.example', 'unsubscribed']],
      )
      assert.equal((await importLeads(overture, other.id, [{ email: lead.email }])).result.suppressedCount, 1)
      const types = (await client.get(`${leadPath(lead)}/timeline`)).body.data.map((entry: { type: string }) => entry.type)
      assert.deepEqual(types, ['lead.added', 'lead.status_changed', 'lead.unsubscribed'])
      assert.equal((await campaignOf(lead.campaignId)).metrics.unsubscribedCount, 1)
    })

    it('is safe to repeat with a key', async () => {
      const lead = await makeLead('Keyed')
      const headers = { 'idempotency-key': randomUUID() }
      const first = await client.patch(leadPath(lead), { status: 'interested' }, { headers })
      await client.patch(leadPath(lead), { status: 'closed' })
      const again = await client.patch(leadPath(lead), { status: 'interested' }, { headers })
      assert.deepEqual(again.body, first.body)
      assert.equal(again.headers['idempotent-replayed'], 'true')
      assert.equal((await client.get(leadPath(lead))).body.data.status, 'closed')
    })
  })

  describe('delete', () => {
    it('removes the lead, decreases the count and changes updatedAt', async () => {
      const lead = await makeLead('Gone')
      const before = await campaignOf(lead.campaignId)
      assert.equal((await client.delete(leadPath(lead))).status, 204)
      const after = await campaignOf(lead.campaignId)
      assert.deepEqual([before.totalLeads, after.totalLeads], [1, 0])
      assert.ok(after.updatedAt > before.updatedAt)
      assert.equal((await client.get(leadPath(lead))).status, 404)
      assert.equal((await client.delete(leadPath(lead))).status, 404)
      assert.equal((await campaignOf(lead.campaignId)).totalLeads, 0)
    })

    it('is safe to repeat with a key', async () => {
      const lead = await makeLead('Repeated')
      const headers = { 'idempotency-key': randomUUID() }
      assert.equal((await client.delete(leadPath(lead), { headers })).status, 204)
      const again = await client.delete(leadPath(lead), { headers })
      assert.deepEqual([again.status, again.headers['idempotent-replayed']], [204, 'true'])
    })

    it('totalLeads stays correct during concurrent imports and deletes', async () => {
      const campaign = await makeCampaign(overture, { name: 'Busy' })
      await importLeads(
        overture,
        campaign.id,
        Array.from({ length: 20 }, (_, n) => ({ email: `old${n}@busy.example` })),
      )
      const old = await leadsOf(campaign.id)
      await Promise.all([
        ...old.map((lead: { campaignId: string; id: string }) => client.delete(leadPath(lead))),
        ...Array.from({ length: 20 }, (_, n) =>
          importLeads(overture, campaign.id, [{ email: `new${n}@busy.example` }, { email: 'same@busy.example' }]),
        ),
      ])
      assert.equal((await campaignOf(campaign.id)).totalLeads, 21)
      assert.equal((await leadsOf(campaign.id)).length, 21)
    })
  })

  describe('timeline', () => {
    const walk = async (path: string): Promise<unknown[]> => {
      const walked: unknown[] = []
      for (let next: string | null = path; next; ) {
        const reply = await client.get(next)
        assert.ok(reply.body.data.length <= reply.body.meta.pagination.limit)
        walked.push(...reply.body.data)
        next = reply.body.links.next
      }
      return walked
    }

    it('lists everything in chronological order, however it is paged', async () => {
      const lead = await makeLead('Storied')
      // Within one transaction everything has one timestamp: only the order of the log tells what came first.
      await overture.ctx.db.inTransaction(async tx => {
        for (let n = 0; n < 20; n++) {
          recordEvent(tx, {
            workspaceId: overture.workspaceId,
            type: 'email.opened',
            timestamp: new Date(),
            campaignId: lead.campaignId,
            leadId: lead.id,
            data: madeUpData('email.opened', { step: n }),
          })
        }
      })
      await client.patch(leadPath(lead), { status: 'replied' })
      await client.patch(leadPath(lead), { status: 'unsubscribed' })
      const whole = (await client.get(`${leadPath(lead)}/timeline`)).body.data
      const types = whole.map((entry: { type: string; data: { step?: number } }) => entry.data.step ?? entry.type)
      assert.deepEqual(types, [
        'lead.added',
        ...Array.from({ length: 20 }, (_, n) => n),
        'lead.status_changed',
        'lead.status_changed',
        'lead.unsubscribed',
      ])
      for (const limit of [1, 2, 5, 24]) {
        assert.deepEqual(await walk(`${leadPath(lead)}/timeline?limit=${limit}`), whole, `limit ${limit}`)
        assert.deepEqual((await walk(`${leadPath(lead)}/timeline?order=desc&limit=${limit}`)).reverse(), whole, `limit ${limit}`)
      }
    })

    it('loses no decision between two pages, even when more than a thousand follow the same event', async () => {
      const lead = await makeLead('Patient')
      const count = 1200
      await overture.ctx.db.inTransaction(tx => tx.run(INSERT_DECISIONS, [overture.workspaceId, lead.campaignId, lead.id, count]))
      for (const order of ['asc', 'desc']) {
        const ids = (await walk(`${leadPath(lead)}/timeline?order=${order}&limit=90`)).map(entry => (entry as { id: string }).id)
        assert.equal(new Set(ids).size, ids.length)
        const decisions = ids.filter(id => id.startsWith('00000000-'))
        assert.deepEqual(order === 'asc' ? decisions : decisions.reverse(), decisions.toSorted())
        assert.equal(decisions.length, count)
      }
    })
  })
})

const INSERT_DECISIONS = sql(`
  insert into decisions (id, workspace_id, campaign_id, lead_id, step, reason, created_at)
  select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, $1, $2, $3, 1, 'mailbox_gap', now() + n * interval '1 second'
  from generate_series(1, $4::int) as n`)
