import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { proposeFilters } from '../propose.ts'
import { tokenize } from '../text/tokens.ts'
import { entryOf, longestEntry } from './lexicon.ts'
import { readItems } from './numbers.ts'

const read = (brief: string) => proposeFilters(brief).filters
const quantities = (text: string) => readItems(tokenize(text)).flatMap(item => (item.quantity ? [item.quantity] : []))

describe('the vocabulary', () => {
  it('finds the longest phrase, and plurals that are not listed', () => {
    assert.equal(longestEntry(['marketing', 'agencies', 'in'], 0, 3)?.length, 2)
    assert.equal(entryOf('chief executive officer')?.title, 'ceo')
    assert.equal(longestEntry(['zahnarztpraxen'], 0, 1)?.entry.industry, 'dental-practices')
  })
})

describe('numbers', () => {
  it('are read with their scale, currency and comparison', () => {
    assert.deepEqual(quantities('more than 1000 but fewer than 5000'), [{ min: 1000, minOpen: true, max: 5000, maxOpen: true }])
    assert.deepEqual(quantities('EUR 5-50M'), [{ min: 5e6, max: 5e7, span: true, currency: 'EUR', scaled: true }])
    assert.deepEqual(quantities('two hundred and fifty'), [{ min: 250, max: 250, plain: true }])
  })

  it('become a filter only with a noun that may be counted so; the others are reported', () => {
    for (const [brief, words] of [
      ['nurses in Ohio, min 300 beds', '300 beds'],
      ['fleet managers in Ohio, 50+ trucks', '50+ trucks'],
      ['data scientists in Ohio with 8+ years of experience', '8+ years of experience'],
      ['wealth managers in Ohio with over $500m in assets under management', '$500m in assets under management'],
      ['hotel managers in Ohio, 4-5 star', '4-5 star'],
    ] as const) {
      const { filters, unmatched } = proposeFilters(brief)
      assert.deepEqual([filters.employees, filters.revenue], [undefined, undefined], brief)
      assert.ok(
        unmatched.some(each => each.includes(words)),
        `${brief}: ${unmatched}`,
      )
    }
  })
})

describe('everyday shorthand', () => {
  it('needs no capitals and no prepositions', () => {
    assert.deepEqual(read('cmo saas us 50-500'), {
      jobTitles: { include: ['cmo'] },
      industries: { include: ['saas'] },
      locations: { include: [{ country: 'US' }] },
      employees: [{ min: 50, max: 500 }],
    })
    assert.deepEqual(read('ctos uk').locations, { include: [{ country: 'GB' }] })
    assert.deepEqual(read('find us ctos in spain').locations, { include: [{ country: 'ES' }] })
    assert.deepEqual(read('cfo, nyc').locations, { include: [{ country: 'US', region: 'US-NY', city: 'New York' }] })
  })

  it('keeps what is headed word for word', () => {
    assert.deepEqual(read('head of brand, london').jobTitles, { include: ['head of brand'] })
    assert.deepEqual(read('heads of platform at fintechs').jobTitles, { include: ['head of platform'] })
    assert.deepEqual(read('clinic directors in Ohio').jobTitles, { include: ['clinic director'] })
  })

  it('has names where a name is due', () => {
    assert.deepEqual(read('people at Boston Consulting Group and Bain in Boston').companies, {
      include: ['Boston Consulting Group', 'Bain'],
    })
    assert.deepEqual(read('VPs at Phoenix Contact').companies, { include: ['Phoenix Contact'] })
    assert.deepEqual(read('vp ops in Ohio, w/o amazon & fedex').companies, { exclude: ['amazon', 'fedex'] })
  })
})
