import { randomUUID } from 'node:crypto'
import { sql } from '../src/db/sql.ts'
import type { LivingOverture } from './sending.ts'

/** Somebody answers the last message to this address, in the sandbox and in these words; `headers` are further lines of theirs. */
export async function replyInSandbox(
  overture: LivingOverture,
  email: string,
  text: string,
  headers: readonly string[] = [],
): Promise<void> {
  const [send] = await overture.ctx.db.many<{ id: string; providerId: string; messageId: string; firstName: string }>(
    sql(`
      select s.id, s.provider_id as "providerId", s.message_id as "messageId", l.first_name as "firstName"
      from sends s
      join leads l on l.id = s.lead_id
      where l.email = $1
      order by s.claimed_at desc
      limit 1`),
    [email],
  )
  const raw = [
    `From: ${email}`,
    'To: ada@sender.example',
    `Subject: Re: A question for ${send!.firstName}`,
    `Message-ID: <${randomUUID()}@people.example>`,
    `In-Reply-To: ${send!.messageId}`,
    ...headers,
    'Content-Type: text/plain; charset=utf-8',
    '',
    text,
    '',
  ].join('\r\n')
  await overture.ctx.db.pool.query(
    'insert into sandbox_reactions (id, workspace_id, provider_id, send_id, due_at, action) values ($1, $2, $3, $4, $5, $6)',
    [randomUUID(), overture.workspaceId, send!.providerId, send!.id, overture.clock.now(), { kind: 'reply', raw }],
  )
  await overture.work.tick()
}
