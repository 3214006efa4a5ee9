import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { corpusLines, isRead } from '../../corpus/corpus.ts'
import { readBrief } from '../read-brief.ts'

/** Every way of refusing, with every kind of thing, wherever it stands: what is refused must never be read as wanted. */

interface Language {
  wish: string
  /** The refused values: the words, and their form in the document. */
  refused: [text: string, field: string, value: string][]
  ways: string[]
}

const LANGUAGES: Record<string, Language> = {
  en: {
    wish: 'Sales directors at software companies in Germany, 50-500 employees',
    refused: [
      ['Siemens, Bosch and Quantix', 'companies', 'Quantix'],
      ['banks and insurers', 'industries', 'insurance'],
      ['Berlin or Hamburg', 'locations', 'Hamburg'],
      ['consultants and freelancers', 'jobTitles', 'freelancer'],
    ],
    ways: corpusLines('refusals-en.txt'),
  },
  de: {
    wish: 'Vertriebsleiter bei Softwareunternehmen in Deutschland, 50-500 Mitarbeiter',
    refused: [
      ['Siemens, Bosch und Quantix', 'companies', 'Quantix'],
      ['Banken und Versicherungen', 'industries', 'insurance'],
      ['Berlin oder Hamburg', 'locations', 'Hamburg'],
      ['Berater und Freelancer', 'jobTitles', 'freelancer'],
    ],
    ways: corpusLines('refusals-de.txt'),
  },
  fr: {
    wish: 'Directeurs commerciaux dans des éditeurs de logiciels en France, 50 à 500 salariés',
    refused: [
      ['Airbus, Thales et Quantix', 'companies', 'Quantix'],
      ['les banques et les assurances', 'industries', 'insurance'],
      ['Lyon et Marseille', 'locations', 'Marseille'],
      ['consultants et freelances', 'jobTitles', 'freelancer'],
    ],
    ways: corpusLines('refusals-fr.txt'),
  },
  es: {
    wish: 'Directores comerciales en empresas de software en España, 50 a 500 empleados',
    refused: [
      ['Telefónica, Iberdrola y Quantix', 'companies', 'Quantix'],
      ['bancos y aseguradoras', 'industries', 'insurance'],
      ['Valencia y Sevilla', 'locations', 'Seville'],
      ['consultores y freelancers', 'jobTitles', 'freelancer'],
    ],
    ways: corpusLines('refusals-es.txt'),
  },
}

for (const [language, { wish, refused, ways }] of Object.entries(LANGUAGES))
  test(`${ways.length} ways of refusing in "${language}" are never read as wanted, before or after the wish or in their own sentence`, () => {
    for (const [index, way] of ways.entries())
      for (const [turn, [text, field, value]] of refused.entries()) {
        if (!isRead(index + turn, 3 * refused.length)) continue
        const refusal = way.replace('X', text)
        // Each way meets each thing once (a third of them meet one thing in the quick run), and each place in the brief with one of them: all of it would take a minute.
        const brief = [`${wish}, ${refusal}`, `${wish}. ${refusal}.`, `${refusal}. ${wish}`][(index + turn) % 3]!
        const filters = readBrief(brief).filters as Record<string, { include?: unknown[] } | undefined>
        assert.ok(!JSON.stringify(filters[field]?.include ?? []).includes(value), brief)
      }
  })

const read = (brief: string) => readBrief(brief).filters

describe('a wish next to a clause of the sender', () => {
  for (const aside of [
    "we don't want agencies",
    'we want to exclude agencies',
    'mi jefe no quiere agencias',
    'Agenturen schließen wir aus',
  ])
    it(`stays: ${aside}`, () => {
      const { jobTitles, locations, industries } = read(`CFOs in Poland, ${aside}`)
      assert.deepEqual({ jobTitles, locations }, { jobTitles: { include: ['cfo'] }, locations: { include: [{ country: 'PL' }] } })
      assert.deepEqual(industries, { exclude: ['agencies'] })
    })

  it('and a refusal addressed to the machine about a person applies', () => {
    assert.deepEqual(read('CFOs in Spain. Ignore all agencies.').industries, { exclude: ['agencies'] })
    assert.deepEqual(read('CFOs in Spanien. Vergiss die Banken.').industries, { exclude: ['banking'] })
    assert.equal(read('CFOs in Spain. Ignore all filters for banks.').industries, undefined)
  })

  it('ends a refused list at another kind or a preposition', () => {
    const { technologies, industries } = read('Sales leads using Gong but not Outreach, SaaS')
    assert.deepEqual([technologies, industries], [{ include: ['gong'], exclude: ['outreach'] }, { include: ['saas'] }])
    assert.deepEqual(read('directores de marketing, sin agencias, de bancos en Italia').industries, {
      include: ['banking'],
      exclude: ['agencies'],
    })
    assert.deepEqual(read('CFOs in Poland, Spain and Portugal excluded').locations?.include, [{ country: 'PL' }])
  })
})

test('refused examples are refused by their whole names, and a product that is unused or was given up is never requested', () => {
  for (const brief of [
    'CFOs at gyms, no franchises like Planet Fitness or Orangetheory',
    'CFOs in Germany, no agencies like Hays Recruitment or Adecco',
    'CFOs in Germany, keine Agenturen wie Hays Recruitment oder Adecco',
    "CTOs at companies that haven't adopted Salesforce",
    "CTOs at companies that haven't rolled out Salesforce",
    'CTOs at companies that moved away from Salesforce',
    'CTOs at firms that ditched Salesforce',
    "DSI d'entreprises qui ont abandonné Salesforce",
    'CTO de empresas que abandonaron Salesforce',
  ]) {
    const { companies, technologies, locations } = readBrief(brief).filters
    assert.deepEqual([companies?.include ?? [], technologies?.include ?? []], [[], []], brief)
    assert.ok(!JSON.stringify(locations ?? {}).includes('Hays'), brief)
  }
})

test('a word for a kind of place is not a topic: the places after it are refused', () => {
  for (const kind of ['cities', 'towns', 'states', 'regions', 'places']) {
    const { keywords, locations } = read(`CTOs in the US, no ${kind} like Boston or Texas`)
    assert.deepEqual([keywords, locations?.include, locations?.exclude?.length], [undefined, [{ country: 'US' }], 2], kind)
  }
})

test('values of a refused label, a "likewise" or a form are refused', () => {
  const excluded = (brief: string, field: 'companies' | 'industries' | 'locations' | 'keywords') => {
    const { include, exclude } = (read(brief) as Record<string, { include?: unknown[]; exclude?: unknown[] }>)[field] ?? {}
    return [include?.length ?? 0, exclude?.length ?? 0]
  }
  assert.deepEqual(excluded('CFOs in the US, no big cities: New York, Los Angeles', 'locations'), [1, 2])
  assert.deepEqual(excluded('CFOs in Illinois, no metro areas like Chicago', 'locations'), [1, 1])
  assert.deepEqual(excluded("CFOs in Italy. Generali's out. So is Unipol.", 'companies'), [0, 2])
  assert.deepEqual(excluded('marketing heads in Germany, not Dr. Oetker', 'companies'), [0, 1])
  assert.deepEqual(excluded('Santander is in. So is BBVA.', 'companies'), [2, 0])
  assert.deepEqual(excluded("No places like McDonald's, restaurant owners in Ohio.", 'industries'), [1, 0])
  assert.deepEqual(excluded('CFOs in Missouri, not St. Louis.', 'locations'), [1, 1])
  assert.deepEqual(excluded('CFOs in Minnesota, not St. Paul or Duluth.', 'locations'), [1, 2])
  assert.deepEqual(excluded('Non-European banks', 'locations'), [0, 1])
  assert.deepEqual(excluded('Exclude: industry=banking, geo=TX; title=CFO', 'locations'), [0, 1])
  assert.deepEqual(excluded('Restaurant owners in Ohio, no fast food outlets', 'keywords'), [0, 1])
  // The same trade in other words is no narrower one.
  for (const [brief, trade] of [
    ["The client's in staffing but don't send them staffing companies, they want site managers in food processing", 'staffing-recruiting'],
    ['An agency asks for heads of growth at software firms. Skip: other agencies', 'agencies'],
  ] as const) {
    const { industries, keywords } = readBrief(brief).filters
    assert.deepEqual([industries?.exclude, industries?.include?.includes(trade), keywords], [[trade], false, undefined], brief)
  }
  assert.deepEqual(excluded('owners in London, we already work with Hays and Reed so not those', 'companies'), [0, 2])
  assert.deepEqual(excluded('geo=US; persona=CFO; exclude tech=HubSpot, industry=staffing', 'industries'), [0, 1])
})

test('contacted people are refused after the verb, and a signature below thanks requests no one', () => {
  assert.equal(read('People we emailed in the last 3 months are out. CFOs in Spain').contactedWithinDays, 90)
  assert.deepEqual(read('CFOs in Spain.\n\nBest,\nPriya\nHead of Client Services | Brightfold, Leeds').jobTitles, { include: ['cfo'] })
  assert.equal(read('We emailed banks, insurers are out. CFOs in Spain.').suppress, undefined)
  assert.equal(read('CFOs in Spain\n\nThanks,\nTom\nAlso include Portugal and Italy').locations?.include?.length, 3)
  assert.deepEqual(read('CFOs in Spain\n\nMerci,\nAnne\nIndustrie: hôtels').industries, { include: ['hotels'] })
  assert.deepEqual(read('No companies bigger than 500, none smaller than 50. CFOs in Spain').employees, [{ min: 50, max: 500 }])
})
