import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { isFull } from '../../../test/full.ts'
import { RenderDesk, type TryJob, type WriteJob } from './render-desk.ts'

const desk = new RenderDesk()
after(() => desk.stop())
const now = new Date('2026-02-10T10:00:00Z')

const writing = (body: string, variables: Record<string, unknown> = {}, n = 0): WriteJob => ({
  kind: 'write',
  template: { subject: 'Hi', body },
  variables,
  spintaxSeed: `s${n}`,
  message: {
    from: { address: 'lena@northwind.example' },
    to: { address: `p${n}@brightco.example` },
    date: now,
    messageId: `<s${n}@northwind.example>`,
    unsubscribe: { url: 'https://t.example/u/1' },
  },
  pixelUrl: null,
  clickUrls: null,
})
const trying = (body: string): TryJob => ({ kind: 'try', template: { subject: 'Hi', body }, variables: {}, spintaxSeed: 's', now })

/** Each of them would run for minutes, or until there is no memory left. */
const HOSTILE: Record<string, string> = {
  'an output that ends twice': '{{ "}}" | size }}{% assign a = (1..99999) %}{{ a | where_exp: "x", "a contains x" | size }}',
  'a filter with an expression':
    '{% assign a = (1..9999) %}{{ a | find_exp: "x", "a contains 0" }}{{ a | where_exp: "x", "a contains 0" | size }}',
  'a replacement that grows': `{% assign s = "aaaaaaaaaaaaaaaa" %}${'{% assign s = s | replace: "a", s %}'.repeat(9)}{{ s | size }}`,
  'a huge range': '{{ (1..999999999) | join: "x" | size }}',
  'nested loops':
    '{% for a in (1..9999) %}{% for b in (1..9999) %}{% for c in (1..9999) %}{{ "a" | upcase }}{% endfor %}{% endfor %}{% endfor %}',
  'a text that grows': `{% assign s = "aaaaaaaaaaaaaaaa" %}${'{% assign s = s | append: s %}'.repeat(60)}{{ s }}`,
  'splitting and joining': `{% assign s = "a,a,a,a,a,a,a,a" %}${'{% assign s = s | split: "," | join: s %}'.repeat(20)}{{ s | size }}`,
}

for (const [index, [name, body]] of Object.entries(HOSTILE).entries()) {
  // Both end in the same way. In `npm test`, they take turns.
  const isTried = isFull || index % 2 === 0
  const isWritten = isFull || !isTried
  test(`${name} is ended while the process continues`, async t => {
    // Some of them give no answer about their processor time, so the clock ends them.
    const { OVERTURE_TEST_PATIENCE: usual } = process.env
    process.env.OVERTURE_TEST_PATIENCE = '1'
    t.after(() => Object.assign(process.env, { OVERTURE_TEST_PATIENCE: usual ?? '1' }))
    let turns = 0
    const counter = setInterval(() => turns++, 10)
    const [tried, written] = await Promise.all([
      isTried ? desk.tryOut('a', [trying(body)]) : [],
      isWritten ? desk.write('b', [writing(body)]) : [],
    ])
    clearInterval(counter)
    const messages = [...tried.flat(), ...written].map(answer => (answer as { message?: string }).message ?? '')
    assert.equal(messages.length, isFull ? 2 : 1)
    for (const message of messages) assert.match(message, /too long|too much memory/)
    // If the process waited for a template that takes long, it would tick once at the end.
    if (/too long/.test(messages[0]!)) assert.ok(turns > 2, `${turns} ticks`)
  })
}

test('a template whose braces nest deeply is checked in time', async () => {
  const nested = `${'{a'.repeat(20_000)}|b${'}'.repeat(20_000)}`
  const problems = await desk.check('a', [
    { subject: 'Hi', body: 'Hi' },
    { subject: 'Hi', body: nested },
    { subject: 'Hi', body: `${nested} again` },
  ])
  assert.deepEqual(problems, [null, null, null])
})

test('two hundred messages are composed in one batch, in order', async () => {
  const jobs = Array.from({ length: 200 }, (_, n) => writing('Hi {{ firstName }}', { firstName: `Ada ${n}` }, n))
  const answers = await desk.write('a', jobs)
  answers.forEach((answer, n) => {
    assert.ok(answer.kind === 'written')
    assert.match(answer.composed.text, new RegExp(`^Hi Ada ${n}\n`))
    assert.match(answer.composed.raw, new RegExp(`^Hi Ada ${n}\r$`, 'm'))
    assert.equal(answer.composed.envelope.to, `p${n}@brightco.example`)
  })
})

test('a faulty template fails, and others in its batch do not', async () => {
  const jobs = Array.from({ length: 20 }, (_, n) => writing(n === 7 ? HOSTILE['a replacement that grows']! : 'Hi', {}, n))
  const kinds = (await desk.write('a', jobs)).map(answer => answer.kind)
  assert.deepEqual(
    kinds,
    jobs.map((_, n) => (n === 7 ? 'heavy' : 'written')),
  )
})

test('templates of one workspace do not delay another', async () => {
  const order: string[] = []
  const hostile = Array.from({ length: 2 }, (_, n) =>
    desk.write('hostile', [writing(`${n}${HOSTILE['a filter with an expression']}`)]).then(() => order.push('hostile')),
  )
  const honest = Array.from({ length: 20 }, () => desk.write('honest', [writing('Hi')]).then(() => order.push('honest')))
  await Promise.all([...hostile, ...honest])
  assert.ok(order.slice(0, 20).filter(each => each === 'honest').length >= 19, order.join(' '))
})

test('a template is checked, a missing variable gives another error, and a template that is too long is refused', async () => {
  const problems = await desk.check('a', [
    { subject: 'Hi', body: 'Hi {{ firstName }}' },
    { subject: '{% if a %}', body: 'x' },
    { subject: null, body: '{{ a | shout }}' },
  ])
  assert.deepEqual(
    problems.map(problem => problem?.part),
    [undefined, 'subject', 'body'],
  )
  const [answer] = await desk.write('a', [writing('Hi {{ firstName }}')])
  assert.ok(answer?.kind === 'lead')
  assert.deepEqual(answer.variables, ['firstName'])
  assert.match(answer.message, /\{\{ firstName \| default: "there" \}\}/)
})
