import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { kindOf } from '../corpus/corpus.ts'
import { judgeText, packWeights, unpackWeights, WEIGHTS_FILE, type Weights } from '../src/model.ts'
import { train } from '../train/train.ts'

const shipped = unpackWeights(readFileSync(WEIGHTS_FILE))
/** Processors may round the last digit of a logarithm differently. */
const ROUNDING = 1e-9

function assertSame(one: Weights, other: Weights): void {
  assert.deepEqual(one.names, other.names)
  assert.deepEqual(one.words, other.words)
  assert.deepEqual(one.pairs, other.pairs)
  for (const part of ['rarity', 'weights', 'bias'] as const) {
    assert.equal(one[part].length, other[part].length)
    const differing = one[part].findIndex((value, i) => Math.abs(value - other[part][i]!) > ROUNDING)
    assert.equal(differing, -1, `${part} differ: run node packages/reply-reader/train/train.ts`)
  }
}

test('the weights are loaded from their file, and cover every kind', () => {
  assert.ok(shipped.pairs.length > 100_000 && shipped.words.length > 5_000)
  assertSame(unpackWeights(packWeights(shipped)), shipped)
  assert.ok(judgeText('please remove me from your list').opt_out > 0.9)
  const read = [
    'Please take us off your list.',
    'Sounds great, send me a quote.',
    'No thanks, we have one.',
    'Who are you?',
    'I am on leave.',
  ]
  assert.deepEqual(read.map(kindOf), ['opt_out', 'positive', 'negative', 'neutral', 'auto_reply'])
})

test('training from the corpus gives the weights that are shipped', {
  skip: process.env.OVERTURE_TESTS !== 'all' && 'a part of test:all',
}, () => {
  assertSame(train(), shipped)
})
