import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isRead } from '../../corpus/corpus.ts'
import { readBrief } from '../read-brief.ts'
import { wordRows } from '../vocabulary/word-files.ts'

/** A refused list may name people, kinds of companies and ranks in one breath: none of them must be read as wanted. */

interface Language {
  wish: string
  and: string
  /** The cues of every day; all others of the word file are tried as well, with fewer lists. */
  cues: string[]
  groups: string[]
  /** Phrases of the word file that refuse nothing at the beginning of a clause. */
  others: string[]
}

const LANGUAGES: Record<string, Language> = {
  en: {
    wish: 'CFOs at software companies in Norway',
    and: 'and',
    cues: 'no,not,NOT,without,excluding,exclude,except,skip,leave out,avoid,drop,minus,not interested in,but no,ignore,remove'.split(','),
    groups: 'recruiters,agencies,interns,students,freelancers,banks,consultancies,assistants,juniors,retailers'.split(','),
    others: [],
  },
  de: {
    wish: 'Finanzleiter bei Softwarefirmen in Norwegen',
    and: 'und',
    cues: 'keine,ohne,außer,ausgenommen,nicht,bitte keine,aber keine,abgesehen von,mit Ausnahme von,vermeide'.split(','),
    groups: 'Personalvermittler,Agenturen,Praktikanten,Studenten,Freiberufler,Banken,Berater,Assistenten,Krankenhäuser'.split(','),
    others: ['noch', 'nicht notig', 'nicht notwendig', 'nicht erforderlich', 'kein grund', 'keinen grund'],
  },
  fr: {
    wish: 'Directeurs financiers chez des éditeurs de logiciels en Norvège',
    and: 'et',
    cues: 'pas de,sauf,sans,hors,hormis,excepté,excluez,évitez,surtout pas de,ni,à part,mais pas de'.split(','),
    groups: 'recruteurs,agences,stagiaires,étudiants,banques,consultants,assistants,juniors,hôpitaux'.split(','),
    others: ['personne en dessous', 'personne au dessous', 'personne sous'],
  },
  es: {
    wish: 'Directores financieros de empresas de software en Noruega',
    and: 'y',
    cues: 'sin,menos,excepto,salvo,no,nada de,excluye,evita,descarta,no quiero,ni,pero no'.split(','),
    groups: 'reclutadores,agencias,becarios,estudiantes,bancos,consultoras,asistentes,juniors,hospitales'.split(','),
    others: [],
  },
}

const FORMS: ((wish: string, cue: string, and: string, groups: [string, string, string]) => string)[] = [
  (wish, cue, _, [a, b]) => `${wish}, ${cue} ${a}, ${b}`,
  (wish, cue, and, [a, b, c]) => `${wish}, ${cue} ${a}, ${b} ${and} ${c}`,
  (wish, cue, _, [a, b, c]) => `${wish}. ${capital(cue)} ${a}, ${b}, ${c}.`,
  (wish, cue, _, [a, b]) => `${capital(cue)} ${a}, ${b}. ${wish}.`,
]
const capital = (text: string): string => text[0]!.toUpperCase() + text.slice(1)

/** The effect of a brief on a group: its name is quoted for what is wanted, or neither for an exclusion nor as unmatched. */
function mistakes(brief: string, groups: readonly string[]): string[] {
  const { explanations, unmatched } = readBrief(brief)
  const names = (text: string, group: string) => text.toLowerCase().includes(group.toLowerCase())
  return groups.flatMap(group => {
    if (!names(brief, group)) return []
    const said = explanations.filter(({ text }) => names(text, group))
    if (said.some(({ field }) => !field.endsWith('.exclude'))) return [`${brief}: wants ${group}`]
    return said.length > 0 || unmatched.some(text => names(text, group)) ? [] : [`${brief}: forgets ${group}`]
  })
}

describe('no group of a refused list is wanted, and each is excluded or reported', () => {
  for (const [language, { wish, and, cues, groups, others }] of Object.entries(LANGUAGES)) {
    it(`of every pair and triple after everyday cues in ${language}`, () => {
      const found: string[] = []
      for (const [turn, cue] of cues.entries())
        for (const a of groups)
          for (const b of groups) {
            if (a === b || !isRead(groups.indexOf(a) + groups.indexOf(b) + turn, 31)) continue
            const c = groups[(groups.indexOf(a) + groups.indexOf(b) + turn) % groups.length]!
            // The first cue is in all forms, the others by turns: all of all would take a minute.
            const forms = turn === 0 ? FORMS : [FORMS[(turn + groups.indexOf(a) * groups.length + groups.indexOf(b)) % FORMS.length]!]
            for (const form of forms) found.push(...mistakes(form(wish, cue, and, [a, b, c]), groups))
          }
      assert.deepEqual(found, [])
    })

    it(`after every cue of the word file in ${language}`, () => {
      const found: string[] = []
      const all = ['except', 'not'].flatMap(name =>
        wordRows('negation.txt', name).flatMap(([of, phrases]) => (of === language ? phrases : [])),
      )
      for (const [turn, cue] of all.entries()) {
        if (others.includes(cue) || !isRead(turn, 13)) continue
        const [a, b, c] = [0, 1, 2].map(step => groups[(turn + step * (1 + (turn % 3))) % groups.length]!) as [string, string, string]
        for (const form of [FORMS[turn % 4]!, FORMS[(turn + 1) % 4]!]) found.push(...mistakes(form(wish, cue, and, [a, b, c]), groups))
      }
      assert.deepEqual(found, [])
    })
  }
})

const read = (brief: string) => readBrief(brief).filters

describe('a refused list ends where a wish begins', () => {
  it('before a place, a number, a product or a trade of a shorthand list', () => {
    for (const brief of ['cto, no agencies, berlin, 50-200', 'no agencies, cto, berlin, 50-200', 'cto, keine agenturen, berlin, 50-200']) {
      const { jobTitles, industries, locations, employees } = read(brief)
      assert.deepEqual([jobTitles, industries], [{ include: ['cto'] }, { exclude: ['agencies'] }], brief)
      assert.deepEqual([locations?.include?.length, employees], [1, [{ min: 50, max: 200 }]], brief)
    }
    assert.deepEqual(read('cto, no agencies, saas, berlin').industries, { include: ['saas'], exclude: ['agencies'] })
    assert.deepEqual(read('CFOs, not in Ohio, manufacturing, 200+ employees').industries, { include: ['manufacturing'] })
    assert.deepEqual(read('CFOs in Canada but Quebec, hospitals or clinics').industries, { include: ['hospitals'] })
    assert.deepEqual(read('CTOs in Berlin, no agencies, Salesforce').technologies, { include: ['salesforce'] })
  })

  it('before a noun with words of its own', () => {
    for (const brief of [
      'no agencies, SaaS founders in Berlin',
      'VP Sales at fintechs, no agencies, SaaS founders in Berlin',
      'keine Agenturen, SaaS-Gründer in Berlin',
      "pas d'agences, fondateurs de SaaS à Berlin",
      'sin agencias, fundadores de SaaS en Berlín',
    ]) {
      const { industries, locations } = read(brief)
      assert.ok(industries?.include?.includes('saas') && industries.exclude?.includes('agencies'), brief)
      assert.deepEqual(locations, { include: [{ country: 'DE', city: 'Berlin' }] }, brief)
    }
    const { jobTitles, industries } = read('Exclude recruiters, agencies, Berlin-based CFOs')
    assert.deepEqual([jobTitles, industries], [{ include: ['cfo'], exclude: ['recruiter'] }, { exclude: ['agencies'] }])
  })

  it('if no one else is requested', () => {
    assert.deepEqual(read('no agencies, CTOs, Berlin').jobTitles, { include: ['cto'] })
    assert.deepEqual(read('Skip interns; CFOs, CTOs').jobTitles, { include: ['cfo', 'cto'] })
    assert.deepEqual(read('Skip interns, agencies; CFOs, CTOs').industries, { exclude: ['agencies'] })
    assert.deepEqual(read('fintechs in Oslo, no agencies, CFOs').jobTitles, { include: ['cfo'] })
    assert.deepEqual(read('no agencies, CTOs, Berlin, no interns, students').jobTitles, { include: ['cto'], exclude: ['student'] })
  })

  it('and reports ambiguous items', () => {
    for (const [brief, doubted] of [
      ['hr heads, no agencies, hospitals, madrid', ['hospitals']],
      ['CFOs in Oslo; no recruiters; agencies; banks', ['agencies', 'banks']],
      ['CFOs in Oslo, excluding recruiters, retail', ['retail']],
      ['CFOs in Oslo, excluding recruiters, SaaS founders', ['SaaS founders']],
      ['no agencies, CTOs, CFOs in Berlin', ['CTOs']],
      ['no interns, agencies, CTOs, Berlin', ['agencies']],
      ['no recruiters, interns, CTOs, Berlin', ['interns']],
    ] as const)
      assert.deepEqual(readBrief(brief).unmatched, doubted, brief)
  })

  it('after a word that introduces a wish', () => {
    for (const added of ['also CTOs', 'plus CTOs', 'only CTOs', 'find CTOs'])
      assert.ok(read(`CFOs in Kent, no agencies, ${added}`).jobTitles?.include?.includes('cto'), added)
    for (const [brief, wanted, refused] of [
      ['CTOs in the Midwest, not Ohio but Michigan and Indiana', ['US-MI', 'US-IN'], 'US-OH'],
      ['CTOs in the Midwest, not in Ohio or Iowa, but in Michigan', ['US-MI'], 'US-OH'],
      ['CTOs, nicht aus Berlin, sondern aus Hamburg und Bonn', ['Hamburg', 'Bonn'], 'Berlin'],
      ['DSI, pas à Paris mais à Lyon et Lille', ['Lyon', 'Lille'], 'Paris'],
      ['CTOs en España, no Madrid sino Barcelona y Valencia', ['Barcelona', 'Valencia'], 'Madrid'],
    ] as const) {
      const { include, exclude } = read(brief).locations!
      for (const place of wanted) assert.ok(JSON.stringify(include).includes(place), brief)
      assert.ok(JSON.stringify(exclude).includes(refused) && !wanted.some(place => JSON.stringify(exclude).includes(place)), brief)
    }
  })
})

it('people that a team rules out, or that must not be emailed, are refused', () => {
  for (const refusal of ['Compliance blocks', 'Legal rules out', 'Marketing rejects', 'Do not email', 'Never mail'])
    assert.deepEqual(read(`CFOs in Norway. ${refusal} banks.`).industries, { exclude: ['banking'] }, refusal)
  for (const refusal of ['No quiere', 'No contactes', 'No contactes a'])
    assert.deepEqual(read(`CFOs en Madrid. ${refusal} bancos.`).industries, { exclude: ['banking'] }, refusal)
  assert.deepEqual(read('CFOs in Norway without email').emailStatus, ['missing'])
})

it('refused places within a wanted country or state are refused to the end of their list', () => {
  for (const [brief, refused] of [
    ['dental practice owners in california, NOT los angeles, san francisco, san jose', ['Los Angeles', 'San Francisco', 'San Jose']],
    ['CTOs in Germany, not Berlin, Munich', ['Berlin', 'Munich']],
    ['vertriebsleiter in österreich, aber nix aus wien, graz oder linz', ['Vienna', 'Graz', 'Linz']],
  ] as const) {
    const { include, exclude } = read(brief).locations!
    assert.deepEqual([include?.length, exclude?.map(place => 'city' in place && place.city)], [1, refused], brief)
  }
  assert.deepEqual(read('CTOs in Germany, not Berlin, Austria').locations?.include, [{ country: 'DE' }, { country: 'AT' }])
})

it('a refusal of the sender before a wish applies, and so does the wish', () => {
  for (const brief of [
    'not banks, we want insurers in Texas',
    'Excluding banks, we need insurers',
    'Exclure les banques, viser les assurances',
    'sin bancos, queremos aseguradoras',
  ])
    assert.deepEqual(read(brief).industries, { include: ['insurance'], exclude: ['banking'] }, brief)
  assert.equal(read('Not a problem, we want brand managers in Rome').industries, undefined)
})

describe('a refused list', () => {
  it('refuses all its members if each has its own noun', () => {
    for (const brief of [
      'CTOs in Porto. Outsourcing outfits and staffing firms are out.',
      'CTOs in Porto, so outsourcing shops and staffing agencies are out',
    ])
      assert.deepEqual(readBrief(brief).filters.industries, { exclude: ['outsourcing', 'staffing-recruiting'] }, brief)
  })

  it('includes companies whose names are everyday words or numbers', () => {
    for (const [brief, names] of [
      ['store designers in Milan, not Gap or Next people', ['Gap', 'Next']],
      ['buyers in the UK, exclude Next and Boots', ['Next', 'Boots']],
      ['CFOs in Leeds, not Google, Meta, Etc.', ['Google', 'Meta']],
      ['network engineers in the UK, not at O2, Three and EE', ['O2', 'Three', 'EE']],
    ] as const)
      assert.deepEqual(readBrief(brief).filters.companies, { exclude: names }, brief)
  })

  it('ends before a topic that comes after names which "and" has closed', () => {
    const { companies, keywords } = readBrief('excluding Tesla and Rivian, EV charging, head of partnerships, California').filters
    assert.deepEqual([companies, keywords], [{ exclude: ['Tesla', 'Rivian'] }, { include: ['ev charging'] }])
  })
})

it('a refused list continues after a description of one of its members', () => {
  for (const brief of [
    'CFOs in Germany, leave out Medtronic, who have been a client since 2019, and Coloplast as well',
    'CFOs in Germany. Medtronic, a client since 2019, and Coloplast are off limits',
    'CFOs in Germany, no Medtronic (long story) or Coloplast',
    'CFOs in Deutschland, ohne Medtronic, die seit 2019 Kunde sind, und Coloplast',
    'CFOs in Deutschland. Medtronic - kein Budget - und Coloplast bitte weglassen',
    'DAF en Allemagne, sauf Medtronic, un concurrent, et Coloplast',
    'Directores financieros en Alemania, excepto Medtronic, donde ya tenemos contrato, y Coloplast',
  ]) {
    const { companies, founded } = read(brief)
    assert.deepEqual([companies, founded], [{ exclude: ['Medtronic', 'Coloplast'] }, undefined], brief)
  }
})
