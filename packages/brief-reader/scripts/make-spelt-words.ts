import { readFileSync, writeFileSync } from 'node:fs'
import { bitCount, foldLetters, letterSet, meantCost } from '../../lead-terms/src/index.ts'
import { isKnownWord, targetsOf } from '../src/text/spelling.ts'
import { compoundIndustry } from '../src/vocabulary/compounds.ts'

/**
 * Makes the sections "everyday" and "rare" of `packages/brief-reader/words/spelt.txt` again: words that are spelled correctly, though a typing error
 * could make them of a word that the reader of briefs knows. Run it when the vocabulary has grown:
 *
 *   node packages/brief-reader/scripts/make-spelt-words.ts ENGLISH-EVERYDAY GERMAN-EVERYDAY ... --rare ENGLISH GERMAN ...
 *
 * Each argument is a file of words, English ones first. docs/attributions.md names the lists.
 */

const FILE = new URL('../words/spelt.txt', import.meta.url)
const files = process.argv.slice(2)
const split = files.indexOf('--rare')
if (split < 1) throw new Error('give files of everyday words, then --rare, then files of other words')

const wordsOf = (file: string): Set<string> =>
  new Set((readFileSync(file, 'utf8').match(/\p{L}+/gu) ?? []).map(foldLetters).filter(word => /^[a-z]{3,24}$/.test(word)))

function nearTargets(word: string): string[] {
  const letters = letterSet(word)
  return [-2, -1, 0, 1, 2]
    .flatMap(more => targetsOf(word[0]!).get(word.length + more) ?? [])
    .filter(target => bitCount(letters ^ target.letters) < 6 && meantCost(word, target.word) < Infinity)
    .map(target => target.word)
}

/** The common form of one word in several languages: "clinique", "clinica" and "clinic" are the same. */
const skeleton = (word: string): string =>
  word
    .replace(/ph/g, 'f')
    .replace(/(.)\1/g, '$1')
    .replace(/k|qu|z/g, 'c')
    .replace(/[cs]i?on(?:s|es)?$/, 'tion')
    .replace(/ic(?:a|as|o|os|s|e|es|he|isch)$/, 'ic')
    .replace(/(?:a|e|o|as|es|os|s|en|n|y|ie|ia|ies|ias)$/, '')

/** A word of another language that means what the word of ours means may be read as it. */
const isForeignForm = (word: string): boolean => word.length > 6 && nearTargets(word).some(target => skeleton(target) === skeleton(word))

function resembling(lists: readonly string[]): Set<string> {
  const chosen = new Set<string>()
  for (const [at, list] of lists.entries())
    for (const word of wordsOf(list)) {
      if (isKnownWord(word) || compoundIndustry(word) !== undefined || nearTargets(word).length === 0) continue
      if (at === 0 || !isForeignForm(word)) chosen.add(word)
    }
  return chosen
}

function linesOf(words: ReadonlySet<string>): string {
  const byStart = Object.groupBy([...words].sort(), word => word.slice(0, 2))
  return Object.entries(byStart)
    .map(([start, list]) => `${start}: ${list!.join(', ')}\n`)
    .join('')
}

const everyday = resembling(files.slice(0, split))
const rare = resembling(files.slice(split + 1))
for (const word of everyday) rare.delete(word)
const head = readFileSync(FILE, 'utf8').split('[everyday]')[0]!
writeFileSync(FILE, `${head}[everyday]\n${linesOf(everyday)}[rare]\n${linesOf(rare)}`)
