import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { it } from 'node:test'
import { Overture } from '../../packages/sdk/src/index.ts'

const ROOT = join(import.meta.dirname, '../..')

it('every call that the console offers to copy exists: its method and path in the API, its name in the SDK', async () => {
  const { paths } = JSON.parse(await readFile(join(ROOT, 'openapi.json'), 'utf8')) as { paths: Record<string, object> }
  const known = new Set(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(method => `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '{}')}`),
    ),
  )
  const sdk = new Overture({ baseUrl: 'http://127.0.0.1:9', token: 'none', workspaceId: 'none' }) as unknown as Record<
    string,
    Record<string, unknown>
  >
  const calls: string[] = []
  const wrong: string[] = []
  const check = (file: string, method: string, path: string): void => {
    const whole = (path.startsWith('/') ? path : `/v1/workspaces/{}/${path}`).replace(/\$\{[\w.]+\}/g, '{}')
    calls.push(whole)
    if (!known.has(`${method} ${whole}`)) wrong.push(`${file}: ${method} ${whole}`)
  }
  for await (const file of glob('console/src/screens/**/*.tsx', { cwd: ROOT })) {
    const text = await readFile(join(ROOT, file), 'utf8')
    // Up to a query, or whatever else is put together.
    for (const [, method, path] of text.matchAll(/method: '([A-Z]+)',\s*path: [`'](?!\$)((?:[\w/.-]|\$\{[\w.]+\})+)/g))
      check(file, method!, path!)
    for (const [, path, name] of text.matchAll(/listCall\(\s*'([^']+)',\s*'([\w.]+)'/g)) {
      check(file, 'GET', path!)
      const [group, verb] = name!.split('.')
      if (typeof sdk[group!]?.[verb!] !== 'function') wrong.push(`${file}: overture.${name}`)
    }
    for (const [, group, verb] of text.matchAll(/overture\.(\w+)\.(\w+)\(/g))
      if (typeof sdk[group!]?.[verb!] !== 'function') wrong.push(`${file}: overture.${group}.${verb}`)
  }
  assert.ok(calls.length > 25, String(calls.length))
  assert.deepEqual(wrong, [])
})
