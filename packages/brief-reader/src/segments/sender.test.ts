import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readBrief } from '../read-brief.ts'

/** The speakers of a brief: others who refuse, and the sender in a bracket or before a pronoun. */

const REFUSING = [
  'On refuse les banques. DAF à Lyon.',
  'Marie refuse les banques. DAF à Lyon.',
  'Les banques ne nous intéressent plus. DAF à Lyon.',
  'Nous avons eu des soucis avec les banques, donc aucune. DAF à Lyon.',
  'Unser Chef lehnt Banken ab. CFOs in Lyon.',
  'Von Banken wollen wir nichts wissen. CFOs in Lyon.',
  'Marketing is against banks. CFOs in Lyon.',
  'We turn down banks. CFOs in Lyon.',
  'We had trouble with banks in Rome, so skip them. CFOs in Lyon.',
  'CFOs in Lyon (we are not interested in banks)',
  'Marta rechaza bancos. CFO en Lyon.',
  'De bancos no queremos saber nada. CFO en Lyon.',
]

describe('a refusal by or about another person', () => {
  for (const brief of REFUSING)
    it(`excludes its object and keeps the wish: ${brief}`, () => {
      assert.deepEqual(readBrief(brief).filters, {
        industries: { exclude: ['banking'] },
        jobTitles: { include: ['cfo'] },
        locations: { include: [{ country: 'FR', city: 'Lyon' }] },
      })
    })
})

const SERVED = [
  'We typically sell to CFOs in Lyon.',
  'Wir arbeiten mit CFOs in Lyon.',
  'Nous vendons aux directeurs financiers à Lyon.',
  'Trabajamos con directores financieros en Lyon.',
  'CFOs in Lyon (we are based in Vienna)',
  'Suche für unseren Fonds (wir sitzen in Wien): CFOs in Lyon',
  'We sell valves to CFOs in Lyon.',
  "I'm keen to get to know CFOs in Lyon",
  'Small winery in Mendoza looking for CFOs in Lyon',
]

describe('a brief of the sender', () => {
  for (const brief of SERVED)
    it(`requests served customers if it requests no one else, and never the sender's location: ${brief}`, () => {
      assert.deepEqual(readBrief(brief).filters, {
        jobTitles: { include: ['cfo'] },
        locations: { include: [{ country: 'FR', city: 'Lyon' }] },
      })
    })
})

describe('a refused name that begins with a number', () => {
  for (const [names, brief] of [
    [['Five Guys', 'Chipotle'], 'Owners in Texas, exclude Five Guys and Chipotle'],
    [['Three', 'Vodafone'], 'CTOs in Spain, not Three or Vodafone'],
    [['Hilton', 'Four Seasons'], 'Hotel managers in Spain. Not Hilton, Four Seasons.'],
    [['Quatre Saisons', 'Accor'], 'DRH à Paris, sauf Quatre Saisons et Accor'],
  ] as const)
    it(`is refused with the names next to it: ${brief}`, () => {
      assert.deepEqual(readBrief(brief).filters.companies, { exclude: [...names] })
    })

  it('does not affect numbers of employees', () => {
    assert.deepEqual(readBrief('Hotels in Spain, Fifty Employees or more').filters.employees, [{ min: 50 }])
    assert.deepEqual(readBrief('Not fewer than ten employees, hotels in Spain').filters.employees, [{ min: 10 }])
  })
})

describe('a closed list of refused names', () => {
  it('ends before a trade, which is requested', () => {
    const { filters } = readBrief('CFOs, exclude Acme and Globex, steel industry, Michigan')
    assert.deepEqual(filters.industries, { include: ['metals'] })
    assert.deepEqual(filters.companies, { exclude: ['Acme', 'Globex'] })
  })
  it('continues over names after a place', () => {
    const { filters } = readBrief('ecommerce managers in Germany except Berlin, Zalando and Otto')
    assert.deepEqual(filters.companies, { exclude: ['Zalando', 'Otto'] })
  })
})

const WISHED = [
  "In our experience it's the CFO or the managing director. Banks in Lyon.",
  'My wife thinks CFOs and managing directors at banks in Lyon',
  'Unser kleines Team aus Ulm will CFOs und Geschäftsführer von Banken in Lyon anschreiben',
  'Nuestra agencia de Vigo pretende dirigirse a CFOs y directores generales de bancos en Lyon',
]

describe("the sender's own sentence", () => {
  for (const brief of WISHED)
    it(`requests its people if no one else is requested: ${brief}`, () => {
      const { jobTitles, industries, locations } = readBrief(brief).filters
      assert.ok(jobTitles?.include?.includes('cfo'))
      assert.deepEqual(industries, { include: ['banking'] })
      assert.deepEqual(locations, { include: [{ country: 'FR', city: 'Lyon' }] })
    })

  for (const own of [
    'Our CFO Tom will call',
    'I met two CFOs',
    'We help CFOs',
    'Wir haben zwei Entwickler',
    'Nous avons deux DAF',
    'We hired two sales directors',
  ])
    it(`does not request the sender's own or known people: ${own}`, () => {
      assert.deepEqual(readBrief(`${own}. Banks in Lyon.`).filters, {
        industries: { include: ['banking'] },
        locations: { include: [{ country: 'FR', city: 'Lyon' }] },
      })
    })

  it('applies its refusals', () => {
    assert.deepEqual(readBrief("We don't sell to banks. Hotels in Lyon.").filters.industries, {
      include: ['hotels'],
      exclude: ['banking'],
    })
  })
})

const SELVES = [
  'Language school in Malta here, we teach English.',
  'Used forklift dealer here, Antwerp. We buy fleets.',
  'Retired teacher here, I tutor maths.',
  'Warehouse automation integrator here (Rotterdam, 60 people).',
  'Derek from the boat yard, we refit yachts down in Falmouth.',
  'okay so this is Derek from the boat yard, we refit yachts in Falmouth.',
  'Hi, Anna here from Bremen Logistics.',
  'Sprachschule aus Freiburg hier, wir lehren Wirtschaftsdeutsch.',
  'Hallo, hier ist Jens von der Werft in Kiel, wir überholen Yachten.',
  'École de langues à Malte ici, nous enseignons l’anglais.',
  'Ici Paul, de l’imprimerie Martin à Nantes.',
  'Pequeña cervecera de Gante aquí.',
  'I’m Tom, sales lead at Brightline Coatings (Akron, Ohio).',
  'Hello, Joyce here (virtual assistant).',
  'Ich bin Tom, Vertriebsleiter bei Hellmann (Linz, Österreich).',
  'You are assisting a rep at a payroll vendor.',
  'The user operates a catering company in Denver.',
  'Der Auftraggeber ist ein Caterer aus Hamburg.',
  'L’utilisateur exploite une salle de sport à Genève.',
  'El usuario tiene un gimnasio en Lima.',
  'Your company: Atlas Fire & Safety (fire extinguishers)\n',
  'Ihre Firma: Atlas Brandschutz, Wien\n',
  'Customer of yours since 2021 :)',
  'Warehouse automation vendor looking for:',
  'Investisseur :',
  'We’re planning a mailing to',
  'Im Auftrag unserer Geschäftsleitung bitte ich um eine Liste der',
  'Nous organisons un petit-déjeuner pour les',
  'Estamos preparando un mailing a',
  'Aquí Pedro, del astillero de Vigo.',
  'I’m a translator based in Girona and I’d like to offer my services to',
  'Je suis traductrice à Gérone et j’aimerais proposer mes services à des',
  'Soy traductora en Girona y me gustaría ofrecer mis servicios a',
]

describe("a sender's introduction", () => {
  for (const self of SELVES)
    it(`requests nothing itself, but everything after it applies: ${self}`, () => {
      const { filters, unmatched } = readBrief(`${self} CFOs in Lyon`)
      assert.deepEqual(filters, { jobTitles: { include: ['cfo'] }, locations: { include: [{ country: 'FR', city: 'Lyon' }] } })
      assert.deepEqual(unmatched, [])
    })

  for (const wish of ['CTOs here in Berlin', 'Everyone here in Berlin: CTOs', 'CTOs: only Berlin here', 'Hier Berlin: CTOs'])
    it(`is not assumed if people or places are wanted: ${wish}`, () => {
      const { jobTitles, locations } = readBrief(wish).filters
      assert.deepEqual(jobTitles, { include: ['cto'] })
      assert.deepEqual(locations, { include: [{ country: 'DE', city: 'Berlin' }] })
    })

  for (const brief of [
    'We used to sell to restaurants, now it’s gyms. CFOs in Lyon.',
    'Früher haben wir an Restaurants verkauft, jetzt sind es Fitnessstudios. CFOs in Lyon.',
    'Avant on vendait aux restaurants, maintenant c’est les salles de sport. DAF à Lyon.',
    'Antes vendíamos a restaurantes, ahora son gimnasios. CFO en Lyon.',
  ])
    it(`requests the people that the sender addresses now: ${brief}`, () => {
      assert.deepEqual(readBrief(brief).filters.industries, { include: ['fitness-gyms'] })
    })
})

/** Wishes that begin or continue as an introduction would, and the same wish alone. */
const NO_INTRODUCTIONS: [brief: string, wish: string][] = [
  ['Purchasing at hotels in Leeds, we sell linen', 'Purchasing at hotels in Leeds'],
  ['HR at banks in Zurich, we sell payroll', 'HR at banks in Zurich'],
  ['Leadership at banks in Zurich, we sell payroll', 'Leadership at banks in Zurich'],
  ['Startups in Berlin, we sell servers', 'Startups in Berlin'],
  ['Ceramicists in Porto, we sell kilns', 'Ceramicists in Porto'],
  ['Einkauf bei Krankenhäusern in Bayern, wir verkaufen Handschuhe', 'Einkauf bei Krankenhäusern in Bayern'],
  ['Entscheider bei Banken in Wien, wir verkaufen Tresore', 'Entscheider bei Banken in Wien'],
  ['Achats chez les hôpitaux de Lyon, nous vendons des gants', 'Achats chez les hôpitaux de Lyon'],
  ['Zalando in Berlin, our competitor, skip; CFOs in Berlin', 'CFOs in Berlin, not Zalando'],
  ['Ici Renault en France, non. DAF à Lyon', 'DAF à Lyon, pas Renault'],
  ['Apotheken hier in Bonn', 'Apotheken in Bonn'],
  ['Zahnärzte hier in Köln', 'Zahnärzte in Köln'],
  ['Winzer hier in der Pfalz', 'Winzer in der Pfalz'],
  ['Plant manager here in Ohio', 'Plant manager in Ohio'],
  ['Banking people here in Zurich', 'Banking people in Zurich'],
  ['Fintech here in Berlin, CTOs and CFOs', 'Fintech in Berlin, CTOs and CFOs'],
  ['Manufacturing here in Ohio only, plant managers', 'Manufacturing in Ohio only, plant managers'],
  ['Hôpitaux ici à Lyon, DAF', 'Hôpitaux à Lyon, DAF'],
  ['Hotels, could you get me their GMs in Rome', 'Hotels, GMs in Rome'],
  ['Siemens, can you get me their CFOs', 'CFOs at Siemens'],
  ['Banken, können Sie mir CFOs in Wien suchen', 'Banken, CFOs in Wien'],
  ['Restaurants, can you leave out. CFOs in Leeds', 'CFOs in Leeds, no restaurants'],
  ['Somos una agencia y buscamos sobre todo directores financieros en Madrid', 'directores financieros en Madrid'],
  ['Nous sommes un éditeur et cherchons sur Paris des DAF en PME', 'DAF en PME à Paris'],
  ['who do I speak to about banks', 'banks'],
  ['We want a hotel in Rome: GMs', 'a hotel in Rome: GMs'],
  ['Wir haben daher Kunden in Wien. CFOs in Graz', 'CFOs in Graz'],
  ['Wir sitzen daher in Wien und verkaufen an Banken. CFOs in Graz', 'CFOs in Graz'],
  ['Nous sommes donc à Lyon, acheteurs à Paris', 'acheteurs à Paris'],
  ['Wir verkaufen Pumpen, daher Einkäufer in Wien', 'Einkäufer in Wien'],
  ['We also take part in trade fairs in Berlin. CFOs in Lyon', 'CFOs in Lyon'],
  ['We also accept bank transfers. CFOs in Lyon', 'CFOs in Lyon'],
  ['we also take interns. CFOs in Lyon', 'CFOs in Lyon'],
  ['We train waiters, also baristas. CFOs in Lyon', 'CFOs in Lyon'],
  ['Das ist für unsere Messe in Essen: Inhaber von Hotels in Sachsen, Bayern raus', 'Inhaber von Hotels in Sachsen, Bayern raus'],
  ['I need it for the campaign: banks in Leeds, not insurers', 'banks in Leeds, not insurers'],
  ['Es ist für eine Veranstaltung mit Banken in Wien', 'Banken in Wien'],
  ['it’s about the launch in Spain, hotels and restaurants, no bars', 'Spain, hotels and restaurants, no bars'],
  ['SaaS companies, Berlin, funded since 3 March:\nCEOs', 'SaaS companies, Berlin, CEOs'],
  ['SaaS Berlin 10:30\nCTO', 'SaaS Berlin CTO'],
  ['Berlin Munich 9:00\nCFOs', 'Berlin Munich CFOs'],
  ['12 May, Madrid:\nhotel directors', 'Madrid hotel directors'],
  ['[10:32] Madison:\nCFOs in Lyon', 'CFOs in Lyon'],
  ['Restaurant in Rome. Owner. Hotels in Milan. Owner.', 'Restaurants in Rome, hotels in Milan, owner'],
  ['Biotech in Basel. Heads of R&D. Pharma in Lyon.', 'Biotech in Basel, heads of R&D, pharma in Lyon'],
  ['Hospital in Ohio looking for nurses, HR director', 'Hospital in Ohio, nurses, HR director'],
  ['Bank in Zürich sucht Software, IT-Leiter', 'Bank in Zürich, Software, IT-Leiter'],
  ['CFOs in our region: Bavaria and Tyrol, no banks', 'CFOs in Bavaria and Tyrol, no banks'],
  ['following up on CFOs in Spain', 'CFOs in Spain'],
  ['J’espère que vous trouverez des DAF à Lyon', 'DAF à Lyon'],
  ['call me on Monday, hotels in Leeds, owners', 'hotels in Leeds, owners'],
  ['on behalf of a bank in Leeds, CFOs of insurers', 'CFOs of insurers'],
  ['anyone who holds a budget: CFOs in Leeds', 'CFOs in Leeds'],
  ['Telefonnummern nicht nötig, CFOs in Wien', 'CFOs in Wien'],
  ['Firmen ab 50. Mai ist unser Start, keine Banken', 'Firmen ab 50, keine Banken'],
  ['London, can you include Leeds too? CFOs banks', 'London, Leeds, CFOs banks'],
  ['IT-Leiter bei Kliniken, Abstand von 50 km zu München', 'IT-Leiter bei Kliniken, 50 km um München'],
  ['Agenturen auch nicht vergessen, CMOs in Köln', 'Agenturen, CMOs in Köln'],
  ['Last year we ran a campaign to CFOs of hotels in Spain. CMOs in Rome', 'CMOs in Rome'],
  ['We sell mailing tools to CFOs of hotels in Spain. CMOs in Rome', 'CMOs in Rome'],
  ['The client directors at banks in London', 'client directors at banks in London'],
]

describe('a wish that resembles an introduction', () => {
  for (const [brief, wish] of NO_INTRODUCTIONS)
    it(`is read as the wish alone: ${brief}`, () => {
      assert.deepEqual(readBrief(brief).filters, readBrief(wish).filters)
    })
})

describe('speakers and addressees', () => {
  it('are not requested, nor is their location', () => {
    for (const brief of [
      "Transcribed voicemail: Hi it's Bill from Harbor Mutual, we're a small insurer in Rhode Island, and we'd like to talk to controllers in Maine",
      'Petra, could you get me controllers in Maine',
      "Retired teacher here, I've written a book. controllers in Maine",
      'Sales wants Maine, legal vetoed casinos, so: controllers in Maine',
      'controllers in Maine, pas de casinos svp',
      'controllers in Maine.\nMany thanks and have a lovely week,\nIngrid Moe\nExecutive Assistant',
      'controllers in Maine. Gracias y un saludo, Pilar',
    ]) {
      const { jobTitles, departments, seniorities, locations } = readBrief(brief).filters
      assert.deepEqual([jobTitles, departments, seniorities], [{ include: ['controller'] }, undefined, undefined], brief)
      assert.deepEqual(locations, { include: [{ country: 'US', region: 'US-ME' }] }, brief)
    }
  })

  it('refuse nothing if they say that nothing must be refused', () => {
    for (const brief of ["DAF à Paris. Inutile d'exclure les banques.", 'CFOs in Paris. No need to exclude banks.'])
      assert.equal(readBrief(brief).filters.industries, undefined, brief)
  })

  it('cancel a denial that is corrected at once', () => {
    assert.deepEqual(readBrief('get me hygienists no dentists I mean dentists in Tucson').filters.jobTitles, { include: ['dentist'] })
  })
})
