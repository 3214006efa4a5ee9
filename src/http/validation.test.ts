import assert from 'node:assert/strict'
import { it } from 'node:test'
import { AppError } from '../lib/errors.ts'
import { Type } from '../lib/type.ts'
import { NOT_BLANK } from './schema.ts'
import { compileCheck } from './validation.ts'

const complaintAbout = (check: (value: unknown) => void, value: unknown): string | null => {
  try {
    check(value)
    return null
  } catch (error) {
    assert.ok(error instanceof AppError)
    return error.message
  }
}

it('the length of a text is the number of its code points, whatever it consists of', () => {
  const check = compileCheck(Type.Object({ text: Type.String({ minLength: 2, maxLength: 4 }) }), 'body')
  for (const letter of ['a', 'ä', '€', '😀']) {
    for (let length = 0; length <= 10; length++) {
      const expected = length < 2 ? 'text: must have at least 2 characters.' : length > 4 ? 'text: must have at most 4 characters.' : null
      assert.equal(complaintAbout(check, { text: letter.repeat(length) }), expected, `${length} times ${letter}`)
    }
  }
  assert.equal(complaintAbout(check, { text: 'a😀b😀' }), null)
  assert.equal(complaintAbout(check, { text: 'a😀b😀c' }), 'text: must have at most 4 characters.')
})

it('every issue names the field, explains the problem in plain words, and ends with a full stop', () => {
  const check = compileCheck(
    Type.Object(
      {
        count: Type.Optional(Type.Integer({ minimum: 1, maximum: 9 })),
        text: Type.Optional(Type.String({ minLength: 1, maxLength: 5 })),
        line: Type.Optional(Type.String({ format: NOT_BLANK })),
        time: Type.Optional(Type.String({ pattern: '^\\d\\d:\\d\\d$', examples: ['09:00'] })),
        list: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 2, uniqueItems: true })),
        one: Type.Optional(Type.Object({}, { maxProperties: 1 })),
        names: Type.Optional(Type.Record(Type.String({ pattern: '^[a-z]+$' }), Type.String(), { additionalProperties: false })),
      },
      { additionalProperties: false },
    ),
    'body',
  )
  for (const [value, complaint] of [
    [{ count: 0 }, 'count: must be at least 1.'],
    [{ count: 10 }, 'count: must be at most 9.'],
    [{ count: '1' }, 'count: must be an integer.'],
    [{ text: '' }, 'text: must not be empty.'],
    [{ text: 'abcdef' }, 'text: must have at most 5 characters.'],
    ...[' \n', '\u200b', '\u2060\ufeff', '\u00ad', '\u3164', '\u2800', '\u200e \ufe0f'].map(
      line => [{ line }, 'line: must not be blank.'] as const,
    ),
    [{ time: '9:00' }, 'time: must be written like 09:00.'],
    [{ list: [] }, 'list: must not be empty.'],
    [{ list: ['a', 'b', 'c'] }, 'list: must have at most 2 items.'],
    [{ list: ['a', 'a'] }, 'list: must not have the same item twice.'],
    [{ one: { a: 1, b: 2 } }, 'one: must have at most 1 field.'],
    [{ names: { A: 'a' } }, 'names.A: has a name that does not match ^[a-z]+$.'],
    [{ nonsense: 1 }, 'nonsense: is not a known field.'],
    [[], 'body: must be an object.'],
  ] as const) {
    assert.equal(complaintAbout(check, value), complaint)
  }
})

it('an unknown, repeated or mistyped query parameter is named as such', () => {
  const check = compileCheck(Type.Object({ limit: Type.Optional(Type.Integer()) }, { additionalProperties: false }), 'query')
  assert.equal(complaintAbout(check, { limit: ['1', '1'] }), 'limit: was sent more than once.')
  assert.equal(complaintAbout(check, { limit: 'many' }), 'limit: must be an integer.')
  assert.equal(complaintAbout(check, { page: '2' }), 'page: is not a known parameter.')
})
