import { HOSTERS } from './hosters.ts'

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
