import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { wrongUsage } from '../../lib/command-failure.ts'
import { originalCell } from '../../lib/csv.ts'
import { guessDelimiter, lineFeeder, readRow } from '../../lib/csv-rows.ts'
import type { ColumnMapping } from './csv-columns.ts'
import { isMended } from './reject-file.ts'

const EDGE_BYTES = 65_536

/** What is known of a file before its rows are read. */
interface FileHead {
  headers: string[]
  headerBytes: number
  delimiter: string
  /** Makes of a cell what it was before we wrote it into a file of rejected rows. */
  original: (cell: string) => string
  /** Makes line feeds of what ends the lines. Each byte stays one byte. */
  withLineFeeds: (text: string) => string
  byteCount: number
  edges: Buffer
}

export async function readHead(file: string): Promise<FileHead> {
  const handle = await open(file).catch(error => {
    const { code } = error as NodeJS.ErrnoException
    throw wrongUsage(`${file} cannot be read: ${code === 'ENOENT' ? 'there is no such file' : code}.`, 'name a file that exists')
  })
  try {
    const about = await handle.stat()
    if (!about.isFile()) throw wrongUsage(`${file} is not a file.`, 'name a CSV file')
    const { size } = about
    const start = await readAt(handle, 0, Math.min(size, EDGE_BYTES))
    const end = await readAt(handle, Math.max(0, size - EDGE_BYTES), Math.min(size, EDGE_BYTES))
    const beginning = start.toString('latin1')
    const withLineFeeds = lineFeeder(beginning)
    const [firstLine] = withLineFeeds(beginning).split('\n', 1) as [string]
    const line = firstLine.replace(/^\xef\xbb\xbf/, '')
    const delimiter = guessDelimiter(line)
    const written = readRow(line, 0, delimiter, true)!.cells.map(cell => cell.trim())
    const original = isMended(written) ? originalCell : (cell: string) => cell
    const headers = written.map(original)
    if (line.trim() === '') throw wrongUsage(`${file} is empty.`, 'name a CSV file with a header line')
    const headerBytes = firstLine.length === start.length ? size : firstLine.length + 1
    return { headers, headerBytes, delimiter, original, withLineFeeds, byteCount: size, edges: Buffer.concat([start, end]) }
  } finally {
    await handle.close()
  }
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length)
  const { bytesRead } = await handle.read(buffer, 0, length, position)
  return buffer.subarray(0, bytesRead)
}

/** The same file with another mapping or owner is another import. */
export function fingerprintOf(head: FileHead, mapping: ColumnMapping, workspaceId: string | undefined): string {
  return createHash('sha256')
    .update(head.edges)
    .update(JSON.stringify([head.byteCount, mapping.columns, ...(workspaceId ? [workspaceId] : [])]))
    .digest('base64url')
}
