import { entryOfWord } from './lexicon.ts'
import { wordMap, wordSet } from './word-files.ts'

/** German nouns that are written as one word. */

/** The first part of a German compound, with and without the letters that join it to the second. */
export const compoundStems = (stem: string): string[] =>
  [stem, ...JOINING.map(letters => stem.replace(letters, '')), `${stem}e`, `${stem}en`, `${stem}er`].filter(each => each.length > 1)
const JOINING = [/s$/, /en$/, /n$/, /es$/]

/** "Apothekeninhaber", "Verpackungsfirmen": the first part of the word is an industry, the second its companies or who has them. */
export function compoundIndustry(word: string): { industry: string; ending: string } | undefined {
  if (word.length < 8 || word.includes(' ')) return undefined
  const ending = COMPANY_ENDINGS.find(each => word.endsWith(each) && word.length > each.length)
  const parts = ending && !ABSTRACT.test(ending) ? COMPOUND_PARTS : undefined
  for (const stem of ending ? compoundStems(word.slice(0, -ending.length)) : []) {
    const industry = entryOfWord(stem)?.industry ?? parts?.get(stem)
    if (industry) return { industry, ending: ending! }
  }
  // "Tagungshotels", "Textileinzelhändler": the last part is what they are.
  for (const [house, industry] of HOUSES) if (word.endsWith(house) && word.length > house.length + 1) return { industry, ending: house }
  return undefined
}
/** "Sicherheitsbereich", "Fahrzeugbesitzer" are no companies. */
const ABSTRACT = /^(?:bereich|wirtschaft|sektor|besitzern?)$/
const COMPOUND_PARTS = wordMap('things-grammar.txt', 'compound parts', value => value)
const HOUSES = wordMap('things-grammar.txt', 'houses', value => value)
const COMPANY_ENDINGS = [...wordSet('things-grammar.txt', 'company endings')]
