import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { isIP, type Socket } from 'node:net'
import { hostname } from 'node:os'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { type MailAuth, xoauth2 } from './mail-auth.ts'
import type { SmtpFailure } from './smtp-answers.ts'
import { SmtpDialogue, type SmtpExtensions } from './smtp-dialogue.ts'
import { checkFingerprint, type Trust, tlsOptionsOf } from './trust.ts'

/** From a connected socket to a session that takes messages: greeting, EHLO, encryption (RFC 3207) and sign-in (RFC 4954). */

interface Opening extends Trust {
  host: string
  helloName?: string | undefined
}

interface Offered extends SmtpExtensions {
  /** Largest message in bytes; 0 when the server does not say. */
  maxBytes: number
  /** How many messages the server takes over one connection (RFC 9422). */
  maxMessages: number
  /** The mechanisms for signing in. */
  auth: readonly string[]
}

export interface Opened {
  dialogue: SmtpDialogue
  offered: Offered
  isEncrypted: boolean
}

export const smtpFailure = (message: string, code: string, response?: string): SmtpFailure =>
  Object.assign(new Error(message), { code }, response === undefined ? {} : { response, responseCode: Number.parseInt(response, 10) || 0 })

export async function openDialogue(
  socket: Socket,
  to: Opening,
  { silenceMs, setupMs }: { silenceMs: number; setupMs: number },
): Promise<Opened> {
  let phase = 'Greeting never received'
  let current = socket
  // Several steps share one limit, so that a server that trickles comes to an end, too.
  const timer = setTimeout(() => current.destroy(smtpFailure(phase, 'ETIMEDOUT')), setupMs)
  const encrypt = async (): Promise<SmtpDialogue> => {
    phase = 'TLS handshake timed out'
    const tls = await encrypted(current, to, socket => {
      current = socket
    })
    phase = 'The server took too long'
    return new SmtpDialogue(tls, silenceMs)
  }
  try {
    let dialogue = to.security === 'tls' ? await encrypt() : new SmtpDialogue(current, silenceMs)
    phase = 'Greeting never received'
    const greeting = await dialogue.greeting()
    if (!greeting.startsWith('220')) throw smtpFailure('Invalid greeting', 'EPROTOCOL', greeting)
    phase = 'The server took too long'
    let answer = await hello(dialogue, to)
    let isEncrypted = to.security === 'tls'
    if (to.security === 'starttls' || (to.security === 'opportunistic' && /^250[ -]STARTTLS\b/im.test(answer))) {
      const reply = await dialogue.ask('STARTTLS')
      if (!reply.startsWith('2')) throw smtpFailure('Error upgrading connection with STARTTLS', 'ETLS', reply)
      // What came in plain text behind this answer may be of somebody in between: it is not read (RFC 3207, section 6).
      dialogue.detach()
      dialogue = await encrypt()
      isEncrypted = true
      answer = await hello(dialogue, to)
    }
    checkFingerprint(current, to)
    dialogue.endOpening()
    const offered = offeredIn(answer)
    dialogue.extensions = offered
    return { dialogue, offered, isEncrypted }
  } catch (error) {
    current.destroy()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

async function encrypted(socket: Socket, to: Opening, begin: (socket: TLSSocket) => void): Promise<TLSSocket> {
  socket.on('error', () => {})
  const servername = isIP(to.host) ? {} : { servername: to.host }
  const secured = connectTls({ socket, host: to.host, ...servername, ...tlsOptionsOf(to) })
  begin(secured)
  await once(secured, 'secureConnect')
  return secured
}

async function hello(dialogue: SmtpDialogue, { helloName = ownName(), security }: Opening): Promise<string> {
  const answer = await dialogue.ask(`EHLO ${helloName}`)
  if (answer.startsWith('2')) return answer
  if (answer.startsWith('421')) throw smtpFailure('Server terminates connection', 'ECONNECTION', answer)
  if (security === 'starttls') throw smtpFailure('EHLO failed but HELO does not support required STARTTLS', 'ECONNECTION', answer)
  const older = await dialogue.ask(`HELO ${helloName}`)
  if (!older.startsWith('2')) throw smtpFailure('Invalid HELO', 'EPROTOCOL', older)
  // A server of the time before extensions: its lines name none.
  return older.slice(0, 3)
}

/** The name of this machine when it is a whole one, or else the literal that stands for none. */
function ownName(): string {
  const name = hostname()
  return isIP(name) === 4 ? `[${name}]` : name.includes('.') ? name : '[127.0.0.1]'
}

function offeredIn(answer: string): Offered {
  const lines = answer.split('\n').map(line => line.slice(4).trim())
  const parametersOf = (name: string): string | undefined =>
    lines
      .find(line => line.toUpperCase() === name || (/^[ =]$/.test(line[name.length] ?? '') && line.toUpperCase().startsWith(name)))
      ?.slice(name.length + 1)
  const maxMessages = /\bMAILMAX=(\d{1,6})\b/i.exec(parametersOf('LIMITS') ?? '')?.[1]
  return {
    pipelining: parametersOf('PIPELINING') !== undefined,
    smtpUtf8: parametersOf('SMTPUTF8') !== undefined,
    size: parametersOf('SIZE') !== undefined,
    maxBytes: Number.parseInt(parametersOf('SIZE') ?? '', 10) || 0,
    maxMessages: Math.max(1, Number(maxMessages ?? Number.POSITIVE_INFINITY)),
    // Old servers write "AUTH=LOGIN".
    auth: lines.filter(line => /^AUTH[ =]/i.test(line)).flatMap(line => line.slice(5).toUpperCase().split(/[ =]+/)),
  }
}

const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** Throws an error with the answer of the server when that refuses. */
export async function signInTo(dialogue: SmtpDialogue, auth: MailAuth, offered: readonly string[]): Promise<void> {
  const { user, password = '', accessToken } = auth
  const mechanism = accessToken ? 'XOAUTH2' : (['PLAIN', 'LOGIN', 'CRAM-MD5'].find(name => offered.includes(name)) ?? 'PLAIN')
  const challenged = async (line: string): Promise<string> => {
    const reply = await dialogue.ask(line)
    if (!reply.startsWith('334')) throw refusedSignIn(reply)
    return Buffer.from(reply.slice(4), 'base64').toString()
  }
  if (mechanism === 'LOGIN') {
    await challenged('AUTH LOGIN')
    await challenged(base64(user))
    return accept(await dialogue.ask(base64(password)))
  }
  if (mechanism === 'CRAM-MD5') {
    const digest = createHmac('md5', password)
      .update(await challenged('AUTH CRAM-MD5'))
      .digest('hex')
    return accept(await dialogue.ask(base64(`${user} ${digest}`)))
  }
  const initial = accessToken ? xoauth2(user, accessToken) : base64(`\0${user}\0${password}`)
  const reply = await dialogue.ask(`AUTH ${mechanism} ${initial}`)
  // A challenge here holds the reason of a refusal; the refusal follows when it is answered with nothing.
  accept(reply.startsWith('334') ? await dialogue.ask('') : reply)
}

function accept(reply: string): void {
  if (!reply.startsWith('2')) throw refusedSignIn(reply)
}

const refusedSignIn = (reply: string): SmtpFailure => smtpFailure('Invalid login', 'EAUTH', reply)
