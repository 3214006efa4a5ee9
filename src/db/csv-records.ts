// Records of a CSV file, written by PostgreSQL. They are what `csvRecord` in lib/csv.ts gives, byte for byte; a test compares them.

export interface CsvColumn {
  column: string
  type: 'text' | 'number' | 'time'
}

/** White space as JavaScript has it: what PostgreSQL takes for it depends on the locale. */
const BLANK = String.raw`\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff`
const SIGN = String.raw`=+@\uff1d\uff0b\uff0d\uff20-`
const FORMULA = String.raw`^(?:[${BLANK}"]*[${SIGN}]|[\t\r\n])`
/** What one spreadsheet or another splits a line at, and what may stand between it and a sign. */
const BEHIND_SPLIT = String.raw`[,;|\t\r\n][${BLANK}"]*`
const SPECIAL = String.raw`[",\r\n]`

/** Two bytes where the comma will be one: whether the cells hold it themselves can be told by the length alone. */
const SEPARATOR = String.raw`e'\x1f\x1e'`
const NEEDS_CARE = String.raw`[",\r\n]|(?:^|\x1e)[${BLANK}${SIGN}]|[;|\t][${BLANK}]*[${SIGN}]`

/**
 * A subquery that gives the record of each row of `rows`, which may be followed by its conditions, and the columns named in `keys`. Hardly any
 * row has a cell that needs quotes or an apostrophe: the cells are joined, and one look at the whole tells. `offset 0` keeps
 * PostgreSQL from working out the same text several times.
 */
export const csvRecords = (columns: readonly CsvColumn[], rows: string, keys: string): string => `(
    select ${keys}, case
      when joined !~ '${NEEDS_CARE}' and octet_length(joined) - octet_length(record) = ${columns.length - 1} then record
      else concat(${columns.map(carefulCell).join(`, ',', `)})
      end || e'\\r\\n' as record
    from (
      select *, replace(joined, ${SEPARATOR}, ',') as record
      from (
        select *, concat(${columns.map(plainCell).join(`, ${SEPARATOR}, `)}) as joined
        from ${rows}
        offset 0
      ) as joining
      offset 0
    ) as joined
  )`

const plainCell = ({ column, type }: CsvColumn): string =>
  type === 'time' ? `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')` : column

function carefulCell(of: CsvColumn): string {
  if (of.type !== 'text') return plainCell(of)
  const inside = `regexp_replace(${of.column}, '(${BEHIND_SPLIT})([${SIGN}])', '\\1''\\2', 'g')`
  const safe = `case when ${of.column} ~ '${FORMULA}' then '''' || ${inside} else ${inside} end`
  return `(select case when safe ~ '${SPECIAL}' then '"' || replace(safe, '"', '""') || '"' else safe end from (select ${safe} as safe) as guarded)`
}
