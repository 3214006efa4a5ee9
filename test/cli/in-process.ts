import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Commands } from '../../src/cli/command.ts'
import { COMMANDS } from '../../src/cli/commands.ts'
import { runCommand } from '../../src/cli/run.ts'
import type { Shell } from '../../src/cli/shell.ts'
import { cleanups } from '../cleanups.ts'
import type { Overture } from '../harness.ts'

interface Ended {
  code: number
  out: string
  err: string
}

interface Given {
  env?: Record<string, string>
  /** Standard input; with `isTyped`, lines that a user types at a terminal. */
  input?: string
  isTyped?: boolean
  startPrivate?: Shell['startPrivate']
}

interface Running {
  /** Resolves with everything printed so far, once it contains the text. */
  until(text: string): Promise<string>
  stop(): Promise<Ended>
  ended: Promise<Ended>
}

/** It listens for signals as long as its process lives, and this one lives longer. */
const startPrivateHere: Shell['startPrivate'] = async () => {
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const
  const before = new Set(names.flatMap(name => process.listeners(name as 'SIGINT')))
  const service = await (await import('../../src/app/boot.ts')).startPrivateInstance()
  for (const name of names)
    for (const listener of process.listeners(name as 'SIGINT')) if (!before.has(listener)) process.off(name, listener)
  return service
}

/** A text that never comes is a failure, and no test file that never ends. */
const LONGEST_MS = 150_000

/** Commands without a process of their own: as fast as the requests they make. */
export class InProcess {
  readonly home: string
  readonly #env: Record<string, string>
  readonly #commands: Commands

  /** The home of the user is a new folder, unless it is given. */
  constructor(overture?: Overture, commands: Commands = COMMANDS, home?: string) {
    this.home = home ?? mkdtempSync(join(tmpdir(), 'overture-cli-'))
    cleanups.push(async () => rmSync(this.home, { recursive: true, force: true }))
    this.#commands = commands
    this.#env = { HOME: this.home, OVERTURE_DIR: join(this.home, '.overture') }
    if (overture) {
      const { baseUrl, client, workspaceId } = overture
      Object.assign(this.#env, { OVERTURE_URL: baseUrl, OVERTURE_TOKEN: client.token, OVERTURE_WORKSPACE: workspaceId })
    }
  }

  run(args: string[], given: Given = {}): Promise<Ended> {
    return this.start(args, given).ended
  }

  /** The output with `--json`. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  async json(args: string[], given: Given = {}): Promise<any> {
    const { code, out, err } = await this.run([...args, '--json'], given)
    if (code !== 0) throw new Error(`It ended with ${code}: ${err}`)
    return JSON.parse(out)
  }

  start(args: string[], { env, input = '', isTyped = false, startPrivate = startPrivateHere }: Given = {}): Running {
    const stop = new AbortController()
    // A process that a failed test left running would keep the file from ending.
    cleanups.push(async () => stop.abort(new Error('The tests are over.')))
    let [out, err] = ['', '']
    const watchers = new Set<() => void>()
    const look = () => {
      for (const watcher of watchers) watcher()
    }
    const shell: Shell = {
      env: { ...this.#env, ...env },
      cwd: this.home,
      input: Object.assign(Readable.from([Buffer.from(input)]), isTyped ? { isTTY: true } : {}),
      signal: stop.signal,
      startPrivate,
      print: text => {
        out += `${text}\n`
        look()
      },
      written: async () => {},
      warn: text => {
        err += `${text}\n`
        look()
      },
      status: isTyped
        ? text => {
            err += `\r${text}`
            look()
          }
        : null,
    }
    const ended = runCommand(args, this.#commands, shell).then(code => ({ code, out, err }))
    return {
      ended,
      until: text =>
        new Promise((resolve, reject) => {
          const watcher = () => {
            if (!(out + err).includes(text)) return
            watchers.delete(watcher)
            resolve(out + err)
          }
          watchers.add(watcher)
          const fail = () => reject(new Error(`"${text}" does not come:\n${out}${err}`))
          setTimeout(fail, LONGEST_MS).unref()
          ended.then(() => reject(new Error(`It ended without "${text}":\n${out}${err}`)))
          watcher()
        }),
      async stop() {
        stop.abort(new Error('Stopped.'))
        return ended
      },
    }
  }
}
