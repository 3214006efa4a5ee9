import type { Clauses } from './clauses.ts'
import type { Item } from './numbers.ts'
import { isPlaceWord } from './place-cells.ts'
import type { Token } from './tokens.ts'

/** Where people were before is no filter: "who left banks", "formerly at SAP", "ex-Google engineers", "anciens de McKinsey". */

const phrases = (text: string): ReadonlySet<string> => new Set(text.split(', '))

/** What comes after these is left behind: an employer, a trade, a place of work. */
const LEFT_BEHIND = phrases(
  'who left, that left, have left, has left, having left, who quit, recently left, just left, formerly at, formerly with, formerly of, formerly in, formerly, previously at, previously with, previously in, previously worked at, previously worked for, previously worked in, used to work at, used to work for, used to work in, used to be at, used to be in, worked previously at, moved from, moving from, switched from, switching from, migrated from, migrating from, wechselten von, wechseln von, fruher bei, zuvor bei, vorher bei, ehemals bei, ehemals, fruher in, die fruher bei, die vorher bei, qui ont quitte, ayant quitte, qui a quitte, qui viennent de quitter, anciens de, anciennes de, ancien de, ancienne de, anciennement chez, anciennement, auparavant chez, passes par, passees par, que dejaron, que han dejado, que salieron de, que trabajaban en, que trabajaron en, anteriormente en, antes en, procedentes de',
)
/** Adjectives of the past. What they stand before is over: the employer, if they stand before a name, else the role itself. */
const FORMER = phrases(
  'former, ex, formerly, ehemalige, ehemaliger, ehemaligen, ehemaliges, fruhere, fruherer, fruheren, anciens, anciennes, antiguos, antiguas, antiguo, antigua, exempleados, exempleado, exmitarbeiter, voormalige, vecchi',
)
const FIRST_WORDS = new Set([...LEFT_BEHIND, ...FORMER].map(phrase => phrase.split(' ')[0]!))
const MOST_WORDS = 10
const OF = phrases('of, at, from, the, von, der, des, bei, de, du, d, la, le, les, del, los, las, chez, en')
const STAFF = phrases(
  'employee, employees, staff, people, mitarbeiter, mitarbeitern, mitarbeiterinnen, employes, salaries, collaborateurs, empleados, trabajadores, colegas, alumni, colleagues',
)
const IN = phrases('in, from, en, a, im, aus, nahe, near, dans, based')
/** Here the sentence comes back to the present. */
const NOW = phrases(
  'to, now, who, that, whose, but, jetzt, heute, nun, und jetzt, aber, um, devenus, devenues, devenu, devenue, desormais, maintenant, mais, pour, qui, ahora, hoy, pero, para, que, waren, war, sind, with, mit, avec, con',
)
const ANOTHER_VERB = phrases(
  'are, is, have, has, now, then, who, founded, started, became, joined, run, lead, sind, haben, jetzt, sont, ont, font, son, ahora, han',
)

export function dropFormer(items: readonly Item[], tokens: readonly Token[], clauses: Clauses): void {
  for (let at = 0; at < items.length; at++) {
    if (items[at]!.kind !== 'word' || clauses.dropped[at]) continue
    if (!FIRST_WORDS.has(items[at]!.word)) continue
    const length = [4, 3, 2, 1].find(size => at + size <= items.length && LEFT_BEHIND.has(wordsOf(items, at, at + size)))
    if (length !== undefined) {
      at = dropUntilNow(items, tokens, at, at + length, clauses)
      continue
    }
    if (FORMER.has(items[at]!.word)) at = dropRole(items, tokens, at, clauses)
  }
}

function wordsOf(items: readonly Item[], from: number, to: number): string {
  let text = ''
  for (let at = from; at < to; at++) text += at === from ? items[at]!.word : ` ${items[at]!.word}`
  return text
}

function dropUntilNow(items: readonly Item[], tokens: readonly Token[], from: number, begin: number, clauses: Clauses): number {
  let to = begin
  while (to < items.length && to - begin < MOST_WORDS && !turns(items, tokens, to, to === begin)) to++
  clauses.dropped.fill(1, from, to)
  return to - 1
}

function turns(items: readonly Item[], tokens: readonly Token[], at: number, isFirst: boolean): boolean {
  const { kind, word } = items[at]!
  if (kind !== 'word') return true
  const next = items[at + 1]
  if (!isFirst && NOW.has(word)) return true
  if (['and', 'und', 'et', 'y', 'e'].includes(word)) return next === undefined || ANOTHER_VERB.has(next.word)
  // "who left banks in London": the place is where they are; "left jobs in banking" goes on.
  return IN.has(word) && next?.kind === 'word' && tokens[next.first]!.capital && isPlaceWord(next.word)
}

/** "ex-Google engineers" are engineers still; "former bankers" are no bankers any more; "former employees of SAP" are neither. */
function dropRole(items: readonly Item[], tokens: readonly Token[], at: number, clauses: Clauses): number {
  const isName = (position: number): boolean => {
    const item = items[position]
    return item?.kind === 'word' && tokens[item.first]!.capital
  }
  const german = items[at]!.word.startsWith('ehemalig') || items[at]!.word.startsWith('fruher')
  let to = at + 1
  if (!german && isName(to) && !STAFF.has(items[to]!.word)) {
    while (to < at + 4 && isName(to)) to++
    if (STAFF.has(items[to]?.word ?? '')) to++
    clauses.dropped.fill(1, at, to)
    return to - 1
  }
  if (items[to]?.kind !== 'word') return at
  if (!STAFF.has(items[to]!.word) && items[at]!.word !== 'exempleados' && items[at]!.word !== 'exempleado') {
    to = dropUntilNow(items, tokens, at, to, clauses) + 1
    return to - 1
  }
  if (STAFF.has(items[to]!.word)) to++
  while (to < at + 6 && OF.has(items[to]?.word ?? '')) to++
  return dropUntilNow(items, tokens, at, to, clauses)
}
