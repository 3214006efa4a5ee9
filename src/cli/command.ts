import type { FlagSet, Flags } from './flags.ts'
import type { Shell } from './shell.ts'

export interface Call {
  positionals: string[]
  flags: Flags
  shell: Shell
  commands: Commands
  /** As they were typed, for a command whose flags are not known beforehand. */
  args: readonly string[]
}

export type Run = (call: Call) => Promise<void>

export interface Command {
  /** The arguments after the name. */
  takes: string
  summary: string
  flags: FlagSet
  /** Lines of its help about what its verbs do, or examples. */
  more?: readonly string[]
  /** The words that can follow the name, for completion. */
  words?: () => Promise<readonly string[]> | readonly string[]
  /** Its arguments may be an incomplete command line. */
  takesTyped?: true
  /** It needs the database of an installation, or its folder. */
  isOnServer?: true
  /** Its flags are those of an operation of the OpenAPI document. */
  readsOwnFlags?: true
  load(): Promise<Run>
}

export type Commands = Record<string, Command>

/** The first words of the commands that have the database. */
export const SERVER_COMMANDS = 'start worker migrate token user console-link credits secret metrics people mcp openapi config'.split(' ')

/** `api` alone is the API process: services are started like that. With an operation it calls one. */
export function isServerCommand([first = '', second]: readonly string[]): boolean {
  if (first === 'help') return second === 'server'
  if (first === 'api') return second === undefined
  // Corrections are read from the database, because they are from all workspaces.
  if (first === 'replies') return second === 'export-corrections'
  return SERVER_COMMANDS.includes(first)
}
