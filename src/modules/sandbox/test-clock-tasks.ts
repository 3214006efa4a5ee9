import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../context/context.ts'
import { beginMove, lockClock, moveClock } from '../../context/test-clock.ts'
import type { Db } from '../../db/sql.ts'
import { DateTime, nullable, strict } from '../../http/schema.ts'
import type { AppError } from '../../lib/errors.ts'
import { MINUTE_MS } from '../../lib/time.ts'
import { Again, type OperationTasks, outsideTask } from '../../operations/tasks.ts'
import { nextSendAt } from '../sending/planner-input.ts'
import { countEvents, findMove, findNextMoment } from './queries.ts'
import { ClockAdvance } from './schema.ts'
import { findObstacle, MAX_ADVANCE_MS, refused } from './test-clock.ts'

/** All work of campaigns, for the code that moves the clock. Passed in, because it comes from slices on the same floor. */
export interface Stage {
  /** Does everything that is due now, and returns how much that was. */
  takeTurn(): Promise<number>
  close(): Promise<void>
}

const MAX_STEPS = 100_000
const LONGEST_MS = 9 * MINUTE_MS
/** The interval of checks while another worker does the work. */
const PATIENCE_MS = 5
const PATIENT_LOOKS = 100
/** After this, the time moves on in growing steps: one thing that is due and does not happen must not block the rest. */
const NUDGE_MS = MINUTE_MS

interface Journey {
  operationId: string
  workspaceId: string
  target: Date | null
}

type End = 'target' | 'idle' | 'limit' | 'stopped'

/**
 * Moves the time from one due moment to the next. At each moment, everything that is due is done, so that order and intervals are
 * realistic: a reply comes before the follow-up that it prevents.
 */
export async function advanceClock(ctx: Context, stage: Stage, { operationId, workspaceId, target }: Journey, stopping: AbortSignal) {
  const from = await ctx.db.inTransaction(async tx => {
    await lockClock(tx)
    const move = await findMove(tx)
    return move && move.operationId !== operationId ? undefined : beginMove(tx, operationId, workspaceId, ctx.clock.now(), target)
  })
  if (!from) throw overtaken()
  const last = target ?? new Date(from.getTime() + MAX_ADVANCE_MS)
  const stoppedBy = await play(ctx, stage, { operationId, workspaceId, target }, last, stopping)
  const to = ctx.clock.now()
  const counted = new Map((await countEvents(ctx.db, workspaceId, from, to)).map(({ type, count }) => [type, count]))
  return {
    stoppedBy,
    from: from.toISOString(),
    to: to.toISOString(),
    sentCount: counted.get('email.sent') ?? 0,
    openedCount: counted.get('email.opened') ?? 0,
    clickedCount: counted.get('email.clicked') ?? 0,
    repliedCount: counted.get('email.replied') ?? 0,
    autoRepliedCount: counted.get('email.auto_replied') ?? 0,
    bouncedCount: counted.get('email.bounced') ?? 0,
  }
}

/** Plays everything up to `last`, and returns why it ended. */
async function play(ctx: Context, stage: Stage, { operationId, target }: Journey, last: Date, stopping: AbortSignal): Promise<End> {
  const deadlineMs = performance.now() + LONGEST_MS
  for (let steps = 0, looks = 0, nudges = 0; ; steps++) {
    const done = await stage.takeTurn()
    if (stopping.aborted) return 'stopped'
    if (steps >= MAX_STEPS || performance.now() > deadlineMs) return 'limit'
    const now = ctx.clock.now()
    const planned = await nextMoment(ctx.db, now)
    const isUnderWay = planned !== null && planned <= now
    if (isUnderWay && done > 0) continue
    if (isUnderWay && looks++ < PATIENT_LOOKS) {
      await sleep(PATIENCE_MS)
      continue
    }
    if (now >= last) return target ? 'target' : 'limit'
    if (planned === null && target === null) return 'idle'
    const next = isUnderWay ? new Date(now.getTime() + NUDGE_MS * 2 ** Math.min(nudges, 10)) : planned
    await step(ctx, operationId, next === null || next > last ? last : next)
    looks = 0
    nudges = isUnderWay ? nudges + 1 : 0
  }
}

/** The next moment at which something is due; now or earlier while something is in progress. */
async function nextMoment(db: Db, now: Date): Promise<Date | null> {
  const [other, send] = await Promise.all([findNextMoment(db, now), nextSendAt(db, now)])
  const moments = [other, send].flatMap(at => at?.getTime() ?? [])
  return moments.length === 0 ? null : new Date(Math.min(...moments))
}

const overtaken = (): AppError =>
  refused('advancing', 'The clock was reset, a real mailbox was connected, or another operation is advancing the clock.')

async function step(ctx: Context, operationId: string, at: Date): Promise<void> {
  const offsetMs = ctx.testClock.offsetOf(at)
  await ctx.db.inTransaction(async tx => {
    if (!(await moveClock(tx, operationId, offsetMs))) throw overtaken()
    const obstacle = await findObstacle(ctx, tx)
    if (obstacle) throw obstacle
  })
  ctx.testClock.moveTo(offsetMs)
  ctx.wake.wake(['clock'])
}

/** When a worker stops, the next one continues to advance the clock. */
export const clockTasks = (openStage: (ctx: Context) => Stage, stopping: AbortSignal): OperationTasks => ({
  'sandbox.advance_clock': outsideTask(strict({ target: nullable(DateTime) }), ClockAdvance, {
    async run(ctx, { id, workspaceId, input }) {
      const stage = openStage(ctx)
      try {
        const target = input.target === null ? null : new Date(input.target)
        const { stoppedBy, ...happened } = await advanceClock(ctx, stage, { operationId: id, workspaceId, target }, stopping)
        return async () => (stoppedBy === 'stopped' ? new Again(0) : { stoppedBy, ...happened })
      } finally {
        await stage.close()
      }
    },
    leaves: 'The clock may have been advanced in part.',
  }),
})
