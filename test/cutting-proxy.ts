import { connect, createServer, type Server, type Socket } from 'node:net'

/**
 * Stands between a client and PostgreSQL and lets one answer get lost: the server has carried out a statement and committed
 * it, and the connection of the client is cut before it hears of that.
 */
export class CuttingProxy {
  /** How many answers were lost. */
  cuts = 0
  readonly #text: string
  readonly #until: 'statement' | 'commit'
  readonly #open: () => Socket
  readonly #sockets = new Set<Socket>()
  #server: Server | undefined

  private constructor(text: string, until: 'statement' | 'commit', open: () => Socket) {
    this.#text = text
    this.#until = until
    this.#open = open
  }

  /** Cuts once: after a statement with this text that changed something or, where it is part of more, after its `commit`. */
  static async start(databaseUrl: string, text: string, until: 'statement' | 'commit'): Promise<{ proxy: CuttingProxy; url: string }> {
    // The address of a socket has no host, which is no URL to Node.
    const url = new URL(databaseUrl.replace('@/', '@localhost/'))
    const folder = url.searchParams.get('host')
    const port = Number(url.searchParams.get('port') ?? (url.port || 5432))
    const proxy = new CuttingProxy(text, until, () => (folder ? connect(`${folder}/.s.PGSQL.${port}`) : connect(port, url.hostname)))
    const server = createServer(client => proxy.#join(client))
    proxy.#server = server
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    url.searchParams.delete('host')
    url.searchParams.delete('port')
    url.host = `127.0.0.1:${(server.address() as { port: number }).port}`
    return { proxy, url: url.href }
  }

  #join(client: Socket): void {
    const backend = this.#open()
    const names = new Set<string>()
    let hasRun = false
    let isAwaited = false
    let answer: Buffer[] = []
    client.on('data', chunk => {
      for (const { type, body } of messagesOf(chunk)) {
        const [first = '', second = ''] = body.toString('latin1').split('\0', 2)
        if (type === 'P' && body.includes(this.#text)) names.add(first)
        if (type === 'B' && names.has(second)) hasRun = true
        if (type === 'Q' && first === 'rollback') hasRun = false
        if (hasRun && this.cuts === 0) isAwaited = this.#until === 'statement' ? true : type === 'Q' && first === 'commit'
      }
      backend.write(chunk)
    })
    backend.on('data', chunk => {
      if (!isAwaited || this.cuts > 0) return void client.write(chunk)
      answer.push(chunk)
      const whole = Buffer.concat(answer)
      if (!isComplete(whole)) return
      answer = []
      isAwaited = false
      hasRun = false
      // A claim that found nothing is not worth losing.
      if (whole.includes('UPDATE 0\0')) return void client.write(whole)
      this.cuts++
      client.destroy()
      backend.end()
    })
    for (const [socket, other] of [
      [client, backend],
      [backend, client],
    ] as const) {
      this.#sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => other.destroy())
    }
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise(resolve => this.#server?.close(resolve))
  }
}

/** The messages of a client, as far as they begin where the chunk does. The very first one has no type and is passed over. */
function* messagesOf(chunk: Buffer): Generator<{ type: string; body: Buffer }> {
  for (let at = 0; at + 5 <= chunk.length; ) {
    const type = String.fromCharCode(chunk[at]!)
    const length = chunk.readUInt32BE(at + 1)
    if (!/[A-Za-z]/.test(type) || at + 1 + length > chunk.length) return
    yield { type, body: chunk.subarray(at + 5, at + 1 + length) }
    at += 1 + length
  }
}

/** The server says `Z` when it is done and ready for more. */
const isComplete = (answer: Buffer): boolean => answer.length >= 6 && answer.subarray(-6, -1).equals(Buffer.from([0x5a, 0, 0, 0, 5]))
