import type { ImapSettings } from './imap.ts'
import { ImapSignInRefused } from './imap-refusal.ts'
import { cureOfMicrosoft } from './microsoft.ts'
import type { SmtpSettings } from './smtp.ts'
import { SmtpConnectError } from './smtp-answers.ts'

export type VerifyStage = 'dns' | 'tcp' | 'tls' | 'auth' | 'test_message' | 'imap' | 'folders'

/** The most frequent cause of a failure at each stage of a verification. It is shown beside the server's own words. */
const CURES: Record<VerifyStage, string> = {
  dns: 'Usually a letter is wrong in the name of the server.',
  tcp: 'Usually the port is wrong: 465 goes with encryption from the first byte, 587 with STARTTLS. Port 25 is closed in most networks.',
  tls: 'Usually port and encryption do not go together: 465 wants TLS from the first byte, 587 wants STARTTLS.',
  auth: 'Usually it is the password. Hosters with two-step sign-in want an app password, and the user name is mostly the whole address.',
  test_message: 'Usually the account may not use the sender address: it must be the address that signs in, or an alias of it.',
  imap: 'Usually IMAP is switched off in the settings of the hoster, or the port is wrong: 993 goes with TLS, 143 with STARTTLS.',
  folders: 'Usually a folder that the settings name was renamed or removed: name it as the server does, or leave the folders out.',
}

const CERTIFICATE_CURE =
  'The certificate of the server has to be renewed or trusted: use the name that it is issued for, or give tls.ca or tls.fingerprint256.'
const TOKEN_CURE =
  'Usually the account may not use this way of access: an administrator can switch on IMAP and authenticated SMTP. Otherwise give the consent again.'
const SLOW_CURE =
  'Many servers answer late after refused sign-ins: wait a minute and try again. Otherwise the port is wrong, or a firewall is in between.'
const LATER_CURE = 'The server asks to come back later: try again in a few minutes.'

/** The likely fix for a failed stage. */
export function cureOf(stage: VerifyStage, failure: Error, to: Pick<SmtpSettings | ImapSettings, 'auth' | 'host'>): string {
  if ((stage === 'auth' || stage === 'imap') && /does not answer in time|took too long/.test(failure.message)) return SLOW_CURE
  if ((stage === 'tls' || stage === 'imap') && /certificate/i.test(failure.message)) return CERTIFICATE_CURE
  if (failure instanceof SmtpConnectError && !failure.permanent && /^4\d\d[ -]/.test(failure.response ?? '')) return LATER_CURE
  if (stage === 'test_message' && /^4\d\d[ -]/.test(failure.message)) return LATER_CURE
  if (stage === 'auth' && failure instanceof SmtpConnectError) {
    const ofMicrosoft = cureOfMicrosoft(failure.response, to.host, to.auth)
    if (ofMicrosoft !== null) return ofMicrosoft
  }
  if (stage === 'auth' || failure instanceof ImapSignInRefused) return to.auth?.accessToken ? TOKEN_CURE : CURES.auth
  return CURES[stage]
}

/** The likely fix when the name of a server cannot be resolved. */
export const UNKNOWN_NAME_CURE = CURES.dns
