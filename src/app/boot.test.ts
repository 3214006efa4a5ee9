import assert from 'node:assert/strict'
import { it } from 'node:test'
import { addressOf } from './boot.ts'

it('a service on 0.0.0.0 prints a URL that can be opened', () => {
  const at = (host: string) => addressOf({ host, port: 8080 })
  assert.deepEqual(['0.0.0.0', '::'].map(at), ['http://127.0.0.1:8080', 'http://[::1]:8080'])
  assert.deepEqual(['10.0.0.7', 'fd00::7'].map(at), ['http://10.0.0.7:8080', 'http://[fd00::7]:8080'])
})
