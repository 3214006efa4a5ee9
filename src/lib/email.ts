import { domainToASCII } from 'node:url'

// Each part takes linear time: what a repetition matches cannot be matched by what follows it.
const ATOM = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+"
const LOCAL_PART = new RegExp(`^${ATOM}(?:\\.${ATOM})*$`, 'i')
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const DOMAIN = new RegExp(`^${LABEL}(?:\\.${LABEL})+$`, 'i')

export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@')
  if (at < 1 || at > 64 || text.length > 254) return false
  const domain = asciiDomain(text.slice(at + 1))
  return at + 1 + domain.length <= 254 && DOMAIN.test(domain) && LOCAL_PART.test(text.slice(0, at))
}

export const domainOf = (email: string): string => asciiDomain(email.slice(email.lastIndexOf('@') + 1)).toLowerCase()

/** A domain as mail servers know it: bücher.example is xn--bcher-kva.example. Anything that is no domain stays as it is. */
function asciiDomain(domain: string): string {
  if (!NOT_ASCII.test(domain) || !/^[\p{L}\p{M}\p{N}.-]+$/u.test(domain)) return domain
  return domainToASCII(domain) || domain
}

const NOT_ASCII = /[^\0-\x7f]/

/** The one form of an address, or of a domain alone, by which it is kept and recognized. */
export function asciiAddress(address: string): string {
  if (!NOT_ASCII.test(address)) return address
  const at = address.lastIndexOf('@')
  return address.slice(0, at + 1) + asciiDomain(address.slice(at + 1))
}

/** Such addresses need SMTPUTF8 all the way to the recipient. */
export const needsSmtpUtf8 = (address: string): boolean => NOT_ASCII.test(address.slice(0, Math.max(0, address.lastIndexOf('@'))))
