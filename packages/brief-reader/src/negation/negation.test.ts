import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readBrief } from '../read-brief.ts'

const read = (brief: string) => readBrief(brief).filters

describe('refused values are never read as wanted', () => {
  const agencies = { exclude: ['agencies'] }
  for (const refusal of [
    'no agencies',
    'not agencies',
    'nothing agencies',
    'except agencies',
    'besides everything else, exclude agencies',
    "shouldn't be agencies",
    "that aren't agencies",
    'agencies excluded',
    'agencies are a no-go',
    'agencies need to be out',
    'agencies are off the table',
    'NOT (agencies)',
    'MUST NOT: agencies',
    'Exclude: agencies',
    'exlude agencies',
    'witout agencies',
    'keine Agenturen',
    'ohne Agenturen',
    'außer Agenturen',
    'Agenturen kommen nicht in Frage',
    "pas d'agences",
    'hors agences',
    'sauf agences',
    'sin agencias',
    'excepto agencias',
    'agencias no interesan',
  ])
    it(refusal, () => assert.deepEqual(read(`CTOs in Spain; ${refusal}`).industries, agencies))

  it('a bracket or a list is refused as a whole, and "nor" continues it', () => {
    assert.deepEqual(read('CMOs in Spain NOT (assistant OR intern)').jobTitles, { include: ['cmo'], exclude: ['assistant'] })
    assert.deepEqual(read('CMOs in Spain NOT (assistant OR intern)').seniorities, { exclude: ['intern'] })
    assert.deepEqual(read('CFOs in Spain, nothing gambling or tobacco').industries, { exclude: ['gambling-casinos', 'tobacco'] })
    assert.deepEqual(read('neither agencies nor banks: CFOs in Spain').industries, { exclude: ['agencies', 'banking'] })
  })

  it('a part of a place is excluded, and the place stays', () => {
    for (const [brief, area, country] of [
      ['CFOs in Latin America besides Brazil', 'latam', 'BR'],
      ['CFOs, APAC ex China', 'apac', 'CN'],
      ['CFOs, Europe but the UK', 'europe', 'GB'],
      ['CFOs en Latinoamérica menos Brasil', 'latam', 'BR'],
      ['CFOs in Europa, außer Polen', 'europe', 'PL'],
    ] as const)
      assert.deepEqual(read(brief).locations, { include: [{ area }], exclude: [{ country }] }, brief)
  })

  it('refused names are companies, not typing errors', () => {
    const { companies, industries } = read('Ops directors in the UK. Tesco, Asda and Morrisons need to be out.')
    assert.deepEqual([companies, industries], [{ exclude: ['Tesco', 'Asda', 'Morrisons'] }, undefined])
    assert.deepEqual(read('CFOs in Ohio. We already work with Bosch so skip them.').companies, { exclude: ['Bosch'] })
  })

  it('an exception ends where the wish resumes', () => {
    const { seniorities, departments, companies } = read('everyone but interns in the finance team at Klarna')
    assert.deepEqual([seniorities, departments, companies], [{ exclude: ['intern'] }, { include: ['finance'] }, { include: ['Klarna'] }])
    assert.deepEqual(read('CEOs of biotechs that aren’t public').fundingStages, { exclude: ['public'] })
    assert.deepEqual(read('no agencies, SaaS, Berlin').industries, { include: ['saas'], exclude: ['agencies'] })
  })

  it('of a refused noun, only the noun is refused, not its description', () => {
    const { locations, industries } = read('CTOs in Europe, no German agencies')
    assert.deepEqual([locations, industries], [{ include: [{ area: 'europe' }] }, { exclude: ['agencies'] }])
  })

  it('a minimum level is itself wanted', () => {
    const above = read('marketing people at director level and above, Ohio').seniorities
    for (const brief of ['nobody below director: marketing, Ohio', 'marketing, no one below director, Ohio'])
      assert.deepEqual(read(brief).seniorities, above, brief)
  })

  it('a search minus, a trailing "no" and an abbreviation also refuse', () => {
    assert.deepEqual(read('head of product edtech -agency').industries, { include: ['edtech'], exclude: ['agencies'] })
    assert.deepEqual(read('CFOs in Austria. Banks yes, insurers no.').industries, { include: ['banking'], exclude: ['insurance'] })
    assert.deepEqual(read('CFOs, Nordics excl. Iceland').locations, { include: [{ area: 'nordics' }], exclude: [{ country: 'IS' }] })
  })

  it('an article does not end a list that is refused, and a pronoun does not hide a refusal', () => {
    assert.deepEqual(read('DAF à Lille, sauf les banques et les assurances').industries, { exclude: ['banking', 'insurance'] })
    for (const brief of ["DAF à Lille, banques s'abstenir", 'CFOs en Madrid, bancos abstenerse'])
      assert.deepEqual(read(brief).industries, { exclude: ['banking'] }, brief)
    assert.deepEqual(read("I'd avoid Italy. Otherwise southern Europe. CFOs.").locations, {
      include: [{ area: 'southern_europe' }],
      exclude: [{ country: 'IT' }],
    })
    assert.deepEqual(read('Sachbearbeiter brauchen wir nicht, nur Leiter Einkauf in Hessen').jobTitles, {
      include: ['head of procurement'],
      exclude: ['clerk'],
    })
    assert.deepEqual(read("CFOs in Spain but we're already working with Jysk so not them").companies, { exclude: ['Jysk'] })
    assert.deepEqual(read('CFOs in Ohio, leave out anything owned by AutoNation').companies, { exclude: ['AutoNation'] })
  })

  it('an unknown word does not affect others', () => {
    assert.deepEqual(read('Steuerberater, aber nicht in Großstädten, Niedersachsen').locations, {
      include: [{ country: 'DE', region: 'DE-NI' }],
    })
  })

  it('a refused description of a wanted noun is refused', () => {
    assert.deepEqual(read('hospital CEOs in Kenya, government hospitals excluded').industries, {
      include: ['hospitals'],
      exclude: ['government'],
    })
    assert.deepEqual(read('heads of admissions at schools in Kent, no state schools').keywords, { exclude: ['state school'] })
    assert.deepEqual(read('Directores de hoteles en Cartagena, nada de hostales').industries, { include: ['hotels'] })
    assert.deepEqual(read('CFOs in Austria (Vienna excluded)').locations, {
      include: [{ country: 'AT' }],
      exclude: [{ country: 'AT', city: 'Vienna' }],
    })
  })

  it('a heading refuses the list below it', () => {
    const { industries, jobTitles } = read('Targets\n- COO\n- logistics\nNot\n- banks\n- retailers')
    assert.deepEqual([jobTitles, industries], [{ include: ['coo'] }, { include: ['logistics'], exclude: ['banking', 'retail'] }])
  })

  it('bullets of any kind belong to their heading, to the last line', () => {
    for (const bullet of ['-', '•', '*', '–']) {
      const brief = ['CFOs', 'In', `${bullet} Spain`, `${bullet} Greece`, 'Leave out', `${bullet} Iberdrola`, `${bullet} Athens`].join('\n')
      const { locations, companies } = read(brief)
      assert.deepEqual(
        { locations, companies },
        {
          locations: { include: [{ country: 'ES' }, { country: 'GR' }], exclude: [{ country: 'GR', city: 'Athens' }] },
          companies: { exclude: ['Iberdrola'] },
        },
        bullet,
      )
    }
  })

  it('a size in a bracket after a refusal is refused with it', () => {
    for (const refusal of [
      'no small ones (under 20 employees)',
      'skip the tiny ones (<20 staff)',
      'exclude micro companies (less than 20 employees)',
      'keine kleinen (unter 20 Mitarbeiter)',
      'pas les petites (moins de 20 salariés)',
    ])
      assert.deepEqual(read(`CFOs in Spain, ${refusal}`).employees, [{ min: 20 }], refusal)
    assert.deepEqual(read('CFOs in Spain, no one-man shows (1-2 employees)').employees, [{ min: 3 }])
    assert.deepEqual(read('CFOs in Spain, no agencies (50+ employees)').employees, [{ min: 50 }])
  })

  it('a size of a refused group is never requested', () => {
    for (const refusal of ['no agencies with more than 50 employees', 'keine Agenturen mit mehr als 50 Mitarbeitern']) {
      const { filters, unmatched } = readBrief(`CFOs in Spain, ${refusal}`)
      assert.equal(filters.employees, undefined, refusal)
      assert.ok(
        unmatched.some(words => words.includes('50')),
        refusal,
      )
    }
    assert.deepEqual(read('CFOs at banks in Spain, no banks over 1000 employees').employees, [{ max: 1000 }])
    assert.deepEqual(read('CFOs in Spain, nobody at chains with over 200 staff').employees, [{ max: 200 }])
  })

  it('a place at the end of a refused list belongs to it', () => {
    assert.deepEqual(read('leave out aviva and zurich, cfos in ireland').locations, {
      include: [{ country: 'IE' }],
      exclude: [{ country: 'CH', city: 'Zurich' }],
    })
    assert.deepEqual(read('CFOs in Germany, skip agencies and Berlin').locations?.exclude?.length, 1)
    assert.deepEqual(read('CFOs, no agencies and Berlin only').locations, { include: [{ country: 'DE', city: 'Berlin' }] })
  })

  it('the codes NO and BE refuse nothing among codes', () => {
    const nordics = { include: [{ country: 'SE' }, { country: 'NO' }, { country: 'DK' }] }
    for (const brief of ['CISOs, SE, NO, DK', 'cisos se/no/dk', 'title=CISO;country=SE,NO,DK', 'CISOs in SE + NO + DK'])
      assert.deepEqual(read(brief), { jobTitles: { include: ['ciso'] }, locations: nordics }, brief)
    assert.deepEqual(read('CFOs, BE'), { jobTitles: { include: ['cfo'] }, locations: { include: [{ country: 'BE' }] } })
    assert.deepEqual(read('CFOs, UK and US, NO agencies').industries, { exclude: ['agencies'] })
    assert.deepEqual(read('CFOs in Spain. Agencies: NO').industries, { exclude: ['agencies'] })
  })

  it('well-known names need no capitals, and a place is not a name', () => {
    assert.deepEqual(read('ops managers germany 50 to 500 fte ex ups dhl fedex').companies, { exclude: ['ups', 'dhl', 'fedex'] })
    assert.deepEqual(read('CFOs in Greater China, no Hong Kong').locations?.exclude, [{ country: 'HK' }])
    assert.deepEqual(read('private bankers, excluding UBS & Credit Suisse').companies, { exclude: ['UBS', 'Credit Suisse'] })
  })

  it('"no idea" refuses nothing', () => {
    for (const brief of [
      'No idea about titles: banks in Lyon',
      'We have no clue about the roles: banks in Lyon',
      'Keine Ahnung welche Titel: Banken in Lyon',
      'Aucune idée des titres : banques à Lyon',
      'Ni idea de cargos: bancos en Lyon',
    ])
      assert.deepEqual(
        readBrief(brief).filters,
        { industries: { include: ['banking'] }, locations: { include: [{ country: 'FR', city: 'Lyon' }] } },
        brief,
      )
  })

  it('a negation without an object changes nothing', () => {
    for (const aside of ['no rush', "don't worry about duplicates", 'nothing fancy', 'last but not least'])
      assert.deepEqual(read(`CTOs in Spain, ${aside}`), read('CTOs in Spain'), aside)
  })
})

describe('whose words they are', () => {
  it('greetings and signatures contain no places', () => {
    const { locations } = read('Hi Jordan,\n\nplease find CFOs in Poland.\n\nBest regards,\nFlorence')
    assert.deepEqual(locations, { include: [{ country: 'PL' }] })
    assert.deepEqual(read('dentists in Ohio? thx. - Madison').locations, { include: [{ country: 'US', region: 'US-OH' }] })
  })

  it('a signature after two dashes or a closing requests nothing', () => {
    const card = read('CFOs in Texas.\n\nRegards,\nDana\n\n--\nDana Cole | Account Director | Briefly Ltd | London')
    assert.deepEqual(card, { jobTitles: { include: ['cfo'] }, locations: { include: [{ country: 'US', region: 'US-TX' }] } })
    const lines = read('CFOs in Texas.\n\nKind regards,\nMilan Horvath\nKeyline Oy, Helsinki')
    assert.deepEqual(lines, card)
    assert.deepEqual(read('CFOs\n--\nSpain\n--\nno banks').industries, { exclude: ['banking'] })
  })

  it('a clause about the sender is context, and the wish next to it is read', () => {
    const { filters, context } = readBrief('We sell payroll software to restaurants so I want general managers in Chicago.')
    assert.deepEqual(filters.jobTitles, { include: ['general manager'] })
    assert.equal(filters.industries, undefined)
    assert.deepEqual(context, ['We sell payroll software to restaurants so I want'])
  })

  it('no clause is lost because of a pronoun', () => {
    for (const brief of [
      'Für unsere neue Kampagne benötigen wir CFOs in Polen',
      "it's for our solar product so CFOs in Poland",
      'Nous voulons toucher les CFOs en Pologne',
      'My boss wants CFOs in Poland',
      'We are mapping: CFOs in Poland',
      'can we do CFOs in Poland again',
      'I was thinking CFOs in Poland',
      'Gerne hätten wir CFOs in Polen',
      'buscamos ampliar nuestra cartera con CFOs en Polonia',
    ]) {
      const { jobTitles, locations } = read(brief)
      assert.deepEqual([jobTitles, locations], [{ include: ['cfo'] }, { include: [{ country: 'PL' }] }], brief)
    }
  })

  it('a denied question requests nothing', () => {
    assert.deepEqual(read('maybe CTOs? No, too technical. COOs in Hamburg.').jobTitles, { include: ['coo'] })
  })
})

describe('responsibilities or statements of others', () => {
  it('is refused with its list', () => {
    assert.deepEqual(read("Accor, Hilton and Marriott belong to Pedro's team. Hotels in Brazil: revenue managers").companies, {
      exclude: ['Accor', 'Hilton', 'Marriott'],
    })
    assert.deepEqual(read('CFOs in the Netherlands and Flanders (Wallonia has its own supplier, so no)').locations?.exclude, [
      { country: 'BE', region: 'BE-WAL' },
    ])
    assert.deepEqual(read('Competitor staff must never appear (Zorbit, Quxley). CFOs in Spain').companies, {
      exclude: ['Zorbit', 'Quxley'],
    })
  })

  it('leaves the wish next to it unchanged', () => {
    assert.deepEqual(read('DAF à temps partagé : non. DAF de PME en Bretagne : oui.').jobTitles, { include: ['cfo'] })
    assert.deepEqual(read('Agencies ghost us. So no agencies. CFOs in Spain').industries, { exclude: ['agencies'] })
    assert.deepEqual(read('Inmobiliarias en Málaga, agentes no: solo los dueños').seniorities, { include: ['owner'] })
  })
})

describe('existing accounts of the sender', () => {
  for (const told of [
    'we already work with Okta, Vantero and Zscaler',
    'wir haben Okta, Vantero und Zscaler schon',
    'on travaille déjà avec Okta, Vantero et Zscaler',
    'ya trabajamos con Okta, Vantero y Zscaler',
    'Okta, Vantero and Zscaler are customers so leave them alone',
  ])
    it(`are excluded: ${told}`, () =>
      assert.deepEqual(read(`CISOs in Spain; ${told}`).companies, { exclude: ['Okta', 'Vantero', 'Zscaler'] }))

  it('imply no industries, and no refusal next to a request', () => {
    assert.equal(read('CISOs in Spain; we already work with banks').industries, undefined)
    assert.deepEqual(read('We already sell to banks and want CFOs of insurers').industries, { include: ['insurance'] })
  })
})

describe('unreadable clauses', () => {
  it('are reported if they describe a company or a list, and not requested', () => {
    const { filters, unmatched } = readBrief('CTOs in Spain. Bosch verdampft gerade.')
    assert.equal(filters.companies, undefined)
    assert.deepEqual(unmatched, ['Bosch verdampft gerade'])
    assert.deepEqual(read('CTOs in Spain. Banks are kaputt.').industries, undefined)
    assert.deepEqual(read('CTOs in Spain. Banks are welcome.').industries, { include: ['banking'] })
  })
})

describe('continued refusals', () => {
  it('with "too", with employers, and with lower-case names', () => {
    assert.deepEqual(read('CFOs in Spain. Cemex excluded, Holcim too.').companies, { exclude: ['Cemex', 'Holcim'] })
    assert.deepEqual(read('CFOs in Spain, exclude consultants and anyone at Cemex').companies, { exclude: ['Cemex'] })
    assert.deepEqual(read('cfos in spain. vantero + lumico are a hard no').companies, { exclude: ['vantero', 'lumico'] })
    assert.deepEqual(read('CFOs in the Gulf except Kuwait & Bahrain').locations, {
      include: [{ area: 'gcc' }],
      exclude: [{ country: 'KW' }, { country: 'BH' }],
    })
  })

  it('replace a denied question', () => {
    assert.deepEqual(read('Designers in Rome? No thanks - I want design leads there.').jobTitles, { include: ['design lead'] })
  })
})

describe('other speakers in a brief', () => {
  it('are not requested', () => {
    const { jobTitles, departments, locations } = read('Sales wants CISOs in the Nordics. Marketing objects to Norway.')
    assert.deepEqual({ jobTitles, departments }, { jobTitles: { include: ['ciso'] }, departments: undefined })
    assert.deepEqual(locations, { include: [{ area: 'nordics' }], exclude: [{ country: 'NO' }] })
    assert.deepEqual(read('Anna wants dentists in Bavaria').locations, { include: [{ country: 'DE', region: 'DE-BY' }] })
  })
})

describe('regressions: refusals that were read as wishes', () => {
  for (const [brief, field, excluded] of [
    ['CFOs in Austria. None of those: Strabag, Porr.', 'companies', ['Strabag', 'Porr']],
    ['CFOs in Austria. Neg keywords: gambling', 'industries', ['gambling-casinos']],
    ['CFOs in Spain, compliance forbids gambling', 'industries', ['gambling-casinos']],
    ["Banks don't buy from us, so leave them out. CFOs in Spain", 'industries', ['banking']],
    ['CFOs in Spain. Novartis and Roche excluded, as is Swiss Re.', 'companies', ['Novartis', 'Roche', 'Swiss Re']],
    ['CFOs in Spain. 4. Excl.: agencies', 'industries', ['agencies']],
    ['CFOs in Spain, none of the giants (AWS, Google, Microsoft)', 'companies', ['AWS', 'Google', 'Microsoft']],
    ['CFOs in Spain; hate to see agencies on the list', 'industries', ['agencies']],
    ['CFOs in Spain, no banks, Berlin or agencies', 'industries', ['banking', 'agencies']],
    ['Buyers in Spain. Renfe is our customer already so skip that one.', 'companies', ['Renfe']],
  ] as const)
    it(brief, () => {
      const { include, exclude } = (read(brief) as Record<string, { include?: string[]; exclude?: string[] }>)[field]!
      assert.deepEqual([include, exclude], [undefined, excluded])
    })

  it('the place of refused suppliers is not a wish, and the size after "so" is', () => {
    assert.deepEqual(read('CFOs in Germany, except VW and its suppliers in Wolfsburg').locations, { include: [{ country: 'DE' }] })
    assert.deepEqual(read('CFOs, not the small ones so over two hundred people').employees, [{ min: 201 }])
    assert.equal(read('CFOs in Spain, banks excite us').locations?.include?.length, 1)
  })
})
