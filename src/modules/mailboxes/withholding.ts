import type { ProviderRow } from './queries.ts'
import type { MailServer, ProviderSettings, ServerKind } from './schema.ts'

// Which servers the stored credentials must not be sent to. A user who may change the servers of a mailbox could
// otherwise have its password sent to a machine of their own.

/** Where it connects to, and how well that is protected. */
const addressOf = ({ host, port, secure, allowPlaintext = false, tls = {} }: MailServer): string =>
  JSON.stringify([host.toLowerCase(), port, secure, allowPlaintext, tls.ca ?? null, tls.fingerprint256 ?? null])

export function serversToWithhold(current: Pick<ProviderRow, 'settings' | 'credentialsWithheld'>, next: ProviderSettings): ServerKind[] {
  const isKnown = (kind: ServerKind, after: MailServer): boolean => {
    const before = current.settings[kind]
    return before != null && addressOf(before) === addressOf(after) && !current.credentialsWithheld.includes(kind)
  }
  return (['smtp', 'imap'] as const).filter(kind => next[kind] != null && !isKnown(kind, next[kind]))
}
