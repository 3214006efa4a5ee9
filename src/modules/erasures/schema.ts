import Type from 'typebox'
import { named, strict } from '../../http/schema.ts'

export const NewErasure = named(
  'NewErasure',
  strict({ email: Type.String({ minLength: 3, maxLength: 254, description: 'The address of the person who is to be forgotten.' }) }),
)
