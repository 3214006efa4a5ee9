import { sql, type Tx } from '../../db/client.ts'
import { LIVE_WORKERS } from '../../queue/identity.ts'

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

// When the answer to a declaration was lost, a message may stand as sending that has not left. A message that was not
// tried does not count as an attempt; otherwise one that was claimed often would be given up at the first temporary refusal.
const RELEASE = sql(`
  with released as (
    update sends
    set status = 'queued', worker_id = null, attempts = attempts - 1
    where id = any($2::uuid[]) and worker_id = $1 and status in ('claimed', 'sending')
    returning id, step, lead_id, due_at, provider_id, claimed_at
  ), ${CLOSED}`)

export const releaseSends = (tx: Tx, workerId: number, ids: string[]): Promise<ReleasedSend[]> =>
  tx.many<ReleasedSend>(RELEASE, [workerId, ids])

const REQUEUE = sql(`
  with released as (
    update sends
    set status = 'queued', worker_id = null, reconcile_at = null
    where id = $1 and status = 'unknown'
    returning id, step, lead_id, due_at, provider_id, claimed_at
  ), ${CLOSED}`)

export const requeueUnknown = (tx: Tx, id: string): Promise<ReleasedSend[]> => tx.many<ReleasedSend>(REQUEUE, [id])

// Forces a lookup by key for each row, instead of the join that PostgreSQL would choose.
export const OPEN_SENDS = `
  open_sends o
  cross join lateral (
    select id, status, worker_id, reconcile_at
    from sends
    where sends.id = o.send_id
    limit 1
  ) as s`

const RELEASE_OTHERS = sql(`
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
  ), ${CLOSED}`)

/** For claims whose answer got lost: they have the number of this worker, but it does not work on them. Nothing of them has left. */
export const releaseSendsExcept = (tx: Tx, workerId: number, ids: string[]): Promise<ReleasedSend[]> =>
  tx.many<ReleasedSend>(RELEASE_OTHERS, [workerId, ids])

const OF_DEAD_WORKERS = `
    select s.id, s.worker_id
    from ${OPEN_SENDS}
    where s.worker_id is not null and s.worker_id not in (${LIVE_WORKERS})`

// In a sandbox, the message and its record are one transaction, so a message without a record was not sent.
const RELEASE_DEAD_CLAIMS = sql(`
  with dead as materialized (${OF_DEAD_WORKERS}
  ), released as (
    update sends s
    set status = 'queued', worker_id = null, attempts = s.attempts - 1
    from dead
    where s.id = dead.id and s.worker_id = dead.worker_id
      and (s.status = 'claimed'
        or (s.status = 'sending' and exists (select from providers p where p.id = s.provider_id and p.kind = 'sandbox')))
    returning s.id, s.step, s.lead_id, s.due_at, s.provider_id, s.claimed_at
  ), ${CLOSED}`)

export const releaseDeadClaims = (tx: Tx): Promise<ReleasedSend[]> => tx.many<ReleasedSend>(RELEASE_DEAD_CLAIMS)

const DOUBT_DEAD_SENDS = sql(`
  with dead as materialized (${OF_DEAD_WORKERS}
  )
  update sends s
  set status = 'unknown', worker_id = null, reconcile_at = $1, response = 'the worker died while sending'
  from dead
  where s.id = dead.id and s.worker_id = dead.worker_id and s.status = 'sending'`)

/** Messages that dead workers were sending; they may have left. */
export const doubtDeadSends = (tx: Tx, now: Date): Promise<number> => tx.run(DOUBT_DEAD_SENDS, [now])
