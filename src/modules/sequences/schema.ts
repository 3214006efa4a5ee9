import { about, DateTime, Links, namedObject, nullable, strict, Uuid } from '../../http/schema.ts'
import { type Static, Type } from '../../lib/type.ts'

const subject = nullable(
  Type.String({
    maxLength: 255,
    description: 'Required on the first step. Leave it empty for a follow-up that continues the thread of the previous step.',
  }),
)
const body = Type.String({
  minLength: 1,
  maxLength: 50_000,
  description: 'A Liquid template with the fields and variables of the lead. A template that is blank or cannot be parsed is refused.',
})
const weight = Type.Integer({
  minimum: 1,
  maximum: 100,
  description: 'The share of new leads that get this variant, relative to the others. Defaults to 1.',
})
const delayDays = Type.Integer({
  minimum: 0,
  maximum: 90,
  description: 'Business days after the previous step. Must be 0 for the first step.',
})

export const SequenceStep = strict({
  id: Uuid,
  delayDays,
  variants: Type.Array(strict({ id: Uuid, subject, body, weight })),
})
export type SequenceStep = Static<typeof SequenceStep>

export const Sequence = namedObject('Sequence', {
  campaignId: Uuid,
  version: Type.Integer({ minimum: 0, description: '0: there is no sequence yet.' }),
  steps: Type.Array(SequenceStep),
  updatedAt: about(nullable(DateTime), 'When the sequence was last changed. A change needs the `updatedAt` of the campaign as `if-match`.'),
  links: Links,
})

const updatedAt = about(DateTime, 'The `updatedAt` of the campaign, for `if-match`.')
export const SequenceResult = namedObject('SequenceResult', { campaignId: Uuid, stepCount: Type.Integer(), updatedAt })
export const SequenceCopy = namedObject('SequenceCopy', { ...SequenceResult.properties, sourceCampaignId: Uuid })

const NewVariant = strict({ subject: Type.Optional(subject), body, weight: Type.Optional(weight) })
const NewStep = namedObject('NewStep', {
  delayDays,
  variants: Type.Array(NewVariant, { minItems: 1, maxItems: 5, description: 'One text, or up to five that are compared.' }),
})

export const MOST_STEPS = 20

export const NewSequence = namedObject(
  'NewSequence',
  { steps: Type.Array(NewStep, { minItems: 1, maxItems: MOST_STEPS }) },
  {
    examples: [
      {
        steps: [
          { delayDays: 0, variants: [{ subject: 'A question about {{company}}', body: 'Hello {{firstName}}, …' }] },
          { delayDays: 3, variants: [{ body: 'Hello again, …' }] },
        ],
      },
    ],
  },
)
export type NewSequence = Static<typeof NewSequence>
