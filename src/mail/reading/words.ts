import fs from 'node:fs'

/**
 * Reads the word files in `words/`. A section is an idea; its lines are languages, and hold phrases:
 *
 *   interess*      every word that begins so
 *   (really)       a word that may be missing
 *   ..             up to three words of any kind, but no comma; ... up to six
 *   ^ and $        where the text begins and ends, or a comma stands
 *   $$             where the text ends
 *   <not>          any phrase of another section, in the language of the line
 *
 * Phrases are held against a row of words in which each word is followed by one space.
 */

interface Phrase {
  /** `*` for all. */
  language: string
  text: string
}
type Sections = ReadonlyMap<string, Phrase[]>

const gapOf = (words: number): string => `(?:[^\\s,]\\S* ){0,${words}}`
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

function readSections(file: string): Sections {
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

/** The phrases of all sections of a file, in whatever language. */
export const readPhrases = (file: string): { section: string; text: string }[] =>
  [...readSections(file)].flatMap(([section, phrases]) => phrases.map(({ text }) => ({ section, text })))

function sourceOf({ text, language }: Phrase, sections: Sections): string {
  const parts = text.match(/<[^>]+>|\([^)]+\)|\S+/g) ?? []
  return parts
    .map(part => {
      if (part === '..') return gapOf(3)
      if (part === '...') return gapOf(6)
      if (part === '^') return '(?:^|(?<=, ))'
      if (part === '$$') return '$'
      if (part === '$') return '(?=$|, )'
      if (part.startsWith('<')) return alternatives(part.slice(1, -1), language, sections)
      if (part.startsWith('(')) return `(?:${sourceOf({ text: part.slice(1, -1), language }, sections)})?`
      return `${part.replace(ESCAPED, '\\$&').replaceAll('*', '\\S*')} `
    })
    .join('')
}

function alternatives(name: string, language: string, sections: Sections): string {
  const phrases = sections.get(name) ?? classes.get(name)
  if (!phrases) throw new Error(`no section [${name}] in the words of replies`)
  const spoken = phrases.filter(phrase => language === '*' || phrase.language === '*' || phrase.language === language)
  return `(?:${spoken.map(({ text, language: own }) => sourceOf({ text, language: own === '*' ? language : own }, sections)).join('|')})`
}

/**
 * V8 compiles a pattern twice: into bytecode when it is first used, and into machine code at the next use. For a text of 1 000 characters or more
 * it makes the machine code at once. These patterns are so large that the bytecode would be most of what the first reply takes.
 */
const LONG_TEXT = ' '.repeat(1000)

/** The sections of a file, each as one pattern. */
export function readIdeas(file: string): (name: string) => RegExp {
  const sections = readSections(file)
  const compiled = new Map<string, RegExp>()
  const compile = (name: string): RegExp => {
    const pattern = new RegExp(`(?<!\\S)${alternatives(name, '*', sections)}`, 'g')
    pattern.test(LONG_TEXT)
    return pattern
  }
  return name => {
    const pattern = compiled.get(name) ?? compile(name)
    compiled.set(name, pattern)
    // What a pattern remembers of the last text must not be held against the next.
    pattern.lastIndex = 0
    return pattern
  }
}

/** The phrases of one section, line by line. */
export function readLines(file: string, section: string): string[][] {
  const byLanguage = Map.groupBy(readSections(file).get(section) ?? [], phrase => phrase.language)
  return [...byLanguage.values()].map(phrases => phrases.map(phrase => phrase.text))
}

/** Words by what they stand for: "do not: dont". */
export const readMeanings = (file: string): ReadonlyMap<string, string> =>
  new Map(
    linesOf(file).flatMap(line => {
      const [meant, written] = splitLine(line)
      return written.map(word => [word, meant] as const)
    }),
  )
