import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readBrief } from '../read-brief.ts'

/** Denials of the sender that he contacts a person. */

describe("the sender's refusal before a word of request", () => {
  for (const refusal of [
    'We refuse to approach hotels',
    'We dislike approaching hotels',
    'We are tired of approaching hotels',
    'We should avoid approaching hotels',
    'I refuse to cold call hotels',
    'No dirigirnos a hoteles',
  ])
    it(`excludes its object: ${refusal}`, () => {
      const { industries } = readBrief(`CFOs at banks in Ohio. ${refusal}.`).filters
      assert.deepEqual(industries, { include: ['banking'], exclude: ['hotels'] })
    })

  it('excludes people of the wish', () => {
    const { jobTitles } = readBrief('We would like to get rid of recruiters. Banks in Ohio.').filters
    assert.deepEqual(jobTitles, { exclude: ['recruiter'] })
    assert.deepEqual(readBrief('I do not work with recruiters').filters, { jobTitles: { exclude: ['recruiter'] } })
  })

  it('is not a refusal if it only rejects an opinion', () => {
    const { industries } = readBrief('I reject the idea that banks are bad: CFOs at banks in Ohio').filters
    assert.deepEqual(industries, { include: ['banking'] })
  })
})

describe('former customers of the sender', () => {
  for (const brief of [
    'We never sell to dentists in Ohio',
    'We no longer sell to dentists in Ohio',
    'We hardly ever sell to dentists in Ohio',
    'We cannot sell to dentists in Ohio',
    'Our customers are CFOs at banks in Austria, so skip them',
    'Our customers are CFOs at banks in Austria. Never contact them.',
    'Our previous agency gave us CTOs at banks in Berlin, useless',
  ])
    it(`are not asked for: ${brief}`, () => {
      assert.ok(!JSON.stringify(readBrief(brief).filters).includes('include'))
    })
})

describe("people in the sender's own sentence", () => {
  for (const told of [
    'We hate to approach interns',
    'We are forbidden to approach interns',
    'We stopped approaching interns',
    'We quit approaching interns',
    'We decided against approaching interns',
    'We hesitate to approach interns',
    'We are reluctant to approach interns',
    'We lack the time to approach interns',
    'Nobody on our team should approach interns',
    'My boss forbids us to approach interns',
    'Our board opposes approaching interns',
    'Nous ne voulons plus démarcher de stagiaires',
    'Nous ne voulons plus voir de stagiaires',
    'Nos commerciaux refusent de parler aux DAF',
    'We compete with consultants or freelancers',
    'We train managers or directors',
    'We replace assistants or secretaries',
    'Notre logiciel remplace les comptables ou assistants',
    'I report to directors or VPs',
    'Our previous agency sent us interns',
    'Our rivals pitch CFOs',
    'The CEO or CFO of our company will write to them',
    'Acabamos de contratar a un director comercial',
    'In our experience interns or assistants never decide',
    'In our experience CFOs ignore us',
    'En nuestra experiencia becarios o asistentes no deciden',
  ])
    it(`are not requested if the sender leaves them, already deals with them or blames them: ${told}`, () => {
      const { jobTitles, seniorities, departments, industries } = readBrief(`Hospitals in Ohio. ${told}.`).filters
      assert.deepEqual([jobTitles?.include, seniorities?.include, departments?.include], [undefined, undefined, undefined])
      assert.deepEqual(industries, { include: ['hospitals'] })
    })

  for (const brief of [
    'In our experience interns ignore us, so CFOs at banks in Ohio',
    'We stopped approaching interns, we want CFOs at banks in Ohio',
    'We stopped approaching interns and want CFOs at banks in Ohio',
  ])
    it(`are requested if the sender addresses them: ${brief}`, () => {
      const { jobTitles, seniorities } = readBrief(brief).filters
      assert.deepEqual(jobTitles, { include: ['cfo'] })
      assert.equal(seniorities?.include, undefined)
    })
})
