import { after } from 'node:test'
import { buildContext, closeContext } from '../../app/build-context.ts'
import { loadConfig } from '../../context/config.ts'
import type { Context } from '../../context/context.ts'
import { type Db, sql } from '../../db/client.ts'
import { type RawPerson, readPerson } from './person-input.ts'
import type { NewPerson } from './schema.ts'

/** A context on a test database, without API and worker. */
export function openTestContext(databaseUrl: string, dir: string): Context {
  const config = loadConfig({}, { dir, logLevel: 'silent', poolSize: 4 })
  const ctx = buildContext({ config, databaseUrl, secretKey: Buffer.alloc(32, 7) })
  after(() => closeContext(ctx))
  return ctx
}

export function peopleOf(rows: readonly RawPerson[]): NewPerson[] {
  return rows.map(raw => {
    const result = readPerson(raw)
    if ('rejected' in result) throw new Error(`${JSON.stringify(raw)}: ${result.rejected}`)
    return result.person
  })
}

const COUNT = sql(`
  select count(*)::int as count
  from people
  where not deleted`)

export async function countPeople(db: Db): Promise<number> {
  return (await db.first<{ count: number }>(COUNT))!.count
}
