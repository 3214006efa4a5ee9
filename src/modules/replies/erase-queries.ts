import { type Db, sql, type Tx } from '../../db/client.ts'
import { mentions } from '../../db/fragments.ts'

// The row stays, because the counts of the variants are made of it.
const BARE = sql(`
  update inbound_messages
  set from_address = null, subject = null, text = null, dedupe_key = 'erased:' || id
  where workspace_id = $1 and (lead_id = any($2::uuid[]) or id = any($3::uuid[]))
    and (from_address is not null or subject is not null or text is not null)`)

export const bareInbound = (tx: Tx, workspaceId: string, which: { leadIds: string[]; ids: string[] }): Promise<number> =>
  tx.run(BARE, [workspaceId, which.leadIds, which.ids])

interface StoredInbound {
  id: string
  found: boolean
  leadId: string | null
  sendId: string | null
  fromAddress: string | null
  subject: string | null
  text: string | null
}

const READ_PAGE = sql(`
  select id, found, lead_id as "leadId", send_id as "sendId", case when found then from_address end as "fromAddress",
    case when found then subject end as subject, case when found then text end as text
  from (
    select *, ${mentions("concat_ws(' ', from_address, subject, text, dedupe_key)", '$4')} as found
    from inbound_messages
    where workspace_id = $1 and ($2::uuid is null or id > $2)
    order by id
    limit $3
  ) as page
  order by id`)

/** A page of all that came in, with the texts of those that hold the address. */
export const readInboundPage = (
  db: Db,
  workspaceId: string,
  after: string | null,
  limit: number,
  address: string,
): Promise<StoredInbound[]> => db.many<StoredInbound>(READ_PAGE, [workspaceId, after, limit, address])

const UPDATE_TEXTS = sql(`
  update inbound_messages
  set subject = $2, text = $3,
    dedupe_key = case when ${mentions('dedupe_key', '$4')} then 'erased:' || id else dedupe_key end
  where id = $1`)

export const updateTexts = (tx: Tx, id: string, texts: { subject: string | null; text: string | null }, address: string): Promise<number> =>
  tx.run(UPDATE_TEXTS, [id, texts.subject, texts.text, address])

const ERASE_UNREAD = sql(`
  update unread_messages
  set message_id = null
  where workspace_id = $1
    and ${mentions('message_id', '$2')}`)

/** Of a message that was never read, nothing is known of the person but what its Message-ID may say. */
export const eraseUnread = (tx: Tx, workspaceId: string, address: string): Promise<number> => tx.run(ERASE_UNREAD, [workspaceId, address])
