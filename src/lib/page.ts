/** The start of a page: after this row, in the order of the list. */
export interface Position {
  at: Date
  id: string
}

export interface Page {
  limit: number
  after: Position | null
}

/** The entries of a log between two numbers, both exclusive. */
export interface LogRange {
  after: number
  before: number
  order: 'asc' | 'desc'
  limit: number
}

/** The pages of a list: `read` returns the rows after a key. */
export async function* pagesOf<Row, Key>(read: (after: Key | null) => Promise<Row[]>, keyOf: (row: Row) => Key): AsyncGenerator<Row[]> {
  for (let after: Key | null = null; ; ) {
    const page: Row[] = await read(after)
    if (page.length === 0) return
    yield page
    after = keyOf(page.at(-1)!)
  }
}
