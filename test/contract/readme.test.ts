import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { PICTURES } from '../../scripts/pictures.ts'
import { makeProvider } from '../factories.ts'
import { startOverture } from '../harness.ts'

const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8')

describe('the README', () => {
  it('leads to every page of the documentation, and to none that is missing', async () => {
    const linked = new Set([...readme.matchAll(/\]\((docs\/[\w-]+\.md)/g)].map(match => match[1]!))
    const pages = (await readdir(new URL('../../docs/', import.meta.url))).filter(name => name.endsWith('.md')).map(name => `docs/${name}`)
    assert.deepEqual([...linked].sort(), pages.sort())
  })

  it('shows pictures that are there, are not heavy, and are all shown: `npm run screenshots` makes them', async () => {
    const folder = new URL('../../docs/pictures/', import.meta.url)
    const shown = new Set([...readme.matchAll(/docs\/pictures\/([\w-]+\.png)/g)].map(match => match[1]!))
    assert.deepEqual([...shown].sort(), (await readdir(folder)).sort())
    assert.deepEqual([...shown].sort(), PICTURES.map(({ name }) => `${name}.png`).sort())
    for (const name of shown) assert.ok((await stat(new URL(name, folder))).size < 200_000, name)
  })

  it('has a tour that ends with a sent e-mail when it is pasted', async () => {
    const overture = await startOverture()
    await makeProvider(overture)
    const dir = await mkdtemp(join(tmpdir(), 'overture-tour-'))
    await writeFile(
      join(dir, 'local.json'),
      JSON.stringify({ baseUrl: overture.baseUrl, workspaceId: overture.workspaceId, token: overture.client.token }),
    )
    const tour = /<!-- tour -->\n```sh\n([\s\S]*?)```/.exec(readme)![1]!
    const { output, code } = await run(`set -euo pipefail\n${tour}`, { OVERTURE_DIR: dir })
    await rm(dir, { recursive: true })
    assert.equal(code, 0, output)
    assert.match(output, /"rule":"leads_missing"/)
    assert.match(output, /Z email\.sent/)
  })
})

function run(script: string, env: Record<string, string>): Promise<{ output: string; code: number | null }> {
  return new Promise(resolve => {
    const child = spawn('bash', ['-c', script], { env: { ...process.env, ...env } })
    let output = ''
    child.stdout.on('data', chunk => {
      output += chunk
    })
    child.stderr.on('data', chunk => {
      output += chunk
    })
    child.on('close', code => resolve({ output, code }))
  })
}
