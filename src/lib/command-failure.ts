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

export const SYSTEM_WORDS: Record<string, string> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of this path is not a folder',
  EISDIR: 'this is a folder, not a file',
  EACCES: 'this user has no permission',
  EPERM: 'this user has no permission',
  EROFS: 'it is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota of this user is used up',
  EFBIG: 'the file would be too large',
  EMFILE: 'too many files are open',
}

/** A file that the user named could not be opened or read. */
export function unreadable(path: string, error: unknown, next: string): CommandFailed {
  const { code, message } = error as NodeJS.ErrnoException
  return wrongUsage(`${path} cannot be read: ${SYSTEM_WORDS[code ?? ''] ?? code ?? message}.`, next)
}
