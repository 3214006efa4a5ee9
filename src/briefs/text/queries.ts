/**
 * The signs of query languages as the words they stand for: "sector != banking", "title in (CFO, COO)", "(owner|founder)",
 * "!franchise", "size:50..200". The stages after this one know words only.
 */

const SIGNS: readonly [RegExp, string][] = [
  // "50..200", "50…200"
  [/(?<=\d) ?(?:\.{2,3}|…) ?(?=\d)/g, '-'],
  [/\bnot in ?(?=\()/gi, ': not '],
  [/(?<=[\p{L}"'”]) ?(?:!=|<>|≠) ?(?=[\p{L}"'“(])/gu, ': not '],
  [/(?<=[\p{L}"'”]) ?>=? ?["'“]?(\p{L}[\p{L}-]*)["'”]?/gu, ': $1+'],
  [/(?<=[\p{L}"'”]) ?={1,2} ?(?=["'“(\p{L}\d])/gu, ': '],
  [/(?<=^|[\s(&|])(?:!|NOT:) ?(?=["'“(\p{L}])/gu, ' not '],
  [/ ?\|\| ?| ?(?<=[\p{L}"'”])\|(?=[\p{L}"'“]) ?/gu, ' or '],
  [/\b(?:NONE|EXCLUDE|WITHOUT) ?\(/g, 'NOT ('],
  [/\b(?:ANY|ALL|OR|AND)\(/g, '('],
]

/** Words that name a field, before "in (" and "contains": the bracket holds what the field shall be. */
const FIELD_IN = /\b([a-z]{3,20}) (?:in(?= ?\()|contains?|includes?|like(?= ?["'“]))(?= ?["'“(])/gi

const LOOKS_LIKE_QUERY = /[=|!<>(]|\.\.|…|\bcontains?\b/

export function readQuerySigns(text: string): string {
  if (!LOOKS_LIKE_QUERY.test(text)) return text
  return SIGNS.reduce((read, [sign, words]) => read.replace(sign, words), text).replace(FIELD_IN, '$1:')
}
