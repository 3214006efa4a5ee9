import type { Commands } from '../cli/command.ts'
import { CONNECTION_FLAGS } from '../cli/flags.ts'

const JSON_FLAG = { kind: 'switch', text: 'print JSON, including errors' } as const

/** Commands for the operator of the service, in the same shape as those that call one. Loaded when they are run. */
export const INSTALLATION_COMMANDS: Commands = {
  doctor: {
    takes: '',
    summary: 'find problems of the service, its database and its environment, each with the command that fixes it',
    isOnServer: true,
    flags: CONNECTION_FLAGS,
    load: async () => (await import('./doctor.ts')).doctor,
  },
  backup: {
    takes: 'FILE',
    summary: 'write a consistent copy of the whole database to one file while the service keeps running',
    isOnServer: true,
    flags: { replace: { kind: 'switch', text: 'overwrite an existing file' }, json: JSON_FLAG },
    load: async () => (await import('./backup/backup.ts')).backup,
  },
  restore: {
    takes: 'FILE',
    summary: 'restore a complete backup, or change nothing',
    isOnServer: true,
    flags: {
      check: { kind: 'switch', text: 'check the file without restoring it' },
      replace: { kind: 'switch', text: 'restore into a database that is not empty; its data is deleted' },
      json: JSON_FLAG,
    },
    load: async () => (await import('./backup/restore.ts')).restore,
  },
}
