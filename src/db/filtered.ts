import type { Page } from '../lib/page.ts'
import { type ReadSql, sql } from './sql.ts'

/** A value for each `?` of a condition; a condition without a value is left out. */
type Given<Name extends string> = Partial<Record<Name, unknown>>

/** `and ...` for everything that is given, with the parameters behind those that are always there. */
type Write = (conditions: string) => string

/**
 * A list with filters: one statement for each set of filters, made when it is first asked for. A statement of its own is
 * planned with the index that serves it; one that says `$3 is null or status = $3` fits no index and reads the whole list.
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

/** Newest first, as all lists of resources are: the condition, and the value for it. */
export const BEHIND = '(created_at, id) < (?::timestamptz, ?::uuid)'

export const behind = ({ after }: Page): [Date, string] | null => after && [after.at, after.id]
