import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const at = path => fileURLToPath(new URL(path, import.meta.url))

/** One minified module, and its types as they are. */
export async function bundle(folder) {
  const build = await rolldown({ input: at('src/index.ts'), platform: 'neutral', logLevel: 'warn' })
  await build.write({ file: `${folder}/index.js`, format: 'esm', minify: true })
  await build.close()
}

export function declareTypes(folder) {
  // Without the types of Node: what compiles here also exists in browsers.
  const { status, error } = spawnSync('tsc', ['--project', at('tsconfig.json'), '--outDir', folder], { stdio: 'inherit' })
  if (error) throw new Error('TypeScript is not installed. Run `npm install` in the Overture folder, then try again.', { cause: error })
  if (status !== 0) throw new Error('The types do not compile.')
}

if (process.argv[1] === at('build.mjs')) {
  await bundle(at('dist'))
  declareTypes(at('dist'))
}
