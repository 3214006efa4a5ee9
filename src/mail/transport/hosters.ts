import { readFileSync } from 'node:fs'

// Finds a known hoster of mail by its domain or by its mail servers. `hosters.txt` has the settings of each, one per line.

type SignIn = 'password' | 'app_password' | 'oauth'

export type MailServer = { host: string; port: number; secure: boolean }

export interface Hoster {
  name: string
  smtp: MailServer
  imap: MailServer
  /** The ways to sign in that the hoster accepts, the best first. */
  signIn: readonly SignIn[]
  /** The hoster's daily limit for a mailbox, and the recommended limit for mail to strangers. */
  limits: { hosterPerDay: number | null; dailyCap: number; minGapSeconds: number; ramp: { startPerDay: number; increasePerDay: number } }
  /** What a person must do first, if anything. */
  note: string | null
}

const NOTES: Readonly<Record<string, string>> = {
  '(app)': 'Create an app password in the security settings of the account. The password of the account itself is refused.',
  '(imap)': 'First enable IMAP and SMTP access in the settings of the mailbox.',
}

const serverOf = (text: string): MailServer => {
  const [host, port] = text.split(':') as [string, string]
  return { host, port: Number(port), secure: port === '465' || port === '993' }
}

/** A warm mailbox of a company's domain can send forty messages a day to strangers; a personal mailbox fewer. */
const DEFAULT_CAP = 40
export const DEFAULT_LIMITS: Hoster['limits'] = {
  hosterPerDay: null,
  dailyCap: DEFAULT_CAP,
  minGapSeconds: 120,
  ramp: { startPerDay: 5, increasePerDay: 3 },
}

const BY_DOMAIN = new Map<string, Hoster>()
const BY_MX = new Map<string, Hoster>()
export const HOSTERS: Hoster[] = []

const wordsOf = (text: string): string[] => text.split(' ').filter(word => word !== '')

for (const line of readFileSync(new URL('./hosters.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')) {
  if (line.startsWith('#')) continue
  const [name, domains, mx, smtp, imap, signIn = '', perDay, cap, note = ''] = line.split('|').map(cell => cell.trim()) as string[]
  const hoster: Hoster = {
    name: name!,
    smtp: serverOf(smtp!),
    imap: serverOf(imap!),
    signIn: wordsOf(signIn || 'password') as SignIn[],
    limits: { ...DEFAULT_LIMITS, hosterPerDay: Number(perDay) || null, dailyCap: Number(cap) || DEFAULT_CAP },
    note: (NOTES[note] ?? note) || null,
  }
  HOSTERS.push(hoster)
  for (const domain of wordsOf(domains!)) BY_DOMAIN.set(domain, hoster)
  for (const end of wordsOf(mx!)) BY_MX.set(end, hoster)
}

/** The hoster whose own domain this is. */
export const hosterOfDomain = (domain: string): Hoster | undefined => BY_DOMAIN.get(domain)

/** The hoster of a domain's mail, by the name of its mail server. */
export function hosterOfMailServer(exchange: string): Hoster | undefined {
  const labels = exchange.toLowerCase().replace(/\.$/, '').split('.')
  for (let from = 0; from < labels.length - 1; from++) {
    const hoster = BY_MX.get(labels.slice(from).join('.'))
    if (hoster) return hoster
  }
  return undefined
}
