import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isRead } from '../../corpus/corpus.ts'
import { readBrief } from '../read-brief.ts'
import { wordRows } from '../vocabulary/word-files.ts'

/** The borders between a refusal and the wish, in both directions. */

/** The quotes for values that are wanted and refused. */
function quotes(brief: string): { wanted: string; refused: string; unmatched: string } {
  const { explanations, unmatched } = readBrief(brief)
  const said = (isRefused: boolean) =>
    explanations
      .filter(({ field }) => field.endsWith('exclude') === isRefused)
      .map(({ text }) => text)
      .join(' | ')
  return { wanted: said(false), refused: said(true), unmatched: unmatched.join(' | ') }
}

function expectSigns(brief: string, wanted: readonly string[], refused: readonly string[]): void {
  const read = quotes(brief)
  for (const word of wanted) {
    assert.ok(read.wanted.includes(word), `${word} is wanted: ${brief}`)
    assert.ok(!read.refused.includes(word), `${word} is not refused: ${brief}`)
  }
  for (const word of refused) {
    assert.ok(read.refused.includes(word), `${word} is refused: ${brief}`)
    assert.ok(!read.wanted.includes(word), `${word} is not wanted: ${brief}`)
  }
}

interface Language {
  who: string
  cues: string[]
  /** Pairs of one kind: the first is refused, the second wanted. */
  pairs: [string, string][]
  and: string
}
const LANGUAGES: Record<string, Language> = {
  en: {
    who: 'CFOs',
    cues: ['no', 'not', 'excluding'],
    pairs: [
      ['banks', 'insurers'],
      ['London', 'Leeds'],
    ],
    and: 'and',
  },
  de: {
    who: 'CFOs',
    cues: ['keine', 'nicht', 'ohne'],
    pairs: [
      ['Banken', 'Versicherer'],
      ['Berlin', 'Hamburg'],
    ],
    and: 'und',
  },
  fr: {
    who: 'CFOs',
    cues: ['pas', 'sans', 'sauf'],
    pairs: [
      ['banques', 'assureurs'],
      ['Paris', 'Lyon'],
    ],
    and: 'et',
  },
  es: {
    who: 'CFOs',
    cues: ['no', 'sin', 'excepto'],
    pairs: [
      ['bancos', 'aseguradoras'],
      ['Madrid', 'Bilbao'],
    ],
    and: 'y',
  },
}

describe('a word of request after a list', () => {
  for (const [language, phrases] of wordRows('negation.txt', 'wanted behind')) {
    const { who, cues, pairs } = LANGUAGES[language]!
    it(`requests the words before it, whatever was refused before the comma, in ${phrases.length} words of "${language}"`, () => {
      for (const [row, phrase] of phrases.entries())
        for (const [turn, cue] of cues.entries())
          for (const [at, [refused, wanted]] of pairs.entries())
            if (isRead(row + 2 * turn + at, 6)) expectSigns(`${who}, ${cue} ${refused}, ${wanted} ${phrase}`, [wanted], [refused])
    })
  }

  it('requests the whole list closed by "and", and the last item of an open list', () => {
    expectSigns('no interns, accountants, controllers and CFOs wanted in Leeds', ['accountants', 'controllers', 'CFOs'], ['interns'])
    expectSigns('CFOs, excluding banks, insurers, hospitals are fine', ['hospitals'], ['banks', 'insurers'])
    expectSigns('buyers, excl. automotive, aerospace ok, shipbuilding ok', ['aerospace', 'shipbuilding'], ['automotive'])
  })

  it('keeps a list refused if "too" or "please" ends it', () => {
    expectSigns('CFOs in Spain, excluding banks, insurers too', ['CFOs'], ['banks', 'insurers'])
    expectSigns('CFOs in Spain, excluding banks, insurers please', ['CFOs'], ['banks', 'insurers'])
  })
})

it('a refused list that begins with a place continues with groups, and never requests them', () => {
  expectSigns('CFOs in Germany, excluding Berlin, agencies', ['Germany'], ['Berlin', 'agencies'])
  expectSigns('CFOs in Deutschland, ohne Berlin, Agenturen', ['Deutschland'], ['Berlin', 'Agenturen'])
  expectSigns('DAF en France, sauf Paris, agences, cabinets de conseil', ['France'], ['Paris', 'agences', 'cabinets de conseil'])
  expectSigns('CFOs en España, excepto Madrid, agencias y bancos', ['España'], ['Madrid', 'agencias', 'bancos'])
  expectSigns('HR managers in Spain. Exclude companies in Madrid and Barcelona, staffing firms.', ['Spain'], ['Madrid', 'staffing firms'])
  // An exception right after its place ends with it, and the only trade of a brief may be its wish.
  expectSigns('Plant managers in Latin America besides Brazil, automotive suppliers', ['automotive suppliers'], ['Brazil'])
  assert.equal(quotes('CFOs in Germany, excluding Berlin, hospitals').unmatched, 'hospitals')
})

it('a sentence of only refused places refuses all of them', () => {
  expectSigns('No Leeds, Sheffield, Hull. Solicitors in Kent.', ['Kent'], ['Leeds', 'Sheffield', 'Hull'])
  expectSigns('Pas Lyon, Lille. DAF à Nantes.', ['Nantes'], ['Lyon', 'Lille'])
})

it('if the first item of a refused list has a preposition, joined items have it too', () => {
  expectSigns('CTOs who are not in Paris or at an agency', ['CTOs'], ['Paris', 'agency'])
  expectSigns('IT-Leiter, nicht in Berlin oder bei Banken', ['IT-Leiter'], ['Berlin', 'Banken'])
  expectSigns('DSI, sauf à Paris et dans les banques', ['DSI'], ['Paris', 'banques'])
  expectSigns('CFOs, excepto en Madrid o en bancos', ['CFOs'], ['Madrid', 'bancos'])
})

it('refusals by the sender himself', () => {
  for (const [refusal, who] of [
    ['We are not allowed to sell to banks', 'banks'],
    ['We have nothing to offer to banks', 'banks'],
    ['My boss says no banks', 'banks'],
    ["Banks we've done already", 'Banks'],
    ['Wir dürfen nicht an Banken verkaufen', 'Banken'],
    ['Wir bedienen keine Banken', 'Banken'],
    ['No nos dirigimos a bancos', 'bancos'],
    ["On ne s'adresse pas aux banques", 'banques'],
  ] as const)
    expectSigns(`${refusal}. CFOs in Wien.`, ['CFOs', 'Wien'], [who])
})

it('a refusal can precede the request without a comma, but things that the sender lacks are not refused', () => {
  expectSigns('Ohne Agenturen suchen wir Marketingleiter in Köln', ['Marketingleiter'], ['Agenturen'])
  expectSigns('Without agencies we need marketing managers in Cork', ['marketing managers'], ['agencies'])
  expectSigns('Sauf Paris nous cherchons des DRH en France', ['DRH', 'France'], ['Paris'])
  expectSigns('Sin bancos buscamos directores financieros en Madrid', ['directores financieros'], ['bancos'])
  assert.equal(quotes('Ohne eigene Agentur suchen wir Marketingleiter in Köln').refused, '')
})

it('a self-description by negation is not a refusal', () => {
  for (const self of [
    'Not being an agency, we look for CFOs in Rome',
    'Being neither a bank nor an agency, we want CFOs in Rome',
    'Da wir keine Agentur sind, suchen wir CFOs in Rom',
    "N'étant pas une agence, nous cherchons des CFOs à Rome",
    'Al no ser una agencia, buscamos CFOs en Roma',
  ]) {
    assert.equal(quotes(self).refused, '', self)
    expectSigns(self, ['CFOs'], [])
  }
})

it("a wish in the sender's own words applies", () => {
  for (const wish of [
    'ich will Banken in Wien',
    'wir freuen uns über Banken in Wien',
    'My wish list: banks in Wien',
    'Banken in Wien interessieren uns',
  ])
    assert.match(quotes(wish).wanted, /[Bb]ank.* \| Wien/, wish)
})

it('the less preferred option is not requested', () => {
  for (const [brief, wanted, other] of [
    ['Rather insurers than banks, CFOs in Rome', 'insurers', 'banks'],
    ['lieber Versicherer als Banken, CFOs in Wien', 'Versicherer', 'Banken'],
    ['plutôt des assureurs que des banques, DAF à Lyon', 'assureurs', 'banques'],
    ['prefiero aseguradoras a bancos, CFOs en Lima', 'aseguradoras', 'bancos'],
  ] as const) {
    expectSigns(brief, [wanted], [])
    assert.ok(!quotes(brief).wanted.includes(other), brief)
  }
})

it('an answer refuses the whole list that opens its sentence, and its noun selects one of several kinds', () => {
  expectSigns('agencies, recruiters, universities - all a no from us. CTOs in Rome', ['CTOs'], ['agencies', 'recruiters', 'universities'])
  expectSigns('Agencies, banks. None of those. CTOs in Rome', ['CTOs'], ['Agencies', 'banks'])
  expectSigns('CTOs in Rom. Agenturen, Banken: nichts davon', ['CTOs'], ['Agenturen', 'Banken'])
  expectSigns('CTO à Rome. agences, banques : rien de tout ça', ['CTO'], ['agences', 'banques'])
  expectSigns('CTO en Roma. agencias, bancos: nada de eso', ['CTO'], ['agencias', 'bancos'])
  expectSigns('Interns and juniors in IT: exclude both levels. CTOs in Rome', ['CTOs'], ['Interns', 'juniors'])
})

it('a denied verb after a refusal cancels it, and without a verb it is reported', () => {
  expectSigns('CFOs in Nevada, Las Vegas is excluded, Reno is not', ['Reno'], ['Las Vegas'])
  assert.equal(quotes('Banken sind raus, Versicherer nicht. CFOs in Rom').unmatched, 'Versicherer')
})

it('a dash before probable refusals may be a minus, so they are reported', () => {
  for (const brief of ['CFOs in Oslo - recruiters, agencies', 'CTO Berlin - agencies', 'DAF à Lyon - cabinets de conseil']) {
    assert.equal(quotes(brief).refused, '', brief)
    assert.match(quotes(brief).unmatched, /agencies|conseil/, brief)
  }
  expectSigns('Marketing managers - agencies - London', ['agencies'], [])
})

it('excluding lower levels requests that level and above', () => {
  for (const brief of [
    'skip anyone below director in IT',
    'everyone in IT except people under director level',
    'IT, pas de profils en dessous de directeur',
  ])
    assert.deepEqual(readBrief(brief).filters.seniorities?.exclude, undefined, brief)
})

describe('a verb in two parts', () => {
  it('refuses everything between its parts, of any kind, and nothing else', () => {
    for (const brief of [
      'CFOs in Oslo. Leave Equinor, agencies and interns out.',
      'Keep Equinor, agencies and interns off the list, CFOs in Oslo',
      'Lass Equinor, Agenturen und Praktikanten weg, CFOs in Oslo',
      'Laissez Equinor, les agences et les stagiaires de côté, DAF à Oslo',
      'Deja a Equinor, las agencias y los becarios fuera, directores financieros en Oslo',
    ]) {
      const { companies, industries, seniorities, jobTitles } = readBrief(brief).filters
      assert.deepEqual(
        { companies, industries, seniorities, jobTitles },
        {
          companies: { exclude: ['Equinor'] },
          industries: { exclude: ['agencies'] },
          seniorities: { exclude: ['intern'] },
          jobTitles: { include: ['cfo'] },
        },
        brief,
      )
    }
  })

  it('does not refuse the object of an ambiguous verb', () => {
    assert.deepEqual(readBrief('Get CTOs in Oslo, banks out').filters.jobTitles, { include: ['cto'] })
  })
})

describe('a refusal that contains a word of request', () => {
  it('never requests its object', () => {
    for (const brief of [
      'We refuse to sell to banks. CFOs in Oslo',
      'We decline to contact banks. CFOs in Oslo',
      'Nous refusons de vendre aux banques, DAF à Oslo',
      'Nos negamos a vender a bancos, directores financieros en Oslo',
      'Verschont mich mit Banken, ich will CFOs in Oslo',
    ])
      assert.equal(readBrief(brief).filters.industries?.include, undefined, brief)
  })
})
