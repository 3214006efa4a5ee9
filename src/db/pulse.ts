import pg from 'pg'
import { patient } from '../lib/time.ts'
import { DatabaseSilent, isConnectTimeout, isDatabaseDown, isTooManyConnections } from './errors.ts'

const BEAT_MS = 250
/**
 * A server that answers an empty query after more beats than this answers no request. Beats are counted and not milliseconds: a process that
 * was busy itself for seconds has no beat in that time, and must not consider the database dead.
 */
const MOST_BEATS = 6
/** Later than the beats, which decide. */
const CONNECT_LIMIT_MS = 3_000
/** How long after a refused write the next write is expected to be refused, too. */
const REMEMBERED_MS = 5_000

const BEAT = `select current_setting('transaction_read_only') = 'on' as "isReadOnly"`

/**
 * Checks continuously, over its own connection, whether the database responds. A frozen server keeps its
 * connections: a caller would wait for the full statement timeout. With the pulse, it gets an error within two seconds.
 */
export class Pulse {
  readonly #url: string
  #client: pg.Client | undefined
  #timer: NodeJS.Timeout | undefined
  /** The beats since the question that has no response yet; null when there is none. */
  #unanswered: number | null = null
  #isReadOnly = false
  #refusedAt = Number.NEGATIVE_INFINITY
  #isLost = false
  readonly #waiting = new Set<(error: Error) => void>()

  constructor(url: string) {
    this.#url = url
  }

  start(): void {
    this.#timer = setInterval(() => this.#tick(), BEAT_MS)
    this.#timer.unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#timer = undefined
    const client = this.#client
    this.#client = undefined
    // Without a clean shutdown of the connection: a frozen server would not answer that either.
    client?.connection.stream.destroy()
  }

  /** Why the database should get no more requests for now; null when it is well. */
  get trouble(): 'silent' | 'read_only' | 'refuses_writes' | null {
    if (this.#isLost) return 'silent'
    if (this.#isReadOnly) return 'read_only'
    return performance.now() - this.#refusedAt < REMEMBERED_MS ? 'refuses_writes' : null
  }

  noteRefusedWrite(): void {
    this.#refusedAt = performance.now()
  }

  /** The work, or a rejection as soon as the database has stopped answering. Work that needs no database is still done. */
  guard<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const working = work()
      this.#waiting.add(reject)
      if (this.#isLost) setImmediate(() => reject(new DatabaseSilent()))
      // The work continues after the rejection; its outcome is then ignored.
      working.then(
        result => {
          this.#waiting.delete(reject)
          resolve(result)
        },
        error => {
          this.#waiting.delete(reject)
          reject(error)
        },
      )
    })
  }

  #tick(): void {
    if (this.#unanswered === null) {
      this.#unanswered = 0
      void this.#beat()
      return
    }
    this.#unanswered++
    // The response may be here already: it is read before this runs.
    if (this.#unanswered >= patient(MOST_BEATS)) setImmediate(() => setImmediate(() => this.#judge()))
  }

  #judge(): void {
    if (this.#unanswered === null || this.#unanswered < patient(MOST_BEATS)) return
    this.#lose()
    // A connection that was cut silently would never answer. The next beat opens another.
    this.#client?.connection.stream.destroy()
  }

  #lose(): void {
    this.#isLost = true
    for (const giveUp of this.#waiting) giveUp(new DatabaseSilent())
    this.#waiting.clear()
  }

  async #beat(): Promise<void> {
    try {
      const client = await this.#connected()
      const { rows } = await client.query<{ isReadOnly: boolean }>(BEAT)
      this.#isReadOnly = rows[0]!.isReadOnly
      this.#isLost = false
    } catch (error) {
      this.#client?.connection.stream.destroy()
      this.#client = undefined
      if (this.#timer && isProofOfLoss(error)) this.#lose()
    } finally {
      this.#unanswered = null
    }
  }

  async #connected(): Promise<pg.Client> {
    if (this.#client) return this.#client
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: 'overture-pulse',
      connectionTimeoutMillis: patient(CONNECT_LIMIT_MS),
    })
    client.on('error', () => {
      if (this.#client === client) this.#client = undefined
    })
    await client.connect()
    if (this.#timer) this.#client = client
    else client.connection.stream.destroy()
    return client
  }
}

/**
 * A server with no connection left for this one still serves those that there are. A connection that takes too long proves nothing, because
 * this process may have been busy: the beats decide.
 */
const isProofOfLoss = (error: unknown): boolean => isDatabaseDown(error) && !isTooManyConnections(error) && !isConnectTimeout(error)
