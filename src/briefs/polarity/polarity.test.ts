import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { proposeFilters } from '../propose.ts'

const read = (brief: string) => proposeFilters(brief).filters

describe('what is refused is never read as wanted', () => {
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

  it('a bracket or a list is refused as a whole, and "nor" goes on', () => {
    assert.deepEqual(read('CMOs in Spain NOT (assistant OR intern)').jobTitles, { include: ['cmo'], exclude: ['assistant'] })
    assert.deepEqual(read('CMOs in Spain NOT (assistant OR intern)').seniorities, { exclude: ['intern'] })
    assert.deepEqual(read('CFOs in Spain, nothing gambling or tobacco').industries, { exclude: ['gambling-casinos', 'tobacco'] })
    assert.deepEqual(read('neither agencies nor banks: CFOs in Spain').industries, { exclude: ['agencies', 'banking'] })
  })

  it('what is taken from a place is excluded, the place stays', () => {
    for (const [brief, area, country] of [
      ['CFOs in Latin America besides Brazil', 'latam', 'BR'],
      ['CFOs, APAC ex China', 'apac', 'CN'],
      ['CFOs, Europe but the UK', 'europe', 'GB'],
      ['CFOs en Latinoamérica menos Brasil', 'latam', 'BR'],
      ['CFOs in Europa, außer Polen', 'europe', 'PL'],
    ] as const)
      assert.deepEqual(read(brief).locations, { include: [{ area }], exclude: [{ country }] }, brief)
  })

  it('names that need to be out are companies, and no slip of anything', () => {
    const { companies, industries } = read('Ops directors in the UK. Tesco, Asda and Morrisons need to be out.')
    assert.deepEqual([companies, industries], [{ exclude: ['Tesco', 'Asda', 'Morrisons'] }, undefined])
    assert.deepEqual(read('CFOs in Ohio. We already work with Bosch so skip them.').companies, { exclude: ['Bosch'] })
  })

  it('an exception ends where the wish comes back', () => {
    const { seniorities, departments, companies } = read('everyone but interns in the finance team at Klarna')
    assert.deepEqual([seniorities, departments, companies], [{ exclude: ['intern'] }, { include: ['finance'] }, { include: ['Klarna'] }])
    assert.deepEqual(read('CEOs of biotechs that aren’t public').fundingStages, { exclude: ['public'] })
    assert.deepEqual(read('no agencies, SaaS, Berlin').industries, { include: ['saas'], exclude: ['agencies'] })
  })

  it('of a refused noun only the noun is refused, not what is said of it', () => {
    const { locations, industries } = read('CTOs in Europe, no German agencies')
    assert.deepEqual([locations, industries], [{ include: [{ area: 'europe' }] }, { exclude: ['agencies'] }])
  })

  it('a level below which nobody is wanted is wanted itself', () => {
    const above = read('marketing people at director level and above, Ohio').seniorities
    for (const brief of ['nobody below director: marketing, Ohio', 'marketing, no one below director, Ohio'])
      assert.deepEqual(read(brief).seniorities, above, brief)
  })

  it('the minus of a search, a trailing "no" and an abbreviation refuse as well', () => {
    assert.deepEqual(read('head of product edtech -agency').industries, { include: ['edtech'], exclude: ['agencies'] })
    assert.deepEqual(read('CFOs in Austria. Banks yes, insurers no.').industries, { include: ['banking'], exclude: ['insurance'] })
    assert.deepEqual(read('CFOs, Nordics excl. Iceland').locations, { include: [{ area: 'nordics' }], exclude: [{ country: 'IS' }] })
  })

  it('an article does not end a list that is refused, and a pronoun does not hide a refusal', () => {
    assert.deepEqual(read('DAF à Lille, sauf les banques et les assurances').industries, { exclude: ['banking', 'insurance'] })
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

  it('a word that nobody knows takes no others with it', () => {
    assert.deepEqual(read('Steuerberater, aber nicht in Großstädten, Niedersachsen').locations, {
      include: [{ country: 'DE', region: 'DE-NI' }],
    })
  })

  it('of a noun that is wanted, what is said of it is refused', () => {
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

  it('names need no capitals where everybody knows them, and a place is no name', () => {
    assert.deepEqual(read('ops managers germany 50 to 500 fte ex ups dhl fedex').companies, { exclude: ['ups', 'dhl', 'fedex'] })
    assert.deepEqual(read('CFOs in Greater China, no Hong Kong').locations?.exclude, [{ country: 'HK' }])
    assert.deepEqual(read('private bankers, excluding UBS & Credit Suisse').companies, { exclude: ['UBS', 'Credit Suisse'] })
  })

  it('what negates nothing changes nothing', () => {
    for (const aside of ['no rush', "don't worry about duplicates", 'nothing fancy', 'last but not least'])
      assert.deepEqual(read(`CTOs in Spain, ${aside}`), read('CTOs in Spain'), aside)
  })
})

describe('whose words they are', () => {
  it('greetings and signatures name no places', () => {
    const { locations } = read('Hi Jordan,\n\nplease find CFOs in Poland.\n\nBest regards,\nFlorence')
    assert.deepEqual(locations, { include: [{ country: 'PL' }] })
    assert.deepEqual(read('dentists in Ohio? thx. - Madison').locations, { include: [{ country: 'US', region: 'US-OH' }] })
  })

  it('a clause of the sender is reported as context, and the wish beside it is read', () => {
    const { filters, context } = proposeFilters('We sell payroll software to restaurants so I want general managers in Chicago.')
    assert.deepEqual(filters.jobTitles, { include: ['general manager'] })
    assert.equal(filters.industries, undefined)
    assert.deepEqual(context, ['We sell payroll software to restaurants so I want'])
  })

  it('no clause is lost over a pronoun', () => {
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

  it('a question that is denied asks for nothing', () => {
    assert.deepEqual(read('maybe CTOs? No, too technical. COOs in Hamburg.').jobTitles, { include: ['coo'] })
  })
})

describe('what somebody else looks after, or said', () => {
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

  it('does not turn round what is wanted beside it', () => {
    assert.deepEqual(read('DAF à temps partagé : non. DAF de PME en Bretagne : oui.').jobTitles, { include: ['cfo'] })
    assert.deepEqual(read('Agencies ghost us. So no agencies. CFOs in Spain').industries, { exclude: ['agencies'] })
    assert.deepEqual(read('Inmobiliarias en Málaga, agentes no: solo los dueños').seniorities, { include: ['owner'] })
  })
})

describe('companies that the sender deals with already', () => {
  for (const told of [
    'we already work with Okta, Vantero and Zscaler',
    'wir haben Okta, Vantero und Zscaler schon',
    'on travaille déjà avec Okta, Vantero et Zscaler',
    'ya trabajamos con Okta, Vantero y Zscaler',
    'Okta, Vantero and Zscaler are customers so leave them alone',
  ])
    it(`are refused: ${told}`, () =>
      assert.deepEqual(read(`CISOs in Spain; ${told}`).companies, { exclude: ['Okta', 'Vantero', 'Zscaler'] }))

  it('say nothing about industries, and are no refusal beside a request', () => {
    assert.equal(read('CISOs in Spain; we already work with banks').industries, undefined)
    assert.deepEqual(read('We already sell to banks and want CFOs of insurers').industries, { include: ['insurance'] })
  })
})

describe('what nobody can read', () => {
  it('is reported where a clause states something of a company or of a list, and not asked for', () => {
    const { filters, unmatched } = proposeFilters('CTOs in Spain. Bosch verdampft gerade.')
    assert.equal(filters.companies, undefined)
    assert.deepEqual(unmatched, ['Bosch verdampft gerade'])
    assert.deepEqual(read('CTOs in Spain. Banks are kaputt.').industries, undefined)
    assert.deepEqual(read('CTOs in Spain. Banks are welcome.').industries, { include: ['banking'] })
  })
})

describe('refusals that go on', () => {
  it('with "too", with whom people work for, and with names that have no capitals', () => {
    assert.deepEqual(read('CFOs in Spain. Cemex excluded, Holcim too.').companies, { exclude: ['Cemex', 'Holcim'] })
    assert.deepEqual(read('CFOs in Spain, exclude consultants and anyone at Cemex').companies, { exclude: ['Cemex'] })
    assert.deepEqual(read('cfos in spain. vantero + lumico are a hard no').companies, { exclude: ['vantero', 'lumico'] })
    assert.deepEqual(read('CFOs in the Gulf except Kuwait & Bahrain').locations, {
      include: [{ area: 'gcc' }],
      exclude: [{ country: 'KW' }, { country: 'BH' }],
    })
  })

  it('take the place of a denied question', () => {
    assert.deepEqual(read('Designers in Rome? No thanks - I want design leads there.').jobTitles, { include: ['design lead'] })
  })
})

describe('others who speak in a brief', () => {
  it('are not asked for themselves', () => {
    const { jobTitles, departments, locations } = read('Sales wants CISOs in the Nordics. Marketing objects to Norway.')
    assert.deepEqual({ jobTitles, departments }, { jobTitles: { include: ['ciso'] }, departments: undefined })
    assert.deepEqual(locations, { include: [{ area: 'nordics' }], exclude: [{ country: 'NO' }] })
    assert.deepEqual(read('Anna wants dentists in Bavaria').locations, { include: [{ country: 'DE', region: 'DE-BY' }] })
  })
})

/** Ordinary briefs with a word of refusal that refuses nothing here: each asks for somebody somewhere. */
const WANTED =
  `CTOs in Berlin whose budgets may be cut out|CFOs at firms in Spain where paper can be omitted|CFOs in Spain without exception|CFOs in Spain, no exceptions|CFOs in Wien, ohne Ausnahme|DAF à Lyon, sans exception|CFOs en Madrid, sin excepción|Exception handling: software engineers in Berlin|waste managers in Spain|CFOs at waste companies in Spain|CFOs in Spain where waste is an issue|CTOs at startups in Berlin which should go public|CFOs in Spain should go first|CTOs in Berlin have to go through procurement|Banken in Wien, die Risiken meiden, CFOs|Leiter Einkauf in Berlin, die auf Nachhaltigkeit setzen|CFOs in Hamburg, auf die wir setzen|CFOs bei Banken in Wien, die auf Papier verzichten|CTOs in Berlin are our target|Banks are our market: CFOs in Vienna|CTOs in Berlin, related to fintech|companies linked to Siemens in Munich, CTOs|CTOs in Berlin, Munich (no preference)|CFOs in Poland, Spain and Portugal are welcome|CFOs in Berlin, we don't need phone numbers|CFOs in Poland, we need mid-size ones|CFOs in Poland, we want banks|HR managers in Lyon, the board dropped the idea|CFOs in Hamburg, bitte auf Deutsch|Parked domains: CTOs in Berlin|Banned substances: lab managers in Berlin|DAF à Lyon. Les doublons, on les enlève.|Il faut retirer une liste de DAF à Lyon|Disregard company size. CFOs in Spain|Directores de calidad en Sevilla que deben eliminar defectos|CFOs en Madrid, empresas de menos de 50 empleados|La personne en charge des achats dans les PME à Lyon|Toute personne dans la finance à Paris|Chaque personne aux achats dans les banques à Lyon|Lasst uns CTOs in Berlin angehen|Lasst uns mit Banken in Wien anfangen|CFOs at carve-outs in Germany|CFOs sorting out payroll in Spain|CFOs at companies taking out loans in Spain|operations managers eliminating waste at manufacturers in Poland|CISOs at companies that blocked ransomware in Germany|CTOs at startups in Berlin that cut out middlemen|heads of procurement at retailers cutting out distributors in Spain|CFOs at firms which vetoed a merger in France|CEOs of companies whose merger was blocked in Germany|Marketing leads who objected to cookies in Germany|HR managers at hospitals discarding paper records in France|CTOs whose firms dropped out of AWS in Germany|founders who dropped out of university in Berlin|CTOs at companies whose projects are on hold in Germany|CFOs at companies whose IPO is on hold in London|HR directors at firms where headcount is cancelled in Germany|CEOs at companies whose shares are delisted in London|CFOs whose growth is off in Germany|CEOs in Berlin whose deals fall through|CTOs in Paris whose Salesforce contract is cancelled|Heads of sales at companies in Spain whose churn is too big|CEOs of companies in Italy that are too small to hire|CFOs at firms too small for SAP in Germany|CTOs at startups in Berlin that are not yet profitable|CMOs at retailers in Spain who don't fit the mould|CTOs at banks in London who already work with us regulators|Sales leaders at companies whose clients are hospitals in Spain|agencies whose clients are banks in London|CTOs at firms in Poland whose customers are customers of SAP|Owners of bakeries in Lyon, later also Paris|CTOs in Berlin now, London later|CFOs at insurers in Munich, contact them later|Heads of logistics in Rotterdam, we can talk later|Buyers at retailers in Spain that pass|CEOs of dead malls in Texas|CFOs at software companies in Germany, the sooner the better, not later|recruiters at hospitals in Spain, get started|plant managers at manufacturers in Poland, no company is too small|Kill it with CFOs in Spain|lose no time: CTOs in Berlin|Never mind the size, CTOs at banks in Berlin|Never mind headcount: HR managers at hospitals in Spain|forget the budget, CFOs at retailers in Italy|CFOs who want to kill spreadsheets in Spain|CEOs of companies set to lose customers in Spain|supply chain managers at companies looking to eliminate waste in Germany|data leads at banks who scrub data in London|Geschäftsführer in Wien, die eine Filiale schließen|Filialleiter bei Händlern, die Standorte schließen in Berlin|Schließe mit CFOs in Berlin an|CTOs bei Startups in Berlin, deren Projekt pausiert|CFOs bei Banken in Wien, die nicht mehr wachsen|HR-Leiter in Hamburg bei Firmen, denen SAP zu groß ist|Inhaber von Bäckereien in Bayern, keine Firma ist zu klein|Bestandskunden-Manager bei Versicherungen in Köln|Leiter Bestandskunden bei Banken in Frankfurt|Vertriebsleiter Bestandskunden in Berlin|CTOs in Berlin, später auch Hamburg|Ansprechpartner bei Banken in Wien, die wir später anrufen|Nehmen Sie CFOs in Berlin|Nehmt CTOs in Hamburg|Nimm Banken in Wien|Filtere nach CTOs in Berlin|Filtert auf Banken in Wien|Stelle mir CFOs in Berlin zusammen|Stellt eine Liste mit CTOs in Hamburg zusammen|Sortiere CFOs in Berlin nach Größe|CFOs, Firmen egal ob Bank oder Versicherung, in Wien|Wir wollen nicht warten: CTOs in Berlin|Pflegeleiter in Kliniken in Berlin, die ausfallen|IT-Leiter bei Versicherungen in Köln, deren Systeme ausfallen|CFOs in Wien, Budget ist abgedeckt|CTOs in Berlin, der Auftrag geht an unser Team|DSI des hôpitaux à Lyon souhaitant retirer SAP|Directeurs marketing à Paris, on passe par LinkedIn|DRH dans les banques à Lyon, on laisse un message|DRH à Lyon en pause carrière|DSI de banques à Paris dont le projet est en attente|Rayons bio : directeurs de supermarchés à Lyon|Responsables de rayons dans les supermarchés à Lyon|responsable de rayon chez les distributeurs à Paris|Stop au papier : DSI dans les hôpitaux à Lyon|Finis les tableurs : DAF dans les PME à Lyon|Sors-moi les DAF à Paris|Sortez-moi une liste de DRH à Lyon|Sors la liste des DSI dans les banques à Paris|Retire-moi une liste de DAF à Lyon|Mettons les DAF à Paris|Agences à Lyon pour qui aucun projet n'est trop petit|DSI à Paris, rien à ajouter|DAF à Paris, on s'en passe pas|PME à Lyon, DAF, à contacter plus tard|DRH à Paris, à rappeler plus tard|Sans la moindre hésitation : DAF à Paris|Directeurs d'hôpitaux à Lyon qui ne souhaitent pas externaliser|Directores de IT en bancos de Madrid, no hace falta más|CFOs en Madrid, no hace falta verificar|Sácame directores financieros en Madrid|Sacad CFOs en Barcelona|Saquemos una lista de CTOs en Madrid|Quite importante: CFOs en Madrid|CFOs at quite large banks in Madrid|CFOs at quite big companies in Spain|Paso de cebra: CTOs en Madrid|Empresas en Madrid con descarte de residuos|Directores de operaciones que quieren eliminar papel en Madrid|Directores de RRHH en bancos de Madrid, más tarde también Sevilla|CFOs en Madrid, más adelante Sevilla|Directores de marketing en Sevilla, sobra decirlo|Empresas de Madrid, directores de compras, lo demás sobra|Directores de banca en Madrid cuyos proyectos están en pausa|Ayuntamientos: no a los presupuestos pequeños, directores financieros en Madrid|Va a ser así: no va a costar, CFOs en Madrid|CFOs de empresas en Madrid donde la contratación está en pausa|De la lista: CTOs en Madrid|Directors in London of companies run by our partner|CTOs at banks in London served by a reseller|CFOs at subsidiaries in Spain managed by an office in Paris|CTOs at companies looked after by a partner in Germany|office managers at companies run by founders in Berlin|family businesses in Spain run by a partner|Give me CFOs in Berlin|Put together CFOs at banks in London|Pull CTOs in Berlin|Get me CTOs at banks in Berlin off LinkedIn|Pull CTOs at banks in London off LinkedIn|Put CFOs in Berlin on the list|Get CFOs in Berlin to come on board|Set up a list of HR heads in Spain|Strike up a conversation with CFOs in Berlin|Count on CTOs in Berlin|Save me time: CTOs in Berlin|Move fast on CFOs in Spain|Toss me some CFOs in Madrid|Kick off with banks in Vienna|Throw in CFOs at banks in London|Write to CTOs in Berlin|Pass over the details of CTOs in Berlin|heads of sales at suppliers with blocked accounts in Germany|CTOs at banks in London whose accounts are blocked|Compliance heads at banks with suppressed alerts in London|Retail banks in London where the branch is dead|CFOs at manufacturers in Germany, red flag: high debt|real estate agents in Spain with on-hold listings|Heads of parking at parked car services in London|HR heads in Berlin at companies where remote work is not on|CTOs at companies in Berlin whose legacy systems can go|finance leads in London whose invoices must wait|Clinics in Madrid where patients must wait|doctors in London whose patients can wait|hospital directors in Spain where surgery has to wait|CFOs at charities in London not included in the FTSE|CTOs in Berlin if SAP doesn't fit|Marketing heads in Berlin not sold on SEO|CMOs in London not keen on TV|CTOs at startups in Berlin, not even 10 employees|CFOs at retailers in Germany who refrain from hiring|CFOs at banks in Germany who sidestep regulation|CTOs at banks who object to cloud in Germany|heads of HR at firms that reject remote work in Berlin|directors at hospitals that decline insurance in Spain|IT managers in London who mute Slack|CFOs in Germany who dump SAP|HR heads at tax-exempt hospitals in Spain|insurers in Germany offering exempt status|Such mir CTOs in Berlin aus|Sucht Banken in Wien aus|Wähle CFOs in Hamburg aus|CTOs in Berlin, no startup is too small|CFOs in Madrid, ninguna empresa es demasiado pequeña|CFOs at companies disregarded by banks in London|Banks in London, CFOs preferred, the list can be long|CTOs at startups in Berlin already with us investors|SaaS companies in Berlin with suspended trading, CFOs|HR directors at manufacturers in Poland affected by cancelled orders|CFOs of retailers in Spain hit by dropped sales|Airlines in Germany with cancelled flights|IT leads in London with projects parked|Marketers at brands in London that got rejected|Founders in Berlin rejected by Y Combinator|founders in Berlin rejected|restaurants in Paris closed on Mondays|CFOs in Berlin who said not now|CTOs in Berlin, but not yet urgent|CTOs in Berlin. Not today though, next week is fine.|CTOs at banks in Vienna. Not this quarter, though.|HR heads in Spain, start not this week|Leads for our partner: CTOs in Berlin|CFOs at hotels in Spain managed by a family office|CTOs in Berlin, the leads go to our team|CFOs in Spain; results go to my colleague|CTOs in Berlin wird betreut vom Team|Cliniques à Lyon gérées par une équipe|Hôtels à Lyon gérés par une équipe familiale|Keep CTOs in Berlin on the list|Keep CFOs in Spain|Let CTOs in Berlin be first|Take CFOs at banks in London|Leave me CFOs in Spain|Cut the crap, CTOs in Berlin|Don't touch the format: CTOs at banks in Berlin|Do not add anything: CFOs in Berlin|Never touch a running system: CTOs in Berlin|reject rates matter: quality managers at manufacturers in Poland|discard pile aside, CFOs in Spain|suppress duplicates: CTOs in Berlin|suppress duplicates, CTOs in Berlin|Eliminate duplicates. CTOs in Berlin.|eliminate duplicates and send CTOs in Berlin|Forget small talk: CTOs in Berlin|Forget emails, CTOs in Berlin prefer calls|Never mind the industry: CFOs in Berlin|Object to nothing: CTOs in Berlin|Maler in Berlin, die Wände streichen|don't forget CTOs in Berlin|do not forget banks in Vienna|Oublie le budget, DAF à Lyon|Oubliez la taille : DAF à Lyon|Olvida el presupuesto, CFOs en Madrid|Olvidad el tamaño: CFOs en Madrid|Elimina duplicados: CFOs en Madrid|Elimina duplicados, CFOs en Madrid|Supprime les doublons, DAF à Lyon|Supprimez les doublons : DAF à Lyon|Enlève les doublons et envoie les DAF à Lyon|Entferne Dubletten, CTOs in Berlin|Streiche Dubletten: CTOs in Berlin|Schluss mit Excel, CFOs in Wien|Wir brauchen keine Zusagen, CTOs in Berlin|Wir brauchen keine Massen, sondern CTOs in Berlin|Wir suchen keine Masse: CTOs in Berlin|Ich suche nicht viel: CTOs in Berlin|Sind raus aus dem Tagesgeschäft: Gründer in Berlin|Bäckereien in Wien, deren Filialen zu groß sind|IT-Leiter in Köln, die durch sind mit SAP|CTOs in Berlin, das Budget ist durch|CTOs in Berlin, die Finanzierung ist durch|Handwerker in Berlin, die draußen arbeiten|Veranstalter in Berlin mit Events draußen|Gastronomen in Wien mit Tischen draußen|CTOs in Berlin, Titel zählt nicht|HR-Leiter in Berlin bei Firmen, wo Homeoffice nicht passt|Kunden: Banken in Wien. Ansprechpartner CFOs.|DAF à Lyon, taille : on s'en fiche|DAF à Lyon, le secteur ne nous concerne pas|CFOs en Madrid, el sector no me interesa|CFOs in Berlin, size is of no interest to us|CTOs in Berlin, their size is useless to us|CFOs in Berlin, industry is not our focus|DAF à Lyon, hors cible non merci|CTOs in Berlin, take it or leave it.|CFOs in Spain. Let's not lose them.|Companies in Berlin with high costs, CFOs want to cut them.|CTOs at banks in Berlin. Leave it to us.|CTOs in Berlin. They can go by any title.|HR heads in Spain. Titles vary, ignore it.|CTOs in Berlin. Duplicates: drop it.|CFOs in Wien. Dubletten bitte raus.|CFOs in Wien, doppelte Kontakte weglassen.|DAF à Paris, les détails on s'en passe.|CFOs en Madrid. Duplicados fuera.|Unsere Kunden: Banken in Wien|Kunden: Versicherungen in Köln|Later stage: CTOs in Berlin|Competition lawyers: Berlin|Sacar: CFOs en Madrid|Conflict resolution managers in Berlin|Weg: CTOs in Berlin|CFOs at banks in London too|CTOs in Berlin, also CFOs|CTOs in Berlin are growing|Banks in Vienna are hiring, CFOs there|banks are digitalising in Vienna, CIOs please|banks are struggling in Vienna, CIOs please|Hospitals in Spain are understaffed: HR heads there|Hospitals are understaffed, so HR heads in Spain|CTOs in Berlin are overworked|Retailers are suffering: CFOs at retailers in Spain|Logistics companies in Hamburg have grown, ops leads there|We already work with Bosch and want more like it: CTOs in Berlin|we already sell to banks, find more banks in Vienna|we already work with hospitals in Spain and want more hospitals in Spain|Wir arbeiten schon mit Banken und wollen mehr Banken in Wien|ya trabajamos con bancos, queremos más bancos en Madrid|companies already talking to investors in Berlin|CTOs already in touch with Google in Berlin|CFOs in Berlin already working with SAP|startups already selling to banks in London|Sales wants CTOs in Berlin|Marketing rejects nothing: CTOs in Berlin|sales refuses to call, so CTOs in Berlin by mail|Finance blocked budget, still CTOs in Berlin|Keine Ausnahmen: CFOs in Wien|Without exception: CFOs of banks in Spain|No exceptions: CFOs in Berlin|Sans exception : DAF à Lyon|Sin excepción: directores financieros en Madrid|CFOs in Wien. Banken dürfen wir nicht vergessen|CFOs in Wien. Banken sollten wir nicht auslassen|CFOs in Wien. Auf Banken können wir nicht verzichten|CFOs in Deutschland. Berlin streichen wir nicht|CFOs en España. Los bancos no deben excluirse|CFOs in Spain. Banks must not be left out.|CFOs in Spain. Banks should not be excluded.|CFOs in Spain, banks mustn't be left out|DAF à Lyon. Les banques ne doivent pas être oubliées.|CFOs in Wien. Banken dürfen nicht fehlen.|CFOs in Spain. Don't ignore banks.|CFOs in Spain. Don't skip banks.|CFOs in Spain. Don't forget banks.|CFOs in Spain. Do not overlook banks|DAF à Lyon. N'oublie pas les banques.|DAF à Lyon. N'oubliez pas les banques.|CFOs in Wien. Vergessen Sie Banken nicht.|CFOs in Wien. Vergiss Banken nicht.|CFOs in Wien. Vergesst die Banken nicht!|CFOs en Madrid. No olvides los bancos.|CFOs en Madrid. No excluyas los bancos.|CFOs en Madrid. No dejes fuera los bancos.|CFOs in Wien suchen wir aus|CFOs in Wien. Banken suche ich raus|Steuerberater in Wien suchen wir aus drei Gründen|Banks don't have to be listed; CFOs in Spain|Catalan speaking sales reps in Madrid|CFOs in Spain. The only exception is that banks are fine.|CFOs en España. Al margen de Madrid, también Barcelona|CFOs in Wien. Lasst Banken nicht weg.|CFOs in Austria; plastic is a waste|Steuerberater in Wien brauchen wir dringend|Responsables qualité dans l'industrie à Lyon où les erreurs doivent être évitées|CFOs en Madrid. Los bancos no pueden faltar|DAF à Lyon, sans oublier les banques`.split(
    '|',
  )

describe('what is wanted is never read as refused', () => {
  it(`in ${WANTED.length} briefs that use a word of refusal for something else`, () => {
    for (const brief of WANTED) {
      const { locations, jobTitles, seniorities, departments, industries, ...others } = read(brief)
      assert.ok(locations?.include, brief)
      assert.ok(
        [jobTitles, seniorities, departments, industries].some(field => field?.include),
        brief,
      )
      assert.ok(!JSON.stringify({ locations, jobTitles, seniorities, departments, industries, ...others }).includes('"exclude"'), brief)
    }
  })

  it('with a person who is nobody, a verb of somebody and an adjective', () => {
    assert.deepEqual(read('La personne en charge des achats dans les PME à Lyon').employees, [{ max: 249 }])
    assert.deepEqual(read('la personne en charge de la finance dans les banques').jobTitles, { include: ['finance manager'] })
    assert.deepEqual(read('Une personne en marketing chez des éditeurs de logiciels').departments, { include: ['marketing'] })
    assert.deepEqual(read('CFOs at tax-exempt nonprofits').industries, { include: ['nonprofits'] })
    assert.deepEqual(read('CTOs at companies that recently dropped Salesforce').jobTitles, { include: ['cto'] })
    assert.deepEqual(read('HR heads at companies where hiring is paused').jobTitles, { include: ['hr head'] })
    assert.deepEqual(read('heads of it at manufacturers whose old ERP was removed').jobTitles, { include: ['head of it'] })
    assert.deepEqual(read('carve out companies in Germany').locations, { include: [{ country: 'DE' }] })
    assert.deepEqual(read('CFOs sorting out payroll in Spain').locations, { include: [{ country: 'ES' }] })
  })

  it('where a refusal is denied, and what it names is asked for', () => {
    for (const denied of [
      'Banks must not be left out',
      'Banks should not be excluded',
      "Don't skip banks",
      'Banken dürfen wir nicht vergessen',
      'Banken dürfen nicht fehlen',
      'Auf Banken können wir nicht verzichten',
      'Vergessen Sie Banken nicht',
      'Les banques ne doivent pas être oubliées',
      "N'oublie pas les banques",
      'Los bancos no deben excluirse',
      'No excluyas los bancos',
    ])
      assert.deepEqual(read(`CFOs in Wien. ${denied}.`).industries, { include: ['banking'] }, denied)
    // Without the second part of its verb the same command refuses.
    assert.deepEqual(read('CFOs in Wien. Vergessen Sie Banken.').industries, { exclude: ['banking'] })
  })

  it('where people work at a company that is called by a first name', () => {
    for (const name of ['Oscar Health', 'Emma Mattress', 'Marie Claire', "Claire's", 'Clara'])
      assert.deepEqual(read(`Engineers at ${name}`).companies, { include: [name] }, name)
  })
})
