/** The meanings of the exit codes, for scripts. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  denied: 3,
  notFound: 4,
  conflict: 5,
  unavailable: 6,
} as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** A failure of a command, with an exit code for scripts and the command that helps. */
export class CommandFailed extends Error {
  readonly exitCode: ExitCode
  readonly code: string
  readonly next: string | undefined

  constructor(exitCode: ExitCode, code: string, message: string, next?: string) {
    super(message)
    this.exitCode = exitCode
    this.code = code
    this.next = next
  }
}

export const wrongUsage = (message: string, next: string): CommandFailed => new CommandFailed(EXIT.usage, 'usage', message, next)
export const notThere = (message: string, next: string): CommandFailed => new CommandFailed(EXIT.notFound, 'not_found', message, next)
