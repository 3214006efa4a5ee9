import { resolve } from 'node:path'
import type { LlmConfig } from '../lib/llm.ts'
import descriptions from './settings.data.json' with { type: 'json' }

/** A variable of the environment that has a description. */
type Env = keyof typeof descriptions
const text = (env: Env, fallback = '') => ({ kind: 'text', env, fallback }) as const
const number = (env: Env, fallback: number, [least, most]: readonly [least: number, most: number]) =>
  ({ kind: 'number', env, fallback, least, most }) as const
const flag = (env: Env, fallback: boolean) => ({ kind: 'flag', env, fallback }) as const
/** A number of proxies, or `true` for one. */
const hops = (env: Env) => ({ kind: 'hops', env, fallback: 0 as number }) as const
const choice = (env: Env, values: readonly string[], fallback = '') => ({ kind: 'choice', env, values, fallback }) as const

/** A larger number of days would reach back before the first day that PostgreSQL knows. */
const DAYS = [0, 2_000_000] as const
/** Zero forbids. */
const LIMIT = [0, 1_000_000_000] as const
/** Zero would make the service useless. */
const SOME = [1, 1_000_000_000] as const

/** All settings. Only `loadConfig` reads the environment. docs/reference/settings.md is printed from this list and the descriptions. */
const SETTINGS = {
  databaseUrl: text('DATABASE_URL'),
  dir: text('OVERTURE_DIR', '.overture'),
  host: text('HOST', '127.0.0.1'),
  port: number('PORT', 8080, [0, 65_535]),
  baseUrl: text('OVERTURE_BASE_URL'),
  secretKey: text('OVERTURE_SECRET_KEY'),
  previousSecretKey: text('OVERTURE_PREVIOUS_SECRET_KEY'),
  migrate: flag('OVERTURE_MIGRATE', false),
  logLevel: choice('OVERTURE_LOG_LEVEL', ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'info'),
  poolSize: number('OVERTURE_POOL_SIZE', 10, [1, 1000]),
  maxOpenOperations: number('OVERTURE_MAX_OPEN_OPERATIONS', 1000, SOME),
  ownHosts: text('OVERTURE_OWN_HOSTS'),
  dnsServers: text('OVERTURE_DNS_SERVERS'),
  sendsMail: flag('OVERTURE_SENDING', true),
  stopGraceSeconds: number('OVERTURE_STOP_GRACE_SECONDS', 3, [0, 3600]),
  googleClientId: text('OVERTURE_GOOGLE_CLIENT_ID'),
  googleClientSecret: text('OVERTURE_GOOGLE_CLIENT_SECRET'),
  googleIssuerUrl: text('OVERTURE_GOOGLE_ISSUER_URL'),
  microsoftClientId: text('OVERTURE_MICROSOFT_CLIENT_ID'),
  microsoftClientSecret: text('OVERTURE_MICROSOFT_CLIENT_SECRET'),
  microsoftTenant: text('OVERTURE_MICROSOFT_TENANT', 'common'),
  microsoftIssuerUrl: text('OVERTURE_MICROSOFT_ISSUER_URL'),
  rateLimitPerMinute: number('OVERTURE_RATE_LIMIT', 6000, SOME),
  bodyMemoryMb: number('OVERTURE_BODY_MEMORY_MB', 96, [1, 1_000_000]),
  allowLocalTargets: flag('OVERTURE_ALLOW_LOCAL_TARGETS', false),
  trustedProxies: hops('OVERTURE_TRUST_PROXY'),
  metricsToken: text('OVERTURE_METRICS_TOKEN'),
  maxTokens: number('OVERTURE_MAX_TOKENS', 100, LIMIT),
  maxWorkspaces: number('OVERTURE_MAX_WORKSPACES', 100, LIMIT),
  maxMailboxes: number('OVERTURE_MAX_MAILBOXES', 1000, LIMIT),
  maxWebhooks: number('OVERTURE_MAX_WEBHOOKS', 20, LIMIT),
  maxStreams: number('OVERTURE_MAX_STREAMS', 10, LIMIT),
  maxReplayedEvents: number('OVERTURE_MAX_REPLAYED_EVENTS', 100_000, LIMIT),
  operationRetentionDays: number('OVERTURE_OPERATION_RETENTION_DAYS', 90, [30, DAYS[1]]),
  eventRetentionDays: number('OVERTURE_EVENT_RETENTION_DAYS', 0, DAYS),
  sentBodyRetentionDays: number('OVERTURE_SENT_BODY_RETENTION_DAYS', 0, DAYS),
  replyRetentionDays: number('OVERTURE_REPLY_RETENTION_DAYS', 0, DAYS),
  decisionRetentionDays: number('OVERTURE_DECISION_RETENTION_DAYS', 180, DAYS),
  sandboxRetentionDays: number('OVERTURE_SANDBOX_RETENTION_DAYS', 90, DAYS),
  sequenceRetentionDays: number('OVERTURE_SEQUENCE_RETENTION_DAYS', 180, DAYS),
  accessRetentionDays: number('OVERTURE_ACCESS_RETENTION_DAYS', 90, DAYS),
  demoPeople: number('OVERTURE_DEMO_PEOPLE', 50_000, [0, 10_000_000]),
  llmKind: choice('OVERTURE_LLM_KIND', ['anthropic', 'openai']),
  llmUrl: text('OVERTURE_LLM_URL'),
  llmModel: text('OVERTURE_LLM_MODEL'),
  llmKey: text('OVERTURE_LLM_KEY'),
  llmTimeoutMs: number('OVERTURE_LLM_TIMEOUT_MS', 15_000, [1, 3_600_000]),
  clickhouseUrl: text('OVERTURE_CLICKHOUSE_URL'),
  s3Endpoint: text('OVERTURE_S3_ENDPOINT'),
  s3Bucket: text('OVERTURE_S3_BUCKET'),
  s3Region: text('OVERTURE_S3_REGION', 'auto'),
  s3AccessKey: text('OVERTURE_S3_ACCESS_KEY'),
  s3SecretKey: text('OVERTURE_S3_SECRET_KEY'),
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
  // With the embedded server, webhooks and mail servers are usually on the same machine.
  if (!config.databaseUrl && !env.OVERTURE_ALLOW_LOCAL_TARGETS) config.allowLocalTargets = overrides.allowLocalTargets ?? true
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

/** Whether a path can be added to this URL: not after a query, for example. */
const isBaseUrl = (text: string): boolean => /^https?:\/\/[^\s?#@\\/]+(?:\/[^\s?#\\]*)?$/i.test(text) && URL.canParse(text)

/** The language model of the installation; null when it uses only the built-in rules. */
export function languageModelOf({ llmKind, llmUrl, llmModel, llmKey, llmTimeoutMs }: Config): LlmConfig | null {
  if (llmKind !== 'anthropic' && llmKind !== 'openai') return null
  return { kind: llmKind, baseUrl: llmUrl, model: llmModel, apiKey: llmKey, timeoutMs: llmTimeoutMs }
}

/** The table of docs/reference/settings.md. */
export function describeSettings(): string {
  const rows = Object.values(SETTINGS).map(setting => `| \`${setting.env}\` | ${shown(setting.fallback)} | ${descriptions[setting.env]} |`)
  return ['| variable | default | what it does |', '|---|---|---|', ...rows].join('\n')
}

const shown = (fallback: string | number | boolean): string => (fallback === '' ? '' : `\`${fallback}\``)
