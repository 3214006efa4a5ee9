import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { ImapFlow } from 'imapflow'
import type { ImapSettings } from '../../src/mail/transport/imap.ts'
import { freePort } from '../faults/processes.ts'
import { full, isFull } from '../full.ts'
import { testCertificate } from './certificate.ts'
import { imapSuite } from './imap-suite.ts'

/**
 * The promises of `src/mail/transport/imap.ts` against Dovecot, the IMAP server that most mailboxes run on. Needs root on Debian:
 * the server is installed when it is missing, runs on a loopback port from a folder of its own, and is ended afterwards.
 * Only in the complete run. Its short sibling is the same suite against the server of `imap-server.ts`, in `src/mail/transport/imap.test.ts`.
 */

const folder = mkdtempSync(join(tmpdir(), 'overture-dovecot-'))
const DOVECOT = '/usr/sbin/dovecot'
/** Debian's policy file: while it exists and returns 101, installing a service does not start it. */
const POLICY = '/usr/sbin/policy-rc.d'
/** Debian's `mail` user, who owns the mailboxes. */
const MAIL_UID = 8
let port = 0
let server: ReturnType<typeof spawn> | undefined
let users = 0

describe('Dovecot', { skip: isFull ? whyNoDovecot() : full.skip }, () => {
  before(async () => {
    port = await freePort()
    chmodSync(folder, 0o755)
    for (const name of ['mail', 'run', 'state']) mkdirSync(join(folder, name))
    chownSync(join(folder, 'mail'), MAIL_UID, MAIL_UID)
    writeFileSync(join(folder, 'key.pem'), testCertificate.key, { mode: 0o600 })
    writeFileSync(join(folder, 'cert.pem'), testCertificate.cert)
    writeFileSync(join(folder, 'dovecot.conf'), configuration())
    server = spawn(DOVECOT, ['-F', '-c', join(folder, 'dovecot.conf')], { stdio: 'inherit' })
    await answers(port)
  })

  after(async () => {
    if (server && server.exitCode === null) {
      const ended = new Promise(resolve => server?.once('exit', resolve))
      server.kill('SIGTERM')
      await ended
    }
    rmSync(folder, { recursive: true, force: true })
  })

  imapSuite('dovecot', async () => {
    // A user of its own for every test: any name is let in with the one password.
    const user = `user${++users}`
    const settings: ImapSettings = {
      host: 'localhost',
      port,
      security: 'starttls',
      ca: testCertificate.cert,
      auth: { user, password: 'secret' },
      timeouts: { connectMs: 10_000, silenceMs: 10_000, pollMs: 60_000, retryMs: 20 },
    }
    const visit = async <T>(action: (client: ImapFlow) => Promise<T>): Promise<T> => {
      const client = new ImapFlow({
        host: 'localhost',
        port,
        secure: false,
        auth: { user, pass: 'secret' },
        tls: { ca: testCertificate.cert },
        logger: false,
      })
      await client.connect()
      try {
        return await action(client)
      } finally {
        await client.logout()
      }
    }
    return {
      settings,
      deliver: async (name, raw) => void (await visit(client => client.append(name, raw))),
      unreadCount: () =>
        visit(async client => {
          const status = await client.status('INBOX', { unseen: true })
          return status ? (status.unseen ?? 0) : 0
        }),
      async renumber() {
        // Like an administrator who restores a mailbox: the messages stay, the server's notes about them are deleted.
        const home = join(folder, 'mail', user)
        for (const name of readdirSync(home)) {
          if (name.startsWith('dovecot')) rmSync(join(home, name), { recursive: true, force: true })
        }
        // The new UIDVALIDITY is made from the clock's seconds.
        await pause(1_100)
      },
      stop: async () => {},
    }
  })
})

function whyNoDovecot(): string | false {
  if (process.getuid?.() !== 0) return 'Dovecot needs root'
  try {
    installDovecot()
    return false
  } catch (error) {
    return (error as Error).message
  }
}

function installDovecot(): void {
  if (process.getuid?.() !== 0) throw new Error('Dovecot gives mailboxes to their users, so these tests must be run as root')
  // The server and its IMAP part are two packages; the second brings the first.
  if (!existsSync(DOVECOT) || !existsSync('/usr/lib/dovecot/imap')) {
    if (!existsSync('/usr/bin/apt-get')) throw new Error('Dovecot is missing and this is no Debian: install Dovecot 2.3 with IMAP by hand')
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const apt = (...args: string[]) => execFileSync('apt-get', args, { stdio: 'inherit', env })
    // The package would start a server of its own on the usual ports; only ours is to run, from our folder.
    const isPolicyOurs = !existsSync(POLICY)
    if (isPolicyOurs) writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
    try {
      apt('update', '-qq')
      apt('install', '-y', '-qq', '--no-install-recommends', 'dovecot-imapd')
    } finally {
      if (isPolicyOurs) rmSync(POLICY, { force: true })
    }
  }
  const version = execFileSync(DOVECOT, ['--version']).toString().trim()
  if (!version.startsWith('2.3.')) throw new Error(`The configuration here is for Dovecot 2.3, found ${version}`)
}

function configuration(): string {
  return `
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/dovecot.log
protocols = imap
listen = 127.0.0.1
service imap-login {
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
ssl = required
ssl_cert = <${folder}/cert.pem
ssl_key = <${folder}/key.pem
mail_location = maildir:${folder}/mail/%u
first_valid_uid = ${MAIL_UID}
auth_mechanisms = plain
passdb {
  driver = static
  args = password=secret
}
userdb {
  driver = static
  args = uid=${MAIL_UID} gid=${MAIL_UID} home=${folder}/mail/%u
}
namespace inbox {
  inbox = yes
  mailbox Sent {
    auto = create
    special_use = \\Sent
  }
}
`
}

/** The server has no event for being ready, so the port is tried until it responds. */
async function answers(on: number): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const open = await new Promise<boolean>(resolve => {
      const socket = connect(on, '127.0.0.1')
      socket.once('connect', () => {
        socket.destroy()
        resolve(true)
      })
      socket.once('error', () => resolve(false))
    })
    if (open) return
    await pause(100)
  }
  throw new Error('Dovecot did not start')
}
