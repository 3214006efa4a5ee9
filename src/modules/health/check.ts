import type { Context } from '../../context/context.ts'
import { domainOf } from '../../lib/email.ts'
import { isFreeMail } from '../../mail/transport/free-mail.ts'
import { hosterOfSmtpServer } from '../../mail/transport/smtp-hosters.ts'
import type { ProviderRow } from '../mailboxes/mailboxes.ts'
import { findHostInUse, publicNameOf, type TrackingHostRow } from '../tracking-hosts/tracking-hosts.ts'
import { checkDmarc } from './dmarc.ts'
import { finding, isAligned } from './findings.ts'
import type { Check, Finding } from './schema.ts'
import { checkMx, checkReverseName } from './servers.ts'
import { checkSpf } from './spf.ts'
import { AnswerTooLarge } from './spf-walk.ts'

/** A check that takes longer is given up: each DNS query ends by itself, but a record can lead to many. */
const CHECK_MS = 20_000

/** All checks that use DNS. `dkim` cannot be checked with DNS, so it is passed in. */
export async function checkDomain(
  ctx: Pick<Context, 'db' | 'dns' | 'config' | 'log'>,
  mailbox: ProviderRow,
  dkim: Finding,
): Promise<Check[]> {
  const { dns } = ctx
  const domain = domainOf(mailbox.fromEmail)
  const smtpHost = (mailbox.settings.smtp?.host ?? '').toLowerCase()
  const sending = { domain, smtpHost, hoster: hosterOfSmtpServer(smtpHost), isForeign: isFreeMail(domain) }
  const replyDomain = domainOf(mailbox.replyTo ?? mailbox.fromEmail)
  const [spf, dmarc, mx, reverseName] = await Promise.all([
    answered(ctx, checkSpf(dns, sending)),
    answered(ctx, checkDmarc(dns, sending)),
    answered(ctx, checkMx(dns, [domain, replyDomain])),
    answered(ctx, checkReverseName(dns, sending)),
  ])
  return [
    { check: 'spf', ...spf },
    { check: 'dkim', ...dkim },
    { check: 'dmarc', ...dmarc },
    { check: 'mx', ...mx },
    { check: 'reverse_name', ...reverseName },
    { check: 'tracking_host', ...checkLinks(domain, ctx.config.baseUrl, await findHostInUse(ctx.db, mailbox.workspaceId)) },
  ]
}

/** Name servers that do not answer, or answer with too much data, say nothing about the domain. */
async function answered({ log }: Pick<Context, 'log'>, asked: Promise<Finding>): Promise<Finding> {
  const { promise: tooLong, resolve: giveUp } = Promise.withResolvers<Finding>()
  const silent = finding('unknown', 'The name servers of the domain did not answer in time.', { advice: 'Check again later.' })
  const timer = setTimeout(() => giveUp(silent), CHECK_MS)
  try {
    return await Promise.race([asked, tooLong])
  } catch (error) {
    if (error instanceof AnswerTooLarge) return finding('unknown', error.message)
    const { code } = error as { code?: unknown }
    if (typeof code !== 'string') throw error
    log.info({ err: error }, 'a name server did not answer')
    return finding('unknown', `The name servers of the domain gave no answer (${code}).`, { advice: 'Check again later.' })
  } finally {
    clearTimeout(timer)
    asked.catch(() => {})
  }
}

/** Whether the links in messages lead to the domain of the sender. */
function checkLinks(domain: string, baseUrl: string, used: TrackingHostRow | null): Finding {
  const target = publicNameOf(baseUrl)
  if (used?.status === 'failing') {
    return finding('fail', `The tracking host ${used.host} does not work: ${used.reason}`, {
      advice: 'Messages with links wait until it works.',
    })
  }
  const host = used?.host ?? target
  if (host === null) {
    return finding('unknown', 'This installation has no public host name yet, so links in messages do not work from outside.', {
      advice: 'Set OVERTURE_BASE_URL.',
    })
  }
  if (isAligned(host.split(':')[0]!, domain)) return finding('pass', `Links in messages lead to ${host}.`)
  const advice = 'Set your own tracking host for the workspace, and publish this record for it.'
  const record = isFreeMail(domain) || target === null ? null : ({ type: 'CNAME', name: `go.${domain}`, value: target } as const)
  return finding('warn', `Links in messages lead to ${host}, which does not belong to ${domain}.`, { advice, record })
}
