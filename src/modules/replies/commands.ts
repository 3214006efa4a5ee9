import type { HasDb } from '../../context/context.ts'
import { notThere, wrongUsage } from '../../lib/command-failure.ts'
import { isUuid } from '../../lib/ids.ts'
import { readCorrections } from './queries.ts'

const AT_ONCE = 500

/** `overture replies ...` */
export async function runRepliesCommand(
  { db }: HasDb,
  positionals: readonly string[],
  { workspace }: { workspace?: string | undefined },
  print: (line: string) => void = console.log,
): Promise<void> {
  if (positionals.join(' ') !== 'export-corrections')
    throw wrongUsage('This command takes no arguments.', 'overture replies export-corrections')
  if (workspace !== undefined && !isUuid(workspace))
    throw notThere(`There is no workspace with the id ${workspace}.`, 'overture api workspaces.list')
  for (let after: string | null = null; ; ) {
    const rows = await readCorrections(db, workspace ?? null, after, AT_ONCE)
    for (const { receivedAt, ...reply } of rows) print(JSON.stringify({ ...reply, writtenAt: receivedAt.toISOString() }))
    const last = rows.at(-1)
    if (!last) return
    after = last.id
  }
}
