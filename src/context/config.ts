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
    about: 'Public address, used in every link. Empty: made from host and port.',
  },
  secretKey: {
    env: 'OVERTURE_SECRET_KEY',
    kind: 'text',
    fallback: '',
    about:
      '32 bytes in base64: seals the key that encrypts credentials, hashes addresses, signs links. Required with `DATABASE_URL`; made and kept in `OVERTURE_DIR` otherwise.',
  },
  previousSecretKey: {
    env: 'OVERTURE_PREVIOUS_SECRET_KEY',
    kind: 'text',
    fallback: '',
    about: 'The secret key before, until `overture secret rotate` has run.',
  },
  migrate: {
    env: 'OVERTURE_MIGRATE',
    kind: 'flag',
    fallback: false,
    about: 'Lets `api` and `worker` bring the database up to date at their start instead of refusing one that is not.',
  },
  logLevel: { env: 'OVERTURE_LOG_LEVEL', kind: 'text', fallback: 'info', about: '`trace` `debug` `info` `warn` `error` `silent`.' },
  poolSize: {
    env: 'OVERTURE_POOL_SIZE',
    kind: 'number',
    fallback: 10,
    about: 'Connections in the pool of a process; it holds up to four more, see above.',
  },
  ownHosts: {
    env: 'OVERTURE_OWN_HOSTS',
    kind: 'text',
    fallback: '',
    about: 'Other names that lead to this installation, as `app.example.com,api.example.com`: no workspace can take them for its links.',
  },
  dnsServers: {
    env: 'OVERTURE_DNS_SERVERS',
    kind: 'text',
    fallback: '',
    about: 'Name servers for the settings and the health of domains, as `192.0.2.1,[2001:db8::1]:53`. Empty: those of the system.',
  },
  sendsMail: {
    env: 'OVERTURE_SENDING',
    kind: 'flag',
    fallback: true,
    about: '`false`: this worker carries out operations and delivers webhooks, and leaves e-mail to others, or to later.',
  },
  stopGraceSeconds: {
    env: 'OVERTURE_STOP_GRACE_SECONDS',
    kind: 'number',
    fallback: 3,
    about: 'How long a worker that stops waits for the answers of webhook receivers before it gives the rest back to the queue.',
  },
  googleClientId: {
    env: 'OVERTURE_GOOGLE_CLIENT_ID',
    kind: 'text',
    fallback: '',
    about: 'Your own OAuth client at Google, for mailboxes that sign in by consent; see [mailboxes](docs/mailboxes.md).',
  },
  googleClientSecret: { env: 'OVERTURE_GOOGLE_CLIENT_SECRET', kind: 'text', fallback: '', about: 'Its secret.' },
  googleIssuerUrl: {
    env: 'OVERTURE_GOOGLE_ISSUER_URL',
    kind: 'text',
    fallback: '',
    about: 'Another OpenID issuer in the place of Google, for tests. Its tokens then go to any mail server.',
  },
  microsoftClientId: {
    env: 'OVERTURE_MICROSOFT_CLIENT_ID',
    kind: 'text',
    fallback: '',
    about: 'Your own application at Microsoft Entra, for mailboxes that sign in by consent.',
  },
  microsoftClientSecret: { env: 'OVERTURE_MICROSOFT_CLIENT_SECRET', kind: 'text', fallback: '', about: 'Its secret.' },
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
    about: 'Another OpenID issuer in the place of Microsoft, for tests. Its tokens then go to any mail server.',
  },
  rateLimitPerMinute: {
    env: 'OVERTURE_RATE_LIMIT',
    kind: 'number',
    fallback: 6000,
    about: 'Requests a token may make in a minute, counted in each process.',
  },
  bodyMemoryMb: {
    env: 'OVERTURE_BODY_MEMORY_MB',
    kind: 'number',
    fallback: 96,
    about: 'Memory that large request bodies may take at once in a process; beyond it requests are told to come back.',
  },
  allowLocalTargets: {
    env: 'OVERTURE_ALLOW_LOCAL_TARGETS',
    kind: 'flag',
    fallback: false,
    about: 'Lets webhooks and mail servers be plain http, loopback or private. On with the embedded server.',
  },
  trustProxy: { env: 'OVERTURE_TRUST_PROXY', kind: 'flag', fallback: false, about: 'Believe `X-Forwarded-*` of a proxy in front.' },
  metricsToken: {
    env: 'OVERTURE_METRICS_TOKEN',
    kind: 'text',
    fallback: '',
    about: 'Bearer token for `/metrics`. Empty: only the machine itself may ask, and not through a proxy.',
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
    about: 'Workspaces that a user may be in to make another.',
  },
  maxMailboxes: { env: 'OVERTURE_MAX_MAILBOXES', kind: 'number', fallback: 1000, about: 'Mailboxes that a workspace may have.' },
  maxWebhooks: { env: 'OVERTURE_MAX_WEBHOOKS', kind: 'number', fallback: 20, about: 'Webhook endpoints that a workspace may have.' },
  maxStreams: {
    env: 'OVERTURE_MAX_STREAMS',
    kind: 'number',
    fallback: 10,
    about: 'Event streams that a token may hold open at once, counted in each process.',
  },
  maxReplayedEvents: {
    env: 'OVERTURE_MAX_REPLAYED_EVENTS',
    kind: 'number',
    fallback: 100_000,
    about: 'Deliveries that may wait for one webhook endpoint when another replay is asked for, those of the replay included.',
  },
  operationRetentionDays: {
    env: 'OVERTURE_OPERATION_RETENTION_DAYS',
    kind: 'number',
    fallback: 90,
    about: 'How long finished operations are kept (at least 30; paid exports stay for good).',
  },
  eventRetentionDays: {
    env: 'OVERTURE_EVENT_RETENTION_DAYS',
    kind: 'number',
    fallback: 0,
    about:
      'How long events are kept (at least 30; 0: for good). Metrics stay what they are; see [what is kept how long](docs/privacy.md#what-is-kept-how-long).',
  },
  sentBodyRetentionDays: {
    env: 'OVERTURE_SENT_BODY_RETENTION_DAYS',
    kind: 'number',
    fallback: 0,
    about: 'How long the texts of messages that were sent are kept (0: for good).',
  },
  replyRetentionDays: {
    env: 'OVERTURE_REPLY_RETENTION_DAYS',
    kind: 'number',
    fallback: 0,
    about: 'How long the texts and attachments of replies, and messages that could not be read, are kept (0: for good).',
  },
  decisionRetentionDays: {
    env: 'OVERTURE_DECISION_RETENTION_DAYS',
    kind: 'number',
    fallback: 180,
    about: 'How long it is kept why a lead was not written to, once that is past (0: for good).',
  },
  sandboxRetentionDays: {
    env: 'OVERTURE_SANDBOX_RETENTION_DAYS',
    kind: 'number',
    fallback: 90,
    about: 'How long messages of the sandbox are kept (0: for good).',
  },
  sequenceRetentionDays: {
    env: 'OVERTURE_SEQUENCE_RETENTION_DAYS',
    kind: 'number',
    fallback: 180,
    about: 'How long a version of a sequence is kept that was replaced and that no lead is on (0: for good).',
  },
  accessRetentionDays: {
    env: 'OVERTURE_ACCESS_RETENTION_DAYS',
    kind: 'number',
    fallback: 90,
    about: 'How long tokens, sessions, invitations and consents are kept after their end (0: for good).',
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
    about: '`anthropic` or `openai` (any compatible endpoint). Empty: the built-in rules alone.',
  },
  llmUrl: { env: 'OVERTURE_LLM_URL', kind: 'text', fallback: '', about: 'Base address of the language model API.' },
  llmModel: { env: 'OVERTURE_LLM_MODEL', kind: 'text', fallback: '', about: 'Model name.' },
  llmKey: { env: 'OVERTURE_LLM_KEY', kind: 'text', fallback: '', about: 'API key of the language model.' },
  llmTimeoutMs: { env: 'OVERTURE_LLM_TIMEOUT_MS', kind: 'number', fallback: 15_000, about: 'After this the built-in rules answer alone.' },
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
    problems.push('OVERTURE_EVENT_RETENTION_DAYS must be at least 30, or 0 to keep them for good')
  }
  if (config.databaseUrl && !config.secretKey) {
    problems.push('OVERTURE_SECRET_KEY is required with DATABASE_URL; make one with: openssl rand -base64 32')
  }
  for (const setting of ['secretKey', 'previousSecretKey'] as const) {
    if (config[setting] && Buffer.from(config[setting], 'base64').length !== 32) {
      problems.push(`${SETTINGS[setting].env} must be 32 bytes in base64`)
    }
  }
  if (problems.length > 0) throw new Error(`The configuration is wrong:\n  ${problems.join('\n  ')}`)
  config.dir = resolve(config.dir)
  return config
}

/** The table of the README. */
export function describeSettings(): string {
  const rows = Object.values(SETTINGS).map(setting => `| \`${setting.env}\` | ${shown(setting.fallback)} | ${setting.about} |`)
  return ['| variable | default | what it does |', '|---|---|---|', ...rows].join('\n')
}

const shown = (fallback: string | number | boolean): string => (fallback === '' ? '' : `\`${fallback}\``)
