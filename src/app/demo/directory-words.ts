/** What the invented directory is made of. Names are common ones put together by chance; no combination means anybody. */

const words = (text: string): string[] => text.trim().split(/\s+/)
const list = (text: string): string[] => text.split(', ')

interface CountryCities {
  country: string
  language: string
  weight: number
  /** By size. `City/REGION` where a country has several of the name. */
  names: string[]
}

const cities = (country: string, language: string, weight: number, names: string): CountryCities => ({
  country,
  language,
  weight,
  names: list(names),
})

export const CITIES: readonly CountryCities[] = [
  cities(
    'US',
    'en',
    34,
    'New York/NY, San Francisco/CA, Los Angeles/CA, Chicago/IL, Austin/TX, Boston/MA, Seattle/WA, Denver/CO, Atlanta/GA, Dallas/TX, Houston/TX, Miami/FL, San Diego/CA, San Jose/CA, Phoenix/AZ, Portland/OR, Philadelphia/PA, Minneapolis/MN, Nashville/TN, Charlotte/NC, Raleigh/NC, Salt Lake City/UT, Detroit/MI, Columbus/OH, Tampa/FL, Palo Alto/CA, Oakland/CA, Las Vegas/NV, Kansas City/MO, Pittsburgh/PA',
  ),
  cities(
    'GB',
    'en',
    9,
    'London, Manchester, Birmingham, Leeds, Bristol, Edinburgh, Glasgow, Liverpool, Cambridge, Oxford, Sheffield, Cardiff, Nottingham, Belfast',
  ),
  cities(
    'DE',
    'de',
    9,
    'Berlin, Munich, Hamburg, Frankfurt am Main, Cologne, Stuttgart, Düsseldorf, Leipzig, Nuremberg, Hannover, Dresden, Bremen, Dortmund, Essen, Karlsruhe, Mannheim, Münster, Bonn, Augsburg, Freiburg',
  ),
  cities('FR', 'fr', 6, 'Paris, Lyon, Marseille, Toulouse, Bordeaux, Lille, Nantes, Strasbourg, Nice, Rennes, Grenoble, Montpellier'),
  cities('IN', 'en', 6, 'Bengaluru, Mumbai, Delhi, Hyderabad, Pune, Chennai, Kolkata, Ahmedabad'),
  cities('CA', 'en', 5, 'Toronto/ON, Vancouver/BC, Montréal/QC, Calgary/AB, Ottawa/ON, Edmonton/AB, Waterloo/ON, Winnipeg/MB'),
  cities('AU', 'en', 4, 'Sydney, Melbourne, Brisbane, Perth, Adelaide, Canberra'),
  cities('NL', 'en', 4, 'Amsterdam, Rotterdam, Utrecht, The Hague, Eindhoven, Groningen'),
  cities('ES', 'es', 4, 'Madrid, Barcelona, Valencia, Sevilla, Málaga, Bilbao, Zaragoza'),
  cities('IT', 'en', 4, 'Milan, Rome, Turin, Bologna, Florence, Naples'),
  cities('BR', 'en', 4, 'São Paulo, Rio de Janeiro, Belo Horizonte, Curitiba, Porto Alegre'),
  cities('CH', 'de', 2.5, 'Zürich, Geneva, Basel, Bern, Lausanne, Zug, Lugano'),
  cities('AT', 'de', 2, 'Vienna, Graz, Linz, Salzburg, Innsbruck'),
  cities('SE', 'en', 2, 'Stockholm, Göteborg, Malmö, Uppsala'),
  cities('PL', 'en', 2, 'Warsaw, Kraków, Wrocław, Poznań, Gdańsk'),
  cities('MX', 'es', 2, 'Mexico City, Guadalajara, Monterrey, Puebla'),
  cities('SG', 'en', 1.5, 'Singapore'),
  cities('IE', 'en', 1.5, 'Dublin, Cork, Galway'),
  cities('BE', 'fr', 1.5, 'Brussels, Antwerp, Gent, Liège'),
  cities('DK', 'en', 1.2, 'Copenhagen, Aarhus, Odense'),
  cities('NO', 'en', 1, 'Oslo, Bergen, Trondheim'),
  cities('FI', 'en', 1, 'Helsinki, Tampere, Espoo'),
  cities('PT', 'en', 1, 'Lisbon, Porto, Braga'),
  cities('AE', 'en', 1, 'Dubai, Abu Dhabi'),
  cities('IL', 'en', 1, 'Tel Aviv, Haifa, Jerusalem'),
  cities('ZA', 'en', 0.8, 'Cape Town, Johannesburg, Durban'),
  cities('JP', 'en', 0.8, 'Tokyo, Osaka'),
  cities('CZ', 'en', 0.7, 'Prague, Brno'),
  cities('AR', 'es', 0.7, 'Buenos Aires, Córdoba'),
  cities('CO', 'es', 0.6, 'Bogotá, Medellín'),
  cities('NZ', 'en', 0.5, 'Auckland, Wellington'),
  cities('RO', 'en', 0.5, 'Bucharest, Cluj-Napoca'),
]

/** Industries that directories are full of; every other one has a small weight. */
export const INDUSTRY_WEIGHTS: Record<string, number> = {
  software: 9,
  saas: 7,
  'it-services': 7,
  'management-consulting': 4,
  'marketing-agencies': 4,
  construction: 4,
  'staffing-recruiting': 3,
  'industrial-machinery': 3,
  ecommerce: 3,
  banking: 2.5,
  insurance: 2,
  'real-estate-agencies': 2.5,
  hospitals: 2.5,
  logistics: 2.5,
  automotive: 2.5,
  'higher-education': 2,
  'legal-services': 2.5,
  accounting: 2,
  restaurants: 2,
  hotels: 1.5,
  pharmaceuticals: 1.5,
  'medical-devices': 1.5,
  fintech: 2,
  cybersecurity: 1.5,
  telecommunications: 1.5,
  'food-production': 1.5,
  government: 1.5,
  nonprofits: 1.5,
  'dental-practices': 1.2,
  'medical-practices': 1.5,
  'digital-agencies': 2,
  wholesale: 1.5,
  chemicals: 1,
  'renewable-energy': 1,
  biotechnology: 1.2,
}

export const COMPANY_STARTS = words(`
  Alder Amber Anvil Apex Arbor Arc Argo Aster Atlas Aurora Axis Azur Baltic Basalt Beacon Birch Blue Bolt Boreal Bramble Bridge Bright Brook
  Cedar Cinder Civic Clear Cobalt Copper Coral Crest Crown Cypress Delta Drift Dune Eagle East Echo Elm Ember Ever Fair Falcon Fern Field Flint
  Forge Fox Garnet Glen Gold Granite Green Grove Gulf Harbor Haven Hazel Helio Heron Hill Horizon Indigo Iris Iron Ivory Jade Juniper Keel Key
  Lake Lark Laurel Linden Lumen Luna Lynx Maple Marble Meridian Mesa Mill Mint Mist Moor Moss Nord North Nova Oak Ocean Olive Onyx Opal Orbit
  Orchard Osprey Otter Pine Pixel Polar Prime Quarry Quartz Quill Raven Reed Ridge River Robin Rowan Ruby Sable Sage Salt Sand Sierra Silver
  Sky Slate Sol South Spark Spruce Star Stone Storm Summit Swift Tall Teal Terra Thorn Tide Timber Topaz Tower True Tundra Umber Union Vale
  Vantage Vector Vega Verde Vista Vivid Wave West Wild Willow Wind Winter Wolf Wren Zen Zephyr`)
export const COMPANY_ENDINGS = words(`
  base beam bit box byte cast cloud core craft dale data desk dock field flow forge form frame gate grid group hub labs leaf lift light line
  link logic loop mark mind works nest net ops pack path peak pilot plan point port pulse quest scale scope sense set shift side sight soft
  spring stack stream tech tone trade track vault verse view vision ware way wise yard zone`)

export const LEGAL_FORMS: Record<string, string[]> = {
  US: ['Inc', 'LLC', 'Corp'],
  CA: ['Inc', 'Ltd'],
  GB: ['Ltd', 'PLC'],
  IE: ['Ltd'],
  DE: ['GmbH', 'AG', 'GmbH & Co. KG'],
  AT: ['GmbH'],
  CH: ['AG', 'GmbH', 'SA'],
  FR: ['SAS', 'SARL', 'SA'],
  BE: ['SA', 'NV'],
  NL: ['B.V.'],
  ES: ['S.L.', 'S.A.'],
  IT: ['S.r.l.', 'S.p.A.'],
  BR: ['Ltda'],
  MX: ['S.A. de C.V.'],
  SE: ['AB'],
  DK: ['ApS', 'A/S'],
  NO: ['AS'],
  FI: ['Oy'],
  PL: ['Sp. z o.o.'],
  AU: ['Pty Ltd'],
  IN: ['Pvt Ltd'],
}

export const FIRST_NAMES: Record<string, string[]> = {
  en: words(
    'James Mary Robert Patricia John Jennifer Michael Linda David Elizabeth William Barbara Richard Susan Joseph Jessica Thomas Sarah Charles Karen Daniel Nancy Matthew Lisa Anthony Betty Mark Sandra Steven Ashley Paul Emily Andrew Donna Joshua Michelle Kevin Amanda Brian Melissa George Deborah Edward Laura Ryan Rebecca Jacob Sharon Nicholas Cynthia Eric Amy Priya Arjun Wei Mei Omar Aisha Liam Olivia Noah Emma Lucas Sofia Ethan Mia Oscar Freya Hugo Ingrid',
  ),
  de: words(
    'Thomas Michael Andreas Stefan Christian Martin Markus Frank Peter Klaus Jürgen Wolfgang Matthias Daniel Sebastian Tobias Florian Jan Lukas Felix Jonas Maximilian Anna Julia Katharina Sabine Susanne Petra Claudia Andrea Nicole Stefanie Christina Sandra Birgit Monika Lena Laura Sarah Lisa Hannah Marie Sophie Jörg Uwe Heike Ute',
  ),
  fr: words(
    'Jean Pierre Michel Philippe Nicolas Julien Thomas Antoine Laurent Olivier Sébastien Guillaume François Mathieu Alexandre Marie Nathalie Isabelle Sophie Catherine Céline Camille Julie Claire Aurélie Émilie Chloé Léa Manon Hélène Élodie Benoît',
  ),
  es: words(
    'Antonio José Manuel Francisco Juan David Javier Daniel Carlos Miguel Alejandro Pablo Sergio Fernando Jorge Luis María Carmen Ana Isabel Laura Cristina Marta Lucía Elena Paula Sara Raquel Sofía Valentina Andrés Álvaro',
  ),
}
export const LAST_NAMES: Record<string, string[]> = {
  en: words(
    'Smith Johnson Williams Brown Jones Garcia Miller Davis Rodriguez Martinez Hernandez Lopez Wilson Anderson Taylor Moore Jackson Martin Lee Thompson White Harris Clark Lewis Robinson Walker Young Allen King Wright Scott Torres Hill Green Adams Nelson Baker Hall Campbell Mitchell Carter Roberts Patel Singh Kumar Chen Wang Nguyen Kim Khan Murphy Kelly Walsh Olsen Hansen Berg Rossi Silva Santos Kowalski Novak Visser Jansen',
  ),
  de: words(
    'Müller Schmidt Schneider Fischer Weber Meyer Wagner Becker Schulz Hoffmann Schäfer Koch Bauer Richter Klein Wolf Schröder Neumann Schwarz Zimmermann Braun Krüger Hofmann Hartmann Lange Schmitt Werner Krause Meier Lehmann Köhler Herrmann König Walter Mayer Huber Kaiser Fuchs Peters Lang Scholz Möller Weiß Jung Hahn Vogel Keller',
  ),
  fr: words(
    'Martin Bernard Dubois Thomas Robert Richard Petit Durand Leroy Moreau Simon Laurent Lefebvre Michel Garcia David Bertrand Roux Vincent Fournier Morel Girard André Mercier Dupont Lambert Bonnet François Martinez Legrand Garnier Faure',
  ),
  es: words(
    'García Rodríguez González Fernández López Martínez Sánchez Pérez Gómez Martín Jiménez Ruiz Hernández Díaz Moreno Muñoz Álvarez Romero Alonso Gutiérrez Navarro Torres Domínguez Vázquez Ramos Gil Ramírez Serrano Blanco Molina',
  ),
}

interface CatalogueTitle {
  title: string
  language: string
  weight: number
  /** Someone who runs a small company. */
  isLeader: boolean
}

const FUNCTIONS = list(
  'Marketing, Sales, Engineering, Operations, Finance, Human Resources, Product, IT, Customer Success, Business Development, Procurement, Supply Chain, Legal, Data, Design, Security, Research, Quality, Communications, Logistics, Production, Support',
)
const LEVELS: [pattern: string, weight: number][] = [
  ['% Manager', 10],
  ['Senior % Manager', 5],
  ['Head of %', 4],
  ['Director of %', 4],
  ['% Director', 3],
  ['VP of %', 2],
  ['VP %', 2],
  ['SVP %', 0.6],
  ['% Specialist', 8],
  ['Senior % Specialist', 4],
  ['% Analyst', 6],
  ['Senior % Analyst', 3],
  ['% Coordinator', 4],
  ['% Assistant', 3],
  ['Junior % Manager', 1.5],
  ['% Lead', 3],
  ['Global Head of %', 0.7],
  ['Regional % Manager', 2],
  ['% Consultant', 3],
  ['% Intern', 1.5],
  ['% Associate', 3],
  ['Chief % Officer', 0.5],
  ['Vice President, %', 1],
  ['Director, %', 1],
  ['Associate Director of %', 0.8],
  ['% Team Lead', 1.5],
  ['Interim Head of %', 0.2],
]
const ROLES: [names: string, weight: number, isLeader?: boolean][] = [
  ['CEO, Founder, Co-Founder, Managing Director, Owner, Founder & CEO', 14, true],
  [
    'CTO, CFO, COO, CMO, CIO, CISO, CPO, Chief Technology Officer, Chief Financial Officer, Chief Operating Officer, General Manager, President, Partner, Managing Partner, Co-Founder & CTO',
    5,
  ],
  [
    'Software Engineer, Senior Software Engineer, Account Executive, Account Manager, Project Manager, Product Manager, Accountant, Data Analyst, Recruiter, Consultant',
    40,
  ],
  [
    'Frontend Developer, Backend Developer, Full Stack Developer, DevOps Engineer, Data Scientist, Data Engineer, Product Owner, UX Designer, Graphic Designer, Sales Representative, Sales Development Representative, Office Manager, Executive Assistant, Key Account Manager, Business Analyst, Controller, Buyer, Lawyer, Nurse, Teacher, Physician, Dentist, Store Manager, Plant Manager, Mechanical Engineer, Electrical Engineer, Civil Engineer, Customer Success Manager, Talent Acquisition Manager, HR Business Partner, Content Manager, SEO Manager, Social Media Manager, Solutions Architect, Engineering Manager, QA Engineer, IT Administrator, Security Engineer, Machine Learning Engineer, Research Scientist, Professor, Pharmacist, Real Estate Agent, Architect, Warehouse Manager, Fleet Manager, Chef',
    12,
  ],
]
const LOCAL: Record<string, [names: string, weight: number, isLeader?: boolean][]> = {
  de: [
    ['Geschäftsführer, Geschäftsführerin, Inhaber, Gründer', 30, true],
    [
      'Vertriebsleiter, Leiter Marketing, Leiterin Marketing, Leiter IT, Leiter Einkauf, Leiter Produktion, Personalleiter, Personalleiterin, Abteilungsleiter, Teamleiter Vertrieb, Kaufmännischer Leiter, Prokurist, Werksleiter',
      10,
    ],
    [
      'Softwareentwickler, Projektleiter, Vertriebsmitarbeiter, Buchhalter, Buchhalterin, Sachbearbeiter, Steuerberater, Rechtsanwalt, Einkäufer, Personalreferentin, Systemadministrator, Konstrukteur, Werkstudent',
      14,
    ],
  ],
  fr: [
    ['Gérant, Fondateur, Directeur Général, PDG, Fondatrice', 25, true],
    [
      'Directeur Marketing, Directrice Marketing, Directeur Commercial, Directeur Financier, Directrice des Ressources Humaines, Responsable Marketing, Responsable Commercial, Responsable RH, Chef de projet, Responsable Achats',
      11,
    ],
    ['Développeur, Comptable, Commercial, Ingénieur, Acheteur, Consultant, Avocat, Assistante de direction', 13],
  ],
  es: [
    ['Director General, Fundador, Propietario, Gerente, Fundadora', 25, true],
    [
      'Director de Marketing, Directora de Marketing, Director Comercial, Director Financiero, Directora de Recursos Humanos, Responsable de Ventas, Jefe de Proyecto, Jefe de Compras',
      11,
    ],
    ['Desarrollador, Contable, Comercial, Ingeniero, Comprador, Consultor, Abogado, Administrativo', 13],
  ],
}

/** What people add to their titles. */
const VARIANTS = words(`
  EMEA APAC DACH LATAM Nordics Benelux UK Iberia Americas Global International Europe North South East West Retail Wholesale Enterprise SMB
  Healthcare Automotive Aerospace Energy Finance Insurance Public Education Hospitality Telecom Media Gaming Mobility Fashion Food Chemicals
  Plastics Steel Paper Packaging Cloud Platform Mobile Web Data Security Payments Growth Brand Digital Strategy Transformation Innovation
  Compliance Quality Projects Programs Partnerships Channels Renewals Onboarding`).map(word => ` ${word}`)

/** Every title there is, with how common it is where its language is spoken. */
export function titleCatalogue(withVariants = false): CatalogueTitle[] {
  const titles = new Map<string, CatalogueTitle>()
  const add = (title: string, language: string, weight: number, isLeader = false): void => {
    if (!titles.has(title)) titles.set(title, { title, language, weight, isLeader })
  }
  for (const [names, weight, isLeader] of ROLES) for (const title of list(names)) add(title, 'en', weight, isLeader)
  FUNCTIONS.forEach((name, rank) => {
    for (const [pattern, weight] of LEVELS) add(pattern.replace('%', name), 'en', weight / (1 + rank * 0.35))
  })
  for (const [language, groups] of Object.entries(LOCAL)) {
    for (const [names, weight, isLeader] of groups) for (const title of list(names)) add(title, language, weight, isLeader)
  }
  if (!withVariants) return [...titles.values()]
  return [...titles.values()].flatMap(base => [
    { ...base, weight: base.weight * 0.7 },
    ...VARIANTS.map(variant => ({ ...base, title: `${base.title}${variant}`, weight: (base.weight * 0.3) / VARIANTS.length })),
  ])
}
