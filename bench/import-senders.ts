import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'

/** Ten clients of the API, in a process of their own. */
export interface Senders {
  origin: string
  paths: string[]
  headers: Record<string, string>
  bytes: number
  leads: number
}

export type Sent = { accepted: number; refused: number }

const SYLLABLES = 'al ber cor dan el fri gon har in jo kel lo mar nor ol per qui ran sol tor un ver wol xan yor zen'.split(' ')

/** Each sender has its next import ready as soon as the last one is accepted. An import that gets a 503 comes back. */
async function sendAll({ origin, paths, headers, bytes, leads }: Senders): Promise<Sent> {
  const body = Buffer.from(JSON.stringify({ leads: leadsOf(bytes, leads) }))
  const sent = { accepted: 0, refused: 0 }
  let isOver = false
  const over = once(process, 'message').then(() => {
    isOver = true
  })
  process.send!('ready')
  await Promise.all(
    paths.map(async path => {
      while (!isOver) {
        const reply = await request(origin + path, { method: 'POST', headers, body })
        await reply.body.dump()
        if (reply.statusCode === 202) sent.accepted++
        else if (reply.statusCode === 503) sent.refused++
        else throw new Error(`an import answered ${reply.statusCode}`)
        if (reply.statusCode === 503) await Promise.race([over, sleep(Number(reply.headers['retry-after']) * 1000)])
      }
    }),
  )
  return sent
}

function leadsOf(bytes: number, count: number): object[] {
  const lead = (n: number, note: string) => ({
    email: `lead${n}@imports.example`,
    firstName: 'Ann',
    lastName: `Lead ${n}`,
    variables: { note },
  })
  const bare = JSON.stringify({ leads: Array.from({ length: count }, (_, n) => lead(n, '')) }).length
  const length = Math.floor((bytes - bare) / count)
  return Array.from({ length: count }, (_, n) => lead(n, proseOf(n, length)))
}

/** Text that is about as repetitive as what people write: one letter over and over would cost nothing to compress. */
function proseOf(seed: number, length: number): string {
  let text = ''
  for (let state = seed + 1; text.length < length; ) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    text += SYLLABLES[(state >> 16) % SYLLABLES.length]! + (state % 5 < 2 ? ' ' : '')
  }
  return text.slice(0, length)
}

// They stand for ten other machines, which would take nothing from the processors of the service.
setPriority(constants.priority.PRIORITY_LOW)

process.once('message', senders => {
  void sendAll(senders as Senders).then(sent => process.send!(sent, () => process.disconnect()))
})
