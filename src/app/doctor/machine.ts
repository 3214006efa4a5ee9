import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { dirname } from 'node:path'
import manifest from '../../../package.json' with { type: 'json' }
import type { Config } from '../../context/config.ts'
import { openDns } from '../../lib/dns.ts'
import { addressOf, nearHost } from '../boot.ts'
import { findBuiltConsole } from '../console-build.ts'
import { type Finding, fail, look, ok, warn, wordOf } from './finding.ts'

const GB = 1024 ** 3
const CONNECT_LIMIT_MS = 3000
const ANSWER_LIMIT_MS = 5000

/** The checks that need no database. */
export async function examineMachine(config: Config): Promise<Finding[]> {
  const found = await Promise.all([
    look('node', 'npx overture', async () => nodeVersion()),
    look('disk', 'OVERTURE_DIR=/somewhere/else overture start', () => diskSpace(config.dir)),
    look('port', 'PORT=8081 overture start', () => portOf(config)),
    nameServers(config),
    look('base url', 'OVERTURE_BASE_URL=https://overture.example', () => baseUrl(config)),
    look('console', 'npm run build', consoleBuild),
  ])
  return found.flat()
}

function nodeVersion(): Finding {
  const wanted = Number(/\d+/.exec(manifest.engines.node)![0])
  const major = Number(process.versions.node.split('.')[0])
  const text = `Node ${process.versions.node}, Overture ${manifest.version}`
  return major >= wanted ? ok('node', text) : fail('node', `${text}; Node ${wanted} or later is needed`, 'npx overture   # brings its own')
}

/** When the folder does not exist yet, the disk on which it would be. */
async function diskSpace(dir: string): Promise<Finding> {
  let folder = dir
  while (!existsSync(folder)) folder = dirname(folder)
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  const text = `${free < GB ? `${Math.floor((free / GB) * 1024)} MB` : `${(free / GB).toFixed(1)} GB`} are free at ${dir}`
  const mend = 'free some space, or set another folder: OVERTURE_DIR=/somewhere/else'
  if (free < GB / 5) return fail('disk', text, mend)
  return free < 2 * GB ? warn('disk', text, mend) : ok('disk', text)
}

async function portOf({ host, port }: Config): Promise<Finding> {
  if (port === 0) return ok('port', 'the service picks a free port at the start')
  const at = addressOf({ host, port })
  if (await isListening(host, port)) {
    const health = await fetch(`${at}/healthz`, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) })
      .then(response => response.json() as Promise<{ status?: string; version?: string }>)
      .catch(() => null)
    if (health?.status === 'ok' && health.version) return ok('port', `Overture ${health.version} answers at ${at}`)
    return fail('port', `something else listens at ${at}`, `PORT=${port + 1} overture start`)
  }
  await new Promise<void>((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(port, host, () => server.close(() => resolve()))
  })
  return ok('port', `${at} is free: the service is not running here`)
}

function isListening(host: string, port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect({ host: nearHost(host), port, timeout: CONNECT_LIMIT_MS })
    const end = (isThere: boolean): void => {
      socket.destroy()
      resolve(isThere)
    }
    socket.once('connect', () => end(true))
    socket.once('timeout', () => end(false))
    socket.once('error', () => end(false))
  })
}

async function nameServers({ dnsServers }: Config): Promise<Finding> {
  const whose = dnsServers === '' ? 'the name servers of the system' : dnsServers
  try {
    await openDns(dnsServers === '' ? [] : dnsServers.split(',')).mailServers('example.com')
    return ok('dns', `${whose} answer`)
  } catch (error) {
    return fail('dns', `${whose} do not answer: ${wordOf(error)}`, 'set OVERTURE_DNS_SERVERS, or mend the name servers of the system')
  }
}

async function baseUrl({ baseUrl: base, databaseUrl }: Config): Promise<Finding[]> {
  const mend = 'OVERTURE_BASE_URL=https://overture.example'
  if (base === '') {
    if (!databaseUrl) return []
    return [warn('base url', 'OVERTURE_BASE_URL is not set: links in emails lead to this machine only', mend)]
  }
  const url = new URL(base)
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  const secure =
    url.protocol === 'https:' || isLocal ? [] : [warn('base url', `${base} is not https: tokens can be read on the network`, mend)]
  const answer = await fetch(`${base}/healthz`, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) }).catch(() => null)
  if (!answer?.ok) {
    return [...secure, warn('base url', `${base} ${answer ? `answers ${answer.status}` : 'does not answer'} from here`, 'overture start')]
  }
  return secure.length > 0 ? secure : [ok('base url', `${base} answers`)]
}

async function consoleBuild(): Promise<Finding> {
  const folder = await findBuiltConsole()
  return folder ? ok('console', 'built') : warn('console', 'not built: the API runs without it', 'npm run build')
}
