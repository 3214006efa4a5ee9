import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'

const root = new URL('../..', import.meta.url).pathname

/** What lint says about a file at this path, in a tree that has nothing else but our rules. */
async function lint(path: string, source: string): Promise<string> {
  const tree = await mkdtemp(join(tmpdir(), 'overture-lint-'))
  try {
    await cp(join(root, 'biome.json'), join(tree, 'biome.json'))
    await mkdir(dirname(join(tree, path)), { recursive: true })
    await writeFile(join(tree, path), source)
    const result = spawnSync(join(root, 'node_modules/.bin/biome'), ['lint', path], { cwd: tree, encoding: 'utf8' })
    return result.stdout + result.stderr
  } finally {
    await rm(tree, { recursive: true })
  }
}

const use = (name: string, from: string): string => `import { ${name} } from '${from}'\nexport const x = ${name}\n`

describe('the import law', () => {
  const violations = [
    ['rules that see the queries of another slice', 'src/modules/campaigns/planted.ts', use('listEvents', '../events/queries.ts')],
    ['rules that see HTTP', 'src/modules/campaigns/planted.ts', use('ok', '../../http/route.ts')],
    ['routes that see the tasks of another slice', 'src/modules/campaigns/routes.ts', use('leadTasks', '../leads/tasks.ts')],
    ['routes that reach the outside world', 'src/modules/campaigns/routes.ts', use('request', 'undici')],
    ['queries that see rules', 'src/modules/campaigns/queries.ts', use('recordEvent', '../events/events.ts')],
    ['a schema that sees rules', 'src/modules/campaigns/schema.ts', use('transition', './campaigns.ts')],
    ['lib that imports something of ours', 'src/lib/planted.ts', use('AppError', '../errors.ts')],
    ['mail that knows the database', 'src/mail/planted.ts', use('sql', '../db/client.ts')],
    ['a slice that imports what assembles it', 'src/modules/campaigns/planted.ts', use('buildApp', '../../app.ts')],
  ] as const

  for (const [what, path, source] of violations) {
    it(`lint refuses ${what}`, async () => {
      assert.match(await lint(path, source), /noRestrictedImports/)
    })
  }

  it('lint accepts the same slice asking the rules of another', async () => {
    assert.doesNotMatch(await lint('src/modules/campaigns/planted.ts', use('recordEvent', '../events/events.ts')), /noRestrictedImports/)
  })
})
