import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'

/**
 * An SMTP server that a test controls: it responds, stays silent, or closes the connection at any point of the dialog.
 * It behaves correctly by default.
 */

export type ScriptedPoint = 'GREETING' | 'EHLO' | 'STARTTLS' | 'AUTH' | 'MAIL' | 'RCPT' | 'DATA' | 'BODY' | 'DOT' | 'RSET' | 'QUIT'

/** The response line, or another action. `hold`: responds when the test calls `release`. */
export type ScriptedAnswer = string | 'drop' | 'hang' | 'hold'

export class ScriptedSmtp {
  /** Asked before each response; undefined means the usual response. `turn` counts the calls for this point, from 1. */
  script: (point: ScriptedPoint, line: string, turn: number) => ScriptedAnswer | undefined
  /** The messages whose final dot arrived, accepted or not. */
  readonly received: string[] = []
  readonly commands: string[] = []
  connectionCount = 0
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  readonly #held: Socket[] = []
  readonly #turns = new Map<ScriptedPoint, number>()

  private constructor(script: ScriptedSmtp['script']) {
    this.script = script
    this.#server = createServer(socket => this.#serve(socket))
  }

  static async start(script: ScriptedSmtp['script'] = () => undefined): Promise<ScriptedSmtp> {
    const server = new ScriptedSmtp(script)
    await new Promise<void>(resolve => server.#server.listen(0, '127.0.0.1', resolve))
    return server
  }

  get port(): number {
    return (this.#server.address() as { port: number }).port
  }

  /** Gives the response that all held commands wait for. */
  release(answer: string): void {
    for (const socket of this.#held.splice(0)) socket.write(`${answer}\r\n`)
  }

  /** Sends an unexpected line on all connections. Done when the clients have closed them. */
  async say(line: string): Promise<void> {
    const over = [...this.#sockets].map(socket => once(socket, 'close'))
    for (const socket of this.#sockets) socket.write(`${line}\r\n`)
    await Promise.all(over)
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise<void>(resolve => this.#server.close(() => resolve()))
  }

  #serve(socket: Socket): void {
    this.connectionCount += 1
    this.#sockets.add(socket)
    socket.on('close', () => this.#sockets.delete(socket))
    socket.on('error', () => {})
    let body: string | null = null
    let hasRecipient = false
    let buffered = ''
    this.#answer(socket, 'GREETING', '', '220 test ESMTP')
    socket.on('data', chunk => {
      buffered += chunk.toString('latin1')
      while (true) {
        if (body !== null) {
          if (!this.#answer(socket, 'BODY', '', '')) return
          const end = buffered.startsWith('.\r\n') ? 0 : buffered.indexOf('\r\n.\r\n')
          if (end < 0) return
          this.received.push(buffered.slice(0, end))
          buffered = buffered.slice(end + (end === 0 ? 3 : 5))
          body = null
          if (!this.#answer(socket, 'DOT', '', '250 2.0.0 queued')) return
          continue
        }
        const end = buffered.indexOf('\r\n')
        if (end < 0) return
        const line = buffered.slice(0, end)
        buffered = buffered.slice(end + 2)
        this.commands.push(line)
        const verb = line.split(/[ :]/)[0]?.toUpperCase() ?? ''
        const usual: Record<string, string> = {
          EHLO: '250-test\r\n250-AUTH PLAIN\r\n250 ENHANCEDSTATUSCODES',
          STARTTLS: '502 5.5.1 not implemented',
          AUTH: '235 2.7.0 welcome',
          DATA: hasRecipient ? '354 go ahead' : '503 5.5.1 no recipient',
          QUIT: '221 bye',
        }
        if (!this.#answer(socket, verb as ScriptedPoint, line, usual[verb] ?? '250 2.0.0 ok')) return
        if (verb === 'RCPT') hasRecipient = this.#last.startsWith('2')
        if (verb === 'DATA' && this.#last.startsWith('354')) body = ''
        if (verb === 'QUIT') socket.end()
      }
    })
  }

  #last = ''

  #answer(socket: Socket, point: ScriptedPoint, line: string, usual: string): boolean {
    const turn = (this.#turns.get(point) ?? 0) + 1
    this.#turns.set(point, turn)
    const answer = this.script(point, line, turn) ?? usual
    this.#last = answer
    if (answer === 'drop') {
      socket.destroy()
      return false
    }
    if (answer === 'hold') {
      this.#held.push(socket)
      return false
    }
    if (answer === 'hang') {
      socket.removeAllListeners('data')
      socket.resume()
      return false
    }
    if (answer !== '') socket.write(`${answer}\r\n`)
    return true
  }
}
