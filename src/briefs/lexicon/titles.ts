/**
 * Named roles: the canonical English title (singular, lower case), then how people write it. Titles that are made of a
 * level and a function ("head of marketing", "Vertriebsleiter") are not listed here: the grammar makes them.
 */
export const TITLE_PHRASES = `
ceo: ceo, ceos, chief executive, chief executives, chief executive officer, chief executive officers, pdg, president directeur general, presidents directeurs generaux, consejero delegado, consejeros delegados, consejera delegada, director ejecutivo, directora ejecutiva, directores ejecutivos, amministratore delegato, amministratori delegati, vorstandsvorsitzender, vorstandsvorsitzende, vorstandsvorsitzenden, diretor executivo, presidente ejecutivo
cto: cto, ctos, chief technology officer, chief technology officers, chief technical officer, chief tech officer, technikvorstand, director de tecnologia, directora de tecnologia, directores de tecnologia, directeur de la technologie
cfo: cfo, cfos, chief financial officer, chief financial officers, chief finance officer, finanzvorstand, finanzvorstande, finanzchef, finanzchefs, finanzchefin, kaufmannischer geschaftsfuhrer, directeur financier, directeurs financiers, directrice financiere, directrices financieres, directeur administratif et financier, directeurs administratifs et financiers, directrice administrative et financiere, daf, dafs, raf, director financiero, directores financieros, directora financiera, directoras financieras, director administrativo y financiero, direttore finanziario, direttori finanziari, diretor financeiro, diretores financeiros
cmo: cmo, cmos, chief marketing officer, chief marketing officers, marketingvorstand
coo: coo, coos, chief operating officer, chief operating officers, chief operations officer, chief operation officers, director de operaciones coo
cio: cio, cios, chief information officer, chief information officers, dsi, directeur des systemes d information, directeurs des systemes d information, directeur informatique, directeurs informatiques, directrice des systemes d information
ciso: ciso, cisos, chief information security officer, chief information security officers, chief security officer, rssi
chro: chro, chros, chief human resources officer, chief hr officer, personalvorstand
chief people officer: chief people officer, chief people officers
cro: cro, cros, chief revenue officer, chief revenue officers
cso: chief strategy officer, chief sales officer, cso
cpo: chief product officer, chief product officers, cpo, cpos
chief procurement officer: chief procurement officer, chief procurement officers, chief purchasing officer
cdo: cdo, cdos
chief data officer: chief data officer, chief data officers
chief digital officer: chief digital officer, chief digital officers
chief commercial officer: chief commercial officer, chief commercial officers, cco
chief customer officer: chief customer officer, chief customer officers
chief medical officer: chief medical officer, chief medical officers, medical director?
chief scientific officer: chief scientific officer, chief science officer, directeur scientifique, directeurs scientifiques, directrice scientifique, director cientifico, directores cientificos, directora cientifica, wissenschaftlicher leiter, wissenschaftliche leiter, wissenschaftliche leitung
chief compliance officer: chief compliance officer, chief compliance officers
chief risk officer: chief risk officer, chief risk officers
chief legal officer: chief legal officer, clo
chief sustainability officer: chief sustainability officer, chief sustainability officers
chief growth officer: chief growth officer, chief growth officers
chief innovation officer: chief innovation officer
chief investment officer: chief investment officer, chief investment officers
chief ai officer: chief ai officer, chief ai officers
chief nursing officer: chief nursing officer, chief nursing officers
chief of staff: chief of staff, chiefs of staff, jefe de gabinete, directeur de cabinet
chief engineer: chief engineer, chief engineers, chefingenieur, ingeniero jefe
chief architect: chief architect, chief architects
chief accountant: chief accountant, chief accountants, chef comptable, chefs comptables, hauptbuchhalter, oberbuchhalter, jefe de contabilidad
managing director: managing director, managing directors, md, mds, geschaftsfuhrer, geschaftsfuhrerin, geschaftsfuhrerinnen, geschaftsfuhrern, geschaftsfuhrung, geschaftsfuhrende, geschaftsfuhrender, geschaftsleiter, geschaftsleiterin, geschaftsleitung, gf, gfs, directeur general, directeurs generaux, directrice generale, directrices generales, dg, gerant, gerants, gerante, gerantes, director general, directores generales, directora general, directoras generales, direttore generale, direttori generali, diretor geral, diretores gerais, algemeen directeur, dirigeant, dirigeants, dirigeante, dirigeantes, administrateur delegue, bestuurder
general manager: general manager, general managers, gm, gms, gerente general, gerentes generales, gerenta general, geschaftsstellenleiter?
managing partner: managing partner, managing partners, associe gerant, associes gerants, socio director, socios directores, geschaftsfuhrender gesellschafter, geschaftsfuhrende gesellschafter, geschaftsfuhrenden gesellschafter
president: president, presidents, presidente, presidentes, presidenta, prasident
chairman: chairman, chairmen, chairwoman, chairperson, chairs of the board, board chair, aufsichtsratsvorsitzender, presidente del consejo
board member: board member, board members, vorstand, vorstande, vorstanden, vorstandsmitglied, vorstandsmitglieder, vorstandsmitgliedern, board directors, non executive director, non executive directors, neds, aufsichtsrat, aufsichtsrate, administrateur, administrateurs, consejero, consejeros, miembros del consejo
executive director: executive director, executive directors
artistic director: artistic director, artistic directors, kunstlerischer leiter, directeur artistique, director artistico
creative director: creative director, creative directors, kreativdirektor, kreativdirektoren, directeur de la creation, directeur creatif, directeurs artistiques, director creativo, directores creativos
art director: art director, art directors, director de arte, directores de arte
technical director: technical director, technical directors, directeur technique, directeurs techniques, directrice technique, director tecnico, directores tecnicos, directora tecnica, technischer direktor, technischer geschaftsfuhrer, direttore tecnico
medical director: medical directors, medical director, directeur medical, director medico, directores medicos, arztlicher direktor, arztliche direktoren, arztlicher leiter
commercial director: commercial director, commercial directors
sales director: sales director, sales directors, directeur commercial, directeurs commerciaux, directrice commerciale, directrices commerciales, director comercial, directores comerciales, directora comercial, directoras comerciales, directeur des ventes, directeurs des ventes, director de ventas, directores de ventas, direttore commerciale, direttori commerciali, diretor comercial, diretores comerciais, verkaufsdirektor, vertriebsdirektor
hr director: drh, drhs, directeur des ressources humaines, directeurs des ressources humaines, directrice des ressources humaines, director de rrhh, director de recursos humanos, directores de recursos humanos, directora de recursos humanos, personaldirektor
hr manager: personalmanager, rrh, hr manager, hr managers, human resources manager, human resources managers
head of hr: personalleiter, personalleiterin, personalleiterinnen, personalleitern, personalchef, personalchefs, personalchefin, personalleitung
hr business partner: hr business partner, hr business partners, hrbp, hrbps, people partner, people partners
hr specialist: personalreferent, personalreferenten, personalreferentin, charge de recrutement, charges de recrutement
purchasing director: directeur des achats, directeurs des achats, directrice des achats, directeur achats, directeurs achats, director de compras, directores de compras, directora de compras
it director: it director, it directors, it direktor
plant manager: plant manager, plant managers, factory manager, factory managers, werksleiter, werksleiterin, werksleitern, werkleiter, directeur d usine, directeurs d usine, director de planta, directores de planta, jefe de planta, jefes de planta, gerente de planta, gerentes de planta, direttore di stabilimento, responsabile di stabilimento
production manager: production manager, production managers, produktionsleiter, produktionsleiterin, produktionsleitern, fertigungsleiter, responsable de production, responsables de production, responsable production, responsables production, jefe de produccion, jefes de produccion, gerente de produccion, gerentes de produccion, productiemanager, productiemanagers
operations manager: operations manager, operations managers, betriebsleiter, betriebsleiterin, betriebsleitern, responsable d exploitation, responsables d exploitation, jefe de operaciones, gerente de operaciones, gerentes de operaciones, responsable des operations, ops manager, ops managers
project manager: project manager, project managers, projektleiter, projektleiterin, projektleiterinnen, projektleitern, projektmanager, projektmanagerin, chef de projet, chefs de projet, cheffe de projet, cheffes de projet, jefe de proyecto, jefes de proyecto, jefa de proyecto, gestor de proyectos, gestores de proyectos, gerente de proyectos, gerentes de proyectos, responsabile di progetto, projectmanager, projectmanagers, projectleider, projectleiders
product manager: product manager, product managers, produktmanager, produktmanagerin, produktmanagern, chef de produit, chefs de produit, jefe de producto, jefes de producto, product owner?, productmanager
product owner: product owner, product owners
product lead: product lead, product leads
program manager: program manager, program managers, programme manager, programme managers
construction manager: construction manager, construction managers, conducteur de travaux, conducteurs de travaux, bauleiter, bauleiterin, bauleitern, jefe de obra, jefes de obra, encargado de obra
site manager: site manager, site managers, chef de chantier, chefs de chantier, standortleiter, standortleitern, uitvoerder, uitvoerders
project director: project director, project directors
branch manager: branch manager, branch managers, bank manager, bank managers, filialleiter, filialleiterin, filialleitern, niederlassungsleiter, niederlassungsleitern, directeur d agence, directeurs d agence, responsable d agence, responsables d agence, director de sucursal, directores de sucursal, gerente de sucursal, gerentes de sucursal, vestigingsmanager, vestigingsmanagers
store manager: store manager, store managers, shop manager, shop managers, marktleiter, marktleitern, directeur de magasin, directeurs de magasin, responsable de magasin, responsables de magasin, gerante de tienda, encargado de tienda, encargados de tienda, gerente de tienda, gerentes de tienda, jefe de tienda, jefes de tienda, filiaalmanager, filiaalmanagers
restaurant manager: restaurant manager, restaurant managers, restaurantleiter, directeur de restaurant, directeurs de restaurant, gerente de restaurante, gerentes de restaurante
hotel manager: hotel manager, hotel managers, hotel general manager, hotel director, hotel directors, hoteldirektor, hoteldirektoren, hoteldirektorin, directeur d hotel, directeurs d hotel, directrice d hotel, director de hotel, directores de hotel, gerente de hotel, gerentes de hotel, hotelmanager, direttore d albergo
hotel general manager: hotel general managers, hotel gm, hotel gms
warehouse manager: warehouse manager, warehouse managers, lagerleiter, lagerleiterin, lagerleitern, responsable d entrepot, responsables d entrepot, jefe de almacen, jefes de almacen, magazijnmanager
logistics manager: logistics manager, logistics managers, responsable logistique, responsables logistiques, responsable de logistica, responsables de logistica, logistikmanager, gerente de logistica, logistiek manager
property manager: property manager, property managers, hausverwalter, immobilienverwalter, gestionnaire immobilier, gestionnaires immobiliers, administrador de fincas, administradores de fincas
facility manager: facility manager, facility managers
facilities manager: facilities manager, facilities managers
office manager: office manager, office managers, bueroleiter, buroleiter, buroleiterin, office managerin
practice manager: practice manager, practice managers, praxismanager, praxismanagerin
case manager: case manager, case managers
account manager: account manager, account managers, kundenberater, kundenberatern, accountmanager, accountmanagers, ejecutivo de cuentas, ejecutivos de cuentas, charge de compte
key account manager: key account manager, key account managers, kam, kams, responsable grands comptes, responsables grands comptes, key accounter, accountmanager key accounts
account executive: account executive, account executives, account exec, account execs, ae, aes
enterprise account executive: enterprise account executive, enterprise account executives, enterprise account exec, enterprise account execs, enterprise ae, enterprise aes
account director: account director, account directors, director de cuentas, directores de cuentas, directora de cuentas, directeur de clientele, directeurs de clientele, directrice de clientele
sdr: sdr, sdrs, sales development rep, sales development reps
sales development representative: sales development representative, sales development representatives
bdr: bdr, bdrs
business development representative: business development representative, business development representatives, business development rep, business development reps
sdr manager: sdr manager, sdr managers
sales representative: sales representative, sales representatives, sales rep, sales reps, salesperson, salespeople, sales people reps, vertriebsmitarbeiter, vertriebsmitarbeitern, aussendienstmitarbeiter, handelsvertreter, vertriebsbeauftragte, vertriebler, vertrieblern, commercial terrain, commerciaux terrain, representantes de ventas, representante de ventas, vendedor, vendedores, vendedora, agente comercial, agentes comerciales, verkoper, verkopers
sales engineer: sales engineer, sales engineers, vertriebsingenieur, vertriebsingenieure, vertriebsingenieuren, ingenieur commercial, ingenieurs commerciaux, ingeniero de ventas, ingenieros de ventas
solutions architect: solutions architect, solutions architects, solution architect, solution architects
solutions engineer: solutions engineer, solutions engineers, solution engineer, solution engineers
business development manager: bd manager, bd managers, bdm, bdms, business developer, business developers
customer success manager: csm, csms, customer success manager, customer success managers
community manager: community manager, community managers
social media manager: social media manager, social media managers
growth hacker: growth hacker, growth hackers
growth lead: growth lead, growth leads
content creator: content creator, content creators
copywriter: copywriter, copywriters, texter, textern, redacteur web, redactor, redactores
journalist: journalist, journalists, journalisten, journalistes, journaliste, periodista, periodistas, reporter, reporters
editor: editor, editors, redakteur, redakteure, redakteuren, redacteur, redacteurs
editor in chief: editor in chief, editors in chief, chefredakteur, chefredakteure, chefredakteuren, redacteur en chef, redacteurs en chef, redactor jefe, redactores jefe
producer: producer, producers, produzent, produzenten, producteur, producteurs, productor, productores
photographer: photographer, photographers, fotograf, fotografen, photographe, photographes, fotografo, fotografos
influencer: influencer, influencers
designer: designer, designers, disenador, disenadores, disenadora, designern, graphiste?
graphic designer: graphic designer, graphic designers, grafikdesigner, grafikdesignerin, grafikdesignern, grafiker, grafikern, graphiste, graphistes, disenador grafico, disenadores graficos, disenadora grafica
ux designer: ux designer, ux designers, ui ux designer, ux ui designer, ui ux designers, ux ui designers, ux designern
product designer: product designer, product designers, produktdesigner, produktdesignern
web designer: web designer, web designers, webdesigner, webdesignern, disenador web, disenadores web
interior designer: interior designer, interior designers, innenarchitekt, innenarchitekten, innenarchitektin, architecte d interieur, architectes d interieur, decorateur d interieur, interiorista, interioristas, disenador de interiores, disenadores de interiores
fashion designer: fashion designer, fashion designers, modedesigner, disenador de moda, disenadores de moda
software engineer: software engineer, software engineers, swe, swes, softwareingenieur, softwareingenieure, ingenieur logiciel, ingenieurs logiciel, ingeniero de software, ingenieros de software, ingeniera de software
software developer: software developer, software developers, softwareentwickler, softwareentwicklerin, softwareentwicklern, developpeur logiciel, developpeurs logiciel, desarrollador de software, desarrolladores de software, programador, programadores, programadora, programmierer, programmierern, programmer, programmers, sviluppatore, sviluppatori, softwareontwikkelaars, softwareontwikkelaar
developer: developer, developers, devs, entwickler, entwicklern, developpeur, developpeurs, developpeuse, desarrollador, desarrolladores, desarrolladora, ontwikkelaar, ontwikkelaars
web developer: web developer, web developers, webentwickler, webentwicklern, developpeur web, developpeurs web, desarrollador web, desarrolladores web
frontend developer: frontend developer, frontend developers, front end developer, front end developers, frontend entwickler
frontend engineer: frontend engineer, frontend engineers, front end engineer, front end engineers
backend developer: backend developer, backend developers, back end developer, back end developers, backend entwickler
backend engineer: backend engineer, backend engineers, back end engineer, back end engineers
full stack developer: full stack developer, full stack developers, fullstack developer, fullstack developers, fullstack entwickler, full stack entwickler
full stack engineer: full stack engineer, full stack engineers, fullstack engineer, fullstack engineers
mobile developer: mobile developer, mobile developers, app developer, app developers, app entwickler
devops engineer: devops engineer, devops engineers, ingenieur devops, ingenieurs devops
data engineer: data engineer, data engineers, dateningenieur, ingeniero de datos, ingenieros de datos
data scientist: data scientist, data scientists, datenwissenschaftler, cientifico de datos, cientificos de datos, cientifica de datos
data analyst: data analyst, data analysts, datenanalyst, datenanalysten, analyste de donnees, analistes de donnees, analista de datos, analistas de datos
machine learning engineer: machine learning engineer, machine learning engineers, ml engineer, ml engineers
ai engineer: ai engineer, ai engineers
security engineer: security engineer, security engineers
qa engineer: qa engineer, qa engineers, software tester, software testers, testers, test engineers, test engineer
systems administrator: systems administrator, systems administrators, system administrator, system administrators, sysadmin, sysadmins, systemadministrator, systemadministratoren, administrateur systeme, administrateurs systeme, administrador de sistemas, administradores de sistemas
it administrator: it administrator, it administrators, it admin, it admins
it consultant: it berater, it consultant, it consultants, it beratern
it manager: it manager, it managers, responsable informatique, responsables informatiques, responsable it, responsables it, responsable si, responsable de sistemas, jefe de sistemas, it verantwortliche, it verantwortlicher, it verantwortlichen, ict manager, ict managers
engineering manager: engineering manager, engineering managers
engineering lead: engineering lead, engineering leads
tech lead: tech lead, tech leads, technical lead, technical leads
team lead: team lead, team leads, team leader, team leaders, teamleiter, teamleiterin, teamleitern, chef d equipe, chefs d equipe, jefe de equipo, jefes de equipo, teamleider, teamleiders
scrum master: scrum master, scrum masters
enterprise architect: enterprise architect, enterprise architects
software architect: software architect, software architects, softwarearchitekt, softwarearchitekten, architecte logiciel
business analyst: business analyst, business analysts, analista de negocio
financial analyst: financial analyst, financial analysts, finanzanalyst, analyste financier, analystes financiers, analista financiero
engineer: engineer, engineers, ingenieur, ingenieure, ingenieuren, ingenieurs, ingeniero, ingenieros, ingeniera, ingegnere, ingegneri
mechanical engineer: mechanical engineer, mechanical engineers, maschinenbauingenieur, maschinenbauingenieure, maschinenbauingenieuren, ingenieur mecanique, ingeniero mecanico, ingenieros mecanicos
electrical engineer: electrical engineer, electrical engineers, elektroingenieur, elektroingenieure, elektroingenieuren, ingeniero electrico, ingenieros electricos
civil engineer: civil engineer, civil engineers, bauingenieur, bauingenieure, bauingenieuren, ingenieur genie civil, ingeniero civil, ingenieros civiles, ingeniero de caminos, ingenieros de caminos, ingeniera de caminos, ingenieur en genie civil, ingenieurs en genie civil, ingenieurs genie civil, ingegnere civile, ingegneri civili
process engineer: process engineer, process engineers
design engineer: design engineer, design engineers, konstrukteur, konstrukteure, konstrukteuren
quality engineer: quality engineer, quality engineers
quality manager: quality manager, quality managers, qualitatsmanager, qualitatsmanagerin, qualitatsmanagern, qmb, responsable qualite, responsables qualite, responsable de calidad, responsables de calidad, qualitatsmanagementbeauftragter
head of quality: qualitatsleiter, leiter qualitatssicherung, leiter qualitatsmanagement, jefe de calidad, jefes de calidad
maintenance manager: maintenance manager, maintenance managers, responsable maintenance, responsables maintenance, responsable de maintenance, responsables de maintenance, jefe de mantenimiento, jefes de mantenimiento, responsable de mantenimiento, responsables de mantenimiento, instandhaltungsleiter, leiter instandhaltung, instandhalter
technician: technician, technicians, techniker, technikern, technicien, techniciens, tecnico, tecnicos
mechanic: mechanic, mechanics, mechaniker, mechanikern, mecanicien, mecaniciens, mecanico, mecanicos
electrician: electrician
foreman: foreman, foremen, vorarbeiter, polier, poliere, contremaitre, contremaitres, capataz, capataces
buyer: buyer, buyers, einkaufer, einkauferin, einkauferinnen, einkaufern, acheteur, acheteurs, acheteuse, acheteuses, comprador, compradores, compradora, inkoper, inkopers, purchaser, purchasers
purchasing manager: purchasing manager, purchasing managers, responsable achats, responsables achats, responsable des achats, responsables des achats, responsable de compras, responsables de compras, gerente de compras, gerentes de compras, responsable de achats, responsabile acquisti, responsabili acquisti
procurement manager: procurement manager, procurement managers, inkoopmanager, inkoopmanagers, einkaufsmanager
head of procurement: einkaufsleiter, einkaufsleiterin, einkaufsleitern, leiter einkauf, leiter beschaffung, jefe de compras, jefes de compras, jefa de compras, jefas de compras, hoofd inkoop, chief buyer, einkaufschef
category manager: category manager, category managers
supply chain manager: supply chain manager, supply chain managers, responsable supply chain, responsables supply chain
dispatcher: dispatcher, dispatchers, disponent, disponenten, disponentin, planner transport
planner: planner, planners
fleet manager: fleet manager, fleet managers, fuhrparkleiter, fuhrparkleitern, fuhrparkmanager, gestionnaire de flotte, gestionnaires de flotte, responsable de flotte, gestor de flotas, jefe de flota, responsable de flota, wagenparkbeheerder
driver: driver, drivers, fahrer, chauffeur, chauffeurs, conductor, conductores
controller: controller, controllers, controllern, controllerin, controleur de gestion, controleurs de gestion, controleuse de gestion, controler, finanzcontroller, comptroller
financial controller: financial controller, financial controllers, finance controller, finance controllers, controller financiero
finance manager: finance manager, finance managers, responsable financier, responsables financiers, responsable finance, gerente financiero, gerentes financieros, responsable financiero, jefe de finanzas, financieel manager
finance director: finance director, finance directors, financial director, financial directors, director de finanzas, directores de finanzas, directora de finanzas, finanzdirektor, finanzdirektoren, directeur des finances, directeurs des finances, financieel directeur
head of finance: head of finance, heads of finance, finanzleiter, leiter finanzen, leiter finanzen und controlling, leiter finanz und rechnungswesen, kaufmannischer leiter, kaufmannische leiter, kaufmannischen leiter, kaufmannische leitung
accountant: accountant, accountants, buchhalter, buchhalterin, buchhaltern, bilanzbuchhalter, bilanzbuchhaltern, comptable, comptables, expert comptable, experts comptables, contable, contables, contador, contadores, contadora, commercialista, commercialisti, cpa, cpas, boekhouder, boekhouders, contabile
bookkeeper: bookkeeper, bookkeepers
auditor: auditor, auditors, wirtschaftsprufer, wirtschaftspruferin, wirtschaftsprufern, auditeur, auditeurs, auditores
tax advisor: tax advisor, tax advisors, tax adviser, tax advisers, tax consultant, tax consultants, steuerberater, steuerberaterin, steuerberaterinnen, steuerberatern, conseiller fiscal, conseillers fiscaux, asesor fiscal, asesores fiscales, belastingadviseur, belastingadviseurs
tax director: tax director, tax directors
tax manager: tax manager, tax managers
treasurer: treasurer, treasurers, tresorier, tresoriers, tesorero, tesoreros
financial advisor: financial advisor, financial advisors, financial adviser, financial advisers, ifa, ifas, finanzberater, finanzberatern, conseiller financier, conseillers financiers, conseiller en gestion de patrimoine, conseillers en gestion de patrimoine, asesor financiero, asesores financieros, wealth advisor, wealth advisors
investment manager: investment manager, investment managers
fund manager: fund manager, fund managers, fondsmanager, fondsmanagern
portfolio manager: portfolio manager, portfolio managers, gerant de portefeuille
relationship manager: relationship manager, relationship managers
investment director: investment director, investment directors
investor: investor, investors, investoren, investisseur, investisseurs, inversor, inversores, angel investors, business angels, angel investor, business angel
analyst: analyst, analysts, analysten, analyste, analystes, analista, analistas
underwriter: underwriter, underwriters
actuary: actuary, actuaries, aktuar, aktuare, aktuaren, actuaire, actuaires, actuario, actuarios
insurance broker: insurance broker, insurance agent, insurance agents, agent d assurance, agents d assurance, agents generaux d assurance, agente de seguros, agentes de seguros, corredor de seguros, corredores de seguros, insurance brokers, versicherungsmakler, versicherungsmaklern, versicherungsmaklerin, versicherungsvertreter, versicherungsvertretern, versicherungsagent, versicherungsagenten, courtier en assurance, courtiers en assurance, courtier en assurances, courtiers en assurances, courtier d assurance, courtiers d assurance, assureur conseil, corredora de seguros, corredoras de seguros, mediador de seguros, mediadores de seguros, assicuratore, assicuratori, verzekeringsmakelaar, verzekeringsmakelaars
mortgage broker: mortgage broker, mortgage brokers
loan officer: loan officer, loan officers
real estate agent: real estate agent, real estate agents, realtor, realtors, estate agent, estate agents, agent immobilier, agents immobiliers, agente inmobiliario, agentes inmobiliarios, makelaar, immobilienmaklern
real estate broker: real estate broker, real estate brokers
broker: broker, brokers, makler, courtier, courtiers, corredor, corredores
leasing manager: leasing manager, leasing managers
lawyer: lawyer, lawyers, attorney, attorneys, rechtsanwalt, rechtsanwalte, rechtsanwalten, rechtsanwaltin, rechtsanwaltinnen, anwalt, anwalte, anwalten, anwaltin, avocat, avocats, avocate, avocates, abogado, abogados, abogada, abogadas, avvocato, avvocati, advogado, advogados, advocaat, advocaten, abogado laboralista, abogados laboralistas, abogada laboralista, laboralista, laboralistas
solicitor: solicitor, solicitors
notary: notary, notaries, notar, notare, notaren, notaire, notaires, notario, notarios
paralegal: paralegal, paralegals
general counsel: general counsel, general counsels, gc, chefsyndikus, chefjurist, directeur juridique, directeurs juridiques, directrice juridique, director juridico, directores juridicos, asesor juridico, head of legal counsel
legal counsel: legal counsel, legal counsels, in house counsel, in house lawyers, inhouse lawyers, inhouse counsel, syndikusanwalt, syndikusanwalte, juriste, juristes, unternehmensjurist, unternehmensjuristen, juristen, jurist, counsel
legal director: legal director, legal directors
compliance officer: compliance officer, compliance officers, compliance beauftragter, compliance beauftragte, responsable conformite, responsables conformite, oficial de cumplimiento, oficiales de cumplimiento
data protection officer: data protection officer, data protection officers, dpo, dpos, datenschutzbeauftragter, datenschutzbeauftragte, datenschutzbeauftragten, delegue a la protection des donnees, delegado de proteccion de datos, delegados de proteccion de datos
recruiter: recruiter, recruiters, recruitern, recruteur, recruteurs, recruteuse, reclutador, reclutadores, reclutadora, talent acquisition specialist, talent acquisition specialists, technical recruiter, technical recruiters
talent partner: talent partner, talent partners
headhunter: headhunter, headhunters, headhuntern, personalberater, personalberatern, chasseur de tetes, chasseurs de tetes, cazatalentos
consultant: consultant, consultants, berater, beraterin, beratern, consultante, consultantes, consultor, consultores, consultora independiente, unternehmensberater, unternehmensberatern, consultanten, consulente, consulenti, adviseur, adviseurs
management consultant: management consultant, management consultants
freelancer: freelancer, freelancers, freelancern, freiberufler, freiberuflern, freelance, freelances, autonomo, autonomos, independants, zzp er, zzpers, solopreneur, solopreneurs
contractor: independent contractor, independent contractors
coach: coach, coaches, coachs, entrenador, entrenadores, business coach, business coaches, life coaches, executive coaches
trainer: trainer, trainers, trainern, formateur, formateurs, formatrice, formador, formadores
personal trainer: personal trainer, personal trainers, entrenador personal, entrenadores personales
architect: architect, architects, architekt, architekten, architektin, architektinnen, architecte, architectes, arquitecto, arquitectos, arquitecta, architetto, architetti, architecten, arquiteto, arquitetos
landscape architect: landscape architect, landscape architects
surveyor: surveyor, surveyors, quantity surveyor?, vermesser, geometre, geometres
quantity surveyor: quantity surveyor, quantity surveyors
estimator: estimator, estimators, kalkulator, kalkulatoren
scientist: scientist, scientists, wissenschaftler, wissenschaftlern, scientifique, scientifiques, cientifico, cientificos
researcher: researcher, researchers, forscher, forschern, chercheur, chercheurs, investigador, investigadores
lab manager: lab manager, lab managers, laboratory manager, laboratory managers, laborleiter, laborleitern, laborleiterin, responsable de laboratoire, responsables de laboratoire, jefe de laboratorio, jefes de laboratorio
doctor: doctor, doctors, arzt, arzte, arzten, arztin, arztinnen, medecin, medecins, medico, medicos, docteur, docteurs, artsen, medici
physician: physician, physicians
general practitioner: general practitioner, general practitioners, gp, gps, hausarzt, hausarzte, hausarzten, medecin generaliste, medecins generalistes, medico de cabecera, medicos de cabecera, huisarts, huisartsen
surgeon: surgeon, surgeons, chirurg, chirurgen, chirurgien, chirurgiens, cirujano, cirujanos, plastic surgeons?
plastic surgeon: plastic surgeon, plastic surgeons
dermatologist: dermatologist, dermatologists, dermatologe, dermatologen, hautarzt, hautarzte, dermatologue, dermatologues, dermatologo, dermatologos
radiologist: radiologist, radiologists, radiologe, radiologen, radiologue, radiologues
cardiologist: cardiologist, cardiologists, kardiologe, kardiologen, cardiologue, cardiologues
chief physician: chefarzt, chefarzte, chefarzten, chefarztin
senior physician: oberarzt, oberarzte, oberarzten
dentist: dentist, dentists, zahnarzt, zahnarzte, zahnarzten, zahnarztin, zahnarztinnen, dentiste, dentistes, chirurgien dentiste, chirurgiens dentistes, dentista, dentistas, odontologo, odontologos, tandarts, tandartsen
orthodontist: orthodontist, orthodontists, kieferorthopade, kieferorthopaden, orthodontiste, orthodontistes, ortodoncista, ortodoncistas
pharmacist: pharmacist, pharmacists, apotheker, apothekerin, apothekern, pharmacien, pharmaciens, pharmacienne, farmaceutico titular, farmaceuticos, apothekers
nurse: nurse, nurses, krankenpfleger, krankenschwester, pflegekraft, pflegekrafte, pflegekraften, infirmier, infirmiers, infirmiere, infirmieres, enfermero, enfermeros, enfermera, enfermeras
head of nursing: pflegedienstleitung, pflegedienstleitungen, pflegedienstleiter, pflegedienstleiterin, pdl, pflegedirektor, jefa de enfermeria, jefas de enfermeria, jefe de enfermeria, jefes de enfermeria, director of nursing?
director of nursing: director of nursing, directors of nursing, nursing director, nursing directors
head nurse: head nurse, head nurses, cadre de sante, cadres de sante, infirmiere chef
care home manager: care home manager, care home managers, heimleiter, heimleitern, heimleitung, directeur d ehpad, directeurs d ehpad, directrice d ehpad
physiotherapist: physiotherapist, physiotherapists, physio, physios, physical therapist, physical therapists, physiotherapeut, physiotherapeuten, physiotherapeutin, kine, kines, kinesitherapeute, kinesitherapeutes, fisioterapeuta, fisioterapeutas, fysiotherapeut, fysiotherapeuten
chiropractor: chiropractor, chiropractors
psychologist: psychologist, psychologists, psychologe, psychologen, psychologue, psychologues, psicologo, psicologos, psicologa, psicologas
therapist: therapist, therapists, therapeut, therapeuten, psychotherapeut, psychotherapeuten, psychotherapist, psychotherapists
veterinarian: veterinarian, veterinarians, tierarzt, tierarzte, tierarzten, tierarztin, veterinaire, veterinaires, veterinario, veterinarios, vet, vets, dierenarts, dierenartsen
optician: optician, opticians, optiker, optikern, opticien, opticiens, optico, opticos
optometrist: optometrist, optometrists
medical science liaison: medical science liaison, msl, msls
clinical research associate: clinical research associate, clinical research associates
teacher: teacher, teachers, lehrer, lehrern, lehrerin, lehrkrafte, enseignant, enseignants, professeur des ecoles, maestro, maestros, docente, docentes, profesor de instituto
professor: professor, professors, professoren, professorin, professeur, professeurs, profesor, profesores, catedratico, catedraticos
dean: dean, deans, dekan, dekane, dekanen, doyen, doyens, decano, decanos
school principal: school principal, school principals, headteacher, headteachers, head teacher, head teachers, headmaster, headmasters, school head, school heads, schulleiter, schulleiterin, schulleitern, schulleitung, schulleitungen, directeur d ecole, directeurs d ecole, directrice d ecole, proviseur, proviseurs, chef d etablissement, chefs d etablissement, director de colegio, directores de colegio, directores de colegios, directora de colegio, director escolar, directores escolares, schooldirecteur, preside, schoolhoofden
librarian: librarian, librarians, bibliothekar, bibliothekare, bibliothecaire, bibliotecario
curator: curator, curators, kurator, kuratoren, conservateur de musee, conservateurs de musee
museum director: museum director, museum directors, museumsdirektor, museumsdirektoren, directeur de musee, directeurs de musee, director de museo, directores de museo
mayor: mayor, mayors, burgermeister, burgermeistern, maire, maires, alcalde, alcaldes, alcaldesa, alcaldesas, sindaco, sindaci, burgemeester, burgemeesters
city manager: city manager, city managers
chef: chef de cuisine?, chef, chefs, koch, koche, kochen, cocinero, cocineros
executive chef: executive chef, executive chefs, chef ejecutivo, chefs ejecutivos, chef executif, chefs executifs, kuchendirektor, kuchendirektoren
head chef: head chef, head chefs, kuchenchef, kuchenchefs, kuchenchefin, chef de cuisine, chefs de cuisine, jefe de cocina, jefes de cocina, chef cuisinier, chefkok, chef koks
sommelier: sommelier, sommeliers
bartender: bartender, bartenders
baker: baker
head brewer: head brewer, head brewers, braumeister, braumeistern, maitre brasseur, maitres brasseurs, maestro cervecero, maestros cerveceros
brewer: brewer, brewers
winemaker: winemaker, oenologue, oenologues, enologo, enologos, kellermeister
f&b director: f and b director, f and b directors
food and beverage director: food and beverage director, food and beverage directors
f&b manager: f and b manager, f and b managers
food and beverage manager: food and beverage manager, food and beverage managers, responsable restauration
revenue manager: revenue manager, revenue managers
event manager: event manager, event managers, eventmanager, eventmanagerin, eventmanagern, responsable evenementiel, responsables evenementiel
travel agent: travel agent, travel agents
travel manager: travel manager, travel managers
tour guide: tour guide, tour guides
franchise owner: franchisee, franchisees, franchise owner, franchise owners, franchisenehmer, franchises, franquiciado, franquiciados
executive assistant: executive assistant, executive assistants, ea, eas, assistant de direction, assistante de direction, assistantes de direction, direktionsassistent, direktionsassistentin, vorstandsassistentin, asistente de direccion, asistentes de direccion, secretaria de direccion
personal assistant: personal assistant, personal assistants, pa, pas
virtual assistant: virtual assistant, virtual assistants
assistant: assistant, assistants, assistenten, assistent, assistentin, assistentinnen, assistante, assistantes, asistente, asistentes
secretary: secretary, secretaries, sekretarin, sekretarinnen, sekretariat, secretaire, secretaires, secretaria, secretarias, secretario
student: student, students, studenten, studierende, studierenden, etudiant, etudiants, estudiante, estudiantes
clerk: clerk, clerks, sachbearbeiter, sachbearbeitern, sachbearbeiterin
authorized signatory: prokurist, prokuristen, prokuristin
department head: department head, department heads, heads of department, abteilungsleiter, abteilungsleiterin, abteilungsleitern, bereichsleiter, bereichsleitern, jefe de departamento, jefes de departamento, chef de service, chefs de service, chef de departement
division head: division head, division heads
business unit manager: business unit manager, business unit managers, business unit head, business unit heads
area manager: area manager, area managers
regional manager: regional manager, regional managers, regionalleiter, gebietsleiter, gebietsleitern, bezirksleiter, responsable regional, directeur regional?, gerente regional, gerentes regionales
regional director: regional director, regional directors, directeur regional, directeurs regionaux, director regional, directores regionales
country manager: country manager, country managers, landerchef, landesleiter, directeur pays, director pais
marketing manager: marketing manager, marketing managers, marketingmanager, marketingmanagerin, marketingmanagern, responsable marketing, responsables marketing, responsable de marketing, responsables de marketing, gerente de marketing, gerentes de marketing, gerente de mercadeo, jefe de producto marketing, charge de marketing, charges de marketing, responsabile marketing, responsabili marketing
digital marketing manager: digital marketing manager, digital marketing managers, responsable marketing digital, responsables marketing digital, responsable de marketing digital, responsables de marketing digital, responsable du marketing digital
brand manager: brand manager, brand managers
head of communications: kommunikationsleiter, leiter kommunikation, leiter unternehmenskommunikation, pressesprecher
communications manager: communications manager, communications managers, responsable communication, responsables communication, responsable de communication, responsables de communication, responsable de comunicacion, responsables de comunicacion, charge de communication, charges de communication
sales manager: sales manager, sales managers, vertriebsmanager, verkaufsmanager, responsable commercial, responsables commerciaux, responsable commerciale, responsable des ventes, responsables des ventes, gerente de ventas, gerentes de ventas, gerente comercial, gerentes comerciales, responsable de ventas, responsables de ventas, responsable comercial, responsables comerciales, responsabile vendite, responsabili vendite, responsabile commerciale, verkoopmanager, verkoopmanagers, salesmanager, gerente de vendas, gerentes de vendas
head of sales: vertriebsleiter, vertriebsleiterin, vertriebsleiterinnen, vertriebsleitern, vertriebsleitung, verkaufsleiter, verkaufsleiterin, verkaufsleitern, vertriebschef, vertriebschefs, chef des ventes, chefs des ventes, jefe de ventas, jefes de ventas, jefa de ventas, jefes comerciales, jefe comercial, hoofd verkoop
export manager: export manager, export managers, exportleiter, responsable export, responsables export, responsable de exportacion, gerente de exportacion, gerentes de exportacion, jefe de exportacion, exportmanager
energy manager: energy manager, energy managers, energiemanager, energiemanagern
sustainability manager: sustainability manager, sustainability managers, nachhaltigkeitsmanager, nachhaltigkeitsmanagerin, nachhaltigkeitsmanagern, nachhaltigkeitsbeauftragte, responsable rse, responsables rse, responsable developpement durable, responsable de sostenibilidad, responsables de sostenibilidad
hse manager: hse manager, hse managers, responsable hse, responsables hse, responsable qhse, responsables qhse, qhse manager
it security officer: it security officer, it security officers, it sicherheitsbeauftragte, it sicherheitsbeauftragter, it sicherheitsbeauftragten, informationssicherheitsbeauftragte, informationssicherheitsbeauftragter, informationssicherheitsbeauftragten, rssi adjoint
industrial director: industrial director, industrial directors, director industrial, directores industriales, directora industrial, directeur industriel, directeurs industriels, directrice industrielle
safety manager: safety manager, safety managers, sicherheitsbeauftragte, fachkraft fur arbeitssicherheit, sifa
security manager: security manager, security managers
risk manager: risk manager, risk managers
office administrator: office administrator, office administrators
company secretary: company secretary, company secretaries
farm manager: farm manager, farm managers
farmer: farmer, farmers, landwirt, landwirte, landwirten, agriculteur, agriculteurs, agricultor, agricultores, agricoltori, boeren
landlord: landlord, landlords, vermieter, proprietaire bailleur
workshop manager: workshop manager, workshop managers, werkstattleiter, werkstattleitern, chef d atelier, chefs d atelier, jefe de taller, jefes de taller
service manager: service manager, service managers, serviceleiter, serviceleitern
development manager: development manager, development managers
head of development: entwicklungsleiter, entwicklungsleiterin, entwicklungsleitern, leiter entwicklung
technical manager: technical manager, technical managers, technischer leiter, technische leiter, technischen leiter, technische leitung, responsable technique, responsables techniques, responsable tecnico, responsables tecnicos, jefe tecnico, jefes tecnicos, direccion tecnica
mlro: mlro, mlros, money laundering reporting officer
policy maker: policy maker, policy makers, policymaker, policymakers
lobbyist: lobbyist, lobbyists
trader: trader, traders
streamer: streamer, streamers
event director: event director, event directors
volunteer: volunteer, volunteers, ehrenamtliche, benevoles, voluntarios
entrepreneur: entrepreneur, entrepreneurs, unternehmer, unternehmerin, unternehmern, unternehmerinnen, emprendedor, emprendedores, empresario, empresarios, imprenditori, ondernemers, ondernemer
principal: principal, principals
captain: captain, captains
pilot: pilot, pilots, piloten, pilotes, pilotos
wealth manager: wealth manager, wealth managers
asset manager: asset manager, asset managers, assetmanager
`
