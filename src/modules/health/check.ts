import { isIP } from 'node:net'
import type { Context } from '../../context/context.ts'
import { type Dns, reverseZone } from '../../lib/dns.ts'
import { domainOf } from '../../lib/email.ts'
import { publicNameOf } from '../../lib/public-address.ts'
import { within } from '../../lib/time.ts'
import { hosterOfSmtpServer, isFreeMail } from '../../mail/transport/hosters.ts'
import type { ProviderRow } from '../mailboxes/queries.ts'
import { checkDmarc } from './dmarc.ts'
import { finding, isAligned, worstOf } from './findings.ts'
import { findHostInUse, type HostInUse } from './queries.ts'
import type { Check, Finding } from './schema.ts'
import { AnswerTooLarge, checkSpf, type SendingDomain } from './spf.ts'

/** A longer check is ended: each DNS query has a timeout, but a record can cause many. */
const CHECK_MS = 20_000

/** All checks that use DNS. `dkim` cannot be checked with DNS, so it is passed in. */
export async function checkDomain(ctx: Context, mailbox: ProviderRow, dkim: Finding): Promise<Check[]> {
  const { dns } = ctx
  const domain = domainOf(mailbox.fromEmail)
  const smtpHost = (mailbox.settings.smtp?.host ?? '').toLowerCase()
  const sending = { domain, smtpHost, hoster: hosterOfSmtpServer(smtpHost), isForeign: isFreeMail(domain) }
  const replyDomain = domainOf(mailbox.replyTo ?? mailbox.fromEmail)
  const [spf, dmarc, mx, reverseName] = await Promise.all([
    answered(ctx, checkSpf(dns, sending)),
    answered(ctx, checkDmarc(dns, sending)),
    answered(ctx, checkMx(dns, [domain, replyDomain])),
    answered(ctx, checkReverseName(dns, sending)),
  ])
  return [
    { check: 'spf', ...spf },
    { check: 'dkim', ...dkim },
    { check: 'dmarc', ...dmarc },
    { check: 'mx', ...mx },
    { check: 'reverse_name', ...reverseName },
    { check: 'tracking_host', ...checkLinks(domain, ctx.config.baseUrl, await findHostInUse(ctx.db, mailbox.workspaceId)) },
  ]
}

/** Name servers that do not respond, or respond with too much data, say nothing about the domain. */
async function answered({ log }: Pick<Context, 'log'>, asked: Promise<Finding>): Promise<Finding> {
  const tooLong = (): Error => Object.assign(new Error('the name servers take too long'), { code: 'ETIMEOUT' })
  try {
    return await within(CHECK_MS, asked, tooLong)
  } catch (error) {
    if (error instanceof AnswerTooLarge) return finding('unknown', error.message)
    const { code } = error as { code?: unknown }
    if (typeof code !== 'string') throw error
    log.info({ err: error }, 'a name server did not respond')
    return finding('unknown', 'The name servers of the domain did not respond.', 'Check again later.')
  }
}

/** Whether the links in messages lead to the domain of the sender. */
function checkLinks(domain: string, baseUrl: string, used: HostInUse | undefined): Finding {
  const target = publicNameOf(baseUrl)
  if (used?.status === 'failing') {
    return finding('fail', `The tracking domain ${used.host} does not work: ${used.reason}`, 'Emails with links wait until it works.')
  }
  const host = used?.host ?? target
  if (host === null) {
    return finding(
      'unknown',
      'This installation has no public host name yet, so links in emails do not work from outside.',
      'An administrator has to set OVERTURE_BASE_URL.',
    )
  }
  if (isAligned(host.split(':')[0]!, domain)) return finding('pass', `Links in emails lead to ${host}.`)
  const advice = 'Set your own tracking domain, and publish this record for it.'
  const record = isFreeMail(domain) || target === null ? null : ({ type: 'CNAME', name: `go.${domain}`, value: target } as const)
  return finding('warn', `Links in emails lead to ${host}, which does not belong to ${domain}.`, { advice, record })
}

/** Of many servers or addresses only the first few are checked. */
const MOST_LOOKED_AT = 4

/** Whether replies can arrive: at the domain of the sender, and at the domain of `replyTo`. */
export async function checkMx(dns: Dns, domains: readonly string[]): Promise<Finding> {
  const findings = await Promise.all([...new Set(domains)].map(domain => checkOneMx(dns, domain)))
  return findings.find(({ status }) => status === worstOf(findings))!
}

async function checkOneMx(dns: Dns, domain: string): Promise<Finding> {
  const advice = `Publish the MX records that the hosting provider of ${domain} specifies.`
  if (await dns.refusesMail(domain)) return finding('fail', `${domain} declares that it accepts no mail (a null MX record).`, advice)
  const servers = await dns.mailServers(domain)
  if (servers.length === 0) {
    if ((await dns.addresses(domain)).length === 0) return finding('fail', `${domain} has no MX record and no address.`, advice)
    const found = `${domain} has no MX record. Senders then try the address of the domain itself, and few mail servers run there.`
    return finding('warn', found, advice)
  }
  const looked = servers.slice(0, MOST_LOOKED_AT)
  const addresses = await Promise.all(looked.map(server => dns.addresses(server)))
  const listed = looked.join(', ')
  if (addresses.every(found => found.length === 0)) {
    return finding('fail', `The mail servers of ${domain} have no address: ${listed}.`, advice)
  }
  return finding('pass', `${domain} receives mail at ${listed}.`)
}

/** A hosting provider takes care of its own addresses. Your own server needs a name that leads back to its address. */
export async function checkReverseName(dns: Dns, { domain, smtpHost, hoster }: SendingDomain): Promise<Finding> {
  if (hoster) return finding('pass', `${hoster.name} sends from its own servers, and their reverse DNS records are correct.`)
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
  const advice = `Ask the owner of the address (the hosting provider of the server, often in its console) to set its reverse DNS (PTR) record to ${isIP(smtpHost) ? 'the name of the server' : smtpHost}.`
  const record = isIP(smtpHost) ? null : ({ type: 'PTR', name: reverseZone(address!), value: smtpHost } as const)
  // On a third-party server, we cannot know whether mail is sent from this address.
  const status = isIP(smtpHost) || isAligned(smtpHost, domain) ? 'fail' : 'warn'
  return finding(status, `${address} has no reverse DNS (PTR) record whose name resolves to it.`, { advice, record })
}

/** The name of the address whose own address is that one again; null when there is none. */
async function findOwnName(dns: Dns, address: string): Promise<string | null> {
  for (const name of (await dns.names(address)).slice(0, MOST_LOOKED_AT)) {
    if ((await dns.addresses(name)).includes(address)) return name
  }
  return null
}
