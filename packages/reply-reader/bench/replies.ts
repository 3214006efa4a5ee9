import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { messageOf, readSamples, type SampleReply } from '../corpus/corpus.ts'
import { type ReplyClass, type ReplyKind, readReply, settleKind } from '../src/index.ts'

/**
 * How often replies are classified correctly: `npm run bench -- replies` on our labeled replies, with unseen ones listed
 * separately; `--file corrections.jsonl` on a file with one labeled reply per line, as `overture replies export-corrections` prints
 * it. `--wrong` lists the mistakes, of our replies only those in the open part.
 */

const { values } = parseArgs({ options: { file: { type: 'string' }, wrong: { type: 'boolean' }, ids: { type: 'string' } } })
const KINDS: ReplyKind[] = ['bounce', 'auto_reply', 'opt_out', 'positive', 'negative', 'neutral']
type Row = { sample: SampleReply; got: ReplyClass }

const readFile = (file: string): SampleReply[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(line => line.trim() !== '')
    .map((line, i) => ({ id: `line-${i + 1}`, subject: '', ...JSON.parse(line) }))

const share = (part: number, whole: number) => (whole === 0 ? '-' : `${(part / whole).toFixed(3)} (${part} of ${whole})`)
const isRight = ({ sample, got }: Row) => got.kind === sample.kind
const isSure = ({ got }: Row) => !settleKind(got).needsLook

const judge = (samples: SampleReply[]): Row[] => samples.map(sample => ({ sample, got: readReply(messageOf(sample)) }))

function report(title: string, rows: Row[]): void {
  const count = (meant: ReplyKind, given: ReplyKind) => rows.filter(row => row.sample.kind === meant && row.got.kind === given).length
  const present = KINDS.filter(kind => rows.some(row => row.sample.kind === kind || row.got.kind === kind))
  console.log(`\n## ${title}: ${rows.length} replies\n\naccuracy ${share(rows.filter(isRight).length, rows.length)}\n`)
  console.log(`| meant \\ read as | ${present.join(' | ')} | precision | recall |\n|---|${'---:|'.repeat(present.length + 2)}`)
  for (const kind of present) {
    const given = rows.filter(row => row.got.kind === kind).length
    const meant = rows.filter(row => row.sample.kind === kind).length
    const right = count(kind, kind)
    const cells = [...present.map(other => count(kind, other)), share(right, given), share(right, meant)]
    console.log(`| ${kind} | ${cells.join(' | ')} |`)
  }
  const languages = [...new Set(rows.map(row => row.sample.language))].map(language => {
    const spoken = rows.filter(row => row.sample.language === language)
    return `${language ?? 'unknown'} ${share(spoken.filter(isRight).length, spoken.length)}`
  })
  console.log(`\nby language: ${languages.join(', ')}`)
  const wanted = rows.filter(row => row.sample.kind === 'opt_out')
  const read = rows.filter(row => row.got.kind === 'opt_out')
  console.log(`missed opt-outs: ${wanted.filter(row => !isRight(row)).length} of ${wanted.length}`)
  console.log(`false opt-outs: ${share(read.filter(row => !isRight(row)).length, rows.length)}`)
  const sure = rows.filter(isSure)
  console.log(`sure: ${sure.length}, right ${share(sure.filter(isRight).length, sure.length)}`)
  const announced = rows.filter(row => settleKind(row.got).kind === 'positive')
  console.log(`called interested: ${announced.length}, right ${share(announced.filter(isRight).length, announced.length)}`)
  const exact = (name: string, meant: (row: Row) => string | undefined, found: (row: Row) => string | undefined) => {
    const dated = rows.filter(row => meant(row) !== undefined)
    console.log(`${name}: ${share(dated.filter(row => meant(row) === found(row)).length, dated.length)}`)
  }
  exact(
    'return dates',
    row => row.sample.returnDate,
    row => row.got.returnDate,
  )
  exact(
    'deferrals',
    row => row.sample.deferredUntil,
    row => row.got.deferredUntil,
  )
  exact(
    'referrals',
    row => row.sample.referral,
    row => row.got.referral?.email,
  )
}

function listWrong(rows: Row[]): void {
  for (const row of rows) {
    const { sample, got } = row
    const found = [got.returnDate, got.deferredUntil, got.referral?.email]
    const meant = [sample.returnDate, sample.deferredUntil, sample.referral]
    if (isRight(row) && meant.every((value, i) => value === undefined || value === found[i])) continue
    console.log(`${sample.id} ${sample.language ?? ''} ${sample.kind} -> ${got.kind} ${got.confidence}; ${meant} -> ${found}`)
    console.log(`   ${sample.text.slice(0, 200).replaceAll('\n', ' / ')}`)
  }
}

if (values.file) {
  const rows = judge(readFile(values.file))
  report(values.file, rows)
  if (values.wrong) listWrong(rows)
} else {
  const rows = judge(readSamples().filter(sample => sample.id.startsWith(values.ids ?? '')))
  const tuned = rows.filter(row => row.sample.split === 'tune')
  report(
    'Held out',
    rows.filter(row => row.sample.split === 'held_out'),
  )
  report('Tuned on', tuned)
  if (values.wrong) listWrong(tuned)
}
