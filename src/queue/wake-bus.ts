import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import pg from 'pg'
import { askAlone } from '../db/questions.ts'

const CHANNEL = 'overture_wake'
const RECONNECT_MS = 500
/** A NOTIFY holds less than 8,000 bytes. */
const MOST_BYTES = 7000

/**
 * Tells waiting loops that there is work: in this process at once, in others by NOTIFY. A NOTIFY inside the writing transaction serialises
 * commits, so it is sent afterwards, and wakes that arrive meanwhile share the next one. A wake is a hint and can be lost; every loop also
 * looks at intervals.
 */
export class WakeBus {
  readonly #local = new EventEmitter().setMaxListeners(0)
  readonly #self = randomUUID()
  #pending = new Set<string>()
  #sending = false
  #pool: pg.Pool | undefined
  #listener: pg.Client | undefined
  #closed = false

  /** From here on, wakes are also sent to other processes. */
  connect(pool: pg.Pool): void {
    this.#pool = pool
  }

  /** The message is what follows a line end in the topic that was woken. */
  on(topic: string, listener: (message: string) => void): () => void {
    this.#local.on(topic, listener)
    return () => this.#local.off(topic, listener)
  }

  wake(topics: readonly string[] | ReadonlySet<string>): void {
    for (const topic of topics) {
      this.#emit(topic)
      this.#pending.add(topic)
    }
    void this.#send()
  }

  #emit(topic: string): void {
    const lineEnd = topic.indexOf('\n')
    if (lineEnd === -1) this.#local.emit(topic, '')
    else this.#local.emit(topic.slice(0, lineEnd), topic.slice(lineEnd + 1))
  }

  /** As many as one NOTIFY holds. */
  #take(): string[] {
    const topics: string[] = []
    let bytes = 0
    for (const topic of this.#pending) {
      bytes += Buffer.byteLength(JSON.stringify(topic)) + 1
      if (bytes > MOST_BYTES && topics.length > 0) break
      this.#pending.delete(topic)
      topics.push(topic)
    }
    return topics
  }

  #statement(topics: string[]): pg.QueryConfig {
    return {
      name: 'wake',
      // PostgreSQL logs a NOTIFY like a change, but no one has to wait until it is on the disk.
      text: `select set_config('synchronous_commit', 'off', true), pg_notify($1, $2)`,
      values: [CHANNEL, JSON.stringify({ from: this.#self, topics })],
    }
  }

  async #send(): Promise<void> {
    const pool = this.#pool
    if (this.#sending || !pool || this.#closed) return
    this.#sending = true
    try {
      while (this.#pending.size > 0 && !this.#closed) {
        await askAlone(() => pool.connect(), this.#statement(this.#take()))
      }
    } catch {
      this.#pending.clear()
    } finally {
      this.#sending = false
    }
  }

  /** Hears the wakes of other processes, and keeps trying when the connection is lost. */
  async listen(url: string): Promise<void> {
    const client = new pg.Client({ connectionString: url, application_name: 'overture-wake', connectionTimeoutMillis: 2000 })
    let over = false
    const again = (): void => {
      if (over) return
      over = true
      client.end().catch(() => {})
      if (!this.#closed) setTimeout(() => void this.listen(url), RECONNECT_MS).unref()
    }
    client.on('error', again)
    client.on('end', again)
    client.on('notification', message => {
      const { from, topics } = JSON.parse(message.payload ?? '{}') as { from: string; topics: string[] }
      if (from !== this.#self) for (const topic of topics) this.#emit(topic)
    })
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
      this.#listener = client
    } catch {
      again()
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#listener?.end().catch(() => {})
  }
}
