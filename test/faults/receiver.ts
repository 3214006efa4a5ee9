import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'

/** A webhook receiver that believes nothing: it checks every signature with the public library, and remembers. */
export class Receiver {
  readonly #server: Server
  readonly #shouldFail: (seq: number, attempt: number) => boolean
  #secret: string | undefined
  /** How often each event has come, by its number. */
  readonly seen = new Map<number, number>()
  readonly bodies = new Map<number, string>()
  readonly problems: string[] = []

  private constructor(server: Server, shouldFail: (seq: number, attempt: number) => boolean) {
    this.#server = server
    this.#shouldFail = shouldFail
  }

  static async start(shouldFail: (seq: number, attempt: number) => boolean = () => false): Promise<Receiver> {
    const server = createServer((request, response) => {
      let body = ''
      request.setEncoding('utf8').on('data', text => {
        body += text
      })
      request.on('end', () => response.writeHead(receiver.#take(body, request.headers as Record<string, string>)).end())
      request.on('error', () => {})
    })
    const receiver = new Receiver(server, shouldFail)
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    return receiver
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`
  }

  useSecret(secret: string): void {
    this.#secret = secret
  }

  #take(body: string, headers: Record<string, string>): number {
    try {
      new Webhook(this.#secret!).verify(body, headers)
    } catch (error) {
      this.problems.push(`a signature does not verify: ${(error as Error).message}`)
      return 400
    }
    const { seq, id } = JSON.parse(body) as { seq: number; id: string }
    if (headers['webhook-id'] !== id) this.problems.push(`webhook-id ${headers['webhook-id']} is not the id ${id} of the event`)
    const before = this.bodies.get(seq)
    if (before !== undefined && before !== body) this.problems.push(`event ${seq} came with two different bodies`)
    this.bodies.set(seq, body)
    const attempt = (this.seen.get(seq) ?? 0) + 1
    this.seen.set(seq, attempt)
    return this.#shouldFail(seq, attempt) ? 500 : 204
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise(resolve => this.#server.close(resolve))
  }
}
