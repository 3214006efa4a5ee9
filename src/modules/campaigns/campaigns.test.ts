import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { AppError } from '../../lib/errors.ts'
import { hasEnded, TRANSITIONS } from './campaigns.ts'
import { applyPatch, checkPatch } from './configuration.ts'
import type { Configuration } from './queries.ts'
import type { CampaignPatch } from './schema.ts'

const CURRENT = {
  name: 'Spring',
  providerId: null,
  startDate: null,
  endDate: null,
  daysOfWeek: ['monday'],
  windowStart: '09:00',
  windowEnd: '17:00',
  timezone: 'Europe/Berlin',
} as unknown as Configuration

const ruleBrokenBy = (patch: CampaignPatch): unknown => {
  try {
    checkPatch(patch)
  } catch (error) {
    assert.ok(error instanceof AppError)
    return (error.details as { issues: { rule: string }[] }).issues[0]!.rule
  }
  return null
}

const instant = fc.date({ min: new Date('2026-01-01'), max: new Date('2027-01-01'), noInvalidDate: true }).map(at => at.toISOString())
const patches: fc.Arbitrary<CampaignPatch> = fc.record(
  { name: fc.constantFrom('Spring', ' Autumn '), startDate: fc.option(instant) },
  { requiredKeys: [] },
)

describe('a patch of a campaign', () => {
  it('without fields changes nothing', () => {
    assert.deepEqual(applyPatch(CURRENT, {}), CURRENT)
  })

  it('applied twice is applied once', () => {
    fc.assert(
      fc.property(patches, patch => {
        const once = applyPatch(CURRENT, patch)
        assert.deepEqual(applyPatch(once, patch), once)
      }),
    )
  })

  it('leaves omitted fields unchanged', () => {
    const changed = applyPatch(CURRENT, { name: ' Autumn ' })
    assert.deepEqual(changed, { ...CURRENT, name: 'Autumn' })
  })

  it('returns ids as they are stored', () => {
    const id = '0190AAAA-0000-7000-8000-00000000000F'
    const changed = applyPatch(CURRENT, { providerId: id, rotationProviderIds: [id] })
    assert.deepEqual([changed.providerId, changed.rotationProviderIds], [id.toLowerCase(), [id.toLowerCase()]])
  })

  it('is refused with a blank name, half a window, or a window that ends before it starts', () => {
    assert.equal(ruleBrokenBy({ name: '   ' }), 'length')
    assert.equal(ruleBrokenBy({ schedule: { timezone: 'UTC' } }), 'window_incomplete')
    const timeWindow = { start: '17:00', end: '09:00' }
    assert.equal(ruleBrokenBy({ schedule: { daysOfWeek: ['monday'], timeWindow, timezone: 'UTC' } }), 'order')
    assert.equal(ruleBrokenBy({ name: 'Autumn' }), null)
  })

  it('may contain a date in two places only if both are the same instant', () => {
    const startDate = '2026-03-01T00:00:00Z'
    assert.equal(ruleBrokenBy({ startDate, schedule: { startDate: '2026-03-01T01:00:00+01:00' } }), null)
    assert.equal(ruleBrokenBy({ startDate, schedule: { startDate: '2026-03-02T00:00:00Z' } }), 'contradiction')
  })
})

describe('the states of a campaign', () => {
  it('leave the archive only by unarchiving, and activate only a draft', () => {
    const leaving = Object.entries(TRANSITIONS).filter(([, { from }]) => (from as readonly string[]).includes('archived'))
    assert.deepEqual(
      leaving.map(([name]) => name),
      ['unarchive'],
    )
    assert.deepEqual(TRANSITIONS.activate.from, ['draft'])
  })

  it('never lead from a state to itself', () => {
    for (const { from, to } of Object.values(TRANSITIONS))
      assert.deepEqual(
        (from as readonly string[]).filter(status => (to as readonly string[]).includes(status)),
        [],
      )
  })

  it('a campaign has ended at its end date, not before, and never without one', () => {
    const endDate = new Date('2026-05-01T00:00:00Z')
    assert.equal(hasEnded({ endDate }, new Date(endDate.getTime() - 1)), false)
    assert.equal(hasEnded({ endDate }, endDate), true)
    assert.equal(hasEnded({ endDate: null }, endDate), false)
  })
})
