import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { CONSENT_WITHDRAWN } from '../../src/mail/transport/oauth.ts'
import { findBarriers, whyNoBrowser } from '../browser.ts'
import { freePort } from '../faults/processes.ts'
import { full } from '../full.ts'
import { CLIENT, startIssuer, startMailServer } from '../issuer.ts'
import { TestImapServer } from '../mail/imap-server.ts'
import { ScriptedSmtp } from '../mail/smtp-script.ts'
import { startNameServer } from '../name-server.ts'
import { type ConsoleTest, startConsole } from './console.ts'

const skip = await whyNoBrowser()

// `npm test` has the walk 'names a wrong port as the likely mistake'; the others need the complete run.
describe('mailboxes in a browser', { skip }, () => {
  let test: ConsoleTest
  let smtp: ScriptedSmtp
  let imap: TestImapServer
  let names: Awaited<ReturnType<typeof startNameServer>>

  before(async () => {
    smtp = await ScriptedSmtp.start()
    imap = await TestImapServer.start({ user: 'ada', password: 'secret' })
    names = await startNameServer({ '_dmarc.own.example': { txt: ['v=DMARC1; p=reject; rua=mailto:d@own.example'] } })
    test = await startConsole({ config: { dnsServers: names.address } })
  })
  after(async () => {
    await smtp?.close()
    await imap?.close()
    await names?.stop()
  })

  it('names a wrong port as the likely mistake, and connects the same mailbox once it is fixed', async () => {
    const page = await test.signedIn('/mailboxes/new')
    const closed = await freePort()
    await page.getByLabel('Email address', { exact: true }).fill('ada@mailbox.example')
    await page.getByRole('button', { name: 'Enter servers manually', exact: true }).click()
    for (const [name, port] of [
      ['SMTP', closed],
      ['IMAP', imap.port],
    ] as const) {
      await page.getByLabel(`${name} server`).fill('127.0.0.1')
      await page.getByLabel(`${name} port`).fill(String(port))
      await page.getByRole('combobox', { name: `${name} encryption`, exact: true }).click()
      await page.getByRole('option', { name: 'STARTTLS', exact: true }).click()
    }
    await page.getByLabel('Username').fill('ada')
    await page.getByLabel('Password', { exact: true }).fill('secret')
    await page.getByLabel('Sender name').fill('Ada')
    await page.getByLabel('Postal address').fill('1 Example Street, Berlin')
    assert.deepEqual(await findBarriers(page), [])
    await page.getByRole('button', { name: 'Connect and verify', exact: true }).click()
    const stages = page.getByRole('list', { name: 'Verification steps', exact: true })
    await stages.getByText(/Check the server name/).waitFor()
    // The screen does not claim that nothing was saved, and offers to remove it.
    const isSaved = page.getByText('The mailbox is saved, but not connected.')
    await isSaved.waitFor()
    const countMailboxes = async () => (await test.overture.client.get(`${test.overture.home}/providers`)).body.data.length
    assert.equal(await countMailboxes(), 1)
    await page.getByRole('button', { name: 'Remove mailbox', exact: true }).click()
    await isSaved.waitFor({ state: 'detached' })
    assert.equal(await countMailboxes(), 0)
    await page.getByRole('button', { name: 'Connect and verify', exact: true }).click()
    await isSaved.waitFor()
    assert.equal(await countMailboxes(), 1)

    await page.getByLabel('SMTP port').fill(String(smtp.port))
    smtp.script = point => (point === 'AUTH' ? 'hold' : undefined)
    await page.getByRole('button', { name: 'Try again', exact: true }).click()
    // Finished stages are shown while the sign-in still waits for its response.
    await stages.getByText(`Port ${smtp.port} responds`).waitFor()
    assert.equal(await stages.getAttribute('aria-busy'), 'true')
    smtp.script = () => undefined
    smtp.release('235 2.7.0 welcome')
    await page.getByText('Mailbox connected').first().waitFor()
    assert.deepEqual(await findBarriers(page), [])
    const { data } = (await test.overture.client.get(`${test.overture.home}/providers`)).body
    assert.deepEqual(
      data.map((mailbox: { fromEmail: string; status: string }) => [mailbox.fromEmail, mailbox.status]),
      [['ada@mailbox.example', 'connected']],
    )

    await page.getByRole('link', { name: 'Open mailbox', exact: true }).click()
    await page.getByRole('heading', { name: 'ada@mailbox.example', exact: true }).waitFor()
    await page.getByLabel('Signature').fill('Half a signature')
    await page.getByLabel('Daily limit', { exact: true }).fill('25')
    await page.getByRole('button', { name: 'Save limits', exact: true }).click()
    await page.getByText('Limits saved').first().waitFor()
    await page.getByRole('button', { name: 'Save limits', exact: true }).waitFor({ state: 'detached' })
    assert.equal(await page.getByLabel('Signature').inputValue(), 'Half a signature', 'saving one form emptied another')

    // The page is closed, so it does not poll the verification.
    smtp.script = point => (point === 'AUTH' ? 'hold' : undefined)
    await page.getByRole('button', { name: 'Verify mailbox', exact: true }).click()
    await page.getByText(`Port ${smtp.port} responds`).first().waitFor()
    await page.getByRole('link', { name: /^0 of \d+ sent, view events$/ }).click()
    // Half a signature is not saved.
    await page
      .getByRole('dialog', { name: 'Leave without saving?', exact: true })
      .getByRole('button', { name: 'Leave', exact: true })
      .click()
    await page.getByRole('link', { name: 'One mailbox', exact: true }).waitFor()
    const asked: string[] = []
    page.on('request', request => asked.push(new URL(request.url()).pathname))
    await page.getByRole('link', { name: 'One mailbox', exact: true }).click()
    await page.getByRole('link', { name: 'Events', exact: true }).click()
    smtp.script = () => undefined
    smtp.release('235 2.7.0 welcome')
    await page.getByRole('link', { name: 'Operation succeeded', exact: true }).first().waitFor()
    assert.deepEqual(
      asked.filter(path => path.startsWith('/v1/operations/')),
      [],
    )
  })

  it('connects a sandbox in one step, lists it, and removes it after showing the effects', full, async () => {
    const page = await test.signedIn('/mailboxes', { width: 390, colorScheme: 'dark' })
    await page.getByRole('link', { name: 'Connect mailbox', exact: true }).first().click()
    await page.getByRole('button', { name: 'Use a sandbox', exact: true }).click()
    await page.getByRole('heading', { name: 'ada@sandbox.example', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Mailboxes', exact: true }).first().click()
    await page.getByRole('link', { name: /ada@sandbox.example/ }).waitFor()
    await page.getByRole('link', { name: /ada@sandbox.example/ }).click()
    await page.getByRole('button', { name: 'Remove mailbox', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('No campaign uses this mailbox.').first().waitFor()
    await dialog.getByRole('button', { name: 'Remove mailbox', exact: true }).click()
    await page.getByText('ada@sandbox.example removed').first().waitFor()
    await page.getByRole('link', { name: /ada@sandbox.example/ }).waitFor({ state: 'hidden' })
  })

  it('saves only edited fields, so that changes by another person stay', full, async () => {
    const { client, home } = test.overture
    const { body } = await client.post(`${home}/providers`, {
      kind: 'sandbox',
      name: 'Two',
      fromEmail: 'two@sandbox.example',
      dailyCap: 40,
    })
    const page = await test.signedIn(`/mailboxes/${body.data.id}`)
    await page.getByLabel('Emails per domain per hour').fill('7')
    await page.getByLabel('Signature').fill('Ada, with a space behind ')
    await client.patch(`${home}/providers/${body.data.id}`, { dailyCap: 11, fromName: 'Changed elsewhere' })
    const save = (what: string) => page.getByRole('button', { name: `Save ${what}`, exact: true })
    await save('limits').click()
    await page.locator('input[value="Changed elsewhere"]').waitFor()
    assert.equal(await page.getByLabel('Daily limit', { exact: true }).inputValue(), '11')
    await save('sender').click()
    await page.getByText('Sender saved').first().waitFor()
    await save('sender').waitFor({ state: 'detached' })
    const { data } = (await client.get(`${home}/providers/${body.data.id}`)).body
    assert.deepEqual([data.dailyCap, data.maxPerDomainPerHour, data.fromName], [11, 7, 'Changed elsewhere'])
    assert.equal(await page.getByLabel('Signature').inputValue(), 'Ada, with a space behind')
  })

  it('asks which value to keep when two people edit the same field, even when the stream is cut', full, async () => {
    const { client, home } = test.overture
    const { body } = await client.post(`${home}/providers`, { kind: 'sandbox', name: 'Three', fromEmail: 'three@sandbox.example' })
    const path = `${home}/providers/${body.data.id}`
    const page = await test.signedIn('/mailboxes')
    await page.route(/\/events\/stream/, route => route.abort())
    await page.goto(`${test.overture.baseUrl}/mailboxes/${body.data.id}`)
    const save = page.getByRole('button', { name: 'Save limits', exact: true })
    const conflict = page.getByRole('alert', { name: 'Conflicting changes', exact: true })
    for (const [typed, elsewhere, choice, kept] of [
      ['25', 30, 'Discard my changes', 30],
      ['26', 31, 'Keep all my changes', 26],
    ] as const) {
      await page.getByLabel('Daily limit', { exact: true }).fill(typed)
      await client.patch(path, { dailyCap: elsewhere })
      await save.click()
      await conflict.getByText(String(elsewhere), { exact: true }).waitFor()
      assert.deepEqual(await findBarriers(page), [])
      assert.equal((await client.get(path)).body.data.dailyCap, elsewhere)
      await conflict.getByRole('button', { name: choice, exact: true }).click()
      await conflict.waitFor({ state: 'detached' })
      if (choice === 'Keep all my changes') {
        await save.click()
        await page.getByText('Limits saved').first().waitFor()
      }
      assert.equal(await page.getByLabel('Daily limit', { exact: true }).inputValue(), String(kept))
      assert.equal((await client.get(path)).body.data.dailyCap, kept)
    }
  })

  it('saves one server and the signature text without their neighbors, even when the stream is cut', full, async () => {
    const { client, home } = test.overture
    const server = (host: string) => ({ host, port: 465, secure: true })
    const { body } = await client.post(`${home}/providers`, {
      kind: 'smtp',
      name: 'Four',
      fromEmail: 'four@mailbox.example',
      settings: { smtp: server('smtp.mailbox.example'), imap: server('imap.mailbox.example') },
      credentials: { username: 'four', password: 'a secret' },
      signature: { text: 'Four', html: '<p>Four</p>' },
    })
    assert.ok(body.data, JSON.stringify(body))
    const path = `${home}/providers/${body.data.id}`
    const page = await test.signedIn('/mailboxes')
    await page.route(/\/events\/stream/, route => route.abort())
    await page.goto(`${test.overture.baseUrl}/mailboxes/${body.data.id}`)
    await page.getByLabel('SMTP server').fill('mine.mailbox.example')
    await page.getByLabel('Signature').fill('Mine')
    await client.patch(path, {
      settings: { imap: server('theirs.mailbox.example') },
      signature: { text: 'Four', html: '<p>Theirs</p>' },
    })
    for (const [form, said] of [
      ['Servers and password', 'Servers saved. Verify the mailbox now.'],
      ['Sender', 'Sender saved'],
    ] as const) {
      await page.getByRole('button', { name: `Save ${form.toLowerCase()}`, exact: true }).click()
      await page.getByText(said).first().waitFor()
    }
    const { settings, signature } = (await client.get(path)).body.data
    assert.deepEqual([settings.smtp.host, settings.imap.host], ['mine.mailbox.example', 'theirs.mailbox.example'])
    assert.deepEqual(signature, { text: 'Mine', html: '<p>Theirs</p>' })
  })

  it('checks the domain of a mailbox, shows the record to publish, and explains why a tracking host is not used yet', full, async () => {
    const { client, home } = test.overture
    const { body } = await client.post(`${home}/providers`, {
      kind: 'smtp',
      name: 'Own',
      fromEmail: 'ada@own.example',
      settings: { smtp: { host: '127.0.0.1', port: smtp.port, secure: false } },
      credentials: { username: 'ada', password: 'secret' },
    })
    const page = await test.signedIn(`/mailboxes/${body.data.id}`, { width: 390 })
    await page.getByText('Not checked yet.').first().waitFor()
    await page.getByRole('button', { name: 'Check domain', exact: true }).click()
    const checks = page.getByRole('list', { name: 'Domain checks', exact: true })
    await checks.getByText('own.example has no SPF record.').first().waitFor()
    await checks.getByText('v=spf1 ip4:127.0.0.1 ~all').first().waitFor()
    await checks.getByRole('button', { name: 'Copy value', exact: true }).first().click()
    await checks.getByRole('button', { name: 'Copied', exact: true }).waitFor()
    await checks.getByText(/p=reject/).waitFor()
    assert.deepEqual(await findBarriers(page), [])
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    assert.equal(overflow, 0, 'something is wider than a phone')

    await page.getByRole('link', { name: 'Mailboxes', exact: true }).first().click()
    await page.getByLabel('Domain', { exact: true }).fill(`localhost:${await freePort()}`)
    await page.getByRole('button', { name: 'Save and verify', exact: true }).click()
    await page.getByText('Not verified yet', { exact: true }).waitFor()
    await page.getByText(/cannot be reached/).waitFor()
    assert.deepEqual(await findBarriers(page), [])
    await page.getByRole('button', { name: 'Remove domain', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove domain', exact: true }).click()
    await page.getByText('Not verified yet', { exact: true }).waitFor({ state: 'hidden' })
  })

  it('proposes limits with a chart of the ramp, and signs in by consent at Google, again after it was withdrawn', full, async () => {
    const { overture } = test
    const { client, home, baseUrl } = overture
    const issuer = await startIssuer(`${baseUrl}/oauth/callback`)
    const mail = await startMailServer(issuer.provider)
    Object.assign(overture.ctx.config, { googleClientId: CLIENT.id, googleClientSecret: CLIENT.secret, googleIssuerUrl: issuer.url })
    // The issuer is another place than the console, and pages of the console may ask for nothing there.
    const page = await (await test.browser.newContext()).newPage()
    page.setDefaultTimeout(15_000)
    await page.goto(await test.link())
    await page.waitForURL(`${baseUrl}/`)
    await page.goto(`${baseUrl}/mailboxes/new`)
    await page.getByLabel('Email address', { exact: true }).fill('ada@gmail.com')
    await page.getByRole('button', { name: 'Find servers', exact: true }).click()
    const signIn = page.getByRole('button', { name: 'Sign in with Google', exact: true })
    await signIn.waitFor({ timeout: 30_000 })
    await page.getByRole('img', { name: 'Starts at 5 emails a day and reaches the daily limit of 30 on day 10', exact: true }).waitFor()
    assert.deepEqual(await findBarriers(page), [])
    await signIn.click()
    await page.waitForURL(`${issuer.url}/**`)

    const made = await client.post(`${home}/providers`, {
      ...{ kind: 'smtp', name: 'Ada', fromEmail: 'ada@own.example', settings: { smtp: mail.smtp } },
      credentials: { username: 'ada', password: 'old' },
    })
    const { id } = made.body.data
    await overture.ctx.db.pool.query(
      `update providers set status = 'disconnected', status_reason = $2, consent = '{"issuer": "google", "account": "ada@own.example"}' where id = $1`,
      [id, `auth: ${CONSENT_WITHDRAWN}`],
    )
    await page.goto(`${baseUrl}/mailboxes/${id}`)
    const again = page.getByRole('button', { name: 'Sign in again', exact: true })
    await again.click()
    await page.waitForURL(`${issuer.url}/**`)
    // After Back in the browser, the user can go there again. A browser that kept the page sends an event.
    await page.goBack()
    await page.route('**/oauth/authorizations', () => {}, { times: 1 })
    await again.click()
    await again.and(page.locator('[aria-busy=true]')).waitFor()
    await page.evaluate(`dispatchEvent(new Event('pageshow'))`)
    await again.and(page.locator(':not([aria-busy=true])')).click()
    await page.waitForURL(`${issuer.url}/**`)
    await page.locator('input[name=login]').fill('ada@own.example')
    await page.locator('input[name=password]').fill('any')
    await page.locator('button[type=submit]').click()
    await page.locator('button[type=submit]').click()
    await page.waitForURL(`${baseUrl}/mailboxes/${id}`)
    await page.getByText('with the Google account ada@own.example').waitFor()
    assert.equal((await client.get(`${home}/providers/${id}`)).body.data.status, 'connected')
  })
})
