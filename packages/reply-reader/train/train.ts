import { readFileSync, writeFileSync } from 'node:fs'
import { FeatureBook } from '../src/features.ts'
import { withoutFooters } from '../src/footers.ts'
import {
  LEARNED_KINDS,
  type LearnedKind,
  modelWordsOf,
  packWeights,
  predictInto,
  type Row,
  valuesOf,
  WEIGHTS_FILE,
  type Weights,
} from '../src/model.ts'
import { normalizeText } from '../src/normalize.ts'
import { stripQuotes } from '../src/quotes.ts'
import { withoutReportedSpeech } from '../src/reported-speech.ts'
import { correctSpelling } from '../src/spelling.ts'

/**
 * Learns the weights of the model from the labeled replies, in a fixed order, so that they are the same on every machine.
 * `node packages/reply-reader/train/train.ts` writes them to `src/weights.gz`.
 */

const EPOCHS = 6
const RATE = 2.5
const BIAS_RATE = 0.025
const KINDS = LEARNED_KINDS.length
const LANGUAGES = ['en', 'de', 'fr', 'es']

interface Lesson {
  text: string
  kind: LearnedKind
}

interface Labelled {
  split: string
  language: string
  kind: string
  text: string
}

const isLearnt = (kind: string): kind is LearnedKind => LEARNED_KINDS.includes(kind as LearnedKind)

/** The training replies: without those that are held out for measuring, and without other languages. */
function readLessons(): Lesson[] {
  const file = new URL('../corpus/replies.data.json', import.meta.url)
  const { replies } = JSON.parse(readFileSync(file, 'utf8')) as { replies: Labelled[] }
  return replies.flatMap(({ split, language, kind, text }) =>
    split === 'tune' && LANGUAGES.includes(language) && text !== '' && isLearnt(kind)
      ? [{ text: withoutReportedSpeech(correctSpelling(normalizeText(ownText(text)))), kind }]
      : [],
  )
}

/** A single line contains neither a quote nor a footer. */
const ownText = (text: string): string => (text.includes('\n') ? withoutFooters(stripQuotes(text)) : text)

export function train(lessons = readLessons()): Weights {
  const book = new FeatureBook()
  const learnt = lessons.map(({ text }) => book.featuresOf(text))
  const seen = new Float64Array(book.size)
  for (const features of learnt) for (const feature of features) seen[feature] = (seen[feature] as number) + 1
  // Features of every other reply carry little information.
  const rarity = seen.map(count => Math.log(1 + lessons.length / Math.max(1, count)))
  const rows = lessons.map(({ kind }, i) => {
    const features = learnt[i] as Int32Array
    return { features, values: valuesOf(features, rarity), target: LEARNED_KINDS.indexOf(kind) }
  })
  const weights = new Float64Array(seen.length * KINDS)
  const bias = new Float64Array(KINDS)
  const chances = new Float64Array(KINDS)
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    const rate = RATE / (1 + epoch * 0.1)
    for (let n = 0; n < rows.length; n++) {
      // A step without a common factor with the number of rows visits each once, in mixed order.
      const row = rows[(n * 7919 + epoch * 31) % rows.length] as (typeof rows)[number]
      predictInto(chances, row, { weights, bias })
      for (let k = 0; k < KINDS; k++) chances[k] = rate * ((chances[k] as number) - (k === row.target ? 1 : 0))
      correct(row, chances, weights, bias)
    }
  }
  return { ...book.learnt, words: [...new Set(lessons.flatMap(({ text }) => modelWordsOf(text)))], rarity, weights, bias }
}

/** `errors`: the difference between each probability and the label, times the learning rate. */
function correct({ features, values }: Row, errors: Float64Array, weights: Float64Array, bias: Float64Array): void {
  for (let k = 0; k < KINDS; k++) bias[k] = (bias[k] as number) - BIAS_RATE * (errors[k] as number)
  for (let i = 0; i < features.length; i++) {
    const at = (features[i] as number) * KINDS
    const value = values[i] as number
    for (let k = 0; k < KINDS; k++) weights[at + k] = (weights[at + k] as number) - (errors[k] as number) * value
  }
}

if (import.meta.main) {
  const packed = packWeights(train())
  writeFileSync(WEIGHTS_FILE, packed)
  console.log(`${packed.length} bytes`)
}
