/** The values of a cookie in a `cookie` header. There can be several: a page on another port may have set one, too. */
export function readCookie(header: string | undefined, name: string): string[] {
  if (header === undefined) return []
  return header
    .split(';')
    .map(pair => pair.trim())
    .filter(pair => pair.startsWith(`${name}=`))
    .map(pair => pair.slice(name.length + 1))
}
