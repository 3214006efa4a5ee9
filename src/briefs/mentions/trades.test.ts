import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { proposeFilters } from '../propose.ts'

const filtersOf = (brief: string) => proposeFilters(brief).filters

describe('What belongs to a title, a name or a purchase', () => {
  it('is no trade of the companies where somebody buys it or has a budget for it', () => {
    for (const brief of [
      'Wer kauft Verpackungen ein? Einkäufer bei Banken in Wien',
      'people who buy packaging at banks in Leeds',
      'HR directors who sign off a training budget at banks in Leeds',
    ])
      assert.deepEqual(filtersOf(brief).industries, { include: ['banking'] }, brief)
  })

  it('is a trade where companies are named by it', () => {
    assert.deepEqual(filtersOf('buyers at packaging companies in Leeds').industries, { include: ['packaging'] })
    assert.deepEqual(filtersOf('compradores de hoteles en Cancún').industries, { include: ['hotels'] })
    assert.deepEqual(filtersOf('CEOs of training companies, Madrid').industries, { include: ['training-coaching'] })
  })

  it('reads a trade that opens the brief as companies only where those of a rank are asked for', () => {
    assert.deepEqual(filtersOf('Estate agents in Leeds, branch managers').industries, { include: ['real-estate-agencies'] })
    for (const brief of ['Estate agents and branch managers in Leeds', 'Architects in Berlin, interior designers in Hamburg'])
      assert.equal(filtersOf(brief).industries, undefined, brief)
  })

  it('keeps names and titles whole', () => {
    const names = filtersOf('people in finance at Lufthansa Technik, MTU and Bosch').companies
    assert.deepEqual(names, { include: ['Lufthansa Technik', 'MTU', 'Bosch'] })
    const titles = filtersOf('conference producers and wedding photographers in Tuscany').jobTitles
    assert.deepEqual(titles, { include: ['conference producer', 'wedding photographer'] })
    assert.deepEqual(filtersOf('CTOs in Oslo. Leave out Arm and Graphcore, we already have terms with both.').companies, {
      exclude: ['Arm', 'Graphcore'],
    })
  })

  it('tells a place of companies from the place of a fair, and a code by the codes beside it', () => {
    assert.equal(filtersOf('list for the Milan trade fair: export managers').locations, undefined)
    assert.deepEqual(filtersOf('trade fair organisers in Milan').locations, { include: [{ country: 'IT', city: 'Milan' }] })
    assert.deepEqual(filtersOf('mine managers, WA and QLD').locations, {
      include: [
        { country: 'AU', region: 'AU-WA' },
        { country: 'AU', region: 'AU-QLD' },
      ],
    })
    assert.deepEqual(filtersOf('mine managers, WA, OR').locations, {
      include: [
        { country: 'US', region: 'US-WA' },
        { country: 'US', region: 'US-OR' },
      ],
    })
  })

  it('reads every way of saying "at most"', () => {
    for (const size of [
      'como mucho 12 empleados',
      '12 salariés à tout casser',
      '12 staff tops',
      'höchstens 12 Mitarbeiter',
      '12 at the most',
    ])
      assert.deepEqual(filtersOf(`CEO, Madrid, ${size}`).employees, [{ max: 12 }], size)
  })
})
