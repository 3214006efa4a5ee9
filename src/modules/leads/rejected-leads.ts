import type { Tx } from '../../db/client.ts'
import { FIELDS, headerOf, MOST_COLUMNS, OUR_HEADERS } from './csv-mapping.ts'
import { insertRejectedRows, type RejectedRow, updateRejectedHeader } from './csv-queries.ts'
import type { RejectedLead } from './import-result.ts'
import type { NewLead } from './schema.ts'

const PAGE_ROWS = 500
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
