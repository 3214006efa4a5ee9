import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AppError } from '../../lib/errors.ts'
import { checkProvider, measureToday, serversToWithhold } from './mailboxes.ts'
import type { ProviderRow } from './queries.ts'
import type { NewProvider } from './schema.ts'

const SMTP = { host: 'smtp.sender.example', port: 465, secure: true }
const IMAP = { host: 'imap.sender.example', port: 993, secure: true }
const NEW: NewProvider = {
  kind: 'smtp',
  name: 'Ada',
  fromEmail: 'ada@sender.example',
  settings: { smtp: SMTP },
  credentials: { username: 'ada', password: 'secret' },
}
const placeRefused = (input: NewProvider): string | null => {
  try {
    checkProvider(input)
  } catch (error) {
    assert.ok(error instanceof AppError)
    return (error.details as { issues: { path: string }[] }).issues[0]!.path
  }
  return null
}

describe('a new mailbox', () => {
  it('needs an SMTP server and one sign-in method', () => {
    const { settings: _, ...serverless } = NEW
    const { credentials: __, ...unsigned } = NEW
    assert.equal(placeRefused(NEW), null)
    assert.equal(placeRefused(serverless), '/settings/smtp')
    assert.equal(placeRefused(unsigned), '/credentials')
    assert.equal(placeRefused({ ...NEW, credentials: { username: 'ada' } }), '/credentials')
  })

  it('of the kind sandbox has neither', () => {
    const sandbox: NewProvider = { kind: 'sandbox', name: 'Sandbox', fromEmail: 'ada@sender.example' }
    assert.equal(placeRefused(sandbox), null)
    assert.equal(placeRefused({ ...sandbox, settings: { smtp: SMTP } }), '/settings')
    assert.equal(placeRefused({ ...sandbox, credentials: { username: 'ada', password: 'secret' } }), '/settings')
  })

  it('is refused with an unknown time zone', () => {
    assert.equal(placeRefused({ ...NEW, timezone: 'Europe/Atlantis' }), '/timezone')
  })
})

describe('the stored password of a mailbox', () => {
  const current = { settings: { smtp: SMTP, imap: IMAP }, credentialsWithheld: [] }

  it('is used for the servers that it was entered for, in any spelling', () => {
    assert.deepEqual(serversToWithhold(current, { smtp: { ...SMTP, host: 'SMTP.Sender.Example' }, imap: IMAP }), [])
  })

  it('is not used for a new server, or for another host, port or encryption', () => {
    for (const other of [
      { host: 'smtp.other.example' },
      { port: 587 },
      { secure: false },
      { allowPlaintext: true },
      { tls: { ca: 'x' } },
    ]) {
      assert.deepEqual(serversToWithhold(current, { smtp: { ...SMTP, ...other }, imap: IMAP }), ['smtp'], JSON.stringify(other))
    }
    assert.deepEqual(serversToWithhold({ ...current, settings: { smtp: SMTP } }, { smtp: SMTP, imap: IMAP }), ['imap'])
  })

  it('stays unused for a server until it is entered again', () => {
    assert.deepEqual(serversToWithhold({ ...current, credentialsWithheld: ['smtp'] }, { smtp: SMTP, imap: IMAP }), ['smtp'])
  })
})

describe('the load of a mailbox', () => {
  it('counts by the days of its time zone', () => {
    const row = {
      id: 'm',
      timezone: 'America/New_York',
      dailyCap: 40,
      ramp: null,
      minGapSeconds: 60,
      maxPerDomainPerHour: null,
      connectedAt: new Date('2026-01-01T00:00:00Z'),
      loadDay: '2026-03-10',
      loadReserved: 7,
      nextSlotAt: null,
    } as unknown as ProviderRow
    assert.deepEqual(measureToday(row, new Date('2026-03-11T03:00:00Z')), { sentToday: 7, limitToday: 40 })
    assert.deepEqual(measureToday(row, new Date('2026-03-11T05:00:00Z')), { sentToday: 0, limitToday: 40 })
  })
})
