import { hosterOfSmtpServer } from './hosters.ts'
import type { MailAuth } from './mail-auth.ts'

// Microsoft ends signing in by password for sending (SMTP AUTH with basic authentication), and says so in its refusals.

const OF_MICROSOFT = new Set(['Microsoft 365', 'Outlook.com'])

export const isMicrosoft = (smtpHost: string): boolean => OF_MICROSOFT.has(hosterOfSmtpServer(smtpHost)?.name ?? '')

const BY_CONSENT = 'Connect the mailbox by consent (OAuth) instead: docs/mailboxes.md, section Microsoft.'

/** For a mailbox that still signs in by password. */
export const MICROSOFT_PASSWORD_NOTICE = `Microsoft turns off signing in by password for SMTP at the end of December 2026 unless an administrator turns it on again, and removes it later (announced for 2027). ${BY_CONSENT}`

const TURNED_OFF = /SmtpClientAuthentication is disabled|basic authentication is disabled/i
const TOKEN_REFUSED =
  'Microsoft refuses SMTP for this mailbox although the consent was given: an administrator must turn on Authenticated SMTP for it (docs/mailboxes.md, section Microsoft). It takes up to an hour to become true.'

/** What to do about a refused sign-in of Microsoft; null for the refusals of others. */
export function cureOfMicrosoft(response: string | null, smtpHost: string, auth: MailAuth | null | undefined): string | null {
  const status = /^535[ -](5\.7\.139|5\.7\.3)\b/.exec(response ?? '')?.[1]
  const isTurnedOff = status === '5.7.139' && TURNED_OFF.test(response!)
  // Others use 5.7.3, too. Only Microsoft has 5.7.139.
  if (status === undefined || (status === '5.7.3' && !isMicrosoft(smtpHost))) return null
  if (auth?.accessToken) return status === '5.7.139' ? TOKEN_REFUSED : null
  if (isTurnedOff) return `Microsoft has turned off signing in by password for this mailbox or its tenant. ${BY_CONSENT}`
  if (status === '5.7.139' && !/credentials were incorrect/i.test(response!))
    return `A rule of the tenant (security defaults or conditional access) refuses signing in by password. ${BY_CONSENT}`
  return `The password is wrong, or Microsoft has turned off signing in by password for this mailbox. ${BY_CONSENT}`
}
