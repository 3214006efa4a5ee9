import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { bundle, declareTypes } from '../build.mjs'

const MOST_BYTES = 12 * 1024

/** Code as users of the installed package write it. A comment marks each line that must not compile. */
const PROGRAM = `
import { Overture, verifyWebhook } from '@overture/sdk'
const overture = new Overture({ baseUrl: '' })
const { campaign } = await overture.campaigns.duplicate('id', { name: 'Copy' }).wait()
const name: string = campaign.name
// @ts-expect-error a name is a text
const wrong: number = campaign.name
const operation = await overture.operations.get('id')
if (operation.action === 'campaign.import_leads') console.log(operation.result?.importedCount)
// @ts-expect-error every action has its own result
console.log(operation.result?.importedCount)
const event = await verifyWebhook('', {}, '')
if (event.type === 'email.sent') console.log(event.data.messageId)
for await (const { type } of overture.events.stream({ types: ['email.sent'] })) console.log(type)
// @ts-expect-error there is no such event
overture.events.stream({ types: ['email.eaten'] })
await overture.leads.import('id', { exportId: 'id' })
// @ts-expect-error either people or an export
await overture.leads.import('id', {})
// @ts-expect-error what is changed must have been read
await overture.campaigns.update('id', {})
console.log(name, wrong)
`

describe('the package', () => {
  let folder: string
  let installed: string

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'overture-sdk-'))
    installed = join(folder, 'node_modules/@overture/sdk')
    await mkdir(installed, { recursive: true })
    await copyFile(new URL('../package.json', import.meta.url), join(installed, 'package.json'))
    await bundle(join(installed, 'dist'))
    declareTypes(join(installed, 'dist'))
  })
  after(() => rm(folder, { recursive: true }))

  it('is at most 12 KB, minified and compressed, without dependencies', async () => {
    const code = await readFile(join(installed, 'dist/index.js'))
    assert.ok(gzipSync(code).length <= MOST_BYTES, `${gzipSync(code).length} bytes`)
    assert.ok(
      !/\bfrom *["'`]|\brequire\(|\bimport\(|\bprocess\.|\bBuffer\./.test(code.toString()),
      'it asks for something of its surroundings',
    )
    const { Overture } = (await import(pathToFileURL(join(installed, 'dist/index.js')).href)) as typeof import('../src/index.ts')
    assert.equal(typeof new Overture({ baseUrl: '' }).campaigns.create, 'function')
  })

  it('types requests and responses, using only the types of browsers', async () => {
    await writeFile(join(folder, 'package.json'), '{"type":"module"}')
    await writeFile(join(folder, 'program.ts'), PROGRAM)
    const args = [
      '--noEmit',
      '--strict',
      '--target',
      'es2023',
      '--module',
      'nodenext',
      '--types',
      '',
      '--lib',
      'es2023,dom,dom.asynciterable',
    ]
    await promisify(execFile)('tsc', [...args, 'program.ts'], { cwd: folder }).catch(error => assert.fail(error.stdout || error.message))
  })
})
