import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { startOverture } from '../../../test/harness.ts'

const run = promisify(execFile)
const GUIDES = ['webhooks', 'errors', 'leads']
const read = (path: string): Promise<string> => readFile(new URL(`../../../${path}`, import.meta.url), 'utf8')
const texts = Object.fromEntries(
  await Promise.all(GUIDES.map(async name => [name, await read(`docs/${name === 'errors' ? 'reference' : 'guides'}/${name}.md`)] as const)),
)
const blocks = (name: string, language: string): string[] =>
  [...texts[name]!.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, code]) => code!)

const SECRET = `whsec_${btoa('a secret of the guide')}`
const BODY = '{"type":"webhook.test","data":{"text":"grüß dich"}}'

/** A delivery as it would arrive now, or did some seconds ago. */
function signed(secondsAgo = 0): { id: string; timestamp: string; signature: string } {
  const at = new Date(Date.now() - secondsAgo * 1000)
  return { id: 'e1', timestamp: String(Math.floor(at.getTime() / 1000)), signature: new Webhook(SECRET).sign('e1', at, BODY) }
}

describe('the guides', () => {
  let folder: string
  let receiver: Server
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'overture-guides-'))
    receiver = createServer((request, response) => request.resume().on('end', () => response.writeHead(204).end())).listen(0, '127.0.0.1')
    const { baseUrl, client } = await startOverture()
    const { port } = receiver.address() as AddressInfo
    Object.assign(process.env, { OVERTURE_URL: baseUrl, OVERTURE_TOKEN: client.token, RECEIVER_URL: `http://127.0.0.1:${port}/hook` })
  })
  after(async () => {
    receiver.close()
    await rm(folder, { recursive: true })
  })

  for (const name of GUIDES) {
    for (const [number, code] of blocks(name, 'ts').entries()) {
      it(`contain TypeScript that runs against a service: ${name} ${number + 1}`, async () => {
        const file = join(folder, `${name}-${number}.mts`)
        await writeFile(file, code.replace("'@overture/sdk'", `'${new URL('../src/index.ts', import.meta.url).href}'`))
        const { receive } = (await import(pathToFileURL(file).href)) as {
          receive?: (request: Request, secret: string) => Promise<Response>
        }
        if (!receive) return
        const { id, timestamp, signature } = signed()
        const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
        const request = () => new Request('http://localhost', { method: 'POST', body: BODY, headers })
        assert.equal((await receive(request(), SECRET)).status, 204)
        await assert.rejects(receive(request(), `whsec_${btoa('another')}`), { code: 'invalid_signature' })
      })
    }
  }

  it('use nothing that Node 20 lacks', () => {
    const missing = /\b(?:Array\.fromAsync|(?:Map|Object)\.groupBy|Promise\.(?:try|withResolvers)|await using)\b/
    assert.deepEqual(
      GUIDES.flatMap(name => blocks(name, 'ts')).filter(code => missing.test(code)),
      [],
    )
  })

  it('verify webhooks in a shell, and refuse changed, old and foreign ones', async () => {
    const [code] = blocks('webhooks', 'sh')
    const [body, changed] = [join(folder, 'body'), join(folder, 'changed')]
    await writeFile(body, BODY)
    await writeFile(changed, BODY.replace('dich', 'mich'))
    const verify = (file: string, { id, timestamp, signature } = signed(), secret = SECRET): Promise<boolean> =>
      run('sh', ['-c', `${code}\nverify "$@"`, 'sh', file, id, timestamp, `v1,bm8= ${signature}`, secret]).then(
        () => true,
        () => false,
      )
    assert.equal(await verify(body), true)
    assert.equal(await verify(changed), false)
    assert.equal(await verify(body, signed(600)), false)
    assert.equal(await verify(body, signed(), `whsec_${btoa('another')}`), false)
    assert.equal(await verify(body, { ...signed(), signature: 'v1,' }, 'whsec_'), false)
  })

  it('verify webhooks in Python the same way', async context => {
    const [code] = blocks('webhooks', 'python')
    const hasPython = await run('python3', ['-c', 'import sys; assert sys.version_info >= (3, 9)']).then(
      () => true,
      () => false,
    )
    if (!hasPython) return context.skip('there is no Python 3.9 here')
    const script = [
      code,
      'import sys',
      'id, at, signature, secret, body = sys.argv[1:]',
      'headers = {"webhook-id": id, "webhook-timestamp": at, "webhook-signature": signature}',
      'headers = {name: value for name, value in headers.items() if value}',
      'print(verify(body.encode(), headers, secret)["type"])',
    ].join('\n')
    const verify = ({ id, timestamp, signature } = signed(), body = BODY, secret = SECRET): Promise<string> =>
      run('python3', ['-c', script, id, timestamp, signature, secret, body]).then(
        ({ stdout }) => stdout.trim(),
        ({ stderr }) => String(stderr).trim().split('\n').at(-1)!,
      )
    assert.equal(await verify(), 'webhook.test')
    assert.equal(await verify(signed(), BODY.replace('dich', 'mich')), 'ValueError: no signature matches')
    assert.equal(await verify(signed(600)), 'ValueError: too old or too early')
    // Whatever else is wrong with a delivery is a ValueError, too: a receiver that catches it answers no 500.
    assert.equal(await verify({ ...signed(), id: '' }), 'ValueError: webhook-id is missing')
    assert.equal(await verify({ ...signed(), timestamp: '' }), 'ValueError: webhook-timestamp is missing')
    assert.equal(await verify({ ...signed(), signature: '' }), 'ValueError: webhook-signature is missing')
    assert.equal(await verify({ ...signed(), signature: 'v1,Grüße' }), 'ValueError: no signature matches')
    assert.equal(await verify({ ...signed(), timestamp: '9'.repeat(400) }), 'ValueError: too old or too early')
    assert.equal(await verify(signed(), BODY, 'whsec_'), 'ValueError: the secret is missing')
  })

  it('name every error code of the OpenAPI document once, with its status', async () => {
    const { components } = JSON.parse(await read('openapi.json'))
    const codes: string[] = components.schemas.OperationError.properties.code.enum
    const answered: string[] = components.schemas.Error.properties.error.properties.code.enum
    const rows = [...texts.errors!.matchAll(/^\| `(\w+)` \| (\w+) \|/gm)].map(([, code, status]) => [code!, status!] as const)
    assert.deepEqual(rows.map(([code]) => code).toSorted(), codes.toSorted())
    const { ERROR_STATUS } = await import('../../../src/lib/errors.ts')
    for (const [code, status] of rows) {
      assert.equal(status, answered.includes(code) ? String(ERROR_STATUS[code as keyof typeof ERROR_STATUS]) : 'operation', code)
    }
  })

  it('state the actual delays between delivery attempts', async () => {
    const { RETRY_DELAYS_MS } = await import('../../../src/modules/webhooks/webhooks.ts')
    const told = [...texts.webhooks!.matchAll(/^\| \d+ \| (\d+) (second|minute|hour)s? \|$/gm)]
    const unitMs: Record<string, number> = { second: 1000, minute: 60_000, hour: 3_600_000 }
    assert.deepEqual(
      told.map(([, count, unit]) => Number(count) * unitMs[unit!]!),
      RETRY_DELAYS_MS,
    )
  })
})
