import { type Db, sql, type Tx } from '../../db/client.ts'
import { PROVIDER_COLUMNS, type ProviderRow } from './queries.ts'

/** A mailbox as the sender needs it. */
export interface SendingMailbox extends ProviderRow {
  /** The server itself stores copies of sent messages in the Sent folder. */
  savesSent: boolean
}

const COLUMNS = `${PROVIDER_COLUMNS}, p.saves_sent as "savesSent"`

// A mailbox that another worker is planning for is skipped: the worker that holds the row owns its slots.
const LOCK_FREE_MAILBOXES = sql(`
  select ${COLUMNS}
  from providers p
  where p.id = any($1::uuid[]) and p.status = 'connected' and (p.next_slot_at is null or p.next_slot_at <= $2)
    and (p.resting_until is null or p.resting_until <= $2)
  order by p.id
  for no key update skip locked`)

export const lockFreeMailboxes = (tx: Tx, ids: string[], now: Date): Promise<SendingMailbox[]> =>
  tx.many<SendingMailbox>(LOCK_FREE_MAILBOXES, [ids, now])

const LOCK_CONNECTED = sql(`
  select ${COLUMNS}
  from providers p
  where p.id = any($1::uuid[]) and p.status = 'connected' and (p.resting_until is null or p.resting_until <= $2)
  order by p.id
  for no key update skip locked`)

/** The same for messages that do not wait for a slot. */
export const lockConnectedMailboxes = (tx: Tx, ids: string[], now: Date): Promise<SendingMailbox[]> =>
  tx.many<SendingMailbox>(LOCK_CONNECTED, [ids, now])

const LIST_MAILBOXES = sql(`
  select ${COLUMNS}
  from providers p
  where p.id = any($1::uuid[])`)

export const listMailboxes = (db: Db, ids: string[]): Promise<SendingMailbox[]> => db.many<SendingMailbox>(LIST_MAILBOXES, [ids])

const SAVE_LOADS = sql(`
  update providers p
  set load_day = r.day, load_reserved = r.reserved, next_slot_at = r.slot
  from unnest($1::uuid[], $2::text[], $3::int[], $4::timestamptz[]) as r(id, day, reserved, slot)
  where p.id = r.id`)

interface SavedLoad {
  id: string
  day: string | null
  reserved: number
  nextSlotAt: Date | null
}

export async function saveLoads(tx: Tx, loads: SavedLoad[]): Promise<void> {
  if (loads.length === 0) return
  await tx.run(SAVE_LOADS, [
    loads.map(load => load.id),
    loads.map(load => load.day),
    loads.map(load => load.reserved),
    loads.map(load => load.nextSlotAt),
  ])
}

// In one order, because two workers may give back to the same mailboxes.
const LOCK_LOADS = sql(`
  select id, load_day as "loadDay", timezone
  from providers
  where id = any($1::uuid[])
  order by id
  for no key update`)

export const lockLoads = (tx: Tx, ids: string[]): Promise<{ id: string; loadDay: string | null; timezone: string }[]> =>
  tx.many(LOCK_LOADS, [ids])

const REDUCE_LOADS = sql(`
  update providers p
  set load_reserved = greatest(0, p.load_reserved - r.count)
  from unnest($1::uuid[], $2::int[]) as r(id, count)
  where p.id = r.id`)

export async function reduceLoads(tx: Tx, reductions: { id: string; count: number }[]): Promise<void> {
  if (reductions.length === 0) return
  await tx.run(REDUCE_LOADS, [reductions.map(({ id }) => id), reductions.map(({ count }) => count)])
}
