import { readFile, writeFile } from 'node:fs/promises'
import { describeSettings } from '../src/context/config.ts'
import { FLOORS } from '../test/contract/import-law.ts'
import { describeCommands } from './commands.ts'
import { describeEvents, type EventsDocument } from './events-guide.ts'
import { findUndescribed, openApiDocument } from './openapi-document.ts'
import { describeErrors, describeReasons, describeScopes } from './reference-guide.ts'
import type { Document } from './sdk-types.ts'
import { printApi, printModels } from './sdk-types.ts'

/** `npm run generate` writes the generated files. With `--check` it only names those that are out of date. */
const ROOT = new URL('../', import.meta.url)
const json = `${JSON.stringify(openApiDocument(), null, 2)}\n`

/** Fills the parts of a page between `<!-- name: why -->` and `<!-- /name -->`. */
function fill(page: string, parts: Record<string, string>): string {
  return Object.entries(parts).reduce((text, [name, part]) => {
    const place = new RegExp(`(<!-- ${name}: .*? -->\\n)[\\s\\S]*?(<!-- /${name} -->)`, 'g')
    return text.replace(place, (_, open, close) => `${open}${part}\n${close}`)
  }, page)
}

/** Settings name other pages by their path, because `overture config` also prints them. */
const withLinks = (text: string): string => text.replace(/docs\/([\w/-]+\.md)/g, '[docs/$1](../$1)')

const GENERATED: Record<string, (text: string) => string> = {
  'openapi.json': () => json,
  'packages/sdk/src/types.gen.ts': () => printModels(JSON.parse(json) as Document),
  'packages/sdk/src/api.gen.ts': () => printApi(JSON.parse(json) as Document),
  'docs/api.md': page => fill(page, { scopes: describeScopes() }),
  'docs/architecture.md': page => fill(page, { floors: describeFloors() }),
  'docs/concepts.md': page => fill(page, { reasons: describeReasons() }),
  'docs/reference/errors.md': page => fill(page, { errors: describeErrors() }),
  'docs/reference/events.md': page => fill(page, describeEvents(JSON.parse(json) as EventsDocument)),
  'docs/reference/settings.md': page => fill(page, { settings: withLinks(describeSettings()) }),
  'CONTRIBUTING.md': page => fill(page, { commands: describeCommands() }),
}

function describeFloors(): string {
  return ['| floor | slices |', '|---|---|', ...FLOORS.map((slices, index) => `| ${index + 1} | ${slices.join(', ')} |`)].join('\n')
}

const outdated: string[] = []
for (const [name, generate] of Object.entries(GENERATED)) {
  const file = new URL(name, ROOT)
  const before = await readFile(file, 'utf8').catch(() => '')
  const after = generate(before)
  if (before === after) continue
  outdated.push(name)
  if (!process.argv.includes('--check')) await writeFile(file, after)
}
if (outdated.length > 0) console.log(outdated.map(name => `  ${name}`).join('\n'))
if (outdated.length > 0 && process.argv.includes('--check')) {
  console.log('These files do not follow from the code: run `npm run generate`, and commit what it writes.')
  process.exitCode = 1
}

const undescribed = findUndescribed(JSON.parse(json))
if (undescribed.length > 0) {
  console.log(undescribed.map(text => `  ${text}`).join('\n'))
  console.log('Describe each with about(schema, text) in the schema.ts of its slice, or by its name in scripts/openapi-texts.data.json.')
  process.exitCode = 1
}
