import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'

const root = new URL('../..', import.meta.url).pathname
const EXPORT = /^export (?:async )?(?:const|let|function\*?|class|interface|type|abstract class) ([A-Za-z_$][\w$]*)/gm
const IMPORT_OF = (name: string): RegExp => new RegExp(`(?:from |import\\()'${name}[/']`)
const WORD = /[A-Za-z_$][\w$]*/g

const isTest = (file: string): boolean => /^(packages\/\w+\/)?test\/|\.test\.ts$|\/testing\//.test(file)
/** The client is for others, who use all that it exports. */
const isOurs = (file: string): boolean => /^(src|packages\/(?!sdk\/)[\w-]+\/src)\//.test(file) && !isTest(file)

const files = globSync('{src,bench,scripts,test,packages}/**/*.ts', { cwd: root }).filter(file => !file.includes('node_modules/'))
const sources = new Map(files.map(file => [file, readFileSync(`${root}${file}`, 'utf8')]))
const wordsOf = new Map([...sources].map(([file, source]) => [file, new Set(source.match(WORD))]))
const exported = files.filter(isOurs).flatMap(file => [...sources.get(file)!.matchAll(EXPORT)].map(match => ({ file, name: match[1]! })))

const isNamedIn = (name: string, chosen: (file: string) => boolean): boolean =>
  files.some(file => chosen(file) && wordsOf.get(file)!.has(name))

describe('a dependency', () => {
  it('is imported by shipped code', () => {
    const { dependencies } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { dependencies: Record<string, string> }
    const shipped = files.filter(isOurs).map(file => sources.get(file)!)
    // The package `node` is the program that runs us.
    const unused = Object.keys(dependencies).filter(name => name !== 'node' && !shipped.some(source => IMPORT_OF(name).test(source)))
    assert.deepEqual(unused, [])
  })
})

describe('the entry of a package', () => {
  const entries = files.filter(file => isOurs(file) && /^packages\/[\w-]+\/src\/index\.ts$/.test(file))
  for (const entry of entries)
    it(`${entry} exports only what others use`, () => {
      const own = entry.slice(0, entry.indexOf('/src/') + 1)
      const names = [...sources.get(entry)!.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(
        match => match[1]!.match(/\w+(?=,|\s*$)/gm) ?? [],
      )
      assert.ok(names.length > 0)
      const unused = names.filter(name => !isNamedIn(name, file => !file.startsWith(own) && !isTest(file)))
      assert.deepEqual(unused, [])
    })
})

describe('what a file exports', () => {
  it('is used by another file', () => {
    const unused = exported.filter(({ file, name }) => !isNamedIn(name, other => other !== file))
    assert.deepEqual(
      unused.map(({ file, name }) => `${file}: ${name}`),
      [],
    )
  })

  it('is used by production, not by tests alone', () => {
    const testOnly = exported.filter(({ file, name }) => {
      const inOwnFile = (sources.get(file)!.match(WORD) ?? []).filter(word => word === name).length
      return inOwnFile < 2 && !isNamedIn(name, other => other !== file && !isTest(other))
    })
    assert.deepEqual(
      testOnly.map(({ file, name }) => `${file}: ${name}`),
      [],
    )
  })
})
