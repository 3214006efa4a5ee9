import { domainToASCII } from 'node:url'

// Takes linear time: the parts of the address are checked one by one, so no pattern can be made to backtrack.
export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@')
  if (at < 1 || at > 64 || text.length > 254) return false
  const local = text.slice(0, at)
  const domain = asciiDomain(text.slice(at + 1))
  if (at + 1 + domain.length > 254) return false
  const labels = domain.split('.')
  if (labels.length < 2 || !labels.every(label => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i.test(label))) return false
  return /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+$/i.test(local) && !local.startsWith('.') && !local.endsWith('.') && !local.includes('..')
}

export const domainOf = (email: string): string => asciiDomain(email.slice(email.lastIndexOf('@') + 1)).toLowerCase()

/** A domain as mail servers know it: bücher.example is xn--bcher-kva.example. Anything that is no domain stays as it is. */
function asciiDomain(domain: string): string {
  if (!NOT_ASCII.test(domain) || !/^[\p{L}\p{M}\p{N}.-]+$/u.test(domain)) return domain
  return domainToASCII(domain) || domain
}

const NOT_ASCII = /[^\0-\x7f]/

/** The one form of an address, or of a domain alone, by which it is kept and recognised. */
export function asciiAddress(address: string): string {
  if (!NOT_ASCII.test(address)) return address
  const at = address.lastIndexOf('@')
  return address.slice(0, at + 1) + asciiDomain(address.slice(at + 1))
}

/** Such addresses need SMTPUTF8 all the way to the recipient. */
export const needsSmtpUtf8 = (address: string): boolean => NOT_ASCII.test(address.slice(0, Math.max(0, address.lastIndexOf('@'))))
