import { ROLE_HEADS } from './roles.ts'

/** Bare levels: what they mean as seniorities, and the title they become beside other titles. */
export const LEVEL_PHRASES = `
founder | founder: founder, founders, co founder, co founders, cofounder, cofounders, solo founder, solo founders, grunder, grunderin, grunderinnen, grundern, firmengrunder, mitgrunder, fondateur, fondateurs, fondatrice, fondatrices, co fondateur, co fondateurs, cofondateur, cofondateurs, createurs d entreprise, fundador, fundadores, fundadora, fundadoras, cofundador, cofundadores, fondatore, fondatori, oprichter, oprichters, fundadores pt, founding team
owner | owner: titulaire, titulaires, owner, owners, business owner, business owners, company owners, company owner, owner operator, owner operators, owner manager, owner managers, proprietor, proprietors, practice owner, practice owners, store owner, store owners, shop owner, shop owners, shopkeepers, inhaber, inhaberin, inhaberinnen, inhabern, eigentumer, eigentumern, eigentumerin, besitzer, besitzern, firmeninhaber, firmeninhabern, praxisinhaber, praxisinhabern, geschaftsinhaber, ladeninhaber, proprietaire, proprietaires, patron, patrons, patronne, patronnes, chef d entreprise, chefs d entreprise, cheffes d entreprise, dueno, duenos, duena, duenas, propietario, propietarios, propietaria, propietarias, titular, titulares, proprietario, proprietari, titolare, titolari, eigenaar, eigenaren, eigenaars, donos, proprietarios
partner | partner: partner, partners, partnern, associe, associes, associee, associees, socio, socios, socia, socias, gesellschafter, vennoten, equity partners, equity partner, soci
c_suite | ceo: c level, c suite, clevel, csuite, c levels, c level executives, c level execs, c suite executives, c suite execs, cxo, cxos, chief officers, top executives, top management, top manager, topmanager, top managern, topmanagement, vorstandsebene, c level ebene, oberste fuhrungsebene, membres du comite de direction, comite de direction, comex, codir, comite ejecutivo, alta direccion, chiefs, alta gerencia
vp | vp: vp, vps, vice president, vice presidents, vice presidente, vice presidentes, vicepresidente, vicepresidentes, vicepresidenta, svp, svps, evp, evps, avp, avps, senior vice president, senior vice presidents, vizeprasident, vizeprasidenten, vice presidents fr, vp level, vp levels
head | head: head, heads, department head, department heads, heads of department, leiter, leiterin, leiterinnen, leitern, abteilungsleiter, abteilungsleiterin, abteilungsleitern, bereichsleiter, bereichsleitern, bereichsleiterin, chefs de service, chef de service, chefs de departement, jefe, jefes, jefa, jefas, jefes de departamento, jefe de departamento, head level, hoofden
director | director: director, directors, direktor, direktoren, direktorin, direktorinnen, directeur, directeurs, directrice, directrices, directores, directora, directoras, direttore, direttori, diretor, diretores, directeuren, director level, directors level, dir level
manager | manager: manager, managers, managern, managerin, gerente, gerentes, gerenta, responsable, responsables, encargado, encargados, encargada, middle management, mid level managers, mid level management, middle managers, mittleres management, cadre, cadres, manager level, line managers, mandos intermedios, mandos medios, responsabile, responsabili
senior | senior: senior level, senior professionals, senior people, senior staff, senior individual contributors, senior ics, experienced professionals, seniors, senior contributors, senior employees
entry | junior: entry level, entry levels, junior level, juniors, junior staff, junior people, berufseinsteiger, berufseinsteigern, berufsanfanger, debutants, junior employees, junior roles, entry level people, recent graduates, graduates, new grads, absolventen, recien graduados, starters
intern | intern: intern, interns, internship, internships, praktikant, praktikanten, praktikantin, praktikantinnen, werkstudent, werkstudenten, stagiaire, stagiaires, becario, becarios, becaria, practicante, practicantes, pasantes, pasante, trainee, trainees, azubi, azubis, auszubildende, auszubildenden, apprentice, apprentices, apprentis, apprenti, alternants, alternant, tirocinanti, stagisti, stagiairs, aprendices, estagiarios
executives | executive: executive, executives, execs, exec, executive level, executive team, executive teams, cadres dirigeants, directivo, directivos, directiva, directivas, ejecutivo, ejecutivos, ejecutiva, ejecutivas, senior executives, senior execs, dirigenti, executive leadership, altos directivos, alta direccion, altos cargos, alta gerencia, altos ejecutivos, hauts dirigeants, cadres superieurs
leaders | leader: leader, leaders, leadership, leadership team, leadership teams, senior management, senior leaders, senior leadership, senior managers group, management team, management teams, senior leadership team, management board, fuhrungskraft, fuhrungskrafte, fuhrungskraften, fuhrungsebene, fuhrungspersonal, fuhrungsteam, fuhrungspersonen, leitungsebene, leitende angestellte, leitenden angestellten, managementebene, equipe de direction, equipes de direction, equipe dirigeante, equipes dirigeantes, encadrement superieur, cadres superieurs, lider, lideres, liderazgo, equipo directivo, equipos directivos, mandos, responsabili di vertice, leidinggevenden, upper management, bosses
deciders | decision maker: decision maker, decision makers, decisionmaker, decisionmakers, decision making roles, key decision makers, decision makers level, budget holders, budget owners, entscheider, entscheidern, entscheiderin, entscheidungstrager, entscheidungstragern, entscheidungstragerinnen, decideur, decideurs, decideuse, decideuses, preneurs de decision, decisor, decisores, tomadores de decisiones, tomador de decisiones, tomadores de decision, responsables de la toma de decisiones, personas que toman decisiones, quienes deciden, decisori, beslisser, beslissers, dms, los que deciden, las que deciden, personas que deciden, people who decide, those who decide, whoever decides, ceux qui decident, celles qui decident, diejenigen die entscheiden
`

/** Words that open a title and wait for its function: "head of", "Leiter", "directeur". The value is the English form. */
export const TITLE_PREFIXES = `
head of %: head of, heads of, head for, global head of, global heads of, leiter, leiterin, leiterinnen, leitern, leitung, leiter der, leiter des, leiterin der, leiter fur, leitung der, leitung des, abteilungsleiter, abteilungsleiterin, abteilungsleitern, bereichsleiter, bereichsleitern, bereichsleiterin, chef der, chef des service, chef de service, chefs de service, chef du service, chefs du service, chef de, chefs de, cheffe de, cheffes de, chef des, chef du, jefe de, jefes de, jefa de, jefas de, jefe del, jefes del, hoofd, hoofd van, hoofden, capo, heads for, head of the, jefe de departamento de, jefe del departamento de, chef du departement
% director: director of, directors of, directors for, director for, direktor, direktor fur, direktorin, direktoren, directeur, directeurs, directrice, directrices, directeur de, directeurs de, directrice de, directrices de, directeur du, directeurs du, directeur des, directeurs des, directrice des, directeur de la, directeurs de la, directrice de la, directeur de l, directeurs de l, directrice du, directrices des, director de, directores de, directora de, directoras de, director del, director de la, directores de la, director, direttore, direttori, direttrice, direttore del, direttore di, direttori di, diretor de, diretores de, diretora de, diretor, diretores, directeur van
vp %: vp, vps, vp of, vps of, vp for, vice president of, vice presidents of, vice president, vice presidents, vice presidente de, vicepresidente de, vicepresidentes de, vicepresidenta de, vizeprasident, vice president du, vice president de
svp %: svp, svps, svp of, senior vice president, senior vice president of, senior vice presidents of
evp %: evp, evps, evp of, executive vice president, executive vice president of
avp %: avp, avp of
% manager: manager of, managers of, manager for, managers for, manager fur, responsable, responsables, responsable de, responsables de, responsable du, responsable des, responsables des, responsable de la, responsables de la, responsable de l, responsables du, responsable del, responsables del, gerente de, gerentes de, gerente del, gerenta de, gerente, gerentes, encargado de, encargados de, encargada de, responsabile, responsabili, responsabile di, responsabile del, responsabili di, charge de, charges de, chargee de, chargees de, charge d, charges d, coordinador de, coordinadores de, gestionnaire, gestionnaires, verantwortliche, verantwortlicher, verantwortlichen
head of %: verantwortlicher fur, verantwortliche fur, verantwortlichen fur, verantwortlich fur
% officer: beauftragte, beauftragter, beauftragten
% lead: lead of, leads of
chief % officer: chief
`

/** The last word of an English title: "% manager". Those that are levels too stand in LEVEL_PHRASES as well. */
export const TITLE_HEADS: ReadonlyMap<string, string> = new Map(
  'manager managers, director directors, head heads, vp vps, officer officers, lead leads, specialist specialists, engineer engineers, developer developers, analyst analysts, coordinator coordinators, supervisor supervisors, administrator administrators, associate associates, representative representatives, rep reps, executive executives execs exec, strategist strategists, planner planners, technician technicians, scientist scientists, architect architects, consultant consultants, advisor advisors, adviser advisers, assistant assistants, buyer buyers, inspector inspectors, agent agents, broker brokers, superintendent superintendents, editor editors, producer producers, programmer programmers, trainer trainers, instructor instructors, nurse nurses, therapist therapists, chef chefs, designer designers, controller controllers, accountant accountants, recruiter recruiters, lawyer lawyers, counsel counsels, attorney attorneys, principal principals, president presidents, chief chiefs, clerk clerks, auditor auditors, leader leaders, mgr mgrs, dev devs, surveyor surveyors, operator operators, coach coaches, expert experts, evangelist evangelists, ambassador ambassadors, secretary secretaries, writer writers, researcher researchers, owner owners, founder founders, partner partners, manageress manageresses, dir dirs, master masters, chairman chairmen, dean deans, teacher teachers, professor professors, physician physicians, doctor doctors, surgeon surgeons, pharmacist pharmacists, driver drivers, dispatcher dispatchers, foreman foremen, mechanic mechanics, electrician electricians, brewer brewers, marketer marketers, trader traders, worker workers, captain captains, pilot pilots, librarian librarians, admin admins, curator curators, tester testers, merchandiser merchandisers, bookkeeper bookkeepers, conductor conductors, economist economists, biologist biologists, chemist chemists, physicist physicists, statistician statisticians, fundraiser fundraisers, estimator estimators, investigator investigators, photographer photographers, brewmaster brewmasters'
    .split(', ')
    .flatMap(line => {
      const [singular, ...others] = line.split(' ') as [string, ...string[]]
      const value = { mgr: 'manager', dir: 'director', rep: 'representative', dev: 'developer' }[singular] ?? singular
      return [singular, ...others].map(word => [word, value] as const)
    })
    .concat(ROLE_HEADS as (readonly [string, string])[]),
)

/** German (and Dutch) words glue the function to the role: "Vertriebs-leiter". */
export const COMPOUND_HEADS: readonly (readonly [suffix: string, form: string])[] = [
  ['leiterinnen', 'head of %'],
  ['leiterin', 'head of %'],
  ['leitern', 'head of %'],
  ['leiters', 'head of %'],
  ['leiter', 'head of %'],
  ['leitungen', 'head of %'],
  ['leitung', 'head of %'],
  ['chefinnen', 'head of %'],
  ['chefin', 'head of %'],
  ['chefs', 'head of %'],
  ['chef', 'head of %'],
  ['vorstande', 'chief % officer'],
  ['vorstand', 'chief % officer'],
  ['direktorinnen', '% director'],
  ['direktorin', '% director'],
  ['direktoren', '% director'],
  ['direktor', '% director'],
  ['managerinnen', '% manager'],
  ['managerin', '% manager'],
  ['managern', '% manager'],
  ['managers', '% manager'],
  ['manager', '% manager'],
  ['verantwortlicher', '% manager'],
  ['verantwortlichen', '% manager'],
  ['verantwortliche', '% manager'],
  ['beauftragter', '% officer'],
  ['beauftragten', '% officer'],
  ['beauftragte', '% officer'],
  ['ingenieure', '% engineer'],
  ['ingenieuren', '% engineer'],
  ['ingenieur', '% engineer'],
  ['entwicklern', '% developer'],
  ['entwickler', '% developer'],
  ['spezialisten', '% specialist'],
  ['spezialist', '% specialist'],
  ['experten', '% specialist'],
  ['referenten', '% specialist'],
  ['referent', '% specialist'],
  ['koordinatoren', '% coordinator'],
  ['koordinator', '% coordinator'],
  ['assistenten', '% assistant'],
  ['assistentin', '% assistant'],
  ['assistent', '% assistant'],
  ['analysten', '% analyst'],
  ['analyst', '% analyst'],
]

export const SIZE_PHRASES = `
micro: micro, micro business, micro businesses, micro company, micro companies, micro enterprises, microbusiness, microbusinesses, microenterprises, microenterprise, kleinstunternehmen, kleinstbetriebe, kleinstbetrieben, kleinstfirmen, tpe, tres petites entreprises, micro entreprises, micro entreprise, microentreprises, microempresa, microempresas, micro empresas, solo businesses
small: small, small business, small businesses, small companies, small company, small firms, startup, startups, start up, start ups, startup companies, tiny companies, small teams, early stage startups, early stage companies, kleine unternehmen, kleinen unternehmen, kleine firmen, kleinen firmen, kleinunternehmen, kleinbetriebe, kleinbetrieben, kleine betriebe, kleinen betrieben, kleiner unternehmen, jungunternehmen, petites entreprises, petite entreprise, petites structures, jeune pousse, jeunes pousses, start ups fr, pequenas empresas, pequena empresa, pequenos negocios, empresas emergentes, piccole imprese, kleine bedrijven, pequenos empresas, jungen unternehmen, junge unternehmen, startupy, pequenas, pequenos, petites, petits, kleine, kleinen, kleinere, kleineren
smb: smb, smbs, sme, smes, small and medium, small and medium sized, small and mid sized, small and mid size, small to medium, small to mid sized, small to medium sized, small and medium businesses, small and medium enterprises, small and medium companies, small and medium sized businesses, small and medium sized companies, small and medium sized enterprises, small to medium businesses, small and mid sized businesses, small and mid sized companies, small medium businesses, kmu, kmus, kmu s, kleine und mittlere unternehmen, kleinen und mittleren unternehmen, kleine und mittelstandische unternehmen, kleine und mittelgrosse unternehmen, klein und mittelbetriebe, klein und mittelstandische, kmu betriebe, pme, pmes, petites et moyennes entreprises, tpe pme, tpe et pme, pyme, pymes, pequenas y medianas empresas, pequenas y medianas, mipymes, pmi, piccole e medie imprese, mkb, mkb bedrijven, pequenas e medias empresas, pmes pt
mid: mid size, mid sized, midsize, midsized, mid market, midmarket, mid size companies, mid sized companies, mid sized businesses, mid market companies, medium sized, medium size, medium sized companies, medium companies, mid tier, mittelstand, mittelstandler, mittelstandlern, mittelstandische unternehmen, mittelstandischen unternehmen, mittelstandische, mittelstandischen, mittelstandischer, mittelstandisch, mittelstandsunternehmen, mittelgrosse unternehmen, mittelgrossen unternehmen, mittlere unternehmen, mittleren unternehmen, gehobener mittelstand, gehobenen mittelstand, eti, etis, entreprises de taille intermediaire, entreprise de taille intermediaire, taille moyenne, entreprises de taille moyenne, entreprises moyennes, moyennes entreprises, medianas empresas, mediana empresa, empresas medianas, tamano medio, empresas de tamano medio, mercado medio, medie imprese, middelgrote bedrijven, medias empresas
large: large companies, large company, large enterprise, large enterprises, large corporations, large organizations, large organisations, large businesses, large firms, large, enterprise, enterprises, enterprise companies, enterprise level, enterprise accounts, enterprise customers, enterprise clients, enterprise size, enterprise sized, big companies, big corporations, big enterprises, corporates, corporate groups, multinationals, multinational companies, multinational, blue chip, konzern, konzerne, konzernen, grosskonzern, grosskonzerne, grosskonzernen, grossunternehmen, grosse unternehmen, grossen unternehmen, grosser unternehmen, grossbetriebe, grossbetrieben, grands groupes, grand groupe, grandes entreprises, grande entreprise, grands comptes?, multinationales, grandes empresas, gran empresa, grandes corporaciones, multinacional, multinacionales, corporativos, grandi aziende, grandi imprese, grote bedrijven, grote ondernemingen, gran tamano, de gran tamano, grandes, grands, grosse, grossen, grossere, grosseren
`

export const STAGE_PHRASES = `
bootstrapped: bootstrapped, self funded, self financed, bootstrapping, not vc funded, without outside funding, without external funding, no outside funding, no external funding, eigenfinanziert, eigenfinanzierte, eigenfinanzierten, bootstrappt, autofinance, autofinancee, autofinancees, autofinances, sans investisseur, autofinanciada, autofinanciadas, autofinanciados, sin financiacion externa
angel: angel funded, angel backed, angel stage, angel round, angel investment, business angel backed
pre_seed: pre seed, preseed, pre seed stage, pre seed funded, pre amorcage
seed: seed, seed stage, seed funded, seed round, seed backed, seed funding, amorcage, semilla, capital semilla, ronda semilla, fase semilla, seed phase
series_a: series a, serie a, serie a runde, round a, ronda a, tour a
series_b: series b, serie b, round b, ronda b
series_c: series c, serie c, round c, ronda c
series_d: series d, serie d, round d, ronda d
series_e_plus: series e, series f, series g, series h, serie e, serie f, late stage funding
private_equity: private equity backed, pe backed, pe owned, private equity owned, private equity portfolio, pe portfolio companies, owned by private equity, backed by private equity, in pe besitz, private equity finanziert, detenues par des fonds, sous lbo, respaldadas por private equity, participadas por private equity, participadas por capital riesgo
public: public companies, public company, publicly listed, publicly traded, listed companies, listed company, stock listed, publicly held, listed on the stock exchange, exchange listed, post ipo, ipo d, listed, borsennotiert, borsennotierte, borsennotierten, borsennotierter, an der borse notiert, dax, mdax, sdax, cotees en bourse, cotee en bourse, cotees, entreprises cotees, cotes en bourse, societes cotees, cotizadas, cotizada, cotizan en bolsa, que cotizan en bolsa, empresas cotizadas, quotate, quotate in borsa, beursgenoteerd, beursgenoteerde, listadas en bolsa
acquired: acquired, recently acquired, acquired companies, got acquired, been acquired, ubernommen, ubernommene, rachetees, adquiridas
vc_backed: vc backed, venture backed, venture capital backed, vc funded, venture funded, backed by vcs, backed by venture capital, vc financed, vc finanziert, vc finanzierte, vc finanzierten, risikokapitalfinanziert, risikokapitalfinanzierte, wagniskapitalfinanziert, wagniskapitalfinanzierte, venture finanzierte, financees par du capital risque, financees par des vc, soutenues par des vc, ayant leve des fonds, qui ont leve des fonds, respaldadas por vc, respaldadas por capital riesgo, financiadas por capital riesgo, con inversion de capital riesgo, con respaldo de vc, funded startups, investor backed, mit risikokapital, venture capital finanzierte
`

export const KEYWORD_PHRASES = `
b2b: b2b, b 2 b, business to business, b to b, btob
b2c: b2c, b 2 c, business to consumer, b to c, btoc, business to customer
d2c: d2c, dtc, direct to consumer, d to c, direct to customer
b2b2c: b2b2c
subscription box: subscription box, subscription boxes
cooperative: cooperative, cooperatives, co operative, co operatives, coop, coops, cooperativa, cooperativas, cooperatie, cooperaties, genossenschaft, genossenschaften
franchise: franchise, franchising, franchise systems, franquicia, franquicias, franchiseketten
holding: holding, holdings, holdinggesellschaft, holdinggesellschaften
white label: white label, white labelled
`
