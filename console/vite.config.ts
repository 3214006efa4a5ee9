import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
/** Where the service answers while the console is developed: `scripts/dev.ts` says. */
const service = process.env.OVERTURE_DEV_SERVICE ?? 'http://127.0.0.1:8080'

/**
 * What most screens need comes in a few files: each further one costs a slow machine some ten milliseconds. The rest stays with the screens
 * and dialogs that need it.
 */
const GROUPS = [
  { name: 'react', test: /node_modules\/(?:react|react-dom|scheduler|use-sync-external-store)\//, priority: 3 },
  { name: 'base', test: /node_modules\/@tanstack\//, priority: 2 },
  // The reference at /docs shows these as well, and nothing else of the kit.
  {
    name: 'marks',
    test: /console\/src\/(?:ui\/(?:badge|button|call-text|copy|cx|icons|keyboard|skeleton|timing)|app\/(?:logo|theme))\./,
    priority: 2,
  },
  { name: 'kit', test: /console\/src\/|packages\/sdk/, minShareCount: 12, priority: 1 },
]

/** Code is fetched before it is imported: `loadCode` says why. It takes the place of Vite's own helper, which is called with the same arguments. */
const fetchBeforeImport: Plugin = {
  name: 'fetch-before-import',
  apply: 'build',
  enforce: 'pre',
  load: {
    filter: { id: /^\0vite\/preload-helper\.js$/ },
    handler: () => `export { loadCode as __vitePreload } from ${JSON.stringify(here('src/app/load-code.ts'))}`,
  },
}

export default defineConfig({
  root: here('.'),
  cacheDir: here('.vite'),
  plugins: [react(), tailwindcss(), fetchBeforeImport],
  resolve: { alias: { '@overture/sdk': here('../packages/sdk/src/index.ts'), '@': here('src') } },
  build: {
    target: 'es2022',
    // The policy of our pages allows no inline script, and inlined files would be data: addresses.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // Vite leaves out the file itself when it needs no others.
      resolveDependencies: (file, needed, { hostType }) => (hostType === 'js' ? [...new Set([file, ...needed])] : needed),
    },
    // The console, and the reference at /docs, which needs no session.
    rolldownOptions: {
      input: [here('index.html'), here('docs.html')],
      output: { codeSplitting: { groups: GROUPS } },
    },
    manifest: true,
    reportCompressedSize: false,
  },
  server: {
    proxy: Object.fromEntries(['/v1', '/docs', '/openapi.json', '/healthz', '/readyz', '/t', '/u'].map(path => [path, service])),
  },
})
