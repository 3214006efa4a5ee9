import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { AREA_NAMES, CURRENCIES, DEPARTMENTS, EMAIL_STATUSES, INDUSTRY_SLUGS, SENIORITIES } from '../vocabulary.ts'
import { FilterDocumentSchema } from './filter-schema.ts'
import { FILTER_FIELDS, parseFilters } from './filters.ts'

const validate = new Ajv2020({ strict: false }).compile(FilterDocumentSchema)

const accepted = (input: unknown) => {
  const parsed = parseFilters(input)
  assert.ok(parsed.ok, JSON.stringify(parsed))
  return parsed.filters
}
const rules = (input: unknown) => {
  const parsed = parseFilters(input)
  return parsed.ok ? [] : parsed.issues.map(issue => `${issue.path} ${issue.rule}`)
}

test('shorthand is converted to the canonical form', () => {
  assert.deepEqual(
    accepted({
      jobTitles: ['cto', 'vp engineering', 'CTO'],
      locations: ['Germany', 'Berlin', 'Austin, TX', 'DACH'],
      industries: ['E-Commerce', 'oil & gas', 'saas'],
      employees: ['50-200', '1000+'],
      revenue: ['1M-10M EUR'],
      technologies: ['Power BI'],
      keywords: { include: [] },
    }),
    {
      jobTitles: { include: ['cto', 'vp engineering'] },
      locations: {
        include: [
          { country: 'DE' },
          { country: 'DE', city: 'Berlin' },
          { country: 'US', region: 'US-TX', city: 'Austin' },
          { area: 'dach' },
        ],
      },
      industries: { include: ['ecommerce', 'oil-gas', 'saas'] },
      technologies: { include: ['power-bi'] },
      employees: [{ min: 50, max: 200 }, { min: 1000 }],
      revenue: [{ min: 1_000_000, max: 10_000_000, currency: 'EUR' }],
    },
  )
})

test('an unknown field is refused and the nearest known one is named', () => {
  const parsed = parseFilters({ jobTitel: ['cto'] })
  assert.ok(!parsed.ok)
  assert.deepEqual(parsed.issues[0]?.candidates, ['jobTitles'])
})

test('an ambiguous place is refused with its candidates, an unknown one without a guess', () => {
  const parsed = parseFilters({ locations: ['Springfield', 'Nowhereton'] })
  assert.ok(!parsed.ok)
  assert.equal(parsed.issues[0]?.rule, 'ambiguousPlace')
  assert.ok((parsed.issues[0]?.candidates?.length ?? 0) > 1)
  assert.equal(parsed.issues[1]?.rule, 'unknownPlace')
})

test('the same value on both sides is a contradiction, a part of an included place is not', () => {
  assert.deepEqual(rules({ jobTitles: { include: ['CTO'], exclude: ['cto'] } }), ['/jobTitles contradiction'])
  assert.deepEqual(rules({ locations: { include: ['Germany'], exclude: ['DE'] } }), ['/locations contradiction'])
  assert.deepEqual(rules({ locations: { include: ['US'], exclude: ['US-CA'] } }), [])
})

test('bounds are kept: ranges, lists, texts, radius and the size of the whole document', () => {
  assert.deepEqual(rules({ employees: [{ min: 10, max: 5 }] }), ['/employees/0 bounds'])
  assert.deepEqual(rules({ employees: [{ min: 0 }] }), ['/employees/0/min bounds'])
  assert.deepEqual(rules({ founded: ['1700-1750'] }), ['/founded/0/min bounds'])
  assert.deepEqual(rules({ maxPerCompany: 101 }), ['/maxPerCompany bounds'])
  assert.deepEqual(rules({ keywords: ['x'.repeat(61)] }), ['/keywords/0 tooLong'])
  assert.deepEqual(rules({ jobTitles: Array.from({ length: 101 }, (_, i) => `t${i}`) }), ['/jobTitles tooMany'])
  assert.deepEqual(rules({ locations: [{ country: 'DE', radiusKm: 10 }] }), ['/locations/0/radiusKm contradiction'])
  assert.deepEqual(rules({ locations: [{ country: 'DE', region: 'FR-83' }] }), ['/locations/0/region contradiction'])
  assert.deepEqual(rules({ companies: Array.from({ length: 900 }, (_, i) => `${i}${'c'.repeat(90)}`) }), [' size'])
})

test('an unknown technology is a warning, not an error', () => {
  const parsed = parseFilters({ technologies: ['hubspott'] })
  assert.ok(parsed.ok)
  assert.match(parsed.warnings[0] ?? '', /did you mean "hubspot"/)
})

test('only an object is a filter document', () => {
  for (const input of [null, undefined, [], 'x', 4]) assert.equal(parseFilters(input).ok, false)
  assert.deepEqual(accepted({}), {})
})

const words = (list: readonly string[]) => fc.uniqueArray(fc.constantFrom(...list), { maxLength: 4 })
const sides = (values: fc.Arbitrary<unknown[]>) => fc.record({ include: values, exclude: values }, { requiredKeys: [] })
const range = (low: number, high: number) =>
  fc
    .record({ min: fc.integer({ min: low, max: high }), max: fc.integer({ min: low, max: high }) }, { requiredKeys: ['min'] })
    .map(r => (r.max !== undefined && r.max < r.min ? { min: r.max, max: r.min } : r))
const documents = fc.record(
  {
    jobTitles: sides(fc.array(fc.string({ minLength: 1, maxLength: 20 }), { maxLength: 4 })),
    seniorities: sides(words(SENIORITIES)),
    departments: words(DEPARTMENTS),
    industries: sides(words(INDUSTRY_SLUGS)),
    locations: fc.array(
      fc.oneof(
        fc.constantFrom('Germany', 'Berlin', 'NYC', 'Bayern', 'Var'),
        fc.constantFrom(...AREA_NAMES).map(area => ({ area })),
      ),
      { maxLength: 4 },
    ),
    employees: fc.array(fc.oneof(range(1, 5000), fc.constantFrom('50-200', '1000+', '<20')), { maxLength: 4 }),
    revenue: fc.array(
      range(0, 1e9).chain(r => fc.constantFrom(...CURRENCIES).map(currency => ({ ...r, currency }))),
      { maxLength: 3 },
    ),
    emailStatus: words(EMAIL_STATUSES),
    maxPerCompany: fc.integer({ min: 1, max: 100 }),
  },
  { requiredKeys: [] },
)

test('an accepted document satisfies the schema, and is unchanged when read again', () => {
  fc.assert(
    fc.property(documents, input => {
      const parsed = parseFilters(input)
      if (!parsed.ok) return
      assert.ok(validate(parsed.filters), JSON.stringify([parsed.filters, validate.errors?.[0]]))
      const again = parseFilters(parsed.filters)
      assert.ok(again.ok)
      assert.deepEqual(again.filters, parsed.filters)
    }),
  )
})

test('no input makes the reader throw or accept an invalid document', () => {
  const junk = fc.dictionary(fc.oneof(fc.constantFrom(...FILTER_FIELDS), fc.string()), fc.jsonValue({ maxDepth: 4 }))
  fc.assert(
    fc.property(junk, input => {
      const parsed = parseFilters(input)
      if (parsed.ok) assert.ok(validate(parsed.filters), JSON.stringify([input, parsed.filters, validate.errors?.[0]]))
      else assert.ok(parsed.issues.length > 0)
    }),
  )
})
