import type { Campaign, Fix, Provider, SendingStatus } from '@overture/sdk'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { withoutCount } from '@/screens/campaign/sending/reasons.tsx'
import { Button, buttonClass } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { formatNoun, readable } from '@/ui/format.ts'
import { AlertIcon } from '@/ui/icons.tsx'

/** Reasons that need action. The others resolve themselves. */
const STUCK = /^(missing_variable|mailbox_disconnected|no_mailbox|campaign_expired|due_after_end|campaign_not_active|template)$/

type Problem = { key: string; title: string; reason: string; remedy: ReactNode }
export type CampaignSending = { campaign: Campaign; sending: SendingStatus | undefined }

/** Everything that needs attention, with the reason and the fix. */
export function Attention({ campaigns, mailboxes }: { campaigns: readonly CampaignSending[]; mailboxes: readonly Provider[] }) {
  const problems = [...campaigns.flatMap(problemsOf), ...mailboxes.flatMap(problemOf)]
  if (problems.length === 0) return null
  return (
    <Card title="Needs attention" isFlush className="mb-5">
      <ul className="divide-y divide-line">
        {problems.map(({ key, title, reason, remedy }) => (
          <li key={key} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
            <AlertIcon className="shrink-0 text-bad" />
            <div className="min-w-0 flex-1 basis-56">
              <p className="truncate font-medium">{title}</p>
              <p className="break-words text-soft">{reason}</p>
            </div>
            {remedy}
          </li>
        ))}
      </ul>
    </Card>
  )
}

function problemsOf({ campaign, sending }: CampaignSending): Problem[] {
  if (!sending) return []
  const stuck = sending.reasons.filter(({ reason, fix }) => fix && STUCK.test(reason))
  if (campaign.status === 'attention_needed') {
    const reason = readable(sending.attentionReason ?? stuck[0]?.text ?? sending.summary)
    return [{ key: campaign.id, title: campaign.name, reason, remedy: <Remedy campaign={campaign} fix={stuck[0]?.fix ?? null} /> }]
  }
  return stuck.map(each => ({
    key: `${campaign.id}-${each.reason}`,
    title: campaign.name,
    reason: `${formatNoun(each.count, 'lead')} · ${withoutCount(each)}`,
    remedy: <Remedy campaign={campaign} fix={each.fix} />,
  }))
}

function problemOf(mailbox: Provider): Problem[] {
  const reason = reasonOf(mailbox)
  return reason ? [{ key: mailbox.id, title: mailbox.fromEmail, reason, remedy: <MailboxLink providerId={mailbox.id} /> }] : []
}

function reasonOf({ status, statusReason, inbox }: Provider): string | null {
  if (status === 'disconnected') return `Disconnected: ${statusReason ?? 'the mail server refused the connection'}`
  if (status === 'unverified')
    return statusReason ? `Not sending: ${statusReason}` : 'Not verified yet. Verify this mailbox before you send from it.'
  if (inbox?.status !== 'unreadable') return null
  return `Overture cannot read the inbox, so follow-ups wait: ${inbox.reason ?? 'the server is not responding'}`
}

const MailboxLink = ({ providerId }: { providerId: string }) => (
  <Link to="/mailboxes/$providerId" params={{ providerId }} className={buttonClass('secondary', 'sm')}>
    Open mailbox
  </Link>
)

/** A button if one click fixes the problem, otherwise a link to the screen that does. */
function Remedy({ campaign, fix }: { campaign: Campaign; fix: Fix | null }) {
  const { api, may } = useWorkspace()
  const resume = useOperation({
    send: (_: null, options) => api.campaigns.resume(campaign.id, options),
    touches: [['campaigns'], ['campaign', campaign.id]],
    toastsErrors: true,
    repeats: true,
  })
  const provider = /\/providers\/([^/]+)/.exec(fix?.path ?? '')?.[1]
  if (provider) return <MailboxLink providerId={provider} />
  if (fix?.path.endsWith('/resume') && may('campaigns:write')) {
    return (
      <Button size="sm" phase={resume.phase} onClick={() => void resume.run(null)}>
        Resume campaign
      </Button>
    )
  }
  const part = /\/(schedule|settings)$/.exec(fix?.path ?? '')?.[1]
  return (
    <Link to="/campaigns/$campaignId" params={{ campaignId: campaign.id }} className={buttonClass('secondary', 'sm')}>
      {part ? `Edit ${part}` : 'Open campaign'}
    </Link>
  )
}
