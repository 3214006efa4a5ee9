import type { LeadBulk, LeadBulkResult, LeadPatch } from '@overture/sdk'
import { useState } from 'react'
import type { RunningOperation } from '@/data/use-operation.ts'
import { statusWords } from '@/ui/badge.tsx'
import { FormDialog } from '@/ui/dialog.tsx'
import { Field } from '@/ui/field.tsx'
import { Select } from '@/ui/select.tsx'

export type Outcome = NonNullable<LeadPatch['status']>

const OUTCOMES: readonly Outcome[] = [
  ...(['replied', 'interested', 'not_interested', 'meeting_booked', 'meeting_completed', 'closed', 'unsubscribed', 'skipped'] as const),
]
export const OUTCOME_OPTIONS = OUTCOMES.map(value => ({ value, label: statusWords(value) }))

/** The effects of each outcome, shown before the user chooses. */
export const followsFrom = (outcome: Outcome): string =>
  outcome === 'unsubscribed'
    ? 'Overture suppresses the address. No campaign in this workspace emails it again.'
    : outcome === 'skipped'
      ? 'Overture sends no more emails until you retry the lead.'
      : 'Overture sends no more steps of the sequence.'

interface SetStatusProps {
  count: string
  change: RunningOperation<BulkChange, LeadBulkResult>
  onClose: () => void
}

export function SetStatus({ count, change, onClose }: SetStatusProps) {
  const [status, setStatus] = useState<Outcome>('interested')
  return (
    <FormDialog
      size="sm"
      title={`Set the status of ${count}`}
      onClose={onClose}
      verb="Set status"
      operation={change}
      isComplete
      onSubmit={() => void change.run({ action: 'set_status', status })}
    >
      <Field label="Status" help={followsFrom(status)}>
        <Select options={OUTCOME_OPTIONS} value={status} onChange={setStatus} className="w-full" />
      </Field>
    </FormDialog>
  )
}

/** What is done to all chosen leads at once. */
export type BulkChange = Pick<LeadBulk, 'action' | 'status' | 'targetCampaignId'>
