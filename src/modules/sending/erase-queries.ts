import { type Db, sql, type Tx } from '../../db/client.ts'

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

// What has been claimed is taken back by its worker, who cannot declare it as leaving without its lead; what is leaving
// is recorded by whoever sends it, who will find the lead gone.
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
  )
  select id, message_id as "messageId", is_changed as "isChanged"
  from theirs`)

export const bareSends = (tx: Tx, workspaceId: string, leadIds: string[], emailHash: Buffer): Promise<ErasedSend[]> =>
  tx.many<ErasedSend>(BARE, [workspaceId, leadIds, emailHash])
