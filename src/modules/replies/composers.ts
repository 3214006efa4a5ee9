import type { Context } from '../../context/context.ts'
import type { ActorRow } from '../tokens/queries.ts'
import { presentActor } from '../tokens/tokens.ts'
import type { ReplyIds } from './inbox-queries.ts'
import { findComposer } from './queries.ts'

/** A page says it again while its user types, so a composer that was left disappears after this time. */
const STAYS_MS = 45_000
/** Of all workspaces, so that no flood of messages fills the memory. */
const MOST = 10_000
const TOPIC = 'composing'

interface Composer extends ReplyIds {
  actor: ActorRow
  hasAnswered: boolean
}

/**
 * The people who are writing an answer. This is a hint for colleagues, so it is not stored: each process tells the others, and forgets after a while. A
 * process that has just started knows them when they are announced again.
 */
class Composers {
  readonly #ctx: Context
  /** In the order in which they end. */
  readonly #known = new Map<string, Composer & { endsMs: number }>()

  constructor(ctx: Context) {
    this.#ctx = ctx
    ctx.wake.on(TOPIC, message => this.#note(JSON.parse(message) as Composer))
  }

  say(composer: Composer): void {
    this.#ctx.wake.wake([`${TOPIC}\n${JSON.stringify(composer)}`])
  }

  of(workspaceId: string, replyId: string): ActorRow[] {
    this.#forget()
    return [...this.#known.values()].filter(each => each.workspaceId === workspaceId && each.replyId === replyId).map(({ actor }) => actor)
  }

  #note(composer: Composer): void {
    const key = `${composer.replyId} ${composer.actor.id}`
    this.#known.delete(key)
    if (composer.hasAnswered) return
    this.#known.set(key, { ...composer, endsMs: this.#nowMs() + STAYS_MS })
    this.#forget()
  }

  #forget(): void {
    const nowMs = this.#nowMs()
    for (const [key, { endsMs }] of this.#known) {
      if (endsMs > nowMs && this.#known.size <= MOST) return
      this.#known.delete(key)
    }
  }

  #nowMs(): number {
    return this.#ctx.testClock.real.now().getTime()
  }
}

const composers = (ctx: Context): Composers => new Composers(ctx)

export async function noteComposer(ctx: Context, { workspaceId, replyId }: ReplyIds, tokenId: string, hasAnswered = false): Promise<void> {
  const actor = await findComposer(ctx.db, tokenId)
  if (actor) ctx.part(composers).say({ workspaceId, replyId, actor, hasAnswered })
}

export const listComposers = (ctx: Context, { workspaceId, replyId }: ReplyIds) =>
  ctx.part(composers).of(workspaceId, replyId).map(presentActor)
