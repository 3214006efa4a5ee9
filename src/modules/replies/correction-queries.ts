import { type Db, sql } from '../../db/client.ts'
import type { ListedKind } from './schema.ts'

interface CorrectionRow {
  id: string
  kind: ListedKind
  judgedKind: ListedKind
  confidence: number | null
  subject: string
  text: string
  receivedAt: Date
}

const READ = sql(`
  select id, kind, coalesce(judged_kind, kind) as "judgedKind", confidence, subject, text, received_at as "receivedAt"
  from inbound_messages
  where corrected_at is not null
    and subject is not null
    and text is not null
    and ($1::uuid is null or workspace_id = $1)
    and ($2::uuid is null or id > $2)
  order by id
  limit $3`)

/** The corrections of replies, in one workspace or, for the operator, in all. Their authors are left out. */
export const readCorrections = (db: Db, workspaceId: string | null, after: string | null, limit: number): Promise<CorrectionRow[]> =>
  db.many<CorrectionRow>(READ, [workspaceId, after, limit])
