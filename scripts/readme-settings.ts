import { readFile, writeFile } from 'node:fs/promises'
import { describeSettings } from '../src/context/config.ts'

const file = new URL('../README.md', import.meta.url)

/** The README with the table of settings as the code has it. */
export async function renderReadme(): Promise<string> {
  const text = await readFile(file, 'utf8')
  return text.replace(/(<!-- settings: .*? -->\n)[\s\S]*?(<!-- \/settings -->)/, `$1${describeSettings()}\n$2`)
}

if (import.meta.main) await writeFile(file, await renderReadme())
