import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { it } from 'node:test'
import siblings from './short-siblings.json' with { type: 'json' }

/** `short-siblings.json`: by file and name, each test that only the complete run has, and the test of every run that shows the same guarantee. */
const named: Record<string, Record<string, string>> = siblings

const root = new URL('../../', import.meta.url)
const textOf = (file: string): string => readFileSync(new URL(file, root), 'utf8')
/** Tests whose options are `full`, or are so for some of their names. */
const LONG = /\b(?:it|test|describe)\(\s*(['`])((?:(?!\1)[^\\]|\\.)*)\1,\s*(?:[^,\n]*\? \{\} : )?(?:full\b|\{ skip: isFull)/g

const longTests = globSync('{src,packages,test}/**/*.test.ts', { cwd: root })
  .filter(file => !file.includes('node_modules/'))
  .flatMap(file => [...textOf(file).matchAll(LONG)].map(([, , name]) => ({ file, name: name! })))

it('every test of the complete run only names its short sibling', () => {
  assert.ok(longTests.length > 20)
  const missing = longTests.filter(({ file, name }) => named[file]?.[name] === undefined)
  assert.deepEqual(missing, [], 'name their short siblings in test/contract/short-siblings.json')
})

it('every short sibling exists, and runs every time', () => {
  const isLong = new Set(longTests.map(({ file, name }) => `${file} > ${name}`))
  for (const short of Object.values(named).flatMap(tests => Object.values(tests))) {
    const [file, name] = short.split(' > ') as [string, string]
    assert.ok(textOf(file).includes(name), `${short} is gone: name another in test/contract/short-siblings.json`)
    assert.equal(isLong.has(short), false, short)
  }
})

it('no removed test is named', () => {
  for (const [file, tests] of Object.entries(named))
    for (const name of Object.keys(tests)) {
      const isOneOfSeveral = file === 'test/console/screens.test.ts'
      assert.ok(
        isOneOfSeveral || textOf(file).includes(name),
        `${file} > ${name} is gone: take it out of test/contract/short-siblings.json`,
      )
    }
})
