import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SENIORITIES, type Seniority } from '../../../lead-terms/src/index.ts'
import { readBrief } from '../read-brief.ts'

/** From which rank to which: "#" is the rank, "$" a higher one. */

const RANKS: Record<string, Partial<Record<Seniority, string>>> = {
  English: { manager: 'manager', director: 'director', vp: 'VP' },
  German: { manager: 'Manager', director: 'Direktor', vp: 'VP' },
  French: { manager: 'manager', director: 'directeur', vp: 'VP' },
  Spanish: { manager: 'gerente', director: 'director', vp: 'vicepresidente' },
}
const WHERE: Record<string, string> = { English: 'at banks', German: 'bei Banken', French: 'dans des banques', Spanish: 'en bancos' }

const PHRASES: Record<string, Record<string, string[]>> = {
  English: {
    up: [
      'everybody from # up',
      '#+',
      '# and above',
      '# or higher',
      '# level and up',
      'at least #',
      'minimum #',
      '# or better',
      'no lower than #',
      'nobody below #',
      'not below #',
      'skip anyone under # level',
    ],
    down: ['up to #', '# and below', 'at most #', 'nobody above #', 'no one more senior than #', 'no higher than #'],
    over: ['anyone above #', 'more senior than #', 'higher than #'],
    under: ['anyone below #', 'more junior than #'],
    to: ['# to $', 'from # to $', 'between # and $ level', '# through $', '$ down to #'],
  },
  German: {
    up: ['ab #', 'ab # aufwärts', 'mindestens #', '# und höher', '# oder darüber', 'niemand unter #', 'nicht unter #'],
    down: ['bis #', 'höchstens #', '# und darunter', 'niemand über #'],
    over: ['oberhalb von #', 'höher als #'],
    under: ['unterhalb von #'],
    to: ['von # bis $', '# bis hin zum $', 'zwischen # und $'],
  },
  French: {
    up: ['à partir de #', 'au moins #', '# et plus', '# ou supérieur', '# minimum', 'personne en dessous de #'],
    down: ["jusqu'à #", '# et en dessous', 'personne au-dessus de #'],
    over: ['au-dessus de #'],
    under: ['en dessous de #'],
    to: ['de # à $', 'entre # et $'],
  },
  Spanish: {
    up: ['a partir de #', 'de # para arriba', '# en adelante', '# o superior', 'al menos #', 'nadie por debajo de #'],
    down: ['hasta #', '# o inferior', 'nadie por encima de #'],
    over: ['por encima de #'],
    under: ['por debajo de #'],
    to: ['entre # y $', 'de # a $', 'desde # hasta $'],
  },
}

const expected = (kind: string, rank: number, higher: number): readonly Seniority[] =>
  ({
    up: SENIORITIES.slice(rank),
    down: SENIORITIES.slice(0, rank + 1),
    over: SENIORITIES.slice(rank + 1),
    under: SENIORITIES.slice(0, rank),
    to: SENIORITIES.slice(rank, higher + 1),
  })[kind]!

const ranksOf = (brief: string) => {
  const { seniorities, industries } = readBrief(brief).filters
  return { seniorities, industries }
}

describe('a range of ranks', () => {
  for (const [language, kinds] of Object.entries(PHRASES))
    it(`asks for all its ranks and no others in ${language}`, () => {
      for (const [kind, phrases] of Object.entries(kinds))
        for (const phrase of phrases)
          for (const [rank, word] of Object.entries(RANKS[language]!)) {
            if (kind === 'to' && rank === 'vp') continue
            const brief = `${phrase.replace('#', word).replace('$', RANKS[language]!.vp!)} ${WHERE[language]}`
            const include = expected(kind, SENIORITIES.indexOf(rank as Seniority), SENIORITIES.indexOf('vp'))
            assert.deepEqual(ranksOf(brief), { seniorities: { include }, industries: { include: ['banking'] } }, brief)
          }
    })

  it('belongs to its named department', () => {
    for (const brief of [
      'sales directors and above',
      'sales people, director or higher',
      'directors+ in sales',
      'directors of sales and above',
    ]) {
      const { seniorities, departments, jobTitles } = readBrief(brief).filters
      const include = SENIORITIES.slice(SENIORITIES.indexOf('director'))
      assert.deepEqual(
        { seniorities, departments, jobTitles },
        { seniorities: { include }, departments: { include: ['sales'] }, jobTitles: undefined },
        brief,
      )
    }
  })

  it('is refused if all its ranks are', () => {
    const exclude = SENIORITIES.slice(SENIORITIES.indexOf('director'))
    for (const brief of ['CFOs at banks, no directors and above', 'CFOs at banks, skip directors or higher'])
      assert.deepEqual(readBrief(brief).filters.seniorities, { exclude }, brief)
  })

  it('does not apply if a list continues or a number follows', () => {
    assert.deepEqual(readBrief('directors + heads of sales at banks').filters.seniorities, undefined)
    assert.deepEqual(readBrief('managers at banks, up to 50 employees').filters.seniorities, { include: ['manager'] })
  })
})
