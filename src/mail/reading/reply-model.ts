/**
 * A small learned judge beside the phrases: logistic regression over words, word pairs and letter groups. Phrases are
 * exact but narrow; this generalises to what nobody wrote down. It is trained when first used, from the labelled
 * replies, in a fixed order, so that it is the same on every machine.
 */

export type LearnedKind = 'opt_out' | 'positive' | 'negative' | 'neutral' | 'auto_reply'
export const LEARNED_KINDS: LearnedKind[] = ['opt_out', 'positive', 'negative', 'neutral', 'auto_reply']

export type ReplyModel = (foldedText: string) => Record<LearnedKind, number>

const EPOCHS = 15
const RATE = 1.2
const MAX_CHARS = 600

interface Row {
  features: Int32Array
  values: Float64Array
  target: number
}

const KINDS = LEARNED_KINDS.length

// Flat arrays and no new ones inside the loops: training stands between a start and the first reply that is read.
export function trainReplyModel(samples: { text: string; kind: LearnedKind }[]): ReplyModel {
  const ids = new Map<string, number>()
  const seen: number[] = []
  const known = samples.map(({ text }) =>
    Int32Array.from(featuresOf(text), feature => {
      let id = ids.get(feature)
      if (id === undefined) {
        id = ids.size
        ids.set(feature, id)
        seen.push(0)
      }
      seen[id]!++
      return id
    }),
  )
  // What stands in every other reply tells little.
  const rarity = Float64Array.from(seen, count => Math.log(1 + samples.length / count))
  const valuesOf = (features: Int32Array): Float64Array => {
    const values = Float64Array.from(features, id => rarity[id]!)
    const length = Math.hypot(...values) || 1
    return values.map(value => value / length)
  }
  const rows = samples.map(({ kind }, n): Row => {
    const features = known[n]!
    return { features, values: valuesOf(features), target: LEARNED_KINDS.indexOf(kind) }
  })
  /** One row of weights per feature, one after the other. */
  const weights = new Float64Array(seen.length * KINDS)
  const bias = new Float64Array(KINDS)
  /** The chance of each kind, left here by the last question. */
  const chances = new Float64Array(KINDS)
  const judge = (features: Int32Array, values: Float64Array): void => {
    chances.set(bias)
    for (let i = 0; i < features.length; i++) {
      const at = features[i]! * KINDS
      const value = values[i]!
      for (let k = 0; k < KINDS; k++) chances[k]! += weights[at + k]! * value
    }
    softmax(chances)
  }
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    const rate = RATE / (1 + epoch * 0.1)
    for (let n = 0; n < rows.length; n++) {
      // A step that shares no factor with the number of rows visits each once, in a mixed order.
      const { features, values, target } = rows[(n * 7919 + epoch * 31) % rows.length]!
      judge(features, values)
      const errors = chances
      for (let k = 0; k < KINDS; k++) errors[k] = rate * (chances[k]! - (k === target ? 1 : 0))
      for (let k = 0; k < KINDS; k++) bias[k]! -= 0.025 * errors[k]!
      for (let i = 0; i < features.length; i++) {
        const at = features[i]! * KINDS
        const value = values[i]!
        for (let k = 0; k < KINDS; k++) weights[at + k]! -= errors[k]! * value
      }
    }
  }
  return foldedText => {
    const features = Int32Array.from(featuresOf(foldedText).flatMap(feature => ids.get(feature) ?? []))
    judge(features, valuesOf(features))
    return Object.fromEntries(LEARNED_KINDS.map((kind, k) => [kind, chances[k]])) as Record<LearnedKind, number>
  }
}

function softmax(scores: Float64Array): void {
  const highest = Math.max(...scores)
  let sum = 0
  for (let k = 0; k < scores.length; k++) {
    scores[k] = Math.exp(scores[k]! - highest)
    sum += scores[k]!
  }
  for (let k = 0; k < scores.length; k++) scores[k]! /= sum
}

function featuresOf(foldedText: string): string[] {
  const tokens = (foldedText.slice(0, MAX_CHARS).match(/[a-z0-9']+|[?!]/g) ?? []).map(token => (/^\d/.test(token) ? '0' : token))
  // How it begins, how it ends and how long it is: "ok" alone is another word than in a letter.
  const features = new Set<string>([`^${tokens[0]}`, `$${tokens.at(-1)}`, `l:${Math.min(5, Math.floor(Math.log2(tokens.length + 1)))}`])
  tokens.forEach((token, i) => {
    features.add(`w:${token}`)
    if (token.length > 5) features.add(`p:${token.slice(0, 5)}`)
    const next = tokens[i + 1]
    if (next !== undefined) features.add(`b:${token} ${next}`)
  })
  const line = ` ${tokens.join(' ')} `
  for (let i = 0; i + 4 <= line.length; i++) features.add(`c:${line.slice(i, i + 4)}`)
  return [...features]
}
