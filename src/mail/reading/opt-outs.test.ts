import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kindOf, linesOf } from './testing/reading.ts'

const lostOf = (texts: string[]) => texts.filter(text => kindOf(text) !== 'opt_out')

function sectionsOf(file: string): Map<string, string[]> {
  const sections = new Map<string, string[]>()
  let section: string[] = []
  for (const line of linesOf(file))
    if (line.startsWith('[')) {
      section = []
      sections.set(line.slice(1, -1), section)
    } else section.push(line)
  return sections
}

const grid = sectionsOf('opt-out-grid.txt')
const letters = sectionsOf('opt-out-letters.txt')

const COURTESIES: Record<string, [before: string, behind: string]> = {
  en: [
    'Dear Lena,\n\nThank you for the proposal you sent us last week. I read it with interest, and my colleagues liked the idea.',
    'I wish you every success.\n\nKind regards,\nAnna Moss\nOffice Manager',
  ],
  de: [
    'Sehr geehrte Frau Fischer,\n\nvielen Dank für Ihr Angebot. Unser Geschäftsführer hat es mit Interesse gelesen.',
    'Ich wünsche Ihnen viel Erfolg.\n\nMit freundlichen Grüßen\nAnna Moos',
  ],
  fr: [
    "Bonjour Lena,\n\nMerci pour votre proposition, que j'ai lue avec intérêt. L'idée a plu à mon équipe.",
    'Je vous souhaite une bonne continuation.\n\nCordialement,\nAnne Moreau',
  ],
  es: [
    'Estimada Lena:\n\nGracias por su propuesta, que he leído con interés. La idea gustó a mi equipo.',
    'Le deseo mucho éxito.\n\nUn saludo,\nAna Mora',
  ],
}

for (const [language, [before, behind]] of Object.entries(COURTESIES))
  test(`an opt-out in the middle of a courteous letter is one, however it is put (${language})`, () => {
    const ways = letters.get(language) as string[]
    assert.deepEqual(
      ways.filter(way => kindOf(`${before}\n\n${way}\n\n${behind}`) !== 'opt_out'),
      [],
    )
  })

test('a paragraph that a person wrote is no notice of their office, though it names a managing director or a privacy policy', () => {
  assert.deepEqual(
    lostOf([
      'Hallo Frau Fischer,\n\nunser Geschäftsführer hat entschieden: bitte nehmen Sie uns aus dem Verteiler.\n\nGruß\nAnna',
      'Hi Lena,\n\nWe have tried to unsubscribe twice, please see to it.\n\nTom',
      'Hello,\n\nour privacy policy does not allow this. Delete us from your list.\n\nBen',
    ]),
    [],
  )
})

for (const language of ['en', 'de', 'fr', 'es'])
  test(`an opt-out that names what was sold is one, whatever was sold (${language})`, () => {
    const things = grid.get(`${language} things`) as string[]
    const ways = grid.get(`${language} ways`) as string[]
    assert.deepEqual(lostOf(ways.flatMap(way => things.map(thing => way.replace('X', thing)))), [])
  })

test('an opt-out that speaks of a price, a board or a budget is still one', () => {
  assert.deepEqual(lostOf(linesOf('opt-outs.txt')), [])
})
