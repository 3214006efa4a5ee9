import { createServer, type Socket } from 'node:net'

/**
 * An SMTP server that takes everything and keeps nothing: as little work as the protocol allows, so that what is measured
 * is the sender. Run as a process of its own; tells its port, and how much it has taken whenever it is asked.
 */
let taken = 0

function serve(socket: Socket): void {
  let inBody = false
  let buffered = ''
  socket.setNoDelay(true)
  socket.on('error', () => {})
  socket.write('220 sink ESMTP\r\n')
  socket.on('data', chunk => {
    buffered += chunk.toString('latin1')
    let out = ''
    for (;;) {
      if (inBody) {
        const end = buffered.indexOf('\r\n.\r\n')
        if (end < 0) break
        buffered = buffered.slice(end + 5)
        inBody = false
        taken++
        out += '250 2.0.0 taken\r\n'
        continue
      }
      const end = buffered.indexOf('\r\n')
      if (end < 0) break
      const verb = buffered.slice(0, 4).toUpperCase()
      buffered = buffered.slice(end + 2)
      if (verb === 'DATA') inBody = true
      out +=
        verb === 'EHLO'
          ? '250-sink\r\n250-PIPELINING\r\n250-AUTH PLAIN\r\n250 8BITMIME\r\n'
          : verb === 'AUTH'
            ? '235 2.7.0 welcome\r\n'
            : verb === 'DATA'
              ? '354 go on\r\n'
              : verb === 'QUIT'
                ? '221 bye\r\n'
                : '250 2.0.0 ok\r\n'
    }
    if (out !== '') socket.write(out)
  })
}

const server = createServer(serve).listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as { port: number }).port }))
process.on('message', () => process.send?.({ taken }))
process.on('disconnect', () => process.exit())
