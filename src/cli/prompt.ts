import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { Shell } from './shell.ts'

/** What is typed is not shown: for passwords and tokens. */
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
    // The question comes only now, in raw mode: before, the terminal would show what is typed.
    shell.warn(question)
    return (await answer).trim()
  } finally {
    asking.close()
  }
}
