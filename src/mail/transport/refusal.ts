/**
 * Whose problem a refusal is. A server that refuses one recipient says something about that recipient, or about a rule
 * of its own; it is the sender's problem only where the answer names the sender.
 */

/**
 * 5.1.7 and 5.1.8: the sender's address. 5.7.8 to 5.7.14: signing in. 5.7.20 to 5.7.27: SPF, DKIM and DMARC. 5.7.500 and above:
 * what Microsoft says of senders, networks and tenants that it has blocked.
 */
const SENDER_STATUS = /^5\.(?:1\.[78]|7\.(?:[89]|1[0-4]|2\d|[567]\d\d))$/

/** How much may be sent. Such a limit lets a message through now and then, so one that passes proves nothing. */
const LIMIT_WORDS =
  /\b(?:sending|outbound|outgoing|sender)\b[^.\n]{0,40}\b(?:limit|quota|rate)\b|\b(?:limit|quota)\b[^.\n]{0,40}\bsen(?:t|der|ding)\b/i

const SENDER_WORDS = [
  LIMIT_WORDS,
  /sender address rejected|not owned by|bad outbound sender|send ?as ?denied|not allowed to send as/i,
  /authentication (?:is )?required|must (?:authenticate|issue a starttls)|not (?:logged in|authenticated)/i,
  /client host\b[^\n]{0,80}\b(?:rejected|blocked)|blocked using|spamhaus|spamcop|barracudacentral/i,
  /\byour (?:ip|ip address|server|host|network)\b[^.\n]{0,60}\b(?:block|black ?list|reputation|reject|refus)/i,
  /\b(?:spf|dkim|dmarc)\b[^.\n]{0,60}\b(?:fail|pass|align|reject|policy|missing)|unauthenticated (?:e-?)?mail/i,
]

export interface Refusal {
  /** Enhanced status code such as 5.7.1, where one is given. */
  status: string | null
  text: string
  /** The address that was given as the sender. */
  from?: string | undefined
  /** The address of the recipient. */
  to?: string | undefined
}

/** Our own server says this when it does not relay mail for this mailbox. From another server, it is about the recipient's domain. */
const RELAY_WORDS =
  /\brelay(?:ing)?\b[^.\n]{0,30}\b(?:denied|not (?:allowed|permitted)|prohibited)|\b(?:unable|not (?:allowed|permitted)|refus\w+) to relay|allowed rcpthosts/i

/** The state of the recipient's mailbox: disabled, full, or closed to a message of this length. 5.7.12x and 5.7.13x: closed to strangers (Exchange). */
const RECIPIENT_STATUS = /^5\.(?:2\.[123]|7\.1[23]\d)$/

/** A recipient, or a group, that takes mail from chosen people only. It speaks of signing in, and means colleagues. */
const RESTRICTED_WORDS =
  /RESOLVER\.RST\.|delivery restriction|not (?:in|on) (?:the |an? )?allowed? ?list|when sending to this (?:group|mailbox|recipient)|only accepts? (?:e-?mails?|mail|messages?) from/i

/** The answer is about the sender, so every other message would get the same answer. */
export function namesSender({ status, text, from }: Refusal): boolean {
  if (status !== null && SENDER_STATUS.test(status)) return true
  if (status !== null && RECIPIENT_STATUS.test(status)) return false
  if (RESTRICTED_WORDS.test(text)) return false
  if (from && text.toLowerCase().includes(`<${from.toLowerCase()}>`)) return true
  return SENDER_WORDS.some(words => words.test(text))
}

/** Servers that look for the recipient only after the message say so in one of these words. */
const RECIPIENT_WORDS = [
  /\b(?:recipients?|mailbox|quota|no longer (?:here|works))\b/i,
  /\b(?:unknown|no such|invalid|inactive|disabled|closed)(?: local)? (?:user|person|address|account)\b/i,
  /\b(?:user|person|address|account)\b[^.\n]{0,30}\b(?:unknown|not found|not exist|doesn't exist|disabled|inactive|closed|suspended)\b/i,
]

/**
 * An answer to a message whose recipient had been accepted may be about what it says: a rule (5.7), the form (5.6), or no code at all,
 * and not a word about the recipient.
 */
export function mayBeOfText({ status, text, to }: Refusal): boolean {
  if (status !== null && (RECIPIENT_STATUS.test(status) || !/^5\.(?:0\.0|[67]\.\d+)$/.test(status))) return false
  if (RESTRICTED_WORDS.test(text) || RECIPIENT_WORDS.some(words => words.test(text))) return false
  return !to || !text.toLowerCase().includes(to.toLowerCase())
}

/** Our own server does not carry the mail of this mailbox to others. */
export const refusesToRelay = ({ text }: Pick<Refusal, 'text'>): boolean => RELAY_WORDS.test(text)

/** It speaks of how much may be sent. */
export const namesLimit = ({ text }: Pick<Refusal, 'text'>): boolean => LIMIT_WORDS.test(text)

/** A rule of the server, and nothing about whether the address exists: when several domains do so, it is the sender after all. */
export function isPolicyRefusal(code: number, status: string | null): boolean {
  return status === null || status === '5.0.0' ? code === 554 : status.startsWith('5.7.')
}
