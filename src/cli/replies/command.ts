import { isUuid } from '../../lib/ids.ts'
import type { Call, Run } from '../command.ts'
import { UsageError } from '../failures.ts'
import { nearest } from '../nearest.ts'
import { answerReply, correctReply, handleReplies } from './change.ts'
import { listReplies } from './list.ts'
import { showReply } from './show.ts'

const VERBS: Record<string, Run> = { show: showReply, answer: answerReply, handle: handleReplies, correct: correctReply }

/** `overture replies` and its verbs. */
export async function replies(call: Call): Promise<void> {
  const [verb, ...ids] = call.positionals
  if (verb === undefined) return listReplies(call)
  const run = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined
  if (!run) {
    const meant = nearest(verb, Object.keys(VERBS))
    throw new UsageError(`There is no subcommand "${verb}".${meant ? ` Did you mean ${meant}?` : ''}`, 'overture replies --help')
  }
  if (ids.length === 0) throw new UsageError('Name the reply by its id.', 'overture replies')
  const wrong = ids.find(id => !isUuid(id))
  if (wrong !== undefined) throw new UsageError(`"${wrong}" is not the id of a reply.`, 'overture replies')
  if (ids.length > 1 && verb !== 'handle') throw new UsageError('This command takes one reply.', `overture replies ${verb} ${ids[0]}`)
  return run({ ...call, positionals: ids })
}
