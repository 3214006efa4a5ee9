import { domainOf } from '../../lib/email.ts'
import { type AuthenticationResults, readAuthenticationResults } from '../../mail/inbound/authentication-results.ts'
import { finding, isAligned } from './findings.ts'
import type { Finding } from './schema.ts'

// DNS cannot show whether mail is signed: only a received message does.

export interface Arrival {
  /** The topmost header of the name, as it is in the message. */
  authenticationResults: string | null
  isJunk: boolean
  /** The mailbox in which it arrived. */
  receiver: string
}

const SIGN = 'Enable DKIM signing at your hosting provider, and publish the key that it shows.'

/** The verdict of the receiving server on a message from this domain. */
export function judgeArrival(domain: string, { authenticationResults, isJunk, receiver }: Arrival): Finding {
  const read = authenticationResults === null ? null : readAuthenticationResults(authenticationResults)
  if (!read || read.results.length === 0) {
    const advice = 'Connect a mailbox at a hosting provider that records it, such as Google or Microsoft, and check again.'
    return finding('unknown', `The server of ${receiver} does not record its checks in a message.`, advice)
  }
  const signatures = read.results.filter(({ method }) => method === 'dkim')
  const valid = signatures.filter(({ result }) => result === 'pass').map(({ properties }) => signerOf(properties))
  const own = valid.find(signer => signer !== null && isAligned(signer, domain))
  const said = wordResults(read)
  const spam = isJunk ? ` It was filed as spam in the mailbox of ${receiver}.` : ''
  if (own !== undefined) {
    const advice = isJunk ? 'The signature is valid. Look at the other checks, and at the content of the message.' : null
    return finding(isJunk ? 'warn' : 'pass', `The test email was signed by ${own}. ${said}${spam}`, advice)
  }
  if (valid.length > 0) {
    const signers = valid.map(signer => signer ?? 'an unnamed domain').join(', ')
    const isLet = read.results.some(({ method, result }) => method === 'dmarc' && result === 'pass')
    const found = `The test email was signed by ${signers}, not by ${domain}. ${said}${spam}`
    return finding(isLet ? 'warn' : 'fail', found, SIGN)
  }
  const found = signatures.some(({ result }) => result !== 'none')
    ? 'The signature of the test email was not valid.'
    : 'The test email was not signed.'
  return finding('fail', `${found} ${said}${spam}`, SIGN)
}

/** The domain that has signed: `header.d`, or the end of `header.i` where only that is given. */
function signerOf(properties: ReadonlyMap<string, string>): string | null {
  const named = properties.get('header.d') ?? properties.get('header.i')
  return named === undefined ? null : domainOf(named)
}

function wordResults({ by, results }: AuthenticationResults): string {
  const words = ['dkim', 'spf', 'dmarc'].flatMap(method => {
    const found = results.filter(result => result.method === method).map(({ result }) => result.slice(0, 20))
    return found.length > 0 ? [`${method}=${[...new Set(found)].join('/')}`] : []
  })
  return `${by.slice(0, 100)} says: ${words.join(', ')}.`
}

export const waitingFor = (receiver: string): Finding => finding('unknown', `A test email was sent to ${receiver} and has not arrived yet.`)

export function notArrived(receiver: string): Finding {
  const found = `The test email has not arrived in the mailbox of ${receiver} within one minute. The result changes when it arrives.`
  return finding('unknown', found, 'Check the spam folder of that mailbox, and check again later.')
}

export const nobodyToWriteTo = (): Finding =>
  finding('unknown', 'This workspace has no other mailbox that could receive a test email to check its signature.', {
    advice:
      'Connect another mailbox with its inbox (IMAP), preferably at another hosting provider such as Google or Microsoft, and check again.',
  })

export const notSent = (reason: string): Finding =>
  finding('unknown', `The test email could not be sent: ${reason}`, 'Verify the mailbox, and check again.')
