import { after } from 'node:test'
import { buildContext, closeContext } from '../src/app/build-context.ts'
import { loadConfig } from '../src/context/config.ts'
import type { Context } from '../src/context/context.ts'
import { type Db, sql } from '../src/db/sql.ts'
import { mergeIntoDirectory } from '../src/modules/people/people.ts'
import { type RawPerson, readPerson } from '../src/modules/people/person-input.ts'
import type { NewPerson } from '../src/modules/people/schema.ts'
import type { Overture } from './harness.ts'

/** A context on a test database, without API and worker. */
export function openTestContext(databaseUrl: string, dir: string): Context {
  const config = loadConfig({}, { dir, logLevel: 'silent', poolSize: 4 })
  const ctx = buildContext({ config, databaseUrl, secretKey: Buffer.alloc(32, 7) })
  after(() => closeContext(ctx))
  return ctx
}

export const peopleOf = (rows: readonly RawPerson[]): NewPerson[] =>
  rows.map(row => {
    const read = readPerson(row)
    if ('rejected' in read) throw new Error(`${JSON.stringify(row)}: ${read.rejected}`)
    if (read.unread.length > 0) throw new Error(`${JSON.stringify(row)}: cannot read ${read.unread.join(', ')}`)
    return read.person
  })

const COUNT = sql(`
  select count(*)::int as count
  from people
  where not deleted`)

export const countPeople = async (db: Db): Promise<number> => (await db.first<{ count: number }>(COUNT))!.count

/** Puts people into the lead directory, the way an import does. */
export async function addPeople(overture: Pick<Overture, 'ctx'>, rows: RawPerson[]): Promise<void> {
  const people = peopleOf(rows)
  await overture.ctx.db.inTransaction(tx =>
    mergeIntoDirectory(tx, people, { source: 'test', now: new Date(), secrets: overture.ctx.secrets }),
  )
}

/** So many people of one company, all with verified addresses: `p1@acme.example`, `p2@acme.example` ... */
export const staffOf = (company: string, count: number, more: RawPerson = {}): RawPerson[] =>
  Array.from({ length: count }, (_, index) => {
    const domain = `${company.toLowerCase().replaceAll(/\W+/g, '-')}.example`
    return {
      email: `p${index + 1}@${domain}`,
      emailStatus: 'verified',
      firstName: `First${index + 1}`,
      lastName: `Last${index + 1}`,
      jobTitle: 'Chief Technology Officer',
      company,
      companyDomain: domain,
      industry: 'software',
      employees: '120',
      city: 'Berlin',
      country: 'Germany',
      ...more,
    }
  })
