import type { Context } from '../../context/context.ts'
import type { Db, Tx } from '../../db/client.ts'
import { checkLimit, existing, invalid, notFound } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import { newSecret } from '../../lib/webhook-signature.ts'
import { fanOutTo } from './delivery-queries.ts'
import {
  countEndpointsLocked,
  deleteEndpoint,
  type EndpointRow,
  findEndpoint,
  insertEndpoint,
  lockEndpoint,
  rotateEndpointSecret,
  setSeesDownloads,
  updateEndpoint,
} from './endpoint-queries.ts'
import { ALL_EVENTS, type NewWebhookEndpoint, type WebhookEndpointPatch } from './schema.ts'

const DEFAULT_OVERLAP_SECONDS = 24 * 60 * 60

export const getEndpoint = async (db: Db, workspaceId: string, id: string): Promise<EndpointRow> =>
  existing(await findEndpoint(db, workspaceId, id), 'webhook endpoint')

export const getLockedEndpoint = async (tx: Tx, workspaceId: string, id: string): Promise<EndpointRow> =>
  existing(await lockEndpoint(tx, workspaceId, id), 'webhook endpoint')

export function checkSubscription(events: readonly string[] | undefined): void {
  if (events && events.length > 1 && events.includes(ALL_EVENTS)) {
    throw invalid('body', '/events', 'all_events', '"*" means every type and must be the only entry')
  }
}

export async function createEndpoint(
  tx: Tx,
  secrets: SecretBox,
  workspaceId: string,
  input: NewWebhookEndpoint,
  by: EndpointAuthor & { maxEndpoints: number },
  now: Date,
): Promise<{ endpoint: EndpointRow; secret: string }> {
  checkLimit('webhook endpoints in this workspace', by.maxEndpoints, await countEndpointsLocked(tx, workspaceId))
  const id = newId()
  const secret = newSecret()
  const endpoint = await insertEndpoint(tx, {
    id,
    workspaceId,
    url: input.url,
    events: input.events,
    description: input.description ?? null,
    secret: sealSecret(secrets, id, secret),
    createdAt: now,
  })
  await setSeesDownloads(tx, endpoint.id, by.seesDownloads)
  return { endpoint, secret }
}

/** The caller that sets the URL of an endpoint. Data that this caller may not see is not sent there. */
interface EndpointAuthor {
  seesDownloads: boolean
}

/**
 * Events until now belong to the endpoint as it was, so they are turned into deliveries first; events while an endpoint
 * is not active are not delivered to it.
 */
export async function changeEndpoint(
  tx: Tx,
  workspaceId: string,
  id: string,
  patch: WebhookEndpointPatch,
  by: EndpointAuthor,
  now: Date,
): Promise<EndpointRow> {
  const current = await getLockedEndpoint(tx, workspaceId, id)
  if (current.status === 'active') await fanOutTo(tx, id)
  tx.wake('deliveries')
  if (patch.url !== undefined && patch.url !== current.url) await setSeesDownloads(tx, id, by.seesDownloads)
  return updateEndpoint(tx, { ...current, ...patch, updatedAt: now })
}

export async function removeEndpoint(tx: Tx, workspaceId: string, id: string): Promise<void> {
  if (!(await deleteEndpoint(tx, workspaceId, id))) throw notFound('webhook endpoint')
}

export async function rotateSecret(
  tx: Tx,
  secrets: SecretBox,
  workspaceId: string,
  id: string,
  overlapSeconds: number | undefined,
  now: Date,
): Promise<{ endpoint: EndpointRow; secret: string }> {
  await getLockedEndpoint(tx, workspaceId, id)
  const secret = newSecret()
  const endpoint = await rotateEndpointSecret(tx, id, sealSecret(secrets, id, secret), overlapSeconds ?? DEFAULT_OVERLAP_SECONDS, now)
  return { endpoint, secret }
}

/** The previous secret was the current one before, so both are sealed for the same place. */
const placeOf = (endpointId: string): string => `webhook_endpoints/${endpointId}/secret`

const sealSecret = (secrets: SecretBox, endpointId: string, secret: string): Buffer => secrets.seal('webhook', secret, placeOf(endpointId))

export const openSecret = (secrets: SecretBox, endpointId: string, sealed: Buffer): string =>
  secrets.open('webhook', sealed, placeOf(endpointId))

export const endpointLink = (ctx: Pick<Context, 'link'>, endpoint: { workspaceId: string; id: string }): string =>
  ctx.link(`/v1/workspaces/${endpoint.workspaceId}/webhooks/${endpoint.id}`)

export function presentEndpoint(row: EndpointRow, ctx: Pick<Context, 'link'>) {
  return {
    id: row.id,
    workspaceId: row.workspaceId,
    url: row.url,
    events: row.events,
    description: row.description,
    status: row.status,
    disabledReason: row.disabledReason,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    links: { self: endpointLink(ctx, row) },
  }
}
