import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readBrief } from '../read-brief.ts'

const read = (brief: string) => readBrief(brief).filters

describe('an unread clause next to the wish', () => {
  for (const aside of ['banks rarely answer', 'Zapp banks', 'Tom looks after banks', 'banks rarely convert', 'les banques nous gonflent'])
    it(`adds nothing to the wish, and is reported: ${aside}`, () => {
      for (const brief of [`CFOs in Spain. ${aside}.`, `CFOs in Spain, ${aside}`]) {
        const { filters, unmatched, context } = readBrief(brief)
        assert.equal(filters.industries?.include, undefined, brief)
        assert.ok(
          [...unmatched, ...context].some(stretch => /ban(?:ks|ques)/.test(stretch)),
          brief,
        )
      }
    })

  it('keeps welcomed values', () => {
    for (const aside of ['think banks', 'ideally banks', 'banks are fine too', 'Hauptsache Banken', 'especially banks'])
      assert.deepEqual(read(`CFOs in Spain. ${aside}.`).industries, { include: ['banking'] }, aside)
  })

  it('keeps values that an unread word only describes, and its place', () => {
    for (const aside of ['Definitely banks', 'profitable banks', 'banks expanding abroad', 'Unbedingt Banken'])
      assert.deepEqual(read(`CFOs in Spain. ${aside}.`).industries, { include: ['banking'] }, aside)
    assert.deepEqual(read('CFOs, implantés en Espagne').locations, { include: [{ country: 'ES' }] })
    assert.deepEqual(read("CFOs in Spain. Banks don't convert, so leave them out.").industries, { exclude: ['banking'] })
  })

  it('refuses values in a bracket after an unread noun, and parts of a refused name', () => {
    assert.deepEqual(read('CFOs in Ohio. No Big Four (Deloitte, EY).').companies, { exclude: ['Deloitte', 'EY'] })
    assert.equal(read('Event managers in Brussels. Without the UN and its agencies.').industries?.include, undefined)
  })

  it('does not set the place of the wish', () => {
    assert.deepEqual(read('Skip startups in Berlin. CFOs in Germany.').locations, { include: [{ country: 'DE' }] })
    assert.deepEqual(read('Bar Texas, anywhere in the US South. Sales managers at banks.').locations, {
      include: [{ area: 'us_south' }],
      exclude: [{ country: 'US', region: 'US-TX' }],
    })
    assert.deepEqual(read('CFOs at banks. Worldwide but Russia.').locations, { exclude: [{ country: 'RU' }] })
  })
})

describe('values next to a refusal in its sentence', () => {
  for (const refusal of [
    'no ex-Google, Meta or banks',
    'exclude 7-Eleven, Philips and banks',
    'Banks this year, casinos and hotels are out',
    "don't strike off banks",
    'it is not necessary to exclude banks',
    'ohne Banken geht es nicht',
    'es ist nicht nötig, Banken auszuschließen',
    'pas sans les banques',
  ])
    it(`are reported if their sign is unclear: ${refusal}`, () => {
      const { filters, unmatched } = readBrief(`CFOs in Spain. ${refusal}`)
      assert.ok(!JSON.stringify(filters).includes('banking'), refusal)
      assert.match(unmatched.join(' '), /ban(?:k|que)/i, refusal)
    })

  it('are requested if the wish has resumed', () => {
    for (const wish of ['no casinos, but banks', 'no casinos; only banks', 'no casinos, banks are fine', 'ohne Casinos, wir wollen Banken'])
      assert.deepEqual(read(`CFOs in Spain. ${wish}`).industries, { include: ['banking'], exclude: ['gambling-casinos'] }, wish)
  })
})
