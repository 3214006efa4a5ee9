import { createServer } from 'node:http'

/** A receiver that reads what it is sent and says thank you. */
const server = createServer((request, response) => {
  request.resume()
  request.once('end', () => response.writeHead(204).end())
})
server.keepAliveTimeout = 60_000
server.listen(Number(process.env.PORT), '127.0.0.1')
process.once('SIGTERM', () => process.exit())
