import type { Reply } from '../../../packages/sdk/src/types.gen.ts'
import { namedCampaign } from '../campaigns/named.ts'
import type { Call } from '../command.ts'
import { UsageError } from '../failures.ts'
import { printJson, printTable } from '../output.ts'
import { openService } from '../service.ts'
import { readKind } from './kinds.ts'

const USUAL_LIMIT = 100

/** The replies that are not handled and need a person; with a kind, all of that kind that are not handled. */
export async function listReplies({ flags, shell }: Call): Promise<void> {
  const limit = Number(flags.text('limit') ?? USUAL_LIMIT)
  if (!Number.isInteger(limit) || limit < 1)
    throw new UsageError('--limit must be a whole number, 1 or more.', 'overture replies --limit 20')
  const kind = readKind(flags.text('kind'), 'overture replies --help')
  const service = await openService(shell, flags)
  const campaign = flags.text('campaign')
  const filter = {
    ...(campaign === undefined ? {} : { campaignId: (await namedCampaign(service, campaign)).id }),
    ...(kind === undefined ? {} : { kind }),
    ...(flags.isOn('all') ? {} : kind === undefined ? { handled: false, needsLook: true } : { handled: false }),
  }
  const found: Reply[] = []
  let hasMore = false
  for await (const reply of service.replies.list({ ...filter, limit: Math.min(limit + 1, 100) })) {
    hasMore = found.length === limit
    if (hasMore) break
    found.push(reply)
  }
  if (flags.isOn('json')) return printJson(shell, { data: found, hasMore })
  const rows = found.map(reply => ({ ...reply, received: reply.receivedAt.slice(0, 16).replace('T', ' ') }))
  printTable(shell, rows, ['id', 'received', 'kind', 'from', 'subject', 'text'])
  if (hasMore) shell.warn(`There are more replies: --limit ${limit * 2}`)
  if (found.length > 0) shell.warn('Next: overture replies show ID')
  else if (!flags.isOn('all')) shell.warn('Next: overture replies --all   # also handled replies, and those that need no person')
}
