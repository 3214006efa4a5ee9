import { type Db, sql, type Tx } from '../../db/client.ts'
import { mentions } from '../../db/fragments.ts'

/** An attachment without its bytes. */
export interface AttachmentRow {
  id: string
  filename: string
  contentType: string
  sizeBytes: number
  isKept: boolean
}

interface NewAttachment extends Omit<AttachmentRow, 'isKept'> {
  content: Uint8Array | null
}

const INSERT = sql(`
  insert into inbound_attachments (id, workspace_id, message_id, position, filename, content_type, size_bytes, content)
  select r.id, $1, $2, r.n, r.filename, r.type, r.size, r.content
  from unnest($3::uuid[], $4::text[], $5::text[], $6::int[], $7::bytea[]) with ordinality as r(id, filename, type, size, content, n)`)

export const insertAttachments = (tx: Tx, workspaceId: string, messageId: string, attachments: NewAttachment[]): Promise<number> =>
  tx.run(INSERT, [
    ...[workspaceId, messageId, attachments.map(each => each.id), attachments.map(each => each.filename)],
    ...[attachments.map(each => each.contentType), attachments.map(each => each.sizeBytes)],
    attachments.map(each => each.content && Buffer.from(each.content)),
  ])

/** The attachments of the message `m` as JSON, in their order. */
export const ATTACHMENTS = `array(
    select json_build_object('id', a.id, 'filename', a.filename, 'contentType', a.content_type, 'sizeBytes', a.size_bytes,
      'isKept', a.content is not null)
    from inbound_attachments a
    where a.message_id = m.id
    order by a.position)`

const FIND = sql(`
  select filename, content
  from inbound_attachments
  where workspace_id = $1 and message_id = $2 and id = $3`)

export const findAttachment = (
  db: Db,
  ids: { workspaceId: string; replyId: string; attachmentId: string },
): Promise<{ filename: string; content: Buffer | null } | undefined> => db.first(FIND, [ids.workspaceId, ids.replyId, ids.attachmentId])

const DELETE = sql(`
  delete from inbound_attachments
  where workspace_id = $1 and message_id = any($2::uuid[])`)

export const deleteAttachments = (tx: Tx, workspaceId: string, messageIds: string[]): Promise<number> =>
  tx.run(DELETE, [workspaceId, messageIds])

const DELETE_MENTIONING = sql(`
  delete from inbound_attachments
  where workspace_id = $1
    and message_id = any($2::uuid[])
    and (
      ${mentions('filename', '$3')}
      or (content_type ~ '^(text|message)/' and ${mentions("encode(content, 'escape')", '$3')}))`)

/** The messages that have an attachment with the address in its name or text. Archives and images cannot be searched. */
export const deleteMentioning = (tx: Tx, workspaceId: string, messageIds: string[], address: string): Promise<number> =>
  tx.run(DELETE_MENTIONING, [workspaceId, messageIds, address])
