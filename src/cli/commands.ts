import type { Commands } from './command.ts'
import { CONNECTION_FLAGS } from './connection-flags.ts'

/** Loaded when they are run: `--help` pays for none of them. */
export const COMMANDS: Commands = {
  login: {
    takes: '[--url URL]',
    summary: 'keep the address and the token of a service; the token is asked for, or piped in',
    flags: {
      url: { kind: 'text', value: 'URL', text: 'where the service is' },
      show: { kind: 'switch', text: 'print what is used here, without the token' },
      ...CONNECTION_FLAGS,
    },
    load: async () => (await import('./login.ts')).login,
  },
  api: {
    takes: 'OPERATION [--field value ...]',
    summary: 'call any operation of the API; `overture api list` lists them',
    flags: CONNECTION_FLAGS,
    readsOwnFlags: true,
    load: async () => (await import('./api/call.ts')).callOperation,
  },
  completion: {
    takes: 'bash|zsh',
    summary: 'a script that completes commands, operations and flags',
    flags: {},
    load: async () => (await import('./completion.ts')).printCompletion,
  },
}
