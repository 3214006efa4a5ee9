import { serveStdio } from '@modelcontextprotocol/server/stdio'
import pkg from '../../package.json' with { type: 'json' }
import { wrongUsage } from '../lib/command-failure.ts'
import type { Send } from '../mcp/api.ts'
import { buildMcpServer } from '../mcp/server.ts'
import { readLocalFile } from './console-link.ts'
import { backendOf } from './mcp-http.ts'

type Target = { url: string; token: string; workspaceId: string | undefined }

/** OVERTURE_URL and OVERTURE_TOKEN, or what a local start has left. */
async function findTarget(env: NodeJS.ProcessEnv, dir: string): Promise<Target> {
  const { OVERTURE_URL: url, OVERTURE_TOKEN: token } = env
  if (url && token) return { url: url.replace(/\/+$/, ''), token, workspaceId: undefined }
  const local = url || token ? null : await readLocalFile(dir)
  if (!local) throw wrongUsage('Set OVERTURE_URL and OVERTURE_TOKEN, or start Overture here first.', 'overture start')
  return { url: local.baseUrl, token: local.token, workspaceId: local.workspaceId }
}

/** `overture mcp`: the same tools for agents that start a program. It calls Overture over HTTP, and ends when the agent does. */
export async function serveMcp(env: NodeJS.ProcessEnv, dir: string): Promise<void> {
  const { url, token, workspaceId } = await findTarget(env, dir)
  const backend = backendOf(overHttp(url, token), workspaceId)
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  const handle = serveStdio(() => buildMcpServer(backend, pkg.version), {
    // The output belongs to the protocol.
    onerror: error => console.error(error.message),
  })
  process.stdin.once('close', resolve)
  process.stdin.once('end', resolve)
  await ended
  await handle.close()
}

const overHttp =
  (baseUrl: string, token: string): Send =>
  async ({ method, url, headers, body }) => {
    const answer = await fetch(baseUrl + url, {
      method,
      // A token is for one address only, so redirects are not followed.
      redirect: 'error',
      headers: { ...headers, authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? null : JSON.parse(text) }
  }
