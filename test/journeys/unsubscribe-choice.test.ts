import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { makeCampaign, startLiving } from '../sending.ts'

type Header = { name: string; value: string }
const listHeaders = (headers: Header[]) => headers.map(({ name }) => name).filter(name => name.startsWith('List-'))
const STEP = (body: string) => [{ delayDays: 0, variants: [{ subject: 'Hallo', body }] }]

describe('the unsubscribe method', () => {
  it('is set per campaign, copied with it, and "header" by default', async () => {
    const overture = await startLiving()
    const { client, home } = overture
    const created = await client.post(`${home}/campaigns`, { name: 'Default' })
    assert.deepEqual([created.body.data.unsubscribe, created.body.data.optOutText], ['header', null])
    const path = `${home}/campaigns/${created.body.data.id}`
    const patch = { unsubscribe: 'reply-line', optOutText: 'Say stop, and I stop.' }
    const changed = await client.operate('PATCH', path, patch, { 'if-match': created.body.data.updatedAt })
    assert.equal(changed.status, 'succeeded')
    const { unsubscribe, optOutText } = (await client.get(path)).body.data
    assert.deepEqual({ unsubscribe, optOutText }, patch)
    const copy = (await client.operate('POST', `${path}/duplicate`, { name: 'Copy' })).result.campaign
    assert.deepEqual({ unsubscribe: copy.unsubscribe, optOutText: copy.optOutText }, patch)
    assert.equal((await client.post(`${home}/campaigns`, { name: 'Wrong', unsubscribe: 'never' })).status, 422)
    assert.equal((await client.post(`${home}/campaigns`, { name: 'Wrong', optOutText: ' ' })).status, 422)
  })

  it('decides the headers and the footer of previews and messages', async () => {
    const overture = await startLiving()
    const { client, home } = overture
    const lead = { email: 'silent@people.example' }
    const body = 'Hallo, ich habe eine Frage und hoffe, Sie sind die Richtige.'
    const make = async (campaign: Record<string, unknown>, lead: Record<string, unknown>) => {
      const { base, providerId, campaignId } = await makeCampaign(overture, { leads: [lead], campaign, steps: STEP(body) })
      const preview = (await client.post(`${base}/preview`, { step: 0 })).body.data
      await overture.work.tick()
      const [message] = (await client.get(`${home}/providers/${providerId}/sandbox-messages`)).body.data
      assert.equal(preview.html, null)
      assert.equal(message.html ?? null, null)
      return { preview, text: message.text as string, campaignId, codes: preview.scoreHints.map((hint: { code: string }) => hint.code) }
    }
    const header = await make({}, lead)
    assert.deepEqual(listHeaders(header.preview.headers), ['List-Unsubscribe', 'List-Id'])
    const listId = header.preview.headers.find((each: Header) => each.name === 'List-Id').value
    assert.equal(listId, `<${header.campaignId}.sender.example>`)
    assert.match(header.text, /hier abmelden:\s+http\S+\/u\//)
    // This service is not reached by https here.
    assert.deepEqual(header.codes, ['one_click_missing'])

    const link = await make({ unsubscribe: 'link' }, { ...lead, email: 'silent.b@people.example' })
    assert.deepEqual(listHeaders(link.preview.headers), [])
    assert.match(link.text, /http\S+\/u\//)
    assert.deepEqual(link.codes, ['list_id_missing', 'one_click_missing'])

    const french = { email: 'silent.c@people.example', variables: { language: 'fr-CH' } }
    const line = await make({ unsubscribe: 'reply-line' }, french)
    assert.deepEqual(listHeaders(line.preview.headers), [])
    assert.doesNotMatch(line.text, /http/)
    assert.match(line.text, /répondez « stop »/)

    const own = await make(
      { unsubscribe: 'reply-line', optOutText: 'Say stop, and I stop.' },
      { ...lead, email: 'silent.d@people.example' },
    )
    assert.match(own.text, /-- \nSay stop, and I stop\.\n/)
  })

  it('uses the footer text of the workspace in the language of the lead, unless the campaign has its own', async () => {
    const overture = await startLiving()
    const { client, home } = overture
    const { updatedAt } = (await client.get(`${home}/settings`)).body.data
    const optOutLines = {
      de: { link: 'Kein Interesse? Hier geht es hinaus:', reply: 'Kein Interesse? Schreiben Sie „Stop“.' },
      fr: { link: 'Pas intéressé ?' },
    }
    const saved = await client.operate('PUT', `${home}/settings`, { optOutLines }, { 'if-match': updatedAt })
    assert.deepEqual(saved.result.settings.optOutLines, optOutLines)
    assert.equal(
      (await client.put(`${home}/settings`, { optOutLines: { de: { link: ' ' } } }, { headers: { 'if-match': updatedAt } })).status,
      422,
    )

    const body = 'Hello, I have a question for you and your team.'
    const optOutOf = async (language: string, campaign: Record<string, unknown> = {}) => {
      const leads = [{ email: `${language}@people.example`, variables: { language } }]
      const { base, providerId } = await makeCampaign(overture, { leads, campaign, steps: STEP(body) })
      const preview = (await client.post(`${base}/preview`, { step: 0 })).body.data
      await overture.work.tick()
      const [message] = (await client.get(`${home}/providers/${providerId}/sandbox-messages`)).body.data
      for (const text of [preview.text, message.text]) assert.ok(text.includes(preview.optOut.line), text)
      return preview.optOut
    }
    assert.deepEqual(await optOutOf('de-AT'), { line: optOutLines.de.link, language: 'de', source: 'workspace' })
    const reply = await optOutOf('de', { unsubscribe: 'reply-line' })
    assert.deepEqual([reply.line, reply.source], [optOutLines.de.reply, 'workspace'])
    const own = await optOutOf('fr', { optOutText: 'Say stop, and I stop.' })
    assert.deepEqual([own.line, own.source], ['Say stop, and I stop.', 'campaign'])
    assert.deepEqual([(await optOutOf('es')).source, (await optOutOf('fr')).line], ['built_in', 'Pas intéressé ?'])
  })
})
