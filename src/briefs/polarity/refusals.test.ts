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
    ways: 'no X|not X|without X|except for X|excluding X|minus X|other than X|apart from X|but not X|exclude X|skip X|avoid X|leave X out|leave X out of it|keep X off the list|steer clear of X|stay away from X|NOT (X)|must not include X|nothing from X|nobody from X|X excluded|X are excluded|X need to be out|X out|X are off limits|X are of no use to us|X are no good to us|X do not fit|X are not a fit|X are not for us|X are not relevant|X should not appear|X must not be included|X are taboo|X are banned|I do not want X|we are not looking for X|we have no interest in X|What we do not want: X|Exclude: X|Never: X|Excluded companies: X|under no circumstances X|anyone but X|rule out X|excl. X|rather not X|do not bother with X|do not send me X|pass on X|X? No thanks.|X - no|X: no|keep away from X|not counting X'.split(
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
    ways: 'ohne X|außer X|ausgenommen X|X ausgenommen|nicht X|keine X|bitte keine X|X bitte nicht|X nicht|X lieber nicht|bloß keine X|auf keinen Fall X|X auf keinen Fall|mit Ausnahme von X|abgesehen von X|X bitte ausschließen|X weglassen|X sind raus|X bleiben außen vor|lass X weg|X brauchen wir nicht|X interessieren uns nicht|X kommen nicht in Frage|kein Interesse an X|Ausschluss: X|X sollen nicht dabei sein|X nicht berücksichtigen|X bitte nicht anschreiben|X haben wir schon|X passen nicht|X zählen nicht|verzichte auf X|Finger weg von X|niemals X'.split(
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
    ways: "sauf X|hors X|hormis X|X exceptés|sans X|pas X|surtout pas X|à l'exception de X|excluez X|évitez X|X à exclure|X exclus|X ne nous intéressent pas|X non|ni X|personne chez X|ne pas inclure X|nous ne voulons pas de X|laissez X de côté|À exclure : X|mis à part X|X ne conviennent pas|ne contactez pas X|autres que X|retirez X".split(
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
    ways: 'excepto X|salvo X|sin X|pero no X|que no sean X|ni X|nada de X|nadie de X|excluir X|a excepción de X|fuera X|X fuera|X no|X quedan fuera|X no nos interesan|X no sirven|evitar X|deja fuera X|no queremos X|no nos interesan X|quitando X|Excluir: X|en ningún caso X|jamás X|X ya son clientes|tampoco X|olvídate de X'.split(
      '|',
    ),
  },
}

for (const [language, { wish, refused, ways }] of Object.entries(LANGUAGES))
  test(`${ways.length} ways of refusing in "${language}" never read as wanted, behind the wish or in a sentence of their own`, () => {
    for (const way of ways)
      for (const [text, field, value] of refused)
        for (const brief of [`${wish}, ${way.replace('X', text)}`, `${wish}. ${way.replace('X', text)}.`]) {
          const filters = proposeFilters(brief).filters as Record<string, { include?: unknown[] } | undefined>
          assert.ok(!JSON.stringify(filters[field]?.include ?? []).includes(value), brief)
        }
  })
