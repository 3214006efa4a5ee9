import { ok, route, tagged } from '../../http/route.ts'
import { dataOf } from '../../http/schema.ts'
import { existing } from '../../lib/errors.ts'
import { accept, acceptedRoute } from '../../operations/writes.ts'
import { WorkspaceSettings, WorkspaceSettingsUpdate } from '../workspaces/schema.ts'
import { findWorkspace, presentSettings } from '../workspaces/workspaces.ts'

const path = '/v1/workspaces/:workspaceId/settings'

/** Settings that apply to every campaign of a workspace unless the campaign overrides them. */
export const settingsRoutes = tagged('Workspaces', [
  route('GET', path, {
    id: 'workspaces.getSettings',
    summary: 'Get the settings that apply to all campaigns of a workspace',
    scope: 'workspaces:read',
    replies: { 200: { about: 'The settings.', schema: dataOf(WorkspaceSettings) } },
    async handle({ ctx, params }) {
      const row = existing(await findWorkspace(ctx.db, params.workspaceId), 'workspace')
      return ok({ data: presentSettings(row, ctx) })
    },
  }),

  acceptedRoute('PUT', path, {
    id: 'workspaces.updateSettings',
    summary: 'Change the settings that apply to all campaigns of a workspace',
    about:
      'After the operation has succeeded, the new rules apply to every message. A campaign can override them in its own settings. The operation fails with `precondition_failed` when the workspace has changed since `if-match`; the settings have the `updatedAt` of the workspace.',
    scope: 'workspaces:write',
    action: 'workspace.update_settings',
    cost: 'free',
    ifMatch: true,
    body: WorkspaceSettingsUpdate,
    handle(request) {
      const input = { settings: request.body, ifMatch: request.ifMatch!.toISOString() }
      return accept(request, { input })
    },
  }),
])
