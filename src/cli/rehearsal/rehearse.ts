import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Overture } from '../../../packages/sdk/src/client.ts'
import { CommandFailed, EXIT } from '../../lib/command-failure.ts'
import { readLocatedFile } from '../campaigns/file.ts'
import type { Call } from '../command.ts'
import { failureOf } from '../failures.ts'
import { printJson } from '../output.ts'
import type { Shell } from '../shell.ts'
import { bailOutLine, junit, junitOfError, makeReport, openingLines, reportLines } from './report.ts'
import { readScript, type Script } from './script.ts'
import { type Played, play } from './stage.ts'

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
  const text = `${failed.length} of ${report.expectations.length} expectations ${failed.length === 1 ? 'does' : 'do'} not hold: ${failed.map(each => each.name).join(', ')}.`
  throw new CommandFailed(EXIT.failed, 'rehearsal_failed', text)
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** Stops everything that it started, also after Ctrl-C, and when nobody reads the report any more. */
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
