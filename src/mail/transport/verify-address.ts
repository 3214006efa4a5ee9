import { randomBytes } from 'node:crypto'
import { disposableEmailBlocklistSet } from 'disposable-email-domains-js'
import { parse as parseDomain } from 'tldts'
import type { Dns } from '../../lib/dns.ts'
import { domainOf, isEmail } from '../../lib/email.ts'
import { allowedAddressesOf } from '../../lib/safe-fetch.ts'
import { checkAddress } from '../compose/mime.ts'
import { dial } from './dial.ts'
import { typeOfAddress } from './hosters.ts'
import { isPolicyRefusal } from './refusal.ts'
import { refusalOf, SmtpDialogue } from './smtp-dialogue.ts'

/**
 * Checks whether an address can receive mail, with the cheapest check first. A check that could not run gives
 * `unknown`: a name server that is down tells nothing about the address.
 */

interface AddressFinding {
  status: 'valid' | 'invalid' | 'accept_all' | 'unknown'
  type: 'work' | 'personal' | 'role'
  /** The finding that decided the status. */
  reason:
    | 'syntax'
    | 'reserved_domain'
    | 'unknown_suffix'
    | 'dns_failed'
    | 'null_mx'
    | 'no_mail_server'
    | 'disposable'
    | 'mail_server_found'
    | 'probe_failed'
    | 'mailbox_exists'
    | 'mailbox_unknown'
    | 'accepts_everything'
}

/** The questions that the checks ask the name system. */
export type MailDns = Pick<Dns, 'mailServers' | 'refusesMail' | 'addresses'>

interface Probe {
  helloName: string
  from: string
  timeoutMs?: number
  port?: number
  /** Also allows servers on our own machine or network. Off by default, because strangers write the records of a domain. */
  allowLocal?: boolean
}

export interface AddressChecks {
  dns: MailDns
  /** Asks the recipient's server for the mailbox. Off by default, because many servers dislike such requests. */
  probe?: Probe | undefined
}

let blocklist: Set<string> | undefined
const RESERVED = /(^|\.)(example|test|invalid|localhost|example\.(com|net|org))$/

export async function verifyAddress(address: string, { dns, probe }: AddressChecks): Promise<AddressFinding> {
  if (!isEmail(address)) return { status: 'invalid', type: 'work', reason: 'syntax' }
  const domain = domainOf(address)
  const type = typeOfAddress(address, domain)
  const end = (status: AddressFinding['status'], reason: AddressFinding['reason']): AddressFinding => ({ status, type, reason })
  if (RESERVED.test(domain)) return end('invalid', 'reserved_domain')
  const suffix = parseDomain(domain)
  if (!suffix.domain || !(suffix.isIcann || suffix.isPrivate)) return end('invalid', 'unknown_suffix')
  const found = await findMailServer(domain, dns).catch(() => 'dns_failed' as const)
  if (found === 'dns_failed') return end('unknown', found)
  if (found === 'null_mx' || found === 'no_mail_server') return end('invalid', found)
  // The library builds the set again at every call.
  blocklist ??= disposableEmailBlocklistSet()
  if (blocklist.has(domain) || blocklist.has(suffix.domain)) return end('invalid', 'disposable')
  if (!probe) return end('valid', 'mail_server_found')
  const rules = { allowLocal: probe.allowLocal ?? false, resolve: dns.addresses }
  const addresses = await allowedAddressesOf(found.host, rules).catch(() => [])
  if (addresses.length === 0) return end('unknown', 'probe_failed')
  const answer = await probeRecipient({ host: found.host, addresses, address, ...probe })
  if (answer === 'exists') return end('valid', 'mailbox_exists')
  if (answer === 'unknown_mailbox') return end('invalid', 'mailbox_unknown')
  return answer === 'accepts_everything' ? end('accept_all', answer) : end('unknown', 'probe_failed')
}

async function findMailServer(domain: string, dns: MailDns): Promise<{ host: string } | 'null_mx' | 'no_mail_server'> {
  const [host] = await dns.mailServers(domain)
  if (host !== undefined) return { host }
  if (await dns.refusesMail(domain)) return 'null_mx'
  // RFC 5321 5.1: without MX records the domain's own address takes its mail.
  return (await dns.addresses(domain)).length > 0 ? { host: domain } : 'no_mail_server'
}

interface ProbeInput extends Probe {
  host: string
  /** The addresses of the host, looked up and checked beforehand. */
  addresses: readonly string[]
  address: string
}

type ProbeAnswer = 'exists' | 'unknown_mailbox' | 'accepts_everything' | 'no_answer'

/** Asks a mail server whether it knows a mailbox, without sending anything. */
export async function probeRecipient(input: ProbeInput): Promise<ProbeAnswer> {
  const { host, addresses, port = 25, timeoutMs = 10_000 } = input
  const socket = await dial({ host, port, addresses }, timeoutMs).catch(() => null)
  if (!socket) return 'no_answer'
  const dialogue = new SmtpDialogue(socket, timeoutMs)
  const timer = setTimeout(() => dialogue.abort(), timeoutMs)
  try {
    const answer = await askFor(dialogue, input)
    dialogue.endOpening()
    return answer
  } catch {
    return 'no_answer'
  } finally {
    clearTimeout(timer)
    dialogue.close()
  }
}

async function askFor(dialogue: SmtpDialogue, input: ProbeInput): Promise<ProbeAnswer> {
  const [from, address] = [checkAddress(input.from, 'From'), checkAddress(input.address, 'To')]
  if (!(await dialogue.greeting()).startsWith('220')) return 'no_answer'
  if (!(await dialogue.ask(`EHLO ${input.helloName.replace(/[^\w.[\]:-]/g, '')}`)).startsWith('250')) return 'no_answer'
  if (!(await dialogue.ask(`MAIL FROM:<${from}>`)).startsWith('250')) return 'no_answer'
  const knows = async (to: string): Promise<boolean | null> => {
    const reply = await dialogue.ask(`RCPT TO:<${to}>`)
    if (/^25[01]/.test(reply)) return true
    const { scope, code, enhanced } = refusalOf('rcpt_to', reply, { from, to })
    // Other refusals are about us: a block, a limit or a rule of the server.
    return /^55[013]/.test(reply) && scope === 'recipient' && !isPolicyRefusal(code, enhanced) ? false : null
  }
  const isKnown = await knows(address)
  if (!isKnown) return isKnown === null ? 'no_answer' : 'unknown_mailbox'
  const isMadeUpKnown = await knows(`${randomBytes(12).toString('hex')}${address.slice(address.lastIndexOf('@'))}`)
  return isMadeUpKnown === null ? 'no_answer' : isMadeUpKnown ? 'accepts_everything' : 'exists'
}
