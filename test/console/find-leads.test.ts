import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { parse } from 'csv-parse/sync'
import type { Page, Route } from 'playwright-core'
import { grantCredits } from '../../src/modules/credits/credits.ts'
import { findBarriers, whyNoBrowser } from '../browser.ts'
import { makeCampaign } from '../factories.ts'
import { full } from '../full.ts'
import { addPeople, staffOf } from '../people.ts'
import { type ConsoleTest, startConsole, textOf } from './console.ts'
import { startSwallowingProxy } from './swallowing-proxy.ts'

const skip = await whyNoBrowser()

// `npm test` has the walks 'a brief becomes filters' and 'an order that was accepted before the session ended'; the others need the complete run.
describe('finding leads in a browser', { skip }, () => {
  let test: ConsoleTest

  before(async () => {
    test = await startConsole()
    const { overture } = test
    await addPeople(overture, [
      ...staffOf('Kranich', 6),
      ...staffOf('Lumen', 4, { jobTitle: 'Head of Engineering' }),
      ...staffOf('Lyon Labs', 5, { city: 'Lyon', country: 'France' }),
    ])
    await overture.ctx.db.inTransaction(tx => grantCredits(tx, overture.workspaceId, 100, new Date()))
  })

  const countOrders = async (): Promise<number> => {
    const { body } = await test.overture.client.get(`${test.overture.home}/operations?limit=100`)
    return body.data.filter(({ action }: { action: string }) => action === 'lead_search.export').length
  }
  const countOf = (page: Page, count: number) => page.locator('[data-count]', { hasText: new RegExp(`^${count}$`) }).waitFor()

  it('a brief becomes filters that quote it; they can be edited, and the export is paid and downloaded', async () => {
    const page = await test.signedIn('/find-leads')
    await countOf(page, 15)
    await page.getByLabel('Describe your ideal lead').fill('CTOs at software companies in Berlin who love hiking')
    await page.getByRole('button', { name: 'Create filters', exact: true }).click()
    await countOf(page, 6)
    await page.getByText('from “CTOs”').first().waitFor()
    await page.getByText('Not understood and ignored:').first().waitFor()
    const sample = page.getByRole('list', { name: 'Sample leads', exact: true }).getByRole('listitem')
    await sample.filter({ hasText: 'Berlin, Germany' }).nth(4).waitFor()
    assert.equal(await sample.count(), 5)
    assert.deepEqual(await findBarriers(page), [])
    const facet = (title: string, words: RegExp) => page.getByRole('region', { name: title, exact: true }).getByText(words).waitFor()
    await facet('Country', /^6 · 100%$/)

    await page.getByRole('button', { name: /^Berlin, Germany/ }).click()
    await page.getByText('Without this filter: 11 matches (+5).').first().waitFor()
    await page.getByLabel('Value').fill('France')
    await page.getByRole('button', { name: 'Edit filter', exact: true }).click()
    // Without another click, the count, its distribution and the people follow the edit.
    await countOf(page, 5)
    await facet('Country', /^5 · 100%$/)
    await sample.filter({ hasText: 'Lyon, France' }).nth(4).waitFor()
    await page.getByRole('button', { name: /^France\s*set manually/ }).waitFor()

    await page.getByText('Remaining').first().waitFor()
    await page.getByLabel('Number of leads').fill('9000')
    await page.getByText('Only 5 are available.').waitFor()
    await page.getByText('Overture reserves 5 credits and returns').waitFor()
    await page.getByLabel('Number of leads').fill('3')
    await page.getByText('3 credits').first().waitFor()
    await page.getByRole('button', { name: 'Buy and export CSV', exact: true }).click()
    await page.getByText('3 leads, 3 credits charged.').first().waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('status').getByRole('link', { name: 'Download CSV', exact: true }).click(),
    ])
    const rows = parse(await textOf(download), { columns: true }) as { email: string }[]
    assert.deepEqual(
      rows.map(row => row.email.split('@')[1]),
      Array(3).fill('lyon-labs.example'),
    )
    await page.getByText('97 credits').first().waitFor()

    const again = await test.signedIn(`/find-leads${new URL(page.url()).search}`)
    await countOf(again, 5)
    await again.getByText('from “CTOs”').first().waitFor()
  })

  it('an order accepted before the session ended is not placed again by the next click', async () => {
    const { client } = test.overture
    const page = await test.signedIn(`/find-leads?filters=${encodeURIComponent('{"companies":{"include":["Kranich"]}}')}`)
    await countOf(page, 6)
    const before = await countOrders()
    let isFirst = true
    // The service does not wait with its response, and the session is over when the page looks how far the order is.
    await page.route(/\/leads\/search$/, async route => {
      if (isFirst) await page.getByText('Placing the order').waitFor()
      isFirst = false
      const { prefer: _, ...headers } = route.request().headers()
      return route.continue({ headers })
    })
    // Once: a second look must not end the session of the next sign-in.
    const endSessions = async (route: Route): Promise<void> => {
      const sessions = (await client.get('/v1/sessions')).body.data as { id: string }[]
      for (const { id } of sessions) await client.delete(`/v1/sessions/${id}`)
      await route.continue()
    }
    await page.route(/\/v1\/operations\//, endSessions, { times: 1 })
    await page.getByLabel('Number of leads').fill('2')
    await page.getByRole('button', { name: 'Buy and export CSV', exact: true }).click()
    await page.getByLabel('Token').fill(client.token)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Buy and export CSV', exact: true }).click()
    await page.getByText('2 leads, 2 credits charged.').first().waitFor()
    assert.equal(await countOrders(), before + 1)
  })

  it('a request whose response was lost is not carried out again by the next click', full, async t => {
    const { overture } = test
    const { client, home } = overture
    const proxy = await startSwallowingProxy(overture.baseUrl)
    t.after(() => proxy.close())
    const page = await test.signedIn(`/find-leads?filters=${encodeURIComponent('{"companies":{"include":["Lyon Labs"]}}')}`, {
      through: proxy.baseUrl,
    })
    const ordersBefore = await countOrders()
    await countOf(page, 5)
    await page.getByLabel('Number of leads').fill('2')
    for (const status of [502, 504]) {
      proxy.swallow('POST', /\/leads\/search$/, status)
      await page.getByRole('button', { name: 'Buy and export CSV', exact: true }).click()
      await page.getByText(`A proxy in front of Overture returned ${status}.`).first().waitFor()
    }
    // Even if the screen was left in between.
    await page.getByRole('link', { name: 'Campaigns', exact: true }).click()
    await page.getByRole('heading', { name: 'Campaigns', exact: true }).waitFor()
    await page.goBack()
    await countOf(page, 5)
    // And when the page was loaded again, which is what people do after such an error.
    await page.reload()
    await countOf(page, 5)
    await page.getByLabel('Number of leads').fill('2')
    await page.getByRole('button', { name: 'Buy and export CSV', exact: true }).click()
    await page
      .getByText(/^2 leads, \d credits? charged/)
      .first()
      .waitFor()
    assert.equal(await countOrders(), ordersBefore + 1)

    await page.goto(`${proxy.baseUrl}/developers/credits`)
    for (const status of [502, null]) {
      if (status) proxy.swallow('POST', /\/credits\/grants$/, status)
      await page.getByRole('button', { name: 'Add credits', exact: true }).first().click()
      const dialog = page.getByRole('dialog', { name: 'Add credits', exact: true })
      await dialog.getByLabel('Number of credits').fill('70')
      await dialog.getByRole('button', { name: 'Add credits', exact: true }).click()
      if (!status) continue
      await dialog.getByText(`A proxy in front of Overture returned ${status}.`).first().waitFor()
      await dialog.getByRole('button', { name: 'Cancel', exact: true }).click()
      await dialog.waitFor({ state: 'detached' })
    }
    await page.getByText('70 credits added').first().waitFor()
    const { body } = await client.get(`${home}/credits/ledger`)
    assert.equal(body.data.filter(({ amount }: { amount: number }) => amount === 70).length, 1)
  })

  it('people can be bought directly into a campaign', full, async () => {
    const { overture } = test
    const { id } = await makeCampaign(overture, { name: 'Engineers' })
    const page = await test.signedIn(`/find-leads?filters=${encodeURIComponent('{"companies":{"include":["Lumen"]}}')}`)
    await countOf(page, 4)
    await page.getByRole('combobox', { name: 'Campaign', exact: true }).click()
    await page.getByRole('option', { name: 'Engineers', exact: true }).click()
    await page.getByRole('button', { name: 'Buy and add to campaign', exact: true }).click()
    await page.getByText('4 leads added, 4 credits charged.').first().waitFor()
    const { body } = await overture.client.get(`${overture.home}/campaigns/${id}/leads`)
    assert.equal(body.data.length, 4)
  })
})
