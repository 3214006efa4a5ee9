import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { parse } from 'csv-parse/sync'
import { grantCredits } from '../../src/modules/credits/credits.ts'
import { mergeIntoDirectory } from '../../src/modules/people/people.ts'
import { type Client, type Overture, startOverture } from '../harness.ts'
import { addPeople, peopleOf, staffOf } from '../people.ts'

interface Tenant {
  client: Client
  home: string
  workspaceId: string
}

const person = (name: string, company: string, more: object = {}) => ({
  email: `${name}@${company.toLowerCase()}.example`,
  emailStatus: 'verified',
  firstName: name,
  lastName: 'Own',
  jobTitle: 'Chief Technology Officer',
  location: 'Berlin, Germany',
  lastVerifiedAt: '2026-01-01T00:00:00Z',
  company: { name: company, website: `${company.toLowerCase()}.example`, industry: 'software', employees: 120 },
  ...more,
})

describe('the people that a workspace imported', () => {
  let overture: Overture
  let ada: Tenant
  let ben: Tenant

  before(async () => {
    overture = await startOverture()
    await addPeople(overture, staffOf('Acme', 4))
    ada = overture
    ben = await overture.stranger()
    for (const { workspaceId } of [ada, ben]) await overture.ctx.db.inTransaction(tx => grantCredits(tx, workspaceId, 100, new Date()))
  })

  const newTenant = async (): Promise<Tenant> => {
    const tenant = await overture.stranger()
    await overture.ctx.db.inTransaction(tx => grantCredits(tx, tenant.workspaceId, 100, new Date()))
    return tenant
  }
  const operate = async ({ client, home }: Tenant, path: string, body: object) => {
    const operation = await client.operate('POST', `${home}${path}`, body)
    assert.equal(operation.status, 'succeeded', JSON.stringify(operation.error))
    return operation
  }
  const bring = async (tenant: Tenant, people: object[]) => (await operate(tenant, '/directory/people', { people })).result
  /** The operator checked the addresses of this workspace's people. */
  const confirm = async ({ workspaceId }: Tenant, ...emails: string[]) => {
    const { db, secrets } = overture.ctx
    const people = peopleOf(emails.map(email => ({ email, emailStatus: 'verified' })))
    await db.inTransaction(tx =>
      mergeIntoDirectory(tx, people, { source: 'check', now: new Date(), secrets, workspaceId, isCheckedByUs: true }),
    )
  }
  const attach = async (tenant: Tenant, filters: object, leadCount: number) => {
    const campaignId = await newCampaign(tenant)
    const { result } = await operate(tenant, `/campaigns/${campaignId}/leads/search`, { filters, leadCount })
    const leads = (await tenant.client.get(`${tenant.home}/campaigns/${campaignId}/leads`)).body.data as { email: string }[]
    return { campaignId, emails: leads.map(({ email }) => email).sort(), charged: result.creditsCharged }
  }
  const newCampaign = async ({ client, home }: Tenant): Promise<string> =>
    (await client.post(`${home}/campaigns`, { name: 'Campaign' })).body.data.id
  const preview = async (tenant: Tenant, filters: object) =>
    (await operate(tenant, `/campaigns/${await newCampaign(tenant)}/leads/search/preview`, { filters })).result
  const order = async (tenant: Tenant, filters: object, leadCount: number) => {
    const { result } = await operate(tenant, '/leads/search', { filters, leadCount })
    const rows: Record<string, string>[] = parse((await tenant.client.get(result.downloadUrl, { token: null })).body, { columns: true })
    return { rows, emails: rows.map(row => row.email), charged: result.creditsCharged }
  }
  const available = async ({ client, home }: Tenant): Promise<number> => (await client.get(`${home}/credits`)).body.data.available

  it('are found, counted and exported only by that workspace', async () => {
    await bring(ada, [person('one', 'Secret'), person('two', 'Secret')])
    await confirm(ada, 'one@secret.example', 'two@secret.example')
    const filters = { companies: ['secret.example'] }
    const seen = await preview(ada, filters)
    assert.deepEqual([seen.matchCount, seen.facets.country], [2, [{ value: 'DE', count: 2 }]])
    const hidden = await preview(ben, filters)
    assert.deepEqual([hidden.matchCount, hidden.deliverableCount, hidden.facets.country], [0, 0, []])
    assert.equal((await preview(ben, {})).matchCount, 4)
    assert.deepEqual((await order(ben, filters, 5)).emails, [])
    assert.deepEqual((await order(ada, filters, 5)).emails, ['one@secret.example', 'two@secret.example'])
    assert.deepEqual((await order(ben, { companies: ['Secret'] }, 5)).emails, [])
    const campaignId = await newCampaign(ben)
    const attached = await operate(ben, `/campaigns/${campaignId}/leads/search`, { filters, leadCount: 5 })
    assert.equal(attached.result.attachedCount, 0)
  })

  it('cost nothing in an export or a campaign', async () => {
    const mine = await newTenant()
    await bring(mine, [person('free', 'Gratis'), person('gift', 'Gratis')])
    await confirm(mine, 'free@gratis.example', 'gift@gratis.example')
    const before = await available(mine)
    const { emails, charged } = await order(mine, { companies: ['Gratis', 'Acme'] }, 6)
    assert.equal(emails.length, 6)
    assert.equal(charged, 4)
    const campaignId = await newCampaign(mine)
    const { result } = await operate(mine, `/campaigns/${campaignId}/leads/search`, { filters: { companies: ['Gratis'] }, leadCount: 2 })
    assert.deepEqual([result.attachedCount, result.creditsCharged], [2, 0])
    assert.equal(await available(mine), before - 4)
  })

  it('are not verified on the word of the workspace', async () => {
    const mine = await newTenant()
    await bring(mine, [person('claimed', 'Claims')])
    const filters = { companies: ['Claims'] }
    const seen = await preview(mine, filters)
    assert.deepEqual([seen.matchCount, seen.verifiedCount], [1, 0])
    assert.equal((await preview(mine, { ...filters, emailStatus: ['verified'] })).matchCount, 0)
    // Nor by saying it once more.
    await bring(mine, [{ email: 'claimed@claims.example', emailStatus: 'verified', phone: '222' }])
    assert.equal((await preview(mine, filters)).verifiedCount, 0)
    assert.deepEqual((await order(mine, filters, 1)).rows, [])
  })

  it('are exported only with an address that we verified, and attached with any address not known to be bad', async () => {
    const mine = await newTenant()
    const statuses = ['accept_all', 'unverified', 'invalid', 'bounced', 'Do-Not-Mail', 'verified', 'nonsense']
    const { unread } = await bring(
      mine,
      statuses.map((emailStatus, index) => person(`s${index}`, 'Statuses', { emailStatus })),
    )
    assert.deepEqual(unread, [{ index: 6, field: 'emailStatus' }])
    await confirm(mine, 's5@statuses.example')
    const filters = { companies: ['Statuses'] }
    const { matchCount, verifiedCount, deliverableCount, attachableCount } = await preview(mine, filters)
    assert.deepEqual([matchCount, verifiedCount, deliverableCount, attachableCount], [7, 1, 1, 4])
    const before = await available(mine)
    assert.deepEqual((await order(mine, filters, 7)).emails, ['s5@statuses.example'])
    const attached = await attach(mine, filters, 7)
    assert.deepEqual([attached.emails, attached.charged], [[0, 1, 5, 6].map(n => `s${n}@statuses.example`), 0])
    assert.equal(await available(mine), before)
  })

  it('with a bad address are attached only on request, and the campaign warns before it starts', async () => {
    const mine = await newTenant()
    await bring(mine, [person('good', 'Warned'), person('bad', 'Warned', { emailStatus: 'bounced' })])
    // A later import without a status does not make the address good again.
    await bring(mine, [person('bad', 'Warned')])
    const filters = { companies: ['Warned'], emailStatus: ['unverified', 'invalid'] }
    const { campaignId, emails } = await attach(mine, filters, 5)
    assert.deepEqual(emails, ['bad@warned.example', 'good@warned.example'])
    const { warnings } = (await mine.client.get(`${mine.home}/campaigns/${campaignId}/validate`)).body.data
    const [warning, ...others] = warnings.filter(({ rule }: { rule: string }) => rule === 'bad_address')
    assert.deepEqual(
      [warning.count, warning.examples.map(({ email }: { email: string }) => email), others],
      [1, ['bad@warned.example'], []],
    )
  })

  it('that the operator also has are separate records that change nothing for others', async () => {
    const mine = await newTenant()
    const known = {
      firstName: 'Overwritten',
      jobTitle: 'Janitor',
      company: { name: 'Acme', website: 'acme.example', employees: 9, tags: ['overwritten'] },
    }
    const result = await bring(mine, [person('p1', 'Acme', known)])
    assert.deepEqual([result.insertedCount, result.updatedCount], [1, 0])
    const ordered = await order(ben, { companies: ['Acme'] }, 4)
    assert.deepEqual(
      ordered.rows.map(row => [row.email, row.firstName, row.employees]),
      [1, 2, 3, 4].map(n => [`p${n}@acme.example`, `First${n}`, '120']),
    )
    assert.equal((await preview(ben, { keywords: ['overwritten'] })).matchCount, 0)
    // The workspace finds that person once, as it knows them, and does not pay for them.
    const seen = await preview(mine, { companies: ['Acme'] })
    assert.deepEqual([seen.matchCount, seen.verifiedCount, seen.deliverableCount, seen.attachableCount], [4, 3, 3, 4])
    await confirm(mine, 'p1@acme.example')
    const own = await order(mine, { companies: ['acme.example'] }, 10)
    assert.equal(own.charged, 3)
    assert.deepEqual(
      own.emails.toSorted(),
      [1, 2, 3, 4].map(n => `p${n}@acme.example`),
    )
    assert.equal(own.rows.find(row => row.email === 'p1@acme.example')!.firstName, 'Overwritten')
    assert.equal((await preview(mine, { keywords: ['overwritten'] })).matchCount, 1)
  })

  it('may be the same address in several workspaces, each with its own record', async () => {
    const [one, two] = [await newTenant(), await newTenant()]
    await bring(one, [person('shared', 'Common', { firstName: 'OfOne' })])
    await bring(two, [person('shared', 'Common', { firstName: 'OfTwo' })])
    await bring(one, [person('shared', 'Common', { phone: '111' })])
    for (const tenant of [one, two]) await confirm(tenant, 'shared@common.example')
    const names = async (tenant: Tenant) => (await order(tenant, { companies: ['Common'] }, 5)).rows.map(row => [row.firstName, row.phone])
    assert.deepEqual(await names(one), [['shared', '111']])
    assert.deepEqual(await names(two), [['OfTwo', '']])
  })

  it('are left out like bought people when an order says so', async () => {
    const mine = await newTenant()
    await bring(mine, [person('p2', 'Acme'), person('mine', 'Acme')])
    await confirm(mine, 'p2@acme.example', 'mine@acme.example')
    const rest = { companies: ['Acme'], suppress: ['owned'] }
    assert.equal((await preview(mine, rest)).matchCount, 3)
    assert.deepEqual((await order(mine, rest, 1)).emails, ['p1@acme.example'])
    assert.deepEqual((await order(mine, rest, 5)).emails, ['p3@acme.example', 'p4@acme.example'])
    assert.equal((await preview(mine, rest)).matchCount, 0)
    const everybody = await order(mine, { companies: ['Acme'] }, 10)
    assert.deepEqual([everybody.emails.length, everybody.charged], [5, 0])
  })

  it('are not emailed when suppressed, and are deleted for good when the workspace erases them', async () => {
    const mine = await newTenant()
    const other = await newTenant()
    for (const tenant of [mine, other]) await bring(tenant, [person('gone', 'Leaving'), person('left', 'Leaving')])
    await confirm(mine, 'gone@leaving.example', 'left@leaving.example')
    const filters = { companies: ['Leaving'] }
    await mine.client.post(`${mine.home}/suppressions`, { kind: 'email', value: 'left@leaving.example' })
    assert.equal((await preview(mine, filters)).matchCount, 1)
    assert.deepEqual((await order(mine, filters, 5)).emails, ['gone@leaving.example'])
    await operate(mine, '/erasures', { email: 'gone@leaving.example' })
    assert.equal((await preview(mine, filters)).matchCount, 0)
    assert.equal((await preview(other, filters)).matchCount, 2)
    const again = await bring(mine, [person('gone', 'Leaving')])
    assert.deepEqual([again.insertedCount, again.rejected], [0, [{ index: 0, reason: 'erased' }]])
  })
})
