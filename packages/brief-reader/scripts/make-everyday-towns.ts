import { readFileSync, writeFileSync } from 'node:fs'
import { foldLetters, readPlaceName } from '../../lead-terms/src/index.ts'

/**
 * Makes `packages/brief-reader/words/everyday-towns.txt` again: everyday words that are also the names of small towns ("Change", "Buy", "Manage"). Run it when
 * the gazetteer has grown:
 *
 *   node packages/brief-reader/scripts/make-everyday-towns.ts FILE ...
 *
 * Each argument is a file of everyday words. docs/attributions.md names the lists.
 */

const FILE = new URL('../words/everyday-towns.txt', import.meta.url)
/** A place with more people than this is meant more often than the word. */
const MOST_PEOPLE = 100_000

const words = new Set(
  process.argv
    .slice(2)
    .flatMap(file => readFileSync(file, 'utf8').match(/\p{L}+/gu) ?? [])
    .map(foldLetters),
)
const isSmallTown = (word: string): boolean => {
  const [likeliest] = readPlaceName(word)
  return likeliest !== undefined && 'city' in likeliest.place && likeliest.place.city !== undefined && likeliest.weight < MOST_PEOPLE
}
const towns = [...words].filter(word => /^[a-z]{3,20}$/.test(word) && isSmallTown(word)).sort()
const byLetter = Object.groupBy(towns, word => word[0]!)
const lines = Object.entries(byLetter).map(([letter, list]) => `${letter}: ${list!.join(', ')}\n`)
writeFileSync(
  FILE,
  `# Everyday words that are also small towns: places only where one is expected. Made by packages/brief-reader/scripts/make-everyday-towns.ts.\n${lines.join('')}`,
)
