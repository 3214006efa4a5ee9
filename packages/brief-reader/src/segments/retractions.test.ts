import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readBrief } from '../read-brief.ts'

const read = (brief: string) => readBrief(brief, { year: 2026 }).filters

describe('a correction that denies what was asked for', () => {
  it('replaces it by the text after the comma', () => {
    for (const brief of [
      'owners in Chicago of hotels, no wait, not the hotels, the restaurants',
      'Geschäftsführer von Hotels in Wien, ach nein, nicht die Hotels, die Restaurants',
      'DAF dans des hôtels à Lyon, non pardon, pas les hôtels, les restaurants',
      'dueños de hoteles en Madrid, perdón, no los hoteles, los restaurantes',
    ])
      assert.deepEqual(read(brief).industries, { include: ['restaurants'] }, brief)
    assert.deepEqual(read('CTOs in Spain, actually not Spain but Portugal').locations, { include: [{ country: 'PT' }] })
    assert.deepEqual(read('CTOs in Spain. wait no, Portugal is the open territory').locations, { include: [{ country: 'PT' }] })
    assert.deepEqual(read('CFOs at banks in Norway. Sorry, not CFOs, COOs.').jobTitles, { include: ['coo'] })
  })

  it('refuses the whole list if nothing of it was requested before', () => {
    assert.deepEqual(read('CTOs in Spain, sorry, no banks, insurers').industries, { exclude: ['banking', 'insurance'] })
  })
})

describe('a label that says yes or no', () => {
  it('refuses or requests the text after it', () => {
    for (const brief of [
      'CTOs in Spain. Also fine: retailers. Not fine: banks, insurers.',
      'CTOs in Spanien. Auch ok: Einzelhändler. Nicht ok: Banken, Versicherungen.',
      'CTO en Espagne. Aussi ok : distributeurs. Pas ok : banques, assureurs.',
      'CTOs en España. No vale: bancos, aseguradoras.',
    ])
      assert.deepEqual(read(brief).industries?.exclude, ['banking', 'insurance'], brief)
  })
})

describe('a request by another person', () => {
  it('applies, without requesting that person', () => {
    for (const brief of [
      'My boss Karin asked for a list of CFOs of banks in Norway.',
      "Mon chef Paul m'a demandé une liste de DAF de banques en Norvège.",
      'Mi jefa Ana me pidió una lista de CFOs de bancos en Noruega.',
      'Our client is expanding to Norway. They want CFOs of banks.',
      'Recruiter here. We look for CFOs of banks in Norway.',
      'Scouting for our fund (we sit in Vienna): banks in Norway, contact = CFO',
    ]) {
      const { jobTitles, industries, locations } = read(brief)
      assert.deepEqual(
        [jobTitles, industries, locations],
        [{ include: ['cfo'] }, { include: ['banking'] }, { include: [{ country: 'NO' }] }],
        brief,
      )
    }
  })
})

it('a department after "but not from" is refused', () => {
  for (const [brief, department] of [
    ['any VP in Texas, but not from legal', 'legal'],
    ['Manager in Bayern, aber nicht aus dem Vertrieb', 'sales'],
    ['cadres à Lyon, mais pas du juridique', 'legal'],
    ['directivos en Madrid, pero no de ventas', 'sales'],
  ] as const)
    assert.deepEqual(read(brief).departments, { exclude: [department] }, brief)
})

it('a family name, a small town and a product among companies are companies', () => {
  const refused = (brief: string) => read(brief).companies?.exclude
  assert.deepEqual(refused('Buyers in Texas. We already have JB Hunt, Werner and Schneider so no need for those'), [
    'JB Hunt',
    'Werner',
    'Schneider',
  ])
  assert.deepEqual(refused('General contractors in Atlanta. Leave Turner and Skanska out of it.'), ['Turner', 'Skanska'])
  assert.deepEqual(refused('CTOs in NYC, exclude OpenAI, Stripe, Mistral'), ['OpenAI', 'Stripe', 'Mistral'])
  assert.deepEqual(refused('Inhaber von Autohäusern in Kiel. Vergölst natürlich nicht.'), ['Vergölst'])
})

it('ranges of programs and limits after a slash are read', () => {
  assert.deepEqual(read('{"title":"CFO","headcount":{"gte":50,"lte":400}}').employees, [{ min: 50, max: 400 }])
  assert.deepEqual(read('{"title":"CFO","headcount":{"min":50}}').employees, [{ min: 50 }])
  assert.equal(read('CFOs in Spain, max 4 contacts/company').maxPerCompany, 4)
  assert.deepEqual(read('CFOs en Chile, ventas sobre 10 millones de dólares').revenue, [{ min: 10_000_000, currency: 'USD' }])
  assert.equal(read('CFOs in Spain. Thanks a million!').revenue, undefined)
})

describe('an edit of the brief', () => {
  const EDITS = `CFOs at hotels in Spain, 50-200 employees
Spain is done, make it Portugal.|CFOs at hotels in Portugal, 50-200 employees
I said Spain but meant Portugal.|CFOs at hotels in Portugal, 50-200 employees
Oops, Portugal, not Spain.|CFOs at hotels in Portugal, 50-200 employees
Swap 50-200 employees for 200-500 employees.|CFOs at hotels in Spain, 200-500 employees
50-200 employees was a typo, it should be 200-500 employees.|CFOs at hotels in Spain, 200-500 employees
Scrap the employee limit actually, and add Italy.|CFOs at hotels in Spain and Italy
The headcount doesn't matter after all.|CFOs at hotels in Spain
Scrap what I said about Spain.|CFOs at hotels, 50-200 employees
Can we switch from hotels to restaurants?|CFOs at restaurants in Spain, 50-200 employees
Forget everything I said. Nurses at clinics in Rome|Nurses at clinics in Rome
New plan: nurses at clinics in Rome|Nurses at clinics in Rome
Spanien streichen, dafür Portugal.|CFOs at hotels in Portugal, 50-200 employees
Finalement, remplacez Spain par Italie.|CFOs at hotels in Italy, 50-200 employees
España ya está hecho, pon Portugal.|CFOs at hotels in Portugal, 50-200 employees`
  const [wish, ...rows] = EDITS.split('\n').map(row => row.split('|'))
  for (const [edit, plain] of rows)
    it(`has the same result as the final text: ${edit}`, () => assert.deepEqual(read(`${wish}. ${edit}`), read(plain!)))

  it('cancels a refusal only if it says so', () => {
    const { locations } = read('VPs in Canada except Toronto. Toronto is okay after all.')
    assert.deepEqual(locations, { include: [{ country: 'CA' }] })
    assert.deepEqual(read('CFOs in Canada, not Toronto. The country does not matter.').locations?.exclude?.length, 1)
  })

  it('also cancels wishes about addresses', () => {
    assert.equal(read('CFOs at hotels in Spain, verified emails only. Scrap that. Nurses at clinics in Rome').emailStatus, undefined)
    assert.equal(read('CFOs at hotels in Spain, verified emails only. Drop the verified email condition.').emailStatus, undefined)
  })
})
