import type { Campaign, Readiness } from '@overture/sdk'
import { Link } from '@tanstack/react-router'
import { useWorkspace } from '@/data/session.ts'
import { readableAddress } from '@/ui/address.ts'
import { Badge } from '@/ui/badge.tsx'
import { buttonClass } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { formatNoun, readable } from '@/ui/format.ts'
import { Loaded } from '@/ui/loaded.tsx'
import { Mark } from '@/ui/mark.tsx'
import { useReadiness } from '../data.ts'
import { LeadLink } from '../lead-link.tsx'

/** Every requirement of an activation as a checklist, with links to fix what is missing. */
export function ReadinessCard({ campaign }: { campaign: Campaign }) {
  const query = useReadiness(campaign)
  const { data } = query
  if (campaign.status === 'archived' || campaign.status === 'completed') return null
  const areas = data ? areasOf(data) : []
  const problemCount = areas.reduce((sum, { problems }) => sum + problems.length, 0)
  // One line is enough for a campaign that is running without problems.
  if (data?.ready && problemCount === 0 && campaign.status === 'active') {
    return (
      <Card>
        <p className="flex items-center justify-between gap-3">
          <span className="font-semibold text-base">Readiness</span>
          <Badge tone="good">Ready</Badge>
        </p>
      </Card>
    )
  }
  return (
    <Card
      isFlush
      title="Readiness"
      description={data ? describe(data.failures.length, problemCount, campaign.status) : 'Checks before a campaign can be activated'}
      actions={data ? <Badge tone={data.ready ? 'good' : 'bad'}>{data.ready ? 'Ready' : 'Not ready'}</Badge> : null}
    >
      <Loaded query={query} className="p-4">
        {() => (
          <ul>
            {areas.map(area => (
              <Area key={area.area} area={area} campaignId={campaign.id} />
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  )
}

function describe(failures: number, problems: number, status: Campaign['status']): string {
  if (failures > 0)
    return `Fix ${formatNoun(failures, 'problem')} before you can ${status === 'draft' ? 'activate' : 'resume'} the campaign`
  if (problems > 0) return formatNoun(problems, 'warning')
  return status === 'draft' ? 'All checks passed. The campaign can be activated.' : 'All checks passed'
}

function Area({ area: { label, ready, isFailing, problems }, campaignId }: { area: AreaState; campaignId: string }) {
  const { may } = useWorkspace()
  const remedies = may('campaigns:write') ? [...new Map(problems.map(({ remedy }) => [remedy.label, remedy])).values()] : []
  return (
    <li className="flex gap-3 border-line px-4 py-3 not-last:border-b">
      <Mark tone={isFailing ? 'bad' : problems.length > 0 ? 'warn' : 'good'} />
      <div className="flex min-w-0 flex-1 flex-col gap-2.5">
        <p className="font-medium">
          {label}
          {problems.length === 0 ? <span className="block font-normal text-faint text-xs">{ready}</span> : null}
        </p>
        {problems.map(({ rule, message, examples }) => (
          <div key={`${rule}${message}`}>
            <p className="text-soft">{readable(message)}</p>
            {examples.length > 0 ? (
              <p className="mt-0.5 flex flex-wrap gap-x-2 text-xs">
                <span className="text-faint leading-6">For example:</span>
                {examples.slice(0, 3).map(({ leadId, email }) => (
                  <LeadLink key={leadId} campaignId={campaignId} leadId={leadId} className="inline-block leading-6">
                    {readableAddress(email)}
                  </LeadLink>
                ))}
              </p>
            ) : null}
          </div>
        ))}
        <div className="flex flex-wrap gap-2 empty:hidden">
          {remedies.map(({ to, hash, label: verb }) =>
            to ? (
              <Link key={verb} to={to} params={{ campaignId }} {...(hash ? { hash } : {})} className={buttonClass('secondary', 'sm')}>
                {verb}
              </Link>
            ) : null,
          )}
        </div>
      </div>
    </li>
  )
}

type AreaName = 'leads' | 'sequence' | 'schedule' | 'mailbox' | 'status'

const AREAS: readonly { area: AreaName; label: string; ready: string }[] = [
  { area: 'leads', label: 'Leads', ready: 'Leads added' },
  { area: 'sequence', label: 'Sequence', ready: 'No errors found' },
  { area: 'schedule', label: 'Schedule', ready: 'Sending window set' },
  { area: 'mailbox', label: 'Mailbox', ready: 'Mailbox connected' },
  { area: 'status', label: 'Status', ready: 'Can be activated' },
]

interface Remedy {
  area: AreaName
  /** The screen that solves it, and the part of that screen. */
  to: typeof LEADS | typeof SEQUENCE | typeof SCHEDULE | typeof SETTINGS | '/mailboxes' | null
  hash?: string
  /** The label of the button. */
  label: string
}

const LEADS = '/campaigns/$campaignId/leads'
const SEQUENCE = '/campaigns/$campaignId/sequence'
const SCHEDULE = '/campaigns/$campaignId/schedule'
const SETTINGS = '/campaigns/$campaignId/settings'

type Rule = Readiness['failures' | 'warnings'][number]['rule']

/** The type check fails if one is missing. */
const REMEDIES: Record<Rule, Remedy> = {
  leads_missing: { area: 'leads', to: LEADS, label: 'Add leads' },
  leads_all_suppressed: { area: 'leads', to: LEADS, label: 'View leads' },
  sequence_missing: { area: 'sequence', to: SEQUENCE, label: 'Write sequence' },
  sequence_step_invalid: { area: 'sequence', to: SEQUENCE, label: 'Fix sequence' },
  schedule_missing: { area: 'schedule', to: SCHEDULE, label: 'Set schedule' },
  schedule_expired: { area: 'schedule', to: SCHEDULE, label: 'Edit end date' },
  provider_missing: { area: 'mailbox', to: SETTINGS, hash: 'mailboxes', label: 'Choose mailbox' },
  provider_disconnected: { area: 'mailbox', to: '/mailboxes', label: 'Open mailboxes' },
  sender_identity_missing: { area: 'mailbox', to: '/mailboxes', label: 'Open mailboxes' },
  domain_health: { area: 'mailbox', to: '/mailboxes', label: 'Open mailboxes' },
  tracking_host_failing: { area: 'mailbox', to: '/mailboxes', label: 'Open mailboxes' },
  missing_variable: { area: 'sequence', to: SEQUENCE, label: 'Fix sequence' },
  template: { area: 'sequence', to: SEQUENCE, label: 'Fix sequence' },
  suppressed: { area: 'leads', to: LEADS, label: 'View leads' },
  bad_address: { area: 'leads', to: LEADS, label: 'View leads' },
  follow_up_without_delay: { area: 'sequence', to: SEQUENCE, label: 'Set delay' },
  contacted_elsewhere: { area: 'leads', to: SETTINGS, hash: 'contact-rules', label: 'Open contact rules' },
  in_other_campaign: { area: 'leads', to: SETTINGS, hash: 'contact-rules', label: 'Open contact rules' },
  company_replied: { area: 'leads', to: SETTINGS, hash: 'contact-rules', label: 'Open contact rules' },
  company_limit: { area: 'leads', to: SETTINGS, hash: 'contact-rules', label: 'Open contact rules' },
  status_not_activatable: { area: 'status', to: null, label: '' },
}

/** A rule that is newer than this console has a message, but no link. */
const remedyFor = (rule: Rule): Remedy => REMEDIES[rule] ?? REMEDIES.status_not_activatable

type AreaState = ReturnType<typeof areasOf>[number]

function areasOf({ failures, warnings }: Readiness) {
  // A problem of every lead is both a failure and a warning. Only the failure is shown.
  const failing = new Set(failures.map(({ message }) => message))
  const all = [
    ...failures.map(failure => ({ ...failure, isFailure: true, examples: [] })),
    ...warnings.filter(({ message }) => !failing.has(message)).map(warning => ({ ...warning, isFailure: false })),
  ].map(problem => ({ ...problem, remedy: remedyFor(problem.rule) }))
  return AREAS.map(area => {
    const problems = all.filter(({ remedy }) => remedy.area === area.area)
    return { ...area, problems, isFailing: problems.some(({ isFailure }) => isFailure) }
  }).filter(({ area, problems }) => area !== 'status' || problems.length > 0)
}
