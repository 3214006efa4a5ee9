import Type from 'typebox'
import { DateTime, Links, named, nullable, oneOf, strict, Uuid } from '../../http/schema.ts'

export const Suppression = named(
  'Suppression',
  strict({
    id: Uuid,
    workspaceId: Uuid,
    kind: oneOf(['email', 'domain']),
    value: nullable(Type.String({ description: 'Null when the person has been erased and only the hash is left.' })),
    reason: Type.String(),
    createdAt: DateTime,
    links: Links,
  }),
)

export const NewSuppression = named(
  'NewSuppression',
  strict({
    kind: oneOf(['email', 'domain']),
    value: Type.String({ minLength: 3, maxLength: 254 }),
    reason: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  }),
)
