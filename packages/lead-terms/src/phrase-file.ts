import fs from 'node:fs'

const texts = new Map<string, string>()

export function readWordFile(file: URL): string {
  const text = texts.get(file.href) ?? fs.readFileSync(file, 'utf8')
  texts.set(file.href, text)
  return text
}

/** Word files: one entry a line, "value: phrase, phrase"; "#" opens a comment, "[" a section. */
export const readPhraseFile = (file: URL): [value: string, phrases: string[]][] => readPhrases(readWordFile(file))

export function readPhrases(text: string): [value: string, phrases: string[]][] {
  const entries: [string, string[]][] = []
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#') || line.startsWith('[')) continue
    const colon = line.indexOf(': ')
    entries.push([line.slice(0, colon), line.slice(colon + 2).split(', ')])
  }
  return entries
}

const INDUSTRIES = new URL('../data/industries.txt', import.meta.url)
const FUNCTIONS = new URL('../data/functions.txt', import.meta.url)
const TRADES = new URL('../data/trades.txt', import.meta.url)
/** The same in languages that fewer people write. */
const MORE_FUNCTIONS = new URL('../data/functions-more.txt', import.meta.url)
const MORE_INDUSTRIES = new URL('../data/industries-more.txt', import.meta.url)

/** The ways in which people write industries. A phrase with "?" at the end means the industry only when the text is about companies. */
export const industryPhrases = (): [slug: string, phrases: string[]][] => [INDUSTRIES, TRADES, MORE_INDUSTRIES].flatMap(readPhraseFile)

/** The ways in which people write job functions; the department is "-" where there is none. */
export const functionPhrases = (): [title: string, department: string, phrases: string[]][] =>
  [FUNCTIONS, MORE_FUNCTIONS].flatMap(readPhraseFile).map(([head, phrases]) => {
    const [title, department] = head.split(' | ') as [string, string]
    return [title, department, phrases]
  })

const withoutComments = (file: URL): string => readWordFile(file).replace(/^#.*$/gm, '')
export const industryText = (): string => withoutComments(INDUSTRIES)
export const functionText = (): string => withoutComments(FUNCTIONS)

/** Rare names of companies as text: their words are spelled as they should be, but no slip is likely to have meant them. */
export const tradeText = (): string => readWordFile(TRADES)
export const moreFunctionText = (): string => withoutComments(MORE_FUNCTIONS)
export const moreIndustryText = (): string => withoutComments(MORE_INDUSTRIES)
