import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '../../lib/errors.ts'
import { readFilterOption } from './commands.ts'

test('the filters of a pull are read like those of the API, shorthand included', () => {
  assert.deepEqual(readFilterOption(), {})
  assert.deepEqual(readFilterOption('{"seniorities": ["vp"]}'), { seniorities: { include: ['vp'] } })
})

test('invalid filters are refused with the messages of the API', () => {
  const refused = (text: string, message: RegExp): void =>
    assert.throws(
      () => readFilterOption(text),
      (error: AppError) => {
        assert.ok(error instanceof AppError)
        assert.equal(error.code, 'validation_failed')
        assert.match(error.message, message)
        return true
      },
    )
  refused('{"seniorites": ["vp"]}', /^filters\.seniorites: .*seniorities/)
  refused('{"seniorities": ["boss"]}', /^filters\.seniorities/)
  refused('[]', /^filters: /)
  assert.throws(() => readFilterOption('{'), /--filters must be JSON/)
})
