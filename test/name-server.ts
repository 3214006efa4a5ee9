import { createServer, Packet } from 'dns2'

interface Writer {
  write(value: number, bits: number): void
  toBuffer(): Buffer
}

// The library shortens the name of a service's host by a pointer, which RFC 2782 forbids and resolvers refuse.
const codecs = Packet as unknown as {
  Writer: new () => Writer
  Name: { encode(name: string, writer: Writer): void }
  Resource: { SRV: { encode(record: { priority: number; weight: number; port: number; target: string }, writer: Writer): void } }
}
codecs.Resource.SRV.encode = ({ priority, weight, port, target }, writer) => {
  const inner = new codecs.Writer()
  for (const value of [priority, weight, port]) inner.write(value, 16)
  codecs.Name.encode(target, inner)
  for (const byte of inner.toBuffer()) writer.write(byte, 8)
}

type Records = Record<
  string,
  {
    mx?: [priority: number, exchange: string][]
    srv?: { target: string; port: number }[]
    txt?: string[]
    a?: string[]
    ptr?: string[]
    cname?: string
    /** The server fails for all questions about the name, or for its IPv6 addresses only. */
    fails?: true | 'AAAA'
  }
>

/** A real name server on loopback that knows just what a test tells it; anything else does not exist. */
export async function startNameServer(records: Records): Promise<{ address: string; stop(): Promise<void> }> {
  const server = createServer({
    udp: true,
    handle: (request, send) => {
      const response = Packet.createResponseFromRequest(request)
      const [question] = request.questions
      const name = question!.name.toLowerCase()
      const found = records[name]
      const add = (type: number, data: object): void => {
        if (question!.type === type) response.answers.push({ name, type, class: Packet.CLASS.IN, ttl: 60, ...data } as never)
      }
      for (const [priority, exchange] of found?.mx ?? []) add(Packet.TYPE.MX, { priority, exchange })
      for (const { target, port } of found?.srv ?? []) add(Packet.TYPE.SRV, { priority: 0, weight: 0, port, target })
      for (const data of found?.txt ?? []) add(Packet.TYPE.TXT, { data })
      for (const address of found?.a ?? []) add(Packet.TYPE.A, { address })
      for (const domain of found?.ptr ?? []) add(Packet.TYPE.PTR, { domain })
      if (found?.cname) add(Packet.TYPE.CNAME, { domain: found.cname })
      const isFailing = found?.fails === true || (found?.fails === 'AAAA' && question!.type === Packet.TYPE.AAAA)
      if (isFailing) response.header.rcode = Packet.RCODE.SERVFAIL
      else if (!found) response.header.rcode = Packet.RCODE.NXDOMAIN
      send(response)
    },
  })
  const { udp } = await server.listen({ udp: { port: 0, address: '127.0.0.1' } })
  return { address: `127.0.0.1:${(udp as { port: number }).port}`, stop: async () => void (await server.close()) }
}
