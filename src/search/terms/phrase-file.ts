import fs from 'node:fs'

/** Word files: one entry a line, "value: phrase, phrase"; "#" opens a comment, "[" a section. */
export function readPhraseFile(file: URL): [value: string, phrases: string[]][] {
  const entries: [string, string[]][] = []
  for (const line of fs.readFileSync(file, 'utf8').split('\n')) {
    if (line === '' || line.startsWith('#') || line.startsWith('[')) continue
    const colon = line.indexOf(': ')
    entries.push([line.slice(0, colon), line.slice(colon + 2).split(', ')])
  }
  return entries
}

/** How people write the industries; a phrase that ends in "?" means one only where the text speaks of companies. */
export const industryPhrases = (): [slug: string, phrases: string[]][] => readPhraseFile(new URL('./data/industries.txt', import.meta.url))

/** How people write the functions they work in; the department is "-" where there is none. */
export const functionPhrases = (): [title: string, department: string, phrases: string[]][] =>
  readPhraseFile(new URL('./data/functions.txt', import.meta.url)).map(([head, phrases]) => {
    const [title, department] = head.split(' | ') as [string, string]
    return [title, department, phrases]
  })

/** Both lists as they stand, without comments: for readers that need every word of them. */
export const sharedPhraseText = (): string =>
  ['industries.txt', 'functions.txt']
    .map(file => fs.readFileSync(new URL(`./data/${file}`, import.meta.url), 'utf8').replace(/^#.*$/gm, ''))
    .join('\n')
