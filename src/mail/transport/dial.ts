import { connect, isIP, type LookupFunction, type Socket } from 'node:net'

/**
 * Connecting to a mail server. Its name has been looked up and every address judged by the time somebody connects; a
 * name that is looked up again may lead elsewhere, so connections go to the addresses that were judged. The name stays
 * what it is for everything else: the certificate has to be made out to it.
 */

export interface Destination {
  host: string
  port: number
  /** Where the name leads, looked up and judged beforehand. Without it the system is asked. */
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
    // When several addresses were tried the error is a bundle without words of its own.
    const onError = (error: Error): void => fail(error instanceof AggregateError ? (error.errors.at(-1) as Error) : error)
    socket.once('error', onError)
    socket.once('connect', () => {
      clearTimeout(timer)
      socket.removeListener('error', onError)
      resolve(socket)
    })
  })
}
