import type { Campaign, Event, Fix, IfLifted, Lead, TimelineEntry } from '@overture/sdk'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { type NameOf, useActorNames } from '@/data/actors.ts'
import { campaignNow, useClockOffset } from '@/data/clock.ts'
import { sentence } from '@/data/field-words.ts'
import { useWorkspace } from '@/data/session.ts'
import { asSentence, eventWords } from '@/data/words.ts'
import { detailOf, toneOf } from '@/screens/campaign/activity/event-words.ts'
import { useSchedule } from '@/screens/campaign/data.ts'
import { FixButton, IfLiftedNote } from '@/screens/campaign/fixes/fix-button.tsx'
import { sendingZone } from '@/screens/campaign/schedule/zones.ts'
import { useCampaign } from '@/screens/campaigns/data.ts'
import { AnswerForm } from '@/screens/inbox/answer-form.tsx'
import { useReply } from '@/screens/inbox/data.ts'
import { Thread } from '@/screens/inbox/thread.tsx'
import { readableAddress } from '@/ui/address.ts'
import { Status, type Tone } from '@/ui/badge.tsx'
import { Button } from '@/ui/button.tsx'
import { Card, KeyValue } from '@/ui/card.tsx'
import { CopyAs } from '@/ui/copy-as.tsx'
import { cx } from '@/ui/cx.ts'
import { formatCount, formatMoment, formatNoun, isolate, readable, zoneWords } from '@/ui/format.ts'
import { EditIcon, MailboxIcon } from '@/ui/icons.tsx'
import { Loaded } from '@/ui/loaded.tsx'
import { PageHeader } from '@/ui/page.tsx'
import { NumberLink } from '@/ui/quick-link.tsx'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { EmptyState, ErrorState, NoPermission } from '@/ui/states.tsx'
import { Time } from '@/ui/time.tsx'
import { nameOf, useLead, useThread, useTimeline } from './data.ts'
import { LeadDrawer } from './lead-drawer.tsx'
import { LeadMenu } from './lead-menu.tsx'

/** One lead: its next step and why, the conversation, and everything that happened. */
export function LeadScreen() {
  const { campaignId, leadId } = useParams({ from: '/shell/campaigns/$campaignId/leads/$leadId' })
  const { edit } = useSearch({ from: '/shell/campaigns/$campaignId/leads/$leadId' })
  const { may } = useWorkspace()
  const navigate = useNavigate()
  const campaign = useCampaign(campaignId)
  const lead = useLead(campaignId, leadId)
  const timeline = useTimeline(campaignId, leadId)
  if (!may('leads:read')) return <NoPermission scope="leads:read" />
  const error = lead.error ?? campaign.error
  if (error) return <ErrorState page="Lead" error={error} onRetry={() => void lead.refetch()} />
  if (!lead.data || !campaign.data) return <SkeletonLines count={10} />
  const setEdit = (isOpen: boolean) => void navigate({ to: '.', search: isOpen ? { edit: leadId } : {}, replace: !isOpen })
  const params = { campaignId }
  return (
    <>
      <PageHeader
        title={nameOf(lead.data)}
        mark={<Status status={lead.data.status} />}
        description={[lead.data.jobTitle, lead.data.company].flatMap(part => (part ? [isolate(part)] : [])).join(', ') || null}
        above={
          <nav aria-label="Breadcrumb" className="flex flex-wrap gap-1.5">
            <Link to="/campaigns/$campaignId" params={params} className="hover:text-ink">
              <bdi>{campaign.data.name}</bdi>
            </Link>
            <span aria-hidden="true">/</span>
            <Link to="/campaigns/$campaignId/leads" params={params} className="hover:text-ink">
              Leads
            </Link>
          </nav>
        }
        actions={
          <>
            <CopyAs call={overture => overture.leads.listTimeline(campaignId, leadId, { order: 'desc' })} />
            {may('people:write') ? (
              <Button icon={EditIcon} onClick={() => setEdit(true)}>
                Edit lead
              </Button>
            ) : null}
            <LeadMenu
              lead={lead.data}
              onGone={() => void navigate({ to: '/campaigns/$campaignId/leads', params, replace: true, ignoreBlocker: true })}
            />
          </>
        }
      />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="flex min-w-0 flex-col gap-4">
          {timeline.data ? (
            <NextStep campaign={campaign.data} lead={lead.data} entries={timeline.data} />
          ) : (
            <Card title="Next">
              <SkeletonLines count={2} />
            </Card>
          )}
          <Conversation lead={lead.data} />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <Card title="Timeline">
            <Loaded query={timeline} lines={6}>
              {entries => <Timeline entries={entries} />}
            </Loaded>
          </Card>
          <LeadFacts lead={lead.data} />
        </div>
      </div>
      {edit && may('people:write') ? <LeadDrawer campaignId={campaignId} leadId={leadId} onClose={() => setEdit(false)} /> : null}
    </>
  )
}

function LeadFacts({ lead }: { lead: Lead }) {
  const warned = lead.warnings.find(({ field }) => field === 'timezone')
  return (
    <Card title="Details">
      <KeyValue
        items={[
          ['Email', readableAddress(lead.email)],
          ['First name', lead.firstName],
          ['Last name', lead.lastName],
          ['Company', lead.company],
          ['Job title', lead.jobTitle],
          [
            'Time zone',
            lead.timezone ? (
              <>
                {zoneWords(lead.timezone)}
                {warned ? <span className="block text-warn text-xs">{warned.message}</span> : null}
              </>
            ) : null,
          ],
          ...Object.entries(lead.variables).map(([name, value]) => [name, value] as const),
          [
            'Opened',
            lead.emailOpenCount > 0 ? (
              <NumberLink
                key="opened"
                link={{
                  to: '/campaigns/$campaignId/activity',
                  params: { campaignId: lead.campaignId },
                  search: { lead: lead.id, type: 'email.opened' } as never,
                }}
              >
                {formatNoun(lead.emailOpenCount, 'time')}
              </NumberLink>
            ) : null,
          ],
          ['Deal', lead.opportunityValue === null ? null : formatCount(lead.opportunityValue)],
          ['Meeting', lead.meetingAt ? formatMoment(lead.meetingAt, null) : null],
          ['List', lead.leadListName],
          ['Added', <Time key="added" at={lead.createdAt} />],
        ]}
      />
    </Card>
  )
}

/** The messages to and from a lead, with a field to answer the last reply. */
function Conversation({ lead }: { lead: Lead }) {
  const { may } = useWorkspace()
  const pages = useThread(lead.campaignId, lead.id)
  const field = useRef<HTMLTextAreaElement>(null)
  const last = pages.rows.findLast(({ direction, replyId }) => direction === 'in' && replyId !== null)
  const { data: reply } = useReply(last?.replyId ?? undefined)
  const isEmpty = !pages.isLoading && !pages.error && pages.rows.length === 0
  return (
    <Card title="Conversation" isFlush={isEmpty}>
      {isEmpty ? (
        <EmptyState icon={MailboxIcon} title="No emails yet">
          Emails to {readableAddress(lead.email)} and their replies appear here.
        </EmptyState>
      ) : (
        <div className="flex flex-col gap-3">
          <Thread pages={pages} reply={reply} />
          {reply?.from && may('leads:write') ? (
            <AnswerForm key={reply.id} reply={reply} field={field} onAnswered={() => field.current?.blur()} />
          ) : null}
        </div>
      )}
    </Card>
  )
}

interface Decision {
  step: number
  reason: string
  text: string
  nextAttemptAt: string | null
  current: boolean
  fix: Fix | null
  ifLifted?: IfLifted | null
}

/** Why nothing is scheduled, by the status of the lead. */
const ENDS: Partial<Record<Lead['status'], string>> = {
  contacted: 'Every step was sent, or one is being sent now.',
  sequence_completed: 'All steps were sent. No reply arrived.',
  replied: 'The lead replied. Answer below or in the inbox.',
  interested: 'The lead is interested. Answer below or in the inbox.',
  not_interested: 'The lead is not interested. The sequence has ended.',
  meeting_booked: 'A meeting is booked. The sequence has ended.',
  meeting_completed: 'The meeting took place. The sequence has ended.',
  closed: 'The deal is closed. The sequence has ended.',
  bounced: 'The email bounced. The sequence has ended.',
  unsubscribed: 'The lead unsubscribed. Overture sends no more emails.',
  skipped: 'The lead was skipped. Retry to continue.',
}

/** The next email and its time, or why it waits and how to change that. */
function NextStep({ campaign, lead, entries }: { campaign: Campaign; lead: Lead; entries: readonly TimelineEntry[] }) {
  const decisions = entries.filter(({ type }) => type === 'decision.waiting').map(({ data }) => data as unknown as Decision)
  const decision = decisions.find(({ current, fix }) => current || (lead.status === 'skipped' && fix !== null))
  const step = decision?.step ?? lead.next?.step
  const title = lead.next ? `Next: step ${(step ?? 0) + 1}` : 'Nothing scheduled'
  return (
    <Card
      title={title}
      {...(lead.next && decision?.reason !== 'not_due'
        ? { description: <When campaign={campaign} lead={lead} nextAttemptAt={decision?.nextAttemptAt ?? null} /> }
        : {})}
      actions={decision ? <FixButton campaign={campaign} fix={decision.fix} ifLifted={decision.ifLifted ?? null} /> : null}
    >
      {decision ? (
        <div>
          <p className="text-base">
            {decision.reason === 'sequence_completed'
              ? 'All steps were sent. The lead counts as finished if no reply arrives.'
              : asSentence(decision.text)}
          </p>
          <IfLiftedNote ifLifted={decision.ifLifted} />
        </div>
      ) : (
        <p className="text-soft">
          {lead.next ? 'Nothing is blocking this step.' : (ENDS[lead.status] ?? 'The lead is waiting for its turn.')}
        </p>
      )}
    </Card>
  )
}

function When({ campaign, lead, nextAttemptAt }: { campaign: Campaign; lead: Lead; nextAttemptAt: string | null }) {
  useClockOffset()
  const { data: schedule } = useSchedule(campaign.id)
  const { dueAt } = lead.next!
  if (!nextAttemptAt && new Date(dueAt) <= campaignNow()) {
    if (campaign.status === 'active') return 'Due now'
    return campaign.status === 'draft' ? 'Due when the campaign is activated' : 'Due when the campaign resumes'
  }
  return `${nextAttemptAt ? 'Next email' : 'Due'}: ${formatMoment(nextAttemptAt ?? dueAt, schedule && sendingZone(schedule, lead.timezone))}`
}

const DOTS: Record<Tone, string> = {
  neutral: 'bg-line-strong',
  good: 'bg-good',
  warn: 'bg-warn',
  bad: 'bg-bad',
  info: 'bg-info',
  accent: 'bg-accent',
}

/** Everything that happened to a lead and why emails waited, newest first. */
function Timeline({ entries }: { entries: readonly TimelineEntry[] }) {
  const actorOf = useActorNames()
  return (
    <ol className="flex flex-col">
      {entries.map(entry => {
        const { title, detail, tone } = describeEntry(entry, actorOf)
        const isCurrent = entry.data.current === true
        return (
          <li key={entry.id} className="group relative flex gap-3 pb-4 last:pb-0">
            <span aria-hidden="true" className="absolute top-4 bottom-0 left-[0.3125rem] w-px bg-line group-last:hidden" />
            <span aria-hidden="true" className={cx('mt-1.5 size-2.5 shrink-0 rounded-full ring-4 ring-panel', DOTS[tone])} />
            <div className="min-w-0 flex-1">
              <p className="flex items-baseline justify-between gap-3">
                <span className="font-medium">{title}</span>
                <span className="shrink-0 text-faint text-xs">{isCurrent ? 'now' : <Time at={entry.timestamp} />}</span>
              </p>
              {detail ? <p className="line-clamp-3 break-words text-soft text-xs">{detail}</p> : null}
            </div>
          </li>
        )
      })}
    </ol>
  )
}

const SOURCES: Record<string, string> = {
  csv_import: 'from a CSV file',
  api_import: 'manually or through the API',
  scraped_lead: 'from Find leads',
  manual: 'manually',
}

/** The title of an entry, and its reason or details. */
function describeEntry({ type, data }: TimelineEntry, actorOf: NameOf): { title: string; detail: string | null; tone: Tone } {
  if (type === 'lead.added') {
    const { source, leadListName } = data as { source: string; leadListName: string | null }
    return {
      title: 'Added to the campaign',
      detail: sentence([SOURCES[source] ?? source, leadListName].filter(Boolean).join(', ')),
      tone: 'neutral',
    }
  }
  if (type === 'decision.waiting') {
    const { text, step, current, reason } = data as { text: string; step: number; current: boolean; reason: string }
    if (reason === 'sequence_completed') return { title: 'All steps sent', detail: 'Waiting for a reply', tone: 'neutral' }
    return {
      title: `Step ${step + 1} ${current ? 'is waiting' : reason === 'missing_variable' || reason === 'template' ? 'was skipped' : 'was delayed'}`,
      detail: sentence(readable(text)),
      tone: current ? 'warn' : 'neutral',
    }
  }
  const event = { type, data } as unknown as Event
  return { title: eventWords(event.type), detail: detailOf(event, actorOf), tone: toneOf(event) }
}
