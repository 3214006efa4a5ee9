import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { checkTemplate, MissingVariable, renderTemplate, rewriteSpintax, TemplateError } from './template.ts'

const seed = { spintaxSeed: 'send-1' }

test('a template fills in the values of the lead', () => {
  assert.equal(renderTemplate('Hi {{ firstName }}', { firstName: 'Ada' }, seed), 'Hi Ada')
})

test('a missing, null, blank or invisible variable without a fallback is named and stops the rendering', () => {
  for (const variables of [{}, { firstName: null }, { firstName: '  ' }, { firstName: '\u200b' }]) {
    assert.throws(
      () => renderTemplate('Hi {{ firstName }}', variables, seed),
      (error: unknown) => error instanceof MissingVariable && error.variable === 'firstName',
    )
  }
  assert.throws(
    () => renderTemplate('{{ sender.name }}', { sender: { name: '' } }, seed),
    (error: unknown) => error instanceof MissingVariable && error.variable === 'sender.name',
  )
})

test('a fallback or a condition makes a variable optional', () => {
  assert.equal(renderTemplate('Hi {{ firstName | default: "there" }}', { firstName: '' }, seed), 'Hi there')
  assert.equal(renderTemplate('{% if company %}at {{ company }}{% else %}hello{% endif %}', {}, seed), 'hello')
})

test('values are escaped in HTML and left alone in text', () => {
  const variables = { name: '<b>"Tom" & Co</b>' }
  assert.equal(renderTemplate('{{ name }}', variables, { ...seed, format: 'html' }), '&lt;b&gt;&#34;Tom&#34; &amp; Co&lt;/b&gt;')
  assert.equal(renderTemplate('{{ name }}', variables, seed), variables.name)
})

test('a template reads no files and no prototypes', () => {
  for (const source of ['{% include "/etc/passwd" %}', '{% render "/etc/passwd" %}', '{% layout "/etc/passwd" %}']) {
    assert.equal(checkTemplate(source).length, 1, source)
    assert.throws(() => renderTemplate(source, {}, seed), TemplateError)
  }
  assert.throws(() => renderTemplate('{{ a.constructor.name }}', { a: {} }, seed), MissingVariable)
  assert.throws(() => renderTemplate('{{ __proto__.toString }}', {}, seed), MissingVariable)
})

test('a template that runs long, grows large or nests loops is stopped', () => {
  const heavy = [
    '{% for a in (1..1000000000) %}x{% endfor %}',
    '{% for a in (1..9999) %}{% for b in (1..9999) %}{% for c in (1..9999) %}{% endfor %}{% endfor %}{% endfor %}',
    `{% assign s = "aaaaaaaaaaaaaaaa" %}${'{% assign s = s | append: s %}'.repeat(40)}{{ s }}`,
  ]
  for (const source of heavy) assert.throws(() => renderTemplate(source, {}, seed), TemplateError)
  assert.equal(renderTemplate('still fine', {}, seed), 'still fine')
})

test('errors are explained, in every spintax option', () => {
  assert.match(checkTemplate('{% if a %}')[0] ?? '', /not closed/)
  assert.deepEqual(checkTemplate('Hi {{ name'), ['"{{ name" is not closed (line 1)'])
  assert.match(checkTemplate('{{ a | shout }}')[0] ?? '', /shout/)
  assert.equal(checkTemplate('{fine|{{ a | shout }}}').length, 1)
  assert.deepEqual(checkTemplate('Hi {{ firstName | default: "you" }}, {a|b}'), [])
})

test('spintax picks the same option for the same send and uses every option over many sends', () => {
  const source = '{Hi|Hello|Hey} {{ firstName | default: "you|me" }}{!|.}'
  const render = (spintaxSeed: string) => renderTemplate(source, { firstName: 'A' }, { spintaxSeed })
  const seen = new Set<string>()
  for (let i = 0; i < 100; i++) {
    assert.equal(render(`s${i}`), render(`s${i}`))
    seen.add(render(`s${i}`))
  }
  assert.deepEqual([...seen].sort(), ['Hello A!', 'Hello A.', 'Hey A!', 'Hey A.', 'Hi A!', 'Hi A.'])
})

test('spintax nests, holds Liquid, and leaves braces without a bar alone', () => {
  const outputs = new Set(
    Array.from({ length: 200 }, (_, i) =>
      renderTemplate('{a|b {c|{{ x }}}} p { color: red } {% raw %}{r|s}{% endraw %}', { x: 'X' }, { spintaxSeed: `${i}` }),
    ),
  )
  const rest = ' p { color: red } {r|s}'
  assert.deepEqual([...outputs].sort(), [`a${rest}`, `b X${rest}`, `b c${rest}`])
})

/** A text that counts the characters that are asked of it. */
function countedText(text: string): { text: string; reads: () => number } {
  let reads = 0
  const counted = new Proxy(Object(text), {
    get(_, key) {
      const value: unknown = Reflect.get(Object(text), key)
      if (typeof value !== 'function') {
        if (key !== 'length') reads += 1
        return value
      }
      return (...args: unknown[]) => {
        const result: unknown = Reflect.apply(value, text, args)
        // A search reads up to what it finds, or to the end.
        if (key === 'indexOf') reads += (result === -1 ? text.length : (result as number)) - (args[1] as number)
        else reads += typeof result === 'string' ? result.length : 1
        return result
      }
    },
  })
  return { text: counted, reads: () => reads }
}

test('spintax of any shape is read in proportion to its length', () => {
  const units = ['{', '{a|', '|', '}', '{a|b}', '{{a|b}|', '{{ x }}{', '{{', '{%', '{% raw %}{', '{% raw %}{a|b}{% endraw %}{']
  for (const unit of units) {
    const readsOf = (size: number): number => {
      const { text, reads } = countedText(unit.repeat(size / unit.length))
      rewriteSpintax(text)
      return reads()
    }
    const [few, many] = [readsOf(5000), readsOf(50_000)]
    assert.ok(many <= 11 * few, `${unit}: ${few} reads for 5,000 characters, ${many} for 50,000`)
  }
})

test('a loop is ended after a number of steps that does not depend on the load of the machine', () => {
  const looping = (times: number) => `{% for a in (1..100) %}{% for b in (1..${times}) %}{{ b }}{% endfor %}{% endfor %}`
  assert.equal(renderTemplate(looping(9), {}, seed), '123456789'.repeat(100))
  assert.doesNotThrow(() => renderTemplate(looping(240), {}, seed))
  assert.throws(
    () => renderTemplate(looping(250), {}, seed),
    (error: Error) => error instanceof TemplateError && error.isHeavy && error.message === 'The template takes too long to render',
  )
})

test('a loop of few but expensive steps is ended by its processor time', () => {
  const source = '{% for a in (1..20000) %}{% if text contains "xy" %}{% endif %}{% endfor %}'
  assert.throws(
    () => renderTemplate(source, { text: 'x'.repeat(100_000) }, seed),
    (error: Error) => error instanceof TemplateError && error.isHeavy,
  )
})

test('a value that looks like a template or spintax is inserted unchanged', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), value => {
      fc.pre(value.trim() !== '')
      assert.equal(renderTemplate('{{ v }}', { v: value }, seed), value)
    }),
  )
  assert.equal(renderTemplate('{{ v }}', { v: '{a|b} {{ x }} {% if %}' }, seed), '{a|b} {{ x }} {% if %}')
})

test('any text either renders or fails with one of our errors', () => {
  const piece = fc.oneof(fc.string(), fc.constantFrom('{{', '}}', '{%', '%}', '{', '}', '|', ' if ', ' a ', 'endif'))
  fc.assert(
    fc.property(fc.array(piece), pieces => {
      try {
        renderTemplate(pieces.join(''), { a: 'x' }, seed)
      } catch (error) {
        assert.ok(error instanceof TemplateError || error instanceof MissingVariable, String(error))
      }
    }),
  )
})

test('"now" is the passed-in time', () => {
  const now = new Date('2026-02-10T10:00:00Z')
  assert.equal(renderTemplate('{{ "now" | date: "%Y-%m-%d" }}', {}, { ...seed, now }), '2026-02-10')
})

test('a fallback in the syntax of another product is refused with the correct syntax', () => {
  for (const source of ['Hi {{ firstName | there }}', 'Hi {{firstName|fallback:"there"}}', 'Hi {{ firstName || "there" }}'])
    assert.match(checkTemplate(source).join(), /A fallback is written like this: \{\{ firstName \| default: "there" \}\}/, source)
  assert.deepEqual(checkTemplate('Hi {{ firstName | default: "there" | upcase }}'), [])
  assert.throws(() => renderTemplate('Hi {{ city }}', {}, seed), /\{\{ city \| default: "something" \}\}/)
  assert.throws(() => renderTemplate('Hi {{ company }}', {}, seed), /\{\{ company \| default: "your company" \}\}/)
})
