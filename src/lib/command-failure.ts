/** A command of the operator that failed, with an exit code for scripts and the command that helps. */
export class CommandFailure extends Error {
  readonly exitCode: 2 | 4
  readonly next: string

  constructor(exitCode: 2 | 4, message: string, next: string) {
    super(message)
    this.exitCode = exitCode
    this.next = next
  }
}

export const wrongUsage = (message: string, next: string): CommandFailure => new CommandFailure(2, message, next)
export const notThere = (message: string, next: string): CommandFailure => new CommandFailure(4, message, next)
