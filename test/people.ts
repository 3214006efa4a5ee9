import { mergeIntoDirectory } from '../src/modules/people/people.ts'
import { type RawPerson, readPerson } from '../src/modules/people/person-input.ts'
import type { NewPerson } from '../src/modules/people/schema.ts'
import type { Overture } from './harness.ts'

/** Puts people into the lead directory, the way an import does. */
export async function addPeople(overture: Pick<Overture, 'ctx'>, rows: RawPerson[]): Promise<void> {
  const people = rows.map((row): NewPerson => {
    const read = readPerson(row)
    if ('rejected' in read) throw new Error(`${JSON.stringify(row)}: ${read.rejected}`)
    if (read.unread.length > 0) throw new Error(`${JSON.stringify(row)}: cannot read ${read.unread.join(', ')}`)
    return read.person
  })
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
