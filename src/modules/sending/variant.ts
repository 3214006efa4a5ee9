import { hash32 } from '../../lib/hash.ts'
import type { SequenceStep } from '../sequences/schema.ts'

/** Picks by weight, and always the same for the same seed, so that a second try sends the same message. */
export function chooseVariant(step: SequenceStep, seed: string): SequenceStep['variants'][number] {
  const total = step.variants.reduce((sum, variant) => sum + variant.weight, 0)
  let point = hash32(`variant:${seed}`) % total
  for (const variant of step.variants) {
    point -= variant.weight
    if (point < 0) return variant
  }
  return step.variants.at(-1)!
}
