import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { findBarriers, whyNoBrowser } from '../browser.ts'
import { makeCampaign } from '../factories.ts'
import { full } from '../full.ts'
import { type ConsoleTest, startConsole } from './console.ts'

const skip = await whyNoBrowser()

// `npm test` has the walk 'invites a person by a link'; the others need the complete run.
describe('people and data in a browser', { skip }, () => {
  let test: ConsoleTest

  before(async () => {
    test = await startConsole()
  })

  it('suppresses values from a pasted table, reports what was left out, and finds entries by a part of the address', full, async () => {
    const { client, home } = test.overture
    const page = await test.signedIn('/people')
    await page.getByText('No suppressions yet').first().waitFor()
    await page.getByRole('button', { name: 'Add suppressions', exact: true }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Suppress addresses and domains', exact: true })
    const table = [
      'Name;Mail;Website',
      'Ann;"Ann@One.example";one.example',
      'Bob;bob@two.example;',
      'bob@two.example',
      'three.example',
      '',
    ].join('\n')
    await dialog.getByLabel('Addresses and domains').fill(table)
    await dialog.getByLabel('Reason').fill('Customer')
    await dialog.getByText('Found 2 addresses and 1 domain. 1 duplicate skipped. 1 other line skipped.').first().waitFor()
    assert.deepEqual(await findBarriers(page), [])
    await dialog.getByRole('button', { name: 'Suppress 3 entries', exact: true }).click()
    await page.getByRole('dialog', { name: '3 entries suppressed', exact: true }).getByRole('button', { name: 'Done', exact: true }).click()
    const { body } = await client.get(`${home}/suppressions`)
    assert.deepEqual(body.data.map(({ kind, value, reason }: Record<string, string>) => [kind, value, reason]).toSorted(), [
      ['domain', 'three.example', 'Customer'],
      ['email', 'ann@one.example', 'Customer'],
      ['email', 'bob@two.example', 'Customer'],
    ])
    await page.getByRole('searchbox').fill('two.exa')
    await page.getByRole('cell', { name: 'ann@one.example', exact: true }).waitFor({ state: 'hidden' })
    await page.getByRole('cell', { name: 'bob@two.example', exact: true }).waitFor()
    await page.getByRole('searchbox').fill('three')
    await page.getByRole('cell', { name: 'three.example', exact: true }).waitFor()
    await page.getByRole('searchbox').fill('four')
    await page.getByText('No entries match “four”').first().waitFor()
  })

  it('draws every row of a list for the search of the browser, and removes selected suppressions together', full, async () => {
    const { client, home } = test.overture
    const suppressions = Array.from({ length: 45 }, (_, n) => ({ value: `row${n}@bulk.example` }))
    await client.post(`${home}/suppressions/bulk`, { suppressions: [...suppressions, { value: 'last@bulk.example' }] })
    const page = await test.signedIn('/people/suppressions')
    await page.getByRole('cell', { name: 'last@bulk.example', exact: true }).waitFor()
    // Nothing was scrolled.
    await page.locator('tbody tr').nth(suppressions.length).waitFor({ state: 'attached' })
    await page.getByRole('checkbox', { name: 'Select last@bulk.example', exact: true }).click()
    await page.getByRole('checkbox', { name: 'Select row3@bulk.example', exact: true }).click()
    const bar = page.getByRole('region', { name: 'Selected suppressions', exact: true })
    await bar.getByText('2 selected').first().waitFor()
    assert.deepEqual(await findBarriers(page), [])
    await bar.getByRole('button', { name: 'Remove', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Remove 2 suppressions?', exact: true })
    // The first has left the list while the second is still being removed: the dialog still mentions both.
    const [slow] = (await client.get(`${home}/suppressions?q=${encodeURIComponent('row3@bulk.example')}`)).body.data as { id: string }[]
    let release = () => {}
    const isReleased = new Promise<void>(resolve => {
      release = resolve
    })
    await page.route(new RegExp(`/suppressions/${slow!.id}`), async route => {
      await isReleased
      await route.continue()
    })
    await dialog.getByRole('button', { name: 'Remove suppressions', exact: true }).click()
    await dialog.getByText('1 of 2 removed').waitFor()
    await page.evaluate(`dispatchEvent(new Event('online'))`)
    await page.locator('tbody tr', { hasText: 'last@bulk.example' }).waitFor({ state: 'detached' })
    await dialog.getByText('1 of 2 removed').waitFor()
    release()
    await page.getByText('2 suppressions removed').first().waitFor()
    await page.getByRole('cell', { name: 'last@bulk.example', exact: true }).waitFor({ state: 'detached' })
    const left = (await client.get(`${home}/suppressions?limit=100&q=${encodeURIComponent('row3@bulk.example')}`)).body.data
    assert.deepEqual(left, [])
  })

  it('erases a person and shows the report', full, async () => {
    const { client, home } = test.overture
    const { id } = await makeCampaign(test.overture, { name: 'Has a person' })
    await client.operate('POST', `${home}/campaigns/${id}/leads/import`, { leads: [{ email: 'gone@four.example' }] })
    const page = await test.signedIn('/people/erasure', { width: 390 })
    await page.getByLabel('Email address').fill('gone@four.example')
    await page.getByRole('button', { name: 'Delete data…', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete data', exact: true }).click()
    await page.getByText('Personal data deleted. Address suppressed.').first().waitFor()
    await page.getByText('1 removed from their campaigns').first().waitFor()
    assert.deepEqual(await findBarriers(page), [])
    assert.deepEqual((await client.get(`${home}/campaigns/${id}/leads`)).body.data, [])
    await page.getByRole('link', { name: '1', exact: true }).first().click()
    await page.getByRole('dialog', { name: 'Operation', exact: true }).getByText('person.erase').first().waitFor()
  })

  it('invites a person by a link that is shown once; they join with a name, have the permissions of their role, and lose them when removed', async () => {
    const page = await test.signedIn('/people/team')
    await page.getByRole('button', { name: 'Invite teammate', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Invite teammate', exact: true })
    await dialog.getByLabel('Email address').fill('ann@team.example')
    await dialog.getByRole('combobox', { name: 'Role', exact: true }).click()
    await page.getByRole('option', { name: 'Viewer', exact: true }).click()
    await dialog.getByRole('button', { name: 'Create invite link', exact: true }).click()
    const shown = page.getByRole('dialog', { name: 'Invitation for ann@team.example', exact: true })
    const link = (await shown.locator('code').textContent())!
    const [text, copy] = await Promise.all([shown.locator('pre').boundingBox(), shown.getByRole('button', { name: 'Copy' }).boundingBox()])
    assert.ok(text!.x + text!.width <= copy!.x, 'the button covers the secret')
    await shown.getByRole('button', { name: 'Done', exact: true }).click()
    await page.getByRole('cell', { name: 'ann@team.example', exact: true }).waitFor()

    const ann = await test.visitor({ width: 390, colorScheme: 'dark' })
    await ann.goto(link)
    await ann.getByLabel('Your name').fill('Ann')
    assert.equal(new URL(ann.url()).search, '')
    assert.deepEqual(await findBarriers(ann), [])
    await ann.getByRole('button', { name: 'Join workspace', exact: true }).click()
    await ann.getByRole('heading', { name: 'Welcome, Ann', exact: true }).waitFor()
    assert.match((await ann.locator('code').textContent())!, /^ovr_pat_/)
    await ann.getByRole('button', { name: /Open the console/ }).click()
    await ann.getByRole('button', { name: 'Open the menu', exact: true }).waitFor()
    await ann.goto(`${test.overture.baseUrl}/people/team`)
    await ann.getByText('ann@team.example').first().waitFor()
    assert.equal(await ann.getByRole('button', { name: 'Invite teammate', exact: true }).count(), 0)
    // Another role shows without a reload, at the latest when she comes back to the page.
    const { client, home } = test.overture
    const { id } = (await client.get(`${home}/members`)).body.data.find(
      ({ user }: { user: { email: string } }) => user.email === 'ann@team.example',
    )
    const become = async (role: string) => {
      await client.patch(`${home}/members/${id}`, { role })
      await ann.evaluate('document.dispatchEvent(new Event("visibilitychange"))')
    }
    await become('admin')
    await ann.getByRole('button', { name: 'Invite teammate', exact: true }).waitFor()
    await become('viewer')
    await ann.getByRole('button', { name: 'Invite teammate', exact: true }).waitFor({ state: 'detached' })
    await ann.goto(`${test.overture.baseUrl}/developers/keys`)
    await ann.getByText('No access').first().waitFor()
    await ann.getByRole('heading', { name: 'Tokens and keys', exact: true }).waitFor()
    // An address that opens a form for others opens none for her.
    await ann.goto(`${test.overture.baseUrl}/people/suppressions?add=1`)
    await ann.getByRole('heading', { name: 'Suppressions', exact: true }).waitFor()
    assert.equal(await ann.getByRole('dialog').count(), 0)

    await page.reload()
    await page.getByRole('combobox', { name: 'Role of Ann', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Remove Ann', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove teammate', exact: true }).click()
    await page.getByText('Ann removed').first().waitFor()
    await ann.goto(`${test.overture.baseUrl}/people/team`)
    await ann.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
  })

  it('sets the contact rules of the workspace, and reports a concurrent change', full, async () => {
    const { client, home } = test.overture
    const page = await test.signedIn('/people/settings')
    const perCompany = page.getByRole('spinbutton', { name: 'People per company at a time', exact: true })
    const save = page.getByRole('button', { name: 'Save rules', exact: true })
    await perCompany.fill('2')
    await save.click()
    await page.getByText('Settings saved').first().waitFor()
    const { contactRules, updatedAt } = (await client.get(`${home}/settings`)).body.data
    assert.equal(contactRules.maxPerCompanyAtOnce, 2)
    await save.waitFor({ state: 'detached' })
    // Typed before the other change comes, which is not overwritten then.
    await perCompany.fill('5')
    await client.operate(
      'PUT',
      `${home}/settings`,
      { contactRules: { ...contactRules, maxPerCompanyAtOnce: 9 } },
      { 'if-match': updatedAt },
    )
    // The end of that operation is an event, so the conflict shows before anything is saved.
    const conflict = page.getByRole('alert', { name: 'Conflicting changes', exact: true })
    await conflict.getByText('People per company at a time: 9 people').waitFor()
    assert.deepEqual(await findBarriers(page), [])
    assert.equal((await client.get(`${home}/settings`)).body.data.contactRules.maxPerCompanyAtOnce, 9)
    await conflict.getByRole('button', { name: 'Keep all my changes', exact: true }).click()
    await save.click()
    await save.waitFor({ state: 'detached' })
    assert.equal((await client.get(`${home}/settings`)).body.data.contactRules.maxPerCompanyAtOnce, 5)
  })

  it('shows a new name of the workspace from another person before overwriting it', full, async () => {
    const { client, home } = test.overture
    const page = await test.signedIn('/people/settings')
    await page.route(/\/events\/stream/, route => route.abort())
    await page.getByLabel('Workspace name').fill('Mine')
    await client.patch(home, { name: 'Theirs' })
    const rename = page.getByRole('button', { name: 'Rename workspace', exact: true })
    await rename.click()
    const conflict = page.getByRole('alert', { name: 'Conflicting changes', exact: true })
    await conflict.getByText('Theirs', { exact: true }).waitFor()
    assert.equal((await client.get(home)).body.data.name, 'Theirs')
    await conflict.getByRole('button', { name: 'Keep all my changes', exact: true }).click()
    await rename.click()
    await page.getByText('Workspace renamed').first().waitFor()
    await page.getByRole('button', { name: 'Workspace: Mine', exact: true }).waitFor()
    assert.equal((await client.get(home)).body.data.name, 'Mine')
  })

  it('requires domain health, and sets the footer text for one language, each without losing input in the other', full, async () => {
    const { client, home } = test.overture
    const page = await test.signedIn('/people/settings', { width: 390 })
    await page.getByLabel('German (unsubscribe link)').fill('Abmelden:')
    await page.getByRole('switch', { name: /Require healthy domains/ }).click()
    await page.getByRole('button', { name: 'Save setting', exact: true }).click()
    await page.getByText('Settings saved').first().waitFor()
    await page.getByRole('button', { name: 'Save footer text', exact: true }).click()
    await page.getByText('Settings saved').nth(1).waitFor()
    const { domainHealth, optOutLines } = (await client.get(`${home}/settings`)).body.data
    assert.deepEqual({ domainHealth, optOutLines }, { domainHealth: 'require', optOutLines: { de: { link: 'Abmelden:' } } })
  })

  it('shows nothing of one workspace in another that was selected while saving', full, async () => {
    await test.overture.client.post('/v1/workspaces', { name: 'Other' })
    const page = await test.signedIn('/people/settings')
    const sent = Promise.withResolvers<void>()
    const chosen = Promise.withResolvers<void>()
    await page.route(/\/settings$/, async route => {
      if (route.request().method() !== 'PUT') return route.continue()
      sent.resolve()
      await chosen.promise
      await route.continue()
    })
    const french = page.getByLabel('French (unsubscribe link)')
    await french.fill('Se désabonner :')
    await page.getByRole('button', { name: 'Save footer text', exact: true }).click()
    await sent.promise
    await page.getByRole('button', { name: /^Workspace: / }).click()
    await page.getByRole('menuitem', { name: 'Other', exact: true }).click()
    const leave = page.getByRole('dialog').getByRole('button', { name: 'Leave', exact: true })
    const other = page.getByRole('button', { name: 'Workspace: Other', exact: true })
    await leave.or(other).first().waitFor()
    if (await leave.isVisible()) await leave.click()
    await other.waitFor()
    chosen.resolve()
    await page.getByText('Settings saved').first().waitFor()
    await page.getByRole('link', { name: 'Settings & privacy', exact: true }).click()
    await page.getByRole('link', { name: 'Workspace', exact: true }).click()
    await french.waitFor()
    assert.equal(await french.inputValue(), '')
  })
})
