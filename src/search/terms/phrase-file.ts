import fs from 'node:fs'

const texts = new Map<string, string>()

export function readWordFile(file: URL): string {
  const text = texts.get(file.href) ?? fs.readFileSync(file, 'utf8')
  texts.set(file.href, text)
  return text
}

/** Word files: one entry a line, "value: phrase, phrase"; "#" opens a comment, "[" a section. */
export function readPhraseFile(file: URL): [value: string, phrases: string[]][] {
  const entries: [string, string[]][] = []
  for (const line of readWordFile(file).split('\n')) {
    if (line === '' || line.startsWith('#') || line.startsWith('[')) continue
    const colon = line.indexOf(': ')
    entries.push([line.slice(0, colon), line.slice(colon + 2).split(', ')])
  }
  return entries
}

/** The ways in which people write industries. A phrase with "?" at the end means the industry only when the text is about companies. */
export const industryPhrases = (): [slug: string, phrases: string[]][] => readPhraseFile(new URL('./data/industries.txt', import.meta.url))

/** The ways in which people write job functions; the department is "-" where there is none. */
export const functionPhrases = (): [title: string, department: string, phrases: string[]][] =>
  readPhraseFile(new URL('./data/functions.txt', import.meta.url)).map(([head, phrases]) => {
    const [title, department] = head.split(' | ') as [string, string]
    return [title, department, phrases]
  })

/** Both lists as text without comments, for readers that need every word of them. */
export const sharedPhraseText = (): string =>
  ['industries.txt', 'functions.txt']
    .map(file => readWordFile(new URL(`./data/${file}`, import.meta.url)).replace(/^#.*$/gm, ''))
    .join('\n')
