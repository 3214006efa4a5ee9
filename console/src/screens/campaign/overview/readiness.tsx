import type { Campaign, Readiness } from '@overture/sdk'
import { Link } from '@tanstack/react-router'
import { readableAddress } from '@/ui/address.ts'
import { Badge } from '@/ui/badge.tsx'
import { buttonClass } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { cx } from '@/ui/cx.ts'
import { formatNoun } from '@/ui/format.ts'
import { AlertIcon, CheckIcon, CloseIcon } from '@/ui/icons.tsx'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { ErrorState } from '@/ui/states.tsx'
import { useReadiness } from '../data.ts'
import { LeadLink } from '../lead-link.tsx'

/** Everything that an activation asks for, as a list to tick off, with the way to each remedy. */
export function ReadinessCard({ campaign }: { campaign: Campaign }) {
  const { data, error, refetch } = useReadiness(campaign)
  const isDone = campaign.status === 'archived' || campaign.status === 'completed'
  if (isDone) return null
  const areas = data ? areasOf(data) : []
  const warningCount = areas.reduce((sum, { warnings }) => sum + warnings.length, 0)
  // Where all is well, and it runs already, one line is enough.
  const isQuiet = data?.ready === true && warningCount === 0 && campaign.status === 'active'
  if (isQuiet) {
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
      description={data ? describe(data.failures.length, warningCount, campaign.status) : 'Checks before a campaign can be activated'}
      actions={data ? <Badge tone={data.ready ? 'good' : 'bad'}>{data.ready ? 'Ready' : 'Not ready'}</Badge> : null}
    >
      {error && !data ? <ErrorState error={error} onRetry={() => void refetch()} className="py-8" /> : null}
      {data ? (
        <ul>
          {areas.map(area => (
            <Area key={area.area} area={area} campaignId={campaign.id} />
          ))}
        </ul>
      ) : error ? null : (
        <SkeletonLines count={4} className="p-4" />
      )}
    </Card>
  )
}

function describe(failures: number, warnings: number, status: Campaign['status']): string {
  if (failures > 0)
    return `Fix ${formatNoun(failures, 'problem')} before you can ${status === 'draft' ? 'activate' : 'resume'} the campaign`
  if (warnings > 0) return formatNoun(warnings, 'warning')
  return status === 'draft' ? 'All checks passed. You can activate the campaign.' : 'All checks passed'
}

function Area({ area, campaignId }: { area: AreaState; campaignId: string }) {
  const { label, ready, failures, warnings } = area
  const tone = failures.length > 0 ? 'bad' : warnings.length > 0 ? 'warn' : 'good'
  const remedies = [...new Map([...failures, ...warnings].map(({ remedy }) => [remedy.label, remedy])).values()].filter(({ to }) => to)
  const Glyph = { bad: CloseIcon, warn: AlertIcon, good: CheckIcon }[tone]
  const wash = { bad: 'bg-bad-wash text-bad', warn: 'bg-warn-wash text-warn', good: 'bg-good-wash text-good' }[tone]
  return (
    <li className="flex gap-3 border-line px-4 py-3 not-last:border-b">
      <span className={cx('mt-0.5 grid size-5 shrink-0 place-items-center rounded-full', wash)}>
        <Glyph width={12} height={12} strokeWidth={2.2} />
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-2.5">
        <p className="font-medium">
          {label}
          {failures.length + warnings.length === 0 ? <span className="block font-normal text-faint text-xs">{ready}</span> : null}
        </p>
        {failures.map(({ rule, message }) => (
          <div key={`${rule}${message}`}>
            <p className="text-soft">{message}</p>
          </div>
        ))}
        {warnings.map(({ rule, message, examples }) => (
          <div key={`${rule}${message}`}>
            <p className="text-soft">{message}</p>
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
        {remedies.length > 0 ? (
          <div className="flex flex-wrap gap-2">
            {remedies.map(remedy => (
              <RemedyLink key={remedy.label} remedy={remedy} campaignId={campaignId} />
            ))}
          </div>
        ) : null}
      </div>
    </li>
  )
}

function RemedyLink({ remedy: { to, hash, label }, campaignId }: { remedy: Remedy; campaignId: string }) {
  if (!to) return null
  return (
    <Link to={to} params={{ campaignId }} {...(hash ? { hash } : {})} className={buttonClass('secondary', 'sm')}>
      {label}
    </Link>
  )
}

type AreaName = 'leads' | 'sequence' | 'schedule' | 'mailbox' | 'status'

const AREAS: readonly { area: AreaName; label: string; ready: string }[] = [
  { area: 'leads', label: 'Leads', ready: 'Leads added' },
  { area: 'sequence', label: 'Sequence', ready: 'All variables filled' },
  { area: 'schedule', label: 'Schedule', ready: 'Sending window set' },
  { area: 'mailbox', label: 'Mailbox', ready: 'Mailbox connected' },
  { area: 'status', label: 'Status', ready: 'Can be activated' },
]

type TabPath =
  | '/campaigns/$campaignId/leads'
  | '/campaigns/$campaignId/sequence'
  | '/campaigns/$campaignId/schedule'
  | '/campaigns/$campaignId/settings'
  | '/mailboxes'

interface Remedy {
  area: AreaName
  /** Where it is solved, and what the button says. */
  to: TabPath | null
  /** The part of that screen. */
  hash?: string
  label: string
}

const LEADS = '/campaigns/$campaignId/leads'
const SEQUENCE = '/campaigns/$campaignId/sequence'
const SCHEDULE = '/campaigns/$campaignId/schedule'
const SETTINGS = '/campaigns/$campaignId/settings'

const REMEDIES: Record<string, Remedy> = {
  leads_missing: { area: 'leads', to: LEADS, label: 'Add leads' },
  leads_all_suppressed: { area: 'leads', to: LEADS, label: 'View leads' },
  sequence_missing: { area: 'sequence', to: SEQUENCE, label: 'Write sequence' },
  sequence_step_invalid: { area: 'sequence', to: SEQUENCE, label: 'Fix sequence' },
  schedule_missing: { area: 'schedule', to: SCHEDULE, label: 'Set schedule' },
  schedule_expired: { area: 'schedule', to: SCHEDULE, label: 'Change end date' },
  provider_missing: { area: 'mailbox', to: SETTINGS, hash: 'mailboxes', label: 'Choose mailbox' },
  provider_disconnected: { area: 'mailbox', to: '/mailboxes', label: 'Open mailboxes' },
  sender_identity_missing: { area: 'mailbox', to: '/mailboxes', label: 'Open mailboxes' },
  missing_variable: { area: 'leads', to: LEADS, label: 'View leads' },
  template: { area: 'sequence', to: SEQUENCE, label: 'Fix sequence' },
  suppressed: { area: 'leads', to: LEADS, label: 'View leads' },
  bad_address: { area: 'leads', to: LEADS, label: 'View leads' },
  follow_up_without_delay: { area: 'sequence', to: SEQUENCE, label: 'Set delay' },
  contacted_elsewhere: { area: 'leads', to: SETTINGS, hash: 'contact-rules', label: 'Open contact rules' },
  in_other_campaign: { area: 'leads', to: SETTINGS, hash: 'contact-rules', label: 'Open contact rules' },
  company_replied: { area: 'leads', to: SETTINGS, hash: 'contact-rules', label: 'Open contact rules' },
  company_limit: { area: 'leads', to: SETTINGS, hash: 'contact-rules', label: 'Open contact rules' },
}

/** A rule that is new to this console still has its words, and a place. */
const remedyFor = (rule: string): Remedy => REMEDIES[rule] ?? { area: 'status', to: null, label: '' }

interface AreaState {
  area: AreaName
  label: string
  ready: string
  failures: (Readiness['failures'][number] & { remedy: Remedy })[]
  warnings: (Readiness['warnings'][number] & { remedy: Remedy })[]
}

function areasOf({ failures, warnings }: Readiness): AreaState[] {
  // What fails for every lead is said as a failure and as a warning; once is enough.
  const said = new Set(failures.map(({ message }) => message))
  return AREAS.map(area => ({
    ...area,
    failures: failures.map(failure => ({ ...failure, remedy: remedyFor(failure.rule) })).filter(({ remedy }) => remedy.area === area.area),
    warnings: warnings
      .filter(({ message }) => !said.has(message))
      .map(warning => ({ ...warning, remedy: remedyFor(warning.rule) }))
      .filter(({ remedy }) => remedy.area === area.area),
  })).filter(({ area, failures: failing, warnings: warning }) => area !== 'status' || failing.length + warning.length > 0)
}
