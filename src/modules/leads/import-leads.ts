import type { Tx } from '../../db/sql.ts'
import { asciiAddress, isEmail, needsSmtpUtf8 } from '../../lib/email.ts'
import { newId } from '../../lib/ids.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import { visibleText } from '../../lib/storable-text.ts'
import { isTimezone } from '../../scheduling/zone.ts'
import { countLeads } from '../campaigns/campaigns.ts'
import type { CampaignRow } from '../campaigns/queries.ts'
import { whichAreSuppressed } from '../suppressions/queries.ts'
import { hashAddress } from '../suppressions/suppressions.ts'
import { joinName, nameText, updateKnownLeads, warningsOf } from './leads.ts'
import { insertLeads, listVariableNames, type NewLeadRow, rewriteWords } from './queries.ts'
import { type LeadSource, type ListResult, MOST_VARIABLES, type NewLead } from './schema.ts'

interface Batch {
  leadListName: string | null
  source: LeadSource
  now: Date
  /** Rows whose leads exist already change them. */
  updatesKnown?: boolean
}

/** The merged rows of one address. */
interface Gathered {
  row: NewLeadRow
  rowCount: number
}

/**
 * Adds people to a campaign. Duplicates and suppressed people are skipped, and an invalid row is reported
 * instead of spoiling the rest. The campaign must be locked. A long list can be given piece by piece, with one progress.
 */
export async function importLeads(
  tx: Tx,
  secrets: SecretBox,
  campaign: CampaignRow,
  leads: NewLead[],
  batch: Batch,
  progress: ImportProgress = new ImportProgress(),
): Promise<ImportProgress['result']> {
  const { result } = progress
  const gathered = await gather(tx, secrets, campaign, leads, batch, progress)
  const hashes = gathered.map(({ row }) => ({ email: row.emailHash, domain: row.domainHash }))
  const suppressed = await whichAreSuppressed(tx, campaign.workspaceId, hashes)
  const allowed = gathered.flatMap(({ row }, index) => (suppressed.has(index) ? [] : [row]))
  const importedCount = allowed.length > 0 ? await insertLeads(tx, campaign.workspaceId, campaign.id, allowed, batch) : 0
  const ids = allowed.map(row => row.id)
  if (importedCount > 0) await rewriteWords(tx, campaign.id, ids)
  const counted = await countLeads(tx, campaign, importedCount, batch.now)
  const knownCount = allowed.length - importedCount
  const changedCount = batch.updatesKnown && knownCount > 0 ? await updateKnownLeads(tx, counted, allowed, batch.now) : 0
  const suppressedCount = countRows(gathered.filter((_, index) => suppressed.has(index)))
  progress.rowCount += leads.length
  result.importedCount += importedCount
  result.duplicateCount += knownCount - changedCount
  // Every row that added no lead changed one, of the campaign or of an earlier row.
  result.updatedCount += countRows(gathered) - suppressedCount - importedCount - (knownCount - changedCount)
  result.suppressedCount += suppressedCount
  return result
}

const countRows = (gathered: readonly Gathered[]): number => gathered.reduce((sum, { rowCount }) => sum + rowCount, 0)

/** The rows by address. Of several rows with one address, the first counts, or all of them when duplicates update. */
async function gather(
  tx: Tx,
  secrets: SecretBox,
  campaign: CampaignRow,
  leads: NewLead[],
  { updatesKnown = false }: Batch,
  progress: ImportProgress,
): Promise<Gathered[]> {
  const { seen, rowCount } = progress
  const namesOf = updatesKnown ? await readVariableNames(tx, campaign, leads) : null
  const gathered = new Map<string, Gathered>()
  for (const [at, lead] of leads.entries()) {
    const index = rowCount + at
    const problem = whyInvalid(lead)
    if (problem) {
      progress.reject(index, problem, lead)
      continue
    }
    const address = addressOf(lead)
    if (namesOf && !addNames(namesOf, address, lead)) {
      progress.reject(index, `with these variables, the lead would have more than ${MOST_VARIABLES}`, lead)
      continue
    }
    if (!namesOf && seen.has(address)) {
      progress.result.duplicateCount++
      continue
    }
    if (!namesOf) seen.add(address)
    for (const { message } of warningsOf(visibleText(lead.timezone))) progress.warn(index, message)
    const row = toRow(secrets, lead)
    const before = gathered.get(address)
    if (before) gathered.set(address, { row: mergeRows(before.row, row), rowCount: before.rowCount + 1 })
    else gathered.set(address, { row, rowCount: 1 })
  }
  return [...gathered.values()]
}

const addressOf = (lead: NewLead): string => asciiAddress(lead.email.trim()).toLowerCase()

type VariableNames = Map<string, Set<string>>

/** By address: the variables that the leads of the campaign have. */
async function readVariableNames(tx: Tx, campaign: CampaignRow, leads: readonly NewLead[]): Promise<VariableNames> {
  const addresses = leads.flatMap(lead => (lead.variables && whyInvalid(lead) === null ? [addressOf(lead)] : []))
  if (addresses.length === 0) return new Map()
  const found = await listVariableNames(tx, campaign.workspaceId, campaign.id, addresses)
  return new Map(found.map(({ address, names }) => [address, new Set(names)]))
}

/** Adds the variables of a row to those that the lead has. False, without any change, when they would be too many. */
function addNames(namesOf: VariableNames, address: string, { variables = {} }: NewLead): boolean {
  if (Object.keys(variables).length === 0) return true
  const names = new Set([...(namesOf.get(address) ?? []), ...Object.keys(variables)])
  if (names.size > MOST_VARIABLES) return false
  namesOf.set(address, names)
  return true
}

/** Why the row cannot be a lead; null when it can. */
export function whyInvalid(lead: NewLead): string | null {
  if (needsSmtpUtf8(lead.email)) return 'the address has letters such as ü before the @, which Overture does not support'
  if (!isEmail(lead.email.trim())) return 'not a valid email address'
  return null
}

function toRow(secrets: SecretBox, lead: NewLead): NewLeadRow {
  const email = asciiAddress(lead.email.trim())
  const hashes = hashAddress(secrets, email)
  const [firstName, lastName] = [nameText(lead.firstName), nameText(lead.lastName)]
  return {
    id: newId(),
    email,
    emailHash: hashes.email,
    domainHash: hashes.domain,
    firstName,
    lastName,
    fullName: nameText(lead.fullName) ?? joinName(firstName, lastName),
    company: nameText(lead.company),
    jobTitle: nameText(lead.jobTitle),
    timezone: nameText(lead.timezone),
    variables: lead.variables ?? {},
  }
}

/** As if the first row were stored and updated with the later one, which the database would do one row at a time. */
function mergeRows(first: NewLeadRow, later: NewLeadRow): NewLeadRow {
  const [firstName, lastName] = [later.firstName ?? first.firstName, later.lastName ?? first.lastName]
  const isJoined = later.fullName === joinName(later.firstName, later.lastName)
  return {
    ...first,
    firstName,
    lastName,
    fullName: later.fullName === null ? first.fullName : isJoined ? joinName(firstName, lastName) : later.fullName,
    company: later.company ?? first.company,
    jobTitle: later.jobTitle ?? first.jobTitle,
    timezone: later.timezone !== null && isTimezone(later.timezone) ? later.timezone : first.timezone,
    variables: { ...first.variables, ...later.variables },
  }
}

/** The result for the rows of an import, of a list or of a file, before the first of them. */
export const nothingImported = () => ({
  importedCount: 0,
  duplicateCount: 0,
  suppressedCount: 0,
  updatedCount: 0,
  invalidCount: 0,
  invalid: [],
  warningCount: 0,
  warnings: [],
})

/** A lead that was not imported, by its position among all that were given. */
export interface RejectedLead {
  index: number
  reason: string
  lead: NewLead
}

const SHOWN = 100

/** Shared by the pieces of one import: the addresses so far and the number of rows. */
export class ImportProgress {
  readonly result: ListResult = nothingImported()
  readonly seen = new Set<string>()
  /** All of them, for the file with rejected rows, until they are taken. */
  rejected: RejectedLead[] = []
  rowCount = 0

  reject(index: number, reason: string, lead: NewLead): void {
    this.rejected.push({ index, reason, lead })
    this.result.invalidCount++
    if (this.result.invalid.length < SHOWN) this.result.invalid.push({ index, reason })
  }

  warn(index: number, reason: string): void {
    this.result.warningCount++
    if (this.result.warnings.length < SHOWN) this.result.warnings.push({ index, reason })
  }

  takeRejected(): RejectedLead[] {
    const { rejected } = this
    this.rejected = []
    return rejected
  }
}
