import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { it } from 'node:test'

const root = new URL('../..', import.meta.url).pathname

const MOST_LINES = 300

const lengthOf = (file: string): number => readFileSync(`${root}${file}`, 'utf8').trimEnd().split('\n').length

it(`a file of the service has at most ${MOST_LINES} lines`, () => {
  const files = globSync('src/**/*.ts', { cwd: root }).filter(file => !file.endsWith('.test.ts'))
  assert.deepEqual(
    files.filter(file => lengthOf(file) > MOST_LINES),
    [],
  )
})
