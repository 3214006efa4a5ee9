import { connect, isIP, type LookupFunction, type Socket } from 'node:net'

/**
 * Connecting to a mail server. Its name has been looked up and every address checked before the connection is made. A
 * second lookup could return another address, so we connect to the addresses that were checked. The name is still
 * needed: the certificate must be for it.
 */

export interface Destination {
  host: string
  port: number
  /** The addresses of the name, looked up and checked beforehand. Without them, the system looks the name up. */
  addresses?: readonly string[] | undefined
}

/** An address that keeps silent gives way to the next one after this long. */
const ATTEMPT_MS = 3000

/** For `connect` of `node:net` or `node:tls`: the addresses are tried one after the other, both families in turn. */
export function dialOptions({ addresses }: Pick<Destination, 'addresses'>, timeoutMs: number) {
  const tried = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: attemptMs(addresses?.length ?? 2, timeoutMs) }
  return addresses === undefined ? tried : { ...tried, lookup: answerWith(addresses) }
}

const attemptMs = (count: number, timeoutMs: number): number =>
  Math.max(10, Math.min(ATTEMPT_MS, Math.floor(timeoutMs / Math.max(1, count))))

function answerWith(addresses: readonly string[]): LookupFunction {
  const entries = addresses.map(address => ({ address, family: isIP(address) }))
  return (hostname, options, callback) => {
    const [first] = entries
    if (!first) callback(Object.assign(new Error(`no address for ${hostname}`), { code: 'ENOTFOUND' }), '', 0)
    else if (options.all) callback(null, entries)
    else callback(null, first.address, first.family)
  }
}

/** A connected socket, from the first address that answers. The caller must listen for its errors from then on. */
export function dial(to: Destination, timeoutMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: to.host, port: to.port, noDelay: true, ...dialOptions(to, timeoutMs) })
    const fail = (error: Error): void => {
      clearTimeout(timer)
      socket.destroy()
      reject(error)
    }
    const timer = setTimeout(() => fail(Object.assign(new Error(`Port ${to.port} does not answer`), { code: 'ETIMEDOUT' })), timeoutMs)
    // When several addresses were tried, the error is an AggregateError without a message.
    const onError = (error: Error): void => fail(error instanceof AggregateError ? (error.errors.at(-1) as Error) : error)
    socket.once('error', onError)
    socket.once('connect', () => {
      clearTimeout(timer)
      socket.removeListener('error', onError)
      resolve(socket)
    })
  })
}
