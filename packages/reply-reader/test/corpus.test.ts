import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { isRead, judge, linesOf, messageOf, readSamples } from '../corpus/corpus.ts'
import { type ReplyClass, readReply } from '../src/index.ts'

/** `npm run test:all` reads the whole corpus, the default run every fiftieth of its texts. */
const isWhole = process.env.OVERTURE_TESTS === 'all'
const EACH = 50

const digestOf = (readings: ReplyClass[]): string => createHash('sha256').update(JSON.stringify(readings)).digest('hex').slice(0, 16)
const samples = readSamples().filter((_, row) => isRead(row, EACH))
const lines = ['buyers.txt', 'opt-outs.txt', 'opt-out-letters.txt', 'opt-out-grid.txt']
  .flatMap(linesOf)
  .filter((_, row) => isRead(row, EACH))

test('the labeled replies are read at least as well as the README says, and each of them as before', () => {
  const readings = samples.map(sample => readReply(messageOf(sample)))
  for (const [split, floor] of [
    ['tune', 0.97],
    ['held_out', 0.87],
  ] as const) {
    const ofSplit = samples.flatMap((sample, i) => (sample.split === split ? [sample.kind === readings[i]!.kind] : []))
    assert.ok(ofSplit.filter(Boolean).length / ofSplit.length >= floor, split)
  }
  assert.equal(digestOf(readings), isWhole ? 'fa24a9f0f6c20072' : 'b1b51511768a0a63')
})

test('each line of the corpus is read as before', () => {
  assert.equal(digestOf(lines.map(line => judge(line))), isWhole ? 'af07f07a40f077b6' : '9563ba2bdb4e582f')
})
