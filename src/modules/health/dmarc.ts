import type { Dns } from '../../lib/dns.ts'
import { cut, finding } from './findings.ts'
import type { DnsRecord, Finding } from './schema.ts'
import { AnswerTooLarge } from './spf.ts'

const MOST_CHARS = 4096
/** How far up the tree of names a record is looked for. */
const MOST_LEVELS = 6

interface DmarcRecord {
  /** Where it was found: the domain itself, or one above it. */
  at: string
  text: string
  tags: ReadonlyMap<string, string>
}

/**
 * The record that receivers use: that of the domain, or else the nearest one above it. Returns all records of that name, because there must
 * be only one.
 */
async function findDmarc(dns: Dns, domain: string): Promise<DmarcRecord[]> {
  const labels = domain.split('.')
  for (let from = 0; from <= labels.length - 2 && from < MOST_LEVELS; from++) {
    const at = labels.slice(from).join('.')
    const texts = (await dns.texts(`_dmarc.${at}`)).filter(text => /^v=DMARC1\s*(?:;|$)/i.test(text))
    if (texts.some(text => text.length > MOST_CHARS)) throw new AnswerTooLarge(`The DMARC record of ${at} is too long to check.`)
    if (texts.length > 0) return texts.slice(0, 10).map(text => ({ at, text, tags: tagsOf(text) }))
  }
  return []
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

export async function checkDmarc(dns: Dns, { domain, isForeign }: { domain: string; isForeign: boolean }): Promise<Finding> {
  const records = await findDmarc(dns, domain)
  const publish = (at: string, value: string): { record: DnsRecord | null } => ({
    record: isForeign ? null : { type: 'TXT', name: `_dmarc.${at}`, value },
  })
  const reports = `rua=mailto:dmarc@${domain}`
  const fresh = publish(domain, `v=DMARC1; p=none; ${reports}`)
  const [record, ...others] = records
  if (!record) {
    const advice = 'Start with p=none, read the reports for some weeks, and then change to p=quarantine.'
    return finding('fail', `Neither ${domain} nor a parent domain has a DMARC record.`, { ...fresh, advice })
  }
  if (others.length > 0) {
    const found = `There are ${records.length} DMARC records at ${record.at}. Receivers accept only one, and ignore all of them when there are more.`
    return finding('fail', found, { ...publish(record.at, record.text), advice: 'Keep one of them and remove the others.' })
  }
  const { at, text, tags } = record
  const own = tags.get('p')?.toLowerCase()
  const policy = at === domain ? own : (tags.get('sp')?.toLowerCase() ?? own)
  const says = `The record at ${at} says: ${cut(text)}`
  if (policy === undefined || !POLICIES.includes(policy)) {
    return finding('fail', `The DMARC record has no policy that receivers know. ${says}`, fresh)
  }
  const hasReports = /^\s*mailto:/i.test(tags.get('rua') ?? '')
  if (!hasReports) {
    const advice = 'Without rua you do not learn who sends in the name of the domain.'
    return finding('warn', `Nobody gets reports. ${says}`, { ...publish(at, `${text.replace(/[;\s]+$/, '')}; ${reports}`), advice })
  }
  if (policy === 'none') {
    const advice = 'When the reports show that your own mail passes, change the policy so that receivers put other mail into spam.'
    return finding('warn', `Receivers deliver forged mail like any other. ${says}`, { ...publish(at, withPolicy(text)), advice })
  }
  return finding('pass', says)
}

const withPolicy = (text: string): string => text.replace(/(^|;)(\s*)(s?p)(\s*=\s*)none/gi, '$1$2$3$4quarantine')
