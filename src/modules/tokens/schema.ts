import { SCOPES } from '../../http/access.ts'
import { about, Count, DateTime, Links, namedObject, nameOf, nullable, oneOf, strict, Uuid } from '../../http/schema.ts'
import { ROLES } from '../../lib/roles.ts'
import { Type } from '../../lib/type.ts'

const Scopes = Type.Array(oneOf(['*', ...SCOPES]), { minItems: 1, maxItems: SCOPES.length + 1, uniqueItems: true })
const TokenText = nullable(
  Type.String({ description: 'The token itself. Shown once, when it is created. Null when the creation is replayed.' }),
)

const Most = (description: string) => Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000, description }))
const TokenLimits = namedObject(
  'TokenLimits',
  {
    leadsPerDay: Most('Leads that are added to campaigns or bought.'),
    creditsPerDay: Most('Credits that are spent.'),
    mailsPerDay: Most(
      'The maximum number of emails that can follow from accepted requests: started campaigns, leads added to them, changes of them, removed suppressions, answers, tests and verifications.',
    ),
    sandboxOnly: Type.Optional(
      Type.Boolean({ description: 'The token cannot send from a real mailbox, and cannot connect, verify or change one.' }),
    ),
  },
  {
    description:
      'The limits of the token per day (UTC). A request beyond a limit returns 403 `token_budget_exceeded`. It can be proposed as a plan. Limits restrict what is sent, bought and added, and nothing else, such as webhooks or deletions. Requests of tokens that this token created count, too.',
    examples: [{ leadsPerDay: 200, creditsPerDay: 50, mailsPerDay: 100 }],
  },
)

const TokenSpending = namedObject(
  'TokenSpending',
  {
    leads: about(Count, 'Leads that were added or bought.'),
    credits: about(Count, 'Credits that were reserved.'),
    mails: about(Count, 'Messages that its requests allowed.'),
  },
  {
    description:
      'The amounts that the token and the tokens that it created have used today (UTC). Null: the token has no limits, and nothing is counted.',
  },
)

const shown = {
  id: Uuid,
  kind: about(oneOf(['personal', 'organization']), '`personal`: of a person. `organization`: of a workspace.'),
  name: Type.String(),
  scopes: Type.Array(oneOf(['*', ...SCOPES])),
  lastFour: Type.String(),
  limits: nullable(TokenLimits),
  spentToday: nullable(TokenSpending),
  expiresAt: nullable({
    ...DateTime,
    description: 'When the token stops working. For a key that was replaced, this is the end of the overlap. Null: never.',
  }),
  createdAt: DateTime,
  links: Links,
}

export const Token = namedObject('Token', shown)
export const IssuedToken = namedObject('IssuedToken', { ...shown, token: TokenText })

export const TokenResult = namedObject('TokenResult', { token: IssuedToken })

export const NewTokenBody = namedObject('NewToken', {
  name: nameOf(200),
  scopes: Type.Optional(Scopes),
  limits: Type.Optional(
    nullable({
      ...TokenLimits,
      description: 'No wider than the limits of the token of the request. Defaults to the limits of that token.',
    }),
  ),
  expiresAt: Type.Optional(
    nullable({
      ...DateTime,
      description:
        'In the future, and not after the token of the request expires. Defaults to 90 days from now, or to that time when it is earlier. Null means never: it is allowed only for workspace keys, and only when the token of the request never expires.',
    }),
  ),
})

export const NewApiKeyBody = namedObject(
  'NewApiKey',
  { ...NewTokenBody.properties, scopes: Scopes },
  { examples: [{ name: 'CRM', scopes: ['campaigns:read', 'leads:read', 'leads:write'] }] },
)

export const RotateBody = strict({
  overlapSeconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 604_800,
      examples: [86_400],
      description: 'How long the old key continues to work. Defaults to one day.',
    }),
  ),
})

export const Session = namedObject('Session', {
  id: Uuid,
  tokenId: about(Uuid, 'The token as which the session acts.'),
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
})

const identity = {
  token: strict({
    id: Uuid,
    kind: about(oneOf(['personal', 'organization']), '`personal`: of a person. `organization`: of a workspace.'),
    name: Type.String(),
  }),
  scopes: Type.Array(Type.String(), { description: 'The scopes of the token. `*` means all scopes.' }),
  user: nullable(strict({ id: Uuid, name: Type.String(), email: Type.String() })),
  workspaces: Type.Array(
    strict({
      id: Uuid,
      name: Type.String(),
      role: nullable(oneOf(ROLES, { description: 'The role of the person; null for a workspace key.' })),
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
}

export const Identity = namedObject('Identity', identity)

export const SessionKey = Type.String({
  description:
    'The key of the session. A page sends it with each request in the header `x-overture-console`, because the cookie alone is not enough. Shown only in this response.',
})

export const SignedIn = namedObject('SignedIn', { ...identity, sessionKey: SessionKey })

export const SignInBody = namedObject('SignIn', {
  code: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The code from a sign-in link. It works once.',
      examples: ['0x8BIZaBwa14EyiFowRsWGYou'],
    }),
  ),
})

export const Actor = namedObject(
  'Actor',
  {
    type: about(oneOf(['user', 'token', 'system']), '`user`: a person. `token`: a workspace key. `system`: Overture itself.'),
    id: nullable({ ...Uuid, description: 'The id of the person or of the workspace key; null for the service itself.' }),
    name: Type.String(),
  },
  { description: 'The caller who requested it.' },
)
