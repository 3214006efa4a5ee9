import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readlinkSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Ends processes of PostgreSQL that still work in this folder, the server's or those of initdb: each of them has it as its working directory. */
export async function endLeftovers(data: string): Promise<void> {
  for (const signal of ['SIGINT', 'SIGKILL'] as const) {
    for (let waited = 0; waited < 3000; waited += 100) {
      const pids = await leftovers(data)
      if (pids.length === 0) {
        await rm(join(data, 'postmaster.pid'), { force: true })
        return
      }
      if (waited === 0 || signal === 'SIGKILL') for (const pid of pids) tryKill(pid, signal)
      await sleep(100)
    }
  }
  throw new Error(`a PostgreSQL process of ${data} does not stop`)
}

async function leftovers(data: string): Promise<number[]> {
  if (!existsSync('/proc/self')) {
    const pid = existsSync(join(data, 'postmaster.pid')) ? Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0]) : 0
    return pid > 0 && isPostgres(pid) ? [pid] : []
  }
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name)).map(Number)
  return pids.filter(pid => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === data && /^(postgres|initdb)/.test(readFileSync(`/proc/${pid}/comm`, 'utf8'))
    } catch {
      return false // gone meanwhile, or not ours to look at
    }
  })
}

/** The number in the file may belong to a program of somebody else by now. */
const isPostgres = (pid: number): boolean => /postgres/.test(spawnSync('ps', ['-o', 'comm=', '-p', `${pid}`], { encoding: 'utf8' }).stdout)

function tryKill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It ended by itself.
  }
}
