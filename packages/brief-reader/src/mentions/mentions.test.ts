import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readBrief } from '../read-brief.ts'
import { tokenize } from '../text/tokens.ts'
import { entryOf, longestEntry } from '../vocabulary/lexicon.ts'
import { readItems } from './numbers.ts'

const read = (brief: string) => readBrief(brief).filters
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

  it('become a filter only with a countable noun; the others are reported', () => {
    for (const [brief, words] of [
      ['nurses in Ohio, min 300 beds', '300 beds'],
      ['fleet managers in Ohio, 50+ trucks', '50+ trucks'],
      ['data scientists in Ohio with 8+ years of experience', '8+ years of experience'],
      ['wealth managers in Ohio with over $500m in assets under management', '$500m in assets under management'],
      ['hotel managers in Ohio, 4-5 star', '4-5 star'],
      ['plant managers in Ohio, facilities over 100k sq ft', '100k sq ft'],
      ['directors of water utilities in Ohio, 10k-100k connections', '10k-100k connections'],
      ['brewery owners in Ohio making 5k-15k barrels a year', '5k-15k barrels'],
      ['plant managers in Ohio with 3 to 5 production lines', '3 to 5 production lines'],
      ['nurses in Ohio. Long list ok (2-3k)', '2-3k'],
      ['nurses in Ohio, I need 500 to 800 of them', '500 to 800'],
    ] as const) {
      const { filters, unmatched } = readBrief(brief)
      assert.deepEqual([filters.employees, filters.revenue], [undefined, undefined], brief)
      assert.ok(
        unmatched.some(each => each.includes(words)),
        `${brief}: ${unmatched}`,
      )
    }
  })
})

describe('two contradicting bounds', () => {
  const employees = (brief: string) => read(brief).employees

  it('mean the range outside, and refuse the range between', () => {
    assert.deepEqual(employees('CFOs in Ohio, under 30 or over 300 employees'), [{ max: 29 }, { min: 301 }])
    for (const brief of [
      'CFOs in Ohio, no firms under 30 or over 300 people',
      'CFOs in Ohio, not under 30 or over 300 employees',
      'CFOs in Ohio, exclude companies under 30 employees or over 300',
      'HR-Leiter in NRW, keine Firmen unter 30 oder über 300 Leuten',
      "DRH à Lille, pas d'entreprises de moins de 30 ou de plus de 300 salariés",
    ])
      assert.deepEqual(employees(brief), [{ min: 30, max: 300 }], brief)
  })

  it('stay separate if they measure different things', () => {
    const { employees: size, revenue } = read('at most 100 employees, at least 2M USD revenue, staffing agencies, Atlanta')
    assert.deepEqual([size, revenue], [[{ max: 100 }], [{ min: 2e6, currency: 'USD' }]])
  })
})

describe('sums', () => {
  it('are revenue or funding by the neighboring words, in thousands or millions by the language', () => {
    for (const [brief, field, range] of [
      ['home builders in Boise doing 20-75 mil a yr', 'revenue', { min: 20e6, max: 75e6, currency: 'USD' }],
      ['CFOs at biotechs in Basel. Raised $30M or more in total', 'fundingTotal', { min: 30e6, currency: 'USD' }],
      ['Gerentes en México, empresas de 500 a 5 mil empleados', 'employees', { min: 500, max: 5000 }],
      ['CFOs in Poland. Headcount 150 up to 1,200', 'employees', { min: 150, max: 1200 }],
    ] as const)
      assert.deepEqual(read(brief)[field], [range], brief)
  })

  it('of less than a year are time windows, and a league is not a stage', () => {
    assert.equal(read("CEOs à Nantes, levée de fonds depuis moins d'un an").fundedWithinMonths, 12)
    assert.equal(read('commercial directors at sports clubs in Italy, Serie A type').fundingStages, undefined)
  })
})

describe('everyday shorthand', () => {
  it('needs no capitals and no prepositions', () => {
    assert.deepEqual(read('need cfo saas uk 50to200 ppl').employees, [{ min: 50, max: 200 }])
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

  it('keeps the words after "head of" unchanged', () => {
    assert.deepEqual(read('head of brand, london').jobTitles, { include: ['head of brand'] })
    assert.deepEqual(read('heads of platform at fintechs').jobTitles, { include: ['head of platform'] })
    assert.deepEqual(read('clinic directors in Ohio').jobTitles, { include: ['clinic director'] })
  })

  it('has names where a name is expected', () => {
    assert.deepEqual(read('people at Boston Consulting Group and Bain in Boston').companies, {
      include: ['Boston Consulting Group', 'Bain'],
    })
    assert.deepEqual(read('VPs at Phoenix Contact').companies, { include: ['Phoenix Contact'] })
    assert.deepEqual(read('vp ops in Ohio, w/o amazon & fedex').companies, { exclude: ['amazon', 'fedex'] })
  })
})

describe('bounds in words', () => {
  it('make a stage the lowest one, before or after it', () => {
    const later = { include: ['series_b', 'series_c', 'series_d', 'series_e_plus'] }
    for (const said of ['Series B minimum', 'at least Series B', 'min. Series B', 'ab Series B'])
      assert.deepEqual(readBrief(`CTOs in Spain, ${said}`).filters.fundingStages, later, said)
    assert.deepEqual(readBrief('CTOs in Spain, series a/b').unmatched, [])
  })

  it('limit the contacts per company, and set a time without contact', () => {
    assert.equal(readBrief('CTOs in Spain, 1 per co max').filters.maxPerCompany, 1)
    const { filters } = readBrief('CTOs in Spain whom we did not contact during the past two months')
    assert.equal(filters.contactedWithinDays, 60)
  })
})

describe('numbers in words', () => {
  it('are read with their articles, scales and following words', () => {
    for (const [brief, employees] of [
      ['CFOs, between a hundred and a thousand employees', { min: 100, max: 1000 }],
      ['CFOs at firms with a couple hundred people', { min: 160, max: 240 }],
      ['CFOs, a couple of thousand employees at least', { min: 2000 }],
      ['CFOs, bigger than a thousand employees', { min: 1001 }],
      ['CFOs, eighteen to forty staff', { min: 18, max: 40 }],
      ['200 < employees < 2000, CFOs', { min: 201, max: 1999 }],
      ['saas cfos uk 100+ no agencies', { min: 100 }],
    ] as const)
      assert.deepEqual(read(brief).employees, [employees], brief)
    assert.deepEqual(read('CFOs, ten million in revenue and up').revenue, [{ min: 10_000_000, currency: 'USD' }])
    assert.equal(read('CTOs who raised a series A in the past eighteen months').fundedWithinMonths, 18)
  })

  it('count only people if another noun follows', () => {
    for (const brief of ['law firms with 100-400 lawyers, CFOs', 'cities with a population over 50k, CIOs', 'CFOs (NAICS 31-33)'])
      assert.equal(read(brief).employees, undefined, brief)
  })
})

describe('places in everyday writing', () => {
  it('are recognized in lower case in lists', () => {
    const countries = (brief: string) => read(brief).locations?.include?.map(place => ('country' in place ? place.country : place.area))
    assert.deepEqual(countries('cmos uk + ie'), ['GB', 'IE'])
    assert.deepEqual(countries('cto, de/at/ch, saas'), ['DE', 'AT', 'CH'])
    assert.deepEqual(countries('vets aus/nz'), ['AU', 'NZ'])
    assert.deepEqual(countries('cfos mexico manufacturing'), ['MX'])
    assert.deepEqual(read('hvac owners fl tx az').locations?.include, [
      { country: 'US', region: 'US-FL' },
      { country: 'US', region: 'US-TX' },
      { country: 'US', region: 'US-AZ' },
    ])
  })

  it('are states next to states', () => {
    const { locations } = read('CFOs in Michigan and Ontario')
    assert.deepEqual(locations?.include, [
      { country: 'US', region: 'US-MI' },
      { country: 'CA', region: 'CA-ON' },
    ])
  })

  it('can mean several places, and a part is not excluded from its whole', () => {
    assert.deepEqual(read('CFOs in the Maghreb').locations, { include: [{ country: 'MA' }, { country: 'DZ' }, { country: 'TN' }] })
    assert.deepEqual(read('CFOs in NRW, ohne das Münsterland').locations, { include: [{ country: 'DE', region: 'DE-NW' }] })
    assert.deepEqual(read('CFOs in northeast Germany').locations, { include: [{ country: 'DE' }] })
  })
})

describe('titles', () => {
  const titles = (brief: string) => read(brief).jobTitles?.include

  it('keep the words after "head of", whatever else they mean', () => {
    assert.deepEqual(titles('Head of Pricing at insurers'), ['head of pricing'])
    assert.deepEqual(titles('Heads of Sixth Form in Wales'), ['head of sixth form'])
    assert.deepEqual(titles('Head of Employee Experience, Europe'), ['head of employee experience'])
  })

  it('end where the next one begins', () => {
    assert.deepEqual(titles('Talent Acquisition Manager, Head of Talent'), ['talent acquisition manager', 'head of talent'])
    assert.deepEqual(titles('partner managers, heads of delivery'), ['partner manager', 'head of delivery'])
  })

  it('end before a following company noun, and are not read as "I" in Spanish', () => {
    const agencies = read("directeurs d'agences immobilières à Bordeaux")
    assert.deepEqual([agencies.seniorities, agencies.industries], [{ include: ['director'] }, { include: ['real-estate-agencies'] }])
    assert.deepEqual(read("directeurs d'agence à Bordeaux").jobTitles, { include: ['branch manager'] })
    const research = read('Buscamos directores de I+D en empresas químicas')
    assert.deepEqual([research.jobTitles, research.industries], [{ include: ['r&d director'] }, { include: ['chemicals'] }])
  })

  it('with "and above" are a rank in a department', () => {
    const { departments, seniorities } = read('sales managers and above in Spain')
    assert.deepEqual(departments, { include: ['sales'] })
    assert.deepEqual(seniorities?.include?.slice(0, 3), ['manager', 'director', 'head'])
  })

  it('are not titles under a label of levels', () => {
    assert.deepEqual(read('Title: Warehouse Manager; Level: manager, director').seniorities, { include: ['manager', 'director'] })
  })
})

describe('remarks next to the wish', () => {
  it('separates the bounds of two things, and reads the bound of a label', () => {
    const { founded, employees } = read('CFOs at companies founded before 2000, more than 60 employees')
    assert.deepEqual([founded, employees], [[{ max: 1999 }], [{ min: 61 }]])
    assert.deepEqual(read('role: CFO\nmin_employees: 200').employees, [{ min: 200 }])
    assert.deepEqual(read('role: CFO\nheadcount_max: 25').employees, [{ max: 25 }])
    assert.deepEqual(quantities('fifty to two fifty million'), [{ min: 50e6, max: 250e6, span: true, scaled: true }])
  })

  it('reads a capital after a refusal as a name, but not the speaker', () => {
    assert.deepEqual(read('plant managers in Spain, no Seat').companies, { exclude: ['Seat'] })
    assert.deepEqual(read("Plant managers. We've already spoken to Quantix, so please leave those out.").companies, {
      exclude: ['Quantix'],
    })
    assert.deepEqual(read('plant managers, France, sauf Île-de-France').companies, undefined)
  })

  it('sets the number per company and exclusions in a few words', () => {
    assert.equal(read('CFOs in Spain, max 2/company').maxPerCompany, 2)
    assert.equal(read('CFOs in Spain. If somebody heard from us in the last 90 days, leave them alone.').contactedWithinDays, 90)
    assert.deepEqual(read('Role: CFO\nSuppress: existing CRM contacts').suppress, ['owned'])
  })

  it('reads abbreviations with their full stops, and plurals with an apostrophe', () => {
    assert.deepEqual(read("purch. mgrs, dir. of support and CMO's in Spain").jobTitles, {
      include: ['purchasing manager', 'support director', 'cmo'],
    })
  })

  it('finds the people of a German compound by their department', () => {
    assert.deepEqual(read('Einkaufsentscheider bei Banken in Wien').departments, { include: ['procurement'] })
  })
})

describe('trades and businesses', () => {
  it('are companies if people work there, and people if they are asked for', () => {
    assert.deepEqual(read('fund managers at asset managers in Luxembourg').industries, { include: ['investment-management'] })
    assert.deepEqual(read('asset managers in Luxembourg').jobTitles, { include: ['asset manager'] })
  })

  it('say the industry next to a title that is complete without them', () => {
    const { jobTitles, industries } = read('hospital finance directors in Ontario')
    assert.deepEqual([jobTitles, industries], [{ include: ['finance director'] }, { include: ['hospitals'] }])
    assert.deepEqual(read('dental practice managers in Utah').jobTitles, { include: ['practice manager'] })
    assert.deepEqual(read("directeurs d'hôtels à Nice").industries, { include: ['hotels'] })
  })

  it('do not count stores as people, or "several hundred" as one hundred', () => {
    assert.equal(read('Role: store manager\nStores: 20+').employees, undefined)
    assert.equal(read('CFOs at companies with several hundred employees').employees, undefined)
  })
})

describe('what the vocabulary lacks', () => {
  const titles = (brief: string) => read(brief).jobTitles?.include
  it('is kept whole as a title before manager, lead or buyer', () => {
    assert.deepEqual(titles('category managers + strategic buyers | hospitals'), ['category manager', 'strategic buyer'])
    assert.deepEqual(titles('trade lane managers in Hamburg'), ['trade lane manager'])
    assert.deepEqual(titles('"head of data" OR "data platform lead"'), ['head of data', 'data platform lead'])
    assert.deepEqual(titles('plant mgr or VP ops'), ['plant manager', 'vp operations'])
    assert.deepEqual(titles('head curators in Rome'), ['head curator'])
    assert.equal(titles('find me a solid lead list'), undefined)
    assert.deepEqual(read('directors+ in marketing').jobTitles, undefined)
  })

  it('is a topic before the plural of a trade or the owners of a shop; an order or praise is not', () => {
    const topics = (brief: string) => read(brief).keywords
    assert.deepEqual(topics('Podiatry clinics in Cardiff'), { include: ['podiatry'] })
    assert.deepEqual(topics('bike shop owners, Copenhagen'), { include: ['bike'] })
    for (const brief of ['CFOs in Spain. Zapp banks.', 'GMs at struggling hotels in Spain', 'sin bancos, queremos aseguradoras'])
      assert.equal(topics(brief), undefined, brief)
  })

  it('uses the last part of German compounds as the kind of business', () => {
    assert.deepEqual(read('Küchenchefs in Tagungshotels, Tirol').industries, { include: ['hotels'] })
    assert.deepEqual(read('Inhaber von Lederwarenfachgeschäften in Köln').industries, { include: ['retail'] })
    assert.deepEqual(read('Geschäftsführer von Reifenproduzenten in Köln').industries, { include: ['automotive'] })
    assert.equal(read('Inhaber von Zauberschulen in Köln').industries, undefined)
    assert.equal(read('Leiter im Sicherheitsbereich in Köln').industries, undefined)
  })

  it('is never corrected to a nationality', () => {
    assert.deepEqual(read('directeurs à Lyon, hors Korian').companies, { exclude: ['Korian'] })
    assert.deepEqual(read('CFOs in Irland and Scotand').locations?.include, [{ country: 'IE' }, { country: 'GB', region: 'GB-SCT' }])
  })
})

describe('a verdict after', () => {
  it('addresses of free providers asks for work addresses', () => {
    for (const said of ['Gmail addresses are useless to me', 'Yahoo or gmail is no good to us', 'mails perso inutiles'])
      assert.deepEqual(read(`CTOs. ${said}.`).emailTypes, ['work'], said)
    assert.deepEqual(read('CTOs, personal emails no problem').emailTypes, ['personal'])
  })

  it('names in brackets refuses them alone', () => {
    const { locations, companies, seniorities } = read('CFOs in France and Italy (Acme and Globex are partners, so not those two)')
    assert.deepEqual(locations, { include: [{ country: 'FR' }, { country: 'IT' }] })
    assert.deepEqual(companies, { exclude: ['Acme', 'Globex'] })
    assert.equal(seniorities, undefined)
  })

  it('a question denies its content, even if the answer is of another kind', () => {
    const { jobTitles, industries } = read('freelance translators? no - translation agencies. Owners or production managers.')
    assert.deepEqual(jobTitles?.include, ['owner', 'production manager'])
    assert.deepEqual(industries?.include, ['translation'])
  })

  it('public means a listed company, not a public service', () => {
    assert.deepEqual(read('CFOs at public mining companies').fundingStages, { include: ['public'] })
    assert.equal(read('CFOs at public transport companies').fundingStages, undefined)
  })
})

describe('a refused size', () => {
  for (const [said, range] of [
    ['CFOs in Lyon, nothin w/ more than 30 ppl', { max: 30 }],
    ['CFOs in Lyon, no company bigger than a hundred', { max: 100 }],
    ['CFOs in Lyon, nothing bigger than 30', { max: 30 }],
    ['CFOs in Lyon, over 500 staff: no', { max: 500 }],
    ['CFOs in Lyon. Einrichtungen mit weniger als 50 Beschäftigten kommen für uns nicht in Frage.', { min: 50 }],
    ['CFOs in Lyon, nix über 200 Leute', { max: 200 }],
    ['CFOs in Lyon, Betriebe ab 500 Mitarbeitern bitte nicht', { max: 499 }],
    ['CFOs in Wien. Firmen über 1000 Mitarbeiter, bitte nicht', { max: 1000 }],
    ['DAF à Lyon, plus de 200 salariés, non merci', { max: 200 }],
    ['DAF à Lyon, pas de boîtes de moins de 10', { min: 10 }],
    ['DAF à Lyon, plus de 500 salariés surtout pas', { max: 500 }],
    ['CFO en Lyon, nada por debajo de 20', { min: 20 }],
    ['CFO en Lyon, más de 500 empleados no gracias', { max: 500 }],
  ] as const)
    it(`leaves its complement: ${said}`, () => {
      assert.deepEqual(readBrief(said).filters.employees, [range])
    })

  for (const said of [
    'CFOs in Wien, pro Firma höchstens zwei Personen',
    'CFOs in Wien, pro Firma höchstens zwei',
    'CFOs in Vienna, per company at most two people',
    'DAF à Vienne, par société au plus deux contacts',
    'CFO en Viena, por empresa máximo dos personas',
    'Pro Firma höchstens zwei Personen. CFOs in Wien',
    'Per company at most two people. CFOs in Vienna',
    'Par société deux contacts, DAF à Lyon',
    'Per company: 2\nTitles: CFO',
    'CFOs per company: 2, Vienna',
  ])
    it(`does not apply to people per company: ${said}`, () => {
      const { employees, maxPerCompany, jobTitles } = readBrief(said).filters
      assert.deepEqual([employees, maxPerCompany, jobTitles], [undefined, 2, { include: ['cfo'] }])
    })

  it('applies to the staff of each company', () => {
    const { employees, maxPerCompany } = readBrief('CFOs in Leeds, per company 8 employees').filters
    assert.deepEqual([employees, maxPerCompany], [[{ min: 8, max: 8 }], undefined])
  })
})

describe('places, counts and plurals', () => {
  it('are read in any form', () => {
    for (const brief of ['dentists in WA and OR', 'CFOs in OR and WA', 'hedge funds us & uk'])
      assert.deepEqual(read(brief).locations?.include?.length, 2, brief)
    for (const brief of ['Owners of Lebanese restaurants in Leeds', 'Cuban cigar shops in Leeds', 'IT companies in Leeds, HR people'])
      assert.deepEqual(read(brief).locations?.include, [{ country: 'GB', city: 'Leeds' }], brief)
    assert.deepEqual(read('svp/evp marketing').jobTitles, { include: ['svp marketing', 'evp marketing'] })
    assert.deepEqual(read('hydrogen engineers').jobTitles, { include: ['hydrogen engineer'] })
    assert.deepEqual(read('import companies').keywords, { include: ['import'] })
    assert.equal(read('CFOs in Leeds\nIndustry: bin casinos').industries, undefined)
    assert.equal(read(`Exclude: ${'x'.repeat(100)}es. CFOs in Leeds`).keywords, undefined)
    assert.deepEqual(read('CFOs in Dubai, no Russian or Belarusian companies').locations?.exclude, [{ country: 'RU' }, { country: 'BY' }])
    assert.deepEqual(read('Cargo: director de operaciones\nSede central: Chile').companyLocations, { include: [{ country: 'CL' }] })
    assert.deepEqual(read('Need ~400 property managers in Leeds').jobTitles, { include: ['property manager'] })
    assert.deepEqual(read('Apotheker und Inhaber von Apotheken in Thüringen, keine Versandapotheken').keywords, {
      exclude: ['versandapotheke'],
    })
    assert.deepEqual(read('Titles: CFO\nCompany: life insurers').industries, { include: ['insurance'] })
  })
})
