import type { Commands } from './command.ts'
import { CONNECTION_FLAGS, type FlagSet } from './flags.ts'

/** Flags of the commands that follow the event log. */
const FOLLOW_FLAGS: FlagSet = {
  type: { kind: 'list', value: 'TYPE', text: 'only events of this type; `overture trigger` lists the types' },
  campaign: { kind: 'text', value: 'NAME', text: 'only events of this campaign (id or name)' },
  after: { kind: 'text', value: 'SEQ', text: 'start after this event; 0 is the start of the log (default: now)' },
}

/** Flags of the commands that deliver events. */
const FORWARD_FLAGS: FlagSet = {
  'forward-to': { kind: 'text', value: 'URL', text: 'post events to this URL' },
  secret: { kind: 'text', value: 'WHSEC', text: 'sign with this secret (default: a new one, which is printed)' },
}

/** Flags of every command that imports leads from a file. */
const IMPORT_FLAGS: FlagSet = {
  campaign: { kind: 'text', value: 'NAME', text: 'the campaign (id or name)' },
  map: { kind: 'list', value: 'COLUMN=FIELD', text: 'import a column as this field; `COLUMN=` leaves it out' },
  'on-duplicate': { kind: 'text', value: 'skip|update', text: 'skip or update leads that the campaign already has (default: skip)' },
  list: { kind: 'text', value: 'NAME', text: 'the name of the lead list' },
  'dry-run': { kind: 'switch', text: 'show what would happen without changing anything' },
  yes: { kind: 'switch', text: 'do not ask for confirmation' },
  ...CONNECTION_FLAGS,
}

/** Loaded when they are run, so that `--help` is fast. */
export const COMMANDS: Commands = {
  login: {
    takes: '[--url URL]',
    summary: 'save the address and the token of a service; type the token or pipe it in',
    flags: {
      url: { kind: 'text', value: 'URL', text: 'the address of the service' },
      show: { kind: 'switch', text: 'print the saved profile, without the token' },
      ...CONNECTION_FLAGS,
    },
    load: async () => (await import('./connection.ts')).login,
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
    summary: 'import leads from a CSV file: show the mapping, ask, and save rejected rows to a file',
    more: [
      'overture import people.csv --campaign Spring --dry-run',
      'overture import people.csv --campaign Spring --map "Work mail=email" --map "Notes=" --yes',
    ],
    flags: IMPORT_FLAGS,
    load: async () => (await import('./leads/import.ts')).importFile,
  },
  'import-from': {
    takes: 'instantly|smartlead|lemlist FILE --campaign NAME',
    summary: 'import leads from the CSV export of another tool, and suppress people who unsubscribed or bounced there',
    more: ['overture import-from smartlead leads.csv --campaign Spring --dry-run'],
    words: () => ['instantly', 'smartlead', 'lemlist'],
    flags: IMPORT_FLAGS,
    load: async () => (await import('./leads/import.ts')).importFrom,
  },
  replies: {
    takes: '[show|answer|handle|correct ID...]',
    summary: 'list unhandled replies that need review; show, answer, handle or correct one',
    more: [
      'overture replies                       lists unhandled replies that need review',
      'overture replies show ID               prints one reply; --thread prints the whole conversation',
      'overture replies answer ID             sends the text that you type, pipe in, or give with --text',
      'overture replies handle ID...          marks replies as handled',
      'overture replies correct ID --kind K   changes the kind of a reply',
    ],
    words: () => ['show', 'answer', 'handle', 'correct', 'export-corrections'],
    flags: {
      all: { kind: 'switch', text: 'list all replies, including handled ones' },
      kind: { kind: 'text', value: 'KIND', text: 'positive, negative, neutral, opt_out or auto_reply' },
      campaign: { kind: 'text', value: 'NAME', text: 'only replies of this campaign (id or name)' },
      limit: { kind: 'text', value: 'N', text: 'list at most this many (default: 100)' },
      thread: { kind: 'switch', text: 'with show: print the whole conversation' },
      text: { kind: 'text', value: 'TEXT', text: 'with answer: the text to send' },
      subject: { kind: 'text', value: 'TEXT', text: 'with answer: the subject (default: that of the thread)' },
      again: { kind: 'switch', text: 'with answer: send another answer to the same reply' },
      ...CONNECTION_FLAGS,
    },
    load: async () => (await import('./replies.ts')).replies,
  },
  mailbox: {
    takes: 'add ADDRESS',
    summary: 'connect a mailbox: find its servers, ask for the password or for consent, and verify it',
    more: [
      'overture mailbox add ada@example.com',
      'echo "$PASSWORD" | overture mailbox add ada@example.com --smtp mail.example.com:465 --imap mail.example.com:993',
      'overture mailbox add ada@example.com --consent microsoft   # you enter a code on any device',
    ],
    words: () => ['add'],
    flags: {
      'from-name': { kind: 'text', value: 'NAME', text: 'the name that recipients see' },
      'postal-address': { kind: 'text', value: 'TEXT', text: 'the postal address in the footer of every email' },
      name: { kind: 'text', value: 'NAME', text: 'the name of the mailbox in Overture (default: its address)' },
      username: { kind: 'text', value: 'NAME', text: 'the user name for the mail servers (default: the address)' },
      smtp: { kind: 'text', value: 'HOST:PORT', text: 'use this outgoing server instead of searching' },
      imap: { kind: 'text', value: 'HOST:PORT', text: 'use this incoming server instead of searching' },
      consent: { kind: 'text', value: 'google|microsoft', text: 'sign in by consent, without a password' },
      yes: { kind: 'switch', text: 'do not ask for names' },
      ...CONNECTION_FLAGS,
    },
    load: async () => (await import('./mailbox.ts')).mailbox,
  },
  tail: {
    takes: '[--type TYPE]',
    summary: 'print operations and events as they happen, one per line, until Ctrl-C',
    more: ['overture tail --type operation.failed --type email.replied', 'overture tail --after 0 --json | jq .type'],
    flags: { ...FOLLOW_FLAGS, ...CONNECTION_FLAGS },
    load: async () => (await import('./events/follow.ts')).tail,
  },
  listen: {
    takes: '--forward-to URL',
    summary: 'forward events to your URL, signed like webhooks, until Ctrl-C',
    more: ['overture listen --forward-to http://127.0.0.1:3000/webhooks --type email.replied'],
    flags: { ...FORWARD_FLAGS, ...FOLLOW_FLAGS, ...CONNECTION_FLAGS },
    load: async () => (await import('./events/follow.ts')).listen,
  },
  trigger: {
    takes: '[EVENT] [--forward-to URL]',
    summary: 'send an example event to your URL, signed like a webhook; without EVENT, list the types',
    more: ['overture trigger email.replied --forward-to http://127.0.0.1:3000/webhooks --set kind=negative'],
    words: async () => (await import('./events/trigger.ts')).eventTypes(),
    flags: {
      ...FORWARD_FLAGS,
      set: { kind: 'list', value: 'FIELD=VALUE', text: 'set a field of the data' },
      json: { kind: 'switch', text: 'print JSON, including errors' },
    },
    load: async () => (await import('./events/trigger.ts')).trigger,
  },
  pull: {
    takes: 'CAMPAIGN > campaign.yaml',
    summary: 'print a campaign (id or name) as a file',
    flags: { rehearsal: { kind: 'switch', text: 'add the limits of its mailboxes, for `overture rehearse`' }, ...CONNECTION_FLAGS },
    load: async () => (await import('./campaigns/pull.ts')).pull,
  },
  plan: {
    takes: 'campaign.yaml',
    summary: 'show what `overture apply` would change',
    flags: { markdown: { kind: 'switch', text: 'print Markdown, for a comment on a pull request' }, ...CONNECTION_FLAGS },
    load: async () => (await import('./campaigns/plan.ts')).plan,
  },
  apply: {
    takes: 'campaign.yaml',
    summary: 'change the campaign to match the file; it creates a missing campaign and never activates one',
    flags: { plan: { kind: 'text', value: 'ID', text: 'apply only this plan; stop if the plan has changed' }, ...CONNECTION_FLAGS },
    load: async () => (await import('./campaigns/apply.ts')).apply,
  },
  rehearse: {
    takes: 'campaign.yaml',
    summary: 'play the whole campaign in a temporary service, in seconds, and check the expectations in the file',
    flags: {
      junit: { kind: 'text', value: 'FILE', text: 'also write the report to FILE as JUnit XML' },
      json: { kind: 'switch', text: 'print the report as JSON' },
    },
    load: async () => (await import('./rehearsal/rehearse.ts')).rehearse,
  },
  schema: {
    takes: '',
    summary: 'print the JSON Schema of campaign files, for editors',
    flags: {},
    load: async () => (await import('./campaigns/pull.ts')).printSchema,
  },
  completion: {
    takes: 'bash|zsh',
    summary: 'print a script that completes commands, operations and flags',
    flags: {},
    takesTyped: true,
    load: async () => (await import('./completion.ts')).printCompletion,
  },
}
