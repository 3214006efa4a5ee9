import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useWorkspace } from '@/data/session.ts'
import { useCampaign } from '@/screens/campaigns/data.ts'
import { Status } from '@/ui/badge.tsx'
import { Button } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { CopyAs } from '@/ui/copy-as.tsx'
import { isolate } from '@/ui/format.ts'
import { EditIcon } from '@/ui/icons.tsx'
import { lazyPart } from '@/ui/lazy-part.ts'
import { PageHeader } from '@/ui/page-header.tsx'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { ErrorState, NoPermission } from '@/ui/states.tsx'
import { Conversation } from './conversation.tsx'
import { nameOf, useLead, useTimeline } from './data.ts'
import { LeadFacts } from './lead-facts.tsx'
import { LeadMenu } from './lead-menu.tsx'
import { NextStep } from './next-step.tsx'
import { Timeline } from './timeline.tsx'

const LeadDrawer = lazyPart(() => import('./lead-drawer.tsx').then(module => module.LeadDrawer))

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
          <nav aria-label="Where this is" className="flex flex-wrap gap-1.5">
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
                Edit
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
