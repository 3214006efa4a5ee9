import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'

const root = new URL('../..', import.meta.url).pathname

const LIST = 'docs/words.md'

/** The first column of the table under this heading, as single words and phrases in lower case. */
function readUnwantedWords(document: string): string[] {
  const rows = document.split('## Words that we do not use')[1]!.matchAll(/^\| (?!not \|)([^|]+) \|/gm)
  return [...rows].flatMap(([, cell]) => cell!.toLowerCase().split(', '))
}

/** Texts that we did not write, or cannot change: the words of strangers, vocabularies, and migrations that have run. */
const NOT_OURS = ['LICENSE', 'package-lock.json', 'migrations/', 'src/search/terms/', 'src/briefs/words/', LIST]
const DATA = /\.data\.\w+$/

/** These folders and documents still have such words. Remove an entry when its texts are rewritten. */
const NOT_YET = [
  'bench/',
  'console/src/',
  'docs/lead-search.md',
  'docs/performance.md',
  'docs/replies.md',
  'src/briefs/',
  'src/cli/',
  'src/mail/reading/',
]

const TEXT = /\.(?:ts|tsx|mts|mjs|js|md|json|txt|yml|yaml|html|css)$/

const isIn = (file: string, places: readonly string[]): boolean => places.some(place => file.startsWith(place))

const isLetter = (sign: string | undefined): boolean => sign !== undefined && /\p{L}/u.test(sign)

/** The places of a word in a text. A part of a longer word is not a place. */
function placesOf(word: string, text: string): number[] {
  const places: number[] = []
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!isLetter(text[at - 1]) && !isLetter(text[at + word.length])) places.push(at)
  }
  return places
}

const findWords = (words: readonly string[], file: string, text: string): string[] =>
  words.flatMap(word => placesOf(word, text.toLowerCase()).map(at => `${file}:${text.slice(0, at).split('\n').length} has "${word}"`))

describe('a word that docs/words.md rules out', () => {
  const words = readUnwantedWords(readFileSync(`${root}${LIST}`, 'utf8'))
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter(file => TEXT.test(file))

  it('is in no document, description, comment or name of a test', () => {
    const ours = files.filter(file => !isIn(file, NOT_OURS) && !DATA.test(file) && !isIn(file, NOT_YET))
    assert.ok(words.length > 10 && ours.length > 500, 'the list and the files were read')
    assert.deepEqual(
      ours.flatMap(file => findWords(words, file, readFileSync(`${root}${file}`, 'utf8'))),
      [],
    )
  })

  it('is found as a whole word, in any case and at its line', () => {
    const [first] = words
    assert.deepEqual(findWords([first!], 'a.md', `one\n${first!.toUpperCase()} two`), [`a.md:2 has "${first}"`])
    assert.deepEqual(findWords([first!], 'a.md', `un${first} ${first}s`), [])
  })
})
