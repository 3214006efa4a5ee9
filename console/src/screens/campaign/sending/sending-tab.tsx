import type { Campaign, SendingStatus } from '@overture/sdk'
import { campaignNow, useClockOffset } from '@/data/clock.ts'
import { asSentence } from '@/data/words.ts'
import { Badge, Status } from '@/ui/badge.tsx'
import { Card } from '@/ui/card.tsx'
import { cx } from '@/ui/cx.ts'
import { formatCount, formatNoun, formatPercent } from '@/ui/format.ts'
import { CampaignIcon } from '@/ui/icons.tsx'
import { Loaded } from '@/ui/loaded.tsx'
import { NumberLink, type QuickTarget } from '@/ui/quick-link.tsx'
import { EmptyState } from '@/ui/states.tsx'
import { Time } from '@/ui/time.tsx'
import { useSendingStatus, useThisCampaign } from '../data.ts'
import { FixButton, IfLiftedNote } from '../fixes/fix-button.tsx'
import { groupsOf, NextSend, ReasonCount, type SendingReason, withoutCount } from './reasons.tsx'

/** Why nothing or no more is sent. Every lead is in one of these counts, with a way to change it. */
export function SendingTab() {
  const campaign = useThisCampaign()
  return (
    <Loaded query={useSendingStatus(campaign.id)} lines={6}>
      {status => (
        <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
          <div className="flex min-w-0 flex-col gap-5">
            <Summary campaign={campaign} status={status} />
            <Reasons campaign={campaign} status={status} />
          </div>
          <MailboxesCard mailboxes={status.mailboxes} />
        </div>
      )}
    </Loaded>
  )
}

function Reasons({ campaign, status }: { campaign: Campaign; status: SendingStatus }) {
  const total = status.reasons.reduce((sum, { count }) => sum + count, 0)
  if (total === 0) {
    return (
      <Card isFlush>
        <EmptyState icon={CampaignIcon} title="Nothing is waiting">
          {campaign.totalLeads === 0
            ? 'The campaign has no leads yet.'
            : status.readyCount + status.inFlightCount > 0
              ? 'Overture can email every lead now.'
              : 'All leads have finished the sequence, replied, bounced or unsubscribed.'}
        </EmptyState>
      </Card>
    )
  }
  return groupsOf(status).map(group => <ReasonsCard key={group.kind} campaign={campaign} group={group} total={total} />)
}

/** The sending status in a sentence, and all leads as one bar. */
function Summary({ campaign, status }: { campaign: Campaign; status: SendingStatus }) {
  const { readyCount, inFlightCount, unknownCount, assumedCount, attentionReason } = status
  const leads = { to: '/campaigns/$campaignId/leads', params: { campaignId: campaign.id } } as const
  const parts: { label: string; count: number; color: string; link: QuickTarget }[] = [
    { label: 'ready to send', count: readyCount + inFlightCount, color: 'bg-good', link: leads },
    ...groupsOf(status).map(({ kind, short, count, bar }) => ({
      label: short,
      count,
      color: bar,
      link: { to: '/campaigns/$campaignId/sending' as const, params: leads.params, hash: kind },
    })),
  ]
  const total = parts.reduce((sum, { count }) => sum + count, 0)
  // The service counts only leads who still get emails. The others have left the sequence.
  const endedCount = Math.max(0, campaign.totalLeads - total)
  if (total > 0)
    parts.push({ label: 'ended: replied, bounced, unsubscribed or sequence finished', count: endedCount, color: 'bg-line', link: leads })
  return (
    <Card>
      <h2 className="font-semibold text-lg">
        <NextSend status={status} />
      </h2>
      {attentionReason ? (
        <p className="mt-1 flex flex-wrap items-center gap-2">
          <Badge tone="bad">Needs attention</Badge> {asSentence(attentionReason)}
        </p>
      ) : null}
      {total > 0 ? (
        <>
          <div className="mt-4 flex h-2.5 gap-0.5 overflow-hidden rounded-full" aria-hidden="true">
            {parts.map(({ label, count, color }) =>
              count > 0 ? <span key={label} className={cx('h-full min-w-1', color)} style={{ flexGrow: count }} /> : null,
            )}
          </div>
          <ul className="mt-2.5 flex flex-wrap gap-x-5 gap-y-2.5 text-xs">
            {parts
              .filter(({ count }) => count > 0)
              .map(({ label, count, color, link }) => (
                <li key={label} className="flex items-baseline gap-1.5">
                  <span className={cx('size-2 rounded-full', color)} aria-hidden="true" />
                  <NumberLink
                    link={link}
                    title={link.hash ? 'View reasons' : 'View leads'}
                    className="-m-1 inline-block p-1 font-medium tabular"
                  >
                    {formatCount(count)}
                  </NumberLink>
                  <span className="text-soft">{label}</span>
                </li>
              ))}
          </ul>
        </>
      ) : null}
      {unknownCount + assumedCount > 0 ? (
        <p className="mt-3 border-line border-t pt-3 text-soft text-xs">
          {unknownCount > 0 ? `Checking the Sent folder to see whether ${formatNoun(unknownCount, 'email was', 'emails were')} sent. ` : ''}
          {assumedCount > 0
            ? `${formatNoun(assumedCount, 'email')} may not have been sent. Overture counts ${assumedCount === 1 ? 'it' : 'them'} as sent to avoid duplicates.`
            : ''}
        </p>
      ) : null}
    </Card>
  )
}

/** The emails that each mailbox has sent today, of its limit. */
function MailboxesCard({ mailboxes }: { mailboxes: SendingStatus['mailboxes'] }) {
  useClockOffset()
  return (
    <Card isFlush title="Mailboxes today" description="Across all campaigns">
      {mailboxes.length === 0 ? (
        <EmptyState title="No mailbox chosen" className="py-8">
          Choose a mailbox in the campaign settings.
        </EmptyState>
      ) : (
        <ul>
          {mailboxes.map(({ id, name, status, sentToday, limitToday, nextSlotAt }) => {
            const share = limitToday > 0 ? Math.min(1, sentToday / limitToday) : 1
            return (
              <li key={id} className="border-line px-4 py-3 not-last:border-b">
                <p className="flex items-center justify-between gap-3">
                  <span className="truncate font-medium">{name}</span>
                  {status === 'connected' ? null : <Status status={status} />}
                </p>
                <div
                  role="progressbar"
                  aria-label={`${name}: sent today`}
                  aria-valuemin={0}
                  aria-valuemax={limitToday}
                  aria-valuenow={Math.min(sentToday, limitToday)}
                  className="mt-2 h-1.5 overflow-hidden rounded-full bg-line"
                >
                  <div className={cx('h-full rounded-full', share >= 1 ? 'bg-warn' : 'bg-accent')} style={{ width: `${share * 100}%` }} />
                </div>
                <p className="mt-1.5 flex justify-between gap-3 text-faint text-xs tabular">
                  <NumberLink
                    link={{ to: '/developers/events', search: { type: 'email.sent', providerId: id } as never }}
                    title="View sent emails"
                  >
                    <span className="text-ink">{formatCount(sentToday)}</span> of {formatCount(limitToday)} sent
                  </NumberLink>
                  {share < 1 && nextSlotAt && Date.parse(nextSlotAt) > campaignNow().getTime() ? (
                    <span>
                      next email <Time at={nextSlotAt} />
                    </span>
                  ) : status === 'connected' ? (
                    <span>{share < 1 ? 'ready' : 'daily limit reached'}</span>
                  ) : null}
                </p>
              </li>
            )
          })}
        </ul>
      )}
    </Card>
  )
}

function ReasonsCard({ campaign, group, total }: { campaign: Campaign; group: ReturnType<typeof groupsOf>[number]; total: number }) {
  const { kind, reasons, count, title, description, bar } = group
  if (reasons.length === 0) return null
  return (
    <Card
      id={kind}
      isFlush
      title={
        <>
          {title} <span className="ml-1 font-normal text-faint tabular">{formatCount(count)}</span>
        </>
      }
      description={description}
    >
      <ul>
        {reasons.map(reason => (
          <Reason key={reason.reason + reason.text} campaign={campaign} reason={reason} total={total} bar={bar} />
        ))}
      </ul>
    </Card>
  )
}

function Reason({ campaign, reason, total, bar }: { campaign: Campaign; reason: SendingReason; total: number; bar: string }) {
  const { count, nextAttemptAt, fix, ifLifted } = reason
  return (
    <li className="grid grid-cols-[3rem_minmax(0,1fr)] gap-x-4 gap-y-2 border-line px-4 py-3.5 not-last:border-b sm:grid-cols-[3.5rem_minmax(0,1fr)_auto]">
      <div>
        <ReasonCount campaignId={campaign.id} reason={reason.reason} count={count} className="block font-semibold text-lg" />
        <span
          className="mt-1 block h-1 overflow-hidden rounded-full bg-line"
          title={`${formatPercent(count / total)} of the leads listed here`}
        >
          <span className={cx('block h-full rounded-full', bar)} style={{ width: `${Math.max(4, (count / total) * 100)}%` }} />
        </span>
      </div>
      <div className="min-w-0">
        <p className="text-base">{withoutCount(reason)}</p>
        {nextAttemptAt && !/\d-\d\d-\d\d/.test(reason.text) ? (
          <p className="mt-0.5 text-faint text-xs">
            Next email <Time at={nextAttemptAt} />
          </p>
        ) : null}
        <IfLiftedNote ifLifted={ifLifted} />
      </div>
      <div className="empty:hidden max-sm:col-start-2 sm:self-start">
        <FixButton campaign={campaign} fix={fix} ifLifted={ifLifted} />
      </div>
    </li>
  )
}
