/** The languages of the texts that recipients see. */
export const LANGUAGES = ['en', 'de', 'fr', 'es'] as const
export type Language = (typeof LANGUAGES)[number]

/** The names of the languages in lists of leads. */
const NAMES: Readonly<Record<string, Language>> = {
  english: 'en',
  german: 'de',
  deutsch: 'de',
  french: 'fr',
  français: 'fr',
  francais: 'fr',
  spanish: 'es',
  español: 'es',
  espanol: 'es',
}

/** The language of a tag (`de-AT`) or of a name; undefined when it is none of ours. */
export function languageOfTag(tag: unknown): Language | undefined {
  if (typeof tag !== 'string') return undefined
  const text = tag.trim().toLowerCase()
  const [first] = text.split(/[-_]/, 1)
  return LANGUAGES.find(language => language === first) ?? (Object.hasOwn(NAMES, text) ? NAMES[text] : undefined)
}

/** The language that an `Accept-Language` header likes best among ours. */
export function acceptedLanguage(header: string | null | undefined): Language | undefined {
  let best: Language | undefined
  let most = 0
  for (const part of (header ?? '').slice(0, MOST_CHARS).split(',')) {
    const [tag, ...parameters] = part.split(';')
    const language = languageOfTag(tag)
    const quality = qualityOf(parameters)
    if (language && quality > most) [best, most] = [language, quality]
  }
  return best
}

const MOST_CHARS = 1000

/** The `q` of one entry in a header that lists preferences. */
export function qualityOf(parameters: readonly string[]): number {
  const written = parameters.map(text => text.trim().toLowerCase()).find(text => text.startsWith('q='))
  return written === undefined ? 1 : Number(written.slice(2)) || 0
}
