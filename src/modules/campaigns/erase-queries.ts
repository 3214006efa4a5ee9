import { type Db, sql, type Tx } from '../../db/client.ts'
import { mentions } from '../../db/fragments.ts'

const FIND_ATTENTION = sql(`
  select id, attention_reason as reason
  from campaigns
  where workspace_id = $1 and ${mentions('attention_reason', '$2')}`)

/** Campaigns whose attention reason contains the address. */
export const findAttentionMentions = (db: Db, workspaceId: string, address: string): Promise<{ id: string; reason: string }[]> =>
  db.many(FIND_ATTENTION, [workspaceId, address])

const REWORD_ATTENTION = sql(`
  update campaigns
  set attention_reason = $2
  where id = $1`)

export const rewordAttention = (tx: Tx, id: string, reason: string): Promise<number> => tx.run(REWORD_ATTENTION, [id, reason])
