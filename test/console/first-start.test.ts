import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { findBarriers, whyNoBrowser } from '../browser.ts'
import { full } from '../full.ts'
import { makeCampaign } from '../sending.ts'
import { type ConsoleTest, startConsole } from './console.ts'

const skip = await whyNoBrowser()

// `npm test` has the walk 'leads from nothing to the first reply'; the others need the complete run.
describe('the first start in a browser', { skip }, () => {
  let test: ConsoleTest

  before(async () => {
    test = await startConsole()
  })

  it('leads from an empty workspace to the first reply: sandbox, example campaign, fourteen days fast-forwarded', async () => {
    const page = await test.signedIn('/')
    const press = (name: string) => page.getByRole('button', { name }).click()
    await page.getByText('First steps').first().waitFor()
    assert.deepEqual(await findBarriers(page), [])
    await press('Use a sandbox')
    await press('Create an example')
    await press('Activate campaign')
    await press('Fast-forward 14 days')
    await page.getByText('Replies to handle').first().waitFor()
    const clock = page.getByRole('region', { name: 'Test clock', exact: true })
    await clock.getByText(/The test clock is 14 days ahead/).waitFor({ timeout: 120_000 })
    await clock.getByRole('link', { name: /repl(y|ies)$/ }).waitFor()
    assert.deepEqual(await findBarriers(page), [])

    const { body } = await test.overture.client.get(`${test.overture.home}/metrics/series?interval=day`)
    const { sent, replied } = body.data.series[0].totals
    assert.ok(sent >= 40 && replied >= 1, `${sent} sent, ${replied} replied`)
    const figure = page.locator('dl > div', { has: page.getByText('Sent', { exact: true }) })
    await figure.getByText(String(sent), { exact: true }).waitFor()

    await clock.getByRole('link', { name: /repl(y|ies)$/ }).click()
    await page.getByRole('heading', { name: 'Inbox', exact: true }).waitFor()
    await page.getByRole('article').last().waitFor()
  })

  it('counts the results of the fast-forwarded days in the current workspace, even if it is not the first', full, async () => {
    const { client } = test.overture
    const { id } = (await client.post('/v1/workspaces', { name: 'Second' })).body.data
    const home = `/v1/workspaces/${id}`
    const leads = [1, 2, 3].map(n => ({ email: `interested+${n}@second.example`, firstName: `P${n}` }))
    await makeCampaign({ ...test.overture, home }, { leads, provider: { fromEmail: 'ada@second.example' } })
    const page = await test.signedIn('/')
    await page.evaluate(chosen => void localStorage.setItem('overture.workspace', chosen), id)
    await page.reload()
    await page.getByRole('button', { name: 'Fast-forward 14 days' }).click()
    // The stream counts up to the same number: it stays when the operation has ended.
    const clock = page.getByRole('region', { name: 'Test clock', exact: true })
    await clock.getByText(/The test clock is 28 days ahead/).waitFor({ timeout: 120_000 })
    await clock.getByRole('link', { name: '3 replies', exact: true }).click()
    await page
      .getByText(/interested\+\d@second\.example/)
      .first()
      .waitFor()
    const { body } = await client.get(`${home}/metrics/series?interval=day`)
    assert.equal(body.data.series[0].totals.replied, 3)
  })

  it('links each number to its events, for the workspace and for a campaign', full, async () => {
    const page = await test.signedIn('/')
    await page
      .locator('dl > div', { has: page.getByText('Sent', { exact: true }) })
      .getByRole('link')
      .click()
    await page.waitForURL(/\/developers\/events\?type=email\.sent/)
    await page
      .getByRole('row', { name: /^Email sent/ })
      .first()
      .waitFor()

    await page.goto(`${test.overture.baseUrl}/campaigns`)
    await page.getByRole('table', { name: 'Campaigns', exact: true }).getByTitle('View events').first().click()
    await page.waitForURL(/\/activity\?type=email\.sent/)
    await page.getByText('Email sent', { exact: true }).first().waitFor()
  })

  it('draws its chart in a browser with the POSIX locale, whose language Intl refuses', full, async () => {
    const page = await test.signedIn('/')
    await page.addInitScript(`Object.defineProperty(Navigator.prototype, 'language', { get: () => 'en-US@posix' })`)
    await page.reload()
    await page.getByRole('figure').locator('canvas').first().waitFor()
  })

  it('hides the clock from read-only users', full, async () => {
    const reader = await test.overture.withScopes([
      'campaigns:read',
      'leads:read',
      'providers:read',
      'events:read',
      'operations:read',
      'workspaces:read',
    ])
    const page = await test.visitor({ width: 390, colorScheme: 'dark' })
    await page.goto(`${test.overture.baseUrl}/sign-in`)
    await page.getByLabel('Token').fill(reader.token)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('Replies to handle').first().waitFor()
    assert.equal(await page.getByRole('button', { name: 'Fast-forward 14 days', exact: true }).count(), 0)
    assert.deepEqual(await findBarriers(page), [])
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    assert.equal(overflow, 0, 'something is wider than a phone')
  })
})
