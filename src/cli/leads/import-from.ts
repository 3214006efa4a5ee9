import { resolve } from 'node:path'
import type { Overture } from '../../../packages/sdk/src/client.ts'
import { CommandFailed, EXIT, wrongUsage } from '../../lib/command-failure.ts'
import { quotedCsv } from '../../lib/csv.ts'
import { namedCampaign } from '../campaigns/named.ts'
import type { Call } from '../command.ts'
import { importInto, openFile, openImporter, readQuery } from './import.ts'
import { type ReadExport, readExport, TOOLS, type Tool } from './other-tools.ts'

const USAGE = 'overture import-from smartlead leads.csv --campaign NAME'
/** As many as the service takes at once. */
const SUPPRESSED_AT_ONCE = 5000

/** `overture import-from smartlead leads.csv --campaign Spring`: imports people who still get messages, and suppresses people who must not. */
export async function importFrom(call: Call): Promise<void> {
  const { positionals, flags, shell } = call
  const [tool, file] = positionals
  if (!TOOLS.includes(tool as Tool)) throw wrongUsage(`Name the tool that made the file: ${TOOLS.join(', ')}.`, USAGE)
  if (file === undefined) throw wrongUsage('Name one file.', USAGE)
  const named = flags.text('campaign')
  const command = `overture import-from ${tool} ${file} --campaign "${named ?? 'NAME'}"`
  if (!named) throw wrongUsage('Name the campaign by its id or its name.', command)

  const path = resolve(shell.cwd, file)
  const found = readExport(tool as Tool, Buffer.from(await (await openFile(path)).arrayBuffer()))
  if (!flags.isOn('json')) tell(call, found)
  if (found.rows.length < 2) {
    const next = 'overture api suppressions.createMany --help   # to suppress the others'
    throw new CommandFailed(EXIT.failed, 'nothing_to_import', 'The file has no lead that can still be contacted.', next)
  }
  const service = await openImporter(shell, flags)
  await importInto(call, service, {
    name: file,
    path,
    campaign: await namedCampaign(service, named),
    file: new Blob([quotedCsv(found.rows)]),
    query: readQuery(flags),
    command,
    first: async () => ({
      newlySuppressedCount: await suppress(service, found.suppressed, tool as Tool),
      answeredCount: found.answeredCount,
      finishedCount: found.finishedCount,
    }),
  })
}

function tell({ shell }: Call, { suppressed, answeredCount, finishedCount }: ReadExport): void {
  const groups = [
    [suppressed.length, 'unsubscribed, bounced or complained: they are suppressed in this workspace'],
    [answeredCount, 'answered: they are not imported'],
    [finishedCount, 'received the whole sequence there: they are not imported'],
  ] as const
  for (const [count, what] of groups) if (count > 0) shell.print(`${count} ${what}`)
}

async function suppress(service: Overture, addresses: readonly string[], tool: Tool): Promise<number> {
  let count = 0
  for (let from = 0; from < addresses.length; from += SUPPRESSED_AT_ONCE) {
    const suppressions = addresses
      .slice(from, from + SUPPRESSED_AT_ONCE)
      .map(value => ({ kind: 'email' as const, value, reason: `imported from ${tool}` }))
    count += (await service.suppressions.createMany({ suppressions })).createdCount
  }
  return count
}
