import type { Dns } from '../../lib/dns.ts'
import { cut, finding } from './findings.ts'
import type { DnsRecord, Finding } from './schema.ts'
import { AnswerTooLarge } from './spf.ts'

// DMARC as RFC 9989 describes it.

const MOST_CHARS = 4096
/** From a name with more labels, the walk up continues at this many. */
const MOST_LABELS = 7

interface DmarcRecord {
  /** The name at which it was found: the domain itself, or one above it. */
  at: string
  text: string
  tags: ReadonlyMap<string, string>
}

interface Walk {
  /** From the domain upward, one record a name. */
  records: DmarcRecord[]
  /** The first name with several records, which receivers ignore. */
  ignored: { at: string; text: string; count: number } | null
}

/** The domain and the names above it, the top-level name included. */
function namesUpFrom(domain: string): string[] {
  const labels = domain.split('.')
  const above = labels.slice(Math.max(1, labels.length - MOST_LABELS))
  return [domain, ...above.map((_, from) => above.slice(from).join('.'))]
}

async function walkUp(dns: Dns, domain: string): Promise<Walk> {
  const walk: Walk = { records: [], ignored: null }
  for (const at of namesUpFrom(domain)) {
    const texts = (await dns.texts(`_dmarc.${at}`)).filter(text => /^v\s*=\s*DMARC1\s*(?:;|$)/.test(text))
    if (texts.some(text => text.length > MOST_CHARS)) throw new AnswerTooLarge(`The DMARC record of ${at} is too long to check.`)
    const [text] = texts
    if (text === undefined) continue
    if (texts.length > 1) {
      walk.ignored ??= { at, text, count: texts.length }
      continue
    }
    const tags = tagsOf(text)
    walk.records.push({ at, text, tags })
    // The domain's own record decides alone. An organization ("n") or a registry ("y") says that the walk ends at its name.
    if (at === domain || /^[ny]$/i.test(tags.get('psd') ?? '')) break
  }
  return walk
}

/** The record that receivers use: that of the domain, or else of its organization, or else of the registry above that. */
function recordFor(domain: string, records: readonly DmarcRecord[]): DmarcRecord | undefined {
  const top = records.at(-1)
  if (!top || records[0]!.at === domain) return records[0]
  if (top.tags.get('psd')?.toLowerCase() !== 'y') return top
  const organization = domain
    .split('.')
    .slice(-1 - top.at.split('.').length)
    .join('.')
  return records.find(({ at }) => at === organization) ?? top
}

function tagsOf(text: string): Map<string, string> {
  const tags = new Map<string, string>()
  for (const part of text.split(';')) {
    const at = part.indexOf('=')
    if (at > 0) tags.set(part.slice(0, at).trim().toLowerCase(), part.slice(at + 1).trim())
  }
  return tags
}

const POLICIES = ['none', 'quarantine', 'reject']
const POLICY_TAGS = ['p', 'sp', 'np']
const OBSOLETE_TAGS = ['pct', 'rf', 'ri']

/** A name without any records does not exist. */
async function exists(dns: Dns, domain: string): Promise<boolean> {
  const found = await Promise.all([dns.addresses(domain), dns.mailServers(domain), dns.texts(domain)])
  return found.some(records => records.length > 0)
}

const isUnknownIn = (tags: ReadonlyMap<string, string>): boolean =>
  POLICY_TAGS.some(tag => tags.has(tag) && !POLICIES.includes(tags.get(tag)!.toLowerCase()))

/** The policy of the record; `none` if it has no known policy. */
async function policyFor(dns: Dns, domain: string, { at, tags }: DmarcRecord): Promise<string> {
  const own = tags.get('p')
  if (own === undefined || isUnknownIn(tags)) return 'none'
  const isMissing = at !== domain && tags.has('np') && !(await exists(dns, domain))
  return ((at === domain ? own : isMissing ? tags.get('np') : tags.get('sp')) ?? own).toLowerCase()
}

export async function checkDmarc(dns: Dns, { domain, isForeign }: { domain: string; isForeign: boolean }): Promise<Finding> {
  const { records, ignored } = await walkUp(dns, domain)
  const record = recordFor(domain, records)
  const publish = (at: string, value: string): { record: DnsRecord | null } => ({
    record: isForeign ? null : { type: 'TXT', name: `_dmarc.${at}`, value },
  })
  const reports = `rua=mailto:dmarc@${domain}`
  const fresh = publish(domain, `v=DMARC1; p=none; ${reports}`)
  if (ignored && (ignored.at === domain || !record)) {
    const found = `There are ${ignored.count} DMARC records at ${ignored.at}. Receivers accept only one, and ignore all of them if there are several.`
    return finding('fail', found, { ...publish(ignored.at, ignored.text), advice: 'Keep one of them and remove the others.' })
  }
  if (!record) {
    const advice = 'Start with p=none, read the reports for some weeks, and then change to p=quarantine.'
    return finding('fail', `Neither ${domain} nor a parent domain has a DMARC record.`, { ...fresh, advice })
  }
  const { at, text, tags } = record
  const says = `The record at ${at} says: ${cut(text)}${obsoleteIn(tags)}`
  if (!/(?:^|,)\s*mailto:[^\s,@]+@[^\s,]/i.test(tags.get('rua') ?? '')) {
    const reporting = add(without(text, 'rua'), reports)
    // Without an address for reports, receivers ignore a record with a policy that they do not know.
    if (isUnknownIn(tags))
      return finding('fail', `The DMARC record has no policy that receivers know. ${says}`, publish(at, withPolicy(reporting, 'none')))
    const advice = 'Without rua, you get no reports about mail sent in the name of the domain.'
    return finding('warn', `The record has no address for reports. ${says}`, { ...publish(at, reporting), advice })
  }
  if ((await policyFor(dns, domain, record)) === 'none') {
    const advice = 'When the reports show that your own mail passes, change the policy so that receivers put other mail into spam.'
    const better = publish(at, withPolicy(text, 'quarantine'))
    return finding('warn', `Receivers deliver spoofed mail like any other mail. ${says}`, { ...better, advice })
  }
  if (tags.get('t')?.toLowerCase() === 'y') {
    const found = `The policy is in test mode (t=y), so receivers apply the next weaker policy. ${says}`
    const advice = 'When the reports show that your own mail passes, remove t=y.'
    return finding('warn', found, { ...publish(at, without(text, 't')), advice })
  }
  return finding('pass', says)
}

/** The tags that RFC 9989 removed. Receivers ignore them. */
function obsoleteIn(tags: ReadonlyMap<string, string>): string {
  const obsolete = OBSOLETE_TAGS.filter(tag => tags.has(tag))
  if (/!\d+[kmgt]?\s*(?:,|$)/i.test(tags.get('rua') ?? '')) obsolete.push('the size limit of rua')
  return obsolete.length === 0 ? '' : `. Obsolete since RFC 9989, and ignored: ${obsolete.join(', ')}.`
}

const without = (text: string, tag: string): string =>
  text
    .split(';')
    .filter(part => part.split('=')[0]!.trim().toLowerCase() !== tag)
    .join(';')

const add = (text: string, tag: string): string => `${text.replace(/[;\s]+$/, '')}; ${tag}`

/** The record with this policy in the place of "none" and of unknown ones. */
function withPolicy(text: string, policy: string): string {
  const known = text.replace(/(^|;)(\s*)([sn]?p)(\s*=\s*)([^;]*)/gi, (whole, before, blank, tag, sign, value: string) =>
    /^(?:quarantine|reject)\s*$/i.test(value) ? whole : `${before}${blank}${tag}${sign}${policy}`,
  )
  return tagsOf(known).has('p') ? known : add(known, `p=${policy}`)
}
