/**
 * The broad tier of the rules: where no known phrase fits, ideas that occur together in one clause. "Entfernen Sie meine
 * Kontaktdaten" and "take this address out of your system" share no phrase, but both are removing with something to be
 * removed. Matched against folded text, clause by clause.
 */

interface Concept {
  /** All of these within one clause. */
  all: RegExp[]
  /** None of these. */
  none?: RegExp
  weight: number
}

const words = (...parts: string[]): RegExp => new RegExp(`(?<![a-z0-9])(?:${parts.join('|')})(?![a-z0-9])`)

const NEG = words(
  "not|no|never|nothing|none|neither|nor|without|[a-z]+n't|dont|cant|wont|cannot|nah|nope|hardly",
  'nicht|kein[a-z]*|nie|niemals|nichts|ohne|weder|nee|no',
  // "Plus" alone is "more"; only with "ne" or before what is to end is it "no more".
  "pas|jamais|aucun[a-z]*|rien|sans|inutile|ni|ne .{0,30}plus|n'[a-z]+ .{0,20}plus|plus (?:de|aucun|jamais)",
  'no|nunca|ningun[a-z]*|nada|sin|tampoco|jamas',
)
const CEASE = words(
  'stop(?! by)|stopped|cease|quit|refrain|desist|halt|block me',
  'aufhor[a-z]*|hor(?:en|t)? .{0,20}auf|unterlass[a-z]*|schluss mit|genug von|absehen|sehen .{0,40} ab|verschon[a-z]*',
  'arret[a-z]*|cess[a-z]*',
  'basta(?: ya)? de|dej[ae][a-z]* de|par(?:e|en|ad) de|cese[n]?',
)
const CONTACT = words(
  'e-?mails?|emailing|mails?|mailings?|messages?|messaging|contact(?:ed|ing)?|writ(?:e|ing|ten)|send(?:ing)?|outreach|communications?|newsletters?|marketing|receiv(?:e|ing)|hear(?:ing)? from|correspondence|spam',
  'kontakt[a-z]*|schreib[a-z]*|anschreib[a-z]*|angeschrieben|post|werb[a-z]*|mails?|nachrichten|zusend[a-z]*|zuschrift[a-z]*|belastig[a-z]*|bekommen|erhalten|anrufe?n?|newsletter',
  'contact[a-z]*|ecri[a-z]*|envo[a-z]*|mails?|messages?|sollicit[a-z]*|demarch[a-z]*|recevoir|relance[a-z]*|publicite|utiliser',
  'correos?|escrib[a-z]*|envi[a-z]*|mensajes?|recib[a-z]*|contact[a-z]*|mand[a-z]*|molest[a-z]*|publicidad|spam',
)
const FURTHER = words(
  'again|any ?more|further|longer|in (?:the )?future|any future|ever|these|nothing',
  'mehr|weiter[a-z]*|wieder|kunftig[a-z]*|in zukunft|langer|erneut|keinerlei',
  'plus|desormais|a nouveau|jamais',
  'mas|de nuevo|nunca|otra vez|nuevamente|volver[a-z]*|jamas',
)
const REMOVE = words(
  'remov(?:e|ed|al|ing)|delet(?:e|ed|ion|ing)|eras(?:e|ed|ure)|exclud(?:e|ed)|lose|unsubscrib(?:e|ed)|take .{0,30}(?:off|out)|(?:left|leave|keep|kept) .{0,12}(?:off|out)|purge|scrub|strike|wipe|drop (?:me|us)',
  'entfern[a-z]*|losch[a-z]*|streich[a-z]*|austrag[a-z]*|(?:nehm|nimm)[a-z]* .{0,30}(?:aus|raus|runter|von)|gestrichen|geloscht',
  'retir[a-z]*|supprim[a-z]*|suppression|effac[a-z]*|enlev[a-z]*|radi(?:er|ez|ation)|desinscri[a-z]*|desabonn[a-z]*|otez|ray(?:er|ez)',
  'borr[a-z]*|elimin[a-z]*|quit(?:ar|e|en|a|ad|eme|enme|ame)[a-z]*|sa(?:car|que)[a-z]*|saquen[a-z]*|suprim[a-z]*|baja',
)
const LIST_OR_DATA = words(
  'lists?|database|data|details|address|e-?mail address|systems?|files?|records|name|mailings?|outreach|crm|campaigns?|number',
  '[a-z]*verteiler[a-z]*|[a-z]*listen?|[a-z]*daten|datenbank|[a-z]*adresse|kartei|system',
  'listes?|base|fichiers?|coordonnees|donnees|adresse|envois?|diffusion|contacts?',
  'listas?|datos|ficheros?|base|direccion|correo|contactos|sistema',
)
const RIGHTS = words(
  'permitted|permission|consent|lawful|legal action|lawyer|solicitor|gdpr|ccpa|privacy|complaint|report(?:ed|ing)? you',
  'abmahn[a-z]*|anwalt[a-z]*|rechtlich[a-z]*|dsgvo|einwillig[a-z]*|anzeige|datenschutz[a-z]*',
  'rgpd|cnil|avocat|plainte|consentement|juridique',
  'rgpd|aepd|abogado|denunci[a-z]*|consentimiento|legal(?:es)?',
)

/** Missing a message, or asking for one at another time, uses the same words as wanting none. */
const WANTS_ONE = words(
  "(?:did not|didn't|haven't|have not|never) (?:yet )?(?:received?|get|got|hear[d]?|seen?)|months?|weeks?|quarter|instead|(?:no|any) longer (?:handle|deal|responsible|look|manage|work|in charge|the)",
  'nicht (?:erhalten|bekommen|angekommen)|nichts (?:erhalten|bekommen|gehort)|monaten?|wochen|quartal|herbst|sommer|fruhjahr|winter',
  "(?:n'ai|n'avons|pas) .{0,10}recu|mois|semaines?|tard|rentree",
  'no (?:he|hemos|me ha) (?:recibido|llegado)|mes(?:es)?|semanas?|tarde|adelante|verano',
)
const COMPLIANCE = words(
  'complian[a-z]*|comply|hosted|hosting|stored|storage|certified|policy',
  '[a-z]*konform[a-z]*|gehostet|gespeichert|zertifiziert|hosting',
  'conform[a-z]*|heberge[a-z]*|stockees?|certifie[es]*',
  'cumpl[a-z]*|aloja[a-z]*|almacen[a-z]*|certificad[oa]s?',
)

export const OPT_OUT_CONCEPTS: Concept[] = [
  { all: [REMOVE, LIST_OR_DATA], weight: 4 },
  { all: [CEASE, CONTACT], weight: 4 },
  { all: [NEG, CONTACT, FURTHER], none: WANTS_ONE, weight: 4 },
  { all: [RIGHTS, REMOVE], weight: 4 },
  { all: [words("m'oppose|nous opposons|widersprech[a-z]*|me opongo|object to"), CONTACT], weight: 4 },
  { all: [RIGHTS, words('data|daten|donnees|datos|marketing|werb[a-z]*|e-?mails?|mails?|correos?')], none: COMPLIANCE, weight: 4 },
  { all: [CEASE, words('it|that|this|now|please|bitte|svp|ya|immediately|sofort')], weight: 2 },
  { all: [words("(?:i )?(?:do not|don't|dont) want (?:these|this|them|it|any)")], weight: 2.5 },
]

/** What a business says it has or lacks a reason for. */
const REASON = words(
  'interest(?:ed|ing)?|needs?|fit|match|relevant|use|value|budget|plans?|planning|looking|require[a-z]*|adding|working|work|suit(?:ed|s)?|benefit|appetite|anything here|for (?:us|me)|sign off|see this|see how|going to buy|buying|switch(?:ing)?|chang(?:e|ing)|worth',
  'bedarf|interesse|interessiert|brauch[a-z]*|benotig[a-z]*|verwend[a-z]*|setzen .{0,30} ein|einsetz[a-z]*|spricht|passt|passend|relevant|nutz(?:en|bar)|sinn|lohnt|fur uns|wechsel[a-z]*|kaufen|anschaff[a-z]*',
  "besoins?|interes[a-z]*|budget|prevu|pour nous|ordre du jour|utile|pertinent|projet|correspond|convient|changer|insister|suite|l'utilite",
  'necesit[a-z]*|interes[a-z]*|encaj[a-z]*|presupuesto|contratar|para nosotros|util|cambiar|previsto|falta|prioridad|comprar',
)
const SETTLED = words(
  "on our radar|dropped the idea|covered by|in[ -]?house|internally|competitor|different direction|another (?:provider|vendor|supplier|direction|solution)|rather not|consolidat[a-z]*|sorted|we're (?:fine|good|ok|okay|happy)|(?:all )?fine as (?:is|we are)|happy (?:where|as)|stick(?:ing)? with|stay(?:ing)? with|disaster|disappoint|waste of|irrelevant|pointless|no way|i'm out|count (?:me|us) out",
  '(?<!inter)intern|uninteressant|kein thema|fehl(?:en|t) uns|festen partner|mitbewerber|wettbewerber|anderen anbieter|anderweitig|selbst entwickelt|gut sein|absehen|sehen davon ab|bleiben (?:bei|dabei)|verzichten|entschieden fur|fur einen [a-z]+ entschieden|falsche[rn]? (?:adressat|adresse)|unpassend|uberflussig',
  "tout ce qu'il faut|decliner|ne retient pas|en interne|autre (?:prestataire|fournisseur|solution|choix)|choix est fait|deja (?:choisi|decide|signe)|tout de meme|preferons|restons|sans interet|hors sujet",
  'no (?:vamos|voy) a|no hay dinero|internamente|otro proveedor|otra solucion|preferimos|seguir como|seguimos con|ya (?:hemos|elegimos|decidimos)|paso|descartad[oa]|irrelevante',
)

export const NEGATIVE_CONCEPTS: Concept[] = [
  { all: [NEG, REASON], none: words('now|yet|moment|momento|momentan|derzeit|jetzt|encore|todavia|until|bis|jusqu'), weight: 3 },
  { all: [SETTLED], weight: 3 },
]

const LATER = words(
  "afterwards|later|after (?:the|our|that|easter|christmas|summer|april|may|june)|revisit|until (?:the end|after|next)|(?:next|new) (?:quarter|year|fiscal|budget)|swamped|snowed under|busy|when i'm back|when i am back|on the road|(?:end|beginning|start|middle) of (?:the year|q[1-4]|[a-z]+ )|q[1-4]|in (?:spring|summer|autumn|fall|winter)",
  'spater|nach (?:ostern|weihnachten|dem|der|den)|(?:erste[sn]?|zweite[sn]?|dritte[sn]?|vierte[sn]?|nachste[sn]?) (?:quartal|halbjahr|jahr)|schieben|verschieben|anklopfen|jahresplanung|urlaubszeit|sobald|im (?:herbst|sommer|winter|fruhjahr)',
  "plus tard|apres (?:les|la|le)|l'annee prochaine|prochain trimestre|quand je|toute la semaine|rentree|deborde[es]*|en (?:septembre|octobre|novembre|decembre|janvier)",
  'mas tarde|despues (?:de|del)|el ano que viene|proximo (?:trimestre|ano)|de viaje|te leo|cierre de ano|cuando (?:vuelva|pueda|tenga)|en (?:otono|primavera|enero|septiembre|octubre)',
)
const SOMEBODY_ELSE = words(
  'handles?|in charge of|taken over|took over|replaced|is the one to|right person|best person|their address|my colleague|my successor|not my (?:area|department)|belongs to|decision maker|not up to me|left the (?:company|business)',
  'ubernommen|nachfolger(?:in)?|kolleg(?:e|in)|kummert sich|zustandig[a-z]*|an unsere?n?|gebe (?:das|es|ich)|weitergeben|nicht mehr .{0,25}tatig|fachabteilung|abteilung',
  "collegue|gere ce|s'occupe de|remplace|en charge|a quitte|service achats|responsable de|depend pas de moi",
  'companer[oa]|lo lleva|se encarga|responsable de|no depende de mi|direccion|en copia|departamento|ya no trabaj[a-z]*',
)
const ASKS_WHO = words(
  "which company|who are you|what company|where are you based|what is this about|what(?:'s| is) it about|clarify|again\\?|which of",
  'welche firma|wo sitzt|worum geht|was genau|wer sind',
  "de quoi s'agit|quelle (?:societe|entreprise)|qui etes|heberge[es]?",
  'de que (?:empresa|se trata)|que empresa|quien (?:es|eres)|donde esta[n]?',
)

export const NEUTRAL_CONCEPTS: Concept[] = [
  { all: [LATER], weight: 2.5 },
  { all: [SOMEBODY_ELSE], weight: 2.5 },
  { all: [ASKS_WHO], weight: 3 },
]

const MEET = words(
  'call|zoom|teams|meet(?:ing)?|chat|talk|demo|\\d+ ?min(?:ute)?s?|slot|availab[a-z]*|invit(?:e|ation)|calendar|conversation|phone|walk (?:me|us) through|in the room|catch up|discuss|hop on|trial|pilot|try it|test it|get (?:us )?started|show (?:me|us|her|him|them)',
  'telefon[a-z]*|termin[a-z]*|zeiten|gesprach|anschauen|ansehen|unterlagen|vorstell[a-z]*|testen|ausprobieren|videocall|demo|kennenlernen|austausch[a-z]*|machen wir|konnen wir machen',
  "appel[a-z]*|s'appelle|rendez[ -]vous|rdv|echang[a-z]*|telephonique|visio|creneaux?|nos bureaux|tester|essai|essayer|demo[a-z]*|presentation|references",
  'llamad[a-z]*|reunion|videollamada|hueco|propuesta|explic[a-z]*|te espero|demo[a-z]*|probar(?:lo)?|prueba|quedamos|vernos|presentacion|encajarnos',
)
const TIME = words(
  '(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri)(?:day)?|tomorrow|(?:this|next|later this) week|afternoons?|mornings?|\\d{1,2} ?(?:am|pm)|\\d{1,2}:\\d{2}|the \\d{1,2}(?:st|nd|rd|th)',
  'montag|dienstag|mittwoch|donnerstag|freitag|morgen|nachste[rn]? woche|\\d{1,2} uhr|halb [a-z]+|vormittags?|nachmittags?',
  'lundi|mardi|mercredi|jeudi|vendredi|demain|semaine prochaine|\\d{1,2} ?h(?:\\d{2})?|matin|apres-midi|prochain',
  'lunes|martes|miercoles|jueves|viernes|manana|semana que viene|proxima semana|a las \\d{1,2}|por la tarde',
)
const KEEN = words(
  "up for|count (?:me|us) in|i'm in|we're in|intriguing|worth (?:a|exploring|it)|my attention|exactly this|exactly what we|could be (?:useful|helpful|worth)|would like (?:this|that|to)|keen|love (?:this|it|to)|good fit|put together|sounds like|go ahead|priorit(?:y|ies) (?:this|for us)",
  'passend|durchaus|ein thema|kommt (?:gerade|genau)|genau (?:das|so|richtig)|neugierig|gern[e]?|warum nicht|hort sich|hatten sie|brauchen sie von uns|schlagen sie',
  'utile|priorites?|pourrait|veux bien|ok pour|partant|curieu[a-z]*|interessant|bonne idee|pile|justement',
  'encajar[a-z]*|interesante|nos vendria|buena idea|me apunto|cuenta conmigo|vale|nos viene bien|la vemos|te va bien|estupendo',
)
const MONEY = words(
  'pric(?:e|es|ing)|costs?|charge|rates?|quote|proposal|fees?|how much',
  'kosten|kostet|preis[a-z]*|angebot|konditionen|lizenz[a-z]*',
  'prix|tarifs?|couts?|coute|devis|offre',
  'precios?|costes?|costos?|cuesta|tarifas?|presupuesto|oferta',
)

export const POSITIVE_CONCEPTS: Concept[] = [
  { all: [MEET, TIME], weight: 3.5 },
  { all: [KEEN], weight: 2.5 },
  { all: [MONEY], weight: 2.5 },
  { all: [MEET], weight: 2 },
]

/** Where one thought ends and the next begins. */
export function clausesOf(text: string): string[] {
  return text.split(/[.!?;\n]+|,|\b(?:but|although|aber|sondern|mais|pero|sino)\b/).filter(clause => clause.trim() !== '')
}

export function conceptScore(clauses: string[], concepts: Concept[]): number {
  let sum = 0
  for (const { all, none, weight } of concepts) {
    const met = clauses.some(clause => all.every(idea => idea.test(clause)) && !none?.test(clause))
    if (met) sum += weight
  }
  return sum
}
