import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const at = path => fileURLToPath(new URL(path, import.meta.url))

/** One minified module, and beside it the types as they are. */
export async function bundle(folder) {
  const build = await rolldown({ input: at('src/index.ts'), platform: 'neutral', logLevel: 'warn' })
  await build.write({ file: `${folder}/index.js`, format: 'esm', minify: true })
  await build.close()
}

export function declareTypes(folder) {
  // Without the types of Node: whatever compiles here is there in browsers, too.
  const { status } = spawnSync('tsc', ['--project', at('tsconfig.json'), '--outDir', folder], { stdio: 'inherit' })
  if (status !== 0) throw new Error('The types do not compile.')
}

if (process.argv[1] === at('build.mjs')) {
  await bundle(at('dist'))
  declareTypes(at('dist'))
}
