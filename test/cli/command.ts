import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cleanups } from '../cleanups.ts'
import { patience } from '../faults/processes.ts'
import type { Overture } from '../harness.ts'

const root = new URL('../..', import.meta.url).pathname

interface Ended {
  code: number | null
  out: string
  err: string
}

interface Given {
  env?: Record<string, string>
  input?: string
  /** A disk without space, or a pipe whose reader has gone away, in place of a reader. */
  output?: 'full' | 'gone'
}

export interface CommandLine {
  /** An empty folder: the working and home directory of the user. */
  home: string
  run(args: string[], options?: Given): Promise<Ended>
  /** Runs until the text that was waited for is printed, and then on until it is stopped. */
  follow(args: string[], options?: { env?: Record<string, string> }): Followed
}

interface Followed {
  /** Resolves with everything printed so far, once it contains the text. */
  until(text: string): Promise<string>
  stop(): Promise<Ended>
}

/** The command line of a user who is not signed in, or is signed in to the given service. */
export function commandLine(overture?: Overture): CommandLine {
  const home = mkdtempSync(join(tmpdir(), 'overture-cli-'))
  cleanups.push(async () => rmSync(home, { recursive: true, force: true }))
  const signedIn: Record<string, string> = overture
    ? { OVERTURE_URL: overture.baseUrl, OVERTURE_TOKEN: overture.client.token, OVERTURE_WORKSPACE: overture.workspaceId }
    : {}
  const start = (args: string[], env: Record<string, string> = {}, output: number | 'pipe' = 'pipe') =>
    spawn(process.execPath, [join(root, 'src/main.ts'), ...args], {
      cwd: root,
      stdio: ['pipe', output, 'pipe'],
      env: {
        PATH: process.env.PATH!,
        HOME: home,
        OVERTURE_CWD: home,
        OVERTURE_DIR: join(home, '.overture'),
        NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/overture'),
        ...patience(),
        ...signedIn,
        ...env,
      },
    })

  return {
    home,
    async run(args, { env, input = '', output } = {}) {
      const full = output === 'full' ? openSync('/dev/full', 'w') : undefined
      const child = start(args, env, full)
      if (full !== undefined) closeSync(full)
      const [out, err] = [child.stdout && collect(child.stdout), collect(child.stderr!)]
      if (output === 'gone') child.stdout!.destroy()
      child.stdin!.end(input)
      const code = await new Promise<number | null>(resolve => child.on('close', resolve))
      return { code, out: out?.() ?? '', err: err() }
    },
    follow(args, { env } = {}) {
      const child = start(args, env) as ChildProcessWithoutNullStreams
      const [out, err] = [collect(child.stdout), collect(child.stderr)]
      const ended = new Promise<number | null>(resolve => child.on('close', resolve))
      return {
        until: text =>
          new Promise((resolve, reject) => {
            const look = () => (out() + err()).includes(text) && resolve(out() + err())
            child.stdout.on('data', look)
            child.stderr.on('data', look)
            ended.then(() => reject(new Error(`It ended without "${text}":\n${out()}${err()}`)))
            look()
          }),
        async stop() {
          child.kill('SIGINT')
          return { code: await ended, out: out(), err: err() }
        },
      }
    },
  }
}

function collect(stream: NodeJS.ReadableStream): () => string {
  let text = ''
  stream.setEncoding('utf8')
  stream.on('data', piece => (text += piece))
  return () => text
}
