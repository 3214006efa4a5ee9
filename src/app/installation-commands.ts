import type { Commands } from '../cli/command.ts'
import { CONNECTION_FLAGS } from '../cli/connection-flags.ts'

const JSON_FLAG = { kind: 'switch', text: 'print JSON, also for errors' } as const

/** Commands for whoever runs the service, in the same shape as those that call one. Loaded when they are run. */
export const INSTALLATION_COMMANDS: Commands = {
  doctor: {
    takes: '',
    summary: 'what is wrong with the service, its database and its surroundings, and the command that mends it',
    isOnServer: true,
    flags: CONNECTION_FLAGS,
    load: async () => (await import('./doctor/doctor.ts')).doctor,
  },
  backup: {
    takes: 'FILE',
    summary: 'write all of the database into one file, as it is at one moment, while the service goes on',
    isOnServer: true,
    flags: { replace: { kind: 'switch', text: 'write over a file of this name' }, json: JSON_FLAG },
    load: async () => (await import('./backup/backup.ts')).backup,
  },
  restore: {
    takes: 'FILE',
    summary: 'put back what is in a backup: all of it, or nothing',
    isOnServer: true,
    flags: {
      check: { kind: 'switch', text: 'only read the file to its end' },
      replace: { kind: 'switch', text: 'also into a database that is not empty: what is there now is lost' },
      json: JSON_FLAG,
    },
    load: async () => (await import('./backup/restore.ts')).restore,
  },
}
