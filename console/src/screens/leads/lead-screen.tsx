import type { Lead } from '@overture/sdk'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { useWorkspace } from '@/data/session.ts'
import { useCampaign } from '@/screens/campaigns/data.ts'
import { AnswerForm } from '@/screens/inbox/answer-form.tsx'
import { useReply } from '@/screens/inbox/data.ts'
import { Message } from '@/screens/inbox/thread.tsx'
import { readableAddress } from '@/ui/address.ts'
import { Status } from '@/ui/badge.tsx'
import { Button } from '@/ui/button.tsx'
import { Card, KeyValue } from '@/ui/card.tsx'
import { CopyAs } from '@/ui/copy-as.tsx'
import { formatCount, formatExact, formatNoun, isolate } from '@/ui/format.ts'
import { EditIcon, MailboxIcon } from '@/ui/icons.tsx'
import { PageHeader } from '@/ui/page.tsx'
import { NumberLink } from '@/ui/quick-link.tsx'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { EmptyState, ErrorState, NoPermission } from '@/ui/states.tsx'
import { Time } from '@/ui/time.tsx'
import { nameOf, useLead, useThread, useTimeline } from './data.ts'
import { LeadDrawer } from './lead-drawer.tsx'
import { LeadMenu } from './lead-menu.tsx'
import { NextStep } from './next-step.tsx'
import { Timeline } from './timeline.tsx'

/** One lead: what comes next and why, what was written, and everything that happened. */
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
        description={[lead.data.jobTitle, lead.data.company].flatMap(said => (said ? [isolate(said)] : [])).join(', ') || null}
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
            {timeline.error ? (
              <ErrorState error={timeline.error} onRetry={() => void timeline.refetch()} />
            ) : timeline.data ? (
              <Timeline entries={timeline.data} />
            ) : (
              <SkeletonLines count={6} />
            )}
          </Card>
          <LeadFacts lead={lead.data} />
        </div>
      </div>
      {edit && may('people:write') ? <LeadDrawer campaignId={campaignId} leadId={leadId} onClose={() => setEdit(false)} /> : null}
    </>
  )
}

/** What is known of a lead, and what templates can use. */
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
                {lead.timezone}
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
          ['Meeting', lead.meetingAt ? formatExact(new Date(lead.meetingAt)) : null],
          ['List', lead.leadListName],
          ['Added', <Time key="added" at={lead.createdAt} />],
        ]}
      />
    </Card>
  )
}

/** The messages to and from a lead. The user can answer the last reply here. */
function Conversation({ lead }: { lead: Lead }) {
  const { may } = useWorkspace()
  const pages = useThread(lead.campaignId, lead.id)
  const field = useRef<HTMLTextAreaElement>(null)
  const last = pages.rows.findLast(({ direction, replyId }) => direction === 'in' && replyId !== null)
  const { data: reply } = useReply(last?.replyId ?? undefined)
  const newest = pages.rows.at(-1)
  return (
    <Card title="Conversation" isFlush={pages.rows.length === 0}>
      {pages.error ? (
        <ErrorState error={pages.error} onRetry={pages.retry} />
      ) : pages.isLoading ? (
        <SkeletonLines count={5} className="p-4" />
      ) : pages.rows.length === 0 ? (
        <EmptyState icon={MailboxIcon} title="No emails yet">
          Emails to {readableAddress(lead.email)} and their replies appear here.
        </EmptyState>
      ) : (
        <div className="flex flex-col gap-3">
          <ol aria-label="Messages" className="flex flex-col gap-3">
            {pages.rows.map(message => (
              <li key={message.id}>
                <Message
                  message={message}
                  said={reply && message.direction === 'in' && message.replyId === reply.id ? reply.text : null}
                  isOpen={message.direction === 'in' || message.kind === 'answer' || message === newest}
                />
              </li>
            ))}
          </ol>
          {pages.hasMore ? (
            <Button variant="ghost" pending={pages.isLoadingMore} onClick={pages.loadMore}>
              Show later messages
            </Button>
          ) : null}
          {reply?.from && may('leads:write') ? (
            <AnswerForm key={reply.id} reply={reply} field={field} onAnswered={() => field.current?.blur()} />
          ) : null}
        </div>
      )}
    </Card>
  )
}
