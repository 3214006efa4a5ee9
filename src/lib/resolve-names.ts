import { Resolver, lookup as systemLookup } from 'node:dns/promises'

/** All addresses of a name. */
export type Resolve = (hostname: string) => Promise<string[]>

const names = new Resolver({ timeout: 2500, tries: 2 })

/**
 * Public names are resolved by asking the name servers over a socket. The resolver of the system uses one of four threads, so a few slow
 * names would block all others. Local names need the resolver of the system (the hosts file).
 */
export const resolverFor = (allowLocal: boolean): Resolve => (allowLocal ? resolveBySystem : resolveByNameServer)

async function resolveBySystem(hostname: string): Promise<string[]> {
  return (await systemLookup(hostname, { all: true })).map(entry => entry.address)
}

async function resolveByNameServer(hostname: string): Promise<string[]> {
  const answers = await Promise.allSettled([names.resolve4(hostname), names.resolve6(hostname)])
  const addresses = answers.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []))
  if (addresses.length > 0) return addresses
  throw (answers[0] as PromiseRejectedResult).reason ?? Object.assign(new Error(`no address for ${hostname}`), { code: 'ENODATA' })
}
