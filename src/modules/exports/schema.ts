import { about, DateTime, Links, named, nullable, oneOf, strict, Url, Uuid } from '../../http/schema.ts'
import { Type } from '../../lib/type.ts'

const EXPORT_STATUSES = ['building', 'completed', 'failed', 'expired'] as const

export const Export = named(
  'Export',
  strict({
    id: Uuid,
    workspaceId: Uuid,
    operationId: Uuid,
    status: about(oneOf(EXPORT_STATUSES), '`completed`: the file can be downloaded. `expired`: it is no longer kept.'),
    requestedCount: Type.Integer({ description: 'The number of leads that was ordered.' }),
    leadCount: Type.Integer({ description: 'The number of leads in the file.' }),
    creditsCharged: Type.Integer({ description: 'One credit for each lead that the workspace did not own before.' }),
    downloadUrl: nullable({ ...Url, description: 'Works without a token until the file is deleted. Null if there is no file.' }),
    expiresAt: nullable(DateTime),
    createdAt: DateTime,
    links: Links,
  }),
)
