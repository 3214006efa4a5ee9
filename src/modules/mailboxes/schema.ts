import { about, DateTime, Fix, Links, NOT_BLANK, namedObject, nameOf, nullable, oneOf, strict, Url, Uuid } from '../../http/schema.ts'
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
  flow: about(oneOf(['browser', 'device']), '`browser`: by a URL. `device`: by a code on another device.'),
  status: about(oneOf(['open', 'granted', 'refused', 'expired']), '`granted`: the mailbox can sign in.'),
  reason: nullable(Type.String({ description: 'The reason for the refusal.' })),
  account: nullable(Type.String({ description: 'The address that gave consent.' })),
  authorizationUrl: nullable({
    ...Url,
    description: 'The URL to open in the browser. Only the response to the request that starts the consent contains it.',
  }),
  device: about(
    nullable(
      strict({
        userCode: about(Type.String(), 'The code to type in.'),
        verificationUri: about(Url, 'The page for the code.'),
        intervalSeconds: about(Type.Integer({ minimum: 1 }), 'The least time between two polls.'),
      }),
    ),
    'The code to type in and the URL to open. Only the response to the request that starts the consent contains them. Then poll with `POST …/poll`, at most once per interval.',
  ),
  createdAt: DateTime,
  expiresAt: DateTime,
  links: Links,
})

const MailboxConsent = about(
  strict({ issuer: Issuer, account: Type.String({ description: 'The account that gave consent.' }) }),
  'The consent with which the mailbox signs in. Null when it signs in with a password, or with a token that you provided.',
)

const SignatureText = Type.String({ minLength: 1, maxLength: 10_000 })

const NAME = { minLength: 1, maxLength: 200 }
const POSTAL_ADDRESS = { minLength: 1, maxLength: 500, description: 'The footer of every email shows it.' }

const fields = {
  name: Type.String(NAME),
  fromName: nullable(Type.String(NAME)),
  fromEmail: Type.String({ format: 'email', maxLength: 254 }),
  postalAddress: nullable(Type.String(POSTAL_ADDRESS)),
  replyTo: nullable(
    Type.String({
      format: 'email',
      maxLength: 254,
      description:
        'The address for replies, if it differs from the sender address. Only replies that arrive in the inbox of this mailbox stop a sequence.',
    }),
  ),
  signature: about(
    nullable(
      strict({
        text: Type.Optional(about(nullable(SignatureText), 'The signature as text.')),
        html: Type.Optional(about(nullable(SignatureText), 'The signature as HTML.')),
      }),
    ),
    'Added below every email: as text, and as HTML when the email is HTML.',
  ),
  dailyCap: Type.Integer({ minimum: 1, maximum: 100_000 }),
  minGapSeconds: Type.Integer({ minimum: 0, maximum: 86_400 }),
  ramp: about(
    nullable(
      strict({
        startPerDay: Type.Integer({ minimum: 1, maximum: 100_000 }),
        increasePerDay: Type.Integer({ minimum: 0, maximum: 100_000 }),
      }),
    ),
    'Raises the daily number of messages slowly: from the number of the first day, by the increase per day, up to the cap.',
  ),
  timezone: Type.String({ minLength: 1, maxLength: 64, description: 'An IANA time zone. The daily cap counts days in this zone.' }),
  maxPerDomainPerHour: nullable(
    Type.Integer({
      minimum: 1,
      maximum: 100_000,
      description: 'The maximum number of emails to one recipient domain in any hour. Null: no limit.',
    }),
  ),
}

const Port = Type.Integer({ minimum: 1, maximum: 65_535 })
const server = {
  host: Type.String({ minLength: 1, maxLength: 253, pattern: '^[^\\s\\p{Cc}/@]+$', examples: ['mail.example.com'] }),
  port: Port,
  secure: Type.Boolean({ description: 'True: TLS from the first byte. False: STARTTLS is required.' }),
  allowPlaintext: Type.Optional(
    Type.Boolean({ description: 'Allows sending the password over an unencrypted connection when the server offers no encryption.' }),
  ),
  tls: Type.Optional(
    namedObject(
      'MailServerTls',
      {
        ca: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 20_000,
            pattern: '-----BEGIN CERTIFICATE-----',
            description: 'A certificate or its certificate authority, as PEM.',
          }),
        ),
        fingerprint256: Type.Optional(
          Type.String({
            pattern: '^(?:[0-9A-Fa-f]{2}:?){31}[0-9A-Fa-f]{2}$',
            examples: [Array(32).fill('A1').join(':')],
            description: 'The SHA-256 fingerprint of the only certificate to trust.',
          }),
        ),
      },
      {
        description: 'For a server whose certificate is not signed by a well-known authority.',
        examples: [{ ca: '-----BEGIN CERTIFICATE-----\n…\n-----END CERTIFICATE-----' }],
      },
    ),
  ),
}

const inbox = {
  ...server,
  folders: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
      maxItems: 50,
      description:
        'The folders to read besides the INBOX. Defaults to all folders in which a reply can arrive, which excludes sent messages, drafts and the trash.',
    }),
  ),
  appendSent: Type.Optional(
    Type.Boolean({
      description:
        'Whether copies of sent messages are stored in the Sent folder. By default, they are stored only if the verification found that the server stores none itself.',
    }),
  ),
  firstStepsWithoutInbox: Type.Optional(
    Type.Boolean({
      description: 'Whether first messages may be sent while the inbox cannot be read. Defaults to true. Follow-ups always wait.',
      default: true,
    }),
  ),
}

const MailServer = strict(server)
export type MailServer = Static<typeof MailServer>

const ProviderSettings = namedObject('ProviderSettings', { smtp: Type.Optional(MailServer), imap: Type.Optional(nullable(strict(inbox))) })
export type ProviderSettings = Static<typeof ProviderSettings>

export type ServerKind = keyof ProviderSettings

export const ProviderCredentials = namedObject(
  'ProviderCredentials',
  {
    username: about(Type.String({ minLength: 1, maxLength: 254 }), 'The user name, most often the address.'),
    password: Type.Optional(about(Type.String({ minLength: 1, maxLength: 4096 }), 'The password, or an app password.')),
    oauth: Type.Optional(
      about(
        strict({
          tokenUrl: about(Type.String({ format: 'uri', maxLength: 2048 }), 'The token endpoint of the issuer.'),
          clientId: about(Type.String({ minLength: 1, maxLength: 1024 }), 'The id of your OAuth client.'),
          clientSecret: Type.Optional(about(Type.String({ maxLength: 1024 }), 'The secret of your OAuth client.')),
          refreshToken: about(Type.String({ minLength: 1, maxLength: 4096 }), 'The refresh token.'),
        }),
        'A refresh token of your own, instead of a password.',
      ),
    ),
  },
  { description: 'Write-only: never shown again.' },
)
export type ProviderCredentials = Static<typeof ProviderCredentials>

export const Provider = namedObject('Provider', {
  id: Uuid,
  workspaceId: Uuid,
  kind: about(oneOf(['smtp', 'sandbox']), '`smtp`: a real mailbox. `sandbox`: sends no real mail.'),
  ...fields,
  status: about(
    oneOf(['connected', 'disconnected', 'unverified']),
    '`connected`: may send. `disconnected`: failed. `unverified`: not verified yet.',
  ),
  statusReason: about(nullable(Type.String()), 'Why it is disconnected.'),
  settings: ProviderSettings,
  resting: about(
    nullable(strict({ until: about(DateTime, 'When sending continues.'), reason: nullable(Type.String()) })),
    'The mail server failed temporarily, and nothing is sent until this time. After 15 minutes of failures the mailbox is disconnected.',
  ),
  inbox: about(
    nullable(
      strict({
        status: about(oneOf(['readable', 'unread', 'unreadable']), '`unread`: the inbox has not been read up to now.'),
        reason: nullable(Type.String()),
        since: about(nullable(DateTime), 'Since when.'),
      }),
    ),
    'Whether the inbox can be read. While it cannot be read, follow-ups wait, because it may contain a reply. Null without an inbox, and before it is read for the first time.',
  ),
  copiesFailing: about(
    nullable(strict({ reason: Type.String(), since: about(nullable(DateTime), 'Since when.') })),
    'The server refuses to store copies of sent messages in the Sent folder, most often because the mailbox is full. Messages are sent nevertheless. A full mailbox also refuses replies.',
  ),
  load: about(
    strict({
      sentToday: Type.Integer({ minimum: 0, description: 'The number of messages sent today in its time zone, including answers.' }),
      limitToday: about(Type.Integer({ minimum: 0 }), 'The number of messages allowed today: the daily cap, or the limit of the ramp.'),
      nextSlotAt: nullable(DateTime),
    }),
    'How many messages the mailbox has sent today, and how many it may send.',
  ),
  consent: nullable(MailboxConsent),
  fix: about(nullable(Fix), 'The request that solves the problem, if there is one.'),
  hasCredentials: about(Type.Boolean(), 'Whether credentials for the present servers are stored.'),
  connectedAt: about(nullable(DateTime), 'When it was connected.'),
  createdAt: DateTime,
  updatedAt: DateTime,
  links: Links,
})

/** Recipients see these texts. Earlier versions took blanks for them, so answers may still have blanks. */
const visible = {
  name: nameOf(NAME.maxLength),
  fromName: nullable(nameOf(NAME.maxLength)),
  postalAddress: nullable(Type.String({ ...POSTAL_ADDRESS, format: NOT_BLANK })),
}

const optional = {
  fromName: Type.Optional(visible.fromName),
  postalAddress: Type.Optional(visible.postalAddress),
  replyTo: Type.Optional(fields.replyTo),
  signature: Type.Optional(fields.signature),
  dailyCap: Type.Optional(fields.dailyCap),
  minGapSeconds: Type.Optional(fields.minGapSeconds),
  ramp: Type.Optional(fields.ramp),
  timezone: Type.Optional(fields.timezone),
  maxPerDomainPerHour: Type.Optional(fields.maxPerDomainPerHour),
  settings: Type.Optional(ProviderSettings),
  credentials: Type.Optional(ProviderCredentials),
}

export const NewProvider = namedObject(
  'NewProvider',
  {
    kind: about(oneOf(['smtp', 'sandbox']), '`smtp`: a real mailbox. `sandbox`: sends no real mail.'),
    name: visible.name,
    fromEmail: fields.fromEmail,
    ...optional,
  },
  {
    description:
      'A mailbox of the kind `smtp` needs `settings.smtp`, and `credentials` with either a password or `oauth`. A `sandbox` takes neither.',
    examples: [
      { kind: 'sandbox', name: 'Trial', fromName: 'Ada', fromEmail: 'ada@example.com', postalAddress: '1 Example Street, Berlin' },
    ],
  },
)
export type NewProvider = Static<typeof NewProvider>

export const ProviderPatch = namedObject(
  'ProviderPatch',
  {
    name: Type.Optional(visible.name),
    fromEmail: Type.Optional(fields.fromEmail),
    ...optional,
  },
  { examples: [{ dailyCap: 40, minGapSeconds: 300 }] },
)
export type ProviderPatch = Static<typeof ProviderPatch>

export const ProviderResult = namedObject('ProviderResult', { provider: Provider })

const STAGES = ['dns', 'tcp', 'tls', 'auth', 'test_message', 'imap', 'folders'] as const

const StageResults = Type.Array(
  namedObject('StageResult', {
    stage: about(oneOf(STAGES), 'The stage.'),
    ok: about(Type.Boolean(), 'Whether it passed.'),
    detail: about(Type.String(), 'The outcome of the stage, for people.'),
    cure: nullable(Type.String({ description: 'The most common solution if the stage failed.' })),
    durationMs: about(Type.Integer({ minimum: 0 }), 'How long it took.'),
  }),
)

export const VerificationProgress = namedObject(
  'VerificationProgress',
  {
    stages: about(StageResults, 'The stages that have ended.'),
    running: Type.Array(oneOf(STAGES), { description: 'The stages that are being tried. SMTP and IMAP are tried at the same time.' }),
  },
  { description: 'While the operation is running: the stages so far. Not included in lists.' },
)

export const Verification = namedObject('Verification', {
  provider: Provider,
  ok: Type.Boolean({ description: 'True when every stage passed. The mailbox is then connected.' }),
  stages: about(StageResults, 'The stages that were tried.'),
})

export const VerificationResult = namedObject('VerificationResult', {
  verification: about(Verification, 'The outcome of the verification.'),
})
const FoundServer = strict({
  host: Type.String(),
  port: Port,
  secure: about(Type.Boolean(), 'True: TLS from the first byte. False: STARTTLS.'),
})

const DiscoveredSettings = namedObject('DiscoveredSettings', {
  source: oneOf(['preset', 'mx', 'autoconfig', 'srv', 'guess'], {
    description:
      'How the settings were found. `preset`, `mx`: a known hosting provider, by the domain or by its mail server. `autoconfig`: a file that the domain publishes. `srv`: its service records.',
  }),
  hoster: nullable(Type.String({ description: 'The name of the hosting provider, if it is known.' })),
  settings: strict({ smtp: FoundServer, imap: nullable(FoundServer) }),
  signIn: Type.Array(oneOf(['password', 'app_password', 'oauth']), {
    description: 'The sign-in methods that the hosting provider accepts, best first.',
  }),
  note: nullable(Type.String({ description: 'A step that you must take first.' })),
  limits: about(
    strict({
      hosterPerDay: nullable(
        Type.Integer({
          description: 'The number of messages per day that the hosting provider allows for a mailbox, if it is published.',
        }),
      ),
      dailyCap: Type.Integer(),
      minGapSeconds: Type.Integer(),
      ramp: strict({ startPerDay: Type.Integer(), increasePerDay: Type.Integer() }),
    }),
    'Recommended limits for cold email. You can send them unchanged when you connect the mailbox.',
  ),
  works: about(Type.Boolean(), 'Both servers respond and use encryption. Verify the mailbox to find out whether they accept the password.'),
  problem: nullable(Type.String({ description: 'The problem, if there is one.' })),
})

export const Discovery = namedObject('ProviderDiscovery', {
  email: Type.String(),
  candidates: about(Type.Array(DiscoveredSettings), 'Possible settings, most likely first.'),
  links: Links,
})
