import { createReadStream } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { type Readable, Writable } from 'node:stream'
import { CommandFailed, unreadable, wrongUsage } from '../lib/command-failure.ts'
import { outputWritten, whenOutputIsLost } from './standard-output.ts'

/** A service that was started for one command, and ends with it. */
export interface PrivateService {
  url: string
  token: string
  workspaceId: string
  /** Resolves when the command must end: Ctrl-C, or the parent process is gone. */
  ended: Promise<void>
  stop(): Promise<void>
}

/** Functions that need the service, passed in because this folder does not import it. */
interface Powers {
  startPrivate(): Promise<PrivateService>
}

export interface Shell extends Powers {
  env: NodeJS.ProcessEnv
  /** The user's folder: file names are relative to it. */
  cwd: string
  /** Standard input: a pipe or the keyboard. */
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
    input: process.stdin,
    signal: stop.signal,
    print: text => void process.stdout.write(`${text}\n`),
    written: outputWritten,
    warn: text => void process.stderr.write(`${text}\n`),
    status: process.stderr.isTTY === true ? text => void process.stderr.write(`\r\u001b[K${text}`) : null,
  }
}

/** The service takes no larger body. */
const MOST_BYTES = 200 * 1024 * 1024

export const readInput = async ({ input }: Pick<Shell, 'input'>): Promise<string> => (await readPieces(input, 'The input')).toString('utf8')

/** The bytes of a file that the user or another file named; `-` is standard input. It may be a device without an end. */
export async function readNamed(shell: Shell, name: string, mostBytes = MOST_BYTES): Promise<Buffer> {
  if (name === '-') return readPieces(shell.input, 'The input', mostBytes)
  const path = resolve(shell.cwd, name)
  return readPieces(createReadStream(path), path, mostBytes).catch(error => {
    if (error instanceof CommandFailed) throw error
    throw unreadable(path, error, `ls ${dirname(path)}   # then use a file that exists, or - for standard input`)
  })
}

async function readPieces(source: Readable, what: string, mostBytes = MOST_BYTES): Promise<Buffer> {
  const pieces: Buffer[] = []
  let byteCount = 0
  for await (const piece of source) {
    byteCount += pieces[pieces.push(Buffer.from(piece as Buffer)) - 1]!.length
    if (byteCount > mostBytes) throw wrongUsage(`${what} has more than ${Math.floor(mostBytes / 1_000_000)} MB.`, 'name a smaller file')
  }
  return Buffer.concat(pieces)
}

/** Reads without showing the input: for passwords and tokens. */
export const askUnseen = (shell: Shell, question: string): Promise<string> => readLine(shell, `${question} (not shown):`, null)

export const ask = (shell: Shell, question: string): Promise<string> => readLine(shell, `${question}:`, process.stderr)

/** Only a clear yes is one. */
export const confirm = async (shell: Shell, question: string): Promise<boolean> =>
  /^y(es)?$/i.test(await readLine(shell, `${question} [y/N]`, process.stderr))

/** Questions go to stderr, because stdout may be redirected to a file. */
async function readLine(shell: Shell, question: string, echo: NodeJS.WritableStream | null): Promise<string> {
  const { input, signal } = shell
  const silent = new Writable({ write: (_piece, _encoding, done) => done() })
  const asking = createInterface({ input, output: echo ?? silent, terminal: input.isTTY === true })
  // Ctrl-C reaches us as a key now.
  asking.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  try {
    const answer = asking.question('', { signal })
    // The question is printed only in raw mode, because the terminal would show earlier input.
    shell.warn(question)
    return (await answer).trim()
  } finally {
    asking.close()
  }
}
