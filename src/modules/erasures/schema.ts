import { namedObject, strict } from '../../http/schema.ts'
import { type Static, Type } from '../../lib/type.ts'

export const NewErasure = namedObject('NewErasure', {
  email: Type.String({ minLength: 3, maxLength: 254, description: 'The e-mail address of the person to erase.' }),
})

const Count = Type.Integer({ minimum: 0 })

/** Where the person was found, and taken out. */
export const ErasureResult = namedObject('ErasureResult', {
  leadCount: Count,
  messageCount: Count,
  replyCount: Count,
  eventCount: Count,
  exportCount: Count,
  operationCount: Count,
})

/** What the operation of an erasure keeps: the address, sealed, until it is done. */
export const SealedAddress = strict({ sealed: Type.String() })
export type SealedAddress = Static<typeof SealedAddress>
