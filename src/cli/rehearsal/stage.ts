import type { Overture } from '../../../packages/sdk/src/client.ts'
import type { CsvImportResult, LeadImportResult, NewProvider } from '../../../packages/sdk/src/types.gen.ts'
import { CommandFailed, EXIT } from '../../lib/command-failure.ts'
import { isEmail } from '../../lib/email.ts'
import { many } from '../../lib/many.ts'
import { DAY_MS } from '../../lib/time.ts'
import { applyPlan } from '../campaigns/apply.ts'
import { makePlan } from '../campaigns/plan.ts'
import type { Verdict } from './expectations.ts'
import { type Facts, readFacts } from './expectations.ts'
import { makeUpLeads, type Script } from './script.ts'

const PATIENCE_MS = 600_000

export interface Played {
  facts: Facts
  intake: Intake
}

/** Plays the campaign from its first day to its last, and reads what happened. */
export async function play(service: Overture, script: Script): Promise<Played> {
  const { file, from, days, list } = script
  const advanceTo = (at: Date) => service.sandbox.advanceClock({ to: at.toISOString() }).wait({ timeoutMs: PATIENCE_MS })
  if (from > new Date()) await advanceTo(from)
  const addresses = await makeMailboxes(service, script)
  // Made as `apply` makes it, from the same file.
  const campaignId = await applyPlan(service, await makePlan(service, { ...file, mailboxes: addresses }))
  const intake = await addLeads(service, campaignId, script)
  const { ready, failures } = await service.campaigns.validate(campaignId)
  if (!ready) {
    const words = failures.map(({ message }) => message).join(' ')
    // A list without any valid row is often the cause.
    const rows = intake.rejectedCount === 0 ? '' : ` ${many(intake.rejectedCount, 'row')} rejected: ${intake.rejected.join('; ')}`
    throw new CommandFailed(EXIT.failed, 'campaign_not_ready', `The campaign could not start: ${words}${rows}`)
  }
  await service.campaigns.activate(campaignId).wait()
  const endedAt = new Date(from.getTime() + days * DAY_MS)
  await advanceTo(endedAt)
  return { facts: await readFacts(service, { campaignId, startedAt: from, endedAt, realAddresses: list?.real ?? new Map() }), intake }
}

/** The mailboxes of the file as sandboxes, with what limits them. */
async function makeMailboxes(service: Overture, { file, rehearsal }: Script): Promise<string[]> {
  const addresses: string[] = []
  for (const [at, mailbox] of file.mailboxes.entries()) {
    // Only the service knows the address of a mailbox that is named by its id.
    const fromEmail = isEmail(mailbox) ? mailbox : `mailbox-${at + 1}@overture.example`
    const identity = { name: fromEmail, fromName: 'Ada', fromEmail, postalAddress: '1 Example Street, 10115 Berlin' }
    await service.providers.create({ kind: 'sandbox', ...identity, ...rehearsal.mailboxes?.[mailbox] } as NewProvider)
    addresses.push(fromEmail)
  }
  return addresses
}

async function addLeads(service: Overture, campaignId: string, { file, rehearsal, list }: Script): Promise<Intake> {
  if (list) return intakeOf([await service.leads.importCsv(campaignId, {}, list.csv).wait()])
  const leads = makeUpLeads(rehearsal, file.schedule?.useLeadTimezone === true)
  const results: LeadImportResult[] = []
  for (let at = 0; at < leads.length; at += 5000)
    results.push(await service.leads.import(campaignId, { leads: leads.slice(at, at + 5000) }).wait())
  return intakeOf(results)
}

export interface Intake {
  rejectedCount: number
  /** The first ones, each with its place and the reason. */
  rejected: string[]
  duplicateCount: number
  /** Imported, but with a value that was ignored. */
  warningCount: number
  warnings: string[]
}

const MOST_NAMED = 5

function intakeOf(results: readonly (CsvImportResult | LeadImportResult)[]): Intake {
  const sum = (count: (result: CsvImportResult | LeadImportResult) => number): number =>
    results.reduce((total, result) => total + count(result), 0)
  return {
    rejectedCount: sum(({ invalidCount }) => invalidCount),
    rejected: results.flatMap(({ invalid }) => invalid.map(told)).slice(0, MOST_NAMED),
    duplicateCount: sum(({ duplicateCount }) => duplicateCount),
    warningCount: sum(({ warningCount }) => warningCount),
    warnings: results.flatMap(({ warnings }) => warnings.map(told)).slice(0, MOST_NAMED),
  }
}

type Problem = { reason: string } & ({ line: number } | { index: number })

const told = (problem: Problem): string => `${'line' in problem ? `line ${problem.line}` : `lead ${problem.index + 1}`}: ${problem.reason}`

/** A list that is partly rejected fails the rehearsal, because the real import would lose the same rows. */
export const judgeIntake = ({ rejectedCount, rejected }: Intake): Verdict => ({
  name: 'everyRowIsImported',
  wanted: true,
  ok: rejectedCount === 0,
  text: rejectedCount === 0 ? 'no row was rejected' : `${many(rejectedCount, 'row')} rejected`,
  broken: rejected,
  brokenCount: rejectedCount,
})

/** One line for duplicate rows and one for ignored values. The verdict lists rejected rows. */
export function intakeLines({ duplicateCount, warningCount, warnings }: Intake): string[] {
  const duplicates =
    duplicateCount === 0 ? [] : [`${many(duplicateCount, 'duplicate row')} skipped: the same address is in the list more than once`]
  const ignored = warningCount === 0 ? [] : [`${many(warningCount, 'row')} with an ignored value: ${warnings.join('; ')}`]
  return [...duplicates, ...ignored]
}
