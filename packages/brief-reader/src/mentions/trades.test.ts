import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readBrief } from '../read-brief.ts'

const filtersOf = (brief: string) => readBrief(brief).filters

describe('What belongs to a title, a name or a purchase', () => {
  it('is no trade of the companies where a person buys it or has a budget for it', () => {
    for (const brief of [
      'Wer kauft Verpackungen ein? Einkäufer bei Banken in Wien',
      'people who buy packaging at banks in Leeds',
      'HR directors who sign off a training budget at banks in Leeds',
    ])
      assert.deepEqual(filtersOf(brief).industries, { include: ['banking'] }, brief)
  })

  it('is no trade where an everyday word only tells of an occasion, a taste or a person', () => {
    for (const aside of [
      "for a dinner we're hosting in May",
      'free shipping included',
      'lunch and wine included',
      'with energy and drive',
      'who travel a lot',
      'who love music',
      'for a museum evening',
      'with a university degree',
      'who order catering',
    ])
      assert.deepEqual(readBrief(`CFOs at banks in Leeds, ${aside}`).filters.industries, { include: ['banking'] }, aside)
    for (const brief of [
      'Geschäftsführer in Wien, die gern Sport treiben',
      'CFOs en Madrid para una cena con vino',
      'DSI à Lyon qui passent au cloud',
    ])
      assert.equal(filtersOf(brief).industries, undefined, brief)
  })

  it('is a trade in an everyday word where companies, a rank, a place or a list are next to it', () => {
    for (const [brief, industry] of [
      ['wine CFOs in Spain', 'wine-spirits'],
      ['CFOs, energy, Spain', 'energy-environment'],
      ['CFOs in music in Spain', 'music'],
      ['cfo spain food', 'food-production'],
      ['CFOs at companies making wine in Spain', 'wine-spirits'],
      ['proveedores cloud en Madrid', 'cloud-infrastructure'],
    ] as const)
      assert.deepEqual(filtersOf(brief).industries, { include: [industry] }, brief)
    assert.deepEqual(filtersOf('CFOs in Ohio, no food').industries, { exclude: ['food-production'] })
  })

  it('is what shops sell, except where those shops are an industry of their own', () => {
    for (const [brief, industry] of [
      ['buyers at toy retailers in Ireland', 'toys'],
      ['owners of lingerie shops in Leeds', 'fashion-retail'],
      ['dueños de tiendas de zapatos en Madrid', 'fashion-retail'],
      ['CFOs at shops in Leeds selling furniture', 'furniture'],
    ] as const)
      assert.deepEqual(filtersOf(brief).industries, { include: [industry] }, brief)
  })

  it('is no name of a company where the vocabulary knows the phrase, or German writes it as one word', () => {
    for (const [brief, industry] of [
      ['CFOs at Amazon sellers in Spain', 'ecommerce'],
      ['CFOs at booking platforms in Spain', 'internet-platforms'],
      ['owners of ENT clinics in Ohio', 'medical-practices'],
      ['CFOs bei Ferienhotels, aber keine Banken', 'hotels'],
    ] as const)
      assert.deepEqual([filtersOf(brief).industries?.include, filtersOf(brief).companies], [[industry], undefined], brief)
    assert.deepEqual(filtersOf('people at Marriott hotels').companies, { include: ['Marriott'] })
  })

  it('is a trade where companies are named by it', () => {
    assert.deepEqual(filtersOf('buyers at packaging companies in Leeds').industries, { include: ['packaging'] })
    assert.deepEqual(filtersOf('compradores de hoteles en Cancún').industries, { include: ['hotels'] })
    assert.deepEqual(filtersOf('CEOs of training companies, Madrid').industries, { include: ['training-coaching'] })
  })

  it('is refused with the houses that are refused: "no chains of gyms" asks for no gyms', () => {
    for (const brief of [
      'CFOs in Texas, no chains of gyms',
      'CFOs en México, sin cadenas de gimnasios',
      'DAF en Belgique, sans centres de fitness',
    ])
      assert.deepEqual(filtersOf(brief).industries, { exclude: ['fitness-gyms'] }, brief)
  })

  it('is what the noun says that ends the phrase', () => {
    assert.deepEqual(filtersOf('Owners of seafood restaurants in Ohio').industries, { include: ['restaurants'] })
    assert.deepEqual(filtersOf('CTOs in Spain at companies using .NET').technologies, { include: ['dotnet'] })
  })

  it('is reported, or refused with its noun, where another trade ends the phrase', () => {
    const { filters, unmatched } = readBrief('construction staffing agencies in Texas, no healthcare staffing agencies')
    assert.deepEqual([filters.industries, unmatched], [{ include: ['staffing-recruiting'] }, ['construction']])
    assert.deepEqual(filters.keywords, { exclude: ['healthcare staffing agency'] })
    assert.deepEqual(readBrief('casino hotels in Spain, GMs').unmatched, ['casino'])
  })

  it('is neither asked for nor refused where only its people are refused', () => {
    const { jobTitles, industries } = filtersOf('no CEOs of banks, CFOs of insurers')
    assert.deepEqual([jobTitles, industries], [{ include: ['cfo'], exclude: ['ceo'] }, { include: ['insurance'] }])
  })

  it('is no part of a title after the noun for companies, nor is a verb or the name of a person', () => {
    for (const [brief, title, industry] of [
      ['packaging companies treasurers in Leeds', 'treasurer', { include: ['packaging'] }],
      ['Firma Müller sucht Einkäufer in Wien', 'buyer', undefined],
      ['Frau Baumeister sucht CFOs in Wien', 'cfo', undefined],
      ['jefes de proyecto en Madrid', 'project manager', undefined],
      ['coordinateurs à Nantes', 'coordinator', undefined],
    ] as const)
      assert.deepEqual([filtersOf(brief).jobTitles, filtersOf(brief).industries], [{ include: [title] }, industry], brief)
  })

  it('leaves names and towns alone that resemble a rare trade or role', () => {
    for (const name of ['Dojo', 'Esco', 'Fonda', 'Cirque', 'Schuhmacher', 'Postmates', 'Herbalife', 'Aviator Nation'])
      assert.deepEqual(filtersOf(`people at ${name} in London`).companies, { include: [name] }, name)
    assert.deepEqual(filtersOf('Hot Springs, AR dentists').locations, {
      include: [{ country: 'US', region: 'US-AR', city: 'Hot Springs' }],
    })
    assert.equal(filtersOf('haltet Ausschau nach CFOs aus Wien').companies, undefined)
    assert.equal(filtersOf('restaurantes con mesas afuera').keywords, undefined)
  })

  it('reads a trade that opens the brief as companies only where those of a rank are asked for', () => {
    assert.deepEqual(filtersOf('Estate agents in Leeds, branch managers').industries, { include: ['real-estate-agencies'] })
    for (const brief of ['Estate agents and branch managers in Leeds', 'Architects in Berlin, interior designers in Hamburg'])
      assert.equal(filtersOf(brief).industries, undefined, brief)
  })

  it('keeps the people of a trade as people where the rank after them is refused or joined', () => {
    for (const [brief, title] of [
      ['Lawyers in Leeds but not partners', 'lawyer'],
      ['Dentists in Leeds, no owners', 'dentist'],
      ['Recruiters in Leeds, excluding directors', 'recruiter'],
      ['Recruiters in Leeds, directors excluded', 'recruiter'],
      ['Recruiters in Leeds and HR managers', 'recruiter'],
    ] as const) {
      const { jobTitles, industries } = filtersOf(brief)
      assert.deepEqual([jobTitles?.include?.[0], industries], [title, undefined], brief)
    }
    assert.deepEqual(filtersOf('Estate agents in Leeds: the directors').industries, { include: ['real-estate-agencies'] })
  })

  it('makes no topic of a word after a wish that may be an order, and reports it', () => {
    for (const order of ['banish', 'purge', 'spurn', 'ban', 'excluse', 'veto'])
      for (const sign of [',', ';', ' |', '.']) {
        const brief = `CFOs in Ohio${sign} ${order} hotels in Texas`
        const { filters, unmatched } = readBrief(brief)
        assert.deepEqual([filters.keywords, unmatched], [undefined, [order]], brief)
      }
    assert.equal(filtersOf('Banish hotels in Texas. CFOs in Ohio').keywords, undefined)
    for (const brief of ['CFOs at podiatry clinics in Texas', 'Podiatry clinics in Texas, CFOs'])
      assert.deepEqual(filtersOf(brief).keywords, { include: ['podiatry'] }, brief)
  })

  it('reads the short word for a surgery by its accent or next to its noun', () => {
    for (const brief of ['cabinets véto à Lyon', 'véto à Lyon', 'gérants de cabinets veto à Lyon'])
      assert.deepEqual(filtersOf(brief).industries, { include: ['veterinary'] }, brief)
    assert.deepEqual(filtersOf('CFOs in Ohio; veto casinos in Texas').industries, { include: ['gambling-casinos'] })
  })

  it('refuses a name that ends with a number together with its neighbors', () => {
    for (const name of ['Super 8', 'Motel 6', 'Forever 21', 'Studio 54', 'Level 3'])
      assert.deepEqual(filtersOf(`CFOs in Ohio, not ${name} or Hilton`).companies, { exclude: [name, 'Hilton'] }, name)
    const { employees, locations } = filtersOf('CFOs in Europe, not Berlin, 50 employees')
    assert.deepEqual([employees, locations?.exclude], [[{ min: 50, max: 50 }], [{ country: 'DE', city: 'Berlin' }]])
  })

  it('tells the kind of a company from a name that its legal form ends', () => {
    assert.deepEqual(filtersOf('CFOs in Ohio, no public corp').fundingStages, { exclude: ['public'] })
    assert.deepEqual(filtersOf('CFOs in Ohio, no multinational corp').employees, [{ max: 999 }])
    assert.deepEqual(filtersOf('CFOs in Ohio, no acme corp').companies, { exclude: ['acme corp'] })
  })

  it('keeps names and titles whole', () => {
    const names = filtersOf('people in finance at Lufthansa Technik, MTU and Bosch').companies
    assert.deepEqual(names, { include: ['Lufthansa Technik', 'MTU', 'Bosch'] })
    const titles = filtersOf('conference producers and wedding photographers in Tuscany').jobTitles
    assert.deepEqual(titles, { include: ['conference producer', 'wedding photographer'] })
    assert.deepEqual(filtersOf('CTOs in Oslo. Leave out Arm and Graphcore, we already have terms with both.').companies, {
      exclude: ['Arm', 'Graphcore'],
    })
  })

  it('tells a place of companies from the place of a fair, and a code by the codes next to it', () => {
    assert.equal(filtersOf('list for the Milan trade fair: export managers').locations, undefined)
    assert.deepEqual(filtersOf('trade fair organisers in Milan').locations, { include: [{ country: 'IT', city: 'Milan' }] })
    assert.deepEqual(filtersOf('mine managers, WA and QLD').locations, {
      include: [
        { country: 'AU', region: 'AU-WA' },
        { country: 'AU', region: 'AU-QLD' },
      ],
    })
    assert.deepEqual(filtersOf('mine managers in Perth, WA and Brisbane, QLD').locations, {
      include: [
        { country: 'AU', city: 'Perth' },
        { country: 'AU', city: 'Brisbane' },
      ],
    })
    assert.deepEqual(filtersOf('mine managers in Vancouver, WA').locations, {
      include: [{ country: 'US', region: 'US-WA', city: 'Vancouver' }],
    })
    assert.deepEqual(filtersOf('mine managers, WA, OR').locations, {
      include: [
        { country: 'US', region: 'US-WA' },
        { country: 'US', region: 'US-OR' },
      ],
    })
  })

  it('reads every way of saying "at most"', () => {
    for (const size of [
      'como mucho 12 empleados',
      '12 salariés à tout casser',
      '12 staff tops',
      'höchstens 12 Mitarbeiter',
      '12 at the most',
    ])
      assert.deepEqual(filtersOf(`CEO, Madrid, ${size}`).employees, [{ max: 12 }], size)
  })
})

describe('A topic that is narrower than its industry', () => {
  it('is asked for by a keyword next to the industry', () => {
    for (const [brief, industry, keyword] of [
      ['owners of wedding planning companies in Tuscany', 'event-services', 'wedding'],
      ['lab directors at fertility clinics in Texas', 'medical-practices', 'fertility'],
      ['Inhaber von Fahrschulen in Kassel', 'training-coaching', 'driving school'],
      ['CEO de startups foodtech à Paris', 'food-production', 'foodtech'],
      ['Driving school owners in Leeds', 'training-coaching', 'driving school'],
      ['dueños de autoescuela en Madrid', 'training-coaching', 'driving school'],
    ] as const) {
      const { industries, keywords } = filtersOf(brief)
      assert.deepEqual([industries, keywords], [{ include: [industry] }, { include: [keyword] }], brief)
    }
  })

  it('is not asked for next to another industry, because every company would have to have it', () => {
    for (const [brief, ...include] of [
      ['Owners of gyms and CrossFit boxes', 'fitness-gyms'],
      ['CFOs at hospitals and fertility clinics', 'hospitals', 'medical-practices'],
      ['Solar, hydrogen and offshore wind', 'solar', 'renewable-energy'],
      ['Hotels and wedding venues in Kent', 'hotels'],
    ] as const) {
      const { industries, keywords } = filtersOf(brief)
      assert.deepEqual([industries, keywords], [{ include }, undefined], brief)
    }
  })

  it('is refused without the industry', () => {
    const { industries, keywords } = filtersOf('owners of training companies in Leeds, no driving schools')
    assert.deepEqual([industries, keywords], [{ include: ['training-coaching'] }, { exclude: ['driving school'] }])
  })

  it('keeps its industry where the name of the industry is refused', () => {
    const { industries, keywords } = filtersOf("Banks don't interest us any more; credit unions do. Branch managers, Minnesota.")
    assert.deepEqual([industries, keywords], [{ include: ['banking'] }, { exclude: ['bank'] }])
  })

  it('keeps the narrower function and role of a foreign title', () => {
    for (const [brief, title] of [
      ['chargés de recrutement à Lyon', 'recruiter'],
      ['jefes de recepción en Cancún', 'head of reception'],
      ['directeurs digital à Lyon', 'digital director'],
      ['directores de ciberseguridad en Madrid', 'cybersecurity director'],
      ['gestores de contratos en Madrid', 'contract manager'],
      ['développeurs Java à Lyon', 'java developer'],
      ['ingénieurs en Espagne', 'engineer'],
      ['Fotografinnen in Köln', 'photographer'],
      ['conservatrices à Lyon', 'curator'],
      ['Klimaschutzmanagerinnen in Hessen', 'climate protection manager'],
      ['Python-Entwicklerinnen in Wien', 'python developer'],
      ['Teamleiter Vertrieb in Köln', 'sales team lead'],
    ] as const)
      assert.deepEqual(filtersOf(brief).jobTitles, { include: [title] }, brief)
  })

  it('keeps all words of an English title, also those that name a trade, refuse elsewhere, or mean another role alone', () => {
    for (const [brief, title] of [
      ['Payments Product Managers in London', 'payments product manager'],
      ['education officers in Kent', 'education officer'],
      ['product stewards in Ohio', 'product steward'],
      ['CFOs, bar managers and CTOs in Texas', 'bar manager'],
    ] as const)
      assert.ok(filtersOf(brief).jobTitles?.include?.includes(title), brief)
  })

  it('names companies where people of a trade are all that is said of them', () => {
    assert.deepEqual(filtersOf('Heads of Finance, Paris, asset managers only').industries, { include: ['investment-management'] })
  })
})

describe('What companies use, and since when', () => {
  it('is read from verbs before and after the product in four languages', () => {
    for (const [brief, technology] of [
      ['HR-Leiter in Firmen, die Personio nutzen', 'personio'],
      ['IT-Leiter bei Firmen mit SAP im Einsatz', 'sap'],
      ['DAF de PME qui tournent sous Odoo', 'odoo'],
      ['gerentes de TI en empresas que usan Google Workspace', 'google-workspace'],
      ['CFOs at firms with Datev in place', 'datev'],
    ] as const)
      assert.deepEqual(filtersOf(brief).technologies, { include: [technology] }, brief)
  })

  it('is not wanted where it is denied', () => {
    for (const brief of ['IT-Leiter bei Firmen, die SAP nicht nutzen', 'Keine Firmen, die Salesforce nutzen. CFOs in Wien'])
      assert.equal(filtersOf(brief).technologies?.include, undefined, brief)
  })

  it('is no year of founding where a customer or an office is spoken of', () => {
    assert.equal(filtersOf('CFOs at banks. Exclude Medtronic, client since 2019').founded, undefined)
    assert.equal(filtersOf('CFOs bei Banken, seit 2020 im Amt').founded, undefined)
    assert.deepEqual(filtersOf('CFOs at banks founded since 2019').founded, [{ min: 2019 }])
  })

  it('is shared by the members of a list of agencies, and goes with the trade of exporters', () => {
    assert.deepEqual(filtersOf('PR and branding agencies in London').industries, { include: ['pr-agencies', 'design-agencies'] })
    assert.deepEqual(filtersOf('Gerentes de empresas agrícolas exportadoras en Perú').industries, { include: ['agriculture'] })
    assert.deepEqual(filtersOf('insurance brokers in Lisbon, I want the owner').industries, { include: ['insurance'] })
  })
})

describe('Wishes in forms and sentences', () => {
  it('ask for an address after its label', () => {
    for (const brief of ['Email: must have one\nCFOs in Ohio', 'E-Mail: Pflicht\nCFOs in Wien', 'CFOs in Wien, E-Mail muss vorhanden sein'])
      assert.deepEqual(filtersOf(brief).emailStatus, ['verified', 'accept_all', 'unverified'], brief)
  })

  it('leave out those who answered, and no place with them', () => {
    for (const brief of [
      'CFOs in Wien. Wer schon auf eine Mail von uns geantwortet hat, bitte weglassen',
      'CFOs in Wien, ohne die, die schon geantwortet haben',
    ]) {
      assert.deepEqual(filtersOf(brief).suppress, ['replied'], brief)
      assert.deepEqual(filtersOf(brief).locations, { include: [{ country: 'AT', city: 'Vienna' }] }, brief)
    }
  })

  it('name the owners of companies', () => {
    assert.deepEqual(filtersOf('CFOs, PE-geführte Unternehmen').fundingStages, { include: ['private_equity'] })
    assert.deepEqual(filtersOf('Funding: private equity\nCFOs').fundingStages, { include: ['private_equity'] })
  })
})

describe('A town', () => {
  it('is known by the name that people use', () => {
    for (const [brief, place] of [
      ['CFOs in Fremantle', { country: 'AU', city: 'Fremantle' }],
      ['Geschäftsführer in Hanau', { country: 'DE', city: 'Hanau' }],
      ['DAF à La Roche-sur-Yon', { country: 'FR', city: 'La Roche-sur-Yon' }],
      ['Geschäftsführer in Salzgitter', { country: 'DE', city: 'Salzgitter' }],
      ['CFOs, Midland TX', { country: 'US', region: 'US-TX', city: 'Midland' }],
      ['CFOs, Cobh, Ireland', { country: 'IE', city: 'Cobh' }],
    ] as const)
      assert.deepEqual(filtersOf(brief).locations, { include: [place] }, brief)
  })

  it('gives way to a company where its name continues', () => {
    assert.deepEqual(filtersOf('people in Salzgitter AG').companies, { include: ['Salzgitter AG'] })
  })
})

describe('The noun that ends a phrase', () => {
  it('names the trade, and what comes before it only of what kind or for whom they are', () => {
    for (const [brief, industry, unmatched] of [
      ['CFOs at hotel software vendors in Spain', 'software', ['hotel']],
      ['CFOs at construction software companies in Spain', 'software', ['construction']],
      ['CFOs at warehouse robot makers in Spain', 'robotics', ['warehouse']],
      ['CFOs at school photography studios in Spain', 'photography', ['school']],
      ['cool climate vineyards in Tasmania', 'wine-spirits', ['cool climate']],
    ] as const) {
      const { filters, unmatched: reported } = readBrief(brief)
      assert.deepEqual([filters.industries, reported], [{ include: [industry] }, unmatched], brief)
    }
  })

  it('adds to the trade where it says how they trade, what they work with or who owns them', () => {
    for (const [brief, industries] of [
      ['furniture wholesalers in Spain', ['furniture', 'wholesale']],
      ['AI devtools in Spain', ['artificial-intelligence', 'developer-tools']],
      ['government hospitals in India', ['government', 'hospitals']],
    ] as const)
      assert.deepEqual(filtersOf(brief).industries, { include: industries }, brief)
  })

  it('tells those who make things for a house from the house', () => {
    for (const house of ['hotel', 'restaurant', 'school', 'salon', 'hospital'])
      assert.equal(readBrief(`CFOs at ${house} suppliers in Spain`).filters.industries, undefined, house)
    assert.deepEqual(filtersOf('CFOs at hotel minibar makers in Spain').keywords, { include: ['hotel minibar'] })
    assert.deepEqual(filtersOf('CFOs at hotel brands in Spain').industries, { include: ['hotels'] })
  })

  it('is read with the people whose it is', () => {
    for (const [brief, industry] of [
      ["architects' offices in Vienna", 'architecture'],
      ['dentists’ offices in Ohio', 'dental-practices'],
      ["lawyers' offices in Leeds", 'legal-services'],
    ] as const)
      assert.deepEqual([filtersOf(brief).industries, filtersOf(brief).jobTitles], [{ include: [industry] }, undefined], brief)
  })
})

describe('A topic that has no industry', () => {
  it('is a keyword with its everyday nouns where makers, a label or a purpose leave no doubt', () => {
    for (const [brief, ...keywords] of [
      ['owners of beekeeping supply stores in Spain', 'beekeeping supply'],
      ['CMOs at phone case brands in Spain', 'phone case'],
      ['CFOs at door knocker manufacturers in Spain', 'door knocker'],
      ['CFOs at hammock & swing brands in Spain', 'hammock', 'swing'],
      ['CEOs of charities working on homelessness in England', 'homelessness'],
      ['Industry: falconry or archery. Title: owner. Country: Spain', 'falconry', 'archery'],
    ] as const)
      assert.deepEqual(filtersOf(brief).keywords, { include: keywords }, brief)
  })

  it('is named in English whatever the language, and reported where no one has listed it', () => {
    for (const brief of ['Geschäftsführer von Drohnenherstellern in Wien', 'dirigeants de fabricants de drones à Lyon'])
      assert.deepEqual(filtersOf(brief).keywords, { include: ['drone'] }, brief)
    const { filters, unmatched } = readBrief('directores de proveedores de extintores en España')
    assert.deepEqual([filters.keywords, unmatched], [undefined, ['proveedores de extintores']])
  })

  it('is none where a label says that any will do, or of what kind companies are', () => {
    for (const answer of ['agnostic', 'any', 'tbd', 'flexible', 'unspecified', 'family-owned', 'profitable', 'privately held'])
      assert.equal(filtersOf(`Title: CFO. Industry: ${answer}. Country: Spain`).keywords, undefined, answer)
    for (const kind of ['challenger', 'heritage', 'flagship', 'strategic'])
      assert.equal(filtersOf(`CFOs at ${kind} brands in Spain`).keywords, undefined, kind)
  })

  it('is never refused by its own words: no one axes or dumps anything', () => {
    for (const [brief, industry] of [
      ['axe throwing venues in Texas', 'leisure-recreation'],
      ['dump truck companies in Texas', 'trucking'],
    ] as const)
      assert.deepEqual([filtersOf(brief).industries, filtersOf(brief).keywords], [{ include: [industry] }, undefined], brief)
    assert.deepEqual(filtersOf('CFOs in Texas, axe banks').industries, { exclude: ['banking'] })
  })

  it('is no role where it names a place', () => {
    for (const brief of ['treehouse parks in Spain', 'quinquinerias in Spain', 'gumball arcades in Spain'])
      assert.equal(filtersOf(brief).jobTitles, undefined, brief)
    assert.deepEqual(filtersOf('falconers in Qatar').jobTitles, { include: ['falconer'] })
  })
})
