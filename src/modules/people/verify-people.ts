import { openDns } from '../../lib/dns.ts'
import { domainOf } from '../../lib/email.ts'
import { type AddressChecks, type MailDns, verifyAddress } from '../../mail/transport/verify-address.ts'
import type { NewPerson } from './schema.ts'

/** The name servers of the system, unless others are given. */
export type VerifyOptions = Partial<AddressChecks>

const AT_ONCE = 64
const CACHE_LIMIT = 100_000

/** Half of the addresses of a file have the same few hosts, so each host is looked up once. */
function withCache(inner: MailDns): MailDns {
  const answers = new Map<string, Promise<unknown>>()
  const once =
    <T>(kind: string, ask: (domain: string) => Promise<T>) =>
    (domain: string): Promise<T> => {
      const key = `${kind} ${domain}`
      const answer = (answers.get(key) as Promise<T> | undefined) ?? ask(domain)
      answer.catch(() => {})
      if (answers.size >= CACHE_LIMIT) answers.clear()
      answers.set(key, answer)
      return answer
    }
  return {
    mailServers: once('servers', inner.mailServers),
    refusesMail: once('refusal', inner.refusesMail),
    addresses: once('addresses', inner.addresses),
  }
}

const systemDns = withCache(openDns())

/**
 * Checks addresses, several at once. Returns null for each person, or the reason why the address cannot be used. Only a mailbox that its
 * server confirmed counts as verified: a domain that accepts mail proves nothing about the mailbox.
 */
export async function verifyPeople(
  people: readonly NewPerson[],
  { dns: given, probe }: VerifyOptions,
  now: Date,
): Promise<(string | null)[]> {
  const reasons: (string | null)[] = people.map(() => null)
  const dns = given ? withCache(given) : systemDns
  let next = 0
  const work = async (): Promise<void> => {
    while (next < people.length) {
      const index = next++
      const person = people[index]!
      if (person.email === null) continue
      const found = await verifyAddress(person.email, { dns, probe })
      person.emailType = found.type
      if (found.status === 'invalid') reasons[index] = `the address cannot receive mail (${domainOf(person.email)}: ${found.reason})`
      else if (found.status === 'accept_all') person.emailStatus = 'accept_all'
      else if (found.reason === 'mailbox_exists') {
        person.emailStatus = 'verified'
        person.lastVerifiedAt = now.toISOString()
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return reasons
}
