import type { FlagSet } from './flags.ts'

/** Flags of every command that calls a service. */
export const CONNECTION_FLAGS: FlagSet = {
  profile: { kind: 'text', value: 'NAME', text: 'use this profile of `overture login`' },
  workspace: { kind: 'text', value: 'ID', text: 'use this workspace, if the token has several' },
  json: { kind: 'switch', text: 'print JSON, errors too' },
}
