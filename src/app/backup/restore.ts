import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import pg from 'pg'
import type { Call } from '../../cli/command.ts'
import { harmless, Progress, printJson } from '../../cli/output.ts'
import type { Shell } from '../../cli/shell.ts'
import { type Config, loadConfig } from '../../context/config.ts'
import { copyIn } from '../../db/copy-in.ts'
import { applyMigrations, migrate, migrationNames, tableNames } from '../../db/migrate.ts'
import { withClient } from '../../db/startup.ts'
import { CommandFailed, EXIT, wrongUsage } from '../../lib/command-failure.ts'
import { readOwnFile } from '../../lib/own-files.ts'
import { Lifetime, openUnmigrated } from '../boot.ts'
import { fingerprintOf } from '../installation-keys.ts'
import { BrokenArchive, countLines, type Frame, type Head, parseFrame, readArchive, type Tail } from './archive.ts'
import { copyText, currentSchema, dropEverything, listFilled, listTables, qualified, readSequences } from './tables.ts'

const MB = 1_000_000

/** `overture restore FILE`: the file is checked to its end before anything changes, and then everything is restored, or nothing. */
export async function restore({ positionals, flags, shell }: Call): Promise<void> {
  const [named] = positionals
  if (named === undefined) throw wrongUsage('Specify a file.', 'overture restore overture.backup')
  const path = resolve(shell.cwd, named)
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found?.isFile()) {
    throw wrongUsage(`${path} ${found ? 'is not a file' : 'does not exist'}.`, 'use a file that overture backup created')
  }
  const checked = await checkArchive(path, shell)
  const { head, tail } = checked
  const about = { createdAt: head.createdAt, fingerprint: head.fingerprint, tableCount: tail.tableCount, rowCount: tail.rowCount }
  if (flags.isOn('check')) {
    const made = await tableNames(head.migrations)
    const unknown = [...checked.tables].find(name => !made.includes(name))
    if (unknown !== undefined) throw brokenBackup(path, new BrokenArchive(`it contains a table that Overture does not have: ${unknown}`))
    const missing = made.filter(name => !checked.tables.has(name))
    if (missing.length > 0) throw brokenBackup(path, new BrokenArchive(`these tables are missing: ${missing.join(', ')}`))
    return reportCheck(shell, flags.isOn('json'), { file: path, ...about })
  }
  const config = loadConfig(shell.env)
  const lifetime = new Lifetime()
  try {
    const { databaseUrl } = await openUnmigrated(config, lifetime, 'overture restore')
    await fill(databaseUrl, path, checked, flags.isOn('replace'), shell)
    const migrated = await migrate(databaseUrl)
    const key = await keyFinding(config, head.fingerprint)
    if (flags.isOn('json')) return printJson(shell, { file: path, ...about, migrated, isKeyHere: key === null })
    shell.print(`Restored ${tail.rowCount.toLocaleString('en')} rows from the backup of ${head.createdAt}.`)
    if (migrated.length > 0) shell.print(`Migrated the database: ${migrated.join(', ')}.`)
    shell.print(key ?? `The secret key ${head.fingerprint}, which the backup needs, is available.`)
    await warnOfSending(databaseUrl, shell)
  } finally {
    await lifetime.end()
  }
}

interface About {
  file: string
  createdAt: string
  fingerprint: string | null
  tableCount: number
  rowCount: number
}

/** Prints which key the backup needs, and fails if another one is set, because the restored data could not be read. */
function reportCheck(shell: Shell, asJson: boolean, about: About): void {
  const { file, createdAt, rowCount, fingerprint } = about
  const given = shell.env.OVERTURE_SECRET_KEY ? Buffer.from(shell.env.OVERTURE_SECRET_KEY, 'base64') : null
  const own = given === null ? null : given.length === 32 ? fingerprintOf(given) : 'none, because a key has 32 bytes in base64'
  const isKeyHere = fingerprint === null || own === null ? null : own === fingerprint
  if (asJson) printJson(shell, { ...about, isKeyHere })
  else {
    shell.print(`${harmless(file)} is complete: ${rowCount.toLocaleString('en')} rows, backed up at ${createdAt}.`)
    if (fingerprint === null) shell.print('The backup works with any secret key, because no service had opened the database.')
    else shell.print(`The backup needs the secret key with the fingerprint ${fingerprint}.`)
    if (isKeyHere) shell.print('OVERTURE_SECRET_KEY is that key.')
    else if (isKeyHere === null && fingerprint !== null) shell.print('OVERTURE_SECRET_KEY is not set: set it to compare them.')
  }
  if (isKeyHere !== false) return
  const text = `OVERTURE_SECRET_KEY is another key: its fingerprint is ${own}, and the backup needs ${fingerprint}.`
  throw new CommandFailed(EXIT.conflict, 'other_key', text, 'set OVERTURE_SECRET_KEY to the key of the installation that was backed up')
}

interface Checked {
  head: Head
  tail: Tail
  tables: ReadonlySet<string>
  byteCount: number
}

/** Reads the whole file, because only its end proves that it is complete. */
async function checkArchive(path: string, shell: Shell): Promise<Checked> {
  const progress = new Progress(shell, 'Checking', 'MB')
  const known = await migrationNames()
  // The first and the last frame of every archive.
  let head!: Head
  let tail!: Tail
  let byteCount = 0
  const tables = new Set<string>()
  let rowCount = 0
  let rows = 0
  try {
    for await (const { type, payload } of readArchive(path)) {
      shell.signal.throwIfAborted()
      byteCount += payload.length
      progress.show(Math.round(byteCount / MB), null)
      if (type === 'H') head = parseFrame('H', payload)
      else if (type === 'T') {
        const { name } = parseFrame('T', payload)
        if (tables.has(name)) throw new BrokenArchive(`it contains the table ${name} twice`)
        tables.add(name)
        rows = 0
      } else if (type === 'D') rows += countLines(payload)
      else if (type === 'E') {
        if (parseFrame('E', payload).rowCount !== rows) throw new BrokenArchive('a table has another number of rows than it says')
        rowCount += rows
      } else tail = parseFrame('Z', payload)
    }
    if (tables.size !== tail.tableCount || rowCount !== tail.rowCount)
      throw new BrokenArchive('it has another number of tables or rows than it says')
  } catch (error) {
    if (!(error instanceof BrokenArchive)) throw error
    throw brokenBackup(path, error)
  } finally {
    progress.end()
  }
  if (head.migrations.length > 0 && !head.migrations.includes(known[0]!)) {
    const message = 'The backup comes from an older build of Overture, whose data this version cannot read.'
    throw new CommandFailed(EXIT.conflict, 'older_backup', message, 'restore it with that build')
  }
  const unknown = head.migrations.filter(name => !known.includes(name))
  if (unknown.length > 0) {
    const message = `The backup comes from a newer version of Overture (${head.version}). This version does not know ${unknown.join(', ')}.`
    throw new CommandFailed(EXIT.conflict, 'newer_backup', message, 'update Overture, then restore again')
  }
  return { head, tail, tables, byteCount }
}

const brokenBackup = (path: string, error: BrokenArchive): CommandFailed =>
  new CommandFailed(EXIT.failed, 'broken_backup', `${path} cannot be restored: ${error.message}.`, 'use another backup')

/** In one transaction: the tables as they were at the time of the backup, then their rows, then the sequences. */
async function fill(databaseUrl: string, path: string, checked: Checked, mayReplace: boolean, shell: Shell): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'overture-restore' })
  client.on('error', () => {})
  await client.connect()
  const progress = new Progress(shell, 'Restoring', 'MB')
  try {
    await client.query('begin')
    await refuseWhileRunning(client)
    if (!mayReplace) await refuseFilled(client, path)
    await dropEverything(client)
    await applyMigrations(client, checked.head.migrations)
    await copyEverything(client, path, checked.head.migrations, done => {
      shell.signal.throwIfAborted()
      progress.show(Math.round(done / MB), Math.round(checked.byteCount / MB))
    })
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error instanceof BrokenArchive ? brokenBackup(path, error) : error
  } finally {
    progress.end()
    await client.end().catch(() => {})
  }
}

async function refuseWhileRunning(client: pg.Client): Promise<void> {
  const { rows } = await client.query(`
    select count(*)::int as count
    from pg_stat_activity
    where datname = current_database()
      and application_name like 'overture%'
      and pid <> pg_backend_pid()`)
  if (rows[0].count === 0) return
  throw new CommandFailed(EXIT.conflict, 'running', 'Overture is running on this database.', 'stop its processes, then restore again')
}

async function refuseFilled(client: pg.Client, path: string): Promise<void> {
  const filled = await listFilled(client)
  if (filled.length === 0) return
  const message = `The database is not empty: ${filled.slice(0, 5).join(', ')}${filled.length > 5 ? ' and others' : ''} have rows.`
  throw new CommandFailed(EXIT.conflict, 'not_empty', message, `overture restore ${path} --replace   # deletes the existing data`)
}

/** Into all the tables, columns and sequences that the migrations made, and no others: a backup may come from a stranger. */
async function copyEverything(client: pg.Client, path: string, migrationsOfBackup: readonly string[], tell: (byteCount: number) => void) {
  const [schema, tables] = [await currentSchema(client), await listTables(client)]
  const sequences = (await readSequences(client)).map(({ name }) => name)
  const missing = new Set([...tables.map(({ name }) => `table ${name}`), ...sequences.map(name => `sequence ${name}`)])
  let done = 0
  const count = (bytes: number): void => {
    done += bytes
    tell(done)
  }
  const frames = readArchive(path)
  for await (const { type, payload } of frames) {
    if (type === 'T') {
      const table = parseFrame('T', payload)
      const known = tables.find(({ name }) => name === table.name)
      if (!known) throw new BrokenArchive(`it contains a table that Overture does not have: ${table.name}`)
      const foreign = table.columns.find(column => !known.columns.includes(column))
      if (foreign !== undefined) throw new BrokenArchive(`it contains a column that ${table.name} does not have: ${foreign}`)
      const lacking = known.columns.find(column => !table.columns.includes(column))
      if (lacking !== undefined) throw new BrokenArchive(`the column ${lacking} of ${table.name} is missing`)
      missing.delete(`table ${table.name}`)
      // Migrations insert a few rows into new tables. The backup contains these rows in their later state.
      await client.query(`delete from ${qualified(schema, table.name)}`)
      await copyRows(client, copyText(schema, table, 'from stdin'), table.name, frames, count)
    } else if (type === 'Z') {
      for (const { name, lastValue, isCalled } of parseFrame('Z', payload).sequences) {
        if (!missing.delete(`sequence ${name}`)) throw new BrokenArchive(`it contains a sequence that Overture does not have: ${name}`)
        const values = [qualified(schema, name), lastValue, isCalled]
        await client.query('select setval($1::regclass, $2::bigint, $3)', values).catch(refusedAs(`the sequence ${name} is`))
      }
    }
  }
  const { rows } = await client.query<{ name: string }>('select name from migrations')
  const isSame = rows.length === migrationsOfBackup.length && rows.every(({ name }) => migrationsOfBackup.includes(name))
  if (!isSame) throw new BrokenArchive('its migrations do not match its tables')
  const [first] = missing
  if (first !== undefined) throw new BrokenArchive(`the ${first} is missing`)
}

/** PostgreSQL refuses a value of the archive. */
const refusedAs =
  (what: string) =>
  (error: { code?: string; message: string }): never => {
    throw /^2[23]/.test(error.code ?? '') ? new BrokenArchive(`${what} not valid: ${error.message}`, { cause: error }) : error
  }

/** Copies the rows of one table: takes frames up to the end of the table. */
async function copyRows(
  client: pg.Client,
  statement: string,
  name: string,
  frames: AsyncGenerator<Frame>,
  tell: (byteCount: number) => void,
): Promise<void> {
  let expected: number | undefined
  const rows = async function* (): AsyncGenerator<Buffer> {
    for (let next = await frames.next(); !next.done; next = await frames.next()) {
      const { type, payload } = next.value
      if (type === 'E') {
        expected = parseFrame('E', payload).rowCount
        return
      }
      tell(payload.length)
      yield payload
    }
    throw new BrokenArchive('it is truncated')
  }
  const count = await copyIn(client, statement, rows()).catch(refusedAs(`the rows of ${name} are`))
  if (count !== expected) throw new BrokenArchive(`${name} has ${count} rows instead of ${expected}`)
}

/** Null when the key that the database needs is here. */
async function keyFinding(config: Config, fingerprint: string | null): Promise<string | null> {
  const file = join(config.dir, 'secret.key')
  const key = config.secretKey || (config.databaseUrl ? null : await readOwnFile(file))
  if (fingerprint === null || (key && fingerprintOf(Buffer.from(key, 'base64')) === fingerprint)) return null
  const where = config.databaseUrl ? 'set OVERTURE_SECRET_KEY to it' : `save it as ${file}`
  return `The data needs the secret key with the fingerprint ${fingerprint}, which this installation does not have: ${where} before the next start.`
}

/** Messages that were sent after the backup are not in it, and would be sent again. */
async function warnOfSending(databaseUrl: string, shell: Shell): Promise<void> {
  const { rows } = await withClient({ connectionString: databaseUrl, application_name: 'overture-restore' }, client =>
    client.query(`select count(*)::int as count from campaigns where status = 'active'`),
  )
  if (rows[0].count === 0) return
  shell.warn(
    `${rows[0].count} campaigns are active. The backup does not know messages that were sent after it was made, and these would be sent again:`,
  )
  shell.warn('start with OVERTURE_SENDING=false, review the campaigns, and pause those that must not continue.')
}
