import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkBulk } from './bulk.ts'
import type { LeadBulk } from './schema.ts'

const ids = ['01890000-0000-7000-8000-000000000001']
const refuses = (bulk: unknown, path: string): void =>
  assert.throws(
    () => checkBulk(bulk as LeadBulk),
    (error: { details: { issues: { path: string }[] } }) => error.details.issues[0]!.path === path,
  )

describe('a change of many leads', () => {
  it('selects leads either by ids or by a filter', () => {
    refuses({ action: 'delete' }, '/ids')
    refuses({ action: 'delete', ids, filter: {} }, '/ids')
    checkBulk({ action: 'delete', ids } as LeadBulk)
    checkBulk({ action: 'delete', filter: {} } as LeadBulk)
  })

  it('has a status only for set_status', () => {
    refuses({ action: 'set_status', ids }, '/status')
    refuses({ action: 'requeue', ids, status: 'interested' }, '/status')
    checkBulk({ action: 'set_status', ids, status: 'interested' } as LeadBulk)
  })

  it('has a target only for move', () => {
    refuses({ action: 'move', ids }, '/targetCampaignId')
    refuses({ action: 'delete', ids, targetCampaignId: ids[0] }, '/targetCampaignId')
  })
})
