import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { corpusLines, isRead } from '../../corpus/corpus.ts'
import { readBrief } from '../read-brief.ts'

const read = (brief: string) => readBrief(brief).filters

/** Ordinary briefs with a word of refusal that refuses nothing here: each asks for a person somewhere. */
const WANTED = corpusLines('wanted.txt')

describe('wanted values are never read as refused', () => {
  it(`in ${WANTED.length} briefs that use a word of refusal for something else`, () => {
    for (const brief of WANTED.filter((_, row) => isRead(row, 4))) {
      const { locations, jobTitles, seniorities, departments, industries, ...others } = read(brief)
      assert.ok(locations?.include, brief)
      assert.ok(
        [jobTitles, seniorities, departments, industries].some(field => field?.include),
        brief,
      )
      assert.ok(!JSON.stringify({ locations, jobTitles, seniorities, departments, industries, ...others }).includes('"exclude"'), brief)
    }
  })

  it('with a negated person, a verb of others and an adjective', () => {
    assert.deepEqual(read('La personne en charge des achats dans les PME à Lyon').employees, [{ max: 249 }])
    assert.deepEqual(read('la personne en charge de la finance dans les banques').jobTitles, { include: ['finance manager'] })
    assert.deepEqual(read('Une personne en marketing chez des éditeurs de logiciels').departments, { include: ['marketing'] })
    assert.deepEqual(read('CFOs at tax-exempt nonprofits').industries, { include: ['nonprofits'] })
    assert.deepEqual(read('CTOs at companies that recently dropped Salesforce').jobTitles, { include: ['cto'] })
    assert.deepEqual(read('HR heads at companies where hiring is paused').jobTitles, { include: ['hr head'] })
    assert.deepEqual(read('heads of it at manufacturers whose old ERP was removed').jobTitles, { include: ['head of it'] })
    assert.deepEqual(read('carve out companies in Germany').locations, { include: [{ country: 'DE' }] })
    assert.deepEqual(read('CFOs sorting out payroll in Spain').locations, { include: [{ country: 'ES' }] })
  })

  it('with a denied refusal, whose object is requested', () => {
    for (const denied of [
      'Banks must not be left out',
      'Banks should not be excluded',
      "Don't skip banks",
      'Banken dürfen wir nicht vergessen',
      'Banken dürfen nicht fehlen',
      'Auf Banken können wir nicht verzichten',
      'Vergessen Sie Banken nicht',
      'Les banques ne doivent pas être oubliées',
      "N'oublie pas les banques",
      'Los bancos no deben excluirse',
      'No excluyas los bancos',
    ])
      assert.deepEqual(read(`CFOs in Wien. ${denied}.`).industries, { include: ['banking'] }, denied)
    // Without the second part of its verb the same command refuses.
    assert.deepEqual(read('CFOs in Wien. Vergessen Sie Banken.').industries, { exclude: ['banking'] })
  })

  it('with a company that has a first name', () => {
    for (const name of ['Oscar Health', 'Emma Mattress', 'Marie Claire', "Claire's", 'Clara'])
      assert.deepEqual(read(`Engineers at ${name}`).companies, { include: [name] }, name)
  })
})
