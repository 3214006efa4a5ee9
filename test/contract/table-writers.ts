import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A place in the sources that writes to a table. */
export interface Write {
  table: string
  /** The slice, or the room when the file belongs to no slice. */
  owner: string
  file: string
  line: number
}

/** Tables that no code writes to, and why they exist. */
export const WRITTEN_BY_NOBODY: Readonly<Record<string, string>> = {}

/** Not judged, by file: the search engine has tables of its own, and a restored backup brings all tables as their owners left them. */
const ELSEWHERE = ['src/directory/clickhouse.ts', 'src/app/backup/restore.ts']

const NAME = String.raw`(?:"?public"?\.)?("?[a-z_][a-z0-9_]*"?|\$\{)`
const WRITES: readonly RegExp[] = [
  new RegExp(String.raw`\binsert\s+into\s+${NAME}`, 'gi'),
  new RegExp(String.raw`\bupdate\s+(?:only\s+)?${NAME}[^\s]*(?:\s+(?:as\s+)?(?!set\b)[a-z_][a-z0-9_]*)?\s+set\b`, 'gi'),
  new RegExp(String.raw`\bdelete\s+from\s+(?:only\s+)?${NAME}`, 'gi'),
  new RegExp(String.raw`\bmerge\s+into\s+(?:only\s+)?${NAME}`, 'gi'),
  // Nothing but the columns may be between the table and `from`: a copy to the outside reads.
  new RegExp(String.raw`\bcopy\s+${NAME}[^\s(]*\s*(?:\((?:[^()]|\$\{[^}]*\})*\))?\s*from\s+(?:stdin|program|')`, 'gi'),
  new RegExp(String.raw`\btruncate\s+(?:table\s+)?(?:only\s+)?${NAME}`, 'gi'),
]

const TRUNCATED_TOGETHER = /\btruncate\s+(?:table\s+)?((?:[a-z_][a-z0-9_]*\s*,\s*)+[a-z_][a-z0-9_]*)/gi
const COMMENT = /\/\*[\s\S]*?\*\/|^[ \t]*\/\/.*$|[ \t]\/\/ .*$/gm

export function ownerOf(file: string): string {
  const [, room, slice] = file.split('/')
  return room === 'modules' ? slice! : `src/${room}`
}

/** Every write in a source. A table with a computed name counts as `?`, because its owner is unknown. */
export function writesOf(file: string, source: string): Write[] {
  const code = source.replace(COMMENT, comment => comment.replace(/[^\n]/g, ' '))
  const found: Write[] = []
  const note = (name: string, at: number): void => {
    const table = name.startsWith('$') ? '?' : name.replaceAll('"', '').toLowerCase()
    found.push({ table, owner: ownerOf(file), file, line: code.slice(0, at).split('\n').length })
  }
  for (const pattern of WRITES) for (const match of code.matchAll(pattern)) note(match[1]!, match.index)
  for (const match of code.matchAll(TRUNCATED_TOGETHER)) for (const name of match[1]!.split(',').slice(1)) note(name.trim(), match.index)
  return found
}

const TABLE_CHANGES =
  /\b(?:create\s+table\s+(?:if\s+not\s+exists\s+)?(\w+)|drop\s+table\s+(?:if\s+exists\s+)?(\w+)|alter\s+table\s+(\w+)\s+rename\s+to\s+(\w+))/gi

/** The tables after all migrations. */
export function tablesOf(migrations: readonly string[]): string[] {
  const tables = new Set<string>()
  for (const text of migrations) {
    const code = text.replace(/--.*$/gm, '')
    for (const [, create, drop, from, to] of code.matchAll(TABLE_CHANGES)) {
      if (create) tables.add(create)
      if (drop) tables.delete(drop)
      if (from && tables.delete(from)) tables.add(to!)
    }
  }
  return [...tables].sort()
}

/** The violations: a second writer, a table without one, a write to a computed or missing table. */
export function judgeWriters(tables: readonly string[], writes: readonly Write[]): string[] {
  const broken: string[] = []
  const place = ({ file, line }: Write): string => `${file}:${line}`
  for (const write of writes) {
    if (write.table === '?') broken.push(`${place(write)} writes to a table whose name is not in the statement`)
    else if (!tables.includes(write.table)) broken.push(`${place(write)} writes to ${write.table}, which no migration makes`)
  }
  for (const table of tables) {
    const byOwner = Map.groupBy(
      writes.filter(write => write.table === table),
      write => write.owner,
    )
    const reason = WRITTEN_BY_NOBODY[table]
    if (byOwner.size === 0 && reason === undefined) broken.push(`nobody writes to ${table}`)
    if (byOwner.size > 0 && reason !== undefined) broken.push(`${table} is said to be written by nobody`)
    if (byOwner.size < 2) continue
    const places = [...byOwner].map(([owner, found]) => `${owner} (${found.map(place).join(', ')})`)
    broken.push(`${table} is written by ${places.join(' and ')}`)
  }
  return broken
}

/** `table -> owner`, line by line. */
export function mapOf(tables: readonly string[], writes: readonly Write[]): string {
  const ownersOf = (table: string): string[] => [...new Set(writes.filter(write => write.table === table).map(({ owner }) => owner))]
  return tables.map(table => `${table} -> ${ownersOf(table).join(', ') || 'nobody'}`).join('\n')
}

const isProduction = (file: string): boolean => !/\.test\.ts$|\/testing\//.test(file)

/** The writes in the sources. The sources create temporary tables and the table of migrations themselves. */
export function readWriters(root: string): { tables: string[]; writes: Write[] } {
  const read = (file: string): string => readFileSync(join(root, file), 'utf8')
  const files = globSync('src/**/*.ts', { cwd: root }).filter(file => isProduction(file) && !ELSEWHERE.includes(file))
  const made = files.flatMap(file => [...read(file).matchAll(/create (?:temp )?table if not exists ([a-z_]+)/g)].map(match => match[1]!))
  const tables = tablesOf(globSync('migrations/*.sql', { cwd: root }).sort().map(read))
  return { tables: [...new Set([...tables, ...made])].sort(), writes: files.flatMap(file => writesOf(file, read(file))) }
}
