/** The named fields of a row, as a part of another object. Other fields are left out. */
export function pick<Row extends object, Name extends keyof Row>(row: Row, ...names: Name[]): Pick<Row, Name> {
  const picked = {} as Pick<Row, Name>
  for (const name of names) picked[name] = row[name]
  return picked
}

export const valuesOf = <Row extends object>(row: Row, ...names: (keyof Row)[]): unknown[] => names.map(name => row[name])

/** For each name, the values of all rows: the arrays that `unnest` takes as parameters. */
export const listsOf = <T, K extends keyof T>(rows: readonly T[], ...names: readonly K[]): T[K][][] =>
  names.map(name => rows.map(row => row[name]))
