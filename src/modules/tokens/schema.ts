import Type from 'typebox'
import { SCOPES } from '../../http/access.ts'
import { DateTime, Links, named, nullable, oneOf, strict, Uuid } from '../../http/schema.ts'

const Scopes = Type.Array(oneOf(['*', ...SCOPES]), { minItems: 1, maxItems: SCOPES.length + 1, uniqueItems: true })
const TokenText = nullable(Type.String({ description: 'The token itself: shown once, at creation. Null when a creation is replayed.' }))

const shown = {
  id: Uuid,
  kind: oneOf(['personal', 'organization']),
  name: Type.String(),
  scopes: Type.Array(oneOf(['*', ...SCOPES])),
  lastFour: Type.String(),
  expiresAt: nullable(DateTime),
  createdAt: DateTime,
  links: Links,
}

export const Token = named('Token', strict(shown))
export const IssuedToken = named('IssuedToken', strict({ ...shown, token: TokenText }))

export const TokenResult = named('TokenResult', strict({ token: IssuedToken }))

export const NewTokenBody = named(
  'NewToken',
  strict({
    name: Type.String({ minLength: 1, maxLength: 200 }),
    scopes: Type.Optional(Scopes),
    expiresAt: Type.Optional(
      nullable({ ...DateTime, description: 'Defaults to 90 days from now; null: never, for organization keys only.' }),
    ),
  }),
)

export const NewApiKeyBody = named('NewApiKey', strict({ ...NewTokenBody.properties, scopes: Scopes }))

export const RotateBody = strict({
  overlapSeconds: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 604_800, description: 'How long the old one goes on working; a day by default.' }),
  ),
})
