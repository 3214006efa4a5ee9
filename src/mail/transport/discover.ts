import type { Dns } from '../../lib/dns.ts'
import { domainOf } from '../../lib/email.ts'
import { DEFAULT_LIMITS, type Hoster, hosterOfDomain, hosterOfMailServer, type MailServer } from './hosters.ts'

/** Finds the server settings for an address in the ways that mail programs use. The result has not been tried. */

export type Source = 'preset' | 'mx' | 'autoconfig' | 'srv' | 'guess'

export interface Proposal extends Omit<Hoster, 'name' | 'imap'> {
  source: Source
  /** The name of the hoster, where it is one that we know. */
  hoster: string | null
  imap: MailServer | null
}

interface Outside {
  dns: Dns
  /** Fetches the text at a web address that a stranger chose; null when there is none. */
  fetchText(url: string): Promise<string | null>
}

/** The likeliest settings first. A method that fails is left out, because another may succeed. */
export async function proposeSettings(email: string, outside: Outside): Promise<Proposal[]> {
  const domain = domainOf(email).toLowerCase()
  const preset = hosterOfDomain(domain)
  if (preset) return [fromHoster(preset, 'preset')]
  const ways = await Promise.allSettled([byMailServer(domain, outside), byAutoconfig(email, domain, outside), bySrv(domain, outside)])
  const proposals = ways.flatMap(way => (way.status === 'fulfilled' && way.value ? [way.value] : []))
  return distinct([...proposals, ...guesses(domain)])
}

function fromHoster({ name, ...hoster }: Hoster, source: Source): Proposal {
  return { source, hoster: name, ...hoster }
}

const unknownHoster = (source: Source, smtp: MailServer, imap: MailServer | null): Proposal => ({
  source,
  hoster: null,
  smtp,
  imap,
  signIn: ['password'],
  limits: DEFAULT_LIMITS,
  note: null,
})

async function byMailServer(domain: string, { dns }: Outside): Promise<Proposal | null> {
  for (const exchange of await dns.mailServers(domain)) {
    const hoster = hosterOfMailServer(exchange)
    if (hoster) return fromHoster(hoster, 'mx')
  }
  return null
}

/** RFC 6186 and 8314: the services with TLS from the first byte come first. */
async function bySrv(domain: string, { dns }: Outside): Promise<Proposal | null> {
  const [submissions, submission, imaps, imap] = await Promise.all(
    ['_submissions', '_submission', '_imaps', '_imap'].map(name => dns.services(`${name}._tcp.${domain}`)),
  )
  const smtp = submissions?.[0] ?? submission?.[0]
  if (!smtp) return null
  const inbox = imaps?.[0] ?? imap?.[0]
  return unknownHoster(
    'srv',
    { host: smtp.name, port: smtp.port, secure: submissions?.[0] !== undefined },
    inbox ? { host: inbox.name, port: inbox.port, secure: imaps?.[0] !== undefined } : null,
  )
}

async function byAutoconfig(email: string, domain: string, { fetchText }: Outside): Promise<Proposal | null> {
  const address = encodeURIComponent(email)
  const places = [
    `https://autoconfig.${domain}/mail/config-v1.1.xml?emailaddress=${address}`,
    `https://${domain}/.well-known/autoconfig/mail/config-v1.1.xml`,
  ]
  for (const place of places) {
    const text = await fetchText(place)
    const proposal = text === null ? null : readAutoconfig(text)
    if (proposal) return proposal
  }
  return null
}

/** Reads only the servers from the document: https://wiki.mozilla.org/Thunderbird:Autoconfiguration:ConfigFileFormat */
export function readAutoconfig(xml: string): Proposal | null {
  const smtp = serverIn(xml, 'outgoingServer', 'smtp')
  return smtp && unknownHoster('autoconfig', smtp, serverIn(xml, 'incomingServer', 'imap'))
}

const HOST = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/i

function serverIn(xml: string, element: string, type: string): MailServer | null {
  let end = 0
  for (let from = xml.indexOf(`<${element}`); from !== -1; from = xml.indexOf(`<${element}`, end)) {
    end = xml.indexOf(`</${element}>`, from)
    if (end === -1) return null
    const inside = xml.slice(from, end)
    const opening = inside.slice(0, inside.indexOf('>') + 1)
    if (!opening.includes(`type="${type}"`) && !opening.includes(`type='${type}'`)) continue
    const [host, port, security] = ['hostname', 'port', 'socketType'].map(name => textIn(inside, name))
    if (!host || !HOST.test(host) || !/^\d{1,5}$/.test(port ?? '') || Number(port) > 65_535) continue
    if (security !== 'SSL' && security !== 'STARTTLS') continue
    return { host: host.toLowerCase(), port: Number(port), secure: security === 'SSL' }
  }
  return null
}

function textIn(xml: string, element: string): string | undefined {
  const from = xml.indexOf(`<${element}>`)
  const end = xml.indexOf(`</${element}>`, from)
  return from === -1 || end === -1 ? undefined : xml.slice(from + element.length + 2, end).trim()
}

const guesses = (domain: string): Proposal[] => [
  unknownHoster('guess', { host: `mail.${domain}`, port: 465, secure: true }, { host: `mail.${domain}`, port: 993, secure: true }),
  unknownHoster('guess', { host: `smtp.${domain}`, port: 465, secure: true }, { host: `imap.${domain}`, port: 993, secure: true }),
  unknownHoster('guess', { host: `mail.${domain}`, port: 587, secure: false }, { host: `mail.${domain}`, port: 143, secure: false }),
]

function distinct(proposals: Proposal[]): Proposal[] {
  const seen = new Set<string>()
  return proposals.filter(({ smtp, imap }) => {
    const key = JSON.stringify([smtp, imap])
    return seen.has(key) ? false : seen.add(key)
  })
}
