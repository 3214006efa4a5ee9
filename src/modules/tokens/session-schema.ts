import Type from 'typebox'
import { ROLES } from '../../http/access.ts'
import { DateTime, Links, named, nullable, oneOf, strict, Uuid } from '../../http/schema.ts'

export const Session = named(
  'Session',
  strict({
    id: Uuid,
    tokenId: Uuid,
    tokenName: Type.String({ description: 'The name of the token that it was made from, and acts as.' }),
    userAgent: nullable(Type.String({ description: 'The User-Agent header of the browser.' })),
    isCurrent: Type.Boolean({ description: 'True: this request was made with it.' }),
    createdAt: DateTime,
    lastUsedAt: { ...DateTime, description: 'To within five minutes.' },
    expiresAt: {
      ...DateTime,
      description: 'Twelve hours after its last use, 30 days after its beginning at the latest, and no later than its token.',
    },
    links: Links,
  }),
)

export const Identity = named(
  'Identity',
  strict({
    token: strict({ id: Uuid, kind: oneOf(['personal', 'organization']), name: Type.String() }),
    scopes: Type.Array(Type.String(), { description: 'What the token may do; `*` is everything.' }),
    user: nullable(strict({ id: Uuid, name: Type.String(), email: Type.String() })),
    workspaces: Type.Array(
      strict({
        id: Uuid,
        name: Type.String(),
        role: nullable(oneOf(ROLES, { description: 'Of the person; null for an organization key.' })),
        scopes: Type.Array(Type.String(), { description: 'What the token may do here: what its scopes and the role both allow.' }),
      }),
      { description: 'The workspaces that the token can use, oldest first.' },
    ),
    session: Type.Union([Session, Type.Null()]),
    expiresAt: nullable({ ...DateTime, description: 'When the session, or else the token, stops working; null: never.' }),
    links: Links,
  }),
)

export const SignInBody = named(
  'SignIn',
  strict({ code: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'From a sign-in link. It works once.' })) }),
)
