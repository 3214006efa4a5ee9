import assert from 'node:assert/strict'
import { test } from 'node:test'
import { composeMessage } from '../../mail/compose/compose.ts'
import { judgeHit } from '../../mail/compose/tracking.ts'
import { answeredIds, judgeMessage, parseInbound } from '../../mail/inbound/inbound.ts'
import type { SandboxReaction } from '../sending/deliver.ts'
import { type Persona, personaOf, reactTo } from './personas.ts'

const at = new Date('2026-02-10T10:00:00Z')
const messageId = '<s1@northwind.example>'

function deliver(to: string, more: { thread?: { subject: string; messageIds: string[] }; plain?: boolean; at?: Date } = {}) {
  const message = composeMessage({
    from: { address: 'lena@northwind.example' },
    to: { address: to },
    date: more.at ?? at,
    messageId,
    subject: more.thread ? null : 'Quick question',
    thread: more.thread ?? null,
    body: 'Hi, see https://northwind.example/a and https://northwind.example/b.',
    format: 'text',
    unsubscribe: { url: 'https://t.example/u/1' },
    tracking: more.plain ? null : { pixelUrl: 'https://t.example/o/1', link: (_url, i) => `https://t.example/c/${i}` },
  })
  return reactTo({ raw: Buffer.from(message.raw, 'latin1'), envelope: message.envelope, at: more.at ?? at })
}
const kinds = (reactions: SandboxReaction[]) => reactions.map(reaction => reaction.kind)
const classOf = async (reaction: SandboxReaction | undefined) => {
  const message = await parseInbound(reaction?.raw as Buffer)
  assert.ok(answeredIds(message).includes(messageId))
  return judgeMessage(message, reaction?.at as Date)
}

test('each named persona behaves as named, and its reply is classified accordingly', async () => {
  const expectations: [string, SandboxReaction['kind'], string][] = [
    ['interested+7@x.example', 'reply', 'positive'],
    ['not-interested@x.example', 'reply', 'negative'],
    ['later@x.example', 'reply', 'neutral'],
    ['opt-out@x.example', 'reply', 'opt_out'],
    ['away@x.example', 'auto_reply', 'auto_reply'],
    ['bounce@x.example', 'bounce', 'bounce'],
    ['bounce-soft@x.example', 'bounce', 'bounce'],
  ]
  for (const [address, kind, meaning] of expectations) {
    const reactions = await deliver(address)
    const last = reactions.at(-1)
    assert.equal(last?.kind, kind, address)
    assert.equal((await classOf(last)).kind, meaning, address)
  }
})

test('every text of a persona is classified as intended, for every persona', async () => {
  const meant = { interested: 'positive', 'not-interested': 'negative', later: 'neutral', 'opt-out': 'opt_out' }
  for (const [name, kind] of Object.entries(meant)) {
    for (let i = 0; i < 12; i++) {
      assert.equal((await classOf((await deliver(`${name}+${i}@x.example`)).at(-1))).kind, kind)
    }
  }
})

test('an away persona names the return day, and reads again afterwards', async () => {
  const reactions = await deliver('away-until-2026-03-12@x.example')
  assert.equal((await classOf(reactions[0])).returnDate, '2026-03-12')
  const back = await deliver('away-until-2026-03-12@x.example', { at: new Date('2026-03-13T10:00:00Z') })
  assert.deepEqual(kinds(back), ['open'])
})

test('bounces name the message and their severity', async () => {
  const hard = await classOf((await deliver('bounce@x.example'))[0])
  assert.deepEqual([hard.bounce?.type, hard.bounce?.recipient], ['hard', 'bounce@x.example'])
  assert.equal((await classOf((await deliver('bounce-soft@x.example'))[0])).bounce?.type, 'soft')
})

test('opens, clicks and one-click unsubscribing use the addresses in the message', async () => {
  const urls = async (to: string) => (await deliver(to)).map(({ kind, url }) => [kind, url])
  assert.deepEqual(await urls('opens@x.example'), [['open', 'https://t.example/o/1']])
  const [open, click] = await urls('clicks@x.example')
  assert.deepEqual(open, ['open', 'https://t.example/o/1'])
  assert.match(click?.[1] ?? '', /^https:\/\/t\.example\/c\/[01]$/)
  assert.deepEqual((await urls('unsubscribe@x.example')).at(-1), ['unsubscribe', 'https://t.example/u/1'])
  assert.deepEqual(await urls('silent@x.example'), [])
  assert.deepEqual(kinds(await deliver('opens@x.example', { plain: true })), [])
})

test('the scanner counts as a machine and people as people', async () => {
  const judge = (reaction: SandboxReaction, together: number) =>
    judgeHit({
      kind: reaction.kind as 'open' | 'click',
      method: 'GET',
      userAgent: reaction.userAgent ?? null,
      msSinceDelivery: reaction.at.getTime() - at.getTime(),
      linksClickedTogether: together,
      linksInMessage: 2,
    }).by
  const scanned = await deliver('scanner@x.example')
  assert.deepEqual(kinds(scanned), ['open', 'click', 'click'])
  for (const reaction of scanned) assert.equal(judge(reaction, 2), 'machine')
  for (const reaction of await deliver('clicks@x.example')) assert.equal(judge(reaction, 1), 'human')
})

test('the same delivery always has the same outcome, and reactions come after it in order', async () => {
  for (let i = 0; i < 60; i++) {
    const to = `person${i}@x.example`
    const first = await deliver(to)
    assert.deepEqual(await deliver(to), first)
    const times = first.map(reaction => reaction.at.getTime())
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
    )
    assert.ok(times.every(time => time > at.getTime()))
  }
})

test('a large crowd shows every persona, and replies within three messages', async () => {
  const seen = new Map<Persona, number>()
  for (let i = 0; i < 2000; i++) {
    const { persona } = personaOf(`person${i}@company${i % 37}.example`)
    seen.set(persona, (seen.get(persona) ?? 0) + 1)
  }
  assert.equal(seen.size, 12)
  assert.ok((seen.get('interested') ?? 0) > 100)
  const keen = Array.from({ length: 200 }, (_, i) => `person${i}@x.example`).filter(to => personaOf(to).persona === 'interested')
  for (const to of keen) {
    let replies = 0
    for (let position = 0; position < 4; position++) {
      const messageIds = Array.from({ length: position }, (_, n) => `<e${n}@northwind.example>`)
      const reactions = await deliver(to, position === 0 ? {} : { thread: { subject: 'Quick question', messageIds } })
      replies += reactions.filter(reaction => reaction.kind === 'reply').length
    }
    assert.equal(replies, 1, to)
  }
})
