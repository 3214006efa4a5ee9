import { after } from 'node:test'
import { CampaignWork, Worker } from '../src/app/worker.ts'
import { VirtualClock } from '../src/lib/clock.ts'
import { WorkerIdentity } from '../src/queue/identity.ts'
import { type HarnessOptions, type Overture, startOverture } from './harness.ts'

export const MONDAY_9_BERLIN = new Date('2026-03-02T08:00:00.000Z')
export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday']

/** An Overture whose clock stops until the test moves it. */
export interface LivingOverture extends Overture {
  clock: VirtualClock
  work: CampaignWork
  worker: Worker
  /** Lets time pass in small steps, doing whatever is due at each. */
  live(ms: number, stepMs?: number): Promise<void>
}

export async function startLiving(options: HarnessOptions & { at?: Date } = {}): Promise<LivingOverture> {
  const clock = new VirtualClock(options.at ?? MONDAY_9_BERLIN)
  // The test owns the clock of the campaigns, so it sends by hand.
  const overture = await startOverture({ ...options, config: { ...options.config, sendsMail: false }, clock, worker: false })
  const worker = new Worker(overture.ctx)
  await worker.start()
  const identity = new WorkerIdentity(overture.ctx.db, overture.ctx.log)
  const work = new CampaignWork(overture.ctx, identity)
  const stopApp = overture.stop
  const stop = async (): Promise<void> => {
    await work.stop()
    await worker.stop()
    await identity.close()
    await stopApp.call(overture)
  }
  after(() => overture.end())
  return Object.assign(overture, {
    clock,
    work,
    worker,
    stop,
    async live(ms: number, stepMs = HOUR) {
      await work.tick()
      for (let left = ms; left > 0; left -= stepMs) {
        clock.advance(Math.min(stepMs, left))
        await work.tick()
      }
    },
  })
}

export interface CampaignPlan {
  leads: Record<string, unknown>[]
  steps?: Record<string, unknown>[]
  provider?: Record<string, unknown>
  campaign?: Record<string, unknown>
  activate?: boolean
}

export const TWO_STEPS = [
  {
    delayDays: 0,
    variants: [{ subject: 'A question for {{ firstName }}', body: 'Hi {{ firstName }},\n\nsee https://product.example/tour\n\nAda' }],
  },
  { delayDays: 3, variants: [{ subject: null, body: 'Hi {{ firstName }}, did you see my last mail?' }] },
]

/** A campaign with mailbox, sequence and leads, made through the API. */
export async function makeCampaign(
  overture: Overture,
  plan: CampaignPlan,
): Promise<{ campaignId: string; providerId: string; base: string }> {
  const { client, home } = overture
  const identity = { fromName: 'Ada', fromEmail: 'ada@sender.example', postalAddress: '1 Example Street, Berlin' }
  const mailbox = { kind: 'sandbox', name: 'Mailbox', dailyCap: 1000, minGapSeconds: 0, ...identity, ...plan.provider }
  const provider = await client.post(`${home}/providers`, mailbox)
  if (provider.status !== 201) throw new Error(JSON.stringify(provider.body))
  const providerId: string = provider.body.data.id
  const schedule = { daysOfWeek: WEEKDAYS, timeWindow: { start: '09:00', end: '17:00' }, timezone: 'Europe/Berlin' }
  const created = await client.post(`${home}/campaigns`, { name: 'Journey', providerId, schedule, ...plan.campaign })
  if (created.status !== 201) throw new Error(JSON.stringify(created.body))
  const campaignId: string = created.body.data.id
  const base = `${home}/campaigns/${campaignId}`
  const expect = async (method: string, path: string, body: unknown, headers: Record<string, string> = {}): Promise<void> => {
    const operation = await client.operate(method, path, body, headers)
    if (operation.status !== 'succeeded') throw new Error(`${path}: ${JSON.stringify(operation.error)}`)
  }
  await expect('PUT', `${base}/sequence`, { steps: plan.steps ?? TWO_STEPS }, { 'if-match': created.body.data.updatedAt })
  for (let at = 0; at < plan.leads.length; at += 5000)
    await expect('POST', `${base}/leads/import`, { leads: plan.leads.slice(at, at + 5000) })
  if (plan.activate !== false) await expect('POST', `${base}/activate`, {})
  return { campaignId, providerId, base }
}

let reports = 0

/** The bounce of a mail server that cannot deliver a message that it accepted. */
export const deliveryReport = (recipient: string, messageId: string, status: string, said?: string): string =>
  [
    'From: Mail Delivery System <mailer-daemon@provider.example>',
    'To: ada@sender.example',
    'Subject: Undelivered Mail Returned to Sender',
    `Message-ID: <report.${++reports}@provider.example>`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'Your message could not be delivered.',
    '',
    '--b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; provider.example',
    '',
    `Final-Recipient: rfc822; ${recipient}`,
    'Action: failed',
    `Status: ${status}`,
    ...(said ? [`Diagnostic-Code: smtp; ${said}`] : []),
    '',
    '--b',
    'Content-Type: text/rfc822-headers',
    '',
    `Message-ID: ${messageId}`,
    '',
    '--b--',
    '',
  ].join('\r\n')
