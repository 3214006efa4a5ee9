import { isIP } from 'node:net'
import { type Dns, reverseZone } from '../../lib/dns.ts'
import { finding, isAligned, worstOf } from './findings.ts'
import type { Finding } from './schema.ts'
import type { SendingDomain } from './spf.ts'

/** Of many servers or addresses only the first few are checked. */
const MOST_LOOKED_AT = 4

/** Whether replies can arrive: at the domain of the sender, and at the domain of `replyTo`. */
export async function checkMx(dns: Dns, domains: readonly string[]): Promise<Finding> {
  const findings = await Promise.all([...new Set(domains)].map(domain => checkOneMx(dns, domain)))
  return findings.find(({ status }) => status === worstOf(findings))!
}

async function checkOneMx(dns: Dns, domain: string): Promise<Finding> {
  const advice = `Publish the MX records that the hosting provider of ${domain} specifies.`
  if (await dns.refusesMail(domain)) return finding('fail', `${domain} declares that it accepts no mail (a null MX record).`, { advice })
  const servers = await dns.mailServers(domain)
  if (servers.length === 0) {
    if ((await dns.addresses(domain)).length === 0) return finding('fail', `${domain} has no MX record and no address.`, { advice })
    return finding(
      'warn',
      `${domain} has no MX record. Senders then try the address of the domain itself, and few mail servers run there.`,
      { advice },
    )
  }
  const looked = servers.slice(0, MOST_LOOKED_AT)
  const addresses = await Promise.all(looked.map(server => dns.addresses(server)))
  const listed = looked.join(', ')
  if (addresses.every(found => found.length === 0)) {
    return finding('fail', `The mail servers of ${domain} have no address: ${listed}.`, { advice })
  }
  return finding('pass', `${domain} receives mail at ${listed}.`)
}

/** A hosting provider takes care of its own addresses. Your own server needs a name that leads back to its address. */
export async function checkReverseName(dns: Dns, { domain, smtpHost, hoster }: SendingDomain): Promise<Finding> {
  if (hoster) return finding('pass', `${hoster.name} sends from its own servers, and their reverse names are correct.`)
  const addresses = isIP(smtpHost) ? [smtpHost] : (await dns.addresses(smtpHost)).slice(0, MOST_LOOKED_AT)
  if (addresses.length === 0) return finding('unknown', `${smtpHost} has no address in public DNS.`)
  const nameless: string[] = []
  const confirmed: string[] = []
  for (const address of addresses) {
    const name = await findOwnName(dns, address)
    if (name === null) nameless.push(address)
    else confirmed.push(`${address} is ${name}`)
  }
  if (nameless.length === 0) return finding('pass', `${confirmed.join(', ')}, and the name resolves to the same address.`)
  const [address] = nameless
  const advice = `Ask the owner of the address (the hosting provider of the server, often in its console) to set its reverse name to ${isIP(smtpHost) ? 'the name of the server' : smtpHost}.`
  const record = isIP(smtpHost) ? null : ({ type: 'PTR', name: reverseZone(address!), value: smtpHost } as const)
  // On the server of somebody else, we cannot know whether mail leaves from this address.
  const status = isIP(smtpHost) || isAligned(smtpHost, domain) ? 'fail' : 'warn'
  return finding(status, `${address} has no reverse name that resolves to it.`, { advice, record })
}

/** The name of the address whose own address is that one again; null when there is none. */
async function findOwnName(dns: Dns, address: string): Promise<string | null> {
  for (const name of (await dns.names(address)).slice(0, MOST_LOOKED_AT)) {
    if ((await dns.addresses(name)).includes(address)) return name
  }
  return null
}
