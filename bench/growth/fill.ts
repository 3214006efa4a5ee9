import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { seedDirectory } from '../../src/app/demo/directory.ts'
import { Database } from '../../src/db/client.ts'
import { campaignId, type Seed } from '../foundation/seed.ts'

export const CAMPAIGN = campaignId(1)
/** Its leads were all written to. */
const CONTACTED = campaignId(4)
export const ENDPOINT = '00000000-0000-7000-8000-0000000000e1'
const MAILBOX = '00000000-0000-7000-8000-0000000000b1'

const STEPS = JSON.stringify(
  [0, 3].map((delayDays, n) => ({
    delayDays,
    variants: [{ id: randomUUID(), weight: 1, subject: n === 0 ? 'Hello' : null, body: 'Hello {{ firstName }}, how are you?' }],
  })),
)

/**
 * As much of everything as `size` says: leads that wait and leads that were written to, people in the directory, suppressions,
 * finished operations, events, sent messages, replies, deliveries and entries of the ledger. Of each there are a few that are
 * unlike the others, for the filters that look for them.
 */
export async function fill({ databaseUrl, workspaceId }: Seed, size: number): Promise<void> {
  const db = new Database({ url: databaseUrl, poolSize: 1, onWake: () => {} })
  await db.inTransaction(tx => seedDirectory(tx, { people: Math.ceil(size * 1.5), now: new Date() }))
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const statements: [text: string, ...values: unknown[]][] = [
    [
      `insert into providers (id, workspace_id, kind, name, from_name, from_email, postal_address, status, daily_cap, min_gap_seconds, connected_at)
       values ($2, $1, 'sandbox', 'Sam', 'Sam', 'sam@bench.example', 'Street 1', 'connected', 100, 60, now())`,
      workspaceId,
      MAILBOX,
    ],
    [
      `update campaigns set provider_id = $1, sequence_version = 1, total_leads = $2 where id = any($3)`,
      MAILBOX,
      size,
      [CAMPAIGN, CONTACTED],
    ],
    ['insert into sequence_versions (campaign_id, version, steps) select unnest($1::uuid[]), 1, $2', [CAMPAIGN, CONTACTED], STEPS],
    [
      `insert into leads (id, workspace_id, campaign_id, email, email_hash, domain_hash, first_name, variables, shape, source, status, email_sent, due_at, created_at)
       select gen_random_uuid(), $1, case when n <= $2 then $3 else $4 end::uuid, email, sha256(email::bytea), sha256((n % 5000)::text::bytea), 'Sam',
         '{}', lead_shape('Sam', null, null, null, null, '{}'), 'api_import', case when n > $2 then 'sequence_completed' when n <= 20 then 'replied' else 'not_yet_contacted' end, n > $2,
         case when n between 21 and $2 then now() end, now() - n * interval '1 ms'
       from (select row_number() over (order by id desc) as n, email from people where email is not null) as p
       where n <= $2 + $2 / 8`,
      workspaceId,
      size,
      CAMPAIGN,
      CONTACTED,
    ],
    [
      `insert into lead_words (campaign_id, first_id, last_id, size, lead_ids, words)
       select campaign_id, (array_agg(id order by id))[1], (array_agg(id order by id desc))[1], count(*), array_agg(id order by id),
         string_agg(words_of_lead(email, full_name, first_name, last_name, company), e'\\x01' order by id)
       from (select *, (row_number() over (partition by campaign_id order by id) - 1) / 60 as part from leads) as l
       group by campaign_id, part`,
    ],
    [
      `insert into suppressions (id, workspace_id, kind, hash, value, reason, created_at)
       select gen_random_uuid(), $1, 'email', sha256(('s' || n)::bytea), 's' || n || '@suppressed.example', 'manual', now() - interval '2 years'
       from generate_series(1, $2) as n`,
      workspaceId,
      size,
    ],
    [
      `insert into operations (id, workspace_id, action, status, campaign_id, result, error, started_at, completed_at, created_at)
       select gen_random_uuid(), $1, case when n <= 20 then 'campaign.pause' else 'campaign.update' end,
         case when n % ($2 / 20) = 0 then 'failed' else 'succeeded' end, case when n <= 20 then $3 else $4 end::uuid,
         case when n % ($2 / 20) > 0 then '{}'::jsonb end, case when n % ($2 / 20) = 0 then '{"code":"x","message":"x"}'::jsonb end, now(), now(),
         now() - n * interval '1 second'
       from generate_series(1, $2) as n`,
      workspaceId,
      size,
      campaignId(2),
      CAMPAIGN,
    ],
    [
      `insert into events (workspace_id, seq, id, type, timestamp, campaign_id, lead_id, data)
       select $1, n, gen_random_uuid(), case when n <= 20 then 'email.replied' else 'email.sent' end, now() - interval '40 days', campaign_id, id,
         jsonb_build_object('campaignId', campaign_id, 'leadId', id, 'email', email)
       from (select *, row_number() over (order by id) as n from leads where workspace_id = $1) as l`,
      workspaceId,
    ],
    [
      `insert into event_streams (workspace_id, seq) select $1, count(*) from events
       on conflict (workspace_id) do update set seq = excluded.seq`,
      workspaceId,
    ],
    [
      `insert into sends (id, workspace_id, campaign_id, lead_id, provider_id, step, sequence_version, variant_id, domain, message_id, due_at,
         email_hash, status, claimed_at, sent_at, created_at)
       select gen_random_uuid(), workspace_id, campaign_id, id, $2, 0, 1, gen_random_uuid(), 'bench.example', id::text, now(), email_hash, 'sent',
         now() - interval '2 hours', now() - interval '2 hours', now()
       from leads where workspace_id = $1 and campaign_id = $3`,
      workspaceId,
      MAILBOX,
      CONTACTED,
    ],
    [
      `insert into inbound_messages (id, workspace_id, provider_id, dedupe_key, campaign_id, lead_id, kind, from_address, subject, text, received_at,
         handled_at, needs_look)
       select gen_random_uuid(), workspace_id, $2, id::text, $3, id, case when n <= 20 then 'positive' else 'neutral' end, email, 'Re: Hello',
         'Thank you.', now() - n * interval '1 minute', case when n > 20 then now() end, n <= 20
       from (select *, row_number() over (order by id) as n from leads where workspace_id = $1 and campaign_id = $3) as l`,
      workspaceId,
      MAILBOX,
      CONTACTED,
    ],
    [
      `insert into webhook_endpoints (id, workspace_id, url, events, secret, cursor_seq)
       select $2, $1, 'https://hooks.example', '{*}', '', seq - 100 from event_streams where workspace_id = $1`,
      workspaceId,
      ENDPOINT,
    ],
    [
      `insert into deliveries (id, workspace_id, endpoint_id, event_seq, event_id, event_type, attempt, status, due_at, created_at)
       select gen_random_uuid(), $1, $2, n, gen_random_uuid(), 'email.sent', 1, case when n % ($3 / 20) = 0 then 'failed' else 'succeeded' end, now(),
         now() - n * interval '1 second'
       from generate_series(1, $3) as n`,
      workspaceId,
      ENDPOINT,
      size,
    ],
    [
      `insert into ledger_entries (id, workspace_id, kind, amount, debit, credit)
       select gen_random_uuid(), $1, 'grant', 1, 'issued', 'available' from generate_series(1, $2)`,
      workspaceId,
      size,
    ],
    // Every campaign was busy in some quarters of the last thirty days, and the workspace in all of them.
    [
      `insert into campaign_rollups (workspace_id, campaign_id, dimension, at, key, sent)
       select distinct $1::uuid, ids[1 + floor(random() * cardinality(ids))::int], 'all',
         date_bin('15 minutes', now(), 'epoch') - floor(random() * 2880)::int * interval '15 minutes', null, 1
       from generate_series(1, $2), (select array_agg(id) as ids from campaigns where workspace_id = $1) as all_campaigns`,
      workspaceId,
      size,
    ],
    [
      `insert into campaign_rollups (workspace_id, campaign_id, dimension, at, key, sent)
       select workspace_id, campaign_id, 'mailbox', at, (extract(epoch from at)::int / 900 % 20)::text, sent
       from campaign_rollups where workspace_id = $1`,
      workspaceId,
    ],
    [
      `insert into workspace_rollups (workspace_id, dimension, at, key, sent)
       select workspace_id, dimension, at, key, sum(sent) from campaign_rollups where workspace_id = $1 group by 1, 2, 3, 4`,
      workspaceId,
    ],
  ]
  try {
    for (const [text, ...values] of statements) await client.query(text, values)
    await client.query('vacuum analyze')
  } finally {
    await client.end()
    await db.close()
  }
}
