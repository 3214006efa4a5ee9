import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { before, beforeEach, describe, it } from 'node:test'
import { parse, stringify } from 'yaml'
import { importLeads, makeProvider, makeReadyCampaign } from '../factories.ts'
import { type Overture, startOverture } from '../harness.ts'
import { InProcess } from './in-process.ts'

const FILE = `
campaign:
  name: " Spring "
  trackOpens: true
schedule:
  daysOfWeek: [friday, monday]
  timeWindow: { start: 09:00, end: 17:00 }
  timezone: Europe/Berlin
  endDate: 2030-01-01T00:00:00Z
mailboxes:
  - spring@overture.example
contactRules:
  maxPerCompanyAtOnce: 2
sequence:
  - delayDays: 0
    variants:
      - subject: Hello {{ firstName }}
        body: |
          Hi {{ firstName }},

          a question.
  - delayDays: 3
    variants:
      - body: Again.
`

describe('a campaign as a file', () => {
  let overture: Overture
  let line: InProcess
  before(async () => {
    overture = await startOverture()
    line = new InProcess(overture)
    await makeProvider(overture, { fromEmail: 'spring@overture.example' })
    await makeProvider(overture, { fromEmail: 'second@overture.example' })
  })

  const path = () => join(line.home, 'campaign.yaml')
  const write = (text: string) => writeFileSync(path(), text)
  // biome-ignore lint/suspicious/noExplicitAny: tests look into files of every shape
  const change = (alter: (file: any) => void) => {
    const file = parse(readFileSync(path(), 'utf8'))
    alter(file)
    write(stringify(file))
  }
  const json = async (...args: string[]) => {
    const { code, out, err } = await line.run([...args, '--json'])
    assert.equal(code, 0, err)
    return JSON.parse(out)
  }

  describe('that is applied', () => {
    let id: string
    beforeEach(async () => {
      write(FILE)
      id = (await json('apply', 'campaign.yaml')).campaignId
    })

    it('creates the campaign once, with everything in the file', async () => {
      const again = await json('apply', 'campaign.yaml')
      assert.deepEqual([again.campaignId, again.isNew, again.changes], [id, false, []])
      const { client, home } = overture
      const campaign = (await client.get(`${home}/campaigns/${id}`)).body.data
      assert.deepEqual([campaign.name, campaign.status, campaign.trackOpens], ['Spring', 'draft', true])
      assert.deepEqual(campaign.contactRules, { maxPerCompanyAtOnce: 2 })
      const sequence = (await client.get(`${home}/campaigns/${id}/sequence`)).body.data
      assert.equal(sequence.steps[0].variants[0].body, 'Hi {{ firstName }},\n\na question.\n')
      assert.deepEqual((await json('plan', 'campaign.yaml')).changes, [])
    })

    it('changes only what differs, even while the campaign runs', async () => {
      await importLeads(overture, id, [{ email: 'ann@spring.example', firstName: 'Ann' }])
      await overture.client.operate('POST', `${overture.home}/campaigns/${id}/activate`)
      change(file => {
        file.mailboxes.push('second@overture.example')
        file.schedule.timeWindow.end = '18:00'
        delete file.contactRules
      })
      const plan = await json('plan', 'campaign.yaml')
      assert.deepEqual(
        plan.changes.map(({ path: where }: { path: string }) => where),
        ['schedule.timeWindow.end', 'mailboxes'],
      )
      assert.ok(plan.forecast.sends >= 1)
      await json('apply', 'campaign.yaml', '--plan', plan.plan)
      assert.deepEqual((await json('plan', 'campaign.yaml')).changes, [])
      const campaign = (await overture.client.get(`${overture.home}/campaigns/${id}`)).body.data
      assert.deepEqual([campaign.status, campaign.rotationProviderIds.length], ['active', 1])
      assert.deepEqual(campaign.contactRules, { maxPerCompanyAtOnce: 2 })
      await overture.client.operate('POST', `${overture.home}/campaigns/${id}/pause`)
    })

    it('shows the effect of the changes before it is applied, and changes nothing', async () => {
      const people = Array.from({ length: 30 }, (_, n) => ({
        email: `p${n}@made-up-${n}.example`,
        firstName: 'Ann',
        ...(n < 20 ? { company: 'Acme' } : {}),
      }))
      await importLeads(overture, id, people)
      change(file => {
        file.schedule.daysOfWeek = ['monday']
        file.sequence.push({ delayDays: 5, variants: [{ body: 'A last one for {{ company }}.' }] })
      })
      const { updatedAt } = (await overture.client.get(`${overture.home}/campaigns/${id}`)).body.data
      const { out, code } = await line.run(['plan', 'campaign.yaml'])
      assert.equal(code, 0)
      assert.match(out, /Difference: ends \d+ days later; \d+ emails more; .*\d+ of \d+ leads have no company/)
      const { planned, forecast, difference } = await json('plan', 'campaign.yaml')
      assert.ok(planned.endsAt > forecast.endsAt && planned.sends > forecast.sends && difference.length >= 3)
      assert.equal((await overture.client.get(`${overture.home}/campaigns/${id}`)).body.data.updatedAt, updatedAt)
    })

    it('refuses a plan that has changed', async () => {
      change(file => (file.campaign.niche = 'Bakeries'))
      const { plan } = await json('plan', 'campaign.yaml')
      const { updatedAt } = (await overture.client.get(`${overture.home}/campaigns/${id}`)).body.data
      await overture.client.operate('PUT', `${overture.home}/campaigns/${id}/settings`, { industry: 'Food' }, { 'if-match': updatedAt })
      const { code, err } = await line.run(['apply', 'campaign.yaml', '--plan', plan])
      assert.equal(code, 5)
      assert.match(err, /Next: overture plan campaign\.yaml/)
      const campaign = (await overture.client.get(`${overture.home}/campaigns/${id}`)).body.data
      assert.deepEqual([campaign.niche, campaign.industry], [null, 'Food'])
    })
  })

  it('creates one campaign when it is applied twice at the same time', async () => {
    write(FILE.replace('" Spring "', 'Twins'))
    const made = await Promise.all([json('apply', 'campaign.yaml'), json('apply', 'campaign.yaml')].map(each => each.catch(() => null)))
    const ids = new Set(made.filter(Boolean).map(({ campaignId }) => campaignId))
    assert.equal(ids.size, 1)
    const listed = (await overture.client.get(`${overture.home}/campaigns?q=Twins`)).body.data
    assert.equal(listed.length, 1)
  })

  it('is complete after the next apply, wherever the previous one was interrupted', async () => {
    const everything = `${FILE}
      - subject: "no"
        body: "  010 # 'yes'\\n\\ttrue"
        weight: 7
`
    for (let cutAt = 1, wasCut = true; wasCut; cutAt++) {
      wasCut = false
      const name = `Cut at ${cutAt}`
      write(everything.replace('" Spring "', name))
      // The write with this number reaches the service, and the command ends before it hears of it.
      let [writes, stop] = [0, () => {}]
      const between = createServer(async (request, response) => {
        const isWrite = request.method !== 'GET' && !request.url!.endsWith('/simulate')
        const body = request.method === 'GET' ? null : await buffer(request)
        const headers = Object.entries(request.headers).filter(([key]) => key !== 'connection' && key !== 'content-length')
        const answer = await fetch(overture.baseUrl + request.url, {
          method: request.method!,
          headers: headers as [string, string][],
          body,
        })
        if (isWrite && ++writes === cutAt) {
          wasCut = true
          stop()
          return request.socket.destroy()
        }
        response.writeHead(answer.status, [...answer.headers].filter(([key]) => key === 'content-type' || key === 'retry-after').flat())
        response.end(await answer.text())
      })
      await new Promise<void>(resolve => between.listen(0, '127.0.0.1', resolve))
      const OVERTURE_URL = `http://127.0.0.1:${(between.address() as AddressInfo).port}`
      const run = line.start(['apply', 'campaign.yaml'], { env: { OVERTURE_URL } })
      stop = () => void run.stop()
      const { code } = await run.ended
      between.close()
      assert.equal(code === 0, !wasCut)
      assert.equal((await line.run(['apply', 'campaign.yaml'])).code, 0, name)
      assert.deepEqual((await json('plan', 'campaign.yaml')).changes, [], name)
      assert.equal((await overture.client.get(`${overture.home}/campaigns?q=${encodeURIComponent(name)}`)).body.data.length, 1, name)
      if (!wasCut) assert.ok(cutAt > 2, `${cutAt - 1} writes were cut off`)
    }
  })

  it('is pulled as it runs, and applies in another workspace', async () => {
    const campaign = await makeReadyCampaign(overture, 'Pulled', {}, { fromEmail: 'pulled@overture.example' })
    write((await line.run(['pull', 'Pulled'])).out)
    assert.deepEqual((await json('plan', 'campaign.yaml')).changes, [])
    assert.match(readFileSync(path(), 'utf8'), /start: "09:00"|start: "00:00"/, 'nothing that YAML 1.1 would read as a number')
    const file = parse(readFileSync(path(), 'utf8'))
    assert.equal(file.campaign.id, campaign.id)
    assert.deepEqual(file.mailboxes, ['pulled@overture.example'])
    const rehearsed = parse((await line.run(['pull', 'Pulled', '--rehearsal'])).out).rehearsal
    assert.equal(typeof rehearsed.mailboxes['pulled@overture.example'].dailyCap, 'number')
    change(each => {
      delete each.campaign.id
    })
    const stranger = await overture.stranger()
    const env = { OVERTURE_TOKEN: stranger.client.token, OVERTURE_WORKSPACE: stranger.workspaceId }
    const refused = await line.run(['apply', 'campaign.yaml'], { env })
    assert.equal(refused.code, 4)
    assert.match(refused.err, /Next: overture api providers\.create/)
    const mailbox = { kind: 'sandbox', name: 'S', fromEmail: 'pulled@overture.example', postalAddress: 'x' }
    await stranger.client.post(`${stranger.home}/providers`, mailbox)
    assert.equal((await line.run(['apply', 'campaign.yaml'], { env })).code, 0)
    assert.equal((await stranger.client.get(`${stranger.home}/campaigns?q=Pulled`)).body.data.length, 1)
  })

  it('is pulled without characters that a terminal obeys, and means the same', async () => {
    await overture.client.post(`${overture.home}/campaigns`, { name: 'Odd', niche: 'left \u202eright' })
    const { out } = await line.run(['pull', 'Odd'])
    assert.match(out, /^ {2}niche: "left \\u202eright"$/m)
    write(out)
    assert.deepEqual((await json('plan', 'campaign.yaml')).changes, [])
  })

  it('is refused with the line of the mistake, before any request', async () => {
    write(FILE.replace('delayDays: 3', 'delayDays: soon').replace('trackOpens', 'trackOpenings'))
    const { code, err } = await line.run(['plan', 'campaign.yaml'], { env: { OVERTURE_URL: 'http://127.0.0.1:9' } })
    assert.equal(code, 2)
    assert.match(err, /campaign\.yaml:22: sequence\.1\.delayDays must be a whole number, not /)
    assert.match(err, /campaign\.yaml:4: campaign has no field trackOpenings\. Did you mean trackOpens\?$/m)
    assert.match(err, /^Next: overture plan campaign\.yaml/m)
    write(FILE.replace('body: Again.', `body: "${'Again. '.repeat(10_000)}"`))
    const long = (await line.run(['plan', 'campaign.yaml'])).err
    assert.ok(/sequence\.1\.variants\.0\.body must NOT have more than 50000 characters, not "Again\./.test(long) && long.length < 400, long)
    write('campaign:\n  id: ..\n  name: x\n')
    const astray = (await line.run(['apply', 'campaign.yaml'])).err
    assert.match(astray, /campaign\.yaml:2: campaign\.id must be an id \(a UUID\), not "\.\."$/m)
    write('campaign: { name: x }\nrehearsal: { mailboxes: { "a/b": { dailyCap: soon } } }\n')
    assert.match((await line.run(['plan', 'campaign.yaml'])).err, /campaign\.yaml:2: rehearsal\.mailboxes\.a\/b\.dailyCap must be /)
    write('campaign:\n  name: [\n')
    assert.match((await line.run(['plan', 'campaign.yaml'])).err, /campaign\.yaml:\d+:\d+: this is not valid YAML/)
    write('')
    assert.match((await line.run(['apply', 'campaign.yaml'])).err, /campaign\.yaml is empty\.\nNext: overture pull/)
    write('campaign: &a { name: x }\nschedule: *a\n')
    const alias = await line.run(['plan', 'campaign.yaml'])
    assert.deepEqual(
      [alias.code, alias.err.split('\n', 1)[0]],
      [2, 'Error: campaign.yaml:2: *a is an alias. Write its content here instead.'],
    )
  })

  it('is refused when it is larger than any campaign, or would keep its reader busy', async () => {
    const refusals: [string, RegExp][] = [
      [
        Array.from({ length: 60_000 }, (_, n) => `k${n}: 1\n`).join(''),
        /campaign\.yaml has too many entries for a campaign\.\nNext: overture import/,
      ],
      ['['.repeat(60_000), /too many entries/],
      [`campaign:\n  name: x\n  ${'? '.repeat(40)}`, /campaign\.yaml:3: the name of a field must be text/],
      ['{[a, b]: 1}', /campaign\.yaml:1: the name of a field must be text/],
      ['campaign:\n  name: x\nrehearsal:\n  variables:\n    1: 5', /campaign\.yaml:5: the name of a field must be text/],
      ['campaign:\n  name: x\nrehearsal:\n  mailboxes:\n    ~: {}', /campaign\.yaml:5: the name of a field must be text/],
      [`campaign:\n  name: "${'x'.repeat(8_000_000)}"`, /campaign\.yaml has more than 8 MB/],
    ]
    for (const [text, why] of refusals) {
      write(text)
      const { code, err } = await line.run(['plan', 'campaign.yaml'], { env: { OVERTURE_URL: 'http://127.0.0.1:9' } })
      assert.match(err, why)
      assert.equal(code, 2)
    }
    const piped = await line.run(['plan', '-'], { input: 'x'.repeat(8_000_001) })
    assert.match(piped.err, /The input has more than 8 MB/)
  })

  it('has a self-contained schema', async () => {
    const { out } = await line.run(['schema'])
    assert.ok(!out.includes('$ref'))
    assert.ok(JSON.parse(out).properties.sequence.items.properties.variants)
  })

  it('is shown as Markdown that no template or name can break', async () => {
    const name = '[Approved](https://evil.example) by @everybody ``<img src=x>'
    write(FILE.replace('" Spring "', `"${name}"`).replace('Again.', '"```\\n# Approved by everybody"'))
    const { out } = await line.run(['plan', 'campaign.yaml', '--markdown'])
    assert.match(out, /^````diff$/m)
    assert.equal(out.split('\n')[0], `### Campaign \`\`\`${name}\`\`\` is new`)
    // Outside of blocks and spans nothing is left of it.
    assert.doesNotMatch(out.replace(/^(`{3,})\w*\n.*?^\1$/gms, '').replace(/(`+).*?\1/g, ''), /evil|everybody|img/)
  })
})
