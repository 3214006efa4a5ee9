/**
 * Further named roles, written like TITLE_PHRASES. A canonical title of one word is also the head of longer ones: "set
 * carpenters", "pediatric hygienists".
 */
export const ROLE_PHRASES = `
receptionist: receptionist, receptionists, rezeptionist, rezeptionisten, rezeptionistin, rezeptionistinnen, empfangsmitarbeiter, empfangsmitarbeitern, empfangskraft, empfangskrafte, receptionniste, receptionnistes, hotesse d accueil, hotesses d accueil, recepcionista, recepcionistas, addetto alla reception, receptioniste, receptionisten
hotel receptionist: hotel receptionist, hotel receptionists, hotelrezeptionist, hotelrezeptionisten, hotelrezeptionistin, hotelrezeptionistinnen, receptionniste d hotel, receptionnistes d hotel, receptionniste d hotels, receptionnistes d hotels, recepcionista de hotel, recepcionistas de hotel, recepcionistas de hoteles
broker: broker, brokers, makler, maklern, courtier, courtiers
stockbroker: stockbroker, stockbrokers, stock broker, stock brokers, borsenmakler, corredor de bolsa, corredores de bolsa, courtier en bourse, courtiers en bourse
bank teller: bank teller, bank tellers, teller, tellers, bankkaufmann, bankkauffrau, bankkaufleute, bankkaufleuten, guichetier, guichetiers, cajero de banco, cajeros de banco
croupier: croupier, croupiers, casino dealer, casino dealers, croupiere, croupieres, crupier, crupieres
travel agent: travel agent, travel agents, reisekaufmann, reisekauffrau, reisekaufleute, reiseverkehrskaufleute, agent de voyage, agents de voyage, agent de voyages, agents de voyages, agente de viajes, agentes de viajes
wealth manager: wealth manager, wealth managers, vermogensverwalter, vermogensverwaltern, gestionnaire de patrimoine, gestionnaires de patrimoine, conseiller en gestion de patrimoine, conseillers en gestion de patrimoine, gestor patrimonial, gestores patrimoniales, gestor de patrimonios, gestores de patrimonios
orthodontist: orthodontist, orthodontists, kieferorthopade, kieferorthopaden, kieferorthopadin, orthodontiste, orthodontistes, ortodoncista, ortodoncistas
wedding planner: wedding planner, wedding planners, hochzeitsplaner, hochzeitsplanerin, hochzeitsplanerinnen, hochzeitsplanern, organizador de bodas, organizadores de bodas, organizadoras de bodas
event planner: event planner, event planners, eventplaner, eventplanern, veranstaltungsplaner
customs broker: customs broker, customs brokers, customs agent, customs agents, zollagent, zollagenten, zolldeklarant, zolldeklaranten, declarant en douane, declarants en douane, agente de aduanas, agentes de aduanas, spedizioniere doganale, spedizionieri doganali, despachante aduaneiro, despachantes aduaneiros
agronomist: agronomist, agronomists, agronom, agronomen, agronome, agronomes, agronomo, agronomos, agronoma, agronomas, ingeniero agronomo, ingenieros agronomos, ingeniera agronoma, ingenieur agronome, ingenieurs agronomes, agronomi, engenheiro agronomo, engenheiros agronomos
bursar: bursar, bursars
registrar: registrar, registrars
provost: provost, provosts
rector: rector, rectors, rektor, rektoren, rektorin, recteur, recteurs, rectores, rettore, rettori
chancellor: chancellor, chancellors, kanzler
banker: banker, bankers, bankier, bankiers, banquier, banquiers, banquero, banqueros, banchieri
private banker: private banker, private bankers, banquier prive, banquiers prives, banquero privado, banqueros privados
investment banker: investment banker, investment bankers, investmentbanker, investmentbankern, banquier d affaires, banquiers d affaires
flight attendant: flight attendant, flight attendants, flugbegleiter, flugbegleitern, flugbegleiterin, flugbegleiterinnen, hotesse de l air, hotesses de l air, steward, stewards, stewardess, stewardessen, azafata, azafatas, auxiliar de vuelo, auxiliares de vuelo
attendant: attendant, attendants
nutritionist: nutritionist, nutritionists, ernahrungsberater, ernahrungsberaterin, ernahrungsberaterinnen, ernahrungsberatern, nutritionniste, nutritionnistes, nutricionista, nutricionistas, nutrizionista, nutrizionisti
dietitian: dietitian, dietitians, dietician, dieticians, dieteticien, dieteticiens, dieteticienne, dieteticiennes, dietista, dietistas, dietisti
hygienist: hygienist, hygienists, higienista, higienistas, hygieniste, hygienistes
dental hygienist: dental hygienist, dental hygienists, dentalhygienikerin, dentalhygienikerinnen, higienista dental, higienistas dentales, igienista dentale, mondhygienist, mondhygienisten
dental technician: dental technician, dental technicians, zahntechniker, zahntechnikern, zahntechnikerin, prothesiste dentaire, prothesistes dentaires, protesico dental, protesicos dentales, odontotecnico, odontotecnici
social worker: social worker, social workers, sozialarbeiter, sozialarbeitern, sozialarbeiterin, sozialarbeiterinnen, travailleur social, travailleurs sociaux, assistante sociale, assistantes sociales, assistant social, trabajador social, trabajadores sociales, trabajadora social, trabajadoras sociales, assistente sociale, assistenti sociali, maatschappelijk werker, maatschappelijk werkers, assistentes sociais
youth worker: youth worker, youth workers, jugendarbeiter
care worker: care worker, care workers
caregiver: caregiver, caregivers, carer, carers, aide soignant, aides soignants, aide soignante, aides soignantes, cuidador, cuidadores, cuidadora, cuidadoras
illustrator: illustrator, illustrators, illustratoren, illustratorin, illustratrice, illustrateur, illustrateurs, ilustrador, ilustradores, ilustradora, illustratori
animator: animator, animators, animatoren, animador, animadores
choreographer: choreographer, choreographers, choreograf, choreografen, choregraphe, choregraphes, coreografo, coreografos
dancer: dancer, dancers, tanzer, tanzern, danseur, danseurs, danseuses, bailarin, bailarines
musician: musician, musicians, musiker, musikern, musicien, musiciens, musico, musicos, musicisti
composer: composer, composers, komponist, komponisten, compositeur, compositeurs, compositor, compositores
songwriter: songwriter, songwriters
singer: singer, singers
actor: actor, actors, actress, actresses, schauspieler, schauspielern, acteur, comediens, comedien, actores, attori
filmmaker: filmmaker, filmmakers, filmemacher, filmemachern, cineaste, cineastes, cineasta, cineastas, videographer, videographers, videograf, videografen
cinematographer: cinematographer, cinematographers, cameraman, cameramen, kameramann, kameraleute, cadreur, cadreurs
archivist: archivist, archivists, archivar, archivare, archivaren, archiviste, archivistes, archivero, archiveros, archivista, archivisti
conservator: conservator, conservators, restaurator, restauratoren
historian: historian, historians, historiker, historikern, historien, historiens, historiador, historiadores
archaeologist: archaeologist, archaeologists, archeologist, archeologists, archaologe, archaologen, archeologue, archeologues, arqueologo, arqueologos
pastor: pastor, pastors, pastoren, pfarrer, pfarrern, pfarrerin, pasteur, pasteurs, pastores
priest: priest, priests, priester, pretre, pretres, sacerdote, sacerdotes
butcher: butcher, butchers, metzger, metzgern, metzgermeister, fleischer, fleischern, boucher, bouchers, carnicero, carniceros, macellaio, macellai, slager, slagers
pastry chef: pastry chef, pastry chefs, konditor, konditoren, konditormeister, patissier, patissiers, pastelero, pasteleros, pasticcere, pasticceri
fishmonger: fishmonger, fishmongers, fischhandler, poissonnier, poissonniers, pescadero, pescaderos
florist: florist, florists, floristen, floristin, floristinnen, fleuriste, fleuristes, florista, floristas, fiorista, fioristi, bloemist, bloemisten
beekeeper: beekeeper, beekeepers, imker, imkern, imkerin, apiculteur, apiculteurs, apicultor, apicultores, apicoltore, apicoltori
winegrower: winegrower, winegrowers, winzerin, vigneron, vigneronne, viticulteur, viticultor, viticultores, viticoltore, viticoltori
forester: forester, foresters, forster, forstern, revierforster, forestier, forestiers
fisherman: fisherman, fishermen, fischer, pecheur, pecheurs, pescador, pescadores
carpenter: carpenter, carpenters, zimmermann, zimmerleute, zimmerer, zimmerern, tischler, tischlern, tischlermeister, schreiner, schreinern, schreinermeister, charpentier, charpentiers, menuisier, menuisiers, carpintero, carpinteros, falegname, falegnami, timmerman, timmerlieden, carpinteiro, carpinteiros
joiner: joiner, joiners
welder: welder, welders, schweisser, schweissern, soudeur, soudeurs, soldador, soldadores, saldatore, saldatori, lasser, lassers
machinist: machinist, machinists, zerspanungsmechaniker, zerspanungsmechanikern, usineur, usineurs
toolmaker: toolmaker, toolmakers, werkzeugmacher, werkzeugmachern, werkzeugmechaniker, outilleur, outilleurs
blacksmith: blacksmith, blacksmiths, schmied, schmiede, forgeron, forgerons, herrero, herreros
bricklayer: bricklayer, bricklayers, mason, masons, maurer, maurern, maurermeister, macon, macons, albanil, albaniles, muratore, muratori, metselaar, metselaars
plasterer: plasterer, plasterers, stuckateur, stuckateure, stuckateuren, platrier, platriers
glazier: glazier, glaziers, glaser, glasern, glasermeister, vitrier, vitriers
tiler: tiler, tilers, fliesenleger, fliesenlegern, carreleur, carreleurs
chimney sweep: chimney sweep, chimney sweeps, schornsteinfeger, schornsteinfegern, kaminkehrer, ramoneur, ramoneurs
concierge: concierge, concierges, hotelportier
caretaker: caretaker, caretakers, hausmeister, hausmeistern, gardien d immeuble, gardiens d immeuble, janitor, janitors
housekeeper: housekeeper, housekeepers, hausdame, hausdamen, gouvernante, gouvernantes, gobernanta, gobernantas
cleaner: cleaner, cleaners, reinigungskraft, reinigungskrafte
waiter: waiter, waiters, kellner, kellnern, serveur, serveurs, camarero, camareros, cameriere, camerieri
barista: barista, baristas
beautician: beautician, beauticians, kosmetikerin, kosmetikerinnen, kosmetiker, estheticienne, estheticiennes, esteticista, esteticistas, estetista, estetiste
stylist: stylist, stylists, stylisten, styliste, stylistes, estilista, estilistas
makeup artist: makeup artist, makeup artists, make up artist, make up artists, visagist, visagisten, maquilleuse, maquilleuses, maquillador, maquilladores
tattoo artist: tattoo artist, tattoo artists, tatowierer, tatowierern, tatoueur, tatoueurs, tatuador, tatuadores
artist: artist, artists, kunstler, kunstlern, kunstlerin, kunstlerinnen, artiste, artistes, artista, artistas, artisti
sculptor: sculptor, sculptors, bildhauer, bildhauern, sculpteur, sculpteurs, escultor, escultores
tailor: tailor, tailors, schneider, schneidern, schneiderin, tailleur, tailleurs, sastre, sastres, sarto, sarti
seamstress: seamstress, seamstresses, couturiere, couturieres
pattern maker: pattern maker, pattern makers, patternmaker, patternmakers, modeliste, modelistes, patronista, patronistas
visual merchandiser: visual merchandiser, visual merchandisers
geologist: geologist, geologists, geologe, geologen, geologin, geologue, geologues, geologo, geologos, geologi
geophysicist: geophysicist, geophysicists, geophysiker, geophysikern
hydrologist: hydrologist, hydrologists, hydrogeologist, hydrogeologists
meteorologist: meteorologist, meteorologists, meteorologe, meteorologen
ecologist: ecologist, ecologists, okologe, okologen, ecologue, ecologues
toxicologist: toxicologist, toxicologists, toxikologe, toxikologen
epidemiologist: epidemiologist, epidemiologists, epidemiologe, epidemiologen
microbiologist: microbiologist, microbiologists, mikrobiologe, mikrobiologen
biostatistician: biostatistician, biostatisticians
bioinformatician: bioinformatician, bioinformaticians, bioinformatiker, bioinformatikern
mathematician: mathematician, mathematicians, mathematiker, mathematikern
sociologist: sociologist, sociologists, soziologe, soziologen
anthropologist: anthropologist, anthropologists
linguist: linguist, linguists, linguisten
translator: translator, translators, ubersetzer, ubersetzern, ubersetzerin, ubersetzerinnen, traducteur, traducteurs, traductrice, traductrices, traductor, traductores, traductora, traductoras, traduttore, traduttori, vertaler, vertalers, tradutor, tradutores
interpreter: interpreter, interpreters, dolmetscher, dolmetschern, dolmetscherin, dolmetscherinnen, interprete, interpretes
stevedore: stevedore, stevedores, dockworker, dockworkers, hafenarbeiter, estibador, estibadores
harbour master: harbour master, harbour masters, harbor master, harbor masters, harbourmaster, harbourmasters, hafenmeister, hafenmeistern, hafenkapitan, capitaine de port, capitaines de port, capitan de puerto
ship captain: ship captain, ship captains, skipper, skippers, kapitan, kapitane, schiffsfuhrer
pentester: pentester, pentesters, penetration tester, penetration testers
croupier: croupier, croupiers
auctioneer: auctioneer, auctioneers, auktionator, auktionatoren, commissaire priseur, commissaires priseurs, subastador, subastadores
appraiser: appraiser, appraisers, valuer, valuers, gutachter, gutachtern, sachverstandiger, sachverstandige, sachverstandigen, tasador, tasadores, perito, peritos
bailiff: bailiff, bailiffs, gerichtsvollzieher, gerichtsvollziehern, huissier, huissiers
judge: judge, judges, richter, richtern, richterin, juez, jueces, giudice, giudici
magistrate: magistrate, magistrates
prosecutor: prosecutor, prosecutors, staatsanwalt, staatsanwalte, staatsanwalten, procureur, procureurs, fiscal, fiscales
barrister: barrister, barristers
patent attorney: patent attorney, patent attorneys, patentanwalt, patentanwalte, patentanwalten, patentanwaltin, conseil en propriete industrielle, agente de patentes
mediator: mediator, mediators, mediatoren, mediateur, mediateurs, mediador, mediadores
insolvency administrator: insolvency administrator, insolvency administrators, insolvenzverwalter, insolvenzverwaltern, administrateur judiciaire, administrateurs judiciaires, mandataire judiciaire, administrador concursal, administradores concursales
firefighter: firefighter, firefighters, feuerwehrmann, feuerwehrleute, pompier, bombero
paramedic: paramedic, paramedics, notfallsanitater, rettungssanitater, ambulancier, ambulanciers, paramedico, paramedicos
midwife: midwife, midwives, hebamme, hebammen, sage femme, sages femmes, matrona, matronas, comadrona, comadronas, ostetrica, ostetriche, verloskundige, verloskundigen
paediatrician: paediatrician, paediatricians, pediatrician, pediatricians, kinderarzt, kinderarzte, kinderarzten, kinderarztin, pediatre, pediatres, pediatra, pediatras, pediatri
gynaecologist: gynaecologist, gynaecologists, gynecologist, gynecologists, frauenarzt, frauenarzte, frauenarzten, gynakologe, gynakologen, gynecologue, gynecologues, ginecologo, ginecologos
oncologist: oncologist, oncologists, onkologe, onkologen, oncologue, oncologues, oncologo, oncologos
neurologist: neurologist, neurologists, neurologe, neurologen, neurologue, neurologues, neurologo, neurologos
ophthalmologist: ophthalmologist, ophthalmologists, augenarzt, augenarzte, augenarzten, augenarztin, ophtalmologue, ophtalmologues, oftalmologo, oftalmologos, oculisti
psychiatrist: psychiatrist, psychiatrists, psychiater, psychiatern, psychiatre, psychiatres, psiquiatra, psiquiatras
urologist: urologist, urologists, urologe, urologen, urologue, urologues, urologo, urologos
anaesthetist: anaesthetist, anaesthetists, anesthesiologist, anesthesiologists, anasthesist, anasthesisten, anesthesiste, anesthesistes, anestesista, anestesistas
pathologist: pathologist, pathologists, pathologe, pathologen, patologo, patologos
orthopaedist: orthopaedist, orthopaedists, orthopade, orthopaden, orthopedist, orthopedists, orthopediste, orthopedistes, ortopeda, ortopedas
internist: internist, internists, internisten, interniste, internistes
podiatrist: podiatrist, podiatrists, podologe, podologen, podologin, podologue, podologues, podologo, podologos
osteopath: osteopath, osteopaths, osteopathen, osteopathe, osteopathes, osteopata, osteopatas
audiologist: audiologist, audiologists, horakustiker, horakustikern, horgerateakustiker, audioprothesiste, audioprothesistes, audiologo, audiologos
speech therapist: speech therapist, speech therapists, logopade, logopaden, logopadin, logopadinnen, orthophoniste, orthophonistes, logopeda, logopedas, logopedist, logopedisten, logopedista
occupational therapist: occupational therapist, occupational therapists, ergotherapeut, ergotherapeuten, ergotherapeutin, ergotherapeute, ergotherapeutes, terapeuta ocupacional, terapeutas ocupacionales
naturopath: naturopath, naturopaths, heilpraktiker, heilpraktikern, heilpraktikerin, heilpraktikerinnen, naturopathe, naturopathes
phlebotomist: phlebotomist, phlebotomists
radiographer: radiographer, radiographers, manipulateur radio, manipulateurs radio
embryologist: embryologist, embryologists
massage therapist: massage therapist, massage therapists, masseur, masseure, masseuren, masajista, masajistas
yoga teacher: yoga teacher, yoga teachers, yogalehrer, yogalehrerin, yogalehrerinnen, yogalehrern, professeur de yoga, professeurs de yoga, profesor de yoga, profesores de yoga
lecturer: lecturer, lecturers, dozent, dozenten, dozentin, maitre de conferences, maitres de conferences
tutor: tutor, tutors, nachhilfelehrer
educator: educator, educators, erzieher, erziehern, erzieherin, erzieherinnen, educateur, educateurs, educador, educadores, educadora, educadoras
kindergarten manager: kitaleiter, kitaleiterin, kitaleiterinnen, kitaleitung, kitaleitungen, kindergartenleitung, directrice de creche, directrices de creche
nanny: nanny, nannies
counsellor: counsellor, counsellors, counselor, counselors
referee: referee, referees, schiedsrichter, schiedsrichtern, arbitre, arbitres
groundskeeper: groundskeeper, groundskeepers, greenkeeper, greenkeepers
lifeguard: lifeguard, lifeguards, bademeister
zookeeper: zookeeper, zookeepers, tierpfleger, tierpflegern
locomotive driver: train driver, train drivers, lokfuhrer, lokfuhrern, triebfahrzeugfuhrer, conducteur de train, conducteurs de train, maquinista, maquinistas
truck driver: truck driver, truck drivers, lkw fahrer, lkw fahrern, kraftfahrer, kraftfahrern, berufskraftfahrer, chauffeur routier, chauffeurs routiers, camionero, camioneros, camionista, camionisti, vrachtwagenchauffeur, vrachtwagenchauffeurs, caminhoneiro, caminhoneiros
chauffeur: chauffeur, chauffeurs
crane operator: crane operator, crane operators, kranfuhrer, kranfuhrern, grutier, grutiers, gruista, gruistas
machine operator: machine operator, machine operators, maschinenfuhrer, maschinenfuhrern, conducteur de machine, conducteurs de machine, operador de maquinaria
rigger: rigger, riggers
scaffolder: scaffolder, scaffolders, gerustbauer, gerustbauern
driller: driller, drillers
blaster: blaster, blasters, sprengmeister
hunter: hunter, hunters
breeder: breeder, breeders
groom: groom, grooms
upholsterer: upholsterer, upholsterers, polsterer, polsterern, tapissier, tapissiers, tapicero, tapiceros
bookbinder: bookbinder, bookbinders, buchbinder, buchbindern, relieur, relieurs
typesetter: typesetter, typesetters
proofreader: proofreader, proofreaders, lektor, lektoren, lektorin, lektorinnen, correcteur, correcteurs
columnist: columnist, columnists
podcaster: podcaster, podcasters
blogger: blogger, bloggers, bloggern, blogueur, blogueurs
author: author, authors, autor, autoren, autorin, auteur, auteurs, autores
screenwriter: screenwriter, screenwriters, drehbuchautor, drehbuchautoren, scenariste, scenaristes, guionista, guionistas
typographer: typographer, typographers
retoucher: retoucher, retouchers
colorist: colorist, colorists
gaffer: gaffer, gaffers
luthier: luthier, luthiers, geigenbauer, klavierbauer
organist: organist, organists, organisten
magician: magician, magicians, zauberer, zauberern
astronomer: astronomer, astronomers
demographer: demographer, demographers
urban planner: urban planner, urban planners, town planner, town planners, stadtplaner, stadtplanern, stadtplanerin, urbaniste, urbanistes, urbanista, urbanistas
cartographer: cartographer, cartographers, kartograf, kartografen
geomatician: geomatician, geomaticians, vermesser, vermessern, vermessungsingenieur, vermessungsingenieure, geometre, geometres, topografo, topografos
bim manager: bim manager, bim managers
mining engineer: mining engineer, mining engineers, bergbauingenieur, bergbauingenieure, ingenieur des mines, ingenieurs des mines, ingeniero de minas, ingenieros de minas
structural engineer: structural engineer, structural engineers, statiker, statikern, tragwerksplaner, tragwerksplanern, ingenieur structure, ingenieurs structure, ingeniero estructural, ingenieros estructurales
industrial engineer: industrial engineer, industrial engineers, wirtschaftsingenieur, wirtschaftsingenieure, ingeniero industrial, ingenieros industriales
chemical engineer: chemical engineer, chemical engineers, verfahrensingenieur, verfahrensingenieure, ingenieur chimiste, ingenieurs chimistes, ingeniero quimico, ingenieros quimicos
telecommunications engineer: telecommunications engineer, telecommunications engineers, ingeniero de telecomunicaciones, ingenieros de telecomunicaciones
environmental engineer: environmental engineer, environmental engineers, umweltingenieur, umweltingenieure, ingenieur environnement, ingenieurs environnement, ingeniero ambiental, ingenieros ambientales
sound engineer: sound engineer, sound engineers, toningenieur, toningenieure, tontechniker, tontechnikern, ingenieur du son, ingenieurs du son, ingeniero de sonido, ingenieros de sonido, tecnico de sonido, tecnicos de sonido, fonico, fonici
lighting designer: lighting designer, lighting designers, lichtplaner, lichtplanern, lichtdesigner, eclairagiste, eclairagistes
costume designer: costume designer, costume designers, kostumbildner, kostumbildnerin, costumier, costumiers
game designer: game designer, game designers, spieledesigner
laboratory technician: laboratory technician, laboratory technicians, lab technician, lab technicians, laborant, laboranten, laborantin, laborantinnen, technicien de laboratoire, techniciens de laboratoire, tecnico de laboratorio, tecnicos de laboratorio
pharmacist: pharmacien titulaire, pharmaciens titulaires, pharmacienne titulaire, pharmaciennes titulaires
pharmacy technician: pharmacy technician, pharmacy technicians, pta, ptas, preparateur en pharmacie, preparateurs en pharmacie
veterinary nurse: veterinary nurse, veterinary nurses, vet nurse, vet nurses, tierarzthelferin, tierarzthelferinnen
dental assistant: dental assistant, dental assistants, zahnarzthelferin, zahnarzthelferinnen, assistante dentaire, assistantes dentaires
travel designer: travel designer, travel designers
cruise director: cruise director, cruise directors
tour operator manager: tour operator manager, tour operator managers
ehs manager: ehs manager, ehs managers
change manager: change manager, change managers
retail store manager: retail store manager, retail store managers
film director: film director, film directors, filmregisseur, filmregisseure, regisseur, regisseure, regisseuren, regisseurin, realisateur, realisateurs, realisatrice, realisatrices, director de cine, directores de cine, regista, registi
casting director: casting director, casting directors, directeur de casting, directeurs de casting, director de casting, directores de casting
music director: music director, music directors, musical director, musical directors, generalmusikdirektor
call center manager: call center manager, call center managers, call centre manager, call centre managers, callcenter leiter, callcenterleiter, callcenter manager, contact center manager, contact center managers, contact centre manager, contact centre managers, responsable de centre d appels, responsables de centre d appels
workplace manager: workplace manager, workplace managers
quarry manager: quarry manager, quarry managers, steinbruchleiter
mine manager: mine manager, mine managers
port captain: port captain, port captains
golf professional: golf professional, golf professionals, golf pro, golf pros
fire marshal: fire marshal, fire marshals
estate planner: estate planner, estate planners
debt collector: debt collector, debt collectors
parking attendant: parking attendant, parking attendants
`

/** Role nouns that are heads only: with nothing in front of them they are too general to be a title. */
const BARE_HEADS =
  'adjuster adjusters, assembler assemblers, fitter fitters, installer installers, packer packers, picker pickers, loader loaders, keeper keepers, guard guards, guide guides, tuner tuners, monitor monitors, moderator moderators, scheduler schedulers, sourcer sourcers, modeler modelers, modeller modellers, valuer valuers, assessor assessors, examiner examiners, collector collectors, steward stewards, warden wardens, marshal marshals, officer officers, fellow fellows, technologist technologists, draftsman draftsmen, draughtsman draughtsmen, toolmaker toolmakers, sergeant sergeants, counsellor counsellors, host hosts, presenter presenters, buyer buyers, planner planners, hacker hackers, liaison liaisons, practitioner practitioners, paralegal paralegals, sommelier sommeliers, curator curators'

/** First the canonical word, then its plural: what may close a longer title. */
export const ROLE_HEADS: readonly (readonly [word: string, head: string])[] = [
  ...ROLE_PHRASES.trim()
    .split('\n')
    .flatMap(line => {
      const [title, phrases] = line.split(': ') as [string, string]
      const [singular, plural] = phrases.split(', ')
      if (title.includes(' ') || singular !== title || !plural) return []
      return [
        [singular, title],
        [plural, title],
      ] as const
    }),
  ...BARE_HEADS.split(', ').flatMap(line => {
    const [singular, plural] = line.split(' ') as [string, string]
    return [
      [singular, singular],
      [plural, singular],
    ] as const
  }),
]

/** Everyday nouns that may stand in front of a role noun and then belong to the title: "sound engineers", "land surveyors". */
export const NOUN_MODIFIERS: ReadonlySet<string> = new Set(
  'change sound land level game games wind water power light lighting fire call cost credit card content test field floor food garden home image language media music night order page paint paper pattern people performance press price pricing print process product program project property public quality record research road room safety school script sea service ship set site space speech sport sports stage stock store street support system systems team tool track trade traffic training travel treatment vehicle video visual voice waste web wedding weather wood work yard youth private social customs flight costume lab patient claims loss community policy affairs deal debt desk document door drive early energy engine estate event events export fish fitness flow forest form front fuel fund funds gas glass group growth guest hair hand health heat heating horse image import insurance interior kitchen law leather life line live loan machine market marine master material materials meat metal mine mining model motion motor movie museum network nuclear ocean oil park parking parts party pattern payments pet phone plant plastic platform play pool port post pressure protection pump radio rail railway recovery release rental repair reservoir resource response restaurant retail rights river robot roof route sales sample security set shift shop signal site skin soil solar song special spa staff steel story structure studio surface swim switch table tea tech technical theatre theater tile timber time tour town toy train tree truck tunnel type union unit urban user valve wall warehouse wealth wildlife window wine yacht zoo call-center street story casting motion character concept environment graphics pediatric dental industrial mental medical military naval natural occupational rural veterinary'.split(
    /\s+/,
  ),
)
