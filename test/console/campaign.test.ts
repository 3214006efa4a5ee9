import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { findBarriers, whyNoBrowser } from '../browser.ts'
import { makeCampaign, makeProvider, makeReadyCampaign, SCHEDULE, STEPS } from '../factories.ts'
import { full } from '../full.ts'
import { type ConsoleTest, goTo, startConsole } from './console.ts'

const skip = await whyNoBrowser()
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const DAY_MS = 86_400_000

const save = (page: Page) => page.getByRole('button', { name: 'Save schedule', exact: true }).click()
const conflictOf = (page: Page) => page.getByRole('alert', { name: 'Conflicting changes', exact: true })

// `npm test` has the walk 'shows two people who change the schedule at the same time both versions'; the others need the complete run.
describe('a campaign in the console', { skip }, () => {
  let test: ConsoleTest

  before(async () => {
    test = await startConsole()
  })

  it('opens after it was duplicated in the list', full, async () => {
    const { id } = await makeReadyCampaign(test.overture, 'To be copied')
    const page = await test.signedIn('/campaigns?q=To+be+copied')
    await page.getByRole('button', { name: 'More actions for To be copied', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Duplicate…', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Duplicate campaign', exact: true }).click()
    await page.getByRole('heading', { name: 'To be copied (copy)', exact: true }).waitFor()
    assert.ok(!page.url().includes(id))
  })

  const scheduleOf = async (id: string) => (await test.overture.client.get(`${test.overture.home}/campaigns/${id}/schedule`)).body.data

  it('selects the first matching time zone, and after Save keeps the focus and moves messages off the button', full, async () => {
    const { id } = await makeReadyCampaign(test.overture, 'Time zone')
    const page = await test.signedIn(`/campaigns/${id}/schedule`)
    const zone = page.getByRole('combobox', { name: 'Time zone', exact: true })
    await zone.click()
    await page.keyboard.type('tokyo')
    await page.getByRole('option', { name: 'Asia/Tokyo', exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('option').first().waitFor({ state: 'detached' })
    assert.equal(await zone.inputValue(), 'Asia/Tokyo')
    const button = page.getByRole('button', { name: 'Save schedule', exact: true })
    // The button goes away after the message has come.
    const covered = await button.boundingBox()
    await button.press('Enter')
    const message = page.getByRole('region', { name: 'Messages', exact: true })
    await message.getByText('Schedule saved').waitFor()
    const covering = await message.boundingBox()
    assert.ok(covering && covered)
    assert.ok(
      covering.x >= covered.x + covered.width ||
        covered.x >= covering.x + covering.width ||
        covering.y >= covered.y + covered.height ||
        covered.y >= covering.y + covering.height,
      'the message covers the button',
    )
    await button.waitFor({ state: 'detached' })
    assert.equal((await scheduleOf(id)).timezone, 'Asia/Tokyo')
    assert.equal(await page.evaluate<string>('document.activeElement.closest("form") ? "form" : document.activeElement.tagName'), 'form')
  })

  it('shows both versions to two people who change the schedule at the same time, and saves the chosen one', async () => {
    const { id } = await makeReadyCampaign(test.overture, 'Two editors')
    const [ann, bob] = [await test.signedIn(`/campaigns/${id}/schedule`), await test.signedIn(`/campaigns/${id}/schedule`)]
    await ann.getByRole('button', { name: 'Sat', exact: true }).click()
    await bob.getByLabel('From').fill('10:00')
    await save(bob)
    await bob.getByText('Schedule saved').first().waitFor()

    const conflict = conflictOf(ann)
    await conflict.waitFor()
    assert.equal(await ann.getByRole('button', { name: 'Save schedule', exact: true }).isDisabled(), true)
    await conflict.getByRole('group', { name: 'Hours', exact: true }).getByText('10:00 AM–5:00 PM').first().waitFor()
    assert.equal(
      await conflict
        .getByRole('group', { name: 'Hours', exact: true })
        .getByRole('radio', { name: /^Saved version/ })
        .isChecked(),
      true,
    )
    assert.equal(
      await conflict
        .getByRole('group', { name: 'Days', exact: true })
        .getByRole('radio', { name: /^Your version/ })
        .isChecked(),
      true,
    )
    assert.deepEqual(await findBarriers(ann), [])
    await conflict.getByRole('button', { name: 'Use selected values', exact: true }).click()
    await save(ann)
    await ann.getByText('Schedule saved').first().waitFor()
    const { daysOfWeek, timeWindow } = await scheduleOf(id)
    assert.deepEqual([daysOfWeek.includes('saturday'), timeWindow.start], [true, '10:00'])
    // Bob has no changes, so he sees the current state.
    await bob.locator('button[aria-pressed=true]', { hasText: 'Sat' }).waitFor()
  })

  it('overwrites nothing when it learns of the other change only on saving', full, async () => {
    const { client, home } = test.overture
    const { id, updatedAt } = await makeReadyCampaign(test.overture, 'Without a stream')
    const page = await test.signedIn()
    await page.route('**/events/stream*', route => route.abort())
    await page.goto(`${test.overture.baseUrl}/campaigns/${id}/schedule`)
    await page.getByLabel('Until').fill('15:00')
    const changed = { ...SCHEDULE, timeWindow: { start: '08:00', end: '12:00' } }
    await client.operate('PUT', `${home}/campaigns/${id}/schedule`, changed, { 'if-match': updatedAt })
    await save(page)
    await conflictOf(page).getByText('8:00 AM–12:00 PM').first().waitFor()
    assert.deepEqual((await scheduleOf(id)).timeWindow, { start: '08:00', end: '12:00' })
    await conflictOf(page).getByRole('button', { name: 'Keep all my changes', exact: true }).click()
    await save(page)
    await page.getByText('Schedule saved').first().waitFor()
    assert.deepEqual((await scheduleOf(id)).timeWindow, { start: '09:00', end: '15:00' })
  })

  it('explains why nothing is sent, and its button removes the reason', full, async () => {
    const { client, home } = test.overture
    const inThreeDays = WEEKDAYS[new Date(Date.now() + 3 * DAY_MS).getUTCDay()]
    // A time zone where it is noon: a window that is open all day is closed in the last minute before midnight.
    const sinceNoon = new Date().getUTCHours() - 12
    const timezone = `Etc/GMT${sinceNoon < 0 ? '' : '+'}${sinceNoon}`
    const schedule = { daysOfWeek: [inThreeDays], timeWindow: { start: '09:00', end: '10:00' }, timezone }
    const { id } = await makeReadyCampaign(test.overture, 'Closed window', { schedule })
    const page = await test.signedIn(`/campaigns/${id}`)
    await page.getByText('All checks passed. The campaign can be activated.').first().waitFor()
    await page.getByRole('button', { name: 'Activate', exact: true }).click()
    await page.getByText('“Closed window” activated').first().waitFor()
    await page.getByRole('link', { name: 'Sending', exact: true }).click()
    // A sum opens its parts.
    await page.getByTitle('View reasons').click()
    await page.waitForURL(/#time$/)
    await page.getByRole('button', { name: 'Send all day…', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Send all day', exact: true })
    await dialog.getByText('Show API request').click()
    await dialog.getByText(`PUT ${home}/campaigns/${id}/schedule`).first().waitFor()
    await dialog.getByRole('button', { name: 'Send all day', exact: true }).click()
    await page
      .getByText(/^Outside the sending window until/)
      .first()
      .waitFor({ state: 'hidden' })
    assert.deepEqual((await scheduleOf(id)).timeWindow, { start: '00:00', end: '23:59' })
    await page.getByRole('link', { name: 'Activity', exact: true }).click()
    await page.getByText('Email sent').first().waitFor()
    // The share of the leads that were contacted and the line of the last days open the events.
    for (const number of [{ title: /of 2 leads\. View events$/ }, { has: page.getByRole('img', { name: /in the last 14 days$/ }) }]) {
      await page.getByRole('link', { name: 'Campaigns', exact: true }).first().click()
      const row = page.getByRole('row', { name: /Closed window/ })
      await ('title' in number ? row.getByTitle(number.title) : row.getByRole('link').filter(number)).click()
      await page.waitForURL(/\/activity\?type=email\.sent$/)
    }
    assert.ok((await client.get(`${home}/campaigns/${id}/metrics`)).body.data.metrics.emailsSentCount >= 1)
  })

  it('lists what a draft needs, each with a link to fix it', full, async () => {
    const { body } = await test.overture.client.post(`${test.overture.home}/campaigns`, { name: 'Lacks everything' })
    const page = await test.signedIn(`/campaigns/${body.data.id}`)
    for (const remedy of ['Add leads', 'Write sequence', 'Choose mailbox'])
      await page.getByRole('link', { name: remedy, exact: true }).waitFor()
    await page.getByRole('link', { name: 'Set schedule', exact: true }).click()
    await page.waitForURL(/\/schedule$/)
    await page.getByText('Suggested schedule. Not saved yet.').waitFor()
    await save(page)
    await page.getByText('Schedule saved').first().waitFor()
    await page.getByRole('link', { name: 'Overview', exact: true }).click()
    await page.getByRole('link', { name: 'Set schedule', exact: true }).waitFor({ state: 'hidden' })
  })

  it('says what a paused campaign and one without leads wait for', full, async () => {
    const { client, home } = test.overture
    const inThreeDays = WEEKDAYS[new Date(Date.now() + 3 * DAY_MS).getUTCDay()]
    const { id } = await makeReadyCampaign(test.overture, 'Paused early', { schedule: { ...SCHEDULE, daysOfWeek: [inThreeDays] } })
    for (const change of ['activate', 'pause']) await client.operate('POST', `${home}/campaigns/${id}/${change}`, {})
    const page = await test.signedIn(`/campaigns/${id}`)
    await page.getByRole('heading', { name: 'If you resume now', exact: true }).waitFor()
    await goTo(page, `/campaigns/${id}/sending`)
    await page.getByRole('heading', { name: 'Waiting for you 2', exact: true }).waitFor()
    await goTo(page, `/campaigns/${id}/leads/${(await client.get(`${home}/campaigns/${id}/leads`)).body.data[0].id}`)
    await page.getByText('Due when the campaign resumes').waitFor()

    const empty = await makeCampaign(test.overture, { name: 'Without leads', schedule: SCHEDULE })
    await client.operate('PUT', `${home}/campaigns/${empty.id}/sequence`, STEPS, { 'if-match': empty.updatedAt })
    await goTo(page, `/campaigns/${empty.id}/simulation`)
    await page.getByText('No lead is waiting for an email.').waitFor()
    assert.equal(await page.getByRole('heading', { name: /^(Forecast|Speed limit|Not sent)$/ }).count(), 0)
  })

  it('separates rules of the campaign from those of the workspace, and asks before it discards changes', full, async () => {
    const { id } = await makeReadyCampaign(test.overture, 'Own rules')
    const page = await test.signedIn(`/campaigns/${id}/settings`)
    await page.getByRole('button', { name: 'Override for this campaign: People per company at a time', exact: true }).click()
    await page.getByRole('spinbutton', { name: 'People per company at a time', exact: true }).fill('2')
    await page.getByText('Workspace default: No limit').first().waitFor()
    await page.getByRole('link', { name: 'Activity', exact: true }).click()
    await page
      .getByRole('dialog', { name: 'Leave without saving?', exact: true })
      .getByRole('button', { name: 'Stay', exact: true })
      .click()
    await page.getByRole('button', { name: 'Save rules', exact: true }).click()
    await page.getByText('Contact rules saved').first().waitFor()
    const { contactRules, effectiveContactRules } = (await test.overture.client.get(`${test.overture.home}/campaigns/${id}`)).body.data
    assert.deepEqual(contactRules, { maxPerCompanyAtOnce: 2 })
    assert.equal(effectiveContactRules.maxPerCompanyAtOnce, 2)
  })

  it('draws the simulation as a bar for each day and as a table', full, async () => {
    const { client, home } = test.overture
    const { id } = await makeReadyCampaign(test.overture, 'Two mailboxes', {}, { name: 'North', dailyCap: 1 })
    const south = await makeProvider(test.overture, { name: 'South', dailyCap: 1 })
    const { providerId, updatedAt } = (await client.get(`${home}/campaigns/${id}`)).body.data
    const mailboxes = { providerId, rotationProviderIds: [south.id] }
    await client.operate('PUT', `${home}/campaigns/${id}/mailboxes`, mailboxes, { 'if-match': updatedAt })
    const page = await test.signedIn(`/campaigns/${id}/simulation`)
    await page.getByText('Show as table').click()
    const read = (selector: string) => page.locator(selector).evaluateAll(all => all.map(({ textContent }) => textContent))
    await page.locator('details tbody tr').first().waitFor()
    const names = (await read('details thead th')).slice(1)
    assert.deepEqual(names.toSorted(), ['North', 'South'])
    const { days } = (await client.get(`${home}/campaigns/${id}/simulate?horizonDays=365`)).body.data as {
      days: { byMailbox: Record<string, number> }[]
    }
    const idOf = { North: providerId, South: south.id } as Record<string, string>
    const simulated = days.map(({ byMailbox }) => names.map(name => byMailbox[idOf[name!]!] ?? 0))
    const cells = (await read('details tbody td:not(:first-child)')).map(Number)
    const table = cells.flatMap((_, at) => (at % 2 === 0 ? [cells.slice(at, at + 2)] : []))
    assert.deepEqual(
      table.filter(row => row.some(count => count > 0)),
      simulated,
    )
    // The scale ends at its highest number, so the height of a part is its share of that.
    const most = Number(await page.locator('figure .tabular').last().textContent())
    const heights = await page
      .locator('figure [style*="height"] > div span[style]')
      .evaluateAll(parts => parts.map(part => part.style.height))
    assert.deepEqual(
      heights.map(height => Math.round((Number.parseFloat(height) / 100) * most)),
      cells,
    )
  })
})
