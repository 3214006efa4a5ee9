import { Resolver } from 'node:dns'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import type { LlmConfig } from '../lib/llm.ts'
import descriptions from './settings.data.json' with { type: 'json' }

/** A variable of the environment that has a description. */
type Env = keyof typeof descriptions
/** `read` returns undefined for a text that is not what is wanted. */
const setting = <T>(env: Env, fallback: T, wanted: string, read: (given: string) => T | undefined) => ({ env, fallback, wanted, read })
const text = (env: Env, fallback = '') => setting(env, fallback, '', given => given)
const number = (env: Env, fallback: number, [least, most]: readonly [least: number, most: number]) => {
  const read = (given: string) => (/^\d+$/.test(given) && +given >= least && +given <= most ? +given : undefined)
  return setting(env, fallback, `a whole number from ${least} to ${most}`, read)
}
const FLAGS = new Map(Object.entries({ 1: true, 0: false, true: true, false: false }))
const flag = (env: Env, fallback: boolean) => setting(env, fallback, 'true or false', given => FLAGS.get(given))
const readHops = (given: string) => (/^(?:true|false|\d|10)$/.test(given) ? Number(FLAGS.get(given) ?? given) : undefined)
/** A number of proxies, or `true` for one. */
const hops = (env: Env) => setting<number>(env, 0, 'a number from 0 to 10, or true', readHops)
const choice = (env: Env, values: readonly string[], fallback = '') =>
  setting(env, fallback, `one of ${values.join(', ')}`, given => values.find(value => value === given.trim().toLowerCase()))
type Check = (given: string) => boolean
/** A text of a certain form. Errors do not repeat it, because it may contain a password. */
const form = (env: Env, isRight: Check, wanted: string, fallback = '') => ({
  ...setting<string>(env, fallback, wanted, given => (isRight(given) ? given : undefined)),
  isSecret: true,
})
const base = (env: Env, example: string) => form(env, isBaseUrl, `a URL like ${example}`)
const secret = (env: Env) => form(env, given => Buffer.from(given, 'base64').length === 32, '32 bytes in base64')

/** A larger number of days would reach back before the first day that PostgreSQL knows. */
const DAYS = [0, 2_000_000] as const
/** Zero forbids. */
const LIMIT = [0, 1_000_000_000] as const
/** Zero would make the service useless. */
const SOME = [1, 1_000_000_000] as const

/** Whether a path can be added to this URL: not after a query, for example. */
const isBaseUrl: Check = given => /^https?:\/\/[^\s?#@\\/]+(?:\/[^\s?#\\]*)?$/i.test(given) && URL.canParse(given)
const isHttp: Check = given => /^https?:\/\//i.test(given) && URL.canParse(given)
/** Also a socket, and a URL that has its host in the query: `postgres://user@/overture?host=/run/postgresql`. */
const isPostgres: Check = given =>
  /^(?:\/|socket:)/.test(given) || (/^postgres(?:ql)?:\/\//i.test(given) && URL.canParse(given.replace('@/', '@socket/')))
const isHostName: Check = given => /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/i.test(given)
const areHosts: Check = given => given.split(',').every(each => isHostName(each.trim().replace(/:\d{1,5}$/, '')))
const areNameServers: Check = given => {
  try {
    new Resolver().setServers(given.split(','))
    return true
  } catch {
    return false
  }
}

/** All settings. Only `loadConfig` reads the environment. docs/reference/settings.md is printed from this list and the descriptions. */
const SETTINGS = {
  databaseUrl: form('DATABASE_URL', isPostgres, 'a URL like postgres://user:password@db.example.com/overture (in a password, # is %23)'),
  dir: text('OVERTURE_DIR', '.overture'),
  host: form('HOST', given => isIP(given) !== 0 || isHostName(given), 'an address or a host name, like 0.0.0.0', '127.0.0.1'),
  port: number('PORT', 8080, [0, 65_535]),
  baseUrl: base('OVERTURE_BASE_URL', 'https://outreach.example.com'),
  secretKey: secret('OVERTURE_SECRET_KEY'),
  previousSecretKey: secret('OVERTURE_PREVIOUS_SECRET_KEY'),
  migrate: flag('OVERTURE_MIGRATE', false),
  logLevel: choice('OVERTURE_LOG_LEVEL', ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'info'),
  poolSize: number('OVERTURE_POOL_SIZE', 10, [1, 1000]),
  maxOpenOperations: number('OVERTURE_MAX_OPEN_OPERATIONS', 1000, SOME),
  ownHosts: form('OVERTURE_OWN_HOSTS', areHosts, 'a list of host names, like app.example.com,api.example.com'),
  dnsServers: form('OVERTURE_DNS_SERVERS', areNameServers, 'a list of IP addresses, like 192.0.2.1,[2001:db8::1]:53'),
  sendsMail: flag('OVERTURE_SENDING', true),
  stopGraceSeconds: number('OVERTURE_STOP_GRACE_SECONDS', 3, [0, 3600]),
  googleClientId: text('OVERTURE_GOOGLE_CLIENT_ID'),
  googleClientSecret: text('OVERTURE_GOOGLE_CLIENT_SECRET'),
  googleIssuerUrl: base('OVERTURE_GOOGLE_ISSUER_URL', 'https://issuer.example.com'),
  microsoftClientId: text('OVERTURE_MICROSOFT_CLIENT_ID'),
  microsoftClientSecret: text('OVERTURE_MICROSOFT_CLIENT_SECRET'),
  microsoftTenant: text('OVERTURE_MICROSOFT_TENANT', 'common'),
  microsoftIssuerUrl: base('OVERTURE_MICROSOFT_ISSUER_URL', 'https://issuer.example.com'),
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
  llmUrl: base('OVERTURE_LLM_URL', 'https://api.anthropic.com'),
  llmModel: text('OVERTURE_LLM_MODEL'),
  llmKey: text('OVERTURE_LLM_KEY'),
  llmTimeoutMs: number('OVERTURE_LLM_TIMEOUT_MS', 15_000, [1, 3_600_000]),
  clickhouseUrl: form('OVERTURE_CLICKHOUSE_URL', isHttp, 'a URL like https://user:password@clickhouse.example.com:8443'),
  s3Endpoint: base('OVERTURE_S3_ENDPOINT', 'https://s3.eu-central-1.amazonaws.com'),
  s3Bucket: text('OVERTURE_S3_BUCKET'),
  s3Region: text('OVERTURE_S3_REGION', 'auto'),
  s3AccessKey: text('OVERTURE_S3_ACCESS_KEY'),
  s3SecretKey: text('OVERTURE_S3_SECRET_KEY'),
}

/** The first of them does nothing without the others. */
const TOGETHER = [
  ['llmKind', 'llmUrl', 'llmModel'],
  ['s3Endpoint', 's3Bucket', 's3AccessKey', 's3SecretKey'],
] as const

export type Config = { -readonly [K in keyof typeof SETTINGS]: (typeof SETTINGS)[K]['fallback'] }

export function loadConfig(env: Record<string, string | undefined>, overrides: Partial<Config> = {}): Config {
  const problems: string[] = []
  const entries = Object.entries(SETTINGS).map(([name, setting]) => {
    const given = env[setting.env]
    if (given === undefined || given === '') return [name, setting.fallback]
    const value = setting.read(given)
    const shownAs = 'isSecret' in setting ? '' : `, got ${JSON.stringify(given)}`
    if (value === undefined) problems.push(`${setting.env} must be ${setting.wanted}${shownAs}`)
    return [name, value]
  })
  const config = { ...(Object.fromEntries(entries) as Config), ...overrides }
  // With the embedded server, webhooks and mail servers are usually on the same machine.
  if (!config.databaseUrl && !env.OVERTURE_ALLOW_LOCAL_TARGETS) config.allowLocalTargets = overrides.allowLocalTargets ?? true
  if (config.eventRetentionDays > 0 && config.eventRetentionDays < 30) {
    problems.push('OVERTURE_EVENT_RETENTION_DAYS must be at least 30, or 0 to keep events forever')
  }
  if (config.databaseUrl && !config.secretKey) {
    problems.push('OVERTURE_SECRET_KEY is required with DATABASE_URL; create one with: openssl rand -base64 32')
  }
  for (const [name, ...needed] of TOGETHER) {
    const missing = needed.filter(other => config[name] && !config[other]).map(other => SETTINGS[other].env)
    if (missing.length > 0) problems.push(`${SETTINGS[name].env} also needs ${missing.join(', ')}`)
  }
  if (problems.length > 0) throw new Error(`The configuration is invalid:\n  ${problems.join('\n  ')}`)
  config.dir = resolve(config.dir)
  // A link is this URL and a path, and every path begins with a slash.
  config.baseUrl = config.baseUrl.replace(/\/+$/, '').replace(/^https?:/i, scheme => scheme.toLowerCase())
  return config
}

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
