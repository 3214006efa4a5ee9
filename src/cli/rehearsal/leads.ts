import { quotedCsv } from '../../lib/csv.ts'
import { csvRows } from '../../lib/csv-stream.ts'
import { exampleDomain, madeUpPerson } from '../../lib/made-up-person.ts'
import { DEFAULT_LEADS, PERSONAS, type Persona, type Rehearsal } from './section.ts'

interface MadeUpLead {
  email: string
  firstName: string
  lastName: string
  company: string
  jobTitle: string
  timezone?: string
  variables?: Record<string, string>
}

const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo', 'America/Los_Angeles', 'Europe/London']

/** One persona per lead, spread evenly, so that no kind comes as a block. */
export function castOf(personas: Rehearsal['personas'], leadCount: number): Persona[] {
  const named = Object.entries(personas ?? {}).flatMap(([persona, count]) => Array<Persona>(count).fill(persona as Persona))
  const cast = Array<Persona>(leadCount).fill('silent')
  for (const [at, persona] of named.entries()) cast[Math.floor((at * leadCount) / named.length)] = persona
  return cast
}

export const personaCount = (personas: Rehearsal['personas']): number => Object.values(personas ?? {}).reduce((sum, each) => sum + each, 0)

export const leadCountOf = ({ leads, personas }: Rehearsal): number =>
  typeof leads === 'number' ? leads : personaCount(personas) || DEFAULT_LEADS

/** People at domains that are reserved for examples. Each works for a company of its own. */
export function makeUpLeads(rehearsal: Rehearsal, inZones: boolean): MadeUpLead[] {
  return castOf(rehearsal.personas, leadCountOf(rehearsal)).map((persona, n) => {
    const person = madeUpPerson(n)
    const company = `${person.company} ${n + 1}`
    return {
      ...person,
      email: `${PERSONAS[persona]}+${person.firstName}.${person.lastName}@${exampleDomain(company)}`.toLowerCase(),
      company,
      ...(inZones ? { timezone: ZONES[n % ZONES.length]! } : {}),
      ...(rehearsal.variables ? { variables: rehearsal.variables } : {}),
    }
  })
}

/** A list whose addresses are replaced; each new address contains the persona. */
export interface CastFile {
  csv: string
  /** The original addresses, by the new ones. */
  real: Map<string, string>
}

const LONGEST_NAME = 40

/** Undefined when no column holds addresses. */
export function castFile(bytes: Buffer, personas: Rehearsal['personas']): CastFile | undefined {
  const rows = csvRows(bytes)
  const column = rows[0]?.findIndex((_, at) => rows.slice(1).some(row => isAddress(row[at])))
  if (column === undefined || column < 0) return undefined
  const cells = rows.slice(1).flatMap(row => (isAddress(row[column]) ? [row[column]!.trim().toLowerCase()] : []))
  const addresses = [...new Set(cells)]
  const cast = castOf(personas, addresses.length)
  const standIns = new Map(
    addresses.map((address, at) => {
      const [name, domain] = [address.slice(0, address.lastIndexOf('@')), address.slice(address.lastIndexOf('@') + 1)]
      // The number distinguishes names that become equal when they are shortened.
      return [address, `${PERSONAS[cast[at]!]}+${name.replace(/[^a-z0-9.]/g, '').slice(0, LONGEST_NAME)}.${at + 1}@${domain}`]
    }),
  )
  const written = rows.map((row, at) =>
    row.map((cell, index) => (at > 0 && index === column ? (standIns.get(cell.trim().toLowerCase()) ?? cell) : cell)),
  )
  return { csv: quotedCsv(written), real: new Map([...standIns].map(([address, standIn]) => [standIn, address])) }
}

const isAddress = (cell: string | undefined): boolean => cell !== undefined && /^\s*[^\s@]+@[^\s@]+\.[^\s@]+\s*$/.test(cell)
