import type { NameSpan, Segments, Source } from '../model.ts'
import { delegatedLength, FETCHED, fetches, refusalAt } from '../segments/compound-refusals.ts'
import type { Layout } from '../segments/sentences.ts'
import { APPROVALS, CONJUNCTIONS, EXCEPT, IS, LIKEWISE_BEFORE, SPLIT_VERBS } from '../vocabulary/word-lists.ts'
import {
  behindPolite,
  COMPANIES,
  isRow,
  isSplit,
  joinedBefore,
  listedBehind,
  openerAt,
  refusalBehind,
  refusedLater,
  statesRefusal,
  WORKS,
} from './name-contexts.ts'
import { NameFinder } from './name-finder.ts'

/** All places of a brief where it names companies. */

const BUYERS = /\b(?:customers?|clients?|kunden?|bestandskunden?|clientes?)\b/

export function findCompanyNames(source: Source, layout: Layout, segments: Segments, consumed: Uint8Array): NameSpan[] {
  const finder = new NameFinder(source, segments, consumed)
  const { words, items } = source
  for (let at = 0; at < words.length; at++) {
    if (segments.namesOnly[at] && at > 0) finder.readList(at, 'employer')
    if (items[at]!.kind !== 'word' || segments.of[at] !== 'wish') continue
    const label = layout.labels[at]
    if ((label === 'company' || label === 'exclude') && items[at - 1]?.kind !== 'word') finder.readList(at, 'label')
    else if (label === undefined && isRow(words, at)) finder.readList(at, 'list')
    const fetched = FETCHED.test(words[at]!) && fetches(source, at)
    const excluded = fetched || EXCEPT.longest(words, at - 1) ? 0 : refusalAt(words, at)
    // "competitors must never appear (Acme, Globex)"
    if (excluded > 0 && ['(', ':'].includes(words[at + excluded] ?? '')) finder.readList(at + excluded + 1, 'label')
    // "thyssenkrupp excluded": before a refusal a company that everyone knows needs no capital.
    const known = excluded > 0 && COMPANIES.longestBefore(words, at)
    if (known) finder.readList(at - known.length, 'refusal', at)
    // "Okta is a customer": who buys is a company, whatever it makes.
    const buys = excluded > 0 && BUYERS.test(words.slice(at, at + excluded).join(' '))
    if ((excluded > 0 || delegatedLength(source, at) > 0) && items[at - 1]?.kind === 'word')
      finder.readBefore(layout.bounds[layout.sentence[at]!]![0], at, buys ? 'employer' : 'label')
    if (IS.has(words[at]!) && statesRefusal(source, layout, at)) finder.readBefore(layout.bounds[layout.sentence[at]!]![0], at)
    // "we're already working with Jysk, so not them"
    if ((words[at] === 'with' || words[at] === 'to') && WORKS.has(words[at - 1] ?? '') && refusedLater(source, layout, at))
      finder.readList(at + 1, 'label')
    // "leave Aspen Dental and Heartland out of it"
    if (SPLIT_VERBS.has(words[at]!) && isSplit(source, layout, at))
      finder.readList(finder.skipBefore(behindPolite(words, at + 1)), 'refusal')
    // "Generali's out. So is Unipol." After "Santander is in." it is wanted, too.
    const likewise = items[at - 1]?.kind === 'mark' ? LIKEWISE_BEFORE.longest(words, at) : undefined
    const welcomed = IS.has(words[at - 3] ?? '') && APPROVALS.has(words[at - 2] ?? '')
    if (likewise && welcomed) finder.readList(finder.skipBefore(at + likewise.length), 'label')
    else if (likewise) finder.readDoubted(finder.skipBefore(at + likewise.length))
    const refusal = refusalBehind(source, layout, at)
    if (refusal !== undefined) finder.readSubject(layout.bounds[layout.sentence[refusal - 1]!]![0], refusal)
    const opened = delegatedLength(source, at - 1) > 0 ? undefined : openerAt(source, at)
    if (opened) {
      const from = finder.skipBefore(opened.next)
      const listed = opened.kind === 'refusal' ? listedBehind(source, from) : undefined
      if (listed !== undefined) finder.readList(listed, 'label')
      finder.readList(from, opened.kind)
    }
    // "Head of Amazon": what is headed there is a channel.
    else if (finder.isKnownCompany(at) && !(words[at - 1] === 'of' && words[at - 2] === 'head') && !isChannel(words, at))
      finder.readList(joinedBefore(source, layout, at), 'list')
  }
  return finder.spans.sort((a, b) => a.first - b.first)
}

/** "brands on TikTok or Instagram": who sells there is not employed there. */
function isChannel(words: readonly string[], at: number): boolean {
  let on = at - 1
  while (on >= 0 && at - on < 8 && (words[on] === ',' || CONJUNCTIONS.has(words[on]!) || COMPANIES.has(words[on]!))) on--
  return /^(?:on|sur|auf)$/.test(words[on] ?? '')
}
