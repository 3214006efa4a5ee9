import Type, { type Static } from 'typebox'
import { named, strict } from '../../http/schema.ts'

export const NewErasure = named(
  'NewErasure',
  strict({ email: Type.String({ minLength: 3, maxLength: 254, description: 'The e-mail address of the person to erase.' }) }),
)

/** What the operation of an erasure keeps: the address, sealed, until it is done. */
export const SealedAddress = strict({ sealed: Type.String() })
export type SealedAddress = Static<typeof SealedAddress>
