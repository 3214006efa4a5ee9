import { FeatureBook } from './reply-features.ts'

/**
 * A small learned judge beside the phrases: logistic regression over the features of a text. Phrases are exact but
 * narrow; this generalises to what nobody wrote down. It is trained when first used, from the labelled replies, in a
 * fixed order, so that it is the same on every machine.
 */

export type LearnedKind = 'opt_out' | 'positive' | 'negative' | 'neutral' | 'auto_reply'
export const LEARNED_KINDS: LearnedKind[] = ['opt_out', 'positive', 'negative', 'neutral', 'auto_reply']

export type ReplyModel = (foldedText: string) => Record<LearnedKind, number>

const EPOCHS = 6
const RATE = 2.5
const BIAS_RATE = 0.025
const KINDS = LEARNED_KINDS.length

interface Row {
  features: Int32Array
  values: Float64Array
  target: number
}

interface Learnt {
  book: FeatureBook
  rarity: Float64Array
  /** One row of weights per feature, one after the other. */
  weights: Float64Array
  bias: Float64Array
}

// This function returns only what it has learnt: a closure beside the samples would keep them in memory.
export function trainReplyModel(samples: { text: string; kind: LearnedKind }[]): ReplyModel {
  return modelOf(learn(samples))
}

function modelOf({ book, rarity, weights, bias }: Learnt): ReplyModel {
  const chances = new Float64Array(KINDS)
  return foldedText => {
    const features = book.featuresOf(foldedText)
    chancesOf({ features, values: valuesOf(features, rarity) }, weights, bias, chances)
    return Object.fromEntries(LEARNED_KINDS.map((kind, k) => [kind, chances[k]])) as Record<LearnedKind, number>
  }
}

function learn(samples: { text: string; kind: LearnedKind }[]): Learnt {
  const book = new FeatureBook()
  const learnt = samples.map(({ text }) => book.featuresOf(text))
  book.close()
  const seen = new Float64Array(book.size)
  for (const features of learnt)
    for (let i = 0; i < features.length; i++) seen[features[i] as number] = (seen[features[i] as number] as number) + 1
  // What stands in every other reply tells little.
  const rarity = seen.map(count => Math.log(1 + samples.length / Math.max(1, count)))
  const rows: Row[] = samples.map(({ kind }, i) => {
    const features = learnt[i] as Int32Array
    return { features, values: valuesOf(features, rarity), target: LEARNED_KINDS.indexOf(kind) }
  })
  const weights = new Float64Array(seen.length * KINDS)
  const bias = new Float64Array(KINDS)
  const chances = new Float64Array(KINDS)
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    const rate = RATE / (1 + epoch * 0.1)
    for (let n = 0; n < rows.length; n++) {
      // A step that shares no factor with the number of rows visits each once, in a mixed order.
      const row = rows[(n * 7919 + epoch * 31) % rows.length] as Row
      chancesOf(row, weights, bias, chances)
      for (let k = 0; k < KINDS; k++) chances[k] = rate * ((chances[k] as number) - (k === row.target ? 1 : 0))
      correct(row, chances, weights, bias)
    }
  }
  return { book, rarity, weights, bias }
}

/** One value a feature, of length 1 together: a long text has no more to say than a short one. */
function valuesOf(features: Int32Array, rarity: Float64Array): Float64Array {
  const values = new Float64Array(features.length)
  let squares = 0
  for (let i = 0; i < features.length; i++) {
    const value = rarity[features[i] as number] as number
    values[i] = value
    squares += value * value
  }
  const length = Math.sqrt(squares) || 1
  for (let i = 0; i < values.length; i++) values[i] = (values[i] as number) / length
  return values
}

// The loops below run for each feature of each reply in each epoch, so they allocate nothing.

function chancesOf({ features, values }: Omit<Row, 'target'>, weights: Float64Array, bias: Float64Array, chances: Float64Array): void {
  chances.set(bias)
  for (let i = 0; i < features.length; i++) {
    const at = (features[i] as number) * KINDS
    const value = values[i] as number
    for (let k = 0; k < KINDS; k++) chances[k] = (chances[k] as number) + (weights[at + k] as number) * value
  }
  let highest = Number.NEGATIVE_INFINITY
  for (let k = 0; k < KINDS; k++) highest = Math.max(highest, chances[k] as number)
  let sum = 0
  for (let k = 0; k < KINDS; k++) {
    chances[k] = Math.exp((chances[k] as number) - highest)
    sum += chances[k] as number
  }
  for (let k = 0; k < KINDS; k++) chances[k] = (chances[k] as number) / sum
}

/** `errors`: how far each chance was from what the reply means, times how fast to learn from it. */
function correct({ features, values }: Row, errors: Float64Array, weights: Float64Array, bias: Float64Array): void {
  for (let k = 0; k < KINDS; k++) bias[k] = (bias[k] as number) - BIAS_RATE * (errors[k] as number)
  for (let i = 0; i < features.length; i++) {
    const at = (features[i] as number) * KINDS
    const value = values[i] as number
    for (let k = 0; k < KINDS; k++) weights[at + k] = (weights[at + k] as number) - (errors[k] as number) * value
  }
}
