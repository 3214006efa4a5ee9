import { type Db, sql, type Tx } from '../../db/client.ts'
import { mentions } from '../../db/fragments.ts'

const LIST_RECIPIENTS = sql(`
  select distinct lead_id as id
  from sends
  where campaign_id = $1 and email_hash = $2`)

/** The leads that messages to this address were for, whether they are still there or not. */
export const listRecipients = async (db: Db, campaignId: string, emailHash: Buffer): Promise<string[]> =>
  (await db.many<{ id: string }>(LIST_RECIPIENTS, [campaignId, emailHash])).map(row => row.id)

export interface ErasedSend {
  id: string
  messageId: string
  isChanged: boolean
}

// The worker gives a claimed message back, because it cannot mark it as leaving without its lead. A message that is leaving
// is recorded by its worker, which will find no lead.
const BARE = sql(`
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
  from theirs`)

export const bareSends = (tx: Tx, workspaceId: string, leadIds: string[], emailHash: Buffer): Promise<ErasedSend[]> =>
  tx.many<ErasedSend>(BARE, [workspaceId, leadIds, emailHash])

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

const LIST_UNERASED = sql(`
  select id
  from sends
  where id = any($1::uuid[]) and subject is not null`)

/** Those of the messages whose recipients have not been erased. */
export const listUnerased = async (db: Db, sendIds: string[]): Promise<Set<string>> =>
  new Set((await db.many<{ id: string }>(LIST_UNERASED, [sendIds])).map(row => row.id))

interface StoredBody {
  sendId: string
  found: boolean
  subject: string | null
  text: string | null
  html: string | null
}

const READ_BODIES = sql(`
  select send_id as "sendId", found, case when found then subject end as subject, case when found then text end as text,
    case when found then html end as html
  from (
    select *, ${mentions("concat_ws(' ', subject, text, html)", '$4')} as found
    from sent_bodies
    where workspace_id = $1 and ($2::uuid is null or send_id > $2)
    order by send_id
    limit $3
  ) as page
  order by send_id`)

/** A page of all sent messages, with the texts of those that contain the address. */
export const readBodiesPage = (db: Db, workspaceId: string, after: string | null, limit: number, address: string): Promise<StoredBody[]> =>
  db.many<StoredBody>(READ_BODIES, [workspaceId, after, limit, address])

const UPDATE_BODY = sql(`
  update sent_bodies
  set subject = $3, text = $4, html = $5
  where workspace_id = $1 and send_id = $2`)

export const updateBody = (
  tx: Tx,
  workspaceId: string,
  sendId: string,
  body: { subject: string; text: string; html: string | null },
): Promise<number> => tx.run(UPDATE_BODY, [workspaceId, sendId, body.subject, body.text, body.html])
