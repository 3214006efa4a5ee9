import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readBrief } from '../read-brief.ts'

/** The everyday manner: what stands around a wish in a chat, a mail or a note changes nothing of it. */

const WISH = 'plant managers at breweries in Bavaria'
const FILTERS = {
  jobTitles: { include: ['plant manager'] },
  industries: { include: ['wine-spirits'] },
  locations: { include: [{ country: 'DE', region: 'DE-BY' }] },
}

const SURROUNDINGS = `
CFO wants me to find 'em: X
@dana boss wants X
hey @marco the CEO asked for X. today pls
our sales director is asking for X asap
so my manager just pinged me, he wants X lol
Nina (sales) says X
message from Karl: X
a friend's startup needs X
My husband's tree service needs X
le DG me demande : X
la jefa quiere X xfa
der Chef hätt gern X, danke dir
our best customer is a dairy in Cork. looking for more of the same: X
our product = antifouling robots, made in Kiel. X
(we = maker of pumps, sitting in Ghent) X
X 2 promote our bootcamp to
X 4 our webinar
Hey Tom, following up on Thursday. X. Cheers, Jo
comme convenu mardi, X. Bises, Léa
wie am Dienstag besprochen: X. LG Steffi
Hope you're well! X. Best regards, Kim Olsen, Account Executive
note to self: X
Chasing: X
Hunting for: X
Wen? X
any1 know X?
on connaît qui là-bas ?? X
ciao, mi servono X
compile X
please round up X
X? No rush, whenever u have time
CFOs in Spain. Nah, never mind. X
CFOs in Spain. no wait, scrap that. X
DAF à Lyon. Laisse tomber. X
`
  .trim()
  .split('\n')

describe('text around a wish', () => {
  for (const words of SURROUNDINGS)
    it(`is neither requested nor reported: ${words}`, () => {
      const { filters, unmatched } = readBrief(words.replace('X', WISH))
      assert.deepEqual(filters, FILTERS)
      assert.deepEqual(unmatched, [])
    })
})

describe('an order to file the result', () => {
  for (const order of [
    "Put them in the sheet 'Berlin Q3' when you are done.",
    "Drop them into the tab 'Tyrol' once finished.",
    "Trag sie bitte in die Tabelle 'Wien' ein.",
    "Mets-les dans le fichier 'Lyon'.",
    "Ponlos en la hoja 'Sevilla' cuando termines.",
  ])
    it(`is reported and has no effect: ${order}`, () => {
      const { filters, unmatched } = readBrief(`${WISH}. ${order}`)
      assert.deepEqual(filters, FILTERS)
      assert.ok(unmatched.length > 0)
    })
})

describe('a dash in a line that adds places', () => {
  it('is a minus only after added terms', () => {
    assert.deepEqual(readBrief('want more like that - CFOs, banks, Alberta + Ontario + Quebec').filters.industries, {
      include: ['banking'],
    })
    assert.deepEqual(readBrief('engineer + Toronto + Berlin - banks').filters.industries, { exclude: ['banking'] })
  })
})

describe('a refusal next to a wish', () => {
  it('stays a refusal if the sender asks afterwards, or if an order could be part of a name', () => {
    for (const brief of [
      'CFOs in Milan. Leave agency folks out, I only want hotels',
      'CFOs in Milan. Skip agency people, we need hotels',
      'CFOs at hotels in Milan. Laisse tomber : les agences.',
    ])
      assert.deepEqual(readBrief(brief).filters.industries, { include: ['hotels'], exclude: ['agencies'] }, brief)
  })

  it('is not canceled by small talk', () => {
    assert.deepEqual(readBrief('CFOs in Milan, no banks i think, as discussed').filters.industries, { exclude: ['banking'] })
  })
})
