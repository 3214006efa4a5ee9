import { Readable } from 'node:stream'
import type { Context } from '../../context/context.ts'
import type { Caller } from '../../http/access.ts'
import { AppError } from '../../lib/errors.ts'
import { Lookout } from '../../queue/lookout.ts'
import { findWorkingTokens } from '../tokens/queries.ts'
import { findWorkingSessions } from '../tokens/session-queries.ts'
import { TOKENS_CHANGED } from '../tokens/tokens.ts'
import { checkKeptAfter, presentEvent } from './events.ts'
import { type EventFilter, type EventRow, findHeads, listEvents } from './queries.ts'

/** The interval of keep-alive comments, and the maximum interval between two checks of the token. */
const BEAT_MS = 15_000
/** Wakes can be lost; then a new event is found after this time. */
const POLL_MS = 5_000
const PAGE_EVENTS = 200
/** A client that does not read is disconnected after this time when its stream ends. */
const FAREWELL_MS = 1_000

interface Asked {
  workspaceId: string
  caller: Caller
  filter: EventFilter
  /** Null: what happens from now on. */
  after: number | null
}

interface OpenStream {
  /** The owner of the stream, for the limit: a person, or a workspace key. */
  owner: string
  tokenId: string
  sessionId: string | null
  role: Caller['role']
  workspaceId: string
  follower: Follower
  body: Readable | null
}

/**
 * All event streams of a process. One statement reads the latest event numbers of all followed workspaces, on a wake and every few seconds,
 * and the streams of a workspace whose log has grown read on. Without streams there are no queries.
 */
class Streams {
  readonly #ctx: Context
  readonly #open = new Set<OpenStream>()
  readonly #lookout: Lookout
  readonly #unlisten: () => void
  readonly #beats: NodeJS.Timeout

  constructor(ctx: Context) {
    this.#ctx = ctx
    const { wake, log } = ctx
    this.#lookout = new Lookout({ name: 'event streams', topics: ['events'], pollMs: POLL_MS, look: () => this.#look() }, wake, log)
    this.#lookout.start()
    this.#unlisten = wake.on(TOKENS_CHANGED, () => void this.#endRevoked())
    this.#beats = setInterval(() => {
      void this.#endRevoked()
      for (const stream of this.#open) stream.follower.beat()
    }, BEAT_MS).unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#beats)
    this.#unlisten()
    await this.#lookout.stop()
  }

  async open(asked: Asked): Promise<Readable> {
    const { db, config } = this.#ctx
    const { workspaceId, after } = asked
    const { tokenId, sessionId, userId, role } = asked.caller
    // A person may make many tokens.
    const owner = userId ?? tokenId
    if ([...this.#open].filter(stream => stream.owner === owner).length >= config.maxStreams) {
      throw new AppError('rate_limited', `You have ${config.maxStreams} open event streams. Close one first.`, null, {
        'retry-after': String(BEAT_MS / 1000),
      })
    }
    const stream: OpenStream = { owner, tokenId, sessionId, role, workspaceId, follower: new Follower(), body: null }
    this.#open.add(stream)
    try {
      const head = (await findHeads(db, [workspaceId])).get(workspaceId) ?? 0
      if (after !== null) await checkKeptAfter(db, workspaceId, after)
      // A number beyond the end of the log belongs to another log: waiting for it would miss events.
      const start = Math.min(after ?? head, head)
      stream.follower.head = start
      stream.follower.tell(head)
      stream.body = readableOf(this.#write(asked, start, stream.follower), () => this.#close(stream))
      this.#lookout.poke()
      return stream.body
    } catch (error) {
      this.#close(stream)
      throw error
    }
  }

  endAll(): void {
    for (const stream of this.#open) end(stream)
  }

  /** The text of one stream, until it is over. */
  async *#write({ workspaceId, caller, filter }: Asked, start: number, follower: Follower): AsyncGenerator<string> {
    let after = start
    yield comment('following', after)
    for (;;) {
      const head = await follower.next()
      if (follower.isOver) return
      if (head <= after) {
        yield comment('still here', after)
        continue
      }
      for await (const row of this.#readUpTo(head, after, workspaceId, filter, follower)) {
        yield `id: ${row.seq}\nevent: ${row.type}\ndata: ${JSON.stringify(presentEvent(row, this.#ctx, caller))}\n\n`
      }
      after = head
    }
  }

  async *#readUpTo(to: number, start: number, workspaceId: string, filter: EventFilter, follower: Follower): AsyncGenerator<EventRow> {
    for (let after = start; after < to && !follower.isOver; ) {
      const rows = await listEvents(this.#ctx.db, workspaceId, filter, { after, before: to + 1, order: 'asc', limit: PAGE_EVENTS })
      yield* rows
      after = rows.length === PAGE_EVENTS ? rows.at(-1)!.seq : to
    }
  }

  async #look(): Promise<boolean> {
    if (this.#open.size === 0) return false
    const heads = await findHeads(this.#ctx.db, [...new Set([...this.#open].map(({ workspaceId }) => workspaceId))])
    for (const { workspaceId, follower } of this.#open) follower.tell(heads.get(workspaceId) ?? 0)
    return false
  }

  async #endRevoked(): Promise<void> {
    if (this.#open.size === 0) return
    try {
      const sessionIds = [...this.#open].flatMap(({ sessionId }) => sessionId ?? [])
      const sessions = await findWorkingSessions(this.#ctx.db, sessionIds)
      for (const stream of this.#open) if (stream.sessionId !== null && !sessions.has(stream.sessionId)) end(stream)
      for (const [workspaceId, streams] of Map.groupBy(this.#open, stream => stream.workspaceId)) {
        const working = await findWorkingTokens(this.#ctx.db, [...new Set(streams.map(stream => stream.tokenId))], workspaceId)
        // A client that reconnects gets what its new role may see.
        for (const stream of streams) if (working.get(stream.tokenId) !== stream.role) end(stream)
      }
    } catch (error) {
      this.#ctx.log.warn({ err: error }, 'cannot check whether the tokens of event streams are still valid; will try again')
    }
  }

  #close(stream: OpenStream): void {
    stream.follower.end()
    this.#open.delete(stream)
  }
}

/** Unlike `Readable.from`, it ends as soon as the client disconnects, and not at the next write. */
function readableOf(texts: AsyncGenerator<string>, onOver: () => void): Readable {
  return new Readable({
    read() {
      texts.next().then(
        ({ done, value }) => this.push(done ? null : value),
        error => this.destroy(error),
      )
    },
    destroy(error, done) {
      onOver()
      done(error)
    },
  })
}

function end({ follower, body }: OpenStream): void {
  follower.end()
  setTimeout(() => body?.destroy(), FAREWELL_MS).unref()
}

/** Not an event, but it has a number: a returning client skips events that its filter left out. */
const comment = (text: string, seq: number): string => `: ${text}\nid: ${seq}\n\n`

const streams = (ctx: Context): Streams => new Streams(ctx)

export const openStream = (ctx: Context, asked: Asked): Promise<Readable> => ctx.part(streams).open(asked)

export async function endStreams(ctx: Context): Promise<void> {
  ctx.part(streams).endAll()
}

/** Tells one stream how far the log goes. A slow client hears only the latest number. */
class Follower {
  head = 0
  #hasNews = false
  #heard = Promise.withResolvers<void>()
  isOver = false

  tell(head: number): void {
    if (head <= this.head) return
    this.head = head
    this.beat()
  }

  /** The stream sends a sign of life. */
  beat(): void {
    this.#hasNews = true
    this.#heard.resolve()
  }

  end(): void {
    this.isOver = true
    this.#heard.resolve()
  }

  /** Waits for a higher number or a beat, and returns the number. */
  async next(): Promise<number> {
    while (!this.#hasNews && !this.isOver) {
      await this.#heard.promise
      this.#heard = Promise.withResolvers<void>()
    }
    this.#hasNews = false
    return this.head
  }
}
