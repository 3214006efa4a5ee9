import { connect } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import type pg from 'pg'
import { type Finding, fail, ok, warn } from './finding.ts'

const LIMIT_MS = 5000
const MOST = 20

interface Server {
  kind: 'smtp' | 'imap'
  host: string
  port: number
  secure: boolean
  mailboxes: number
}

const SERVERS = `
  select of_kind.kind, server ->> 'host' as host, (server ->> 'port')::int as port, coalesce((server ->> 'secure')::boolean, false) as secure,
    count(*)::int as mailboxes
  from providers p
  cross join lateral (values ('smtp', p.settings -> 'smtp'), ('imap', p.settings -> 'imap')) as of_kind (kind, server)
  where p.kind = 'smtp'
    and server ->> 'host' is not null
  group by 1, 2, 3, 4
  order by mailboxes desc
  limit $1`

/** Connects to the mail servers and waits for their greeting. Nobody signs in. */
export async function examineMailServers(client: pg.Client): Promise<Finding[]> {
  const { rows } = await client.query<Server>(SERVERS, [MOST + 1])
  if (rows.length === 0) return [ok('mail servers', 'no mailbox has a mail server')]
  const findings = await Promise.all(rows.slice(0, MOST).map(examine))
  if (rows.length > MOST)
    findings.push(warn('mail servers', `only the ${MOST} that most mailboxes use were asked`, 'overture api providers.list'))
  return findings
}

async function examine({ kind, host, port, secure, mailboxes }: Server): Promise<Finding> {
  const name = `mail server ${host}:${port}`
  const whose = `${kind.toUpperCase()} of ${mailboxes} mailbox${mailboxes === 1 ? '' : 'es'}`
  const mend = 'overture api providers.list   # then correct or verify the mailbox'
  const greeting = await greetingOf(host, port, secure).catch(error => error as Error)
  if (greeting instanceof Error) return fail(name, `${whose}: ${greeting.message || (greeting as NodeJS.ErrnoException).code}`, mend)
  const isFriendly = greeting.startsWith(kind === 'smtp' ? '220' : '* OK') || greeting.startsWith('* PREAUTH')
  return isFriendly ? ok(name, `${whose}: it greets`) : fail(name, `${whose}: it says ${JSON.stringify(greeting.slice(0, 80))}`, mend)
}

/** The first line that it sends. */
function greetingOf(host: string, port: number, secure: boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    // The verification of the mailbox checks the certificate; this only checks that the server answers.
    const socket = secure ? connectSecurely({ host, port, servername: host, rejectUnauthorized: false }) : connect({ host, port })
    let text = ''
    const timer = setTimeout(() => end(new Error(`no greeting in ${LIMIT_MS / 1000} s`)), LIMIT_MS)
    const end = (outcome: string | Error): void => {
      clearTimeout(timer)
      socket.destroy()
      if (outcome instanceof Error) reject(outcome)
      else resolve(outcome)
    }
    socket.on('data', piece => {
      text += piece.toString('latin1')
      if (text.includes('\n') || text.length > 1000) end(text.split('\r\n')[0]!)
    })
    socket.on('error', end)
    socket.on('close', () => end(new Error('it closed the connection without a greeting')))
  })
}
