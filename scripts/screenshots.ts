import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { openBrowser } from '../test/browser.ts'
import { PICTURES } from './pictures.ts'

/**
 * `npm run screenshots`: the pictures of the README, into docs/pictures.
 * `npm run screenshots -- folder [path ...]`: screens on a phone and on a desktop, light and dark.
 * Both start their own demo.
 */
const root = join(import.meta.dirname, '..')
const [folder, ...chosen] = process.argv.slice(2)
const SCREENS = [
  '/',
  '/campaigns',
  '/campaigns?new=1',
  '/find-leads',
  '/inbox',
  '/mailboxes',
  '/people',
  '/developers',
  '/sign-in',
  '/docs',
]
const PHONE = { name: '390', viewport: { width: 390, height: 844 } }
const DESK = { name: '1440', viewport: { width: 1440, height: 900 } }

interface Demo {
  baseUrl: string
  consoleUrl: string
  workspaceId: string
  token: string
}

const dir = await mkdtemp(join(tmpdir(), 'overture-screenshots-'))
const service = spawn(process.execPath, ['src/main.ts', 'start'], {
  cwd: root,
  env: { ...process.env, OVERTURE_DIR: dir, PORT: '0', ...(folder ? { OVERTURE_DEMO_PEOPLE: '2000' } : {}) },
  stdio: ['ignore', 'pipe', 'inherit'],
})
const browser = await openBrowser()
try {
  await new Promise<void>((resolve, reject) => {
    service.stdout.on('data', chunk => String(chunk).includes('is running at') && resolve())
    service.on('exit', () => reject(new Error('The demo did not start.')))
  })
  const demo = JSON.parse(await readFile(join(dir, 'local.json'), 'utf8')) as Demo
  const storageState = await signIn(browser, demo)
  if (folder) await takeLooks(demo, storageState, folder)
  else await takePictures(demo, storageState, join(root, 'docs/pictures'))
} finally {
  await browser.close()
  service.kill('SIGTERM')
  await new Promise(resolve => service.on('exit', resolve))
  await rm(dir, { recursive: true, force: true })
}

type Session = NonNullable<BrowserContextOptions['storageState']>

async function signIn(from: Browser, { consoleUrl }: Demo): Promise<Session> {
  const context = await from.newContext()
  const page = await context.newPage()
  await page.goto(consoleUrl)
  await page.waitForURL(url => url.pathname === '/', { timeout: 120_000 })
  return context.storageState()
}

async function open(look: BrowserContextOptions): Promise<Page> {
  return (await browser.newContext({ ...look, reducedMotion: 'reduce', deviceScaleFactor: 1 })).newPage()
}

/** Waits until everything is loaded. */
async function settle(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  // Twice, because loaded parts may load more.
  for (let round = 0; round < 2; round++) {
    await page.waitForTimeout(400)
    await page.locator('.shimmer, [aria-busy=true]').first().waitFor({ state: 'detached' })
  }
}

async function take(page: Page, file: string): Promise<void> {
  await page.screenshot({ path: file })
  console.log(file)
}

async function takeLooks(demo: Demo, storageState: Session, into: string): Promise<void> {
  await mkdir(into, { recursive: true })
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const { name, viewport } of [PHONE, DESK]) {
      const page = await open({ storageState, colorScheme, viewport })
      for (const path of chosen.length > 0 ? chosen : SCREENS) {
        await page.goto(demo.baseUrl + fill(path, await campaignOf(demo)))
        await settle(page)
        const file = path.replace('{campaign}', 'campaign').replace(/\W+/g, '-').replace(/^-|-$/g, '') || 'home'
        await take(page, join(into, `${file}-${name}-${colorScheme}.png`))
      }
      await page.context().close()
    }
  }
}

async function takePictures(demo: Demo, storageState: Session, into: string): Promise<void> {
  await mkdir(into, { recursive: true })
  const campaignId = await campaignOf(demo)
  for (const { name, path, isDark, isPhone, height, act } of PICTURES) {
    const { viewport } = isPhone ? PHONE : DESK
    const look = {
      storageState,
      colorScheme: isDark ? 'dark' : 'light',
      viewport: { ...viewport, height: height ?? viewport.height },
    } as const
    const page = await open(look)
    await page.goto(demo.baseUrl + fill(path, campaignId))
    await settle(page)
    await act?.(page)
    await settle(page)
    await take(page, join(into, `${name}.png`))
    await page.context().close()
  }
}

function fill(path: string, campaignId: string): string {
  return path.replace('{campaign}', campaignId)
}

/** The one that has sent the most. */
async function campaignOf({ baseUrl, workspaceId, token }: Demo): Promise<string> {
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`${baseUrl}/v1/workspaces/${workspaceId}/campaigns?status=active`, { headers })
  const { data } = (await answer.json()) as { data: { id: string; totalLeads: number }[] }
  return data.sort((a, b) => b.totalLeads - a.totalLeads)[0]!.id
}
