import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import type { Shell } from './shell.ts'
import { askUnseen } from './shell.ts'

test('a password is requested only after the terminal stopped echoing', async () => {
  const happened: string[] = []
  const input = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (isRaw: boolean) => void happened.push(isRaw ? 'raw' : 'cooked'),
  })
  const warn = (text: string): void => {
    happened.push(text)
    input.write('secret\r')
  }
  const shell = { input, warn, signal: new AbortController().signal } as unknown as Shell
  assert.equal(await askUnseen(shell, 'The password'), 'secret')
  assert.deepEqual(happened, ['raw', 'The password (not shown):', 'cooked'])
})
