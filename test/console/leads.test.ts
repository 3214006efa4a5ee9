import assert from 'node:assert/strict'
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { findBarriers, whyNoBrowser } from '../browser.ts'
import { full } from '../full.ts'
import { type ConsoleTest, goTo, reloadIsAsked, startConsole, textOf } from './console.ts'

const skip = await whyNoBrowser()

const FILE = `E-Mail;Vorname;Firma;Lieblingsfarbe;Notiz
ann@fields.example;Ann;Fields;blau;x
not an address;Bob;Woods;rot;y
eve@lakes.example;Eve;Lakes;;z
`

// `npm test` has the walk 'come from a file whose columns are mapped by hand'; the others need the complete run.
describe('the leads of a campaign in a browser', { skip }, () => {
  let test: ConsoleTest

  before(async () => {
    test = await startConsole()
  })

  async function newCampaign(name: string, leads: { email: string; firstName?: string }[] = []) {
    const { client, home } = test.overture
    const { body } = await client.post(`${home}/campaigns`, { name })
    const base = `${home}/campaigns/${body.data.id}`
    if (leads.length > 0) await client.operate('POST', `${base}/leads/import`, { leads })
    return { id: body.data.id as string, base }
  }

  it('are imported from a file with a manual mapping, and the rejected row can be downloaded', async () => {
    const { client } = test.overture
    const { id, base } = await newCampaign('From a file')
    const page = await test.signedIn(`/campaigns/${id}/leads`)
    await page.getByText('No leads yet').first().waitFor()
    await page.getByRole('link', { name: 'Import CSV', exact: true }).first().click()
    await page.getByLabel('CSV file').setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(FILE) })
    await page.getByText('1 rejected row').first().waitFor()
    await page.getByText('Line 3').first().waitFor()
    assert.equal(await page.getByRole('combobox', { name: 'Import Vorname as', exact: true }).textContent(), 'First name')
    assert.deepEqual(await findBarriers(page), [], 'the check of a file')
    await page.getByRole('combobox', { name: 'Import Notiz as', exact: true }).click()
    await page.getByRole('option', { name: 'Skip column', exact: true }).click()
    const variable = page.getByLabel('Variable name for Lieblingsfarbe')
    await variable.fill('colour')
    await variable.press('Enter')
    await reloadIsAsked(page)
    // The live region exists before there is anything to announce.
    await page.evaluate(`for (const place of document.querySelectorAll('main [role=status]')) place.dataset.was = 'there'`)
    await page.route(/\/leads\/import(?!.*(dryRun|rejected))/, async route => {
      await page.locator('[role=status][data-was=there]', { hasText: 'Uploading the file' }).waitFor()
      await route.continue()
    })
    await page.getByRole('button', { name: 'Import 2 leads', exact: true }).click()
    await page.getByRole('heading', { name: '2 leads imported', exact: true }).waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download rejected rows', exact: true }).click(),
    ])
    const rejected = await textOf(download)
    assert.match(rejected, /not an address/)
    assert.deepEqual(await findBarriers(page), [], 'the result of an import')
    const { data } = (await client.get(`${base}/leads`)).body as { data: { id: string; email: string; variables: object }[] }
    assert.deepEqual(data.map(lead => [lead.email, lead.variables]).sort(), [
      ['ann@fields.example', { colour: 'blau' }],
      ['eve@lakes.example', {}],
    ])
    await page.getByRole('link', { name: 'View leads', exact: true }).click()
    await page.getByRole('link', { name: /ann@fields.example/ }).waitFor()

    // The number of leads in a zone opens these, and no others.
    const eve = data.find(lead => lead.email === 'eve@lakes.example')!
    await client.patch(`${base}/leads/${eve.id}`, { timezone: 'Asia/Tokyo' })
    await page.getByRole('link', { name: 'Schedule', exact: true }).click()
    await page.getByRole('paragraph').filter({ hasText: 'Asia/Tokyo' }).getByRole('link', { name: '1 lead', exact: true }).click()
    await page.getByRole('link', { name: /eve@lakes.example/ }).waitFor()
    assert.equal(await page.getByRole('link', { name: /ann@fields.example/ }).count(), 0)
    await page.getByRole('link', { name: 'Asia/Tokyo', exact: true }).click()
    await page.getByRole('link', { name: /ann@fields.example/ }).waitFor()
  })

  it('are imported once when the page is left during the import and the same file is chosen again', full, async t => {
    const { client, home } = test.overture
    const { id } = await newCampaign('Left early')
    const countImports = async (): Promise<number> => {
      const { data } = (await client.get(`${home}/operations?limit=100`)).body as { data: { action: string }[] }
      return data.filter(({ action }) => action === 'campaign.import_csv').length
    }
    const importsBefore = await countImports()
    const folder = await mkdtemp(join(tmpdir(), 'overture-leads-'))
    t.after(() => rm(folder, { recursive: true }))
    const path = join(folder, 'people.csv')
    const page = await test.signedIn(`/campaigns/${id}/leads/import`)
    const begin = async (name: string) => {
      await writeFile(path, `email\n${name}@fields.example\n`)
      // To the browser both files look alike; to the service they are two imports.
      await utimes(path, 1_700_000_000, 1_700_000_000)
      await page.getByLabel('CSV file').setInputFiles(path)
      await page.getByRole('button', { name: 'Import 1 lead', exact: true }).click()
    }
    const held = /\/v1\/operations\//
    await page.route(held, () => undefined)
    for (const name of ['ann', 'eve']) {
      await Promise.all([page.waitForRequest(held), begin(name)])
      await page.getByRole('link', { name: 'Campaigns', exact: true }).first().click()
      await page.getByRole('heading', { name: 'Campaigns', exact: true }).waitFor()
      await page.goBack()
    }
    await page.unroute(held)
    await begin('eve')
    await page.getByRole('heading', { name: '1 lead imported', exact: true }).waitFor()
    assert.equal(await countImports(), importsBefore + 2)
  })

  it('are added manually, with a note for existing addresses, and changed in a drawer', full, async () => {
    const { client } = test.overture
    const { id, base } = await newCampaign('By hand')
    const page = await test.signedIn('/campaigns')
    await goTo(page, `/campaigns/${id}/leads?new=1`)
    const drawer = page.getByRole('dialog')
    const add = async () => {
      await drawer.getByLabel('Email address').fill('zoe@hills.example')
      await drawer.getByLabel('First name').fill('Zoe')
      await drawer.getByRole('button', { name: 'Add lead', exact: true }).click()
    }
    await add()
    await drawer.waitFor({ state: 'hidden' })
    await page.getByRole('search').getByRole('button', { name: 'Add lead', exact: true }).click()
    await add()
    await drawer.getByText('This address is already in the campaign.').first().waitFor()
    assert.deepEqual(await findBarriers(page), [], 'the drawer')
    await drawer.getByRole('button', { name: 'Cancel', exact: true }).click()
    await page.getByRole('button', { name: 'More actions for Zoe', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Edit lead…', exact: true }).click()
    await drawer.getByLabel('Company').fill('Hills')
    await drawer.getByRole('button', { name: 'Add variable', exact: true }).click()
    await drawer.getByLabel('Variable name').fill('city')
    await drawer.getByLabel('Value of city').fill('Rome')
    await drawer.getByRole('button', { name: 'Save lead', exact: true }).click()
    await page.getByText('Lead saved').first().waitFor()
    const [lead] = (await client.get(`${base}/leads`)).body.data
    assert.deepEqual([lead.firstName, lead.company, lead.variables], ['Zoe', 'Hills', { city: 'Rome' }])
  })

  it('are searched, selected, updated and removed in bulk', full, async () => {
    const { client } = test.overture
    const leads = ['ann', 'bob', 'cid'].map(name => ({ email: `${name}@fields.example`, firstName: name }))
    const { id, base } = await newCampaign('Many', leads)
    const page = await test.signedIn(`/campaigns/${id}/leads`)
    await page.getByRole('link', { name: /cid@/ }).waitFor()
    await page.getByRole('checkbox', { name: 'Select all rows', exact: true }).check()
    await page.getByRole('checkbox', { name: 'Select cid', exact: true }).uncheck()
    const bar = page.getByRole('region', { name: 'Selected leads', exact: true })
    await bar.getByText('2 selected').first().waitFor()
    assert.deepEqual(await findBarriers(page), [], 'chosen leads')
    // A screen that is enlarged to 200 %: the table scrolls within its card, and the page does not.
    await page.setViewportSize({ width: 720, height: 450 })
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    assert.equal(overflow, 0, 'something is wider than the screen')
    await page.setViewportSize({ width: 1440, height: 900 })
    await bar.getByRole('button', { name: 'Set status', exact: true }).click()
    await page.getByRole('dialog').getByRole('combobox', { name: 'Status', exact: true }).click()
    await page.getByRole('option', { name: 'Meeting booked', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Set status', exact: true }).click()
    await page.getByText('2 leads changed').first().waitFor()
    await bar.waitFor({ state: 'hidden' })
    await page.getByRole('combobox', { name: 'Status', exact: true }).click()
    await page.getByRole('option', { name: 'Meeting booked', exact: true }).click()
    await page.waitForURL(/status=meeting_booked/)
    await page.getByRole('link', { name: /cid@/ }).waitFor({ state: 'hidden' })
    await page.getByRole('link', { name: /ann@/ }).waitFor()
    await page.getByRole('checkbox', { name: 'Select all rows', exact: true }).check()
    await bar.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove leads', exact: true }).click()
    await page.getByText('No matching leads').first().waitFor()
    const left = (await client.get(`${base}/leads`)).body.data as { email: string }[]
    assert.deepEqual(
      left.map(({ email }) => email),
      ['cid@fields.example'],
    )
  })
})
