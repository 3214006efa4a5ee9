/**
 * A small learned judge beside the phrases: logistic regression over words, word pairs and letter groups. Phrases are
 * exact but narrow; this generalises to what nobody wrote down. It is trained when first used, from the labelled
 * replies, in a fixed order, so that it is the same on every machine.
 */

export type LearnedKind = 'opt_out' | 'positive' | 'negative' | 'neutral' | 'auto_reply'
export const LEARNED_KINDS: LearnedKind[] = ['opt_out', 'positive', 'negative', 'neutral', 'auto_reply']

export type ReplyModel = (foldedText: string) => Record<LearnedKind, number>

const EPOCHS = 30
const RATE = 0.6
const MAX_CHARS = 600

export function trainReplyModel(samples: { text: string; kind: LearnedKind }[]): ReplyModel {
  const ids = new Map<string, number>()
  const weights: Float64Array[] = []
  const bias = new Float64Array(LEARNED_KINDS.length)
  const rows = samples.map(({ text, kind }) => ({
    features: featuresOf(text).map(feature => {
      const known = ids.get(feature)
      if (known !== undefined) return known
      ids.set(feature, weights.length)
      weights.push(new Float64Array(LEARNED_KINDS.length))
      return weights.length - 1
    }),
    target: LEARNED_KINDS.indexOf(kind),
  }))
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    const rate = RATE / (1 + epoch * 0.1)
    for (let n = 0; n < rows.length; n++) {
      // A step that shares no factor with the number of rows visits each once, in a mixed order.
      const row = rows[(n * 7919 + epoch * 31) % rows.length] as (typeof rows)[number]
      const scale = 1 / Math.sqrt(row.features.length || 1)
      const chances = softmax(scoresOf(row.features, scale, weights, bias))
      chances.forEach((chance, k) => {
        const error = chance - (k === row.target ? 1 : 0)
        bias[k] = (bias[k] as number) - rate * 0.025 * error
        for (const id of row.features) {
          const weight = weights[id] as Float64Array
          weight[k] = (weight[k] as number) - rate * error * scale
        }
      })
    }
  }
  return foldedText => {
    const features = featuresOf(foldedText)
      .map(feature => ids.get(feature) ?? -1)
      .filter(id => id >= 0)
    const scale = 1 / Math.sqrt(features.length || 1)
    const chances = softmax(scoresOf(features, scale, weights, bias))
    return Object.fromEntries(LEARNED_KINDS.map((kind, k) => [kind, chances[k]])) as Record<LearnedKind, number>
  }
}

function scoresOf(features: number[], scale: number, weights: Float64Array[], bias: Float64Array): number[] {
  const scores = [...bias]
  for (const id of features) {
    const weight = weights[id] as Float64Array
    for (let k = 0; k < scores.length; k++) scores[k] = (scores[k] as number) + (weight[k] as number) * scale
  }
  return scores
}

function softmax(scores: number[]): number[] {
  const highest = Math.max(...scores)
  const powers = scores.map(score => Math.exp(score - highest))
  const sum = powers.reduce((a, b) => a + b, 0)
  return powers.map(power => power / sum)
}

function featuresOf(foldedText: string): string[] {
  const tokens = foldedText.slice(0, MAX_CHARS).match(/[a-z0-9']+|\?/g) ?? []
  const features = new Set<string>()
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
