import { randomBytes } from 'node:crypto'
import type { Context } from '../../context/context.ts'
import { PostFailed, SafeClient } from '../../lib/safe-fetch.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import { type Look, publicNameOf } from './tracking-hosts.ts'

const FETCH_MS = 10_000

export const CHALLENGE_PATH = '/.well-known/overture-tracking'

/** The answer that only this installation can give, for one host and one challenge. */
export const answerChallenge = (secrets: SecretBox, host: string, challenge: string): string =>
  secrets.sign('tracking-host', `${host}\n${challenge}`).toString('base64url')

/**
 * Requests the host from outside, like a recipient: its name must resolve, its certificate must be valid, and this installation must
 * answer under this name.
 */
export async function lookAtHost(ctx: Context, host: string): Promise<Look> {
  const { allowLocalTargets: allowLocal } = ctx.config
  const client = new SafeClient({ allowLocal, resolve: ctx.resolve })
  try {
    const problem = await ask(ctx, client, `https://${host}`, host)
    if (problem === null) return { origin: `https://${host}` }
    // On one machine there may be no certificates at all.
    if (allowLocal && (await ask(ctx, client, `http://${host}`, host)) === null) return { origin: `http://${host}` }
    return { problem: await explain(ctx, host, problem) }
  } finally {
    await client.close()
  }
}

/** What is wrong; null when the answer is ours. */
async function ask({ secrets }: Context, client: SafeClient, origin: string, host: string): Promise<string | null> {
  const challenge = randomBytes(16).toString('hex')
  try {
    const answer = await client.get(`${origin}${CHALLENGE_PATH}/${challenge}`, { headers: { accept: 'text/plain' }, timeoutMs: FETCH_MS })
    if (answer.status === 200 && answer.body.trim() === answerChallenge(secrets, host, challenge)) return null
    const said = answer.status === 200 ? 'something else answers there' : `it answers with ${answer.status}`
    return `${host} does not lead to this installation, or the proxy does not pass its name on (the Host header): ${said}.`
  } catch (error) {
    if (!(error instanceof PostFailed)) throw error
    return wordFailure(host, error.reason)
  }
}

function wordFailure(host: string, reason: PostFailed['reason']): string {
  switch (reason) {
    case 'dns_failed':
      return `The name ${host} is not found.`
    case 'tls_failed':
      return `${host} has no valid certificate for this name.`
    case 'address_not_allowed':
      return `${host} resolves to an address that is not public.`
    case 'timeout':
      return `${host} did not answer within ${FETCH_MS / 1000} seconds.`
    default:
      return `${host} cannot be reached (${reason.replaceAll('_', ' ')}).`
  }
}

/** Adds what DNS says about the name, if that helps. */
async function explain({ dns, config }: Context, host: string, problem: string): Promise<string> {
  const target = publicNameOf(config.baseUrl)
  const name = host.split(':')[0]!
  try {
    const [alias] = await dns.aliases(name)
    if (target === null || alias === target) return problem
    if (alias !== undefined) return `${problem} It is an alias of ${alias}, and should be an alias of ${target}.`
    const [own, ours] = await Promise.all([dns.addresses(name), dns.addresses(target)])
    if (own.some(address => ours.includes(address))) return problem
    return `${problem} Publish a CNAME record for ${name} that points to ${target}.`
  } catch {
    return problem
  }
}
