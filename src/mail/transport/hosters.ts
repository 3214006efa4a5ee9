import { readFileSync } from 'node:fs'

// Finds a known hoster of mail by its domain or by its mail servers. `hosters.txt` has the settings of each, one per line.

type SignIn = 'password' | 'app_password' | 'oauth'

export interface MailServer {
  host: string
  port: number
  secure: boolean
}

export interface Hoster {
  name: string
  smtp: MailServer
  imap: MailServer
  /** The ways to sign in that the hoster accepts, the best first. */
  signIn: readonly SignIn[]
  /** The hoster's daily limit for a mailbox, and the recommended limit for mail to strangers. */
  limits: { hosterPerDay: number | null; dailyCap: number; minGapSeconds: number; ramp: { startPerDay: number; increasePerDay: number } }
  /** The first step for the user, if any. */
  note: string | null
}

const NOTES: Readonly<Record<string, string>> = {
  '(app)': 'Create an app password in the security settings of the account. The normal account password does not work.',
  '(imap)': 'First enable IMAP and SMTP access in the settings of the mailbox.',
}

/** A warm mailbox of a company's domain can send forty messages a day to strangers; a personal mailbox fewer. */
const DEFAULT_CAP = 40
export const DEFAULT_LIMITS: Hoster['limits'] = {
  hosterPerDay: null,
  dailyCap: DEFAULT_CAP,
  minGapSeconds: 120,
  ramp: { startPerDay: 5, increasePerDay: 3 },
}

export interface SmtpHoster {
  name: string
  /** The SPF includes of domains that send through it: first the one to recommend, then others with the same meaning. Empty when they are not known. */
  spf: readonly string[]
}

const BY_DOMAIN = new Map<string, Hoster>()
const BY_MX = new Map<string, Hoster>()
const BY_SERVER = new Map<string, SmtpHoster>()

const textOf = (file: string): string => readFileSync(new URL(file, import.meta.url), 'utf8').trim()
const wordsOf = (text: string): string[] => text.split(' ').filter(word => word !== '')

const serverOf = (text: string): MailServer => {
  const [host, port] = text.split(':') as [string, string]
  return { host, port: Number(port), secure: port === '465' || port === '993' }
}

for (const line of textOf('./hosters.txt').split('\n')) {
  if (line.startsWith('#')) continue
  const [name, domains, mx, smtp, imap, spf = '', signIn = '', perDay, cap, note = ''] = line
    .split('|')
    .map(cell => cell.trim()) as string[]
  const hoster: Hoster = {
    name: name!,
    smtp: serverOf(smtp!),
    imap: serverOf(imap!),
    signIn: wordsOf(signIn || 'password') as SignIn[],
    limits: { ...DEFAULT_LIMITS, hosterPerDay: Number(perDay) || null, dailyCap: Number(cap) || DEFAULT_CAP },
    note: (NOTES[note] ?? note) || null,
  }
  for (const domain of wordsOf(domains!)) BY_DOMAIN.set(domain, hoster)
  for (const end of wordsOf(mx!)) BY_MX.set(end, hoster)
  // When several share a server, the first one is used: the others differ only in their limits.
  const { host } = hoster.smtp
  if (!BY_SERVER.has(host)) BY_SERVER.set(host, { name: hoster.name, spf: wordsOf(spf) })
}

export const hosterOfDomain = (domain: string): Hoster | undefined => BY_DOMAIN.get(domain)

export function hosterOfMailServer(exchange: string): Hoster | undefined {
  const labels = exchange.toLowerCase().replace(/\.$/, '').split('.')
  return labels.map((_, from) => BY_MX.get(labels.slice(from).join('.'))).find(Boolean)
}

export const hosterOfSmtpServer = (host: string): SmtpHoster | undefined => BY_SERVER.get(host.toLowerCase())

/** Providers of personal mailboxes: an address there belongs to a person and not to a company. */
const FREE_MAIL = new Set(textOf('./free-mail.txt').split(/\s+/))
const ROLE_NAMES = new Set(textOf('./role-names.txt').split(/\s+/))

export const isFreeMail = (domain: string): boolean => FREE_MAIL.has(domain.toLowerCase())

/** Whose mailbox it is, by the name alone. `host` is the domain of the address. */
export function typeOfAddress(email: string, host: string): 'work' | 'personal' | 'role' {
  const local = email.slice(0, email.lastIndexOf('@')).toLowerCase()
  const tag = local.indexOf('+')
  if (ROLE_NAMES.has(tag === -1 ? local : local.slice(0, tag))) return 'role'
  return isFreeMail(host) ? 'personal' : 'work'
}
