import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * How many files share a process, in the order in which they are begun: what takes longest comes first, so that no core is idle at the end. Files that
 * start services as processes, or measure processor time, have a process for themselves. Those of the console share the browser of the runner.
 */
const KINDS = [
  { under: 'test/console/', together: 7 },
  { under: 'test/faults/', together: 1 },
  { under: 'test/journeys/', together: 6 },
  { under: 'test/contract/', together: 1 },
  { under: 'test/cli/', together: 4 },
  { under: 'packages/sdk/', together: 4 },
  { under: '', together: 16 },
]

/** Neighbors in the alphabet are alike, also in how long they take: they are dealt out to the groups. */
function deal(files: string[], together: number): string[][] {
  const count = Math.ceil(files.length / together)
  return Array.from({ length: count }, (_, group) => files.filter((_, at) => at % count === group))
}

/** For each group a file that runs it. */
export async function writeGroups(all: string[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'groups-'))
  const groups = KINDS.flatMap(({ under, together }) =>
    deal(
      all.filter(file => KINDS.find(kind => file.startsWith(kind.under))?.under === under),
      together,
    ),
  )
  const helper = JSON.stringify(new URL('../test/group.ts', import.meta.url).href)
  return Promise.all(
    groups.map(async (group, at) => {
      const file = join(folder, `${String(at).padStart(3, '0')}.test.mjs`)
      await writeFile(file, `import { runGroup } from ${helper}\nawait runGroup(${JSON.stringify(group)})\n`)
      return file
    }),
  )
}
