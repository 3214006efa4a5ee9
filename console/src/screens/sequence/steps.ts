import type { NewSequence, Sequence } from '@overture/sdk'
import { formatNoun } from '@/ui/format.ts'

export type DraftVariant = { subject: string; body: string; weight: number }
export type DraftStep = { delayDays: number; variants: DraftVariant[] }

export const MOST_STEPS = 20
export const MOST_VARIANTS = 5
export const LETTERS = 'ABCDE'

export const newStep = (isFirst: boolean): DraftStep => ({
  delayDays: isFirst ? 0 : 3,
  variants: [{ subject: '', body: '', weight: 1 }],
})

/** The steps without ids, which are new in every version. */
export const draftOf = (steps: Sequence['steps']): DraftStep[] =>
  steps.map(({ delayDays, variants }) => ({
    delayDays,
    variants: variants.map(({ subject, body, weight }) => ({ subject: subject ?? '', body, weight })),
  }))

export const toNewSequence = (steps: readonly DraftStep[]): NewSequence => ({
  steps: steps.map(({ delayDays, variants }, index) => ({
    delayDays: index === 0 ? 0 : delayDays,
    variants: variants.map(({ subject, body, weight }) => ({ subject: subject.trim() || null, body, weight })),
  })),
})

/** Why the steps cannot be saved yet, or null. */
export function whatIsMissing(steps: readonly DraftStep[]): string | null {
  for (const [index, { variants }] of steps.entries()) {
    for (const [number, { subject, body }] of variants.entries()) {
      const where = `Step ${index + 1}${variants.length > 1 ? LETTERS[number] : ''}`
      if (index === 0 && !subject.trim()) return `${where} needs a subject.`
      if (!body.trim()) return `${where} is empty.`
    }
  }
  return steps.length === 0 ? 'Add a step first.' : null
}

/** The share of leads that get this variant, in percent. */
export const shareOf = (step: DraftStep, variant: number): number =>
  Math.round((step.variants[variant]!.weight / step.variants.reduce((sum, { weight }) => sum + weight, 0)) * 100)

/** A step as text, for the comparison with another version. */
export function describeStep(step: DraftStep | undefined): string {
  if (!step) return 'Not in this version'
  const { delayDays, variants } = step
  const texts = variants.map(({ subject, body, weight }, index) =>
    [variants.length > 1 ? `Variant ${LETTERS[index]}, weight ${weight}` : null, subject || null, body].filter(Boolean).join('\n'),
  )
  return [delayDays === 0 ? 'Immediately' : `After ${formatNoun(delayDays, 'business day')}`, ...texts].join('\n\n')
}
