import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { Webhook } from 'standardwebhooks'
import { startOverture } from '../../../test/harness.ts'

const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
const examples = readme.split(/^## /m).flatMap(section => {
  const title = section.split('\n')[0]!
  return [...section.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code], number) => ({ title: `${title} ${number + 1}`, code: code! }))
})

describe('the examples in the SDK README', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'overture-sdk-'))
    const { baseUrl, client } = await startOverture()
    Object.assign(process.env, { OVERTURE_URL: baseUrl, OVERTURE_TOKEN: client.token })
  })
  after(() => rm(folder, { recursive: true }))

  for (const [number, { title, code }] of examples.entries()) {
    it(`run against a real service: ${title}`, async () => {
      const file = join(folder, `example-${number}.mts`)
      const sdk = new URL('../src/index.ts', import.meta.url).href
      await writeFile(file, code.replace("'@overture/sdk'", `'${sdk}'`))
      const { receive } = (await import(pathToFileURL(file).href)) as { receive?: (request: Request, secret: string) => Promise<Response> }
      if (!receive) return
      const [secret, body] = [`whsec_${btoa('a secret')}`, '{"type":"webhook.test"}']
      const headers = { 'webhook-id': 'e', 'webhook-timestamp': String(Math.floor(Date.now() / 1000)) }
      const signature = new Webhook(secret).sign('e', new Date(), body)
      const request = () =>
        new Request('http://localhost', { method: 'POST', body, headers: { ...headers, 'webhook-signature': signature } })
      assert.equal((await receive(request(), secret)).status, 204)
      await assert.rejects(receive(request(), `whsec_${btoa('another')}`), { code: 'invalid_signature' })
    })
  }

  it('are there', () => {
    assert.ok(examples.length >= 8)
  })
})
