import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { findBarriers, whyNoBrowser } from '../browser.ts'
import { eventually } from '../faults/eventually.ts'
import { full } from '../full.ts'
import { makeCampaign } from '../sending.ts'
import { type ConsoleTest, goTo, startConsole, whenLive } from './console.ts'

const skip = await whyNoBrowser()
const ALWAYS = {
  daysOfWeek: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
  timeWindow: { start: '00:00', end: '23:59' },
  timezone: 'UTC',
}

interface Listed {
  id: string
  from: string
  kind: string
  handled: boolean
}

// `npm test` has the walk 'shows replies as they come in'; the others need the complete run.
describe('the inbox in a browser', { skip }, () => {
  let test: ConsoleTest
  let page: Page

  const replies = async (): Promise<Listed[]> => (await test.overture.client.get(`${test.overture.home}/replies`)).body.data
  const replyFrom = async (from: string): Promise<Listed> => {
    const found = (await replies()).find(reply => reply.from === from)
    assert.ok(found, `nobody called ${from} has replied`)
    return found
  }

  before(async () => {
    test = await startConsole()
    await makeCampaign(test.overture, {
      leads: [
        { email: 'interested+ann@people.example', firstName: 'Ann', lastName: 'Archer', company: 'Archer & Co' },
        { email: 'not-interested+bob@people.example', firstName: 'Bob' },
        { email: 'later+cleo@people.example', firstName: 'Cleo' },
      ],
      campaign: { name: 'Founders', schedule: ALWAYS },
    })
    page = await test.signedIn('/inbox')
    await whenLive(page)
  })

  it('shows replies as they arrive, and lets you read, correct, answer and handle one by keyboard', async () => {
    const { client } = test.overture
    await page.getByText('No replies to handle').first().waitFor()
    const played = await client.operate('POST', '/v1/sandbox/clock', { advance: { days: 2 } })
    assert.equal(played.status, 'succeeded', JSON.stringify(played.error))
    const list = page.getByRole('list', { name: 'Replies', exact: true })
    for (const name of ['Ann Archer', 'Bob', 'Cleo']) await list.getByRole('link', { name }).waitFor()

    // The first that came in is open, wherever those that came later have put it: up or down until it is Ann's.
    const chosen = list.locator('[aria-current]')
    await chosen.waitFor()
    const nameIn = (row: string | null): string => /^\w+/.exec(row ?? '')?.[0].toLowerCase() ?? ''
    for (let turn = 0; turn < 3; turn++) {
      const names = (await list.getByRole('link').allTextContents()).map(nameIn)
      const before = nameIn(await chosen.textContent())
      if (before === 'ann') break
      await page.keyboard.press(names.indexOf('ann') > names.indexOf(before) ? 'j' : 'k')
      await eventually('the next is chosen', async () => nameIn(await chosen.textContent()) !== before)
    }
    await page.getByRole('heading', { name: 'Ann Archer', exact: true }).waitFor()
    await page.getByRole('article').last().waitFor()
    await page.keyboard.press('2')
    await page.getByText(/Your team changed it to neutral/).waitFor()
    await page.keyboard.press('r')
    await page.keyboard.type('Thursday at ten suits me.')
    await page.keyboard.press('Control+Enter')
    await page.getByText(/Answer sent to interested\+ann@people.example/).waitFor()
    await list.getByRole('link', { name: /^Ann Archer/ }).waitFor({ state: 'hidden' })
    const ann = await eventually('the reply is handled', async () => {
      const reply = await replyFrom('interested+ann@people.example')
      return reply.handled ? reply : null
    })
    assert.equal(ann.kind, 'neutral')

    await page.goto(`${test.overture.baseUrl}/inbox?view=handled&reply=${ann.id}`)
    await page.getByRole('list', { name: 'Messages', exact: true }).getByText('Answer by you', { exact: true }).first().waitFor()
    await page.getByText('Thursday at ten suits me.').first().waitFor()
    // A second answer asks first, and is sent once when it is confirmed.
    await page.getByRole('textbox', { name: /^Answer to/ }).fill('And Friday at noon.')
    await page.keyboard.press('Control+Enter')
    const asked = page.getByRole('dialog', { name: 'Send another answer?', exact: true })
    await asked.getByText(/^You answered .+ The lead would receive both answers\.$/).waitFor()
    assert.deepEqual(await findBarriers(page), [])
    await asked.getByRole('button', { name: 'Cancel', exact: true }).click()
    await asked.waitFor({ state: 'hidden' })
    await page.getByRole('textbox', { name: /^Answer to/ }).press('Control+Enter')
    await asked.getByRole('button', { name: 'Send another answer', exact: true }).click()
    await page.getByText(/Answer sent to interested\+ann@people.example/).waitFor()
    await page.getByRole('list', { name: 'Messages', exact: true }).getByText('And Friday at noon.').first().waitFor()

    // An answer to a reply that opts out would be refused, so it is not offered.
    const bob = await replyFrom('not-interested+bob@people.example')
    assert.equal((await client.patch(`${test.overture.home}/replies/${bob.id}`, { kind: 'opt_out' })).status, 200)
    await goTo(page, `/inbox?view=all&reply=${bob.id}`)
    await page.getByText('This person opted out, so you cannot answer.').waitFor()
    assert.equal(await page.getByRole('textbox', { name: /^Answer to/ }).count(), 0)

    // She was contacted and is erased: the list has one lead less, and the funnel shows no share of it.
    const erased = await client.operate('POST', `${test.overture.home}/erasures`, { email: 'interested+ann@people.example' })
    assert.equal(erased.status, 'succeeded', JSON.stringify(erased.error))
    const [campaign] = (await client.get(`${test.overture.home}/campaigns`)).body.data as { id: string }[]
    await goTo(page, `/campaigns/${campaign!.id}`)
    await page.getByRole('link', { name: /^Contacted 3 including removed leads$/ }).waitFor()
    await goTo(page, `/campaigns/${campaign!.id}/activity?type=reply.updated`)
    await page.getByText('Positive → Neutral, by you', { exact: true }).first().waitFor()

    await goTo(page, `/campaigns/${ann.id}`)
    await page.getByText('This campaign does not exist, or you have no access.').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Copy request ID' }).count(), 0)
  })

  it('marks as handled with e and opens the next, and suppresses with s after asking', full, async () => {
    await page.goto(`${test.overture.baseUrl}/inbox`)
    const list = page.getByRole('list', { name: 'Replies', exact: true })
    await list.getByRole('link', { name: /^Bob/ }).click()
    await page.getByRole('heading', { name: 'Bob', exact: true }).waitFor()
    // A question that is put while that is under way stays about Bob, although Cleo is selected when it is done.
    const dialog = page.getByRole('dialog', { name: 'Suppress sender', exact: true })
    const bobIsSelected = page.url()
    const held = Promise.withResolvers<void>()
    await page.route(/\/replies\/[^/]+$/, async route => {
      if (route.request().method() === 'PATCH') await held.promise
      await route.continue()
    })
    await page.keyboard.press('e')
    await page.keyboard.press('s')
    await dialog.waitFor()
    held.resolve()
    await page.waitForURL(url => url.href !== bobIsSelected)
    await dialog.getByText('not-interested+bob@people.example').waitFor()
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).click()
    await list.getByRole('link', { name: /^Bob/ }).waitFor({ state: 'hidden' })
    assert.equal((await replyFrom('not-interested+bob@people.example')).handled, true)
    await page.getByRole('heading', { name: 'Cleo', exact: true }).waitFor()
    await page.keyboard.press('s')
    await dialog.waitFor()
    assert.deepEqual(await findBarriers(page), [])
    await dialog.getByRole('button', { name: 'Suppress address', exact: true }).click()
    await page.getByText('later+cleo@people.example suppressed').first().waitFor()
  })

  it('shows one pane at a time on a phone, with a way back', full, async () => {
    const phone = await test.signedIn('/inbox?view=all', { width: 390, colorScheme: 'dark' })
    await phone.getByRole('link', { name: /^Bob/ }).click()
    await phone.getByRole('heading', { name: 'Bob', exact: true }).waitFor()
    assert.equal(await phone.getByRole('link', { name: /^Cleo/ }).count(), 0)
    assert.deepEqual(await findBarriers(phone), [])
    const overflow = await phone.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    assert.equal(overflow, 0, 'something is wider than a phone')
    await phone.getByRole('button', { name: 'All replies', exact: true }).click()
    await phone.getByRole('link', { name: /^Cleo/ }).waitFor()
  })
})
