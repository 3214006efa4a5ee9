import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isRead } from '../../corpus/corpus.ts'
import { readBrief } from '../read-brief.ts'

/** Refusals of every day after whatever joins them to the wish: the joint must not swallow them. */
const LANGUAGES = {
  en: {
    wish: 'CFOs in Europe',
    joints: [
      ', ',
      '. ',
      ' (',
      ' but ',
      ', but ',
      ' but please ',
      ', and please ',
      ' though ',
      ', however ',
      '. Also ',
      ', just ',
      ', so ',
      '\n- ',
    ],
    refusals: [
      'no X',
      'excluding X',
      'leave out X',
      'leave X out',
      'leave X out completely',
      'keep X out',
      'drop X',
      'skip X',
      'remove X',
      'avoid X',
    ],
    refused: { place: ['Poland', 'PL'], company: ['Siemens', 'Siemens'], level: ['interns', 'intern'], trade: ['banks', 'banking'] },
  },
  de: {
    wish: 'CFOs in Europa',
    joints: [', ', '. ', ' (', ' aber ', ', aber ', ', aber bitte ', ', allerdings ', ', jedoch ', ', und bitte ', ', nur ', '\n- '],
    refusals: ['ohne X', 'außer X', 'bis auf X', 'X ausschließen', 'X weglassen', 'lass X weg', 'streich X', 'X bitte nicht'],
    refused: { place: ['Polen', 'PL'], company: ['Siemens', 'Siemens'], level: ['Praktikanten', 'intern'], trade: ['Banken', 'banking'] },
  },
  fr: {
    wish: 'directeurs financiers en Europe',
    joints: [', ', '. ', ' (', ' mais ', ', mais ', ', toutefois ', ', et ', ', simplement ', '\n- '],
    refusals: ['sauf X', 'hors X', 'éviter X', 'ignorer X', 'oublie X', 'oubliez X', 'retirer X', 'X à exclure'],
    refused: { place: ['Pologne', 'PL'], company: ['Siemens', 'Siemens'], level: ['stagiaires', 'intern'], trade: ['banques', 'banking'] },
  },
  es: {
    wish: 'directores financieros en Europa',
    joints: [', ', '. ', ' (', ' pero ', ', pero ', ', aunque ', ', y por favor ', ', solo que ', '\n- '],
    refusals: ['excepto X', 'menos X', 'sin X', 'evita X', 'quita X', 'quitar X', 'deja fuera X', 'excluye X', 'X fuera'],
    refused: { place: ['Polonia', 'PL'], company: ['Siemens', 'Siemens'], level: ['becarios', 'intern'], trade: ['bancos', 'banking'] },
  },
}

describe('a refusal is never read as a wish, and is excluded or reported, whatever joins it to the wish', () => {
  for (const [language, { wish, joints, refusals, refused }] of Object.entries(LANGUAGES))
    it(`in ${language}`, () => {
      for (const [turn, joint] of joints.entries())
        for (const [at, refusal] of refusals.entries())
          for (const [said, value] of Object.values(refused) as [string, string][]) {
            if (!isRead(turn + at, 7)) continue
            const brief = `${wish}${joint}${refusal.replace('X', said)}${joint === ' (' ? ')' : ''}`
            const { filters, unmatched } = readBrief(brief)
            const valuesOf = (part: 'include' | 'exclude'): string =>
              JSON.stringify(Object.values(filters).map(field => (field as Record<string, unknown>)[part] ?? []))
            assert.ok(!valuesOf('include').includes(`"${value}"`), `asked for: ${brief}`)
            assert.ok(valuesOf('exclude').includes(`"${value}"`) || unmatched.some(words => words.includes(said)), `lost: ${brief}`)
          }
    })
})
