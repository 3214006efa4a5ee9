// How well and how fast briefs become filters:  npm run bench -- briefs [file.jsonl] [--errors]
// Without a file it scores the briefs that are kept with the code. A file has one annotated brief per line.
import fs from 'node:fs'
import { annotatedBriefs } from '../corpus/corpus.ts'
import { readBrief } from '../src/read-brief.ts'
import { type AnnotatedBrief, scoreBriefs } from './scoring.ts'

const args = process.argv.slice(2)
const file = args.find(arg => !arg.startsWith('--'))
const briefs: AnnotatedBrief[] = file
  ? fs
      .readFileSync(file, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line) as AnnotatedBrief)
  : annotatedBriefs()

const coldStart = process.threadCpuUsage()
readBrief('CTOs in Berlin')
const cold = process.threadCpuUsage(coldStart)
const coldMs = (cold.user + cold.system) / 1000

const score = scoreBriefs(briefs, brief => readBrief(brief))
const percent = (share: number) => `${(100 * share).toFixed(1)}%`
console.log(
  `${briefs.length} briefs: F1 ${percent(score.f1)}  precision ${percent(score.precision)}  recall ${percent(score.recall)}  exact ${percent(score.exact)}`,
)
console.log(`read with the opposite sign: ${score.inverted.length}  lost while nothing was reported: ${score.silent.length}`)
if (args.includes('--errors')) {
  for (const { id, brief, wrong, missing } of score.errors) {
    console.log(
      `\n${id} ${JSON.stringify(brief.slice(0, 200))}${wrong.map(fact => `\n  + ${fact}`).join('')}${missing.map(fact => `\n  - ${fact}`).join('')}`,
    )
  }
}

// Both are printed: every single call, and the best of five for each brief, which leaves out what else the machine does.
const every: number[] = []
const times: number[] = briefs.map(() => Number.POSITIVE_INFINITY)
for (let round = 0; round < 5; round++) {
  for (const [index, { brief }] of briefs.entries()) {
    const start = performance.now()
    readBrief(brief)
    const took = performance.now() - start
    every.push(took)
    times[index] = Math.min(times[index]!, took)
  }
}
const percentiles = (list: number[]) => {
  list.sort((a, b) => a - b)
  const at = (share: number) => list[Math.min(list.length - 1, Math.floor(list.length * share))]!.toFixed(2)
  return `p50 ${at(0.5)}  p95 ${at(0.95)}  max ${at(1)}`
}
console.log(`latency ms, every call:   ${percentiles(every)}  (limit p95 5)`)
console.log(`latency ms, best of five: ${percentiles(times)}`)
console.log(`first call of the process, loading all data: ${coldMs.toFixed(0)} ms of CPU`)

const words = (make: (index: number) => string) => Array.from({ length: 1400 }, (_, index) => make(index)).join(' ')
const HOSTILE: Record<string, string> = {
  'one word': 'a'.repeat(8000),
  negations: 'no not never without '.repeat(400),
  suppressions: 'not contacted in the last '.repeat(320),
  places: 'Zürich, Paris, '.repeat(600),
  'near misses': words(index => `manag${((index * 7919) % 99991).toString(26).replace(/\d/g, 'x')}`),
  numbers: '1-2-3-'.repeat(1333),
  titles: 'head of head of '.repeat(500),
  addresses: 'e mail '.repeat(1142),
  signs: '((,,;;€€<<'.repeat(800),
  'combining marks': 'a\u0301\u0308'.repeat(2600),
  'mixed scripts': words(index => String.fromCodePoint(0x4e00 + index, 0x430 + (index % 32))),
  corrections: 'no wait, France, actually '.repeat(300),
  'list of ranks': 'VP/'.repeat(2667),
  'list of functions': 'ki/-'.repeat(2000),
  'row of functions': 'ML '.repeat(2667),
  'row of letters': 'R-'.repeat(4000),
  'ranks and joins': 'VP and VP/'.repeat(800),
  'names that are out': 'Acme is out. '.repeat(620),
  partners: 'we work with Hays so '.repeat(380),
  'refused names': 'not Acme, '.repeat(800),
  questions: 'banks? no. '.repeat(730),
  'codes and joins': 'CFOs in WA and OR. '.repeat(422),
  'known words': 'no wedding venues, '.repeat(422),
  'long ending': `Exclude: ${'x'.repeat(7900)}es`,
  'lists and pronouns': `${'banks and '.repeat(400)}${'skip them, '.repeat(363)}`,
  'relative clauses': 'banks, which we dislike, '.repeat(320),
  'lists that are out': 'Acme, Globex are out. '.repeat(364),
  'strange names': words(index => `X${((index * 245_489) % 9_999_991).toString(36).replace(/\d/g, 'q')}`),
}
/** Time of this thread on a processor: what a hostile text costs whatever else the machine does. */
const cpuMs = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
let worst = 0
let worstFirst = 0
for (const [name, text] of Object.entries(HOSTILE)) {
  const brief = text.slice(0, 8000)
  let best = Number.POSITIVE_INFINITY
  let first = 0
  for (let round = 0; round < 5; round++) {
    const start = cpuMs()
    readBrief(brief)
    const took = cpuMs() - start
    if (round === 0) first = took
    best = Math.min(best, took)
  }
  worst = Math.max(worst, best)
  worstFirst = Math.max(worstFirst, first)
  console.log(`  8000 characters, ${name}: first ${first.toFixed(1)} ms, best of five ${best.toFixed(1)} ms`)
}
console.log(`8000 characters, worst: first ${worstFirst.toFixed(1)} ms, best of five ${worst.toFixed(1)} ms of CPU (limit 50)`)
