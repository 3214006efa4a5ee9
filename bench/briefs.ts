// How well and how fast briefs become filters:  node bench/briefs.ts [file.jsonl] [--errors]
// Without a file it scores the briefs that are kept with the code. A file has one annotated brief per line.
import fs from 'node:fs'
import { proposeFilters } from '../src/leadsearch/brief/propose.ts'
import { type AnnotatedBrief, scoreBriefs } from '../src/leadsearch/brief/scoring.ts'

const args = process.argv.slice(2)
const file = args.find(arg => !arg.startsWith('--'))
const own = new URL('../src/leadsearch/brief/briefs.data.json', import.meta.url)
const briefs: AnnotatedBrief[] = file
  ? fs.readFileSync(file, 'utf8').split('\n').filter(Boolean).map(line => JSON.parse(line) as AnnotatedBrief)
  : (JSON.parse(fs.readFileSync(own, 'utf8')) as AnnotatedBrief[])

const coldStart = performance.now()
proposeFilters('CTOs in Berlin')
const coldMs = performance.now() - coldStart

const score = scoreBriefs(briefs, brief => proposeFilters(brief).filters as Record<string, unknown>)
const percent = (share: number) => `${(100 * share).toFixed(1)}%`
console.log(`${briefs.length} briefs: F1 ${percent(score.f1)}  precision ${percent(score.precision)}  recall ${percent(score.recall)}  exact ${percent(score.exact)}`)
if (args.includes('--errors')) {
  for (const { id, brief, wrong, missing } of score.errors) {
    console.log(`\n${id} ${JSON.stringify(brief.slice(0, 200))}${wrong.map(fact => `\n  + ${fact}`).join('')}${missing.map(fact => `\n  - ${fact}`).join('')}`)
  }
}

const times: number[] = []
for (let round = 0; round < 5; round++) {
  for (const { brief } of briefs) {
    const start = performance.now()
    proposeFilters(brief)
    times.push(performance.now() - start)
  }
}
times.sort((a, b) => a - b)
const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))]!.toFixed(2)
console.log(`latency ms: p50 ${at(0.5)}  p95 ${at(0.95)} (limit 5)  max ${at(1)}  first call with data loading ${coldMs.toFixed(0)}`)

const words = (make: (index: number) => string) => Array.from({ length: 1400 }, (_, index) => make(index)).join(' ')
const HOSTILE: Record<string, string> = {
  'one word': 'a'.repeat(8000),
  'negations': 'no not never without '.repeat(400),
  'suppressions': 'not contacted in the last '.repeat(320),
  'places': 'Zürich, Paris, '.repeat(600),
  'near misses': words(index => `manag${((index * 7919) % 99991).toString(26).replace(/\d/g, 'x')}`),
  'numbers': '1-2-3-'.repeat(1333),
  'titles': 'head of head of '.repeat(500),
  'addresses': 'e mail '.repeat(1142),
  'signs': '((,,;;€€<<'.repeat(800),
  'combining marks': 'a\u0301\u0308'.repeat(2600),
  'mixed scripts': words(index => String.fromCodePoint(0x4e00 + index, 0x430 + (index % 32))),
  'corrections': 'no wait, France, actually '.repeat(300),
}
let worst = 0
for (const [name, text] of Object.entries(HOSTILE)) {
  const brief = text.slice(0, 8000)
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < 5; round++) {
    const start = performance.now()
    proposeFilters(brief)
    best = Math.min(best, performance.now() - start)
  }
  worst = Math.max(worst, best)
  console.log(`  8000 characters, ${name}: ${best.toFixed(1)} ms`)
}
console.log(`8000 characters, worst: ${worst.toFixed(1)} ms (limit 50)`)
