import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { InboundMessage } from '../inbound/inbound.ts'
import { classifyReply } from './classify.ts'

const linesOf = (file: string): string[] =>
  readFileSync(new URL(`./testing/${file}`, import.meta.url), 'utf8')
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#'))

const tuesday = new Date('2026-02-10T10:00:00Z')
const kindOf = (text: string) =>
  classifyReply(
    { bounce: null, report: null, subject: 'Re: Hi', text, from: null, date: null, headers: new Map() } as unknown as InboundMessage,
    tuesday,
  ).kind
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
