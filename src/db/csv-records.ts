// Writes the records of a CSV file in PostgreSQL. They equal the output of `csvRecord` in lib/csv.ts byte for byte; a test compares them.

export interface CsvColumn {
  column: string
  type: 'text' | 'number' | 'time'
}

/** White space as in JavaScript, because the definition of PostgreSQL depends on the locale. */
const BLANK = String.raw`\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff`
const SIGN = String.raw`=+@\uff1d\uff0b\uff0d\uff20-`
const FORMULA = String.raw`^(?:[${BLANK}"]*[${SIGN}]|[\t\r\n])`
/** The characters at which some spreadsheet splits a line, and the characters that may follow before a sign. */
const BEHIND_SPLIT = String.raw`[,;|\t\r\n][${BLANK}"]*`
const SPECIAL = String.raw`[",\r\n]`

/** Stands before each text. When a text contains it, too, the record is at most written with more care than it needs. */
const SEPARATOR = String.raw`e'\x1e'`
const NEEDS_CARE = String.raw`[",\r\n]|\x1e[${BLANK}${SIGN}]|[;|\t][${BLANK}]*[${SIGN}]`

/**
 * A subquery with the record of each row of `rows`, which may have conditions, and the columns in `keys`. Few rows have a cell that needs
 * quotes or an apostrophe, so all texts of a row are checked together. Numbers and times never need them.
 */
export const csvRecords = (columns: readonly CsvColumn[], rows: string, keys: string): string => `(
    select ${keys}, case
      when concat_ws(${SEPARATOR}, '', ${columns.flatMap(({ column, type }) => (type === 'text' ? column : [])).join(', ')}) !~ '${NEEDS_CARE}'
      then concat_ws(',', ${columns.map(plainCell).join(', ')})
      else ${carefulRecord(columns)}
      end || e'\\r\\n' as record
    from ${rows}
  )`

function plainCell({ column, type }: CsvColumn): string {
  if (type === 'time') return `coalesce(to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), '')`
  return type === 'number' ? `coalesce(${column}::text, '')` : `coalesce(${column}, '')`
}

/** One subquery for all cells: with one for each of them, PostgreSQL would take longer to plan than to write hundreds of records. */
const carefulRecord = (columns: readonly CsvColumn[]): string => `(
        select string_agg(case when safe ~ '${SPECIAL}' then '"' || replace(safe, '"', '""') || '"' else safe end, ',' order by at)
        from (
          select at, case when not is_text then cell when cell ~ '${FORMULA}' then '''' || inside else inside end as safe
          from (
            select *, regexp_replace(cell, '(${BEHIND_SPLIT})([${SIGN}])', '\\1''\\2', 'g') as inside
            from unnest(
              array[${columns.map(plainCell).join(', ')}],
              array[${columns.map(({ type }) => type === 'text').join(', ')}]
            ) with ordinality as cells(cell, is_text, at)
          ) as guarding
        ) as guarded
      )`
