import { type Db, sql, type Tx, type Writer } from '../../db/client.ts'

const MARK = sql(`
  update sends
  set refused_by_policy = true
  where id = $1`)

export const markRefusedByPolicy = (tx: Tx, id: string): Promise<number> => tx.run(MARK, [id])

// Of its last messages only: when the others are taken, a few refusals a day are what every mailbox meets.
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

/** How many different recipient domains have refused messages of the mailbox by a rule of theirs. */
export async function countRefusingDomains(db: Db, mailboxId: string, since: Date): Promise<number> {
  return (await db.first<{ count: number }>(COUNT_DOMAINS, [mailboxId, since]))!.count
}

// The index of a mailbox is by the time of the claim; what was sent lately was claimed at most a little before.
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
  /** Messages to others were accepted after the first of these refusals. */
  othersAccepted: boolean
  acceptedLately: boolean
}

/** Counts an answer to a message that speaks of its mailbox. */
export async function countMailboxRefusal(db: Writer, send: { id: string; mailboxId: string }, since: Date): Promise<MailboxRefusals> {
  const [row] = await db.write<MailboxRefusals>(COUNT_MAILBOX_REFUSAL, [send.id, send.mailboxId, since])
  return row ?? { count: 0, othersAccepted: false, acceptedLately: false }
}

// Those that somebody else holds at this moment are left for the next time: nobody waits here, so nobody can wait in a circle.
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
 * Messages of these mailboxes were accepted. Those that were accepted together with a first refusal may have come before it, and prove
 * nothing; a refusal that is met again and again was there before them.
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
  /** A rule has refused it before. */
  isRefused: boolean
  /** This worker need not store its outcome any more. */
  isStored: boolean
}

/** How these messages stand before their outcome is stored. */
export async function findStandings(db: Db, workerId: number, ids: string[]): Promise<Map<string, Standing>> {
  const rows = await db.many<Standing & { id: string }>(FIND_STANDINGS, [workerId, ids])
  return new Map(rows.map(row => [row.id, row]))
}
