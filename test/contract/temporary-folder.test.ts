import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'

const root = new URL('../..', import.meta.url).pathname

describe('npm test', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'o'))
    await chmod(folder, 0o755)
  })
  after(() => rm(folder, { recursive: true, force: true }))

  async function run(env: Record<string, string>, onOutput: (text: string, end: () => void) => void): Promise<string> {
    // With the mark of the runner that runs this test, the runner in it would report to that one.
    const { NODE_TEST_CONTEXT: _, ...inherited } = process.env
    const child = spawn(process.execPath, ['scripts/test.ts', 'test/faults/leaves-a-folder.ts'], {
      cwd: root,
      env: { ...inherited, TMPDIR: folder, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', text => {
      output += text
      onOutput(output, () => child.kill('SIGTERM'))
    })
    await new Promise(resolve => child.once('close', resolve))
    return output
  }

  it('leaves nothing in the temporary folder', async () => {
    const output = await run({}, () => {})
    assert.match(output, /made .*left-/)
    assert.match(output, /pass 1/)
    assert.deepEqual(await readdir(folder), [])
  })

  it('leaves nothing there when it is ended in the middle', async () => {
    let isEnded = false
    const output = await run({ OVERTURE_TEST_WAITS: '1' }, (text, end) => {
      if (isEnded || !/made .*left-/.test(text)) return
      isEnded = true
      end()
    })
    assert.match(output, /made .*left-/)
    assert.deepEqual(await readdir(folder), [])
  })
})
