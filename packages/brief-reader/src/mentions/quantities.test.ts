import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readBrief } from '../read-brief.ts'

const read = (said: string) => readBrief(`CFOs in Spain, ${said}`, { year: 2026 })
const sizes = (said: string) => read(said).filters.employees

describe('bounds in everyday words', () => {
  it('are numbers of people in four languages, even with a typing error or an abbreviation', () => {
    for (const [said, expected] of [
      ['max 15 staf', { max: 15 }],
      ['fifty-odd employees', { min: 40, max: 60 }],
      ['c. 75 staff', { min: 60, max: 90 }],
      ['40 <= employees <= 300', { min: 40, max: 300 }],
      ['mindestes 30 Mitarbeiter', { min: 30 }],
      ['20- bis 40-köpfiges Team', { min: 20, max: 40 }],
      ['une trentaine de salariés', { min: 24, max: 36 }],
      ['- de 30 personnes', { max: 29 }],
      ['effectif inférieur ou égal à 400', { max: 400 }],
      ['más de mil trabajadores', { min: 1001 }],
      ['que no lleguen a 30 empleados', { max: 29 }],
    ] as const)
      assert.deepEqual(sizes(said), [expected], said)
  })

  it('are reversed if larger or smaller companies are refused', () => {
    for (const said of [
      'personne en dessous de 30 salariés',
      'firms below 30 employees are too small',
      'Firmen unter 30 Mitarbeitern sind zu klein',
      'nadie por debajo de 30 empleados',
    ])
      assert.deepEqual(sizes(said), [{ min: 30 }], said)
    assert.deepEqual(sizes('que no pasen de 400 trabajadores'), [{ max: 400 }])
  })

  it('of several dozen or of leads are reported', () => {
    for (const said of ['a few dozen employees', 'une centaine max', 'Tagessatz über 900 Euro', '5-8 acquisitions']) {
      const { filters, unmatched } = read(said)
      assert.deepEqual([filters.employees, filters.revenue], [undefined, undefined], said)
      assert.notDeepEqual(unmatched, [], said)
    }
  })
})

describe('the age of a company', () => {
  it('becomes the founding year', () => {
    for (const [said, expected] of [
      ['créées en 2016 ou après', { min: 2016 }],
      ['gegründet 2016 oder früher', { max: 2016 }],
      ['younger than 5 years', { min: 2021 }],
      ['founded more than 10 years ago', { max: 2016 }],
      ['in den letzten 5 Jahren gegründet', { min: 2021 }],
      ['con más de 10 años de antigüedad', { max: 2016 }],
    ] as const)
      assert.deepEqual(read(said).filters.founded, [expected], said)
    assert.equal(read('aged 30 to 45').filters.founded, undefined)
  })
})

describe('stages of funding', () => {
  const LATER = ['series_c', 'series_d', 'series_e_plus']
  it('are compared as numbers are', () => {
    for (const [said, include] of [
      ['stage>=Series C', LATER],
      ['post-Series B', LATER],
      ['nach der Series B', LATER],
      ['série C minimum', LATER],
      ['no later than Series A', ['angel', 'pre_seed', 'seed', 'series_a']],
      ['between seed and Series B', ['seed', 'series_a', 'series_b']],
      ['fintech >> series A >> founders', ['series_a']],
    ] as const)
      assert.deepEqual(read(said).filters.fundingStages, { include }, said)
    assert.deepEqual(read('nothing before Series A').filters.fundingStages, { exclude: ['angel', 'pre_seed', 'seed'] })
  })
})

describe('reworded wishes', () => {
  it('concern verified and shared addresses', () => {
    assert.deepEqual(read('no unverified emails').filters.emailStatus, ['verified'])
    assert.deepEqual(read("pas d'emails non vérifiés").filters.emailStatus, ['verified'])
    assert.deepEqual(read('keine Sammelpostfächer').filters.emailTypes, ['work', 'personal'])
    assert.deepEqual(read('no info@ or sales@ addresses').filters.emailTypes, ['work', 'personal'])
    assert.deepEqual(read('nada de correos personales').filters.emailTypes, ['work'])
  })

  it('about earlier contact exclude no one else', () => {
    for (const said of ['bereits Kontaktierte ausschließen', 'déjà contactés à exclure', 'never contactd', 'ohne bisherigen Kontakt']) {
      const { filters } = read(said)
      assert.deepEqual([filters.suppress, filters.locations], [['contacted'], { include: [{ country: 'ES' }] }], said)
    }
    for (const said of ['no contact in the last 3 months', 'seit 3 Monaten nicht kontaktiert', 'último contacto hace más de 3 meses'])
      assert.equal(read(said).filters.contactedWithinDays, 90, said)
    assert.equal(readBrief("We help shops cut their bills, and we've talked to Ohio. CFOs in Iowa").filters.suppress, undefined)
  })
})

describe('names and words in queries and notes', () => {
  it('are refused after a NOT whatever they are, and need no capitals in a row of known companies', () => {
    assert.deepEqual(readBrief('CTO AND software NOT drone').filters.keywords, { exclude: ['drone'] })
    assert.deepEqual(readBrief('siemens, bosch - head of procurement').filters.companies, { include: ['siemens', 'bosch'] })
    assert.equal(readBrief('beauty brands on TikTok or Instagram, CMOs').filters.companies, undefined)
    assert.deepEqual(read('no contractors please').filters.jobTitles, { include: ['cfo'], exclude: ['contractor'] })
  })
})
