import { oneOf, strict } from '../../http/schema.ts'
import { Type } from '../../lib/type.ts'
import { type Api, CampaignId, Cursor, PageSize, Refusal, type Tool, tool } from '../api.ts'

const Days = Type.Array(oneOf(['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']), { minItems: 1 })
const Schedule = strict({
  daysOfWeek: Days,
  timeWindow: strict({ start: Type.String({ description: '09:00' }), end: Type.String({ description: '17:00' }) }),
  timezone: Type.String({ description: 'Europe/Berlin' }),
})

const Steps = Type.Array(
  strict({
    delayDays: Type.Integer({ minimum: 0, description: 'Days after the previous step; 0 for the first step.' }),
    variants: Type.Array(
      strict({
        subject: Type.Optional(
          Type.Union([Type.String(), Type.Null()], { description: 'Null: continues the thread of the previous step.' }),
        ),
        body: Type.String({ description: 'Plain text with variables such as {{ firstName }} and {{ company | default: "your team" }}.' }),
        weight: Type.Optional(Type.Integer({ minimum: 1 })),
      }),
      { minItems: 1 },
    ),
  }),
  { minItems: 1 },
)

const SHOWN = ['id', 'name', 'status', 'displayStatus', 'totalLeads', 'startDate', 'endDate', 'metrics', 'updatedAt'] as const
type Shown = Record<string, unknown>
const show = (campaign: Shown): Shown => Object.fromEntries(SHOWN.map(name => [name, campaign[name]]))

interface Mailbox {
  id: string
  kind: string
  name: string
  fromEmail: string
  status: string
}

const readMailboxes = async (api: Api): Promise<Mailbox[]> => (await api.peek('providers.list', { query: { limit: 100 } })).data

function chooseMailbox(mailboxes: Mailbox[], asked: string | undefined): Mailbox | undefined {
  if (asked === undefined) return mailboxes.length === 1 ? mailboxes[0] : undefined
  const found = mailboxes.find(({ id, fromEmail, name }) => [id, fromEmail, name].includes(asked))
  if (!found) throw new Refusal('not_found', `There is no mailbox ${asked}.`, { mailboxes: mailboxes.map(({ fromEmail }) => fromEmail) })
  return found
}

export const campaignTools: Tool[] = [
  tool({
    name: 'list_campaigns',
    title: 'List campaigns',
    about: 'Lists the campaigns of the workspace with their results, newest first.',
    input: {
      status: Type.Optional(oneOf(['draft', 'active', 'paused', 'completed', 'archived', 'attention_needed'])),
      q: Type.Optional(Type.String({ description: 'Part of the name.' })),
      limit: PageSize,
      cursor: Cursor,
    },
    does: 'reads',
    own: ['name', 'nextCursor'],
    async run(api, { status, q, limit = 20, cursor }) {
      const { data, meta } = await api.call('campaigns.list', { query: { status, q, limit, cursor } })
      return { campaigns: (data as Shown[]).map(show), nextCursor: meta.pagination.nextCursor }
    },
  }),

  tool({
    name: 'draft_campaign',
    title: 'Create a draft',
    about:
      'Creates a campaign that does not send yet. Then use write_sequence, plan_change with import_leads or buy_leads, check_campaign, and ' +
      'plan_change with activate_campaign.',
    input: {
      name: Type.String({ minLength: 1, maxLength: 200 }),
      mailbox: Type.Optional(
        Type.String({ description: 'The id, name or address of the mailbox to send from. Not needed when there is only one mailbox.' }),
      ),
      schedule: Type.Optional(Schedule),
    },
    does: 'drafts',
    own: ['name'],
    async run(api, { name, mailbox, schedule }) {
      const mailboxes = await readMailboxes(api)
      const chosen = chooseMailbox(mailboxes, mailbox)
      const body = { name, ...(chosen ? { providerId: chosen.id } : {}), ...(schedule ? { schedule } : {}) }
      const { data } = await api.call('campaigns.create', { body })
      return {
        campaign: show(data),
        mailbox: chosen?.fromEmail ?? null,
        mailboxes: mailboxes.map(({ id, fromEmail, kind }) => ({ id, fromEmail, kind })),
      }
    },
  }),

  tool({
    name: 'write_sequence',
    title: 'Write the emails of a draft',
    about: 'Replaces the steps of a draft. For a campaign that has been activated, use plan_change with change_sequence.',
    input: { campaignId: CampaignId, steps: Steps },
    does: 'drafts',
    own: ['subject', 'body'],
    async run(api, { campaignId, steps }) {
      const { data: campaign } = await api.peek('campaigns.get', { params: { campaignId } })
      if (campaign.status !== 'draft') {
        throw new Refusal('plan_needed', 'This campaign is not a draft. Propose the change with plan_change and change_sequence.')
      }
      // Bound to the state that was read: a draft that was changed or activated in the meantime is not overwritten.
      await api.call('sequences.replace', { params: { campaignId }, body: { steps }, headers: { 'if-match': campaign.updatedAt } })
      const { data } = await api.call('campaigns.validate', { params: { campaignId } })
      return { written: steps.length, ready: data.ready, failureCount: data.failures.length, warningCount: data.warnings.length }
    },
  }),

  tool({
    name: 'check_campaign',
    title: 'Check whether a campaign is ready',
    about: 'Checks whether a campaign can be activated. Lists what is missing, and warnings.',
    input: { campaignId: CampaignId },
    does: 'reads',
    own: ['rule', 'message'],
    async run(api, { campaignId }) {
      const { ready, failures, warnings } = (await api.call('campaigns.validate', { params: { campaignId } })).data
      return { ready, failures, warnings }
    },
  }),

  tool({
    name: 'simulate_campaign',
    title: 'Simulate a campaign',
    about:
      'Shows how many messages a campaign would send on each day, calculated by the planner of the sender, and which limit sets the pace.',
    input: { campaignId: CampaignId, horizonDays: Type.Optional(Type.Integer({ minimum: 1, maximum: 90 })) },
    does: 'reads',
    own: ['code', 'message', 'reason', 'text', 'date'],
    async run(api, { campaignId, horizonDays }) {
      const body = horizonDays === undefined ? {} : { horizonDays }
      const { data } = await api.call('campaigns.simulate', { params: { campaignId }, body })
      const { sends, startsAt, endsAt, bindingLimit, notSent, truncated } = data
      const days = (data.days as { date: string; total: number }[]).map(({ date, total }) => ({ date, total }))
      return { sends, startsAt, endsAt, days, bindingLimit, notSent, truncated }
    },
  }),

  tool({
    name: 'explain_campaign',
    title: 'Explain what a campaign waits for',
    about:
      'Shows the messages that a campaign sends now, what the other messages wait for, what would change without a limit (ifLifted), and the request that solves the problem (fix).',
    input: { campaignId: CampaignId },
    does: 'reads',
    own: ['summary', 'reason', 'text', 'path', 'body', 'name'],
    run: async (api, { campaignId }) => (await api.call('campaigns.getSendingStatus', { params: { campaignId } })).data,
  }),

  tool({
    name: 'results',
    title: 'Results over time',
    about: 'Counts messages sent, opens, clicks, replies, interested leads, bounces and unsubscribes, by hour, day or week.',
    input: {
      campaignId: Type.Optional(CampaignId),
      interval: Type.Optional(oneOf(['hour', 'day', 'week'])),
      from: Type.Optional(Type.String({ format: 'date-time' })),
      to: Type.Optional(Type.String({ format: 'date-time' })),
      timezone: Type.Optional(Type.String()),
      groupBy: Type.Optional(oneOf(['step', 'variant', 'mailbox', 'campaign'])),
    },
    does: 'reads',
    own: ['timezone', 'key'],
    async run(api, { campaignId, ...query }) {
      const params = campaignId === undefined ? undefined : { campaignId }
      return (await api.call(campaignId ? 'campaigns.getMetricSeries' : 'metrics.getSeries', { params, query })).data
    },
  }),
]
