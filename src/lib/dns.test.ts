import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startNameServer } from '../../test/name-server.ts'
import { openDns } from './dns.ts'

test('a name has its addresses although its name server fails for one family, and none is no error', async t => {
  const names = await startNameServer({
    'half.example': { a: ['192.0.2.1'], fails: 'AAAA' },
    'empty.example': { txt: ['no address'] },
    'down.example': { fails: true },
  })
  t.after(() => names.stop())
  const dns = openDns([names.address])
  assert.deepEqual(await dns.addresses('half.example'), ['192.0.2.1'])
  assert.deepEqual(await dns.addresses('empty.example'), [])
  assert.deepEqual(await dns.addresses('missing.example'), [])
  await assert.rejects(dns.addresses('down.example'), { code: 'ESERVFAIL' })
})
