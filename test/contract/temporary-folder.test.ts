import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { full } from '../full.ts'

const root = new URL('../..', import.meta.url).pathname

describe('npm test', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'o'))
    await chmod(folder, 0o755)
  })
  after(() => rm(folder, { recursive: true, force: true }))

  async function run(env: Record<string, string>, onOutput: (text: string, end: () => void) => void = () => {}): Promise<[string, number]> {
    const child = spawn(process.execPath, ['scripts/test.ts', 'test/faults/leaves-a-folder.ts'], {
      cwd: root,
      env: { ...process.env, TMPDIR: folder, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', text => {
      output += text
      onOutput(output, () => child.kill('SIGTERM'))
    })
    const code = await new Promise<number>(resolve => child.once('close', resolve))
    return [output, code]
  }

  it('leaves nothing in the temporary folder', full, async () => {
    const [output, code] = await run({})
    assert.match(output, /made .*left-/)
    assert.match(output, /pass 1,/)
    assert.equal(code, 0)
    assert.deepEqual(await readdir(folder), [])
  })

  it('leaves nothing there when it is interrupted', async () => {
    const [output, code] = await run({ OVERTURE_TEST_WAITS: '1' }, (text, end) => {
      if (/made .*left-/.test(text)) end()
    })
    assert.match(output, /made .*left-/)
    assert.doesNotMatch(output, /pass 1,/)
    assert.equal(code, 130)
    assert.deepEqual(await readdir(folder), [])
  })
})
