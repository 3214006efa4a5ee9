import type { Check, Finding, Status } from './schema.ts'

// What a check of the domain has found, and what to do about it.

/** Why anybody should care, in a sentence each. */
export const WHY: Readonly<Record<Check['check'], string>> = {
  spf: 'SPF names the servers that may send for the domain. Without it, receivers cannot distinguish your mail from forged mail.',
  dkim: 'A DKIM signature of your own domain survives forwarding. Google and Yahoo require it from bulk senders.',
  dmarc: 'DMARC tells receivers what to do with forged mail in your name. Google, Yahoo and Microsoft require a record.',
  mx: 'A domain that cannot receive mail gets no replies and no bounces, and many receivers refuse its mail.',
  reverse_name:
    'Receivers refuse mail from an IP address without a reverse name, or with a reverse name that does not resolve to this address.',
  tracking_host:
    'Links to a domain other than the sender domain look like phishing, and share the reputation of everybody who uses that domain.',
}

export const finding = (status: Status, found: string, more: Partial<Pick<Finding, 'advice' | 'record'>> = {}): Finding => ({
  status,
  found,
  advice: more.advice ?? null,
  record: more.record ?? null,
})

const WORST_FIRST: readonly Status[] = ['fail', 'warn', 'unknown', 'pass']

/** The worst of them; `pass` only when every check has passed. */
export const worstOf = (checks: readonly { status: Status }[]): Status =>
  WORST_FIRST.find(status => checks.some(check => check.status === status)) ?? 'unknown'

/** Names that others may register under, although they have a dot. The list is short: it only decides whether two names belong together. */
const SHARED = new Set(
  (
    'co.uk org.uk ac.uk me.uk ltd.uk com.au net.au org.au co.nz org.nz co.jp ne.jp or.jp com.br net.br com.mx com.ar com.co com.pe com.cl ' +
    'com.tr com.ua co.in net.in org.in co.za org.za com.sg com.hk com.cn net.cn org.cn com.tw co.kr co.il com.pl com.pt com.es org.es ' +
    'com.my com.ph com.vn co.id co.th com.sa com.eg com.ng co.ke'
  ).split(' '),
)

/** The domain that somebody has registered: of `mail.acme.co.uk` that is `acme.co.uk`. */
function registeredDomain(name: string): string {
  const labels = name.toLowerCase().replace(/\.$/, '').split('.')
  return labels.slice(SHARED.has(labels.slice(-2).join('.')) ? -3 : -2).join('.')
}

/** Whether both belong to the same registered domain, as DMARC calls relaxed alignment. */
export const isAligned = (a: string, b: string): boolean => registeredDomain(a) === registeredDomain(b)
