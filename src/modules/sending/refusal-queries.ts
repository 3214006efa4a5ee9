import { type Db, sql, type Tx, type Writer } from '../../db/client.ts'

const MARK = sql(`
  update sends
  set refused_by_policy = true
  where id = $1`)

export const markRefusedByPolicy = (tx: Tx, id: string): Promise<number> => tx.run(MARK, [id])

// Only its last messages: every mailbox gets a few refusals a day while its other messages are accepted.
const COUNT_DOMAINS = sql(`
  select count(distinct domain)::int as count
  from (
    select domain, refused_by_policy
    from sends
    where provider_id = $1 and claimed_at > $2
    order by claimed_at desc
    limit 50
  ) as latest
  where refused_by_policy and domain <> ''`)

/** How many different recipient domains refused messages of the mailbox by their own rules. */
export async function countRefusingDomains(db: Db, mailboxId: string, since: Date): Promise<number> {
  return (await db.first<{ count: number }>(COUNT_DOMAINS, [mailboxId, since]))!.count
}

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

/** Counts an answer that is about the mailbox. */
export async function countMailboxRefusal(db: Writer, send: { id: string; mailboxId: string }, since: Date): Promise<MailboxRefusals> {
  const [row] = await db.write<MailboxRefusals>(COUNT_MAILBOX_REFUSAL, [send.id, send.mailboxId, since])
  return row ?? { count: 0, othersAccepted: false, acceptedLately: false }
}

// Skips rows that another transaction has locked; they are counted next time. Without waiting there can be no deadlock.
const NOTE_OTHERS_ACCEPTED = sql(`
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
  )`)

/**
 * Notes that messages of these mailboxes were accepted. A message in the same batch as a first refusal may have been accepted before it,
 * so it proves nothing; a repeated refusal was there before the batch.
 */
export const noteOthersAccepted = (tx: Tx, mailboxIds: string[], together: string[]): Promise<number> =>
  tx.run(NOTE_OTHERS_ACCEPTED, [mailboxIds, together])

const FIND_STANDINGS = sql(`
  select id, status, refused_by_policy as "isRefused",
    status <> 'unknown' and (status <> 'sending' or worker_id is distinct from $1) as "isStored"
  from sends
  where id = any($2::uuid[])`)

interface Standing {
  status: string
  /** A rule refused the message before. */
  isRefused: boolean
  /** This worker need not store its outcome any more. */
  isStored: boolean
}

/** The state of these messages before their outcome is stored. */
export async function findStandings(db: Db, workerId: number, ids: string[]): Promise<Map<string, Standing>> {
  const rows = await db.many<Standing & { id: string }>(FIND_STANDINGS, [workerId, ids])
  return new Map(rows.map(row => [row.id, row]))
}
