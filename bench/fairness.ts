import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { buildContext, closeContext } from '../src/app/build-context.ts'
import { loadConfig } from '../src/context/config.ts'
import { issueToken } from '../src/modules/tokens/tokens.ts'
import { ensureUser } from '../src/modules/workspaces/workspaces.ts'
import { describeMachine, type Line, ms, percentile, printTable, SECRET_KEY, Stage } from './lib.ts'

// The latency of a change in one workspace while another sends many requests: its p99, compared with the usual p99. The limit is twice that.

const { values: options } = parseArgs({
  options: { requests: { type: 'string', default: '100' }, leads: { type: 'string', default: '20000' } },
})
const REQUESTS = Number(options.requests)
const LEADS = Number(options.leads)
const BRIEF = 'CTOs and heads of engineering of software companies in Berlin, Hamburg or Vienna with 50 to 200 employees, no agencies'
const MOST = 2
/** One late request must not decide: the p99 of a single flood would be its slowest request. */
const ROUNDS = 3

interface Workspace {
  home: string
  send(method: string, path: string, body?: unknown, ifMatch?: string): Promise<{ data: { id: string; updatedAt: string }; status: string }>
}

await Stage.run(async stage => {
  console.log(describeMachine())
  const postgres = await stage.startPostgres()
  const url = await stage.newDatabase(postgres, 'fairness')
  const [neighbor, flooding] = await makeWorkspaces(url)
  const api = await stage.startApi(url)
  await stage.startWorker(url)
  const as = (made: { workspaceId: string; token: string }): Workspace => ({
    home: `/v1/workspaces/${made.workspaceId}`,
    async send(method, path, body, ifMatch) {
      const headers = { authorization: `Bearer ${made.token}`, 'content-type': 'application/json', 'idempotency-key': randomUUID() }
      const answer = await fetch(api.origin + path, {
        method,
        headers: { ...headers, prefer: 'wait=30', ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
      return (await answer.json()) as Awaited<ReturnType<Workspace['send']>>
    },
  })
  const [quiet, loud] = [as(neighbor!), as(flooding!)]
  const own = await makeCampaign(quiet)
  const large = await makeCampaign(loud, LEADS)
  const change = () => quiet.send('POST', `${own}/duplicate`, { name: 'Copied' })
  const brief = (by: Workspace) => by.send('POST', `${by.home}/leads/search/ai`, { brief: BRIEF })
  const simulate = (by: Workspace, campaign: string) => by.send('POST', `${campaign}/simulate`, {})

  const lines: Line[] = []
  const compare = async (what: string, ask: () => Promise<unknown>, floods: Record<string, () => Promise<unknown>>): Promise<void> => {
    const alone: number[] = []
    for (let round = 0; round < ROUNDS; round++) alone.push(...(await latencies(ask, () => true)))
    const usual = percentile(alone, 99)
    lines.push({ what: `${what}, alone: p99`, figure: ms(usual), limit: `p50 ${ms(percentile(alone, 50))}, ${alone.length} requests` })
    for (const [flood, ask30] of Object.entries(floods)) {
      const found: number[] = []
      for (let round = 0; round < ROUNDS; round++) {
        let isOver = false
        const under = ask30().finally(() => {
          isOver = true
        })
        // Only while the flood lasts: after it, requests are as fast as usual.
        found.push(...(await latencies(ask, () => !isOver)))
        await under
      }
      const p99 = percentile(found, 99)
      const limit = `p50 ${ms(percentile(found, 50))}, ${found.length} requests`
      lines.push({
        what: `${what}, next to ${flood}: p99`,
        figure: ms(p99),
        limit,
        ratio: (p99 / usual).toFixed(1),
        goal: `at most ${MOST}`,
      })
    }
  }
  const many = (count: number, withinMs: number, work: () => Promise<unknown>) => () =>
    Promise.all(Array.from({ length: count }, (_, n) => sleep((n / count) * withinMs).then(work)))
  const floods = {
    '150 briefs in 3 s': many(150, 3000, () => brief(loud)),
    '30 simulations': many(30, 0, () => simulate(loud, large)),
  }
  // The code of a process that runs for a while is compiled.
  const floodOnce = Object.values(floods)
  for (const warmUp of [change, () => brief(quiet), () => simulate(quiet, own), ...floodOnce]) await warmUp()
  await compare('a change', change, floods)
  await compare('a brief', () => brief(quiet), floods)
  await compare('a simulation', () => simulate(quiet, own), floods)
  printTable(lines)
})

async function latencies(ask: () => Promise<unknown>, goesOn: () => boolean): Promise<number[]> {
  const found: number[] = []
  while (found.length < REQUESTS && (found.length === 0 || goesOn())) {
    const startedAt = performance.now()
    await ask()
    found.push(performance.now() - startedAt)
  }
  return found
}

async function makeWorkspaces(databaseUrl: string): Promise<{ workspaceId: string; token: string }[]> {
  const config = loadConfig({}, { logLevel: 'warn' })
  const ctx = buildContext({ config, databaseUrl, secretKey: Buffer.from(SECRET_KEY, 'base64') })
  try {
    return await ctx.db.inTransaction(async tx => {
      const made: { workspaceId: string; token: string }[] = []
      for (const name of ['quiet', 'loud']) {
        const now = new Date()
        const { userId, workspace } = await ensureUser(tx, { name, email: `${name}@bench.example`, workspaceName: name }, now)
        const token = { kind: 'personal', userId, workspaceId: null, name, scopes: ['*'], expiresAt: null } as const
        made.push({ workspaceId: workspace.id, token: (await issueToken(tx, { ...token, scopes: ['*'] }, now)).token })
      }
      return made
    })
  } finally {
    await closeContext(ctx)
  }
}

/** A draft that can be simulated, with so many leads. */
async function makeCampaign(by: Workspace, leadCount = 10): Promise<string> {
  const mailbox = await by.send('POST', `${by.home}/providers`, { kind: 'sandbox', name: 'Mailbox', fromEmail: 'me@bench.example' })
  const schedule = { daysOfWeek: ['monday', 'tuesday'], timeWindow: { start: '09:00', end: '17:00' }, timezone: 'Europe/Berlin' }
  const { data } = await by.send('POST', `${by.home}/campaigns`, { name: 'Fair', providerId: mailbox.data.id, schedule })
  const campaign = `${by.home}/campaigns/${data.id}`
  const steps = [0, 3, 4].map(delayDays => ({ delayDays, variants: [{ subject: 'Hello', body: 'Hi {{ firstName }}' }] }))
  await by.send('PUT', `${campaign}/sequence`, { steps }, data.updatedAt)
  for (let at = 0; at < leadCount; at += 5000) {
    const leads = Array.from({ length: Math.min(5000, leadCount - at) }, (_, n) => ({
      email: `p${at + n}@people.example`,
      firstName: 'Ann',
    }))
    await by.send('POST', `${campaign}/leads/import`, { leads })
  }
  return campaign
}
