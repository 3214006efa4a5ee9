import { type Db, sql, type Tx } from '../../db/client.ts'
import { mentions } from '../../db/fragments.ts'

const LAST_SEQ = sql(`
  select seq
  from event_streams
  where workspace_id = $1`)

export const findLastSeq = async (db: Db, workspaceId: string): Promise<number> =>
  (await db.first<{ seq: number }>(LAST_SEQ, [workspaceId]))?.seq ?? 0

const FIND_MENTIONS = sql(`
  select seq, type, lead_id as "leadId", data
  from events
  where workspace_id = $1 and seq > $2 and seq <= $3 and ${mentions('data::text', '$4')}
  order by seq`)

/** Events that have the address anywhere, also as a part of a longer one. */
export const findEventMentions = (
  db: Db,
  workspaceId: string,
  after: number,
  upTo: number,
  address: string,
): Promise<{ seq: number; type: string; leadId: string | null; data: Record<string, unknown> }[]> =>
  db.many(FIND_MENTIONS, [workspaceId, after, upTo, address])

export interface LoggedData {
  seq: number
  data: unknown
}

const UPDATE_DATA = sql(`
  update events e
  set data = r.data
  from jsonb_to_recordset($2::jsonb) as r(seq bigint, data jsonb)
  where e.workspace_id = $1 and e.seq = r.seq and e.data <> r.data`)

export const updateEventData = (tx: Tx, workspaceId: string, events: LoggedData[]): Promise<number> =>
  tx.run(UPDATE_DATA, [workspaceId, JSON.stringify(events)])

/** A stranger wrote the Message-ID of a received message, so it may contain an address. */
const OF_A_STRANGER = "type = 'email.replied'"

const BARE = sql(`
  update events e
  set data = bare.data
  from (
    select seq, (
      select coalesce(
        jsonb_object_agg(
          key,
          case when key = any($4::text[]) and not (key = 'messageId' and ${OF_A_STRANGER}) then value else 'null' end
        ),
        '{}'
      )
      from jsonb_each(data)
    ) as data
    from events
    where workspace_id = $1 and lead_id = any($2::uuid[])
      and ($3::text[] is null
        or (data->>'sendId' = any($3) and type in ('email.replied', 'email.auto_replied', 'ai_sdr.positive_reply', 'reply.updated')))
  ) as bare
  where e.workspace_id = $1 and e.seq = bare.seq and e.data <> bare.data`)

/** Removes all fields except the named ones from the events of these leads, or of the replies to these messages. */
export const bareEvents = (
  tx: Tx,
  workspaceId: string,
  which: { leadIds: string[]; repliesTo: string[] | null },
  keptFields: readonly string[],
): Promise<number> => tx.run(BARE, [workspaceId, which.leadIds, which.repliesTo, keptFields])
