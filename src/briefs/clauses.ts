import { dropFormer } from './former.ts'
import {
  CORRECTIONS,
  INSTEAD_OF,
  INSTRUCTION_LABELS,
  INSTRUCTION_STARTS,
  LABELS,
  NEGATORS,
  RETRACTIONS,
  SENDER_TAILS,
  SENDER_WORDS,
} from './lexicon/words.ts'
import type { Item } from './numbers.ts'
import type { Token } from './tokens.ts'

/** What each item of the brief stands in: dropped text, a labelled line, a sentence. */
export interface Clauses {
  /** Items that are read no further: 1 speaks of the sender, 2 speaks to the machine. */
  dropped: Uint8Array
  /** The label a line began with ("Countries:"), by item; undefined elsewhere. */
  labels: (string | undefined)[]
  /** Number of the sentence an item belongs to. */
  sentence: Int32Array
}

export const TO_MACHINE = 2

const ABBREVIATIONS = new Set(
  'mio mrd tsd ca approx max min inc ltd st bzw inkl exkl etc co corp vs emp nr dr sr jr z b e g i incl excl dept mgr no tel ggf usw evtl empl sal pers'.split(
    ' ',
  ),
)
const SENTENCE_ENDS = new Set(['.', '!', '?', '\n', '¿', '¡', '•'])

/** First-person words of asking: what comes after them describes the lead again. */
const REQUESTS = new Set(
  'looking for,looking to reach,looking to contact,looking to target,looking to connect with,look for,searching for,seeking,want,need,targeting,target,would like,would love,d like,d love,interested in,after,going after,focus on,focusing on,focused on,aiming for,aiming at,trying to reach,trying to find,hoping to reach,want to reach,wish to reach,find me,find us,please find,please get,get me,get us,give me,give us,show me,show us,send me,send us,bring me,list me,help me find,help us find,icp is,ideal customer is,ideal customers are,ideal client is,target audience is,target audience,target group,ideal customer profile,sell to,selling to,hunting for,prospecting,build a list,suche,suchen,suche nach,suchen nach,brauche,brauchen,benotige,benotigen,mochte,mochten,wollen,auf der suche nach,interessieren uns fur,zielgruppe,zielgruppe sind,wunschen uns,hatten gerne,hatte gerne,cherche,cherchons,recherche,recherchons,ciblons,cible,visons,souhaite,souhaitons,voudrais,voudrions,aimerais,aimerions,a la recherche de,a la recherche d,avons besoin de,avons besoin d,ai besoin de,ai besoin d,besoin de,cible est,busco,buscamos,buscando,necesito,necesitamos,quiero,queremos,quisiera,quisieramos,en busca de,nos dirigimos a,me interesan,nos interesan,cliente ideal,publico objetivo,cerco,cerchiamo,zoek,zoeken,op zoek naar,procuro,procuramos,preciso de,find,reach,contact,connect with,speak to,speak with,talk to,meet,trouver,contacter,toucher,encontrar,contactar,contactar con,finden,erreichen,ansprechen,kontaktieren,trouvez,encuentra'.split(
    ',',
  ),
)
/** Asking is done by the sender: these may stand before the word that asks. */
const ASKERS = new Set(
  'we i re m d are am is and now currently would also really only just specifically to wir ich nous je j on y e und et que please pls here like want would love need if be you could can so then team lo me nos les us help will should must mostly mainly ideally actually are m re currently primarily particularly especially , . : ; ! — \n start hiermit gerade aktuell dringend actuellement maintenant actualmente ahora por eso daher deshalb donc sollen bitte al als por lo tanto ve been still'.split(
    ' ',
  ),
)

export function readClauses(items: readonly Item[], tokens: readonly Token[], consumed: Uint8Array): Clauses {
  const clauses: Clauses = {
    dropped: new Uint8Array(items.length),
    labels: new Array(items.length).fill(undefined),
    sentence: new Int32Array(items.length),
  }
  let number = 0
  let start = 0
  for (let at = 0; at <= items.length; at++) {
    if (at < items.length && !endsSentence(items, tokens, at)) continue
    readSentence(items, tokens, start, at, clauses, consumed)
    clauses.sentence.fill(number++, start, Math.min(at + 1, items.length))
    start = at + 1
  }
  dropPhrases(items, clauses, consumed)
  dropFormer(items, tokens, clauses)
  return clauses
}

function endsSentence(items: readonly Item[], tokens: readonly Token[], at: number): boolean {
  const item = items[at]!
  if (item.kind !== 'punct' || !SENTENCE_ENDS.has(item.word)) return false
  if (item.word !== '.') return true
  const before = items[at - 1]
  const next = items[at + 1]
  if (before?.kind === 'word' && ABBREVIATIONS.has(before.word) && next !== undefined && tokens[next.first]!.text !== '\n') {
    return false
  }
  return true
}

function readSentence(
  items: readonly Item[],
  tokens: readonly Token[],
  start: number,
  end: number,
  clauses: Clauses,
  consumed: Uint8Array,
): void {
  readLabels(items, start, end, clauses, consumed)
  let first = start
  while (first < end && items[first]!.kind === 'punct') first++
  if (first >= end) return
  const label = items[first]!
  if (INSTRUCTION_LABELS.has(label.word) && items[first + 1]?.word === ':' && first + 1 < end) {
    clauses.dropped.fill(TO_MACHINE, start, end)
    return
  }
  dropSender(items, tokens, first, end, clauses, consumed)
}

/** "Countries: Italy, Greece": one to four words and a colon. */
function readLabels(items: readonly Item[], start: number, end: number, clauses: Clauses, consumed: Uint8Array): void {
  for (let at = start; at < end; at++) {
    if (items[at]!.word !== ':' || items[at]!.kind !== 'punct') continue
    for (let length = 4; length >= 1; length--) {
      const from = at - length
      if (from < start || consumed[from] || consumed[at - 1]) continue
      const phrase = words(items, from, at)
      const label = LABELS.get(phrase)
      if (label === undefined) continue
      clauses.dropped.fill(1, from, at + 1)
      const until = label === 'note' ? end : nextLabel(items, at + 1, end)
      if (label === 'note') clauses.dropped.fill(1, at, until)
      else if (label !== 'any') clauses.labels.fill(label, at + 1, until)
      break
    }
  }
}

function nextLabel(items: readonly Item[], from: number, end: number): number {
  for (let at = from; at < end; at++) {
    if (items[at]!.word === ';' || items[at]!.word === '|' || items[at]!.word === '—') return at
    if (items[at]!.word === ':' && at - from > 1) return Math.max(from, at - 1)
  }
  return end
}

function words(items: readonly Item[], from: number, to: number): string {
  let text = ''
  for (let at = from; at < to; at++) text += at === from ? items[at]!.word : ` ${items[at]!.word}`
  return text
}

const IS_A = new Set(['is', 'ist', 'est', 'es', 'sind', 'are'])
const ARTICLES = new Set('a an the ein eine un une una el la le der die das'.split(' '))
const CONTEXT_STARTS = new Set([
  'as a',
  'as an',
  'being a',
  'being an',
  'als',
  'en tant que',
  'en tant qu',
  'como empresa',
  'como una',
  'como',
])

const OWN = new Set(
  'my our unser unsere unserer mein meine mes nos notre mon ma mi mis nuestro nuestra nuestros nuestras il nostro nostra nostri onze mijn nosso nossa meu minha the der die das le la el les los'.split(
    ' ',
  ),
)
const IDEAL = new Set(
  'ideal typical best perfect target main core dream usual favourite favorite prime key most common average classic idealer ideale idealen typischer typische typischen beste besten bester perfekte perfekter ideaux ideales tipico tipica tipicos mejores mejor mejores principal principales cible objetivo meilleurs meilleur type typique migliori migliore tipo tipici ideali ideais melhores beste'.split(
    ' ',
  ),
)
const AUDIENCE = new Set(
  'client clients customer customers buyer buyers prospect prospects lead leads account accounts user users profile profiles kunde kunden kundin kaufer cliente clientes clienti klant klanten acheteur acheteurs comprador compradores prospecto contact contacts'.split(
    ' ',
  ),
)
/** Nouns that mean the wanted people without an adjective. */
const AUDIENCE_ALONE = new Set(
  'icp icps persona personas audience wunschkunde wunschkunden wunschkundin idealkunde idealkunden zielkunde zielkunden zielgruppe zielgruppen zielpersonen doelgroep target targets publico'.split(
    ' ',
  ),
)
const AUDIENCE_LINKS = new Set(
  'is are would be will being ist sind ware waren est sont serait seraient es son seria serian sono e sao zijn typically usually mostly mainly always meist meistens normalement normalmente generalmente profile profiles group market persona personas objetivo for now today currently'.split(
    ' ',
  ),
)

/** "Our ideal client is", "Unser Wunschkunde:": what follows is the lead after all. Gives the first item after it. */
function audienceIntro(items: readonly Item[], first: number, end: number): number | undefined {
  let at = first
  while (
    at < end &&
    at < first + 5 &&
    items[at]!.kind === 'word' &&
    ['so', 'and', 'ok', 'okay', 'well', 'basically', 'hi', 'hello'].includes(items[at]!.word)
  )
    at++
  let own = false
  let ideal = false
  let named = false
  const from = at
  for (; at < end && at < from + 9; at++) {
    const { word, kind } = items[at]!
    if (kind === 'punct') {
      if (word === ':' || word === '—' || word === '=' || word === '-') return named ? at + 1 : undefined
      if (word === ',' && at === from) continue
      return undefined
    }
    if (kind !== 'word') return undefined
    if (OWN.has(word) && !named) own = true
    else if (IDEAL.has(word)) ideal = true
    else if (AUDIENCE_ALONE.has(word)) {
      if (!own) return undefined
      named = true
    } else if (AUDIENCE.has(word)) named ||= own
    else break
    if (named && IS_LINK.has(items[at + 1]?.word ?? '')) {
      const alone = items.slice(from, at + 1).some(item => AUDIENCE_ALONE.has(item.word))
      if (!ideal && !alone && !IDEAL.has(items[at + 1]!.word)) return undefined
      at++
      while (at < end && AUDIENCE_LINKS.has(items[at]!.word)) at++
      return at
    }
  }
  return undefined
}
const IS_LINK = new Set('is are would will ist sind ware waren est sont serait seraient es son seria serian sono e sao zijn'.split(' '))

/** "I meant Portugal": the speaker mends the brief, and says nothing about himself. */
const MENDING = new Set(
  'i mean,i meant,we mean,we meant,i should have said,ich meine,ich meinte,wir meinen,wir meinten,je veux dire,je voulais dire,nous voulions dire,mi quiero decir'.split(
    ',',
  ),
)
const mends = (items: readonly Item[], at: number): boolean =>
  [2, 3, 4].some(length => at + length <= items.length && MENDING.has(words(items, at, at + length)))

/** Whether a stretch takes something back: "Actually scratch HR". */
function takesBack(items: readonly Item[], from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    for (let length = 3; length >= 1; length--) {
      if (at + length > to) continue
      const phrase = words(items, at, at + length)
      if (CORRECTION_SET.has(phrase) || INSTEAD_OF.has(phrase) || RETRACTIONS.has(phrase)) return true
    }
  }
  return false
}

/** "Alstom is a competitor, exclude them": a statement about companies that are not wanted is a filter. */
const RELATIONS = new Set(
  'competitor competitors rival rivals customer customers client clients partner partners supplier suppliers wettbewerber konkurrent konkurrenten kunde kunden partnern concurrent concurrents client clients partenaire partenaires competidor competidores cliente clientes socios proveedores concorrenti clienti concurrenten klanten'.split(
    ' ',
  ),
)
const statesRelation = (items: readonly Item[], first: number, end: number): boolean => {
  if (items[first]!.kind !== 'word' || SENDER_WORDS.has(items[first]!.word)) return false
  for (let verb = first + 1; verb < end && verb < first + 14; verb++) {
    if (IS_A.has(items[verb]!.word)) return items.slice(verb, Math.min(end, verb + 6)).some(item => RELATIONS.has(item.word))
  }
  return false
}

const MOST_PARTS = 12

function dropSender(
  items: readonly Item[],
  tokens: readonly Token[],
  first: number,
  end: number,
  clauses: Clauses,
  consumed: Uint8Array,
  parts = 0,
): void {
  const intro = audienceIntro(items, first, end)
  if (intro !== undefined) {
    clauses.dropped.fill(1, first, Math.min(intro, end))
    return
  }
  if (tokens[items[first]!.first]!.capital && statesRelation(items, first, end)) return
  let sender = -1
  for (let at = first, seen = 0; at < end && seen < 7; at++) {
    if (items[at]!.kind === 'punct' && items[at]!.word !== ',') {
      if (items[at]!.word === ':' || items[at]!.word === ';') break
      continue
    }
    seen++
    if (mends(items, at)) return
    // "US" the country is not "us" the people.
    if (SENDER_WORDS.has(items[at]!.word) && !consumed[at] && !tokens[items[at]!.first]!.allCaps) {
      sender = at
      break
    }
    if (items[at]!.word === 'i' && items[at]!.kind === 'word' && !consumed[at]) {
      sender = at
      break
    }
  }
  if (sender < 0 && CONTEXT_STARTS.has(words(items, first, Math.min(first + 2, end)))) sender = first
  if (sender < 0) {
    const second = items[first + 1]
    const unknown = tokens[items[first]!.first]!.capital && second && IS_A.has(second.word) && ARTICLES.has(items[first + 2]?.word ?? '')
    if (unknown) clauses.dropped.fill(1, first, end)
    return
  }
  // Only the words before the sender that carry the request count: "CTOs in Spain, we sell dev tools".
  const request = findRequest(items, sender, end)
  if (request !== undefined) {
    // "scratch HR, we want finance": what is taken back stands before the comma.
    let from = first
    for (let at = first; at < sender; at++) if (items[at]!.word === ',' && takesBack(items, first, at)) from = at + 1
    clauses.dropped.fill(1, from, request)
    return
  }
  if (requestBefore(items, first, sender)) {
    clauses.dropped.fill(1, sender, end)
    return
  }
  // "Exclude our competitors Acme and Globex": the command comes first, the sender only owns what it speaks of.
  if (sender > first && sender - first <= 3 && RELATIONS.has(items[sender + 1]?.word ?? '') && NEGATORS.has(words(items, first, sender))) {
    return
  }
  const negator = negatorAfter(items, sender, end)
  if (negator !== undefined) {
    clauses.dropped.fill(1, first, negator)
    return
  }
  let from = first
  // What stands before a comma and the sender may be the wish itself: "Dentists in Porto, our best customers".
  for (let at = first; at < sender; at++) if (items[at]!.word === ',' && at - first >= 2 && sender - at <= 2) from = at
  let until = end
  // "we sell X; looking for Y" was cut at the request; a semicolon ends the sender's part in any case.
  for (let at = sender; at < end; at++) {
    if (items[at]!.word === ';' || items[at]!.word === '—') {
      until = at
      break
    }
  }
  clauses.dropped.fill(1, from, until)
  if (until + 1 >= end) return
  // Nobody speaks of himself in more parts of one sentence than this.
  if (parts >= MOST_PARTS) clauses.dropped.fill(1, until, end)
  else dropSender(items, tokens, until + 1, end, clauses, consumed, parts + 1)
}

function findRequest(items: readonly Item[], sender: number, end: number): number | undefined {
  for (let at = Math.max(0, sender - 1); at < end; at++) {
    if (items[at]!.kind !== 'word') continue
    for (let length = 4; length >= 1; length--) {
      if (at + length > end || !REQUESTS.has(words(items, at, at + length))) continue
      const before = items[at - 1]
      const gerund = items[at]!.word.endsWith('ing') && before !== undefined && !OTHERS_ASK.has(before.word)
      if (before && at > sender && !gerund && !ASKERS.has(before.word) && !SENDER_WORDS.has(before.word)) continue
      // "want to reach", "need to find": the whole chain is the request.
      let next = at + length
      while (next < end && ['to', 'de', 'zu', 'a'].includes(items[next]!.word)) {
        const longer = [3, 2, 1].find(size => REQUESTS.has(words(items, next + 1, Math.min(next + 1 + size, end))))
        if (longer === undefined) break
        next += 1 + longer
      }
      return next
    }
  }
  return undefined
}

/** "companies looking for staff": these ask for themselves, not for the sender. */
const OTHERS_ASK = new Set(
  'companies teams people businesses firms clients customers brands those anyone who organizations organisations startups employers help helps founders owners'.split(
    ' ',
  ),
)
const PLAIN_REQUESTS = new Set(
  'find get give show list need want target finde zeig gib trouve trouvez encuentra dame looking suche cherche busco'.split(' '),
)

function requestBefore(items: readonly Item[], first: number, sender: number): boolean {
  for (let at = first; at < sender && at < first + 3; at++) if (PLAIN_REQUESTS.has(items[at]!.word)) return true
  return false
}

function negatorAfter(items: readonly Item[], sender: number, end: number): number | undefined {
  for (let at = sender + 1; at < Math.min(end, sender + 5); at++) {
    for (let length = 4; length >= 2; length--) {
      if (at + length <= end && NEGATORS.has(words(items, at, at + length))) return at
    }
  }
  // "we already work with Alstom, so no Alstom": after the comma a plain negation will do.
  for (let at = sender + 1; at < Math.min(end, sender + 30); at++) {
    if (items[at]!.word !== ',') continue
    let next = at + 1
    while (
      next < end &&
      next < at + 4 &&
      ['so', 'please', 'therefore', 'hence', 'and', 'also', 'bitte', 'donc', 'asi', 'que'].includes(items[next]!.word)
    )
      next++
    if (next < end && NEGATORS.has(items[next]!.word)) return next
  }
  return undefined
}

const DECIDING = new Set([
  'decide about',
  'decides about',
  'deciding about',
  'decide on',
  'decides on',
  'deciding on',
  'decide over',
  'entscheiden uber',
  'decident de',
  'decident des',
  'deciden sobre',
  'beslissen over',
])
const CORRECTION_SET = new Set(CORRECTIONS)

/** Phrases that open a stretch about the sender's offer, or that speak to the machine, wherever they stand. */
function dropPhrases(items: readonly Item[], clauses: Clauses, consumed: Uint8Array): void {
  const { starts, tails } = phraseIndex()
  for (let at = 0; at < items.length; at++) {
    const word = items[at]!.word
    if (DECIDING.has(`${word} ${items[at + 1]?.word ?? ''}`) && !clauses.dropped[at]) {
      // "people who decide about facility cleaning": what they decide about is the sender's trade, not theirs.
      for (let step = at + 2; step < items.length && step < at + 6; step++) {
        if (
          items[step]!.kind !== 'word' ||
          ['at', 'in', 'from', 'for', 'and', 'or', 'bei', 'chez', 'en', 'und', 'et', 'y'].includes(items[step]!.word)
        )
          break
        clauses.dropped[step] = 1
      }
    }
    if (items[at]!.kind !== 'word' || clauses.dropped[at] || consumed[at]) continue
    const before = items[at - 1]
    const opens =
      before === undefined ||
      before.kind === 'punct' ||
      ['and', 'then', 'please', 'und', 'et', 'y', 'now', 'bitte', 'also', 'but'].includes(before.word)
    if (opens && matches(starts.get(word), items, at)) {
      // A statement of SQL ends at its semicolon; a plea in prose takes its whole sentence with it.
      const sql = word === 'drop' || word === 'delete' || word === 'select' || word === 'update'
      dropUntil(items, clauses, at, new Set([';', '—', '\n']), !sql, TO_MACHINE)
      continue
    }
    if (matches(tails.get(word), items, at) && !CORRECTION_SET.has(word))
      dropUntil(items, clauses, at, new Set([',', ';', ')', '(', '\n', '—']), false)
  }
}

function dropUntil(
  items: readonly Item[],
  clauses: Clauses,
  from: number,
  stops: ReadonlySet<string>,
  wholeSentence: boolean,
  why = 1,
): void {
  const sentence = clauses.sentence[from]
  for (let at = from; at < items.length && clauses.sentence[at] === sentence; at++) {
    const item = items[at]!
    if (!wholeSentence && item.kind === 'punct' && stops.has(item.word)) return
    clauses.dropped[at] = why
  }
}

function matches(phrases: string[][] | undefined, items: readonly Item[], at: number): boolean {
  return phrases?.some(phrase => phrase.every((word, offset) => items[at + offset]?.word === word)) ?? false
}

let index: { starts: Map<string, string[][]>; tails: Map<string, string[][]> } | undefined

function phraseIndex() {
  const build = (phrases: readonly string[]) => {
    const map = new Map<string, string[][]>()
    for (const phrase of phrases) {
      const list = phrase.split(' ')
      map.set(list[0]!, [...(map.get(list[0]!) ?? []), list])
    }
    return map
  }
  index ??= { starts: build(INSTRUCTION_STARTS), tails: build(SENDER_TAILS) }
  return index
}
