import type { Overture } from '../../../packages/sdk/src/client.ts'
import type { DiscoveredSettings } from '../../../packages/sdk/src/types.gen.ts'
import { CommandFailed, EXIT, wrongUsage } from '../../lib/command-failure.ts'
import type { Flags } from '../flags.ts'
import { harmless } from '../output.ts'
import type { Shell } from '../shell.ts'

type Servers = DiscoveredSettings['settings']
export type Issuer = 'google' | 'microsoft'

export interface Found {
  settings: Servers
  limits: DiscoveredSettings['limits'] | null
  signIn: DiscoveredSettings['signIn']
  note: string | null
}

/** The servers of an address: those that were named, or the best of those that the service finds. */
export async function findServers(service: Overture, email: string, flags: Flags, shell: Shell): Promise<Found> {
  const smtp = readServer(flags.text('smtp'), 'smtp', 465)
  const imap = readServer(flags.text('imap'), 'imap', 993)
  if (smtp) return { settings: { smtp, imap }, limits: null, signIn: ['password'], note: null }
  if (imap) throw wrongUsage('--imap needs --smtp, too.', 'overture mailbox add --help')
  shell.status?.(`Looking for the mail servers of ${email} ...`)
  const { candidates } = await service.providers.discover({ email }).finally(() => shell.status?.(''))
  const best = candidates.find(({ works }) => works) ?? candidates[0]
  if (!best) {
    const next = `overture mailbox add ${email} --smtp mail.example.com:465 --imap mail.example.com:993`
    throw new CommandFailed(EXIT.notFound, 'servers_not_found', `No mail server of ${email} was found.`, next)
  }
  if (!best.works) shell.warn(`None of the servers found works: ${harmless(best.problem ?? '')}`)
  const { settings, limits, signIn, note } = best
  return { settings, limits, signIn, note }
}

/** `mail.example.com:465`; the ports 465 and 993 speak TLS from the first byte, others begin without. */
function readServer(text: string | undefined, name: string, securePort: number): Servers['smtp'] | null {
  if (text === undefined) return null
  const [, host, port] = /^(.+):(\d{1,5})$/.exec(text) ?? []
  if (!host) throw wrongUsage(`--${name} must be HOST:PORT, not "${text}".`, `--${name} mail.example.com:${securePort}`)
  return { host, port: Number(port), secure: Number(port) === securePort }
}

const ISSUERS: Record<Issuer, RegExp> = {
  google: /(^|\.)(gmail|googlemail|google)\.com$/i,
  microsoft: /(^|\.)(office365|outlook|hotmail)\.com$/i,
}

/** The issuer that such a mailbox signs in with, if it needs no password. */
export const issuerOf = ({ settings }: Found): Issuer | null =>
  (Object.keys(ISSUERS) as Issuer[]).find(issuer => ISSUERS[issuer].test(settings.smtp.host)) ?? null

export function readIssuer(text: string | undefined): Issuer | null {
  if (text === undefined) return null
  if (text === 'google' || text === 'microsoft') return text
  throw wrongUsage(`--consent must be google or microsoft, not "${text}".`, 'overture mailbox add --help')
}

export const shownServers = ({ smtp, imap }: Servers): string =>
  `SMTP ${smtp.host}:${smtp.port}, ${imap ? `IMAP ${imap.host}:${imap.port}` : 'no inbox'}`
