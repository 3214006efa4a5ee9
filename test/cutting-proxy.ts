import type { Socket } from 'node:net'
import { proxyPostgres } from './postgres-proxy.ts'

/**
 * Stands between a client and PostgreSQL and lets one response get lost: the server has carried out a statement and committed
 * it, and the connection of the client is cut before it hears of that.
 */
export class CuttingProxy {
  /** How many answers were lost. */
  cuts = 0
  readonly #text: string
  readonly #until: 'statement' | 'commit'
  #stop: (() => Promise<void>) | undefined

  private constructor(text: string, until: 'statement' | 'commit') {
    this.#text = text
    this.#until = until
  }

  /** Cuts once: after a statement with this text that changed something or, where it is part of more, after its `commit`. */
  static async start(databaseUrl: string, text: string, until: 'statement' | 'commit'): Promise<{ proxy: CuttingProxy; url: string }> {
    const proxy = new CuttingProxy(text, until)
    const { url, stop } = await proxyPostgres(databaseUrl, (client, backend) => proxy.#join(client, backend))
    proxy.#stop = stop
    return { proxy, url }
  }

  #join(client: Socket, backend: Socket): void {
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
  }

  async stop(): Promise<void> {
    await this.#stop?.()
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
