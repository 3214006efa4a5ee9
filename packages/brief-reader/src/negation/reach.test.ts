import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readBrief } from '../read-brief.ts'

/** How far a refusal reaches: never back to the wish before it, never to a whole of which it refuses a part. */

const read = (brief: string) => readBrief(brief).filters
const grid = <A, B>(ways: readonly A[], kinds: readonly B[]): [A, B][] => ways.flatMap(way => kinds.map(kind => [way, kind] as [A, B]))
const fill = (frame: string, ...parts: string[]) => parts.reduce((text, part, at) => text.replaceAll(`$${at + 1}`, part), frame)

describe('an unknown refused noun', () => {
  const wishes = [
    ['Office managers, executive assistants', 'no'],
    ['Chefs, waiters in Leeds', 'not'],
    ['Köche, Kellner in Bonn', 'keine'],
    ['Serveurs, acheteurs à Lyon', 'pas de'],
    ['Camareros, compradores en Madrid', 'nada de'],
  ] as const
  const frames = ['$1 - $2 $3', '$1 – $2 $3', '$1, $2 $3', '$1. $2 $3.', '$1 ($2 $3)']
  for (const [[wish, cue], frame] of grid(wishes, frames))
    it(`does not affect the list before it: ${fill(frame, wish, cue, 'KPs')}`, () => {
      const before = read(wish).jobTitles?.include
      for (const noun of ['KPs', 'blorbs', 'Wurzels']) {
        const brief = fill(frame, wish, cue, noun)
        const { filters, unmatched } = readBrief(brief)
        assert.deepEqual(filters.jobTitles?.include, before, brief)
        const refused = JSON.stringify([filters.jobTitles?.exclude, filters.keywords?.exclude, filters.companies?.exclude, unmatched])
        assert.match(refused.toLowerCase(), new RegExp(noun.toLowerCase().slice(0, -1)), brief)
      }
    })

  it('is a title if it is the plural of an abbreviation', () => {
    assert.deepEqual(read('Office manager, EA - no PAs').jobTitles, {
      include: ['office manager', 'executive assistant'],
      exclude: ['personal assistant'],
    })
    assert.deepEqual(read('EAs and PAs in Leeds').locations, { include: [{ country: 'GB', city: 'Leeds' }] })
    const { filters, unmatched } = readBrief('Accountants in Leeds, no CPAs')
    assert.deepEqual([filters.jobTitles, unmatched], [{ include: ['accountant'] }, ['CPAs']])
  })
})

it('titles that share their noun are refused together', () => {
  const frames = [
    '$3s in Oslo. Not $1 or $2 $3s.',
    '$3s in Oslo, no $1 or $2 $3s',
    'Skip $1 and $2 $3s. $3s in Oslo',
    '$1 or $2 $3s are out. $3s in Oslo',
  ]
  const ranks = [
    ['assistant', 'regional'],
    ['junior', 'deputy'],
    ['trainee', 'interim'],
  ] as const
  for (const [frame, [one, two]] of grid(frames, ranks))
    for (const title of ['sales manager', 'store manager', 'finance director']) {
      const brief = fill(frame, one, two, title)
      assert.deepEqual(read(brief).jobTitles, { include: [title], exclude: [`${one} ${title}`, `${two} ${title}`] }, brief)
    }
})

describe('excluding lower ranks requests that rank and above', () => {
  const above = ['director', 'head', 'vp', 'partner', 'c_suite', 'founder', 'owner']
  const frames = {
    'banks in Oslo': [
      'nobody below $1',
      'no one under $1',
      'nothing beneath $1',
      'none lower than $1',
      'no need for anyone below $1 level',
      'not below $1',
      'skip anyone below $1',
      "don't send us anybody under $1 level",
      'exclude everyone below $1',
      "we don't want people below $1",
      'nobody more junior than $1',
    ],
    'Banken in Oslo': [
      'niemand unter $1',
      'keine unter $1',
      'niemanden unterhalb von $1',
      'keine Leute unter $1',
      'ohne Leute unter $1',
      'nicht unter $1',
    ],
    'banques à Oslo': [
      'personne en dessous de $1',
      'pas en dessous de $1',
      'personne sous le niveau $1',
      'rien en dessous de $1',
      'aucun profil en dessous de $1',
    ],
    'bancos en Oslo': [
      'nadie por debajo de $1',
      'nada por debajo de $1',
      'no queremos a nadie por debajo de $1',
      'sin perfiles por debajo de $1',
    ],
  }
  const ranks: Record<string, string> = { 'Banken in Oslo': 'Direktor', 'banques à Oslo': 'directeur' }
  for (const [wish, ways] of Object.entries(frames))
    for (const way of ways) {
      const refusal = fill(way, ranks[wish] ?? 'director')
      for (const brief of [`${wish}, ${refusal}`, `${wish}. ${refusal}.`, `${refusal}. ${wish}`])
        it(brief, () => assert.deepEqual(read(brief).seniorities, { include: above }))
    }
})

describe('the replacement of a canceled wish is requested', () => {
  const kinds = [
    ['CFOs in $1', 'Belgium', 'Norway', 'locations'],
    ['CFOs in $1', 'Lyon', 'Lille', 'locations'],
    ['CFOs at $1', 'banks', 'insurers', 'industries'],
  ] as const
  const frames = ['$1. Scrap $2, $3.', '$1. Hmm no, scrap $2, $3.', '$1, drop $2, $3', '$1. Forget $2, $3.', '$1. Nah, ditch $2, $3.']
  for (const [frame, [wish, first, second, field]] of grid(frames, kinds)) {
    const brief = fill(frame, fill(wish, first), first, second)
    it(brief, () => assert.deepEqual(read(brief)[field], read(fill(wish, second))[field]))
  }

  it('and the earlier wish, or a part of it, is not', () => {
    assert.deepEqual(read('CFOs in Lyon, Lille and Nice. Drop Lyon, Lille.').locations?.include?.length, 1)
    assert.deepEqual(read('CFOs in Spain, mostly Madrid. Drop Madrid, Bilbao').locations?.include, [{ country: 'ES' }])
  })

  const again: Record<string, string[]> = {
    'CFOs at banks in Rome. $. Nurses at hotels in Bari': [
      'Scrap that',
      'No wait, forget it',
      'Never mind that',
      'Start over',
      'Scratch that',
    ],
    'Finanzleiter bei Banken in Rom. $. Krankenpfleger in Hotels in Bari': [
      'Vergiss das',
      'Streich das',
      'Kommando zurück',
      'Nee, von vorn',
    ],
    'Directeurs financiers de banques à Rome. $. Infirmiers dans des hôtels à Bari': ['Oubliez ça', 'Non, oubliez cela', 'Laissez tomber'],
    'Directores financieros de bancos en Roma. $. Enfermeros en hoteles en Bari': ['Olvídalo', 'No, olvida eso', 'Tacha eso'],
  }
  for (const [frame, ways] of Object.entries(again))
    for (const way of ways) {
      const brief = frame.replace('$', way)
      it(brief, () => {
        const { jobTitles, industries, locations } = read(brief)
        assert.deepEqual(
          [jobTitles, industries, locations],
          [{ include: ['nurse'] }, { include: ['hotels'] }, { include: [{ country: 'IT', city: 'Bari' }] }],
        )
      })
    }

  it('a denied and replaced idea is not refused, but a denied group is', () => {
    assert.deepEqual(read('Banks? Nope. Insurers! CFOs in Leeds').industries, { include: ['insurance'] })
    assert.deepEqual(read('CTOs in Leeds. Recruiters? Forget it. 50+ staff').jobTitles, { include: ['cto'], exclude: ['recruiter'] })
    assert.deepEqual(read('CFOs in Berlin, agencies? No.').jobTitles, { include: ['cfo'] })
  })
})

it('a dash, an interjection and added terms refuse nothing', () => {
  for (const opening of [
    'want more like that - ',
    'hey - short one: ',
    'no joke: ',
    'lol no seriously: ',
    'nein im Ernst: ',
    'blague à part : ',
  ])
    for (const places of ['Oslo', 'Oslo + Bergen + Tromsø']) {
      const { jobTitles, industries, locations } = read(`${opening}plant managers, sawmills, ${places}`)
      assert.deepEqual([jobTitles, industries?.exclude], [{ include: ['plant manager'] }, undefined], opening)
      assert.deepEqual([locations?.include?.length, locations?.exclude], [places.split('+').length, undefined], opening)
    }
  assert.deepEqual(read('cfo + berlin + saas - agencies').industries, { include: ['saas'], exclude: ['agencies'] })
})

describe('only a part of a wanted trade is refused', () => {
  const parts = [
    ['Hospitals in Oslo, CFOs', 'hospitals', ['no rural hospitals', 'not teaching hospitals', 'Rural hospitals: no']],
    ['Hotel managers in Oslo', 'hotels', ['no chain hotels', 'no boutique hotels', 'not airport hotels']],
    ['Museum directors in Oslo', 'museums-culture', ['no private museums']],
    ['Krankenhäuser in Oslo, CFOs', 'hospitals', ['keine kirchlichen Krankenhäuser', 'keine Krankenhäuser mit Reha']],
    ['Crèches privées à Lyon, directeurs', 'childcare', ['pas les crèches municipales', 'sauf les crèches rurales']],
    ['Hoteles en Oslo, directores', 'hotels', ['no hoteles de cadena', 'nada de hoteles rurales']],
  ] as const
  for (const [wish, slug, refusals] of parts)
    for (const refusal of refusals)
      it(`${wish}. ${refusal}`, () => {
        for (const brief of [`${wish}, ${refusal}`, `${wish}. ${refusal}.`]) {
          const { filters, unmatched } = readBrief(brief)
          assert.deepEqual(filters.industries?.exclude, undefined, brief)
          assert.deepEqual(
            filters.industries?.include,
            slug === 'hospitals' || !/managers|directors/.test(wish) ? [slug] : undefined,
            brief,
          )
          assert.ok((filters.keywords?.exclude?.length ?? 0) + unmatched.length > 0, brief)
        }
      })
})

describe('names are refused in any spelling', () => {
  const names: Record<string, string[]> = {
    'VPs in Oslo. Skip Netflix, Disney and anybody we have emailed': ['Netflix', 'Disney'],
    'VPs in Oslo. Netflix, Disney or people already in our CRM are out': ['Netflix', 'Disney'],
    'DAF à Oslo, sauf Bosch et ceux que nous avons déjà contactés': ['Bosch'],
    'CFOs in Oslo, ohne Bosch und Leute, die wir schon angeschrieben haben': ['Bosch'],
    'cfos in oslo, nix helios nix asklepios': ['helios', 'asklepios'],
    'store managers in oslo. not tesco not asda': ['tesco', 'asda'],
    'Branch managers in Oslo, except Randstad and Tempo-Team': ['Randstad', 'Tempo-Team'],
    'Producers in Oslo. CD Projekt: no.': ['CD Projekt'],
    'we need branch managers in Oslo. nobody at United Rentals / Herc': ['United Rentals', 'Herc'],
    'CFO en Oslo, menos Barça y Real Madrid': ['Barça', 'Real Madrid'],
    "CFOs in Oslo. Don't give us Accor": ['Accor'],
    'CFOs in Oslo. Never send us Accor or Hilton': ['Accor', 'Hilton'],
    'DAF à Oslo. Ne nous donnez pas Accor': ['Accor'],
    'CFO en Oslo. No nos mandes Accor': ['Accor'],
    'CFOs in Oslo on Salesforce, just not Salesforce the company': ['Salesforce'],
  }
  for (const [brief, exclude] of Object.entries(names)) it(brief, () => assert.deepEqual(read(brief).companies, { exclude }))
})

it('a refusing command and a following wish of the sender both apply', () => {
  for (const [brief, title] of [
    ['Leave agency folks out, I only want CFOs in Oslo', 'cfo'],
    ['Keep agencies out, we only want CFOs in Oslo', 'cfo'],
    ['Lasst Agenturen weg, wir wollen nur CFOs in Oslo', 'cfo'],
    ['Laissez les agences de côté, je veux seulement des DAF à Oslo', 'cfo'],
    ['Deja fuera a las agencias, solo quiero CFO en Oslo', 'cfo'],
  ] as const) {
    const { industries, jobTitles } = read(brief)
    assert.deepEqual([industries, jobTitles], [{ exclude: ['agencies'] }, { include: [title] }], brief)
  }
})
