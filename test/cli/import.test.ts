import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import type { Caller } from '../../src/http/access.ts'
import { presentOperation } from '../../src/modules/operations/operations.ts'
import { findOperation } from '../../src/modules/operations/queries.ts'
import { makeCampaign } from '../factories.ts'
import { type Overture, startOverture } from '../harness.ts'
import { InProcess } from './in-process.ts'

describe('a file that is imported from the command line', () => {
  let overture: Overture
  let line: InProcess
  before(async () => {
    overture = await startOverture()
    line = new InProcess(overture)
  })

  const write = (text: string, name = 'people.csv') => writeFileSync(join(line.home, name), text)
  const leadsOf = async (id: string) => (await overture.client.get(`${overture.home}/campaigns/${id}/leads?limit=100`)).body.data

  it('is shown with its mapping, and imported only after confirmation', async () => {
    const { id } = await makeCampaign(overture, { name: 'Asked' })
    write('E-Mail,Vorname,Farbe \u009b31m\nann@asked.example,Ann,blau\nnobody,Bob,rot\n')
    const args = ['import', 'people.csv', '--campaign', 'Asked']
    const unasked = await line.run(args)
    assert.equal(unasked.code, 2)
    assert.match(unasked.out, /E-Mail +email +ann@asked\.example/)
    assert.match(unasked.out, /Farbe .* +variable farbe31m +blau/)
    assert.match(unasked.out, /1 of 2 rows cannot be imported:\n {2}line 3: not a valid email address/)
    assert.ok(!unasked.out.includes('\u009b'))
    assert.match(unasked.err, /Next: overture import people\.csv --campaign "Asked" --yes/)
    assert.equal((await line.run(args, { input: 'n\n', isTyped: true })).code, 1)
    assert.equal((await line.run([...args, '--dry-run'])).code, 0)
    assert.deepEqual(await leadsOf(id), [])
    const agreed = await line.run(args, { input: 'yes\n', isTyped: true })
    assert.equal(agreed.code, 0, agreed.err)
    assert.match(agreed.out, /^1 imported, 1 rejected$/m)
    assert.equal((await leadsOf(id)).length, 1)
  })

  it('saves rejected rows next to it, in a file that can be corrected and imported', async () => {
    const { id } = await makeCampaign(overture, { name: 'Mended' })
    write('email,company\nann@mended.example,Acme\nbroken,Broken & Co\n', 'list.csv')
    const args = ['import', 'list.csv', '--campaign', id, '--yes']
    const first = await line.json(args)
    assert.deepEqual([first.importedCount, first.invalidCount], [1, 1])
    assert.equal(first.rejectedFile, join(line.home, 'list.csv.rejected.csv'))
    assert.equal(statSync(first.rejectedFile).mode & 0o777, 0o600)
    const mended = readFileSync(first.rejectedFile, 'utf8').replace('broken,', 'bob@mended.example,')
    writeFileSync(first.rejectedFile, mended)
    const again = await line.json(args)
    assert.deepEqual([again.duplicateCount, again.rejectedFile], [1, join(line.home, 'list.csv.rejected-2.csv')])
    assert.equal(readFileSync(first.rejectedFile, 'utf8'), mended)
    const second = await line.json(['import', 'list.csv.rejected.csv', '--campaign', id, '--yes'])
    assert.deepEqual([second.importedCount, second.invalidCount, second.rejectedFile], [1, 0, null])
    assert.ok(!existsSync(`${first.rejectedFile}.rejected.csv`))
  })

  it('follows the given mapping, even for recognized columns', async () => {
    const { id } = await makeCampaign(overture, { name: 'Mapped' })
    write('Primary,a=b,Note\nann@mapped.example,x,hello\n', 'mapped.csv')
    const args = ['import', 'mapped.csv', '--campaign', 'Mapped']
    const unknown = await line.run([...args, '--yes'])
    assert.equal(unknown.code, 2)
    assert.match(unknown.err, /Next: .*--map "COLUMN=email"/)
    await line.json([...args, '--yes', '--map', 'Primary=email', '--map', 'a=b=', '--map', 'Note=greeting'])
    assert.deepEqual((await leadsOf(id))[0].variables, { greeting: 'hello' })
    write('Primary,a=b,Note\nann@mapped.example,x,bye\n', 'mapped.csv')
    const updated = await line.json([...args, '--yes', '--map', 'Primary=email', '--map', 'Note=greeting', '--on-duplicate', 'update'])
    assert.equal(updated.updatedCount, 1)
    assert.equal((await leadsOf(id))[0].variables.greeting, 'bye')
  })

  it('is refused with a code and the next command', async () => {
    await makeCampaign(overture, { name: 'Wrong' })
    write('email\nann@wrong.example\n', 'wrong.csv')
    const codeOf = async (...args: string[]) => (await line.run(['import', ...args])).code
    assert.equal(await codeOf(), 2)
    assert.equal(await codeOf('wrong.csv'), 2)
    const absent = await line.run(['import', 'absent.csv', '--campaign', 'Wrong'])
    assert.deepEqual([absent.code, /absent\.csv cannot be read: there is no such file/.test(absent.err)], [2, true], absent.err)
    assert.equal(await codeOf('wrong.csv', '--campaign', 'Wrong', '--map', 'email'), 2)
    assert.equal(await codeOf('wrong.csv', '--campaign', 'Wrong', '--map', 'absent=email', '--yes'), 2)
    const ambiguous = await line.run(['import', 'wrong.csv', '--campaign', 'Wrong', '--map', 'email=email', '--map', 'email=mail', '--yes'])
    assert.deepEqual([ambiguous.code, /names the column "email" twice/.test(ambiguous.err)], [2, true])
    assert.equal(await codeOf('wrong.csv', '--campaign', 'Wrong', '--on-duplicate', 'replace'), 2)
    assert.equal(await codeOf('wrong.csv', '--campaign', 'Absent', '--yes'), 4)
    await makeCampaign(overture, { name: 'Wrong' })
    const twice = await line.run(['import', 'wrong.csv', '--campaign', 'Wrong', '--yes'])
    assert.equal(twice.code, 5)
    assert.match(twice.err, /Next: overture api campaigns\.list/)
  })

  it('can be the export of another tool: open leads are imported, opted-out people are suppressed', async () => {
    const { id } = await makeCampaign(overture, { name: 'Moved' })
    write(
      'first_name,email,company_name,status,is_unsubscribed,reply_count,custom_fields\n' +
        'Ann,ann@moved.example,Acme,INPROGRESS,false,0,"{""Icebreaker"":""Hi""}"\nBob,bob@moved.example,B,STARTED,true,0,\nCy,cy@moved.example,C,STARTED,false,1,\n',
      'smartlead.csv',
    )
    const args = ['import-from', 'smartlead', 'smartlead.csv', '--campaign', 'Moved']
    assert.match((await line.run([...args, '--dry-run'])).out, /1 unsubscribed.*\n1 replied[\s\S]*company +company +Acme/)
    const moved = await line.json([...args, '--yes'])
    assert.deepEqual([moved.importedCount, moved.newlySuppressedCount, moved.answeredCount], [1, 1, 1])
    const [lead] = await leadsOf(id)
    assert.deepEqual([lead.email, lead.firstName, lead.company], ['ann@moved.example', 'Ann', 'Acme'])
    const known = (await overture.client.get(`${overture.home}/suppressions?q=bob@moved.example`)).body.data
    assert.equal(known.length, 1)
    assert.equal((await line.run(['import-from', 'mailmonkey', 'smartlead.csv', '--campaign', 'Moved'])).code, 2)
  })

  it('reports its progress while it runs', async () => {
    await makeCampaign(overture, { name: 'Long' })
    write(`email\n${Array.from({ length: 6000 }, (_, at) => `person${at}@long.example`).join('\n')}\n`, 'long.csv')
    const { code, out, err } = await line.run(['import', 'long.csv', '--campaign', 'Long', '--yes'], { isTyped: true })
    assert.equal(code, 0, err)
    assert.match(out, /6000 imported/)
    assert.match(err, /Importing \[#*-*\] [\d,]+ of 6,000 rows/)
  })

  it('is an operation that counts the processed rows while it runs', async () => {
    const { client, home, workspaceId, ctx } = overture
    const { id } = (await client.get(`${home}/operations?action=campaign.import_csv&limit=1`)).body.data[0]
    assert.equal((await client.get(`/v1/operations/${id}`)).body.doneCount, undefined)
    let doneCount: number | undefined
    // Rolled back, so that no worker sees it.
    const undone = ctx.db.inTransaction(async tx => {
      await tx.run(sql(`update operations set status = 'running', completed_at = null, result = null where id = $1`), [id])
      await tx.run(sql('insert into csv_uploads (id, workspace_id, operation_id, row_count) values ($1, $2, $1, 1500)'), [id, workspaceId])
      const found = await findOperation(tx, id)
      doneCount = presentOperation(found!, ctx, { scopes: ['*'] } as unknown as Caller).doneCount
      throw new Error('roll back')
    })
    await assert.rejects(undone, /roll back/)
    assert.equal(doneCount, 1500)
  })
})
