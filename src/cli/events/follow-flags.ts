import type { FlagSet } from '../flags.ts'

/** Flags of the commands that follow the event log. */
export const FOLLOW_FLAGS: FlagSet = {
  type: { kind: 'list', value: 'TYPE', text: 'only events of this type; `overture trigger` lists them' },
  campaign: { kind: 'text', value: 'NAME', text: 'only events of this campaign (id or name)' },
  after: { kind: 'text', value: 'SEQ', text: 'start after this event; 0 is the start of the log (default: now)' },
}
