import { dirname, resolve } from 'node:path'
import { type CommandFailed, wrongUsage } from '../../lib/command-failure.ts'
import { DAY_MS } from '../../lib/time.ts'
import type { CampaignFile, LocatedFile } from '../campaigns/file.ts'
import { readNamed, type Shell } from '../shell.ts'
import { type CastFile, castFile, leadCountOf, personaCount } from './leads.ts'
import { DEFAULT_DAYS, type Rehearsal } from './section.ts'

/** A rehearsal that can begin: everything that it needs is there. */
export interface Script {
  file: CampaignFile & { mailboxes: string[] }
  rehearsal: Rehearsal
  from: Date
  days: number
  /** The list of leads that the file names; null when they are made up. */
  list: CastFile | null
}

const SOMEBODY = 'rehearsal@overture.example'

/** Checks everything before anything is started. */
export async function readScript(shell: Shell, located: LocatedFile, now: Date): Promise<Script> {
  const { file } = located
  const rehearsal = file.rehearsal ?? {}
  const wrong = (path: readonly string[], text: string): CommandFailed =>
    wrongUsage(`${located.placeOf(path)}: ${text}`, 'overture schema   # what a campaign file may hold')
  const { timezone, timeWindow, daysOfWeek } = file.schedule ?? {}
  if (!file.sequence?.length) throw wrong(['sequence'], 'there is no sequence to rehearse')
  if (!timezone || !timeWindow || !daysOfWeek) {
    throw wrong(['schedule'], 'a rehearsal needs the whole window: schedule.daysOfWeek, timeWindow and timezone')
  }
  const mailboxes = file.mailboxes ?? [SOMEBODY]
  for (const mailbox of Object.keys(rehearsal.mailboxes ?? {})) {
    if (!mailboxes.includes(mailbox)) throw wrong(['rehearsal', 'mailboxes', mailbox], `the campaign does not send from ${mailbox}`)
  }
  const list = typeof rehearsal.leads === 'string' ? await readList(shell, located, rehearsal.leads, rehearsal, wrong) : null
  const leadCount = list?.real.size ?? leadCountOf(rehearsal)
  const named = personaCount(rehearsal.personas)
  if (named > leadCount) throw wrong(['rehearsal', 'personas'], `${named} personas are more than the ${leadCount} leads`)
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
  if (Number.isNaN(asked)) throw wrong(['rehearsal', 'from'], 'rehearsal.from is no day')
  if (asked !== undefined && asked < dayOf(now.getTime())) {
    throw wrong(['rehearsal', 'from'], 'rehearsal.from is over, and no clock goes back')
  }
  const daysToMonday = (8 - new Date(earliest).getUTCDay()) % 7
  const from = new Date(asked ?? earliest + daysToMonday * DAY_MS)
  if (typeof schedule.endDate === 'string' && Date.parse(schedule.endDate) <= from.getTime()) {
    throw wrong(['schedule', 'endDate'], `the schedule ends before the rehearsal begins, on ${from.toISOString().slice(0, 10)}`)
  }
  return from
}

async function readList(shell: Shell, { name }: LocatedFile, list: string, { personas }: Rehearsal, wrong: Wrong): Promise<CastFile> {
  const folder = name === '-' ? shell.cwd : dirname(resolve(shell.cwd, name))
  const cast = castFile(await readNamed(shell, resolve(folder, list)), personas)
  if (!cast) throw wrong(['rehearsal', 'leads'], `${list} has no column with email addresses below a line of headers`)
  return cast
}
