import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { findBarriers, whyNoBrowser } from '../browser.ts'
import { full } from '../full.ts'
import { type ConsoleTest, startConsole } from './console.ts'

const skip = await whyNoBrowser()

// `npm test` has the walks 'finds an operation by words and keys alone'; the others need the complete run.
describe('the API reference in a browser', { skip }, () => {
  let test: ConsoleTest

  before(async () => {
    test = await startConsole({ worker: false })
  })

  it('finds an operation by keyboard, explains nested fields, and shows it in three languages', async () => {
    const page = await test.visitor()
    await page.goto(`${test.overture.baseUrl}/docs`)
    await page.getByRole('heading', { name: 'Overture API', exact: true }).waitFor()
    assert.deepEqual(await findBarriers(page), [])
    await page.keyboard.press('/')
    await page.keyboard.type('replace sequence')
    await page.getByText(/^\d+ found$/).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: /sequence/i, level: 1 }).waitFor()
    assert.equal(new URL(page.url()).hash, '#sequences.replace')

    await page.getByRole('button', { name: /^steps/ }).click()
    await page.getByRole('button', { name: /^variants/ }).click()
    await page.getByText('subject', { exact: true }).first().waitFor()
    const request = page.getByRole('region', { name: 'Example: Request', exact: true })
    assert.match(String(await request.textContent()), /curl -X PUT .*\n.*\$OVERTURE_TOKEN/)
    await page.getByRole('button', { name: 'TypeScript', exact: true }).click()
    assert.match(String(await request.textContent()), /await overture\.sequences\.replace\(/)
    await page.getByRole('button', { name: 'Python', exact: true }).click()
    assert.match(String(await request.textContent()), /urllib\.request\.Request\(/)
    assert.deepEqual(await findBarriers(page), [])
  })

  it('inserts a token without storing it, with its workspace, and sends read requests only', full, async () => {
    const page = await test.visitor()
    await page.goto(`${test.overture.baseUrl}/docs#campaigns.list`)
    await page.getByText('Fill in your token').click()
    await page.getByLabel('Token').fill(test.overture.client.token)
    const request = page.getByRole('region', { name: 'Example: Request', exact: true })
    await request.getByText(test.overture.workspaceId).waitFor()
    assert.ok(String(await request.textContent()).includes(test.overture.client.token))
    await page.getByRole('button', { name: 'Send request', exact: true }).click()
    await page.getByRole('region', { name: 'Example: Actual response', exact: true }).getByText('200 OK').first().waitFor()
    const kept = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])')
    assert.ok(!String(kept).includes(test.overture.client.token))
    await page.goto(`${test.overture.baseUrl}/docs#campaigns.create`)
    assert.equal(await page.getByRole('button', { name: 'Send request', exact: true }).count(), 0)
  })

  it('fits a phone in dark mode, including the data of events', full, async () => {
    const page = await test.visitor({ width: 390, colorScheme: 'dark' })
    await page.goto(`${test.overture.baseUrl}/docs#campaigns.updateSchedule`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    assert.deepEqual(await findBarriers(page), [])
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390)
    await page.getByRole('button', { name: 'Open menu', exact: true }).click()
    await page.getByRole('searchbox', { name: 'Search the reference', exact: true }).fill('email.replied')
    await page.getByRole('link', { name: 'email.replied', exact: true }).click()
    await page.getByRole('heading', { name: 'email.replied', exact: true }).waitFor()
    await page.getByRole('button', { name: /^data/ }).click()
    await page.getByRole('region', { name: 'Example: Delivery', exact: true }).waitFor()
    assert.deepEqual(await findBarriers(page), [])
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390)
  })
})
