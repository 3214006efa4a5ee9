import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Overture } from '../../../packages/sdk/src/client.ts'
import { CommandFailed, EXIT } from '../../lib/command-failure.ts'
import { escapeHtml } from '../../lib/html-page.ts'
import { readLocatedFile } from '../campaigns/file.ts'
import type { Call } from '../command.ts'
import { failureOf } from '../failures.ts'
import { harmless, printJson } from '../output.ts'
import type { Shell } from '../shell.ts'
import { judge, type Verdict } from './expectations.ts'
import { readScript, type Script } from './script.ts'
import type { Rehearsal } from './section.ts'
import { type Intake, intakeLines, judgeIntake, type Played, play } from './stage.ts'

/** `overture rehearse campaign.yaml`: runs the whole campaign in its own service, and checks the expectations of the file. */
export async function rehearse(call: Call): Promise<void> {
  const { shell, flags } = call
  const located = await readLocatedFile(call, 'rehearse')
  const { file } = located
  const script = await readScript(shell, located, new Date())
  const expected = file.rehearsal?.expect ?? {}
  const asJson = flags.isOn('json')
  if (!asJson) for (const line of openingLines(file.campaign.name, script.days)) shell.print(line)
  const begunMs = performance.now()
  const named = flags.text('junit')
  const place = named === undefined ? null : resolve(shell.cwd, named)
  const played = await playAlone(shell, script).catch(async error => {
    if (shell.signal.aborted) throw error
    const { message } = failureOf(error)
    if (!asJson) shell.print(bailOutLine(message))
    if (place !== null) await writeFile(place, junitOfError(file.campaign.name, message))
    throw error
  })
  const given = { campaign: file.campaign.name, hasList: script.list !== null, expected }
  const report = makeReport(given, played, performance.now() - begunMs)
  if (place !== null) await writeFile(place, junit(report))
  if (asJson) printJson(shell, report)
  else for (const line of reportLines(report)) shell.print(line)
  if (report.passed) return
  const failed = report.expectations.filter(({ ok }) => !ok)
  const text = `${failed.length} of ${report.expectations.length} expectations failed: ${failed.map(each => each.name).join(', ')}.`
  throw new CommandFailed(EXIT.failed, 'rehearsal_failed', text)
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** Stops everything that it started, even after Ctrl-C or when the reader of the report is gone. */
async function playAlone(shell: Shell, script: Script): Promise<Played> {
  const instance = await shell.startPrivate()
  const stop = new AbortController()
  const interrupted = Promise.race([instance.ended, aborted(shell.signal)]).then(() => {
    const error = new Error('Stopped.')
    stop.abort(error)
    throw error
  })
  try {
    const { url, token, workspaceId } = instance
    const service = new Overture({ baseUrl: url, token, workspaceId, headers: { 'user-agent': 'overture-rehearsal' }, signal: stop.signal })
    return await Promise.race([play(service, script), interrupted])
  } finally {
    stop.abort()
    await instance.stop()
  }
}

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

function makeReport({ campaign, hasList, expected }: Given, { facts, intake }: Played, durationMs: number): Report {
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
const openingLines = (campaign: string, days: number): string[] => ['TAP version 14', `# playing ${days} days of "${harmless(campaign)}"`]

/** The Test Anything Protocol, which people can read, too. */
function reportLines({ from, to, status, attentionReason, counts, intake, expectations, durationMs }: Report): string[] {
  const { leads, mails, replied, autoReplied, unsubscribed, bounced } = counts
  const happened = `${mails} emails to ${leads} leads; ${replied} replied, ${autoReplied} replied automatically, ${unsubscribed} unsubscribed, ${bounced} bounced`
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
    `# final status of the campaign: ${status}${attentionReason ? ` (${harmless(attentionReason)})` : ''}`,
    `1..${expectations.length}`,
    ...verdicts,
  ]
}

/** How the Test Anything Protocol says that nothing was tested. */
const bailOutLine = (message: string): string => `Bail out! ${harmless(message)}`

const escaped = (text: string): string => escapeHtml(harmless(text))

function junit({ campaign, expectations, durationMs }: Report): string {
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
function junitOfError(campaign: string, message: string): string {
  const name = escaped(campaign)
  const error = `<error message="${escaped(message)}"/>`
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="${name}" tests="1" failures="0" errors="1">
  <testcase classname="${name}" name="rehearsal">${error}</testcase>
</testsuite>
`
}
