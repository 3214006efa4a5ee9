import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { findBarriers, whyNoBrowser } from '../browser.ts'
import { makeReadyCampaign } from '../factories.ts'
import { full } from '../full.ts'
import type { Client } from '../harness.ts'
import { type ConsoleTest, startConsole, whenLive } from './console.ts'

const skip = await whyNoBrowser()

// `npm test` has the walk 'show automatically that one waits'; the others need the complete run.
describe('the plans of agents in a browser', { skip }, () => {
  let test: ConsoleTest
  let agent: Client
  let propose: (operation: string, more: Record<string, unknown>) => Promise<string>

  before(async () => {
    test = await startConsole()
    agent = await test.overture.withScopes(['campaigns:read', 'campaigns:write', 'operations:read', 'suppressions:write'])
    propose = async (operation, more) => {
      const { status, body } = await agent.post(`${test.overture.home}/plans`, { operation, ...more })
      assert.equal(status, 201, JSON.stringify(body))
      return body.data.plan.id
    }
  })

  it('appear automatically when one is pending, describe the effect, and can be approved or rejected', async () => {
    const { client, home } = test.overture
    const page = await test.signedIn('/plans')
    await whenLive(page)
    await page.getByText('No requests to approve').first().waitFor()
    assert.deepEqual(await findBarriers(page), [])
    const campaign = await makeReadyCampaign(test.overture, 'Spring')
    const first = await propose('campaigns.activate', { params: { campaignId: campaign.id } })
    const second = await propose('suppressions.create', {
      body: { kind: 'domain', value: 'rival.example', reason: `\u202eodd ${'and long '.repeat(12)}` },
    })
    await page.getByRole('link', { name: 'Approvals 2 waiting', exact: true }).waitFor()
    const start = page.getByRole('article', { name: /Spring/ })
    await start.getByText('4 at most').first().waitFor()
    await start.getByText('Requested by').first().waitFor()
    await start.getByText('scoped', { exact: true }).first().waitFor()
    await start.getByText('Show API request').click()
    await start.getByText(`POST ${home}/campaigns/${campaign.id}/activate`).first().waitFor()
    assert.deepEqual(await findBarriers(page), [])

    await start.getByRole('button', { name: 'Approve request', exact: true }).click()
    await page.getByRole('link', { name: 'Approvals 1 waiting', exact: true }).waitFor()
    // The number in the menu may come before the list.
    await start.waitFor({ state: 'detached' })
    await page.getByText('Show API request').click()
    await page.getByText('\\u{202e}odd').first().waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390)
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('article').getByRole('button', { name: 'Reject request', exact: true }).click()
    await page.getByText('No requests to approve').first().waitFor()
    const statuses = await Promise.all([first, second].map(async id => (await client.get(`${home}/plans/${id}`)).body.data.status))
    assert.deepEqual(statuses, ['approved', 'rejected'])
    await page.getByRole('table', { name: 'Decided requests', exact: true }).getByText('Approved').first().waitFor()
  })

  it('can be decided only by a person who could make the request, even on a phone in dark mode', full, async () => {
    await propose('suppressions.create', { body: { kind: 'domain', value: 'other.example' } })
    const { body } = await test.overture.client.post('/v1/tokens', {
      name: 'reader',
      scopes: ['operations:read', 'events:read', 'workspaces:read'],
    })
    const page = await test.visitor({ width: 390, colorScheme: 'dark' })
    await page.goto(`${test.overture.baseUrl}/sign-in`)
    await page.getByLabel('Token').fill(body.data.token)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('button', { name: 'Open the menu', exact: true }).click()
    await page.getByRole('link', { name: /Approvals 1 waiting/ }).click()
    await page.getByText('A teammate with permission has to decide').first().waitFor()
    assert.equal(await page.getByRole('button', { name: 'Approve request', exact: true }).count(), 0)
    assert.deepEqual(await findBarriers(page), [])
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390)
  })
})
