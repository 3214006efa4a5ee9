const hasTls = (baseUrl: string): boolean => baseUrl.startsWith('https:')

/** With TLS, pages of sibling domains and pages without TLS cannot set a cookie with this name. */
const fullName = (baseUrl: string, name: string): string => (hasTls(baseUrl) ? `__Host-${name}` : name)

/** The values of a cookie in a `cookie` header. There can be several: a page on another port may have set one, too. */
export function readCookie(header: string | undefined, baseUrl: string, name: string): string[] {
  if (header === undefined) return []
  const beginning = `${fullName(baseUrl, name)}=`
  return header
    .split(';')
    .map(pair => pair.trim())
    .filter(pair => pair.startsWith(beginning))
    .map(pair => pair.slice(beginning.length))
}

interface NewCookie {
  name: string
  value: string
  seconds: number
  sameSite: 'Lax' | 'Strict'
}

/** A cookie that scripts cannot read, as a `set-cookie` header. */
export const writeCookie = (baseUrl: string, { name, value, seconds, sameSite }: NewCookie): string =>
  `${fullName(baseUrl, name)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=${sameSite}${hasTls(baseUrl) ? '; Secure' : ''}`
