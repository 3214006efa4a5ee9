import { preferencesOf } from './accept.ts'

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
  for (const { name, quality } of preferencesOf(header)) {
    const language = languageOfTag(name)
    if (language && quality > most) [best, most] = [language, quality]
  }
  return best
}
