import { about, Count, namedObject, strict } from '../../http/schema.ts'
import { type Static, Type } from '../../lib/type.ts'

export const NewErasure = namedObject('NewErasure', {
  email: Type.String({ minLength: 3, maxLength: 254, description: 'The email address of the person to erase.' }),
})

/** The tables in which the person was found and erased. */
export const ErasureResult = namedObject('ErasureResult', {
  leadCount: about(Count, 'Leads that were removed.'),
  messageCount: about(Count, 'Sent messages whose content was erased.'),
  replyCount: about(Count, 'Replies whose content was erased.'),
  eventCount: about(Count, 'Events that no longer name the person.'),
  exportCount: about(Count, 'Export files that were written again without the person.'),
  operationCount: about(Count, 'Operations that no longer name the person.'),
})

/** The stored input of an erasure: the encrypted address, until it has ended. */
export const SealedAddress = strict({ sealed: Type.String() })
export type SealedAddress = Static<typeof SealedAddress>
