import type { HasLink } from '../../context/context.ts'
import { type Caller, hasScope, type Scope, seesResultOf } from '../../http/access.ts'
import { dispatch } from '../../http/dispatch.ts'
import { newestFirstReply } from '../../http/paging.ts'
import { type ApiRequest, createdReplies, ok, type Route, route, tagged } from '../../http/route.ts'
import { about, dataOf, IdResult, listOf, oneOf, PageQuery, strict } from '../../http/schema.ts'
import { compileCheck } from '../../http/validation.ts'
import { AppError, checkLimit, existing, invalid, unavailable, wrongState } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { pick } from '../../lib/pick.ts'
import { type Static, Type } from '../../lib/type.ts'
import { perform, syncRoute } from '../../operations/writes.ts'
import {
  announcePlan,
  claim,
  decide,
  fail,
  failureOf,
  hashRequest,
  isFinal,
  keyOf,
  openPlanToken,
  planTokenOf,
  requireScopes,
  type ScopesOf,
} from './plans.ts'
import { completePlan, countOpenPlans, findPlan, insertPlan, listPlans, type PlannedRequest, type PlanRow } from './queries.ts'
import { NewPlan, PLAN_STATUSES, Plan, ProposedPlan } from './schema.ts'
import { summarize } from './summary.ts'

const base = '/v1/workspaces/:workspaceId/plans'
/** More would bury what a person must look at. */
const MOST_OPEN = 100

const DECIDED = { 200: { about: 'The plan.', schema: dataOf(Plan) } }

/** The scopes of a planned request. `find` returns its route. */
export const scopesWith =
  (find: (operation: string) => Route): ScopesOf =>
  ({ operation, request }) => {
    const { scope, alsoNeeds } = find(operation)
    return [scope as Scope, ...(request === null ? [] : (alsoNeeds?.(request.body) ?? []))]
  }

/** `find` returns the route of an operation that can be planned: a plan is a request to it. */
export function planRoutes(find: (operation: string) => Route): Route[] {
  const scopesOf = scopesWith(find)

  const present = (row: PlanRow, caller: Caller, ctx: HasLink) => {
    const maySee = row.request !== null && row.status !== 'applied' && scopesOf(row).every(scope => hasScope(caller, scope))
    const request = maySee ? pick(row.request!, 'method', 'path', 'body') : null
    const recipients = scopesOf(row).every(scope => seesResultOf(caller, scope)) ? row.summary.recipients : []
    return {
      ...pick(row, 'id', 'workspaceId', 'operation', 'status', 'operationId', 'error'),
      ...pick(row, 'decidedBy', 'decidedAt', 'appliedAt', 'createdAt', 'expiresAt'),
      summary: { ...row.summary, recipients },
      request,
      proposedBy: row.tokenId,
      links: { self: ctx.link(`/v1/workspaces/${row.workspaceId}/plans/${row.id}`) },
    }
  }

  const load = async ({ ctx }: Pick<ApiRequest, 'ctx'>, workspaceId: string, id: string): Promise<PlanRow> =>
    existing(await findPlan(ctx.db, workspaceId, id), 'plan')

  /** The request as it will be carried out, checked with the schemas of its route. */
  const plannedRequest = (workspaceId: string, asked: Static<typeof NewPlan>): PlannedRequest => {
    const planned = find(asked.operation)
    const values: Record<string, string> = { ...asked.params, workspaceId }
    const path = planned.path.replace(/:(\w+)/g, (_, name: string) => {
      const value = values[name]
      if (!value) throw invalid('body', `/params/${name}`, 'required', 'is required for this request')
      return value.toLowerCase()
    })
    const body = asked.body ?? {}
    compileCheck(planned.body ?? strict({}), 'body')(body)
    planned.checkBody?.(body, null)
    if (planned.ifMatch && !asked.ifMatch) throw invalid('body', '/ifMatch', 'required', 'is required for this request')
    return { method: planned.method as PlannedRequest['method'], path, ifMatch: planned.ifMatch ? asked.ifMatch! : null, body }
  }

  const decisionRoute = (verb: 'approve' | 'reject', summary: string, about: string) =>
    syncRoute('POST', `${base}/:planId/${verb}`, {
      id: `plans.${verb}`,
      summary,
      about,
      scope: 'operations:read',
      action: `plan.${verb}`,
      cost: verb === 'approve' ? 'never' : 'free',
      result: IdResult,
      body: strict({}),
      replies: DECIDED,
      errors: ['invalid_state'],
      handle(request) {
        const { ctx, caller, params } = request
        const replay = async () => ok({ data: present(await load(request, params.workspaceId, params.planId), caller, ctx) })
        return perform(request, replay, async tx => {
          const plan = { workspaceId: params.workspaceId, id: params.planId, scopesOf }
          const decision = verb === 'approve' ? 'approved' : 'rejected'
          const row = await decide(tx, caller, plan, decision)
          announcePlan(tx, row, decision, ctx.clock.now())
          return { result: { id: row.id }, reply: ok({ data: present(row, caller, ctx) }) }
        })
      },
    })

  return tagged('Plans', [
    route('GET', base, {
      id: 'plans.list',
      summary: 'List plans',
      scope: 'operations:read',
      query: strict({ ...PageQuery, status: Type.Optional(oneOf(PLAN_STATUSES)) }),
      replies: { 200: { about: 'A page of plans, newest first.', schema: listOf(Plan) } },
      async handle(request) {
        const { ctx, params, query, caller } = request
        return newestFirstReply(
          request,
          page => listPlans(ctx.db, params.workspaceId, page, { status: query.status }),
          row => present(row, caller, ctx),
        )
      },
    }),

    syncRoute('POST', base, {
      id: 'plans.create',
      summary: 'Propose a request',
      about:
        'For agents. Nothing happens until a person approves the plan and `plans.apply` carries it out. `ifMatch` is compared now, and the approval binds what the plan depends on from then on. The plan describes the effect of the request for the ' +
        'person who decides. The token needs the scopes of the request that it proposes. The personal tokens of a user can have 100 open plans together, and so can a workspace key and the keys that it created.',
      scope: 'operations:read',
      action: 'plan.create',
      cost: 'free',
      result: IdResult,
      body: NewPlan,
      replies: createdReplies('The plan, and the token that carries it out.', dataOf(ProposedPlan)),
      errors: ['invalid_state', 'limit_exceeded'],
      async handle(request) {
        const { ctx, caller, params, body } = request
        const { workspaceId } = params
        requireScopes(caller, scopesOf({ operation: body.operation, request: null }))
        const planned = plannedRequest(workspaceId, body)
        requireScopes(caller, scopesOf({ operation: body.operation, request: planned }))
        const show = (row: PlanRow) => ({ plan: present(row, caller, ctx), planToken: planTokenOf(ctx.secrets, row) })
        const replay = async (result: unknown) => ok({ data: show(await load(request, workspaceId, (result as { id: string }).id)) })
        return perform(request, replay, async tx => {
          const asked = { workspaceId, operation: body.operation, request: planned, now: ctx.clock.now() }
          const { summary, basis, isCurrent } = await summarize(tx, asked)
          checkLimit('open plans of this token or person', MOST_OPEN, await countOpenPlans(tx, caller.tokenId))
          const changed = 'The campaign has changed since `ifMatch`. Read it again, and propose the plan for its present state.'
          if (!isCurrent) throw wrongState(changed, 'changed', 'unchanged')
          const requestHash = hashRequest(ctx.secrets, body.operation, planned)
          const ids = { id: newId(), workspaceId, tokenId: caller.tokenId }
          const plan = { ...ids, operation: body.operation, request: planned, requestHash, basis, summary }
          const row = await insertPlan(tx, plan, body.expiresInMinutes ?? 1440)
          announcePlan(tx, row, 'proposed', ctx.clock.now())
          const data = show(row)
          return { result: { id: row.id }, reply: { status: 201, body: { data }, headers: { location: data.plan.links.self } } }
        })
      },
    }),

    route('GET', `${base}/:planId`, {
      id: 'plans.get',
      summary: 'Get a plan',
      scope: 'operations:read',
      replies: DECIDED,
      async handle(request) {
        const { ctx, caller, params } = request
        return ok({ data: present(await load(request, params.workspaceId, params.planId), caller, ctx) })
      },
    }),

    decisionRoute(
      'approve',
      'Approve a plan',
      'Needs a session or a personal token of a person who could make the request themselves. The token that proposed the plan cannot approve it, nor can a token that it created.',
    ),
    decisionRoute('reject', 'Reject a plan', 'A rejected plan is never carried out, even if it was approved before.'),

    route('POST', `${base}/apply`, {
      id: 'plans.apply',
      summary: 'Carry out an approved plan',
      about:
        'Makes exactly the request that was approved, once. Only the token that proposed the plan can do so. A repeated call returns the same response. The state ' +
        'on which the plan was based is compared once more in the transaction of the change. When it has changed, or the request is refused, you need a new plan.',
      scope: 'token',
      body: strict({
        planToken: about(
          Type.String({ minLength: 1, maxLength: 500, examples: ['MDE5N2IxYzIgNGRUcTBtWGM.YjJmHxqlba16Kf03OVLbeg'] }),
          'The token that the proposal returned.',
        ),
      }),
      replies: { 200: { about: 'The plan was carried out. `operationId` names the operation.', schema: dataOf(Plan) } },
      errors: ['invalid_state'],
      async handle(request) {
        const { ctx, caller, params, body } = request
        const { workspaceId } = params
        const { id, hash } = openPlanToken(ctx.secrets, body.planToken, workspaceId, caller.tokenId)
        if (request.authorization === null) throw new AppError('forbidden', 'Only the token that proposed a plan can carry it out.')
        const { plan, error } = await ctx.db.inRequest(tx => claim(tx, ctx, { workspaceId, id, hash, scopesOf }))
        if (error) throw failureOf(error)
        if (plan.operationId === null && plan.request !== null) await carryOut(request, plan, request.authorization)
        return ok({ data: present(await load(request, workspaceId, id), caller, ctx) })
      },
    }),
  ])
}

async function carryOut({ ctx }: Pick<ApiRequest, 'ctx'>, plan: PlanRow, authorization: string): Promise<void> {
  const { method, path, body, ifMatch } = plan.request!
  const key = keyOf(plan)
  const answer = await dispatch(ctx, {
    method,
    url: path,
    approvedAs: key,
    headers: { authorization, ...(ifMatch === null ? {} : { 'if-match': ifMatch }) },
    ...(method === 'DELETE' ? {} : { body }),
  })
  if (answer.status < 400) {
    return ctx.db.inRequest(async tx => {
      const isNews = await completePlan(tx, plan.workspaceId, plan.id, key)
      if (isNews) announcePlan(tx, plan, 'applied', ctx.clock.now())
    })
  }
  const { error } = answer.body as { error: { code: string; message: string } }
  if (isFinal(answer.status)) {
    await ctx.db.inRequest(tx => fail(tx, plan, error, ctx.clock.now()))
    throw failureOf(error)
  }
  throw unavailable(`${error.message} Apply the plan again.`, 2)
}
