import type { Campaign, Fix, IfLifted, Lead, TimelineEntry } from '@overture/sdk'
import { sentence } from '@/data/words.ts'
import { useSchedule } from '@/screens/campaign/data.ts'
import { FixButton } from '@/screens/campaign/fixes/fix-button.tsx'
import { Card } from '@/ui/card.tsx'
import { formatMoment } from '@/ui/format.ts'
import { ArrowRightIcon } from '@/ui/icons.tsx'
import { Time } from '@/ui/time.tsx'

interface Decision {
  step: number
  reason: string
  text: string
  nextAttemptAt: string | null
  current: boolean
  fix: Fix | null
  ifLifted?: IfLifted | null
}

/** Nothing is planned: what the status of the lead says about why. */
const ENDS: Partial<Record<Lead['status'], string>> = {
  contacted: 'Every step is sent, or an email is being sent now.',
  sequence_completed: 'Every step was sent. No reply arrived.',
  replied: 'The lead replied. The next step is yours.',
  interested: 'The lead is interested. The next step is yours.',
  not_interested: 'The lead is not interested. The sequence has ended.',
  meeting_booked: 'A meeting is booked. The sequence has ended.',
  meeting_completed: 'The meeting took place. The sequence has ended.',
  closed: 'The deal is closed. The sequence has ended.',
  bounced: 'The email bounced. The sequence has ended.',
  unsubscribed: 'The lead unsubscribed. Overture sends no more emails.',
  skipped: 'The lead was skipped. Retry to continue.',
}

/** What is sent next and when; or why not yet, what would change it, and the request that does. */
export function NextStep({ campaign, lead, entries }: { campaign: Campaign; lead: Lead; entries: readonly TimelineEntry[] }) {
  const { data: schedule } = useSchedule(campaign.id)
  const decisions = entries.filter(({ type }) => type === 'decision.waiting').map(({ data }) => data as unknown as Decision)
  const decision = decisions.find(({ current, fix }) => current || (lead.status === 'skipped' && fix !== null))
  const step = decision?.step ?? lead.next?.step
  const title = lead.next ? `Next: step ${(step ?? 0) + 1}` : 'Nothing scheduled'
  return (
    <Card
      title={title}
      {...(lead.next ? { description: <When lead={lead} decision={decision} timezone={schedule?.timezone ?? null} /> } : {})}
      actions={decision ? <FixButton campaign={campaign} fix={decision.fix} ifLifted={decision.ifLifted ?? null} /> : null}
    >
      {decision ? (
        <div className="flex flex-col gap-2">
          <p className="text-base">
            {decision.reason === 'sequence_completed'
              ? 'Every step was sent. The lead counts as finished if no reply arrives.'
              : asSentence(decision.text)}
          </p>
          {decision.ifLifted ? (
            <p className="flex items-start gap-2 rounded-lg bg-info-wash px-2.5 py-1.5 text-info text-xs">
              <ArrowRightIcon width={13} height={13} className="mt-0.5 shrink-0" />
              <span>{asSentence(decision.ifLifted.text)}</span>
            </p>
          ) : null}
        </div>
      ) : (
        <p className="text-soft">
          {lead.next ? 'Nothing is blocking this step.' : (ENDS[lead.status] ?? 'The lead is waiting for its turn.')}
        </p>
      )}
    </Card>
  )
}

function When({ lead, decision, timezone }: { lead: Lead; decision: Decision | undefined; timezone: string | null }) {
  const at = decision?.nextAttemptAt ?? lead.next!.dueAt
  return (
    <>
      {decision?.nextAttemptAt && decision.reason !== 'not_due' ? 'Rechecked ' : 'Due '}
      <Time at={at} />, {formatMoment(at, lead.timezone ?? timezone)}
    </>
  )
}

const asSentence = (text: string): string => `${sentence(text)}${/[.!?]$/.test(text) ? '' : '.'}`
