/** A phrase in the singular, by the endings of English, French and Spanish nouns. */
export function singular(phrase: string): string {
  const space = phrase.lastIndexOf(' ') + 1
  const last = phrase.slice(space)
  if (last.length <= 3 || !/[^su]s$/.test(last)) return phrase
  if (last.endsWith('iones')) return phrase.slice(0, -2)
  return last.endsWith('ies') ? `${phrase.slice(0, -3)}y` : phrase.slice(0, -1)
}
