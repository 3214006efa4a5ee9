import Type, { type Static } from 'typebox'
import { DateTime, Links, named, nullable, oneOf, strict, Url, Uuid } from '../../http/schema.ts'

export const Issuer = oneOf(['google', 'microsoft'], { description: 'Who signs the owner of the mailbox in.' })
export type Issuer = Static<typeof Issuer>

export const NewConsent = named(
  'NewConsent',
  strict({
    issuer: Issuer,
    providerId: Type.Optional({
      ...Uuid,
      description: 'The mailbox that is to sign in with it. Left out: a new mailbox is made for the address that consents.',
    }),
    email: Type.Optional(
      Type.String({ format: 'email', maxLength: 254, description: 'The account to propose. The address of the mailbox when left out.' }),
    ),
  }),
)
export type NewConsent = Static<typeof NewConsent>

export const Consent = named(
  'Consent',
  strict({
    id: Uuid,
    workspaceId: Uuid,
    providerId: nullable({ ...Uuid, description: 'The mailbox. Of one that is to be made, null until then.' }),
    issuer: Issuer,
    flow: oneOf(['browser', 'device']),
    status: oneOf(['open', 'granted', 'refused', 'expired']),
    reason: nullable(Type.String({ description: 'Why it was refused.' })),
    account: nullable(Type.String({ description: 'The address that consented.' })),
    authorizationUrl: nullable({ ...Url, description: 'Where to send the browser. Shown only to whoever begins.' }),
    device: nullable(
      strict(
        { userCode: Type.String(), verificationUri: Url, intervalSeconds: Type.Integer({ minimum: 1 }) },
        {
          description:
            'What to type in, and where; shown only to whoever begins. Then ask with `POST …/poll`, not more often than every so many seconds.',
        },
      ),
    ),
    createdAt: DateTime,
    expiresAt: DateTime,
    links: Links,
  }),
)

export const MailboxConsent = strict(
  { issuer: Issuer, account: Type.String({ description: 'Who consented.' }) },
  { description: 'The mailbox signs in by consent. Null where it signs in with a password, or with a token that you gave.' },
)
