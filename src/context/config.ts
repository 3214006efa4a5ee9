import { resolve } from 'node:path'

/**
 * The one described list of settings. `loadConfig` is the only reader of the environment, and the table in the
 * README is printed from here, so a setting without a description cannot exist.
 */
export const SETTINGS = {
  databaseUrl: {
    env: 'DATABASE_URL',
    kind: 'text',
    fallback: '',
    about: 'PostgreSQL 15 or later. Empty: an embedded server in `OVERTURE_DIR` with demo data.',
  },
  dir: { env: 'OVERTURE_DIR', kind: 'text', fallback: '.overture', about: 'Folder of the embedded server and of `local.json`.' },
  host: { env: 'HOST', kind: 'text', fallback: '127.0.0.1', about: 'Address to listen on.' },
  port: { env: 'PORT', kind: 'number', fallback: 8080, about: 'Port to listen on; 0 takes a free one.' },
  baseUrl: {
    env: 'OVERTURE_BASE_URL',
    kind: 'text',
    fallback: '',
    about: 'Public URL, used in every link. Empty: built from host and port.',
  },
  secretKey: {
    env: 'OVERTURE_SECRET_KEY',
    kind: 'text',
    fallback: '',
    about:
      '32 bytes in base64. This key seals the key that encrypts credentials, hashes addresses and signs links. Required with `DATABASE_URL`; otherwise created and stored in `OVERTURE_DIR`.',
  },
  previousSecretKey: {
    env: 'OVERTURE_PREVIOUS_SECRET_KEY',
    kind: 'text',
    fallback: '',
    about: 'The previous secret key, until `overture secret rotate` has run.',
  },
  migrate: {
    env: 'OVERTURE_MIGRATE',
    kind: 'flag',
    fallback: false,
    about: '`true`: `api` and `worker` migrate the database at their start. `false`: they refuse to start when a migration is missing.',
  },
  logLevel: { env: 'OVERTURE_LOG_LEVEL', kind: 'text', fallback: 'info', about: '`trace` `debug` `info` `warn` `error` `silent`.' },
  poolSize: {
    env: 'OVERTURE_POOL_SIZE',
    kind: 'number',
    fallback: 10,
    about: 'Connections in the pool of a process. A process opens up to four more, see above.',
  },
  ownHosts: {
    env: 'OVERTURE_OWN_HOSTS',
    kind: 'text',
    fallback: '',
    about: 'Other host names of this installation, as `app.example.com,api.example.com`. No workspace can use them as its tracking host.',
  },
  dnsServers: {
    env: 'OVERTURE_DNS_SERVERS',
    kind: 'text',
    fallback: '',
    about:
      'Name servers used to find mail settings and to check domains, as `192.0.2.1,[2001:db8::1]:53`. Empty: the name servers of the system.',
  },
  sendsMail: {
    env: 'OVERTURE_SENDING',
    kind: 'flag',
    fallback: true,
    about: '`false`: this worker runs operations and delivers webhooks, but neither sends nor reads e-mail.',
  },
  stopGraceSeconds: {
    env: 'OVERTURE_STOP_GRACE_SECONDS',
    kind: 'number',
    fallback: 3,
    about: 'How long a stopping worker waits for answers of webhook receivers and for long operations before it returns them to the queue.',
  },
  googleClientId: {
    env: 'OVERTURE_GOOGLE_CLIENT_ID',
    kind: 'text',
    fallback: '',
    about: 'Your own OAuth client at Google, for mailboxes that sign in by consent; see [mailboxes](docs/mailboxes.md).',
  },
  googleClientSecret: { env: 'OVERTURE_GOOGLE_CLIENT_SECRET', kind: 'text', fallback: '', about: 'The secret of this client.' },
  googleIssuerUrl: {
    env: 'OVERTURE_GOOGLE_ISSUER_URL',
    kind: 'text',
    fallback: '',
    about: 'An OpenID issuer to use instead of Google, for tests. Its tokens are then sent to any mail server.',
  },
  microsoftClientId: {
    env: 'OVERTURE_MICROSOFT_CLIENT_ID',
    kind: 'text',
    fallback: '',
    about: 'Your own application at Microsoft Entra, for mailboxes that sign in by consent.',
  },
  microsoftClientSecret: { env: 'OVERTURE_MICROSOFT_CLIENT_SECRET', kind: 'text', fallback: '', about: 'The secret of this client.' },
  microsoftTenant: {
    env: 'OVERTURE_MICROSOFT_TENANT',
    kind: 'text',
    fallback: 'common',
    about: 'The tenant whose accounts may consent; `common` for all.',
  },
  microsoftIssuerUrl: {
    env: 'OVERTURE_MICROSOFT_ISSUER_URL',
    kind: 'text',
    fallback: '',
    about: 'An OpenID issuer to use instead of Microsoft, for tests. Its tokens are then sent to any mail server.',
  },
  rateLimitPerMinute: {
    env: 'OVERTURE_RATE_LIMIT',
    kind: 'number',
    fallback: 6000,
    about: 'Requests per minute that a token may make, counted in each process.',
  },
  bodyMemoryMb: {
    env: 'OVERTURE_BODY_MEMORY_MB',
    kind: 'number',
    fallback: 96,
    about: 'Memory that large request bodies may use at the same time in a process. Beyond it, requests answer 503 with `Retry-After`.',
  },
  allowLocalTargets: {
    env: 'OVERTURE_ALLOW_LOCAL_TARGETS',
    kind: 'flag',
    fallback: false,
    about: 'Allows webhooks and mail servers with plain http and with loopback or private addresses. On with the embedded server.',
  },
  trustProxy: {
    env: 'OVERTURE_TRUST_PROXY',
    kind: 'flag',
    fallback: false,
    about: 'Trust the `X-Forwarded-*` headers of a reverse proxy.',
  },
  metricsToken: {
    env: 'OVERTURE_METRICS_TOKEN',
    kind: 'text',
    fallback: '',
    about: 'Bearer token for `/metrics`. Empty: only direct requests from the machine itself are answered, not requests through a proxy.',
  },
  maxTokens: {
    env: 'OVERTURE_MAX_TOKENS',
    kind: 'number',
    fallback: 100,
    about: 'API keys that a workspace may have, and personal tokens that a user may have.',
  },
  maxWorkspaces: {
    env: 'OVERTURE_MAX_WORKSPACES',
    kind: 'number',
    fallback: 100,
    about: 'A user who is in this many workspaces cannot create another one.',
  },
  maxMailboxes: { env: 'OVERTURE_MAX_MAILBOXES', kind: 'number', fallback: 1000, about: 'Mailboxes that a workspace may have.' },
  maxWebhooks: { env: 'OVERTURE_MAX_WEBHOOKS', kind: 'number', fallback: 20, about: 'Webhook endpoints that a workspace may have.' },
  maxStreams: {
    env: 'OVERTURE_MAX_STREAMS',
    kind: 'number',
    fallback: 10,
    about: 'Event streams that a token may have open at the same time, counted in each process.',
  },
  maxReplayedEvents: {
    env: 'OVERTURE_MAX_REPLAYED_EVENTS',
    kind: 'number',
    fallback: 100_000,
    about: 'Maximum number of pending deliveries for one webhook endpoint when a replay is requested, including those of the replay.',
  },
  operationRetentionDays: {
    env: 'OVERTURE_OPERATION_RETENTION_DAYS',
    kind: 'number',
    fallback: 90,
    about: 'How long finished operations are kept (at least 30). Paid exports are kept forever.',
  },
  eventRetentionDays: {
    env: 'OVERTURE_EVENT_RETENTION_DAYS',
    kind: 'number',
    fallback: 0,
    about:
      'How long events are kept (at least 30; 0: forever). Metrics do not change when events are deleted; see [what is kept how long](docs/privacy.md#what-is-kept-how-long).',
  },
  sentBodyRetentionDays: {
    env: 'OVERTURE_SENT_BODY_RETENTION_DAYS',
    kind: 'number',
    fallback: 0,
    about: 'How long the texts of sent messages are kept (0: forever).',
  },
  replyRetentionDays: {
    env: 'OVERTURE_REPLY_RETENTION_DAYS',
    kind: 'number',
    fallback: 0,
    about: 'How long the texts and attachments of replies, and messages that could not be read, are kept (0: forever).',
  },
  decisionRetentionDays: {
    env: 'OVERTURE_DECISION_RETENTION_DAYS',
    kind: 'number',
    fallback: 180,
    about: 'How long the past reasons why a lead had to wait are kept (0: forever).',
  },
  sandboxRetentionDays: {
    env: 'OVERTURE_SANDBOX_RETENTION_DAYS',
    kind: 'number',
    fallback: 90,
    about: 'How long messages of the sandbox are kept (0: forever).',
  },
  sequenceRetentionDays: {
    env: 'OVERTURE_SEQUENCE_RETENTION_DAYS',
    kind: 'number',
    fallback: 180,
    about: 'How long a replaced version of a sequence is kept after no lead uses it (0: forever).',
  },
  accessRetentionDays: {
    env: 'OVERTURE_ACCESS_RETENTION_DAYS',
    kind: 'number',
    fallback: 90,
    about: 'How long tokens, sessions, invitations and consents are kept after their end (0: forever).',
  },
  demoPeople: {
    env: 'OVERTURE_DEMO_PEOPLE',
    kind: 'number',
    fallback: 100_000,
    about: 'Synthetic people in the demo lead directory of the embedded server.',
  },
  llmKind: {
    env: 'OVERTURE_LLM_KIND',
    kind: 'text',
    fallback: '',
    about: '`anthropic` or `openai` (any compatible endpoint). Empty: only the built-in rules.',
  },
  llmUrl: { env: 'OVERTURE_LLM_URL', kind: 'text', fallback: '', about: 'Base address of the language model API.' },
  llmModel: { env: 'OVERTURE_LLM_MODEL', kind: 'text', fallback: '', about: 'Model name.' },
  llmKey: { env: 'OVERTURE_LLM_KEY', kind: 'text', fallback: '', about: 'API key of the language model.' },
  llmTimeoutMs: {
    env: 'OVERTURE_LLM_TIMEOUT_MS',
    kind: 'number',
    fallback: 15_000,
    about: 'After this time, only the built-in rules are used.',
  },
  clickhouseUrl: {
    env: 'OVERTURE_CLICKHOUSE_URL',
    kind: 'text',
    fallback: '',
    about: 'Search leads in this ClickHouse server instead of in memory.',
  },
  s3Endpoint: {
    env: 'OVERTURE_S3_ENDPOINT',
    kind: 'text',
    fallback: '',
    about: 'Keep exports in this S3-compatible store. Empty: in PostgreSQL.',
  },
  s3Bucket: { env: 'OVERTURE_S3_BUCKET', kind: 'text', fallback: '', about: 'Bucket of the exports.' },
  s3Region: { env: 'OVERTURE_S3_REGION', kind: 'text', fallback: 'auto', about: 'Region of the bucket.' },
  s3AccessKey: { env: 'OVERTURE_S3_ACCESS_KEY', kind: 'text', fallback: '', about: 'Access key of the store.' },
  s3SecretKey: { env: 'OVERTURE_S3_SECRET_KEY', kind: 'text', fallback: '', about: 'Secret key of the store.' },
} as const

type Value<K extends string> = K extends 'number' ? number : K extends 'flag' ? boolean : string
export type Config = { -readonly [K in keyof typeof SETTINGS]: Value<(typeof SETTINGS)[K]['kind']> }

export function loadConfig(env: Record<string, string | undefined>, overrides: Partial<Config> = {}): Config {
  const problems: string[] = []
  const entries = Object.entries(SETTINGS).map(([name, setting]) => {
    const text = env[setting.env]
    if (text === undefined || text === '') return [name, setting.fallback]
    if (setting.kind === 'number') {
      if (!/^\d+$/.test(text)) problems.push(`${setting.env} must be a whole number, got ${JSON.stringify(text)}`)
      return [name, Number(text)]
    }
    if (setting.kind === 'flag') {
      if (!/^(1|0|true|false)$/.test(text)) problems.push(`${setting.env} must be true or false, got ${JSON.stringify(text)}`)
      return [name, text === '1' || text === 'true']
    }
    return [name, text]
  })
  const config = { ...(Object.fromEntries(entries) as Config), ...overrides }
  if (config.operationRetentionDays < 30) problems.push('OVERTURE_OPERATION_RETENTION_DAYS must be at least 30')
  if (config.eventRetentionDays > 0 && config.eventRetentionDays < 30) {
    problems.push('OVERTURE_EVENT_RETENTION_DAYS must be at least 30, or 0 to keep events forever')
  }
  if (config.databaseUrl && !config.secretKey) {
    problems.push('OVERTURE_SECRET_KEY is required with DATABASE_URL; create one with: openssl rand -base64 32')
  }
  for (const setting of ['secretKey', 'previousSecretKey'] as const) {
    if (config[setting] && Buffer.from(config[setting], 'base64').length !== 32) {
      problems.push(`${SETTINGS[setting].env} must be 32 bytes in base64`)
    }
  }
  if (problems.length > 0) throw new Error(`The configuration is invalid:\n  ${problems.join('\n  ')}`)
  config.dir = resolve(config.dir)
  return config
}

/** The table of the README. */
export function describeSettings(): string {
  const rows = Object.values(SETTINGS).map(setting => `| \`${setting.env}\` | ${shown(setting.fallback)} | ${setting.about} |`)
  return ['| variable | default | what it does |', '|---|---|---|', ...rows].join('\n')
}

const shown = (fallback: string | number | boolean): string => (fallback === '' ? '' : `\`${fallback}\``)
