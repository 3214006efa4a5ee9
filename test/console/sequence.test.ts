import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { findBarriers, whyNoBrowser } from '../browser.ts'
import { full } from '../full.ts'
import { type ConsoleTest, startConsole } from './console.ts'

const skip = await whyNoBrowser()

// `npm test` has the walk 'is written in two steps'; the others need the complete run.
describe('the sequence of a campaign in a browser', { skip }, () => {
  let test: ConsoleTest

  before(async () => {
    test = await startConsole()
  })

  async function newCampaign(name: string, steps?: object[]) {
    const { client, home } = test.overture
    const { body } = await client.post(`${home}/campaigns`, { name })
    const base = `${home}/campaigns/${body.data.id}`
    await client.operate('POST', `${base}/leads/import`, { leads: [{ email: 'ann@fields.example', firstName: 'Ann', company: 'Fields' }] })
    if (steps) await save(base, steps)
    return { id: body.data.id as string, base }
  }

  async function save(base: string, steps: object[]) {
    const { client } = test.overture
    const { updatedAt } = (await client.get(base)).body.data
    assert.equal((await client.operate('PUT', `${base}/sequence`, { steps }, { 'if-match': updatedAt })).status, 'succeeded')
  }

  const stepsOf = async (base: string) =>
    ((await test.overture.client.get(`${base}/sequence`)).body.data.steps as { delayDays: number; variants: object[] }[]).map(step => ({
      delayDays: step.delayDays,
      variants: (step.variants as { subject: string; body: string }[]).map(({ subject, body }) => [subject, body]),
    }))

  it('is written in two steps, previewed before saving, and saved', async () => {
    const { id, base } = await newCampaign('Two steps')
    const page = await test.signedIn(`/campaigns/${id}/sequence`)
    await page.getByRole('button', { name: 'Write first step', exact: true }).click()
    const first = page.getByRole('region', { name: 'Step 1', exact: true })
    await first.getByLabel('Subject').fill('A question about {{ company }}')
    await first.getByLabel('Message').fill('Hi ')
    await first.getByRole('button', { name: 'Insert variable', exact: true }).click()
    await page.getByRole('menuitem', { name: /First name/ }).click()
    await page.locator('textarea:focus').and(first.getByLabel('Message')).waitFor()
    assert.equal(await first.getByLabel('Message').inputValue(), 'Hi {{ firstName | default: "there" }}')
    await page.getByText('A question about Fields').first().waitFor()
    await first.getByLabel('Message').fill('Hi {{ fristName | default: "there" }}')
    await first.getByText('Did you mean firstName?').waitFor()
    await first.getByRole('button', { name: 'Use firstName', exact: true }).click()
    assert.equal(await first.getByLabel('Message').inputValue(), 'Hi {{ firstName | default: "there" }}')
    await page.locator('pre', { hasText: 'Hi Ann' }).waitFor()
    assert.deepEqual(await stepsOf(base), [], 'a preview saves nothing')
    await page.getByRole('button', { name: 'Add step', exact: true }).click()
    const second = page.getByRole('region', { name: 'Step 2', exact: true })
    await second.getByLabel('Delay of step 2 in business days').fill('4')
    await second.getByLabel('Message').fill('<p>Just <b>once</b> more.</p>')
    await page.getByText('Re: A question about Fields').first().waitFor()
    await page.frameLocator('iframe[title="The message as HTML"]').getByText('once').first().waitFor()
    assert.deepEqual(await findBarriers(page), [], 'the editor')
    await page.keyboard.press('Control+s')
    await page.getByText('Sequence saved').first().waitFor()
    assert.deepEqual(await stepsOf(base), [
      { delayDays: 0, variants: [['A question about {{ company }}', 'Hi {{ firstName | default: "there" }}']] },
      { delayDays: 4, variants: [[null, '<p>Just <b>once</b> more.</p>']] },
    ])
  })

  it('shows both versions when another person saves in the meantime, and keeps the chosen one', full, async () => {
    const steps = (one: string, two: string) => [
      { delayDays: 0, variants: [{ subject: 'One', body: one }] },
      { delayDays: 3, variants: [{ body: two }] },
    ]
    const { id, base } = await newCampaign('Two editors', steps('First', 'Second'))
    const page = await test.signedIn(`/campaigns/${id}/sequence`)
    await page.getByRole('region', { name: 'Step 1', exact: true }).getByLabel('Message').fill('Mine')
    // Another change of the campaign is no conflict.
    await test.overture.client.operate('POST', `${base}/leads/import`, { leads: [{ email: 'bob@fields.example' }] })
    await save(base, steps('Theirs', 'Second, theirs'))
    const conflict = page.getByRole('alert', { name: 'Conflicting changes', exact: true })
    await conflict.getByText(/One\s+Mine/).waitFor()
    await conflict.getByText('Second, theirs').first().waitFor()
    // A user who writes far below it is taken to it.
    await page.setViewportSize({ width: 390, height: 600 })
    await page.getByRole('button', { name: 'Add step', exact: true }).scrollIntoViewIfNeeded()
    await page.getByRole('button', { name: 'Go to error', exact: true }).click()
    await page.waitForFunction(`document.querySelector('main [role=alert]')?.getBoundingClientRect().top >= 0`)
    await page.setViewportSize({ width: 1440, height: 900 })
    assert.deepEqual(await findBarriers(page), [], 'the conflict')
    // The second step was not edited here, so theirs is chosen automatically.
    await conflict.getByRole('button', { name: 'Use selected values', exact: true }).click()
    await conflict.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Save sequence', exact: true }).click()
    await page.getByText('Sequence saved').first().waitFor()
    assert.deepEqual(
      (await stepsOf(base)).map(step => step.variants[0]![1]),
      ['Mine', 'Second, theirs'],
    )
  })

  it('has variants with weights, shows which leads lack a variable, and fits a phone', full, async () => {
    const { id } = await newCampaign('Variants', [{ delayDays: 0, variants: [{ subject: 'One', body: 'In {{ city }}' }] }])
    const page = await test.signedIn(`/campaigns/${id}/sequence`, { width: 390, colorScheme: 'dark' })
    await page.getByRole('list', { name: 'Problems of this step', exact: true }).getByText('ann@fields.example').first().waitFor()
    await page.getByRole('button', { name: 'More actions for step 1', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Add variant', exact: true }).click()
    await page.getByLabel('Weight of variant B').fill('3')
    await page.getByRole('button', { name: 'B 75%', exact: true }).waitFor()
    assert.deepEqual(await findBarriers(page), [], 'variants on a phone')
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    assert.equal(overflow, 0, 'something is wider than a phone')
  })
})
