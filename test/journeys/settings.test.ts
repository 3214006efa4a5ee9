import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { loadConfig } from '../../src/context/config.ts'

const refuses = (env: Record<string, string>, problem: RegExp): void => assert.throws(() => loadConfig(env), problem)

describe('the settings of an installation', () => {
  it('create the same links from a public URL with and without a trailing slash', () => {
    for (const slash of ['', '/', '//']) {
      assert.equal(loadConfig({ OVERTURE_BASE_URL: `https://outreach.example.com${slash}` }).baseUrl, 'https://outreach.example.com')
    }
    assert.equal(loadConfig({ OVERTURE_BASE_URL: 'http://127.0.0.1:8080/mail/' }).baseUrl, 'http://127.0.0.1:8080/mail')
    // Cookies are secure where this begins with https.
    assert.equal(loadConfig({ OVERTURE_BASE_URL: 'HTTPS://outreach.example.com/@team' }).baseUrl, 'https://outreach.example.com/@team')
    assert.equal(loadConfig({}).baseUrl, '')
  })

  it('refuse an unusable public URL', () => {
    for (const url of [
      'outreach.example.com',
      'ftp://outreach.example.com',
      'https://outreach.example.com?x=1',
      'https://outreach.example.com/#top',
      'https://ann:secret@outreach.example.com',
      ' https://outreach.example.com',
      'https://',
      'https:///outreach.example.com',
    ]) {
      refuses({ OVERTURE_BASE_URL: url }, /OVERTURE_BASE_URL must be a URL like/)
    }
  })

  it('refuse an undocumented value, and name the documented ones', () => {
    refuses({ OVERTURE_LOG_LEVEL: 'loud' }, /OVERTURE_LOG_LEVEL must be one of trace, debug, .*, got "loud"/)
    refuses({ OVERTURE_LLM_KIND: 'none' }, /OVERTURE_LLM_KIND must be one of anthropic, openai, got "none"/)
    const model = { OVERTURE_LLM_URL: 'https://api.anthropic.com', OVERTURE_LLM_MODEL: 'a-model' }
    assert.equal(loadConfig({ OVERTURE_LLM_KIND: 'Anthropic ', ...model }).llmKind, 'anthropic')
    assert.equal(loadConfig({ OVERTURE_LLM_KIND: '' }).llmKind, '')
  })

  it('refuse an address that would fail later, say what they expect, and keep its password out of the error', () => {
    for (const [env, wrong, right] of [
      ['DATABASE_URL', ['mysql://ann:secret@db/overture', 'db.example.com', 'postgres://ann:sec#ret@db/overture'], []],
      ['HOST', ['http://0.0.0.0', '[::]', 'my host'], ['::', '0.0.0.0', 'localhost']],
      [
        'OVERTURE_OWN_HOSTS',
        ['https://app.example.com', 'app.example.com.', 'a.example,,b.example'],
        ['app.example.com, api.example.com:8443'],
      ],
      [
        'OVERTURE_DNS_SERVERS',
        ['dns.example.com', '192.0.2.1,', '2001:db8::1]:53'],
        ['192.0.2.1', '192.0.2.1:53,[2001:db8::1]:53,::1,[::1]'],
      ],
      ['OVERTURE_CLICKHOUSE_URL', ['clickhouse:8123', 'tcp://ann:secret@clickhouse:9000'], ['https://ann:secret@clickhouse:8443/?x=1']],
      ['OVERTURE_S3_ENDPOINT', ['s3.example.com', 's3://bucket', 'https://ann:secret@s3.example.com'], []],
      ['OVERTURE_LLM_URL', ['api.anthropic.com', 'https://'], ['http://127.0.0.1:11434/v1']],
      ['OVERTURE_GOOGLE_ISSUER_URL', ['issuer.example.com'], ['https://issuer.example.com/realms/a']],
      ['OVERTURE_MICROSOFT_ISSUER_URL', ['issuer.example.com'], ['https://issuer.example.com/']],
    ] as const) {
      for (const value of wrong) {
        refuses({ [env]: value }, new RegExp(`\\n  ${env} must be an? .*like `))
        refuses({ [env]: value }, /^(?!.*sec#?ret@)/s)
      }
      for (const value of right) loadConfig({ [env]: value })
    }
    const OVERTURE_SECRET_KEY = Buffer.alloc(32).toString('base64')
    for (const url of ['postgres://ann@/overture?host=/run/postgresql', 'postgresql:///overture', 'socket:/run/postgresql?db=overture']) {
      assert.equal(loadConfig({ DATABASE_URL: url, OVERTURE_SECRET_KEY }).databaseUrl, url)
    }
  })

  it('refuse one that does nothing without others, and name those', () => {
    refuses({ OVERTURE_LLM_KIND: 'openai', OVERTURE_LLM_URL: 'http://127.0.0.1:1' }, /OVERTURE_LLM_KIND also needs OVERTURE_LLM_MODEL$/)
    const missing = /OVERTURE_S3_ENDPOINT also needs OVERTURE_S3_BUCKET, OVERTURE_S3_ACCESS_KEY, OVERTURE_S3_SECRET_KEY$/
    refuses({ OVERTURE_S3_ENDPOINT: 'https://s3.example.com' }, missing)
  })

  it('refuse a number out of range, and name the range', () => {
    for (const [env, value, range] of [
      ['PORT', '65536', '0 to 65535'],
      ['OVERTURE_POOL_SIZE', '0', '1 to 1000'],
      ['OVERTURE_RATE_LIMIT', '0', '1 to 1000000000'],
      ['OVERTURE_STOP_GRACE_SECONDS', '1000000000', '0 to 3600'],
      ['OVERTURE_OPERATION_RETENTION_DAYS', '29', '30 to 2000000'],
      ['OVERTURE_EVENT_RETENTION_DAYS', '1000000000', '0 to 2000000'],
      ['OVERTURE_LLM_TIMEOUT_MS', '0', '1 to 3600000'],
      ...['-1', '1.5', '1e9', ' 5', 'many', '9'.repeat(400)].map(text => ['OVERTURE_RATE_LIMIT', text, '1 to 1000000000'] as const),
    ] as const) {
      refuses({ [env]: value }, new RegExp(`${env} must be a whole number from ${range}, got "${value}"`))
    }
  })

  it('accept the least and the greatest number, and use the default for an empty text', () => {
    assert.equal(loadConfig({ PORT: '65535' }).port, 65_535)
    assert.equal(loadConfig({ OVERTURE_RATE_LIMIT: '1' }).rateLimitPerMinute, 1)
    assert.equal(loadConfig({ OVERTURE_RATE_LIMIT: '' }).rateLimitPerMinute, 6000)
    assert.equal(loadConfig({ OVERTURE_MAX_WEBHOOKS: '0' }).maxWebhooks, 0)
  })

  it('allow local targets with the embedded server, unless they are turned off', () => {
    const elsewhere = { DATABASE_URL: 'postgres://db.example/overture', OVERTURE_SECRET_KEY: Buffer.alloc(32).toString('base64') }
    const allows = (env: Record<string, string>): boolean => loadConfig(env).allowLocalTargets
    assert.deepEqual([allows({}), allows({ OVERTURE_ALLOW_LOCAL_TARGETS: 'false' })], [true, false])
    assert.deepEqual([allows(elsewhere), allows({ ...elsewhere, OVERTURE_ALLOW_LOCAL_TARGETS: 'true' })], [false, true])
  })
})
