import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBrowser } from '../test/browser.ts'

/**
 * `node scripts/screenshots.ts [folder] [path ...]`: starts a demo and takes pictures of its screens, as a phone and as a desk see
 * them, light and dark. To look at, by people.
 */
const root = join(import.meta.dirname, '..')
const [folder = 'node_modules/.cache/screenshots', ...chosen] = process.argv.slice(2)
const SCREENS = ['/', '/campaigns', '/campaigns?new=1', '/find-leads', '/inbox', '/mailboxes', '/people', '/developers', '/sign-in']
const SIZES = [
  { name: '390', width: 390, height: 844 },
  { name: '1440', width: 1440, height: 900 },
]

const dir = await mkdtemp(join(tmpdir(), 'overture-screenshots-'))
const service = spawn(process.execPath, ['src/main.ts', 'start'], {
  cwd: root,
  env: { ...process.env, OVERTURE_DIR: dir, PORT: '0', OVERTURE_DEMO_PEOPLE: '2000' },
  stdio: ['ignore', 'pipe', 'inherit'],
})
const browser = await openBrowser()
try {
  await new Promise<void>((resolve, reject) => {
    service.stdout.on('data', chunk => String(chunk).includes('is running at') && resolve())
    service.on('exit', () => reject(new Error('The demo did not start.')))
  })
  const { consoleUrl, baseUrl } = JSON.parse(await readFile(join(dir, 'local.json'), 'utf8')) as { consoleUrl: string; baseUrl: string }
  const first = await browser.newContext()
  const page = await first.newPage()
  await page.goto(consoleUrl)
  await page.waitForURL(url => url.pathname === '/')
  const storageState = await first.storageState()
  await mkdir(folder, { recursive: true })
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const { name, ...viewport } of SIZES) {
      const context = await browser.newContext({ storageState, colorScheme, viewport, reducedMotion: 'reduce', deviceScaleFactor: 1 })
      const screen = await context.newPage()
      for (const path of chosen.length > 0 ? chosen : SCREENS) {
        await screen.goto(baseUrl + path)
        await screen.locator('h1').first().waitFor()
        await screen
          .locator('[aria-busy=true]')
          .waitFor({ state: 'hidden' })
          .catch(() => undefined)
        const file = `${path.replace(/\W+/g, '-').replace(/^-|-$/g, '') || 'home'}-${name}-${colorScheme}.png`
        await screen.screenshot({ path: join(folder, file) })
        console.log(join(folder, file))
      }
      await context.close()
    }
  }
} finally {
  await browser.close()
  service.kill('SIGTERM')
  await new Promise(resolve => service.on('exit', resolve))
  await rm(dir, { recursive: true, force: true })
}
