import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { findBarriers, whyNoBrowser } from '../browser.ts'
import { makeCampaign } from '../factories.ts'
import { full } from '../full.ts'
import { Client } from '../harness.ts'
import { type ConsoleTest, goTo, startConsole, whenLive } from './console.ts'

const skip = await whyNoBrowser()

// `npm test` has the walk 'a webhook is made with its secret shown once'; the others need the complete run.
describe('the developer screens in a browser', { skip }, () => {
  let test: ConsoleTest
  let url: string
  let answer = 500
  const heard: { headers: Record<string, string>; body: string }[] = []
  const receiver = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    heard.push({ headers: request.headers as Record<string, string>, body })
    response.writeHead(answer).end()
  })

  before(async () => {
    test = await startConsole()
    receiver.listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  })
  after(() => {
    receiver.close()
    receiver.closeAllConnections()
  })

  it('a webhook shows its secret once, fails with a reason, and succeeds after a replay', async () => {
    const page = await test.signedIn('/developers/webhooks')
    await whenLive(page)
    await page.getByRole('button', { name: 'Create endpoint', exact: true }).first().click()
    const form = page.getByRole('dialog', { name: 'New endpoint', exact: true })
    await form.getByLabel('URL').fill(url)
    await form.getByRole('button', { name: 'Create endpoint', exact: true }).click()
    const shown = page.getByRole('dialog', { name: 'Endpoint secret', exact: true })
    const secret = (await shown.locator('code').textContent())!
    assert.match(secret, /^whsec_/)
    await shown.getByRole('button', { name: 'Done', exact: true }).click()
    await shown.waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: url, exact: true }).waitFor()
    assert.ok(!(await page.content()).includes(secret))

    const campaign = await makeCampaign(test.overture, { name: 'Told of' })
    await test.overture.client.operate('POST', `${test.overture.home}/campaigns/${campaign.id}/archive`)
    const row = page.getByRole('row', { name: /campaign\.archived Failed 500/ }).first()
    await row.waitFor()
    await row.getByRole('link').click()
    const delivery = page.getByRole('dialog', { name: 'Delivery', exact: true })
    await delivery.getByText(/The endpoint returned 500. Only 2xx counts as delivered/).waitFor()
    const sent = heard.find(({ body }) => body.includes('campaign.archived'))!.body
    await delivery.getByText(sent, { exact: true }).waitFor()
    assert.ok((await delivery.locator('pre').allTextContents()).includes(sent), 'the shown body is not the one that was sent')
    assert.deepEqual(await findBarriers(page), [])
    await page.keyboard.press('Escape')

    answer = 204
    await page.getByRole('button', { name: 'Replay events…', exact: true }).click()
    await page
      .getByRole('dialog', { name: 'Replay events', exact: true })
      .getByRole('button', { name: 'Replay events', exact: true })
      .click()
    await page.getByText(/events? replayed/).waitFor()
    await page
      .getByRole('row', { name: /campaign\.archived Succeeded 204/ })
      .first()
      .waitFor()
    const last = heard.findLast(({ body }) => body.includes('campaign.archived'))!
    new Webhook(secret).verify(last.body, last.headers)
  })

  it('events arrive live, and each links to its operation with the actor and the duration', full, async () => {
    const page = await test.signedIn('/developers/events?type=campaign.archived')
    await whenLive(page)
    await page
      .getByRole('row', { name: /Campaign archived/ })
      .first()
      .waitFor()
    const before = await page.getByRole('row', { name: /Campaign archived/ }).count()
    const campaign = await makeCampaign(test.overture, { name: 'Seen live' })
    await test.overture.client.operate('POST', `${test.overture.home}/campaigns/${campaign.id}/archive`)
    await page.getByText('1 new').first().waitFor()
    // The rows of a list are drawn when the browser has time for them.
    await page
      .getByRole('row', { name: /Campaign archived/ })
      .nth(before)
      .waitFor()
    assert.equal(await page.getByRole('row', { name: /Campaign archived/ }).count(), before + 1)
    await page.goto(`${test.overture.baseUrl}/developers/operations?action=campaign.archive`)
    await page.getByRole('link', { name: 'Archive campaign', exact: true }).first().click()
    const sheet = page.getByRole('dialog', { name: 'Operation', exact: true })
    await sheet.getByText('Requested by').first().waitFor()
    await sheet
      .getByText(/\d+ ms/)
      .first()
      .waitFor()
    assert.deepEqual(await findBarriers(page), [])

    await goTo(page, '/developers/audit')
    await page.getByRole('link', { name: 'Archive campaign', exact: true }).first().waitFor()
    // The operation of a sign-in belongs to the person, so a link would lead nowhere.
    await page.getByRole('cell', { name: 'Sign in', exact: true }).first().waitFor()
    assert.equal(await page.getByRole('link', { name: 'Sign in', exact: true }).count(), 0)
  })

  it('a key has the chosen scopes and budget, shows its usage, and is refused once revoked', full, async () => {
    const page = await test.signedIn('/developers/keys')
    await page.getByRole('button', { name: 'Create key', exact: true }).first().click()
    const form = page.getByRole('dialog', { name: 'New workspace key', exact: true })
    await form.getByLabel('Name').fill('Nightly')
    await form.getByRole('checkbox', { name: /campaigns:read/ }).check()
    await form.getByRole('checkbox', { name: /leads:write/ }).check()
    await form.getByRole('switch', { name: /Limit leads/ }).click()
    await form.getByRole('spinbutton', { name: 'Limit leads: per day', exact: true }).fill('3')
    await form.getByRole('switch', { name: /Sandbox only/ }).click()
    assert.deepEqual(await findBarriers(page), [])
    await form.getByRole('button', { name: 'Create key', exact: true }).click()
    const shown = page.getByRole('dialog', { name: 'New secret', exact: true })
    const key = new Client(test.overture.baseUrl, (await shown.locator('code').textContent())!)
    await shown.getByRole('button', { name: 'Done', exact: true }).click()
    assert.equal((await key.get(`${test.overture.home}/campaigns`)).status, 200)
    assert.equal((await key.get(`${test.overture.home}/webhooks`)).status, 403)
    const campaign = await makeCampaign(test.overture, { name: 'Within a budget' })
    const people = (count: number) => ({ leads: Array.from({ length: count }, (_, at) => ({ email: `p${at}@budget.example` })) })
    const leads = `${test.overture.home}/campaigns/${campaign.id}/leads/import`
    await key.operate('POST', leads, people(2))
    assert.equal((await key.post(leads, people(2))).body.error.code, 'token_budget_exceeded')
    await page.reload()
    const row = page.getByRole('row', { name: /Nightly/ })
    await row.getByText('2 of 3 leads').first().waitFor()
    await row.getByText('sandbox only').first().waitFor()
    await page.getByRole('button', { name: 'Revoke Nightly', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke key', exact: true }).click()
    await page.getByText('“Nightly” revoked').first().waitFor()
    assert.equal((await key.get(`${test.overture.home}/campaigns`)).status, 401)
  })

  it('requests of a screen can be copied as a command and as an SDK call', full, async () => {
    const page = await test.signedIn('/developers/operations?status=failed')
    await page.evaluate(`navigator.clipboard.writeText = async text => { globalThis.copied = text }`)
    const copy = async (as: string): Promise<string> => {
      await page.getByRole('button', { name: 'Copy as code', exact: true }).first().click()
      await page.getByRole('menuitem', { name: `Copy as ${as}`, exact: true }).click()
      await page.waitForFunction('globalThis.copied')
      return page.evaluate('(text => (delete globalThis.copied, text))(globalThis.copied)')
    }
    const { baseUrl, home } = test.overture
    const proof = '-H "authorization: Bearer $OVERTURE_TOKEN"'
    assert.equal(await copy('curl'), `curl '${baseUrl}${home}/operations?status=failed' \\\n  ${proof}`)
    assert.match(await copy('SDK call'), /\nawait overture\.operations\.list\(\{"status":"failed"\}\)$/)

    await goTo(page, '/people/settings')
    const lines = page.locator('section', { has: page.getByRole('heading', { name: 'Footer text', exact: true }) })
    await lines.getByRole('button', { name: 'Copy as code', exact: true }).waitFor()
    await page.getByRole('heading', { name: 'Workspace', exact: true }).waitFor()
    assert.match(await copy('SDK call'), /\nawait overture\.workspaces\.getSettings\(\)$/)
    await lines.getByRole('button', { name: 'Copy as code', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Copy as curl', exact: true }).click()
    await page.waitForFunction('globalThis.copied')
    const command = await page.evaluate<string>('globalThis.copied')
    assert.ok(command.startsWith(`curl -X PUT '${baseUrl}${home}/settings' \\\n  ${proof} \\\n`), command)
    assert.match(command, /-H 'content-type: application\/json' \\\n {2}-H 'if-match: [^']+' \\\n {2}-d '\{"optOutLines":\{\}\}'$/)
  })
})
