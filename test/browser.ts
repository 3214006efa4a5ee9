import { execFile, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Browser, type BrowserServer, chromium, type Page } from 'playwright-core'
import manifest from '../package.json' with { type: 'json' }

const ROOT = join(import.meta.dirname, '..')

// The shell draws the same pages without the rest of a browser, for half of the processor.
const SHELL = 'chromium-headless-shell'
const NAMES = [SHELL, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'microsoft-edge']
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

function findInstalled(): string | null {
  const folders = (process.env.PATH ?? '').split(':')
  const found = NAMES.flatMap(name => folders.map(folder => join(folder, name))).find(existsSync)
  return process.env.CHROME_PATH ?? found ?? PLACES.find(existsSync) ?? null
}

/** A Chromium that comes as a package, for x64 only. It is unpacked once, because that takes seconds. */
async function findPackaged(): Promise<string | null> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null
  const kept = join(ROOT, 'node_modules', '.cache', `chromium-${manifest.devDependencies['@sparticuz/chromium']}`)
  if (!existsSync(kept)) {
    const making = `${kept}-${process.pid}`
    try {
      await mkdir(making, { recursive: true })
      // It is unpacked into the temporary folder, which this process needs for other things.
      const unpack = `await (await import('@sparticuz/chromium')).default.executablePath()`
      const env = { ...process.env, TMPDIR: making }
      await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', unpack], { cwd: ROOT, env })
      await rename(making, kept)
    } catch {
      // The package is missing, or another process was faster.
      await rm(making, { recursive: true, force: true })
    }
  }
  return existsSync(kept) ? join(kept, 'chromium') : null
}

function install(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return null
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  for (const name of [SHELL, 'chromium']) {
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', name], { stdio: 'ignore', env, timeout: 120_000 })
    const installed = findInstalled()
    if (installed) return installed
  }
  return null
}

let found: Promise<string | null> | undefined
export const findBrowser = (): Promise<string | null> => {
  found ??= (async () => findInstalled() ?? (await findPackaged()) ?? install())()
  return found
}

/** Why tests in a browser are skipped here; false if there is a browser. If everything must be tested, a missing browser is a failure. */
export async function whyNoBrowser(): Promise<string | false> {
  if (process.env.OVERTURE_TEST_BROWSER || (await findBrowser())) return false
  if (process.env.CI === 'true') throw new Error('There is no Chromium, and everything must be tested here.')
  return 'there is no Chromium on this machine'
}

async function launchOptions(): Promise<{ executablePath: string; args: string[]; headless: true }> {
  const executablePath = await findBrowser()
  if (!executablePath) throw new Error('There is no Chromium on this machine.')
  return { executablePath, args: FLAGS, headless: true }
}

/** One browser for all test processes: each connects to it at `OVERTURE_TEST_BROWSER`, and closing ends only what that process has opened. */
export async function serveBrowser(): Promise<BrowserServer> {
  // The process that starts it handles the signals.
  return chromium.launchServer({ ...(await launchOptions()), handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false })
}

export async function openBrowser(): Promise<Browser> {
  const shared = process.env.OVERTURE_TEST_BROWSER
  return shared ? chromium.connect(shared) : chromium.launch(await launchOptions())
}

/** The violations of WCAG 2.2 AA that axe finds on the page, in words. The policy of our pages allows no foreign scripts, so axe is evaluated. */
export async function findBarriers(page: Page): Promise<string[]> {
  if (!(await page.evaluate(`'axe' in globalThis`))) {
    const require = createRequire(import.meta.url)
    await page.evaluate((require('axe-core') as { source: string }).source)
  }
  // Content that is loading is dimmed and marked, so we wait for it.
  await page.locator('[aria-busy="true"], .shimmer').first().waitFor({ state: 'detached' })
  return page.evaluate(async () => {
    const { axe, document } = globalThis as unknown as {
      document: { getAnimations(): { effect: { getComputedTiming(): { endTime: number } }; finish(): void }[] }
      axe: {
        run(
          context: object,
          options: object,
        ): Promise<{ violations: { id: string; help: string; nodes: { html: string; failureSummary: string }[] }[] }>
      }
    }
    // Content that is fading in has a low contrast for a moment.
    for (const animation of document.getAnimations()) {
      if (Number.isFinite(animation.effect.getComputedTiming().endTime)) animation.finish()
    }
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
    // Rows of data are alike, in a table and in a named list with lines between them: the first ones stand for all, which cost seconds.
    const alike = ['tbody tr', 'ul[aria-label].divide-y > li', 'section > ol > li'].map(row => [`${row}:nth-child(n+8)`])
    // Nothing is preloaded: our pages have one sheet of styles, which is there.
    const options = { runOnly: { type: 'tag', values: tags }, resultTypes: ['violations'], preload: false }
    const { violations } = await axe.run({ exclude: alike }, options)
    return violations.flatMap(({ id, help, nodes }) => nodes.map(node => `${id}: ${help}\n${node.html}\n${node.failureSummary}`))
  })
}
