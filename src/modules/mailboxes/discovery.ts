import type { Context } from '../../context/context.ts'
import { PostFailed, SafeClient } from '../../lib/safe-fetch.ts'
import { type Proposal, proposeSettings } from '../../mail/transport/discover.ts'
import { reachServer } from '../../mail/transport/verify-mailbox.ts'
import { locate } from './mail-access.ts'

/** The ports of mail servers. Other ports would make us a scanner of strangers' networks. */
const MAIL_PORTS = new Set([25, 143, 465, 587, 993, 2525])
const FETCH_MS = 3000
const REACH_MS = 4000
/** The ways that are tried: each costs two connections. */
const MOST_TRIED = 4

interface TriedProposal extends Proposal {
  /** Both servers respond and use encryption. Whether they accept the password is found out by verifying. */
  works: boolean
  /** The problem, if there is one. */
  problem: string | null
}

/** The settings for an address: everything that was tried, what works first. */
export async function discoverSettings(ctx: Context, email: string): Promise<TriedProposal[]> {
  const client = new SafeClient({ allowLocal: ctx.config.allowLocalTargets, resolve: ctx.resolve })
  try {
    const proposals = await proposeSettings(email, { dns: ctx.dns, fetchText: url => fetchText(client, url) })
    const tried = await Promise.all(proposals.slice(0, MOST_TRIED).map(proposal => tryProposal(ctx, proposal)))
    return [...tried.filter(each => each.works), ...tried.filter(each => !each.works)]
  } finally {
    await client.close()
  }
}

async function fetchText(client: SafeClient, url: string): Promise<string | null> {
  try {
    const answer = await client.get(url, { headers: { accept: 'text/xml, application/xml' }, timeoutMs: FETCH_MS })
    return answer.status === 200 ? answer.body : null
  } catch (error) {
    if (error instanceof PostFailed) return null
    throw error
  }
}

async function tryProposal(ctx: Context, proposal: Proposal): Promise<TriedProposal> {
  const servers = [['smtp', proposal.smtp] as const, ...(proposal.imap ? [['imap', proposal.imap] as const] : [])]
  const problems = await Promise.all(
    servers.map(async ([protocol, server]) => {
      if (!MAIL_PORTS.has(server.port) && !ctx.config.allowLocalTargets) return `${server.port} is not a usual port of mail servers`
      try {
        await reachServer(protocol, await locate(ctx, server), REACH_MS)
        return null
      } catch (error) {
        if (error instanceof Error) return `${protocol.toUpperCase()}: ${error.message}`
        throw error
      }
    }),
  )
  const problem = problems.find(each => each !== null) ?? null
  return { ...proposal, works: problem === null, problem }
}
