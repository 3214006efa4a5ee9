import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { wrongUsage } from '../lib/command-failure.ts'
import { outputWritten, whenOutputIsLost } from './standard-output.ts'

/** A service that was started for one command, and ends with it. */
export interface PrivateService {
  url: string
  token: string
  workspaceId: string
  /** Resolves when somebody wants it to end: Ctrl-C, or the one who started us is gone. */
  ended: Promise<void>
  stop(): Promise<void>
}

/** Functions that need the service, passed in because this folder does not import it. */
interface Powers {
  startPrivate(): Promise<PrivateService>
}

/** The environment of a command. */
export interface Shell extends Powers {
  env: NodeJS.ProcessEnv
  /** The user's folder: file names are relative to it. */
  cwd: string
  isTerminal: boolean
  /** What is piped in, or the keyboard. */
  input: Readable & { isTTY?: boolean }
  /** Aborted by Ctrl-C, and when the output can no longer be written; then the reason is that loss. */
  signal: AbortSignal
  print(text: string): void
  /** Resolves when everything printed is written, and throws when a part of it could not be. */
  written(): Promise<void>
  warn(text: string): void
  /** Overwrites its last line on stderr; null without a terminal. */
  status: ((text: string) => void) | null
}

export function realShell(powers: Powers): Shell {
  const stop = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort(new Error('Stopped.')))
  whenOutputIsLost(loss => stop.abort(loss))
  return {
    ...powers,
    env: process.env,
    // The starting script changes the folder, and says from where.
    cwd: process.env.OVERTURE_CWD || process.cwd(),
    isTerminal: process.stdout.isTTY === true,
    input: process.stdin,
    signal: stop.signal,
    print: text => void process.stdout.write(`${text}\n`),
    written: outputWritten,
    warn: text => void process.stderr.write(`${text}\n`),
    status: process.stderr.isTTY === true ? text => void process.stderr.write(`\r\u001b[K${text}`) : null,
  }
}

export async function readInput({ input }: Pick<Shell, 'input'>): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of input) pieces.push(Buffer.from(piece as Buffer))
  return Buffer.concat(pieces).toString('utf8')
}

/** The bytes of a file that the user named; `-` is what is piped in. */
export async function readNamed(shell: Shell, name: string): Promise<Buffer> {
  if (name === '-') return Buffer.from(await readInput(shell))
  const path = resolve(shell.cwd, name)
  return readFile(path).catch(error => {
    const { code } = error as NodeJS.ErrnoException
    throw wrongUsage(
      `${path} cannot be read: ${code === 'ENOENT' ? 'there is no such file' : code}.`,
      `ls ${dirname(path)}   # then name a file that exists, or - for standard input`,
    )
  })
}
