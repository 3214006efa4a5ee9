import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { writeCall } from '../../console/src/ui/call-text.ts'

type Method = (...given: unknown[]) => unknown

interface Client {
  erasures: { create: Method }
  leads: { importCsv: Method; listThread: Method }
  webhooks: { list: Method }
}

describe('a call copied from a screen', () => {
  test('is a program with the same arguments, whatever its strings contain', () => {
    const texts = ["it's", 'a "word"', 'back\\slash', '\\"', 'two\nlines']
    const received: unknown[] = []
    const overture = { erasures: { create: (...given: unknown[]) => received.push(...given) } }
    new Function(
      'overture',
      writeCall((api: Client) => api.erasures.create(...texts)),
    )(overture)
    assert.deepEqual(received, texts)
  })

  test('names the file to send', () => {
    const file = new File([], "people's.csv")
    assert.equal(
      writeCall((api: Client) => api.leads.importCsv('c', file)),
      "overture.leads.importCsv('c', await readFile('people\\'s.csv'))",
    )
  })

  test('omits empty options only at the end, so that no other argument moves', () => {
    assert.equal(
      writeCall((api: Client) => api.webhooks.list({})),
      'overture.webhooks.list()',
    )
    assert.equal(
      writeCall((api: Client) => api.leads.listThread('c', 'l', {}, { wait: 2 })),
      `overture.leads.listThread('c', 'l', {}, {"wait":2})`,
    )
  })
})
