import { createHash } from 'node:crypto'

/** A statement that PostgreSQL prepares once per connection: unnamed ones were measured at half the speed. */
export interface Sql {
  readonly name: string
  readonly text: string
}

export function sql(text: string): Sql {
  return { name: createHash('sha1').update(text).digest('base64url').slice(0, 16), text }
}
