import { getDomain } from 'tldts'
import type { Check, Finding, Status } from './schema.ts'

// The results of the checks of a domain, and what to do about them.

/** Why each check matters, in one sentence. */
export const WHY: Readonly<Record<Check['check'], string>> = {
  spf: 'SPF names the servers that may send for the domain. Without it, receivers cannot distinguish your mail from spoofed mail.',
  dkim: 'A DKIM signature of your own domain survives forwarding. Google and Yahoo require it from bulk senders.',
  dmarc: 'DMARC tells receivers what to do with spoofed mail in your name. Google, Yahoo and Microsoft require a record.',
  mx: 'A domain that cannot receive mail gets no replies and no bounces, and many receivers refuse its mail.',
  reverse_name:
    'Receivers refuse mail from an IP address without a reverse DNS (PTR) record, or whose record does not resolve back to the address.',
  tracking_host: 'Links to a domain other than the sender domain look like phishing, and share the reputation of all its users.',
}

/** `more` is the advice, or has the record that would help, too. */
export function finding(status: Status, found: string, more: string | null | Partial<Pick<Finding, 'advice' | 'record'>> = null): Finding {
  const { advice = null, record = null } = typeof more === 'object' && more !== null ? more : { advice: more }
  return { status, found, advice, record }
}

/** The beginning of a text from a stranger. */
export const cut = (text: string, most = 300): string => (text.length > most ? `${text.slice(0, most)}…` : text)

const WORST_FIRST: readonly Status[] = ['fail', 'warn', 'unknown', 'pass']

/** The worst of them; `pass` only when every check has passed. */
export const worstOf = (checks: readonly { status: Status }[]): Status =>
  WORST_FIRST.find(status => checks.some(check => check.status === status)) ?? 'unknown'

/**
 * The registered domain: `acme.co.uk` for `mail.acme.co.uk`. Hosters whose customers get names of their own
 * below one name (`acme.github.io`) count like registries, because the customers have nothing to do with each other.
 */
const registeredDomain = (name: string): string => getDomain(name, { allowPrivateDomains: true }) ?? name.toLowerCase().replace(/\.$/, '')

/** Whether both belong to the same registered domain, as DMARC calls relaxed alignment. */
export const isAligned = (a: string, b: string): boolean => registeredDomain(a) === registeredDomain(b)
