import { NOT } from '../lists.ts'
import type { Source } from '../model.ts'
import { phraseSet, wordSet } from '../words.ts'
import type { Layout } from './sentences.ts'
import { namesRoles } from './trade.ts'

/** Those who have what the sender sells: "2,400 doctors already use it". They are his proof, not his wish. */

const USE_OURS = phraseSet('voices.txt', 'use ours')
const ALREADY = wordSet('voices.txt', 'already')
const FOR = new Set('for fur pour para'.split(' '))
const PARTS = new Set([',', ';', '—', '(', ':'])

export function markServed({ words, items }: Source, layout: Layout, mark: (from: number, to: number) => void): void {
  for (let at = 1; at < words.length; at++) {
    const use = items[at]!.kind === 'word' ? USE_OURS.longest(words, at) : undefined
    if (!use) continue
    const [start, end] = layout.bounds[layout.sentence[at]!]!
    let from = at
    while (from > start && !PARTS.has(words[from - 1]!)) from--
    let to = at + use.length
    while (to < end && !PARTS.has(words[to]!)) to++
    const said = items.slice(from, to)
    if (!said.some(({ kind, word }) => kind === 'quantity' || ALREADY.has(word)) || said.some((_, next) => NOT.longest(words, from + next)))
      continue
    // "AI notetaker for physicians, 2,400 doctors already use it": what they use stands before it, and whom it is for.
    const serves = words.slice(start, from).findIndex(word => FOR.has(word))
    const offers = serves > 0 && !namesRoles(words, start, start + serves)
    mark(offers ? start : from, to)
  }
}
