import Type from 'typebox'
import { SCOPES } from '../../http/access.ts'
import { DateTime, Links, named, nullable, oneOf, strict, Uuid } from '../../http/schema.ts'

const Scopes = Type.Array(oneOf(['*', ...SCOPES]), { minItems: 1, maxItems: SCOPES.length + 1, uniqueItems: true })
const TokenText = nullable(Type.String({ description: 'The token itself: shown once, at creation. Null when a creation is replayed.' }))

const Most = (description: string) => Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000, description }))
const TokenLimits = named(
  'TokenLimits',
  strict(
    {
      leadsPerDay: Most('Leads that come into campaigns, or are bought.'),
      creditsPerDay: Most('Credits that are spent.'),
      mailsPerDay: Most(
        'E-mails that can follow at most from what was accepted: starts of campaigns, leads for running ones, answers, tests.',
      ),
      sandboxOnly: Type.Optional(Type.Boolean({ description: 'Nothing leaves from a real mailbox, and none is changed.' })),
    },
    {
      description:
        'What may be asked for in a day (UTC). What goes beyond answers 403 `token_budget_exceeded`, or is proposed as a plan. What tokens that it makes ask for counts, too.',
      examples: [{ leadsPerDay: 200, creditsPerDay: 50, mailsPerDay: 100 }],
    },
  ),
)

const Count = Type.Integer({ minimum: 0 })
const TokenSpending = named(
  'TokenSpending',
  strict(
    { leads: Count, credits: Count, mails: Count },
    { description: 'What it has asked for today (UTC), with the tokens that it made. Null: it has no limits, and nothing is counted.' },
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
    limits: Type.Optional(nullable({ ...TokenLimits, description: 'Not more than those of the token that asks. Without it: the same.' })),
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
