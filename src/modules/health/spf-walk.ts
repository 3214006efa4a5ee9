import type { Dns } from '../../lib/dns.ts'
import { cut } from './findings.ts'

// Reads the SPF record of a domain as a receiver would (RFC 7208), with everything that it includes.

/** The limit at which every receiver stops. */
const MOST_LOOKUPS = 10
/** Longer than any honest record, which must fit into one answer of a name server. */
const MOST_CHARS = 4096
const MOST_RECORDS = 200

/** The record is wrong: receivers ignore it, or refuse the mail. */
export class SpfBroken extends Error {
  override readonly name = 'SpfBroken'
}

/** The answer of the name servers is too large to check. */
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

export interface SpfReading {
  /** The result for mail from other servers; null when the record has none. */
  all: SpfTerm['qualifier'] | null
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
const COSTS_A_LOOKUP = new Set(['include', 'a', 'mx', 'ptr', 'exists', 'redirect'])
const NEEDS_VALUE = new Set(['include', 'ip4', 'ip6', 'exists', 'redirect'])

const isSpf = (text: string): boolean => /^v=spf1(?:\s|$)/i.test(text)

/** The SPF records at a name: there should be one. */
export async function findSpf(dns: Dns, domain: string): Promise<string[]> {
  const texts = await dns.texts(domain)
  if (texts.length > MOST_RECORDS) throw new AnswerTooLarge(`${domain} has ${texts.length} TXT records, which is too many to check.`)
  const records = texts.filter(isSpf)
  if (records.some(record => record.length > MOST_CHARS)) throw new AnswerTooLarge(`The SPF record of ${domain} is too long to check.`)
  return records
}

function parseSpf(record: string): SpfTerm[] {
  return record
    .split(/\s+/)
    .slice(1)
    .filter(term => term !== '')
    .map(text => {
      const [, sign, name = '', mark, rest = ''] = TERM.exec(text) ?? []
      const word = name.toLowerCase()
      const isModifier = mark === '='
      if (word === '' || (isModifier ? sign !== '' : !MECHANISMS.has(word))) throw new SpfBroken(`It has an unknown term: ${shown(text)}.`)
      const value = mark === '/' ? `/${rest}` : rest
      if (NEEDS_VALUE.has(word) && value === '') throw new SpfBroken(`It has a term without a value: ${shown(text)}.`)
      return { qualifier: (sign || '+') as SpfTerm['qualifier'], name: word, value, isModifier }
    })
}

const shown = (text: string): string => cut(text, 60)

/** The record and all that it includes. Throws SpfBroken for what a receiver would not accept either. */
export async function walkSpf(dns: Dns, domain: string, record: string): Promise<SpfReading> {
  const reading: SpfReading = { all: null, lookups: 0, domains: new Set(), senders: [], hasMacros: false, usesPtr: false }
  reading.all = await readRecord(dns, domain, record, [domain], reading)
  return reading
}

async function readRecord(dns: Dns, domain: string, record: string, path: string[], reading: SpfReading): Promise<SpfReading['all']> {
  const terms = parseSpf(record)
  for (const { name, value } of terms) {
    if (COSTS_A_LOOKUP.has(name) && !(name === 'redirect' && terms.some(isAll))) countLookup(reading)
    if (value.includes('%{')) reading.hasMacros = true
    else if (name === 'ip4' || name === 'ip6') reading.senders.push({ kind: 'net', net: value })
    else if (name === 'a' || name === 'mx') reading.senders.push({ kind: name, domain: value.split('/')[0] || domain })
    else if (name === 'include') await follow(dns, value, path, reading)
    if (name === 'ptr') reading.usesPtr = true
  }
  const all = terms.find(isAll)
  if (all) return all.qualifier
  const redirect = terms.find(term => term.isModifier && term.name === 'redirect')
  return redirect && !redirect.value.includes('%{') ? follow(dns, redirect.value, path, reading) : null
}

const isAll = (term: SpfTerm): boolean => !term.isModifier && term.name === 'all'

function countLookup(reading: SpfReading): void {
  reading.lookups++
  if (reading.lookups > MOST_LOOKUPS) {
    throw new SpfBroken(`It needs more than ${MOST_LOOKUPS} look-ups, so receivers stop reading it and treat it as invalid.`)
  }
}

async function follow(dns: Dns, name: string, path: string[], reading: SpfReading): Promise<SpfReading['all']> {
  const domain = name.toLowerCase().replace(/\.$/, '')
  if (path.includes(domain)) throw new SpfBroken(`It includes ${shown(domain)} in an endless loop.`)
  const [record, ...others] = await findSpf(dns, domain)
  if (record === undefined) throw new SpfBroken(`It includes ${shown(domain)}, which has no SPF record.`)
  if (others.length > 0) throw new SpfBroken(`It includes ${shown(domain)}, which has ${others.length + 1} SPF records.`)
  reading.domains.add(domain)
  return readRecord(dns, domain, record, [...path, domain], reading)
}
