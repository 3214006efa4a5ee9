import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { after, test } from 'node:test'
import { createTestDatabase } from '../../../test/harness.ts'
import { openTestContext } from '../../../test/people.ts'
import { sql } from '../../db/sql.ts'
import { AppError } from '../../lib/errors.ts'
import { HttpSource, type HttpSourceShape, pullFromSource, readFilterOption } from './commands.ts'

interface Seen {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: unknown
}

/** A provider with given answers. */
async function startProvider(answer: (seen: Seen, response: ServerResponse) => void): Promise<{ url: string; seen: Seen[] }> {
  const seen: Seen[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const asked = { method: request.method!, url: request.url!, headers: request.headers, body: text ? JSON.parse(text) : null }
    seen.push(asked)
    answer(asked, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen }
}

/** The description of a provider in the guide, which ours speaks like. */
const [guide] = /\{\n {2}"name": "example-provider"[\s\S]*?\n\}/.exec(readFileSync('docs/guides/leads.md', 'utf8'))!
const shapeFor = (url: string): HttpSourceShape => {
  const shape = JSON.parse(guide.replace('https://api.provider.example', url))
  return { ...shape, body: { ...shape.body, label: 'up to {limit}' } }
}

test('a provider is called with its own parameters, page by page, and is stored as the source', async () => {
  const person = (number: number) => ({
    name: `Person ${number}`,
    title: 'CTO',
    country: 'Germany',
    contact: { email: number === 3 ? 'broken' : `p${number}@org.com`, state: 'valid' },
    org: { name: 'Org Inc', web: 'https://org.com', stack: ['AWS', 'React'] },
  })
  const { url, seen } = await startProvider(({ body }, response) => {
    const page = (body as { page?: string }).page
    const people = page === undefined ? [person(1), person(2), person(3)] : [person(4), person(5)]
    response.end(JSON.stringify({ data: { people, next: page === undefined ? 'page-2' : null } }))
  })
  const ctx = openTestContext(await createTestDatabase(), tmpdir())
  const source = new HttpSource(shapeFor(url), 'secret-key')
  const filters = { jobTitles: { include: ['cto'] }, locations: { include: [{ country: 'DE' }, { country: 'AT' }] } }
  const result = await pullFromSource(ctx, source, filters, 4)
  assert.deepEqual(result, { foundCount: 4, insertedCount: 3, updatedCount: 0, rejectedCount: 1 })

  assert.equal(seen.length, 2)
  assert.equal(seen[0]!.url, '/v2/people?size=4')
  assert.equal(seen[0]!.headers['x-api-key'], 'secret-key')
  assert.deepEqual(seen[0]!.body, { titles: ['cto'], countries: ['DE', 'AT'], label: 'up to 4' })
  assert.deepEqual(seen[1]!.body, { titles: ['cto'], countries: ['DE', 'AT'], page: 'page-2', label: 'up to 1' })
  const rows = await ctx.db.many(
    sql('select p.email, p.email_status, p.source, c.technologies from people p join companies c on c.id = p.company_id order by p.id'),
  )
  assert.deepEqual(
    rows,
    [1, 2, 4].map(number => ({
      email: `p${number}@org.com`,
      email_status: 'verified',
      source: 'source:example-provider',
      technologies: ['aws', 'react'],
    })),
  )
})

test('a failing provider is named, without its response', async () => {
  const answers: ((response: ServerResponse) => void)[] = [
    response => response.writeHead(401).end('the key secret-key is wrong'),
    response => response.end('<html>'),
    response => response.end('{"data": {}}'),
    response => response.destroy(),
  ]
  const { url } = await startProvider((_, response) => answers.shift()!(response))
  const source = new HttpSource(shapeFor(url), 'secret-key')
  for (const reason of ['it returned 401', 'the response is not JSON', 'the response has no list at data.people', 'it cannot be reached']) {
    await assert.rejects(source.search({}, 10, null), {
      code: 'upstream_unavailable',
      message: `The lead source example-provider returned no people: ${reason}.`,
    })
  }
})

test('a source with unknown fields is refused at once', () => {
  assert.throws(() => new HttpSource({ name: 'x', url: 'http://x', fields: { emial: 'a' } as never }), /cannot fill emial/)
})

test('the filters of a pull are read like those of the API, shorthand included', () => {
  assert.deepEqual(readFilterOption(), {})
  assert.deepEqual(readFilterOption('{"seniorities": ["vp"]}'), { seniorities: { include: ['vp'] } })
})

test('invalid filters are refused with the messages of the API', () => {
  const refused = (text: string, message: RegExp): void =>
    assert.throws(
      () => readFilterOption(text),
      (error: AppError) => {
        assert.ok(error instanceof AppError)
        assert.equal(error.code, 'validation_failed')
        assert.match(error.message, message)
        return true
      },
    )
  refused('{"seniorites": ["vp"]}', /^filters\.seniorites: .*seniorities/)
  refused('{"seniorities": ["boss"]}', /^filters\.seniorities/)
  refused('[]', /^filters: /)
  assert.throws(() => readFilterOption('{'), /--filters must be JSON/)
})
