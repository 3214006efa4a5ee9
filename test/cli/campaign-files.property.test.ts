import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import fc from 'fast-check'
import { parse, stringify } from 'yaml'
import { makeProvider } from '../factories.ts'
import { isFull } from '../full.ts'
import { type Overture, startOverture } from '../harness.ts'
import { InProcess } from './in-process.ts'

/** Texts that are hard for YAML, and templates. */
const AWKWARD = [
  ...['no', '~', 'null', '09:00', '010', '0x1F', '1e3', '.5', '2026-01-01', '=', '<<', '---', '...', '- a', '? b', '&a', '*a', '!t'],
  ...['|', '>', '%', '@x', '`x`', '[a', '{a', 'it\'s: "x" # c', 'a: b', '#', '\\n', '\tx', 'x\ty', '\u{1F600} é\u0301', '\u2028x\u0085y'],
  ...['{{ firstName | default: "x" }}', 'a\nb', 'a\n\n\nb\n\n', ' a\n  b\n', '\na', 'a \nb', 'a\r\nb', '<p>\u00a0a</p>', 'x'.repeat(200)],
]
const anyText = fc.oneof(fc.constantFrom(...AWKWARD), fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }))
const anyLabel = fc.option(anyText)
const anyTime = fc
  .integer({ min: 0, max: 1438 })
  .map(m => `${String(Math.floor(m / 60)).padStart(2, '0')}:${String(m % 60).padStart(2, '0')}`)
const anyDate = fc.option(
  fc.date({ min: new Date('2027-01-01'), max: new Date('2030-01-01'), noInvalidDate: true }).map(d => d.toISOString()),
)
const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

const anyCampaign = fc.record({
  settings: fc.record(
    {
      ...{ leadListName: anyLabel, niche: anyLabel, location: anyLabel, jobTitle: anyLabel, companySize: anyLabel, industry: anyLabel },
      ...{ trackOpens: fc.boolean(), trackClicks: fc.boolean(), unsubscribe: fc.constantFrom('header', 'link', 'reply-line') },
      ...{ optOutText: anyLabel, pipelineId: fc.option(fc.uuid({ version: 4 })), sourceUrl: fc.option(fc.webUrl()) },
      contactRules: fc.record(
        {
          contactedElsewhereWithinDays: fc.option(fc.integer({ min: 1, max: 365 })),
          inOtherActiveCampaign: fc.constantFrom('allow', 'hold'),
          companyReplied: fc.constantFrom('ignore', 'pause', 'stop'),
          maxPerCompanyAtOnce: fc.option(fc.integer({ min: 1, max: 1000 })),
        },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: [] },
  ),
  schedule: fc.record({
    daysOfWeek: fc.shuffledSubarray(DAYS, { minLength: 1 }),
    timeWindow: fc
      .tuple(anyTime, anyTime)
      .filter(([a, b]) => a !== b)
      .map(times => ({ start: times.toSorted()[0]!, end: times.toSorted()[1]! })),
    timezone: fc.constantFrom('UTC', 'Asia/Kathmandu', 'America/St_Johns', 'Pacific/Apia', 'Europe/Dublin'),
    useLeadTimezone: fc.boolean(),
    startDate: anyDate,
  }),
  rotation: fc.shuffledSubarray([0, 1, 2]),
  steps: fc.array(
    fc.record({
      delayDays: fc.integer({ min: 0, max: 90 }),
      variants: fc.array(
        fc.record({ subject: fc.option(anyText), body: anyText, weight: fc.integer({ min: 1, max: 100 }) }, { requiredKeys: ['body'] }),
        { minLength: 1, maxLength: 5 },
      ),
    }),
    { maxLength: 4 },
  ),
})

const CAMPAIGNS = isFull ? 10 : 4

describe('whatever a campaign is set to', () => {
  let overture: Overture
  let line: InProcess
  let mailboxes: string[]
  before(async () => {
    overture = await startOverture()
    line = new InProcess(overture)
    // Two share an address, so that the file names them by id.
    const addresses = ['a@files.example', 'b@files.example', 'b@files.example']
    mailboxes = (await Promise.all(addresses.map(fromEmail => makeProvider(overture, { fromEmail, signature: { text: 'Ada' } })))).map(
      ({ id }) => id,
    )
  })

  const pull = async (id: string) => {
    const { code, out, err } = await line.run(['pull', id])
    assert.equal(code, 0, err)
    writeFileSync(join(line.home, 'campaign.yaml'), out)
    return parse(out)
  }

  it('is pulled as a file whose plan is empty, and which creates an equal campaign elsewhere', async t => {
    let [made, number] = [0, 0]
    const { client, home } = overture
    await fc.assert(
      fc.asyncProperty(anyCampaign, async ({ settings, schedule, rotation, steps }) => {
        const [providerId, ...rotationProviderIds] = rotation.map(at => mailboxes[at])
        const body = { ...settings, name: `Campaign ${++number}`, schedule, ...(providerId ? { providerId, rotationProviderIds } : {}) }
        const created = await client.post(`${home}/campaigns`, body)
        // An impossible campaign is not a file either.
        fc.pre(created.status !== 422)
        const { id, updatedAt } = created.body.data
        if (steps.length > 0) {
          const put = await client.send(
            'PUT',
            `${home}/campaigns/${id}/sequence`,
            { steps },
            { headers: { 'if-match': updatedAt, prefer: 'wait=20' } },
          )
          fc.pre(put.status === 200 && put.body.status === 'succeeded')
        }
        made++
        const file = await pull(id)
        assert.deepEqual((await line.json(['plan', 'campaign.yaml'])).changes, [])

        const { id: _, ...campaign } = file.campaign
        const copy = { ...file, campaign: { ...campaign, name: `Copy ${number}` } }
        if (copy.mailboxes?.length === 0) delete copy.mailboxes
        if (copy.sequence?.length === 0) delete copy.sequence
        writeFileSync(join(line.home, 'campaign.yaml'), stringify(copy))
        const { campaignId } = await line.json(['apply', 'campaign.yaml'])
        const again = await pull(campaignId)
        assert.deepEqual({ ...again, campaign: { ...again.campaign, id, name: file.campaign.name } }, file)
      }),
      { numRuns: CAMPAIGNS, endOnFailure: true },
    )
    t.diagnostic(`${made} campaigns`)
    assert.ok(made >= CAMPAIGNS)
  })

  it('is changed by only one of two people who apply different files at once, and the other one is told', async () => {
    const { client, home } = overture
    const { id } = (await client.post(`${home}/campaigns`, { name: 'Two people' })).body.data
    const file = await pull(id)
    for (const niche of ['One', 'Two']) {
      const changed = { campaign: { ...file.campaign, niche, industry: niche }, schedule: { useLeadTimezone: niche === 'Two' } }
      writeFileSync(join(line.home, `${niche}.yaml`), stringify(changed))
    }
    const plans = await Promise.all(['One', 'Two'].map(name => line.json(['plan', `${name}.yaml`])))
    const applied = await Promise.all(['One', 'Two'].map((name, at) => line.run(['apply', `${name}.yaml`, '--plan', plans[at].plan])))
    assert.deepEqual(applied.map(({ code }) => code).toSorted(), [0, 5], applied.map(({ err }) => err).join('\n'))
    const winner = applied[0]!.code === 0 ? 'One' : 'Two'
    const { niche, industry } = (await client.get(`${home}/campaigns/${id}`)).body.data
    assert.deepEqual([niche, industry], [winner, winner])
    assert.match(applied.find(({ code }) => code === 5)!.err, /^Next: overture plan/m)
  })
})
