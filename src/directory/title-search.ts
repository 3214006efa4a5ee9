import { expandTitle, foldTokens, singularToken, type TitleMatch, type TitleTest, titleMatcher } from '#lead-terms'

export interface TitleSearch {
  /** For each form of the value, the words (without plural -s) that a matching title must contain. */
  forms: string[][]
  matches: TitleTest
}

/** Prepares a title value for the index of words: the words to look up, and the test that decides. */
export function titleSearch(value: string, match: TitleMatch): TitleSearch {
  const forms = match === 'similar' ? expandTitle(value) : [foldTokens(value)]
  return { forms: forms.map(form => neededWords(form, match)), matches: titleMatcher([value], match) }
}

/** Finds out by comparison which small words may be missing from a title. */
function neededWords(form: readonly string[], match: TitleMatch): string[] {
  const alone = titleMatcher([form.join(' ')], match === 'exact' ? 'exact' : 'words')
  const needed = form.filter(word => !alone(form.filter(other => singularToken(other) !== singularToken(word))))
  return [...new Set(needed.map(singularToken))]
}
