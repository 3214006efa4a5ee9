import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Dns } from '../../lib/dns.ts'
import type { SmtpHoster } from '../../mail/transport/hosters.ts'
import { cut, finding } from './findings.ts'
import type { DnsRecord, Finding } from './schema.ts'

/** The maximum number of server names in a record that are looked up. */
const MOST_NAMED = 10

export interface SendingDomain {
  domain: string
  /** The server that accepts the mail of the mailbox. */
  smtpHost: string
  /** The hoster of this server; undefined when the operator of the domain runs it. */
  hoster: SmtpHoster | undefined
  /** The domain belongs to a provider of personal mailboxes, where customers cannot publish records. */
  isForeign: boolean
}

export async function checkSpf(dns: Dns, sending: SendingDomain): Promise<Finding> {
  const { domain } = sending
  const records = await findSpf(dns, domain)
  const publish = (value: string): { record: DnsRecord | null } => ({
    record: sending.isForeign ? null : { type: 'TXT', name: domain, value },
  })
  const [record, ...others] = records
  if (record === undefined) {
    const term = await findTerm(dns, sending)
    const found = `${domain} has no SPF record.`
    if (term === null) return finding('fail', found, { advice: `Publish the SPF record from the instructions of ${sending.hoster!.name}.` })
    return finding('fail', found, publish(`v=spf1 ${term} ~all`))
  }
  if (others.length > 0) {
    const found = `${domain} has ${records.length} SPF records. Receivers accept only one, and ignore all of them if there are several.`
    return finding('fail', found, { ...publish(merge(records)), advice: 'Replace all of them with this one.' })
  }
  try {
    const reading = await walkSpf(dns, domain, record)
    return await judge(dns, sending, record, reading, publish)
  } catch (error) {
    if (!(error instanceof SpfBroken)) throw error
    const advice = 'Correct the record: remove terms that are no longer used, and list addresses (ip4:) where you can.'
    return finding('fail', `The SPF record is invalid. ${error.message} It says: ${cut(record)}`, advice)
  }
}

async function judge(
  dns: Dns,
  sending: SendingDomain,
  record: string,
  reading: SpfReading,
  publish: (value: string) => { record: DnsRecord | null },
): Promise<Finding> {
  const says = `It says: ${cut(record)} (${reading.lookups} of 10 lookups).`
  if (reading.all === '+') {
    const { openedBy } = reading
    const more = openedBy === null ? publish(withEnd(record)) : `Remove ${openedBy} from the record: any server may send for that domain.`
    return finding('fail', `Any server may send for the domain. ${says}`, more)
  }
  const { hoster, smtpHost } = sending
  const expected = hoster?.spf ?? []
  if (expected.length > 0) {
    if (!expected.some(name => reading.domains.has(name) || sending.domain === name)) {
      if (reading.hasMacros)
        return finding('unknown', `The SPF record uses macros, so the result for ${hoster!.name} depends on the message. ${says}`)
      const term = await findTerm(dns, sending)
      if (term === null) {
        const advice = `Compare the record with the instructions of ${hoster!.name}.`
        return finding('warn', `The SPF record does not include ${hoster!.name} under a name that Overture knows. ${says}`, advice)
      }
      const value = withTerm(record, term)
      return finding('fail', `The SPF record does not include ${hoster!.name}, which this mailbox sends through. ${says}`, publish(value))
    }
  } else if (!(await listsServer(dns, reading, smtpHost))) {
    const advice = `If ${smtpHost} passes your mail on to other servers, the record must list those servers instead. Ask the operator of the server.`
    return finding('warn', `The SPF record does not list the address of ${smtpHost}, which this mailbox sends through. ${says}`, {
      ...publish(withTerm(record, termOfServer(smtpHost))),
      advice,
    })
  }
  if (reading.all === null || reading.all === '?')
    return finding('warn', `The SPF record does not state how to treat mail from other servers. ${says}`, publish(withEnd(record)))
  if (reading.usesPtr)
    return finding('warn', `The SPF record uses ptr, which the standard tells receivers to ignore. ${says}`, 'List addresses instead.')
  return finding('pass', says)
}

async function findFirst<T>(items: readonly T[], isRight: (item: T) => Promise<boolean>): Promise<T | undefined> {
  for (const item of items) if (await isRight(item)) return item
  return undefined
}

/** Whether one of the addresses of the server is among those that the record names. */
async function listsServer(dns: Dns, reading: SpfReading, host: string): Promise<boolean> {
  const addresses = isIP(host) ? [host] : await dns.addresses(host)
  let named = 0
  for (const sender of reading.senders) {
    if (sender.kind === 'net') {
      if (addresses.some(address => isWithin(address, sender.net))) return true
      continue
    }
    const hosts = sender.kind === 'a' ? [sender.domain] : await dns.mailServers(sender.domain)
    for (const each of hosts) {
      if (named++ >= MOST_NAMED) return false
      const found = await dns.addresses(each)
      if (found.some(address => addresses.includes(address))) return true
    }
  }
  return false
}

function isWithin(address: string, net: string): boolean {
  try {
    const [block, bits] = ipaddr.parseCIDR(net.includes('/') ? net : `${net}/${net.includes(':') ? 128 : 32}`)
    const parsed = ipaddr.parse(address)
    return parsed.kind() === block.kind() && parsed.match(block, bits)
  } catch {
    return false
  }
}

/** The term for the server of the mailbox; null when the hoster has none of the names that are known here any more. */
async function findTerm(dns: Dns, { hoster, smtpHost }: SendingDomain): Promise<string | null> {
  const expected = hoster?.spf ?? []
  if (expected.length === 0) return termOfServer(smtpHost)
  // A record that includes a domain without an SPF record is invalid, so only domains that have one are recommended.
  const known = await findFirst(expected, async name => (await findSpf(dns, name)).length === 1)
  return known === undefined ? null : `include:${known}`
}

function termOfServer(smtpHost: string): string {
  const family = isIP(smtpHost)
  return family === 0 ? `a:${smtpHost}` : `ip${family}:${smtpHost}`
}

/** The terms for mail from all other servers. */
const isEnd = (term: string): boolean => /^[+?~-]?all$/i.test(term) || /^redirect=/i.test(term)

/** A new term comes before the end of the record: receivers ignore terms after it. */
function withTerm(record: string, term: string): string {
  const terms = record.trim().split(/\s+/)
  const end = terms.findIndex(isEnd)
  if (end < 0) return [...terms, term, '~all'].join(' ')
  return [...terms.slice(0, end), term, ...terms.slice(end).filter(later => later !== term)].join(' ')
}

/** The record with `~all` at its end. There, receivers ignore a redirect, so what it leads to is included. */
function withEnd(record: string): string {
  const value = record.replace(/(\s)[+?]?all(?=\s|$)/i, '$1~all')
  return value === record ? `${record.trim().replace(/(\s)redirect=/i, '$1include:')} ~all` : value
}

function merge(records: string[]): string {
  const terms = records.flatMap(record => record.trim().split(/\s+/).slice(1))
  return ['v=spf1', ...new Set(terms.filter(term => !isEnd(term))), '~all'].join(' ')
}

// Reads the SPF record of a domain as a receiver would (RFC 7208), with everything that it includes.

/** The limit at which every receiver stops. */
const MOST_LOOKUPS = 10
/** Longer than any honest record, which must fit into one response of a name server. */
const MOST_CHARS = 4096
const MOST_RECORDS = 200

/** The record is wrong: receivers ignore it, or refuse the mail. */
class SpfBroken extends Error {
  override readonly name = 'SpfBroken'
}

/** The response of the name servers is too large to check. */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge'
}

interface SpfTerm {
  qualifier: '+' | '-' | '~' | '?'
  name: string
  value: string
  isModifier: boolean
}

/** A sender that is named by its address, or by a name that leads to it. */
type SpfSender = { kind: 'net'; net: string } | { kind: 'a' | 'mx'; domain: string }

interface SpfReading {
  /** The result for mail from other servers; null when the record has none. */
  all: SpfTerm['qualifier'] | null
  /** The term of the record itself that leads to a record for which any server may send. */
  openedBy: string | null
  lookups: number
  /** Every domain whose record is part of this one. */
  domains: Set<string>
  senders: SpfSender[]
  /** It depends on the message, so that it cannot be read beforehand. */
  hasMacros: boolean
  usesPtr: boolean
}

const TERM = /^([+?~-]?)([a-z][a-z0-9_.-]*)(?:([:=/])(\S*))?$/i
const MECHANISMS = new Set(['all', 'include', 'a', 'mx', 'ptr', 'ip4', 'ip6', 'exists'])
const COSTS_A_LOOKUP = new Set(['include', 'a', 'mx', 'ptr', 'exists'])
const NEEDS_VALUE = new Set(['include', 'ip4', 'ip6', 'exists', 'redirect'])

const isSpf = (text: string): boolean => /^v=spf1(?:\s|$)/i.test(text)

/** The SPF records at a name: there should be one. */
async function findSpf(dns: Dns, domain: string): Promise<string[]> {
  const texts = await dns.texts(domain)
  if (texts.length > MOST_RECORDS) throw new AnswerTooLarge(`${domain} has ${texts.length} TXT records, which is too many to check.`)
  const records = texts.filter(isSpf)
  if (records.some(record => record.length > MOST_CHARS)) throw new AnswerTooLarge(`The SPF record of ${domain} is too long to check.`)
  return records
}

function parseSpf(record: string, whose: string): SpfTerm[] {
  return record
    .split(/\s+/)
    .slice(1)
    .filter(term => term !== '')
    .map(text => {
      const [, sign, name = '', mark, rest = ''] = TERM.exec(text) ?? []
      const word = name.toLowerCase()
      const isModifier = mark === '='
      if (word === '' || (isModifier ? sign !== '' : !MECHANISMS.has(word)))
        throw new SpfBroken(`${whose} has an unknown term: ${shown(text)}.`)
      const value = mark === '/' ? `/${rest}` : rest
      if (NEEDS_VALUE.has(word) && value === '') throw new SpfBroken(`${whose} has a term without a value: ${shown(text)}.`)
      if (!isModifier && word.startsWith('ip') && !isNet(word, value))
        throw new SpfBroken(`${whose} has a term without an address: ${shown(text)}.`)
      return { qualifier: (sign || '+') as SpfTerm['qualifier'], name: word, value, isModifier }
    })
}

function isNet(kind: string, value: string): boolean {
  const [, address = '', bits = '0'] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(value) ?? []
  return kind === `ip${isIP(address)}` && Number(bits) <= (kind === 'ip4' ? 32 : 128)
}

const shown = (text: string): string => cut(text, 60)

/** The record and all that it includes. Throws SpfBroken for what a receiver would not accept either. */
async function walkSpf(dns: Dns, domain: string, record: string): Promise<SpfReading> {
  const reading: SpfReading = { all: null, openedBy: null, lookups: 0, domains: new Set(), senders: [], hasMacros: false, usesPtr: false }
  reading.all = await readRecord(dns, domain, record, [domain], reading)
  return reading
}

async function readRecord(dns: Dns, domain: string, record: string, path: string[], reading: SpfReading): Promise<SpfReading['all']> {
  const terms = parseSpf(record, path.length === 1 ? 'It' : `The record of ${shown(domain)}, which it includes,`)
  for (const { qualifier, name, value, isModifier } of terms) {
    if (isModifier) continue
    // Receivers do not read what comes after it.
    if (name === 'all') return qualifier
    if (COSTS_A_LOOKUP.has(name)) countLookup(reading)
    if (name === 'ptr') reading.usesPtr = true
    if (value.includes('%{')) reading.hasMacros = true
    else if (name === 'include') {
      const others = await follow(dns, value, path, reading, qualifier === '+')
      // If any server may send for the other domain, any server may send for this one.
      const isOpen = others === '+' && qualifier === '+'
      if (isOpen) reading.openedBy = `include:${value}`
      if (isOpen) return '+'
    } else if (qualifier === '+') {
      if (name === 'ip4' || name === 'ip6') reading.senders.push({ kind: 'net', net: value })
      else if (name === 'a' || name === 'mx') reading.senders.push({ kind: name, domain: value.split('/')[0] || domain })
    }
  }
  const redirect = terms.find(term => term.isModifier && term.name === 'redirect')?.value
  if (redirect === undefined) return null
  countLookup(reading)
  if (!redirect.includes('%{')) {
    const all = await follow(dns, redirect, path, reading)
    if (all === '+') reading.openedBy = `redirect=${redirect}`
    return all
  }
  reading.hasMacros = true
  return null
}

function countLookup(reading: SpfReading): void {
  reading.lookups++
  if (reading.lookups > MOST_LOOKUPS) {
    throw new SpfBroken(`It needs more than ${MOST_LOOKUPS} lookups, so receivers stop reading it and treat it as invalid.`)
  }
}

async function follow(dns: Dns, name: string, path: string[], reading: SpfReading, isAllowed = true): Promise<SpfReading['all']> {
  const domain = name.toLowerCase().replace(/\.$/, '')
  if (path.includes(domain)) throw new SpfBroken(`It includes ${shown(domain)} in an endless loop.`)
  const [record, ...others] = await findSpf(dns, domain)
  if (record === undefined) throw new SpfBroken(`It includes ${shown(domain)}, which has no SPF record.`)
  if (others.length > 0) throw new SpfBroken(`It includes ${shown(domain)}, which has ${others.length + 1} SPF records.`)
  // The senders of a domain that is refused are not those of this one.
  const into = isAllowed ? reading : { ...reading, domains: new Set<string>(), senders: [] }
  into.domains.add(domain)
  const all = await readRecord(dns, domain, record, [...path, domain], into)
  Object.assign(reading, { lookups: into.lookups, hasMacros: into.hasMacros, usesPtr: into.usesPtr })
  return all
}
