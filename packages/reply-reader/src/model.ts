import { readFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import { FeatureBook, type LearntFeatures } from './features.ts'

/**
 * A small model in addition to the phrases: logistic regression over the features of a text. Phrases are exact but narrow;
 * the model generalizes. `train/train.ts` learns the weights from labeled replies and writes them to
 * `weights.gz`; they are loaded when a text is first classified.
 */

export type LearnedKind = 'opt_out' | 'positive' | 'negative' | 'neutral' | 'auto_reply'
export const LEARNED_KINDS: LearnedKind[] = ['opt_out', 'positive', 'negative', 'neutral', 'auto_reply']
const KINDS = LEARNED_KINDS.length

export interface Weights extends LearntFeatures {
  /** The words of the training replies. */
  words: string[]
  /** By feature. */
  rarity: Float64Array
  /** One row of weights per feature, one after the other. */
  weights: Float64Array
  bias: Float64Array
}

/** A text for the model: its features and their values. */
export interface Row {
  features: Int32Array
  values: Float64Array
}

interface Model {
  book: FeatureBook
  words: ReadonlySet<string>
  learnt: Pick<Weights, 'rarity' | 'weights' | 'bias'>
}

export const WEIGHTS_FILE = new URL('./weights.gz', import.meta.url)
const NUMBER_BYTES = 8

/** The length of a JSON header, the header, and then all numbers. */
export function packWeights({ names, words, pairs, rarity, weights, bias }: Weights): Buffer {
  const json = JSON.stringify({ names, words, features: pairs.length })
  const header = Buffer.from(json)
  const length = Buffer.alloc(NUMBER_BYTES)
  length.writeUInt32LE(header.length)
  const numbers = [bias, pairs, rarity, weights].map(array => Buffer.from(array.buffer, array.byteOffset, array.byteLength))
  return gzipSync(Buffer.concat([length, header, ...numbers]), { level: 9 })
}

export function unpackWeights(packed: Uint8Array): Weights {
  const bytes = gunzipSync(packed)
  let at = NUMBER_BYTES + bytes.readUInt32LE(0)
  const { names, words, features } = JSON.parse(bytes.toString('utf8', NUMBER_BYTES, at)) as {
    names: string[]
    words: string[]
    features: number
  }
  const next = (count: number): Float64Array => {
    const array = new Float64Array(count)
    bytes.copy(new Uint8Array(array.buffer), 0, at, at + array.byteLength)
    at += array.byteLength
    return array
  }
  return { names, words, bias: next(KINDS), pairs: next(features), rarity: next(features), weights: next(features * KINDS) }
}

let loaded: Model | undefined

// Returns only a part of the data, so that the list of pairs and the names do not stay in memory twice.
function load(): Model {
  const { words, pairs, names, ...learnt } = unpackWeights(readFileSync(WEIGHTS_FILE))
  return { book: new FeatureBook({ pairs, names }), words: new Set(words), learnt }
}

function model(): Model {
  loaded ??= load()
  return loaded
}

let last: { text: string; chances: Record<LearnedKind, number> } | undefined

/** Callers classify the same reply several times in a row, so the last result is cached. */
export function judgeText(normalized: string): Readonly<Record<LearnedKind, number>> {
  if (last?.text !== normalized) last = { text: normalized, chances: predict(normalized) }
  return last.chances
}

function predict(normalized: string): Record<LearnedKind, number> {
  const { book, learnt } = model()
  const chances = new Float64Array(KINDS)
  const features = book.featuresOf(normalized)
  predictInto(chances, { features, values: valuesOf(features, learnt.rarity) }, learnt)
  return Object.fromEntries(LEARNED_KINDS.map((kind, k) => [kind, chances[k]])) as Record<LearnedKind, number>
}

/** One value per feature, normalized to length 1, so that a long text weighs as much as a short one. */
export function valuesOf(features: Int32Array, rarity: Float64Array): Float64Array {
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

/** Training calls this for each reply in each epoch, so it allocates nothing. */
export function predictInto(chances: Float64Array, { features, values }: Row, { weights, bias }: Pick<Weights, 'weights' | 'bias'>): void {
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

const MAX_CHARS = 2000
const KNOWN_SHARE = 0.55

export const modelWordsOf = (normalized: string): string[] => normalized.slice(0, MAX_CHARS).match(/[\p{L}']{2,}/gu) ?? []

/** Whether the model was trained on most of the words, so that its result is reliable. */
export function isFamiliar(normalized: string): boolean {
  const words = modelWordsOf(normalized)
  const known = words.filter(word => model().words.has(word)).length
  return known >= words.length * KNOWN_SHARE
}
