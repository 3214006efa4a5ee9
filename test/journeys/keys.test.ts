import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { openInstallationKeys } from '../../src/app/installation-keys.ts'
import { Database } from '../../src/db/client.ts'
import { sql } from '../../src/db/sql.ts'
import { SecretBox } from '../../src/lib/secret-box.ts'
import { openCredentials } from '../../src/modules/mailboxes/mailboxes.ts'
import { hashValue } from '../../src/modules/suppressions/suppressions.ts'
import { makeFolder, overture as run, serve } from '../faults/processes.ts'
import { full, isFull } from '../full.ts'
import { Client, createTestDatabase, startOverture } from '../harness.ts'

const newKey = (): string => randomBytes(32).toString('base64')

async function ask<R>(url: string, text: string, values: unknown[] = []): Promise<R[]> {
  const db = new Database({ url, poolSize: 1, onWake: () => {} })
  try {
    return await db.many<R>(sql(text), values)
  } finally {
    await db.close()
  }
}

async function createToken(env: Record<string, string>): Promise<{ workspaceId: string; token: string }> {
  const command = run(['token', 'create', '--email', 'ada@example.com'], env)
  assert.equal(await command.exited, 0, command.output)
  return JSON.parse(command.output.slice(command.output.indexOf('{')))
}

describe('the secret key of an installation', () => {
  it('stops every process with an explanation if it is not the key of the database', async () => {
    const env = { DATABASE_URL: await createTestDatabase(), OVERTURE_SECRET_KEY: newKey() }
    await createToken(env)
    const wrong = { ...env, OVERTURE_SECRET_KEY: newKey(), PORT: '0' }
    const commands = [['secret', 'rotate'], ['api'], ['worker'], ['start'], ['token', 'create', '--email', 'eve@example.com']]
    for (const command of isFull ? commands : commands.slice(0, 2)) {
      const program = run(command, wrong)
      assert.equal(await program.exited, 1, command.join(' '))
      assert.match(program.output, /OVERTURE_SECRET_KEY is not the key of this database/)
      assert.match(program.output, /OVERTURE_PREVIOUS_SECRET_KEY/)
      assert.ok(!program.output.includes(env.OVERTURE_SECRET_KEY) && !program.output.includes(wrong.OVERTURE_SECRET_KEY))
    }
    assert.deepEqual(await ask(env.DATABASE_URL, 'select email from users'), [{ email: 'ada@example.com' }])
  })

  // 'of a local start is a file' changes a key in every run.
  it('can be changed while everything runs, and suppressed people stay suppressed', full, async () => {
    const url = await createTestDatabase()
    const [oldKey, key] = [newKey(), newKey()]
    const before = { DATABASE_URL: url, OVERTURE_SECRET_KEY: oldKey }
    const both = { DATABASE_URL: url, OVERTURE_SECRET_KEY: key, OVERTURE_PREVIOUS_SECRET_KEY: oldKey }
    const after = { DATABASE_URL: url, OVERTURE_SECRET_KEY: key }
    const { workspaceId, token } = await createToken(before)
    const home = `/v1/workspaces/${workspaceId}`
    const open = async (env: Record<string, string>) => {
      const { program, base } = await serve('start', env)
      return { program, client: new Client(base, token) }
    }
    const suppressedIn = async (client: Client, name: string) => {
      const { id } = (await client.post(`${home}/campaigns`, { name })).body.data
      const leads = [{ email: 'never@example.com' }, { email: 'erased@example.com' }, { email: 'fine@example.com' }]
      return (await client.operate('POST', `${home}/campaigns/${id}/leads/import`, { leads })).result.suppressedCount
    }

    const first = await open(before)
    await first.client.post(`${home}/suppressions`, { kind: 'email', value: 'never@example.com' })
    assert.equal((await first.client.operate('POST', `${home}/erasures`, { email: 'erased@example.com' })).status, 'succeeded')
    assert.equal(await suppressedIn(first.client, 'before'), 2)

    const second = await open(both)
    assert.match(second.program.output, /still uses the previous secret key/)
    assert.equal(await suppressedIn(second.client, 'both'), 2)
    const rotate = run(['secret', 'rotate'], both)
    assert.equal(await rotate.exited, 0, rotate.output)
    assert.match(rotate.output, /now uses OVERTURE_SECRET_KEY/)
    assert.equal(await suppressedIn(first.client, 'goes on'), 2)
    assert.equal(await suppressedIn(second.client, 'goes on too'), 2)
    await Promise.all([first.program.end(), second.program.end()])

    const third = await open(after)
    assert.equal(await suppressedIn(third.client, 'after'), 2)
    await third.program.end()
    const again = run(['secret', 'rotate'], both)
    assert.equal(await again.exited, 0)
    assert.match(again.output, /already/)
    const late = run(['worker'], before)
    assert.equal(await late.exited, 1)
    assert.match(late.output, /is not the key of this database/)
  })

  it('is not the hash key of a new installation: the master key is random, and encrypted', async () => {
    const url = await createTestDatabase()
    const secretKey = randomBytes(32)
    const [one, two] = await Promise.all([openInstallationKeys(url, { secretKey }), openInstallationKeys(url, { secretKey })])
    assert.ok(one.masterKey.equals(two.masterKey))
    assert.ok(!one.masterKey.equals(secretKey))
    const rows = await ask<{ sealed: Buffer }>(url, 'select sealed_master as sealed from installation_keys')
    assert.equal(rows.length, 1)
    assert.ok(!rows[0]!.sealed.includes(one.masterKey) && !rows[0]!.sealed.includes(one.masterKey.toString('base64')))
    const hash = (key: Buffer) => hashValue(new SecretBox(key), 'never@example.com')
    assert.ok(!hash(one.masterKey).equals(hash(secretKey)))
  })

  it('of a local start is a file, and a change replaces the file', async () => {
    const folder = await makeFolder()
    const env = { OVERTURE_DIR: folder, OVERTURE_DEMO_PEOPLE: '300', PORT: '0' }
    await createToken(env)
    const before = await readFile(join(folder, 'secret.key'), 'utf8')
    const rotate = run(['secret', 'rotate'], env)
    assert.equal(await rotate.exited, 0, rotate.output)
    assert.notEqual(await readFile(join(folder, 'secret.key'), 'utf8'), before)
    if (!isFull) return
    await createToken(env)
    const given = run(['token', 'create', '--email', 'x@example.com'], { ...env, OVERTURE_SECRET_KEY: before })
    assert.equal(await given.exited, 1)
    assert.match(given.output, /is not the key of this database/)
  })

  it('a secret that was moved into another row cannot be decrypted there', async () => {
    const overture = await startOverture()
    after(() => overture.end())
    const { client, home, databaseUrl, ctx } = overture
    const ids: string[] = []
    for (const name of ['One', 'Two']) {
      const smtp = { host: 'smtp.example.com', port: 587, secure: false }
      const credentials = { username: name, password: `of ${name}` }
      const made = await client.post(`${home}/providers`, {
        kind: 'smtp',
        name,
        fromEmail: `${name}@example.com`,
        settings: { smtp },
        credentials,
      })
      ids.push(made.body.data.id)
    }
    const read = async (id: string) =>
      (await ask<{ id: string; credentials: Buffer }>(databaseUrl, 'select id, credentials from providers where id = $1', [id]))[0]!
    const [one, two] = [await read(ids[0]!), await read(ids[1]!)]
    assert.equal(openCredentials(ctx.secrets, one)?.password, 'of One')
    assert.throws(() => openCredentials(ctx.secrets, { id: two.id, credentials: one.credentials }))
  })
})
