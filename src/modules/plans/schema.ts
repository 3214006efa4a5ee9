import { about, Count, DateTime, Links, namedObject, nullable, OperationError, oneOf, strict, Uuid } from '../../http/schema.ts'
import { type Static, Type } from '../../lib/type.ts'

export const PLAN_STATUSES = ['pending', 'approved', 'applied', 'rejected', 'failed', 'expired'] as const

/** Everything that can be proposed because it sends, spends or deletes, by the operationId of its request. */
const PLANNED_OPERATIONS = [
  'campaigns.activate',
  'campaigns.pause',
  'campaigns.resume',
  'campaigns.archive',
  'campaigns.updateSchedule',
  'campaigns.updateMailboxes',
  'campaigns.updateSettings',
  'sequences.replace',
  'sequences.sendTest',
  'leads.import',
  'leads.changeMany',
  'leads.requeue',
  'leads.update',
  'leads.delete',
  'leadSearches.export',
  'leadSearches.attach',
  'replies.answer',
  'suppressions.create',
  'suppressions.createMany',
  'suppressions.delete',
] as const
export type PlannedOperation = (typeof PLANNED_OPERATIONS)[number]

const Body = Type.Record(Type.String(), Type.Unknown())

const PlanSummary = namedObject('PlanSummary', {
  text: Type.String({ description: 'One sentence that describes what will happen.' }),
  campaignName: about(nullable(Type.String()), 'The name of the campaign, if it concerns one.'),
  from: Type.Array(Type.String(), { description: 'The addresses of the mailboxes that would send.' }),
  recipients: Type.Array(Type.String(), {
    description: 'The first 20 affected people, if the request names them. Empty for a token that could not read them.',
  }),
  leadCount: Count,
  mailCount: Type.Integer({ minimum: 0, description: 'The maximum number of emails that can follow.' }),
  creditCost: Type.Integer({ minimum: 0, description: 'The maximum number of credits that it can cost.' }),
})
export type PlanSummary = Static<typeof PlanSummary>

export const Plan = namedObject('Plan', {
  id: Uuid,
  workspaceId: Uuid,
  operation: oneOf(PLANNED_OPERATIONS),
  status: about(oneOf(PLAN_STATUSES), '`pending`: waits for a person. `approved`: can be carried out. The others have ended.'),
  summary: about(PlanSummary, 'The effect of the request, in words and numbers.'),
  request: about(
    nullable(strict({ method: oneOf(['POST', 'PUT', 'PATCH', 'DELETE']), path: Type.String(), body: Body })),
    'The exact request that will be made. Null for a token that could not make the request itself, and after the plan has ended.',
  ),
  proposedBy: about(Uuid, 'The token that proposed it.'),
  decidedBy: about(nullable(Uuid), 'The person who approved or rejected it.'),
  decidedAt: about(nullable(DateTime), 'When it was approved or rejected.'),
  appliedAt: about(nullable(DateTime), 'When it was carried out.'),
  operationId: nullable(Uuid),
  error: nullable(OperationError),
  createdAt: DateTime,
  expiresAt: DateTime,
  links: Links,
})

export const NewPlan = namedObject(
  'NewPlan',
  {
    operation: oneOf(PLANNED_OPERATIONS),
    params: Type.Optional(
      Type.Record(Type.String(), Uuid, {
        description: 'The ids in the path of the request, except workspaceId. All of them are required.',
      }),
    ),
    body: Type.Optional(Body),
    ifMatch: Type.Optional({ ...DateTime, description: 'Required for requests that need `if-match`.' }),
    expiresInMinutes: Type.Optional(
      about(Type.Integer({ minimum: 1, maximum: 10_080, default: 1440 }), 'When the plan expires. Defaults to one day.'),
    ),
  },
  { examples: [{ operation: 'campaigns.activate', params: { campaignId: '0197b1c2-4f6a-7000-8000-000000000001' } }] },
)

export const ProposedPlan = namedObject('ProposedPlan', {
  plan: about(Plan, 'The plan.'),
  planToken: nullable(
    Type.String({ description: 'The token that carries out the plan after approval. Only the token that proposed the plan can use it.' }),
  ),
})
