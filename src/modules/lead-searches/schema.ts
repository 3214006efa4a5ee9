import { FilterDocumentSchema } from '#lead-terms'
import { about, Count, DateTime, Links, named, nullable, oneOf, shownAs, strict, Url, Uuid } from '../../http/schema.ts'
import { type Static, Type } from '../../lib/type.ts'

const FilterDocument = named('FilterDocument', FilterDocumentSchema)

/** Parsed by the filter document itself, which accepts shorthand and suggests corrections. */
const Filters = shownAs(Type.Object({}, { additionalProperties: true }), {
  anyOf: [FilterDocument, { type: 'object', additionalProperties: true }],
  examples: [{ jobTitles: { include: ['Head of Sales'] }, locations: { include: [{ country: 'DE' }] } }],
  description:
    'The filter document. `GET /lead-filters` lists its fields. Shorthand is accepted: a list instead of `{include}`, the name of a place, ' +
    'a range like `50-200`, the label of an industry. Results contain the full document that was derived from it. ' +
    '`{}` matches all people: a preview accepts it, and an order refuses it with 422.',
})

export const LeadSearchPreview = named('LeadSearchPreview', strict({ filters: Filters }))

export const LeadSearchOrder = named(
  'LeadSearchOrder',
  strict({
    filters: Filters,
    leadCount: Type.Integer({
      minimum: 1,
      maximum: 50_000,
      examples: [100],
      description: 'The number of leads to buy. The same number of credits is reserved until the operation has ended.',
    }),
  }),
)

/** The stored input of a preview: the complete filters. */
export const PreviewInput = strict({ filters: FilterDocumentSchema, warnings: Type.Array(Type.String()) })

/** The stored input of a purchase. */
export const Order = strict({
  filters: FilterDocumentSchema,
  leadCount: Type.Integer(),
  /** The state of who can be added, for which the purchase was approved. Omitted: it may be any. */
  addable: Type.Optional(Type.String()),
})
export type Order = Static<typeof Order>

export const LeadSearchBrief = named(
  'LeadSearchBrief',
  strict({
    brief: Type.String({
      minLength: 1,
      maxLength: 8000,
      description: 'A description of the people you are looking for, in English, German, French or Spanish.',
      examples: ['CTOs of software companies in Berlin with 50 to 200 people'],
    }),
  }),
)

const Facet = Type.Array(strict({ value: Type.String(), count: Count }), { description: 'Largest first.' })

const Known = nullable(Type.String())
/** Data that shows whether the filters match the right people, without identifying them, because their identity is what is bought. */
const SamplePerson = strict({
  jobTitle: Known,
  seniority: about(Known, 'The seniority.'),
  industry: Known,
  companySize: Known,
  country: Known,
  city: Known,
})
export type SamplePerson = Static<typeof SamplePerson>

export const LeadSearchPreviewResult = named(
  'LeadSearchPreviewResult',
  strict({
    campaignId: nullable(Uuid),
    filters: FilterDocument,
    matchCount: about(Count, 'People who match the filters.'),
    verifiedCount: about(Count, 'Of these, people with a verified address.'),
    deliverableCount: Type.Integer({
      minimum: 0,
      description: 'How many people an export could deliver: those with an address that Overture verified.',
    }),
    attachableCount: Type.Integer({
      minimum: 0,
      description:
        'How many people an order into a campaign could add. Includes people that the workspace imported, with any address that is not known to be bad.',
    }),
    facets: about(strict({ industry: Facet, country: Facet, size: Facet, seniority: Facet }), 'How the matches are distributed.'),
    sample: Type.Optional(
      Type.Array(SamplePerson, {
        description:
          'A few of the people that an order would deliver, without their names, addresses and companies. Empty when the filters name companies.',
      }),
    ),
    directoryVersion: about(Count, 'The version of the directory that was searched.'),
    warnings: Type.Array(Type.String()),
  }),
)

const Engine = oneOf(['rules', 'llm'])

/** A word, a number, or the fields of a place or a range. */
const FilterValue = shownAs(Type.Unknown(), {
  anyOf: [
    { type: 'string' },
    { type: 'number' },
    {
      type: 'object',
      properties: {
        ...{ area: { type: 'string' }, country: { type: 'string' }, city: { type: 'string' } },
        region: { type: 'string', description: 'ISO 3166-2.' },
        currency: { type: 'string', description: 'ISO 4217.' },
        ...{ radiusKm: { type: 'number', description: 'The radius around the city.' }, min: { type: 'number' }, max: { type: 'number' } },
      },
    },
  ],
  description: 'The value of the filter: a word, a number, a place or a range.',
  examples: ['Head of Sales'],
})

export const ProposedFilters = named(
  'ProposedFilters',
  strict({
    filters: FilterDocument,
    explanations: about(
      Type.Array(
        strict({
          field: Type.String(),
          value: FilterValue,
          text: Type.String({ description: 'The words of the brief from which the value was read.' }),
          engine: about(Engine, 'The engine that read it: the built-in rules or the language model.'),
        }),
      ),
      'Where each value came from.',
    ),
    unmatched: Type.Array(Type.String(), { description: 'Words of the brief that could not be turned into a filter.' }),
    context: Type.Array(Type.String(), { description: 'Words of the brief that do not describe a filter.' }),
    engine: about(Engine, 'The engine that read the brief.'),
    fallbackReason: Type.Optional(about(Type.String(), 'Why the language model was not used.')),
  }),
)

export const LeadSearchDelivery = named(
  'LeadSearchDelivery',
  strict({
    exportId: Uuid,
    requestedCount: Count,
    exportedCount: Count,
    creditsCharged: Count,
    downloadUrl: nullable({ ...Url, description: 'Works without a token; null for a token that may not read leads.' }),
    expiresAt: DateTime,
  }),
)

export const ExportProgress = named(
  'ExportProgress',
  about(
    strict({
      leadCount: Type.Integer({ minimum: 0, description: 'The number of people that were chosen for the file.' }),
      writtenCount: about(Type.Integer({ minimum: 0 }), 'The number of people that are in the file so far.'),
    }),
    'While the operation is running, from the moment the people are chosen. Not included in lists.',
  ),
)
export type ExportProgress = Static<typeof ExportProgress>

export const LeadSearchAttachment = named(
  'LeadSearchAttachment',
  strict({
    campaignId: Uuid,
    requestedCount: Count,
    attachedCount: about(Count, 'Leads that were added to the campaign.'),
    creditsCharged: Count,
  }),
)

const Bounds = {
  minimum: about(nullable(Type.Number()), 'The least value.'),
  maximum: about(nullable(Type.Number()), 'The highest value.'),
}

export const LeadFilters = named(
  'LeadFilters',
  strict({
    version: about(Type.Integer(), 'The version of the filter document.'),
    fields: about(
      Type.Array(
        strict({
          name: Type.String(),
          form: Type.String({ description: '`includeExclude`, `ranges`, `values`, `value` or `number`.' }),
          type: Type.String({ description: 'The type of one value: `text`, `slug`, `place`, `integer`, `money` or `enum`.' }),
          about: about(Type.String(), 'The meaning of the field.'),
          values: about(
            nullable(
              Type.Array(
                strict({
                  value: Type.String(),
                  label: about(Type.String(), 'The value for people.'),
                  parent: about(nullable(Type.String()), 'The value that includes this one.'),
                }),
              ),
            ),
            'The known values; null if there is no list.',
          ),
          isOpen: Type.Boolean({ description: 'True: `values` lists the known values, and other values are accepted, too.' }),
          maxItems: about(nullable(Type.Integer()), 'The most values of the field.'),
          maxLength: about(nullable(Type.Integer()), 'The most characters of a value.'),
          ...Bounds,
          default: about(nullable(Type.String()), 'The value that applies if the field is left out.'),
        }),
      ),
      'The fields of the filter document.',
    ),
    links: Links,
  }),
)
