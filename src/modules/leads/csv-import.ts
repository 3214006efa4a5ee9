import type { Context } from '../../context/context.ts'
import type { Tx } from '../../db/client.ts'
import { csvRecord } from '../../lib/csv.ts'
import { type CsvRow, type CsvStream, openCsv } from '../../lib/csv-stream.ts'
import { invalid, invalidState } from '../../lib/errors.ts'
import { storableData } from '../../lib/storable-text.ts'
import { getLockedCampaign } from '../campaigns/campaigns.ts'
import { hasEmail, type Mapping, mapColumns, requireEmail, toLead, type Wishes } from './csv-mapping.ts'
import { insertRejectedRows, type RejectedRow, readRejectedRows, saveProgress, type Upload } from './csv-queries.ts'
import { ImportProgress, nothingImported } from './import-result.ts'
import { IMPORTABLE, importLeads, warningsOf, whyInvalid } from './leads.ts'
import { updateKnownLeads } from './patch.ts'
import type { CsvResult, NewLead } from './schema.ts'

const SHOWN = 100
const FIRST_ROWS = 5
const PAGE_ROWS = 500

/** What is said about a row. */
interface Remark {
  line: number
  reason: string
}

interface Judged {
  leads: NewLead[]
  rejected: RejectedRow[]
  warnings: Remark[]
}

function judge(mapping: Mapping, rows: readonly CsvRow[]): Judged {
  const judged: Judged = { leads: [], rejected: [], warnings: [] }
  for (const { line, cells, problem } of rows) {
    const read = problem === null ? toLead(mapping, cells) : { problem }
    const reason = 'problem' in read ? read.problem : whyInvalid(read.lead)
    if (reason !== null) judged.rejected.push({ line, reason, cells })
    else if ('lead' in read) {
      judged.leads.push(read.lead)
      for (const { message } of warningsOf(read.lead.timezone)) judged.warnings.push({ line, reason: message })
    }
  }
  return judged
}

async function* pagesOf(rows: AsyncIterable<CsvRow>): AsyncGenerator<CsvRow[]> {
  let page: CsvRow[] = []
  for await (const row of rows) {
    page.push(row)
    if (page.length < PAGE_ROWS) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}

async function openFile(pieces: AsyncIterable<Uint8Array>): Promise<CsvStream> {
  const csv = await openCsv(pieces)
  if (!csv) throw invalid('body', '', 'empty', 'is an empty file')
  if (csv.headerProblem) throw invalid('body', '', 'header', `has a header that cannot be read: ${csv.headerProblem}`)
  return csv
}

/** Refuses an unusable file by its beginning. */
export async function checkHead(head: Buffer, wishes: Wishes): Promise<void> {
  const csv = await openFile(
    (async function* () {
      yield head
    })(),
  )
  requireEmail(mapColumns(csv.header, wishes))
}

/** What an import of the file would do, without doing it. */
export async function tryCsv(pieces: AsyncIterable<Uint8Array>, wishes: Wishes) {
  const csv = await openFile(pieces)
  const mapping = mapColumns(csv.header, wishes)
  const firstRows: string[][] = []
  const invalidRows: Remark[] = []
  const warnings: Remark[] = []
  let [rowCount, validCount, warningCount] = [0, 0, 0]
  for await (const page of pagesOf(csv.rows)) {
    rowCount += page.length
    for (const { cells } of page.slice(0, FIRST_ROWS - firstRows.length)) firstRows.push(cells)
    const judged = hasEmail(mapping) ? judge(mapping, page) : { leads: [], rejected: page.map(noEmail), warnings: [] }
    validCount += judged.leads.length
    warningCount += judged.warnings.length
    keepFirst(invalidRows, judged.rejected)
    keepFirst(warnings, judged.warnings)
  }
  return {
    encoding: csv.encoding,
    delimiter: csv.delimiter,
    columns: mapping,
    firstRows,
    rowCount,
    validCount,
    invalidCount: rowCount - validCount,
    invalid: invalidRows,
    warningCount,
    warnings,
  }
}

const noEmail = ({ line, cells }: CsvRow): RejectedRow => ({ line, reason: 'no column was recognized as the e-mail address', cells })

function keepFirst(kept: Remark[], more: readonly Remark[]): void {
  for (const { line, reason } of more.slice(0, SHOWN - kept.length)) kept.push({ line, reason })
}

interface CsvImport {
  operation: { id: string; workspaceId: string }
  campaignId: string
  wishes: Wishes
  leadListName: string | null | undefined
  updatesKnown: boolean
}

/**
 * Imports a file page by page. Each page is a transaction that also stores the progress, so that an interrupted import
 * continues. `guarded` runs a transaction that commits only while this worker has the operation. Null: the time was over before the end.
 */
export async function importCsv(
  ctx: Context,
  order: CsvImport,
  upload: Upload,
  pieces: AsyncIterable<Uint8Array>,
  guarded: (work: (tx: Tx) => Promise<void>) => Promise<void>,
  signal: AbortSignal,
): Promise<CsvResult | null> {
  const csv = await openFile(pieces)
  const mapping = mapColumns(csv.header, order.wishes)
  requireEmail(mapping)
  const result = upload.result ?? nothingImported()
  let rowCount = 0
  for await (const page of pagesOf(csv.rows)) {
    rowCount += page.length
    if (rowCount <= upload.rowCount) continue
    if (signal.aborted) return null
    await guarded(async tx => {
      const judged = judge(mapping, page)
      await importPage(ctx, tx, order, judged, result)
      if (judged.rejected.length > 0) {
        const isFirst = result.invalidCount === 0
        const header: RejectedRow[] = isFirst ? [{ line: 0, reason: 'reason', cells: csv.header }] : []
        await insertRejectedRows(tx, order.operation, storableData([...header, ...judged.rejected]))
      }
      result.invalidCount += judged.rejected.length
      result.warningCount += judged.warnings.length
      keepFirst(result.invalid, judged.rejected)
      keepFirst(result.warnings, judged.warnings)
      await saveProgress(tx, upload.id, rowCount, result)
    })
  }
  return result
}

async function importPage(ctx: Context, tx: Tx, order: CsvImport, { leads }: Judged, result: CsvResult): Promise<void> {
  const campaign = await getLockedCampaign(tx, order.operation.workspaceId, order.campaignId)
  if (campaign.status === 'archived') throw invalidState(campaign.status, IMPORTABLE)
  const batch = {
    leadListName: order.leadListName ?? campaign.leadListName,
    source: 'csv_import' as const,
    now: ctx.clock.now(),
    ...(order.updatesKnown ? { onDuplicate: updateKnownLeads } : {}),
  }
  // Addresses of earlier pages are in the campaign already, so the database finds them.
  const done = await importLeads(tx, ctx.secrets, campaign, leads, batch, new ImportProgress())
  result.importedCount += done.importedCount
  result.duplicateCount += done.duplicateCount
  result.suppressedCount += done.suppressedCount
  result.updatedCount += done.updatedCount
}

/** The rejected rows as a file, which can be corrected and imported again. */
export async function* renderRejected(ctx: Context, operationId: string): AsyncGenerator<string> {
  let isFirst = true
  for await (const rows of readRejectedRows(ctx.db, operationId)) {
    let text = ''
    for (const { line, reason, cells } of rows) text += csvRecord([line === 0 ? 'line' : line, reason, ...cells])
    yield text
    isFirst = false
  }
  if (isFirst) yield csvRecord(['line', 'reason'])
}
