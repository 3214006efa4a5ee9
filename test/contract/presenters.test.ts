import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { presentSimulation } from '../../src/modules/explaining/simulation.ts'
import { presentTimelineEntry } from '../../src/modules/explaining/timeline.ts'
import { presentLead } from '../../src/modules/leads/leads.ts'
import { presentProvider } from '../../src/modules/mailboxes/mailboxes.ts'
import { presentMetrics } from '../../src/modules/metrics/metrics.ts'
import { presentDelivery, presentEndpoint } from '../../src/modules/webhooks/webhooks.ts'

const root = new URL('../..', import.meta.url).pathname
const at = new Date('2026-03-02T08:00:00Z')
const ctx = { link: (path: string) => `https://overture.example${path}`, clock: { now: () => at } }
const planted = { planted: 'a new column' }
const times = { createdAt: at, updatedAt: at, connectedAt: at, meetingAt: at, dueAt: at, nextAttemptAt: at }

describe('a new column', () => {
  // Other columns do not matter here: only that none is returned automatically.
  const row = {
    id: 'x',
    workspaceId: 'w',
    campaignId: 'c',
    status: 'contacted',
    reached: [],
    credentials: null,
    timezone: 'UTC',
    dailyCap: 1,
    ramp: null,
    loadDay: null,
    loadReserved: 0,
    nextSlotAt: null,
    ...times,
    ...planted,
  } as never
  const presented: [what: string, present: () => unknown][] = [
    ['of a lead', () => presentLead(row, row, ctx)],
    ['of a mailbox', () => presentProvider(row, ctx)],
    ['of a webhook endpoint', () => presentEndpoint(row, ctx, { scopes: new Set(['webhooks:write']) })],
    ['of a delivery', () => presentDelivery(row, ctx)],
    ['of the metrics', () => presentMetrics(row, at)],
    ['of the timeline', () => presentTimelineEntry(row, row, ctx)],
    [
      'of a simulation',
      () => {
        const sum = { reason: 'suppressed', count: 1, messages: 1, ...planted }
        const day = { date: '2026-03-02', total: 1, byMailbox: {}, byStep: [1], ...planted }
        const limit = { code: 'window', message: 'm', ...planted }
        return presentSimulation({ days: [day], notSent: [sum], bindingLimit: limit, startsAt: at, endsAt: at, ...planted } as never)
      },
    ],
  ]
  for (const [what, present] of presented) {
    it(`${what} does not reach the API automatically`, () => assert.ok(!JSON.stringify(present()).includes('planted')))
  }

  it('every presenter names the fields that it returns', () => {
    const loose: string[] = []
    for (const file of globSync('src/{modules,operations}/**/*.ts', { cwd: root })) {
      const source = readFileSync(join(root, file), 'utf8')
      for (const [start] of source.matchAll(/^(?:export )?(?:async )?(?:function|const) present[A-Za-z]*/gm)) {
        const from = source.indexOf(start)
        const body = source.slice(from, source.indexOf('\n\n', from) + 1 || undefined)
        if (/\.\.\.(row|shown|rest|exported|account|entry|campaign|simulation|sum|event|operation|lead|provider)\b(?![.(])/.test(body))
          loose.push(`${file}: ${start}`)
      }
    }
    assert.deepEqual(loose, [])
  })
})
