import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { replyInSandbox } from '../sandbox-reply.ts'
import { makeCampaign, startLiving } from '../sending.ts'
import { InProcess } from './in-process.ts'

const TEXTS: Record<string, string> = {
  ann: 'This looks great, could we set up a call next week?',
  bob: 'No thanks, we are not interested.',
  eve: 'Nie jestem purple \u001b[31mumbrellas\u009b2J.\n\nSecond \u202eline',
}

// Not in a hook, because a hook's cleanups run when the hook ends.
const overture = await startLiving()

describe('replies at the command line', () => {
  const line = new InProcess(overture)
  const ids: Record<string, string> = {}
  before(async () => {
    const leads = Object.keys(TEXTS).map(name => ({ email: `silent+${name}@people.example`, firstName: name }))
    await makeCampaign(overture, { leads, campaign: { name: 'Spring' } })
    await overture.work.tick()
    for (const [name, text] of Object.entries(TEXTS)) {
      overture.clock.advance(60_000)
      await replyInSandbox(overture, `silent+${name}@people.example`, text)
    }
    for (const { id, from } of (await line.json(['replies', '--all'])).data) ids[/\+(\w+)@/.exec(from)![1]!] = id
  })

  const listed = async (...args: string[]) => (await line.json(['replies', ...args])).data.map(({ id }: { id: string }) => id)

  it('are listed if they need a review, or by kind and campaign', async () => {
    assert.deepEqual(await listed(), [ids.eve])
    assert.equal((await listed('--all')).length, 3)
    assert.deepEqual(await listed('--kind', 'positive', '--campaign', 'Spring'), [ids.ann])
    const limited = await line.run(['replies', '--all', '--limit', '2'])
    assert.match(limited.err, /There are more replies: --limit 4/)
    assert.equal((await line.run(['replies', '--kind', 'polite'])).code, 2)
    assert.equal((await line.run(['replies', '--campaign', 'Absent'])).code, 4)
  })

  it('are shown without control characters', async () => {
    for (const args of [
      ['replies', '--all'],
      ['replies', 'show', ids.eve!],
      ['replies', 'show', ids.eve!, '--thread'],
      ['replies', 'show', ids.eve!, '--json'],
    ]) {
      const { code, out } = await line.run(args)
      assert.equal(code, 0)
      assert.match(out, /purple/)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
      assert.doesNotMatch(out, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
    }
    assert.match((await line.run(['replies', 'show', ids.eve!])).out, /umbrellas.*\n\n {2}Second/)
    assert.match((await line.run(['replies', 'show', ids.eve!, '--thread'])).out, /^--> .*\n/m)
  })

  it('are corrected and handled', async () => {
    const corrected = await line.run(['replies', 'correct', ids.bob!, '--kind', 'opt-out'])
    assert.equal(corrected.out, 'The reply is now opt_out; it was classified as negative.\n')
    assert.equal((await line.run(['replies', 'correct', ids.bob!])).code, 2)
    assert.equal((await line.run(['replies', 'correct', ids.bob!, '--kind', 'auto_reply'])).code, 2)
    await line.json(['replies', 'handle', ids.eve!, ids.bob!])
    assert.deepEqual(await listed(), [])
    assert.equal((await line.run(['replies', 'handle', overture.workspaceId])).code, 4)
  })

  it('are answered with piped text, and the command ends when the answer is sent', async () => {
    const empty = await line.run(['replies', 'answer', ids.ann!], { input: ' \n' })
    assert.equal(empty.code, 2)
    const answering = line.start(['replies', 'answer', ids.ann!], { input: 'Gladly.\nTuesday?\n' })
    let isOver = false
    void answering.ended.then(() => (isOver = true))
    while (!isOver) await overture.work.tick()
    const { code, out, err } = await answering.ended
    assert.equal(code, 0, err)
    assert.match(out, /The answer to silent\+ann@people\.example was sent\./)
    const shown = await line.json(['replies', 'show', ids.ann!, '--thread'])
    assert.equal(shown.handled, true)
    assert.match(shown.thread.at(-1).text, /Gladly\.\r?\nTuesday\?/)
    const refused = await line.run(['replies', 'answer', ids.bob!, '--text', 'But why?'])
    assert.equal(refused.code, 5)
  })

  it('are filtered by known values only', async () => {
    assert.match((await line.run(['replies', 'shwo', ids.ann!])).err, /Did you mean show\?/)
    assert.equal((await line.run(['replies', 'show', 'first'])).code, 2)
    assert.equal((await line.run(['replies', 'show'])).code, 2)
  })
})
