import type { Commands } from './command.ts'
import { CONNECTION_FLAGS } from './connection-flags.ts'
import { FOLLOW_FLAGS } from './events/follow-flags.ts'
import { FORWARD_FLAGS } from './events/forward-flags.ts'
import type { FlagSet } from './flags.ts'

/** Of every command that brings the leads of a file into a campaign. */
const IMPORT_FLAGS: FlagSet = {
  campaign: { kind: 'text', value: 'NAME', text: 'the campaign, by its id or its name' },
  map: { kind: 'list', value: 'COLUMN=FIELD', text: 'what a column becomes where the guess is wrong; `COLUMN=` leaves it out' },
  'on-duplicate': {
    kind: 'text',
    value: 'skip|update',
    text: 'what becomes of leads that the campaign has already; skip unless given',
  },
  list: { kind: 'text', value: 'NAME', text: 'the name of the lead list' },
  'dry-run': { kind: 'switch', text: 'only say what would happen' },
  yes: { kind: 'switch', text: 'do not ask' },
  ...CONNECTION_FLAGS,
}

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
  import: {
    takes: 'FILE --campaign NAME',
    summary: 'import leads from a CSV file: shows what becomes of each column, asks, and saves the rows that are rejected',
    more: [
      'overture import people.csv --campaign Spring --dry-run',
      'overture import people.csv --campaign Spring --map "Work mail=email" --map "Notes=" --yes',
    ],
    flags: IMPORT_FLAGS,
    load: async () => (await import('./leads/import.ts')).importFile,
  },
  'import-from': {
    takes: 'instantly|smartlead|lemlist FILE --campaign NAME',
    summary: 'import the leads of another tool from its CSV export; who unsubscribed or bounced there is suppressed here',
    more: ['overture import-from smartlead leads.csv --campaign Spring --dry-run'],
    words: () => ['instantly', 'smartlead', 'lemlist'],
    flags: IMPORT_FLAGS,
    load: async () => (await import('./leads/import-from.ts')).importFrom,
  },
  replies: {
    takes: '[show|answer|handle|correct ID]',
    summary: 'the replies that need a look, and what is done with them',
    more: [
      'overture replies                       what nobody has dealt with and a person should read',
      'overture replies show ID               all of it; --thread: and what was written before',
      'overture replies answer ID             sends what is piped in or typed, or --text',
      'overture replies handle ID...          marks them as dealt with',
      'overture replies correct ID --kind K   says what a reply means',
    ],
    words: () => ['show', 'answer', 'handle', 'correct', 'export-corrections'],
    flags: {
      all: { kind: 'switch', text: 'also what was dealt with, and what needs no look' },
      kind: { kind: 'text', value: 'KIND', text: 'positive, negative, neutral, opt_out or auto_reply' },
      campaign: { kind: 'text', value: 'NAME', text: 'only those of this campaign, by its id or its name' },
      limit: { kind: 'text', value: 'N', text: 'how many to list; 100 unless given' },
      thread: { kind: 'switch', text: 'show: the whole conversation' },
      text: { kind: 'text', value: 'TEXT', text: 'answer: what is said, as it leaves' },
      subject: { kind: 'text', value: 'TEXT', text: 'answer: another subject than that of the thread' },
      ...CONNECTION_FLAGS,
    },
    load: async () => (await import('./replies/command.ts')).replies,
  },
  mailbox: {
    takes: 'add ADDRESS',
    summary: 'connect a mailbox: finds its servers, asks for the password or for consent, and tries it',
    more: [
      'overture mailbox add ada@example.com',
      'echo "$PASSWORD" | overture mailbox add ada@example.com --smtp mail.example.com:465 --imap mail.example.com:993',
      'overture mailbox add ada@example.com --consent microsoft   # with a code, on any device',
    ],
    words: () => ['add'],
    flags: {
      'from-name': { kind: 'text', value: 'NAME', text: 'the name that recipients see' },
      'postal-address': { kind: 'text', value: 'TEXT', text: 'stands in the footer of every e-mail' },
      name: { kind: 'text', value: 'NAME', text: 'what it is called here; its address unless given' },
      username: { kind: 'text', value: 'NAME', text: 'who signs in; the address unless given' },
      smtp: { kind: 'text', value: 'HOST:PORT', text: 'instead of looking for it' },
      imap: { kind: 'text', value: 'HOST:PORT', text: 'instead of looking for it' },
      consent: { kind: 'text', value: 'google|microsoft', text: 'sign in by consent instead of a password' },
      yes: { kind: 'switch', text: 'do not ask for names' },
      ...CONNECTION_FLAGS,
    },
    load: async () => (await import('./mailboxes/add.ts')).mailbox,
  },
  tail: {
    takes: '[--type TYPE]',
    summary: 'operations and events as they happen, one a line, until Ctrl-C',
    more: ['overture tail --type operation.failed --type email.replied', 'overture tail --after 0 --json | jq .type'],
    flags: { ...FOLLOW_FLAGS, ...CONNECTION_FLAGS },
    load: async () => (await import('./events/tail.ts')).tail,
  },
  listen: {
    takes: '--forward-to URL',
    summary: 'deliver the events of a workspace to a URL of yours, signed like webhooks, until Ctrl-C',
    more: ['overture listen --forward-to http://127.0.0.1:3000/webhooks --type email.replied'],
    flags: { ...FORWARD_FLAGS, ...FOLLOW_FLAGS, ...CONNECTION_FLAGS },
    load: async () => (await import('./events/listen.ts')).listen,
  },
  trigger: {
    takes: '[EVENT] [--forward-to URL]',
    summary: 'deliver an event that never happened, signed like a webhook; without an event: list them',
    more: ['overture trigger email.replied --forward-to http://127.0.0.1:3000/webhooks --set kind=negative'],
    words: async () => (await import('./events/types.ts')).eventTypes(),
    flags: {
      ...FORWARD_FLAGS,
      set: { kind: 'list', value: 'FIELD=VALUE', text: 'a field of its data' },
      json: { kind: 'switch', text: 'print JSON, also for errors' },
    },
    load: async () => (await import('./events/trigger.ts')).trigger,
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
