import type { FlagSet } from '../flags.ts'

/** Flags of the commands that follow the event log. */
export const FOLLOW_FLAGS: FlagSet = {
  type: { kind: 'list', value: 'TYPE', text: 'only events of this type; `overture trigger` lists them' },
  campaign: { kind: 'text', value: 'NAME', text: 'only those of this campaign, by its id or its name' },
  after: { kind: 'text', value: 'SEQ', text: 'begin after this event, 0 for the beginning of the log; from now on unless given' },
}
