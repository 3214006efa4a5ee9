import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { parse } from 'csv-parse/sync'
import { erasePerson } from '../../src/app/erase-person.ts'
import { makeCampaign } from '../factories.ts'
import { type Overture, startOverture } from '../harness.ts'

let overture: Overture

before(async () => {
  overture = await startOverture()
})

const importPath = async (name: string) => `${overture.home}/campaigns/${(await makeCampaign(overture, { name })).id}/leads/import`

async function importFile(path: string, file: string, query = '') {
  const headers = { 'content-type': 'text/csv', prefer: 'wait=20' }
  const accepted = await overture.client.whenDone(overture.client.post(`${path}/csv${query}`, undefined, { raw: file, headers }))
  assert.equal(accepted.status, 200, JSON.stringify(accepted.body))
  return (await overture.client.get(`/v1/operations/${accepted.body.id}`)).body
}

const rejectedOf = async (path: string, { id }: { id: string }) => String((await overture.client.get(`${path}/${id}/rejected-rows`)).body)
const leadOf = async (path: string, email: string) =>
  (await overture.client.get(`${path.replace('/import', '')}?email=${encodeURIComponent(email)}`)).body.data[0]
const asFile = (rows: readonly (readonly string[])[]) =>
  rows.map(row => row.map(cell => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\n')

describe('the rejected rows of a file, corrected and imported', () => {
  it('keep the values of the original file, including apostrophes before signs', async () => {
    const path = await importPath('Signs')
    const values = {
      phone: '+49 30 1234',
      handle: '@ann',
      quoted: "'+49 30",
      twice: "''@ann",
      spaced: "' =1",
      inner: "a;'=1\t@b,-c|'+d",
      lines: "first\n=second\r\n'@third",
      quotes: '"=1" or \'"=2"',
      plain: "'tis",
      wide: '＝1',
    }
    const columns = Object.keys(values)
    const first = await importFile(
      path,
      asFile([
        ['email', ...columns],
        ['bad-address', ...Object.values(values)],
        ['worse', '\t=1', '\n-2'],
      ]),
    )
    assert.equal(first.result.invalidCount, 2)
    const file = await rejectedOf(path, first)
    assert.match(file, /,'\+49 30 1234,'@ann,''\+49 30,/)
    const again = await importFile(path, file.replace('bad-address', 'ann@signs.example').replace('worse', 'bob@signs.example'))
    assert.deepEqual([again.result.importedCount, again.result.invalidCount], [2, 0])
    assert.deepEqual((await leadOf(path, 'ann@signs.example')).variables, values)
    assert.deepEqual((await leadOf(path, 'bob@signs.example')).variables, { phone: '=1', handle: '-2' })
  })

  it('are the same file when they are rejected again, without extra columns or apostrophes', async () => {
    const path = await importPath('Again')
    const first = await importFile(
      path,
      asFile([
        ['email', '@handle; =x; y; z'],
        ['bad', "'@ann"],
      ]),
    )
    const file = await rejectedOf(path, first)
    const second = await importFile(path, file)
    assert.equal(await rejectedOf(path, second), file)
    const third = await importFile(path, file.replace(',bad,', ',ann@again.example,'))
    assert.equal(third.result.importedCount, 1)
    assert.deepEqual((await leadOf(path, 'ann@again.example')).variables, { handleXYZ: "'@ann" })
  })

  it('of another file keep their apostrophes', async () => {
    const path = await importPath('Foreign')
    await importFile(path, "email,reason,line\nann@foreign.example,'+49,'@ann")
    assert.deepEqual((await leadOf(path, 'ann@foreign.example')).variables, { reason: "'+49", line: "'@ann" })
  })
})

describe('the rejected leads of a list', () => {
  it('are a file with all their fields and variables, which imports as those leads', async () => {
    const path = await importPath('Listed')
    const variables = { city: 'Rome', first_name: '+1', name: "'@x", title: 'Dr', contactEmail: 'second', City: 'a\n=b', line: '5' }
    const leads = [
      { email: 'fine@listed.example', lastName: 'Not in the file', variables: { nor: 'this' } },
      { email: 'nope', company: 'ACME', firstName: 'Ann', variables: { city: 'Rome' } },
      { email: 'nobody', timezone: 'Europe/Rome', firstName: null, variables },
    ]
    const operation = await overture.client.operate('POST', path, { leads })
    assert.deepEqual([operation.result.importedCount, operation.result.invalidCount], [1, 2])
    const file = await rejectedOf(path, operation)
    const [header, ann] = parse(file)
    const named = ['variables.City', 'variables.contactEmail', 'variables.first_name', 'line', 'variables.name', 'variables.title']
    assert.deepEqual(header, ['line', 'reason', 'email', 'firstName', 'company', 'timezone', 'city', ...named])
    assert.deepEqual(ann, ['2', 'not a valid email address', 'nope', 'Ann', 'ACME', '', 'Rome', ...named.map(() => '')])
    const again = await importFile(path, file.replace(',nope,', ',ann@listed.example,').replace(',nobody,', ',bob@listed.example,'))
    assert.deepEqual([again.result.importedCount, again.result.invalidCount, again.result.warnings], [2, 0, []])
    const [first, second] = [await leadOf(path, 'ann@listed.example'), await leadOf(path, 'bob@listed.example')]
    assert.deepEqual([first.firstName, first.company, first.variables], ['Ann', 'ACME', { city: 'Rome' }])
    assert.deepEqual([second.firstName, second.timezone, second.variables], [null, 'Europe/Rome', variables])
  })

  it('are complete when the list is read in pieces, with the columns of later pieces', async () => {
    const path = await importPath('Pieces')
    const leads = Array.from({ length: 1200 }, (_, n) => ({
      email: n % 2 === 0 ? `nobody ${n}` : `p${n}@pieces.example`,
      variables: { note: 'ä'.repeat(500), [n < 600 ? 'early' : 'late']: `=${n}` },
      ...(n === 1198 ? { jobTitle: 'Last' } : {}),
    }))
    const operation = await overture.client.operate('POST', path, { leads })
    assert.deepEqual([operation.result.importedCount, operation.result.invalidCount], [600, 600])
    const rows = parse(await rejectedOf(path, operation)) as string[][]
    assert.equal(rows.length, 601)
    assert.deepEqual(rows[0], ['line', 'reason', 'email', 'jobTitle', 'early', 'note', 'late'])
    assert.deepEqual([rows[1]![0], rows[1]![4], rows[1]![6]], ['1', "'=0", ''])
    assert.deepEqual([rows[600]![0], rows[600]![3], rows[600]![4], rows[600]![6]], ['1199', 'Last', '', "'=1198"])
  })

  it('have at most the allowed number of columns, and a row that lacks some says so', async () => {
    const path = await importPath('Wide')
    const leads = Array.from({ length: 20 }, (_, n) => ({
      email: 'nobody',
      variables: Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`v${n}x${at}`, 'x'])),
    }))
    const operation = await overture.client.operate('POST', path, { leads })
    const rows = parse(await rejectedOf(path, operation)) as string[][]
    const { body } = await overture.client.post(`${path}/csv?dryRun=true`, undefined, {
      raw: await rejectedOf(path, operation),
      headers: { 'content-type': 'text/csv' },
    })
    assert.deepEqual([rows[0]!.length, body.data.rowCount], [494, 20])
    assert.equal(rows[1]![1], 'not a valid email address')
    assert.match(rows[20]![1]!, /50 of its variables are not in this file, which has at most 500 columns/)
  })

  it('forget an erased person in every value', async () => {
    const path = await importPath('Forgotten')
    const leads = [
      { email: 'nobody', variables: { ask: 'or gone@forgotten.example' } },
      { email: 'gone@forgotten.example,', company: 'Gone Inc.' },
      { email: 'nobody', company: 'Stays' },
    ]
    const operation = await overture.client.operate('POST', path, { leads })
    assert.equal((await rejectedOf(path, operation)).split('gone@forgotten').length, 3)
    await erasePerson(overture.ctx, overture.workspaceId, 'gone@forgotten.example', AbortSignal.timeout(10_000))
    assert.deepEqual(parse(await rejectedOf(path, operation)), [
      ['line', 'reason', 'email', 'company', 'ask'],
      ['3', 'not a valid email address', 'nobody', 'Stays', ''],
    ])
  })
})
