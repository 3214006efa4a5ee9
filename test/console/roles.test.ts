import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { whyNoBrowser } from '../browser.ts'
import { full } from '../full.ts'
import { addPeople, staffOf } from '../people.ts'
import { makeCampaign } from '../sending.ts'
import { type ConsoleTest, goTo, startConsole, startSession, whenLive } from './console.ts'

const skip = await whyNoBrowser()
const ALWAYS = {
  daysOfWeek: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
  timeWindow: { start: '00:00', end: '23:59' },
  timezone: 'UTC',
}
const REFUSED = 'No access'

/** The browser API that the test uses inside of the page. */
interface InPage {
  document: {
    querySelectorAll(selector: string): PressedInPage[]
    activeElement: { dispatchEvent(event: object): void }
  }
  location: { href: string }
  requestAnimationFrame(then: () => void): void
  KeyboardEvent: new (type: string, init: object) => object
}
interface PressedInPage {
  textContent: string
  getAttribute(name: string): string | null
  checkVisibility(): boolean
  click(): void
}

/** Every screen, and whether a person who may only read sees it. */
const SCREENS: readonly [path: string, isSeen: boolean][] = [
  ['/', true],
  ['/campaigns', true],
  ['/campaigns/{campaign}', true],
  ['/campaigns/{campaign}/sending', true],
  ['/campaigns/{campaign}/schedule', true],
  ['/campaigns/{campaign}/simulation', true],
  ['/campaigns/{campaign}/settings', true],
  ['/campaigns/{campaign}/activity', true],
  ['/campaigns/{campaign}/sequence', true],
  ['/campaigns/{campaign}/leads', true],
  ['/campaigns/{campaign}/leads/import', false],
  ['/campaigns/{campaign}/leads/{lead}', true],
  ['/find-leads', true],
  ['/inbox', true],
  ['/mailboxes', true],
  ['/mailboxes/new', false],
  ['/mailboxes/{mailbox}', true],
  ['/plans', true],
  ['/people/suppressions', true],
  ['/people/erasure', true],
  ['/people/team', true],
  ['/people/settings', true],
  ['/developers/operations', true],
  ['/developers/events', true],
  ['/developers/webhooks', true],
  ['/developers/webhooks/{webhook}', true],
  ['/developers/sessions', true],
  ['/developers/credits', true],
  ['/developers/audit', false],
]

/** Buttons that only some roles are offered. */
const OFFERS: readonly [path: string, button: string, roles: readonly string[]][] = [
  ['/campaigns', 'New campaign', ['owner', 'admin', 'member']],
  ['/people/team', 'Invite teammate', ['owner', 'admin']],
  ['/developers/webhooks', 'Create endpoint', ['owner', 'admin']],
  ['/developers/keys', 'Create key', ['owner', 'admin']],
  ['/developers/credits', 'Add credits', ['owner']],
  ['/people/suppressions', 'Add suppressions', ['owner', 'admin', 'member']],
]

describe('the roles in a browser', { skip }, () => {
  let test: ConsoleTest
  let ids: Record<string, string>

  before(async () => {
    test = await startConsole()
    const { client, home } = test.overture
    await addPeople(test.overture, staffOf('Kranich', 3))
    const { campaignId, providerId, base } = await makeCampaign(test.overture, {
      leads: [{ email: 'interested+ann@people.example', firstName: 'Ann', lastName: 'Archer' }],
      campaign: { name: 'Founders', schedule: ALWAYS },
    })
    await client.operate('POST', '/v1/sandbox/clock', { advance: { days: 2 } })
    const webhook = await client.post(`${home}/webhooks`, { url: 'https://hooks.example/in', events: ['*'] })
    assert.equal(webhook.status, 201, JSON.stringify(webhook.body))
    await client.post(`${home}/suppressions`, { value: 'never@people.example' })
    const lead = (await client.get(`${base}/leads`)).body.data[0].id
    ids = { campaign: campaignId, lead, mailbox: providerId, webhook: webhook.body.data.id }
  })

  const pathOf = (path: string): string => path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name]!)

  async function signInAs(token: string): Promise<Page> {
    const page = await test.visitor()
    await startSession(page, token, test.overture.baseUrl)
    return page
  }

  async function memberWith(role: string): Promise<{ id: string; token: string }> {
    const { client, home } = test.overture
    const invited = await client.post(`${home}/members`, { email: `${randomUUID()}@team.example`, role })
    const accepted = await client.post('/v1/invitations/accept', { code: invited.body.data.code, name: role }, { token: null })
    return { id: accepted.body.data.member.id, token: accepted.body.data.token }
  }
  const tokenOf = async (role: string): Promise<string> => (await memberWith(role)).token

  /** The screen, with all that it loads. */
  async function open(page: Page, path: string): Promise<void> {
    if (page.url() === 'about:blank') await page.goto(test.overture.baseUrl + pathOf(path))
    else await goTo(page, pathOf(path))
    await page.waitForURL(url => url.pathname === pathOf(path))
    await page.locator('main h1').first().waitFor({ state: 'attached' })
    const isLoading = page.locator('main :is(.shimmer, [aria-busy=true])').first()
    await isLoading.waitFor({ state: 'detached' }).catch(cause => assert.fail(`${path} is still loading: ${cause}`))
  }

  /** Clicks everything clickable until the page changes. Opened overlays are closed, and do not cover other elements for a click by program. */
  const pressEverything = (page: Page): Promise<void> =>
    page.evaluate(async () => {
      const { document, location, requestAnimationFrame, KeyboardEvent } = globalThis as unknown as InPage
      const drawn = () => new Promise<void>(resolve => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))
      const pressable = [
        'button:not(:disabled, [aria-disabled=true])',
        '[role=switch]:not([data-disabled], fieldset:disabled *)',
        '[role=checkbox]',
      ]
      const address = location.href
      const seen = new Set<string>()
      for (let at = 0; location.href === address; at++) {
        const button = document.querySelectorAll(pressable.map(kind => `main ${kind}`).join(','))[at]
        if (!button) return
        const name = button.getAttribute('aria-label') ?? button.textContent
        // Each kind of button once: those of rows differ only by a name or a number. Who signs out sees nothing more.
        const kind = name.replace(/[\d…“”]+/g, '').slice(0, 24)
        if (name === 'Sign out' || seen.has(kind) || !button.checkVisibility()) continue
        seen.add(kind)
        button.click()
        await drawn()
        document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
        await drawn()
      }
    })

  /** Opens each screen; returns the refused requests. */
  async function walk(token: string, screens: typeof SCREENS, act: (page: Page) => Promise<unknown>): Promise<string[]> {
    const page = await signInAs(token)
    const refusals: string[] = []
    page.on('response', response => {
      if (response.status() < 400) return
      refusals.push(`${response.request().method()} ${new URL(response.url()).pathname} answered ${response.status()}`)
    })
    for (const [path, isSeen] of screens) {
      await open(page, path)
      const isRefused = (await page.getByText(REFUSED).count()) > 0
      assert.equal(isRefused, !isSeen, `${path} is ${isRefused ? 'refused' : 'shown'}`)
      assert.deepEqual(await page.getByRole('alert').allInnerTexts(), [], path)
      if (isSeen) await act(page)
    }
    await page.context().close()
    return refusals
  }

  const SOME = [
    '/',
    '/campaigns',
    '/campaigns/{campaign}/leads',
    '/campaigns/{campaign}/leads/import',
    '/mailboxes/{mailbox}',
    '/people/team',
  ]
  it('shows a viewer some screens or explains why not, without buttons that would be refused', async () => {
    const some = SCREENS.filter(([path]) => SOME.includes(path))
    assert.equal(some.length, SOME.length)
    assert.deepEqual(await walk(await tokenOf('viewer'), some, pressEverything), [])
  })

  // The walk above is the short one of these and of those below.
  const ofCampaigns = SCREENS.filter(([path]) => path.startsWith('/campaigns'))
  const others = SCREENS.filter(screen => !ofCampaigns.includes(screen))
  for (const [part, screens] of [
    ['of campaigns', ofCampaigns],
    ['beside campaigns', others],
  ] as const) {
    it(`shows a viewer every screen ${part} or explains why not, without buttons that would be refused`, full, async () => {
      assert.deepEqual(await walk(await tokenOf('viewer'), screens, pressEverything), [])
    })
  }

  it('shows a read-only token the same screens, without requests that are refused', full, async () => {
    const nouns = 'campaigns leads webhooks workspaces providers suppressions operations credits events team'
    const scopes = nouns.split(' ').map(noun => `${noun}:read`)
    const { body } = await test.overture.client.post('/v1/tokens', { name: 'reader', scopes })
    const some = SCREENS.filter(([path]) => /^.(?:inbox|find-leads|mailboxes.new|people.team|developers.audit)?$/.test(path))
    assert.equal(some.length, 6)
    assert.deepEqual(await walk(body.data.token, some, async () => undefined), [])
  })

  it('shows in an open page at once when the role changes', async () => {
    const { client, home } = test.overture
    const { id, token } = await memberWith('member')
    const page = await signInAs(token)
    await open(page, '/campaigns')
    await whenLive(page)
    const offer = page.locator('main').getByRole('button', { name: 'New campaign', exact: true }).first()
    await offer.waitFor()
    assert.equal((await client.patch(`${home}/members/${id}`, { role: 'viewer' })).status, 200)
    await offer.waitFor({ state: 'detached' })
    assert.equal((await client.patch(`${home}/members/${id}`, { role: 'member' })).status, 200)
    await offer.waitFor()
    await page.context().close()
  })

  it('lets a viewer manage their own tokens, and explains that the keys of the workspace are hidden', full, async () => {
    const page = await signInAs(await tokenOf('viewer'))
    await open(page, '/developers/keys')
    await page.locator('section', { hasText: 'Workspace keys' }).getByText(REFUSED).first().waitFor()
    await page
      .getByRole('cell', { name: /^invitation/ })
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Create token', exact: true }).waitFor()
    await page.context().close()
  })

  it('offers each role the buttons that it may use, and no others', full, async () => {
    const tokens = { owner: test.overture.client.token, admin: await tokenOf('admin'), member: await tokenOf('member') }
    for (const [role, token] of Object.entries(tokens)) {
      const page = await signInAs(token!)
      for (const [path, button, roles] of OFFERS) {
        await open(page, path)
        const count = await page.locator('main').getByRole('button', { name: button, exact: true }).count()
        assert.equal(count > 0, roles.includes(role), `${role} on ${path}`)
      }
      await page.context().close()
    }
  })
})
