import { tagged } from '../../http/route.ts'
import { accept, acceptedRoute } from '../../operations/writes.ts'
import { DirectoryImport } from './schema.ts'

const IMPORT_LIMIT_BYTES = 20 * 1024 * 1024

export const directoryRoutes = tagged('Lead directory', [
  acceptedRoute('POST', '/v1/workspaces/:workspaceId/directory/people', {
    id: 'directory.importPeople',
    summary: 'Import your own people',
    about:
      'Imports up to 1,000 people per request. They belong to the workspace: only this workspace can find, export and change them, and they cost no credits. The address identifies a person: fields that you send replace the stored values, and other fields stay as they are. When the lead directory already has the person, the workspace gets its own record, and its searches find that record from then on. Invalid records are reported by their index.',
    scope: 'people:write',
    action: 'directory.import',
    cost: 'free',
    bodyLimitBytes: IMPORT_LIMIT_BYTES,
    body: DirectoryImport,
    handle: request => accept(request, { input: request.body }),
  }),
])
