import { strict } from '../http/schema.ts'
import { type Static, type TObject, type TProperties, Type } from '../lib/type.ts'
import type { Api } from './api.ts'

interface ToolSpec<P extends TProperties> {
  name: string
  title: string
  about: string
  input: P
  /** `reads`: changes nothing. `drafts`: changes only drafts, which send nothing. `plans`: proposes. `applies`: carries out a plan. */
  does: 'reads' | 'drafts' | 'plans' | 'applies'
  /** Fields whose texts are ours or the workspace's own. Every other text of a response is marked as written by strangers. */
  own?: readonly string[]
  run(api: Api, input: Static<TObject<P>>): Promise<Record<string, unknown>>
}

export interface Tool extends Omit<ToolSpec<TProperties>, 'input' | 'run'> {
  input: TObject
  run(api: Api, input: never): Promise<Record<string, unknown>>
}

const WorkspaceId = Type.Optional(
  Type.String({ format: 'uuid', description: 'Needed only when the token can access more than one workspace.' }),
)

export const tool = <P extends TProperties>(spec: ToolSpec<P>): Tool =>
  ({ ...spec, input: strict({ ...spec.input, workspaceId: WorkspaceId }) }) as Tool

export const CampaignId = Type.String({ format: 'uuid', description: 'From list_campaigns or draft_campaign.' })
export const PageSize = Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 20 }))
export const Cursor = Type.Optional(Type.String({ description: 'The `nextCursor` of the previous page.' }))
