import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { actions, routes } from '../app/routes.ts'
import { SCOPES } from '../http/access.ts'
import type { Route } from '../http/route.ts'
import { Actions } from './registry.ts'

const paused = routes.find(route => route.action === 'campaign.pause')!

describe('an action', () => {
  it('is read with an existing scope, and an unknown action with operations:read', () => {
    for (const action of actions.names) assert.ok((SCOPES as readonly string[]).includes(actions.scopeOf(action)), action)
    assert.equal(actions.scopeOf('nothing.of_the_kind'), 'operations:read')
  })

  it('is read with the scope of its route, or with a scope that the route names', () => {
    assert.deepEqual(
      ['campaign.pause', 'lead.update', 'session.create', 'session.revoke', 'team.join'].map(action => actions.scopeOf(action)),
      ['campaigns:write', 'leads:write', 'tokens:write', 'tokens:write', 'team:write'],
    )
    for (const scope of ['public', 'token'] as const)
      assert.throws(() => new Actions([{ ...paused, scope }]), /campaigns\.pause does not declare which scope reads its operations/)
  })

  it('that spends credits is never deleted', () => {
    assert.deepEqual(actions.having('spendsCredits').sort(), ['lead_search.attach', 'lead_search.export'])
  })

  it('declares whether others must wait for it', () => {
    assert.deepEqual(actions.having('changesNothing').sort(), ['campaign.duplicate', 'lead_search.generate_filters', 'lead_search.preview'])
    assert.deepEqual(actions.having('onlyReads').sort(), ['lead_search.generate_filters', 'lead_search.preview'])
    // A completed campaign that was archived is completed again, and sends as soon as it gets leads.
    const starting = ['campaign.activate', 'campaign.resume', 'campaign.unarchive', 'campaign.update_schedule']
    assert.deepEqual(actions.having('startsSending').sort(), starting)
    for (const action of actions.having('startsSending')) assert.ok(actions.having('changesStatus').includes(action), action)
  })

  it('on several routes has the same facts, or the service does not start', () => {
    const other = { ...paused, id: 'campaigns.pauseToo' }
    assert.deepEqual(new Actions([paused, other]).names, ['campaign.pause'])
    const contradictions: Partial<Route>[] = [{ cost: 'never' }, { effects: [] }, { scope: 'leads:write' }]
    for (const contradiction of contradictions)
      assert.throws(() => new Actions([paused, { ...other, ...contradiction }]), /pauseToo declares campaign\.pause unlike another route/)
  })
})
