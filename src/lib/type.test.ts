import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import TypeBox from 'typebox'
import { Type } from './type.ts'

type Builders = Pick<typeof TypeBox, keyof typeof Type>

const write = (T: Builders): unknown => {
  const schema = T.Object(
    {
      name: T.String({ minLength: 1 }),
      age: T.Optional(T.Integer({ minimum: 0, description: 'In years.' })),
      size: T.Number(),
      isKnown: T.Optional(T.Boolean()),
      kind: T.Literal('CNAME'),
      count: T.Literal(7),
      tags: T.Array(T.String(), { maxItems: 3 }),
      either: T.Union([T.String(), T.Null()], { description: 'Or nothing.' }),
      anything: T.Unknown(),
      values: T.Record(T.String(), T.Unknown()),
      named: T.Optional(T.Record(T.String({ pattern: '^[a-z]+$' }), T.String(), { maxProperties: 2 })),
      own: T.Unsafe<'a'>({ type: 'string', enum: ['a'] }),
    },
    { additionalProperties: false },
  )
  return [schema, T.Object({}), T.Object({ only: T.Optional(T.Optional(T.String())) }), T.Object({ copied: { ...T.Optional(T.String()) } })]
}

test('a schema equals that of TypeBox, including the order of its members', () => {
  assert.equal(JSON.stringify(write(Type)), JSON.stringify(write(TypeBox)))
})

test('no file loads TypeBox itself, which would take a fifth of a start', () => {
  const files = globSync('**/*.ts', { cwd: `${import.meta.dirname}/..` }).filter(file => file !== 'lib/type.test.ts')
  const loading = files.filter(file => /^import (?!type\b).*from 'typebox/m.test(readFileSync(`${import.meta.dirname}/../${file}`, 'utf8')))
  assert.ok(files.length > 400)
  assert.deepEqual(loading, [])
})
