import { Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'

interface Service {
  name: string
  port: number
}

/** Responses of the name system. A name without records is an empty list; no response at all is an error. */
export interface Dns {
  addresses(name: string): Promise<string[]>
  /** The mail servers of a domain, the preferred first. */
  mailServers(domain: string): Promise<string[]>
  /** Whether the domain accepts no mail at all: a single MX record with an empty name (RFC 7505). */
  refusesMail(domain: string): Promise<boolean>
  /** The hosts of a service such as `_imaps._tcp.example.com`, the preferred ones first. */
  services(name: string): Promise<Service[]>
  texts(name: string): Promise<string[]>
  aliases(name: string): Promise<string[]>
  names(address: string): Promise<string[]>
}

const NOT_THERE = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

async function found<T>(asked: Promise<T[]>): Promise<T[]> {
  try {
    return await asked
  } catch (error) {
    if (NOT_THERE.has((error as { code?: string }).code ?? '')) return []
    throw error
  }
}

/** Uses these servers (`127.0.0.1:5353`), or those of the system. Every query ends within a few seconds. */
export function openDns(servers: readonly string[] = []): Dns {
  const resolver = new Resolver({ timeout: 1500, tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)
  return {
    async addresses(name) {
      const answers = await Promise.allSettled([found(resolver.resolve4(name)), found(resolver.resolve6(name))])
      const addresses = answers.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []))
      const failed = answers.find(answer => answer.status === 'rejected')
      // Some name servers answer for only one of the two families.
      if (failed && addresses.length === 0) throw failed.reason
      return addresses
    },
    mailServers: async domain =>
      (await found(resolver.resolveMx(domain)))
        .sort((a, b) => a.priority - b.priority)
        .map(({ exchange }) => exchange.toLowerCase())
        // A single dot means that the domain accepts no mail.
        .filter(exchange => exchange !== '' && exchange !== '.'),
    refusesMail: async domain => {
      const exchanges = await found(resolver.resolveMx(domain))
      return exchanges.length > 0 && exchanges.every(({ exchange }) => exchange === '' || exchange === '.')
    },
    services: async name =>
      (await found(resolver.resolveSrv(name)))
        .sort((a, b) => a.priority - b.priority || b.weight - a.weight)
        .filter(service => service.name !== '' && service.name !== '.')
        .map(service => ({ name: service.name, port: service.port })),
    texts: async name => (await found(resolver.resolveTxt(name))).map(parts => parts.join('')),
    aliases: async name => (await found(resolver.resolveCname(name))).map(alias => alias.toLowerCase()),
    names: async address => (await found(resolver.resolvePtr(reverseZone(address)))).map(name => name.toLowerCase()),
  }
}

export const noAddress = (hostname: string): Error => Object.assign(new Error(`no address for ${hostname}`), { code: 'ENOTFOUND' })

/** The name resolution of a socket: it connects to these addresses, and the system looks no name up. */
export function lookupIn(addressesOf: (hostname: string) => Promise<readonly string[]>): LookupFunction {
  return (hostname, options, callback) => {
    addressesOf(hostname).then(
      addresses => {
        const entries = addresses.map(address => ({ address, family: isIP(address) }))
        const wanted = options.family ? entries.filter(entry => `${options.family}`.endsWith(`${entry.family}`)) : entries
        const [first] = wanted
        if (!first) callback(noAddress(hostname), '', 0)
        else if (options.all) callback(null, wanted)
        else callback(null, first.address, first.family)
      },
      error => callback(error as NodeJS.ErrnoException, '', 0),
    )
  }
}

/** The DNS name at which the name of an address is published. */
export function reverseZone(address: string): string {
  if (isIP(address) === 4) return `${address.split('.').reverse().join('.')}.in-addr.arpa`
  const [head = '', tail = ''] = address.split('::')
  const [left, right] = [head, tail].map(part => part.split(':').filter(Boolean))
  const zeros = Array.from({ length: 8 - left!.length - right!.length }, () => '0')
  const groups = [...left!, ...zeros, ...right!].map(group => group.padStart(4, '0'))
  return `${groups.join('').split('').reverse().join('.')}.ip6.arpa`
}
