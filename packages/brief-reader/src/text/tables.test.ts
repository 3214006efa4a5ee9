import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readBrief } from '../read-brief.ts'
import { readTables } from './tables.ts'

const read = (brief: string) => readBrief(brief).filters

describe('a brief that is written as a table or a form', () => {
  it('has its rows read as labels with their values', () => {
    for (const [table, lines] of [
      ['| Field | Value |\n|---|---|\n| Role | CFO |', 'Role: CFO'],
      ['Role\tCFO\nBlocked\tAcme', 'Role: CFO\nBlocked: Acme'],
      ['Role      CFO\nCountry   Spain', 'Role: CFO\nCountry: Spain'],
      ['Role ...... CFO\nCountry ... Spain', 'Role: CFO\nCountry: Spain'],
      ['[Role] CFO\n[Sauf] Acme', 'Role: CFO\nSauf: Acme'],
      ['Leave out ▸ Acme\nPlace → Spain', 'Leave out: Acme\nPlace: Spain'],
      ['1) Job role – CFO\n2) Must not be – banks', 'Job role: CFO\nMust not be: banks'],
      ['Titles (exclude): intern\nx', 'Titles exclude: intern\nx'],
      ['role;country\nCFO;Spain\nCTO;Chile', 'role: CFO\ncountry: Spain\nrole: CTO\ncountry: Chile'],
      ['CFOs in Spain | Chile\nplease', 'CFOs in Spain ; Chile\nplease'],
    ] as const)
      assert.equal(readTables(table), lines)
  })

  it('excludes values in an excluding row or under an excluding heading, whatever the wording', () => {
    assert.deepEqual(read('| who | where | not |\n| CFO | Vienna | real estate |\n| CFO | Graz | banks |').industries, {
      exclude: ['real-estate', 'banking'],
    })
    assert.deepEqual(read("WANT\tDON'T WANT\nCISO\tCIO\nSwitzerland\tTicino").jobTitles, { include: ['ciso'], exclude: ['cio'] })
    for (const label of [
      'Negative list',
      'Blocked',
      'Must not be at',
      'Do-not-contact accounts',
      'Firmen ausgeschlossen',
      'Sociétés à exclure',
    ])
      assert.deepEqual(read(`Role: CFO\n${label}: Zorbit, Quxley`).companies, { exclude: ['Zorbit', 'Quxley'] }, label)
    assert.deepEqual(read('CFOs in Spain.\nCompanies to avoid:\nZorbit\nQuxley\nBlorf').companies, {
      exclude: ['Zorbit', 'Quxley', 'Blorf'],
    })
    assert.deepEqual(read('Role: CFO\nExclude: residential').keywords, { exclude: ['residential'] })
  })

  it('removes lines with a minus or a cross if other lines are added', () => {
    assert.deepEqual(read('+ CEOs\n+ Series A\n- gaming').industries, { exclude: ['video-games'] })
    assert.deepEqual(read('✅ CEOs, Spain\n❌ banks').industries, { exclude: ['banking'] })
    assert.deepEqual(read('- CEOs\n- banks').industries, { include: ['banking'] })
  })
})
