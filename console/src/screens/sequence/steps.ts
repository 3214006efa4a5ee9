import type { NewSequence, Sequence } from '@overture/sdk'

export interface DraftVariant {
  subject: string
  body: string
  weight: number
}

export interface DraftStep {
  delayDays: number
  variants: DraftVariant[]
}

export const MOST_STEPS = 20
export const MOST_VARIANTS = 5
export const LETTERS = 'ABCDE'

export const newStep = (isFirst: boolean): DraftStep => ({
  delayDays: isFirst ? 0 : 3,
  variants: [{ subject: '', body: '', weight: 1 }],
})

/** What is written, without the ids: they are new in every version. */
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

/** What has to be written before it can be saved; null when nothing is. */
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

/** How much of the leads get this variant, in percent. */
export const shareOf = (step: DraftStep, variant: number): number =>
  Math.round((step.variants[variant]!.weight / step.variants.reduce((sum, { weight }) => sum + weight, 0)) * 100)

/** A step in words, to be compared with another. */
export function wordStep(step: DraftStep | undefined): string {
  if (!step) return 'No such step'
  const { delayDays, variants } = step
  const texts = variants.map(({ subject, body, weight }, index) =>
    [variants.length > 1 ? `Variant ${LETTERS[index]}, weight ${weight}` : null, subject || null, body].filter(Boolean).join('\n'),
  )
  return [`${delayDays === 0 ? 'Immediately' : `After ${delayDays} business days`}`, ...texts].join('\n\n')
}
