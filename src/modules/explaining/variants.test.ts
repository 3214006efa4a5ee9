import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chooseVariant } from '../sending/planner-input.ts'
import { type ComparedVariant, judge, wilson } from './variants.ts'

const compared = (variantId: string, positive: number, sent: number): ComparedVariant => ({
  ...{ variantId, subject: null, weight: 1, sentCount: sent, replyCount: positive, positiveReplyCount: positive },
  positiveReplyRate: sent === 0 ? 0 : positive / sent,
  interval: wilson(positive, sent),
})

describe('the comparison of variants', () => {
  it('gives the Wilson interval, even if no or every lead replied', () => {
    assert.deepEqual(wilson(0, 0), { low: 0, high: 1 })
    assert.deepEqual(wilson(10, 100), { low: 0.0552, high: 0.1744 })
    assert.equal(wilson(0, 50).low, 0)
    assert.ok(wilson(0, 50).high > 0.05)
    assert.equal(wilson(50, 50).high, 1)
  })

  it('names a winner only if the intervals do not overlap and there is enough data', () => {
    assert.equal(judge([compared('a', 3, 20), compared('b', 0, 20)]).verdict, 'not_enough_data')
    assert.equal(judge([compared('a', 12, 200), compared('b', 8, 200)]).verdict, 'no_clear_difference')
    assert.deepEqual(
      [judge([compared('a', 40, 200), compared('b', 8, 200)])].map(({ verdict, winnerVariantId }) => [verdict, winnerVariantId]),
      [['clear_winner', 'a']],
    )
    assert.equal(judge([compared('a', 40, 200)]).verdict, 'only_variant')
  })
})

describe('the choice of a variant', () => {
  const variants = [1, 3].map(weight => ({ id: `weight-${weight}`, subject: null, body: '', weight }))
  const step = { id: 'step', delayDays: 0, variants }

  it('is the same for the same lead and step', () => {
    for (let n = 0; n < 50; n++) assert.equal(chooseVariant(step, `lead-${n}:0`).id, chooseVariant(step, `lead-${n}:0`).id)
  })

  it('follows the weights', () => {
    const heavy = Array.from({ length: 4000 }, (_, n) => chooseVariant(step, `lead-${n}:0`)).filter(
      variant => variant.id === 'weight-3',
    ).length
    assert.ok(Math.abs(heavy / 4000 - 0.75) < 0.03, `${heavy}`)
  })
})
