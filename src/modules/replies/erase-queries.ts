import { type Db, sql, type Tx } from '../../db/client.ts'
import { mentions } from '../../db/fragments.ts'

// The row is kept, because the counts of the variants use it.
const BARE = sql(`
  update inbound_messages
  set from_address = null, subject = null, text = null, full_text = null, html = null, message_id = null, reference_ids = '{}',
    reply_to = null, cc = '{}', referral_email = null, referral_name = null, dedupe_key = 'erased:' || id
  where workspace_id = $1 and (lead_id = any($2::uuid[]) or id = any($3::uuid[]))
    and (from_address is not null or subject is not null or text is not null)
  returning id`)

/** Returns the ids of the rows that had personal data. */
export async function bareInbound(tx: Tx, workspaceId: string, which: { leadIds: string[]; ids: string[] }): Promise<string[]> {
  const rows = await tx.many<{ id: string }>(BARE, [workspaceId, which.leadIds, which.ids])
  return rows.map(row => row.id)
}

interface StoredInbound {
  id: string
  found: boolean
  leadId: string | null
  sendId: string | null
  fromAddress: string | null
  subject: string | null
  text: string | null
  fullText: string | null
  html: string | null
  hasAttachments: boolean
}

/** All columns of a row that may contain an address. */
const TEXTS = `concat_ws(' ', from_address, reply_to, subject, text, full_text, html, dedupe_key, message_id, referral_email,
  array_to_string(reference_ids || cc, ' '))`

const READ_PAGE = sql(`
  select id, found, lead_id as "leadId", send_id as "sendId", case when found then from_address end as "fromAddress",
    case when found then subject end as subject, case when found then text end as text, case when found then full_text end as "fullText",
    case when found then html end as html, exists (select from inbound_attachments a where a.message_id = page.id) as "hasAttachments"
  from (
    select *, ${mentions(TEXTS, '$4')} as found
    from inbound_messages
    where workspace_id = $1 and ($2::uuid is null or id > $2)
    order by id
    limit $3
  ) as page
  order by id`)

/** A page of all received messages, with the texts of those that contain the address. */
export const readInboundPage = (
  db: Db,
  workspaceId: string,
  after: string | null,
  limit: number,
  address: string,
): Promise<StoredInbound[]> => db.many<StoredInbound>(READ_PAGE, [workspaceId, after, limit, address])

const UPDATE_TEXTS = sql(`
  update inbound_messages
  set subject = $2, text = $3, full_text = $5, html = $6,
    dedupe_key = case when ${mentions('dedupe_key', '$4')} then 'erased:' || id else dedupe_key end,
    message_id = case when ${mentions('message_id', '$4')} then null else message_id end,
    reply_to = case when ${mentions('reply_to', '$4')} then null else reply_to end,
    referral_email = case when ${mentions('referral_email', '$4')} then null else referral_email end,
    referral_name = case when ${mentions('referral_email', '$4')} then null else referral_name end,
    reference_ids = array(select each from unnest(reference_ids) as each where not ${mentions('each', '$4')}),
    cc = array(select each from unnest(cc) as each where lower(each) <> lower($4))
  where id = $1`)

type Texts = Pick<StoredInbound, 'subject' | 'text' | 'fullText' | 'html'>

export const updateTexts = (tx: Tx, id: string, { subject, text, fullText, html }: Texts, address: string): Promise<number> =>
  tx.run(UPDATE_TEXTS, [id, subject, text, address, fullText, html])

const ERASE_UNREAD = sql(`
  update unread_messages
  set message_id = null
  where workspace_id = $1
    and ${mentions('message_id', '$2')}`)

/** For a message that was never read, only its Message-ID may contain data of the person. */
export const eraseUnread = (tx: Tx, workspaceId: string, address: string): Promise<number> => tx.run(ERASE_UNREAD, [workspaceId, address])
