import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { importLeads, makeCampaign, makeReadyCampaign } from '../factories.ts'
import { startOverture } from '../harness.ts'

const overture = await startOverture()
const { client, home } = overture

describe('suppressions', () => {
  const suppress = (kind: string, value: string, extra: object = {}) => client.post(`${home}/suppressions`, { kind, value, ...extra })

  it('an address or a domain is stored in lower case with its reason', async () => {
    const { status, body } = await suppress('email', 'Some.One@Example.COM', { reason: 'asked by phone' })
    assert.equal(status, 201)
    assert.deepEqual(body.data, {
      id: body.data.id,
      workspaceId: overture.workspaceId,
      kind: 'email',
      value: 'some.one@example.com',
      reason: 'asked by phone',
      createdAt: body.data.createdAt,
      links: { self: `${overture.baseUrl}${home}/suppressions/${body.data.id}` },
    })
    assert.equal((await suppress('domain', 'Example.NET')).body.data.reason, 'manual')
  })

  it('an existing suppression stays one entry and returns 200', async () => {
    const first = (await suppress('email', 'twice@example.com', { reason: 'first' })).body.data
    const again = await suppress('email', 'TWICE@example.com', { reason: 'second' })
    assert.deepEqual([again.status, again.body.data], [200, first])
    const found = (await client.get(`${home}/suppressions?value=Twice@example.com`)).body.data
    assert.deepEqual(found, [first])
  })

  it('are found by kind and value', async () => {
    await suppress('domain', 'found.example')
    const kinds = (await client.get(`${home}/suppressions?kind=domain&limit=100`)).body.data.map((entry: { kind: string }) => entry.kind)
    assert.deepEqual(new Set(kinds), new Set(['domain']))
    assert.equal((await client.get(`${home}/suppressions?value=FOUND.example`)).body.data.length, 1)
    assert.equal((await client.get(`${home}/suppressions?value=lost.example`)).body.data.length, 0)
  })

  it('a value that is neither an address nor a domain returns 422', async () => {
    for (const [kind, value] of [
      ['email', 'example.com'],
      ['email', 'a@b'],
      ['domain', 'a@example.com'],
      ['domain', 'nodots'],
      ['domain', 'http://example.com'],
      ['phone', '123456'],
      ['email', ''],
    ] as const) {
      assert.equal((await suppress(kind, value)).status, 422, `${kind} ${value}`)
    }
    assert.equal((await client.post(`${home}/suppressions`, { kind: 'email' })).status, 422)
  })

  it('keeps people out of every campaign until it is removed', async () => {
    const campaign = await makeCampaign(overture, { name: 'Door' })
    const { id } = (await suppress('domain', 'door.example')).body.data
    assert.equal((await importLeads(overture, campaign.id, [{ email: 'a@door.example' }])).result.suppressedCount, 1)
    assert.equal((await client.delete(`${home}/suppressions/${id}`)).status, 204)
    assert.equal((await client.delete(`${home}/suppressions/${id}`)).status, 404)
    assert.equal((await importLeads(overture, campaign.id, [{ email: 'a@door.example' }])).result.importedCount, 1)
  })

  it('makes a campaign with only suppressed leads not ready', async () => {
    const campaign = await makeReadyCampaign(overture, 'Silenced')
    const readiness = async () => (await client.get(`${home}/campaigns/${campaign.id}/validate`)).body.data
    await suppress('email', 'ANN@silenced.example')
    assert.equal((await readiness()).ready, true)
    await suppress('email', 'bob@silenced.example')
    assert.deepEqual(
      (await readiness()).failures.map((failure: { rule: string }) => failure.rule),
      ['leads_all_suppressed'],
    )
  })

  it('applies only in its own workspace', async () => {
    const stranger = await overture.stranger()
    const { id } = (await suppress('email', 'shared@example.org')).body.data
    assert.equal((await stranger.client.delete(`${stranger.home}/suppressions/${id}`)).status, 404)
    assert.deepEqual((await stranger.client.get(`${stranger.home}/suppressions`)).body.data, [])
    const campaign = (await stranger.client.post(`${stranger.home}/campaigns`, { name: 'Theirs' })).body.data
    const operation = await stranger.client.operate('POST', `${stranger.home}/campaigns/${campaign.id}/leads/import`, {
      leads: [{ email: 'shared@example.org' }],
    })
    assert.equal(operation.result.importedCount, 1)
  })

  it('is safe to repeat with a key', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const body = { kind: 'email', value: 'keyed@example.com' }
    const first = await client.post(`${home}/suppressions`, body, { headers })
    const again = await client.post(`${home}/suppressions`, body, { headers })
    assert.deepEqual([first.status, again.status, again.headers['idempotent-replayed']], [201, 200, 'true'])
    assert.deepEqual(again.body, first.body)
  })

  describe('in bulk', () => {
    const bulk = (suppressions: object[], headers: Record<string, string> = {}) =>
      client.post(`${home}/suppressions/bulk`, { suppressions }, { headers })

    it('counts new and existing values and reports invalid rows', async () => {
      await suppress('email', 'there@bulk.example', { reason: 'before' })
      const { status, body } = await bulk([
        { value: ' New@Bulk.example ' },
        { value: 'there@bulk.example', reason: 'again' },
        { kind: 'email', value: 'not an address' },
        { value: 'new@bulk.example' },
        { kind: 'domain', value: 'Bulk-Domain.example', reason: 'competitor' },
        { kind: 'domain', value: 'a@b.example' },
        { value: '' },
      ])
      assert.equal(status, 200)
      assert.deepEqual([body.data.createdCount, body.data.existingCount], [2, 2])
      assert.deepEqual(
        body.data.invalid.map((row: { index: number }) => row.index),
        [2, 5, 6],
      )
      const find = async (q: string) =>
        (await client.get(`${home}/suppressions?q=${encodeURIComponent(q)}`)).body.data.map(
          ({ kind, value, reason }: { kind: string; value: string; reason: string }) => [kind, value, reason],
        )
      assert.deepEqual(await find('NEW@bulk.example'), [['email', 'new@bulk.example', 'manual']])
      assert.deepEqual(await find('there@bulk.example'), [['email', 'there@bulk.example', 'before']])
      assert.deepEqual(await find('bulk-domain.example'), [['domain', 'bulk-domain.example', 'competitor']])
    })

    it('are found by a part, and an address also by its suppressed domain', async () => {
      await bulk([{ value: 'ceo@bigcorp.example' }, { value: 'bigcorp.test' }])
      const find = async (q: string) =>
        (await client.get(`${home}/suppressions?q=${encodeURIComponent(q)}`)).body.data.map(({ value }: { value: string }) => value).sort()
      assert.deepEqual(await find('BigCorp'), ['bigcorp.test', 'ceo@bigcorp.example'])
      assert.deepEqual(await find('ceo@bigcorp.test'), ['bigcorp.test'])
      assert.deepEqual(await find('%corp'), [])
    })

    it('accepts at most 5,000, once per key', async () => {
      const rows = Array.from({ length: 5000 }, (_, n) => ({ value: `p${n}@many.example`, reason: 'x'.repeat(250) }))
      const headers = { 'idempotency-key': randomUUID() }
      const first = await bulk(rows, headers)
      assert.deepEqual([first.status, first.body.data.createdCount], [200, 5000])
      assert.deepEqual((await bulk(rows, headers)).body, first.body)
      assert.equal((await bulk(rows)).body.data.existingCount, 5000)
      assert.equal((await bulk([...rows, { value: 'one@more.example' }])).status, 422)
      assert.equal((await bulk([])).status, 422)
      assert.equal((await client.get(`${home}/suppressions?q=p4999@many.example&kind=domain`)).body.data.length, 0)
    })

    it('keeps people out of imports at once, and two concurrent lists do not deadlock', async () => {
      const rows = Array.from({ length: 300 }, (_, n) => ({ value: `q${n}@both.example` }))
      const replies = await Promise.all([bulk(rows), bulk(rows.toReversed()), bulk([...rows, { value: 'both-domain.example' }])])
      assert.deepEqual(
        replies.map(reply => reply.status),
        [200, 200, 200],
      )
      assert.equal(
        replies.reduce((sum, reply) => sum + reply.body.data.createdCount, 0),
        301,
      )
      const campaign = await makeCampaign(overture, { name: 'Kept out' })
      const leads = [{ email: 'Q7@both.example' }, { email: 'any@both-domain.example' }, { email: 'fine@else.example' }]
      const operation = await client.operate('POST', `${home}/campaigns/${campaign.id}/leads/import`, { leads })
      assert.deepEqual([operation.result.importedCount, operation.result.suppressedCount], [1, 2])
    })
  })

  describe('from a CSV file', () => {
    const send = (file: string, query = '', headers: Record<string, string> = {}) =>
      client.post(`${home}/suppressions/import/csv${query}`, undefined, { raw: file, headers: { 'content-type': 'text/csv', ...headers } })
    const find = async (value: string) =>
      (await client.get(`${home}/suppressions?value=${encodeURIComponent(value)}`)).body.data.map(
        ({ kind, reason }: { kind: string; reason: string }) => `${kind} ${reason}`,
      )

    it('finds the column in four languages, prefers addresses to domains, and reports lines with neither', async () => {
      const file =
        'Firma;E-Mail-Adresse;Domain;Grund\nA;Ann@csv.example;one.example;Kunde\nB;;@two.example;\nC;nobody;;\n"D";"dan@csv.example";;\n'
      const { status, body } = await send(file, '?reason=From%20the%20old%20tool')
      assert.equal(status, 200)
      assert.deepEqual(
        { ...body.data, links: null },
        {
          createdCount: 3,
          existingCount: 0,
          invalidCount: 1,
          invalid: [{ line: 4, reason: 'value must be a domain, like example.com' }],
          warningCount: 1,
          warnings: [
            {
              line: 2,
              reason: 'the row has an address and a domain, and only the address was suppressed; send domains in rows of their own',
            },
          ],
          links: null,
        },
      )
      assert.deepEqual(await find('ann@csv.example'), ['email Kunde'])
      assert.deepEqual(await find('two.example'), ['domain From the old tool'])
      assert.deepEqual(await find('dan@csv.example'), ['email From the old tool'])
      assert.deepEqual(await find('one.example'), [])
      for (const header of ['Adresse e-mail', 'Correo electrónico', 'Website', 'value'])
        assert.equal((await send(`${header}\n${header.length}.csv.example\n`)).body.data.createdCount, 1, header)
    })

    it('counts and names the rows that cannot be read and those that a quote swallows, and takes each address of a row', async () => {
      const long = `long@rows.example,${'x'.repeat(1024 * 1024)}`
      const file = `email,second email,note\nz@rows.example,,x\ry@rows.example\n"a@rows.example,,x\nb@rows.example,,y"\nc@rows.example,d@rows.example,\n${long}\n"e@rows.example,,\n`
      const { status, body } = await send(file.replace('second email', 'e-mail'))
      assert.equal(status, 200)
      const { createdCount, invalidCount, invalid, warningCount, warnings } = body.data
      assert.deepEqual(
        { createdCount, invalidCount, lines: invalid.map((each: { line: number }) => each.line) },
        { createdCount: 3, invalidCount: 3, lines: [3, 6, 7] },
      )
      assert.match(invalid[1].reason, /longer than 1 MiB/)
      assert.match(invalid[2].reason, /a quote is not closed/)
      assert.equal(warningCount, 2)
      assert.deepEqual(
        warnings.map(({ line, reason }: { line: number; reason: string }) => [line, /look like other rows/.test(reason)]),
        [
          [2, true],
          [3, true],
        ],
      )
      assert.deepEqual(await find('d@rows.example'), ['email manual'])
    })

    it('needs no headers if its first line is a value, and refuses a file without a column of values', async () => {
      const { body } = await send('first@plain.example\r\nsecond@plain.example\r\nfirst@plain.example\r\n')
      assert.deepEqual([body.data.createdCount, body.data.existingCount, body.data.invalidCount], [2, 1, 0])
      const refused = await send('Name,City\nAnn,Rome\n')
      assert.equal(refused.status, 422)
      assert.match(JSON.stringify(refused.body), /needs a column email, domain or value; it has Name, City/)
      assert.equal((await send('')).status, 422)
      assert.equal((await client.post(`${home}/suppressions/import/csv`, { suppressions: [] })).status, 415)
    })

    it('accepts unusual characters in a reason, and treats two spellings of a domain as one', async () => {
      const file = 'email,reason\nx@b\u00fccher.example,a\0b\nx@xn--bcher-kva.example,again\n'
      const { status, body } = await send(file)
      assert.deepEqual([status, body.data.createdCount, body.data.existingCount], [200, 1, 1])
      assert.deepEqual(await find('x@xn--bcher-kva.example'), ['email ab'])
    })

    it('accepts at most 20,000 rows, once per key', async () => {
      const rows = Array.from({ length: 20_001 }, (_, n) => `p${n}@csv-many.example`)
      const headers = { 'idempotency-key': randomUUID() }
      const file = ['email', ...rows.slice(0, 4500)].join('\n')
      const first = await send(file, '', headers)
      assert.deepEqual([first.status, first.body.data.createdCount], [200, 4500])
      assert.deepEqual((await send(file, '', headers)).body, first.body)
      assert.equal((await send('email\nother@csv.example', '', headers)).status, 409)
      const more = await send(['email', ...rows].join('\n'))
      assert.equal(more.status, 422)
      assert.match(JSON.stringify(more.body), /send it in parts/)
      assert.deepEqual(await find('p4500@csv-many.example'), [])
    })
  })
})
