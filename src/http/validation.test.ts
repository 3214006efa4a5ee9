import assert from 'node:assert/strict'
import { it } from 'node:test'
import { AppError } from '../lib/errors.ts'
import { Type } from '../lib/type.ts'
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
      const expected =
        length < 2 ? 'text: must NOT have fewer than 2 characters.' : length > 4 ? 'text: must NOT have more than 4 characters.' : null
      assert.equal(complaintAbout(check, { text: letter.repeat(length) }), expected, `${length} times ${letter}`)
    }
  }
  assert.equal(complaintAbout(check, { text: 'a😀b😀' }), null)
  assert.equal(complaintAbout(check, { text: 'a😀b😀c' }), 'text: must NOT have more than 4 characters.')
})
