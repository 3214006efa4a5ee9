import { readEntries } from '../words.ts'

/** Every form of a noun that ends a title, and its singular in English. */
export const ROLE_NOUNS: ReadonlyMap<string, string> = new Map(
  readEntries('role-nouns.txt').flatMap(([role, forms]) => forms.map(form => [form, role] as const)),
)
