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
