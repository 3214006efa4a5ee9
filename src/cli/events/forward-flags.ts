import type { FlagSet } from '../flags.ts'

/** Flags of the commands that deliver events. */
export const FORWARD_FLAGS: FlagSet = {
  'forward-to': { kind: 'text', value: 'URL', text: 'post events to this URL' },
  secret: { kind: 'text', value: 'WHSEC', text: 'sign with this secret (default: a new one, which is printed)' },
}
