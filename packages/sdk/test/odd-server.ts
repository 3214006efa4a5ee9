import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

export type Behaviour = (request: IncomingMessage, response: ServerResponse, body: string) => void

/** A real HTTP server that does to each request what the test says; the last behavior stays. */
export class OddServer {
  readonly baseUrl: string
  readonly seen: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] = []

  private constructor(baseUrl: string) {
    this.baseUrl = baseUrl
  }

  static async start(...behaviours: Behaviour[]): Promise<OddServer> {
    const server = createServer(async (request, response) => {
      let body = ''
      for await (const part of request) body += part
      const behave = behaviours[Math.min(odd.seen.length, behaviours.length - 1)]!
      odd.seen.push({ method: request.method!, url: request.url!, headers: request.headers, body })
      behave(request, response, body)
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    after(() => {
      server.closeAllConnections()
      server.close()
    })
    const odd = new OddServer(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    return odd
  }
}

export const answer =
  (status: number, body: unknown = {}, headers: Record<string, string> = {}): Behaviour =>
  (_, response) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'request-1', ...headers }).end(text)
  }

export const refuse = (status: number, code: string, headers: Record<string, string> = {}): Behaviour =>
  answer(status, { error: { code, message: code, requestId: 'request-1', details: null } }, headers)

/** The connection is cut without an answer. */
export const hangUp: Behaviour = request => void request.socket.destroy()

/** The answer begins and never ends. */
export const breakOff: Behaviour = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
  response.write('{"data":')
  setImmediate(() => response.destroy())
}

export const staySilent: Behaviour = () => {}
