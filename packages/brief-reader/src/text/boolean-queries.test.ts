import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readBrief } from '../read-brief.ts'
import { readQuerySigns } from './boolean-queries.ts'

const read = (brief: string) => readBrief(brief).filters

describe('a brief that is written as a query', () => {
  it('has its operators read as words', () => {
    for (const [query, words] of [
      ['size:50..200', 'size:50-200'],
      ['sector != banking', 'sector: not banking'],
      ['country = France', 'country: France'],
      ['(owner|founder)', '(owner or founder)'],
      ['NOT industry:gambling', 'industry: not gambling'],
      ['company NOT IN (A, B)', 'company : not (A, B)'],
      ['seniority >= director', 'seniority: director+'],
      ['not [banks, insurers]', 'not (banks, insurers)'],
      ['not at {SAP}', 'not at (SAP)'],
      ['no (agencies)', 'not (agencies)'],
      ['companySize 500+', 'company Size 500+'],
    ] as const)
      assert.equal(readQuerySigns(query), words)
  })

  it('means what the same wish means in words', () => {
    assert.deepEqual(read('country=France AND title in (CFO, COO) AND sector != banking AND employees > 100'), {
      jobTitles: { include: ['cfo', 'coo'] },
      locations: { include: [{ country: 'FR' }] },
      industries: { exclude: ['banking'] },
      employees: [{ min: 101 }],
    })
    assert.deepEqual(read('title:(CMO OR "Head of Marketing") location:"United Kingdom" size:50..200'), {
      jobTitles: { include: ['cmo', 'head of marketing'] },
      locations: { include: [{ country: 'GB' }] },
      employees: [{ min: 50, max: 200 }],
    })
  })

  it('refuses what its operators refuse', () => {
    assert.deepEqual(read('(CISO OR CTO) AND Germany AND NOT (Vitol OR Gunvor)').companies, { exclude: ['Vitol', 'Gunvor'] })
    assert.deepEqual(read('CTO AND (Switzerland OR Austria) AND NOT (Vienna OR Basel)').locations?.exclude?.length, 2)
    assert.deepEqual(read('CFO AND NOT country: (Russia | Belarus)').locations, { exclude: [{ country: 'RU' }, { country: 'BY' }] })
    assert.deepEqual(read('"VP Sales" AND -"SDR" AND California').jobTitles, { include: ['vp sales'], exclude: ['sdr'] })
    assert.deepEqual(read('owners AND (Vienna|Graz) && !franchise').keywords, { exclude: ['franchise'] })
  })

  it('requests the text after an exclusion, whatever ends with a semicolon later', () => {
    for (const brief of [
      'persona=CFO, not industry=banking, geo=US; size=50-200',
      'title: CFO, exclude industry: banking, country: US, size: 50-200; verified emails only',
      'CFOs. Exclude industry: banking, country: US. Notes: fast; cheap.',
    ]) {
      assert.deepEqual(read(brief).locations, { include: [{ country: 'US' }] }, brief)
      assert.deepEqual(read(brief).industries, { exclude: ['banking'] }, brief)
    }
  })

  it('joins every function with every rank', () => {
    assert.deepEqual(read('(marketing OR growth) AND (head OR director) AND Spain').jobTitles, {
      include: ['head of marketing', 'head of growth', 'marketing director', 'growth director'],
    })
  })
})
