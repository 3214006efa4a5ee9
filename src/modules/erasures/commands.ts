import type { Context } from '../../context/context.ts'
import { repeatWhileLocked } from '../../db/errors.ts'
import { wrongUsage } from '../../lib/command-failure.ts'
import { isEmail } from '../../lib/email.ts'
import { type ErasureCounts, NOTHING_ERASED } from '../../operations/erasing.ts'
import { erasePeople } from '../people/people.ts'
import { listWorkspaceIds } from '../workspaces/workspaces.ts'
import { erasePerson } from './erase-tasks.ts'

/** `overture people ...` */
export async function runPeopleCommand(ctx: Context, positionals: readonly string[]): Promise<void> {
  const [command, email, ...rest] = positionals
  if (command !== 'erase' || !email || rest.length > 0)
    throw wrongUsage('Name a command of `people`: import, pull or erase.', 'overture help server')
  if (!isEmail(email.trim())) throw wrongUsage('This is not an e-mail address.', 'overture people erase ann@example.com')
  console.log(describeErasure(await eraseEverywhere(ctx, email)))
}

interface EverywhereErased {
  /** People in the lead directory. */
  personCount: number
  workspaceCount: number
  counts: ErasureCounts
}

/** The directory first: from then on no import and no search brings the person back into a workspace. */
async function eraseEverywhere(ctx: Context, email: string): Promise<EverywhereErased> {
  const { erasedCount } = await repeatWhileLocked(() => ctx.db.inTransaction(tx => erasePeople(tx, ctx.secrets, [email], ctx.clock.now())))
  let counts: ErasureCounts = NOTHING_ERASED
  const save = async (_: unknown, found: ErasureCounts): Promise<void> => {
    counts = { ...found }
  }
  const workspaceIds = await listWorkspaceIds(ctx.db)
  const { signal } = new AbortController()
  for (const workspaceId of workspaceIds) {
    await repeatWhileLocked(() => erasePerson(ctx, workspaceId, email, signal, { before: counts, save }))
  }
  return { personCount: erasedCount, workspaceCount: workspaceIds.length, counts }
}

function describeErasure({ personCount, workspaceCount, counts }: EverywhereErased): string {
  const { leadCount, messageCount, replyCount, eventCount, exportCount, operationCount } = counts
  return [
    `Erased from the lead directory (${personCount === 0 ? 'was not in it' : 'was in it'}) and suppressed in ${workspaceCount} workspaces.`,
    `${leadCount} leads, ${messageCount} messages, ${replyCount} replies, ${eventCount} events, ${exportCount} exports, ${operationCount} operations.`,
  ].join('\n')
}
