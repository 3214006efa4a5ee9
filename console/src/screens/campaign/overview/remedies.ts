import type { Readiness } from '@overture/sdk'

export type Area = 'leads' | 'sequence' | 'schedule' | 'mailbox' | 'status'

export const AREAS: readonly { area: Area; label: string; ready: string }[] = [
  { area: 'leads', label: 'Leads', ready: 'There is somebody to write to' },
  { area: 'sequence', label: 'Sequence', ready: 'Every message can be written' },
  { area: 'schedule', label: 'Schedule', ready: 'It is set when messages may leave' },
  { area: 'mailbox', label: 'Mailbox', ready: 'A connected mailbox sends it' },
  { area: 'status', label: 'Status', ready: 'It can be activated' },
]

type TabPath =
  | '/campaigns/$campaignId/leads'
  | '/campaigns/$campaignId/sequence'
  | '/campaigns/$campaignId/schedule'
  | '/campaigns/$campaignId/settings'
  | '/mailboxes'

export interface Remedy {
  area: Area
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
  leads_all_suppressed: { area: 'leads', to: LEADS, label: 'Look at the leads' },
  sequence_missing: { area: 'sequence', to: SEQUENCE, label: 'Write the sequence' },
  sequence_step_invalid: { area: 'sequence', to: SEQUENCE, label: 'Mend the sequence' },
  schedule_missing: { area: 'schedule', to: SCHEDULE, label: 'Set the schedule' },
  schedule_expired: { area: 'schedule', to: SCHEDULE, label: 'Change the end date' },
  provider_missing: { area: 'mailbox', to: SETTINGS, hash: 'mailboxes', label: 'Choose a mailbox' },
  provider_disconnected: { area: 'mailbox', to: '/mailboxes', label: 'Open the mailboxes' },
  sender_identity_missing: { area: 'mailbox', to: '/mailboxes', label: 'Open the mailboxes' },
  missing_variable: { area: 'leads', to: LEADS, label: 'Look at the leads' },
  template: { area: 'sequence', to: SEQUENCE, label: 'Mend the sequence' },
  suppressed: { area: 'leads', to: LEADS, label: 'Look at the leads' },
  bad_address: { area: 'leads', to: LEADS, label: 'Look at the leads' },
  follow_up_without_delay: { area: 'sequence', to: SEQUENCE, label: 'Set a delay' },
  contacted_elsewhere: { area: 'leads', to: SETTINGS, hash: 'contact-rules', label: 'Contact rules' },
  in_other_campaign: { area: 'leads', to: SETTINGS, hash: 'contact-rules', label: 'Contact rules' },
  company_replied: { area: 'leads', to: SETTINGS, hash: 'contact-rules', label: 'Contact rules' },
  company_limit: { area: 'leads', to: SETTINGS, hash: 'contact-rules', label: 'Contact rules' },
}

/** A rule that is new to this console still has its words, and a place. */
export const remedyFor = (rule: string): Remedy => REMEDIES[rule] ?? { area: 'status', to: null, label: '' }

export interface AreaState {
  area: Area
  label: string
  ready: string
  failures: (Readiness['failures'][number] & { remedy: Remedy })[]
  warnings: (Readiness['warnings'][number] & { remedy: Remedy })[]
}

export function areasOf({ failures, warnings }: Readiness): AreaState[] {
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
