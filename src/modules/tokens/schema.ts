import { SCOPES } from '../../http/access.ts'
import { DateTime, Links, named, nullable, oneOf, strict, Uuid } from '../../http/schema.ts'
import { Type } from '../../lib/type.ts'

const Scopes = Type.Array(oneOf(['*', ...SCOPES]), { minItems: 1, maxItems: SCOPES.length + 1, uniqueItems: true })
const TokenText = nullable(
  Type.String({ description: 'The token itself. Shown once, when it is created. Null when the creation is replayed.' }),
)

const Most = (description: string) => Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000, description }))
const TokenLimits = named(
  'TokenLimits',
  strict(
    {
      leadsPerDay: Most('Leads that are added to campaigns or bought.'),
      creditsPerDay: Most('Credits that are spent.'),
      mailsPerDay: Most(
        'The maximum number of e-mails that can follow from accepted requests: started campaigns, leads added to running campaigns, answers, tests.',
      ),
      sandboxOnly: Type.Optional(Type.Boolean({ description: 'The token cannot send from a real mailbox, and cannot change one.' })),
    },
    {
      description:
        'The limits of the token per day (UTC). A request beyond a limit answers 403 `token_budget_exceeded`; it can be proposed as a plan. Requests of tokens that this token created count, too.',
      examples: [{ leadsPerDay: 200, creditsPerDay: 50, mailsPerDay: 100 }],
    },
  ),
)

const Count = Type.Integer({ minimum: 0 })
const TokenSpending = named(
  'TokenSpending',
  strict(
    { leads: Count, credits: Count, mails: Count },
    {
      description:
        'What the token and the tokens that it created have used today (UTC). Null: the token has no limits, and nothing is counted.',
    },
  ),
)

const shown = {
  id: Uuid,
  kind: oneOf(['personal', 'organization']),
  name: Type.String(),
  scopes: Type.Array(oneOf(['*', ...SCOPES])),
  lastFour: Type.String(),
  limits: nullable(TokenLimits),
  spentToday: nullable(TokenSpending),
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
    limits: Type.Optional(
      nullable({ ...TokenLimits, description: 'No more scopes than the token of the request has. Defaults to the scopes of that token.' }),
    ),
    expiresAt: Type.Optional(
      nullable({ ...DateTime, description: 'Defaults to 90 days from now. Null means never and is allowed only for organization keys.' }),
    ),
  }),
)

export const NewApiKeyBody = named('NewApiKey', strict({ ...NewTokenBody.properties, scopes: Scopes }))

export const RotateBody = strict({
  overlapSeconds: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 604_800, description: 'How long the old key continues to work. Defaults to one day.' }),
  ),
})
