import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface SwallowingProxy {
  baseUrl: string
  /** The next request of this method to such a path reaches the service and is carried out; its response gets lost, and this status is said. */
  swallow(method: string, path: RegExp, status: number): void
  close(): Promise<void>
}

/** Like a proxy in production: it forwards everything, and sometimes loses a response. */
export async function startSwallowingProxy(target: string): Promise<SwallowingProxy> {
  const { hostname, port } = new URL(target)
  let lost: { method: string; path: RegExp; status: number } | null = null
  const isLost = ({ method, url = '' }: IncomingMessage): boolean =>
    lost !== null && method === lost.method && lost.path.test(url.split('?')[0]!)
  const server = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming
    const status = isLost(incoming) ? lost!.status : null
    if (status !== null) lost = null
    const onward = request({ hostname, port, method, path, headers }, answer => {
      if (status === null) {
        outgoing.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(outgoing)
        return
      }
      answer.resume().on('end', () => outgoing.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>'))
    })
    onward.on('error', () => outgoing.destroy())
    outgoing.on('close', () => onward.destroy())
    incoming.pipe(onward)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    swallow: (method, path, status) => {
      lost = { method, path, status }
    },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
