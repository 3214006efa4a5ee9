import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach } from 'node:test'
import type { Browser, BrowserContext, Download, Page } from 'playwright-core'
import { consoleLink } from '../../src/app/account-commands.ts'
import { buildConsole } from '../../src/app/console-build.ts'
import { consoleOf } from '../../src/app/server.ts'
import { openBrowser } from '../browser.ts'
import { cleanups } from '../cleanups.ts'
import { type HarnessOptions, type Overture, startOverture } from '../harness.ts'

export interface Look {
  width?: number
  colorScheme?: 'light' | 'dark'
  /** The URL of the service if a proxy is in front of it. */
  through?: string
}

export interface ConsoleTest {
  overture: Overture
  browser: Browser
  /** A browser of its own: no cookie, nothing remembered. */
  visitor(options?: Look): Promise<Page>
  /** A signed-in user at this path. */
  signedIn(path?: string, options?: Look): Promise<Page>
  link(): Promise<string>
}

/** Waits until the page follows the event log and shows changes automatically. */
export const whenLive = (page: Page): Promise<void> => page.getByText('Live updates on').first().waitFor({ state: 'attached' })

/** The router of the console keeps itself here, for its developer tools. */
export interface RouterInPage {
  __TSR_ROUTER__: { routesById: Record<string, { fullPath: string; children?: unknown[] }>; navigate(to: { href: string }): Promise<void> }
}

/** Leads to another screen as a link does: to load the page again takes three times as long. */
export const goTo = (page: Page, href: string): Promise<void> =>
  page.evaluate(to => (globalThis as unknown as RouterInPage).__TSR_ROUTER__.navigate({ href: to }), href)

/** A file that the browser downloaded, possibly in another process. */
export const textOf = async (download: Download): Promise<string> => text(await download.createReadStream())

/** The browser asks before the page is loaded again, and it stays. */
export async function reloadIsAsked(page: Page): Promise<void> {
  const isAsked = page.waitForEvent('dialog').then(asked => asked.dismiss().then(() => asked.type()))
  await page.evaluate('void setTimeout(() => location.reload())')
  assert.equal(await isAsked, 'beforeunload')
}

/** A session without the way over the sign-in page, which costs a page more. */
export async function startSession(page: Page, token: string, baseUrl: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, origin: baseUrl }
  const answer = await page.context().request.post(`${baseUrl}/v1/sessions`, { headers, data: {} })
  assert.equal(answer.status(), 201)
  const key = JSON.stringify((await answer.json()).data.sessionKey)
  const keep = `localStorage.setItem('overture.session-key', ${key})`
  if (page.url().startsWith(baseUrl)) await page.evaluate(keep)
  // A page that signs in later on its own keeps its own key. A message in a frame has no storage.
  await page.context().addInitScript(`if (window === top && localStorage.getItem('overture.session-key') === null) ${keep}`)
}

// A page that stays open follows the event log, and would ask for its lists again with whatever later tests do.
let ofThisTest: BrowserContext[] = []
beforeEach(() => {
  ofThisTest = []
})
afterEach(async () => {
  await Promise.all(ofThisTest.map(context => context.close()))
})

/** A service that shows the console, and a real browser. What pages complain about makes the test fail at its end. */
export async function startConsole(options: HarnessOptions = {}): Promise<ConsoleTest> {
  const overture = await startOverture(options)
  const folder = await buildConsole()
  assert.ok(folder, 'the console could not be built')
  await consoleOf(overture.ctx).serve(folder)
  const browser = await openBrowser()
  const complaints: string[] = []
  cleanups.push(async () => {
    await browser.close()
    assert.deepEqual(complaints, [], 'the pages complained')
  })

  const visitor: ConsoleTest['visitor'] = async ({ width = 1440, colorScheme = 'light', through = overture.baseUrl } = {}) => {
    const context: BrowserContext = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, reducedMotion: 'reduce' })
    ofThisTest.push(context)
    const page = await context.newPage()
    page.setDefaultTimeout(30_000)
    page.on('pageerror', error => complaints.push(String(error)))
    page.on('console', message => {
      const isAnswer = message.text().startsWith('Failed to load resource')
      if (message.type() === 'error' && !isAnswer) complaints.push(message.text())
    })
    page.on('request', request => {
      if (!request.url().startsWith(through) && !request.url().startsWith('data:')) complaints.push(`asked for ${request.url()}`)
    })
    return page
  }
  const link = async () => {
    const tokens = (await overture.client.get('/v1/tokens')).body.data as { id: string }[]
    return overture.ctx.db.inTransaction(tx => consoleLink(tx, overture.baseUrl, tokens[0]!.id))
  }
  return {
    overture,
    browser,
    visitor,
    link,
    async signedIn(path = '/', look = {}) {
      const { through = overture.baseUrl } = look
      const page = await visitor(look)
      await startSession(page, overture.client.token, through)
      await page.goto(through + path)
      // The menu is there on a desk, the button that opens it on a phone.
      await page
        .getByRole('navigation', { name: 'Sections', exact: true })
        .or(page.getByRole('button', { name: 'Open the menu', exact: true }))
        .first()
        .waitFor()
      return page
    },
  }
}
