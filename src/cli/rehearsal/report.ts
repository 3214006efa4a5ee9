import { escapeHtml } from '../../lib/html-page.ts'
import { harmless } from '../output.ts'
import { judge, type Verdict } from './expectations.ts'
import { type Intake, intakeLines, judgeIntake } from './intake.ts'
import type { Rehearsal } from './section.ts'
import type { Played } from './stage.ts'

interface Report {
  campaign: string
  passed: boolean
  from: string
  to: string
  status: string
  attentionReason: string | null
  counts: { leads: number; mails: number; replied: number; autoReplied: number; unsubscribed: number; bounced: number }
  intake: Intake
  expectations: Verdict[]
  durationMs: number
}

interface Given {
  campaign: string
  /** Whether the leads come from a file. */
  hasList: boolean
  expected: NonNullable<Rehearsal['expect']>
}

export function makeReport({ campaign, hasList, expected }: Given, { facts, intake }: Played, durationMs: number): Report {
  const expectations = [...(hasList || intake.rejectedCount > 0 ? [judgeIntake(intake)] : []), ...judge(facts, expected)]
  const leadsThat = (kind: string): number => new Set(facts.ends.filter(end => end.kind === kind).map(({ lead }) => lead)).size
  return {
    campaign,
    passed: expectations.every(({ ok }) => ok),
    from: facts.startedAt.toISOString(),
    to: facts.endedAt.toISOString(),
    status: facts.status,
    attentionReason: facts.attentionReason,
    counts: {
      leads: facts.leads.length,
      mails: facts.mails.length,
      replied: leadsThat('replied'),
      autoReplied: facts.autoReplies,
      unsubscribed: leadsThat('unsubscribed'),
      bounced: leadsThat('bounced'),
    },
    intake,
    expectations,
    durationMs: Math.round(durationMs),
  }
}

const nameOf = ({ name, wanted }: Verdict): string => (wanted === true ? name : `${name}: ${wanted}`)

/** Printed at the beginning, because a rehearsal takes a while. */
export const openingLines = (campaign: string, days: number): string[] => [
  'TAP version 14',
  `# playing ${days} days of "${harmless(campaign)}"`,
]

/** The Test Anything Protocol, which people can read, too. */
export function reportLines({ from, to, status, attentionReason, counts, intake, expectations, durationMs }: Report): string[] {
  const { leads, mails, replied, autoReplied, unsubscribed, bounced } = counts
  const happened = `${mails} emails to ${leads} leads; ${replied} replied, ${autoReplied} automatic replies, ${unsubscribed} unsubscribed, ${bounced} bounced`
  const verdicts = expectations.flatMap((verdict, at) => {
    const { ok, text, broken, brokenCount } = verdict
    const more = brokenCount > broken.length ? [`  # and ${brokenCount - broken.length} more`] : []
    // A `#` would begin a directive.
    const line = `${ok ? 'ok' : 'not ok'} ${at + 1} - ${nameOf(verdict)} (${harmless(text).replaceAll('#', '')})`
    return [line, ...broken.map(each => `  # ${harmless(each)}`), ...more]
  })
  return [
    `# ${from.slice(0, 10)} to ${to.slice(0, 10)}, played in ${(durationMs / 1000).toFixed(1)} s`,
    `# ${happened}`,
    ...intakeLines(intake).map(line => `# ${harmless(line)}`),
    `# at the end the campaign is ${status}${attentionReason ? `: ${harmless(attentionReason)}` : ''}`,
    `1..${expectations.length}`,
    ...verdicts,
  ]
}

/** How the Test Anything Protocol says that nothing was tested. */
export const bailOutLine = (message: string): string => `Bail out! ${harmless(message)}`

const escaped = (text: string): string => escapeHtml(harmless(text))

/** The JUnit format for continuous integration. */
export function junit({ campaign, expectations, durationMs }: Report): string {
  const cases = expectations.map(verdict => {
    const head = `  <testcase classname="${escaped(campaign)}" name="${escaped(nameOf(verdict))}"`
    if (verdict.ok) return `${head}/>`
    return `${head}>\n    <failure message="${escaped(verdict.text)}">${verdict.broken.map(escaped).join('\n')}</failure>\n  </testcase>`
  })
  const failed = expectations.filter(({ ok }) => !ok).length
  const head = `name="${escaped(campaign)}" tests="${expectations.length}" failures="${failed}" time="${(durationMs / 1000).toFixed(3)}"`
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuite ${head}>\n${cases.join('\n')}\n</testsuite>\n`
}

/** For a rehearsal that could not be played: without a file, continuous integration would find no tests, and some tools take that for success. */
export function junitOfError(campaign: string, message: string): string {
  const name = escaped(campaign)
  const error = `<error message="${escaped(message)}"/>`
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="${name}" tests="1" failures="0" errors="1">
  <testcase classname="${name}" name="rehearsal">${error}</testcase>
</testsuite>
`
}
