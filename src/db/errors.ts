import { setTimeout as sleep } from 'node:timers/promises'

const CONNECTION_CODES = /^(08|57P0|53300|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|ENOENT)/
const CONNECTION_TEXTS =
  /connection terminated|timeout exceeded when trying to connect|^timeout expired$|not queryable|Query read timeout|connection error/i
/** The disk is full, memory has run out, a file cannot be written, or the server takes reads only. */
const UNWRITABLE_CODES = /^(53100|53200|53400|58030|25006)$/
/** The statement took too long, or what it needs is locked by others for too long. */
const TOO_LATE_CODES = /^(57014|55P03)$/

const codeOf = (error: unknown): string => {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined
  return typeof code === 'string' ? code : ''
}

/** The database did not respond in time. The statement may still be carried out. */
export class DatabaseSilent extends Error {
  constructor() {
    super('the database does not respond: connection error')
  }
}

/** True when the database could not work for any caller: nothing is wrong with the request, and it should be sent again. */
export function isDatabaseDown(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  // A socket that is missing, and not a file of ours.
  if (codeOf(error) === 'ENOENT' && (error as NodeJS.ErrnoException).syscall !== 'connect') return false
  if (CONNECTION_CODES.test(codeOf(error)) || isUnwritable(error)) return true
  if (error instanceof AggregateError) return error.errors.some(isDatabaseDown)
  return CONNECTION_TEXTS.test(error.message)
}

/** There was no connection left: all of the pool are in use, or PostgreSQL allows no more. */
export class PoolSaturated extends Error {
  readonly code = '53300'

  constructor(connections: number, cause: unknown) {
    const why = isTooManyConnections(cause) ? 'and PostgreSQL allows no more' : 'and none became free in time'
    super(`the pool is saturated: all ${connections} connections of this process are in use, ${why}`, { cause })
  }
}

export const isTooManyConnections = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '53300'

/** True when there was no connection, so that the work was not even started. */
export function isConnectionRefused(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isConnectionRefused)
  const { code } = (error ?? {}) as { code?: unknown }
  return /^(53300|57P03|08001|08004|ECONNREFUSED|ENOENT|ENOTFOUND)$/.test(String(code)) || isConnectTimeout(error)
}

export const isConnectTimeout = (error: unknown): boolean => CONNECT_TIMEOUT.test((error as Error | null)?.message ?? '')

export const isPoolTimeout = (error: unknown): boolean => POOL_TIMEOUT.test((error as Error | null)?.message ?? '')

const POOL_TIMEOUT = /timeout exceeded when trying to connect/
/** The messages of a pool and of a single connection. */
const CONNECT_TIMEOUT = /timeout exceeded when trying to connect|due to connection timeout|^timeout expired$/

/** True when the database responds, but can store nothing. */
export const isUnwritable = (error: unknown): boolean => UNWRITABLE_CODES.test(codeOf(error))

/** True when this statement was given up, while others may succeed. */
export const isTooLate = (error: unknown): boolean => TOO_LATE_CODES.test(codeOf(error))

/** True when the rows were locked by others for longer than the transaction was to wait. */
export const isLockedByOthers = (error: unknown): boolean => codeOf(error) === '55P03'

/** True when the transaction lost against others that changed the same rows: it can be repeated. */
export const isConflict = (error: unknown): boolean => /^(40P01|40001)$/.test(codeOf(error))

/** True when a row with the same key is there already. */
export const isTaken = (error: unknown): boolean => codeOf(error) === '23505'

/** Each waits for the lock itself, so these are two minutes: transactions of ours are over by then. */
const TRIES = 24
const PAUSE_MS = 200

/** Does all of it again while others keep its rows locked: for work that is not repeated later. When the signal is raised, there is one last try. */
export async function repeatWhileLocked<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let left = TRIES - 1; ; left--) {
    try {
      return await work()
    } catch (error) {
      if (!isLockedByOthers(error) || left === 0 || signal?.aborted) throw error
    }
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => {})
  }
}
