import { escapeHtml } from '../../lib/html-page.ts'
import { harmless } from '../output.ts'
import type { Verdict } from './expectations.ts'
import type { Facts } from './facts.ts'

interface Report {
  campaign: string
  passed: boolean
  from: string
  to: string
  status: string
  attentionReason: string | null
  counts: { leads: number; mails: number; replied: number; autoReplied: number; unsubscribed: number; bounced: number }
  expectations: Verdict[]
  durationMs: number
}

export function makeReport(campaign: string, facts: Facts, expectations: Verdict[], durationMs: number): Report {
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
export function reportLines({ from, to, status, attentionReason, counts, expectations, durationMs }: Report): string[] {
  const { leads, mails, replied, autoReplied, unsubscribed, bounced } = counts
  const happened = `${mails} e-mails to ${leads} leads; ${replied} replied, ${autoReplied} automatic replies, ${unsubscribed} unsubscribed, ${bounced} bounced`
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
    `# at the end the campaign is ${status}${attentionReason ? `: ${harmless(attentionReason)}` : ''}`,
    `1..${expectations.length}`,
    ...verdicts,
  ]
}

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
