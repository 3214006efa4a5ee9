import { type FileHandle, open, rm, truncate, writeFile } from 'node:fs/promises'
import { correctableRecord } from '../../lib/csv.ts'

export interface Rejected {
  row: string[]
  rowNumber: number
  reason: string
}

/** The columns that a file of rejected rows ends with. */
const OUR_HEADERS = ['row', 'reason']

/** Whether this is a file of rejected rows that was mended. */
export const isMended = (headers: readonly string[]): boolean =>
  OUR_HEADERS.every((name, position) => headers.at(position - OUR_HEADERS.length) === name)

/** Rows that were not taken, with the reason: to be mended and imported again. No cell is one that a spreadsheet would run. */
export class RejectFile {
  readonly #path: string
  readonly #headers: readonly string[]
  #handle: FileHandle | undefined
  #bytes = 0

  constructor(path: string, headers: readonly string[]) {
    this.#path = path
    // The row and the reason of a mended file are those of the import before.
    this.#headers = isMended(headers) ? headers.slice(0, -OUR_HEADERS.length) : headers
  }

  /** Rows after the last commit will be written again, so they are removed first. */
  async open(bytes: number): Promise<void> {
    if (bytes === 0) await writeFile(this.#path, '')
    else await truncate(this.#path, bytes)
    this.#handle = await open(this.#path, 'a')
    this.#bytes = bytes
  }

  async append(rejected: readonly Rejected[]): Promise<number> {
    if (rejected.length === 0) return this.#bytes
    const lines = rejected.map(({ row, rowNumber, reason }) =>
      correctableRecord([...this.#headers.map((_, index) => row[index] ?? ''), String(rowNumber), reason]),
    )
    if (this.#bytes === 0) lines.unshift(correctableRecord([...this.#headers, ...OUR_HEADERS]))
    const text = Buffer.from(lines.join(''))
    await this.#handle!.appendFile(text)
    this.#bytes += text.length
    return this.#bytes
  }

  async close(): Promise<void> {
    await this.#handle?.close()
    if (this.#bytes === 0) await rm(this.#path, { force: true })
  }
}
