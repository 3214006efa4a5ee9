import { sql, type Tx } from '../../db/client.ts'

// Messages that have not left yet or may have to be found need their text, and so do waiting answers.
const DELETE_BODIES = sql(`
  delete from sent_bodies
  where (workspace_id, send_id) in (
    select b.workspace_id, b.send_id
    from sent_bodies b
    left join sends s on s.id = b.send_id
    where b.created_at < $1
      and (s.id is null or s.status in ('sent', 'failed'))
    order by b.created_at
    limit $2
    for update of b skip locked
  )`)

/** Deletes the texts of old messages. Their time, subject and links are kept. */
export const forgetSentBodies = (tx: Tx, before: Date, limit: number): Promise<number> => tx.run(DELETE_BODIES, [before, limit])
