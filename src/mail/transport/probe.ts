import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { checkAddress } from '../compose/mime.ts'
import { dial } from './dial.ts'

/** Asks a mail server whether it knows a mailbox, without sending anything. */

interface ProbeInput {
  host: string
  /** The addresses of the host, looked up and checked beforehand. */
  addresses: readonly string[]
  address: string
  helloName: string
  from: string
  port?: number
  timeoutMs?: number
}

type ProbeAnswer = 'exists' | 'unknown_mailbox' | 'accepts_everything' | 'no_answer'

export async function probeRecipient(input: ProbeInput): Promise<ProbeAnswer> {
  const { host, addresses, port = 25, timeoutMs = 10_000 } = input
  const address = checkAddress(input.address, 'To')
  const domain = address.slice(address.lastIndexOf('@'))
  const socket = await dial({ host, port, addresses }, timeoutMs).catch(() => null)
  if (!socket) return 'no_answer'
  const timer = setTimeout(() => socket.destroy(), timeoutMs)
  try {
    const dialogue = new Dialogue(socket)
    const say = async (command: string | null) => {
      if (command !== null) socket.write(`${command}\r\n`)
      return await dialogue.answer()
    }
    if ((await say(null)) !== 220) return 'no_answer'
    if ((await say(`EHLO ${input.helloName.replace(/[^\w.[\]:-]/g, '')}`)) !== 250) return 'no_answer'
    if ((await say(`MAIL FROM:<${checkAddress(input.from, 'From')}>`)) !== 250) return 'no_answer'
    const known = await say(`RCPT TO:<${address}>`)
    // Only these say that the mailbox does not exist; other refusals are about us.
    if (known === 550 || known === 551 || known === 553) return 'unknown_mailbox'
    if (known !== 250 && known !== 251) return 'no_answer'
    const madeUp = await say(`RCPT TO:<${randomBytes(12).toString('hex')}${domain}>`)
    return madeUp === 250 ? 'accepts_everything' : 'exists'
  } catch {
    return 'no_answer'
  } finally {
    clearTimeout(timer)
    socket.end('QUIT\r\n')
    socket.destroySoon()
  }
}

const MAX_BUFFERED = 64 * 1024

class Dialogue {
  #buffered = ''
  #failure: Error | null = null
  #wake: (() => void) | null = null

  constructor(socket: Socket) {
    socket.on('data', chunk => {
      this.#buffered += chunk.toString('latin1')
      if (this.#buffered.length > MAX_BUFFERED) socket.destroy()
      this.#wake?.()
    })
    socket.on('error', error => this.#fail(error))
    socket.on('close', () => this.#fail(new Error('The server closed the connection')))
  }

  async answer(): Promise<number> {
    while (true) {
      const line = /^(?:\d{3}-[^\n]*\n)*(\d{3})(?: [^\n]*)?\r?\n/.exec(this.#buffered)
      if (line) {
        this.#buffered = this.#buffered.slice(line[0].length)
        return Number(line[1])
      }
      if (this.#failure) throw this.#failure
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    }
  }

  #fail(error: Error): void {
    this.#failure ??= error
    this.#wake?.()
  }
}
