import { randomBytes } from 'node:crypto'
import { disposableEmailBlocklistSet } from 'disposable-email-domains-js'
import { parse as parseDomain } from 'tldts'
import { allowedAddressesOf } from '../../lib/safe-fetch.ts'
import { checkAddress, validDomain } from '../compose/mime.ts'
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
  /** The findings, in the order of the checks. */
  reasons: AddressReason[]
}

type AddressReason =
  | 'syntax'
  | 'unknown_suffix'
  | 'reserved_domain'
  | 'domain_not_found'
  | 'null_mx'
  | 'no_mail_server'
  | 'mx_found'
  | 'implicit_mx'
  | 'dns_failed'
  | 'disposable'
  | 'role_account'
  | 'free_mail'
  | 'mailbox_exists'
  | 'mailbox_unknown'
  | 'accepts_everything'
  | 'probe_failed'

export interface MailResolver {
  resolveMx(domain: string): Promise<{ exchange: string; priority: number }[]>
  resolve4(domain: string): Promise<string[]>
  resolve6(domain: string): Promise<string[]>
}

interface Probe {
  helloName: string
  from: string
  timeoutMs?: number
  port?: number
  /** Also allows servers on our own machine or network. Off by default, because strangers write the records of a domain. */
  allowLocal?: boolean
}

export interface AddressChecks {
  resolver: MailResolver
  /** Asks the recipient's server for the mailbox. Off by default, because many servers dislike such requests. */
  probe?: Probe | undefined
}

let blocklist: Set<string> | undefined
const RESERVED = /(^|\.)(example|test|invalid|localhost|example\.(com|net|org))$/
const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/

export async function verifyAddress(address: string, { resolver, probe }: AddressChecks): Promise<AddressFinding> {
  const reasons: AddressReason[] = []
  const parts = splitAddress(address)
  if (!parts) return { status: 'invalid', type: 'work', reasons: ['syntax'] }
  const { local, domain } = parts
  const type = typeOfAddress(address, domain)
  const end = (status: AddressFinding['status'], ...more: AddressReason[]): AddressFinding => {
    const kind: AddressReason[] = type === 'role' ? ['role_account'] : type === 'personal' ? ['free_mail'] : []
    return { status, type, reasons: [...reasons, ...more, ...kind] }
  }
  if (RESERVED.test(domain)) return end('invalid', 'reserved_domain')
  const suffix = parseDomain(domain)
  if (!suffix.domain || !(suffix.isIcann || suffix.isPrivate)) return end('invalid', 'unknown_suffix')
  const mail = await findMailServer(domain, resolver)
  if (mail.reason === 'dns_failed') return end('unknown', 'dns_failed')
  if (!mail.host) return end('invalid', mail.reason)
  reasons.push(mail.reason)
  // The library builds the set again at every call.
  blocklist ??= disposableEmailBlocklistSet()
  if (blocklist.has(domain) || blocklist.has(suffix.domain)) return end('invalid', 'disposable')
  if (!probe) return end('valid')
  const addresses = await addressesOf(mail.host, resolver, probe.allowLocal ?? false)
  if (addresses.length === 0) return end('unknown', 'probe_failed')
  const answer = await probeRecipient({ host: mail.host, addresses, address: `${local}@${domain}`, ...probe })
  if (answer === 'exists') return end('valid', 'mailbox_exists')
  if (answer === 'unknown_mailbox') return end('invalid', 'mailbox_unknown')
  return answer === 'accepts_everything' ? end('accept_all', 'accepts_everything') : end('unknown', 'probe_failed')
}

function splitAddress(address: string): { local: string; domain: string } | null {
  const at = address.lastIndexOf('@')
  const local = address.slice(0, at)
  const domain = validDomain(address.slice(at + 1).toLowerCase())
  if (at < 1 || local.length > 64 || domain.length > 253 || !LOCAL.test(local)) return null
  if (!/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/.test(domain)) return null
  return { local, domain }
}

type MailServer =
  | { host: string; reason: 'mx_found' | 'implicit_mx' }
  | { host: null; reason: 'domain_not_found' | 'null_mx' | 'no_mail_server' | 'dns_failed' }

async function findMailServer(domain: string, resolver: MailResolver): Promise<MailServer> {
  try {
    const records = (await resolver.resolveMx(domain)).toSorted((a, b) => a.priority - b.priority)
    const [first] = records
    // RFC 7505: a single record with an empty name says that the domain takes no mail.
    if (first && (first.exchange === '' || first.exchange === '.')) return { host: null, reason: 'null_mx' }
    if (first) return { host: first.exchange, reason: 'mx_found' }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOTFOUND') return { host: null, reason: 'domain_not_found' }
    if (code !== 'ENODATA') return { host: null, reason: 'dns_failed' }
  }
  return await findImplicitServer(domain, resolver)
}

/** RFC 5321 5.1: without MX records the domain's own address takes its mail. */
async function findImplicitServer(domain: string, resolver: MailResolver): Promise<MailServer> {
  let failed = false
  for (const lookup of [() => resolver.resolve4(domain), () => resolver.resolve6(domain)]) {
    try {
      if ((await lookup()).length > 0) return { host: domain, reason: 'implicit_mx' }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'ENODATA' && code !== 'ENOTFOUND') failed = true
    }
  }
  return { host: null, reason: failed ? 'dns_failed' : 'no_mail_server' }
}

/** Empty when there are none, or when one of them must not be called. */
async function addressesOf(host: string, resolver: MailResolver, allowLocal: boolean): Promise<string[]> {
  const resolve = async (name: string): Promise<string[]> => {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    return answers.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []))
  }
  return allowedAddressesOf(host, { allowLocal, resolve }).catch(() => [])
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
