import type { FlagSet, Flags } from './flags.ts'
import type { Shell } from './shell.ts'

export interface Call {
  positionals: string[]
  flags: Flags
  shell: Shell
  /** All there are, by their names. */
  commands: Commands
  /** As they were typed, for a command whose flags are not known beforehand. */
  args: readonly string[]
}

export type Run = (call: Call) => Promise<void>

export interface Command {
  /** What comes after the name. */
  takes: string
  summary: string
  flags: FlagSet
  /** Its flags are those of an operation of the OpenAPI document. */
  readsOwnFlags?: true
  load(): Promise<Run>
}

export type Commands = Record<string, Command>
