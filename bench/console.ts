import { parseArgs } from 'node:util'
import pg from 'pg'
import type { Browser, BrowserContextOptions, CDPSession, Page } from 'playwright-core'
import { buildConsole } from '../src/app/console-build.ts'
import { openBrowser } from '../test/browser.ts'
import { campaignId, type Seed, seed } from './foundation/seed.ts'
import { CAMPAIGN, fill } from './growth/fill.ts'
import { describeMachine, type Line, median, ms, printTable, Stage, within } from './lib.ts'

/**
 * The console over a workspace with 1,000 campaigns and 100,000 leads, in a browser whose processor is slowed down four times: when a
 * screen shows its first content and when all of it is there, with nothing in the browser's cache; and how long it takes from a click or
 * a key until the next frame (interaction to next paint, as browsers measure it). Each figure is printed with the processor time of the page's
 * main thread in the same span: a busy machine changes that less than the clock.
 */
const SLOWED_DOWN = 4
const CAMPAIGNS = 1000
const FIRST_PAINT_GOAL_MS = 1500
const NEXT_PAINT_GOAL_MS = 200
const GIVE_UP_MS = 60_000
const STEP_LIMIT_MS = 30_000
/** `--leads N`: another size. `--only PATTERN`: what fits it. `--rounds N`: each figure is the median of so many. `--unslowed`: processor time only. */
const { values: options } = parseArgs({
  options: {
    unslowed: { type: 'boolean', default: false },
    leads: { type: 'string', default: '100000' },
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '3' },
  },
})
/** A browser that is slowed down counts the time that it is made to lose as processor time. */
const FACTOR = options.unslowed ? SLOWED_DOWN : 1
const isWanted = (what: string): boolean => new RegExp(options.only).test(what)
const ROUNDS = Number(options.rounds)

type Session = NonNullable<BrowserContextOptions['storageState']>
interface Desk {
  browser: Browser
  origin: string
  session: Session
}

/** The sign that a screen has its rows, in addition to that nothing is loading. */
const SCREENS: Record<string, { path: string; has: string }> = {
  home: { path: '/', has: 'main h2' },
  campaigns: { path: '/campaigns', has: '[data-row-link]' },
  campaign: { path: `/campaigns/${CAMPAIGN}`, has: 'main h2' },
  sending: { path: `/campaigns/${CAMPAIGN}/sending`, has: 'main h2' },
  leads: { path: `/campaigns/${CAMPAIGN}/leads`, has: '[data-row-link]' },
  sequence: { path: `/campaigns/${CAMPAIGN}/sequence`, has: 'main textarea' },
  'find leads': { path: '/find-leads', has: '[data-count]' },
  inbox: { path: '/inbox', has: 'article' },
  mailboxes: { path: '/mailboxes', has: '[data-row-link]' },
  events: { path: '/developers/events', has: 'tbody tr' },
  suppressions: { path: '/people/suppressions', has: 'tbody tr' },
}

/**
 * Each begins on its screen; `act` does one thing, and is done again `TIMES` times. What is looked for is found by plain selectors, and only
 * when the page has shown what came of the last click: a search by role runs in the page, and would be measured as its work.
 */
const TIMES = 5
const SHOWN_MS = 400
/** How long a finger is down. */
const CLICK = { delay: 80 }
interface Interaction {
  screen: string
  /** The preparation, which is not measured. */
  begin?: (page: Page) => Promise<unknown>
  act: (page: Page, time: number) => Promise<unknown>
}
const INTERACTIONS: Record<string, Interaction> = {
  'filter campaigns by words': {
    screen: 'campaigns',
    act: (page, time) => page.locator('[type=search]').pressSequentially(['C', 'a', 'm', 'p', 'a'][time]!),
  },
  'filter campaigns by status': {
    screen: 'campaigns',
    act: async (page, time) => {
      await page.locator('[role=combobox][aria-label=Status]').click(CLICK)
      await page.waitForTimeout(SHOWN_MS)
      await page
        .locator('[role=option]')
        .nth(1 + time)
        .click(CLICK)
    },
  },
  'open a lead': {
    screen: 'leads',
    act: async (page, time) => {
      await page.locator('[data-row-link]').nth(time).click(CLICK)
      await page.waitForTimeout(SHOWN_MS)
      await page.locator('h1').first().waitFor()
      await page.goBack()
      await page.locator('[data-row-link]').first().waitFor()
    },
  },
  'next reply in the inbox': { screen: 'inbox', act: page => page.keyboard.press('j') },
  'edit a filter': {
    screen: 'find leads',
    begin: async page => {
      await page.getByRole('button', { name: /^CTOs, VPs and heads/ }).click()
      await page.getByText('from “CTOs”').waitFor()
      await page.waitForTimeout(SHOWN_MS)
    },
    act: async (page, time) => {
      await page.locator('dd button:has(.block)').first().click(CLICK)
      await page.waitForTimeout(SHOWN_MS)
      await page.locator('.popup input').first().fill(['CEO', 'CFO', 'COO', 'CTO', 'CMO'][time]!)
      await page.locator('.popup [type=submit]').click(CLICK)
    },
  },
}

await Stage.run(async stage => {
  await buildConsole()
  const postgres = await stage.startPostgres()
  const seeded = await seed(await stage.newDatabase(postgres, 'console'))
  const api = await stage.startApi(seeded.databaseUrl)
  await stage.startWorker(seeded.databaseUrl)
  await leave(seeded)
  await fill(seeded, Number(options.leads))
  await enliven(seeded)
  const browser = await openBrowser()
  stage.atEnd(() => within(STEP_LIMIT_MS, 'the browser to close', browser.close()))
  const desk = { browser, origin: api.origin, session: await signIn(browser, api.origin, seeded.token) }
  const lines: Line[] = []
  const tell = (line: Line): void => {
    lines.push(line)
    console.error(`${line.what}: ${line.figure} ${line.limit ?? ''}`)
  }
  // Once without measuring: the first request of each kind is slower, for the service as for the database.
  for (const name of Object.keys(SCREENS).filter(isWanted)) await look(desk, name)
  for (const name of Object.keys(SCREENS).filter(isWanted)) {
    const looks: Look[] = []
    for (let round = 0; round < ROUNDS; round++) looks.push(await look(desk, name))
    const of = (field: keyof Look) => median(looks.map(each => each[field]))
    tell({
      what: `${name}: first paint`,
      figure: ms(of('firstPaintMs')),
      limit: `all there after ${ms(of('completeMs'))}; processor ${ms(of('processorMs'))}, ${of('requests')} requests`,
      goal: `at most ${ms(FIRST_PAINT_GOAL_MS)}`,
    })
  }
  for (const name of Object.keys(INTERACTIONS).filter(isWanted)) {
    const { slowestMs, workMs, processorMs } = await interact(desk, name)
    const limit = `processor ${ms(workMs)} of it; ${ms(processorMs)} until all is there`
    tell({ what: `${name}: next paint`, figure: ms(slowestMs), limit, goal: `under ${ms(NEXT_PAINT_GOAL_MS)}` })
  }
  console.log(`${describeMachine()}; the browser ${SLOWED_DOWN} times slower; ${options.leads} leads, ${CAMPAIGNS} campaigns`)
  printTable(lines)
})

/** Of the seeded campaigns a thousand are left. Before they have anything: then it is done at once. */
async function leave({ databaseUrl }: Seed): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('delete from campaigns where id > $1', [campaignId(CAMPAIGNS)])
  await client.end()
}

/** They are in every status, and the first sends. */
async function enliven({ databaseUrl, workspaceId }: Seed): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(
    `update campaigns set status = (array['active', 'paused', 'draft', 'completed', 'attention_needed'])[1 + right(id::text, 3)::int % 5]
     where workspace_id = $1 and id <> $2`,
    [workspaceId, CAMPAIGN],
  )
  await client.query(`update campaigns set status = 'active' where id = $1`, [CAMPAIGN])
  await client.query('analyze')
  await client.end()
}

async function signIn(browser: Browser, origin: string, token: string): Promise<Session> {
  const context = await browser.newContext()
  const headers = { authorization: `Bearer ${token}`, origin }
  const answer = await context.request.post(`${origin}/v1/sessions`, { headers, data: {} })
  if (!answer.ok()) throw new Error(`Signing in answered ${answer.status()}: ${await answer.text()}`)
  const { cookies } = await context.storageState()
  const { sessionKey } = ((await answer.json()) as { data: { sessionKey: string } }).data
  await context.close()
  return { cookies, origins: [{ origin, localStorage: [{ name: 'overture.session-key', value: sessionKey }] }] }
}

type Look = Record<'firstPaintMs' | 'completeMs' | 'processorMs' | 'requests', number>

/** A page that knows how long each interaction took. */
async function open(
  { browser, origin, session }: Desk,
  screen: string,
): Promise<{ page: Page; devtools: CDPSession; completeMs: number; processorMs: () => Promise<number> }> {
  const { path, has } = SCREENS[screen]!
  const context = await browser.newContext({ storageState: session, viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
  const page = await context.newPage()
  page.setDefaultTimeout(GIVE_UP_MS)
  await page.addInitScript(`
    globalThis.interactions = []
    new PerformanceObserver(list => {
      for (const entry of list.getEntries()) if (entry.interactionId) interactions.push(entry.duration)
    }).observe({ type: 'event', durationThreshold: 16, buffered: true })`)
  const devtools = await context.newCDPSession(page)
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  if (!options.unslowed) await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWED_DOWN })
  await page.goto(origin + path, { waitUntil: 'commit' })
  const completed = page.evaluate(`new Promise(resolve => {
      const missing = () => {
        if (!document.querySelector(${JSON.stringify(has)})) return ${JSON.stringify(`nothing is there that fits ${has}`)}
        const busy = document.querySelector('.shimmer, [aria-busy=true]')
        return busy && 'this is loading: ' + busy.outerHTML.slice(0, 300)
      }
      // Frames show when it is complete. A page that draws none must give up as well.
      const see = () => (missing() ? requestAnimationFrame(see) : resolve(performance.now()))
      setTimeout(() => resolve(missing() || 'the page draws no frames'), ${GIVE_UP_MS})
      see()
    })`)
  const completeMs = await within(GIVE_UP_MS + 10_000, `a sign of the screen "${screen}"`, completed)
  if (typeof completeMs !== 'number') throw new Error(`The screen "${screen}" was not complete after ${ms(GIVE_UP_MS)}: ${completeMs}.`)
  /** The processor time of the main thread since the page was opened. */
  const processorMs = async () => {
    const { metrics } = await within(STEP_LIMIT_MS, 'the figures of a page', devtools.send('Performance.getMetrics'))
    return metrics.find(({ name }) => name === 'TaskDuration')!.value * 1000 * FACTOR
  }
  return { page, devtools, completeMs, processorMs }
}

function close(page: Page): Promise<unknown> {
  return within(STEP_LIMIT_MS, 'a page to close', page.context().close())
}

async function look(desk: Desk, screen: string): Promise<Look> {
  const { page, completeMs, processorMs } = await open(desk, screen)
  const worked = await processorMs()
  const firstPaintMs = Number(await page.evaluate(`performance.getEntriesByName('first-contentful-paint')[0].startTime`))
  const requests = Number(
    await page.evaluate(`performance.getEntriesByType('resource').filter(({ name }) => name.includes('/v1/')).length`),
  )
  await close(page)
  return { firstPaintMs, completeMs, processorMs: worked, requests }
}

/**
 * The slowest of several, with the most work of the main thread until the next frame, and the processor time of one on the average until all
 * of it is there. What takes less than a frame is not even reported by the browser.
 */
async function interact(desk: Desk, name: string): Promise<{ slowestMs: number; workMs: number; processorMs: number }> {
  const { screen, begin, act } = INTERACTIONS[name]!
  const { page, devtools, processorMs } = await open(desk, screen)
  if (begin) await within(GIVE_UP_MS, `the beginning of "${name}"`, begin(page))
  await page.evaluate('interactions.length = 0')
  const before = await processorMs()
  const trace = await startTrace(devtools)
  for (let time = 0; time < TIMES; time++) {
    await within(2 * GIVE_UP_MS, `"${name}", time ${time + 1}`, act(page, time))
    await page.waitForTimeout(SHOWN_MS)
  }
  const worked = (await processorMs()) - before
  const workMs = mostWork(await trace.stop()) * FACTOR
  const slowestMs = Number(await page.evaluate('Math.max(8, ...interactions)'))
  await close(page)
  return { slowestMs, workMs, processorMs: worked / TIMES }
}

interface TraceEvent {
  name: string
  ph: string
  pid: number
  tid: number
  /** Microseconds, as `dur`; `tdur` is what of it the thread was running. */
  ts: number
  dur?: number
  tdur?: number
  args?: { data?: { interactionId?: number; timeStamp?: number; commitFinishTime?: number } }
}

async function startTrace(devtools: CDPSession): Promise<{ stop: () => Promise<TraceEvent[]> }> {
  const events: TraceEvent[] = []
  devtools.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])))
  const includedCategories = ['devtools.timeline', 'disabled-by-default-devtools.timeline']
  const begin = devtools.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories } })
  await within(STEP_LIMIT_MS, 'a trace to begin', begin)
  return {
    async stop() {
      const isComplete = new Promise(resolve => devtools.once('Tracing.tracingComplete', resolve))
      await within(STEP_LIMIT_MS, 'the trace to end', devtools.send('Tracing.end'))
      await within(GIVE_UP_MS, 'the events of the trace', isComplete)
      return events
    },
  }
}

/** The most processor time of the main thread from an event to the frame that shows its effect, in milliseconds. */
function mostWork(events: readonly TraceEvent[]): number {
  const works = events.flatMap(({ name, ph, pid, tid, ts, args }) => {
    const { interactionId = 0, timeStamp, commitFinishTime } = args?.data ?? {}
    if (name !== 'EventTiming' || ph !== 'b' || interactionId <= 0) return []
    // Nobody knows when its frame was handed over: it says nothing, and least of all that there was no work.
    if (timeStamp === undefined || commitFinishTime === undefined) return []
    const until = ts + (commitFinishTime - timeStamp) * 1000
    const parts = events
      .filter(task => task.name === 'RunTask' && task.pid === pid && task.tid === tid && task.dur)
      .map(({ ts: from, dur, tdur }) => (tdur ?? dur!) * Math.max(0, (Math.min(until, from + dur!) - Math.max(ts, from)) / dur!))
    return parts.reduce((sum, part) => sum + part, 0) / 1000
  })
  if (works.length === 0) throw new Error('The trace has no interaction that tells when its frame was handed over: nothing was measured.')
  return Math.max(...works)
}
