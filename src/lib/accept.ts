const MOST_CHARS = 1000

/** The entries of a header that lists preferences, such as `Accept: text/html, text/plain;q=0.5`. */
function preferencesOf(header: string | null | undefined): { name: string; quality: number }[] {
  const entries = (header ?? '').slice(0, MOST_CHARS).toLowerCase().split(',')
  return entries.map(entry => {
    const [name, ...parameters] = entry.split(';').map(part => part.trim())
    const written = parameters.find(part => part.startsWith('q='))
    return { name: name!, quality: written === undefined ? 1 : Number(written.slice(2)) || 0 }
  })
}

const qualityOf = (header: string | null | undefined, names: readonly string[]): number =>
  Math.max(0, ...preferencesOf(header).flatMap(({ name, quality }) => (names.includes(name) ? [quality] : [])))

/** The form that an `Accept` header names; null when it accepts both, as the headers of most programs do. */
export function preferredForm(header: string | null | undefined): 'html' | 'json' | null {
  const html = qualityOf(header, ['text/html', 'application/xhtml+xml'])
  const json = qualityOf(header, ['application/json'])
  if (html === 0 && json === 0) return null
  return html >= json ? 'html' : 'json'
}

/** Whether an `Accept-Encoding` header names this coding, and does not refuse it with q=0. */
export const acceptsCoding = (header: string | string[] | undefined, coding: string): boolean =>
  qualityOf(String(header ?? ''), [coding]) > 0

/** The languages of the texts that recipients see. */
export const LANGUAGES = ['en', 'de', 'fr', 'es'] as const
export type Language = (typeof LANGUAGES)[number]

/** The names of the languages in lists of leads. */
const NAMES: Readonly<Record<Language, string>> = {
  en: 'english',
  de: 'german deutsch',
  fr: 'french français francais',
  es: 'spanish español espanol',
}

/** The language of a tag (`de-AT`) or of a name; undefined if it is not one of ours. */
export function languageOfTag(tag: unknown): Language | undefined {
  if (typeof tag !== 'string') return undefined
  const text = tag.trim().toLowerCase()
  const [first] = text.split(/[-_]/, 1)
  return LANGUAGES.find(language => language === first || NAMES[language].split(' ').includes(text))
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
