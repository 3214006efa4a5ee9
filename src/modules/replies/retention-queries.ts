import { sql, type Tx } from '../../db/client.ts'
import { oldest } from '../../db/fragments.ts'

// The row is kept, so that the same message is not recorded twice, variants can be compared, and it can still be answered.
const EMPTY = sql(`
  with old as materialized (
    select id
    from inbound_messages
    where received_at < $1
      and not is_emptied
    order by received_at
    limit $2
    for update skip locked
  ), attached as (
    delete from inbound_attachments
    where message_id in (select id from old)
  )
  update inbound_messages
  set text = null, full_text = null, html = null, cc = '{}', is_emptied = true
  where id in (select id from old)`)

/** Deletes the texts and attachments of received messages, and the recipients of copies. */
export const forgetReplyTexts = (tx: Tx, before: Date, limit: number): Promise<number> => tx.run(EMPTY, [before, limit])

const DELETE_UNREAD = sql(`
  delete from unread_messages
  where id in (${oldest('unread_messages', 'created_at')})`)

/** Messages that were set aside because they could not be read. */
export const forgetUnread = (tx: Tx, before: Date, limit: number): Promise<number> => tx.run(DELETE_UNREAD, [before, limit])
