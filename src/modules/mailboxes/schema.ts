import Type, { type Static } from 'typebox'
import { DateTime, Fix, Links, named, nullable, oneOf, strict, Uuid } from '../../http/schema.ts'
import { MailboxConsent } from './consent-schema.ts'

const SignatureText = Type.String({ minLength: 1, maxLength: 10_000 })

const fields = {
  name: Type.String({ minLength: 1, maxLength: 200 }),
  fromName: nullable(Type.String({ minLength: 1, maxLength: 200 })),
  fromEmail: Type.String({ format: 'email', maxLength: 254 }),
  postalAddress: nullable(Type.String({ minLength: 1, maxLength: 500, description: 'Stands in the footer of every e-mail.' })),
  replyTo: nullable(
    Type.String({
      format: 'email',
      maxLength: 254,
      description:
        'Where answers go, when not to the sender itself. Only answers that arrive in the inbox of this mailbox stop a sequence.',
    }),
  ),
  signature: nullable(
    strict(
      { text: Type.Optional(nullable(SignatureText)), html: Type.Optional(nullable(SignatureText)) },
      { description: 'Stands below every e-mail: as text, and as HTML where the e-mail is HTML.' },
    ),
  ),
  dailyCap: Type.Integer({ minimum: 1, maximum: 100_000 }),
  minGapSeconds: Type.Integer({ minimum: 0, maximum: 86_400 }),
  ramp: nullable(
    strict(
      { startPerDay: Type.Integer({ minimum: 1, maximum: 100_000 }), increasePerDay: Type.Integer({ minimum: 0, maximum: 100_000 }) },
      { description: 'Warm-up: how many on the first day, and how many more each day, up to the cap.' },
    ),
  ),
  timezone: Type.String({ minLength: 1, maxLength: 64, description: 'An IANA name: the daily cap counts the days of this zone.' }),
  maxPerDomainPerHour: nullable(
    Type.Integer({ minimum: 1, maximum: 100_000, description: 'How many e-mails to one recipient domain in any hour; null for no limit.' }),
  ),
}

const Port = Type.Integer({ minimum: 1, maximum: 65_535 })
const server = {
  host: Type.String({ minLength: 1, maxLength: 253, pattern: '^[^\\s\\p{Cc}/@]+$' }),
  port: Port,
  secure: Type.Boolean({ description: 'TLS from the first byte; otherwise STARTTLS is required.' }),
  allowPlaintext: Type.Optional(
    Type.Boolean({ description: 'The password may go over a connection that is not encrypted, where the server offers nothing better.' }),
  ),
  tls: Type.Optional(
    strict(
      {
        ca: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 20_000,
            pattern: '-----BEGIN CERTIFICATE-----',
            description: 'A certificate or its authority, as PEM.',
          }),
        ),
        fingerprint256: Type.Optional(
          Type.String({ pattern: '^(?:[0-9A-Fa-f]{2}:?){31}[0-9A-Fa-f]{2}$', description: 'The SHA-256 of the one certificate to trust.' }),
        ),
      },
      { description: 'For a server whose certificate no well-known authority has signed.' },
    ),
  ),
}

const inbox = {
  ...server,
  folders: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
      maxItems: 50,
      description:
        'The folders that are read besides the INBOX. Without it: all in which a reply can arrive, which leaves out sent messages, drafts and the trash.',
    }),
  ),
  appendSent: Type.Optional(
    Type.Boolean({
      description:
        'Whether copies of what was sent are put into the Sent folder. Without it: where the server keeps none itself, as seen when it was verified.',
    }),
  ),
  firstStepsWithoutInbox: Type.Optional(
    Type.Boolean({
      description: 'Whether first messages may go while the inbox cannot be read. Default: true. Follow-ups never do.',
      default: true,
    }),
  ),
}

const ProviderSettings = strict({ smtp: Type.Optional(strict(server)), imap: Type.Optional(nullable(strict(inbox))) })

export const ProviderCredentials = strict(
  {
    username: Type.String({ minLength: 1, maxLength: 254 }),
    password: Type.Optional(Type.String({ minLength: 1, maxLength: 4096 })),
    oauth: Type.Optional(
      strict({
        tokenUrl: Type.String({ format: 'uri', maxLength: 2048 }),
        clientId: Type.String({ minLength: 1, maxLength: 1024 }),
        clientSecret: Type.Optional(Type.String({ maxLength: 1024 })),
        refreshToken: Type.String({ minLength: 1, maxLength: 4096 }),
      }),
    ),
  },
  { description: 'Write-only: never shown again.' },
)
export type ProviderCredentials = Static<typeof ProviderCredentials>

export const Provider = named(
  'Provider',
  strict({
    id: Uuid,
    workspaceId: Uuid,
    kind: oneOf(['smtp', 'sandbox']),
    ...fields,
    status: oneOf(['connected', 'disconnected', 'unverified']),
    statusReason: nullable(Type.String()),
    settings: ProviderSettings,
    resting: nullable(
      strict(
        { until: DateTime, reason: nullable(Type.String()) },
        {
          description: 'The mail server failed for the moment: nothing is sent until then. After 15 minutes of failing it is disconnected.',
        },
      ),
    ),
    inbox: nullable(
      strict(
        { status: oneOf(['readable', 'unread', 'unreadable']), reason: nullable(Type.String()), since: nullable(DateTime) },
        {
          description:
            'Whether the inbox is read. While it is not readable, follow-ups wait: an answer may lie in it. Null without an inbox, and before the first look.',
        },
      ),
    ),
    load: strict({
      sentToday: Type.Integer({ minimum: 0, description: 'What has left on this day of its time zone, answers included.' }),
      limitToday: Type.Integer({
        minimum: 0,
        description: 'What may leave on this day: the daily cap, or what the ramp allows until then.',
      }),
      nextSlotAt: nullable(DateTime),
    }),
    consent: nullable(MailboxConsent),
    fix: nullable(Fix),
    hasCredentials: Type.Boolean(),
    connectedAt: nullable(DateTime),
    createdAt: DateTime,
    updatedAt: DateTime,
    links: Links,
  }),
)

const optional = {
  fromName: Type.Optional(fields.fromName),
  postalAddress: Type.Optional(fields.postalAddress),
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

export const NewProvider = named(
  'NewProvider',
  strict({ kind: oneOf(['smtp', 'sandbox']), name: fields.name, fromEmail: fields.fromEmail, ...optional }),
)
export type NewProvider = Static<typeof NewProvider>

export const ProviderPatch = named(
  'ProviderPatch',
  strict({ name: Type.Optional(fields.name), fromEmail: Type.Optional(fields.fromEmail), ...optional }),
)
export type ProviderPatch = Static<typeof ProviderPatch>

export const ProviderResult = named('ProviderResult', strict({ provider: Provider }))

export const Verification = named(
  'Verification',
  strict({
    provider: Provider,
    ok: Type.Boolean({ description: 'Every stage went well; the mailbox is connected.' }),
    stages: Type.Array(
      strict({
        stage: oneOf(['dns', 'tcp', 'tls', 'auth', 'test_message', 'imap']),
        ok: Type.Boolean(),
        detail: Type.String(),
        durationMs: Type.Integer({ minimum: 0 }),
      }),
    ),
  }),
)

export const VerificationResult = named('VerificationResult', strict({ verification: Verification }))
const FoundServer = strict({ host: Type.String(), port: Port, secure: Type.Boolean() })

const DiscoveredSettings = named(
  'DiscoveredSettings',
  strict({
    source: oneOf(['preset', 'mx', 'autoconfig', 'srv', 'guess'], {
      description:
        'How they were found: a hoster that Overture knows, by the domain or by its mail server; a file that the domain publishes; its service records; or a guess.',
    }),
    hoster: nullable(Type.String({ description: 'The name of the hoster, where it is a known one.' })),
    settings: strict({ smtp: FoundServer, imap: nullable(FoundServer) }),
    signIn: Type.Array(oneOf(['password', 'app_password', 'oauth']), { description: 'What the hoster accepts, the best way first.' }),
    note: nullable(Type.String({ description: 'What must be done first.' })),
    limits: strict(
      {
        hosterPerDay: nullable(Type.Integer({ description: 'What the hoster lets a mailbox send in a day, as far as it says so.' })),
        dailyCap: Type.Integer(),
        minGapSeconds: Type.Integer(),
        ramp: strict({ startPerDay: Type.Integer(), increasePerDay: Type.Integer() }),
      },
      { description: 'Recommended limits for cold e-mail. You can send them unchanged when you connect the mailbox.' },
    ),
    works: Type.Boolean({ description: 'Both servers answer and encrypt. Verifying the mailbox tells whether they accept the password.' }),
    problem: nullable(Type.String({ description: 'The problem, if there is one.' })),
  }),
)

export const Discovery = named(
  'ProviderDiscovery',
  strict({ email: Type.String(), candidates: Type.Array(DiscoveredSettings), links: Links }),
)
