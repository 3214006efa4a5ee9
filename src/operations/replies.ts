import { Links, named, oneOf, strict, Uuid } from '../http/schema.ts'

const OperationReference = named('OperationReference', strict({ id: Uuid, status: oneOf(['queued', 'succeeded', 'failed']), links: Links }))

/** What every asynchronous write answers with. */
export const ACCEPTED_REPLIES = {
  202: { about: 'The operation is queued. Read it at `Location`.', schema: OperationReference },
  200: {
    about: 'The operation is already terminal: the request is a replay, there was nothing to do, or it finished within `Prefer: wait`.',
    schema: OperationReference,
  },
}
