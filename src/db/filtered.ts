import type { Page } from '../lib/page.ts'
import { type Db, type ReadSql, sql } from './sql.ts'

/** A value for each `?` of a condition; a condition without a value is left out. */
type Given<Name extends string> = Partial<Record<Name, unknown>>

/** Gets `and ...` for all given values; their parameters come after the fixed ones. */
type Write = (conditions: string) => string

/**
 * A list with filters: one statement for each set of filters, created on first use, so that PostgreSQL plans each with its own index. A
 * single statement with `$3 is null or status = $3` would use no index and read the whole list.
 */
export function filtered<const Conditions extends Readonly<Record<string, string>>>(
  fixed: number,
  conditions: Conditions,
  write: Write,
): (values: unknown[], given: Given<Extract<keyof Conditions, string>>) => [ReadSql, unknown[]] {
  const statements = new Map<string, ReadSql>()
  const names = Object.keys(conditions) as Extract<keyof Conditions, string>[]

  const statementFor = (asked: typeof names): ReadSql => {
    let parameter = fixed
    const lines = asked.map(name => `and ${conditions[name]!.replaceAll('?', () => `$${++parameter}`)}`)
    return sql(write(lines.join('\n    '))) as ReadSql
  }

  return (values, given) => {
    if (values.length !== fixed) throw new Error(`${fixed} values are always there, not ${values.length}`)
    const asked = names.filter(name => given[name] !== undefined && given[name] !== null)
    const key = asked.join()
    const statement = statements.get(key) ?? statementFor(asked)
    statements.set(key, statement)
    return [statement, [...values, ...asked.flatMap(name => given[name])]]
  }
}

/** The pattern of `like` for texts that contain this part. */
export const likePart = (part: string): string => `%${part.replace(/[\\%_]/g, '\\$&')}%`

/** The condition and the value for lists that are ordered newest first. */
export const BEHIND = '(created_at, id) < (?::timestamptz, ?::uuid)'

export const behind = ({ after }: Page): [Date, string] | null => after && [after.at, after.id]

/**
 * A list that is ordered newest first, page by page. `select` ends with the conditions that always hold. The function takes the values of
 * `$1`, `$2` ..., then the page and, by the names of the conditions, what the rows are filtered by.
 */
export function newestFirst<Row, Fixed extends readonly unknown[], Filter extends string = never>(
  select: string,
  conditions?: Readonly<Record<Filter, string>>,
): (db: Db, ...given: [...Fixed, page: Page, filter?: Given<Filter>]) => Promise<Row[]> {
  const fixed = new Set(select.match(/\$\d+/g)).size
  const list = filtered(
    fixed + 1,
    { ...conditions, behind: BEHIND } as Record<string, string>,
    given => `${select}
    ${given}
  order by created_at desc, id desc
  limit $${fixed + 1}`,
  )
  return (db, ...given) => {
    const [page, filter] = given.slice(fixed) as [Page, Given<Filter>?]
    return db.many<Row>(...list([...given.slice(0, fixed), page.limit + 1], { ...filter, behind: behind(page) }))
  }
}
