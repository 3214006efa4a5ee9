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
  pull: {
    takes: 'CAMPAIGN > campaign.yaml',
    summary: 'write down a campaign, by its id or its name',
    flags: {
      rehearsal: { kind: 'switch', text: 'also write down what limits its mailboxes, for `overture rehearse`' },
      ...CONNECTION_FLAGS,
    },
    load: async () => (await import('./campaigns/pull.ts')).pull,
  },
  plan: {
    takes: 'campaign.yaml',
    summary: 'what would change if the file were applied',
    flags: { markdown: { kind: 'switch', text: 'for a comment on a pull request' }, ...CONNECTION_FLAGS },
    load: async () => (await import('./campaigns/plan.ts')).plan,
  },
  apply: {
    takes: 'campaign.yaml',
    summary: 'make the campaign what the file says; it is created when there is none, and never activated',
    flags: { plan: { kind: 'text', value: 'ID', text: 'refuse to do anything but this plan' }, ...CONNECTION_FLAGS },
    load: async () => (await import('./campaigns/apply.ts')).apply,
  },
  rehearse: {
    takes: 'campaign.yaml',
    summary: 'play the whole campaign in a service of its own, in seconds, and check what the file expects',
    flags: {
      junit: { kind: 'text', value: 'FILE', text: 'also write the report as JUnit XML' },
      json: { kind: 'switch', text: 'print the report as JSON' },
    },
    load: async () => (await import('./rehearsal/rehearse.ts')).rehearse,
  },
  schema: {
    takes: '',
    summary: 'the JSON Schema of campaign files, for editors',
    flags: {},
    load: async () => (await import('./campaigns/pull.ts')).printSchema,
  },
  completion: {
    takes: 'bash|zsh',
    summary: 'a script that completes commands, operations and flags',
    flags: {},
    load: async () => (await import('./completion.ts')).printCompletion,
  },
}
