/**
 * The phrases by which replies are told apart, in English, German, French and Spanish.
 *
 * They are matched against folded text: lower case, no accents, straight quotes. A phrase that has been matched is
 * taken out before the next group looks, in the order opt-out, negative, neutral, positive; so "not interested" is not
 * also read as "interested".
 */

export interface Rule {
  pattern: RegExp
  weight: number
}

const rules = (weight: number, ...sources: string[]): Rule[] =>
  sources.map(source => ({ weight, pattern: new RegExp(`(?<![a-z0-9])(?:${source})(?![a-z0-9])`, 'g') }))

/** A whole reply that consists of nothing else. */
export const WHOLE_REPLY: {
  kind: 'opt_out' | 'positive' | 'negative' | 'neutral'
  pattern: RegExp
  confidence: number
}[] = [
  {
    kind: 'opt_out',
    confidence: 0.97,
    pattern:
      /^(please |pls |plz |bitte |svp |por favor |sofort |immediately )?(stop( pub| it| this| that)?|enough( already)?|es reicht|ca suffit|basta( ya)?|unsubscribe( me)?|remove( me)?|opt[ -]?out|take me off|abmelden|abbestellen|austragen|desabonnement|desinscription|desinscrire|desinscrivez[ -]moi|baja|dar(me)? de baja|eliminar|cancelar suscripcion|delete( me)?)( please| bitte| svp| s'il vous plait| por favor| thanks?| danke| merci| gracias)?$/,
  },
  {
    kind: 'positive',
    confidence: 0.75,
    pattern:
      /^(yes|yep|yeah|sure|of course|absolutely|definitely|interested|yes please|ja|ja gerne?|gerne?|ja bitte|klar|oui|oui merci|volontiers|avec plaisir|d'accord pour un appel|si|claro|por supuesto|adelante|con gusto|interesad[oa])$/,
  },
  {
    kind: 'negative',
    confidence: 0.85,
    pattern:
      /^(no|nope|nah|no thanks?|no thank you|pass|hard pass|nein|nein danke|ne|non|non merci|sans facon|no gracias|nada|nicht interessiert|pas interessee?s?)$/,
  },
  {
    kind: 'neutral',
    confidence: 0.7,
    pattern:
      /^(ok|okay|k|thanks?|thank you|received|noted|got it|will do|danke|erhalten|zur kenntnis genommen|merci|bien recu|bien recu merci|recu|recibido|recibido gracias|gracias|vale|de acuerdo)$/,
  },
]

export const OPT_OUT: Rule[] = [
  ...rules(
    4,
    // English
    '(?:please )?(?:un ?subscribe|remove|take|strike) (?:me|us|my (?:name|address|e-?mail(?: address)?|details))(?! up)',
    'remove (?:this|my|our) (?:e-?mail|address|name)',
    '(?:stop|quit|cease) (?:e-?mail|send|contact|writ|messag|spam|pester|harass|bother)(?:ing)?',
    "(?:do not|don't|dont|never|no longer|not) (?:ever )?(?:e-?mail|contact|write(?: to)?|message|bother|approach) (?:me|us|this|our|again|any)",
    "(?:you )?(?:do not|don't|didn't|did not|wouldn't|would not|stop|not) (?:e-?mail|contact|writ|messag)(?:e|ing)? (?:me|us) (?:again|any ?more|any further|any longer)",
    'no (?:more|further) (?:e-?mails?|messages?|contact|mails?|communication|correspondence)',
    'leave (?:me|us) alone',
    'off (?:your|this|the|any) (?:mailing |e-?mail |contact |distribution |marketing )?(?:list|lists|database)',
    '(?:delete|erase|remove) (?:all )?(?:of )?(?:my|our|any|the) (?:personal )?(?:data|details|information|address)',
    '(?:deletion|erasure|removal) of (?:all )?(?:my|our|any)? ?(?:personal )?data',
    'cease and desist',
    'want to unsubscribe|wish to unsubscribe|like to unsubscribe|unsubscribe (?:from|immediately|now|please)',
    'want to opt out|like to opt out|opt (?:me|us) out|opting out',
    "(?:did not|didn't|never|have not|haven't) (?:give )?(?:my )?consent",
    "(?:not|don't|do not) (?:want|wish) to (?:receive|get|hear)",
    "(?:will|i'll|going to|have|has) (?:be )?report(?:ed|ing)? (?:you|your)",
    'art(?:icle|\\.)? ?17|right to be forgotten',
    // German
    'aus (?:ihrem|eurem|deinem|dem|diesem) (?:mail)?verteiler|aus (?:ihrer|der|eurer) (?:liste|datenbank|kartei)|von (?:ihrer|der|eurer) (?:mailing)?liste',
    'keine? (?:weiteren?|mehr) (?:e-?mails?|mails?|nachrichten|werbung|zuschriften|kontaktaufnahme)',
    'keine (?:e-?mails?|mails?|nachrichten|werbung) mehr',
    '(?:nicht|nie) (?:mehr|wieder|weiter) (?:an)?(?:schreiben|kontaktieren|anmailen|kontaktiert|angeschrieben)',
    '(?:kontaktieren|schreiben|mailen) sie (?:mich|mir|uns) (?:bitte )?(?:nicht|nie) (?:mehr|wieder|weiter)',
    'hor(?:en|t) (?:sie )?(?:bitte )?auf|unterlassen sie|unterlassung',
    'widerspreche|widerspruch gegen',
    'loschen sie (?:bitte )?(?:umgehend |sofort )?(?:alle |meine|mich|unsere|die)|(?:daten|adresse|e-?mail-adresse) (?:zu )?loschen|loschung (?:meiner|aller|der)',
    'tragen sie (?:mich|uns) (?:bitte )?aus|streichen sie (?:mich|uns)|neh?m(?:en|t)?(?: sie| ihr)? (?:mich|uns)(?: [a-z]+){0,3} (?:aus|von|raus)',
    'mochte (?:ich )?(?:mich )?abmelden|melden sie mich (?:bitte )?ab|abbestellen',
    'nicht (?:mehr|weiter) (?:von ihnen|per e-?mail) (?:horen|kontaktiert|belastigt)',
    // French
    "(?:ne|de ne) (?:plus|pas) (?:me|m'|nous) ?(?:contacter|ecrire|envoyer|solliciter|relancer|demarcher|recontacter)",
    "ne (?:me|nous|m'|m) ?(?:contactez|ecrivez|envoyez|sollicitez|relancez|recontactez) plus|ne m'(?:ecrivez|envoyez) plus",
    '(?:retirer|retirez|supprimer|supprimez|enlever|enlevez|effacer|effacez|radier|otez)[ -](?:moi|nous|mon|mes|notre|nos|toutes)',
    "(?:me|m'|nous) (?:retirer|supprimer|enlever|desinscrire|desabonner|radier)",
    'desinscri(?:re|vez|s)[ -]?(?:moi|nous)?|desabonn(?:er|ez)[ -]?(?:moi|nous)?|me desabonner|me desinscrire',
    "arrete[zr] (?:de|d'|vos|ces)|cesse[zr] (?:de|d'|vos|tout)",
    'de (?:votre|vos|cette) (?:liste|listes|base|fichiers?)|liste de diffusion',
    'plus (?:recevoir|aucun (?:mail|message|e-?mail))|ne souhaite plus',
    // Spanish
    'dar(?:me|nos) de baja|(?:deme|denme|dame|dadme|denos) de baja|date? de baja a|quiero (?:la )?baja|solicito (?:la )?baja',
    '(?:elimin|borr|quit|retir|sac)(?:ar|e|en|a|ad|ame|eme|enme|arme|adme|enos|ennos|arnos)(?:me|nos)? (?:de (?:su|tu|vuestra|la|esta|sus|tus)|mis?|mi|nuestr)',
    'no (?:me|nos) (?:escrib|contact|envi|mand|molest)[a-z]* (?:mas|nunca|otra vez)|no (?:me|nos) (?:vuelva|vuelvas|vuelvan) a',
    'no vuelv(?:a|as|an) a (?:contactar|escribir|enviar|mandar|molestar)[a-z]*',
    '(?:dej|par)(?:e|en|a|ad) de (?:enviar|escribir|mandar|contactar|molestar|spam)[a-z]*',
    'no (?:quiero|deseo|queremos|deseamos) (?:recibir|que me)',
    'no mas (?:correos|mensajes|emails)',
  ),
  ...rules(
    2,
    'spam(?:mer|ming)?',
    'gdpr|dsgvo|rgpd|cnil|aepd',
    '(?:my|our|meinen?|mon|mi) (?:lawyer|solicitor|anwalt|avocat|abogado)',
    'ico',
  ),
]

export const NEGATIVE: Rule[] = [
  ...rules(
    4,
    // English
    "(?:not|isn't|aren't|am not|'m not|'re not|never|hardly|no longer) (?:really |currently |at all |very |particularly |something (?:we're|i'm) )?interested",
    'no interest|no,? thanks?(?: you)?|no thank you|thanks,? but no(?: thanks)?|hard pass|nope',
    "(?:we|i)(?:'ll| will| would|'d)? (?:have to |politely )?(?:pass|decline)(?: on this)?|it's a no|is a no",
    '(?:decided|chosen|opted) (?:not to|against)|not (?:going to )?(?:move|moving|proceed|proceeding|go|going) (?:forward|ahead)',
    "not (?:be )?(?:a |the right |a good |really a )?(?:fit|match|relevant|applicable|for (?:us|me))|isn't (?:for us|relevant|a fit|something we)",
    "(?:don't|do not|won't|doesn't) (?:see (?:a |the |any )?(?:need|fit|value|use)|need (?:this|it|that|your|any)|require)",
    'no (?:current |real )?(?:need|use|requirement|demand|plans?)(?: for| at| to| of)?|nothing (?:we|i) need',
    // German
    '(?:kein|keinerlei|null|nicht|wenig) (?:interesse|interessiert)|nein,? danke|danke,? nein',
    '(?:kein(?:en)?|aktuell kein(?:en)?|derzeit kein(?:en)?) bedarf|benotigen (?:das|so etwas|wir|dies)?[a-z ]{0,20}nicht|brauchen (?:das|so etwas|wir|dies)?[a-z ]{0,20}nicht',
    'nicht (?:in frage|infrage|relevant|von interesse|das richtige|passend)|(?:mussen|muss|mochten|mochte)[a-z ]{0,20}absagen|wir verzichten|lehnen (?:wir )?ab',
    // French
    "pas (?:du tout |vraiment )?(?:interesse|interessee|interesses|interessees|d'interet|besoin|de besoin)|ne (?:m'|nous |m )?interesse(?:nt)? pas|n'est pas interesse",
    "(?:n'avons|n'ai|n'avez) (?:pas|aucun) (?:de |le |besoin|l')|aucun (?:interet|besoin)|non merci|sans facon|sans suite|je decline|nous declinons",
    'ne (?:nous|me) (?:concerne|correspond|convient) pas|pas concernes?|ne donner(?:ons|ai)(?: pas)? suite|ne souhait(?:e|ons) pas',
    // Spanish
    'no (?:me|nos|le|les) interesa|no (?:estoy|estamos|esta) interesad[oa]s?|no,? gracias|gracias,? pero no|sin interes|ningun interes',
    'no (?:lo |la )?(?:necesitamos|necesito|encaja|procede|aplica|nos encaja|nos hace falta)|no (?:es|son) (?:para nosotros|lo que)',
  ),
  ...rules(
    3,
    // Already served, or settled
    "(?:we're|we are|i'm|all) (?:all )?(?:set|good|covered|sorted)(?: here| for now| thanks)?|already (?:have|use|work with|using|covered|working with|got|signed)",
    '(?:happy|satisfied|content) with (?:our|what|the|it)|went with|(?:signed|have signed|just signed) (?:with|a)|in[ -]house|built our own',
    'bereits (?:versorgt|einen|eine|gut|abgedeckt|im einsatz)|(?:schon|bereits) (?:einen|eine) (?:losung|anbieter|partner|dienstleister)|zufrieden|kein(?:en)? wechsel|gut (?:versorgt|aufgestellt)',
    "deja (?:equipes?|un prestataire|un fournisseur|une solution|en place|un partenaire|un outil)|satisfaits? (?:de|avec)|pas d'en changer|(?:sommes|suis) (?:deja )?(?:equipes?|servis)",
    'ya (?:tenemos|tengo|contamos|trabajamos|usamos|disponemos|trabajo)|(?:estamos|estoy) (?:contentos?|satisfechos?|cubiertos?|bien servidos?)',
    // Not wanted, softer
    "not (?:looking|in the market|a priority|something we)|too (?:expensive|costly|pricey)|(?:no|don't have (?:the |a )?|lack the) budget|can't justify|won't (?:be|work)",
    'kein budget|zu teuer|nicht geplant|nicht vorgesehen|haben uns (?:anders|gegen|fur einen anderen)',
    "pas (?:le |de )?budget|trop cher|pas prevu|pas d'actualite|ne (?:cherchons|recherchons) pas",
    'no (?:tenemos|hay|contamos con) presupuesto|demasiado car[oa]|no esta (?:previsto|en nuestros planes)|no (?:buscamos|estamos buscando)',
    // Sarcasm: delight at one more e-mail
    '(?:another|yet another|one more|a (?:third|fourth|fifth|tenth)) (?:cold |sales |spam |generic |marketing )?(?:e-?mail|pitch|mail|message)',
    'exactly what (?:i|my inbox|we) (?:needed|wanted)|just what i needed|made my day|(?:never|nobody) asked for|very convincing|scraped',
    'noch (?:eine|so eine|ne) (?:werbe|spam|verkaufs)?-?(?:e-?mail|mail|nachricht|werbung)|darauf habe ich gewartet|hat mir gerade noch gefehlt',
    'encore un (?:demarchage|mail|message|commercial|spam)|(?:il )?ne manquait plus que (?:ca|cela)|manquait plus que',
    'otro (?:correo|mail|email|mensaje)(?: comercial| de ventas| mas)?|lo que me faltaba|justo lo que necesitaba',
    // A farewell
    'good luck|best of luck|(?:viel|trotzdem viel) erfolg|bonne (?:continuation|chance)|(?:mucha )?suerte',
  ),
  ...rules(1.5, 'unfortunately|afraid', 'leider', 'malheureusement|desole[es]?', 'lo siento|lamentablemente', 'no'),
]

export const NEUTRAL: Rule[] = [
  ...rules(
    3.5,
    // Later
    "not (?:right )?(?:now|yet|today|this (?:quarter|year|month)|at (?:the|this) (?:moment|time|point|stage))|now (?:isn't|is not) (?:a |the )?(?:good|right|best)",
    'maybe (?:later|next|in|q[1-4]|after|some|another)|perhaps (?:later|next|in|after)|(?:some|another) other time|at a later',
    '(?:try|ask|check|contact|email|write|ping|reach|circle|come|get|touch|follow|resend|revisit)[a-z]*(?: (?:me|us|this|back|out|up|again|to|in|base|on|it|with))* (?:in|after|next|around) (?:(?:a|the|our|an?|your) )?(?:few|couple|six|three|two|four|new|year|summer|[a-z]+ (?:months?|weeks?|quarters?)|january|february|march|april|may|june|july|august|september|october|november|december|q[1-4]|spring|autumn|fall|winter|quarter|year|months?)',
    "(?:timing|time) (?:is(?:n't| not)?|isn't) (?:bad|right|good|off|wrong|difficult|ideal|great)|bad tim(?:e|ing)|(?:check|circle|come|get|touch) (?:back|base)(?: in| after| with)?|budget (?:is )?(?:frozen|spent|gone|closed)",
    '(?:momentan|aktuell|derzeit|zurzeit|im moment|gerade|jetzt|zeitlich)(?: [a-z]+){0,4} nicht|(?:passt|geht)(?: [a-z]+){0,4} nicht|noch nicht|vielleicht (?:spater|im|in|nachstes)|spater (?:noch ?mal|wieder|im)',
    '(?:melden|kontaktieren|schreiben|fragen|kommen|versuchen) sie (?:sich|mich|uns|es|gern|gerne|bitte|doch|auf mich)?(?: [a-z]+){0,6} (?:herbst|winter|sommer|fruhjahr|monaten?|wochen|jahr|quartal|halbjahr|januar|februar|marz|april|mai|juni|juli|august|september|oktober|november|dezember)|(?:ersten|zweiten|nachsten) (?:halbjahr|quartal|jahr)',
    "pas (?:pour le moment|maintenant|actuellement|pour l'instant|en ce moment|le (?:bon )?moment|encore)|plus tard|(?:recontactez|revenez|relancez|rappelez|reprenez)[a-z -]{0,25}(?:rentree|mois|annee|trimestre|janvier|fevrier|mars|avril|mai|juin|juillet|aout|septembre|octobre|novembre|decembre)|(?:apres|a) la rentree|bon moment",
    '(?:ahora|de momento|por ahora|por el momento|en este momento|actualmente)(?: mismo)? no|quizas? (?:mas adelante|en|el|despues)|mas adelante|tal vez (?:mas|en|el)|(?:escrib|contact|llam|habl)[a-z]*(?: de nuevo| otra vez)? (?:despues|en (?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|unos|un par|otono|primavera)|tras|pasado)|todavia no|aun no',
    "(?:let's|lets|let us|lassen sie uns|lass uns)(?: [a-z]+){0,6} (?:revisit|postpone|park|push|table|schieben|verschieben|vertagen)",
    // Somebody else
    "(?:not|no longer|isn't|wrong) (?:the |be the )?(?:right |best |correct )?(?:person|contact|department|address|guy|one to)|wrong (?:address|person|[a-z]+)|(?:you'd|you would|you'll|you) (?:have to|need to|should|want to|might want to) (?:speak|talk|write|reach out|contact|ask)|(?:speak|talk) (?:to|with) (?:my|our|the)|try (?:[a-z]+ )?in [a-z]+",
    "(?:i'm|i am|i) (?:no longer|not) (?:looking after|responsible|in charge|dealing|handling|involved|at|with)|(?:i )?left (?:the company|[a-z]+ in)|can't help",
    "(?:have |'ve |has )?(?:passed|forwarded|shared|sent|relayed) (?:this|it|your|that)(?: [a-z]+){0,2} (?:on|to|along|with)|(?:passing|forwarding|passed) (?:this|it|your)",
    'nicht (?:zustandig|der richtige|die richtige|mein bereich|verantwortlich)|(?:richtiger?|falscher?|falsche) ansprechpartner(?:in)?|wenden sie sich|(?:weitergeleitet|weitergegeben|leite (?:ich|das|es)[a-z ]* weiter)|bitte an ',
    "pas (?:la bonne personne|le bon (?:interlocuteur|contact)|en charge|la personne)|(?:je )?(?:transmets|transfere|fais suivre|transmis|transfere)|ne m'occupe (?:plus|pas)|voyez avec|adressez[ -]vous|(?:contactez|ecrivez a) (?:la|le|mon|ma|notre|monsieur|madame)",
    'no (?:soy|eres|es) (?:la |el )?(?:persona|responsable|contacto|indicad)|no (?:llevo|gestiono|me encargo|me ocupo)|(?:he |hemos )?(?:reenviado|pasado|derivado|trasladado)|habla con|hable con|escriba a|escribe a|dirijase|contacte con',
    // Who are you
    'how did you (?:get|find|come|obtain)|where did you (?:get|find)|who (?:is this|are you|gave)|do i know you|have we met',
    'woher (?:haben|kennen|hast)|wie (?:sind|kommen|kamen) sie (?:auf|an|zu)|wer (?:sind|ist)',
    "(?:comment|ou) (?:avez[ -]vous|as[ -]tu) (?:eu|obtenu|trouve)|qui (?:vous a|etes|t'a|est)|d'ou (?:vient|tenez)",
    'de donde (?:ha|has|han|sac|saco|sacas)|como (?:ha|has|han|consigui|obtuv)[a-z]*|quien (?:eres|es|le|te|os)',
  ),
  ...rules(
    2,
    "i'll (?:have a look|take a look|look into|think|consider|keep)|when i (?:find|get|have) (?:the |some |a )?(?:time|chance|moment)|keep (?:it|you|this) (?:in mind|on file)",
    'what exactly|what (?:is|does) (?:your|this)(?: company)?|is your company|what do you do',
    'zur kenntnis|danke fur die (?:info|information|nachricht)|schaue? (?:ich )?(?:es )?mir[a-z ]{0,20} an|in drei monaten|kompatibel',
    "bien recu|j'ai bien recu|pris note|je regarderai",
    'recibido|tomo nota|lo (?:miro|mirare|revisare|vere)',
    'received|noted|got it|acknowledged',
  ),
]

const DAY_EN = '(?:mon|tue|tues|wed|thu|thur|thurs|fri)(?:day|sday|nesday|rsday|urday)?|tomorrow|next week|this week'
const DAY_DE = 'montag|dienstag|mittwoch|donnerstag|freitag|morgen|nachste woche|nachster woche|kommende woche'
const DAY_FR = 'lundi|mardi|mercredi|jeudi|vendredi|demain|semaine prochaine|cette semaine'
const DAY_ES = 'lunes|martes|miercoles|jueves|viernes|manana|proxima semana|semana que viene|esta semana'

export const POSITIVE: Rule[] = [
  ...rules(
    4,
    // English
    "(?:i'm|i am|we're|we are|we'd be|i'd be|would be|definitely|very|quite|be|am|are|actually) (?:very |definitely |actually |certainly |quite )?(?:interested|keen|open to|curious)|interested in (?:hearing|learning|seeing|a|talking|finding)|(?:you )?(?:have|got|caught) my (?:interest|attention)",
    "(?:love|like|glad|happy|keen|delighted|pleased|open|want|interested) to (?:see|hear|learn|know|talk|chat|discuss|meet|have|set|take|connect|explore|jump|schedule|try|speak|find out|arrange)|happy to|(?:let's|lets|let us|shall we|can we|could we|we can|we could) (?:talk|chat|speak|meet|set|do|schedule|discuss|connect|find|book|arrange|have|jump|hop|catch)",
    '(?:call|phone|ring) me|give me a (?:call|ring|buzz)|(?:set|setting) (?:up|something up)|(?:schedule|book|arrange|organi[sz]e|grab) (?:a|some|time|an|something)(?: [a-z]+){0,2}|(?:send|share)[a-z]*(?: (?:me|us|over|through|along|across))?(?: (?:your|the|a|an|some|more|any|over|further|calendar))* (?:details?|info|information|pricing|prices?|deck|link|invite|invitation|one[ -]pager|brochure|quote|proposal|times?|slots?|case stud(?:y|ies)|material|references?|presentation|overview|calendar)',
    'tell me more|(?:more|further) (?:info|information|details)|learn more|hear more|(?:show|see|book|schedule|have|get|do|arrange|like|love|for) (?:me |us )?(?:a |the |an? )?(?:quick |short |live )?(?:demo|trial|pilot|walkthrough)|sign (?:me|us) up|(?:free|available|around) (?:on |for |at |this |next |in |any)|what (?:does|would|about|are) (?:a |the |it |your )?(?:demo|pilot|implementation|next steps?|trial|onboarding|pricing|price|cost|rates?)',
    "how much|(?:what's|what is|whats|what are) (?:the|your) (?:price|cost|pricing|rates?)|pricing|(?:on|in|via|through) my calendar|calendar link|(?:cal|calendly)\\.[a-z]+/\\S+|https?://cal[a-z]*\\.\\S+",
    "(?:sounds|looks|seems) (?:good|great|interesting|promising|intriguing|useful|exciting|like a plan|perfect|right up)|this is (?:timely|relevant|interesting|great|exactly)|good timing|perfect timing|great timing|(?:we're|we are|currently|actively) (?:actually |currently |actively |just )?(?:evaluating|reviewing|looking (?:for|at|into)|exploring|searching|assessing)|(?:we|i) (?:do |really )?(?:have|face|struggle with) (?:this|that|exactly this|the same) (?:problem|issue|challenge|need)",
    'stop by (?:our|my|the)|(?:come|drop|swing) by|not (?:a )?bad(?: idea)?(?: at all)?|why not|(?:propose|suggest|offer)(?: me| us)? (?:a few |some |two |a couple of )?(?:times?|dates?|slots?)',
    `(?:${DAY_EN})(?: morning| afternoon)?(?: at| around| @)? \\d{1,2}(?::\\d{2})? ?(?:am|pm|h|ish|o'clock)?|(?:does|would|how about|how's|what about|is) (?:${DAY_EN})|(?:${DAY_EN})[a-z ]{0,30} (?:work|works|suit|suits|fine|good|ok|okay|free)|(?:work|works) for (?:me|us|you)`,
    // German
    '(?:klingt|hort sich|sieht)(?: [a-z]+){0,2} (?:interessant|spannend|gut|vielversprechend|super)|(?:bin|sind|ware|waren) (?:sehr |durchaus |grundsatzlich )?interessiert|interesse besteht|(?:haben|hatten|habe|hatte|besteht|grundsatzlich|grosses) (?:durchaus |grundsatzlich |grosses |tatsachlich |wir |ich )*(?:interesse|bedarf)|interessiert (?:mich|uns)',
    '(?:rufen|ruf) (?:sie |mich )?(?:mich |uns |gerne? |gern |doch )*(?:an|durch|zuruck)|lassen sie uns|lass uns|(?:konnen|konnten|wollen|sollen) wir(?: [a-z]+){0,4} (?:sprechen|telefonieren|reden|treffen|austauschen)|(?:kurzes |ein )?telefonat|termin(?:e|vorschlag|vorschlage)?(?: [a-z]+){0,4} (?:anbieten|vereinbaren|ausmachen|machen|passt|passen)|terminvorschl[a-z]+|welche termine|kalenderlink|mein(?:en)? kalender',
    '(?:schicken|senden|schick|sende|lassen) sie (?:mir|uns)(?: [a-z]+){0,8}|(?:schicken|senden) sie|mehr (?:informationen|infos|details|erfahren)|(?:was|wie viel|wieviel) (?:kostet|kosten|wurde)|preis(?:e|liste|ubersicht|en)?|angebot (?:machen|zukommen|schicken)|(?:eine|ihre|gern(?:e)? eine) (?:demo|vorfuhrung|prasentation|testversion)|(?:gern|gerne)(?: [a-z]+){0,5} (?:ansehen|anschauen|kennenlernen|horen|erfahren|sprechen|horen|treffen)|ja,? gerne?|sehr gerne|suchen (?:gerade|aktuell|derzeit|momentan|genau|schon)|warum nicht|(?:gerade|derzeit|aktuell) (?:ein )?(?:aktuell|thema|relevant|spannend)',
    `(?:passt|geht|ware|haben sie|hatten sie)(?: [a-z]+){0,4} (?:${DAY_DE}|zeit)|(?:${DAY_DE})(?: [a-z]+)? (?:um|ab|gegen) \\d{1,2}`,
    // French
    "(?:m'|nous |m )interesse(?:rait|raient)?|(?:suis|sommes|serais|serions) (?:tres |vivement |plutot )?interesse(?:e|s|es)?|(?:semble|parait|est|a l'air) (?:tres |plutot )?(?:interessant|pertinent|prometteur)|avec plaisir|volontiers|pourquoi pas",
    'appelez[ -]moi|appelle[ -]moi|rappelez[ -]moi|(?:se|nous|on peut se|pouvons[ -]nous) (?:parler|echanger|appeler|rencontrer|voir)|pouvons[ -]nous|un (?:appel|rendez[ -]vous|creneau|rdv|echange)|creneaux?|mon agenda|disponible (?:le |lundi|mardi|mercredi|jeudi|vendredi|demain|la |cette )',
    "(?:envoyez|envoie|envoyer|transmettez|adressez|faites)[ -](?:moi|nous|m'en|parvenir)(?: [a-z']+){0,5}|pouvez[ -]vous (?:m'|me |nous )?(?:envoyer|transmettre|presenter|appeler|rappeler|adresser)|plus d'(?:informations?|infos?|details?)|en savoir plus|(?:vos|les|le|quel est le|quels sont les|votre) (?:tarifs?|prix|cout|devis|plaquette)|une? (?:demo|demonstration|presentation|devis)|combien (?:ca |cela )?coute|proposez[ -]moi|nous avons justement|justement (?:ce|un|besoin)|tombe (?:bien|a pic)|appel d'offres|bienvenue",
    `(?:${DAY_FR})(?: [a-z]+)? (?:a )?\\d{1,2} ?h`,
    // Spanish
    '(?<!no )(?:me|nos) (?:interesa|interesaria|gustaria|encantaria|encanta)|(?:estoy|estamos|estaria) (?:muy )?interesad[oa]s?|suena (?:bien|interesante|genial)|(?:parece|es) (?:muy )?(?:interesante|util)|cuentame|cuenteme|cuentanos|adelante',
    'llama(?:me|dme)|llame(?:me|nos)?|(?:podemos|podriamos|puedes|podeis|quieres) (?:hablar|hacer|agendar|quedar|ver|vernos|reunirnos|llamar|concertar|enviar|mandar)[a-z]*|hablemos|hablamos|agend(?:a|amos|ar|emos)|una (?:llamada|reunion|demo|demostracion|videollamada|cita)|mi calendario|teneis demo|tienen demo',
    '(?:envia|enviame|envieme|mandame|mandeme|manda|pasame|paseme|enviadme)(?:me|nos)?(?: [a-z]+){0,4}|mas (?:informacion|info|detalles)|(?:cuanto|que) (?:cuesta|vale|precio|cuestan)|precios?|(?:justo|precisamente|actualmente) (?:estamos|estaba|buscamos) ?(?:buscando)?|cuando podemos|por que no|perfecto',
    `(?:${DAY_ES})(?: [a-z]+){0,3} (?:a las|a la) \\d{1,2}|(?:el )?(?:${DAY_ES}) por la (?:manana|tarde)`,
  ),
  ...rules(
    1.5,
    'interested|interesting|great|promising|curious|relevant|perfect',
    'interessant|spannend|gern|gerne|grundsatzlich ja',
    'interessant|interesse|interessee|parfait',
    'interesante|interesado|interesada|claro|genial|vale',
    'yes|sure|ja|oui|si',
    'demo|call|meeting|telefonat|appel|llamada|reunion',
  ),
]

/** Automatic replies, by subject and by body. */
export const AUTO_SUBJECT =
  /^\s*(?:re: |aw: )?\s*(?:automatic reply|auto(?:matic)?[ -]?(?:reply|response|antwort)?:|autoreply|out of (?:the )?office|ooo\b|away from|vacation|on (?:annual )?leave|abwesen|automatische antwort|eingangsbestatigung|ihre anfrage ist|reponse automatique|absence|absent|message d'absence|accuse de reception|respuesta automatica|fuera de (?:la )?oficina|nicht im (?:buro|haus)|ausente|ausencia|automatisch antwoord|afwezig|risposta automatica|fuori (?:ufficio|sede)|assenza|resposta automatica|automatyczna odpowiedz|nieobecnosc|autosvar|automatiskt? svar|franvarande|automaattinen vastaus|poissaolo|automaticka odpoved|raspuns automat|automatikus valasz|otomatik yan[iı]t|автоответ|автоматический ответ|自动回复|自動(?:回覆|返信|応答)|\[ticket|thank you for (?:contacting|your (?:e-?mail|message|enquiry)))/
export const AUTO_BODY =
  /(?:(?:i am|i'm|i will be|i'll be) (?:currently )?(?:out of (?:the )?office|on (?:annual |parental |maternity |paternity |sick )?leave|on vacation|on holiday|away from (?:my|the) (?:desk|office))|(?:currently |am )?out of (?:the )?office|this is an automat(?:ic|ed)|automatically generated|do not reply to this (?:e-?mail|message)|in my absence|limited access to (?:my )?e-?mail|no access to (?:my )?e-?mail|ich bin (?:derzeit |aktuell |momentan |bis [^.]{0,20}|vom [^.]{0,30})?(?:im urlaub|ausser haus|nicht im (?:buro|haus)|abwesend|in elternzeit)|ich habe (?:derzeit |aktuell )?urlaub|vertritt mich|meine vertretung|(?:befinde mich|bin) (?:derzeit |aktuell )?(?:in|im) (?:elternzeit|mutterschutz|urlaub)|automatisch (?:generierte|erstellte|erzeugte)|wird nicht weitergeleitet|(?:je suis|serai|actuellement) (?:actuellement )?(?:absente?|en conges?|en vacances)|en conge (?:maternite|parental|paternite)|message automatique|reponse automatique|absente? du bureau|(?:estoy|estare|me encuentro) (?:actualmente )?(?:fuera de la oficina|de vacaciones|ausente|de baja)|(?:correo|mensaje|respuesta) (?:es )?automatic[oa])/
