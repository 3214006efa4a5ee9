import { once } from 'node:events'
import type { Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { explainFailure } from './diagnose.ts'
import { type Destination, dial } from './dial.ts'
import { SmtpSession } from './smtp.ts'
import { type Trust, tlsOptionsOf } from './trust.ts'
import { within } from './verify-mailbox.ts'

/** Whether a mail server answers and encrypts as it should, without signing in. Throws an error that explains the problem. */
export async function reachServer(protocol: 'smtp' | 'imap', to: Destination & Trust, timeoutMs: number): Promise<void> {
  if (protocol === 'imap') return within(timeoutMs, greetImap(to, timeoutMs))
  const timeouts = { connectMs: timeoutMs, silenceMs: timeoutMs, sendMs: timeoutMs }
  const session = await within(timeoutMs, SmtpSession.open({ ...to, timeouts }))
  session.close()
}

async function greetImap(to: Destination & Trust, timeoutMs: number): Promise<void> {
  let socket: Socket | undefined
  let timer: NodeJS.Timeout | undefined
  try {
    socket = await dial(to, timeoutMs)
    // One time limit for the handshake and the greeting together.
    timer = setTimeout(() => socket?.destroy(new Error('The server accepts the connection but sends no greeting')), timeoutMs)
    if (to.security === 'tls') {
      socket = connectTls({ socket, servername: to.host, ...tlsOptionsOf(to) })
      await once(socket, 'secureConnect')
    }
    const [greeting] = (await once(socket, 'data')) as [Buffer]
    if (!greeting.toString('latin1').startsWith('* ')) throw new Error('The server on this port does not speak IMAP')
  } catch (error) {
    throw new Error(explainFailure(error as Error, to))
  } finally {
    clearTimeout(timer)
    socket?.on('error', () => {}).destroy()
  }
}
