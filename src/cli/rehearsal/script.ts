import { dirname, resolve } from 'node:path'
import { type CommandFailed, wrongUsage } from '../../lib/command-failure.ts'
import { quotedCsv } from '../../lib/csv.ts'
import { csvRows } from '../../lib/csv-stream.ts'
import { exampleDomain, madeUpPerson } from '../../lib/made-up-person.ts'
import { DAY_MS } from '../../lib/time.ts'
import type { CampaignFile, LocatedFile } from '../campaigns/file.ts'
import { readNamed, type Shell } from '../shell.ts'
import { DEFAULT_DAYS, DEFAULT_LEADS, PERSONAS, type Persona, type Rehearsal } from './section.ts'

/** A rehearsal that is ready to start. */
export interface Script {
  file: CampaignFile & { mailboxes: string[] }
  rehearsal: Rehearsal
  from: Date
  days: number
  /** The list of leads that the file names; null when they are made up. */
  list: CastFile | null
}

const DEFAULT_MAILBOX = 'rehearsal@overture.example'

export async function readScript(shell: Shell, located: LocatedFile, now: Date): Promise<Script> {
  const { file } = located
  const rehearsal = file.rehearsal ?? {}
  const wrong = (path: readonly string[], text: string): CommandFailed =>
    wrongUsage(`${located.placeOf(path)}: ${text}`, 'overture schema   # what a campaign file may hold')
  const { timezone, timeWindow, daysOfWeek } = file.schedule ?? {}
  if (!file.sequence?.length) throw wrong(['sequence'], 'there is no sequence to rehearse')
  if (!timezone || !timeWindow || !daysOfWeek) {
    throw wrong(['schedule'], 'a rehearsal needs the complete sending window: schedule.daysOfWeek, timeWindow and timezone')
  }
  const mailboxes = file.mailboxes ?? [DEFAULT_MAILBOX]
  for (const mailbox of Object.keys(rehearsal.mailboxes ?? {})) {
    if (!mailboxes.includes(mailbox)) throw wrong(['rehearsal', 'mailboxes', mailbox], `the campaign does not send from ${mailbox}`)
  }
  const list = typeof rehearsal.leads === 'string' ? await readList(shell, located, rehearsal.leads, rehearsal, wrong) : null
  const leadCount = list?.real.size ?? leadCountOf(rehearsal)
  const named = personaCount(rehearsal.personas)
  if (named > leadCount) throw wrong(['rehearsal', 'personas'], `${named} personas, but only ${leadCount} leads`)
  const { id: _, ...settings } = file.campaign
  return {
    file: { ...file, campaign: settings as CampaignFile['campaign'], mailboxes },
    rehearsal,
    from: beginningOf(file, now, wrong),
    days: rehearsal.days ?? DEFAULT_DAYS,
    list,
  }
}

type Wrong = (path: readonly string[], text: string) => CommandFailed

const dayOf = (at: number): number => Math.floor(at / DAY_MS) * DAY_MS

/** A Monday by default, so that the result does not depend on the day of the run. */
function beginningOf({ rehearsal, schedule = {} }: CampaignFile, now: Date, wrong: Wrong): Date {
  const begun = typeof schedule.startDate === 'string' ? dayOf(Date.parse(schedule.startDate)) : 0
  const earliest = Math.max(dayOf(now.getTime()) + DAY_MS, begun || 0)
  const asked = rehearsal?.from === undefined ? undefined : Date.parse(`${rehearsal.from}T00:00:00Z`)
  if (Number.isNaN(asked)) throw wrong(['rehearsal', 'from'], 'rehearsal.from is not a date')
  if (asked !== undefined && asked < dayOf(now.getTime())) {
    throw wrong(['rehearsal', 'from'], 'rehearsal.from is in the past')
  }
  const daysToMonday = (8 - new Date(earliest).getUTCDay()) % 7
  const from = new Date(asked ?? earliest + daysToMonday * DAY_MS)
  if (typeof schedule.endDate === 'string' && Date.parse(schedule.endDate) <= from.getTime()) {
    throw wrong(['schedule', 'endDate'], `the schedule ends before the rehearsal begins, on ${from.toISOString().slice(0, 10)}`)
  }
  return from
}

/** Twenty times the most leads that are made up. */
const MOST_LIST_BYTES = 20_000_000

async function readList(shell: Shell, { name }: LocatedFile, list: string, { personas }: Rehearsal, wrong: Wrong): Promise<CastFile> {
  const folder = name === '-' ? shell.cwd : dirname(resolve(shell.cwd, name))
  const cast = castFile(await readNamed(shell, resolve(folder, list), MOST_LIST_BYTES), personas)
  if (!cast) throw wrong(['rehearsal', 'leads'], `${list} has no header row, or no column with email addresses`)
  return cast
}

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

const personaCount = (personas: Rehearsal['personas']): number => Object.values(personas ?? {}).reduce((sum, each) => sum + each, 0)

const leadCountOf = ({ leads, personas }: Rehearsal): number =>
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
interface CastFile {
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
