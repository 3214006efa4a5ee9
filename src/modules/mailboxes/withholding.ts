import type { ProviderRow } from './queries.ts'

// Which servers the stored credentials must not be sent to. A user who may change the servers of a mailbox could
// otherwise have its password sent to a machine of their own.

type Kind = 'smtp' | 'imap'

interface Server {
  host: string
  port: number
  secure: boolean
  allowPlaintext?: boolean
  tls?: { ca?: string; fingerprint256?: string }
}

const serverOf = (settings: Record<string, unknown>, kind: Kind): Server | null => (settings[kind] as Server | null | undefined) ?? null

/** Where it connects to, and how well that is protected. */
const addressOf = ({ host, port, secure, allowPlaintext = false, tls = {} }: Server): string =>
  JSON.stringify([host.toLowerCase(), port, secure, allowPlaintext, tls.ca ?? null, tls.fingerprint256 ?? null])

export function serversToWithhold(current: Pick<ProviderRow, 'settings' | 'credentialsWithheld'>, next: Record<string, unknown>): Kind[] {
  const isUnchanged = (kind: Kind): boolean => {
    const [before, after] = [serverOf(current.settings, kind), serverOf(next, kind)]
    return before !== null && after !== null && addressOf(before) === addressOf(after)
  }
  const isKnown = (kind: Kind): boolean => isUnchanged(kind) && !current.credentialsWithheld.includes(kind)
  return (['smtp', 'imap'] as const).filter(kind => serverOf(next, kind) !== null && !isKnown(kind))
}
