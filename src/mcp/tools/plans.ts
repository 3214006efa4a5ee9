import { oneOf } from '../../http/schema.ts'
import { Type } from '../../lib/type.ts'
import { type Api, Refusal, type Tool, tool } from '../api.ts'

/** The changes that can be proposed: the request of each, and the ids that it needs. */
const CHANGES: Record<string, { operation: string; needs: readonly string[]; ifMatch?: true }> = {
  activate_campaign: { operation: 'campaigns.activate', needs: ['campaignId'] },
  pause_campaign: { operation: 'campaigns.pause', needs: ['campaignId'] },
  resume_campaign: { operation: 'campaigns.resume', needs: ['campaignId'] },
  archive_campaign: { operation: 'campaigns.archive', needs: ['campaignId'] },
  change_schedule: { operation: 'campaigns.updateSchedule', needs: ['campaignId'], ifMatch: true },
  change_mailboxes: { operation: 'campaigns.updateMailboxes', needs: ['campaignId'], ifMatch: true },
  change_settings: { operation: 'campaigns.updateSettings', needs: ['campaignId'], ifMatch: true },
  change_sequence: { operation: 'sequences.replace', needs: ['campaignId'], ifMatch: true },
  send_test: { operation: 'sequences.sendTest', needs: ['campaignId'] },
  import_leads: { operation: 'leads.import', needs: ['campaignId'] },
  change_leads: { operation: 'leads.changeMany', needs: ['campaignId'] },
  requeue_lead: { operation: 'leads.requeue', needs: ['campaignId', 'leadId'] },
  update_lead: { operation: 'leads.update', needs: ['campaignId', 'leadId'] },
  delete_lead: { operation: 'leads.delete', needs: ['campaignId', 'leadId'] },
  buy_leads: { operation: 'leadSearches.attach', needs: ['campaignId'] },
  export_leads: { operation: 'leadSearches.export', needs: [] },
  answer_reply: { operation: 'replies.answer', needs: ['replyId'] },
  suppress: { operation: 'suppressions.createMany', needs: [] },
  unsuppress: { operation: 'suppressions.delete', needs: ['suppressionId'] },
}

const Id = Type.Optional(Type.String({ format: 'uuid' }))
const OWN = ['text', 'campaignName', 'planToken', 'path', 'message']

export const planTools: Tool[] = [
  tool({
    name: 'plan_change',
    title: 'Propose a change that sends, spends or deletes',
    about:
      'Returns a plan (action, people, counts, cost) and a planToken. Nothing happens until a person approves the plan; then call apply_plan. ' +
      '`body` is that of the request in /openapi.json: {"leads": [...]} to import_leads, {"filters", "leadCount"} to buy_leads, {"text"} to ' +
      'answer_reply, {"suppressions": [{"value"}]} to suppress, {"steps"} to change_sequence.',
    input: {
      change: oneOf(Object.keys(CHANGES)),
      campaignId: Id,
      leadId: Id,
      replyId: Id,
      suppressionId: Id,
      body: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
      expiresInMinutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_080 })),
    },
    does: 'plans',
    own: OWN,
    async run(api, { change, body, expiresInMinutes, ...ids }) {
      const { operation, needs, ifMatch } = CHANGES[change]!
      const params = Object.fromEntries(needs.map(name => [name, idOf(ids, name)]))
      const asked = { operation, params, ...(body ? { body } : {}), ...(expiresInMinutes ? { expiresInMinutes } : {}) }
      const read = ifMatch ? { ifMatch: await readUpdatedAt(api, params.campaignId!) } : {}
      const { plan, planToken } = (await api.call('plans.create', { body: { ...asked, ...read } })).data
      const { request: _, ...shown } = plan
      return { plan: shown, planToken, say: 'A person has to approve this plan before apply_plan can carry it out.' }
    },
  }),

  tool({
    name: 'apply_plan',
    title: 'Carry out an approved plan',
    about: 'Carries out the plan that a person has approved, once. Fails when the plan is not approved yet, was rejected or has expired.',
    input: { planToken: Type.String({ minLength: 1, maxLength: 500 }) },
    does: 'applies',
    own: OWN,
    async run(api, { planToken }) {
      const { request: _, ...plan } = (await api.call('plans.apply', { body: { planToken } })).data
      return { plan }
    },
  }),
]

function idOf(ids: Record<string, string | undefined>, name: string): string {
  const id = ids[name]
  if (!id) throw new Refusal('validation_failed', `This change needs ${name}.`)
  return id
}

const readUpdatedAt = async (api: Api, campaignId: string): Promise<string> =>
  (await api.peek('campaigns.get', { params: { campaignId } })).data.updatedAt
