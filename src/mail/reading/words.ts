import fs from 'node:fs'

/**
 * Reads the word files in `words/`. A section is an idea; its lines are languages, and hold phrases:
 *
 *   interess*      every word that begins so
 *   (really)       a word that may be missing
 *   ..             up to three words of any kind, but no comma
 *   ^ and $        where the text begins and ends, or a comma stands
 *   <not>          any phrase of another section
 *
 * Phrases are held against a row of words in which each word is followed by one space.
 */

type Sections = ReadonlyMap<string, string[]>

const GAP = '(?:[^\\s,]\\S* ){0,3}'

function readSections(file: string): Map<string, string[]> {
  const sections = new Map<string, string[]>()
  let phrases: string[] = []
  for (const line of fs.readFileSync(new URL(`./words/${file}`, import.meta.url), 'utf8').split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    if (line.startsWith('[')) {
      phrases = []
      sections.set(line.slice(1, -1), phrases)
    } else phrases.push(...line.slice(line.indexOf(': ') + 2).split(', '))
  }
  return sections
}

const classes = readSections('classes.txt')

const ESCAPED = /[.+?^$|()[\]\\]/g

function sourceOf(phrase: string, sections: Sections): string {
  const parts = phrase.match(/<[^>]+>|\([^)]+\)|\S+/g) ?? []
  return parts
    .map(part => {
      if (part === '..') return GAP
      if (part === '^') return '(?:^|(?<=, ))'
      if (part === '$') return '(?=$|, )'
      if (part.startsWith('<')) return alternatives(part.slice(1, -1), sections)
      if (part.startsWith('(')) return `(?:${sourceOf(part.slice(1, -1), sections)})?`
      return `${part.replace(ESCAPED, '\\$&').replaceAll('*', '\\S*')} `
    })
    .join('')
}

function alternatives(name: string, sections: Sections): string {
  const phrases = sections.get(name) ?? classes.get(name)
  if (!phrases) throw new Error(`no section [${name}] in the words of replies`)
  return `(?:${phrases.map(phrase => sourceOf(phrase, sections)).join('|')})`
}

/** The sections of a file, each as one pattern. */
export function readIdeas(file: string): (name: string) => RegExp {
  const sections = readSections(file)
  const compiled = new Map<string, RegExp>()
  return name => {
    const pattern = compiled.get(name) ?? new RegExp(`(?<!\\S)${alternatives(name, sections)}`, 'g')
    compiled.set(name, pattern)
    // What a pattern remembers of the last text must not be held against the next.
    pattern.lastIndex = 0
    return pattern
  }
}

/** Words by what they stand for: "do not: dont". */
export const readMeanings = (file: string): ReadonlyMap<string, string> =>
  new Map(
    fs
      .readFileSync(new URL(`./words/${file}`, import.meta.url), 'utf8')
      .split('\n')
      .filter(line => line !== '' && !line.startsWith('#'))
      .flatMap(line => {
        const [meant, written] = line.split(': ') as [string, string]
        return written.split(', ').map(word => [word, meant] as const)
      }),
  )
