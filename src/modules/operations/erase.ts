import type { HasDb } from '../../context/context.ts'
import type { Tx } from '../../db/sql.ts'
import type { Page } from '../../lib/page.ts'
import { isAboutOurselves, mentions, type Person, scrubAnswer, scrubJson, scrubRemarks } from '../../lib/scrub.ts'
import { lockOperation, readOperationPage, type StoredOperation, updateContent } from '../../operations/queries.ts'
import type { Erasing } from '../erasures/erasures.ts'

/** An import can be as large as 20 MB. */
const OPERATIONS_AT_ONCE = 25

/** Operations stay as a record of requests; the data about the person is removed. */
export async function eraseFromOperations({ db }: HasDb, erasing: Erasing): Promise<void> {
  const { workspaceId, person, signal } = erasing
  for (let page: Page = { limit: OPERATIONS_AT_ONCE, after: null }; ; ) {
    signal.throwIfAborted()
    const rows = await readOperationPage(db, workspaceId, page, person.pattern)
    for (const { id, found } of rows) if (found) await db.inTransaction(tx => eraseFromOperation(tx, id, erasing))
    const last = rows.at(-1)
    if (!last) return
    page = { ...page, after: { at: last.createdAt, id: last.id } }
  }
}

async function eraseFromOperation(tx: Tx, id: string, { person, count }: Erasing): Promise<void> {
  const operation = await lockOperation(tx, id)
  if (operation) await count(tx, 'operationCount', await updateContent(tx, scrubOperation(operation, person)))
}

/**
 * An operation about ourselves keeps the addresses of users and mailboxes: they are not touched where they are stored, either.
 *
 * A repeated request is answered from the stored result. When the result was about the person, it is gone, so the key is deleted, too, and
 * the request would be handled as a new one.
 */
function scrubOperation(row: StoredOperation, person: Person): StoredOperation {
  if (isAboutOurselves(row.action)) return { ...row, result: scrubRemarks(row.result, person), error: scrubRemarks(row.error, person) }
  const result = scrubAnswer(row.result, person)
  const isAnswerable = JSON.stringify(result) === JSON.stringify(row.result)
  const key = row.key !== null && isAnswerable && !mentions(row.key, person) ? row.key : null
  return { ...row, input: scrubJson(row.input, person), result, error: scrubAnswer(row.error, person), key }
}
