import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'

const root = new URL('../..', import.meta.url).pathname

const MOST_LINES = 300

/** Files that are longer, each with the reason why it is better whole. */
const LONGER: Record<string, string> = {
  'src/mail/transport/testing/imap-server.ts': 'one server of one protocol, read from top to bottom like its RFC',
}

const lengthOf = (file: string): number => readFileSync(`${root}${file}`, 'utf8').trimEnd().split('\n').length

describe('a file of the service', () => {
  const files = globSync('src/**/*.ts', { cwd: root }).filter(file => !file.endsWith('.test.ts'))

  it(`has at most ${MOST_LINES} lines, or a reason`, () => {
    const long = files.filter(file => !(file in LONGER) && lengthOf(file) > MOST_LINES)
    assert.deepEqual(long, [])
  })

  it('has a reason only while it needs one', () => {
    assert.deepEqual(
      Object.keys(LONGER).filter(file => lengthOf(file) <= MOST_LINES),
      [],
    )
  })
})
