import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../context/context.ts'
import type { AtomicSql, Tx } from '../db/sql.ts'
import type { Cost, CostOf, Scope } from '../http/access.ts'
import type { Effect, Route } from '../http/route.ts'

interface ApprovedOperation {
  id: string
  workspaceId: string
  key: string | null
}

/** The data that the engine needs from the slices without naming them. The app composes it and passes it in. */
export interface Registry {
  actions: Actions
  /** The statement that accepts operations, see `acceptStatement`. */
  accept: AtomicSql
  /**
   * Throws if an approved request must not be carried out any more. Called in the transaction of the change, because the state that a person
   * approved may have changed while the operation was queued.
   */
  checkApproved(tx: Tx, ctx: Context, operation: ApprovedOperation & { key: string }): Promise<void>
  /** Counts the cost against the limits of the token, or refuses it. Called in the transaction that stores the operation. */
  spend(tx: Tx, tokenId: string, computeCost: () => Promise<Cost>): Promise<void>
}

const registries = (): { current?: Registry } => ({})

export function register(ctx: Pick<Context, 'part'>, registry: Registry): void {
  ctx.part(registries).current = registry
}

export function registryOf(ctx: Pick<Context, 'part'>): Registry {
  const { current } = ctx.part(registries)
  if (!current) throw new Error('this process has no registry of actions')
  return current
}

/** Only approved requests have a key that begins with this character. */
export const isApproved = <T extends { key: string | null }>(operation: T): operation is T & { key: string } =>
  operation.key?.startsWith('§') === true

/** The state that the caller has read, which an operation requires. An approved operation requires what the plan binds instead. */
export const requiredState = ({ key, input }: { key: string | null; input: { ifMatch: string } }): Date | null =>
  isApproved({ key }) ? null : new Date(input.ifMatch)

export async function checkApproval(tx: Tx, ctx: Context, operation: ApprovedOperation): Promise<void> {
  if (isApproved(operation)) await registryOf(ctx).checkApproved(tx, ctx, operation)
}

interface Facts {
  /** The scope that reads its operations. */
  scope: Scope
  cost: CostOf<never, never> | undefined
  effects: readonly Effect[]
}

/** The actions of all routes, with what their routes declare. */
export class Actions {
  readonly #facts = new Map<string, Facts>()

  constructor(routes: readonly Route[]) {
    for (const route of routes) {
      if (!route.action) continue
      const facts = factsOf(route)
      const known = this.#facts.get(route.action) ?? facts
      if (!isDeepStrictEqual(known, facts)) throw new Error(`${route.id} declares ${route.action} unlike another route`)
      this.#facts.set(route.action, facts)
    }
  }

  /** In the order of the routes. */
  get names(): string[] {
    return [...this.#facts.keys()]
  }

  /** An operation of a version that had other actions is read with the scope of operations. */
  scopeOf(action: string): Scope {
    return this.#facts.get(action)?.scope ?? 'operations:read'
  }

  having(effect: Effect): string[] {
    return this.names.filter(action => this.#facts.get(action)!.effects.includes(effect))
  }
}

function factsOf({ id, scope, operationScope, cost, effects = [] }: Route): Facts {
  const read = operationScope ?? scope
  if (read === 'public' || read === 'token') throw new Error(`${id} does not declare which scope reads its operations`)
  return { scope: read, cost, effects }
}
