import type { Context } from '../../context/context.ts'
import type { Db } from '../../db/sql.ts'
import { type AppError, invalid, wrongState } from '../../lib/errors.ts'
import { DAY_MS, HOUR_MS } from '../../lib/time.ts'
import type { Static } from '../../lib/type.ts'
import { findClockOwner, findMove, hasRealMailbox } from './queries.ts'
import type { AdvanceBody } from './schema.ts'

export const PATH = '/v1/sandbox/clock'
export const MAX_ADVANCE_MS = 366 * DAY_MS
export const refused = (currentStatus: string, message: string): AppError => wrongState(message, currentStatus, 'can_be_advanced')

/** Why the clock cannot be moved; null when it can. */
export async function findObstacle(ctx: Pick<Context, 'config'>, db: Db): Promise<AppError | null> {
  if (ctx.config.databaseUrl)
    return refused('not_local', 'Only a local installation has a test clock: one that was started without DATABASE_URL.')
  if (await hasRealMailbox(db)) {
    return refused(
      'real_mailbox',
      'This installation has a real mailbox, and real recipients need real time. Remove the mailbox, or use a new folder: OVERTURE_DIR=.overture-test npm start',
    )
  }
  return null
}

/** One workspace moves the clock, so that the campaigns of others do not jump ahead. */
async function findForeignOwner(db: Db, workspaceId: string | null): Promise<AppError | null> {
  const owner = await findClockOwner(db)
  if (owner === null || owner === workspaceId) return null
  return refused(
    'other_workspace',
    'Another workspace is using the test clock, and the campaigns here have the same time. You can use it after that workspace has reset it.',
  )
}

/** The clock can be set back to real time by the workspace that moved it. */
export async function requireResettable(ctx: Context, workspaceId: string): Promise<void> {
  if (ctx.config.databaseUrl) throw (await findObstacle(ctx, ctx.db))!
  const foreign = await findForeignOwner(ctx.db, workspaceId)
  if (foreign) throw foreign
  if (await findMove(ctx.db)) throw refused('advancing', 'The clock is being advanced. Reset it when that has ended.')
}

export async function requireAdvanceable(ctx: Context, workspaceId: string): Promise<void> {
  const obstacle = (await findObstacle(ctx, ctx.db)) ?? (await findForeignOwner(ctx.db, workspaceId))
  if (obstacle) throw obstacle
  if (await findMove(ctx.db)) throw refused('advancing', 'The clock is already being advanced. Try again when that has ended.')
}

/** When to stop; null: when nothing is planned any more. */
export function readTarget(body: Static<typeof AdvanceBody>, now: Date): Date | null {
  if (body.until !== undefined) return null
  const byMs = (body.advance?.days ?? 0) * DAY_MS + (body.advance?.hours ?? 0) * HOUR_MS
  const target = body.to === undefined ? new Date(now.getTime() + byMs) : new Date(body.to)
  const path = body.to === undefined ? '/advance' : '/to'
  if (target <= now)
    throw invalid('body', path, 'future', `must be a time after ${now.toISOString()}. DELETE ${PATH} sets the clock back to real time`)
  if (target.getTime() - now.getTime() > MAX_ADVANCE_MS) throw invalid('body', path, 'range', 'must be at most 366 days ahead')
  return target
}

export async function describeClock(ctx: Context, workspaceId: string | null) {
  const [here, foreign, move] = await Promise.all([findObstacle(ctx, ctx.db), findForeignOwner(ctx.db, workspaceId), findMove(ctx.db)])
  const obstacle = here ?? foreign
  const advancing = move && {
    operationId: move.workspaceId === workspaceId ? move.operationId : null,
    from: move.startedAt.toISOString(),
    to: move.targetAt?.toISOString() ?? null,
  }
  return {
    now: ctx.clock.now().toISOString(),
    offsetMs: ctx.testClock.offsetMs,
    canAdvance: !obstacle && !move,
    reason: obstacle?.message ?? null,
    advancing: advancing ?? null,
  }
}
