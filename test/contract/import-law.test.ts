import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { describe, it } from 'node:test'
import { actions } from '../../src/app/routes.ts'
import {
  allImports,
  allSources,
  FLOORS,
  findAliases,
  findSliceNames,
  importsOf,
  judgeImport,
  judgeTransactions,
  otherImports,
  runTimeImportsOf,
  STEPS,
} from './import-law.ts'
import { readWriters } from './table-writers.ts'

const root = new URL('../..', import.meta.url).pathname

describe('the import law', () => {
  const imports = allImports(root)

  it('holds for every import', () => {
    const broken = imports.flatMap(({ from, to }) => {
      const why = judgeImport(from, to)
      return why ? [`${from} imports ${to}: ${why}`] : []
    })
    assert.deepEqual(broken, [])
    assert.ok(imports.length > 1000, `only ${imports.length} imports were found: the reading of the sources is broken`)
  })

  it('gives every slice a floor, and names only existing slices', () => {
    const slices = readdirSync(`${root}src/modules`).sort()
    assert.deepEqual([...FLOORS.flat()].sort(), slices, 'FLOORS in test/contract/import-law.ts must name every folder of src/modules')
  })

  it('has at most seven floors', () => {
    assert.ok(FLOORS.length <= 7)
  })

  it('allows no cycle of files, in tests and the console neither', () => {
    const seen = new Map<string, 'open' | 'done'>()
    const next = Map.groupBy([...imports, ...otherImports(root)], ({ from }) => from)
    assert.ok(next.has('console/src/main.tsx') && next.has('test/harness.ts'))
    const visit = (file: string, path: string[]): void => {
      if (seen.get(file) === 'done') return
      assert.notEqual(seen.get(file), 'open', `a cycle: ${[...path, file].join(' -> ')}`)
      seen.set(file, 'open')
      for (const { to } of next.get(file) ?? []) if (next.has(to)) visit(to, [...path, file])
      seen.set(file, 'done')
    }
    for (const file of next.keys()) visit(file, [])
  })

  it('keeps packages that only some requests need out of the start', () => {
    const sources = allSources(root)
    const reached = new Set(['src/app/server.ts', 'src/app/worker.ts', 'src/app/server-commands.ts'])
    for (const file of reached) for (const to of runTimeImportsOf(file, sources.get(file) ?? '')) reached.add(to)
    const rarely = ['@modelcontextprotocol/server', '@modelcontextprotocol/server/stdio', 'imapflow', 'prom-client', 'undici', 'yaml']
    assert.ok(reached.has('fastify') && reached.size > 300, 'the imports of a start are found')
    assert.deepEqual(
      rarely.filter(name => reached.has(name)),
      [],
    )
  })

  const planted: [what: string, from: string, to: string][] = [
    ['rules that see the tasks of another slice', 'src/modules/leads/planted.ts', '../events/tasks.ts'],
    ['rules that see HTTP', 'src/modules/campaigns/planted.ts', '../../http/route.ts'],
    ['rules that see a slice of a higher floor', 'src/modules/campaigns/planted.ts', '../leads/leads.ts'],
    ['rules that see a slice of their own floor', 'src/modules/campaigns/planted.ts', '../webhooks/webhooks.ts'],
    ['routes that see the tasks of another slice', 'src/modules/lifecycle/routes.ts', '../leads/tasks.ts'],
    ['routes that reach the outside world', 'src/modules/campaigns/routes.ts', 'undici'],
    ['queries that see rules', 'src/modules/campaigns/queries.ts', './campaigns.ts'],
    ['a schema that sees rules', 'src/modules/campaigns/schema.ts', './campaigns.ts'],
    ['a command line that sees the service', 'src/cli/planted.ts', '../modules/campaigns/campaigns.ts'],
    ['a service that sees the command line', 'src/http/planted.ts', '../cli/flags.ts'],
    ['a service that calls itself through its client', 'src/modules/campaigns/planted.ts', '../../../packages/sdk/src/client.ts'],
    ['a service that sees the inside of a package', 'src/modules/people/planted.ts', '../../../packages/lead-terms/src/text.ts'],
    ['composition that sees the inside of a package', 'src/app/planted.ts', '../../packages/lead-terms/src/text.ts'],
    ['a room that sees a package it does not need', 'src/http/planted.ts', '#lead-terms'],
    ['a package that sees the service', 'packages/lead-terms/src/planted.ts', '../../../src/lib/csv.ts'],
    ['a package that sees the inside of another', 'packages/brief-reader/src/planted.ts', '../../lead-terms/src/text.ts'],
    ['a package that sees one above it', 'packages/lead-terms/src/planted.ts', '../../brief-reader/src/index.ts'],
    ['lib that imports something of ours', 'src/lib/planted.ts', '../db/client.ts'],
    ['mail that knows the database', 'src/mail/inbound/planted.ts', '../../db/client.ts'],
    ['HTTP that knows a slice', 'src/http/planted.ts', '../modules/tokens/tokens.ts'],
    ['operations that know a slice', 'src/operations/planted.ts', '../modules/events/events.ts'],
    ['a slice that imports what assembles it', 'src/modules/campaigns/planted.ts', '../../app/server.ts'],
  ]
  for (const [what, from, specifier] of planted) {
    it(`refuses ${what}`, () => {
      const [found] = importsOf(from, `import { x } from '${specifier}'\n`)
      assert.notEqual(judgeImport(found!.from, found!.to), null)
    })
  }

  it('accepts the rules and the queries of a lower floor', () => {
    for (const file of ['events', 'queries']) {
      const [found] = importsOf('src/modules/campaigns/planted.ts', `import {\n  x,\n  type y,\n} from '../events/${file}.ts'\n`)
      assert.equal(judgeImport(found!.from, found!.to), null)
    }
  })
})

describe('a room below the slices', () => {
  const tables = [...new Set(readWriters(root).writes.flatMap(({ table, owner }) => (owner.startsWith('src/') ? [] : [table])))]

  it('names no table of a slice in its SQL, and no action', () => {
    const broken = [...allSources(root)].flatMap(([file, source]) =>
      findSliceNames(file, source, tables, actions.names).map(name => `${file} names ${name}`),
    )
    assert.deepEqual(broken, [])
    assert.ok(tables.length > 30 && actions.names.length > 60, 'tables and actions are found')
  })

  const planted: [what: string, source: string][] = [
    ['a table that it reads', 'sql(`select 1\n  from campaigns c`)'],
    ['a table that it joins', 'sql(`select 1 from operations o join tokens t using (id)`)'],
    ['a table that it writes', 'sql(`update "leads" set due_at = null`)'],
    ['an action', "const KEPT = ['lead_search.export']"],
  ]
  for (const [what, source] of planted) {
    it(`is refused ${what}`, () => {
      for (const room of ['http', 'operations'])
        assert.equal(findSliceNames(`src/${room}/planted.ts`, source, tables, actions.names).length, 1)
      assert.deepEqual(findSliceNames('src/modules/leads/planted.ts', source, tables, actions.names), [])
    })
  }
})

describe('a file of a slice or of the engine', () => {
  it('exports only its own declarations', () => {
    const broken = [...allSources(root)].flatMap(([file, source]) =>
      /^src\/(?:modules|operations)\//.test(file) ? findAliases(source).map(line => `${file}: ${line}`) : [],
    )
    assert.deepEqual(broken, [])
  })

  it('refuses planted aliases, however they are written', () => {
    for (const source of [
      "export { findLead } from './queries.ts'",
      "export type { LeadRow } from './queries.ts'",
      "export * from './queries.ts'",
      "import { findLead } from './queries.ts'\n\nexport const getLead = findLead",
      "import {\n  findLead,\n  type LeadRow,\n} from './queries.ts'\n\nexport { findLead, type LeadRow }",
    ])
      assert.equal(findAliases(source).length, 1, source)
    assert.deepEqual(findAliases('export const MOST = 50\nexport const half = divide(2)\n'), [])
  })
})

describe('transactions', () => {
  it('are opened by routes, tasks and the steps of tasks, never by rules', () => {
    const broken = [...allSources(root)].flatMap(([file, source]) => {
      const why = file.startsWith('src/modules/') ? judgeTransactions(file, source) : null
      return why ? [`${file}: ${why}`] : []
    })
    assert.deepEqual(broken, [])
  })

  it('are opened by every file that is allowed to open them as a step', () => {
    const openers = [...allSources(root)].filter(([, source]) => source.includes('.inTransaction(')).map(([file]) => file)
    for (const step of Object.keys(STEPS))
      assert.ok(
        openers.some(file => file.endsWith(`/${step}`)),
        `${step} opens no transaction`,
      )
  })

  it('are refused in planted rules, however they are opened', () => {
    for (const way of ['inTransaction', 'inRequest'])
      assert.notEqual(judgeTransactions('src/modules/campaigns/planted.ts', `await ctx.db.${way}(tx => change(tx))`), null)
    assert.equal(judgeTransactions('src/modules/campaigns/tasks.ts', 'await ctx.db.inTransaction(tx => change(tx))'), null)
  })
})
