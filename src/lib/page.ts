/** Where a page starts: after this row, in the order of the list. */
export interface Position {
  at: Date
  id: string
}

export interface Page {
  limit: number
  after: Position | null
}

/** What a log has between two of its numbers, both exclusive. */
export interface LogRange {
  after: number
  before: number
  order: 'asc' | 'desc'
  limit: number
}
