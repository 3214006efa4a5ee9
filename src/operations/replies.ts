import { Links, named, oneOf, strict, Uuid } from '../http/schema.ts'

const OperationReference = named('OperationReference', strict({ id: Uuid, status: oneOf(['queued', 'succeeded', 'failed']), links: Links }))

/** What every asynchronous write answers with. */
export const ACCEPTED_REPLIES = {
  202: { about: 'Enqueued: read the operation at `Location`.', schema: OperationReference },
  200: { about: 'Already terminal: a replay, nothing to do, or done within `Prefer: wait`.', schema: OperationReference },
}
