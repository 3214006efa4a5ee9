import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'

/**
 * A small IMAP server for tests, with as much of the protocol as a reading client uses. It keeps flags as a real server
 * does (a body fetched without PEEK becomes \Seen), never changes the UID of a message, and can misbehave when a test wants it.
 */

export interface StoredMessage {
  uid: number
  raw: Buffer
  flags: Set<string>
  receivedAt: Date
}

const SOME_DAY = new Date('2026-02-10T10:00:00Z')

/** As IMAP writes it: 10-Feb-2026 10:00:00 +0000. */
function dateTimeOf(date: Date): string {
  if (Number.isNaN(date.getTime())) return '32-Foo-2026 10:00:00 +0000'
  const [, day, month, year, time] = /, (\d+) (\w+) (\d+) ([\d:]+)/.exec(date.toUTCString())!
  return `${day}-${month}-${year} ${time} +0000`
}

interface Folder {
  uidValidity: number
  uidNext: number
  specialUse: string | null
  messages: StoredMessage[]
}

export interface ImapServerOptions {
  user?: string
  password?: string
  accessToken?: string
  /** Leaves IDLE out of the capabilities. */
  withoutIdle?: boolean
  /** Leaves the Sent folder out. */
  withoutSent?: boolean
  tls?: { key: string; cert: string }
  /** Offers STARTTLS, and refuses it when asked for. */
  offersStartTls?: boolean
}

interface Connection {
  socket: Socket
  selected: Folder | null
  readOnly: boolean
  idleTag: string | null
  /** An AUTHENTICATE that waits for its response on the next line. */
  pendingAuth: { tag: string; mechanism: string } | null
}

export class TestImapServer {
  readonly folders = new Map<string, Folder>()
  /** Every command line received, for assertions; passwords included, as these are the test's own. */
  readonly commands: string[] = []
  /** When set, it stops responding. */
  silent = false
  /** When set, it closes the connection instead of responding to a sign-in. */
  dropAtSignIn = false
  /** When set, a sign-in that is right is refused with this. */
  crowded: string | null = null
  /** When set, messages are handed out whole, however little of one is asked for. */
  ignoresLimits = false
  /** The numbers of messages whose bodies are not handed out, as a server does that cannot convert them. */
  readonly withheld = new Set<number>()
  /** Its text. */
  withholding = 'NO The requested message could not be converted to an RFC-822 compatible format.'
  /** The command that only gets keep-alives, as from a busy Dovecot. */
  endless: string | null = null
  /** The command that gets this again and again, as fast as it is read. */
  flood: { of: string; with: string } | null = null
  /** When set, a search is refused with this. */
  searchRefusal: string | null = null
  /** When set, a sign-in is refused with this. */
  refusal: string | null = null
  /** How many sign-ins were refused so. */
  refusedSignIns = 0
  /** When set, a message that is to be stored is refused with this, or with what this says about it. */
  appendRefusal: string | ((line: string) => string | null) | null = null
  /** When set, what the server says about the room in the mailbox, in kilobytes. */
  quota: { used: number; limit: number } | null = null
  /** When set, the connection is closed with these words, at the greeting or after the sign-in. */
  farewell: { at: 'greeting' | 'sign-in'; words: string } | null = null
  /** Called after the response to a search is written, before it is sent: what comes in here was not looked for. */
  afterSearch: () => void = () => {}
  /** When set, the next number is not said when a folder is opened, which RFC 3501 allows. */
  withoutUidNext = false
  /** When set, new messages are not announced. */
  mute = false
  readonly #options: ImapServerOptions
  readonly #server: Server
  readonly #connections = new Set<Connection>()
  #idleWaiters: (() => void)[] = []

  private constructor(options: ImapServerOptions) {
    this.#options = options
    this.folders.set('INBOX', { uidValidity: 1, uidNext: 1, specialUse: null, messages: [] })
    if (!options.withoutSent) {
      this.folders.set('Sent', { uidValidity: 1, uidNext: 1, specialUse: '\\Sent', messages: [] })
    }
    const onConnection = (socket: Socket) => this.#serve(socket)
    this.#server = options.tls ? createTlsServer(options.tls, onConnection) : createServer(onConnection)
  }

  static async start(options: ImapServerOptions = {}): Promise<TestImapServer> {
    const server = new TestImapServer(options)
    await new Promise<void>(resolve => server.#server.listen(0, '127.0.0.1', resolve))
    return server
  }

  get port(): number {
    return (this.#server.address() as { port: number }).port
  }

  get connectionCount(): number {
    return this.#connections.size
  }

  addFolder(name: string, specialUse: string | null = null): void {
    this.folders.set(name, { uidValidity: 1, uidNext: 1, specialUse, messages: [] })
  }

  append(folderName: string, raw: Buffer | string, receivedAt = SOME_DAY): number {
    const folder = this.#folder(folderName)
    const uid = folder.uidNext++
    folder.messages.push({ uid, raw: Buffer.from(raw), flags: new Set(), receivedAt })
    if (this.mute) return uid
    for (const connection of this.#connections) {
      if (connection.selected === folder) connection.socket.write(`* ${folder.messages.length} EXISTS\r\n`)
    }
    return uid
  }

  /** The folder is rebuilt: the same messages under new numbers. */
  renumber(folderName: string): void {
    const folder = this.#folder(folderName)
    folder.uidValidity += 1
    folder.uidNext = 1
    for (const message of folder.messages) message.uid = folder.uidNext++
  }

  /** Cuts every connection. */
  drop(): void {
    for (const { socket } of this.#connections) socket.destroy()
  }

  /** Resolves when a client has begun to idle. */
  async idling(): Promise<void> {
    if ([...this.#connections].some(connection => connection.idleTag)) return
    await new Promise<void>(resolve => this.#idleWaiters.push(resolve))
  }

  async close(): Promise<void> {
    this.drop()
    await new Promise<void>(resolve => this.#server.close(() => resolve()))
  }

  #folder(name: string): Folder {
    const folder = this.folders.get(name.toUpperCase() === 'INBOX' ? 'INBOX' : name)
    if (!folder) throw new Error(`No folder ${name}`)
    return folder
  }

  #serve(socket: Socket): void {
    const connection: Connection = { socket, selected: null, readOnly: true, idleTag: null, pendingAuth: null }
    this.#connections.add(connection)
    socket.setNoDelay(true)
    socket.on('close', () => this.#connections.delete(connection))
    socket.on('error', () => {})
    if (this.farewell?.at === 'greeting') return void socket.end(`* BYE ${this.farewell.words}\r\n`)
    socket.write('* OK ready\r\n')
    let buffered = Buffer.alloc(0)
    let awaitingLiteral: { line: string; size: number } | null = null
    socket.on('data', chunk => {
      if (this.silent) return
      buffered = Buffer.concat([buffered, chunk])
      while (true) {
        if (awaitingLiteral) {
          if (buffered.length < awaitingLiteral.size) return
          const literal = buffered.subarray(0, awaitingLiteral.size).toString('latin1')
          buffered = buffered.subarray(awaitingLiteral.size)
          const rest = buffered.indexOf('\r\n')
          if (rest < 0) return
          const line: string = `${awaitingLiteral.line}"${literal}"${buffered.subarray(0, rest).toString('latin1')}`
          buffered = buffered.subarray(rest + 2)
          awaitingLiteral = null
          this.#command(connection, line)
          continue
        }
        const end = buffered.indexOf('\r\n')
        if (end < 0) return
        const line = buffered.subarray(0, end).toString('latin1')
        buffered = buffered.subarray(end + 2)
        const literal = /^(.*)\{(\d+)(\+?)\}$/.exec(line)
        if (literal) {
          awaitingLiteral = { line: literal[1] as string, size: Number(literal[2]) }
          if (!literal[3]) socket.write('+ go on\r\n')
          continue
        }
        this.#command(connection, line)
      }
    })
  }

  #command(connection: Connection, line: string): void {
    this.commands.push(line)
    const { socket } = connection
    if (connection.idleTag) {
      if (line.toUpperCase() === 'DONE') {
        socket.write(`${connection.idleTag} OK idle ended\r\n`)
        connection.idleTag = null
      }
      return
    }
    const { pendingAuth } = connection
    if (pendingAuth) {
      connection.pendingAuth = null
      this.#signIn(connection, pendingAuth.tag, 'AUTHENTICATE', `${pendingAuth.mechanism} ${line}`)
      return
    }
    const [tag = '*', first = '', ...rest] = line.split(' ')
    const uid = first.toUpperCase() === 'UID'
    const verb = (uid ? rest.shift() : first)?.toUpperCase() ?? ''
    const argument = rest.join(' ')
    if (verb === this.endless) {
      const saying = setInterval(() => socket.write('* OK Still here\r\n'), 20)
      socket.on('close', () => clearInterval(saying))
      return
    }
    if (verb === this.flood?.of) {
      const { with: text } = this.flood
      const pour = (): void => {
        while (!socket.destroyed && socket.write(text));
      }
      socket.on('drain', pour)
      pour()
      return
    }
    const ok = (text = 'done') => socket.write(`${tag} OK ${text}\r\n`)
    switch (verb) {
      case 'CAPABILITY':
        socket.write(`* CAPABILITY ${this.#capabilities()}\r\n`)
        ok()
        return
      case 'LOGIN':
      case 'AUTHENTICATE':
        this.#signIn(connection, tag, verb, argument)
        return
      case 'LIST':
      case 'LSUB':
        this.#list(connection, verb, argument)
        ok()
        return
      case 'SELECT':
      case 'EXAMINE':
        this.#select(connection, tag, verb, argument)
        return
      case 'STARTTLS':
        socket.write(`${tag} NO not now\r\n`)
        return
      case 'STATUS':
        this.#status(connection, tag, argument)
        return
      case 'SEARCH':
        if (this.searchRefusal !== null) {
          socket.write(`${tag} ${this.searchRefusal}\r\n`)
          return
        }
        socket.write(`* SEARCH${this.#search(connection, argument)}\r\n`)
        this.afterSearch()
        ok()
        return
      case 'FETCH':
        if (this.#fetch(connection, argument)) ok()
        else socket.write(`${tag} ${this.withholding}\r\n`)
        return
      case 'GETQUOTAROOT':
        socket.write(`* QUOTAROOT ${argument} "all"\r\n* QUOTA "all" (STORAGE ${this.quota?.used} ${this.quota?.limit})\r\n`)
        ok()
        return
      case 'APPEND': {
        const refusal = typeof this.appendRefusal === 'function' ? this.appendRefusal(argument) : this.appendRefusal
        if (refusal !== null) {
          socket.write(`${tag} ${refusal}\r\n`)
          return
        }
        const parts = /^(?:"([^"]*)"|(\S+)).*?"([\s\S]*)"$/.exec(argument)
        this.append(parts?.[1] ?? parts?.[2] ?? 'INBOX', Buffer.from(parts?.[3] ?? '', 'latin1'))
        ok('[APPENDUID 1 1] stored')
        return
      }
      case 'IDLE':
        if (this.#options.withoutIdle) break
        connection.idleTag = tag
        socket.write('+ idling\r\n')
        for (const resolve of this.#idleWaiters.splice(0)) resolve()
        return
      case 'NOOP':
      case 'CLOSE':
        ok()
        return
      case 'LOGOUT':
        socket.write('* BYE see you\r\n')
        ok()
        socket.end()
        return
    }
    socket.write(`${tag} BAD unknown command\r\n`)
  }

  #capabilities(): string {
    const idle = this.#options.withoutIdle ? '' : ' IDLE'
    const tls = this.#options.offersStartTls ? ' STARTTLS' : ''
    const quota = this.quota ? ' QUOTA' : ''
    return `IMAP4rev1${tls}${quota} SASL-IR AUTH=PLAIN AUTH=XOAUTH2 SPECIAL-USE${idle}`
  }

  #signIn(connection: Connection, tag: string, verb: string, argument: string): void {
    const { socket } = connection
    const { user = 'lena', password = 'secret', accessToken } = this.#options
    const [mechanism = '', initial] = argument.split(' ')
    if (verb === 'AUTHENTICATE' && initial === undefined) {
      connection.pendingAuth = { tag, mechanism }
      socket.write('+ \r\n')
      return
    }
    if (this.dropAtSignIn) {
      socket.destroy()
      return
    }
    if (this.refusal !== null) {
      this.refusedSignIns++
      socket.write(`${tag} ${this.refusal}\r\n`)
      return
    }
    const given = Buffer.from(initial ?? '', 'base64').toString()
    const accepted =
      verb === 'LOGIN'
        ? argument.replaceAll('"', '') === `${user} ${password}`
        : mechanism.toUpperCase() === 'PLAIN'
          ? given === `\0${user}\0${password}` || given === `${user}\0${user}\0${password}`
          : accessToken !== undefined && given === `user=${user}\x01auth=Bearer ${accessToken}\x01\x01`
    socket.write(
      accepted && this.crowded !== null
        ? `${tag} NO ${this.crowded}\r\n`
        : accepted
          ? `${tag} OK [CAPABILITY ${this.#capabilities()}] signed in\r\n`
          : `${tag} NO [AUTHENTICATIONFAILED] wrong user or password\r\n`,
    )
    if (accepted && this.farewell) socket.end(`* BYE ${this.farewell.words}\r\n`)
  }

  #list({ socket }: Connection, verb: string, argument: string): void {
    if (argument.startsWith('"" ""')) {
      socket.write(`* ${verb} (\\Noselect) "/" ""\r\n`)
      return
    }
    for (const [name, folder] of this.folders) {
      const use = folder.specialUse ? ` ${folder.specialUse}` : ''
      socket.write(`* ${verb} (\\HasNoChildren${use}) "/" ${JSON.stringify(name)}\r\n`)
    }
  }

  #select(connection: Connection, tag: string, verb: string, argument: string): void {
    const name = argument.replace(/\s*\(.*$/, '').replaceAll('"', '')
    const folder = this.folders.get(name.toUpperCase() === 'INBOX' ? 'INBOX' : name)
    if (!folder) {
      connection.socket.write(`${tag} NO no such folder\r\n`)
      return
    }
    connection.selected = folder
    connection.readOnly = verb === 'EXAMINE'
    connection.socket.write(
      [
        '* FLAGS (\\Seen \\Answered)',
        `* ${folder.messages.length} EXISTS`,
        '* 0 RECENT',
        `* OK [UIDVALIDITY ${folder.uidValidity}] valid`,
        ...(this.withoutUidNext ? [] : [`* OK [UIDNEXT ${folder.uidNext}] next`]),
        `${tag} OK [${connection.readOnly ? 'READ-ONLY' : 'READ-WRITE'}] open\r\n`,
      ].join('\r\n'),
    )
  }

  #status({ socket }: Connection, tag: string, argument: string): void {
    const name = argument.replace(/\s*\(.*$/, '').replaceAll('"', '')
    const folder = this.folders.get(name.toUpperCase() === 'INBOX' ? 'INBOX' : name)
    if (!folder) {
      socket.write(`${tag} NO no such folder\r\n`)
      return
    }
    const { uidNext, uidValidity, messages } = folder
    socket.write(`* STATUS ${JSON.stringify(name)} (MESSAGES ${messages.length} UIDNEXT ${uidNext} UIDVALIDITY ${uidValidity})\r\n`)
    socket.write(`${tag} OK done\r\n`)
  }

  #search({ selected }: Connection, argument: string): string {
    const messages = selected?.messages ?? []
    const uids = /\bUID (\S+)/i.exec(argument)?.[1]
    const header = /\bHEADER "?message-id"? "?([^"\s]+)"?/i.exec(argument)?.[1]
    return messages
      .filter(message => !uids || inRange(uids, message.uid, messages))
      .filter(message => !header || message.raw.toString('latin1').toLowerCase().includes(header.toLowerCase()))
      .map(message => ` ${message.uid}`)
      .join('')
  }

  /** False when it got no further, because a message is withheld. */
  #fetch({ selected, socket, readOnly }: Connection, argument: string): boolean {
    const [range = '', ...rest] = argument.split(' ')
    const items = rest.join(' ').toUpperCase()
    const messages = selected?.messages ?? []
    for (const [index, message] of messages.entries()) {
      if (!inRange(range, message.uid, messages)) continue
      if (/\bBODY/.test(items) && this.withheld.has(message.uid)) return false
      if (/\bBODY\[/.test(items) && !readOnly) message.flags.add('\\Seen')
      const parts = [`UID ${message.uid}`, `FLAGS (${[...message.flags].join(' ')})`]
      if (items.includes('RFC822.SIZE')) parts.push(`RFC822.SIZE ${message.raw.length}`)
      if (items.includes('INTERNALDATE')) parts.push(`INTERNALDATE "${dateTimeOf(message.receivedAt)}"`)
      const partial = /BODY(?:\.PEEK)?\[\](?:<(\d+)\.(\d+)>)?/.exec(items)
      socket.write(`* ${index + 1} FETCH (${parts.join(' ')}`)
      if (partial) {
        const from = Number(partial[1] ?? 0)
        const body = partial[2] && !this.ignoresLimits ? message.raw.subarray(from, from + Number(partial[2])) : message.raw
        socket.write(` BODY[]${partial[2] ? `<${from}>` : ''} {${body.length}}\r\n`)
        socket.write(body)
      }
      socket.write(')\r\n')
    }
    return true
  }
}

/** "4:*" names the last message even when its number is below four, which is the trap that clients must know. */
function inRange(set: string, uid: number, messages: StoredMessage[]): boolean {
  const last = messages.at(-1)?.uid ?? 0
  return set.split(',').some(part => {
    const [a = '*', b = a] = part.split(':')
    const from = a === '*' ? last : Number(a)
    const to = b === '*' ? last : Number(b)
    return uid >= Math.min(from, to) && uid <= Math.max(from, to)
  })
}
