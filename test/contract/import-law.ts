import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/**
 * The import law, written once: which room may see which. A room sees itself and the rooms that are named here, and
 * nothing else. `lib` imports nothing of ours; `main.ts` and `app` assemble the rest and may see everything. `#name` is the entry of a package.
 */
const PURE = ['lib', 'scheduling', 'mail/transport', 'mail/compose', 'mail/inbound']
export const ROOMS: Record<string, readonly string[]> = {
  lib: [],
  scheduling: ['lib'],
  'mail/inbound': ['lib', '#reply-reader'],
  'mail/compose': ['lib', 'mail/inbound'],
  'mail/transport': ['lib', 'mail/compose'],
  db: ['lib'],
  queue: ['lib', 'db'],
  directory: ['lib', 'db', 'queue', '#lead-terms'],
  context: ['lib', 'db', 'queue', 'directory'],
  http: ['lib', 'db', 'context'],
  operations: ['lib', 'db', 'queue', 'context', 'http'],
  // It calls a service like any client: through the SDK.
  cli: ['lib'],
  mcp: ['lib', 'http'],
  modules: [...PURE, 'directory', '#lead-terms', '#brief-reader', '#reply-reader', 'db', 'queue', 'context', 'http', 'operations'],
}

/** The libraries in `packages/`, and the entries of other packages that they see. They import nothing of the service. */
const PACKAGES: Record<string, readonly string[]> = {
  'brief-reader': ['lead-terms'],
  'lead-terms': [],
  'reply-reader': [],
  sdk: [],
}

/** The floors of the slices, from the ground up: at most seven. A slice sees slices of lower floors only, so no set of them can be a circle. */
export const FLOORS: readonly (readonly string[])[] = [
  ['credits', 'erasures', 'metrics', 'suppressions', 'tokens', 'workspaces'],
  ['events', 'exports', 'people', 'team'],
  ['campaigns', 'operations', 'webhooks'],
  ['leads', 'mailboxes', 'sequences'],
  ['health', 'lead-searches', 'sending'],
  ['explaining', 'replies', 'tracking'],
  ['lifecycle', 'plans', 'sandbox'],
]

/** Besides other schemas: what they are made with, and the lists of codes that they name. */
const SEEN_BY_SCHEMAS = ['src/lib/type.ts', 'src/lib/roles.ts', 'src/http/schema.ts', 'src/http/access.ts', 'src/scheduling/reasons.ts']

/** The kind of a file of a slice, by its name. Every other file is a rule. */
export type Kind = 'schema' | 'routes' | 'queries' | 'tasks' | 'rules'

export function kindOf(file: string): Kind {
  const name = file.split('/').at(-1)!
  if (/(^|-)schema\.ts$/.test(name)) return 'schema'
  if (/(^|-)routes\.ts$/.test(name)) return 'routes'
  if (/(^|-)queries\.ts$/.test(name)) return 'queries'
  if (/(^|-)(tasks|commands)\.ts$/.test(name)) return 'tasks'
  return 'rules'
}

const NETWORK = /^(undici|imapflow|node:net|node:tls|node:http)/

interface Place {
  room: string
  slice: string | null
}

function placeOf(file: string): Place {
  const [, first, second] = file.split('/')
  if (first === 'modules') return { room: 'modules', slice: second! }
  if (first === 'mail') return { room: `${first}/${second}`, slice: null }
  return { room: first!.endsWith('.ts') ? 'main' : first!, slice: null }
}

const floorOf = (slice: string): number => FLOORS.findIndex(floor => floor.includes(slice))

/** Why this import is against the law; null when it is not. `to` is a path of ours or the name of a package. */
export function judgeImport(from: string, to: string): string | null {
  if (from.startsWith('packages/')) return judgeLibrary(from, to)
  if (to.startsWith('packages/') && !to.startsWith('packages/sdk/')) return 'the service sees the entry of a package: #name'
  const [here, there] = [placeOf(from), to.startsWith('src/') ? placeOf(to) : null]
  if (here.room === 'app' || here.room === 'main') return null
  if (!there) return judgePackage(from, here, to)
  if (there.room === 'app' || there.room === 'main') return 'nothing imports what assembles it'
  if (here.room !== there.room) {
    const allowed = ROOMS[here.room]
    if (!allowed) return `${here.room} is no room that the law knows`
    if (!allowed.includes(there.room)) return `${here.room} does not see ${there.room}`
  }
  return here.slice ? judgeSlice(from, to, here.slice, there) : null
}

function judgeLibrary(from: string, to: string): string | null {
  if (to.startsWith('src/') || to.startsWith('#')) return 'a package imports nothing of the service'
  const [own, other] = [from, to].map(file => file.split('/')[1]!)
  if (!to.startsWith('packages/') || other === own) return null
  if (!PACKAGES[own!]?.includes(other!)) return `${own} does not see ${other}`
  return to === `packages/${other}/src/index.ts` ? null : `only the entry of ${other} is seen by others`
}

function judgePackage(from: string, here: Place, name: string): string | null {
  if (name.startsWith('#') && !ROOMS[here.room]?.includes(name)) return `${here.room} does not see ${name}`
  if (name.startsWith('packages/sdk/') && here.room !== 'cli') return 'only the command line calls a service through its client'
  if (here.slice && kindOf(from) === 'routes' && NETWORK.test(name)) return 'only tasks reach the outside world'
  if (here.slice && kindOf(from) !== 'routes' && name === 'fastify') return 'only routes know HTTP'
  return null
}

function judgeSlice(from: string, to: string, slice: string, there: Place): string | null {
  const kind = kindOf(from)
  if (there.slice && there.slice !== slice) {
    const homeless = [slice, there.slice].find(each => floorOf(each) < 0)
    if (homeless) return `${homeless} stands on no floor: add it to FLOORS in test/contract/import-law.ts`
    if (floorOf(there.slice) >= floorOf(slice))
      return `${slice} does not stand above ${there.slice}: work in a higher slice, move the shared part to a lower one, or let src/app pass it in`
    if (['routes', 'tasks'].includes(kindOf(to))) return `a slice never sees the ${kindOf(to)} of another`
  }
  const target = there.slice ? kindOf(to) : null
  if (kind === 'schema' && target !== 'schema' && !SEEN_BY_SCHEMAS.includes(to)) return 'a schema knows schemas only'
  if (
    kind === 'queries' &&
    target !== 'queries' &&
    target !== 'schema' &&
    !['db', 'lib', 'queue'].includes(there.room) &&
    to !== 'src/operations/queries.ts'
  )
    return 'queries know the database only'
  if (kind !== 'routes' && kind !== 'schema' && there.room === 'http' && !['src/http/schema.ts', 'src/http/access.ts'].includes(to))
    return 'only routes know HTTP'
  if (kind === 'rules' && (target === 'routes' || target === 'tasks')) return `rules do not see ${target}`
  if (kind === 'routes' && target === 'tasks') return 'routes do not see tasks'
  return null
}

/**
 * Rules compose inside a transaction that the edge has opened: routes, tasks and commands. These files are steps of a
 * task, and open their own because something is done between two of them.
 */
export const STEPS: Record<string, string> = {
  'erase.ts': 'an erasure goes through years of rows page by page, and nobody must wait for its locks until the end',
  'sending/claim.ts': 'claiming is a transaction, and mail servers are spoken to after it',
  'sending/answers.ts': 'the same two steps for what a person has written',
  'sending/intend.ts': 'the message is declared as leaving, and delivered after it',
  'sending/reconcile.ts': 'a mailbox is searched between taking the messages and recording what was found',
}

/** Why this file of a slice must not open a transaction; null when it opens none, or may. */
export function judgeTransactions(file: string, source: string): string | null {
  if (!/\.in(?:Transaction|Request)\(/.test(source)) return null
  const kind = kindOf(file)
  if (kind === 'routes' || kind === 'tasks') return null
  const [, slice, name] = /^src\/modules\/([^/]+)\/(.+)$/.exec(file)!
  return name! in STEPS || `${slice}/${name}` in STEPS ? null : 'the edge opens the transaction, rules compose inside it'
}

export interface Import {
  from: string
  to: string
}

const IMPORT = /(?:^|\n)\s*(?:import|export)\s[^'"\n]*?(?:\n[^'"]*?)?from\s*'([^']+)'|import\('([^']+)'\)/g

export function importsOf(file: string, source: string): Import[] {
  return [...source.matchAll(IMPORT)].map(match => {
    const specifier = match[1] ?? match[2]!
    return { from: file, to: specifier.startsWith('.') ? normalize(join(dirname(file), specifier)) : specifier }
  })
}

const isProduction = (file: string): boolean => !file.endsWith('.test.ts') && !file.includes('/testing/')

/** The sources of the code that runs in production, by their path. */
export function allSources(root: string): Map<string, string> {
  const files = globSync(['src/**/*.ts', 'packages/*/src/**/*.ts'], { cwd: root }).filter(isProduction).sort()
  return new Map(files.map(file => [file, readFileSync(join(root, file), 'utf8')]))
}

/** Every import of the code that runs in production. */
export const allImports = (root: string): Import[] =>
  [...allSources(root)].flatMap(([file, source]) => importsOf(file, source)).filter(({ to }) => !to.endsWith('.json'))

const TYPES_ALONE = /^(?:import|export) type [^;]*? from '[^']+'$/gm

/** What a file of the service loads together with itself. */
export const runTimeImportsOf = (file: string, source: string): string[] =>
  importsOf(file, source.replace(TYPES_ALONE, '').replaceAll(/import\('[^']+'\)/g, '')).map(({ to }) =>
    to.replace(/^#(.*)/, 'packages/$1/src/index.ts'),
  )

/** The run-time imports of the console, tests, scripts and benchmarks. */
export const otherImports = (root: string): Import[] =>
  globSync(['{test,scripts,bench}/**/*.ts', '{src,packages}/**/*.test.ts', 'console/src/**/*.{ts,tsx}'], { cwd: root })
    .filter(file => !file.includes('node_modules/'))
    .flatMap(file => importsOf(file, readFileSync(join(root, file), 'utf8').replace(TYPES_ALONE, '')))
    .map(({ from, to }) => ({ from, to: to.replace(/^@\//, 'console/src/') }))

const COMMENT = /\/\*[\s\S]*?\*\/|^[ \t]*\/\/.*$|[ \t]\/\/ .*$/gm
/** The rooms that know no slice: they have no SQL about its tables, and name none of its actions. */
const BELOW_SLICES = /^src\/(?:lib|db|queue|http|operations)\//

/** The tables and actions of slices that a room below them names. */
export function findSliceNames(file: string, source: string, tables: readonly string[], actions: readonly string[]): string[] {
  if (!BELOW_SLICES.test(file)) return []
  const code = source.replace(COMMENT, '')
  const inSql = tables.filter(table =>
    new RegExp(`\\b(?:from|join|into|update|truncate|table)\\s+(?:only\\s+)?"?${table}\\b`, 'i').test(code),
  )
  return [...inSql, ...actions.filter(action => new RegExp(`\\b${action.replace('.', '\\.')}\\b`).test(code))]
}

/** Exports that only pass on what another file exports. Importers name the file that has it. */
export function findAliases(source: string): string[] {
  const imported = new Set(
    [...source.matchAll(/^import (?:type )?\{([^}]*)\}/gm)].flatMap(([, names]) => names!.match(/\w+(?=\s*(?:,|$))/g) ?? []),
  )
  const renamed = [...source.matchAll(/^export const (\w+)(?::[^=\n]+)? = (\w+)$/gm)].filter(([, , from]) => imported.has(from!))
  return [...renamed.map(([line]) => line), ...(source.match(/^export (?:type )?(?:\{|\*).*$/gm) ?? [])]
}
