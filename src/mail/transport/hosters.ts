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
  /** What the user must do first, if anything. */
  note: string | null
}

const NOTES: Readonly<Record<string, string>> = {
  '(app)': 'Create an app password in the security settings of the account. The normal account password does not work.',
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
const HOSTERS: Hoster[] = []

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

/**
 * The SPF includes of domains that send through a hoster, from the hosters' instructions: first the one to recommend,
 * then others with the same meaning. Hosters change them, so we check that one exists before we recommend it.
 */
const SPF: Readonly<Record<string, string>> = {
  Gmail: '_spf.google.com',
  'Google Workspace': '_spf.google.com',
  'Microsoft 365': 'spf.protection.outlook.com',
  'Outlook.com': 'spf.protection.outlook.com',
  iCloud: 'icloud.com',
  'Zoho Mail': 'zohomail.com zoho.com one.zoho.com',
  'Zoho Mail (organizations)': 'zohomail.com zoho.com one.zoho.com',
  'Zoho Mail (Europe)': 'zohomail.eu zoho.eu one.zoho.eu',
  'Zoho Mail (India)': 'zohomail.in zoho.in one.zoho.in',
  Fastmail: 'spf.messagingengine.com',
  'Proton Mail': '_spf.protonmail.ch',
  IONOS: '_spf-us.ionos.com _spf-eu.ionos.com _spf.perfora.net',
  'IONOS (Germany)': '_spf-eu.ionos.com _spf.kundenserver.de',
  'IONOS (United Kingdom)': '_spf-eu.ionos.com _spf.kundenserver.de',
  'IONOS (France)': '_spf-eu.ionos.com _spf.kundenserver.de',
  'IONOS (Spain)': '_spf-eu.ionos.com _spf.kundenserver.de',
  Strato: '_spf.strato.com smtp.rzone.de',
  'all-inkl': 'spf.kasserver.com',
  'mailbox.org': 'mailbox.org',
  OVHcloud: 'mx.ovh.com',
  Gandi: '_mailcust.gandi.net',
  Infomaniak: 'spf.infomaniak.ch',
  Aruba: '_spf.aruba.it',
  Namecheap: 'spf.privateemail.com',
  GoDaddy: 'secureserver.net',
  Hostinger: '_spf.mail.hostinger.com',
  DreamHost: 'netblocks.dreamhost.com',
  Rackspace: 'emailsrvr.com',
  Migadu: 'spf.migadu.com',
  Titan: 'spf.titan.email',
  'Yandex 360': '_spf.yandex.net _spf.yandex.ru',
  Runbox: 'spf.runbox.com',
}

export interface SmtpHoster {
  name: string
  /** Empty when it is not known. */
  spf: readonly string[]
}

const BY_SERVER = new Map<string, SmtpHoster>()
// When several share a server, the first one is used: the others differ only in their limits.
for (const { name, smtp } of HOSTERS.toReversed()) BY_SERVER.set(smtp.host, { name, spf: SPF[name]?.split(' ') ?? [] })

/** The hoster of an SMTP server, by its name. */
export const hosterOfSmtpServer = (host: string): SmtpHoster | undefined => BY_SERVER.get(host.toLowerCase())

/** Providers of personal mailboxes: an address there belongs to a person and not to a company. */
const DOMAINS = `
gmail.com googlemail.com yahoo.com yahoo.co.uk yahoo.de yahoo.fr yahoo.es yahoo.it yahoo.ca yahoo.com.br yahoo.com.mx
yahoo.com.ar yahoo.co.in yahoo.in yahoo.co.jp yahoo.com.au yahoo.co.id yahoo.com.ph yahoo.com.vn yahoo.gr yahoo.ro ymail.com
rocketmail.com myyahoo.com outlook.com outlook.de outlook.fr outlook.es outlook.it outlook.at outlook.jp outlook.com.br
outlook.co.th hotmail.com hotmail.co.uk hotmail.de hotmail.fr hotmail.es hotmail.it hotmail.nl hotmail.be hotmail.ca hotmail.se
hotmail.com.br hotmail.com.ar hotmail.co.jp hotmail.ch live.com live.co.uk live.de live.fr live.nl live.it live.be live.ca live.se
live.dk live.no live.com.mx live.com.au live.com.pt msn.com passport.com windowslive.com icloud.com me.com mac.com aol.com aol.de
aol.fr aol.co.uk aim.com verizon.net att.net sbcglobal.net bellsouth.net comcast.net xfinity.com cox.net charter.net spectrum.net
earthlink.net mindspring.com juno.com netzero.net optonline.net frontier.com windstream.net centurylink.net q.com rogers.com
shaw.ca bell.net sympatico.ca telus.net videotron.ca proton.me protonmail.com protonmail.ch pm.me tutanota.com tutanota.de tuta.io
tuta.com keemail.me fastmail.com fastmail.fm hey.com zoho.com zohomail.com zohomail.eu mail.com email.com usa.com gmx.com gmx.de
gmx.net gmx.at gmx.ch gmx.fr gmx.es web.de t-online.de freenet.de arcor.de 1und1.de online.de mail.de posteo.de mailbox.org
vodafone.de o2online.de kabelmail.de unitybox.de bluewin.ch hispeed.ch sunrise.ch aon.at chello.at a1.net orange.fr wanadoo.fr
free.fr sfr.fr neuf.fr laposte.net bbox.fr numericable.fr club-internet.fr voila.fr telefonica.net movistar.es ono.com terra.es
ya.com libero.it virgilio.it alice.it tin.it tim.it tiscali.it fastwebnet.it inwind.it iol.it poste.it btinternet.com
btopenworld.com virginmedia.com ntlworld.com sky.com talktalk.net tiscali.co.uk blueyonder.co.uk plusnet.com ziggo.nl kpnmail.nl
planet.nl home.nl xs4all.nl hetnet.nl telenet.be skynet.be proximus.be scarlet.be telia.com comhem.se bredband.net online.no
mail.dk sapo.pt wp.pl o2.pl onet.pl interia.pl op.pl gazeta.pl seznam.cz centrum.cz email.cz volny.cz azet.sk freemail.hu
citromail.hu abv.bg mail.bg mail.ru inbox.ru list.ru bk.ru yandex.ru yandex.com ya.ru rambler.ru ukr.net i.ua meta.ua tut.by
uol.com.br bol.com.br terra.com.br ig.com.br globo.com rediffmail.com qq.com foxmail.com 163.com 126.com yeah.net sina.com
sohu.com aliyun.com naver.com daum.net hanmail.net nate.com hinet.net docomo.ne.jp ezweb.ne.jp softbank.ne.jp bigpond.com
optusnet.com.au iinet.net.au xtra.co.nz walla.co.il walla.com mynet.com
`
const FREE_MAIL = new Set(DOMAINS.trim().split(/\s+/))

export const isFreeMail = (domain: string): boolean => FREE_MAIL.has(domain.toLowerCase())
