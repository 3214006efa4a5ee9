// The settings of large hosters of mail, one a line, by heart: most people neither know nor want to know them. They are suggestions: they
// are tried before anybody sees them, and verified with the password before anything is sent.
// Limits are what the hosters publish or are known to tolerate for mail to strangers; suggestions, not laws.

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
  /** What the hoster lets a mailbox send in a day, and what is wise to send to strangers. */
  limits: { hosterPerDay: number | null; dailyCap: number; minGapSeconds: number; ramp: { startPerDay: number; increasePerDay: number } }
  /** What a person must do first, if anything. */
  note: string | null
}

interface Line {
  domains: string
  /** Ends of the names of mail servers that a domain of one's own points to. */
  mx?: string
  smtp: string
  imap: string
  signIn?: readonly SignIn[]
  perDay?: number
  cap?: number
  note?: string
}

const APP_PASSWORD: readonly SignIn[] = ['app_password']
const CONSENT: readonly SignIn[] = ['oauth', 'app_password']
const IMAP_FIRST = 'First enable IMAP and SMTP access in the settings of the mailbox.'
const APP_FIRST = 'Create an app password in the security settings of the account. The password of the account itself is refused.'

const LINES: Record<string, Line> = {
  Gmail: {
    domains: 'gmail.com googlemail.com',
    smtp: 'smtp.gmail.com:465',
    imap: 'imap.gmail.com:993',
    signIn: CONSENT,
    perDay: 500,
    cap: 30,
    note: APP_FIRST,
  },
  'Google Workspace': {
    domains: '',
    mx: 'google.com googlemail.com',
    smtp: 'smtp.gmail.com:465',
    imap: 'imap.gmail.com:993',
    signIn: CONSENT,
    perDay: 2000,
    cap: 50,
    note: APP_FIRST,
  },
  'Microsoft 365': {
    domains: '',
    mx: 'mail.protection.outlook.com mx.microsoft',
    smtp: 'smtp.office365.com:587',
    imap: 'outlook.office365.com:993',
    signIn: ['oauth'],
    perDay: 10_000,
    cap: 50,
    note: 'Microsoft accepts only consent (OAuth). An administrator must allow authenticated SMTP for the mailbox.',
  },
  'Outlook.com': {
    domains:
      'outlook.com hotmail.com live.com msn.com outlook.de outlook.fr outlook.es hotmail.de hotmail.fr hotmail.es hotmail.co.uk live.de live.fr live.co.uk',
    smtp: 'smtp-mail.outlook.com:587',
    imap: 'outlook.office365.com:993',
    signIn: ['oauth'],
    perDay: 300,
    cap: 20,
    note: 'Microsoft accepts only consent (OAuth).',
  },
  'Yahoo Mail': {
    domains: 'yahoo.com yahoo.co.uk yahoo.de yahoo.fr yahoo.es yahoo.it yahoo.ca yahoo.com.br ymail.com rocketmail.com',
    mx: 'yahoodns.net',
    smtp: 'smtp.mail.yahoo.com:465',
    imap: 'imap.mail.yahoo.com:993',
    signIn: APP_PASSWORD,
    perDay: 500,
    cap: 20,
    note: APP_FIRST,
  },
  AOL: {
    domains: 'aol.com aol.de aol.fr aol.co.uk aim.com',
    smtp: 'smtp.aol.com:465',
    imap: 'imap.aol.com:993',
    signIn: APP_PASSWORD,
    perDay: 500,
    cap: 20,
    note: APP_FIRST,
  },
  iCloud: {
    domains: 'icloud.com me.com mac.com',
    mx: 'mail.icloud.com',
    smtp: 'smtp.mail.me.com:587',
    imap: 'imap.mail.me.com:993',
    signIn: APP_PASSWORD,
    perDay: 1000,
    cap: 20,
    note: APP_FIRST,
  },
  'Zoho Mail': {
    domains: 'zoho.com zohomail.com',
    smtp: 'smtp.zoho.com:465',
    imap: 'imap.zoho.com:993',
    signIn: ['app_password', 'password'],
    perDay: 500,
    cap: 40,
    note: IMAP_FIRST,
  },
  // Domains of one's own have other servers than personal mailboxes.
  'Zoho Mail (organizations)': {
    domains: '',
    mx: 'zoho.com',
    smtp: 'smtppro.zoho.com:465',
    imap: 'imappro.zoho.com:993',
    signIn: ['app_password', 'password'],
    perDay: 500,
    cap: 40,
    note: IMAP_FIRST,
  },
  'Zoho Mail (Europe)': {
    domains: '',
    mx: 'zoho.eu',
    smtp: 'smtppro.zoho.eu:465',
    imap: 'imappro.zoho.eu:993',
    signIn: ['app_password', 'password'],
    perDay: 500,
    cap: 40,
    note: IMAP_FIRST,
  },
  'Zoho Mail (India)': {
    domains: '',
    mx: 'zoho.in',
    smtp: 'smtppro.zoho.in:465',
    imap: 'imappro.zoho.in:993',
    signIn: ['app_password', 'password'],
    perDay: 500,
    cap: 40,
    note: IMAP_FIRST,
  },
  Fastmail: {
    domains: 'fastmail.com fastmail.fm',
    mx: 'messagingengine.com',
    smtp: 'smtp.fastmail.com:465',
    imap: 'imap.fastmail.com:993',
    signIn: APP_PASSWORD,
    perDay: 8000,
    cap: 50,
    note: APP_FIRST,
  },
  'Proton Mail': {
    domains: 'proton.me protonmail.com pm.me',
    mx: 'protonmail.ch',
    smtp: 'smtp.protonmail.ch:587',
    imap: '127.0.0.1:1143',
    signIn: APP_PASSWORD,
    perDay: 1000,
    cap: 30,
    note: 'SMTP needs a token of a paid plan. The inbox can be read only through Proton Mail Bridge, on the machine where it runs.',
  },
  GMX: {
    domains: 'gmx.de gmx.net gmx.at gmx.ch',
    smtp: 'mail.gmx.net:465',
    imap: 'imap.gmx.net:993',
    perDay: 500,
    cap: 20,
    note: IMAP_FIRST,
  },
  'GMX.com': {
    domains: 'gmx.com gmx.fr gmx.es',
    smtp: 'mail.gmx.com:465',
    imap: 'imap.gmx.com:993',
    perDay: 500,
    cap: 20,
    note: IMAP_FIRST,
  },
  'WEB.DE': { domains: 'web.de', smtp: 'smtp.web.de:587', imap: 'imap.web.de:993', perDay: 500, cap: 20, note: IMAP_FIRST },
  'mail.com': {
    domains: 'mail.com email.com usa.com',
    smtp: 'smtp.mail.com:465',
    imap: 'imap.mail.com:993',
    perDay: 500,
    cap: 20,
    note: IMAP_FIRST,
  },
  IONOS: {
    domains: '',
    mx: 'ionos.com 1and1.com perfora.net',
    smtp: 'smtp.ionos.com:465',
    imap: 'imap.ionos.com:993',
    perDay: 5000,
  },
  'IONOS (Germany)': {
    domains: '',
    mx: 'ionos.de kundenserver.de',
    smtp: 'smtp.ionos.de:465',
    imap: 'imap.ionos.de:993',
    perDay: 5000,
  },
  'IONOS (United Kingdom)': {
    domains: '',
    mx: 'ionos.co.uk 1and1.co.uk',
    smtp: 'smtp.ionos.co.uk:465',
    imap: 'imap.ionos.co.uk:993',
    perDay: 5000,
  },
  'IONOS (France)': { domains: '', mx: 'ionos.fr 1and1.fr', smtp: 'smtp.ionos.fr:465', imap: 'imap.ionos.fr:993', perDay: 5000 },
  'IONOS (Spain)': { domains: '', mx: 'ionos.es 1and1.es', smtp: 'smtp.ionos.es:465', imap: 'imap.ionos.es:993', perDay: 5000 },
  Strato: { domains: '', mx: 'rzone.de', smtp: 'smtp.strato.de:465', imap: 'imap.strato.de:993', perDay: 2000 },
  'all-inkl': { domains: '', mx: 'kasserver.com', smtp: 'smtp.all-inkl.com:465', imap: 'imap.all-inkl.com:993' },
  Hetzner: { domains: '', mx: 'your-server.de', smtp: 'mail.your-server.de:465', imap: 'mail.your-server.de:993', perDay: 12_000 },
  'mailbox.org': { domains: 'mailbox.org', mx: 'mailbox.org', smtp: 'smtp.mailbox.org:465', imap: 'imap.mailbox.org:993' },
  Posteo: { domains: 'posteo.de posteo.net', mx: 'posteo.de', smtp: 'posteo.de:465', imap: 'posteo.de:993', cap: 20 },
  'T-Online': {
    domains: 't-online.de magenta.de',
    smtp: 'securesmtp.t-online.de:465',
    imap: 'secureimap.t-online.de:993',
    cap: 20,
    note: 'First create a password for e-mail programs in the e-mail center.',
  },
  Freenet: { domains: 'freenet.de', smtp: 'mx.freenet.de:587', imap: 'mx.freenet.de:993', cap: 20 },
  OVHcloud: { domains: '', mx: 'mail.ovh.net ovh.net', smtp: 'ssl0.ovh.net:465', imap: 'ssl0.ovh.net:993', perDay: 4800 },
  Gandi: { domains: '', mx: 'gandi.net', smtp: 'mail.gandi.net:465', imap: 'mail.gandi.net:993' },
  Infomaniak: { domains: 'ik.me', mx: 'infomaniak.ch', smtp: 'mail.infomaniak.com:465', imap: 'mail.infomaniak.com:993', perDay: 1440 },
  Orange: { domains: 'orange.fr wanadoo.fr', smtp: 'smtp.orange.fr:465', imap: 'imap.orange.fr:993', cap: 20 },
  'La Poste': { domains: 'laposte.net', smtp: 'smtp.laposte.net:465', imap: 'imap.laposte.net:993', cap: 20, note: IMAP_FIRST },
  Free: { domains: 'free.fr', smtp: 'smtp.free.fr:465', imap: 'imap.free.fr:993', cap: 20 },
  SFR: { domains: 'sfr.fr neuf.fr', smtp: 'smtp.sfr.fr:465', imap: 'imap.sfr.fr:993', cap: 20 },
  Aruba: { domains: '', mx: 'aruba.it', smtp: 'smtps.aruba.it:465', imap: 'imaps.aruba.it:993' },
  Libero: {
    domains: 'libero.it iol.it inwind.it',
    smtp: 'smtp.libero.it:465',
    imap: 'imapmail.libero.it:993',
    cap: 20,
    note: APP_FIRST,
  },
  Virgilio: { domains: 'virgilio.it', smtp: 'out.virgilio.it:465', imap: 'in.virgilio.it:993', cap: 20, note: APP_FIRST },
  Namecheap: {
    domains: '',
    mx: 'privateemail.com',
    smtp: 'mail.privateemail.com:465',
    imap: 'mail.privateemail.com:993',
    perDay: 500,
    cap: 40,
  },
  GoDaddy: {
    domains: '',
    mx: 'secureserver.net',
    smtp: 'smtpout.secureserver.net:465',
    imap: 'imap.secureserver.net:993',
    perDay: 250,
    cap: 40,
  },
  Hostinger: { domains: '', mx: 'hostinger.com', smtp: 'smtp.hostinger.com:465', imap: 'imap.hostinger.com:993', perDay: 1000 },
  DreamHost: { domains: '', mx: 'dreamhost.com', smtp: 'smtp.dreamhost.com:465', imap: 'imap.dreamhost.com:993', perDay: 2400 },
  Rackspace: { domains: '', mx: 'emailsrvr.com', smtp: 'secure.emailsrvr.com:465', imap: 'secure.emailsrvr.com:993', perDay: 10_000 },
  Migadu: { domains: '', mx: 'migadu.com', smtp: 'smtp.migadu.com:465', imap: 'imap.migadu.com:993', cap: 40 },
  Titan: { domains: '', mx: 'titan.email', smtp: 'smtp.titan.email:465', imap: 'imap.titan.email:993', perDay: 1000, cap: 40 },
  'Yandex 360': {
    domains: 'yandex.ru yandex.com ya.ru',
    mx: 'mx.yandex.net',
    smtp: 'smtp.yandex.com:465',
    imap: 'imap.yandex.com:993',
    signIn: APP_PASSWORD,
    perDay: 500,
    cap: 20,
    note: APP_FIRST,
  },
  Runbox: { domains: 'runbox.com', mx: 'runbox.com', smtp: 'mail.runbox.com:465', imap: 'mail.runbox.com:993', perDay: 500, cap: 30 },
  Seznam: { domains: 'seznam.cz email.cz post.cz', mx: 'seznam.cz', smtp: 'smtp.seznam.cz:465', imap: 'imap.seznam.cz:993', cap: 20 },
  WP: { domains: 'wp.pl', smtp: 'smtp.wp.pl:465', imap: 'imap.wp.pl:993', cap: 20, note: IMAP_FIRST },
}

const serverOf = (text: string): MailServer => {
  const [host, port] = text.split(':') as [string, string]
  return { host, port: Number(port), secure: port === '465' || port === '993' }
}

/** Forty a day to strangers is what a warm mailbox of one's own domain bears; a personal one bears less. */
const DEFAULT_CAP = 40
export const DEFAULT_LIMITS: Hoster['limits'] = {
  hosterPerDay: null,
  dailyCap: DEFAULT_CAP,
  minGapSeconds: 120,
  ramp: { startPerDay: 5, increasePerDay: 3 },
}

const hosterOf = (name: string, line: Line): Hoster => ({
  name,
  smtp: serverOf(line.smtp),
  imap: serverOf(line.imap),
  signIn: line.signIn ?? ['password'],
  limits: { ...DEFAULT_LIMITS, hosterPerDay: line.perDay ?? null, dailyCap: line.cap ?? DEFAULT_CAP },
  note: line.note ?? null,
})

const BY_DOMAIN = new Map<string, Hoster>()
const BY_MX = new Map<string, Hoster>()
export const HOSTERS: Hoster[] = []
for (const [name, line] of Object.entries(LINES)) {
  const hoster = hosterOf(name, line)
  HOSTERS.push(hoster)
  for (const domain of line.domains.split(' ').filter(Boolean)) BY_DOMAIN.set(domain, hoster)
  for (const end of line.mx?.split(' ') ?? []) BY_MX.set(end, hoster)
}

/** The hoster whose own domain this is. */
export const hosterOfDomain = (domain: string): Hoster | undefined => BY_DOMAIN.get(domain)

/** The hoster that a domain has given its mail to, by the name of its mail server. */
export function hosterOfMailServer(exchange: string): Hoster | undefined {
  const labels = exchange.toLowerCase().replace(/\.$/, '').split('.')
  for (let from = 0; from < labels.length - 1; from++) {
    const hoster = BY_MX.get(labels.slice(from).join('.'))
    if (hoster) return hoster
  }
  return undefined
}
