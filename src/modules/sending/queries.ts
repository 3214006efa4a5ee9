import { among, columnsOf, mentions } from '../../db/fragments.ts'
import { sql, type Tx, type Writer } from '../../db/sql.ts'
import { valuesOf } from '../../lib/pick.ts'
import { LIVE_WORKERS } from '../../queue/identity.ts'
import { OPEN_STATUSES } from '../leads/schema.ts'
import { isSuppressed, isSuppressedEach } from '../suppressions/queries.ts'
import type { ContactOverrides, OptOutLines } from '../workspaces/schema.ts'

/** One email to one lead for one step. */
export interface Message {
  id: string
  workspaceId: string
  campaignId: string
  leadId: string
  providerId: string
  step: number
  variantId: string
  messageId: string
}

/** The contact rules of a campaign, of its workspace, and whether there are any in the workspace. */
const CONTACT_COLUMNS = (campaign: string): string => `${campaign}.contact_rules as "contactRules",
    (select w.contact_rules from workspaces w where w.id = ${campaign}.workspace_id) as "workspaceContactRules",
    (
      ${campaign}.contact_rules <> '{}'
      or exists (select from workspaces w where w.id = ${campaign}.workspace_id and w.contact_rules <> '{}')
      or exists (
        select from campaigns o
        where o.workspace_id = ${campaign}.workspace_id and o.contact_rules <> '{}'
      )
    ) as "sharesContacts"`

/** The base of links in messages, and the sentences that explain how to unsubscribe, from the settings of the workspace. */
export interface WorkspaceWriting {
  /** The tracking host in use; null when links lead to the installation itself. */
  trackingHost: { host: string; origin: string; isFailing: boolean } | null
  optOutLines: OptOutLines
}

const WRITING_COLUMNS = (workspaceId: string): string => `(
      select json_build_object('host', t.host, 'origin', t.origin, 'isFailing', t.status = 'failing')
      from tracking_hosts t
      where t.workspace_id = ${workspaceId} and t.status <> 'pending'
    ) as "trackingHost",
    (select w.opt_out_lines from workspaces w where w.id = ${workspaceId}) as "optOutLines"`

/** The settings of a workspace that affect the messages of a campaign. */
export const WORKSPACE_COLUMNS = (campaign: string): string =>
  `${CONTACT_COLUMNS(campaign)}, ${WRITING_COLUMNS(`${campaign}.workspace_id`)}`

export const findWriting = sql(`
  select ${WRITING_COLUMNS('home.id')}
  from workspaces home
  where home.id = $1`).one<WorkspaceWriting, [workspaceId: string]>()

export interface HeldCampaign extends WorkspaceWriting {
  id: string
  updatedAt: Date
  contactRules: ContactOverrides
  workspaceContactRules: ContactOverrides
  sharesContacts: boolean
}

// Locked until the commit: a pause waits for messages that passed this point, and after the pause none passes it. A separate
// statement locks the leads, so that the next statement sees every suppression that was committed under the same locks.
// The order of all locks is in docs/internals/sending.md.
/** The campaigns that are active, when they were last changed, and their contact rules as they are now. */
export const holdActiveCampaigns = sql(`
  with held as materialized (
    select id, workspace_id, updated_at, contact_rules
    from campaigns
    where id = any($1::uuid[]) and status = 'active'
    order by id
    for share
  ), people as materialized (
    select l.id
    from unnest($2::uuid[]) as asked(id)
    cross join lateral (
      select id
      from leads
      where leads.id = asked.id and campaign_id = any(array(select id from held))
      limit 1
      for no key update
    ) as l
  )
  select id, updated_at as "updatedAt", ${WORKSPACE_COLUMNS('held')}
  from held
  where (select count(*) from people) >= 0`).many<HeldCampaign, [ids: string[], leadIds: string[]]>((ids, leadIds) => [
  ids,
  leadIds.toSorted(),
])

// Each message is looked up by its key. If all of them were selected first and joined then, PostgreSQL would compare each with every other
// one, because it does not know how many there are.
interface Intention {
  id: string
  leadId: string
  subject: string
  links: string[]
  text: string
  html: string | null
}

/** Marks messages as leaving and stores their text, and returns the ids of those that may leave. For the others, something changed since the claim. A message that is tried again is rendered again. */
export const markSending = sql(`
  with mine as materialized (
    select r.id, r.subject, r.links, r.text, r.html, s.provider_id, s.step, s.status, s.worker_id, ${isSuppressedEach('l')} as suppressed
    from jsonb_to_recordset($2::jsonb) as r(id uuid, "leadId" uuid, subject text, links jsonb, text text, html text)
    cross join lateral (
      select provider_id, step, status, worker_id
      from sends
      where sends.id = r.id and sends.lead_id = r."leadId"
      limit 1
      for no key update
    ) as s
    cross join lateral (
      select workspace_id, email_hash, domain_hash, status
      from leads
      where leads.id = r."leadId"
      limit 1
    ) as l
    where l.status ${among(OPEN_STATUSES)}
  ), sending as (
    update sends s
    set status = 'sending', intended_at = $3, subject = mine.subject, links = array(select jsonb_array_elements_text(mine.links))
    from mine
    join providers p on p.id = mine.provider_id
    where s.id = mine.id and mine.worker_id = $1 and mine.status = 'claimed' and not mine.suppressed and p.status = 'connected'
      and (p.resting_until is null or p.resting_until <= $3)
      and (mine.step = 0 or coalesce(p.inbox_state, 'readable') = 'readable' or jsonb_typeof(p.settings->'imap') is distinct from 'object')
    returning s.id, s.workspace_id, mine.subject, mine.text, mine.html
  ), kept as (
    insert into sent_bodies (workspace_id, send_id, subject, text, html, created_at)
    select workspace_id, id, subject, text, html, $3
    from sending
    on conflict (workspace_id, send_id) do update
    set subject = excluded.subject, text = excluded.text, html = excluded.html, created_at = excluded.created_at
  )
  select id
  from sending`).set<string, [workerId: number, sends: Intention[], now: Date]>((workerId, sends, now) => [
  workerId,
  JSON.stringify(sends.toSorted((a, b) => (a.id < b.id ? -1 : 1))),
  now,
])

/** Of the messages that this worker still has: whether their leads are suppressed. */
export const findSuppressed = sql(`
  select s.id, coalesce(${isSuppressed('l')}, false) as suppressed
  from sends s
  left join leads l on l.id = s.lead_id
  where s.id = any($2::uuid[]) and s.worker_id = $1 and s.status = 'claimed'`).map<string, boolean, [workerId: number, ids: string[]]>()

// Forces a lookup by key for each row, instead of the join that PostgreSQL would choose.
const OPEN_SENDS = `
  open_sends o
  cross join lateral (
    select id, status, worker_id, reconcile_at
    from sends
    where sends.id = o.send_id
    limit 1
  ) as s`

/** Messages that are leaving: a pause can no longer stop them. */
export const countSendsInFlight = sql(`
  select count(*)::int as count
  from ${OPEN_SENDS}
  where o.campaign_id = $1 and s.status = 'sending'`).value<number, [campaignId: string]>()

export interface OutcomeRow {
  id: string
  status: 'sent' | 'queued' | 'failed' | 'unknown'
  response: string | null
  sentAt: Date | null
  reconcileAt: Date | null
  reconciled: 'found' | 'named' | 'assumed' | null
  byPolicy: boolean
  /** False when the message never reached the recipient's server, which does not count as an attempt. */
  isAttempt: boolean
}

interface RecordedSend {
  id: string
  status: OutcomeRow['status']
  mailboxId: string
  claimedAt: Date
}

// The worker that sent the message knows its outcome best, even when others have declared that worker dead in the meantime. From its first
// refusal because of the text on, a waiting message counts as refused, and its attempts are counted from there.
/** Returns the messages that were recorded; another worker has recorded the others. */
export const updateOutcomes = sql(`
  with mine as materialized (
    select id, status, worker_id
    from sends
    where id = any($3::uuid[])
    order by id
    for no key update
  ), recorded as (
    update sends s
    set status = r.status, worker_id = null, response = r.response, sent_at = r."sentAt", reconcile_at = r."reconcileAt",
      reconciled = r.reconciled, refused_by_policy = r."byPolicy" or (s.refused_by_policy and r.status in ('queued', 'unknown')),
      attempts = case when r.status = 'queued' and r."byPolicy" and not s.refused_by_policy then 1 else s.attempts end
        - case when r."isAttempt" then 0 else 1 end
    from jsonb_to_recordset($2::jsonb) as r(
      id uuid, status text, response text, "sentAt" timestamptz, "reconcileAt" timestamptz, reconciled text,
      "byPolicy" boolean, "isAttempt" boolean)
    join mine using (id)
    where s.id = mine.id
      and ((mine.status = 'sending' and mine.worker_id = $1)
        or mine.status = 'unknown'
        or (mine.status = 'queued' and r.status = 'sent'))
    returning s.id, s.status, s.provider_id, s.claimed_at
  ), closed as (
    delete from open_sends o
    using recorded
    where o.send_id = recorded.id and recorded.status <> 'unknown'
  )
  select id, status, provider_id as "mailboxId", claimed_at as "claimedAt"
  from recorded`).many<RecordedSend, [workerId: number | null, outcomes: OutcomeRow[]]>((workerId, outcomes) => [
  workerId,
  JSON.stringify(outcomes),
  outcomes.map(row => row.id),
])

/** Deletes the texts of these messages and of the responses of the server. */
export const forgetTexts = sql(`
  with forgotten as (
    update sends
    set subject = null, response = null
    where id = any($1::uuid[])
    returning id, workspace_id
  )
  delete from sent_bodies b
  using forgotten f
  where b.workspace_id = f.workspace_id and b.send_id = f.id`).run<[ids: string[]]>()

/** A message was opened, or a link in it was followed, by a person or a program. */
export const countHitOfSend = sql(`
  update sends
  set open_count = open_count + ($2 = 'open')::int, click_count = click_count + ($2 = 'click')::int
  where id = $1`).run<[id: string, kind: 'open' | 'click']>()

// Messages that were not sent yet or may have to be found need their text, and so do waiting answers.
/** Deletes the texts of old messages. Their time, subject and links are kept. */
export const forgetSentBodies = sql(`
  delete from sent_bodies
  where (workspace_id, send_id) in (
    select b.workspace_id, b.send_id
    from sent_bodies b
    left join sends s on s.id = b.send_id
    where b.created_at < $1
      and (s.id is null or s.status in ('sent', 'failed'))
    order by b.created_at
    limit $2
    for update of b skip locked
  )`).run<[before: Date, limit: number]>()

/** A message that was given back, and when its lead was due. */
export interface ReleasedSend {
  id: string
  isAnswer: boolean
  leadId: string
  dueAt: Date
  mailboxId: string
  claimedAt: Date
}

/** The part after `released`: closes the sends; the caller puts their leads back into the queue. */
const CLOSED = `
  closed as (
    delete from open_sends o
    using released
    where o.send_id = released.id
  )
  select id, step is null as "isAnswer", lead_id as "leadId", due_at as "dueAt", provider_id as "mailboxId", claimed_at as "claimedAt"
  from released`

// When the response to an intent was lost, a message may be marked as sending that was not sent. A message that was not
// tried does not count as an attempt; otherwise one that was claimed often would be given up at the first temporary refusal.
export const releaseSends = sql(`
  with released as (
    update sends
    set status = 'queued', worker_id = null, attempts = attempts - 1
    where id = any($2::uuid[]) and worker_id = $1 and status in ('claimed', 'sending')
    returning id, step, lead_id, due_at, provider_id, claimed_at
  ), ${CLOSED}`).many<ReleasedSend, [workerId: number, ids: string[]]>()

export const requeueUnknown = sql(`
  with released as (
    update sends
    set status = 'queued', worker_id = null, reconcile_at = null
    where id = $1 and status = 'unknown'
    returning id, step, lead_id, due_at, provider_id, claimed_at
  ), ${CLOSED}`).many<ReleasedSend, [id: string]>()

/** For claims whose response was lost: they have the number of this worker, but it does not work on them. Nothing of them was sent. */
export const releaseSendsExcept = sql(`
  with lost as materialized (
    select s.id
    from ${OPEN_SENDS}
    where s.worker_id = $1
      and s.status = 'claimed'
      and s.id <> all($2::uuid[])
  ), released as (
    update sends
    set status = 'queued',
      worker_id = null,
      attempts = attempts - 1
    from lost
    where sends.id = lost.id
    returning sends.id, sends.step, sends.lead_id, sends.due_at, sends.provider_id, sends.claimed_at
  ), ${CLOSED}`).many<ReleasedSend, [workerId: number, ids: string[]]>()

const OF_DEAD_WORKERS = `
    select s.id, s.worker_id
    from ${OPEN_SENDS}
    where s.worker_id is not null and s.worker_id not in (${LIVE_WORKERS})`

// In a sandbox, the message and its record are one transaction, so a message without a record was not sent.
export const releaseDeadClaims = sql(`
  with dead as materialized (${OF_DEAD_WORKERS}
  ), released as (
    update sends s
    set status = 'queued', worker_id = null, attempts = s.attempts - 1
    from dead
    where s.id = dead.id and s.worker_id = dead.worker_id
      and (s.status = 'claimed'
        or (s.status = 'sending' and exists (select from providers p where p.id = s.provider_id and p.kind = 'sandbox')))
    returning s.id, s.step, s.lead_id, s.due_at, s.provider_id, s.claimed_at
  ), ${CLOSED}`).many<ReleasedSend>()

/** Messages that dead workers were sending; they may have been sent. */
export const doubtDeadSends = sql(`
  with dead as materialized (${OF_DEAD_WORKERS}
  )
  update sends s
  set status = 'unknown', worker_id = null, reconcile_at = $1, response = 'the worker died while sending'
  from dead
  where s.id = dead.id and s.worker_id = dead.worker_id and s.status = 'sending'`).run<[now: Date]>()

export const markRefusedByPolicy = sql(`
  update sends
  set refused_by_policy = true
  where id = $1`).run<[id: string]>()

// Only its last messages: every mailbox gets a few refusals a day while its other messages are accepted.
/** How many different recipient domains refused messages of the mailbox by their own rules. */
export const countRefusingDomains = sql(`
  select count(distinct domain)::int as count
  from (
    select domain, refused_by_policy
    from sends
    where provider_id = $1 and claimed_at > $2
    order by claimed_at desc
    limit 50
  ) as latest
  where refused_by_policy and domain <> ''`).value<number, [mailboxId: string, since: Date]>()

// The index of a mailbox is ordered by the time of the claim, which is shortly before the time of sending.
const COUNT_MAILBOX_REFUSAL = sql.atomic(`
  update sends s
  set mailbox_refusals = mailbox_refusals + 1
  where s.id = $1
  returning s.mailbox_refusals as count, s.others_accepted as "othersAccepted", exists (
    select from sends o
    where o.provider_id = $2
      and o.claimed_at > $3::timestamptz - interval '1 hour'
      and o.status = 'sent'
      and o.sent_at > $3::timestamptz
  ) as "acceptedLately"`)

interface MailboxRefusals {
  count: number
  /** Whether messages to others were accepted after the first of these refusals. */
  othersAccepted: boolean
  acceptedLately: boolean
}

/** Counts a response that concerns the mailbox. */
export async function countMailboxRefusal(db: Writer, send: { id: string; mailboxId: string }, since: Date): Promise<MailboxRefusals> {
  const [row] = await db.write<MailboxRefusals>(COUNT_MAILBOX_REFUSAL, [send.id, send.mailboxId, since])
  return row ?? { count: 0, othersAccepted: false, acceptedLately: false }
}

// Skips rows that another transaction has locked; they are counted next time. Without waiting there can be no deadlock.
/**
 * Notes that messages of these mailboxes were accepted. A message in the same batch as a first refusal may have been accepted before it,
 * so it proves nothing; a repeated refusal was there before the batch.
 */
export const noteOthersAccepted = sql(`
  update sends
  set others_accepted = true
  where id in (
    select id
    from sends
    where provider_id = any($1::uuid[])
      and mailbox_refusals > 0
      and not others_accepted
      and (id <> all($2::uuid[]) or mailbox_refusals > 1)
    for no key update skip locked
  )`).run<[mailboxIds: string[], together: string[]]>()

interface Standing {
  id: string
  status: string
  /** A rule refused the message before. */
  isRefused: boolean
  /** This worker need not store its outcome any more. */
  isStored: boolean
}

/** The state of these messages before their outcome is stored. */
export const listStandings = sql(`
  select id, status, refused_by_policy as "isRefused",
    status <> 'unknown' and (status <> 'sending' or worker_id is distinct from $1) as "isStored"
  from sends
  where id = any($2::uuid[])`).many<Standing, [workerId: number, ids: string[]]>()

export interface DoubtfulSend extends Omit<Message, 'step' | 'variantId'> {
  /** Null, like the next two, when it is a person's answer. */
  step: number | null
  variantId: string | null
  sequenceVersion: number | null
  subject: string | null
  status: string
  dueAt: Date
  attempts: number
  reconcileAttempts: number
  intendedAt: Date | null
}

const COLUMNS = columnsOf(
  `id, workspace_id, campaign_id, lead_id, provider_id, step, sequence_version, variant_id, message_id, subject, status, due_at,
  attempts, reconcile_attempts, intended_at`,
  's',
)

export const findDoubtfulSend = sql(`
  select ${COLUMNS}
  from sends s
  where s.id = $1`).first<DoubtfulSend, [id: string]>()

// Claimed by a later check time, so that two workers do not look for the same message. If the worker dies, one check is lost.
export const takeDoubtfulSends = sql(`
  update sends s
  set reconcile_at = $2, reconcile_attempts = s.reconcile_attempts + 1
  from (
    select s.id
    from ${OPEN_SENDS}
    where s.status = 'unknown' and s.reconcile_at <= $1
    order by s.reconcile_at
    limit $3
    for update of o skip locked
  ) as due
  where s.id = due.id
  returning ${COLUMNS}`).many<DoubtfulSend, [now: Date, until: Date, limit: number]>()

// Only messages that were certainly sent, by the server's response or by the copy that the server stored. Assumed ones prove nothing, and a copy that
// we stored does not show that the server keeps copies.
const NEIGHBOUR = `
  select message_id
  from sends
  where provider_id = $1
    and id <> $2
    and status = 'sent'
    and not has_own_copy
    and (reconciled is null or reconciled <> 'assumed')
    and claimed_at between $3::timestamptz - $4 * interval '1 millisecond' - interval '1 hour'
      and $3::timestamptz + $4 * interval '1 millisecond'`

/** The Message-IDs of the last message that left before this one and of the first that left after it, within the time. */
export const listNeighbours = sql(`
  (
    ${NEIGHBOUR}
      and sent_at <= $3 and sent_at >= $3::timestamptz - $4 * interval '1 millisecond'
    order by sent_at desc, id
    limit 1
  )
  union
  (
    ${NEIGHBOUR}
      and intended_at >= $3 and intended_at <= $3::timestamptz + $4 * interval '1 millisecond'
    order by intended_at, id desc
    limit 1
  )`).column<string, [mailboxId: string, id: string, intendedAt: Date, withinMs: number]>()

/** Their copies in the Sent folder will be ours. */
export const markOwnCopies = sql(`
  update sends
  set has_own_copy = true
  where id = any($1::uuid[])`).run<[ids: string[]]>()

/** The leads that messages to this address were for, whether they are still there or not. */
export const listRecipients = sql(`
  select distinct lead_id as id
  from sends
  where campaign_id = $1 and email_hash = $2`).column<string, [campaignId: string, emailHash: Buffer]>()

export interface ErasedSend {
  id: string
  messageId: string
  isChanged: boolean
}

// The worker gives a claimed message back, because it cannot mark it as leaving without its lead. A message that is leaving
// is recorded by its worker, which will find no lead.
export const bareSends = sql(`
  with theirs as materialized (
    select id, message_id,
      subject is not null or response is not null or links <> '{}' or domain <> '' or email_hash is null as is_changed
    from sends
    where lead_id = any($2::uuid[]) and workspace_id = $1
    order by id
    for no key update
  ), bare as (
    update sends s
    set subject = null, response = null, links = '{}', domain = '', email_hash = $3
    from theirs
    where s.id = theirs.id and theirs.is_changed
  ), forgotten as (
    delete from sent_bodies b
    using theirs
    where b.workspace_id = $1 and b.send_id = theirs.id
  ), unanswered as (
    delete from answers a
    using theirs
    where a.send_id = theirs.id
  )
  select id, message_id as "messageId", is_changed as "isChanged"
  from theirs`).many<ErasedSend, [workspaceId: string, leadIds: string[], emailHash: Buffer]>()

const ERASE_ANSWERS = sql(`
  with theirs as (
    delete from answers
    where workspace_id = $1 and email_hash = $2
    returning send_id
  ), forgotten as (
    delete from sent_bodies b
    using theirs
    where b.workspace_id = $1 and b.send_id = theirs.send_id
  )
  update sends s
  set subject = null, response = null, domain = ''
  from theirs
  where s.id = theirs.send_id`)

const ERASE_REFERENCES = sql(`
  update answers
  set in_reply_to = case when ${mentions('in_reply_to', '$2')} then null else in_reply_to end,
    reference_ids = array(select each from unnest(reference_ids) as each where not ${mentions('each', '$2')})
  where workspace_id = $1
    and ${mentions("concat_ws(' ', in_reply_to, array_to_string(reference_ids, ' '))", '$2')}`)

/** Answers to the person in the threads of others, and ids of messages that contain the address. */
export async function eraseFromAnswers(tx: Tx, workspaceId: string, emailHash: Buffer, address: string): Promise<void> {
  await tx.run(ERASE_ANSWERS, [workspaceId, emailHash])
  await tx.run(ERASE_REFERENCES, [workspaceId, address])
}

/** Those of the messages whose recipients have not been erased. */
export const listUnerased = sql(`
  select id
  from sends
  where id = any($1::uuid[]) and subject is not null`).set<string, [sendIds: string[]]>()

interface StoredBody {
  sendId: string
  found: boolean
  subject: string | null
  text: string | null
  html: string | null
}

/** A page of all sent messages, with the texts of those that contain the address. */
export const readBodiesPage = sql(`
  select send_id as "sendId", found, case when found then subject end as subject, case when found then text end as text,
    case when found then html end as html
  from (
    select *, ${mentions("concat_ws(' ', subject, text, html)", '$4')} as found
    from sent_bodies
    where workspace_id = $1 and ($2::uuid is null or send_id > $2)
    order by send_id
    limit $3
  ) as page
  order by send_id`).many<StoredBody, [workspaceId: string, after: string | null, limit: number, address: string]>()

export const updateBody = sql(`
  update sent_bodies
  set subject = $3, text = $4, html = $5
  where workspace_id = $1 and send_id = $2`).run(
  (workspaceId: string, sendId: string, body: { subject: string; text: string; html: string | null }) => [
    ...[workspaceId, sendId],
    ...valuesOf(body, 'subject', 'text', 'html'),
  ],
)
