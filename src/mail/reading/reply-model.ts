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
  features: number[]
  values: number[]
  target: number
}

const KINDS = LEARNED_KINDS.length

export function trainReplyModel(samples: { text: string; kind: LearnedKind }[]): ReplyModel {
  const ids = new Map<string, number>()
  const seen: number[] = []
  const rows: Row[] = samples.map(({ text, kind }) => ({
    features: featuresOf(text).map(feature => {
      const id = ids.get(feature) ?? ids.size
      ids.set(feature, id)
      seen[id] = (seen[id] ?? 0) + 1
      return id
    }),
    values: [],
    target: LEARNED_KINDS.indexOf(kind),
  }))
  // What stands in every other reply tells little.
  const rarity = seen.map(count => Math.log(1 + samples.length / count))
  const valuesOf = (features: number[]): number[] => {
    const values = features.map(id => rarity[id] as number)
    const length = Math.hypot(...values) || 1
    return values.map(value => value / length)
  }
  for (const row of rows) row.values = valuesOf(row.features)
  /** One row of weights per feature, one after the other. */
  const weights = new Float64Array(seen.length * KINDS)
  const bias = new Float64Array(KINDS)
  const scoresOf = (features: number[], values: number[]): number[] => {
    const scores = [...bias]
    for (let i = 0; i < features.length; i++) {
      const at = (features[i] as number) * KINDS
      for (let k = 0; k < KINDS; k++) scores[k] = (scores[k] as number) + (weights[at + k] as number) * (values[i] as number)
    }
    return scores
  }
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    const rate = RATE / (1 + epoch * 0.1)
    for (let n = 0; n < rows.length; n++) {
      // A step that shares no factor with the number of rows visits each once, in a mixed order.
      const { features, values, target } = rows[(n * 7919 + epoch * 31) % rows.length] as Row
      const errors = softmax(scoresOf(features, values)).map((chance, k) => rate * (chance - (k === target ? 1 : 0)))
      for (let k = 0; k < KINDS; k++) bias[k] = (bias[k] as number) - 0.025 * (errors[k] as number)
      for (let i = 0; i < features.length; i++) {
        const at = (features[i] as number) * KINDS
        for (let k = 0; k < KINDS; k++) weights[at + k] = (weights[at + k] as number) - (errors[k] as number) * (values[i] as number)
      }
    }
  }
  return foldedText => {
    const features = featuresOf(foldedText)
      .map(feature => ids.get(feature) ?? -1)
      .filter(id => id >= 0)
    const chances = softmax(scoresOf(features, valuesOf(features)))
    return Object.fromEntries(LEARNED_KINDS.map((kind, k) => [kind, chances[k]])) as Record<LearnedKind, number>
  }
}

function softmax(scores: number[]): number[] {
  const highest = Math.max(...scores)
  const powers = scores.map(score => Math.exp(score - highest))
  const sum = powers.reduce((a, b) => a + b, 0)
  return powers.map(power => power / sum)
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
