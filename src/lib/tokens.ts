import { hash, randomBytes, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_LENGTH = 36
const CHECKSUM_LENGTH = 6
const SHAPE = new RegExp(`^ovr_(pat|org)_([0-9A-Za-z]{${SECRET_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`)

export type TokenKind = 'personal' | 'organization'

const PREFIX: Record<TokenKind, string> = { personal: 'ovr_pat_', organization: 'ovr_org_' }

export function newToken(kind: TokenKind): string {
  const secret = Array.from({ length: SECRET_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return PREFIX[kind] + secret + checksum(PREFIX[kind] + secret)
}

/** A mistyped or invented token fails here, before it can cost a query. */
export function isWellFormedToken(token: string): boolean {
  const match = SHAPE.exec(token)
  return match !== null && checksum(`ovr_${match[1]}_${match[2]}`) === match[3]
}

export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer')

/** The secret of a session, a consent or a link: 256 random bits, in letters that cookies and links need not escape. */
export const newSecret = (): string => randomBytes(32).toString('base64url')
export const isSecret = (text: string): boolean => /^[\w-]{43}$/.test(text)

function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = ALPHABET[rest % ALPHABET.length] + digits
    rest = Math.floor(rest / ALPHABET.length)
  }
  return digits
}
