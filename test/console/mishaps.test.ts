import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { findBarriers, whyNoBrowser } from '../browser.ts'
import { full } from '../full.ts'
import { type ConsoleTest, goTo, reloadIsAsked, startConsole } from './console.ts'
import { startSwallowingProxy } from './swallowing-proxy.ts'

const skip = await whyNoBrowser()

// `npm test` has the walks 'the way back closes a dialog and not the page'; the others need the complete run.
describe('mishaps in a browser', { skip }, () => {
  let test: ConsoleTest

  before(async () => {
    test = await startConsole()
  })

  const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
  const namesOf = async (list: string): Promise<string[]> => {
    const { body } = await test.overture.client.get(`${test.overture.home}/${list}`)
    return body.data.map(({ name }: { name: string }) => name)
  }

  it('Back closes a dialog and not the page, and asks before it discards input', async () => {
    const page = await test.signedIn('/')
    await page.getByRole('link', { name: 'Developers', exact: true }).click()
    await page.getByRole('link', { name: 'Tokens and keys', exact: true }).click()
    await page.getByRole('heading', { name: 'Tokens and keys', exact: true }).waitFor()
    const address = page.url()
    const newKey = page.getByRole('button', { name: 'Create key', exact: true }).first()
    await newKey.click()
    const dialog = dialogOf(page, 'New workspace key')
    await dialog.getByLabel('Name').waitFor()
    await page.goBack()
    await dialog.waitFor({ state: 'detached' })
    await page.waitForURL(address)

    await newKey.click()
    await dialog.getByLabel('Name').fill('Nightly import')
    await page.goBack()
    await dialog.getByText('Your changes are not saved.').waitFor()
    assert.deepEqual(await findBarriers(page), [])
    await dialog.getByRole('button', { name: 'Keep editing', exact: true }).click()
    assert.equal(await dialog.getByLabel('Name').inputValue(), 'Nightly import')
    await page.waitForURL(address)
    // The browser asks, too, before it loads the page again.
    await reloadIsAsked(page)
    assert.equal(await dialog.getByLabel('Name').inputValue(), 'Nightly import')
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'Close without saving', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    // With nothing open it leads back.
    await page.goBack()
    await page.waitForURL(url => url.href !== address)
  })

  it('a screen asks once for all of its forms before it discards input: on navigation and on reload', full, async () => {
    const { id: providerId } = (
      await test.overture.client.post(`${test.overture.home}/providers`, {
        kind: 'sandbox',
        name: 'Typed',
        fromEmail: 't@sandbox.example',
      })
    ).body.data
    const page = await test.signedIn('/')
    for (const [path, labels] of [
      ['/mailboxes/new', ['Sender name', 'Username']],
      ['/find-leads', ['Describe your ideal lead']],
      ['/people/settings', ['Workspace name', 'German (unsubscribe link)']],
      [`/mailboxes/${providerId}`, ['Signature', 'Daily limit']],
    ] as const) {
      await goTo(page, path)
      if (path === '/mailboxes/new') {
        await page.getByLabel('Email address', { exact: true }).fill('ada@typed.example')
        await page.getByRole('button', { name: 'Enter servers manually', exact: true }).click()
      }
      for (const label of labels) await page.getByLabel(label).fill('7')
      await reloadIsAsked(page)
      const leave = dialogOf(page, 'Leave without saving?')
      const campaigns = page.getByRole('link', { name: 'Campaigns', exact: true })
      await campaigns.click()
      await leave.getByRole('button', { name: 'Stay', exact: true }).click()
      for (const label of labels) assert.equal(await page.getByLabel(label).inputValue(), '7', `${label} at ${path}`)
      await campaigns.click()
      await leave.getByRole('button', { name: 'Leave', exact: true }).click()
      await page.getByRole('heading', { name: 'Campaigns', exact: true }).waitFor()
    }
    await goTo(page, `/mailboxes/${providerId}`)
    await page.getByLabel('Signature').fill('Typed')
    await page.getByRole('button', { name: 'Remove mailbox', exact: true }).click()
    await dialogOf(page, 'Remove t@sandbox.example?').getByRole('button', { name: 'Remove mailbox', exact: true }).click()
    await page.getByRole('heading', { name: 'Mailboxes', exact: true }).waitFor()
  })

  it('another workspace opens after confirming the loss of input, and not by a later navigation after staying', full, async () => {
    const { body } = await test.overture.client.post('/v1/workspaces', { name: 'Second' })
    const page = await test.signedIn('/people/settings')
    const leave = dialogOf(page, 'Leave without saving?')
    const name = page.getByLabel('Workspace name')
    const answer = async (verb: string) => {
      await name.fill('Typed')
      await page.getByRole('button', { name: /^Workspace: / }).click()
      await page.getByRole('menuitem', { name: 'Second', exact: true }).click()
      await leave.getByRole('button', { name: verb, exact: true }).click()
    }
    const second = page.getByRole('button', { name: 'Workspace: Second', exact: true })
    await answer('Stay')
    assert.equal(await name.inputValue(), 'Typed')
    await page.getByRole('link', { name: 'Home', exact: true }).click()
    await leave.getByRole('button', { name: 'Leave', exact: true }).click()
    await name.waitFor({ state: 'detached' })
    assert.equal(await second.count(), 0)
    await page.goBack()
    await answer('Leave')
    await second.waitFor()
    assert.equal(new URL(page.url()).pathname, '/')

    // A name that another person set is not input of this page.
    await page.goto(`${test.overture.baseUrl}/people/settings`)
    await name.waitFor()
    await test.overture.client.patch(`/v1/workspaces/${body.data.id}`, { name: 'Renamed' })
    await second.click()
    await page.getByRole('menuitem', { name: 'Second', exact: true }).click()
    await page.waitForURL(`${test.overture.baseUrl}/`)
    await page.getByRole('button', { name: 'Workspace: Renamed', exact: true }).waitFor()
  })

  it('Back to another brief keeps newer input', full, async () => {
    const page = await test.signedIn('/find-leads?brief=Founders')
    const brief = page.getByLabel('Describe your ideal lead')
    await brief.fill('Sales directors')
    await page.getByRole('button', { name: 'Update filters', exact: true }).click()
    const isRead = (words: string) => page.getByText(`from “${words}”`).first().waitFor()
    await isRead('Sales directors')
    await page.goBack()
    await isRead('Founders')
    assert.equal(await brief.inputValue(), 'Founders')
    await brief.fill('Owners of hotels')
    await page.goForward()
    await isRead('Sales directors')
    assert.equal(await brief.inputValue(), 'Owners of hotels')
  })

  it('Back from a dialog with a URL goes to the list, and Forward to the dialog', full, async () => {
    const page = await test.signedIn('/')
    await page.getByRole('link', { name: 'Campaigns', exact: true }).click()
    await page.getByRole('heading', { name: 'Campaigns', exact: true }).waitFor()
    await page.getByRole('button', { name: 'New campaign', exact: true }).first().click()
    const dialog = dialogOf(page, 'New campaign')
    await dialog.getByLabel('Name').waitFor()
    await page.goBack()
    await dialog.waitFor({ state: 'detached' })
    assert.equal(new URL(page.url()).pathname, '/campaigns')
    await page.goForward()
    await dialog.getByLabel('Name').fill('Pressed twice')
    // Two presses are one campaign.
    await dialog.getByRole('button', { name: 'Create campaign', exact: true }).dblclick()
    await page.getByRole('heading', { name: 'Pressed twice', exact: true }).waitFor()
    assert.deepEqual(
      (await namesOf('campaigns')).filter(name => name === 'Pressed twice'),
      ['Pressed twice'],
    )
  })

  it('Back from a dialog that was opened on another page returns to that page', full, async () => {
    const page = await test.signedIn('/')
    const home = page.url()
    await page.getByRole('link', { name: 'New campaign', exact: true }).click()
    const dialog = dialogOf(page, 'New campaign')
    await dialog.getByLabel('Name').waitFor()
    await page.goBack()
    await dialog.waitFor({ state: 'detached' })
    await page.waitForURL(home)
    await page.goForward()
    await dialog.getByLabel('Name').waitFor()
  })

  it('a key whose response was lost is not created twice, and another tab shows it without an event', full, async t => {
    const proxy = await startSwallowingProxy(test.overture.baseUrl)
    t.after(() => proxy.close())
    const page = await test.signedIn('/developers/keys', { through: proxy.baseUrl })
    const other = await page.context().newPage()
    await other.goto(`${proxy.baseUrl}/developers/keys`)
    await other.getByText('No keys yet').waitFor()
    proxy.swallow('POST', /\/api-keys$/, 502)
    await page.getByRole('button', { name: 'Create key', exact: true }).first().click()
    const dialog = dialogOf(page, 'New workspace key')
    await dialog.getByLabel('Name').fill('Lost on its way')
    await dialog.getByRole('checkbox', { name: /^campaigns:read/ }).check()
    await dialog.getByRole('button', { name: 'Create key', exact: true }).click()
    await dialog.getByText('A proxy in front of Overture returned 502.').waitFor()
    // Opened again half an hour later it is still the same key, with the same end.
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).click()
    await page.clock.setFixedTime(Date.now() + 1_800_000)
    await page.getByRole('button', { name: 'Create key', exact: true }).first().click()
    await dialog.getByLabel('Name').fill('Lost on its way')
    await dialog.getByRole('checkbox', { name: /^campaigns:read/ }).check()
    await dialog.getByRole('button', { name: 'Create key', exact: true }).click()
    await page.getByText('Secret not received').first().waitFor()
    await page.getByRole('cell', { name: /^Lost on its way/ }).waitFor()
    assert.deepEqual(await namesOf('api-keys'), ['Lost on its way'])
    await other.getByRole('cell', { name: /^Lost on its way/ }).waitFor()
  })

  it('a secret that is shown once is not closed by accident', full, async () => {
    const page = await test.signedIn('/developers/keys')
    await page.getByRole('button', { name: 'Create key', exact: true }).first().click()
    const form = dialogOf(page, 'New workspace key')
    await form.getByLabel('Name').fill('Kept')
    await form.getByRole('checkbox', { name: /^campaigns:read/ }).check()
    await form.getByRole('button', { name: 'Create key', exact: true }).click()
    const secret = dialogOf(page, 'New secret')
    await secret.getByText(/^ovr_/).waitFor()
    await page.keyboard.press('Escape')
    await secret.getByText('This cannot be shown again.').waitFor()
    await page.keyboard.press('Enter')
    await secret.getByText('This cannot be shown again.').waitFor({ state: 'detached' })
    await secret.getByText(/^ovr_/).waitFor()
    await secret.getByRole('button', { name: 'Done', exact: true }).click()
    await secret.waitFor({ state: 'detached' })
  })

  it('loads a screen whose code is missing in the new version', full, async () => {
    const page = await test.visitor()
    // As after an update: the files that this page was built with are gone.
    const gone = /\/assets\/inbox-screen-/
    await page.goto(await test.link())
    await page.getByRole('link', { name: 'Campaigns', exact: true }).waitFor()

    // The page that is loaded again is that of the new version, and names what is there.
    let isNew = false
    page.on('request', request => {
      isNew ||= request.isNavigationRequest()
    })
    await page.route(gone, route => (isNew ? route.continue() : route.fulfill({ status: 404, body: 'Not found' })))
    await page.getByRole('link', { name: 'Inbox', exact: true }).first().click()
    await page.getByRole('heading', { name: 'Inbox', exact: true }).waitFor()
  })
})
