import assert from 'node:assert/strict'
import { after } from 'node:test'
import { sql } from '../src/db/sql.ts'
import { eventually } from './faults/eventually.ts'
import { TestImapServer } from './mail/imap-server.ts'
import { ScriptedSmtp } from './mail/smtp-script.ts'
import { type CampaignPlan, type LivingOverture, makeCampaign, startLiving } from './sending.ts'

/** A mail server that takes messages and one with an inbox, both real, which end with the test file. */
export async function startMailServers(script?: ScriptedSmtp['script']) {
  const smtp = await ScriptedSmtp.start(script)
  const imap = await TestImapServer.start({ user: 'ada', password: 'secret' })
  after(async () => {
    await smtp.close()
    await imap.close()
  })
  return { smtp, imap }
}

/** A campaign that runs over these servers, from a mailbox that was verified. */
export async function startOnServers(
  overture: LivingOverture,
  { smtp, imap }: Awaited<ReturnType<typeof startMailServers>>,
  { provider, ...plan }: CampaignPlan,
  inbox: Record<string, unknown> = {},
) {
  const { client, home } = overture
  const server = (port: number) => ({ host: '127.0.0.1', port, secure: false })
  const made = await makeCampaign(overture, {
    ...plan,
    provider: {
      kind: 'smtp',
      settings: { smtp: server(smtp.port), imap: { ...server(imap.port), ...inbox } },
      credentials: { username: 'ada', password: 'secret' },
      ...provider,
    },
    activate: false,
  })
  const verified = await client.post(`${home}/providers/${made.providerId}/verify`, {})
  assert.equal(verified.body.data.ok, true, JSON.stringify(verified.body))
  assert.equal((await client.operate('POST', `${made.base}/activate`)).status, 'succeeded')
  return made
}

/** An Overture that sends over a real SMTP connection and reads a real inbox, and what a test asks about what came back. */
export async function startCorrespondence(plan: Partial<CampaignPlan> & { names: string[]; imapFolders?: string[] }) {
  const servers = await startMailServers()
  const { smtp, imap } = servers
  const overture = await startLiving()
  const { client, home, ctx } = overture

  const startCampaign = (names: string[], more: Partial<CampaignPlan> & { imapFolders?: string[]; domain?: string } = {}) => {
    const { imapFolders, domain = 'people.example', ...rest } = more
    const leads = names.map(name => ({ email: `${name}@${domain}`, firstName: name }))
    return startOnServers(overture, servers, { leads, ...rest }, imapFolders ? { folders: imapFolders } : {})
  }
  const { names, ...rest } = plan
  const made = await startCampaign(names, rest)

  /** Sends what is due and begins to read the inbox. */
  const begin = async () => {
    await overture.work.tick()
    await overture.work.inboxes.look()
    await imap.idling()
  }
  const leadsOf = async (base: string) => {
    const { data } = (await client.get(`${base}/leads?limit=100`)).body
    return Object.fromEntries((data as { email: string; status: string }[]).map(lead => [lead.email.split('@')[0]!, lead.status]))
  }
  const messageIds = async (campaignId = made.campaignId) =>
    Object.fromEntries(
      (
        await ctx.db.many<{ email: string; messageId: string }>(
          sql(
            `select l.email, s.message_id as "messageId" from sends s join leads l on l.id = s.lead_id where s.step = 0 and s.campaign_id = $1`,
          ),
          [campaignId],
        )
      ).map(row => [row.email.split('@')[0]!, row.messageId]),
    )
  const events = async (type: string) =>
    (await client.get(`${home}/events?type=${type}&limit=100`)).body.data as { data: Record<string, unknown> }[]
  const unread = async (providerId = made.providerId) =>
    (await client.get(`${home}/providers/${providerId}/unread-messages`)).body.data as { reason: string; uid: number; folder: string }[]
  /** Resolves when this many messages of the INBOX, at least, have been read. */
  const readUpTo = (uid: number, providerId = made.providerId) =>
    eventually(`message ${uid} has been read`, async () => {
      const row = await ctx.db.first<{ uid: number | null }>(
        sql(`select (inbox_cursor->>'lastUid')::int as uid from providers where id = $1`),
        [providerId],
      )
      return (row?.uid ?? 0) >= uid
    })
  return {
    ...{ smtp, imap, overture, ...made },
    ...{ startCampaign, begin, leadsOf, messageIds, events, unread, readUpTo },
    statuses: () => leadsOf(made.base),
  }
}

let written = 0

export interface Letter {
  from: string
  to?: string
  subject?: string
  inReplyTo?: string | null
  messageId?: string
  headers?: string[]
  text: string
}

/** A message as a mail program writes it. */
export const letter = ({ from, to, subject, inReplyTo, messageId, headers, text }: Letter): string =>
  [
    `From: ${from}`,
    `To: ${to ?? 'ada@sender.example'}`,
    `Subject: ${subject ?? 'Re: A question'}`,
    `Message-ID: ${messageId ?? `<letter.${++written}@people.example>`}`,
    ...(inReplyTo ? [`In-Reply-To: ${inReplyTo}`] : []),
    ...(headers ?? []),
    ...(headers?.some(header => /^content-type:/i.test(header)) ? [] : ['Content-Type: text/plain; charset=utf-8']),
    '',
    text,
    '',
  ].join('\r\n')
