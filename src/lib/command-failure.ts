/** A command of the operator that cannot do what was asked, with the exit code that scripts decide by and the command that helps on. */
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
