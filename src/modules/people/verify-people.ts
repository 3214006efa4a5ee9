import { Resolver } from 'node:dns/promises'
import { domainOf } from '../../lib/email.ts'
import { type AddressChecks, type MailResolver, verifyAddress } from '../../mail/transport/verify-address.ts'
import type { NewPerson } from './schema.ts'

/** The resolver of the system, unless another is given. */
export type VerifyOptions = Partial<AddressChecks>

const AT_ONCE = 64
const CACHE_LIMIT = 100_000

/** Half of the addresses of a file have the same few hosts, so each host is looked up once. */
function withCache(inner: MailResolver): MailResolver {
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
    resolveMx: once('mx', domain => inner.resolveMx(domain)),
    resolve4: once('4', domain => inner.resolve4(domain)),
    resolve6: once('6', domain => inner.resolve6(domain)),
  }
}

/** Two tries of two seconds: after that, `unknown` is better than more waiting. */
const systemResolver = withCache(new Resolver({ timeout: 2000, tries: 2 }))

/**
 * Checks addresses, several at once. Returns null for each person, or the reason why the address cannot be used. Only a mailbox that its
 * server confirmed counts as verified: a domain that accepts mail proves nothing about the mailbox.
 */
export async function verifyPeople(
  people: readonly NewPerson[],
  { resolver: given, probe }: VerifyOptions,
  now: Date,
): Promise<(string | null)[]> {
  const reasons: (string | null)[] = people.map(() => null)
  const resolver = given ? withCache(given) : systemResolver
  let next = 0
  const work = async (): Promise<void> => {
    while (next < people.length) {
      const index = next++
      const person = people[index]!
      if (person.email === null) continue
      const found = await verifyAddress(person.email, { resolver, probe })
      person.emailType = found.type
      if (found.status === 'invalid')
        reasons[index] = `the address cannot receive mail (${domainOf(person.email)}: ${found.reasons.join(', ')})`
      else if (found.status === 'accept_all') person.emailStatus = 'accept_all'
      else if (found.reasons.includes('mailbox_exists')) {
        person.emailStatus = 'verified'
        person.lastVerifiedAt = now.toISOString()
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return reasons
}
