import { filtered } from '../../db/filtered.ts'
import { columnsOf, mentions } from '../../db/fragments.ts'
import { type Db, sql, type Tx } from '../../db/sql.ts'
import type { LogRange } from '../../lib/page.ts'

export interface EventRow {
  id: string
  seq: number
  type: string
  timestamp: Date
  workspaceId: string
  campaignId: string | null
  leadId: string | null
  /** Of the message that it is about. */
  variantId: string | null
  providerId: string | null
  data: Record<string, unknown>
}

/** The token is the one that requested the change; it is stored as the id of its person, or as its own if it belongs to none. */
export type NewEventRow = Omit<EventRow, 'seq' | 'variantId' | 'providerId'> & { tokenId?: string | null }

// An event stores the mailbox and the variant of its message, so that an index finds it by them. When the event does not name both, they
// are read from the message.
const INSERT = sql(`
  with counter as (
    insert into event_streams (workspace_id, seq)
    values ($1, $2)
    on conflict (workspace_id) do update
    set seq = event_streams.seq + $2
    returning seq
  )
  insert into events (workspace_id, seq, id, type, timestamp, campaign_id, lead_id, provider_id, variant_id, data)
  select $1, counter.seq - $2 + r.n, r.id, r.type, r.timestamp, r."campaignId", r."leadId",
    coalesce((r.data->>'providerId')::uuid, s.provider_id), coalesce((r.data->>'variantId')::uuid, s.variant_id),
    r.data || coalesce((select jsonb_build_object('actorId', coalesce(t.user_id, t.id)) from tokens t where t.id = r."tokenId"), '{}')
  from counter
  cross join jsonb_to_recordset($3::jsonb) as r(
    n int, id uuid, type text, timestamp timestamptz, "campaignId" uuid, "leadId" uuid, "tokenId" uuid, data jsonb)
  left join lateral (
    select provider_id, variant_id
    from sends
    where id = (r.data->>'sendId')::uuid
      and workspace_id = $1
      and (r.data->>'providerId' is null or r.data->>'variantId' is null)
    limit 1
  ) as s on true`)

/** Assigns consecutive numbers, in the given order. */
export async function insertEvents(tx: Tx, workspaceId: string, events: NewEventRow[]): Promise<void> {
  const rows = events.map(({ workspaceId: _, ...event }, index) => ({ n: index + 1, ...event }))
  await tx.run(INSERT, [workspaceId, events.length, JSON.stringify(rows)])
}

const COLUMNS = columnsOf('id, seq, type, timestamp, workspace_id, campaign_id, lead_id, variant_id, provider_id, data')

export const findEvent = sql(`
  select ${COLUMNS}
  from events
  where id = $2 and workspace_id = $1`).first<EventRow, [workspaceId: string, id: string]>()

/** Events must match all given fields. */
export type EventFilter = { [Field in 'type' | 'campaignId' | 'leadId' | 'variantId' | 'providerId']?: string | undefined }

type EventRange = Omit<LogRange, 'before'> & Partial<LogRange>

// Each filter has the index that serves it: the log of the workspace, of a type, of a campaign, a lead, a variant or a mailbox, by number.
const listIn = (order: 'asc' | 'desc') =>
  filtered(
    4,
    {
      type: 'type = ?',
      campaignId: 'campaign_id = ?',
      leadId: 'lead_id = ?',
      variantId: 'variant_id = ?',
      providerId: 'provider_id = ?',
    },
    conditions => `
  select ${COLUMNS}
  from events
  where workspace_id = $1
    and seq > $2
    and seq < $3
    ${conditions}
  order by seq ${order}
  limit $4`,
  )
const LISTS = { asc: listIn('asc'), desc: listIn('desc') }

// The log of a variant is kept by mailbox. These are looked up one after the other, and the first events of each are merged.
const listOfVariantIn = (order: 'asc' | 'desc') =>
  filtered(5, { type: 'type = ?', campaignId: 'campaign_id = ?', leadId: 'lead_id = ?' }, conditions => {
    const firstOf = (mailbox: string): string => `
    select *
    from events
    where workspace_id = $1
      and seq > $2
      and seq < $3
      and variant_id = $5
      and provider_id ${mailbox}
      ${conditions}
    order by seq ${order}
    limit $4`
    return `
  with recursive mailboxes as (
    (
      select provider_id as id
      from events
      where variant_id = $5
      order by provider_id
      limit 1
    )
    union all
    select (
      select provider_id
      from events
      where variant_id = $5
        and provider_id > mailboxes.id
      order by provider_id
      limit 1
    )
    from mailboxes
    where id is not null
  )
  select ${COLUMNS}
  from (
    select of_mailbox.*
    from mailboxes
    cross join lateral (${firstOf('= mailboxes.id')}
    ) as of_mailbox
    union all
    (${firstOf('is null')}
    )
  ) as events
  order by seq ${order}
  limit $4`
  })
const LISTS_OF_VARIANT = { asc: listOfVariantIn('asc'), desc: listOfVariantIn('desc') }

export function listEvents(db: Db, workspaceId: string, filter: EventFilter, range: EventRange): Promise<EventRow[]> {
  const { after, before = Number.MAX_SAFE_INTEGER, order, limit } = range
  const { variantId, providerId, ...others } = filter
  const values = [workspaceId, after, before, limit]
  if (variantId === undefined || providerId !== undefined) return db.many<EventRow>(...LISTS[order](values, filter))
  return db.many<EventRow>(...LISTS_OF_VARIANT[order]([...values, variantId], others))
}

/** The number of the latest event of each workspace; a workspace without events is not there. */
export const findHeads = sql(`
  select workspace_id as "workspaceId", seq
  from event_streams
  where workspace_id = any($1::uuid[])`).map<string, number, [workspaceIds: string[]]>()

export const findLastSeq = sql(`
  select coalesce((select seq from event_streams where workspace_id = $1), 0) as seq`).value<number, [workspaceId: string]>()

/** Events that have the address anywhere, also as a part of a longer one. */
export const findEventMentions = sql(`
  select seq, type, lead_id as "leadId", data
  from events
  where workspace_id = $1 and seq > $2 and seq <= $3 and ${mentions('data::text', '$4')}
  order by seq`).many<
  { seq: number; type: string; leadId: string | null; data: Record<string, unknown> },
  [workspaceId: string, after: number, upTo: number, address: string]
>()

export interface LoggedData {
  seq: number
  data: unknown
}

export const updateEventData = sql(`
  update events e
  set data = r.data
  from jsonb_to_recordset($2::jsonb) as r(seq bigint, data jsonb)
  where e.workspace_id = $1 and e.seq = r.seq and e.data <> r.data`).run((workspaceId: string, events: LoggedData[]) => [
  workspaceId,
  JSON.stringify(events),
])

/** A stranger wrote the Message-ID of a received message, so it may contain an address. */
const OF_A_STRANGER = "type = 'email.replied'"

/** Removes all fields except the named ones from the events of these leads, or of the replies to these messages. */
export const bareEvents = sql(`
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
  where e.workspace_id = $1 and e.seq = bare.seq and e.data <> bare.data`).run(
  (workspaceId: string, which: { leadIds: string[]; repliesTo: string[] | null }, keptFields: readonly string[]) => [
    workspaceId,
    which.leadIds,
    which.repliesTo,
    keptFields,
  ],
)

// The log of a workspace is deleted from its beginning, so it has no other gaps. Events that an endpoint has not received yet are kept.
// Rows are selected by their keys: otherwise PostgreSQL would read the whole table.
/** Deletes and returns the oldest events of one workspace that has events from before this time. */
export const deleteOldestEvents = sql(`
  with workspace as materialized (
    select s.workspace_id as id, bound.seq as bound
    from event_streams s
    cross join lateral (
      select coalesce(min(e.cursor_seq), s.seq) as seq
      from webhook_endpoints e
      where e.workspace_id = s.workspace_id
        and e.status = 'active'
    ) as bound
    cross join lateral (
      select e.seq, e.timestamp
      from events e
      where e.workspace_id = s.workspace_id
      order by e.seq
      limit 1
    ) as oldest
    where oldest.timestamp < $1
      and oldest.seq <= bound.seq
    limit 1
  ), oldest as materialized (
    select e.workspace_id, e.seq, e.timestamp
    from events e
    where e.workspace_id = (select id from workspace)
      and e.seq <= (select bound from workspace)
    order by e.seq
    limit $2
    for update
  ), outlived as (
    select workspace_id, seq, bool_and(timestamp < $1) over (order by seq) as is_old
    from oldest
  )
  delete from events
  where workspace_id = (select id from workspace)
    and seq = any(array(select seq from outlived where is_old))
  returning id, seq, type, timestamp, workspace_id as "workspaceId", campaign_id as "campaignId", lead_id as "leadId", data`).many<
  EventRow,
  [before: Date, limit: number]
>()

export const moveHorizon = sql(`
  insert into event_horizons as h (workspace_id, gone_seq, gone_before)
  values ($1, $2, $3)
  on conflict (workspace_id) do update
  set gone_seq = greatest(h.gone_seq, excluded.gone_seq),
    gone_before = greatest(h.gone_before, excluded.gone_before)`).run<[workspaceId: string, goneSeq: number, goneBefore: Date]>()

export interface Horizon {
  /** Events up to this number are gone. */
  goneSeq: number
  /** All that are gone happened before this. */
  goneBefore: Date
}

export const findHorizon = sql(`
  select gone_seq as "goneSeq", gone_before as "goneBefore"
  from event_horizons
  where workspace_id = $1`).first<Horizon, [workspaceId: string]>()
