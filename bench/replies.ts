import { parseInbound } from '../src/mail/inbound/inbound.ts'
import { loadSampleReplies, rawSample, SAMPLES_WRITTEN_AT, type SampleReply } from '../src/mail/inbound/testing/sample-replies.ts'
import { classifyReply, type ReplyKind } from '../src/mail/reading/classify.ts'

/**
 * How often the rules for replies are right: precision and recall per kind, for the replies the rules were tuned on and
 * for those that were put aside before the first rule was written. `--wrong` lists the mistakes on the first part.
 */

const KINDS: ReplyKind[] = ['bounce', 'auto_reply', 'opt_out', 'positive', 'negative', 'neutral']
const rows: { sample: SampleReply; got: ReplyKind; confidence: number; returnDate: string | undefined }[] = []
for (const sample of loadSampleReplies()) {
  const result = classifyReply(await parseInbound(rawSample(sample)), SAMPLES_WRITTEN_AT)
  rows.push({ sample, got: result.kind, confidence: result.confidence, returnDate: result.returnDate })
}

const share = (part: number, whole: number) => (whole === 0 ? '-' : (part / whole).toFixed(3))

for (const split of ['held_out', 'tune'] as const) {
  const part = rows.filter(row => row.sample.split === split)
  console.log(`\n## ${split === 'tune' ? 'Tuned on' : 'Held out'} (${part.length} replies)\n`)
  console.log('| kind | replies | precision | recall |\n|---|---:|---:|---:|')
  for (const kind of KINDS) {
    const meant = part.filter(row => row.sample.kind === kind)
    const given = part.filter(row => row.got === kind)
    const right = meant.filter(row => row.got === kind).length
    console.log(`| ${kind} | ${meant.length} | ${share(right, given.length)} | ${share(right, meant.length)} |`)
  }
  const right = part.filter(row => row.got === row.sample.kind)
  console.log(`\nAccuracy ${share(right.length, part.length)}`)
  const languages = ['en', 'de', 'fr', 'es'].map(language => {
    const spoken = part.filter(row => row.sample.language === language)
    return `${language} ${share(spoken.filter(row => row.got === row.sample.kind).length, spoken.length)} of ${spoken.length}`
  })
  console.log(`By language: ${languages.join(', ')}`)
  const dated = part.filter(row => row.sample.kind === 'auto_reply' && row.sample.returnDate)
  const exact = dated.filter(row => row.returnDate === row.sample.returnDate)
  console.log(`Return dates read: ${exact.length} of ${dated.length}`)
  const sure = part.filter(row => row.confidence >= 0.8)
  const sureRight = sure.filter(row => row.got === row.sample.kind)
  console.log(`With a confidence of 0.8 or more: ${sure.length}, right ${share(sureRight.length, sure.length)}`)
}

if (process.argv.includes('--wrong')) {
  for (const { sample, got, confidence, returnDate } of rows.filter(row => row.sample.split === 'tune')) {
    const wrongDate = sample.kind === 'auto_reply' && returnDate !== sample.returnDate
    if (got === sample.kind && !wrongDate) continue
    console.log(`${sample.id} ${sample.language} ${sample.kind} -> ${got} ${confidence} ${sample.returnDate ?? ''} ${returnDate ?? ''}`)
    console.log(`   ${sample.text.slice(0, 160).replaceAll('\n', ' / ')}`)
  }
}
