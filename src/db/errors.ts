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

/** True when there was no connection to be had: PostgreSQL has none to spare, or is not there. Nothing was begun. */
export function isConnectionRefused(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = (error as { code?: unknown }).code
  return code === '53300' || code === 'ECONNREFUSED' || /timeout exceeded when trying to connect/i.test(error.message)
}

/** True when the transaction lost against others that wanted the same rows: all of it can simply be done again. */
export function isConflict(error: unknown): boolean {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined
  return code === '40P01' || code === '40001'
}
