import { CommandFailed, EXIT, SYSTEM_WORDS } from '../lib/command-failure.ts'

/** The reader of the output is gone, like `head` after its lines. This is not a failure, and there is no one to tell. */
export class ReaderGone extends Error {}

let loss: Error | undefined

/** The first error is the cause of all others. */
function keep(error: Error): Error {
  loss ??= lossOf(error)
  return loss
}

function lossOf({ code = '', message }: NodeJS.ErrnoException): Error {
  if (code === 'EPIPE') return new ReaderGone(message)
  const text = `Could not write standard output: ${SYSTEM_WORDS[code] ?? (code || message)}.`
  return new CommandFailed(EXIT.failed, 'output_lost', text, NEXT_OF_SYSTEM[code])
}

/** Without a listener, Node ends the process with a stack trace, or silently. */
export function watchOutput(): void {
  process.stdout.on('error', keep)
  // Nothing is left to report it to.
  process.stderr.on('error', () => {})
}

/** Runs when the output is lost, so that a command does not continue without a reader. */
export function whenOutputIsLost(end: (loss: Error) => void): void {
  process.stdout.on('error', error => end(keep(error)))
}

/** Resolves when everything printed is written: a pipe takes it piece by piece. Throws when a part of it could not be. */
export async function outputWritten(): Promise<void> {
  const error = await new Promise<Error | null | undefined>(resolve => process.stdout.write('', resolve))
  if (loss) throw loss
  if (error) throw keep(error)
}

/** The command that helps. */
export const NEXT_OF_SYSTEM: Record<string, string> = { ENOSPC: 'df -h   # then free some space', EMFILE: 'ulimit -n 4096' }
