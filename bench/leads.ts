import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { FilterDocument } from '#lead-terms'
import { buildContext, closeContext } from '../src/app/build-context.ts'
import { demoTitles, seedDirectory } from '../src/app/demo/directory.ts'
import { loadConfig } from '../src/context/config.ts'
import type { Context } from '../src/context/context.ts'
import type { Sql, Tx } from '../src/db/sql.ts'
import { LeadEngine } from '../src/directory/lead-engine.ts'
import { grantCredits } from '../src/modules/credits/credits.ts'
import { issueToken } from '../src/modules/tokens/tokens.ts'
import { ensureUser } from '../src/modules/workspaces/workspaces.ts'
import { describeMachine, type Line, ms, percentile, printTable, rate, SECRET_KEY, Stage } from './lib.ts'

// The cost of a search over the lead directory, compared with the same query to PostgreSQL and DuckDB; and the cost of an
// export and an import as a whole, through the API and the command.

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    'import-rows': { type: 'string', default: '500000' },
    rounds: { type: 'string', default: '5' },
    'without-duckdb': { type: 'boolean', default: false },
  },
})
const ROWS = Number(options.rows)
const ROUNDS = Number(options.rounds)
const NOW = new Date('2026-11-01T00:00:00Z')
const CLOCK_TICK_MS = 10
/** Each round buys other people, so that all of them are new to the workspace and charged. The first one warms up. */
const BOUGHT = ['entry', 'manager', 'senior', 'director'] as const

interface Question {
  name: string
  filter: FilterDocument
  /** The same for a table of plain columns, in words that both rivals understand. */
  sql: string
}

const ADDITIONS =
  'EMEA APAC DACH LATAM Nordics Benelux UK Iberia Americas Global International Europe North South East West Retail Wholesale Enterprise ' +
  'SMB Healthcare Automotive Aerospace Energy Finance Insurance Public Education Hospitality Telecom Media Gaming Mobility Fashion ' +
  'Food Chemicals Plastics Steel Paper Packaging Cloud Platform Mobile Web Data Security Payments Growth Brand Digital Strategy ' +
  'Transformation Innovation Compliance Quality Projects Programs Partnerships Channels Renewals Onboarding'
/** Tens of thousands of titles instead of hundreds, as in directories that people fill in themselves. */
const manyTitles = () =>
  demoTitles().flatMap(base => {
    const additions = ADDITIONS.split(' ')
    const added = additions.map(word => ({ ...base, title: `${base.title} ${word}`, weight: (base.weight * 0.3) / additions.length }))
    return [{ ...base, weight: base.weight * 0.7 }, ...added]
  })

const list = (values: readonly string[]): string => values.map(value => `'${value}'`).join(', ')
const word = (text: string): string => `title like '% ${text} %'`

const QUESTIONS: Question[] = [
  { name: 'everybody', filter: {}, sql: 'true' },
  { name: 'one country', filter: { locations: { include: [{ country: 'DE' }] } }, sql: "country = 'DE'" },
  { name: 'US (30% of all)', filter: { locations: { include: [{ country: 'US' }] } }, sql: "country = 'US'" },
  {
    name: 'managers and up in the US and UK',
    filter: {
      seniorities: { include: ['manager', 'director', 'head', 'vp', 'c_suite'] },
      locations: { include: [{ country: 'US' }, { country: 'GB' }] },
    },
    sql: `seniority in (${list(['manager', 'director', 'head', 'vp', 'c_suite'])}) and country in ('US', 'GB')`,
  },
  {
    name: 'marketing managers',
    filter: { jobTitles: { include: ['marketing manager'] }, jobTitleMatch: 'words' },
    sql: `${word('marketing')} and ${word('manager')}`,
  },
  {
    name: 'CEOs and founders of software companies in DACH',
    filter: {
      jobTitles: { include: ['ceo', 'founder'] },
      jobTitleMatch: 'words',
      industries: { include: ['software', 'saas'] },
      locations: { include: [{ area: 'dach' }] },
    },
    sql: `(${word('ceo')} or ${word('founder')}) and industry in ('software', 'saas') and country in ('DE', 'AT', 'CH')`,
  },
  {
    name: 'finance people in banks, 51 to 5000 employees',
    filter: { departments: { include: ['finance'] }, industries: { include: ['banking'] }, employees: [{ min: 51, max: 5000 }] },
    sql: "department = 'finance' and industry = 'banking' and size in ('51-200', '201-500', '501-1000', '1001-5000')",
  },
  {
    name: 'verified VPs, not of sales',
    filter: { seniorities: { include: ['vp'] }, departments: { exclude: ['sales'] }, emailStatus: ['verified'] },
    sql: "seniority = 'vp' and (department is null or department <> 'sales') and status = 'verified'",
  },
  { name: 'Munich', filter: { locations: { include: [{ country: 'DE', city: 'Munich' }] } }, sql: "country = 'DE' and city = 'Munich'" },
  { name: 'California', filter: { locations: { include: [{ country: 'US', region: 'US-CA' }] } }, sql: "region = 'US-CA'" },
  {
    name: 'engineers at companies of 100 to 900',
    filter: { jobTitles: { include: ['engineer'] }, jobTitleMatch: 'words', employees: [{ min: 100, max: 900 }] },
    sql: `${word('engineer')} and headcount between 100 and 900`,
  },
  {
    name: 'users of Salesforce',
    filter: { technologies: { include: ['salesforce'] } },
    sql: "technologies like '% salesforce %'",
  },
  {
    name: 'companies that speak of logistics, in Europe',
    filter: { keywords: { include: ['logistics'] }, locations: { include: [{ country: 'DE' }, { country: 'FR' }, { country: 'GB' }] } },
    sql: "words like '% logistics %' and country in ('DE', 'FR', 'GB')",
  },
  {
    name: 'young companies',
    filter: { founded: [{ min: 2020 }], seniorities: { include: ['founder', 'c_suite'] } },
    sql: "founded >= 2020 and seniority in ('founder', 'c_suite')",
  },
]

const NARROW = `
  create table narrow as
  select p.id, p.email_status as status, p.seniority, p.department, w.country, w.region, w.city, c.industry, c.size,
    coalesce(c.employees::float8, case c.size when '1-10' then 5.5 when '11-50' then 30.5 when '51-200' then 125.5 when '201-500' then 350.5
      when '501-1000' then 750.5 when '1001-5000' then 3000.5 when '5001-10000' then 7500.5 else 20000 end) as headcount, c.founded,
    ' ' || t.folded || ' ' as title, ' ' || array_to_string(c.technologies, ' ') || ' ' as technologies,
    ' ' || regexp_replace(lower(c.name || ' ' || array_to_string(c.tags, ' ') || ' ' || c.description), '[^a-z0-9]+', ' ', 'g') || ' ' as words
  from people p
    join (select id, trim(regexp_replace(lower(title), '[^a-zäöüéèçñáíóú0-9]+', ' ', 'g')) as folded from titles) t on t.id = p.title_id
    left join companies c on c.id = p.company_id left join places w on w.id = coalesce(p.place_id, c.place_id)`

const EXPORTED = `p.email, p.first_name, p.last_name, p.full_name, t.title, c.name, c.domain, c.industry, c.size, w.city, w.region, w.country, p.linkedin_url, p.phone`
const JOINS =
  'left join titles t on t.id = p.title_id left join companies c on c.id = p.company_id left join places w on w.id = coalesce(p.place_id, c.place_id)'

const DUCKDB = '@duckdb/node-api@1.5.4-r.1'

await Stage.run(async stage => {
  console.log(`${describeMachine()}; ${ROWS.toLocaleString('en')} people`)
  const lines: Line[] = []
  const postgres = await stage.startPostgres()
  const url = await stage.newDatabase(postgres, 'leads')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  stage.atEnd(() => client.end())

  const seedMs = await timed(() => inOwnTransaction(client, tx => seedDirectory(tx, { people: ROWS, now: NOW, titles: manyTitles() })))
  lines.push({ what: 'demo directory: invented and copied', figure: `${rate(ROWS / (seedMs / 1000))}` })
  await client.query('vacuum analyze')

  const dir = await stage.newFolder()
  const ctx = buildContext({
    config: loadConfig({}, { dir, logLevel: 'warn', poolSize: 4 }),
    databaseUrl: url,
    secretKey: Buffer.from(SECRET_KEY, 'base64'),
  })
  stage.atEnd(() => closeContext(ctx))

  // ---- cold start and memory ----
  const before = process.memoryUsage().rss
  const engine = new LeadEngine(ctx)
  const coldMs = await timed(() => untilReady(engine))
  await engine.count({})
  lines.push({ what: 'cold start from PostgreSQL', figure: ms(coldMs) })
  const memory = (process.memoryUsage().rss - before) / 2 ** 20
  lines.push({
    what: 'memory of the index, threads included',
    figure: `${Math.round(memory)} MB`,
    limit: `${((memory * 2 ** 20) / ROWS).toFixed(0)} bytes a person`,
  })
  stage.atEnd(() => engine.stop())

  // ---- previews ----
  await client.query(NARROW)
  await client.query('vacuum analyze narrow')
  await client.query(
    'set max_parallel_workers_per_gather = 2; set min_parallel_table_scan_size = 0; set parallel_setup_cost = 0; set jit = off',
  )
  const duck = options['without-duckdb'] ? null : await openDuck(client, dir)
  if (duck) stage.atEnd(() => duck.close())
  await comparePreviews(engine, client, duck, lines)

  // ---- exports, changes and imports ----
  await measureIds(engine, lines)
  await compareExports(stage, ctx, url, client, lines)
  await measureChanges(ctx, engine, client, lines)
  await measureImport(url, postgres.pid!, client, dir, lines)
  printTable(lines)
})

async function comparePreviews(engine: LeadEngine, client: pg.Client, duck: Duck | null, lines: Line[]): Promise<void> {
  const counts = (sql: string): string =>
    `select count(*) as matches, count(*) filter (where status = 'verified') as verified from narrow where ${sql}`
  const times = { ours: [] as number[], facets: [] as number[], postgres: [] as number[], duck: [] as number[] }
  const own = new Map<string, number[]>()
  for (let round = 0; round <= ROUNDS; round++) {
    for (const { name, filter, sql } of QUESTIONS) {
      let matchCount = 0
      const measured = {
        ours: await timed(async () => {
          matchCount = (await engine.count(filter)).matchCount
        }),
        facets: await timed(() => engine.preview(filter)),
        postgres: await timed(async () => {
          const { rows } = await client.query(counts(sql))
          if (round === 0 && Number(rows[0].matches) !== matchCount)
            throw new Error(`${name}: ${matchCount} here, ${rows[0].matches} in PostgreSQL`)
        }),
        duck: duck ? await timed(() => duck.query(counts(sql))) : 0,
      }
      if (round === 0) {
        console.log(`${name}: ${matchCount.toLocaleString('en')}, first time ${ms(measured.ours)}`)
        continue
      }
      times.ours.push(measured.ours)
      times.facets.push(measured.facets)
      times.postgres.push(measured.postgres)
      times.duck.push(measured.duck)
      own.set(name, [...(own.get(name) ?? []), measured.ours])
    }
  }
  const both = (values: number[]): string => `${ms(percentile(values, 50))} / ${ms(percentile(values, 95))}`
  if (duck) {
    const ratio = percentile(times.ours, 50) / percentile(times.duck, 50)
    lines.push({
      what: 'preview p50 / p95',
      figure: both(times.ours),
      limit: `DuckDB ${both(times.duck)}`,
      ratio: `p50 ${ratio.toFixed(2)}`,
      goal: '0.25',
    })
  }
  const ratio = percentile(times.ours, 95) / percentile(times.postgres, 95)
  lines.push({
    what: 'preview p50 / p95',
    figure: both(times.ours),
    limit: `PostgreSQL ${both(times.postgres)}`,
    ratio: `p95 ${ratio.toFixed(3)}`,
    goal: '0.067',
  })
  lines.push({ what: 'preview with facets p50 / p95', figure: both(times.facets) })
  const narrow = percentile(own.get('CEOs and founders of software companies in DACH')!, 50)
  const broad = percentile(own.get('US (30% of all)')!, 50)
  lines.push({
    what: 'broad filter beside a narrow one',
    figure: ms(broad),
    limit: ms(narrow),
    ratio: (broad / narrow).toFixed(1),
    goal: '3',
  })
}

async function measureIds(engine: LeadEngine, lines: Line[]): Promise<void> {
  const limit = Math.min(50_000, Math.floor(ROWS / 10))
  const rates: number[] = []
  for (let round = 0; round <= 3; round++) {
    const took = await timed(() => engine.exportIds({ seniorities: { include: ['manager'] } }, limit, { addresses: 'verified' }))
    if (round > 0) rates.push(limit / (took / 1000))
  }
  lines.push({ what: `export ids, the first ${limit}`, figure: rate(percentile(rates, 50)) })
}

/** The paid export as a client sees it: from the request to the last byte of the file. */
async function compareExports(stage: Stage, ctx: Context, url: string, client: pg.Client, lines: Line[]): Promise<void> {
  const { workspaceId, token } = await ctx.db.inTransaction(async tx => {
    const { userId, workspace } = await ensureUser(tx, { name: 'Bench', email: 'bench@overture.example', workspaceName: 'Bench' }, NOW)
    const { token } = await issueToken(
      tx,
      { kind: 'personal', userId, workspaceId: null, name: 'bench', scopes: ['*'], expiresAt: null },
      NOW,
    )
    await grantCredits(tx, workspace.id, 1_000_000, NOW)
    return { workspaceId: workspace.id, token }
  })
  const { origin } = await stage.startApi(url)
  const worker = await stage.startWorker(url)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const leadCount = Math.min(50_000, Math.floor(ROWS / 10))
  const ours: number[] = []
  const bare: number[] = []
  const streamed: number[] = []
  const firstBytes: number[] = []
  const bareFirst: number[] = []
  let most = 0
  for (const [round, seniority] of BOUGHT.entries()) {
    const started = performance.now()
    const accepted = await fetch(`${origin}/v1/workspaces/${workspaceId}/leads/search`, {
      method: 'POST',
      headers: { ...headers, 'idempotency-key': randomUUID() },
      body: JSON.stringify({ filters: { seniorities: { include: [seniority] } }, leadCount }),
    })
    const { exportId, exportedCount, downloadUrl } = await untilSucceeded(((await accepted.json()) as Operation).links.self, headers)
    const asked = performance.now()
    const file = await fetch(new URL(new URL(downloadUrl).pathname + new URL(downloadUrl).search, origin))
    let first = 0
    for await (const _chunk of file.body!) first ||= performance.now() - asked
    const total = performance.now() - started
    const download = performance.now() - asked
    const again = performance.now()
    // The very people who were bought: they lie all over the table, and a neighborhood would be far cheaper to read.
    const bought = `select person_id from export_rows where export_id = '${exportId}'`
    const plainFirst = await drain(client, `select ${EXPORTED} from people p ${JOINS} where p.id in (${bought})`)
    const plain = performance.now() - again
    if (round === 0) continue
    most = Math.max(most, exportedCount)
    ours.push(exportedCount / (total / 1000))
    streamed.push(exportedCount / (download / 1000))
    bare.push(exportedCount / (plain / 1000))
    firstBytes.push(first)
    bareFirst.push(plainFirst)
  }
  await worker.stop()
  const beside = (figures: number[]) => ({
    figure: rate(percentile(figures, 50)),
    limit: `bare COPY of the same people ${rate(percentile(bare, 50))}`,
    ratio: (percentile(figures, 50) / percentile(bare, 50)).toFixed(2),
    goal: '0.25',
  })
  lines.push({ what: `file of an export, downloaded, up to ${most.toLocaleString('en')} leads`, ...beside(streamed) })
  lines.push({
    what: 'first byte of the file, after it was asked for',
    figure: ms(percentile(firstBytes, 50)),
    limit: `bare COPY ${ms(percentile(bareFirst, 50))}`,
  })
  lines.push({ what: 'paid export, from the request to the last byte of its file', ...beside(ours) })
}

interface Operation {
  status: string
  result: { exportId: string; exportedCount: number; downloadUrl: string }
  links: { self: string }
}

async function untilSucceeded(self: string, headers: Record<string, string>): Promise<Operation['result']> {
  for (;;) {
    const operation = (await (await fetch(self, { headers })).json()) as Operation
    if (operation.status === 'failed') throw new Error(`the export failed: ${JSON.stringify(operation)}`)
    if (operation.status === 'succeeded') return operation.result
    await sleep(20)
  }
}

/** Milliseconds until the first byte. */
async function drain(client: pg.Client, query: string): Promise<number> {
  const started = performance.now()
  let first = 0
  for await (const _chunk of client.query(copyTo(`copy (${query}) to stdout (format csv)`))) first ||= performance.now() - started
  return first
}

async function measureChanges(ctx: Context, engine: LeadEngine, client: pg.Client, lines: Line[]): Promise<void> {
  const count = Math.min(50_000, ROWS)
  await client.query('begin')
  await client.query('select pg_advisory_xact_lock(7265002)')
  const { rows } = await client.query(
    `insert into directory_versions (version, source, updated_count) select max(version) + 1, 'bench', ${count} from directory_versions returning version`,
  )
  await client.query(
    `update people set seniority = 'partner', version = $1 where id in (select id from people where id % ${Math.max(1, Math.floor(ROWS / count))} = 0 order by id limit ${count})`,
    [rows[0].version],
  )
  await client.query('commit')
  ctx.wake.wake(['directory'])
  const visibleMs = await timed(() => engine.caughtUp())
  lines.push({ what: `${count.toLocaleString('en')} changes visible after their commit`, figure: ms(visibleMs), goal: '5,000 ms' })
}

/** The command, with a file of people who are new, half of them at companies that are. */
async function measureImport(url: string, postgresPid: number, client: pg.Client, dir: string, lines: Line[]): Promise<void> {
  // One in twenty of the invented people has no address.
  const count = Math.min(Number(options['import-rows']), Math.floor(ROWS * 0.9))
  const chunks: Buffer[] = []
  const query = `
    select replace('n.' || p.email, '@', case when p.id % 2 = 0 then '@new-' else '@' end) as email, p.first_name as "First Name", p.last_name as "Last Name",
      t.title as "Job Title", case when p.id % 2 = 0 then 'New ' else '' end || c.name as "Company",
      case when p.id % 2 = 0 then 'new-' else '' end || c.domain as "Website", c.industry as "Industry", c.size as "Employees",
      w.city as "City", w.country as "Country", p.linkedin_url as "LinkedIn", p.email_status as "Email Status",
      array_to_string(c.tags, ', ') as "Keywords", c.description as "Company Description"
    from people p left join titles t on t.id = p.title_id left join companies c on c.id = p.company_id left join places w on w.id = c.place_id
    where p.email is not null order by p.id limit ${count}`
  for await (const chunk of client.query(copyTo(`copy (${query}) to stdout (format csv, header)`))) chunks.push(chunk as Buffer)
  const file = join(dir, 'import.csv')
  writeFileSync(file, Buffer.concat(chunks))
  // The command is started as its users start it, with a cache of compiled code. A file that does not exist puts the code into it.
  const cwd = join(import.meta.dirname, '..')
  const env = { ...process.env, DATABASE_URL: url, OVERTURE_DIR: dir, OVERTURE_SECRET_KEY: SECRET_KEY }
  spawnSync(process.execPath, ['scripts/run.mjs', 'people', 'import', join(dir, 'missing.csv')], { cwd, env })
  const cpuBefore = familyCpuMs(postgresPid)
  const started = performance.now()
  const command = spawn(process.execPath, ['scripts/run.mjs', 'people', 'import', file], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  command.stdout.on('data', chunk => {
    said += chunk
  })
  const own = { cpuMs: 0, peakMb: 0 }
  const watch = setInterval(() => {
    own.cpuMs = Math.max(own.cpuMs, cpuMsOf(command.pid!))
    own.peakMb = Math.max(own.peakMb, Number(/VmHWM:\s+(\d+)/.exec(readProc(command.pid!, 'status'))?.[1] ?? 0) / 1024)
  }, 50)
  await once(command, 'close')
  clearInterval(watch)
  const tookMs = performance.now() - started
  const inserted = Number(/([\d,]+) new people/.exec(said)?.[1]?.replaceAll(',', '') ?? 0)
  if (inserted !== count) throw new Error(`${inserted} of ${count} rows were new. The command said:\n${said}`)
  lines.push({
    what: `import of ${count.toLocaleString('en')} new rows of CSV, the whole command`,
    figure: rate(count / (tookMs / 1000)),
    goal: '25,000/s',
  })
  if (own.cpuMs === 0) return
  const perRow = (cpuMs: number): string => `${((cpuMs * 1000) / count).toFixed(1)} µs`
  lines.push({
    what: 'processor time per row: the command',
    figure: perRow(own.cpuMs),
    limit: `PostgreSQL ${perRow(familyCpuMs(postgresPid) - cpuBefore)}`,
  })
  lines.push({ what: 'memory of the import, at most', figure: `${Math.round(own.peakMb)} MB`, goal: '1,000 MB' })
}

/** Nothing on systems without /proc, and nothing of a process that is gone. */
function readProc(pid: number | string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

/** The name of the program is in brackets and may contain anything; the fields that count come after it. */
function statOf(pid: number | string): number[] {
  const stat = readProc(pid, 'stat')
  return stat === ''
    ? []
    : stat
        .slice(stat.lastIndexOf(')') + 4)
        .split(' ')
        .map(Number)
}

function cpuMsOf(pid: number | string): number {
  const fields = statOf(pid)
  return ((fields[10] ?? 0) + (fields[11] ?? 0)) * CLOCK_TICK_MS
}

/** Of a process and its children, those that have ended included. */
function familyCpuMs(pid: number): number {
  const fields = statOf(pid)
  const ended = ((fields[12] ?? 0) + (fields[13] ?? 0)) * CLOCK_TICK_MS
  const children = existsSync('/proc/self') ? readdirSync('/proc').filter(name => /^\d+$/.test(name) && statOf(name)[0] === pid) : []
  return children.reduce((sum, child) => sum + cpuMsOf(child), cpuMsOf(pid) + ended)
}

// ---- helpers ----

/** A question gives up after a while; a bench waits as long as it takes. */
async function untilReady(engine: LeadEngine): Promise<void> {
  for (;;) {
    try {
      await engine.caughtUp()
      return
    } catch (error) {
      if ((error as { code?: string }).code !== 'service_unavailable') throw error
    }
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** Without the time limits of the pool: millions of rows in one COPY are what is wanted here. */
async function inOwnTransaction(client: pg.Client, work: (tx: Tx) => Promise<unknown>): Promise<void> {
  const ask = async (statement: Sql, values: readonly unknown[] = []) => client.query(statement.text, values as unknown[])
  const tx = {
    client,
    run: async (statement: Sql, values?: readonly unknown[]) => (await ask(statement, values)).rowCount ?? 0,
    first: async (statement: Sql, values?: readonly unknown[]) => (await ask(statement, values)).rows[0],
    many: async (statement: Sql, values?: readonly unknown[]) => (await ask(statement, values)).rows,
    wake: () => {},
  }
  await client.query('begin')
  await work(tx as unknown as Tx)
  await client.query('commit')
}

interface Duck {
  query(sql: string): Promise<unknown>
  close(): void
}

/** DuckDB over the same table, in its own format, with as many threads as there are cores. */
async function openDuck(client: pg.Client, dir: string): Promise<Duck | null> {
  const module = (await importRival(DUCKDB)) as {
    DuckDBInstance: { create(path: string): Promise<{ connect(): Promise<DuckConnection>; closeSync(): void }> }
  } | null
  if (!module) return null
  const file = join(dir, 'narrow.csv')
  const { createWriteStream } = await import('node:fs')
  const { pipeline } = await import('node:stream/promises')
  await pipeline(client.query(copyTo('copy narrow to stdout (format csv, header)')), createWriteStream(file))
  const instance = await module.DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  await connection.run(`create table narrow as select * from read_csv('${file}', all_varchar = false, header = true)`)
  return { query: sql => connection.runAndReadAll(sql), close: () => instance.closeSync() }
}

interface DuckConnection {
  run(sql: string): Promise<unknown>
  runAndReadAll(sql: string): Promise<unknown>
}

/** A rival is not among the dependencies: it is fetched into a folder of its own, where it disturbs nothing. */
async function importRival(specifier: string): Promise<unknown> {
  const folder = join(import.meta.dirname, '../node_modules/.cache/overture-bench')
  const name = specifier.slice(0, specifier.lastIndexOf('@'))
  if (!existsSync(join(folder, 'node_modules', name))) {
    console.log(`Fetching ${specifier} for comparison (once) ...`)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{"private": true}')
    const { status } = spawnSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error', specifier], {
      cwd: folder,
      stdio: 'inherit',
    })
    if (status !== 0) {
      console.log(`${name} could not be installed: the comparison is left out.`)
      return null
    }
  }
  return import(pathToFileURL(createRequire(join(folder, 'package.json')).resolve(name)).href)
}
