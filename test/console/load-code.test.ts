import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'

type Load = (load: () => Promise<string>, files: readonly string[]) => Promise<string>

// By its address: the compiler would read it with the types of Node, and it needs those of a browser.
const { loadCode }: { loadCode: Load } = await import(new URL('../../console/src/app/load-code.ts', import.meta.url).href)

it('reports failed files only after the last one, so that the next attempt requests each of them again', async () => {
  const answers: Record<string, (status: number) => void> = {}
  const answerLater = (address: string) =>
    new Promise(resolve => {
      answers[address] = status => resolve(new Response('', { status }))
    })
  const { fetch } = globalThis
  after(() => Object.assign(globalThis, { fetch, document: undefined }))
  Object.assign(globalThis, { document: { querySelector: () => null }, fetch: answerLater })
  const look = () => loadCode(async () => 'the screen', ['assets/screen.js', 'assets/kit.js'])

  let hasEnded = false
  const first = look()
  first.catch(() => {
    hasEnded = true
  })
  answers['/assets/screen.js']!(502)
  await setImmediate()
  assert.equal(hasEnded, false, 'the other file is still on its way')
  answers['/assets/kit.js']!(502)
  await assert.rejects(first, /screen.js answered 502/)

  const second = look()
  for (const address of Object.keys(answers)) answers[address]!(200)
  assert.equal(await second, 'the screen')
})
