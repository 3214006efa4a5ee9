import { createWriteStream, openAsBlob } from 'node:fs'
import { access, rm, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { OperationHandle } from '../../../packages/sdk/src/calls.ts'
import type { Overture } from '../../../packages/sdk/src/client.ts'
import { OvertureError } from '../../../packages/sdk/src/errors.ts'
import type { CsvImportResult, CsvTrial } from '../../../packages/sdk/src/types.gen.ts'
import { CommandFailed, EXIT, unreadable, wrongUsage } from '../../lib/command-failure.ts'
import { quotedCsv } from '../../lib/csv.ts'
import { many } from '../../lib/many.ts'
import { namedCampaign } from '../campaigns/running.ts'
import type { Call } from '../command.ts'
import { openService } from '../connection.ts'
import type { Flags } from '../flags.ts'
import { harmless, Progress, printJson, printTable } from '../output.ts'
import type { Shell } from '../shell.ts'
import { confirm } from '../shell.ts'
import { type ReadExport, readExport, TOOLS, type Tool } from './other-tools.ts'

/** A file of 200 MB over a slow line takes its time. */
const UPLOAD_LIMIT_MS = 3_600_000
const USAGE = 'overture import people.csv --campaign NAME'

/** `overture import people.csv --campaign Spring`: shows what would happen, asks, and does it. */
export async function importFile(call: Call): Promise<void> {
  const { positionals, flags, shell } = call
  const order = readOrder(positionals, flags)
  const path = resolve(shell.cwd, order.file)
  const file = await openFile(path)
  const service = await openImporter(shell, flags)
  await importInto(call, service, { ...order, path, campaign: await namedCampaign(service, order.campaign), file })
}

const openImporter = (shell: Shell, flags: Flags): Promise<Overture> => openService(shell, flags, { timeoutMs: UPLOAD_LIMIT_MS })

interface Import {
  /** As it was named, for people. */
  name: string
  /** The given file: rejected rows are saved next to it. */
  path: string
  campaign: { id: string; name: string }
  file: Blob
  query: { mapping?: string; onDuplicate?: 'skip' | 'update'; leadListName?: string }
  /** The command that would do it, without `--yes`. */
  command: string
  /** Runs once the user has agreed, before the rows are sent; its answer is printed with the result. */
  first?: () => Promise<Record<string, number>>
}

/** Shows the result of a dry run, asks, imports the rows, and saves the rejected ones. */
async function importInto({ flags, shell }: Call, service: Overture, order: Import): Promise<void> {
  const { campaign, file, query } = order
  const asJson = flags.isOn('json')
  shell.status?.(`Reading ${order.name} ...`)
  const trial = await tryFile(service, campaign.id, query, file).finally(() => shell.status?.(''))
  const isOnlyTried = flags.isOn('dry-run')
  const isTold = !flags.isOn('yes') || isOnlyTried
  if (!asJson) printTrial(shell, order.name, trial)
  else if (isTold) printJson(shell, { campaignId: campaign.id, trial })
  refuseWithoutEmail(trial, order)
  if (isOnlyTried) return
  await refuseUnconfirmed(shell, flags, `Import ${trial.validCount} rows into "${harmless(campaign.name)}"?`, order)

  const done = await order.first?.()
  const accepted = await service.leads.importCsv(campaign.id, query, file)
  const { id } = accepted
  const result = await follow(accepted, trial.rowCount, shell)
  const rejectedFile = result.invalidCount > 0 ? await saveRejectedRows(service, campaign.id, id, order.path) : null
  if (asJson) return printJson(shell, { operationId: id, ...result, rejectedFile, ...done })
  printResult(shell, result, rejectedFile)
}

interface Order extends Pick<Import, 'name' | 'query' | 'command'> {
  file: string
  campaign: string
}

function readOrder(positionals: readonly string[], flags: Flags): Order {
  const [file] = positionals
  const campaign = flags.text('campaign')
  if (file === undefined) throw wrongUsage('Specify a file.', USAGE)
  if (!campaign) throw wrongUsage('Specify a campaign by its id or name.', `overture import ${file} --campaign NAME`)
  return { name: file, file, campaign, query: readQuery(flags), command: `overture import ${file} --campaign "${campaign}"` }
}

function readQuery(flags: Flags): Import['query'] {
  const onDuplicate = flags.text('on-duplicate')
  if (onDuplicate !== undefined && onDuplicate !== 'skip' && onDuplicate !== 'update') {
    throw wrongUsage(`--on-duplicate must be skip or update, not "${onDuplicate}".`, 'overture import --help')
  }
  const leadListName = flags.text('list')
  const mapping = readMapping(flags.list('map'))
  return { ...(mapping && { mapping }), ...(onDuplicate && { onDuplicate }), ...(leadListName && { leadListName }) }
}

/** `column=field`; without a field, the column is left out. A header may contain the sign itself, a field cannot. */
function readMapping(wishes: readonly string[]): string | undefined {
  if (wishes.length === 0) return undefined
  const pairs = wishes.map(wish => {
    const at = wish.lastIndexOf('=')
    if (at < 1) throw wrongUsage(`--map must be COLUMN=FIELD, not "${wish}".`, '--map "Work mail=email" --map "Notes="')
    return [wish.slice(0, at), wish.slice(at + 1) || null] as const
  })
  const columns = pairs.map(([column]) => column)
  const repeated = columns.find((column, at) => columns.indexOf(column) < at)
  if (repeated !== undefined) throw wrongUsage(`--map names the column "${repeated}" twice.`, 'overture import --help')
  return JSON.stringify(Object.fromEntries(pairs))
}

/** Read piece by piece while it is sent, and again for another attempt, so that a large file is never in memory. */
async function openFile(path: string): Promise<Blob> {
  const about = await stat(path).catch(error => error as NodeJS.ErrnoException)
  if (about instanceof Error) throw unreadable(path, about, 'use a file that exists')
  if (!about.isFile()) throw wrongUsage(`${path} is not a file.`, 'use a CSV file')
  return openAsBlob(path)
}

async function tryFile(service: Overture, campaignId: string, query: Import['query'], file: Blob): Promise<CsvTrial> {
  const { data } = await service.leads.importCsv(campaignId, { ...query, dryRun: true }, file)
  if (!data) throw new OvertureError('The service did not describe the import.', { code: 'unexpected_answer' })
  return data
}

function refuseWithoutEmail({ columns }: CsvTrial, { command }: Import): void {
  if (columns.some(({ target }) => target === 'email')) return
  throw wrongUsage('No column was recognized as the email address.', `${command} --map "COLUMN=email"`)
}

async function refuseUnconfirmed(shell: Shell, flags: Flags, question: string, { command }: Import): Promise<void> {
  if (flags.isOn('yes')) return
  const next = `${command} --yes`
  if (!shell.input.isTTY) throw new CommandFailed(EXIT.usage, 'not_confirmed', 'Nothing was imported: the import was not confirmed.', next)
  if (!(await confirm(shell, question))) throw new CommandFailed(EXIT.failed, 'declined', 'Nothing was imported.', next)
}

async function follow(accepted: OperationHandle<CsvImportResult>, rowCount: number, shell: Shell): Promise<CsvImportResult> {
  const progress = new Progress(shell, 'Importing', 'rows')
  try {
    return await accepted.wait({
      timeoutMs: Number.POSITIVE_INFINITY,
      onProgress: ({ doneCount = 0 }) => progress.show(doneCount, rowCount),
    })
  } catch (error) {
    if (shell.signal.aborted) shell.warn(`\nThe import continues on the service: overture api operations.get --operationId ${accepted.id}`)
    throw error
  } finally {
    progress.end()
  }
}

function printResult(shell: Shell, result: CsvImportResult, rejectedFile: string | null): void {
  const counts = [
    [result.importedCount, 'imported'],
    [result.updatedCount, 'updated'],
    [result.duplicateCount, 'duplicates'],
    [result.suppressedCount, 'suppressed'],
    [result.invalidCount, 'rejected'],
  ] as const
  shell.print(
    counts
      .filter(([count], at) => at === 0 || count > 0)
      .map(([count, what]) => `${count} ${what}`)
      .join(', '),
  )
  if (result.warningCount > 0) shell.warn(`Ignored values and columns: ${result.warningCount}`)
  if (rejectedFile) shell.print(`The rejected rows are in ${rejectedFile}. Correct them there, and import that file.`)
}

const SHOWN_PROBLEMS = 5
const FIELDS = ['email', 'firstName', 'lastName', 'fullName', 'company', 'jobTitle', 'timezone']

const SEPARATORS: Record<CsvTrial['delimiter'], string> = { ',': 'commas', ';': 'semicolons', '\t': 'tabs', '|': 'bars' }

/** The result of the dry run: the columns with an example of each, and the problems of rows. */
function printTrial(shell: Shell, file: string, trial: CsvTrial): void {
  shell.print(`${harmless(file)}: ${many(trial.rowCount, 'row')}, ${trial.encoding}, separated by ${SEPARATORS[trial.delimiter]}\n`)
  const rows = trial.columns.map(({ header, target }, at) => ({
    column: header,
    becomes: target === null ? 'left out' : FIELDS.includes(target) ? target : `variable ${target}`,
    'for example': trial.firstRows.map(cells => cells[at]?.trim()).find(Boolean) ?? '',
  }))
  printTable(shell, rows, ['column', 'becomes', 'for example'])
  shell.print('')
  for (const [what, count, told] of [
    [`${trial.invalidCount} of ${trial.rowCount} rows cannot be imported`, trial.invalidCount, trial.invalid],
    ['Values and columns that will be ignored', trial.warningCount, trial.warnings],
  ] as const) {
    if (count === 0) continue
    shell.print(`${what}:`)
    for (const { line, reason } of told.slice(0, SHOWN_PROBLEMS)) shell.print(`  line ${line}: ${harmless(reason)}`)
    if (count > SHOWN_PROBLEMS) shell.print(`  and ${count - SHOWN_PROBLEMS} more`)
  }
}

/** Writes the rejected rows to a file next to the imported one, and returns its path. */
async function saveRejectedRows(service: Overture, campaignId: string, operationId: string, path: string): Promise<string> {
  const target = await freeName(path)
  try {
    const response = await service.leads.downloadRejectedRows(campaignId, operationId)
    // They are personal data, so only their owner may read them.
    await pipeline(Readable.fromWeb(response.body!), createWriteStream(target, { flags: 'wx', mode: 0o600 }))
  } catch (error) {
    await rm(target, { force: true })
    const next = `overture api leads.downloadRejectedRows --campaignId ${campaignId} --operationId ${operationId} > rejected.csv`
    const why = error instanceof Error ? error.message : String(error)
    throw new CommandFailed(
      EXIT.failed,
      'rejected_rows_not_saved',
      `The file was imported, but its rejected rows could not be saved: ${why}`,
      next,
    )
  }
  return target
}

/** The file of an earlier import may have been corrected and not imported yet, so it is not overwritten. */
async function freeName(path: string): Promise<string> {
  for (let count = 1; ; count++) {
    const name = `${path}.rejected${count === 1 ? '' : `-${count}`}.csv`
    const isTaken = await access(name).then(
      () => true,
      () => false,
    )
    if (!isTaken) return name
  }
}

const FROM_USAGE = 'overture import-from smartlead leads.csv --campaign NAME'
/** As many as the service takes at once. */
const SUPPRESSED_AT_ONCE = 5000

/** `overture import-from smartlead leads.csv --campaign Spring`: imports people who still get messages, and suppresses people who must not. */
export async function importFrom(call: Call): Promise<void> {
  const { positionals, flags, shell } = call
  const [tool, file] = positionals
  if (!TOOLS.includes(tool as Tool)) throw wrongUsage(`Specify the tool that exported the file: ${TOOLS.join(', ')}.`, FROM_USAGE)
  if (file === undefined) throw wrongUsage('Specify one file.', FROM_USAGE)
  const named = flags.text('campaign')
  const command = `overture import-from ${tool} ${file} --campaign "${named ?? 'NAME'}"`
  if (!named) throw wrongUsage('Specify a campaign by its id or name.', command)

  const path = resolve(shell.cwd, file)
  const found = readExport(tool as Tool, Buffer.from(await (await openFile(path)).arrayBuffer()))
  if (!flags.isOn('json')) tell(call, found)
  if (found.rows.length < 2) {
    const next = 'overture api suppressions.createMany --help   # to suppress the others'
    throw new CommandFailed(EXIT.failed, 'nothing_to_import', 'The file has no leads that can still be contacted.', next)
  }
  const service = await openImporter(shell, flags)
  await importInto(call, service, {
    name: file,
    path,
    campaign: await namedCampaign(service, named),
    file: new Blob([quotedCsv(found.rows)]),
    query: readQuery(flags),
    command,
    first: async () => ({
      newlySuppressedCount: await suppress(service, found.suppressed, tool as Tool),
      answeredCount: found.answeredCount,
      finishedCount: found.finishedCount,
    }),
  })
}

function tell({ shell }: Call, { suppressed, answeredCount, finishedCount }: ReadExport): void {
  const groups = [
    [suppressed.length, 'unsubscribed, bounced or complained: suppressed in this workspace'],
    [answeredCount, 'replied: not imported'],
    [finishedCount, 'already received the whole sequence: not imported'],
  ] as const
  for (const [count, what] of groups) if (count > 0) shell.print(`${count} ${what}`)
}

async function suppress(service: Overture, addresses: readonly string[], tool: Tool): Promise<number> {
  let count = 0
  for (let from = 0; from < addresses.length; from += SUPPRESSED_AT_ONCE) {
    const suppressions = addresses
      .slice(from, from + SUPPRESSED_AT_ONCE)
      .map(value => ({ kind: 'email' as const, value, reason: `imported from ${tool}` }))
    count += (await service.suppressions.createMany({ suppressions })).createdCount
  }
  return count
}
