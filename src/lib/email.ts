// Linear by construction: an address is judged by its parts, not by a pattern that could be made to backtrack.
export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@')
  if (at < 1 || at > 64 || text.length > 254) return false
  const local = text.slice(0, at)
  const labels = text.slice(at + 1).split('.')
  if (labels.length < 2 || !labels.every(label => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i.test(label))) return false
  return /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+$/i.test(local) && !local.startsWith('.') && !local.endsWith('.') && !local.includes('..')
}

export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase()
