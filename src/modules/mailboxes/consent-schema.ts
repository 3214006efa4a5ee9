import { DateTime, Links, namedObject, nullable, oneOf, strict, Url, Uuid } from '../../http/schema.ts'
import { type Static, Type } from '../../lib/type.ts'

export const Issuer = oneOf(['google', 'microsoft'], { description: 'The issuer that signs the owner of the mailbox in.' })
export type Issuer = Static<typeof Issuer>

export const NewConsent = namedObject('NewConsent', {
  issuer: Issuer,
  providerId: Type.Optional({
    ...Uuid,
    description:
      'The mailbox that will sign in with this consent. Without it, a new mailbox is created for the address that gives consent.',
  }),
  email: Type.Optional(
    Type.String({
      format: 'email',
      maxLength: 254,
      description: 'The account to suggest at sign-in. Defaults to the address of the mailbox.',
    }),
  ),
})
export type NewConsent = Static<typeof NewConsent>

export const Consent = namedObject('Consent', {
  id: Uuid,
  workspaceId: Uuid,
  providerId: nullable({ ...Uuid, description: 'The mailbox. Null until a new mailbox has been created.' }),
  issuer: Issuer,
  flow: oneOf(['browser', 'device']),
  status: oneOf(['open', 'granted', 'refused', 'expired']),
  reason: nullable(Type.String({ description: 'The reason for the refusal.' })),
  account: nullable(Type.String({ description: 'The address that gave consent.' })),
  authorizationUrl: nullable({
    ...Url,
    description: 'The URL to open in the browser. Only the answer to the request that starts the consent contains it.',
  }),
  device: nullable(
    strict(
      { userCode: Type.String(), verificationUri: Url, intervalSeconds: Type.Integer({ minimum: 1 }) },
      {
        description:
          'The code to type in and the URL to open. Only the answer to the request that starts the consent contains them. Then poll with `POST …/poll`, at most once per interval.',
      },
    ),
  ),
  createdAt: DateTime,
  expiresAt: DateTime,
  links: Links,
})

export const MailboxConsent = strict(
  { issuer: Issuer, account: Type.String({ description: 'The account that gave consent.' }) },
  { description: 'The consent with which the mailbox signs in. Null when it signs in with a password, or with a token that you provided.' },
)
