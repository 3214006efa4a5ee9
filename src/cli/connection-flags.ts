import type { FlagSet } from './flags.ts'

/** Flags of every command that calls a service. */
export const CONNECTION_FLAGS: FlagSet = {
  profile: { kind: 'text', value: 'NAME', text: 'the profile of `overture login` to use' },
  workspace: { kind: 'text', value: 'ID', text: 'the workspace, where the token reaches several' },
  json: { kind: 'switch', text: 'print JSON, also for errors' },
}
