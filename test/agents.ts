import { after } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { CACHE, ROOT } from './faults/processes.ts'

interface Answer {
  isError: boolean
  // biome-ignore lint/suspicious/noExplicitAny: tests look into results of every shape
  data: any
  text: string
}

/** An agent with the client of the protocol's own SDK. */
export class Agent {
  readonly client: Client

  constructor(client: Client) {
    this.client = client
  }

  async call(name: string, input: Record<string, unknown> = {}): Promise<Answer> {
    const result = await this.client.callTool({ name, arguments: input })
    const [content] = result.content as { text: string }[]
    return { isError: result.isError === true, data: result.structuredContent, text: content!.text }
  }
}

const info = { name: 'test-agent', version: '1.0.0' }

async function connect(transport: Parameters<Client['connect']>[0], mode: 'legacy' | 'auto' = 'auto'): Promise<Agent> {
  const client = new Client(info, { versionNegotiation: { mode } })
  await client.connect(transport)
  after(() => client.close())
  return new Agent(client)
}

export const overHttp = (baseUrl: string, token: string, mode?: 'legacy' | 'auto'): Promise<Agent> =>
  connect(
    new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`), { requestInit: { headers: { authorization: `Bearer ${token}` } } }),
    mode,
  )

export const overStdio = (env: Record<string, string>): Promise<Agent> =>
  connect(
    new StdioClientTransport({
      command: process.execPath,
      args: ['src/main.ts', 'mcp'],
      cwd: ROOT,
      env: { PATH: process.env.PATH ?? '', ...CACHE, ...env },
      stderr: 'inherit',
    }),
  )
