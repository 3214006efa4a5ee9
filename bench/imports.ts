import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'
import { campaignId, campaignPaths, type Seed, seed } from './foundation/seed.ts'
import { describeMachine, generateLoad, type Line, ms, printTable, proportionalMemoryMb, Stage } from './lib.ts'

/**
 * What ten large imports at once do to everybody else: the latency of a small read beside them and without them, and
 * the memory that they take. An import that is told to come back does.
 */
const IMPORTS = 10
const BYTES = 20 * 1024 * 1024 - 1024
const LEADS = 5000
const READERS = 4
const SECONDS = 5
const SYLLABLES = 'al ber cor dan el fri gon har in jo kel lo mar nor ol per qui ran sol tor un ver wol xan yor zen'.split(' ')

await Stage.run(async stage => {
  const postgres = await stage.startPostgres()
  const seeded = await seed(await stage.newDatabase(postgres, 'imports'))
  const api = await stage.startApi(seeded.databaseUrl)
  await stage.startWorker(seeded.databaseUrl)
  const read = {
    origin: api.origin,
    connections: READERS,
    method: 'GET',
    paths: campaignPaths(seeded.workspaceId),
    headers: { authorization: seeded.headers.authorization! },
    warmUpMs: 500,
    durationMs: SECONDS * 1000,
  } as const
  await generateLoad(read)
  const usual = await generateLoad(read)
  const before = await proportionalMemoryMb([api.pid])

  let isOver = false
  let peakMb = 0
  const watching = (async () => {
    for (; !isOver; await sleep(50)) peakMb = Math.max(peakMb, (await proportionalMemoryMb([api.pid])) ?? 0)
  })()
  const imports = importAll(api.origin, seeded, () => isOver)
  const beside = await generateLoad(read)
  isOver = true
  const { accepted, refused } = await imports
  await watching

  const lines: Line[] = [
    {
      what: `p99 of GET campaign, ${READERS} connections, beside ${IMPORTS} imports of 20 MiB`,
      figure: ms(beside.p99Ms),
      limit: `${ms(usual.p99Ms)} without them`,
      ratio: (beside.p99Ms / usual.p99Ms).toFixed(1),
      goal: 'at most 3',
    },
    { what: 'the same, p50', figure: ms(beside.p50Ms), limit: ms(usual.p50Ms), ratio: (beside.p50Ms / usual.p50Ms).toFixed(1) },
    { what: 'memory of the API', figure: `${Math.round(peakMb)} MB at most`, limit: `${Math.round(before ?? 0)} MB before` },
    { what: 'imports in that time', figure: `${accepted} accepted, ${refused} told to come back` },
  ]
  console.log(describeMachine())
  printTable(lines)
})

/** Each sender has its next import ready as soon as the last one is accepted. */
async function importAll(origin: string, { workspaceId, headers }: Seed, isOver: () => boolean) {
  const body = Buffer.from(JSON.stringify({ leads: leadsOf(BYTES) }))
  const counts = { accepted: 0, refused: 0 }
  const send = async (number: number): Promise<void> => {
    while (!isOver()) {
      const path = `/v1/workspaces/${workspaceId}/campaigns/${campaignId(number)}/leads/import`
      const reply = await request(origin + path, { method: 'POST', headers, body })
      await reply.body.dump()
      if (reply.statusCode === 202) counts.accepted++
      else if (reply.statusCode === 503) counts.refused++
      else throw new Error(`an import answered ${reply.statusCode}`)
      if (reply.statusCode === 503) await sleep(Number(reply.headers['retry-after']) * 1000)
    }
  }
  await Promise.all(Array.from({ length: IMPORTS }, (_, n) => send(n + 1)))
  return counts
}

function leadsOf(bytes: number): object[] {
  const lead = (n: number, note: string) => ({
    email: `lead${n}@imports.example`,
    firstName: 'Ann',
    lastName: `Lead ${n}`,
    variables: { note },
  })
  const bare = JSON.stringify({ leads: Array.from({ length: LEADS }, (_, n) => lead(n, '')) }).length
  const length = Math.floor((bytes - bare) / LEADS)
  return Array.from({ length: LEADS }, (_, n) => lead(n, proseOf(n, length)))
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
