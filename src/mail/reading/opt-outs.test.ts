import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kindOf, linesOf } from './testing/reading.ts'

const lostOf = (texts: string[]) => texts.filter(text => kindOf(text) !== 'opt_out')

const grid = new Map<string, string[]>()
let section: string[] = []
for (const line of linesOf('opt-out-grid.txt'))
  if (line.startsWith('[')) {
    section = []
    grid.set(line.slice(1, -1), section)
  } else section.push(line)

for (const language of ['en', 'de', 'fr', 'es'])
  test(`an opt-out that names what was sold is one, whatever was sold (${language})`, () => {
    const things = grid.get(`${language} things`) as string[]
    const ways = grid.get(`${language} ways`) as string[]
    assert.deepEqual(lostOf(ways.flatMap(way => things.map(thing => way.replace('X', thing)))), [])
  })

test('an opt-out that speaks of a price, a board or a budget is still one', () => {
  assert.deepEqual(lostOf(linesOf('opt-outs.txt')), [])
})
