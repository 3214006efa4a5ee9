import type { Commands } from '../cli/command.ts'
import { CONNECTION_FLAGS } from '../cli/connection-flags.ts'

/** Commands for whoever runs the service, in the same shape as those that call one. Loaded when they are run. */
export const INSTALLATION_COMMANDS: Commands = {
  doctor: {
    takes: '',
    summary: 'what is wrong with the service, its database and its surroundings, and the command that mends it',
    isOnServer: true,
    flags: CONNECTION_FLAGS,
    load: async () => (await import('./doctor/doctor.ts')).doctor,
  },
}
