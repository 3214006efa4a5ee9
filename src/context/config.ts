import { resolve } from 'node:path'
import type { LlmConfig } from '../lib/llm.ts'

const text = (env: string, about: string, fallback = '') => ({ kind: 'text', env, about, fallback }) as const
const number = (env: string, about: string, fallback: number, [least, most]: readonly [least: number, most: number]) =>
  ({ kind: 'number', env, about, fallback, least, most }) as const
const flag = (env: string, about: string, fallback: boolean) => ({ kind: 'flag', env, about, fallback }) as const
/** A number of proxies, or `true` for one. */
const hops = (env: string, about: string) => ({ kind: 'hops', env, about, fallback: 0 as number }) as const
const choice = (env: string, about: string, values: readonly string[], fallback = '') =>
  ({ kind: 'choice', env, about, values, fallback }) as const

/** A larger number of days would reach back before the first day that PostgreSQL knows. */
const DAYS = [0, 2_000_000] as const
/** Zero forbids. */
const LIMIT = [0, 1_000_000_000] as const
/** Zero would make the service useless. */
const SOME = [1, 1_000_000_000] as const

/**
 * All settings with their descriptions. Only `loadConfig` reads the environment, and docs/reference/settings.md is printed from this list, so
 * every setting has a description.
 */
const SETTINGS = {
  databaseUrl: text('DATABASE_URL', 'PostgreSQL 15 or later. Empty: an embedded server in `OVERTURE_DIR` with demo data.'),
  dir: text('OVERTURE_DIR', 'Folder of the embedded server and of `local.json`.', '.overture'),
  host: text('HOST', 'Address to listen on. `0.0.0.0` accepts connections from other machines.', '127.0.0.1'),
  port: number('PORT', 'Port to listen on; 0 takes a free one.', 8080, [0, 65_535]),
  baseUrl: text('OVERTURE_BASE_URL', 'Public URL, used in every link. Empty: built from host and port.'),
  secretKey: text(
    'OVERTURE_SECRET_KEY',
    '32 bytes in base64, from `openssl rand -base64 32`. This key seals the master key that encrypts credentials, hashes addresses and signs links. Required with `DATABASE_URL`; otherwise created and stored in `OVERTURE_DIR`. Keep a copy: without it, nothing starts on this database.',
  ),
  previousSecretKey: text('OVERTURE_PREVIOUS_SECRET_KEY', 'The previous secret key, until `overture secret rotate` has run.'),
  migrate: flag(
    'OVERTURE_MIGRATE',
    '`true`: `api` and `worker` migrate the database at their start. `false`: they refuse to start when a migration is missing.',
    false,
  ),
  logLevel: choice(
    'OVERTURE_LOG_LEVEL',
    '`trace` `debug` `info` `warn` `error` `fatal` `silent`.',
    ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    'info',
  ),
  poolSize: number('OVERTURE_POOL_SIZE', 'Connections in the pool of a process. A process opens up to four more.', 10, [1, 1000]),
  maxOpenOperations: number(
    'OVERTURE_MAX_OPEN_OPERATIONS',
    'How many operations of a workspace may be queued or running. Further requests get 429 with `Retry-After` until some have ended.',
    1000,
    SOME,
  ),
  ownHosts: text(
    'OVERTURE_OWN_HOSTS',
    'Other host names of this installation, as `app.example.com,api.example.com`. No workspace can use them as its tracking host.',
  ),
  dnsServers: text(
    'OVERTURE_DNS_SERVERS',
    'Name servers used to find mail settings and to check domains, as `192.0.2.1,[2001:db8::1]:53`. Empty: the name servers of the system.',
  ),
  sendsMail: flag(
    'OVERTURE_SENDING',
    '`false`: this worker runs operations and delivers webhooks, but neither sends nor reads email.',
    true,
  ),
  stopGraceSeconds: number(
    'OVERTURE_STOP_GRACE_SECONDS',
    'How long a stopping worker waits for webhook receivers and long operations before it returns the work to the queue.',
    3,
    [0, 3600],
  ),
  googleClientId: text(
    'OVERTURE_GOOGLE_CLIENT_ID',
    'Your own OAuth client at Google, for mailboxes that sign in by consent; see docs/guides/mailboxes.md.',
  ),
  googleClientSecret: text('OVERTURE_GOOGLE_CLIENT_SECRET', 'The secret of this client.'),
  googleIssuerUrl: text(
    'OVERTURE_GOOGLE_ISSUER_URL',
    'An OpenID issuer to use instead of Google, for tests. Its tokens are then sent to any mail server.',
  ),
  microsoftClientId: text(
    'OVERTURE_MICROSOFT_CLIENT_ID',
    'Your own application at Microsoft Entra, for mailboxes that sign in by consent.',
  ),
  microsoftClientSecret: text('OVERTURE_MICROSOFT_CLIENT_SECRET', 'The secret of this client.'),
  microsoftTenant: text('OVERTURE_MICROSOFT_TENANT', 'The tenant whose accounts may consent; `common` for all.', 'common'),
  microsoftIssuerUrl: text(
    'OVERTURE_MICROSOFT_ISSUER_URL',
    'An OpenID issuer to use instead of Microsoft, for tests. Its tokens are then sent to any mail server.',
  ),
  rateLimitPerMinute: number('OVERTURE_RATE_LIMIT', 'Requests per minute that a token may make, counted in each process.', 6000, SOME),
  bodyMemoryMb: number(
    'OVERTURE_BODY_MEMORY_MB',
    'Memory that large request bodies may use at the same time in a process. Further requests get 503 with `Retry-After`.',
    96,
    [1, 1_000_000],
  ),
  allowLocalTargets: flag(
    'OVERTURE_ALLOW_LOCAL_TARGETS',
    'Allows webhooks and mail servers with plain http and with loopback or private addresses. On with the embedded server.',
    false,
  ),
  trustedProxies: hops(
    'OVERTURE_TRUST_PROXY',
    'How many reverse proxies are in front of Overture. The address of a client is the one that the first of them added to `X-Forwarded-For`, counted from the right. `true` is one, `false` none.',
  ),
  metricsToken: text(
    'OVERTURE_METRICS_TOKEN',
    'Bearer token for `/metrics`. Empty: only direct requests from the machine itself are allowed, not requests through a proxy.',
  ),
  maxTokens: number('OVERTURE_MAX_TOKENS', 'API keys that a workspace may have, and personal tokens that a user may have.', 100, LIMIT),
  maxWorkspaces: number('OVERTURE_MAX_WORKSPACES', 'A user who is in this many workspaces cannot create another one.', 100, LIMIT),
  maxMailboxes: number('OVERTURE_MAX_MAILBOXES', 'Mailboxes that a workspace may have.', 1000, LIMIT),
  maxWebhooks: number('OVERTURE_MAX_WEBHOOKS', 'Webhook endpoints that a workspace may have.', 20, LIMIT),
  maxStreams: number(
    'OVERTURE_MAX_STREAMS',
    'Event streams that a token may have open at the same time, counted in each process.',
    10,
    LIMIT,
  ),
  maxReplayedEvents: number(
    'OVERTURE_MAX_REPLAYED_EVENTS',
    'Maximum number of pending deliveries for one webhook endpoint when a replay is requested, including those of the replay.',
    100_000,
    LIMIT,
  ),
  operationRetentionDays: number(
    'OVERTURE_OPERATION_RETENTION_DAYS',
    'How long finished operations are kept (at least 30). Paid exports are kept forever.',
    90,
    [30, DAYS[1]],
  ),
  eventRetentionDays: number(
    'OVERTURE_EVENT_RETENTION_DAYS',
    'How long events are kept (at least 30; 0: forever). Metrics do not change when events are deleted; see docs/privacy.md.',
    0,
    DAYS,
  ),
  sentBodyRetentionDays: number('OVERTURE_SENT_BODY_RETENTION_DAYS', 'How long the texts of sent messages are kept (0: forever).', 0, DAYS),
  replyRetentionDays: number(
    'OVERTURE_REPLY_RETENTION_DAYS',
    'How long the texts and attachments of replies, and messages that could not be read, are kept (0: forever).',
    0,
    DAYS,
  ),
  decisionRetentionDays: number(
    'OVERTURE_DECISION_RETENTION_DAYS',
    'How long the past reasons why a lead had to wait are kept (0: forever).',
    180,
    DAYS,
  ),
  sandboxRetentionDays: number('OVERTURE_SANDBOX_RETENTION_DAYS', 'How long messages of the sandbox are kept (0: forever).', 90, DAYS),
  sequenceRetentionDays: number(
    'OVERTURE_SEQUENCE_RETENTION_DAYS',
    'How long a replaced version of a sequence is kept after no lead uses it (0: forever).',
    180,
    DAYS,
  ),
  accessRetentionDays: number(
    'OVERTURE_ACCESS_RETENTION_DAYS',
    'How long tokens, sessions, invitations and consents are kept after their end (0: forever).',
    90,
    DAYS,
  ),
  demoPeople: number(
    'OVERTURE_DEMO_PEOPLE',
    'Synthetic people in the demo lead directory of the embedded server.',
    100_000,
    [0, 10_000_000],
  ),
  llmKind: choice('OVERTURE_LLM_KIND', '`anthropic` or `openai` (any compatible endpoint). Empty: only the built-in rules.', [
    'anthropic',
    'openai',
  ]),
  llmUrl: text('OVERTURE_LLM_URL', 'Base address of the language model API.'),
  llmModel: text('OVERTURE_LLM_MODEL', 'Model name.'),
  llmKey: text('OVERTURE_LLM_KEY', 'API key of the language model.'),
  llmTimeoutMs: number('OVERTURE_LLM_TIMEOUT_MS', 'After this time, only the built-in rules are used.', 15_000, [1, 3_600_000]),
  clickhouseUrl: text('OVERTURE_CLICKHOUSE_URL', 'Search leads in this ClickHouse server instead of in memory.'),
  s3Endpoint: text('OVERTURE_S3_ENDPOINT', 'Keep exports in this S3-compatible store. Empty: in PostgreSQL.'),
  s3Bucket: text('OVERTURE_S3_BUCKET', 'Bucket of the exports.'),
  s3Region: text('OVERTURE_S3_REGION', 'Region of the bucket.', 'auto'),
  s3AccessKey: text('OVERTURE_S3_ACCESS_KEY', 'Access key of the store.'),
  s3SecretKey: text('OVERTURE_S3_SECRET_KEY', 'Secret key of the store.'),
}

export type Config = { -readonly [K in keyof typeof SETTINGS]: (typeof SETTINGS)[K]['fallback'] }

export function loadConfig(env: Record<string, string | undefined>, overrides: Partial<Config> = {}): Config {
  const problems: string[] = []
  const entries = Object.entries(SETTINGS).map(([name, setting]) => {
    const text = env[setting.env]
    if (text === undefined || text === '') return [name, setting.fallback]
    if (setting.kind === 'number') {
      const { least, most } = setting
      const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
      if (!(value >= least && value <= most)) {
        problems.push(`${setting.env} must be a whole number from ${least} to ${most}, got ${JSON.stringify(text)}`)
      }
      return [name, value]
    }
    if (setting.kind === 'hops') {
      if (!/^(true|false|\d|10)$/.test(text))
        problems.push(`${setting.env} must be a number from 0 to 10, or true, got ${JSON.stringify(text)}`)
      return [name, text === 'true' ? 1 : text === 'false' ? 0 : Number(text)]
    }
    if (setting.kind === 'flag') {
      if (!/^(1|0|true|false)$/.test(text)) problems.push(`${setting.env} must be true or false, got ${JSON.stringify(text)}`)
      return [name, text === '1' || text === 'true']
    }
    if (setting.kind === 'choice') {
      const chosen = text.trim().toLowerCase()
      if (!setting.values.includes(chosen)) {
        problems.push(`${setting.env} must be one of ${setting.values.join(', ')}, got ${JSON.stringify(text)}`)
      }
      return [name, chosen]
    }
    return [name, text]
  })
  const config = { ...(Object.fromEntries(entries) as Config), ...overrides }
  if (config.baseUrl && !isBaseUrl(config.baseUrl)) {
    problems.push(`OVERTURE_BASE_URL must be a URL like https://outreach.example.com, got ${JSON.stringify(config.baseUrl)}`)
  }
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
  // A link is this URL and a path, and every path begins with a slash.
  config.baseUrl = config.baseUrl.replace(/\/+$/, '').replace(/^https?:/i, scheme => scheme.toLowerCase())
  return config
}

/** Whether a path can be put behind this URL: not behind a query, for example. */
const isBaseUrl = (text: string): boolean => /^https?:\/\/[^\s?#@\\/]+(?:\/[^\s?#\\]*)?$/i.test(text) && URL.canParse(text)

/** The language model of the installation; null when it uses only the built-in rules. */
export function languageModelOf({ llmKind, llmUrl, llmModel, llmKey, llmTimeoutMs }: Config): LlmConfig | null {
  if (llmKind !== 'anthropic' && llmKind !== 'openai') return null
  return { kind: llmKind, baseUrl: llmUrl, model: llmModel, apiKey: llmKey, timeoutMs: llmTimeoutMs }
}

/** The table of docs/reference/settings.md. */
export function describeSettings(): string {
  const rows = Object.values(SETTINGS).map(setting => `| \`${setting.env}\` | ${shown(setting.fallback)} | ${setting.about} |`)
  return ['| variable | default | what it does |', '|---|---|---|', ...rows].join('\n')
}

const shown = (fallback: string | number | boolean): string => (fallback === '' ? '' : `\`${fallback}\``)
