import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import { noteInboxRefused, noteMailboxFailure } from '../../src/modules/mailboxes/connection.ts'
import { reverifyMailboxes } from '../../src/modules/mailboxes/tasks.ts'
import { claimOperations, setProgress } from '../../src/operations/claim-queries.ts'
import { eventually } from '../faults/eventually.ts'
import { type Overture, startOverture } from '../harness.ts'
import { TestImapServer } from '../mail/imap-server.ts'
import { ScriptedSmtp } from '../mail/smtp-script.ts'

const smtp = await ScriptedSmtp.start()
const imap = await TestImapServer.start({ user: 'ada', password: 'secret' })
after(() => smtp.close())
after(() => imap.close())
const settings = {
  smtp: { host: '127.0.0.1', port: smtp.port, secure: false },
  imap: { host: '127.0.0.1', port: imap.port, secure: false },
}
const mailbox = {
  kind: 'smtp',
  name: 'Ada',
  fromEmail: 'ada@sender.example',
  settings,
  credentials: { username: 'ada', password: 'secret' },
}
const living = await startOverture()
const { client, home } = living

interface Stage {
  stage: string
  ok: boolean
  detail: string
  cure: string | null
}
const namesOf = (stages: Stage[]): string[] => stages.map(({ stage }) => stage)

beforeEach(() => {
  smtp.script = () => undefined
})

describe('a verification that runs as an operation', () => {
  const operationOf = async (id: string) => (await client.get(`/v1/operations/${id}`)).body
  const begin = async (change: object = {}) => {
    const { id } = (await client.post(`${home}/providers`, { ...mailbox, ...change })).body.data
    const accepted = await client.post(`${home}/providers/${id}/verifications`, {})
    assert.equal(accepted.status, 202)
    return { providerId: id as string, operationId: accepted.body.id as string }
  }
  const signsInNow = (operationId: string) =>
    eventually('it waits for the answer to its sign-in', async () => {
      const { progress } = await operationOf(operationId)
      return progress?.running.join() === 'auth' && namesOf(progress.stages).includes('folders') ? progress : null
    })
  const ended = (operationId: string) =>
    eventually('it has ended', async () => {
      const operation = await operationOf(operationId)
      return operation.completedAt ? operation : null
    })

  it('shows finished and current stages while it runs, and the same stages in its result', async () => {
    smtp.script = point => (point === 'AUTH' ? 'hold' : undefined)
    const { operationId } = await begin()
    const progress = await signsInNow(operationId)
    assert.deepEqual(namesOf(progress.stages), ['dns', 'tcp', 'tls', 'imap', 'folders'])
    assert.ok(progress.stages.every(({ ok, cure }: Stage) => ok && cure === null))
    const listed = (await client.get(`${home}/operations?action=provider.verify`)).body.data[0]
    assert.deepEqual([listed.id, listed.progress], [operationId, undefined])
    smtp.release('235 2.7.0 welcome')
    const { status, result, progress: left } = await ended(operationId)
    assert.deepEqual([status, left], ['succeeded', undefined])
    assert.deepEqual([result.verification.ok, result.verification.provider.status], [true, 'connected'])
    assert.deepEqual(namesOf(result.verification.stages), ['dns', 'tcp', 'tls', 'auth', 'test_message', 'imap', 'folders'])
  })

  it('names the failed stage with its likely solution, for SMTP and IMAP', async () => {
    smtp.script = point => (point === 'AUTH' ? '535 5.7.8 no such user' : undefined)
    const { operationId } = await begin({ settings: { ...settings, imap: { ...settings.imap, folders: ['Gone'] } } })
    const { result } = await ended(operationId)
    const failed = result.verification.stages.filter(({ ok }: Stage) => !ok)
    assert.deepEqual(namesOf(failed), ['auth', 'folders'])
    assert.match(failed[0].cure, /app password/)
    assert.match(failed[1].detail, /no folder Gone\. The folders are INBOX/)
    assert.match(failed[1].cure, /Use the folder name of the server/)
    assert.equal(result.verification.provider.status, 'unverified')

    // A temporary failure of the server is not a mistake of the caller.
    smtp.script = point => (point === 'RCPT' ? '451 4.3.0 Temporary lookup failure' : undefined)
    const { result: later } = await ended((await begin()).operationId)
    const [failure] = later.verification.stages.filter(({ ok }: Stage) => !ok)
    assert.match(failure.cure, /try again later/)
  })

  it('verifies a mailbox again that was changed in the meantime, with its current settings', async () => {
    smtp.script = (point, line) => (point === 'AUTH' && line.endsWith(plain('ada', 'secret')) ? 'hold' : undefined)
    const { providerId, operationId } = await begin()
    await signsInNow(operationId)
    smtp.script = (point, line) => (point === 'AUTH' && line.endsWith(plain('ada', 'new')) ? '535 5.7.8 wrong' : undefined)
    await client.patch(`${home}/providers/${providerId}`, { credentials: { username: 'ada', password: 'new' } })
    smtp.release('235 2.7.0 welcome')
    const { result } = await ended(operationId)
    assert.equal(result.verification.ok, false)
    assert.equal((await client.get(`${home}/providers/${providerId}`)).body.data.status, 'unverified')
  })
})

describe('the result for a mailbox that was changed in the meantime', () => {
  const changeDuring = async <T>(overture: Pick<Overture, 'client' | 'home'>, id: string, trying: () => Promise<T>): Promise<T> => {
    const held = Promise.withResolvers<void>()
    smtp.script = point => {
      if (point !== 'AUTH') return undefined
      held.resolve()
      return 'hold'
    }
    const tried = trying()
    await held.promise
    await overture.client.patch(`${overture.home}/providers/${id}`, { credentials: { username: 'ada', password: 'new' } })
    smtp.release('235 2.7.0 welcome')
    return tried
  }

  it('is discarded: a waiting caller gets 409 and verifies again', async () => {
    const { id } = (await client.post(`${home}/providers`, mailbox)).body.data
    const { status, body } = await changeDuring(living, id, () => client.post(`${home}/providers/${id}/verify`, {}))
    assert.deepEqual([status, body.error.code], [409, 'invalid_state'])
    assert.match(body.error.message, /changed while it was verified/)
    assert.equal((await client.get(`${home}/providers/${id}`)).body.data.status, 'unverified')
  })

  it('neither connects nor disconnects a mailbox that is retried automatically', async () => {
    const idle = await startOverture({ worker: false })
    after(() => idle.end())
    const { id } = (await idle.client.post(`${idle.home}/providers`, mailbox)).body.data
    const find = async () => (await idle.client.get(`${idle.home}/providers/${id}`)).body.data
    await idle.ctx.db.pool.query("update providers set status = 'disconnected', verify_at = now()")
    await changeDuring(idle, id, () => reverifyMailboxes(idle.ctx))
    assert.equal((await find()).status, 'unverified')

    await idle.ctx.db.pool.query("update providers set status = 'connected'")
    const before = { id, workspaceId: (await find()).workspaceId, updatedAt: new Date(0) }
    await idle.ctx.db.inTransaction(async tx => {
      await noteInboxRefused(tx, before, 'wrong password', new Date())
      await noteMailboxFailure(tx, before, { failed: '535 wrong password', permanent: true }, new Date())
    })
    assert.equal((await find()).status, 'connected')
  })
})

const plain = (user: string, password: string): string => Buffer.from(`\0${user}\0${password}`).toString('base64')

describe('a verification whose worker dies', () => {
  it('discards the findings of that worker, and starts again', async () => {
    const idle = await startOverture({ worker: false })
    after(() => idle.end())
    const { db } = idle.ctx
    const { id } = (await idle.client.post(`${idle.home}/providers`, mailbox)).body.data
    const operationId = (await idle.client.post(`${idle.home}/providers/${id}/verifications`, {})).body.id
    const look = async () => (await idle.client.get(`/v1/operations/${operationId}`)).body
    const found = { stages: [], running: ['dns'] }

    const [first] = await claimOperations(db, 4711, 1)
    await setProgress(db, 4711, first!, found)
    assert.deepEqual((await look()).progress, found)
    await db.pool.query('update operations set worker_id = null')
    assert.deepEqual([(await look()).status, (await look()).progress], ['running', undefined])

    const [second] = await claimOperations(db, 4712, 1)
    assert.equal((await look()).progress, undefined)
    await setProgress(db, 4711, first!, found)
    assert.equal((await look()).progress, undefined)
    await setProgress(db, 4712, second!, { stages: [], running: ['tcp'] })
    assert.deepEqual((await look()).progress.running, ['tcp'])
  })
})
