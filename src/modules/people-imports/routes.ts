import { type Route, route } from '../../http/route.ts'
import { strict, Uuid } from '../../http/schema.ts'
import { ACCEPTED_REPLIES } from '../../operations/replies.ts'
import { accept } from '../../operations/writes.ts'
import { DirectoryImport } from './schema.ts'

const IMPORT_LIMIT_BYTES = 20 * 1024 * 1024

export const directoryRoutes: Route[] = [
  route({
    method: 'POST',
    path: '/v1/workspaces/:workspaceId/directory/people',
    id: 'directory.importPeople',
    summary: 'Import your own people',
    about:
      'Up to 1 000 at a time. They belong to the workspace: it alone finds, exports and changes them, and they cost no credits. An address is one person: what is sent replaces what the workspace knew, what is left out stays. Of somebody whom the lead directory has too, the workspace gets a record of its own, and from then on finds that one. Bad records are reported by their index.',
    tag: 'Lead directory',
    scope: 'people:write',
    write: 'accepted',
    action: 'directory.import',
    bodyLimitBytes: IMPORT_LIMIT_BYTES,
    params: strict({ workspaceId: Uuid }),
    body: DirectoryImport,
    replies: ACCEPTED_REPLIES,
    errors: ['idempotency_key_reused', 'payload_too_large'],
    handle: request => accept(request, { action: 'directory.import', input: request.body }),
  }),
]
