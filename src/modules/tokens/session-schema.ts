import { ROLES } from '../../http/access.ts'
import { DateTime, Links, named, nullable, oneOf, strict, Uuid } from '../../http/schema.ts'
import { Type } from '../../lib/type.ts'

export const Session = named(
  'Session',
  strict({
    id: Uuid,
    tokenId: Uuid,
    tokenName: Type.String({ description: 'The name of the token from which the session was created. The session acts as this token.' }),
    userAgent: nullable(Type.String({ description: 'The User-Agent header of the browser.' })),
    isCurrent: Type.Boolean({ description: 'True: this request uses this session.' }),
    createdAt: DateTime,
    lastUsedAt: { ...DateTime, description: 'Accurate to five minutes.' },
    expiresAt: {
      ...DateTime,
      description: '12 hours after its last use, but at most 30 days after its start, and no later than its token.',
    },
    links: Links,
  }),
)

export const Identity = named(
  'Identity',
  strict({
    token: strict({ id: Uuid, kind: oneOf(['personal', 'organization']), name: Type.String() }),
    scopes: Type.Array(Type.String(), { description: 'The scopes of the token. `*` means all scopes.' }),
    user: nullable(strict({ id: Uuid, name: Type.String(), email: Type.String() })),
    workspaces: Type.Array(
      strict({
        id: Uuid,
        name: Type.String(),
        role: nullable(oneOf(ROLES, { description: 'The role of the person; null for an organization key.' })),
        scopes: Type.Array(Type.String(), {
          description: 'The scopes of the token in this workspace: those that its own scopes and the role both include.',
        }),
        lastEventSeq: Type.Integer({
          minimum: 0,
          description:
            'The `seq` of the latest event; 0 when there is none. Read your lists after this, then follow the stream from here: nothing is missed between the two.',
        }),
      }),
      { description: 'The workspaces that the token can use, oldest first.' },
    ),
    session: Type.Union([Session, Type.Null()]),
    expiresAt: nullable({ ...DateTime, description: 'When the session, or else the token, expires. Null: never.' }),
    links: Links,
  }),
)

export const SignInBody = named(
  'SignIn',
  strict({
    code: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'The code from a sign-in link. It works once.' })),
  }),
)
