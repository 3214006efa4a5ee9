const CONNECTION_CODES = /^(08|57P0|53300|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|ENOENT)/
const CONNECTION_TEXTS = /connection terminated|timeout exceeded when trying to connect|not queryable|Query read timeout|connection error/i

/** True when the database could not be asked at all: the caller should try again, nothing is wrong with the request. */
export function isDatabaseDown(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = (error as { code?: unknown }).code
  if (typeof code === 'string' && CONNECTION_CODES.test(code)) return true
  if (error instanceof AggregateError) return error.errors.some(isDatabaseDown)
  return CONNECTION_TEXTS.test(error.message)
}

/** There was no connection left: all of the pool are in use, or PostgreSQL gives out no more. */
export class PoolSaturated extends Error {
  readonly code = '53300'

  constructor(connections: number, cause: unknown) {
    const why = isTooManyConnections(cause) ? 'and PostgreSQL gives out no more' : 'and none became free in time'
    super(`the pool is saturated: all ${connections} connections of this process are in use, ${why}`, { cause })
  }
}

export const isTooManyConnections = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '53300'

/** True when there was no connection to begin with: whatever was to be done was not even tried. */
export function isConnectionRefused(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isConnectionRefused)
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  return /^(53300|57P03|08001|08004|ECONNREFUSED|ENOENT|ENOTFOUND)$/.test(String(code)) || POOL_TIMEOUT.test(String(message))
}

export const isPoolTimeout = (error: unknown): boolean => POOL_TIMEOUT.test((error as Error | null)?.message ?? '')

const POOL_TIMEOUT = /timeout exceeded when trying to connect/

/** True when the transaction lost against others that wanted the same rows: all of it can simply be done again. */
export function isConflict(error: unknown): boolean {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined
  return code === '40P01' || code === '40001'
}
