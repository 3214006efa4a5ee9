import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { noAddress, openDns } from './dns.ts'

// Only ranges where a receiver can reasonably be are allowed, even locally. Link-local, shared and reserved addresses are never allowed:
// there, clouds give their credentials to any client.
const LOCAL_RANGES: ReadonlySet<string> = new Set(['unicast', 'loopback', 'private', 'uniqueLocal'])

/** Addresses in other ranges where clouds give credentials, too. */
const METADATA: readonly [ipaddr.IPv4 | ipaddr.IPv6, number][] = [
  ...['168.63.129.16/32'], // Azure
  ...['169.254.0.0/16', '100.100.100.200/32', '192.0.0.192/32'], // nearly all, Alibaba, Oracle: refused by their range, too
  ...['fd00:ec2::/32', 'fd20:ce::/64', 'fd00:c1::/32', 'fd00:42::42/128'], // AWS, Google, Oracle, Scaleway
].map(block => ipaddr.parseCIDR(block))
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/** Checks one address. Addresses that embed an IPv4 address (mapped, NAT64, 6to4, Teredo) are ranges of their own, and refused. */
export function isAllowedAddress(address: string, allowLocal: boolean): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  if (METADATA.some(([block, bits]) => parsed.kind() === block.kind() && parsed.match(block, bits))) return false
  const range = parsed.range()
  if (range === 'unicast') {
    // The library returns "unicast" for every range without a name of its own; in IPv6, only 2000::/3 is assigned.
    return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(GLOBAL_UNICAST)
  }
  return allowLocal && LOCAL_RANGES.has(range)
}

const LOCAL_SUFFIXES = ['localhost', 'local', 'internal', 'intranet', 'lan', 'home', 'corp', 'localdomain', 'home.arpa']

export const isLocalName = (hostname: string): boolean =>
  !hostname.includes('.') || LOCAL_SUFFIXES.some(suffix => hostname === suffix || hostname.endsWith(`.${suffix}`))

export type Resolve = (hostname: string) => Promise<string[]>

const dns = openDns()

/**
 * Public names are resolved by asking the name servers over a socket. The resolver of the system uses one of four threads, so a few slow
 * names would block all others. Local names need the resolver of the system (the hosts file).
 */
export const resolverFor =
  (allowLocal: boolean): Resolve =>
  async hostname => {
    if (allowLocal) return (await lookup(hostname, { all: true })).map(entry => entry.address)
    const addresses = await dns.addresses(hostname)
    if (addresses.length === 0) throw noAddress(hostname)
    return addresses
  }

/** The name of the installation, where it has one that others can look up. */
export function publicNameOf(baseUrl: string): string | null {
  const host = baseUrl === '' ? '' : new URL(baseUrl).hostname.toLowerCase()
  return host === '' || host.startsWith('[') || isIP(host) !== 0 || isLocalName(host) ? null : host
}
