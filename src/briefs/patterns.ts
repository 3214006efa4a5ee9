import type { EmailStatus, EmailType, Suppression } from '../search/terms/vocabulary.ts'
import type { Item } from './numbers.ts'

/** What a brief says besides who, where and what: e-mail, suppression, windows of time, contacts per company. */
export interface Facts {
  emailStatus: EmailStatus[]
  emailTypes: EmailType[]
  suppress: Suppression[]
  contactedWithinDays?: number
  maxPerCompany?: number
  fundedWithinMonths?: number
  /** Years since founding ("younger than 5 years"), for callers that know what year it is. */
  companyAge?: { max?: number; min?: number }
  quotes: { field: string; value: unknown; first: number; last: number }[]
}

interface Encoded {
  text: string
  starts: number[]
}

// Words, quantities as "#", punctuation as itself, one space between: patterns see the brief without its typography.
function encode(items: readonly Item[]): Encoded {
  const starts: number[] = []
  let text = ''
  for (const item of items) {
    starts.push(text.length)
    text += `${item.kind === 'quantity' ? '#' : item.word} `
  }
  return { text, starts }
}

function itemAt(encoded: Encoded, offset: number): number {
  let low = 0
  let high = encoded.starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (encoded.starts[middle]! <= offset) low = middle
    else high = middle - 1
  }
  return low
}

const MAIL =
  '(?:e ?mails?|e ?mail address(?:es)?|mail address(?:es)?|addresses|mails?|e mail adressen?|mailadressen?|adresses?(?: e ?mails?| mails?)?|correos?(?: electronicos?)?|direcciones(?: de correo| de email)?|courriels?|indirizzi)'
function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.split(' '))
}

const DAYS: Record<string, number> = {}
for (const [days, words] of [
  [1, 'day days tag tage tagen jour jours dia dias dagen giorni'],
  [7, 'week weeks woche wochen semaine semaines semana semanas weken settimane'],
  [30, 'month months monat monate monaten mois mes meses maanden mesi mos'],
  [90, 'quarter quarters quartal quartale quartalen trimestre trimestres'],
  [365, 'year years jahr jahre jahren an ans annee annees ano anos jaar anni yr yrs'],
] as const) {
  for (const word of words.split(' ')) DAYS[word] = days
}
const UNIT = `(?<unit>${Object.keys(DAYS).join('|')})`
const LAST =
  '(?:last|past|previous|prior|recent|letzten|letzte|letzter|letztes|letztem|vergangenen|vergangene|vergangenem|dernier|derniers|derniere|dernieres|ultimo|ultimos|ultima|ultimas|pasado|pasados|afgelopen|ultimi)'
const WINDOW = `(?:(?:in|within|during|over|for|the|den|dem|der|im|innerhalb|au|cours|des|dans|les|ces|depuis|sur|en|durante|los|las|el|la|este|l|de|at|least|seit|il|y|a|desde|since|hace|nelle|negli|gli|van|von|moins|menos|weniger|als|less|than|du) ){0,5}(?:${LAST} )?(?:(?<count># )|half a |einem halben )?(?:${LAST} )?(?:full )?${UNIT}(?: ${LAST})?`
const CONTACTED =
  '(?:contacted|contacting|emailed|e mailed|mailed|reached out(?: to)?|reached|messaged|written to|pinged|approached|touched|spoken to|outreached|kontaktiert|kontaktierten|kontaktierte|angeschrieben|angeschriebene|angeschriebenen|angemailt|kontakt hatten|contactes|contacte|contactees|contactee|sollicites|sollicite|sollicitees|ecrit|contactados|contactado|contactadas|contactada|contactamos|contactado con|escrito|escribimos|contattati|contattato|benaderd|gecontacteerd|contatados|contactar)'
/** What may stand between a negation and "in our CRM"; anything else there belongs to the wish itself. */
const SMALL = wordSet(
  'already currently anyone anybody people person those ones lead leads contact contacts prospect prospects who that which are is be re not present stored exist exists existing listed found sitting saved everyone everybody any of the them we have got yet still all to me us show include want need a part enrolled running being been active actively bereits schon sind die kontakte noch personen ist wer jemand aktuell gerade stehen deja present presents presente presentes sont qui des les personnes ya esten estan este esta que personas contactos existan figuren quienes a los al zitten staan giaf presenti don t do haven t hasn t nicht keine kein ohne pas sans ne sin no not never exclude excluding skip without except leave out remove drop omit avoid filter ausser sauf exclure excluir excluyendo excepto salvo niet geen zonder non senza nao minus only i my our any other just',
)

const CONTACT_VERB = new RegExp(`(?:^|(?<= ))(?:${CONTACTED}|uncontacted)(?= )`, 'g')
const AFTER_CONTACT = new RegExp(`${WINDOW}(?= |$)`, 'y')
const NEGATIONS = wordSet(
  'not never haven hasn havent hasnt didn don dont none nobody no exclude excluding excl skip without except leave omit remove drop filter avoid minus nicht nie niemals kein keine keinen keiner ohne ausser ausschliessen ausgenommen pas jamais sans sauf exclure hors ne n sin nunca excluir excluyendo excepto salvo ningun evitar non mai senza escludi escludere geen niet nooit zonder uitsluiten nao sem excluindo',
)
const WE_DID = wordSet('we wir nous hemos we ve havent i anyone everyone people contacts leads whom')
const AFTERTHOUGHTS = wordSet(
  'before yet already previously so far in the past bisher zuvor antes auparavant deja by us von uns par nous por nosotros to him her them wurden worden haben ever',
)
const PREVIOUSLY =
  /(?:^|(?<= ))(?:uncontacted|unkontaktierte?n?|(?:previously|already|deja|ya|bereits|schon) (?:contacted|kontaktierte?n?|angeschriebene?n?|contactes|contactees|contactad[oa]s)|first touch only|cold leads only|prior contact|never heard from us|never been emailed|haven t heard from us)(?= )/g

const OURS =
  '(?:our|my|the|your|unserer|unserem|unsere|unser|meiner|meinem|der|dem|notre|nos|mon|ma|la|le|nuestra|nuestro|mi|el|onze|nostro|nostra|nossa|nosso)'
const STORE =
  '(?:database|db|crm|system|list|lists|records|address book|datenbank|crm system|bestand|kundenliste|adressbuch|base|base de donnees|fichier|base de datos|sistema|lista|bbdd|databank|database|workspace|account|hubspot|salesforce|pipedrive)'
const OWNED = [
  new RegExp(
    `(?:^|(?<= ))(?:in|from|on|within|aus|dans|en|nel|uit|na|no|into|part of) ${OURS} (?:own |current |existing |bestehenden |eigenen )?${STORE}\\b(?: (?:already|yet|bereits|sind|stehen|enthalten|vorhanden|deja|ya)){0,5}`,
    'g',
  ),
  /\b(?:only|just|nur|solo|uniquement|seulement|exclusively|ausschliesslich|alleen|somente|strictly)(?: (?:want|need|the|show|interested in|des|de|les|los)){0,5} (?:net )?(?:new|fresh|neue|neuen|frische|nouveaux|nouvelles|nouveau|nuevos|nuevas|nieuwe|novos|nuovi)(?: (?:leads?|contacts?|prospects?|people|kontakte|kontakten|records|contactos|personas|clientes potenciales|personen))?\b/g,
  /\b(?:net new|brand new|new|fresh|neue|nouveaux|nouveaux?|nuevos|frische) (?:leads?|contacts?|prospects?|kontakte|records|contactos)(?: (?:only|please|nur|uniquement|seulement|solo|solamente|unicamente))\b/g,
  /\b(?:net new)(?: (?:leads?|contacts?|prospects?|only|people)){0,5}\b/g,
  /\b(?:nouveaux contacts uniquement|leads nuevos|contactos nuevos|nuevos leads|nuevos contactos|neue leads|neukontakte)\b/g,
  /\b(?:(?:that|who|which|whom|people|leads|contacts|anyone|everyone|those|not ones|no one|nobody)(?: [^ .;:\n#,]{1,12}){0,3}? )?(?:we|i) (?:(?:already|currently) (?:have|own|know|bought|purchased|exported)|(?:have|own|bought|purchased|exported) already|don t (?:already )?(?:have|own)(?: (?:them|it))? ?(?:yet|already)?|do not (?:already )?have)(?: (?:yet|already|on file|on record|in our \S+)){0,5}\b/g,
  /\b(?:no|not|exclude|excluding|without|skip|except|leave out|remove|keine|ohne|ausser|sauf|sans|exclure|pas de|sin|excluir|excepto|excluyendo|geen|no a|avoid)(?: (?:any|our|my|all|the|unsere|unserer|bereits|nos|les|nuestros|los|a|to)){0,5} (?:existing|current|bestehende|bestehenden|bestehender|vorhandene|vorhandenen|known|existants?|actuels?|actuales|existentes|owned|already owned) (?:contacts?|customers?|clients?|leads?|prospects?|kunden|kontakte|kontakten|accounts|clientes|contactos)\b/g,
  /\b(?:noch nicht (?:bei uns|in unserem system|in der datenbank|im crm|im system)(?: [^ .;:\n#,]{1,12}){0,2}|die wir (?:noch nicht|bereits|schon) haben|que nous (?:n avons pas|avons) (?:deja|encore)|que nous n avons pas encore|deja (?:dans|presents? dans) (?:notre|nos|la|le) \S+|que (?:ya|no) (?:tenemos|tengamos)(?: ya)?(?: en \S+ \S+)?|die we (?:al|nog niet) hebben)\b/g,
  /\b(?:im|in unserem|in unserer|aus dem|aus unserem|ins|em nosso|al) (?:crm|datenbank|database|bestand|hubspot|salesforce)(?: (?:bereits|schon))?(?: (?:sind|stehen|haben|enthalten|vorhanden|vorkommen|gespeichert)){0,5}\b/g,
]
/** What is asked of every list anyway, and filters nobody: "remove duplicates", "dedupe the list". */
const DUPLICATES =
  /\b(?:(?:no|not|any|keine|keinerlei|ohne|sans|pas de|sin|exclude|excluding|without|remove|removing|avoid|drop|delete|filter out|clean out|strip|entfern\w*|losche\w*|supprime\w*|enleve\w*|retire\w*|eliminar?|elimine|quita\w*|evita\w*|geen|senza)(?: (?:any|all|the|out|alle|die|les|los|las|des|de|tous|todos|please)){0,3} )?(?:duplicates?|dupes?|doubles|dubletten|duplikate|doublons?|duplicad[oa]s|duplicati|dubbelen)(?: (?:contacts?|entries|records|rows|leads|kontakte|contactos|please|bitte|svp|from|in|the|list|liste|lista|stp)){0,4}\b|\b(?:dedupe|de dupe|dedup|deduped|deduplicated?|deduplizier\w*|dedoublonn\w*|desduplica\w*|deduplica\w*)(?: (?:the|this|my|our|it|them|list|results|file|please|la|le|liste|lista|die|bitte|by|on|email|domain)){0,4}\b/g
const IN_CAMPAIGN =
  /(?:^|(?<= ))(?:in|part of|enrolled in|to|on|into|dans|en|in einer|in einem|aus|aktiv in|bei)(?: (?:another|any|an|a|one|other|of|our|my|the|active|running|ongoing|current|existing|live|open|different|some|einer|einem|anderen|andere|anderer|laufenden|laufender|aktiven|aktiver|unseren|une|autre|autres|d|des|cours|nos|otra|otras|alguna|una|activas?|nuestras|campana|bereits|der|de|cualquier)){1,5} (?:campaigns?|sequences?|cadences?|kampagnen?|sequenz|sequenzen|campagnes?|campanas?|secuencias?|campagna|campagnes|outreach campaigns?)(?: (?:already|yet|right now|at the moment|laufen|sind|stecken|en cours|activas?|ya|in corso|running|stehen)){0,5}\b/g
const REPLIED =
  /(?:^|(?<= ))(?:replied|responded|answered(?: us)?|wrote back|written back|geantwortet|reagiert|repondu|respondido|respondieron|contestado|contestaron|risposto|gereageerd|respondeu)(?= )/g

const PER_COMPANY =
  /(?:^|(?<= ))(?:(?:max|never|more|than|maximum|at most|no more than|only|not more than|up to|just|limit(?:ed)?(?: to)?|maximal|hochstens|nur|bis zu|maximum de|au plus|au maximum|seulement|un seul|une seule|maximo|como maximo|solo|un solo|una sola|hasta|cap(?:ped)?(?: at)?|a|massimo|maximaal|de|of) ){0,3}(?<count>#|one|a single|single|1|a|an|ein|eine|einen|einer|einem|un|une|uno|una|un seul|une seule|een|um|uma)(?: [^ .;:\n#,]{1,16}){0,3}? (?:per|pro|je|par|por|a|each|from each|at each|in each|aus jedem|aus jeder|pro jedem|di|per elke)(?: (?:each|every|single|jedem|jeder|cada|chaque))? (?:company|companies|firm|business|account|organisation|organization|org|employer|domain|firma|unternehmen|betrieb|entreprise|societe|boite|empresa|compania|negocio|azienda|bedrijf|practice|shop|store|agency|kanzlei|site)\b/g

/** "one contact per home", "1 por hotel": whatever the companies are called, as long as it is no measure of time or money. */
const PER_ANYTHING =
  /(?:^|(?<= ))(?:(?:max|maximum|at most|no more than|only|not more than|up to|just|limit(?:ed)? to|maximal|hochstens|nur|bis zu|au plus|au maximum|seulement|une seule|un seul|maximo|como maximo|solo|un solo|una sola|hasta) ){0,3}(?<count>#|one|a single|single|ein|eine|einen|un|une|uno|una|un seul|une seule)(?: (?:contacts?|persons?|people|leads?|decision makers?|names?|seule|seul|sola|solo|kontakte?|ansprechpartner|personen|personnes?|interlocuteurs?|personas?|contactos?|decideurs?)){0,2} (?:per|pro|je|par|por)(?: (?:each|single|jeder|jedem|cada|chaque))? (?!(?:day|days|week|month|year|hour|quarter|person|head|capita|lead|leads|contact|email|mail|campaign|user|seat|employee|cent|click|sqm|tag|woche|monat|jahr|stunde|kopf|mitarbeiter|jour|semaine|mois|an|annee|heure|personne|tete|salarie|dia|semana|mes|ano|hora|persona|cabeza|empleado|ciento|favor|lo|la|el|e|ejemplo|example|se|annum|diem)\b)[a-z]{3,20}\b/g

const VERIFIED = new RegExp(
  `\\b(?:(?:only |nur |solo |uniquement |just |must have |needs? )?(?:verified|validated|valid|verifizierte[nrs]?|gepruft\\w*|gultige[nr]?|validierte[nr]?|bestatigte[nr]?|verificad[oa]s?|validad[oa]s?|valid[oa]s?|verifies|verifiees?|valides?|geverifieerde|verificate|verificati)(?: (?:and|or|business|work|corporate|professional|company|catch all|accept all|geschaftliche[nr]?|profesionales|corporativos|professionnel(?:le)?s?|pro|de empresa|o|und|oder)){0,5} ${MAIL}(?: only)?|${MAIL}(?: (?:only|must|should|has to|have to|need to|needs to|to|be|is|are|profesionales|corporativos|professionnels|professionnelles|pro|de trabajo|sind|electronicos|electronico)){0,5} (?:verified|validated|valid|verifiziert|gepruft|verifies|verifiees?|verifie|valides?|verificad[oa]s?|validad[oa]s?|valid[oa]s|verificate|geverifieerd)|verified (?:only|contacts|leads|contact data|profiles|data)|only verified|nur verifizierte|uniquement verifies?|solo verificados)\\b`,
  'g',
)
const VERIFIED_WORD = /^(?:verified|validated|verifiziert|gepruft|verifies?|verifiees?|valides?|verificad[oa]s?|validad[oa]s?)$/
const ACCEPT_ALL =
  /\b(?:(?:or|and|include|including|also|with|plus|und|oder|ou|et|o|y|ok|allow|accept|inklusive|avec)(?: [^ .;:\n#,]{1,10}){0,2}? )?(?:catch all|catchall|accept all)(?: (?:e ?mails?|addresses|domains|ok|okay|is ok|is fine|are fine|are ok|allowed|too|as well|adressen)){0,5}\b/g
const WITH_EMAIL =
  /\b(?:with(?: an?| their| any)?|have(?: an?)?|has(?: an?)?|having(?: an?)?|must have(?: an?)?|should have(?: an?)?|including(?: an?| their)?|need(?:s)?(?: an| their)?|where we have(?: an?)?|where there is(?: an)?|mit(?: einer)?|inklusive|avec(?: une| un| l| leur)?|con(?: un| una| su)?|que tengan(?: un| una)?|met(?: een)?|com)(?: (?:available|known|existing|gultiger|vorhandener|working|any))? (?:e ?mails?|e ?mail address(?:es)?|mail address(?:es)?|e mail adressen?|mailadressen?|adresses? e ?mails?|adresse mail|adresses mails?|correos?(?: electronicos?)?|courriels?)(?: (?:available|on file|known|vorhanden|disponible|disponibles|address|addresses)){0,5}\b(?! (?:marketing|marketers?|marketer|agencies|agency|tools?|security|campaigns?|software|automation|kampagnen))|\be ?mails? (?:required|needed|mandatory|a must|available|is a must|must exist|obligatorios?|obligatoire|necesario|erforderlich|notig|pflicht)\b|\breachable by e ?mail\b|\bper e ?mail erreichbar\b/g
const NO_EMAIL =
  /\b(?:without|no|missing|lacking|ohne|sans|sin) (?:an? |any |known )?(?:e ?mails?|e ?mail address(?:es)?|e mail adressen?|adresses? e ?mails?|correos?)(?: (?:address|addresses|yet|on file)){0,5}\b(?! (?:marketing|providers?|agencies))/g
const WORK_MAIL = new RegExp(
  `\\b(?:(?:only|nur|just|solo|uniquement|with|mit|avec|con) ){0,3}(?:(?:business|work|corporate|professional|company|office|geschaftliche[nr]?|geschafts|firmen|berufliche[nr]?|dienstliche[nr]?|zakelijke|aziendali) ${MAIL}|${MAIL} (?:professionnel(?:le)?s?|pros?|corporativ[oa]s?|de empresa|empresariales?|profesionales?|laborales?|de trabajo|aziendali|professionali|de la empresa))(?: (?:only|nur|bitte|uniquement|seulement|please|solo|solamente)){0,5}\\b`,
  'g',
)
const NO_PRIVATE =
  /\b(?:no|not|without|exclude|excluding|skip|except|avoid|keine?|ohne|sans|pas de|pas d|sauf|exclure|sin|nada de|excluir|geen|no a|niente|sem)(?: [^ .;:\n#,]{1,10}){0,2}? (?:gmails?|gmx|hotmail|yahoo|outlook com|aol|web de|free ?mail|freemail\w*|free e ?mail|webmail|personal|private[nr]?|privat|privates|persos?|personnel(?:le)?s?|personales|privad[oa]s?|gratuit[oa]?s?|persoonlijke)(?: (?:e ?mails?|mail|addresses|adressen|adresses?|accounts?|correos?|e mail adressen|adresse|domains|providers|or|and|oder|und|ou|et|o|y|hotmail|yahoo|outlook|gmail|etc|,|\/)){0,5}\b/g
const NO_ROLE =
  /\b(?:no|not|without|exclude|excluding|skip|avoid|keine?|ohne|sans|pas de|pas d|sin|nada de|excluir|geen)(?: [^ .;:\n#,]{1,10}){0,2}? (?:info|generic|role|role based|shared|generische[nr]?|allgemeinen?|generiques?|genericas?|genericos?|catch all inbox)(?: (?:at|e ?mails?|mail|addresses|adressen|adresses?|accounts?|correos?|e mail adressen|inboxes|mailboxes|style|based|or|and|sales|contact|;)){0,5}\b/g
const PERSONAL_MAIL =
  /\b(?:personal|private|privat\w*) (?:e ?mails?|e ?mail addresses|addresses|e mail adressen)(?: (?:only|ok|fine|too)){0,5}\b|\b(?:e ?mails?|correos?|adresses?) (?:personnel(?:le)?s?|personales|persos?)\b/g
const ROLE_MAIL = /\b(?:role based|role|generic|shared) (?:e ?mails?|addresses|mailboxes|inboxes)\b/g

const FUNDED =
  '(?:raised|raise|raising|funded|funding|financing|fundraise|fundraised|fundraising|closed (?:a |their |its )?(?:funding )?rounds?|announced (?:a )?(?:funding )?rounds?|received (?:funding|investment)|got (?:funding|funded)|investment|invested in|finanziert|finanzierung|finanzierungsrunde|finanzierungsrunden|funding runde|kapital|eingesammelt|geld aufgenommen|kapital aufgenommen|leve|levee|levees|levee de fonds|levees de fonds|leve des fonds|financement|tour de table|financees?|recaudado|recaudaron|levantado|financiacion|financiamiento|ronda|rondas|financiad[oa]s?|inversion|captado|raised money|raised capital|finanziate|gefinancierd)'
const FUNDED_WORD = new RegExp(`(?:^|(?<= ))${FUNDED}(?= )`, 'g')
const FUNDED_AGO = new RegExp(
  `(?:less than |weniger als |il y a |hace |vor |moins de |menos de |under ){1,3}(?<count># )?${UNIT}(?= |$)`,
  'y',
)
const AGE = new RegExp(
  `\\b(?:founded|established|started|incorporated|launched|created|gegrundet|gegrundete|gegrundeten|creees?|crees?|fondees?|fundad[oa]s?|cread[oa]s?|opgericht)(?: [^ .;:\\n#]{1,12}){0,3}? (?:in|within|during|in den|innerhalb|au cours|dans|en|durante|ces|depuis)(?: (?:the|der|den|des|les|los|las|el|la|de)){0,5} ${LAST} (?<count># )?(?:${LAST} )?${UNIT}(?: ${LAST})?\\b`,
  'g',
)

/** Cheap signs without which the dear patterns are not tried. */
const HINTS = new Map<RegExp, RegExp>([
  [DUPLICATES, /dup|doubl|dubl|dubb/],
  [PER_ANYTHING, /(?:#|one|single|ein|eine|einen|un|une|uno|una|seul|seule|[a-z]{4}) (?:per|pro|je|par|por) /],
  [NO_PRIVATE, /gmail|gmx|hotmail|yahoo|aol|web de|mail|privat|perso|gratuit|outlook/],
  [NO_ROLE, /info|generi|role|shared|allgemein/],
  [VERIFIED, /verif|valid|gepruft|gultig|bestatig/],
  [WITH_EMAIL, /mail|correo|courriel/],
  [WORK_MAIL, /mail|correo|adress|address|courriel|direcciones|indirizzi/],
  [
    PER_COMPANY,
    /(?:per|pro|je|par|por|a|each|jedem|jeder|di|elke|every|single|cada|chaque) (?:compan|firm|business|account|org|employer|domain|unternehmen|betrieb|entreprise|societe|boite|empresa|negocio|azienda|bedrijf|practice|shop|store|agency|kanzlei|site)/,
  ],
])

export function readPatterns(items: readonly Item[], consumed: Uint8Array): Facts {
  const facts: Facts = { emailStatus: [], emailTypes: [], suppress: [], quotes: [] }
  const encoded = encode(items)

  const each = (pattern: RegExp, handle: (match: RegExpMatchArray, first: number, last: number) => unknown, extend = false) => {
    const hint = HINTS.get(pattern)
    if (hint && !hint.test(encoded.text)) return
    let seen = 0
    for (const match of encoded.text.matchAll(pattern)) {
      if (++seen > MOST_MATCHES) return
      const lead = match[0].length - match[0].trimStart().length
      let first = itemAt(encoded, match.index + lead)
      const last = itemAt(encoded, match.index + match[0].trimEnd().length - 1)
      // The negation and small words in front belong to it: "excluding anyone already (in our database)".
      if (extend)
        while (first > 0 && items[first - 1]!.kind === 'word' && SMALL.has(items[first - 1]!.word) && !consumed[first - 1]) first--
      let free = 0
      for (let at = first; at <= last; at++) if (!consumed[at]) free++
      // A span that another pattern has read already says nothing new.
      if (free * 2 <= last - first + 1) continue
      if (handle(match, first, last) !== false) consumed.fill(1, first, last + 1)
    }
  }
  const quote = (field: string, value: unknown, first: number, last: number) => facts.quotes.push({ field, value, first, last })
  const push = <T>(list: T[], ...values: T[]) => {
    for (const value of values) if (!list.includes(value)) list.push(value)
  }
  const windowDays = (match: RegExpMatchArray, first: number, last: number): number => {
    const unit = DAYS[match.groups!.unit!]!
    if (match.groups!.count === undefined) return / half a | halben /.test(match[0]) ? Math.round(unit / 2) : unit
    for (let at = last; at >= first; at--) {
      const quantity = items[at]!.quantity
      if (quantity) return Math.round((quantity.plain ? quantity.min! : (quantity.max ?? quantity.min!)) * unit)
    }
    return unit
  }
  const suppress = (value: Suppression) => (_: RegExpMatchArray, first: number, last: number) => {
    push(facts.suppress, value)
    quote('suppress', value, first, last)
  }

  const perCompany = (match: RegExpMatchArray, first: number, last: number): boolean => {
    let count = 1
    if (match.groups!.count === '#') {
      for (let at = first; at <= last; at++) if (items[at]!.quantity) count = items[at]!.quantity!.max ?? items[at]!.quantity!.min ?? 1
    }
    if (count < 1 || count > 100) return false
    facts.maxPerCompany = Math.round(count)
    quote('maxPerCompany', facts.maxPerCompany, first, last)
    return true
  }
  each(PER_COMPANY, perCompany)
  if (facts.maxPerCompany === undefined) each(PER_ANYTHING, perCompany)
  each(CONTACT_VERB, (_, first, last) => {
    const from = negationBefore(items, first)
    if (from === undefined) return false
    // German puts the time first: "in den letzten 6 Monaten nicht angeschrieben".
    const earlier = windowBefore(encoded, items, first)
    const window =
      windowAfter(encoded, items, last, 4, AFTER_CONTACT) ?? (earlier && saysLast(items, earlier.first, earlier.last) ? earlier : undefined)
    if (window) {
      const days = windowDays(window.match, window.first, window.last)
      if (days < 1 || days > 3650) return false
      facts.contactedWithinDays = days
      const [start, end] = [Math.min(from, window.first), Math.max(last, window.last)]
      quote('contactedWithinDays', days, start, end)
      consumed.fill(1, start, end + 1)
      return false
    }
    let until = last
    while (until + 1 < items.length && items[until + 1]!.kind === 'word' && AFTERTHOUGHTS.has(items[until + 1]!.word)) until++
    push(facts.suppress, 'contacted')
    quote('suppress', 'contacted', from, until)
    consumed.fill(1, from, until + 1)
    return false
  })
  each(IN_CAMPAIGN, suppress('in_campaign'), true)
  each(REPLIED, (match, first, last) => {
    const from = negationBefore(items, first)
    if (from === undefined) return false
    consumed.fill(1, from, last + 1)
    return suppress('replied')(match, from, last)
  })
  each(DUPLICATES, () => true)
  for (const pattern of OWNED) each(pattern, suppress('owned'), true)
  each(PREVIOUSLY, suppress('contacted'), true)

  each(FUNDED_WORD, (_, first, last) => {
    if (facts.fundedWithinMonths !== undefined) return false
    const window =
      windowAfter(encoded, items, last, 6, AFTER_CONTACT) ??
      windowAfter(encoded, items, last, 4, FUNDED_AGO) ??
      windowBefore(encoded, items, first)
    if (!window || !saysLast(items, window.first, window.last)) return false
    const months = Math.max(1, Math.round((windowDays(window.match, window.first, window.last) * 12) / 365))
    if (months > 120) return false
    facts.fundedWithinMonths = months
    quote('fundedWithinMonths', months, Math.min(first, window.first), Math.max(last, window.last))
    // Only the window is used up: a stage or a sum beside it ("raised a Series B last year") must still be read.
    consumed.fill(1, window.first, window.last + 1)
    return false
  })
  each(AGE, (match, first, last) => {
    facts.companyAge = { max: Math.max(1, Math.round(windowDays(match, first, last) / 365)) }
    quote('founded', facts.companyAge, first, last)
    return true
  })

  each(NO_PRIVATE, (_, first, last) => {
    push(facts.emailTypes, 'work')
    quote('emailTypes', 'work', first, last)
  })
  each(NO_ROLE, (_, first, last) => {
    push(facts.emailTypes, 'work', 'personal')
    quote('emailTypes', 'work', first, last)
  })
  let verified = false
  each(VERIFIED, (match, first, last) => {
    verified = true
    push(facts.emailStatus, 'verified')
    quote('emailStatus', 'verified', first, last)
    if (/\b(?:catch all|accept all)\b/.test(match[0])) push(facts.emailStatus, 'accept_all')
    if (
      /\b(?:business|work|corporate|professional|company|geschaftlich|professionnel|pro|profesional|corporativ|de empresa)/.test(match[0])
    ) {
      push(facts.emailTypes, 'work')
      quote('emailTypes', 'work', first, last)
    }
  })
  each(ACCEPT_ALL, (_, first, last) => {
    if (!verified) push(facts.emailStatus, 'verified')
    push(facts.emailStatus, 'accept_all')
    quote('emailStatus', 'accept_all', first, last)
  })
  each(WORK_MAIL, (_, first, last) => {
    push(facts.emailTypes, 'work')
    quote('emailTypes', 'work', first, last)
    // "work emails only, verified": the second wish stands behind the comma.
    const joined = [',', 'and', 'und', 'et', 'y'].includes(items[last + 1]?.word ?? '')
    if (!joined || !VERIFIED_WORD.test(items[last + 2]?.word ?? '')) return
    push(facts.emailStatus, 'verified')
    quote('emailStatus', 'verified', last + 2, last + 2)
    consumed.fill(1, last + 1, last + 3)
  })
  each(PERSONAL_MAIL, (_, first, last) => {
    push(facts.emailTypes, 'personal')
    quote('emailTypes', 'personal', first, last)
  })
  each(ROLE_MAIL, (_, first, last) => {
    push(facts.emailTypes, 'role')
    quote('emailTypes', 'role', first, last)
  })
  each(NO_EMAIL, (_, first, last) => {
    push(facts.emailStatus, 'missing')
    quote('emailStatus', 'missing', first, last)
  })
  each(WITH_EMAIL, (_, first, last) => {
    if (verified) return
    push(facts.emailStatus, 'verified', 'accept_all', 'unverified')
    quote('emailStatus', 'verified, accept_all, unverified', first, last)
  })
  return facts
}

/** A text that says the same thing more often than this is not worth more of our time. */
const MOST_MATCHES = 24

/** The nearest negation before a verb, within its clause: "who we have not (contacted)". */
function negationBefore(items: readonly Item[], verb: number): number | undefined {
  let found: number | undefined
  let personal = false
  for (let at = verb - 1; at >= 0 && verb - at <= 9; at--) {
    const item = items[at]!
    if (item.kind !== 'word') break
    if (WE_DID.has(item.word)) personal = true
    if (NEGATIONS.has(item.word)) found = at
    else if (found !== undefined) break
  }
  if (found !== undefined) return found
  // "skip people, who replied": the negation stands before the comma or the noun; without any there is no wish.
  if (!personal) return undefined
  for (let at = verb - 1; at >= 0 && verb - at <= 14; at--) if (items[at]!.kind === 'word' && NEGATIONS.has(items[at]!.word)) return at
  return undefined
}

interface Window {
  match: RegExpMatchArray
  first: number
  last: number
}

/** A stretch of time within the next few words: "(contacted) in the last 3 months". */
function windowAfter(encoded: Encoded, items: readonly Item[], verb: number, words: number, pattern: RegExp): Window | undefined {
  for (let at = verb + 1; at < items.length && at <= verb + 1 + words; at++) {
    if (items[at]!.kind === 'punct' && items[at]!.word !== ',' && items[at]!.word !== '(') return undefined
    pattern.lastIndex = encoded.starts[at]!
    const match = pattern.exec(encoded.text)
    if (match) return { match, first: at, last: itemAt(encoded, encoded.starts[at]! + match[0].trimEnd().length - 1) }
  }
  return undefined
}

/** The same before the verb: "in the last year raised". */
function windowBefore(encoded: Encoded, items: readonly Item[], verb: number): Window | undefined {
  for (let at = verb - 2; at >= 0 && verb - at <= 9; at--) {
    if (items[at]!.kind === 'punct') return undefined
    if (!['in', 'within', 'during', 'over', 'im', 'innerhalb', 'au', 'dans', 'en', 'durante', 'ces'].includes(items[at]!.word)) continue
    AFTER_CONTACT.lastIndex = encoded.starts[at]!
    const match = AFTER_CONTACT.exec(encoded.text)
    if (match) return { match, first: at, last: itemAt(encoded, encoded.starts[at]! + match[0].trimEnd().length - 1) }
  }
  return undefined
}

const LAST_WORD = new RegExp(`^(?:${LAST.slice(3, -1)}|vor|hace|less|weniger|moins|menos|under|il|within|innerhalb)$`)

/** "raised in month three" names no window; one needs "last", "within" or the like. */
function saysLast(items: readonly Item[], first: number, last: number): boolean {
  for (let at = first; at <= last; at++) if (LAST_WORD.test(items[at]!.word)) return true
  return false
}
