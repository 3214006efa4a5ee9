import ipaddr from 'ipaddr.js'

// Allowed even locally is only what a receiver can sensibly live at. Link-local is never on the list, and neither are
// shared address space and what is reserved: clouds give their credentials to any client that asks there.
const LOCAL_RANGES: ReadonlySet<string> = new Set(['unicast', 'loopback', 'private', 'uniqueLocal'])

/** Where clouds do the same at an address that is like any other, public or private. */
const METADATA: readonly [ipaddr.IPv4 | ipaddr.IPv6, number][] = [
  ...['168.63.129.16/32'], // Azure
  ...['169.254.0.0/16', '100.100.100.200/32', '192.0.0.192/32'], // nearly all, Alibaba, Oracle: refused by their range, too
  ...['fd00:ec2::/32', 'fd20:ce::/64', 'fd00:c1::/32', 'fd00:42::42/128'], // AWS, Google, Oracle, Scaleway
].map(block => ipaddr.parseCIDR(block))
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/** Judges one address. What embeds an IPv4 address (mapped, NAT64, 6to4, Teredo) is a range of its own, and refused. */
export function isAllowedAddress(address: string, allowLocal: boolean): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  if (METADATA.some(([block, bits]) => parsed.kind() === block.kind() && parsed.match(block, bits))) return false
  const range = parsed.range()
  if (range === 'unicast') {
    // The library calls everything unicast that it has no other name for; of IPv6 only 2000::/3 is given out.
    return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(GLOBAL_UNICAST)
  }
  return allowLocal && LOCAL_RANGES.has(range)
}

const LOCAL_SUFFIXES = ['localhost', 'local', 'internal', 'intranet', 'lan', 'home', 'corp', 'localdomain', 'home.arpa']

/** A name that only a local network knows. */
export function isLocalName(hostname: string): boolean {
  return !hostname.includes('.') || LOCAL_SUFFIXES.some(suffix => hostname === suffix || hostname.endsWith(`.${suffix}`))
}
