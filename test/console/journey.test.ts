import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { findBarriers, whyNoBrowser } from '../browser.ts'
import { full, isFull } from '../full.ts'
import { type ConsoleTest, startConsole, startSession, whenLive } from './console.ts'

const skip = await whyNoBrowser()

// `npm test` has the walks 'signs in by a link', 'asks before a link', 'asks for a sign-in when the session ends' and 'shows another person'; the others need the complete run.
describe('the console in a browser', { skip }, () => {
  let test: ConsoleTest

  before(async () => {
    test = await startConsole()
  })

  const overflowOf = (page: Page) => page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')

  async function endSessions(): Promise<void> {
    const { data } = (await test.overture.client.get('/v1/sessions')).body as { data: { id: string }[] }
    for (const { id } of data) await test.overture.client.delete(`/v1/sessions/${id}`)
  }

  it('signs in by a link, removes its code from the URL, and opens the campaigns, where one is created', async () => {
    const page = await test.visitor()
    await page.goto(await test.link())
    await page.getByRole('navigation', { name: 'Sections', exact: true }).waitFor()
    assert.equal(new URL(page.url()).search, '')
    await page.getByRole('link', { name: 'Campaigns', exact: true }).click()
    await page.getByText('No campaigns yet').first().waitFor()
    await page.getByRole('button', { name: 'New campaign', exact: true }).first().click()
    const dialog = page.getByRole('dialog', { name: 'New campaign', exact: true })
    await dialog.getByLabel('Name').fill('Founders in Berlin')
    await dialog.getByRole('button', { name: 'Create campaign', exact: true }).click()
    await page.getByRole('heading', { name: 'Founders in Berlin', exact: true }).waitFor()
    const { body } = await test.overture.client.get(`${test.overture.home}/campaigns`)
    assert.deepEqual(
      body.data.map((campaign: { name: string; status: string }) => [campaign.name, campaign.status]),
      [['Founders in Berlin', 'draft']],
    )
  })

  it('asks before a link replaces a session, because the link may come from an attacker', async () => {
    const page = await test.signedIn('/')
    const link = await test.link()
    for (const answer of isFull ? ['Stay signed in', 'Use the link'] : ['Use the link']) {
      // Whether there is a session cannot be read for the moment: that is no leave to use the link.
      await page.route('**/v1/session', route =>
        route.fulfill({ status: 500, json: { error: { code: 'internal_error', message: 'No.' } } }),
      )
      await page.goto(link)
      await page.getByText('Your link was not used').waitFor()
      await page.unroute('**/v1/session')
      await page.getByRole('button', { name: 'Try again', exact: true }).click()
      await page.getByRole('heading', { name: 'You are already signed in', exact: true }).waitFor()
      assert.equal(new URL(page.url()).search, '')
      assert.deepEqual(await findBarriers(page), [])
      await page.getByRole('button', { name: answer, exact: true }).click()
      // The message goes away on its own.
      if (answer === 'Use the link') await page.getByText(/^Signed in as .+ in .+$/).waitFor()
      await page.getByRole('navigation', { name: 'Sections', exact: true }).waitFor()
    }
  })

  it('shows a campaign that another person creates and archives, without a reload', full, async () => {
    const { client, home } = test.overture
    const page = await test.signedIn('/campaigns')
    await whenLive(page)
    const { body } = await client.post(`${home}/campaigns`, { name: 'From a program' })
    const copy = await client.operate('POST', `${home}/campaigns/${body.data.id}/duplicate`, { name: 'Made elsewhere' })
    assert.equal(copy.status, 'succeeded')
    await page.getByRole('link', { name: /Made elsewhere/ }).waitFor()
    await client.operate('POST', `${home}/campaigns/${body.data.id}/archive`)
    await page.getByRole('link', { name: /From a program/ }).waitFor({ state: 'hidden' })
  })

  it('shows changes made between loading a list and opening the stream', full, async () => {
    const { client, home, baseUrl } = test.overture
    const page = await test.visitor()
    let open = () => {}
    const isOpen = new Promise<void>(resolve => {
      open = resolve
    })
    await page.goto(await test.link())
    await page.waitForURL(`${baseUrl}/`)
    await page.route(/\/events\/stream/, async route => {
      await isOpen
      await route.continue()
    })
    await page.goto(`${baseUrl}/campaigns`)
    await page.getByRole('link', { name: /Founders in Berlin/ }).waitFor()
    const { body } = await client.get(`${home}/campaigns?q=Founders`)
    await client.operate('POST', `${home}/campaigns/${body.data[0].id}/duplicate`, { name: 'Made in between' })
    open()
    await page.getByRole('link', { name: /Made in between/ }).waitFor()
  })

  it('keeps filters and search in the URL, so that Back and copied links show the same list', full, async () => {
    const { client, home } = test.overture
    for (const name of ['Alpha one', 'Beta two']) await client.post(`${home}/campaigns`, { name })
    const page = await test.signedIn('/campaigns')
    await page.getByRole('link', { name: /Beta two/ }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('alpha')
    await page.waitForURL(/q=alpha/)
    await page.getByRole('link', { name: /Beta two/ }).waitFor({ state: 'hidden' })
    await page.getByRole('combobox', { name: 'Status', exact: true }).click()
    await page.getByRole('option', { name: 'Draft', exact: true }).click()
    await page.waitForURL(/status=draft/)
    const again = await test.signedIn(`/campaigns${new URL(page.url()).search}`)
    await again.getByRole('link', { name: /Alpha one/ }).waitFor()
    assert.equal(await again.getByRole('searchbox').inputValue(), 'alpha')
    assert.equal(await again.getByRole('link', { name: /Beta two/ }).count(), 0)
  })

  it('keeps names of every script and length in place, each in its own direction', full, async () => {
    const { client, home } = test.overture
    const names = ['Odd: plain', `Odd: ${'endless'.repeat(15)}`, 'שלום עולם! (Odd: Acme)', `Odd: 👩‍👩‍👧‍👦 ${'🎉'.repeat(40)}`]
    for (const name of names) await client.post(`${home}/campaigns`, { name })
    const page = await test.signedIn('/campaigns?q=Odd')
    const cells = page.locator('[data-row-link] .truncate')
    await cells.nth(names.length - 1).waitFor()
    const found = await cells.evaluateAll(all =>
      all.map(cell => {
        const { unicodeBidi } = (globalThis as unknown as { getComputedStyle(of: unknown): { unicodeBidi: string } }).getComputedStyle(cell)
        const range = cell.ownerDocument.createRange()
        range.selectNodeContents(cell)
        return [unicodeBidi, Math.round(range.getBoundingClientRect().left)]
      }),
    )
    assert.deepEqual(new Set(found.map(([bidi]) => bidi)), new Set(['plaintext']))
    assert.equal(new Set(found.map(([, left]) => left)).size, 1, 'a name stands elsewhere')
    for (const width of [1440, 390, 320]) {
      await page.setViewportSize({ width, height: 800 })
      await page.getByText('שלום').first().waitFor()
      assert.equal(await overflowOf(page), 0, `something is wider than ${width}`)
    }
    await page.getByRole('link', { name: /שלום/ }).click()
    await page.getByRole('heading', { name: names[2]!, exact: true }).waitFor()
    await page.getByRole('button', { name: `More actions for ${names[2]}`, exact: true }).click()
    await page.getByRole('menuitem', { name: 'Archive', exact: true }).click()
    await page.getByText('“\u2068שלום עולם! (Odd: Acme)\u2069” archived').first().waitFor()
  })

  it('archives from the menu of a row by keyboard, and confirms it', full, async () => {
    const { client, home } = test.overture
    await client.post(`${home}/campaigns`, { name: 'To be archived' })
    const page = await test.signedIn('/campaigns?q=To+be+archived')
    await page.getByRole('button', { name: 'More actions for To be archived', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Archive', exact: true }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByText('“To be archived” archived').first().waitFor()
    await page.getByText('No matching campaigns').first().waitFor()
  })

  it('finds sections and campaigns in the command palette', full, async () => {
    await test.overture.client.post(`${test.overture.home}/campaigns`, { name: 'Zebra crossing' })
    const page = await test.signedIn()
    await page.keyboard.press('Control+k')
    const field = page.getByRole('combobox', { name: 'Search and commands', exact: true })
    await field.fill('zebra')
    await page.getByRole('option', { name: /Zebra crossing/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Zebra crossing', exact: true }).waitFor()
    await page.keyboard.press('Control+k')
    await field.fill('smtp')
    await page.getByRole('option', { name: /Mailboxes/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Mailboxes', exact: true }).waitFor()
  })

  it('shows full times on request, without a pointer too, until it is turned off', full, async () => {
    const page = await test.signedIn('/developers/sessions')
    const exact = page.locator('time', { hasText: /\d:\d\d:\d\d/ }).first()
    await page.locator('time').first().waitFor()
    assert.equal(await exact.count(), 0)
    for (const [label, state] of [
      ['Show exact times', 'visible'],
      ['Show relative times', 'detached'],
    ] as const) {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Search and commands', exact: true }).fill(label)
      await page.getByRole('option', { name: label, exact: true }).and(page.locator('[data-highlighted]')).waitFor()
      await page.keyboard.press('Enter')
      await exact.waitFor({ state })
    }
  })

  it('asks for a sign-in when the session ends, and continues with the unsaved input', async () => {
    const page = await test.signedIn('/campaigns?status=draft')
    await page.getByRole('heading', { name: 'Campaigns', exact: true }).waitFor()
    await page.getByRole('button', { name: 'New campaign', exact: true }).first().click()
    const dialog = page.getByRole('dialog', { name: 'New campaign', exact: true })
    await dialog.getByLabel('Name').fill('Half written')
    await endSessions()
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
    assert.deepEqual(await findBarriers(page), [])
    // Shortcuts do not reach what lies below, wherever the focus is.
    for (const leave of [() => page.mouse.click(5, 5), () => page.evaluate('document.activeElement.blur()')]) {
      await leave()
      await page.keyboard.press('Control+k')
      await page.keyboard.press('g')
      await page.keyboard.press('i')
    }
    await page.getByLabel('Token').fill('ovr_pat_not_a_token')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Token').fill(test.overture.client.token)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor({ state: 'detached' })
    assert.match(page.url(), /\/campaigns\?.*status=draft/)
    assert.equal(await page.getByRole('combobox', { name: 'Search and commands', exact: true }).count(), 0)
    await page.waitForFunction(`document.activeElement.value === 'Half written'`)
    assert.equal(await dialog.getByLabel('Name').inputValue(), 'Half written')
    await dialog.getByRole('button', { name: 'Create campaign', exact: true }).click()
    await page.getByRole('heading', { name: 'Half written', exact: true }).waitFor()
    const stored = await page.evaluate<string>('JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie')
    assert.ok(!stored.includes(test.overture.client.token), 'the token is kept in the browser')
  })

  it('shows nothing of the previous session to another person who signs in', async () => {
    const { client, home, stranger, baseUrl } = test.overture
    const other = await stranger()
    const { body } = await client.post(`${home}/campaigns`, { name: 'Of somebody else' })
    const ways = {
      'with a token': async (page: Page) => {
        await page.getByLabel('Token').fill(other.client.token)
        await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      },
      'in another tab': async (page: Page) => {
        await startSession(page, other.client.token, baseUrl)
        await page.evaluate(`dispatchEvent(new Event('focus'))`)
      },
    }
    for (const [way, signIn] of Object.entries(ways).slice(0, isFull ? 2 : 1)) {
      const page = await test.signedIn(`/campaigns/${body.data.id}/sending`)
      await page.getByRole('heading', { name: 'Of somebody else', exact: true }).waitFor()
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Search and commands', exact: true }).fill('typed by somebody else')
      await endSessions()
      await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
      // The first frame counts as well, before any response can have replaced it.
      await page.route(/\/v1\/workspaces\//, route => (route.request().url().includes(body.data.id) ? undefined : route.continue()))
      await signIn(page)
      await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor({ state: 'detached' })
      assert.equal(await page.getByText('Of somebody else').count(), 0, way)
      assert.equal(await page.locator('[role=dialog]').count(), 0, way)
      await page.context().close()
    }
  })

  it('signs out', full, async () => {
    const page = await test.visitor()
    await page.goto(await test.link())
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click()
    await page.waitForURL(url => url.pathname === '/sign-in')
    await page.goto(`${test.overture.baseUrl}/campaigns`)
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
  })

  it('passes axe in a menu and a dialog, light and dark, on desktop and phone', full, async () => {
    for (const [width, colorScheme] of [
      [390, 'dark'],
      [1440, 'light'],
    ] as const) {
      const page = await test.signedIn('/campaigns', { width, colorScheme })
      await page.getByRole('button', { name: 'More actions for Alpha one', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Archive', exact: true }).waitFor()
      assert.deepEqual(await findBarriers(page), [], `menu, ${colorScheme}, ${width}`)
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'New campaign', exact: true }).click()
      await page.getByRole('dialog').waitFor()
      assert.deepEqual(await findBarriers(page), [], `new campaign, ${colorScheme}, ${width}`)
      assert.equal(await overflowOf(page), 0, `something is wider than ${width}`)
      await page.context().close()
    }
  })

  it('stays unchanged without a connection, and opens the next screen after reconnecting', full, async () => {
    const page = await test.signedIn('/campaigns')
    await page.getByRole('heading', { name: 'Campaigns', exact: true }).waitFor()
    await page.getByRole('searchbox').fill('typed before')
    await page.waitForURL(/typed/)
    await page.context().setOffline(true)
    await page.getByText('Not connected').first().waitFor({ state: 'attached' })
    await page.getByRole('link', { name: 'Mailboxes', exact: true }).click()
    await page.getByText('Overture is not responding').first().waitFor()
    assert.equal(await page.getByRole('searchbox').inputValue(), 'typed before')
    await page.context().setOffline(false)
    await page.getByRole('heading', { name: 'Mailboxes', exact: true }).waitFor()
  })

  it(
    'stays unchanged while a proxy responds for a starting service, and then asks for a sign-in without loading anything',
    full,
    async () => {
      const page = await test.signedIn('/campaigns')
      await page.getByRole('searchbox').fill('typed before')
      await page.waitForURL(/typed/)
      await page.evaluate('globalThis.isSamePage = true')
      const starting = /\/assets\/|\/healthz/
      let isStarting = true
      await page.route(starting, route => (isStarting ? route.fulfill({ status: 502, body: 'Bad gateway' }) : route.continue()))
      await page.getByRole('link', { name: 'Mailboxes', exact: true }).click()
      await page.getByText('Overture is not responding').first().waitFor()
      assert.equal(await page.getByRole('searchbox').inputValue(), 'typed before')
      await endSessions()
      await page.getByLabel('Token').fill(test.overture.client.token)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor({ state: 'detached' })
      isStarting = false
      await page.getByRole('heading', { name: 'Mailboxes', exact: true }).waitFor()
      assert.equal(await page.evaluate('globalThis.isSamePage'), true, 'the page was loaded again')
    },
  )

  it('opens a dialog without a connection, and keeps the input below it', full, async () => {
    const page = await test.visitor()
    await page.goto(await test.link())
    await page.getByRole('link', { name: 'Campaigns', exact: true }).click()
    await page.getByRole('searchbox').fill('Alpha')
    await page.getByRole('link', { name: /Alpha one/ }).waitFor()
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'New campaign', exact: true }).click()
    await page.getByRole('dialog', { name: 'New campaign', exact: true }).waitFor()
    assert.equal(await page.getByRole('searchbox', { includeHidden: true }).inputValue(), 'Alpha')
  })

  it('opens a screen whose code failed to load once', full, async () => {
    const page = await test.visitor()
    const code = /\/assets\/inbox-screen-/
    let left = 1
    await page.route(code, route => (left-- > 0 ? route.abort() : route.continue()))
    await page.goto(await test.link())
    await page.getByRole('link', { name: 'Inbox', exact: true }).first().click()
    await page.getByRole('heading', { name: 'Inbox', exact: true }).waitFor()
    assert.ok(left < 0)
  })

  it('draws the first rows of a long list at once, reserves space for the rest, and End goes to the last row', full, async () => {
    const { client, home } = test.overture
    await Promise.all(Array.from({ length: 45 }, (_, n) => client.post(`${home}/campaigns`, { name: `Long list ${n}` })))
    const page = await test.signedIn('/campaigns?q=Long+list')
    const links = page.locator('[data-row-link]')
    await links.nth(19).waitFor()
    const height = () => page.evaluate<number>('document.documentElement.scrollHeight')
    const before = await height()
    await links.first().focus()
    await page.keyboard.press('End')
    await links.nth(44).waitFor()
    assert.equal(await links.nth(44).evaluate(link => link === link.ownerDocument.activeElement), true)
    assert.ok(Math.abs((await height()) - before) < 100, 'the page did not keep its height')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: /^Long list \d+$/ }).waitFor()
  })

  it(
    'switches the workspace without a connection, and shows new data after reconnecting, even without permission to read events',
    full,
    async () => {
      const { client, home, baseUrl } = test.overture
      await client.post('/v1/workspaces', { name: 'Second' })
      const scopes = ['campaigns:read', 'workspaces:read']
      const { body } = await client.post('/v1/tokens', { name: 'reader', scopes })
      const page = await test.visitor()
      await page.goto(`${baseUrl}/sign-in`)
      await page.getByLabel('Token').fill(body.data.token)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByRole('link', { name: 'Campaigns', exact: true }).click()
      await page.locator('[data-row-link]').first().waitFor()
      await page.getByText('No live updates: your role').first().waitFor({ state: 'attached' })
      await page.waitForLoadState('networkidle')
      await page.context().setOffline(true)
      await page.getByText('Not connected').first().waitFor({ state: 'attached' })
      await client.post(`${home}/campaigns`, { name: 'Made meanwhile' })
      await page.context().setOffline(false)
      await page.getByRole('link', { name: /Made meanwhile/ }).waitFor()
      await page.context().setOffline(true)
      await page.getByRole('button', { name: /^Workspace: / }).click()
      await page.getByRole('menuitem', { name: 'Second', exact: true }).click()
      await page.getByRole('button', { name: 'Workspace: Second', exact: true }).waitFor()
    },
  )
})
