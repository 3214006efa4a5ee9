import type { Email } from 'postal-mime'
import { textOf } from '#reply-reader'

/**
 * Finds quoted messages of ours when the headers do not name them: somebody forwards one, answers from another address, or
 * a mail program drops the headers. Everything that looks like ours is collected; the caller must verify it.
 */

export interface QuotedToken {
  purpose: 'open' | 'click' | 'unsubscribe'
  token: string
}

const PURPOSES = { u: 'unsubscribe', 't/c': 'click', 't/o': 'open' } as const
const MAX_QUOTED = 20
const MAX_CHARS = 300_000

/** The ids that `messageIdFor` makes: forty hexadecimal digits and a domain. */
const OWN_ID = /(?<![0-9a-z])[0-9a-f]{40}@[a-z0-9.-]{1,253}/gi
/** Servers that check links escape the slashes. */
const OWN_LINK = /(?:\/|%2f)(u|t(?:\/|%2f)[co])(?:\/|%2f)([\w-]{46})(?![\w-])/gi

/** The subject that a mail program uses to unsubscribe by mail: this and the token of the link. */
export const OPT_OUT_SUBJECT = 'unsubscribe'
/** Servers put tags around it, and people forward it. The signature of the token shows whether it is ours. */
const OPT_OUT = new RegExp(`(?<![\\w-])${OPT_OUT_SUBJECT}\\s{1,9}([\\w-]{46})(?![\\w-])`, 'i')
const MAX_SUBJECT_CHARS = 1000

/** For a mail that unsubscribes, the token of its subject comes first. */
export function findQuoted(email: Email): { ids: string[]; tokens: QuotedToken[]; isOptOutMail: boolean } {
  const ids = new Set<string>()
  const tokens = new Map<string, QuotedToken>()
  const asked = OPT_OUT.exec((email.subject ?? '').slice(0, MAX_SUBJECT_CHARS))?.[1]
  if (asked) tokens.set(asked, { purpose: 'unsubscribe', token: asked })
  const attached = email.attachments.filter(part => /^(message|text)\//.test(part.mimeType)).map(part => textOf(part, MAX_CHARS, 'latin1'))
  for (const part of [email.text ?? '', email.html ?? '', ...attached]) {
    const text = part.slice(0, MAX_CHARS)
    for (const [id] of text.matchAll(OWN_ID)) {
      if (ids.size === MAX_QUOTED) break
      ids.add(`<${id.toLowerCase()}>`)
    }
    for (const [, path, token] of text.matchAll(OWN_LINK)) {
      if (tokens.size === MAX_QUOTED) break
      const purpose = PURPOSES[(path as string).toLowerCase().replace('%2f', '/') as keyof typeof PURPOSES]
      tokens.set(token as string, { purpose, token: token as string })
    }
  }
  return { ids: [...ids], tokens: [...tokens.values()], isOptOutMail: asked !== undefined }
}
