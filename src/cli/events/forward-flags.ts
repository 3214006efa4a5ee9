import type { FlagSet } from '../flags.ts'

/** Flags of the commands that deliver events. */
export const FORWARD_FLAGS: FlagSet = {
  'forward-to': { kind: 'text', value: 'URL', text: 'where events are posted to' },
  secret: { kind: 'text', value: 'WHSEC', text: 'sign with this one; made up and printed unless given' },
}
