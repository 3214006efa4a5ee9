import fs from 'node:fs'

/**
 * Reads the word files in `words/`. A section is an idea; each line is a language with its phrases:
 *
 *   interess*      every word that begins like this
 *   (really)       an optional word
 *   ..             up to three words of any kind, but no comma; ... up to six
 *   ....           up to twelve words, including commas
 *   ^ and $        the start and end of the text, or a comma; ^ also matches after ", so"
 *   $$             the end of the text
 *   <not>          any phrase of another section, in the language of the line
 *   <!us>          one word that does not begin a phrase of that section
 *
 * Phrases are matched against a row of words in which each word is followed by one space.
 */

export interface Phrase {
  /** `*` for all. */
  language: string
  text: string
}
export type Sections = ReadonlyMap<string, Phrase[]>

const gapOf = (words: number): string => `(?:[^\\s,]\\S* ){0,${words}}`
const WIDE_GAP = '(?:\\S+ ){0,12}'
/** "We are fine, so stop": a new start after "so". */
const BEGINNING = '(?:^|(?<=, (?:(?:so|and|but|then|also|und|aber|dann|et|mais|donc|alors|y|pero|asi que) )?))'
const ESCAPED = /[.+?^$|()[\]\\]/g

const linesOf = (file: string): string[] =>
  fs
    .readFileSync(new URL(`./words/${file}`, import.meta.url), 'utf8')
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#'))

function splitLine(line: string): [before: string, phrases: string[]] {
  const colon = line.indexOf(': ')
  return [line.slice(0, colon), line.slice(colon + 2).split(', ')]
}

export function readSections(file: string): Sections {
  const sections = new Map<string, Phrase[]>()
  let phrases: Phrase[] = []
  for (const line of linesOf(file)) {
    if (line.startsWith('[')) {
      phrases = []
      sections.set(line.slice(1, -1), phrases)
      continue
    }
    const [language, texts] = splitLine(line)
    phrases.push(...texts.map(text => ({ language, text })))
  }
  return sections
}

const classes = readSections('classes.txt')

export const readPhrases = (file: string): { section: string; text: string }[] =>
  [...readSections(file)].flatMap(([section, phrases]) => phrases.map(({ text }) => ({ section, text })))

/** "take (please) <us> off" is four parts. */
export const partsOf = (text: string): string[] => text.match(/<[^>]+>|\([^)]+\)|\S+/g) ?? []

export function sourceOf({ text, language }: Phrase, sections: Sections): string {
  return partsOf(text)
    .map(part => {
      if (part === '..') return gapOf(3)
      if (part === '...') return gapOf(6)
      if (part === '....') return WIDE_GAP
      if (part === '^') return BEGINNING
      if (part === '$$') return '$'
      if (part === '$') return '(?=$|, )'
      if (part.startsWith('<!')) return `(?!${anyOf(part.slice(2, -1), language, sections)})[^\\s,]\\S* `
      if (part.startsWith('<')) return `(?:${anyOf(part.slice(1, -1), language, sections)})`
      if (part.startsWith('(')) return `(?:${sourceOf({ text: part.slice(1, -1), language }, sections)})?`
      return `${part.replace(ESCAPED, '\\$&').replaceAll('*', '\\S*')} `
    })
    .join('')
}

const anyOf = (name: string, language: string, sections: Sections): string =>
  alternativesOf(name, language, sections)
    .map(phrase => sourceOf(phrase, sections))
    .join('|')

/** The phrases of a section in a language, `*` for all of them. */
export function alternativesOf(name: string, language: string, sections: Sections): Phrase[] {
  const phrases = sections.get(name) ?? classes.get(name)
  if (!phrases) throw new Error(`no section [${name}] in the words of replies`)
  return phrases
    .filter(phrase => language === '*' || phrase.language === '*' || phrase.language === language)
    .map(({ text, language: own }) => ({ text, language: own === '*' ? language : own }))
}

/** The phrases of one section, line by line. */
export function readLines(file: string, section: string): string[][] {
  const byLanguage = Map.groupBy(readSections(file).get(section) ?? [], phrase => phrase.language)
  return [...byLanguage.values()].map(phrases => phrases.map(phrase => phrase.text))
}

/** Words by their replacement: "do not: dont". */
export const readMeanings = (file: string): ReadonlyMap<string, string> =>
  new Map(
    linesOf(file).flatMap(line => {
      const [meant, written] = splitLine(line)
      return written.map(word => [word, meant] as const)
    }),
  )
