import { createWriteStream, existsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import manifest from '../../../package.json' with { type: 'json' }
import type { Call } from '../../cli/command.ts'
import { Progress, printJson } from '../../cli/output.ts'
import type { Shell } from '../../cli/shell.ts'
import { loadConfig } from '../../context/config.ts'
import { CommandFailed, EXIT, wrongUsage } from '../../lib/command-failure.ts'
import { Lifetime, openUnmigrated } from '../boot.ts'
import { ArchiveWriter, countLines, FORMAT, type Head, type TableHead } from './archive.ts'
import { copyText, currentSchema, listTables, readSequences } from './tables.ts'

const MB = 1_000_000

/** `overture backup FILE`: the whole database at one moment, while the service runs. */
export async function backup({ positionals, flags, shell }: Call): Promise<void> {
  const [named] = positionals
  if (named === undefined) throw wrongUsage('Specify a file.', 'overture backup overture.backup')
  const path = resolve(shell.cwd, named)
  if (existsSync(path) && !flags.isOn('replace')) {
    throw new CommandFailed(EXIT.conflict, 'file_exists', `${path} already exists.`, `overture backup ${named} --replace`)
  }
  const config = loadConfig(shell.env)
  if (!config.databaseUrl && !existsSync(config.dir)) {
    throw new CommandFailed(
      EXIT.notFound,
      'no_installation',
      `There is no installation in ${config.dir}.`,
      'set DATABASE_URL, or OVERTURE_DIR',
    )
  }
  const lifetime = new Lifetime()
  try {
    const { databaseUrl } = await openUnmigrated(config, lifetime, 'overture backup')
    const written = await writeBackup(databaseUrl, path, shell)
    if (flags.isOn('json')) return printJson(shell, { file: path, ...written })
    shell.print(`Wrote ${written.tableCount} tables with ${written.rowCount.toLocaleString('en')} rows to ${path}.`)
    const { fingerprint } = written
    if (fingerprint)
      shell.warn(
        `A restore needs the secret key with the fingerprint ${fingerprint}. Store a copy of ${whereKeyIs(config)} somewhere else.`,
      )
  } finally {
    await lifetime.end()
  }
}

const whereKeyIs = ({ secretKey, dir }: { secretKey: string; dir: string }): string =>
  secretKey ? 'OVERTURE_SECRET_KEY' : `${dir}/secret.key`

type Written = Omit<Head, 'format'> & { tableCount: number; rowCount: number }

/** Writes to a file next to `path` and renames it at the end, so that an interrupted backup never looks like a complete one. */
async function writeBackup(databaseUrl: string, path: string, shell: Shell): Promise<Written> {
  const partial = `${path}.partial`
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'overture-backup' })
  client.on('error', () => {})
  await client.connect()
  const progress = new Progress(shell, 'Backing up', 'MB')
  try {
    // All tables are read as of one moment.
    await client.query('begin isolation level repeatable read, read only')
    const source = new PassThrough()
    // It contains personal data, so only its owner may read it. A link or a file that others have put there is not written to.
    await rm(partial, { force: true })
    const storing = pipeline(source, createGzip(), createWriteStream(partial, { flags: 'wx', mode: 0o600 }), { signal: shell.signal })
    const [written] = await Promise.all([
      writeEverything(client, new ArchiveWriter(source), progress, shell.signal).catch(error => {
        source.destroy(error as Error)
        throw error
      }),
      storing,
    ])
    await client.query('commit')
    await flush(partial)
    await rename(partial, path)
    return written
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  } finally {
    progress.end()
    await client.end().catch(() => {})
  }
}

async function writeEverything(client: pg.Client, archive: ArchiveWriter, progress: Progress, signal: AbortSignal): Promise<Written> {
  const [schema, tables] = [await currentSchema(client), await listTables(client)]
  if (!tables.some(({ name }) => name === 'migrations')) {
    throw new CommandFailed(EXIT.notFound, 'no_installation', 'There is no Overture in this database.', 'overture migrate')
  }
  const head = await headOf(client, tables)
  await archive.writeJson('H', { format: FORMAT, ...head } satisfies Head)
  let rowCount = 0
  for (const table of tables) {
    signal.throwIfAborted()
    await archive.writeJson('T', table)
    const rows = await copyTable(client, copyText(schema, table, 'to stdout'), archive, () =>
      progress.show(Math.round(archive.byteCount / MB), null),
    )
    await archive.writeJson('E', { rowCount: rows })
    rowCount += rows
  }
  await archive.end({ sequences: await readSequences(client), tableCount: tables.length, rowCount })
  return { ...head, tableCount: tables.length, rowCount }
}

async function headOf(client: pg.Client, tables: readonly TableHead[]): Promise<Omit<Head, 'format'>> {
  const { rows: migrations } = await client.query<{ name: string }>('select name from migrations order by name')
  const hasKeys = tables.some(({ name }) => name === 'installation_keys')
  const keys = hasKeys ? (await client.query<{ fingerprint: string }>('select fingerprint from installation_keys')).rows : []
  const { rows } = await client.query<{ now: Date }>('select now()')
  return {
    createdAt: rows[0]!.now.toISOString(),
    version: manifest.version,
    migrations: migrations.map(({ name }) => name),
    fingerprint: keys[0]?.fingerprint ?? null,
  }
}

async function copyTable(client: pg.Client, statement: string, archive: ArchiveWriter, tell: () => void): Promise<number> {
  let rows = 0
  for await (const piece of client.query(copyTo(statement))) {
    const bytes = piece as Buffer
    rows += countLines(bytes)
    await archive.writeRows(bytes)
    tell()
  }
  return rows
}

/** It must be on the disk before its final name shows that it is complete. */
async function flush(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
