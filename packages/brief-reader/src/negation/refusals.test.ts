import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { readBrief } from '../read-brief.ts'

/** Every way of refusing, with every kind of thing, wherever it stands: what is refused must never be read as wanted. */

interface Language {
  wish: string
  /** What is refused: the words, and how the document would have it. */
  refused: [text: string, field: string, value: string][]
  ways: string[]
}

const LANGUAGES: Record<string, Language> = {
  en: {
    wish: 'Sales directors at software companies in Germany, 50-500 employees',
    refused: [
      ['Siemens, Bosch and Quantix', 'companies', 'Quantix'],
      ['banks and insurers', 'industries', 'insurance'],
      ['Berlin or Hamburg', 'locations', 'Hamburg'],
      ['consultants and freelancers', 'jobTitles', 'freelancer'],
    ],
    ways: `no X|not X|without X|except for X|excluding X|minus X|other than X|apart from X|but not X|exclude X|skip X|avoid X|leave X out|leave X out of it|keep X off the list|steer clear of X|stay away from X|NOT (X)|must not include X|nothing from X|nobody from X|X excluded|X are excluded|X need to be out|X out|X are off limits|X are of no use to us|X are no good to us|X do not fit|X are not a fit|X are not for us|X are not relevant|X should not appear|X must not be included|X are taboo|X are banned|I do not want X|we are not looking for X|we have no interest in X|What we do not want: X|Exclude: X|Never: X|Excluded companies: X|under no circumstances X|anyone but X|rule out X|excl. X|rather not X|do not bother with X|do not send me X|pass on X|X? No thanks.|X - no|X: no|keep away from X|not counting X|X belong to another team|X belong to Pedro's team|X are taken|X are covered by my colleague|X are handled by my colleague|hands off X|X: hard no|X = no|no cold emails to X|X must never appear|never X|zero X|X won't work for us|X never buy|X never reply|We already work with X, so leave them alone|I'm tired of X|enough of X already|sick of X|not a fan of X|X are a waste of time|ignore X|X - exclude|X (exclude)|(not X)|(no X)|[no X]|Not interested: X|Don't include: X|Do not target: X|blacklist X|X are on our blacklist|X are on the do-not-contact list|DNC: X|anything except X|anyone except X|everyone except X|as long as it's not X|as long as they are not X|provided they're not X|so long as it isn't X|unless they are X|unless it's X|just not X|X need not apply|spare me X|no way X|kick out X|weed out X|screen out X|strip out X|cut X|X should be left alone|X aren't our thing|X aren't what we want|X isn't what we are after|X are handled elsewhere|let's not do X|let's avoid X|let's skip X|please no X|pls exclude X|w/o X|sans X|X not included|not including X|with the exclusion of X|to the exclusion of X|we don't do X|we don't sell to X|we don't serve X|we can't sell to X|our product is not for X|this isn't for X|X are not our market|X don't need us|X have no budget|we lost money on X, never again|I would leave X alone|please leave X alone|X may be ignored|X can be left out|no X please|no X whatsoever|definitely no X|absolutely no X|under no circumstance X|not even X|and nobody from X|and nothing from X|rather than X|Whatever you do, no X|Just make sure there are no X|make sure X are not in there|make sure to exclude X|be sure to leave out X|remember: no X|One thing: no X|PS: no X|Note: no X|Important: no X|Caveat: X are out|My boss said "no X"|As Tom says, no X|The client wrote: "please skip X"|"No X", he said|she told us to avoid X|legal wants us to avoid X|legal says no X|we were told not to contact X|we are not allowed to contact X|we must not contact X|X asked not to be contacted|X have opted out|X told us to stop|X are existing customers, exclude|X already signed with us|X are customers of ours, skip|nope on X|nope to X|no thanks to X|X? nope|X? nah|X? no thanks|X? hard pass|hard pass on X|big no on X|a firm no to X|thumbs down on X|X are a hard no|X is a hard no|X are a hard pass|X = hard no|X are no-go|X are no-gos|X is a no-no|X can go|X can come off|X come off the list|take X off|take X off the list|X off|kill X|ditch X|axe X|nix X|chuck X|dump X|scratch X|forget X|forget about X|never mind X|not bothered about X|couldn't care less about X|can do without X|we can do without X|X we can do without|X we can't touch|we can't touch X|can't touch X|don't touch X|keep off X|keep clear of X|stay clear of X|steer around X|give X a miss|I'd give X a miss|X not to be included|X should not be included|X should not be part of it|X shouldn't be in there|X must not be on the list|X is not for now|not X for now|X not for now|X later, not now|X on hold|X are on hold|X parked|X already covered|already covered: X|already have X|we already have X|we've already got X|X we already have|X we have already|we already sell to X|we already work with X|we're already in touch with X|we are already talking to X|already talking to X|X are existing clients|X is a client already|X are customers so drop those|X are customers so drop them|X are ours already|X are with us already|X bought last year|we already closed X|X are partners of ours, leave them|X are off|X fall away|X fall out|X don't apply|X don't make the cut|X didn't make the cut|X are not in play|X are not in the game|X are not on|X won't do|X are useless to us|X are of no interest to us|X are not interesting for us|X hold no interest|no point in X|there's no point in X|no point contacting X|don't waste time on X|no need for X|we don't need X|X not needed|nobody at X|no people at X|no contacts at X|no leads from X|not from X, please|none of X|nothing X|excl X|X excepted|X aside|leaving X aside|X notwithstanding|instead of X|in lieu of X|not X but others|cut out X|with X carved out|X carved out|X removed|with X removed|after removing X|once X are removed|X: out|X - out|X → out|X ❌|❌ X|🚫 X|X 🚫|!X|except X|but no X|yet no X|although no X|though not X|however not X|only not X|X never|X no more|no more X|X is a competitor|X are competitors|competitor: X|conflict: X|X conflict with our client|X compete with us|X have sued us|X hate us|X blacklisted|X blocked|X barred|X vetoed|legal vetoed X|legal blocked X|legal ruled out X|marketing objects to X|the boss doesn't want X|my boss does not want X|client doesn't want X|nobody wants X|they don't want X|we don't want to see X|I don't want to see X|don't show me X|I never want to see X|X are none of our business|X must be left out|please leave X out of it|leave X for later|save X for later|X next quarter, not now|X comes later|skip over X|bypass X|disregard X|dismiss X|reject X|suppress X|X suppressed|do not approach: X|do not approach X|don't pitch X|never pitch X|no pitching X|not selling to X|without touching X|without including X|without bothering X|let X be|let's forget X|let's drop X|X may be omitted|X can be omitted|X needn't be included|X don't have to be included|X would be a waste|X have to go|X should go|X being the exception|the exception being X|exception: X|X (no)|the client excluded X|I'd rather not have X|let's not include X|you should not include X|we want to exclude X|we need to exclude X|ignore all X|X ought to be left out|0 X|X don't work for us|X will not work for us`.split(
      '|',
    ),
  },
  de: {
    wish: 'Vertriebsleiter bei Softwareunternehmen in Deutschland, 50-500 Mitarbeiter',
    refused: [
      ['Siemens, Bosch und Quantix', 'companies', 'Quantix'],
      ['Banken und Versicherungen', 'industries', 'insurance'],
      ['Berlin oder Hamburg', 'locations', 'Hamburg'],
      ['Berater und Freelancer', 'jobTitles', 'freelancer'],
    ],
    ways: `ohne X|außer X|ausgenommen X|X ausgenommen|nicht X|keine X|bitte keine X|X bitte nicht|X nicht|X lieber nicht|bloß keine X|auf keinen Fall X|X auf keinen Fall|mit Ausnahme von X|abgesehen von X|X bitte ausschließen|X weglassen|X sind raus|X bleiben außen vor|lass X weg|X brauchen wir nicht|X interessieren uns nicht|X kommen nicht in Frage|kein Interesse an X|Ausschluss: X|X sollen nicht dabei sein|X nicht berücksichtigen|X bitte nicht anschreiben|X haben wir schon|X passen nicht|X zählen nicht|verzichte auf X|Finger weg von X|niemals X|X gehören zum Team von Jana|X sind vergeben|X sind schon vergeben|X macht schon ein Kollege|Hände weg von X|X: nein|X = nein|nie X|X dürfen nicht auftauchen|X dürfen nicht drin sein|X bringen nichts|X lohnen sich nicht|wir haben genug von X|X ignorieren|ignoriere X|X (ausschließen)|(nicht X)|(keine X)|(ohne X)|Nicht: X|Nicht gewünscht: X|Sperrliste: X|Blacklist: X|alles außer X|alle außer X|solange es nicht X sind|sofern es nicht X sind|nur nicht X|X können wegfallen|X kann man weglassen|X können raus|X bitte streichen|X streichen|streiche X|X raus|X fliegen raus|wirf X raus|nimm X raus|X aussortieren|X sind nicht unser Markt|X haben kein Budget|X brauchen uns nicht|an X verkaufen wir nicht|wir verkaufen nicht an X|wir beliefern X nicht|X sind nichts für uns|X sind für uns uninteressant|X sind tabu|X sind gesperrt|X gesperrt|X stehen auf der Sperrliste|X auf keinen Fall kontaktieren|X nicht kontaktieren|X dürfen wir nicht anschreiben|X bitte in Ruhe lassen|lasst X in Ruhe|Wichtig: keine X|Achtung: keine X|PS: keine X|Bitte darauf achten, dass keine X dabei sind|Chef sagt: keine X|"Keine X", sagt der Chef|X haben sich abgemeldet|X sind bereits Kunden|X sind Wettbewerber|Wettbewerber wie X raus|X wollen wir vermeiden|X vermeiden|X meiden|exkl. X|exklusive X|abzüglich X|bis auf X|X nein danke|mit X haben wir schlechte Erfahrungen, bitte auslassen|statt X|keinerlei X|null X|jedoch keine X|allerdings ohne X|allerdings keine X|X fällt weg|X fallen weg|X fällt flach|X sind draußen|X bleibt draußen|X bleiben draußen|X ist außen vor|X lassen wir aus|X lassen wir weg|X lassen wir raus|X lassen wir außen vor|X kann man vergessen|X könnt ihr vergessen|vergiss X|vergesst X|X braucht ihr nicht|X benötigen wir nicht|X will ich nicht|X wollen wir nicht|X möchte ich nicht|X sowieso nicht|X eh nicht|X erst recht nicht|X gar nicht|X überhaupt nicht|X auch nicht|X diesmal nicht|X vorerst nicht|X noch nicht|X jetzt nicht|nicht zu X|nicht von X|keinen von X|keine Leute von X|niemand von X|niemanden von X|X nicht bitte|X bitte nicht!|X bloß nicht|X unter keinen Umständen|X kommt nicht in Betracht|X kommen nicht in Betracht|X scheidet aus|X scheiden aus|X entfällt|X entfallen|X sind ausgeschlossen|X ausgeklammert|X klammern wir aus|klammert X aus|schließt X aus|schließe X aus|schließen Sie X aus|lasst X weg|lass X raus|nehmt X raus|nimm X aus|streicht X|X gestrichen|X wird gestrichen|X bitte rausnehmen|X bitte rausfiltern|filtere X raus|X rausgefiltert|X bitte überspringen|überspringe X|spart euch X|spar dir X|auf X können wir verzichten|auf X verzichten wir|wir verzichten auf X|verzichtet auf X|an X kein Interesse|X interessieren mich nicht|X interessiert nicht|X sind uninteressant|X ist nicht relevant|X sind irrelevant|X passt nicht|X passen nicht zu uns|X gehören nicht dazu|X gehört nicht dazu|X haben wir schon als Kunden|X ist schon Kunde|X ist bereits Kunde bei uns|X sind unsere Kunden|wir verkaufen schon an X|wir arbeiten schon mit X|mit X arbeiten wir schon|mit X sprechen wir schon|mit X sind wir schon im Gespräch|zu X haben wir schon Kontakt|X ist Konkurrenz|X sind Konkurrenten|Konkurrenz: X|X konkurriert mit uns|X mal ausgenommen|von X abgesehen|ausser X|außer bei X|nur nicht bei X|alles bis auf X|minus X|aber ohne X|jedoch ohne X|X exkl.|außerhalb von X|anstelle von X|anstatt X|X: raus|X -> raus|X = raus|❌ X|No-Go: X|X sind ein No-Go|X ist ein No-Go|X no go|X nicht anfassen|X nicht ansprechen|X nicht anschreiben|X bitte nicht anrufen|X bitte nicht kontaktieren|X nicht einbeziehen|X nicht aufnehmen|X nicht auf die Liste|X nicht mit rein|X sollen nicht rein|X soll nicht rein|X dürfen nicht rein|X nicht mehr|keine X mehr|nie wieder X|X sind durch|X ist durch|X sind erledigt|X hat der Kollege|X sind verbrannt|X verbieten sich|X ist verboten|X verboten|X ist tabu|Tabu: X|tabu sind X|raus sind X|nicht dabei sind X|ausgeschlossen sind X|weg mit X|X weg|X kann weg|X können weg|Chef will keine X|der Kunde will keine X|unser Kunde möchte keine X|Hauptsache keine X|Hauptsache nicht X|ignoriert X|X ausblenden|blende X aus|X ausfiltern|X aussparen|unter Aussparung von X|meidet X|X sollen vermieden werden|X bitte ausklammern|bitte auf X verzichten|von X bitte absehen|Ausnahmen sind X|Ausnahme: X|X wären Zeitverschwendung|wir meiden X|X sparen wir aus|X schließen wir aus|X nehmen wir nicht|X sind nicht unsere Zielgruppe|X können wir weglassen|ich möchte X ausschließen|wir lassen X weg|lassen Sie X weg|X müssen nicht dabei sein|vergiss die X|lieber keine X|denkt daran, X auszuschließen|X sind zu meiden|bitte daran denken, X wegzulassen|wir schließen X aus`.split(
      '|',
    ),
  },
  fr: {
    wish: 'Directeurs commerciaux dans des éditeurs de logiciels en France, 50 à 500 salariés',
    refused: [
      ['Airbus, Thales et Quantix', 'companies', 'Quantix'],
      ['les banques et les assurances', 'industries', 'insurance'],
      ['Lyon et Marseille', 'locations', 'Marseille'],
      ['consultants et freelances', 'jobTitles', 'freelancer'],
    ],
    ways: `sauf X|hors X|hormis X|X exceptés|sans X|pas X|surtout pas X|à l'exception de X|excluez X|évitez X|X à exclure|X exclus|X ne nous intéressent pas|X non|ni X|personne chez X|ne pas inclure X|nous ne voulons pas de X|laissez X de côté|À exclure : X|mis à part X|X ne conviennent pas|ne contactez pas X|autres que X|retirez X|X sont déjà pris|X : non|X = non|jamais X|X ne doivent pas apparaître|X ne servent à rien|on en a assez de X|ignorez X|X (à exclure)|(pas X)|(sauf X)|À ne pas contacter : X|Liste noire : X|tout sauf X|tout le monde sauf X|tant que ce n'est pas X|à condition que ce ne soit pas X|du moment que ce n'est pas X|X à retirer|X à supprimer|X peuvent être ignorés|X ne sont pas notre marché|X n'ont pas de budget|nous ne vendons pas à X|nous ne travaillons pas avec X|X ne sont pas pour nous|X sont interdits|X sont hors périmètre|merci d'éviter X|merci d'exclure X|merci de ne pas inclure X|veuillez exclure X|pensez à exclure X|Important : pas de X|Attention : pas de X|PS : pas de X|Mon chef a dit « pas de X »|« Pas de X », dit le client|X sont déjà clients|X sont des concurrents|excepté X|à l'exclusion de X|en dehors de X|abstraction faite de X|zéro X|aucun contact chez X|personne de chez X|plutôt que X|au lieu de X|mais pas X|mais sans X|mais surtout pas X|X non merci|oubliez X|laissez tomber X|X, ce n'est pas pour nous|pas question de X|inutile de contacter X|inutile d'inclure X|on laisse tomber X|on oublie X|on évite X|on exclut X|on écarte X|on enlève X|on retire X|on met de côté X|on met X de côté|on laisse X de côté|on ne veut pas X|on ne veut pas de X|on ne touche pas à X|on ne prend pas X|on ne garde pas X|on ne cible pas X|on ne contacte pas X|on zappe X|on saute X|on passe sur X|X on oublie|X, on oublie|X, on évite|X, on laisse tomber|X, on zappe|X, non|X, non merci|X c'est non|X, c'est non|X, pas la peine|X, surtout pas|X pas du tout|X, jamais|pas la peine de mettre X|inutile de mettre X|inutile d'ajouter X|inutile de prendre X|inutile de viser X|pas besoin de X|à part X|X mis à part|X excepté|X exclu|X sont exclus|X est exclu|X à éviter|X à bannir|X à écarter|X à enlever|X à oublier|X dehors|X ne m'intéresse pas|X n'intéressent personne|X ne nous concernent pas|X ne font pas partie de la cible|X ne sont pas dans la cible|X sont hors cible|X hors cible|X hors scope|X hors périmètre|X sont hors sujet|X est déjà client|X sont déjà chez nous|X, déjà clients|X, c'est déjà client|nous avons déjà X|on a déjà X|on travaille déjà avec X|nous travaillons déjà avec X|on vend déjà à X|on est déjà en contact avec X|X est un concurrent|concurrents : X|à l'exclusion notamment de X|exception faite de X|en excluant X|exclure X|exclus X|ne pas intégrer X|ne pas mettre X|ne mettez pas X|ne prenez pas X|n'incluez pas X|ne retenez pas X|évite X|zappez X|oublie X|laisse tomber X|enlevez X|supprimez X|virez X|vire X|sortez X de la liste|retire X de la liste|rayez X|bannissez X|n'importe qui sauf X|pas chez X|personne de X|rien chez X|mais hors X|sans compter X|sans parler de X|aucun X|❌ X|X, plus jamais|X, pas maintenant|X pas pour l'instant|pas X pour le moment|X sont tabous|X est tabou|X blacklistés|X sont blacklistés|X sur liste noire|X ne doivent pas y figurer|X ne doit pas figurer dans la liste|X n'ont rien à faire là|X n'ont pas leur place ici|je ne veux pas voir X|je ne veux pas de X|je n'ai pas besoin de X|mon chef ne veut pas de X|le client ne veut pas X|X sont gérés par une collègue|X c'est pour plus tard|laissez de côté X|faites l'impasse sur X|X peuvent être écartés|exception : X|j'exclus X|le client exclut X|je préfère éviter X|nous souhaitons exclure X|X doivent être évités|X ne sont pas notre cible|abstenez-vous de contacter X`.split(
      '|',
    ),
  },
  es: {
    wish: 'Directores comerciales en empresas de software en España, 50 a 500 empleados',
    refused: [
      ['Telefónica, Iberdrola y Quantix', 'companies', 'Quantix'],
      ['bancos y aseguradoras', 'industries', 'insurance'],
      ['Valencia y Sevilla', 'locations', 'Seville'],
      ['consultores y freelancers', 'jobTitles', 'freelancer'],
    ],
    ways: `excepto X|salvo X|sin X|pero no X|que no sean X|ni X|nada de X|nadie de X|excluir X|a excepción de X|fuera X|X fuera|X no|X quedan fuera|X no nos interesan|X no sirven|evitar X|deja fuera X|no queremos X|no nos interesan X|quitando X|Excluir: X|en ningún caso X|jamás X|X ya son clientes|tampoco X|olvídate de X|X ya los lleva otro equipo|X: no|X = no|nunca X|X no deben aparecer|X no deben salir|X no nos sirven|estamos hartos de X|ignora X|X (excluir)|(no X)|(sin X)|(excepto X)|No contactar: X|Lista negra: X|todo menos X|todos menos X|todos excepto X|siempre que no sean X|mientras no sean X|con tal de que no sean X|sobre todo no X|quita X|quitar X|elimina X|X se pueden omitir|X no son nuestro mercado|X no tienen presupuesto|no vendemos a X|no trabajamos con X|X no son para nosotros|X están prohibidos|X están vetados|no contactes con X|no contactar con X|por favor evita X|por favor excluye X|por favor sin X|Importante: nada de X|Ojo: nada de X|Nota: nada de X|PD: nada de X|Mi jefe dijo "nada de X"|"Nada de X", dice el cliente|X son competencia|exceptuando X|con excepción de X|fuera de X|cero X|en lugar de X|en vez de X|pero sin X|X no, gracias|olvida X|X no, por favor|descarta X|que no sean de X|X no valen|X no cuentan|X descartados|descartad X|descartemos X|descartamos X|dejamos fuera X|dejemos fuera X|dejad fuera X|deja X fuera|dejamos X fuera|dejando X fuera|dejando fuera X|quitad X|quiten X|quitemos X|saca X|eliminad X|borra X|tacha X|olvidaos de X|olvidemos X|pasa de X|pasamos de X|pasad de X|evita X|evitemos X|evitamos X|ignorad X|omite X|omitid X|excluye X|excluid X|excluyan X|excluimos X|excluyendo X|cualquiera menos X|aparte de X|X: fuera|X fuera de la lista|X queda fuera|X se quedan fuera|X no por favor|X para nada|X ni hablar|X ni de broma|X tampoco|X nunca|X jamás|ninguno de X|pero nada de X|aunque no X|sin contar X|sin incluir X|sin tocar X|no incluyas X|no incluyáis X|no incluir X|no metas X|no metáis X|no pongas X|no añadas X|no quiero X|no quiero ver X|no me interesan X|no me sirven X|no necesito X|no necesitamos X|no hace falta X|no hace falta incluir X|X no hacen falta|X no me interesan|X no interesan|X no nos valen|X no encajan|X no aplican|X no entran|X no pintan nada|X no deben estar|X no deberían estar|X no van|X están descartados|X está descartado|X están excluidos|X excluidos|X excluido|X vetados|X prohibido|X a evitar|X a descartar|X ya es cliente|X ya es cliente, fuera|X ya es cliente nuestro|X ya lo tenemos|X ya los tenemos|ya tenemos X|ya trabajamos con X|ya vendemos a X|ya estamos hablando con X|con X ya trabajamos|X es competencia|X es competidor|competencia: X|X lo lleva otro equipo|X los lleva Marta|X por ahora no|por ahora no X|X de momento no|de momento sin X|lista negra: X|X en lista negra|no tocar X|no contactar X|no contactar a X|no contactéis con X|ni se os ocurra X|❌ X|no a X|basta de X|mi jefe no quiere X|el cliente no quiere X|que no sea X|que no incluya X|X deben excluirse|X se pueden descartar|la excepción son X|prescindimos de X|necesito que excluyas X|haz caso omiso de X|al margen de X|con exclusión de X|excepción: X|X no son nuestro objetivo|queremos evitar X|menos X`.split(
      '|',
    ),
  },
}

for (const [language, { wish, refused, ways }] of Object.entries(LANGUAGES))
  test(`${ways.length} ways of refusing in "${language}" never read as wanted, behind the wish or in a sentence of their own before or behind it`, () => {
    for (const [index, way] of ways.entries())
      for (const [turn, [text, field, value]] of refused.entries()) {
        const refusal = way.replace('X', text)
        // Each way meets each thing once, and each place in the brief with one of them: all of it would take a minute.
        const brief = [`${wish}, ${refusal}`, `${wish}. ${refusal}.`, `${refusal}. ${wish}`][(index + turn) % 3]!
        const filters = readBrief(brief).filters as Record<string, { include?: unknown[] } | undefined>
        assert.ok(!JSON.stringify(filters[field]?.include ?? []).includes(value), brief)
      }
  })

const read = (brief: string) => readBrief(brief).filters

describe('a wish beside a clause of the sender', () => {
  for (const aside of [
    "we don't want agencies",
    'we want to exclude agencies',
    'mi jefe no quiere agencias',
    'Agenturen schließen wir aus',
  ])
    it(`stays: ${aside}`, () => {
      const { jobTitles, locations, industries } = read(`CFOs in Poland, ${aside}`)
      assert.deepEqual({ jobTitles, locations }, { jobTitles: { include: ['cfo'] }, locations: { include: [{ country: 'PL' }] } })
      assert.deepEqual(industries, { exclude: ['agencies'] })
    })

  it('and a refusal that speaks to the machine about somebody is for us', () => {
    assert.deepEqual(read('CFOs in Spain. Ignore all agencies.').industries, { exclude: ['agencies'] })
    assert.deepEqual(read('CFOs in Spanien. Vergiss die Banken.').industries, { exclude: ['banking'] })
    assert.equal(read('CFOs in Spain. Ignore all filters for banks.').industries, undefined)
  })

  it('ends a refused list where another kind or a preposition begins', () => {
    const { technologies, industries } = read('Sales leads using Gong but not Outreach, SaaS')
    assert.deepEqual([technologies, industries], [{ include: ['gong'], exclude: ['outreach'] }, { include: ['saas'] }])
    assert.deepEqual(read('directores de marketing, sin agencias, de bancos en Italia').industries, {
      include: ['banking'],
      exclude: ['agencies'],
    })
    assert.deepEqual(read('CFOs in Poland, Spain and Portugal excluded').locations?.include, [{ country: 'PL' }])
  })
})

test('examples of what is refused are refused by their whole names, and a product that is not used or was given up is never asked for', () => {
  for (const brief of [
    'CFOs at gyms, no franchises like Planet Fitness or Orangetheory',
    'CFOs in Germany, no agencies like Hays Recruitment or Adecco',
    'CFOs in Germany, keine Agenturen wie Hays Recruitment oder Adecco',
    "CTOs at companies that haven't adopted Salesforce",
    "CTOs at companies that haven't rolled out Salesforce",
    'CTOs at companies that moved away from Salesforce',
    'CTOs at firms that ditched Salesforce',
    "DSI d'entreprises qui ont abandonné Salesforce",
    'CTO de empresas que abandonaron Salesforce',
  ]) {
    const { companies, technologies, locations } = readBrief(brief).filters
    assert.deepEqual([companies?.include ?? [], technologies?.include ?? []], [[], []], brief)
    assert.ok(!JSON.stringify(locations ?? {}).includes('Hays'), brief)
  }
})

test('the name for a kind of place is no topic: the places behind it are refused', () => {
  for (const kind of ['cities', 'towns', 'states', 'regions', 'places']) {
    const { keywords, locations } = read(`CTOs in the US, no ${kind} like Boston or Texas`)
    assert.deepEqual([keywords, locations?.include, locations?.exclude?.length], [undefined, [{ country: 'US' }], 2], kind)
  }
})

test('what a refused label, a likewise or a form of several fields names is refused', () => {
  const excluded = (brief: string, field: 'companies' | 'industries' | 'locations' | 'keywords') => {
    const { include, exclude } = (read(brief) as Record<string, { include?: unknown[]; exclude?: unknown[] }>)[field] ?? {}
    return [include?.length ?? 0, exclude?.length ?? 0]
  }
  assert.deepEqual(excluded('CFOs in the US, no big cities: New York, Los Angeles', 'locations'), [1, 2])
  assert.deepEqual(excluded('CFOs in Illinois, no metro areas like Chicago', 'locations'), [1, 1])
  assert.deepEqual(excluded("CFOs in Italy. Generali's out. So is Unipol.", 'companies'), [0, 2])
  assert.deepEqual(excluded('marketing heads in Germany, not Dr. Oetker', 'companies'), [0, 1])
  assert.deepEqual(excluded('Santander is in. So is BBVA.', 'companies'), [2, 0])
  assert.deepEqual(excluded("No places like McDonald's, restaurant owners in Ohio.", 'industries'), [1, 0])
  assert.deepEqual(excluded('CFOs in Missouri, not St. Louis.', 'locations'), [1, 1])
  assert.deepEqual(excluded('CFOs in Minnesota, not St. Paul or Duluth.', 'locations'), [1, 2])
  assert.deepEqual(excluded('Non-European banks', 'locations'), [0, 1])
  assert.deepEqual(excluded('Exclude: industry=banking, geo=TX; title=CFO', 'locations'), [0, 1])
  assert.deepEqual(excluded('Restaurant owners in Ohio, no fast food outlets', 'keywords'), [0, 1])
  // The same trade in other words is no narrower one.
  for (const [brief, trade] of [
    ["The client's in staffing but don't send them staffing companies, they want site managers in food processing", 'staffing-recruiting'],
    ['An agency asks for heads of growth at software firms. Skip: other agencies', 'agencies'],
  ] as const) {
    const { industries, keywords } = readBrief(brief).filters
    assert.deepEqual([industries?.exclude, industries?.include?.includes(trade), keywords], [[trade], false, undefined], brief)
  }
  assert.deepEqual(excluded('owners in London, we already work with Hays and Reed so not those', 'companies'), [0, 2])
  assert.deepEqual(excluded('geo=US; persona=CFO; exclude tech=HubSpot, industry=staffing', 'industries'), [0, 1])
})

test('who has been contacted is refused behind the verb, and the card under the thanks asks for nobody', () => {
  assert.equal(read('People we emailed in the last 3 months are out. CFOs in Spain').contactedWithinDays, 90)
  assert.deepEqual(read('CFOs in Spain.\n\nBest,\nPriya\nHead of Client Services | Brightfold, Leeds').jobTitles, { include: ['cfo'] })
  assert.equal(read('We emailed banks, insurers are out. CFOs in Spain.').suppress, undefined)
  assert.equal(read('CFOs in Spain\n\nThanks,\nTom\nAlso include Portugal and Italy').locations?.include?.length, 3)
  assert.deepEqual(read('CFOs in Spain\n\nMerci,\nAnne\nIndustrie: hôtels').industries, { include: ['hotels'] })
  assert.deepEqual(read('No companies bigger than 500, none smaller than 50. CFOs in Spain').employees, [{ min: 50, max: 500 }])
})
