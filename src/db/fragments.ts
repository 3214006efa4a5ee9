// Pieces of SQL that several slices use for reading. None of them writes.

/** `in ('a', 'b')`, for a set that is named in the code. The values are our own words, never input. */
export function among(words: readonly string[]): string {
  for (const word of words) if (!/^[a-z_]+$/.test(word)) throw new Error(`not a known SQL fragment: ${word}`)
  return `in (${words.map(word => `'${word}'`).join(', ')})`
}

/** Whether a text holds the address of a person in any spelling: `pattern` is that of the person. */
export const mentions = (text: string, pattern: string): string => `(${text}) ~* ${pattern}`

/** Whether a text holds another one anywhere, whatever the case of either. */
export const contains = (text: string, part: string): string => `position(lower(${part}) in lower(${text})) > 0`

/** The field of a row that holds a column. */
export const fieldOf = (column: string): string => column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The columns of a select, each with the name of its field: `workspace_id as "workspaceId"`. `table` is the table or its alias. */
export const columnsOf = (columns: string, table?: string): string =>
  columns
    .trim()
    .split(/,\s+/)
    .map(column => `${table === undefined ? '' : `${table}.`}${column} as "${fieldOf(column)}"`)
    .join(', ')

/**
 * The length of a JSON list, as the `limit` of a join with this list. It does not change the rows, but PostgreSQL plans for few of them: by
 * default it assumes a hundred, and would read a table of some thousand rows completely.
 */
export const listLength = (list: string): string => `(select jsonb_array_length(${list}::jsonb))`

/** The rows of arrays that are parameters, `$1` among them: few rows for PostgreSQL, for the same reason. */
export const rowsOf = (arrays: string, row: string): string => `(
    select *
    from unnest(${arrays}) as ${row}
    limit (select cardinality($1))
  ) as r`

/** Numbers as a parameter for `int[]`: pg would write them one by one, and look for quotes in each. */
export const intArray = (numbers: readonly number[]): string => `{${numbers.join(',')}}`

/**
 * The first `$2` rows of a table that were over before `$1`, oldest first, for a delete. Rows that are locked are left for the
 * next time. `over` is when a row was over, as an index has it; `and` says which rows have to stay longer.
 */
export const oldest = (table: string, over: string, { key = 'id', and = '' } = {}): string => `
    select ${key}
    from ${table}
    where ${over} < $1${
      and === ''
        ? ''
        : `
      and ${and}`
    }
    order by ${over}
    limit $2
    for update skip locked`
