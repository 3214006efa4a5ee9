import { existsSync } from 'node:fs'
import type { Call } from '../../cli/command.ts'
import { harmless, printJson } from '../../cli/output.ts'
import { type Config, loadConfig } from '../../context/config.ts'
import { CommandFailed, EXIT } from '../../lib/command-failure.ts'
import { examineDatabase } from './database.ts'
import { type Finding, fail, look } from './finding.ts'
import { examineMachine } from './machine.ts'
import { connectionOf, examineService } from './service.ts'

/** `overture doctor`: lists problems, each with the command that fixes it. It changes nothing. */
export async function doctor({ flags, shell }: Call): Promise<void> {
  const settings = readSettings(shell.env)
  // Without an installation or a service, we assume that the user is about to start one.
  const isCaller = !isInstallation(settings) && (await connectionOf(shell, flags)) !== null
  const findings = 'name' in settings ? [settings] : isCaller ? [] : await examine(settings)
  findings.push(...(await look('service', 'overture login', () => examineService(shell, flags, !isCaller))))
  const failed = findings.filter(({ status }) => status === 'fail').length
  if (flags.isOn('json')) printJson(shell, { ok: failed === 0, findings })
  else for (const finding of findings) shell.print(lineOf(finding))
  if (failed > 0) throw new CommandFailed(EXIT.failed, 'unwell', `${failed} of ${findings.length} checks failed.`, firstMend(findings))
}

function readSettings(env: NodeJS.ProcessEnv): Config | Finding {
  try {
    return loadConfig(env)
  } catch (error) {
    return fail('settings', (error as Error).message, 'overture config')
  }
}

/** The service is installed here; this is not only a client of a service elsewhere. */
const isInstallation = (settings: Config | Finding): boolean =>
  'name' in settings || settings.databaseUrl !== '' || existsSync(settings.dir)

async function examine(config: Config): Promise<Finding[]> {
  const database = look('database', 'overture migrate', () => examineDatabase(config))
  return [...(await examineMachine(config)), ...(await database)]
}

const lineOf = ({ name, status, text, mend }: Finding): string =>
  `${status.padEnd(4)}  ${harmless(`${name}: ${text}`)}${mend === null ? '' : `\n      -> ${mend}`}`

const firstMend = (findings: readonly Finding[]): string | undefined => findings.find(({ status }) => status === 'fail')?.mend ?? undefined
