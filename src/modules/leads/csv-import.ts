import type { Context } from '../../context/context.ts'
import type { Tx } from '../../db/sql.ts'
import { correctableRecord, originalCell } from '../../lib/csv.ts'
import { type CsvRow, type CsvStream, openCsv, SWALLOWED, swallowsRows } from '../../lib/csv-stream.ts'
import { isEmail } from '../../lib/email.ts'
import { invalid, invalidState } from '../../lib/errors.ts'
import { pick } from '../../lib/pick.ts'
import { storableData } from '../../lib/storable-text.ts'
import { getLockedCampaign } from '../campaigns/campaigns.ts'
import { chargeLateLeads } from './cost.ts'
import {
  describeLeftOut,
  FIELDS,
  hasEmail,
  headerOf,
  isCorrected,
  type Mapping,
  MOST_COLUMNS,
  mapColumns,
  OUR_HEADERS,
  requireEmail,
  toLead,
  type Wishes,
} from './csv-mapping.ts'
import { ImportProgress, importLeads, nothingImported, type RejectedLead, whyInvalid } from './import-leads.ts'
import {
  insertRejectedRows,
  type RejectedRow,
  readRejectedRows,
  saveProgress,
  type Upload,
  updateRejectedHeader,
} from './import-queries.ts'
import { IMPORTABLE, warningsOf } from './leads.ts'
import type { CsvResult, NewLead } from './schema.ts'

const SHOWN = 100
const FIRST_ROWS = 5
const LONGEST_SHOWN = 200
const PAGE_ROWS = 500
/** A page is in memory several times while it is stored. */
const PAGE_CHARS = 4 * 1024 * 1024

/** The problem of a row. */
interface Remark {
  line: number
  reason: string
}

interface Judged {
  leads: NewLead[]
  /** The row of each lead. */
  rows: CsvRow[]
  rejected: RejectedRow[]
  warnings: Remark[]
}

function judge(mapping: Mapping, rows: readonly CsvRow[], delimiter: string): Judged {
  const judged: Judged = { leads: [], rows: [], rejected: [], warnings: [] }
  const emailColumn = mapping.findIndex(({ target }) => target === 'email')
  for (const row of rows) {
    const { line, cells, problem } = row
    const read = problem === null ? toLead(mapping, cells) : { problem }
    const reason = 'problem' in read ? read.problem : whyInvalid(read.lead)
    if (reason !== null) judged.rejected.push({ line, reason, cells })
    else if ('lead' in read) {
      judged.leads.push(read.lead)
      judged.rows.push(row)
      for (const { message } of warningsOf(read.lead.timezone)) judged.warnings.push({ line, reason: message })
      if (swallowsRows(cells, delimiter, emailColumn, isEmail)) judged.warnings.push({ line, reason: SWALLOWED })
    }
  }
  return judged
}

async function* pagesOf(rows: AsyncIterable<CsvRow>): AsyncGenerator<CsvRow[]> {
  let page: CsvRow[] = []
  let chars = 0
  for await (const row of rows) {
    page.push(row)
    for (const cell of row.cells) chars += cell.length
    if (page.length < PAGE_ROWS && chars < PAGE_CHARS) continue
    yield page
    page = []
    chars = 0
  }
  if (page.length > 0) yield page
}

/** In a corrected file of rejected rows, the cells are again what they were before we wrote apostrophes for spreadsheets. */
async function openFile(pieces: AsyncIterable<Uint8Array>): Promise<CsvStream> {
  const csv = await openCsv(pieces)
  if (!csv) throw invalid('body', '', 'empty', 'is an empty file')
  if (csv.headerProblem) throw invalid('body', '', 'header', `has a header that cannot be read: ${csv.headerProblem}`)
  return isCorrected(csv.header) ? { ...csv, header: csv.header.map(originalCell), rows: originalRows(csv.rows) } : csv
}

async function* originalRows(rows: AsyncIterable<CsvRow>): AsyncGenerator<CsvRow> {
  for await (const row of rows) yield { ...row, cells: row.cells.map(originalCell) }
}

/** Refuses an unusable file by its beginning. */
export async function checkHead(head: Buffer, wishes: Wishes): Promise<void> {
  const csv = await openFile(
    (async function* () {
      yield head
    })(),
  )
  requireEmail(mapColumns(csv.header, wishes).mapping)
}

/** The effect of an import, without importing. */
export async function tryCsv(pieces: AsyncIterable<Uint8Array>, wishes: Wishes) {
  const csv = await openFile(pieces)
  const { mapping, leftOut } = mapColumns(csv.header, wishes)
  const firstRows: string[][] = []
  const invalidRows: Remark[] = []
  const warnings = warningsOfHeader(csv, leftOut)
  let [rowCount, validCount, warningCount] = [0, 0, warnings.length]
  for await (const page of pagesOf(csv.rows)) {
    rowCount += page.length
    for (const { cells } of page.slice(0, FIRST_ROWS - firstRows.length)) firstRows.push(cells.slice(0, MOST_COLUMNS).map(shortened))
    const judged = hasEmail(mapping)
      ? judge(mapping, page, csv.delimiter)
      : { leads: [], rows: [], rejected: page.map(noEmail), warnings: [] }
    validCount += judged.leads.length
    warningCount += judged.warnings.length
    keepFirst(invalidRows, judged.rejected)
    keepFirst(warnings, judged.warnings)
  }
  return {
    encoding: csv.encoding(),
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

const shortened = (cell: string): string => (cell.length > LONGEST_SHOWN ? `${cell.slice(0, LONGEST_SHOWN - 1).toWellFormed()}…` : cell)

const noEmail = ({ line, cells }: CsvRow): RejectedRow => ({ line, reason: 'no column is chosen as the email address', cells })

function warningsOfHeader({ headerLine }: CsvStream, leftOut: readonly string[]): Remark[] {
  const reason = describeLeftOut(leftOut)
  return reason === undefined ? [] : [{ line: headerLine, reason }]
}

function keepFirst(kept: Remark[], more: readonly Remark[]): void {
  for (const { line, reason } of more.slice(0, SHOWN - kept.length)) kept.push({ line, reason })
}

interface CsvImport {
  operation: { id: string; workspaceId: string; key: string | null }
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
  const { mapping, leftOut } = mapColumns(csv.header, order.wishes)
  requireEmail(mapping)
  const ourColumns = isCorrected(csv.header) ? OUR_HEADERS.length : 0
  const result = upload.result ?? resultAt(warningsOfHeader(csv, leftOut))
  let rowCount = 0
  for await (const page of pagesOf(csv.rows)) {
    rowCount += page.length
    if (rowCount <= upload.rowCount) continue
    if (signal.aborted) return null
    await guarded(async tx => {
      const judged = judge(mapping, page, csv.delimiter)
      await importPage(ctx, tx, order, judged, result)
      if (judged.rejected.length > 0) {
        const isFirst = result.invalidCount === 0
        const header: RejectedRow[] = isFirst ? [{ line: 0, reason: 'reason', cells: csv.header }] : []
        const rows = [...header, ...judged.rejected].map(row => ({ ...row, cells: row.cells.slice(ourColumns) }))
        await insertRejectedRows(tx, order.operation, storableData(rows))
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

const resultAt = (warnings: Remark[]): CsvResult => ({ ...nothingImported(), warningCount: warnings.length, warnings })

/** Imports the leads. Those that cannot be imported into this campaign are rejected, too. */
async function importPage(ctx: Context, tx: Tx, order: CsvImport, judged: Judged, result: CsvResult): Promise<void> {
  const campaign = await getLockedCampaign(tx, order.operation.workspaceId, order.campaignId)
  if (campaign.status === 'archived') throw invalidState(campaign.status, IMPORTABLE)
  await chargeLateLeads(tx, ctx, order.operation, judged.leads.length)
  const batch = {
    leadListName: order.leadListName ?? campaign.leadListName,
    source: 'csv_import' as const,
    now: ctx.clock.now(),
    updatesKnown: order.updatesKnown,
  }
  // Addresses of earlier pages are in the campaign already, so the database finds them.
  const progress = new ImportProgress()
  const done = await importLeads(tx, ctx.secrets, campaign, judged.leads, batch, progress)
  for (const { index, reason } of progress.rejected) judged.rejected.push({ ...pick(judged.rows[index]!, 'line', 'cells'), reason })
  judged.rejected.sort((a, b) => a.line - b.line)
  for (const name of ['importedCount', 'duplicateCount', 'suppressedCount', 'updatedCount'] as const) result[name] += done[name]
}

/** The rejected rows as a file, which can be corrected and imported again. */
export async function* renderRejected(ctx: Context, operationId: string): AsyncGenerator<string> {
  let header: RejectedRow['cells'] | undefined
  for await (const rows of readRejectedRows(ctx.db, operationId)) {
    let text = ''
    for (const { line, reason, cells } of rows) {
      header ??= cells
      text += correctableRecord([line === 0 ? 'line' : String(line), reason, ...shownCells(header, cells)])
    }
    yield text
  }
  if (!header) yield correctableRecord(OUR_HEADERS)
}

/** Without the columns that have no name in the header, because no row has a value there. */
function shownCells(header: RejectedRow['cells'], cells: RejectedRow['cells']): string[] {
  const width = Math.max(header.length, cells.length)
  return Array.from({ length: width }, (_, at) => cells[at] ?? '').filter((_, at) => header[at] !== null)
}

/** The file must be one that can be imported. */
const MOST_NAMES = MOST_COLUMNS - OUR_HEADERS.length - FIELDS.length

/**
 * The rejected leads of a list as the rows of a file: the fields first, and then the variables, those of the first lead before others. The
 * leads are stored piece by piece, and the header at the end, when all columns are known.
 */
export class RejectedLeads {
  readonly #operation: { id: string; workspaceId: string }
  readonly #fields = new Set<(typeof FIELDS)[number]>(['email'])
  /** By the name of a variable: the position of its column. */
  readonly #positions = new Map<string, number>()
  #isEmpty = true

  constructor(operation: { id: string; workspaceId: string }) {
    this.#operation = operation
  }

  async store(tx: Tx, leads: readonly RejectedLead[]): Promise<void> {
    if (leads.length === 0) return
    if (this.#isEmpty) await insertRejectedRows(tx, this.#operation, [this.#header()])
    this.#isEmpty = false
    for (let at = 0; at < leads.length; at += PAGE_ROWS) {
      const page = leads.slice(at, at + PAGE_ROWS).map(lead => this.#row(lead))
      await insertRejectedRows(tx, this.#operation, page)
    }
  }

  async finish(tx: Tx): Promise<void> {
    if (!this.#isEmpty) await updateRejectedHeader(tx, this.#operation.id, this.#header())
  }

  #header(): RejectedRow {
    const fields = FIELDS.map(field => (this.#fields.has(field) ? field : null))
    return { line: 0, reason: 'reason', cells: [...fields, ...[...this.#positions.keys()].map(headerOf)] }
  }

  #row({ index, reason, lead }: RejectedLead): RejectedRow {
    const cells = FIELDS.map(field => lead[field] ?? '')
    for (const field of FIELDS) if (lead[field] != null) this.#fields.add(field)
    const lost = this.#addVariables(cells, lead)
    const remark = lost === 0 ? '' : `; ${lost} of its variables are not in this file, which has at most ${MOST_COLUMNS} columns`
    return { line: index + 1, reason: reason + remark, cells }
  }

  /** Returns how many variables there is no column for. */
  #addVariables(cells: string[], { variables = {} }: NewLead): number {
    let lost = 0
    // The order in which a lead had its variables is not stored.
    for (const name of Object.keys(variables).sort()) {
      const known = this.#positions.get(name)
      if (known === undefined && this.#positions.size === MOST_NAMES) {
        lost++
        continue
      }
      const position = known ?? FIELDS.length + this.#positions.size
      this.#positions.set(name, position)
      while (cells.length < position) cells.push('')
      cells[position] = variables[name]!
    }
    return lost
  }
}
