import { connect, createServer, type Socket } from 'node:net'

/** Stands between clients and PostgreSQL. `join` passes on what each of the two says; when one leaves, the other is let go. */
export async function proxyPostgres(
  databaseUrl: string,
  join: (client: Socket, backend: Socket) => void,
): Promise<{ url: string; stop(): Promise<void> }> {
  // The address of a socket has no host, which is no URL to Node.
  const url = new URL(databaseUrl.replace('@/', '@localhost/'))
  const folder = url.searchParams.get('host')
  const port = Number(url.searchParams.get('port') ?? (url.port || 5432))
  const sockets = new Set<Socket>()
  const server = createServer(client => {
    const backend = folder ? connect(`${folder}/.s.PGSQL.${port}`) : connect(port, url.hostname)
    join(client, backend)
    for (const [socket, other] of [
      [client, backend],
      [backend, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => other.destroy())
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  url.searchParams.delete('host')
  url.searchParams.delete('port')
  url.host = `127.0.0.1:${(server.address() as { port: number }).port}`
  const stop = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy()
    await new Promise(resolve => server.close(resolve))
  }
  return { url: url.href, stop }
}
