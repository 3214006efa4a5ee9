import { domainToASCII } from 'node:url'

// Takes linear time: the letters of the address are checked one by one.
export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@')
  if (at < 1 || at > 64 || text.length > 254) return false
  const domain = asciiDomain(text.slice(at + 1))
  return at + 1 + domain.length <= 254 && areLabels(domain) && isLocalPart(text, at)
}

const [DOT, HYPHEN] = [46, 45]

/** Two labels or more, of letters, digits and hyphens that stand between them. */
function areLabels(domain: string): boolean {
  let start = 0
  for (let at = 0; at <= domain.length; at++) {
    const code = at === domain.length ? DOT : domain.charCodeAt(at)
    if (code === DOT) {
      if (at === start || at - start > 63 || domain.charCodeAt(start) === HYPHEN || domain.charCodeAt(at - 1) === HYPHEN) return false
      if (at === domain.length) return start > 0
      start = at + 1
    } else if (code !== HYPHEN && !isLetterOrDigit(code)) return false
  }
  return false
}

const isLetterOrDigit = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90)

const SIGNS = new Set([..."!#$%&'*+/=?^_`{|}~-"].map(sign => sign.charCodeAt(0)))

/** Up to the `@`: no dot at an end, and no two in a row. */
function isLocalPart(text: string, end: number): boolean {
  let before = DOT
  for (let at = 0; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code === DOT ? before === DOT : !isLetterOrDigit(code) && !SIGNS.has(code)) return false
    before = code
  }
  return before !== DOT
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
