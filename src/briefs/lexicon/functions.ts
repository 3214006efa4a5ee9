/**
 * The functions people work in. Each line: canonical English words as they stand in a title, the department, then the
 * phrases that mean it. A department of "-" marks a word that makes titles but names no department.
 */
export const FUNCTION_PHRASES = `
engineering | engineering | engineering, eng, engineers team, entwicklungsabteilung, ingenieria, ingegneria, engenharia, technik
software engineering | engineering | software engineering
software development | engineering | software development, softwareentwicklung, developpement logiciel, desarrollo de software
development | engineering | development, entwicklung, developpement, desarrollo, sviluppo
technology | engineering | technology, technologie, tecnologia
technical | engineering | technical, technisch, technische, technischer, technischen, technique, techniques, tecnico, tecnica, tecnicos
platform | engineering | platform engineering
devops | engineering | devops, dev ops, site reliability, sre
infrastructure | it | infrastructure, infrastruktur, infraestructura
mechanical engineering | engineering | mechanical engineering
quality | engineering | quality, qualitat, qualitatsmanagement, qualitatssicherung, qualite, calidad, qualita, qm, kwaliteit
quality assurance | engineering | quality assurance, qa, assurance qualite, aseguramiento de calidad
it | it | it, information technology, information systems, informatik, edv, informatique, systemes d information, sistemas, sistemas de informacion, ti, informatica, it abteilung, tecnologias de la informacion
security | security | security, information security, it security, infosec, cyber security, cybersecurity, informationssicherheit, it sicherheit, securite informatique, cybersecurite, seguridad informatica, ciberseguridad, seguridad de la informacion, sicherheit
data | data | data, donnees, datos, daten
data science | data | data science
data engineering | data | data engineering
analytics | data | analytics, data analytics, data and analytics, analytik, analitica, bi, business intelligence
machine learning | data | machine learning, ml, ai and ml
ai | data | ai, ki, artificial intelligence, ia, inteligencia artificial, intelligence artificielle
product | product | product, produkt, produit, produits, producto, prodotto, produto, product management, produktmanagement, gestion de producto
product marketing | marketing | product marketing, produktmarketing, marketing produit
design | design | design, diseno, ux, ui, user experience, ux design, product design, ui ux
creative | design | creative, kreativ
research | research | research, forschung, recherche, investigacion, ricerca
r&d | research | r and d, rnd, research and development, forschung und entwicklung, f and e, recherche et developpement, r et d, investigacion y desarrollo, i d, r+d, ricerca e sviluppo, i mas d
innovation | research | innovation, innovacion
clinical | medical | clinical
regulatory affairs | legal | regulatory affairs, regulatory, affaires reglementaires, asuntos regulatorios
marketing | marketing | marketing, mktg, mkt, mercadeo, mercadotecnia, marketingabteilung, marketings
retention | customer_success | retention, customer retention, kundenbindung, fidelisation, fidelizacion
digital transformation | it | digital transformation, digitale transformation, digitalisierung, transformation digitale, transformation numerique, transformacion digital, trasformazione digitale
digital marketing | marketing | digital marketing, online marketing, onlinemarketing, marketing digital, marketing online, performance marketing, web marketing
growth | marketing | growth, growth marketing
brand | marketing | brand, marke, marken, marque, marca, branding
content | marketing | content, content marketing, contenu, contenidos, contenido, inhalte
social media | marketing | social media, redes sociales, reseaux sociaux, community management
seo | marketing | seo, search engine optimization, search engine optimisation
communications | marketing | communications, communication, corporate communications, kommunikation, unternehmenskommunikation, comunicacion, comunicaciones, comunicazione, comms
pr | marketing | public relations, pr, relations publiques, relations presse, relaciones publicas, offentlichkeitsarbeit, presse
demand generation | marketing | demand generation, demand gen, lead generation, lead gen
ecommerce | marketing | ecommerce, e commerce, online shop, comercio electronico, onlinehandel, ecom, e com, commerce en ligne
crm | marketing | crm
events | marketing | events, event, veranstaltungen, evenementiel, eventos
trade marketing | marketing | trade marketing
sales | sales | sales, vertrieb, verkauf, ventes, vente, ventas, vendite, vendas, verkoop, vertriebs
commercial | sales | commercial, commerciale, commerciaux, comercial, comerciales, commerciales
inside sales | sales | inside sales, innendienst, vertriebsinnendienst
field sales | sales | field sales, aussendienst
enterprise sales | sales | enterprise sales
sales operations | sales | sales operations, sales ops, revenue operations, revops, rev ops, sales enablement
ad sales | sales | ad sales, advertising sales, media sales
account management | sales | account management, key account management, key account, key accounts, kundenbetreuung, grands comptes, cuentas clave
pre-sales | sales | presales, pre sales, solutions engineering, avant vente, preventa
export | sales | export, exportation, exportacion, exports, exporte
revenue | sales | revenue, revenues
channel | sales | channel, channel sales, partner sales
partnerships | business_development | partnerships, partnership, alliances, strategic partnerships, partenariats, alianzas, partnermanagement, partner management
business development | business_development | business development, biz dev, bizdev, bd, geschaftsentwicklung, unternehmensentwicklung, developpement commercial, developpement des affaires, desarrollo de negocio, desarrollo de negocios, desarrollo comercial, sviluppo commerciale
strategy | business_development | strategy, strategie, corporate strategy, estrategia, strategic planning, unternehmensstrategie
corporate development | business_development | corporate development, m and a, mergers and acquisitions, fusions acquisitions, fusiones y adquisiciones
customer success | customer_success | customer success, cs, client success, kundenerfolg, succes client, exito del cliente, exito de clientes
customer experience | customer_success | customer experience, cx, experience client, experiencia de cliente, experiencia del cliente, kundenerlebnis
support | support | support, customer support, technical support, it support, kundensupport, soporte, support client, soporte tecnico, atencion al cliente, soporte al cliente, helpdesk, help desk
customer service | support | customer service, client services, kundenservice, kundendienst, service client, servicio al cliente, servicio de atencion al cliente, klantenservice, customer care, relation client, service clients
operations | operations | operations, ops, operation, betrieb, operativ, operatives, operationen, operaciones, operativo, operazioni, operacoes, exploitation, business operations, bizops
facilities | operations | facilities, facility, facility management, facilities management, gebaudemanagement, services generaux, instalaciones, mantenimiento de instalaciones
fleet | operations | fleet, fuhrpark, flotte, flota
project management | operations | project management, projektmanagement, gestion de projet, gestion de proyectos, pmo
project | operations | project, projects, projekt, projekte, projet, projets, proyecto, proyectos
program | operations | program, programme, programs, programmes, programm, programas
store operations | operations | store operations, retail operations
transformation | operations | transformation, digital transformation, digitalisierung, transformation digitale, transformacion digital, digital, numerique, digitale transformation
sustainability | operations | sustainability, esg, csr, nachhaltigkeit, rse, developpement durable, sostenibilidad, rsc, sustentabilidad, umwelt und nachhaltigkeit, sostenibilita
health and safety | operations | health and safety, ehs, hse, qhse, hseq, environment health and safety, safety, arbeitssicherheit, hse qhse, sst, prevencion de riesgos, prl, seguridad e higiene
supply chain | supply_chain | supply chain, scm, supply chain management, cadena de suministro, lieferkette, chaine logistique, lieferketten, supply chain roles
logistics | supply_chain | logistics, logistik, logistique, logistica, logistiek
warehouse | supply_chain | warehouse, warehousing, lager, entrepot, almacen, almacenes, magazzino
transport | supply_chain | transport, transportation, transporte, transportes
planning | supply_chain | demand planning, supply planning, production planning, planung, planification, planificacion
procurement | procurement | procurement, achats, compras, einkauf, beschaffung, approvisionnement, approvisionnements, aprovisionamiento, acquisti, inkoop, strategischer einkauf, adquisiciones
purchasing | procurement | purchasing, buying
sourcing | procurement | sourcing, strategic sourcing
category | procurement | category, category management
manufacturing | manufacturing | manufacturing, fertigung, fabrication, fabricacion, manufactura
production | manufacturing | production, produktion, produccion, produzione, producao, productie
plant | manufacturing | plant, werk, werks, usine, planta, stabilimento
maintenance | manufacturing | maintenance, instandhaltung, wartung, mantenimiento, manutenzione
lean | manufacturing | lean, continuous improvement, operational excellence, lean manufacturing, amelioration continue, mejora continua
finance | finance | finance, finanzen, finanz, finances, finanzas, financial, financiero, financiera, financieros, financier, financiere, financiers, finanza, financeiro, finanzabteilung, corporate finance
accounting | finance | accounting, accounts, buchhaltung, rechnungswesen, finanzbuchhaltung, comptabilite, contabilidad, contable, comptable, accountancy, accounts payable, accounts receivable, contabilita
controlling | finance | controlling, controle de gestion, control de gestion, fp and a, financial planning, financial planning and analysis
treasury | finance | treasury, tresorerie, tesoreria
tax | finance | tax, steuern, fiscalite, fiscal, impuestos, steuer
audit | finance | audit, internal audit, revision, interne revision, auditoria, audit interne
risk | finance | risk, risk management, risiko, risikomanagement, risques, riesgos
investor relations | finance | investor relations
billing | finance | billing
credit | finance | credit, credit management
legal | legal | legal, recht, rechtsabteilung, juridique, affaires juridiques, juridico, juridica, asuntos legales, legale, juridiques, juridicos, juridicas, juristisch, juristische, juristischen
compliance | legal | compliance, conformite, cumplimiento, cumplimiento normativo
privacy | legal | privacy, data privacy, data protection, datenschutz, protection des donnees, proteccion de datos
intellectual property | legal | intellectual property, ip, patents
hr | hr | hr, human resources, human resource, people, people and culture, people operations, people ops, personal, personalwesen, personalabteilung, personalmanagement, rh, ressources humaines, recursos humanos, rrhh, rr hh, risorse umane, recursos humanos rrhh, hr management, personeelszaken, human capital, talento humano
talent acquisition | hr | talent acquisition, ta, talentgewinnung, acquisition de talents, adquisicion de talento, atraccion de talento
recruiting | hr | recruiting, recruitment, recrutement, reclutamiento, seleccion, personalgewinnung, werving
learning and development | hr | learning and development, l and d, learning, personalentwicklung, formation, formation et developpement, formacion y desarrollo, formacion, training, training and development
compensation and benefits | hr | compensation and benefits, comp and ben, c and b, total rewards, remuneration, compensacion y beneficios
payroll | hr | payroll, lohnbuchhaltung, gehaltsabrechnung, paie, nominas, nomina
diversity | hr | diversity, dei, diversity and inclusion
employer branding | hr | employer branding, marque employeur
talent | hr | talent, talento, talents
administration | administration | administration, admin, verwaltung, administracion, administrativo, administrativa, administratif, administrative, amministrazione, back office
office | administration | office, buro, bureau, oficina
medical | medical | medical, medizin, medizinische, medecine, medico, medica, clinique medicale
nursing | medical | nursing, pflege, soins, soins infirmiers, enfermeria, pflegedienst
education | education | teaching, academic, lehre, enseignement, docencia, pedagogique, padagogisch
general | - | general, allgemein, generale
regional | - | regional, regionale, regionaler, regionales
country | - | country, pais
area | - | area
branch | - | branch, filiale, filial, agence, sucursal, niederlassung
store | - | store, shop, tienda, magasin
site | - | site, standort, sitio
construction | - | construction, bau, chantier, obra
property | - | property, immobilien, asset
energy | - | energy, energie, energia
food and beverage | - | f and b, food and beverage, fnb
revenue management | - | revenue management, yield
community | - | community
customer | - | customer, client, kunden, cliente, clientes, clients
account | - | account
partner | - | channel partner
investment | - | investment, investments, inversiones, investissements
portfolio | - | portfolio
innovation lab | - | innovation lab
merchandising | - | merchandising, visual merchandising
laboratory | - | laboratory, lab, labor, laboratoire, laboratorio
workshop | - | workshop, atelier, werkstatt, taller
fundraising | - | fundraising, philanthropy
admissions | - | admissions
guest relations | - | guest relations, front office, rooms division
housekeeping | - | housekeeping
kitchen | - | kitchen, kuche, cuisine, cocina
service | - | service, servicio, servicios, services
network | - | network, netzwerk, reseau, red
application | - | application, applications, anwendungen
systems | - | systems, system, systeme
cloud | - | cloud
solutions | - | solutions, solution
integration | - | integration
process | - | process, prozess, procesos
business | - | business
underwriting | - | underwriting
claims | - | claims, schaden, siniestros, sinistres
actuarial | - | actuarial
public affairs | marketing | public affairs, government affairs, government relations, affaires publiques, asuntos publicos, corporate affairs, external affairs
visual merchandising | - | visual merchandising
workplace | operations | workplace, workplace experience
store design | design | store design, store planning
customs | supply_chain | customs, zoll, douane, aduanas
loss prevention | security | loss prevention
student services | - | student services, student affairs
`
