import { type FileHandle, open, rm, truncate, writeFile } from 'node:fs/promises'
import { csvRecord } from '../../lib/csv.ts'

export interface Rejected {
  row: string[]
  rowNumber: number
  reason: string
}

/** Rows that were not taken, with the reason: to be mended and imported again. No cell is one that a spreadsheet would run. */
export class RejectFile {
  readonly #path: string
  readonly #headers: readonly string[]
  #handle: FileHandle | undefined
  #bytes = 0

  constructor(path: string, headers: readonly string[]) {
    this.#path = path
    this.#headers = headers
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
      csvRecord([...this.#headers.map((_, index) => row[index] ?? ''), String(rowNumber), reason]),
    )
    if (this.#bytes === 0) lines.unshift(csvRecord([...this.#headers, 'row', 'reason']))
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
