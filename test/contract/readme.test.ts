import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, normalize } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { parse } from 'yaml'
import { PICTURES } from '../../scripts/pictures.ts'
import { describeSettings } from '../../src/context/config.ts'
import { SCOPES } from '../../src/http/access.ts'
import { OPERATION_ERROR_CODES } from '../../src/lib/errors.ts'
import { wordLack } from '../../src/modules/explaining/dry-run.ts'
import { HOLD_REASONS } from '../../src/scheduling/reasons.ts'
import { makeProvider } from '../factories.ts'
import { startOverture } from '../harness.ts'

const ROOT = new URL('../../', import.meta.url).pathname
const read = (path: string): Promise<string> => readFile(join(ROOT, path), 'utf8')
const listed = async (folder: string, ending: string): Promise<string[]> =>
  (await readdir(join(ROOT, folder), { recursive: true })).filter(name => name.endsWith(ending)).map(name => `${folder}/${name}`)

const pages = [
  ...(await listed('docs', '.md')),
  ...(await listed('skills', '.md')),
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'console/README.md', 'bench/NOTES.md'],
  ...(await readdir(join(ROOT, 'packages'))).map(name => `packages/${name}/README.md`),
]
const texts = Object.fromEntries(await Promise.all(pages.map(async page => [page, await read(page)] as const)))
/** Without code, in which brackets mean something else. */
const proseOf = (page: string): string => texts[page]!.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '')
/** The address that GitHub gives to a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')
const anchorsOf = (page: string): string[] =>
  [...texts[page]!.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading!))
const linksOf = (page: string): { target: string; anchor: string }[] =>
  [...proseOf(page).matchAll(/\]\((?![a-z]+:)([^)#\s]*)#?([^)\s]*)\)|<img src="([^"]+)"/g)].map(([, path, anchor, image]) => ({
    target: path === '' ? page : normalize(join(dirname(page), path ?? image!)),
    anchor: anchor ?? '',
  }))

describe('the documentation', () => {
  it('has no broken link, and no link to a heading that is missing', () => {
    const broken = pages.flatMap(page =>
      linksOf(page)
        .filter(({ target, anchor }) => !existsSync(join(ROOT, target)) || (anchor && texts[target] && !anchorsOf(target).includes(anchor)))
        .map(({ target, anchor }) => `${page}: ${target}#${anchor}`),
    )
    assert.deepEqual(broken, [])
  })

  it('can be reached from the README, page by page', () => {
    const reached = new Set(['README.md'])
    for (const page of reached) for (const { target } of linksOf(page)) if (texts[target]) reached.add(target)
    assert.deepEqual(
      pages.filter(page => page.startsWith('docs/') && !reached.has(page)),
      [],
    )
  })

  it('begins each page with a sentence, which llms.txt shows', () => {
    const guides = pages.filter(page => page.startsWith('docs/') && !page.includes('decisions/'))
    assert.deepEqual(
      guides.filter(page => !/^# .+\n\n[A-Z][^|!]*[.:]/.test(texts[page]!)),
      [],
    )
  })

  it('shows pictures that exist, are small and are all used: `npm run screenshots` makes them', async () => {
    const folder = join(ROOT, 'docs/pictures')
    const shown = new Set(pages.flatMap(page => linksOf(page).map(({ target }) => target)).filter(target => target.endsWith('.png')))
    const present = await readdir(folder)
    assert.deepEqual([...shown].sort(), present.map(name => `docs/pictures/${name}`).sort())
    assert.deepEqual(present.sort(), PICTURES.map(({ name }) => `${name}.png`).sort())
    for (const name of present) assert.ok((await stat(join(folder, name))).size < 200_000, name)
  })

  it('explains every reason, scope, setting and error code', () => {
    const settings = [...describeSettings().matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name!)
    assert.ok(settings.length > 40)
    const missing = (page: string, names: readonly string[]): string[] => names.filter(name => !texts[page]!.includes(`| \`${name}\` |`))
    assert.deepEqual(missing('docs/concepts.md', HOLD_REASONS), [])
    assert.deepEqual(missing('docs/api.md', SCOPES), [])
    assert.deepEqual(missing('docs/reference/settings.md', settings), [])
    assert.deepEqual(missing('docs/reference/errors.md', OPERATION_ERROR_CODES), [])
  })

  it('names only existing settings and scripts', async () => {
    const { scripts } = JSON.parse(await read('package.json')) as { scripts: Record<string, string> }
    const clients = ['OVERTURE_URL', 'OVERTURE_TOKEN', 'OVERTURE_WORKSPACE', 'OVERTURE_PROFILE', 'OVERTURE_TESTS', 'OVERTURE_REPOSITORY']
    for (const page of pages.filter(name => !name.startsWith('packages/') && !name.includes('decisions/'))) {
      const whole = texts[page]!
      for (const [setting] of whole.matchAll(/\bOVERTURE_[A-Z_0-9]*[A-Z0-9]\b(?!_)/g)) {
        if (!clients.includes(setting))
          assert.ok(texts['docs/reference/settings.md']!.includes(`| \`${setting}\` |`), `${page}: ${setting}`)
      }
      for (const [, script] of whole.matchAll(/npm run (?:--silent )?([a-z:]+)/g)) assert.ok(scripts[script!], `${page}: npm run ${script}`)
    }
  })

  it('calls a key of a workspace by one name, in the API reference, too', async () => {
    const reference = await read('openapi.json')
    const others = Object.entries({ ...texts, reference }).filter(([page]) => page !== 'docs/internals/words.md')
    assert.deepEqual(
      others.filter(([, text]) => /\borganization (?:API )?keys?\b/i.test(text)).map(([page]) => page),
      [],
    )
  })

  it('shows the actual words for leads without a value', () => {
    const lack = (variable: string, count: number, total: number): string =>
      wordLack({ step: 0, variable, what: variable, count, examples: [] }, total).replace(/\.$/, '')
    assert.ok(texts['docs/cli.md']!.includes(lack('company', 31, 240)))
    assert.ok(texts['docs/guides/campaigns.md']!.includes(lack('firstName', 2, 9)))
  })

  it('has skills with valid front matter', () => {
    for (const page of pages.filter(name => name.startsWith('skills/'))) {
      const [, matter] = /^---\n([\s\S]*?)\n---\n/.exec(texts[page]!) ?? assert.fail(`${page} has no closed front matter`)
      const { name, description } = parse(matter!) as Record<string, unknown>
      assert.equal(name, page.split('/')[1])
      assert.ok(typeof description === 'string' && description.length > 50)
    }
  })
})

describe('the code of the first pages', () => {
  let dir: string
  before(async () => {
    const { baseUrl, workspaceId, client } = await startOverture().then(async overture => {
      await makeProvider(overture)
      return overture
    })
    dir = await mkdtemp(join(tmpdir(), 'overture-tour-'))
    await writeFile(join(dir, 'local.json'), JSON.stringify({ baseUrl, workspaceId, token: client.token }))
  })
  after(() => rm(dir, { recursive: true }))

  const play = async (page: string): Promise<string> => {
    const tour = [...texts[page]!.matchAll(/<!-- tour -->\n```sh\n([\s\S]*?)```/g)].map(([, code]) => code).join('\n')
    const { output, code } = await run(`set -euo pipefail\n${tour}`, { OVERTURE_DIR: dir })
    assert.equal(code, 0, output)
    return output
  }

  it('of the README sends an email when pasted', async () => {
    assert.match(await play('README.md'), /"emailsSentCount":1/)
  })

  it('of the quickstart gets a reply when pasted', async () => {
    const output = await play('docs/quickstart.md')
    assert.match(output, /"rule":"leads_missing"/)
    assert.match(output, /^Hi \w+, how is \w+\?$/m)
    assert.match(output, /^interested\+grace@navy\.example: interested$/m)
    assert.match(output, /^silent\+alan@bletchley\.example: sequence_completed$/m)
    assert.match(output, /^positive: /m)
  })
})

function run(script: string, env: Record<string, string>): Promise<{ output: string; code: number | null }> {
  return new Promise(resolve => {
    const child = spawn('bash', ['-c', script], { env: { ...process.env, ...env } })
    let output = ''
    child.stdout.on('data', chunk => {
      output += chunk
    })
    child.stderr.on('data', chunk => {
      output += chunk
    })
    child.on('close', code => resolve({ output, code }))
  })
}
