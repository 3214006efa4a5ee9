import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proposeFilters } from '../propose.ts'

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
    ways: `no X|not X|without X|except for X|excluding X|minus X|other than X|apart from X|but not X|exclude X|skip X|avoid X|leave X out|leave X out of it|keep X off the list|steer clear of X|stay away from X|NOT (X)|must not include X|nothing from X|nobody from X|X excluded|X are excluded|X need to be out|X out|X are off limits|X are of no use to us|X are no good to us|X do not fit|X are not a fit|X are not for us|X are not relevant|X should not appear|X must not be included|X are taboo|X are banned|I do not want X|we are not looking for X|we have no interest in X|What we do not want: X|Exclude: X|Never: X|Excluded companies: X|under no circumstances X|anyone but X|rule out X|excl. X|rather not X|do not bother with X|do not send me X|pass on X|X? No thanks.|X - no|X: no|keep away from X|not counting X|X belong to another team|X belong to Pedro's team|X are taken|X are covered by my colleague|X are handled by my colleague|hands off X|X: hard no|X = no|no cold emails to X|X must never appear|never X|zero X|X won't work for us|X never buy|X never reply|We already work with X, so leave them alone|I'm tired of X|enough of X already|sick of X|not a fan of X|X are a waste of time|ignore X|X - exclude|X (exclude)|(not X)|(no X)|[no X]|Not interested: X|Don't include: X|Do not target: X|blacklist X|X are on our blacklist|X are on the do-not-contact list|DNC: X|anything except X|anyone except X|everyone except X|as long as it's not X|as long as they are not X|provided they're not X|so long as it isn't X|unless they are X|unless it's X|just not X|X need not apply|spare me X|no way X|kick out X|weed out X|screen out X|strip out X|cut X|X should be left alone|X aren't our thing|X aren't what we want|X isn't what we are after|X are handled elsewhere|let's not do X|let's avoid X|let's skip X|please no X|pls exclude X|w/o X|sans X|X not included|not including X|with the exclusion of X|to the exclusion of X|we don't do X|we don't sell to X|we don't serve X|we can't sell to X|our product is not for X|this isn't for X|X are not our market|X don't need us|X have no budget|we lost money on X, never again|I would leave X alone|please leave X alone|X may be ignored|X can be left out|no X please|no X whatsoever|definitely no X|absolutely no X|under no circumstance X|not even X|and nobody from X|and nothing from X|rather than X|Whatever you do, no X|Just make sure there are no X|make sure X are not in there|make sure to exclude X|be sure to leave out X|remember: no X|One thing: no X|PS: no X|Note: no X|Important: no X|Caveat: X are out|My boss said "no X"|As Tom says, no X|The client wrote: "please skip X"|"No X", he said|she told us to avoid X|legal wants us to avoid X|legal says no X|we were told not to contact X|we are not allowed to contact X|we must not contact X|X asked not to be contacted|X have opted out|X told us to stop|X are existing customers, exclude|X already signed with us|X are customers of ours, skip`.split(
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
    ways: `ohne X|außer X|ausgenommen X|X ausgenommen|nicht X|keine X|bitte keine X|X bitte nicht|X nicht|X lieber nicht|bloß keine X|auf keinen Fall X|X auf keinen Fall|mit Ausnahme von X|abgesehen von X|X bitte ausschließen|X weglassen|X sind raus|X bleiben außen vor|lass X weg|X brauchen wir nicht|X interessieren uns nicht|X kommen nicht in Frage|kein Interesse an X|Ausschluss: X|X sollen nicht dabei sein|X nicht berücksichtigen|X bitte nicht anschreiben|X haben wir schon|X passen nicht|X zählen nicht|verzichte auf X|Finger weg von X|niemals X|X gehören zum Team von Jana|X sind vergeben|X sind schon vergeben|X macht schon ein Kollege|Hände weg von X|X: nein|X = nein|nie X|X dürfen nicht auftauchen|X dürfen nicht drin sein|X bringen nichts|X lohnen sich nicht|wir haben genug von X|X ignorieren|ignoriere X|X (ausschließen)|(nicht X)|(keine X)|(ohne X)|Nicht: X|Nicht gewünscht: X|Sperrliste: X|Blacklist: X|alles außer X|alle außer X|solange es nicht X sind|sofern es nicht X sind|nur nicht X|X können wegfallen|X kann man weglassen|X können raus|X bitte streichen|X streichen|streiche X|X raus|X fliegen raus|wirf X raus|nimm X raus|X aussortieren|X sind nicht unser Markt|X haben kein Budget|X brauchen uns nicht|an X verkaufen wir nicht|wir verkaufen nicht an X|wir beliefern X nicht|X sind nichts für uns|X sind für uns uninteressant|X sind tabu|X sind gesperrt|X gesperrt|X stehen auf der Sperrliste|X auf keinen Fall kontaktieren|X nicht kontaktieren|X dürfen wir nicht anschreiben|X bitte in Ruhe lassen|lasst X in Ruhe|Wichtig: keine X|Achtung: keine X|PS: keine X|Bitte darauf achten, dass keine X dabei sind|Chef sagt: keine X|"Keine X", sagt der Chef|X haben sich abgemeldet|X sind bereits Kunden|X sind Wettbewerber|Wettbewerber wie X raus|X wollen wir vermeiden|X vermeiden|X meiden|exkl. X|exklusive X|abzüglich X|bis auf X|X nein danke|mit X haben wir schlechte Erfahrungen, bitte auslassen|statt X|keinerlei X|null X|jedoch keine X|allerdings ohne X|allerdings keine X`.split(
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
    ways: `sauf X|hors X|hormis X|X exceptés|sans X|pas X|surtout pas X|à l'exception de X|excluez X|évitez X|X à exclure|X exclus|X ne nous intéressent pas|X non|ni X|personne chez X|ne pas inclure X|nous ne voulons pas de X|laissez X de côté|À exclure : X|mis à part X|X ne conviennent pas|ne contactez pas X|autres que X|retirez X|X sont déjà pris|X : non|X = non|jamais X|X ne doivent pas apparaître|X ne servent à rien|on en a assez de X|ignorez X|X (à exclure)|(pas X)|(sauf X)|À ne pas contacter : X|Liste noire : X|tout sauf X|tout le monde sauf X|tant que ce n'est pas X|à condition que ce ne soit pas X|du moment que ce n'est pas X|X à retirer|X à supprimer|X peuvent être ignorés|X ne sont pas notre marché|X n'ont pas de budget|nous ne vendons pas à X|nous ne travaillons pas avec X|X ne sont pas pour nous|X sont interdits|X sont hors périmètre|merci d'éviter X|merci d'exclure X|merci de ne pas inclure X|veuillez exclure X|pensez à exclure X|Important : pas de X|Attention : pas de X|PS : pas de X|Mon chef a dit « pas de X »|« Pas de X », dit le client|X sont déjà clients|X sont des concurrents|excepté X|à l'exclusion de X|en dehors de X|abstraction faite de X|zéro X|aucun contact chez X|personne de chez X|plutôt que X|au lieu de X|mais pas X|mais sans X|mais surtout pas X|X non merci|oubliez X|laissez tomber X|X, ce n'est pas pour nous|pas question de X|inutile de contacter X|inutile d'inclure X`.split(
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
    ways: `excepto X|salvo X|sin X|pero no X|que no sean X|ni X|nada de X|nadie de X|excluir X|a excepción de X|fuera X|X fuera|X no|X quedan fuera|X no nos interesan|X no sirven|evitar X|deja fuera X|no queremos X|no nos interesan X|quitando X|Excluir: X|en ningún caso X|jamás X|X ya son clientes|tampoco X|olvídate de X|X ya los lleva otro equipo|X: no|X = no|nunca X|X no deben aparecer|X no deben salir|X no nos sirven|estamos hartos de X|ignora X|X (excluir)|(no X)|(sin X)|(excepto X)|No contactar: X|Lista negra: X|todo menos X|todos menos X|todos excepto X|siempre que no sean X|mientras no sean X|con tal de que no sean X|sobre todo no X|quita X|quitar X|elimina X|X se pueden omitir|X no son nuestro mercado|X no tienen presupuesto|no vendemos a X|no trabajamos con X|X no son para nosotros|X están prohibidos|X están vetados|no contactes con X|no contactar con X|por favor evita X|por favor excluye X|por favor sin X|Importante: nada de X|Ojo: nada de X|Nota: nada de X|PD: nada de X|Mi jefe dijo "nada de X"|"Nada de X", dice el cliente|X son competencia|exceptuando X|con excepción de X|fuera de X|cero X|en lugar de X|en vez de X|pero sin X|X no, gracias|olvida X|X no, por favor|descarta X|que no sean de X|X no valen|X no cuentan|X descartados`.split(
      '|',
    ),
  },
}

for (const [language, { wish, refused, ways }] of Object.entries(LANGUAGES))
  test(`${ways.length} ways of refusing in "${language}" never read as wanted, behind the wish or in a sentence of their own before or behind it`, () => {
    for (const way of ways)
      for (const [text, field, value] of refused)
        for (const brief of [
          `${wish}, ${way.replace('X', text)}`,
          `${wish}. ${way.replace('X', text)}.`,
          `${way.replace('X', text)}. ${wish}`,
        ]) {
          const filters = proposeFilters(brief).filters as Record<string, { include?: unknown[] } | undefined>
          assert.ok(!JSON.stringify(filters[field]?.include ?? []).includes(value), brief)
        }
  })
