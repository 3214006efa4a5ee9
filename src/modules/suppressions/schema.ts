import { about, DateTime, Links, namedObject, nullable, oneOf, orErased, strict, Uuid } from '../../http/schema.ts'
import { type Static, Type } from '../../lib/type.ts'

export const Suppression = namedObject('Suppression', {
  id: Uuid,
  workspaceId: Uuid,
  kind: about(oneOf(['email', 'domain']), 'An address, or a domain with all addresses in it.'),
  value: nullable(Type.String({ description: 'Null when the person has been erased and only the hash is left.' })),
  reason: about(Type.String(), 'Why it is suppressed, such as `unsubscribed` or `manual`, or your own words.'),
  createdAt: DateTime,
  links: Links,
})

export const BulkSuppressions = namedObject('NewSuppressions', {
  suppressions: about(
    Type.Array(
      strict({
        kind: Type.Optional(oneOf(['email', 'domain'], { description: 'When it is missing, a value with an @ is an address.' })),
        value: about(Type.String({ maxLength: 1000, examples: ['ann@example.com'] }), 'The address or domain.'),
        reason: Type.Optional(about(Type.String({ minLength: 1, maxLength: 255 }), 'Your own words. Defaults to `manual`.')),
      }),
      { minItems: 1, maxItems: 5000 },
    ),
    'The addresses and domains, up to 5,000.',
  ),
})

const bulkOutcome = {
  createdCount: Type.Integer({ minimum: 0 }),
  existingCount: Type.Integer({
    minimum: 0,
    description: 'Values that were suppressed before, and keep their entry and its reason, or that are in the list more than once.',
  }),
  invalid: Type.Array(strict({ index: Type.Integer({ minimum: 0 }), reason: Type.String() }), {
    description: 'Rows that are neither an address nor a domain. The other rows are suppressed.',
  }),
}

const csvOutcome = {
  createdCount: bulkOutcome.createdCount,
  existingCount: bulkOutcome.existingCount,
  invalidCount: Type.Integer({ minimum: 0 }),
  invalid: Type.Array(strict({ line: Type.Integer({ minimum: 1 }), reason: Type.String() }), {
    description: 'The first 100 rows that cannot be read, or have neither an address nor a domain. The other rows are suppressed.',
  }),
  warningCount: Type.Integer({ minimum: 0, description: 'Rows that were suppressed only in part.' }),
  warnings: Type.Array(strict({ line: Type.Integer({ minimum: 1 }), reason: Type.String() }), {
    description: 'The first 100 rows that were suppressed only in part: a domain next to an address, or lines inside a quoted cell.',
  }),
}

export const BulkSuppressionResult = namedObject('BulkSuppressionResult', { ...bulkOutcome, links: Links })

export const CsvSuppressionResult = namedObject('CsvSuppressionResult', { ...csvOutcome, links: Links })

export const SuppressionResult = namedObject('SuppressionResult', { suppression: orErased(Suppression) })
export const SuppressionsResult = namedObject('SuppressionsResult', { outcome: about(strict(bulkOutcome), 'The outcome for the values.') })
export type BulkOutcome = Static<typeof SuppressionsResult>['outcome']
export const SuppressionCsvResult = namedObject('SuppressionCsvResult', {
  outcome: about(strict(csvOutcome), 'The outcome for the rows.'),
})

export const NewSuppression = namedObject('NewSuppression', {
  kind: about(oneOf(['email', 'domain']), 'An address, or a domain with all addresses in it.'),
  value: about(Type.String({ minLength: 3, maxLength: 254, examples: ['ann@example.com'] }), 'A valid address or domain, as `kind` says.'),
  reason: Type.Optional(about(Type.String({ minLength: 1, maxLength: 255 }), 'Your own words. Defaults to `manual`.')),
})
