import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { callOf, exampleOf } from '../../console/src/reference/calls.ts'
import { type Document, endpointsOf, webhooksOf } from '../../console/src/reference/document.ts'
import { exampleIn, LANGUAGES, typescriptCall } from '../../console/src/reference/examples.ts'
import { problemsWithSchema } from '../contract/openapi-check.ts'

const root = new URL('../..', import.meta.url).pathname
const document = JSON.parse(await readFile(`${root}openapi.json`, 'utf8')) as Document
const { schemas } = document.components
const endpoints = endpointsOf(document)
const EMPTY = { origin: 'https://overture.example', token: null, values: {} }
const FILLED = {
  origin: 'http://127.0.0.1:8080',
  token: 'ovr_pat_it\'s"odd',
  values: { workspaceId: '0197b1c2-0000-7000-8000-00000000000a' },
}

describe('the examples of the API reference', () => {
  it('exist for every operation in every language, with method, path and token', () => {
    assert.ok(endpoints.length > 100)
    for (const endpoint of endpoints) {
      for (const language of LANGUAGES) {
        const text = exampleIn(language, endpoint, schemas, EMPTY)
        const isClient = language === 'typescript' && endpoint.path.startsWith('/v1/')
        assert.doesNotMatch(text, /undefined|\[object|\{\w+Id\}/, `${endpoint.id} in ${language}`)
        assert.ok(text.includes(isClient ? `overture.${endpoint.id}(` : endpoint.path.split('{')[0]!), `${endpoint.id} in ${language}`)
        assert.equal(text.includes('OVERTURE_TOKEN'), isClient || !endpoint.isPublic, `${endpoint.id} in ${language}`)
      }
    }
  })

  it('send valid bodies', () => {
    for (const endpoint of endpoints) {
      const { body } = callOf(endpoint, schemas, EMPTY)
      if (body === undefined) continue
      assert.equal(problemsWithSchema(endpoint.body!.schema, body), null, endpoint.id)
    }
    for (const webhook of webhooksOf(document)) assert.ok(exampleOf(webhook.body!.schema, schemas), webhook.id)
  })

  it('are TypeScript that the client accepts', async () => {
    const calls = endpoints
      .filter(({ path }) => path.startsWith('/v1/'))
      .map(endpoint => `{\n${typescriptCall(endpoint, callOf(endpoint, schemas, EMPTY), schemas)}\n}`)
    const folder = await mkdtemp(join(tmpdir(), 'overture-examples-'))
    const file = join(folder, 'examples.ts')
    await writeFile(
      file,
      `import { Overture } from '${root}packages/sdk/src/index.ts'\ndeclare const overture: Overture\n${calls.join('\n')}\nexport {}\n`,
    )
    const settings =
      '--ignoreConfig --noEmit --strict --skipLibCheck --target es2024 --module esnext --moduleResolution bundler --allowImportingTsExtensions --lib es2024,dom,dom.asynciterable'
    const { status, stdout, stderr } = spawnSync(process.execPath, [
      `${root}node_modules/typescript/bin/tsc`,
      ...settings.split(' '),
      '--types',
      '',
      file,
    ])
    await rm(folder, { recursive: true, force: true })
    assert.equal(status, 0, `${stdout}${stderr}`.slice(0, 3000))
  })

  it('are valid shell and Python, whatever the token looks like', t => {
    const shell = endpoints.map(endpoint => exampleIn('curl', endpoint, schemas, FILLED)).join('\n')
    const read = spawnSync('bash', ['-n'], { input: shell })
    assert.equal(read.status, 0, String(read.stderr))
    const programs = endpoints.map(endpoint => exampleIn('python', endpoint, schemas, FILLED))
    const python = spawnSync('python3', ['-c', 'import json,sys\nfor text in json.load(sys.stdin): compile(text, "example", "exec")'], {
      input: JSON.stringify(programs),
    })
    if (python.error) return t.diagnostic('there is no Python here')
    assert.equal(python.status, 0, String(python.stderr))
  })
})
