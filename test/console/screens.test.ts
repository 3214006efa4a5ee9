import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { createDemoCampaigns } from '../../src/app/demo/demo.ts'
import { grantCredits } from '../../src/modules/credits/credits.ts'
import { findBarriers, whyNoBrowser } from '../browser.ts'
import { isFull } from '../full.ts'
import { addPeople, staffOf } from '../people.ts'
import { type ConsoleTest, goTo, type RouterInPage, startConsole } from './console.ts'

const skip = await whyNoBrowser()

/** Every path that has a screen, as the router in the page knows them: a new one is looked at without a word here. */
const pathsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { routesById } = (globalThis as unknown as RouterInPage).__TSR_ROUTER__
    return Object.values(routesById).flatMap(({ fullPath, children }) => (children ? [] : [fullPath]))
  })

describe('every screen of the console', { skip }, () => {
  let test: ConsoleTest
  /** The parameters in the URLs. */
  const ids: Record<string, string> = {}

  before(async () => {
    test = await startConsole()
    const { overture } = test
    const { client, home, ctx, workspaceId } = overture
    await ctx.db.inTransaction(async tx => {
      await grantCredits(tx, workspaceId, 100, ctx.clock.now())
      await createDemoCampaigns(tx, ctx, workspaceId)
    })
    await addPeople(overture, staffOf('Kranich', 6))
    const first = async (path: string): Promise<string> => (await client.get(home + path)).body.data[0].id
    ids.campaignId = await first('/campaigns?q=Autumn')
    ids.leadId = await first(`/campaigns/${ids.campaignId}/leads?status=replied`)
    ids.providerId = await first('/providers')
    const { body } = await client.post(`${home}/webhooks`, { url: 'http://127.0.0.1:9/', events: ['*'] })
    ids.webhookId = body.data.id
    await client.post(`${home}/suppressions`, { kind: 'domain', value: 'rival.example' })
    const agent = await overture.withScopes(['*'])
    const plan = { operation: 'campaigns.pause', params: { campaignId: ids.campaignId } }
    assert.equal((await agent.post(`${home}/plans`, plan)).status, 201)
    const key = { name: 'Agent', scopes: ['campaigns:read'], limits: { leadsPerDay: 50, creditsPerDay: 20, sandboxOnly: true } }
    assert.equal((await client.post(`${home}/api-keys`, key)).status, 201)
    assert.equal((await client.post(`${home}/members`, { email: 'ada@kranich.example', role: 'viewer' })).status, 201)
    const filters = { companies: ['Kranich'] }
    assert.equal((await client.operate('POST', `${home}/leads/search`, { filters, leadCount: 2 })).status, 'succeeded')
  })

  const fill = (path: string): string =>
    path.replace(/\$(\w+)/g, (_, name: string) => ids[name] ?? assert.fail(`${path}: the test has no ${name}`))

  // Every run looks at every screen once, and narrows its window; the complete run looks at each on a phone in the dark as well.
  const LOOKS = [
    { width: 1440, colorScheme: 'light', narrow: 390 },
    { width: 390, colorScheme: 'dark', narrow: 360 },
  ] as const
  for (const { width, colorScheme, narrow } of isFull ? LOOKS : LOOKS.slice(0, 1)) {
    it(`passes axe and fits its window, ${colorScheme} at ${width}`, async () => {
      const page = await test.signedIn('/', { width, colorScheme })
      const paths = await pathsOf(page)
      assert.ok(paths.length > 30, paths.join(' '))
      const seen = new Set<string>()
      for (const path of paths) {
        await goTo(page, fill(path))
        // Some only lead to another.
        const { pathname } = new URL(page.url())
        if (seen.has(pathname)) continue
        seen.add(pathname)
        await page.locator('h1').first().waitFor()
        assert.deepEqual(await findBarriers(page), [], path)
        assert.equal(await page.getByRole('alert').count(), 0, `${path} shows an error`)
        for (const size of [width, narrow, width]) {
          await page.setViewportSize({ width: size, height: 900 })
          // The page lays itself out anew for the size, which takes a few frames.
          await page
            .waitForFunction('document.documentElement.scrollWidth <= document.documentElement.clientWidth')
            .catch(() => assert.fail(`${path} is wider than ${size}`))
        }
      }
    })
  }
})
