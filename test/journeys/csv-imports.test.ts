import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { erasePerson } from '../../src/app/erase-person.ts'
import { Worker } from '../../src/app/worker.ts'
import { sql } from '../../src/db/sql.ts'
import { leadTasks } from '../../src/modules/leads/tasks.ts'
import type { OutsideTask } from '../../src/operations/tasks.ts'
import { makeCampaign } from '../factories.ts'
import { eventually } from '../faults/eventually.ts'
import { overture as runOverture } from '../faults/processes.ts'
import { type Overture, startOverture, TEST_SECRET } from '../harness.ts'

const COUNT = sql(`
  select count(*)::int as count, count(distinct email)::int as people
  from leads
  where campaign_id = $1`)

let overture: Overture

const csvPath = async (name: string) => `${overture.home}/campaigns/${(await makeCampaign(overture, { name })).id}/leads/import/csv`

const upload = (path: string, file: string | Buffer, headers: Record<string, string> = {}) =>
  overture.client.whenDone(
    overture.client.post(path, undefined, { raw: file, headers: { 'content-type': 'text/csv', prefer: 'wait=20', ...headers } }),
  )

async function importFile(path: string, file: string | Buffer) {
  const accepted = await upload(path, file)
  assert.equal(accepted.status, 200, JSON.stringify(accepted.body))
  return (await overture.client.get(`/v1/operations/${accepted.body.id}`)).body
}

const tryFile = async (path: string, file: string | Buffer, query = '') => (await upload(`${path}?dryRun=true${query}`, file)).body.data
const targets = (trial: { columns: { header: string; target: string | null }[] }) =>
  Object.fromEntries(trial.columns.map(({ header, target }) => [header, target]))
const leadsOf = async (path: string) => (await overture.client.get(path.replace('/import/csv', '?limit=100'))).body.data
const utf16 = (text: string, isBigEndian = false) => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le')
  return isBigEndian ? bytes.swap16() : bytes
}

/** Stops an import after its first page until it is released. */
async function holdBehindFirstPage({ ctx: { db } }: Overture): Promise<() => Promise<void>> {
  const holder = await db.pool.connect()
  await holder.query('select pg_advisory_lock(1)')
  await holder.query(`
    create function wait_for_release() returns trigger language plpgsql
    as $$ begin perform pg_advisory_xact_lock(1); return new; end $$`)
  await holder.query(`
    create trigger held before update on csv_uploads
    for each row when (old.row_count > 0)
    execute function wait_for_release()`)
  return async () => {
    await holder.query('select pg_advisory_unlock(1)')
    holder.release()
  }
}

before(async () => {
  overture = await startOverture()
})

describe('a CSV file for a campaign', () => {
  it('is imported with recognized columns, and unknown columns become variables', async () => {
    const path = await csvPath('Plain')
    const { status, result } = await importFile(
      path,
      'E-Mail,First Name,Last Name,Company,Lieblings Farbe\r\nann@plain.example,Ann,Archer,"Acme, Inc.",blau\r\nbob@plain.example,Bob,,"The ""Best""\nof all",\r\n',
    )
    assert.equal(status, 'succeeded')
    assert.deepEqual([result.importedCount, result.invalidCount, result.rejectedRowsUrl], [2, 0, null])
    const [bob, ann] = (await leadsOf(path)).sort((a: { email: string }, b: { email: string }) => (a.email < b.email ? 1 : -1))
    assert.deepEqual(
      [ann.firstName, ann.fullName, ann.company, ann.variables, ann.source],
      ['Ann', 'Ann Archer', 'Acme, Inc.', { lieblingsFarbe: 'blau' }, 'csv_import'],
    )
    assert.deepEqual([bob.company, bob.variables], ['The "Best" of all', {}], 'names are cleaned, not refused')
  })

  it('has headers in English, German, French or Spanish', async () => {
    const path = await csvPath('Languages')
    const of = async (header: string) => targets(await tryFile(path, `${header}\n`))
    const full = { email: true, firstName: true, lastName: true, company: true, jobTitle: true, timezone: true }
    for (const header of [
      'Email Address,First Name,Surname,Company Name,Job Title,Time Zone',
      'E-Mail-Adresse;Vorname;Nachname;Firma;Berufsbezeichnung;Zeitzone',
      'Vorname;Name;Mailadresse;Unternehmen;Funktion;Zeitzone',
      'Courriel\tPrénom\tNom\tSociété\tFonction\tFuseau horaire',
      'Correo electrónico|Nombre|Apellidos|Empresa|Puesto|Zona horaria',
      'email_address,firstName,last_name,companyName,jobTitle,timezone',
      'Firm,Job position,Fname,Lname,Email ID,tz',
      'Organisation,Lead first name,Lead last name,Lead e-mail (required),Current position,Timezone *',
      'Account Name,Contact First Name,Contact Last Name,Contact: Email,Role,Time zone',
      'Betrieb;Beruf;Vornamen;Familienname;E-Mail;Zeitzone',
      'Raison sociale;Poste actuel;Prénoms;Nom de famille;Adresse électronique;Fuseau',
      'Razón social;Profesión;Nombres;Primer apellido;Correo profesional;Huso horario',
    ])
      assert.deepEqual(Object.fromEntries(Object.values(await of(header)).map(target => [target, true])), full, header)
    assert.equal((await of('Mail,Name')).Name, 'fullName')
    assert.deepEqual(await of('Nome,Email,Empresa'), { Nome: 'fullName', Email: 'email', Empresa: 'company' })
    // Of two columns, the one with the plain name wins.
    assert.deepEqual(await of('Customer email,Email'), { 'Customer email': 'customerEmail', Email: 'email' })
  })

  it('describes the import in a dry run, and changes nothing', async () => {
    const path = await csvPath('Tried')
    const trial = await tryFile(
      path,
      'Mail;Ort;Zeitzone\nann@tried.example;Köln;Europe/Berlin\nnobody;Bonn;\n;;\nbob@tried.example;Ulm;Mars/North\n',
    )
    assert.deepEqual(trial.columns, [
      { header: 'Mail', target: 'email' },
      { header: 'Ort', target: 'ort' },
      { header: 'Zeitzone', target: 'timezone' },
    ])
    assert.deepEqual([trial.delimiter, trial.rowCount, trial.validCount, trial.invalidCount], [';', 3, 2, 1])
    assert.deepEqual(trial.invalid, [{ line: 3, reason: 'not a valid email address' }])
    assert.deepEqual([trial.warningCount, trial.warnings[0].line], [1, 5])
    assert.deepEqual(trial.firstRows[0], ['ann@tried.example', 'Köln', 'Europe/Berlin'])
    assert.deepEqual(await leadsOf(path), [])
    const kept = await overture.ctx.db.first<{ count: number }>(sql('select count(*)::int as count from csv_upload_pieces'))
    assert.equal(kept!.count, 0)
  })

  it('follows the sent mapping, and refuses an invalid one', async () => {
    const path = await csvPath('Mapped')
    const file = 'Primary,Secondary,Note\nann@mapped.example,other@mapped.example,hello\n'
    const mapping = (wishes: unknown) => encodeURIComponent(JSON.stringify(wishes))
    const trial = await tryFile(path, file, `&mapping=${mapping({ Primary: 'email', secondary: null, Note: 'greeting' })}`)
    assert.deepEqual(targets(trial), { Primary: 'email', Secondary: null, Note: 'greeting' })
    const unknown = await tryFile(path, file)
    assert.deepEqual([unknown.validCount, unknown.invalidCount], [0, 1])
    const without = await upload(path, file)
    assert.equal(without.status, 422)
    assert.match(without.body.error.message, /mapping=\{"<header>":"email"\}.*Primary, Secondary, Note/)
    for (const wishes of [{ Nothing: 'email' }, { Primary: 'not a name' }, { Primary: 'email', Secondary: 'email' }, ['email']])
      assert.equal((await upload(`${path}?mapping=${mapping(wishes)}`, file)).status, 400, JSON.stringify(wishes))
    const accepted = await upload(`${path}?mapping=${mapping({ Primary: 'email', Secondary: null, Note: 'greeting' })}`, file)
    assert.equal(accepted.status, 200)
    assert.deepEqual(
      (await leadsOf(path)).map((lead: { variables: object }) => lead.variables),
      [{ greeting: 'hello' }],
    )
  })

  it('names the columns beyond 50 variables that it leaves out, and refuses a mapping to more', async () => {
    const path = await csvPath('Wide')
    const columns = Array.from({ length: 80 }, (_, n) => `c${n}`)
    const file = `email,${columns.join(',')}\nann@wide.example,${columns.map(name => `v-${name}`).join(',')}\n`
    const named = columns.slice(50, 70).map(name => `"${name}"`)
    const reason = `a lead has at most 50 variables, so these columns are left out: ${named.join(', ')} and 10 more; choose the columns with mapping`
    const trial = await tryFile(path, file)
    assert.deepEqual([trial.warningCount, trial.warnings], [1, [{ line: 1, reason }]])
    const { result } = await importFile(path, file)
    assert.deepEqual([result.importedCount, result.warningCount, result.warnings], [1, 1, [{ line: 1, reason }]])
    const [lead] = await leadsOf(path)
    assert.equal(Object.keys(lead.variables).length, 50)
    const wishesFor = (count: number) =>
      encodeURIComponent(JSON.stringify(Object.fromEntries(columns.slice(-count).map(c => [c, `${c}w`]))))
    for (const query of ['', '&dryRun=true']) {
      const refused = await upload(`${path}?mapping=${wishesFor(51)}${query}`, file)
      assert.deepEqual([refused.status, refused.body.error.code], [422, 'validation_failed'])
      assert.match(refused.body.error.message, /maps columns to 51 variables, but a lead has at most 50/)
    }
    const chosen = await tryFile(path, file, `&mapping=${wishesFor(50)}`)
    assert.match(chosen.warnings[0].reason, /left out: "c0", .* and 10 more/)
    const ignored = encodeURIComponent(JSON.stringify(Object.fromEntries(columns.slice(50).map(name => [name, null]))))
    assert.deepEqual((await tryFile(path, file, `&mapping=${ignored}`)).warnings, [])
  })

  it('refuses a mapping that maps one column twice', async () => {
    const path = await csvPath('Ambiguous')
    const file = 'email,x\nann@ambiguous.example,1\n'
    for (const [mapping, message] of [
      ['{"x":"a","x":"b"}', 'mapping: "x" was sent more than once.'],
      ['{"x":"a","\\u0078":null}', 'mapping: "x" was sent more than once.'],
      ['{"x":"a","X":"b"}', 'mapping: names the column "x" twice.'],
    ] as const) {
      for (const query of ['', '&dryRun=true']) {
        const { status, body } = await upload(`${path}?mapping=${encodeURIComponent(mapping)}${query}`, file)
        assert.deepEqual([status, body.error?.message], [400, message])
      }
    }
    assert.deepEqual(await leadsOf(path), [])
  })

  it('refuses a mapping with text that cannot be stored', async () => {
    const path = await csvPath('Unstorable')
    for (const query of ['', '&dryRun=true']) {
      const mapping = encodeURIComponent(String.raw`{"x\ud800":"a"}`)
      const { status, body } = await upload(`${path}?mapping=${mapping}${query}`, 'email,x\nann@unstorable.example,1\n')
      assert.deepEqual([status, body.error?.message], [400, 'mapping: has a key that contains half of a surrogate pair.'])
    }
  })

  it('rejects rows of a million cells without storing their cells', async () => {
    const path = await csvPath('Commas')
    const file = `email\n${`ann@commas.example${','.repeat(1_000_000)}\n`.repeat(12)}bob@commas.example\n`
    const trial = await tryFile(path, file)
    assert.deepEqual([trial.rowCount, trial.validCount, trial.invalid[0].reason], [13, 1, 'the row has more than 1,000 cells'])
    assert.ok(JSON.stringify(trial).length < 10_000)
    assert.equal((await importFile(path, file)).result.invalidCount, 12)
  })

  it('may be in any usual encoding', async () => {
    const text = 'E-Mail;Vorname;Firma\njorg@encoded.example;Jörg;Größe € „gut“\n'
    const files: [string, Buffer][] = [
      ['UTF-8', Buffer.from(text)],
      ['UTF-8 with a mark', Buffer.from(`\ufeff${text}`)],
      ['UTF-16, little end first', utf16(text)],
      ['UTF-16, big end first', utf16(text, true)],
      ['UTF-16 without a mark', utf16(text).subarray(2)],
      ['with the separator declared', Buffer.from(`sep=;\r\n${text}`)],
    ]
    for (const [name, file] of files) {
      const path = await csvPath(name)
      await importFile(path, file)
      const [lead] = await leadsOf(path)
      assert.deepEqual([lead.firstName, lead.company], ['Jörg', 'Größe € „gut“'], name)
    }
    const path = await csvPath('Windows')
    const windows = Buffer.from('E-Mail;Vorname;Firma\njorg@windows.example;J\xf6rg;5 \x80 f\xfcr \x84alles\x93\n', 'latin1')
    assert.equal((await tryFile(path, windows)).encoding, 'windows-1252')
    assert.equal((await tryFile(path, Buffer.from(text))).encoding, 'utf-8')
    await importFile(path, windows)
    const [lead] = await leadsOf(path)
    assert.deepEqual([lead.firstName, lead.company], ['Jörg', '5 € für „alles“'])
  })

  it('loses no row silently: all rejected rows can be downloaded, corrected and imported again', async () => {
    const path = await csvPath('Rejected')
    const good = Array.from({ length: 1200 }, (_, n) => `p${n}@rejected.example,P${n}`)
    const bad = Array.from({ length: 250 }, (_, n) => `nobody ${n},=cmd${n}()`)
    const { id, result } = await importFile(
      path,
      ['email,first name', ...good, ...bad, 'x@rejected.example,X,too,many', 'p1@rejected.example,Twice'].join('\n'),
    )
    assert.deepEqual([result.importedCount, result.duplicateCount, result.invalidCount, result.invalid.length], [1200, 1, 251, 100])
    assert.deepEqual(result.invalid[0], { line: 1202, reason: 'not a valid email address' })
    const file = await overture.client.get(result.rejectedRowsUrl)
    assert.match(String(file.headers['content-disposition']), /attachment; filename="rejected-/)
    const lines = String(file.body).trim().split('\r\n')
    assert.equal(lines.length, 252)
    assert.equal(lines[0], 'line,reason,email,first name')
    assert.equal(lines[1], "1202,not a valid email address,nobody 0,'=cmd0()")
    assert.match(lines[251]!, /^1452,"has 4 cells, but the header has 2"/)
    const mended = String(file.body)
      .replace(/nobody (\d+)/g, 'mended$1@rejected.example')
      .replaceAll(',too,many', '')
    const again = await importFile(path, mended)
    assert.deepEqual([again.result.importedCount, again.result.invalidCount], [251, 0])
    const foreign = await overture.stranger()
    assert.equal((await foreign.client.get(result.rejectedRowsUrl)).status, 404)
    assert.equal((await overture.client.get(result.rejectedRowsUrl.replace(id, '00000000-0000-4000-8000-000000000000'))).status, 404)
  })

  it('stores the rejected rows of a JSON import as well', async () => {
    const path = (await csvPath('Json')).replace('/csv', '')
    const leads = Array.from({ length: 150 }, (_, n) => ({ email: `nobody ${n}` }))
    const { id, result } = await overture.client.operate('POST', path, { leads })
    assert.deepEqual([result.invalidCount, result.invalid.length], [150, 100])
    const { body } = await overture.client.get(`${path}/${id}/rejected-rows`)
    const lines = String(body).trim().split('\r\n')
    assert.deepEqual([lines.length, lines[150]], [151, '150,not a valid email address,nobody 149'])
  })

  it('imports a row with an unknown time zone, with a warning', async () => {
    const path = await csvPath('Zones')
    const { result } = await importFile(path, 'email,timezone\na@zones.example,Mars/North\nb@zones.example,Europe/Paris\n')
    assert.deepEqual([result.importedCount, result.invalidCount, result.warningCount], [2, 0, 1])
    assert.deepEqual(result.warnings, [{ line: 2, reason: 'unknown time zone, so the time zone of the campaign is used' }])
    assert.deepEqual((await leadsOf(path)).map((lead: { timezone: string | null }) => lead.timezone).sort(), ['Europe/Paris', 'Mars/North'])
  })

  it('with an unclosed quote loses only that line', async () => {
    const path = await csvPath('Quotes')
    const filler = Array.from({ length: 6000 }, (_, n) => `q${n}@quotes.example,${'x'.repeat(300)}`)
    const { result } = await importFile(path, ['email,note', 'first@quotes.example,"open', ...filler].join('\n'))
    assert.deepEqual([result.importedCount, result.invalidCount], [6000, 1])
    assert.match(result.invalid[0].reason, /a quote may not have been closed/)
    assert.equal(result.invalid[0].line, 2)
    const small = await csvPath('Quotes in a small file')
    const { result: few } = await importFile(small, 'email,company\nann@quotes.example,"open\nbob@quotes.example,B\ncid@quotes.example,C\n')
    assert.deepEqual([few.importedCount, few.invalid], [2, [{ line: 2, reason: 'a quote is not closed' }]])
    assert.deepEqual((await leadsOf(small)).map((lead: { company: string }) => lead.company).sort(), ['B', 'C'])
  })

  it('warns of rows that are text between two quotes', async () => {
    const path = await csvPath('Swallowed')
    const rows = 'ann@quotes.example,"open\nbob@quotes.example,B\ncid@quotes.example,C"\ndan@quotes.example,"Hi\nann, b@c.example"\n'
    const { result } = await importFile(path, `email,note\n${rows}`)
    assert.deepEqual([result.importedCount, result.warningCount, result.warnings[0].line], [2, 1, 2])
    assert.match(result.warnings[0].reason, /look like other rows, which are not imported/)
  })

  it('is the same request with the same key, and a conflict with another file or mapping', async () => {
    const path = await csvPath('Keyed')
    const headers = { 'idempotency-key': 'csv-once' }
    const file = 'email\nann@keyed.example\n'
    const first = await upload(path, file, headers)
    const again = await upload(path, file, headers)
    assert.deepEqual([again.body.id, again.headers['idempotent-replayed']], [first.body.id, 'true'])
    assert.equal((await upload(path, `${file}bob@keyed.example\n`, headers)).status, 409)
    assert.equal((await upload(`${path}?onDuplicate=update`, file, headers)).status, 409)
    const kept = await overture.ctx.db.first<{ count: number }>(sql('select count(*)::int as count from csv_uploads'))
    assert.equal(kept!.count, 0, 'no file is left behind')
  })

  it('is refused if it is another media type, an image or empty, or if the campaign is archived', async () => {
    const path = await csvPath('Refused')
    assert.equal((await overture.client.post(path, { leads: [] })).status, 415)
    assert.equal((await upload(path, '')).status, 422)
    assert.equal((await overture.client.post(path)).status, 422)
    const image = await upload(path, Buffer.alloc(1_000_000, 0xff))
    assert.deepEqual([image.status, JSON.stringify(image.body).length < 1000], [422, true])
    await overture.client.operate('POST', path.replace('/leads/import/csv', '/archive'))
    assert.equal((await upload(path, 'email\na@refused.example\n')).status, 409)
  })

  it('is read row by row as it arrives, however it is split', async () => {
    const path = await csvPath('Pieces')
    const rows = Array.from({ length: 3000 }, (_, n) => `p${n}@pieces.example,"Jörg ""${n}"", ${'é'.repeat(200)}"`)
    const { result } = await importFile(path, utf16(['email,note', ...rows].join('\r\n')))
    assert.deepEqual([result.importedCount, result.invalidCount], [3000, 0])
    const [lead] = (await overture.client.get(`${path.replace('/import/csv', '')}?email=p2999@pieces.example`)).body.data
    assert.equal(lead.variables.note, `Jörg "2999", ${'é'.repeat(200)}`)
  })

  it('continues after the worker is killed with -9, and imports every row once', async () => {
    const quiet = await startOverture({ worker: false })
    after(() => quiet.end())
    const { client, ctx, databaseUrl, baseUrl } = quiet
    const { id } = await makeCampaign(quiet, { name: 'Killed' })
    const rows = Array.from({ length: 6000 }, (_, n) => (n % 100 === 7 ? `nobody-${n}` : `k${n}@killed.example`))
    const accepted = await client.post(`${quiet.home}/campaigns/${id}/leads/import/csv`, undefined, {
      raw: ['email', ...rows].join('\n'),
      headers: { 'content-type': 'text/csv' },
    })
    assert.equal(accepted.status, 202, JSON.stringify(accepted.body))
    const count = async () => (await ctx.db.first<{ count: number }>(COUNT, [id]))!
    const release = await holdBehindFirstPage(quiet)
    const secretKey = TEST_SECRET.toString('base64')
    const worker = runOverture(['worker'], { DATABASE_URL: databaseUrl, OVERTURE_SECRET_KEY: secretKey, OVERTURE_BASE_URL: baseUrl })
    await eventually('it has begun', async () => (await count()).count > 0)
    await worker.end('SIGKILL')
    await release()
    const { count: before } = await count()
    assert.ok(before > 0 && before < 5940, `it was in the middle: ${before}`)
    const second = new Worker(ctx)
    await second.start()
    const done = await eventually('it is done', async () => {
      const { body } = await client.get(`/v1/operations/${accepted.body.id}`)
      return body.status !== 'queued' && body.status !== 'running' && body
    })
    await second.stop()
    const { importedCount, duplicateCount, invalidCount } = done.result
    assert.deepEqual([done.status, importedCount, duplicateCount, invalidCount], ['succeeded', 5940, 0, 60])
    assert.deepEqual(await count(), { count: 5940, people: 5940 })
    assert.equal((await client.get(`${quiet.home}/campaigns/${id}`)).body.data.totalLeads, 5940)
  })

  it('does not delay a stopping worker: it is returned after its last batch, and continues elsewhere', async t => {
    const quiet = await startOverture({ worker: false, config: { stopGraceSeconds: 0 } })
    after(() => quiet.end())
    const { client, ctx } = quiet
    const { id } = await makeCampaign(quiet, { name: 'Stopped' })
    const rows = Array.from({ length: 6000 }, (_, n) => `s${n}@stopped.example`)
    const accepted = await client.post(`${quiet.home}/campaigns/${id}/leads/import/csv`, undefined, {
      raw: ['email', ...rows].join('\n'),
      headers: { 'content-type': 'text/csv' },
    })
    const count = async () => (await ctx.db.first<{ count: number }>(COUNT, [id]))!.count
    const operation = async () => (await client.get(`/v1/operations/${accepted.body.id}`)).body
    const aborted = Promise.withResolvers<void>()
    const task = leadTasks['campaign.import_csv'] as OutsideTask
    const { run } = task
    t.mock.method(task, 'run', (...given: Parameters<typeof run>) => {
      given[2].addEventListener('abort', () => aborted.resolve())
      return run(...given)
    })
    const release = await holdBehindFirstPage(quiet)
    const first = new Worker(ctx)
    await first.start()
    await eventually('it has begun', async () => (await count()) > 0)
    const stopped = first.stop()
    await aborted.promise
    await release()
    await stopped
    assert.ok((await count()) < 6000, 'it was in the middle')
    assert.equal((await operation()).status, 'running')
    const second = new Worker(ctx)
    await second.start()
    const { result } = await eventually('it is done', async () => {
      const body = await operation()
      return body.status === 'succeeded' && body
    })
    await second.stop()
    assert.deepEqual([result.importedCount, result.duplicateCount, await count()], [6000, 0, 6000])
  })

  it('forgets an erased person, including rejected rows', async () => {
    const path = await csvPath('Erased')
    const { result } = await importFile(path, 'email,note\nnobody,ask gone@erased.example\nnobody,else\n')
    await erasePerson(overture.ctx, overture.workspaceId, 'gone@erased.example', new AbortController().signal)
    const { body } = await overture.client.get(result.rejectedRowsUrl)
    assert.doesNotMatch(String(body), /gone@erased/)
    assert.match(String(body), /else/)
  })
})
