import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { createTestDatabase } from '../../../test/harness.ts'
import { Database } from '../../db/client.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../lib/time.ts'
import { findOpenLead, listFirstDue, listOpenEntries, type OpenEntry } from './queries.ts'

const NOW = new Date('2026-03-02T09:00:00.000Z')
const COUNT = 400
const MAILBOXES = [randomUUID(), randomUUID()]
const DETAILED = ['domain_throttle', 'company_limit']

/** Always the same numbers, so that a failure can be looked at. */
let state = 7
const pick = <T>(...choices: T[]): T => {
  state = (state * 1103515245 + 12345) % 2147483648
  return choices[Math.floor((state / 2147483648) * choices.length)]!
}

describe('the leads that wait in a campaign', () => {
  const [workspaceId, campaignId] = [randomUUID(), randomUUID()]
  const ids = Array.from({ length: COUNT }, () => randomUUID()).sort()
  let db: Database

  before(async () => {
    db = new Database({ url: await createTestDatabase(), poolSize: 2, onWake: () => {} })
    const { pool } = db
    await pool.query(`insert into workspaces (id, name) values ($1, 'w')`, [workspaceId])
    await pool.query(`insert into campaigns (id, workspace_id, name) values ($1, $2, 'c')`, [campaignId, workspaceId])
    const suppressed = randomBytes(32)
    const rows = ids.map((id, n) => {
      const due = pick(-3 * HOUR_MS, -1, 0, 1, HOUR_MS, DAY_MS, null)
      const reason = pick(null, null, 'domain_throttle', 'company_limit', 'recipient_deferred', 'mailbox_gap')
      return {
        id,
        email: `p${n}@${pick('a.example', 'a.example', 'b.example', `own${n}.example`)}`,
        domain_hash: pick(suppressed, ...Array.from({ length: 6 }, () => randomBytes(32))).toString('hex'),
        status: pick('not_yet_contacted', 'contacted', 'contacted', 'replied'),
        next_step: pick(0, 0, 1, 2),
        due_at: due === null ? null : new Date(NOW.getTime() + due),
        provider_id: pick(null, null, ...MAILBOXES),
        timezone: pick(null, 'Asia/Tokyo', 'nowhere'),
        hold_reason: reason,
        hold_until: pick(null, new Date(NOW.getTime() - MINUTE_MS), new Date(NOW.getTime() + MINUTE_MS), new Date(NOW.getTime() + HOUR_MS)),
        hold_detail: reason && { limit: pick(1, 2), domain: pick('a.example', 'b.example') },
      }
    })
    await pool.query(
      `insert into leads (id, workspace_id, campaign_id, email, email_hash, domain_hash, status, next_step, due_at, provider_id, timezone,
         hold_reason, hold_until, hold_detail, source)
       select r.id, $1, $2, r.email, sha256(r.email::bytea), decode(r.domain_hash, 'hex'), r.status, r.next_step,
         case when r.status <> 'replied' then r.due_at end, r.provider_id, r.timezone, r.hold_reason, r.hold_until, r.hold_detail, 'manual'
       from jsonb_to_recordset($3::jsonb) as r(id uuid, email text, domain_hash text, status text, next_step int, due_at timestamptz,
         provider_id uuid, timezone text, hold_reason text, hold_until timestamptz, hold_detail jsonb)`,
      [workspaceId, campaignId, JSON.stringify(rows)],
    )
    await pool.query(
      `insert into sends (id, workspace_id, campaign_id, lead_id, provider_id, step, sequence_version, variant_id, domain, message_id, due_at,
         email_hash, status, worker_id, claimed_at, created_at)
       select gen_random_uuid(), workspace_id, campaign_id, id, $2, next_step, 1, gen_random_uuid(), 'a.example', id::text, $3, email_hash,
         case when step_of % 3 = 0 then 'unknown' else 'sending' end, 1, $3, $3
       from (select *, row_number() over (order by id) as step_of from leads where due_at is null and status <> 'replied' and next_step > 0) as l
       where campaign_id = $1`,
      [campaignId, MAILBOXES[0], NOW],
    )
    await pool.query('insert into open_sends (send_id, campaign_id) select id, campaign_id from sends')
    await pool.query(
      `insert into suppressions (id, workspace_id, kind, value, hash, reason)
       select gen_random_uuid(), $2, 'email', lower(email), email_hash, 'manual' from leads where id = any($1)`,
      [ids.filter((_, n) => n % 20 === 0), workspaceId],
    )
    await pool.query(`insert into suppressions (id, workspace_id, kind, hash, reason) values ($1, $2, 'domain', $3, 'manual')`, [
      randomUUID(),
      workspaceId,
      suppressed,
    ])
  })
  after(() => db.close())

  // One after the other: all at once would wait for a connection, and on a busy machine longer than the pool allows.
  const openLeads = async () => {
    const leads: OpenEntry[] = []
    for (const id of ids) leads.push(...[await findOpenLead(db, id)].flatMap(lead => lead ?? []))
    return leads
  }

  /** The input of the planner, one line for each lead. */
  const tell = (entry: OpenEntry, { byZone = true, domains = true } = {}): string =>
    JSON.stringify([
      entry.step,
      entry.dueAt,
      byZone ? entry.timezone : null,
      domains && entry.dueAt !== null ? entry.domain : '',
      entry.providerId,
      entry.holdReason,
      entry.holdUntil !== null && entry.holdUntil > NOW,
      DETAILED.includes(entry.holdReason ?? '') ? Object.entries(entry.holdDetail ?? {}).sort() : null,
      entry.suppressed,
      entry.openSend,
    ])

  it('are returned as entries with counts that give the same result as each lead separately', async () => {
    const single = await openLeads()
    assert.ok(single.some(lead => lead.suppressed) && single.some(lead => lead.openSend === 'unknown'))
    for (const byZone of [true, false]) {
      const telling = { now: NOW, byZone, recentDomains: [], detailed: DETAILED, except: [] }
      const all = await listOpenEntries(db, campaignId, { ...telling, crowdedFrom: 0 })
      const lines = all.flatMap(entry => Array.from({ length: entry.count }, () => tell(entry, { byZone })))
      assert.deepEqual(lines.sort(), single.map(lead => tell(lead, { byZone })).sort())
      const few = await listOpenEntries(db, campaignId, { ...telling, crowdedFrom: null })
      assert.ok(few.length < all.length)
      assert.deepEqual(
        few.flatMap(entry => Array.from({ length: entry.count }, () => tell(entry, { byZone, domains: false }))).sort(),
        single.map(lead => tell(lead, { byZone, domains: false })).sort(),
      )
    }
  })

  it('are counted, not read, in a large campaign with mostly fresh leads, with the same result', async () => {
    const isOutOfQueue = (lead: OpenEntry) => lead.step === 0 && lead.dueAt === null && lead.openSend === null
    const single = (await openLeads()).filter(lead => !isOutOfQueue(lead))
    const queue = single.filter(lead => lead.dueAt !== null && lead.providerId === null)
    const inOrder = queue.sort((a, b) => a.dueAt!.getTime() - b.dueAt!.getTime() || (a.id < b.id ? -1 : 1))
    const except = inOrder.slice(0, 2).map(({ id }) => id)
    for (const byZone of [true, false]) {
      // A lead that is due now is due with the first of them, and what is no hold has no end.
      const retell = (lead: OpenEntry) => {
        const dueAt = lead.dueAt !== null && lead.dueAt <= NOW ? NOW : lead.dueAt
        return tell({ ...lead, dueAt, holdUntil: lead.holdReason === null ? null : lead.holdUntil }, { byZone, domains: false })
      }
      const expected = single.filter(({ id }) => !except.includes(id)).map(retell)
      for (const size of [COUNT, 10_000, 50_000, 500_000]) {
        await db.pool.query('update campaigns set total_leads = $2 where id = $1', [campaignId, size])
        const telling = { now: NOW, byZone, crowdedFrom: null, recentDomains: [], detailed: DETAILED, except }
        const entries = await listOpenEntries(db, campaignId, telling)
        const due = entries.flatMap(({ dueAt }) => dueAt?.getTime() ?? [])
        assert.deepEqual(
          due,
          due.toSorted((a, b) => a - b),
        )
        const lines = entries.flatMap(entry => Array.from({ length: isOutOfQueue(entry) ? 0 : entry.count }, () => retell(entry)))
        assert.deepEqual(lines.sort(), expected.toSorted())
      }
    }
    await db.pool.query('update campaigns set total_leads = 0 where id = $1', [campaignId])
  })

  it('are separated by domain only if a domain has enough leads for a limit, or was emailed', async () => {
    const telling = { now: NOW, byZone: false, crowdedFrom: 10, recentDomains: ['own3.example'], detailed: [], except: [] }
    const named = new Set((await listOpenEntries(db, campaignId, telling)).map(entry => entry.domain))
    const own = (await findOpenLead(db, ids[3]!))?.domain
    assert.deepEqual([...named].filter(name => name !== own).sort(), ['', 'a.example', 'b.example'])
  })

  it('exclude individually checked leads, and start with the leads that are due first', async () => {
    const first = await listFirstDue(db, campaignId, MAILBOXES, 50)
    const waiting = (await openLeads()).filter(lead => lead.dueAt !== null)
    const inOrder = waiting.sort((a, b) => a.dueAt!.getTime() - b.dueAt!.getTime() || (a.id < b.id ? -1 : 1)).slice(0, 50)
    assert.deepEqual(first, inOrder)
    const except = first.map(lead => lead.id)
    const rest = await listOpenEntries(db, campaignId, {
      now: NOW,
      byZone: false,
      crowdedFrom: null,
      recentDomains: [],
      detailed: [],
      except,
    })
    const total = (await openLeads()).length
    assert.equal(
      rest.reduce((sum, { count }) => sum + count, 0),
      total - 50,
    )
    const dues = rest.flatMap(entry => entry.dueAt ?? [])
    assert.deepEqual(
      dues,
      dues.toSorted((a, b) => a.getTime() - b.getTime()),
    )
  })
})
