import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { Shell } from './shell.ts'

/** What is typed is not shown: for passwords and tokens. */
export async function askUnseen(shell: Shell, question: string): Promise<string> {
  shell.warn(`${question} (it is not shown):`)
  return readLine(shell)
}

export async function ask(shell: Shell, question: string, fallback = ''): Promise<string> {
  shell.warn(fallback ? `${question} [${fallback}]:` : `${question}:`)
  return (await readLine(shell, process.stderr)) || fallback
}

/** Only a clear yes is one. */
export async function confirm(shell: Shell, question: string): Promise<boolean> {
  shell.warn(`${question} [y/N]`)
  return /^y(es)?$/i.test(await readLine(shell, process.stderr))
}

/** Questions go to the second output: the first one may be piped into a file. */
async function readLine({ input, signal }: Shell, echo?: NodeJS.WritableStream): Promise<string> {
  const silent = new Writable({ write: (_piece, _encoding, done) => done() })
  const asking = createInterface({ input, output: echo ?? silent, terminal: input.isTTY === true })
  try {
    return (await asking.question('', { signal })).trim()
  } finally {
    asking.close()
  }
}
