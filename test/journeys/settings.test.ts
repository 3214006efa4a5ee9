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
    assert.equal(loadConfig({ OVERTURE_LLM_KIND: 'Anthropic ' }).llmKind, 'anthropic')
    assert.equal(loadConfig({ OVERTURE_LLM_KIND: '' }).llmKind, '')
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
