import { statusOfCampaign } from '../modules/campaigns/queries.ts'
import { checkApproved } from '../modules/plans/plans.ts'
import { spend } from '../modules/tokens/limits.ts'
import { acceptStatement } from '../operations/queries.ts'
import type { Registry } from '../operations/registry.ts'
import { actions } from './routes.ts'

/** What the engine of operations must know of the slices. */
export const registry: Registry = { actions, accept: acceptStatement(statusOfCampaign), checkApproved, spend }
