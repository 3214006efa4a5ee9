import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildContext, closeContext } from '../src/app/build-context.ts'
import { openInstallationKeys } from '../src/app/installation-keys.ts'
import { loadConfig } from '../src/context/config.ts'
import type { Context } from '../src/context/context.ts'
import { sql } from '../src/db/sql.ts'
import { newId } from '../src/lib/ids.ts'
import { changeStatus, createCampaign, getLockedCampaign } from '../src/modules/campaigns/campaigns.ts'
import { importLeads } from '../src/modules/leads/import-leads.ts'
import { createProvider } from '../src/modules/mailboxes/mailboxes.ts'
import { claimSends } from '../src/modules/sending/claim.ts'
import { MailboxConnections } from '../src/modules/sending/deliver.ts'
import { isFailure, renderSend } from '../src/modules/sending/render.ts'
import { replaceSequence } from '../src/modules/sequences/sequences.ts'
import { ensureUser } from '../src/modules/workspaces/workspaces.ts'
import { describeMachine, median, ms, NODE_FLAGS, percentile, printTable, processorMs, rate, Stage } from './lib.ts'

// The sender, compared with its limits: the whole safe loop, the same messages without a database, and bytes down a socket.

const count = (name: string, fallback: number): number => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : Number(process.argv[at + 1])
}
const MESSAGES = count('messages', 20_000)
const QUEUED = count('queued', 100_000)
const PAUSED = count('paused', 500_000)
/** Sent before anything is measured, with and without a database: the first messages wait for the compiler. */
const WARM_UP = 2000
const MAILBOXES = 4
const CONNECTIONS = 5 * MAILBOXES
const SECRET = randomBytes(32)
const BODY = `Hi {{ firstName }},\n\n${'could I show you something for your company? '.repeat(12)}\n\nSee https://product.example/tour\n\nAda`
const STEPS = { steps: [{ delayDays: 0, variants: [{ subject: 'A question for {{ firstName }}', body: BODY }] }] }

class Sink {
  readonly #child = fork(join(import.meta.dirname, 'smtp-sink.ts'))
  port = 0

  static async start(stage: Stage): Promise<Sink> {
    const sink = new Sink()
    stage.atEnd(() => void sink.#child.disconnect())
    const [hello] = (await once(sink.#child, 'message')) as [{ port: number }]
    sink.port = hello.port
    return sink
  }

  async taken(): Promise<number> {
    this.#child.send('taken?')
    return ((await once(this.#child, 'message')) as [{ taken: number }])[0].taken
  }
}

/**
 * The dialogue line by line and nothing made up on the way. As Postfix's `smtp-source` has it, each message has a connection
 * of its own; with `-d` it keeps them, as we do.
 */
async function bareRate(sink: Sink, raw: string, messages: number, keepsConnections: boolean): Promise<number> {
  const body = Buffer.from(`${raw}\r\n.\r\n`, 'latin1')
  let left = messages
  const run = async (): Promise<void> => {
    while (left > 0) await talk()
  }
  const talk = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect(sink.port, '127.0.0.1')
      socket.setNoDelay(true)
      const lines = [
        Buffer.from('MAIL FROM:<ada@sender.example>\r\n'),
        Buffer.from('RCPT TO:<lead@people.example>\r\n'),
        Buffer.from('DATA\r\n'),
        body,
      ]
      let at = -2
      socket.on('error', reject)
      socket.on('data', () => {
        if (++at === -1) return void socket.write('EHLO bench\r\n')
        if (at % 4 === 0 && ((at > 0 && !keepsConnections) || left-- <= 0)) {
          socket.end('QUIT\r\n')
          return resolve()
        }
        socket.write(lines[at % 4]!)
      })
    })
  const started = performance.now()
  await Promise.all(Array.from({ length: CONNECTIONS }, run))
  return (messages / (performance.now() - started)) * 1000
}

/** Rendered, composed and sent over the same connections, with no database anywhere. */
async function loopRate(ctx: Context, sink: Sink, messages: number): Promise<{ perSecond: number; raw: string }> {
  const settings = async () => ({ host: '127.0.0.1', port: sink.port, security: 'none' as const })
  const mailboxes = Array.from({ length: MAILBOXES }, () => new MailboxConnections(settings, 5))
  const steps = STEPS.steps.map(step => ({
    id: newId(),
    delayDays: 0,
    variants: step.variants.map(variant => ({ id: newId(), weight: 1, ...variant })),
  }))
  const sender = { fromName: 'Ada', fromEmail: 'ada@sender.example', postalAddress: '1 Example Street' }
  let next = 0
  let raw = ''
  const run = async (connections: MailboxConnections): Promise<void> => {
    while (next < messages) {
      const n = next++
      const lead = {
        email: `lead-${n}@people.example`,
        firstName: `Lead ${n}`,
        lastName: null,
        fullName: null,
        company: null,
        jobTitle: null,
        variables: {},
      }
      const made = await renderSend(ctx, 'bench', {
        ...{
          sendId: newId(),
          messageId: `<${n}@sender.example>`,
          step: 0,
          steps,
          variantId: steps[0]!.variants[0]!.id,
          lead,
          sender,
          thread: null,
        },
        ...{ tracking: { opens: true, clicks: true }, now: new Date() },
      })
      if (isFailure(made)) throw new Error(made.message)
      raw = made.composed.raw
      const outcome = await connections.send(made.composed.envelope, made.composed.raw)
      if (outcome.kind !== 'accepted') throw new Error(JSON.stringify(outcome))
    }
  }
  const started = performance.now()
  await Promise.all(mailboxes.flatMap(connections => Array.from({ length: 5 }, () => run(connections))))
  const perSecond = (messages / (performance.now() - started)) * 1000
  for (const connections of mailboxes) connections.close()
  return { perSecond, raw }
}

async function seed(ctx: Context, port: number, leads: number): Promise<void> {
  const now = new Date()
  const [workspaceId, campaignId] = await ctx.db.inTransaction(async tx => {
    const { workspace } = await ensureUser(tx, { name: 'Bench', email: `${newId()}@bench.example`, workspaceName: 'Bench' }, now)
    const ids: string[] = []
    for (let n = 0; n < MAILBOXES; n++) {
      const identity = { fromName: 'Ada', fromEmail: `ada${n}@sender.example`, postalAddress: '1 Example Street' }
      const settings = { smtp: { host: '127.0.0.1', port, secure: false } }
      const made = await createProvider(
        tx,
        ctx.secrets,
        workspace.id,
        {
          kind: 'smtp',
          name: `Mailbox ${n}`,
          ...identity,
          settings,
          credentials: { username: 'ada', password: 'secret' },
          dailyCap: 100_000,
          minGapSeconds: 0,
        },
        now,
      )
      ids.push(made.id)
    }
    await tx.run(sql(`update providers set status = 'connected', connected_at = now()`))
    const daysOfWeek = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as 'monday'[]
    const schedule = { daysOfWeek, timeWindow: { start: '00:00', end: '23:59' }, timezone: 'UTC' }
    const created = await createCampaign(
      tx,
      workspace.id,
      { name: 'Bench', providerId: ids[0]!, rotationProviderIds: ids.slice(1), schedule, trackOpens: true, trackClicks: true },
      now,
    )
    await replaceSequence(tx, workspace.id, created.id, STEPS, created.updatedAt, now)
    return [workspace.id, created.id] as const
  })
  for (let at = 0; at < leads; at += 5000) {
    await ctx.db.inTransaction(async tx => {
      const campaign = await getLockedCampaign(tx, workspaceId, campaignId)
      const part = Array.from({ length: Math.min(5000, leads - at) }, (_, n) => ({
        email: `lead-${at + n}@people.example`,
        firstName: `Lead ${at + n}`,
      }))
      await importLeads(tx, ctx.secrets, campaign, part, { leadListName: null, source: 'api_import', now })
    })
  }
  await ctx.db.inTransaction(async tx => void (await changeStatus(tx, await getLockedCampaign(tx, workspaceId, campaignId), 'active', now)))
}

const us = (value: number): string => `${Math.round(value)} µs`

async function rssMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
}

interface Rate {
  perSecond: number
  rss: number
  /** Processor time of a message; null where it cannot be measured. */
  costUs: { worker: number; postgres: number } | null
}

/** The real thing: a worker process on a database whose commits reach the disk. */
async function workerRate(stage: Stage, ctx: Context, sink: Sink, postgresPid: number, messages: number): Promise<Rate> {
  const before = await sink.taken()
  const env = {
    ...{ DATABASE_URL: ctx.db.url, OVERTURE_SECRET_KEY: SECRET.toString('base64'), OVERTURE_BASE_URL: 'http://127.0.0.1:8080' },
    ...{ OVERTURE_ALLOW_LOCAL_TARGETS: 'true', NODE_ENV: 'production' },
  }
  const worker = stage.startNode([...NODE_FLAGS, 'src/main.ts', 'worker'], env)
  const warmUpMs = performance.now()
  while ((await sink.taken()) < before + WARM_UP) {
    if (performance.now() - warmUpMs > 60_000) throw new Error('the worker does not send')
    await sleep(5)
  }
  const cpuOf = async (): Promise<(number | null)[]> => [await processorMs([worker.pid]), await processorMs([postgresPid])]
  const [workerMs, postgresMs] = await cpuOf()
  const startedMs = performance.now()
  const first = await sink.taken()
  let taken = first
  while (taken < first + messages) {
    await sleep(20)
    taken = await sink.taken()
    if (performance.now() - startedMs > 300_000) throw new Error(`only ${taken - first} of ${messages} messages were sent`)
  }
  const perSecond = ((taken - first) / (performance.now() - startedMs)) * 1000
  const [workerEndMs, postgresEndMs] = await cpuOf()
  const each = (before: number, after: number): number => ((after - before) * 1000) / (taken - first)
  const costUs =
    workerMs == null || workerEndMs == null ? null : { worker: each(workerMs, workerEndMs), postgres: each(postgresMs!, postgresEndMs!) }
  const rss = await rssMb(worker.pid)
  await worker.stop()
  return { perSecond, rss, costUs }
}

/** A tick that finds nothing to do, with half a million leads in campaigns that are not active. */
async function idleTick(ctx: Context): Promise<number[]> {
  await ctx.db.inTransaction(tx => tx.run(sql(`update campaigns set status = 'paused'`)))
  const insert = sql(`
    insert into leads (id, workspace_id, campaign_id, email, email_hash, domain_hash, source, due_at)
    select gen_random_uuid(), c.workspace_id, c.id, 'idle-' || n || '@people.example', '', '', 'api_import', now()
    from generate_series($1::int, $2::int) as n, (select * from campaigns limit 1) as c`)
  // In pieces: all of them at once would take longer than a statement may.
  for (let from = 1; from <= PAUSED; from += 50_000) {
    await ctx.db.inTransaction(tx => tx.run(insert, [from, Math.min(from + 49_999, PAUSED)]))
  }
  await ctx.db.many(sql('analyze leads'))
  const times: number[] = []
  for (let n = 0; n < 200; n++) {
    const startedMs = performance.now()
    const claimed = await claimSends(ctx, 1, 100)
    times.push(performance.now() - startedMs)
    if (claimed.length > 0) throw new Error('a paused campaign was claimed from')
  }
  return times
}

await Stage.run(async stage => {
  console.log(describeMachine())
  const sink = await Sink.start(stage)
  const postgres = await stage.startPostgres()
  const open = async (name: string): Promise<Context> => {
    const config = loadConfig({}, { logLevel: 'silent', allowLocalTargets: true, baseUrl: 'http://127.0.0.1:8080' })
    const databaseUrl = await stage.newDatabase(postgres, name)
    // The worker opens what is stored here, so both take the key of the installation.
    const { masterKey } = await openInstallationKeys(databaseUrl, { secretKey: SECRET })
    const ctx = buildContext({ config, databaseUrl, secretKey: masterKey })
    stage.atEnd(() => closeContext(ctx))
    return ctx
  }
  const ctx = await open('speed')
  const { raw } = await loopRate(ctx, sink, WARM_UP)
  const bare: number[] = []
  const kept: number[] = []
  const loop: number[] = []
  for (let round = 0; round < 3; round++) {
    bare.push(await bareRate(sink, raw, MESSAGES, false))
    kept.push(await bareRate(sink, raw, MESSAGES, true))
    loop.push((await loopRate(ctx, sink, MESSAGES)).perSecond)
  }
  await seed(ctx, sink.port, MESSAGES + 2 * WARM_UP)
  const full = await workerRate(stage, ctx, sink, postgres.pid!, MESSAGES)
  const large = await open('memory')
  await seed(large, sink.port, QUEUED)
  const queued = await workerRate(stage, large, sink, postgres.pid!, Math.min(QUEUED - 2 * WARM_UP, MESSAGES))
  const ticks = await idleTick(large)
  const [limit, keptLimit, without] = [median(bare), median(kept), median(loop)]
  printTable([
    {
      what: 'render, compose and send, without a database',
      figure: rate(without),
      limit: `bare dialogue, a connection for each message ${rate(limit)}`,
      ratio: (without / limit).toFixed(2),
    },
    {
      what: 'the whole safe loop',
      figure: rate(full.perSecond),
      limit: `bare dialogue, a connection for each message ${rate(limit)}`,
      ratio: (full.perSecond / limit).toFixed(2),
      goal: '0.15',
    },
    {
      what: 'the whole safe loop',
      figure: rate(full.perSecond),
      limit: `bare dialogue on connections that stay ${rate(keptLimit)}`,
      ratio: (full.perSecond / keptLimit).toFixed(2),
    },
    {
      what: 'the whole safe loop',
      figure: rate(full.perSecond),
      limit: `without a database ${rate(without)}`,
      ratio: (full.perSecond / without).toFixed(2),
      goal: '0.3',
    },
    ...(full.costUs
      ? [{ what: 'processor time of a message', figure: `worker ${us(full.costUs.worker)} + PostgreSQL ${us(full.costUs.postgres)}` }]
      : []),
    { what: `memory of the worker, ${QUEUED} queued`, figure: `${Math.round(queued.rss)} MB`, goal: '250 MB' },
    {
      what: `idle tick, ${PAUSED} leads of paused campaigns`,
      figure: ms(median(ticks)),
      limit: `p99 ${ms(percentile(ticks, 99))}`,
      goal: '5 ms',
    },
  ])
})
