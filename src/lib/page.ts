/** Where a page starts: after this row, in the order of the list. */
export type Position = { at: Date; id: string }

export type Page = { limit: number; after: Position | null }
