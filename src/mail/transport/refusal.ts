/**
 * Decides who has to solve a refusal. When a server refuses one recipient, the reason is that recipient or a rule of the server;
 * it is the mailbox's problem only when the response names the sender.
 */

/**
 * 5.1.7 and 5.1.8: the sender's address. 5.7.8 to 5.7.14: signing in. 5.7.20 to 5.7.32: SPF, DKIM and DMARC. 5.7.500 and above:
 * senders, networks and tenants that Microsoft has blocked.
 */
const SENDER_STATUS = /^5\.(?:1\.[78]|7\.(?:[89]|1[0-4]|2\d|3[0-2]|[567]\d\d))$/

/** Limits of volume. Under such a limit, single messages are still accepted, so one accepted message proves nothing. */
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
  from?: string | undefined
  to?: string | undefined
}

/** From the mailbox's own server: it does not relay mail for this mailbox. From another server: it is about the recipient's domain. */
const RELAY_WORDS =
  /\brelay(?:ing)?\b[^.\n]{0,30}\b(?:denied|not (?:allowed|permitted)|prohibited)|\b(?:unable|not (?:allowed|permitted)|refus\w+) to relay|allowed rcpthosts/i

/** The state of the recipient's mailbox: disabled, full, or closed to a message of this length. 5.7.12x and 5.7.13x: closed to strangers (Exchange). */
const RECIPIENT_STATUS = /^5\.(?:2\.[123]|7\.1[23]\d)$/

/** A recipient, or a group, that accepts mail from certain people only. The response mentions signing in, but means that. */
const RESTRICTED_WORDS =
  /RESOLVER\.RST\.|delivery restriction|not (?:in|on) (?:the |an? )?allowed? ?list|when sending to this (?:group|mailbox|recipient)|only accepts? (?:e-?mails?|mail|messages?) from/i

/** The response is about the sender, so every other message would get the same response. */
export function namesSender({ status, text, from }: Refusal): boolean {
  if (status !== null && SENDER_STATUS.test(status)) return true
  if (status !== null && RECIPIENT_STATUS.test(status)) return false
  if (RESTRICTED_WORDS.test(text)) return false
  if (from && text.toLowerCase().includes(`<${from.toLowerCase()}>`)) return true
  return SENDER_WORDS.some(words => words.test(text))
}

/** The words of servers that look for the recipient only after they got the message. */
const RECIPIENT_WORDS = [
  /\b(?:recipients?|mailbox|quota|no longer (?:here|works))\b/i,
  /\b(?:unknown|no such|invalid|inactive|disabled|closed)(?: local)? (?:user|person|address|account)\b/i,
  /\b(?:user|person|address|account)\b[^.\n]{0,30}\b(?:unknown|not found|not exist|doesn't exist|disabled|inactive|closed|suspended)\b/i,
]

/**
 * When the recipient was accepted and the message is refused, the text may be the reason: the code is a rule (5.7), the form (5.6) or
 * missing, and the response does not mention the recipient.
 */
export function mayBeOfText({ status, text, to }: Refusal): boolean {
  if (status !== null && (RECIPIENT_STATUS.test(status) || !/^5\.(?:0\.0|[67]\.\d+)$/.test(status))) return false
  if (RESTRICTED_WORDS.test(text) || RECIPIENT_WORDS.some(words => words.test(text))) return false
  return !to || !text.toLowerCase().includes(to.toLowerCase())
}

/** Our own server does not carry the mail of this mailbox to others. */
export const refusesToRelay = ({ text }: Pick<Refusal, 'text'>): boolean => RELAY_WORDS.test(text)

export const namesLimit = ({ text }: Pick<Refusal, 'text'>): boolean => LIMIT_WORDS.test(text)

/** A rule of the server, which does not tell whether the address exists. When several domains refuse so, the mailbox is the reason. */
export const isPolicyRefusal = (code: number, status: string | null): boolean =>
  status === null || status === '5.0.0' ? code === 554 : status.startsWith('5.7.')
